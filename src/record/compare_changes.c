/* The circumstances in which records differ. */
#include "compare_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"
#include "support/units.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define UNKNOWN "unknown"

/* Facts that are never the same twice, and say nothing of how a machine is set up. */
static const char *const volatile_facts[] = {"load", "memory.available", "arc.size"};

/* Facts about power management; files of the first versions that were saved have none of them. */
static const char *const power_facts[] = {"frequency_driver", "energy_preference", "turbo", "idle_driver",
	"idle_states", "max_cstate", "latency_limit", "aspm_policy", "nvme_latency"};

/* Gives a circumstance in words; NULL where it is unknown. The caller frees it. */
typedef char *tell_function(const struct record *record);

static char *tell_size(const struct record *record)
{
	double size_bytes = record->settings.size_bytes;

	return size_bytes >= 0 && size_bytes < 9e18 ? units_format_size((uint64_t)size_bytes) : NULL;
}

static char *tell_seconds(double seconds)
{
	return isnan(seconds) ? NULL : xasprintf("%.10g s", seconds);
}

static char *tell_runtime(const struct record *record)
{
	return tell_seconds(record->settings.runtime_s);
}

static char *tell_ramp(const struct record *record)
{
	return tell_seconds(record->settings.ramp_s);
}

static char *tell_interval(const struct record *record)
{
	return tell_seconds(record->settings.interval_s);
}

static char *tell_warmup(const struct record *record)
{
	return xstrdup(record->settings.warmup ? "yes" : "no");
}

static char *tell_state(const struct record *record)
{
	return xstrdup(record_state_name(record->state));
}

static char *tell_engine(const struct record *record)
{
	return xstrdup(record->settings.engine);
}

static char *tell_tool(const struct record *record)
{
	return xstrdup(record->settings.tool);
}

static char *tell_user(const struct record *record)
{
	return xstrdup(record->settings.runs_as);
}

static char *tell_version(const struct record *record)
{
	return xstrdup(record->program_version);
}

static char *tell_direct(const struct record *record)
{
	return xstrdup(record->direct.text);
}

static char *tell_host(const struct record *record)
{
	return xstrdup(record->host);
}

static char *tell_path(const struct record *record)
{
	return xstrdup(record->target.path);
}

static char *tell_source(const struct record *record)
{
	return xstrdup(record->target.source);
}

static char *tell_storage(const struct record *record)
{
	return xstrdup(record->target.storage);
}

static char *tell_device(const struct record *record)
{
	return xstrdup(record->target.device);
}

static char *tell_file_system(const struct record *record)
{
	return xstrdup(record->target.file_system);
}

/* Without that they are well, which files of older versions do not say. */
static char *tell_log_devices(const struct record *record)
{
	static const char healthy[] = " (ONLINE)";
	char *words = xstrdup(record->pool.log_devices);

	for (char *at = words ? strstr(words, healthy) : NULL; at; at = strstr(at, healthy)) {
		memmove(at, at + strlen(healthy), strlen(at + strlen(healthy)) + 1);
	}
	return words;
}

/* THE list of circumstances, but for the facts about the machine. */
static const struct {
	const char *what;
	tell_function *tell;
} circumstances[] = {
	{"state of the measurement", tell_state},
	{"test file size", tell_size},
	{"engine", tell_engine},
	{"tool", tell_tool},
	{"run as", tell_user},
	{"O_DIRECT", tell_direct},
	{"runtime of each run", tell_runtime},
	{"ramp", tell_ramp},
	{"pause between runs", tell_interval},
	{"warm-up", tell_warmup},
	{"host", tell_host},
	{"path", tell_path},
	{"what is mounted there", tell_source},
	{"kind of storage", tell_storage},
	{"device", tell_device},
	{"file system", tell_file_system},
	{"log device", tell_log_devices},
	{"version of speedtest-hd", tell_version},
};

/* Add a change if the values differ; takes over both strings and list. NULL among the values is unknown. */
static void add_if_changed(struct comparison *comparison, char *what, char **values)
{
	bool is_changed = false;

	for (size_t i = 0; i < comparison->record_count; i++) {
		values[i] = values[i] ? values[i] : xstrdup(UNKNOWN);
		is_changed = is_changed || strcmp(values[i], values[0]) != 0;
	}
	if (is_changed) {
		comparison->changes =
			xrealloc(comparison->changes, (comparison->change_count + 1) * sizeof(*comparison->changes));
		comparison->changes[comparison->change_count++] = (struct comparison_change){.what = what, .values = values};
		return;
	}
	for (size_t i = 0; i < comparison->record_count; i++) {
		free(values[i]);
	}
	free(values);
	free(what);
}

static bool is_among(const char *key, const char *const *keys, size_t count)
{
	bool found = false;

	for (size_t i = 0; i < count && !found; i++) {
		found = strcmp(key, keys[i]) == 0;
	}
	return found;
}

static bool tells_of_power(const struct record *record)
{
	bool tells = false;

	for (size_t i = 0; i < record->fact_count && !tells; i++) {
		tells = is_among(record->facts[i].key, power_facts, COUNT(power_facts));
	}
	return tells;
}

/* Where one says nothing of it at all, that is no change. */
static bool all_tell_of_power(const struct comparison *comparison)
{
	bool all = true;

	for (size_t i = 0; i < comparison->record_count && all; i++) {
		all = tells_of_power(comparison->records[i]);
	}
	return all;
}

/* Whether a fact is none that two measurements should have in common, or is told among the circumstances. */
static bool fact_is_left_out(const struct record *record, const struct record_fact *fact)
{
	return is_among(fact->key, volatile_facts, COUNT(volatile_facts)) ||
		   (strcmp(fact->key, "file_system") == 0 && fact->subject && record->target.source &&
			   strcmp(fact->subject, record->target.source) == 0);
}

/*
 * Where each record has but one fact of a key, that is the same thing whatever it is called: the scheduler of the disk
 * that was sda and is nvme0n1 now.
 */
static void join_single_facts(struct things *facts)
{
	things_sort(facts);
	for (size_t begin = 0, end; begin < facts->count; begin = end) {
		struct things key = {.list = facts->list + begin};
		bool is_single = true;

		end = things_name_end(facts, begin);
		key.count = end - begin;
		for (size_t i = 0; i < key.count; i++) {
			for (size_t j = 0; j < i && is_single; j++) {
				is_single = key.list[i].record != key.list[j].record;
			}
			if (!is_single) {
				break;
			}
		}
		for (size_t i = 0; is_single && i < key.count; i++) {
			key.list[i].detail = "";
		}
	}
}

static const struct record_fact *thing_fact(const struct comparison *comparison, const struct thing *thing)
{
	return &comparison->records[thing->record]->facts[thing->index];
}

/* "scheduler"; "sda scheduler" where all speak of the same. The caller frees it. */
static char *name_fact(const struct comparison *comparison, const struct thing *things, size_t count)
{
	const struct record_fact *first = thing_fact(comparison, &things[0]);

	for (size_t i = 0; i < count; i++) {
		const struct record_fact *fact = thing_fact(comparison, &things[i]);

		if (!first->subject || !fact->subject || strcmp(first->subject, fact->subject) != 0) {
			return xstrdup(first->label);
		}
	}
	return xasprintf("%s %s", first->subject, first->label);
}

static void find_changed_facts(struct comparison *comparison)
{
	struct things facts = {0};
	bool with_power = all_tell_of_power(comparison);
	size_t match_count;
	struct match *matches;

	for (size_t i = 0; i < comparison->record_count; i++) {
		const struct record *record = comparison->records[i];

		for (size_t j = 0; j < record->fact_count; j++) {
			const struct record_fact *fact = &record->facts[j];
			bool is_wanted = with_power || !is_among(fact->key, power_facts, COUNT(power_facts));

			if (is_wanted && !fact_is_left_out(record, fact)) {
				things_add(&facts, record->facts[j].key, record->facts[j].subject, i, j);
			}
		}
	}
	join_single_facts(&facts);
	matches = things_match(&facts, &match_count);
	for (size_t i = 0; i < match_count; i++) {
		const struct thing *match = &facts.list[matches[i].begin];
		size_t count = matches[i].end - matches[i].begin;
		char **values = xcalloc(comparison->record_count, sizeof(*values));

		for (size_t j = 0; j < count; j++) {
			if (!values[match[j].record]) {
				values[match[j].record] = xstrdup(thing_fact(comparison, &match[j])->value);
			}
		}
		add_if_changed(comparison, name_fact(comparison, match, count), values);
	}
	free(matches);
	things_release(&facts);
}

void comparison_find_changes(struct comparison *comparison)
{
	for (size_t i = 0; i < COUNT(circumstances); i++) {
		char **values = xcalloc(comparison->record_count, sizeof(*values));

		for (size_t j = 0; j < comparison->record_count; j++) {
			values[j] = circumstances[i].tell(comparison->records[j]);
		}
		add_if_changed(comparison, xstrdup(circumstances[i].what), values);
	}
	find_changed_facts(comparison);
}
