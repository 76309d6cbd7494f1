#include "reading.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/units.h"

#define MIB_BYTES (UINT64_C(1) << 20)
/* More digits of a fraction than these change nothing; a double holds all of them exactly. */
#define FRACTION_DIGITS_MAX 12

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

static bool take_runs(struct settings *settings, const char *value)
{
	uint64_t runs = 0;

	if (!units_parse_number(value, 1, SETTINGS_RUNS_MAX, &runs)) {
		return false;
	}
	settings->runs = (unsigned)runs;
	return true;
}

/* "5" or "2.5": the same in every locale, and nothing else that strtod would take. */
static bool take_percent(struct settings *settings, const char *value)
{
	static const char digits[] = "0123456789";
	const char *point = strchr(value, '.');
	char *whole = xstrndup(value, point ? (size_t)(point - value) : strlen(value));
	uint64_t number = 0;
	bool good = units_parse_number(whole, 0, SETTINGS_SLOWER_MAX_PERCENT, &number);
	double fraction = 0;
	double unit = 1;

	free(whole);
	if (point) {
		size_t count = strspn(point + 1, digits);
		good = good && count > 0 && point[1 + count] == '\0';
		for (size_t i = 0; good && i < count && i < FRACTION_DIGITS_MAX; i++) {
			fraction = fraction * 10 + (point[1 + i] - '0');
			unit *= 10;
		}
	}
	double percent = (double)number + fraction / unit;
	if (!good || percent > SETTINGS_SLOWER_MAX_PERCENT) {
		return false;
	}
	settings->fail_slower_percent = percent;
	return true;
}

static bool take_label(struct settings *settings, const char *value)
{
	settings->label = value;
	return strlen(value) <= SETTINGS_LABEL_MAX_BYTES;
}

/* Store an argument of which only the last one counts; false where it is not acceptable. */
static bool take_single(struct settings *settings, const struct option_entry *option, const char *value)
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
	case OPTION_RUNS:
		return take_runs(settings, value);
	case OPTION_RAMP:
		return units_parse_number(value, 0, SETTINGS_RAMP_MAX_S, &settings->ramp_s);
	case OPTION_INTERVAL:
		return units_parse_number(value, 0, SETTINGS_INTERVAL_MAX_S, &settings->interval_s);
	case OPTION_SCORE:
		settings->best = word == 1;
		return true;
	case OPTION_FORMAT:
		settings->format = option->words[word];
		return true;
	case OPTION_LABEL:
		return take_label(settings, value);
	case OPTION_LOAD:
		settings->load = value;
		return true;
	case OPTION_FAIL_SLOWER:
		return take_percent(settings, value);
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

/* Where the arguments of a repeatable option go. */
static struct settings_list *list_of(struct settings *settings, enum option_id id)
{
	switch (id) {
	case OPTION_OUTPUT:
		return &settings->outputs;
	case OPTION_COMPARE:
		return &settings->compare;
	case OPTION_FAIL_BELOW:
		return &settings->fail_below;
	default:
		return &settings->fail_above;
	}
}

static bool take_repeated(struct reading *reading, const struct option_entry *option, const char *value)
{
	struct settings_list *list = list_of(reading->settings, option->id);

	if (list->count == SETTINGS_LIST_MAX) {
		return failure_set(
			reading->failure, STATUS_USAGE, "--%s can be given %d times and not more", option->name, SETTINGS_LIST_MAX);
	}
	list->values = xrealloc(list->values, (list->count + 1) * sizeof(*list->values));
	list->values[list->count++] = value;
	return true;
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
	case OPTION_SLOG_DETAIL:
		settings->slog_detail = true;
		break;
	case OPTION_DIAGNOSE:
		settings->diagnose = true;
		break;
	case OPTION_DIRECT:
		settings->direct = SETTINGS_DIRECT_ON;
		break;
	case OPTION_BUFFERED:
		settings->direct = SETTINGS_DIRECT_OFF;
		break;
	case OPTION_WARMUP:
		settings->warmup = true;
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

static bool fail_value(struct failure *failure, const struct option_entry *option, const char *value)
{
	char *before = xasprintf("--%s cannot be ", option->name);
	char *after = xasprintf("; give %s", option->accepts);

	reading_fail_quoting(failure, before, value, after);
	free(after);
	free(before);
	return false;
}

bool reading_take_value(struct reading *reading, const struct option_entry *option, const char *value)
{
	if (option->argument == OPTION_ARGUMENT_NONE) {
		take_flag(reading->settings, option->id);
		return true;
	}
	if (*value == '\0') {
		return failure_set(reading->failure, STATUS_USAGE, "--%s needs a value that is not empty: give %s",
			option->name, option->accepts);
	}
	if (option->repeatable) {
		return take_repeated(reading, option, value);
	}
	return take_single(reading->settings, option, value) || fail_value(reading->failure, option, value);
}
