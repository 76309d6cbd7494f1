#include "settings/options.h"

#include <string.h>

static const char *const engine_words[] = {"io_uring", "libaio", "posixaio", "sync", NULL};
/* In the order of enum color_choice. */
static const char *const color_words[] = {"auto", "always", "never", NULL};
static const char *const shell_words[] = {"bash", "zsh", "fish", NULL};

const struct option_entry options[] = {
	{
		.id = OPTION_FIO,
		.name = "fio",
		.group = OPTION_GROUP_PROFILE,
		.help = "sequential and random, read and write, by fio (default where fio is installed)",
	},
	{
		.id = OPTION_DD,
		.name = "dd",
		.group = OPTION_GROUP_PROFILE,
		.help = "sequential only, by dd (default without fio)",
	},
	{
		.id = OPTION_SLOG,
		.name = "slog",
		.group = OPTION_GROUP_PROFILE,
		.help = "latency of synchronous 4K writes, by fio",
	},
	{
		.id = OPTION_ENGINE,
		.name = "engine",
		.argument = OPTION_ARGUMENT_WORD,
		.argument_name = "NAME",
		.words = engine_words,
		.accepts = "io_uring, libaio, posixaio or sync",
		.help = "how fio does I/O: io_uring, libaio, posixaio or sync (default: the first that works)",
	},
	{
		.id = OPTION_DIRECT,
		.name = "direct",
		.group = OPTION_GROUP_DIRECT,
		.help = "O_DIRECT, past the page cache (default where it works)",
	},
	{
		.id = OPTION_BUFFERED,
		.name = "buffered",
		.group = OPTION_GROUP_DIRECT,
		.help = "through the page cache; results may be RAM's",
	},
	{
		.id = OPTION_RUNTIME,
		.name = "runtime",
		.argument = OPTION_ARGUMENT_VALUE,
		.argument_name = "SEC",
		.accepts = "whole seconds from 1 to 604800",
		.help = "seconds for each run (default: 5)",
	},
	{
		.id = OPTION_SIZE,
		.name = "size",
		.argument = OPTION_ARGUMENT_VALUE,
		.argument_name = "SIZE",
		.accepts = "a size from 16 MiB to 1 PiB, such as 1g, 512M, 4GiB or a number of bytes",
		.help = "size of the test file, such as 512m or 4g (default: 1g)",
	},
	{
		.id = OPTION_VERBOSE,
		.name = "verbose",
		.help = "environment, all that fio or dd says, and the evidence for each number, on stderr",
	},
	{
		.id = OPTION_YES,
		.short_name = 'y',
		.name = "yes",
		.help = "do not ask before measuring",
	},
	{
		.id = OPTION_NO_SUDO,
		.name = "no-sudo",
		.help = "never use sudo",
	},
	{
		.id = OPTION_COLOR,
		.name = "color",
		.argument = OPTION_ARGUMENT_WORD,
		.argument_name = "WHEN",
		.words = color_words,
		.accepts = "auto, always or never",
		.help = "colour: auto, always or never (default: auto)",
	},
	{
		.id = OPTION_COMPLETION,
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
		.name = "manual",
		.alone = true,
		.help = "print the manual",
	},
	{
		.id = OPTION_HELP,
		.short_name = 'h',
		.name = "help",
		.alone = true,
		.help = "print this help",
	},
	{
		.id = OPTION_VERSION,
		.short_name = 'V',
		.name = "version",
		.alone = true,
		.help = "print the version",
	},
	{
		.id = OPTION_KEEPER,
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
