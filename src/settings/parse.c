#include "settings/settings.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "settings/options.h"
#include "support/memory.h"
#include "support/text.h"
#include "support/units.h"

#define DEFAULT_RUNTIME_S 5
#define DEFAULT_SIZE_BYTES (UINT64_C(1) << 30)
#define MIB_BYTES (UINT64_C(1) << 20)
/* Of a word that is wrong, this much is quoted. */
#define SHOWN_BYTES_MAX 200
/* A name further away than this is no typing mistake. */
#define NEAREST_DISTANCE 3

/* What getopt_long returns for a word that is no option, where the short options begin with '-'. */
#define CODE_PATH 1

/* The state of reading one command line. */
struct reading {
	struct settings *settings;
	struct failure *failure;
	const struct option_entry *chosen[OPTION_GROUP_COUNT]; /* which of a group was given */
	bool given[OPTION_ID_END - OPTION_FIO];                /* by id, from OPTION_FIO on */
};

/* Two options that contradict each other although they are in no group together. */
struct contradiction {
	enum option_id option;
	enum option_id profile;
	const char *why;
};

static const struct contradiction contradictions[] = {
	{OPTION_ENGINE, OPTION_DD, "--engine is for fio's tests"},
	{OPTION_DIRECT, OPTION_DD, "dd's test reads past the cache and from it, each in a row of its own"},
	{OPTION_BUFFERED, OPTION_DD, "dd's test reads past the cache and from it, each in a row of its own"},
	{OPTION_ENGINE, OPTION_SLOG, "the SLOG profile always uses psync"},
};

/* The one format of usage errors that quote a word of the user's; `format` takes it as its only argument. */
static bool fail_quoting(struct failure *failure, const char *before, const char *word, const char *after)
{
	char *beginning = xstrndup(word, SHOWN_BYTES_MAX);
	char *shown = text_printable(beginning);

	free(beginning);
	failure_set(failure, STATUS_USAGE, "%s'%s%s'%s", before, shown, strlen(word) > SHOWN_BYTES_MAX ? "..." : "", after);
	free(shown);
	return false;
}

/* The option that a mistyped name most likely means: one it abbreviates, else the nearest; NULL for none near. */
static const struct option_entry *nearest_option(const char *name)
{
	const struct option_entry *nearest = NULL;
	size_t least = NEAREST_DISTANCE + 1;

	for (size_t i = 0; i < options_count; i++) {
		if (!options[i].help) {
			continue;
		}
		if (*name != '\0' && text_starts_with(options[i].name, name)) {
			return &options[i];
		}

		size_t distance = text_distance(options[i].name, name);
		if (distance < least && distance * 2 <= strlen(options[i].name)) {
			least = distance;
			nearest = &options[i];
		}
	}
	return nearest;
}

static bool fail_unknown_long(struct failure *failure, const char *word)
{
	size_t length = strcspn(word, "=");
	char *option = xstrndup(word, length > strlen("--") ? length : strlen(word));
	const struct option_entry *nearest = nearest_option(option + strlen("--"));
	char *hint = nearest ? xasprintf("; did you mean '--%s'?", nearest->name) : xstrdup("");

	fail_quoting(failure, "unknown option ", option, hint);
	free(hint);
	free(option);
	return false;
}

/* `word` is the whole word, "-yes", and `letter` the one of it that is no option. */
static bool fail_unknown_short(struct failure *failure, const char *word, int letter)
{
	if (option_by_name(word + 1, strlen(word + 1))) {
		char *hint = xasprintf("; did you mean '-%s'?", word);
		fail_quoting(failure, "unknown option ", word, hint);
		free(hint);
		return false;
	}
	/* Half a UTF-8 character is no help: then the whole word is named. */
	if (letter <= ' ' || letter > '~' || strlen(word) == 2) {
		return fail_quoting(failure, "unknown option ", word, "");
	}

	char *before = xasprintf("unknown option '-%c' in ", letter);
	fail_quoting(failure, before, word, "");
	free(before);
	return false;
}

static bool fail_value(struct failure *failure, const struct option_entry *option, const char *value)
{
	if (*value == '\0') {
		return failure_set(
			failure, STATUS_USAGE, "--%s needs a value that is not empty: give %s", option->name, option->accepts);
	}

	char *before = xasprintf("--%s cannot be ", option->name);
	char *after = xasprintf("; give %s", option->accepts);
	fail_quoting(failure, before, value, after);
	free(after);
	free(before);
	return false;
}

static bool fail_superfluous(struct failure *failure, const struct option_entry *option, const char *value)
{
	char *before = xasprintf("--%s takes no value, but ", option->name);

	fail_quoting(failure, before, value, " was given");
	free(before);
	return false;
}

static bool take_path(struct reading *reading, const char *path)
{
	struct settings *settings = reading->settings;

	if (*path == '\0') {
		return failure_set(reading->failure, STATUS_USAGE,
			"the path is empty; name the directory to measure, '.' for the current one");
	}
	if (settings->path) {
		char *first = text_printable(settings->path);
		char *second = text_printable(path);
		failure_set(
			reading->failure, STATUS_USAGE, "only one path is measured: '%s' and '%s' were given", first, second);
		free(second);
		free(first);
		return false;
	}
	settings->path = path;
	return true;
}

/* The index of a word among those an option takes; -1 where it is none of them. */
static int word_index(const struct option_entry *option, const char *word)
{
	for (int i = 0; option->words[i]; i++) {
		if (strcmp(option->words[i], word) == 0) {
			return i;
		}
	}
	return -1;
}

static bool take_size(struct settings *settings, const char *value)
{
	uint64_t size_bytes = 0;

	if (!units_parse_size(value, &size_bytes) || size_bytes < SETTINGS_SIZE_MIN_BYTES ||
		size_bytes > SETTINGS_SIZE_MAX_BYTES) {
		return false;
	}
	settings->size_bytes = size_bytes - size_bytes % MIB_BYTES;
	return true;
}

/* Store what an option with an argument says; false where the argument is not acceptable. */
static bool take_value(struct settings *settings, const struct option_entry *option, const char *value)
{
	int word = option->argument == OPTION_ARGUMENT_WORD ? word_index(option, value) : 0;

	if (word < 0) {
		return false;
	}
	switch (option->id) {
	case OPTION_RUNTIME:
		settings->runtime_given = true;
		return units_parse_number(value, 1, SETTINGS_RUNTIME_MAX_S, &settings->runtime_s);
	case OPTION_SIZE:
		return take_size(settings, value);
	case OPTION_ENGINE:
		settings->engine = option->words[word];
		return true;
	case OPTION_COLOR:
		settings->color = (enum color_choice)word;
		return true;
	case OPTION_COMPLETION:
		settings->action = SETTINGS_COMPLETION;
		settings->completion_shell = option->words[word];
		return true;
	default:
		return false;
	}
}

static void take_flag(struct settings *settings, enum option_id id)
{
	switch (id) {
	case OPTION_FIO:
		settings->profile = SETTINGS_PROFILE_FIO;
		break;
	case OPTION_DD:
		settings->profile = SETTINGS_PROFILE_DD;
		break;
	case OPTION_SLOG:
		settings->profile = SETTINGS_PROFILE_SLOG;
		break;
	case OPTION_DIRECT:
		settings->direct = SETTINGS_DIRECT_ON;
		break;
	case OPTION_BUFFERED:
		settings->direct = SETTINGS_DIRECT_OFF;
		break;
	case OPTION_VERBOSE:
		settings->verbose = true;
		break;
	case OPTION_YES:
		settings->yes = true;
		break;
	case OPTION_NO_SUDO:
		settings->no_sudo = true;
		break;
	case OPTION_HELP:
		settings->action = SETTINGS_HELP;
		break;
	case OPTION_VERSION:
		settings->action = SETTINGS_VERSION;
		break;
	case OPTION_MANUAL:
		settings->action = SETTINGS_MANUAL;
		break;
	case OPTION_KEEPER:
		settings->action = SETTINGS_KEEPER;
		break;
	default:
		break;
	}
}

static bool take_option(struct reading *reading, const struct option_entry *option, const char *value)
{
	const struct option_entry **chosen = &reading->chosen[option->group];

	if (option->group != OPTION_GROUP_NONE && *chosen && *chosen != option) {
		return failure_set(
			reading->failure, STATUS_USAGE, "--%s and --%s cannot be combined", (*chosen)->name, option->name);
	}
	*chosen = option;
	reading->given[option->id - OPTION_FIO] = true;

	if (option->argument == OPTION_ARGUMENT_NONE) {
		take_flag(reading->settings, option->id);
	} else if (!take_value(reading->settings, option, value)) {
		return fail_value(reading->failure, option, value);
	}
	return true;
}

/* One step of getopt_long: what it returned, and the word it stood in. */
static bool take_step(struct reading *reading, int code, const char *word)
{
	if (code == CODE_PATH) {
		return take_path(reading, optarg);
	}
	if (!text_starts_with(word, "--")) {
		const struct option_entry *option = code == '?' ? NULL : option_by_short_name(code);
		return option ? take_option(reading, option, optarg) : fail_unknown_short(reading->failure, word, optopt);
	}

	/* getopt_long takes abbreviations; a script that used one would break with the next option of that beginning. */
	size_t length = strcspn(word, "=");
	const struct option_entry *option = option_by_name(word + 2, length - 2);
	if (!option) {
		return fail_unknown_long(reading->failure, word);
	}
	if (code == ':') {
		return failure_set(
			reading->failure, STATUS_USAGE, "--%s needs a value: give %s", option->name, option->accepts);
	}
	if (code == '?') {
		return fail_superfluous(reading->failure, option, word + length + 1);
	}
	return take_option(reading, option, optarg);
}

/* getopt_long's own tables, out of ours. The caller frees the array. */
static struct option *build_long_options(struct text *short_options)
{
	struct option *long_options = xcalloc(options_count + 1, sizeof(*long_options));

	/* '-': words that are no options come in their place, whatever POSIXLY_CORRECT says. ':': no messages of its own.
	 */
	text_add(short_options, "-:");
	for (size_t i = 0; i < options_count; i++) {
		bool has_value = options[i].argument != OPTION_ARGUMENT_NONE;
		long_options[i].name = options[i].name;
		long_options[i].has_arg = has_value ? required_argument : no_argument;
		long_options[i].val = (int)options[i].id;
		if (options[i].short_name != 0) {
			text_addf(short_options, "%c%s", options[i].short_name, has_value ? ":" : "");
		}
	}
	return long_options;
}

/* Every word up to the first option that acts at once. */
static bool read_words(
	struct reading *reading, int argc, char **argv, const char *short_options, const struct option *long_options)
{
	opterr = 0;
	optind = 0;
	while (reading->settings->action == SETTINGS_MEASURE) {
		int start = optind == 0 ? 1 : optind;
		int code = getopt_long(argc, argv, short_options, long_options, NULL);

		if (code == -1 && optind == start && optind < argc) {
			/* musl stops at a lone "-", glibc takes it for a path as we do. */
			optarg = argv[optind++];
			code = CODE_PATH;
		}
		if (code == -1) {
			break;
		}
		if (!take_step(reading, code, argv[start])) {
			return false;
		}
	}
	while (reading->settings->action == SETTINGS_MEASURE && optind < argc) {
		if (!take_path(reading, argv[optind++])) {
			return false;
		}
	}
	return true;
}

/* What can only be judged when everything was read. */
static bool check_whole(const struct reading *reading, int argc)
{
	if (reading->settings->action == SETTINGS_KEEPER && argc != 2) {
		return failure_set(
			reading->failure, STATUS_USAGE, "--keeper is for the program's own use and takes nothing beside it");
	}
	if (reading->settings->action != SETTINGS_MEASURE) {
		return true;
	}

	for (size_t i = 0; i < sizeof(contradictions) / sizeof(contradictions[0]); i++) {
		const struct contradiction *pair = &contradictions[i];
		if (reading->given[pair->option - OPTION_FIO] && reading->given[pair->profile - OPTION_FIO]) {
			return failure_set(reading->failure, STATUS_USAGE, "--%s cannot be combined with --%s: %s",
				option_by_id(pair->option)->name, option_by_id(pair->profile)->name, pair->why);
		}
	}
	if (!reading->settings->path) {
		return failure_set(
			reading->failure, STATUS_USAGE, "no path given: name the directory to measure, '.' for the current one");
	}
	return true;
}

bool settings_parse(struct settings *settings, int argc, char **argv, struct failure *failure)
{
	struct reading reading = {.settings = settings, .failure = failure};
	struct text short_options = TEXT_EMPTY;

	*settings = (struct settings){
		.action = SETTINGS_MEASURE,
		.runtime_s = DEFAULT_RUNTIME_S,
		.size_bytes = DEFAULT_SIZE_BYTES,
	};
	if (argc < 2) {
		return failure_set(failure, STATUS_USAGE, "%s", "");
	}

	struct option *long_options = build_long_options(&short_options);
	bool good = read_words(&reading, argc, argv, text_string(&short_options), long_options);
	free(long_options);
	text_release(&short_options);
	return good && check_whole(&reading, argc);
}
