/** THE option table: getopt_long, --help, the completions and the manual's check all come from it. */
#ifndef SETTINGS_OPTIONS_H
#define SETTINGS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/** What an option's argument is, for completions. */
enum option_argument {
	OPTION_ARGUMENT_NONE,
	OPTION_ARGUMENT_WORD,  /* one of `words` */
	OPTION_ARGUMENT_VALUE, /* free text: a number, a size */
	OPTION_ARGUMENT_FILE,  /* the name of a file */
};

/** The headings of --help, in their order. */
enum option_section {
	OPTION_SECTION_TESTS,
	OPTION_SECTION_REPEATS,
	OPTION_SECTION_OUTPUT,
	OPTION_SECTION_COMPARISON,
	OPTION_SECTION_OTHER,
	OPTION_SECTION_COUNT,
};

/** Options of which only one may be given. */
enum option_group { OPTION_GROUP_NONE, OPTION_GROUP_PROFILE, OPTION_GROUP_DIRECT, OPTION_GROUP_COUNT };

/** What the parser switches on. */
enum option_id {
	OPTION_FIO = 256,
	OPTION_DD,
	OPTION_SLOG,
	OPTION_SLOG_DETAIL,
	OPTION_DIAGNOSE,
	OPTION_ENGINE,
	OPTION_DIRECT,
	OPTION_BUFFERED,
	OPTION_RUNTIME,
	OPTION_SIZE,
	OPTION_RUNS,
	OPTION_WARMUP,
	OPTION_RAMP,
	OPTION_INTERVAL,
	OPTION_SCORE,
	OPTION_FORMAT,
	OPTION_OUTPUT,
	OPTION_LABEL,
	OPTION_LOAD,
	OPTION_VERBOSE,
	OPTION_COMPARE,
	OPTION_FAIL_BELOW,
	OPTION_FAIL_ABOVE,
	OPTION_FAIL_SLOWER,
	OPTION_YES,
	OPTION_NO_SUDO,
	OPTION_COLOR,
	OPTION_HELP,
	OPTION_VERSION,
	OPTION_MANUAL,
	OPTION_COMPLETION,
	OPTION_KEEPER,
	OPTION_ID_END,
};

/** One option. */
struct option_entry {
	enum option_id id;
	enum option_section section;
	char short_name;  /* 0 where there is none */
	const char *name; /* without the dashes */
	enum option_argument argument;
	const char *argument_name; /* as in --help: "SEC"; NULL without an argument */
	const char *const *words;  /* NULL-terminated; NULL unless OPTION_ARGUMENT_WORD */
	const char *accepts;       /* what its argument may be, to follow "give "; NULL without an argument */
	enum option_group group;
	bool repeatable;  /* each one counts; of the others the last */
	bool alone;       /* acts at once and ends the reading, whatever else there is */
	const char *help; /* one line; NULL for an option that only the program itself uses */
};

/** Every option, in the order of --help. */
extern const struct option_entry options[];
/** How many there are. */
extern const size_t options_count;

/** The option of exactly this name (the first `length` bytes of it); NULL where there is none. */
const struct option_entry *option_by_name(const char *name, size_t length);
/** The option with this short name; NULL where there is none. */
const struct option_entry *option_by_short_name(int short_name);
/** The option with this id, which must be one of the table's. */
const struct option_entry *option_by_id(enum option_id id);

#endif
