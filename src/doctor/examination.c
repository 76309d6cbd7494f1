#include "examination.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/figures.h"
#include "report/commit_split.h"
#include "support/memory.h"
#include "support/text.h"

/* A change of the median latency that is smaller explains nothing. */
#define CAUSE_MIN 0.05
/* Where so large a gain cannot be excluded, nothing was seen because the rounds differ too much. */
#define VAGUE_BELOW (-0.15)

bool examination_has_commits(const struct report *report, size_t run)
{
	const struct measurement *measurement = &report->measurements[run];

	return plan_workload(report->plan, run)->synchronous && report->plan->runs[run].pass > 0 &&
		   measurement->outcome != OUTCOME_NOT_RUN && measurement->evidence.present;
}

/* The runs of the headline: commits of 4 KiB by one thread, with just that held. */
static bool is_single(const struct report *report, size_t run, unsigned holds)
{
	const struct workload *workload = plan_workload(report->plan, run);

	return examination_has_commits(report, run) && workload->part != PART_DETAIL && workload->jobs == 1 &&
		   workload->power == holds;
}

/* The states that have a latency; the shallowest only polls. */
static bool is_sleep(const struct idle_state *state)
{
	return state->exit_latency_us > 0;
}

/* Of several runs together. */
struct power_sum {
	double frequency_khz;
	double samples;
	double elapsed_us;
	double idle_us[POWER_IDLE_STATES_MAX];
	double entries[POWER_IDLE_STATES_MAX];
};

static void add_power(struct power_sum *sum, const struct power_reading *power)
{
	sum->frequency_khz += (double)power->frequency_sum_khz;
	sum->samples += power->frequency_samples;
	sum->elapsed_us += power->idle_states > 0 ? (double)power->elapsed_us : 0;
	for (size_t i = 0; i < power->idle_states && i < POWER_IDLE_STATES_MAX; i++) {
		sum->idle_us[i] += (double)power->idle_time_us[i];
		sum->entries[i] += (double)power->idle_entries[i];
	}
}

static void find_sleep(struct power_seen *seen, const struct power_sum *sum, const struct power *power)
{
	double asleep_us = 0, deep_us = 0, most_us = 0, entries = 0;

	for (size_t i = 0; i < power->idle_state_count && i < POWER_IDLE_STATES_MAX; i++) {
		const struct idle_state *state = &power->idle_states[i];

		if (!is_sleep(state)) {
			continue;
		}
		asleep_us += sum->idle_us[i];
		deep_us += state->exit_latency_us > LIGHT_SLEEP_US ? sum->idle_us[i] : 0;
		if (sum->idle_us[i] > most_us) {
			most_us = sum->idle_us[i];
			entries = sum->entries[i];
			seen->most_used = state;
		}
	}
	seen->asleep = fmin(asleep_us / sum->elapsed_us, 1);
	seen->deeply_asleep = fmin(deep_us / sum->elapsed_us, 1);
	seen->most_used_share = fmin(most_us / sum->elapsed_us, 1);
	seen->most_used_entries_per_s = entries / (sum->elapsed_us / 1e6);
}

void examination_watch_power(const struct examination *examination, unsigned holds, struct power_seen *seen)
{
	const struct report *report = examination->report;
	const double unknown = (double)NAN;
	struct power_sum sum = {0};

	*seen = (struct power_seen){.frequency_hz = unknown,
		.asleep = unknown,
		.deeply_asleep = unknown,
		.most_used_share = unknown,
		.most_used_entries_per_s = unknown};
	for (size_t run = 0; run < report->plan->run_count; run++) {
		if (is_single(report, run, holds)) {
			add_power(&sum, &report->measurements[run].evidence.readings.power);
		}
	}
	if (sum.samples > 0 && sum.frequency_khz > 0) {
		seen->frequency_hz = sum.frequency_khz / sum.samples * 1e3;
	}
	if (sum.elapsed_us > 0 && report->power.idle_state_count > 0) {
		find_sleep(seen, &sum, &report->power);
	}
}

/* What is held in a stage, by its name. */
static unsigned find_holds(const struct record *record, const struct stage *stage)
{
	const struct profile *profile = record->settings.profile;

	for (size_t i = 0; i < profile->workload_count; i++) {
		const char *name = profile->workloads[i].stage;

		if (name && stage->test->stage && strcmp(name, stage->test->stage) == 0) {
			return profile->workloads[i].power;
		}
	}
	return 0;
}

/* What a change is worth. A limit that no idle state heeds is not held, whoever asks for it. */
static void judge_change(struct change *change, const struct power *power, bool is_gain)
{
	const struct comparison_cell *cell = &change->after->change;

	change->is_request = change->holds == POWER_HOLD_IDLE && power->idle_state_count == 0;
	if (power->idle_state_count == 0) {
		change->holds &= ~(unsigned)POWER_HOLD_IDLE;
	}
	if (change->is_request) {
		return;
	}
	change->is_vague = cell->verdict == VERDICT_NO_DIFFERENCE && cell->difference_low < VAGUE_BELOW;
	change->is_no_net_gain = !is_gain;
	change->is_cause = is_gain && cell->verdict == VERDICT_FASTER && cell->difference <= -CAUSE_MIN;
}

static void find_changes(struct examination *examination)
{
	const struct stages *stages = &examination->stages;
	double first_ns = stages->list[0].figures.median[QUANTITY_P50];

	for (size_t i = 1; i < stages->count; i++) {
		const struct stage *before = &stages->list[i - 1], *after = &stages->list[i];
		struct change *change = &examination->changes[examination->change_count++];

		change->before = before;
		change->after = after;
		change->held = find_holds(examination->record, before);
		change->holds = find_holds(examination->record, after) & ~change->held;
		judge_change(change, &examination->report->power,
			i == 1 || after->figures.median[QUANTITY_P50] <= (1 - CAUSE_MIN) * first_ns);
		examination->proven |= change->is_cause ? change->holds : 0;
	}
}

/* The device's share of the single thread's commits in the main table: the mean of what is known. */
static double find_device_share(const struct report *report)
{
	double sum = 0;
	size_t count = 0;

	for (size_t run = 0; run < report->plan->run_count; run++) {
		struct commit_split split;

		if (!is_single(report, run, 0) || plan_workload(report->plan, run)->part != PART_MAIN ||
			report->measurements[run].outcome != OUTCOME_VALID) {
			continue;
		}
		commit_split_make(&split, report, run);
		if (split.source != SPLIT_UNKNOWN && !isnan(split.device_share)) {
			sum += split.device_share;
			count++;
		}
		commit_split_release(&split);
	}
	return count > 0 ? sum / (double)count : (double)NAN;
}

static void find_single(struct examination *examination)
{
	const struct record *record = examination->record;
	const struct report *report = examination->report;

	examination->single_iops = examination->single_p50_ns = (double)NAN;
	for (size_t i = 0; i < record->test_count && !examination->single; i++) {
		struct test_figures figures;

		test_figures_make(&figures, &record->tests[i]);
		if (record->tests[i].part == PART_MAIN && record->tests[i].threads == 1 && figures.valid_runs > 0) {
			examination->single = &record->tests[i];
			examination->single_is_marked = figures.mark[0] == '*';
			examination->single_iops = figures.median[QUANTITY_IOPS];
			examination->single_p50_ns = figures.median[QUANTITY_P50];
		}
	}
	for (size_t run = report->plan->run_count; run-- > 0;) {
		if (is_single(report, run, 0)) { /* the first of them counts */
			path_prove(&examination->single_path, report, run);
		}
	}
	examination->device_share = find_device_share(report);
	examination_watch_power(examination, 0, &examination->single_power);
}

void examination_make(struct examination *examination, const struct record *record, const struct report *report)
{
	*examination = (struct examination){.record = record, .report = report};
	stages_make(&examination->stages, record);
	find_changes(examination);
	scaling_find(&examination->scaling, record);
	find_single(examination);
}

enum storage_role examination_commit_role(const struct report *report)
{
	const struct storage *storage = &report->storage;

	if (storage->kind == STORAGE_ZFS && storage_count(storage, STORAGE_LOG) > 0) {
		return STORAGE_LOG;
	}
	return storage->is_shared || storage_count(storage, STORAGE_DISK) == 0 ? STORAGE_TOP : STORAGE_DISK;
}

char *examination_commit_devices(const struct report *report)
{
	enum storage_role role = examination_commit_role(report);

	if (storage_count(&report->storage, role) > 0) {
		return storage_names(&report->storage, role);
	}
	return report->pool.log_devices ? text_printable(report->pool.log_devices) : xstrdup("the device");
}

enum write_cache examination_write_cache(const struct report *report)
{
	const struct storage *storage = &report->storage;
	enum storage_role role = examination_commit_role(report);
	size_t count = 0, without = 0;

	for (size_t i = 0; i < storage->device_count; i++) {
		const struct storage_device *device = &storage->devices[i];

		if ((device->roles & 1U << role) == 0) {
			continue;
		}
		if (device->write_cache == WRITE_CACHE_VOLATILE) {
			return WRITE_CACHE_VOLATILE;
		}
		count++;
		without += device->write_cache == WRITE_CACHE_NONE ? 1 : 0;
	}
	return count > 0 && without == count ? WRITE_CACHE_NONE : WRITE_CACHE_UNKNOWN;
}
