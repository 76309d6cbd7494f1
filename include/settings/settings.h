/** What the user asked for, from the command line. */
#ifndef SETTINGS_SETTINGS_H
#define SETTINGS_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "support/failure.h"
#include "support/terminal.h"

/** The set of tests to run; SETTINGS_PROFILE_AUTO is fio's where fio is installed, else dd's. */
enum settings_profile { SETTINGS_PROFILE_AUTO, SETTINGS_PROFILE_FIO, SETTINGS_PROFILE_DD, SETTINGS_PROFILE_SLOG };

/** Whether reads and writes go past the page cache. */
enum settings_direct { SETTINGS_DIRECT_AUTO, SETTINGS_DIRECT_ON, SETTINGS_DIRECT_OFF };

/** What the program is to do. */
enum settings_action {
	SETTINGS_MEASURE,
	SETTINGS_HELP,
	SETTINGS_VERSION,
	SETTINGS_MANUAL,
	SETTINGS_COMPLETION,
	SETTINGS_KEEPER, /* the far side of sudo; started by the program itself */
};

/** The largest --runtime: a week. */
#define SETTINGS_RUNTIME_MAX_S UINT64_C(604800)
/** The smallest --size: the 16 x 32 blocks in flight of the random rows, and one 1 MiB block eight deep, must fit. */
#define SETTINGS_SIZE_MIN_BYTES (UINT64_C(16) << 20)
/** The largest --size: a pebibyte. */
#define SETTINGS_SIZE_MAX_BYTES (UINT64_C(1) << 50)

/** The command line, read. Strings belong to argv or are constants. */
struct settings {
	enum settings_action action;
	const char *path; /* the target; set whenever action is SETTINGS_MEASURE */
	enum settings_profile profile;
	const char *engine; /* "io_uring", "libaio", "posixaio", "sync"; NULL for auto */
	enum settings_direct direct;
	uint64_t runtime_s;
	bool runtime_given; /* by the user; dd, whose runs end with the file, has no use for it */
	uint64_t size_bytes;
	bool verbose;
	bool yes;
	bool no_sudo;
	enum color_choice color;
	const char *completion_shell; /* "bash", "zsh" or "fish" with SETTINGS_COMPLETION */
};

/**
 * Read argv. On failure the sentence says what is wrong with which word (and names the nearest option for an
 * unknown one); its status is STATUS_USAGE. The caller adds "Try 'speedtest-hd --help'". With no argument at all
 * the failure's sentence is empty: the caller shows the short help instead.
 */
bool settings_parse(struct settings *settings, int argc, char **argv, struct failure *failure);

#endif
