#include "settings/settings.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "settings/options.h"
#include "reading.h"
#include "support/memory.h"
#include "support/text.h"

#define DEFAULT_RUNTIME_S 5
#define DEFAULT_SIZE_BYTES (UINT64_C(1) << 30)
/* Of a word that is wrong, this much is quoted. */
#define SHOWN_BYTES_MAX 200
/* A name further away than this is no typing mistake. */
#define NEAREST_DISTANCE 3

/* What getopt_long returns for a word that is no option, where the short options begin with '-'. */
#define CODE_PATH 1

bool reading_fail_quoting(struct failure *failure, const char *before, const char *word, const char *after)
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

	reading_fail_quoting(failure, "unknown option ", option, hint);
	free(hint);
	free(option);
	return false;
}

/* `word` is the whole word, "-yes", and `letter` the one of it that is no option. */
static bool fail_unknown_short(struct failure *failure, const char *word, int letter)
{
	if (option_by_name(word + 1, strlen(word + 1))) {
		char *hint = xasprintf("; did you mean '-%s'?", word);
		reading_fail_quoting(failure, "unknown option ", word, hint);
		free(hint);
		return false;
	}
	/* Half a UTF-8 character is no help: then the whole word is named. */
	if (letter <= ' ' || letter > '~' || strlen(word) == 2) {
		return reading_fail_quoting(failure, "unknown option ", word, "");
	}

	char *before = xasprintf("unknown option '-%c' in ", letter);
	reading_fail_quoting(failure, before, word, "");
	free(before);
	return false;
}

static bool fail_superfluous(struct failure *failure, const struct option_entry *option, const char *value)
{
	char *before = xasprintf("--%s takes no value, but ", option->name);

	reading_fail_quoting(failure, before, value, " was given");
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

static bool take_option(struct reading *reading, const struct option_entry *option, const char *value)
{
	return reading_note(reading, option) && reading_take_value(reading, option, value);
}

static bool fail_missing(struct failure *failure, const struct option_entry *option)
{
	return failure_set(failure, STATUS_USAGE, "--%s needs a value: give %s", option->name, option->accepts);
}

/* As take_step, of a word with one dash. `code` is '?' or ':' where optopt is the letter that is wrong. */
static bool take_short_step(struct reading *reading, int code, const char *word)
{
	const struct option_entry *option = option_by_short_name(code == ':' ? optopt : code);

	/* "-output" is no name of a file "utput". */
	bool is_long_name = option && option->argument_name && option_by_name(word + 1, strlen(word + 1));
	if (code == '?' || !option || is_long_name) {
		return fail_unknown_short(reading->failure, word, optopt);
	}
	return code == ':' ? fail_missing(reading->failure, option) : take_option(reading, option, optarg);
}

/* One step of getopt_long: what it returned, and the word it stood in. */
static bool take_step(struct reading *reading, int code, const char *word)
{
	if (code == CODE_PATH) {
		return take_path(reading, optarg);
	}
	if (!text_starts_with(word, "--")) {
		return take_short_step(reading, code, word);
	}

	/* getopt_long takes abbreviations; a script that used one would break with the next option of that beginning. */
	size_t length = strcspn(word, "=");
	const struct option_entry *option = option_by_name(word + 2, length - 2);
	if (!option) {
		return fail_unknown_long(reading->failure, word);
	}
	if (code == ':') {
		return fail_missing(reading->failure, option);
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

bool settings_parse(struct settings *settings, int argc, char **argv, struct failure *failure)
{
	struct reading reading = {.settings = settings, .failure = failure};
	struct text short_options = TEXT_EMPTY;

	*settings = (struct settings){
		.action = SETTINGS_MEASURE,
		.runtime_s = DEFAULT_RUNTIME_S,
		.size_bytes = DEFAULT_SIZE_BYTES,
		.runs = 1,
		.format = option_by_id(OPTION_FORMAT)->words[0],
		.fail_slower_percent = -1,
		.argv = argv,
	};
	if (argc < 2) {
		return failure_set(failure, STATUS_USAGE, "%s", "");
	}

	struct option *long_options = build_long_options(&short_options);
	bool good = read_words(&reading, argc, argv, text_string(&short_options), long_options);
	free(long_options);
	text_release(&short_options);
	if (!good || !reading_check(&reading, argc)) {
		settings_release(settings);
		return false;
	}
	return true;
}

void settings_release(struct settings *settings)
{
	struct settings_list *lists[] = {
		&settings->outputs, &settings->compare, &settings->fail_below, &settings->fail_above};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		free(lists[i]->values);
		*lists[i] = (struct settings_list){0};
	}
}
