#include "settings/options.h"

#include <string.h>

static const char *const engine_words[] = {"io_uring", "libaio", "posixaio", "sync", NULL};
/* In the order of enum color_choice. */
static const char *const color_words[] = {"auto", "always", "never", NULL};
/* In the order of enum score. */
static const char *const score_words[] = {"median", "best", NULL};
static const char *const format_words[] = {"table", "json", "csv", "markdown", NULL};
static const char *const shell_words[] = {"bash", "zsh", "fish", NULL};

const struct option_entry options[] = {
	{
		.id = OPTION_FIO,
		.section = OPTION_SECTION_TESTS,
		.name = "fio",
		.group = OPTION_GROUP_PROFILE,
		.help = "sequential and random, read and write, by fio (default where fio is installed)",
	},
	{
		.id = OPTION_DD,
		.section = OPTION_SECTION_TESTS,
		.name = "dd",
		.group = OPTION_GROUP_PROFILE,
		.help = "sequential only, by dd (default without fio)",
	},
	{
		.id = OPTION_SLOG,
		.section = OPTION_SECTION_TESTS,
		.name = "slog",
		.group = OPTION_GROUP_PROFILE,
		.help = "latency of synchronous 4K writes, by fio",
	},
	{
		.id = OPTION_SLOG_DETAIL,
		.section = OPTION_SECTION_TESTS,
		.name = "slog-detail",
		.help = "with --slog: also without sync, by O_DSYNC and fdatasync, and blocks up to 128K",
	},
	{
		.id = OPTION_DIAGNOSE,
		.section = OPTION_SECTION_TESTS,
		.name = "diagnose",
		.help = "with --slog: find out by experiment whether power management slows it down",
	},
	{
		.id = OPTION_ENGINE,
		.section = OPTION_SECTION_TESTS,
		.name = "engine",
		.argument = OPTION_ARGUMENT_WORD,
		.argument_name = "NAME",
		.words = engine_words,
		.accepts = "io_uring, libaio, posixaio or sync",
		.help = "how fio does I/O: io_uring, libaio, posixaio or sync (default: the first that works)",
	},
	{
		.id = OPTION_DIRECT,
		.section = OPTION_SECTION_TESTS,
		.name = "direct",
		.group = OPTION_GROUP_DIRECT,
		.help = "O_DIRECT, past the page cache (default where it works)",
	},
	{
		.id = OPTION_BUFFERED,
		.section = OPTION_SECTION_TESTS,
		.name = "buffered",
		.group = OPTION_GROUP_DIRECT,
		.help = "through the page cache; results may be RAM's",
	},
	{
		.id = OPTION_RUNTIME,
		.section = OPTION_SECTION_TESTS,
		.name = "runtime",
		.argument = OPTION_ARGUMENT_VALUE,
		.argument_name = "SEC",
		.accepts = "whole seconds from 1 to 604800",
		.help = "seconds for each run (default: 5)",
	},
	{
		.id = OPTION_SIZE,
		.section = OPTION_SECTION_TESTS,
		.name = "size",
		.argument = OPTION_ARGUMENT_VALUE,
		.argument_name = "SIZE",
		.accepts = "a size from 16 MiB to 1 PiB, such as 1g, 512M, 4GiB or a number of bytes",
		.help = "size of the test file, such as 512m or 4g (default: 1g)",
	},
	{
		.id = OPTION_RUNS,
		.section = OPTION_SECTION_REPEATS,
		.name = "runs",
		.argument = OPTION_ARGUMENT_VALUE,
		.argument_name = "N",
		.accepts = "a whole number from 1 to 100",
		.help = "measure everything N times, and show medians and spread (default: 1)",
	},
	{
		.id = OPTION_WARMUP,
		.section = OPTION_SECTION_REPEATS,
		.name = "warmup",
		.help = "measure everything once before, and throw that away",
	},
	{
		.id = OPTION_RAMP,
		.section = OPTION_SECTION_REPEATS,
		.name = "ramp",
		.argument = OPTION_ARGUMENT_VALUE,
		.argument_name = "SEC",
		.accepts = "whole seconds from 0 to 3600",
		.help = "seconds that fio works in each run before it counts (default: 0)",
	},
	{
		.id = OPTION_INTERVAL,
		.section = OPTION_SECTION_REPEATS,
		.name = "interval",
		.argument = OPTION_ARGUMENT_VALUE,
		.argument_name = "SEC",
		.accepts = "whole seconds from 0 to 86400",
		.help = "seconds of pause between two runs (default: 0)",
	},
	{
		.id = OPTION_SCORE,
		.section = OPTION_SECTION_REPEATS,
		.name = "score",
		.argument = OPTION_ARGUMENT_WORD,
		.argument_name = "WHICH",
		.words = score_words,
		.accepts = "median or best",
		.help = "figure that stands for all runs: median or best (default: median)",
	},
	{
		.id = OPTION_FORMAT,
		.section = OPTION_SECTION_OUTPUT,
		.name = "format",
		.argument = OPTION_ARGUMENT_WORD,
		.argument_name = "FORMAT",
		.words = format_words,
		.accepts = "table, json, csv or markdown",
		.help = "what goes to standard output: table, json, csv or markdown (default: table)",
	},
	{
		.id = OPTION_OUTPUT,
		.section = OPTION_SECTION_OUTPUT,
		.short_name = 'o',
		.name = "output",
		.argument = OPTION_ARGUMENT_FILE,
		.argument_name = "FILE",
		.accepts = "the name of a file that ends in .json, .csv, .md, .html or .txt",
		.repeatable = true,
		.help = "save the result as well, in the format that the name ends in: .json, .csv, .md, .html, .txt "
				"(repeatable)",
	},
	{
		.id = OPTION_LABEL,
		.section = OPTION_SECTION_OUTPUT,
		.name = "label",
		.argument = OPTION_ARGUMENT_VALUE,
		.argument_name = "TEXT",
		.accepts = "a name of at most 200 bytes",
		.help = "name of what is measured, for files and comparisons",
	},
	{
		.id = OPTION_LOAD,
		.section = OPTION_SECTION_OUTPUT,
		.name = "load",
		.argument = OPTION_ARGUMENT_FILE,
		.argument_name = "FILE",
		.accepts = "a .json file that -o has saved",
		.help = "show a saved result (.json) instead of measuring",
	},
	{
		.id = OPTION_VERBOSE,
		.section = OPTION_SECTION_OUTPUT,
		.name = "verbose",
		.help = "environment, all that fio or dd says, and the evidence for each number, on stderr",
	},
	{
		.id = OPTION_COLOR,
		.section = OPTION_SECTION_OUTPUT,
		.name = "color",
		.argument = OPTION_ARGUMENT_WORD,
		.argument_name = "WHEN",
		.words = color_words,
		.accepts = "auto, always or never",
		.help = "colour: auto, always or never (default: auto)",
	},
	{
		.id = OPTION_COMPARE,
		.section = OPTION_SECTION_COMPARISON,
		.name = "compare",
		.argument = OPTION_ARGUMENT_FILE,
		.argument_name = "FILE",
		.accepts = "a .json file that -o has saved",
		.repeatable = true,
		.help = "compare with a saved result (.json) from before (repeatable)",
	},
	{
		.id = OPTION_FAIL_BELOW,
		.section = OPTION_SECTION_COMPARISON,
		.name = "fail-below",
		.argument = OPTION_ARGUMENT_VALUE,
		.argument_name = "TEST",
		.accepts = "a test and a limit, such as 'RND4K Q1T1 read iops=10000'",
		.repeatable = true,
		.help = "exit with 5 if less was reached: 'RND4K Q1T1 read iops=10000' (repeatable)",
	},
	{
		.id = OPTION_FAIL_ABOVE,
		.section = OPTION_SECTION_COMPARISON,
		.name = "fail-above",
		.argument = OPTION_ARGUMENT_VALUE,
		.argument_name = "TEST",
		.accepts = "a test and a limit, such as 'T1 p99_us=500'",
		.repeatable = true,
		.help = "exit with 5 if it took more: 'T1 p99_us=500' (repeatable)",
	},
	{
		.id = OPTION_FAIL_SLOWER,
		.section = OPTION_SECTION_COMPARISON,
		.name = "fail-slower",
		.argument = OPTION_ARGUMENT_VALUE,
		.argument_name = "PERCENT",
		.accepts = "a number from 0 to 1000, such as 5 or 2.5",
		.help = "with --compare: exit with 5 if anything is slower by more than PERCENT",
	},
	{
		.id = OPTION_YES,
		.section = OPTION_SECTION_OTHER,
		.short_name = 'y',
		.name = "yes",
		.help = "do not ask before measuring",
	},
	{
		.id = OPTION_NO_SUDO,
		.section = OPTION_SECTION_OTHER,
		.name = "no-sudo",
		.help = "never use sudo",
	},
	{
		.id = OPTION_COMPLETION,
		.section = OPTION_SECTION_OTHER,
		.name = "completion",
		.argument = OPTION_ARGUMENT_WORD,
		.argument_name = "SHELL",
		.words = shell_words,
		.accepts = "bash, zsh or fish",
		.alone = true,
		.help = "print the completion script for bash, zsh or fish",
	},
	{
		.id = OPTION_MANUAL,
		.section = OPTION_SECTION_OTHER,
		.name = "manual",
		.alone = true,
		.help = "print the manual",
	},
	{
		.id = OPTION_HELP,
		.section = OPTION_SECTION_OTHER,
		.short_name = 'h',
		.name = "help",
		.alone = true,
		.help = "print this help",
	},
	{
		.id = OPTION_VERSION,
		.section = OPTION_SECTION_OTHER,
		.short_name = 'V',
		.name = "version",
		.alone = true,
		.help = "print the version",
	},
	{
		.id = OPTION_KEEPER,
		.section = OPTION_SECTION_OTHER,
		.name = "keeper",
		.alone = true,
	},
};

const size_t options_count = sizeof(options) / sizeof(options[0]);

const struct option_entry *option_by_name(const char *name, size_t length)
{
	for (size_t i = 0; i < options_count; i++) {
		if (strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0) {
			return &options[i];
		}
	}
	return NULL;
}

const struct option_entry *option_by_short_name(int short_name)
{
	for (size_t i = 0; i < options_count; i++) {
		if (options[i].short_name != 0 && options[i].short_name == short_name) {
			return &options[i];
		}
	}
	return NULL;
}

const struct option_entry *option_by_id(enum option_id id)
{
	size_t i = 0;

	while (i + 1 < options_count && options[i].id != id) {
		i++;
	}
	return &options[i];
}
