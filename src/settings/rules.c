#include "reading.h"

#include <stddef.h>

/* Two options that contradict each other although they are in no group together. */
struct contradiction {
	enum option_id option;
	enum option_id other;
	const char *why;
};

static const char dd_reads_both_ways[] = "dd's test reads past the cache and from it, each in a row of its own";
static const char nothing_is_measured[] = "a saved result is shown, nothing is measured";

static const struct contradiction contradictions[] = {
	{OPTION_ENGINE, OPTION_DD, "--engine is for fio's tests"},
	{OPTION_DIRECT, OPTION_DD, dd_reads_both_ways},
	{OPTION_BUFFERED, OPTION_DD, dd_reads_both_ways},
	{OPTION_RAMP, OPTION_DD, "dd counts from its first byte on"},
	{OPTION_ENGINE, OPTION_SLOG, "the SLOG profile always uses psync"},
	{OPTION_FIO, OPTION_LOAD, nothing_is_measured},
	{OPTION_DD, OPTION_LOAD, nothing_is_measured},
	{OPTION_SLOG, OPTION_LOAD, nothing_is_measured},
	{OPTION_SLOG_DETAIL, OPTION_LOAD, nothing_is_measured},
	{OPTION_DIAGNOSE, OPTION_LOAD, nothing_is_measured},
	{OPTION_ENGINE, OPTION_LOAD, nothing_is_measured},
	{OPTION_DIRECT, OPTION_LOAD, nothing_is_measured},
	{OPTION_BUFFERED, OPTION_LOAD, nothing_is_measured},
	{OPTION_RUNTIME, OPTION_LOAD, nothing_is_measured},
	{OPTION_SIZE, OPTION_LOAD, nothing_is_measured},
	{OPTION_RUNS, OPTION_LOAD, nothing_is_measured},
	{OPTION_WARMUP, OPTION_LOAD, nothing_is_measured},
	{OPTION_RAMP, OPTION_LOAD, nothing_is_measured},
	{OPTION_INTERVAL, OPTION_LOAD, nothing_is_measured},
};

static bool is_given(const struct reading *reading, enum option_id id)
{
	return reading->given[id - OPTION_FIO];
}

bool reading_note(struct reading *reading, const struct option_entry *option)
{
	const struct option_entry **chosen = &reading->chosen[option->group];

	if (option->group != OPTION_GROUP_NONE && *chosen && *chosen != option) {
		return failure_set(
			reading->failure, STATUS_USAGE, "--%s and --%s cannot be combined", (*chosen)->name, option->name);
	}
	*chosen = option;
	reading->given[option->id - OPTION_FIO] = true;
	return true;
}

/* Either something is measured, and then somebody has to say where, or something is loaded. */
static bool check_path(const struct reading *reading)
{
	const char *path = reading->settings->path;

	if (path && is_given(reading, OPTION_LOAD)) {
		return reading_fail_quoting(
			reading->failure, "--load shows a saved result and measures nothing, but the path ", path, " was given");
	}
	if (path || is_given(reading, OPTION_LOAD)) {
		return true;
	}
	if (is_given(reading, OPTION_COMPARE)) {
		return failure_set(reading->failure, STATUS_USAGE,
			"no path given: name the directory to measure, or with --load the saved result to compare");
	}
	return failure_set(
		reading->failure, STATUS_USAGE, "no path given: name the directory to measure, '.' for the current one");
}

/* Options that make sense with another one alone. */
static bool check_companions(const struct reading *reading)
{
	static const enum option_id of_slog[] = {OPTION_SLOG_DETAIL, OPTION_DIAGNOSE};

	for (size_t i = 0; i < sizeof(of_slog) / sizeof(of_slog[0]); i++) {
		if (is_given(reading, of_slog[i]) && !is_given(reading, OPTION_SLOG)) {
			return failure_set(
				reading->failure, STATUS_USAGE, "--%s belongs to --slog: add it", option_by_id(of_slog[i])->name);
		}
	}
	if (is_given(reading, OPTION_FAIL_SLOWER) && !is_given(reading, OPTION_COMPARE)) {
		return failure_set(reading->failure, STATUS_USAGE,
			"--fail-slower needs --compare: name the saved result that nothing may be slower than");
	}
	return true;
}

bool reading_check(const struct reading *reading, int argc)
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
		if (is_given(reading, pair->option) && is_given(reading, pair->other)) {
			return failure_set(reading->failure, STATUS_USAGE, "--%s cannot be combined with --%s: %s",
				option_by_id(pair->option)->name, option_by_id(pair->other)->name, pair->why);
		}
	}
	return check_companions(reading) && check_path(reading);
}
