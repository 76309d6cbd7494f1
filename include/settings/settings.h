/** What the user asked for, from the command line. */
#ifndef SETTINGS_SETTINGS_H
#define SETTINGS_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
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

/** The most --runs. */
#define SETTINGS_RUNS_MAX 100
/** The longest --ramp: an hour. */
#define SETTINGS_RAMP_MAX_S UINT64_C(3600)
/** The longest --interval: a day. */
#define SETTINGS_INTERVAL_MAX_S UINT64_C(86400)
/** The longest --label. */
#define SETTINGS_LABEL_MAX_BYTES 200
/** How often an option may be given where each one counts. */
#define SETTINGS_LIST_MAX 64
/** The largest --fail-slower. */
#define SETTINGS_SLOWER_MAX_PERCENT 1000

/** Arguments of an option that may be given several times. The array is owned, the strings are argv's. */
struct settings_list {
	const char **values;
	size_t count;
};

/** The command line, read. Strings belong to argv or are constants. */
struct settings {
	enum settings_action action;
	const char *path; /* the target; set whenever action is SETTINGS_MEASURE, but with `load` */
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
	unsigned runs;
	bool warmup;
	uint64_t ramp_s;
	uint64_t interval_s;
	bool slog_detail;                /* reference rows beside --slog's */
	bool diagnose;                   /* the experiment with the machine's power management, behind --slog */
	bool best;                       /* --score best; else the median */
	const char *format;              /* "table", "json", "csv" or "markdown" */
	const char *label;               /* NULL for none */
	const char *load;                /* a saved file, shown instead of measuring; NULL to measure */
	struct settings_list outputs;    /* -o */
	struct settings_list compare;    /* --compare */
	struct settings_list fail_below; /* not read yet */
	struct settings_list fail_above;
	double fail_slower_percent;   /* negative: not given */
	char *const *argv;            /* the whole command line */
	const char *completion_shell; /* "bash", "zsh" or "fish" with SETTINGS_COMPLETION */
};

/**
 * Read argv. On failure the sentence says what is wrong with which word (and names the nearest option for an
 * unknown one); its status is STATUS_USAGE. The caller adds "Try 'speedtest-hd --help'". With no argument at all
 * the failure's sentence is empty: the caller shows the short help instead. On success the caller calls
 * settings_release; a failure leaves nothing to free.
 */
bool settings_parse(struct settings *settings, int argc, char **argv, struct failure *failure);

/** Free the lists. */
void settings_release(struct settings *settings);

#endif
