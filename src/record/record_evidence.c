/* From a run's readings to what is kept of them. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "record_make.h"
#include "report/commit_split.h"
#include "report/path.h"
#include "support/memory.h"
#include "support/text.h"

#define UNKNOWN ((double)NAN)

/* A counter that goes backwards was reset, and tells nothing. */
static double grown(uint64_t from, uint64_t to)
{
	return to >= from ? (double)(to - from) : UNKNOWN;
}

/* From right before the run to right after it; what a flush brought later is in flushed_later. */
static bool both_know(const struct run_readings *readings, enum reading_part part)
{
	return readings->before.at_ns != 0 && readings->after.at_ns > readings->before.at_ns &&
		   reading_both_know(&readings->before, &readings->after, part);
}

static void set_unknown(struct record_counters *counters)
{
	*counters = (struct record_counters){
		.read_requests = UNKNOWN, .read_bytes = UNKNOWN, .write_requests = UNKNOWN, .written_bytes = UNKNOWN};
}

static void make_counters(struct record_counters *counters, const struct report *report,
	const struct run_readings *readings, enum storage_role role)
{
	const struct device_counters *before = &readings->before.devices[role], *after = &readings->after.devices[role];

	set_unknown(counters);
	if (both_know(readings, READING_DEVICES) && storage_count(&report->storage, role) > 0) {
		*counters = (struct record_counters){.known = true,
			.read_requests = grown(before->read_requests, after->read_requests),
			.read_bytes = grown(before->read_bytes, after->read_bytes),
			.write_requests = grown(before->write_requests, after->write_requests),
			.written_bytes = grown(before->written_bytes, after->written_bytes)};
	}
}

static void make_network(struct record_counters *counters, const struct run_readings *readings)
{
	const struct reading *before = &readings->before, *after = &readings->after;

	set_unknown(counters);
	if (both_know(readings, READING_NETWORK)) {
		counters->known = true;
		counters->read_bytes = grown(before->network_read_bytes, after->network_read_bytes);
		counters->written_bytes = grown(before->network_written_bytes, after->network_written_bytes);
	}
}

/* What ZFS's intent log counted. */
static void make_zil(struct record_evidence *evidence, const struct run_readings *readings)
{
	const struct zil_counters *before = &readings->before.zil, *after = &readings->after.zil;
	bool is_known = both_know(readings, READING_ZIL);

	evidence->zil_commits = is_known ? grown(before->commits, after->commits) : UNKNOWN;
	evidence->zil_log_blocks = is_known ? grown(before->log_blocks, after->log_blocks) : UNKNOWN;
	evidence->zil_pool_blocks = is_known ? grown(before->pool_blocks, after->pool_blocks) : UNKNOWN;
	evidence->zil_indirect = is_known ? grown(before->indirect, after->indirect) : UNKNOWN;
}

static double find_frequency(const struct power_reading *power)
{
	return power->frequency_samples > 0 ? (double)power->frequency_sum_khz * 1000 / power->frequency_samples : UNKNOWN;
}

/* How deep the processors slept meanwhile. Where they counted nothing, it is unknown. */
static void make_idle_states(
	struct record_evidence *evidence, const struct power *power, const struct power_reading *reading)
{
	size_t count = reading->idle_states < power->idle_state_count ? reading->idle_states : power->idle_state_count;

	if (reading->elapsed_us == 0 || count == 0) {
		return;
	}
	count = count < POWER_IDLE_STATES_MAX ? count : POWER_IDLE_STATES_MAX;
	evidence->idle_states = xcalloc(count, sizeof(*evidence->idle_states));
	evidence->idle_state_count = count;
	for (size_t i = 0; i < count; i++) {
		const struct idle_state *state = &power->idle_states[i];

		evidence->idle_states[i] = (struct record_idle_state){.name = text_printable(state->name ? state->name : "?"),
			.time_share = fmin((double)reading->idle_time_us[i] / (double)reading->elapsed_us, 1),
			.entries = (double)reading->idle_entries[i],
			.exit_latency_us = state->exit_latency_us};
	}
}

/* Where a commit's data and its time went; all unknown of a run that makes no commits. */
static void make_commit(struct record_evidence *evidence, const struct report *report, size_t run)
{
	struct path_proof path = {.log_share = UNKNOWN,
		.writes_per_commit = UNKNOWN,
		.flushes_per_commit = UNKNOWN,
		.log_writes_per_s = UNKNOWN,
		.data_writes_per_s = UNKNOWN};
	struct commit_split split = {.device_share = UNKNOWN};

	if (evidence->present && plan_workload(report->plan, run)->synchronous) {
		path_prove(&path, report, run);
		commit_split_make(&split, report, run);
	}
	evidence->device_share = split.device_share;
	evidence->device_share_unknown = split.reason ? text_printable(split.reason) : NULL;
	evidence->commits_are_skewed = split.is_skewed;
	evidence->writes_per_commit = path.writes_per_commit;
	evidence->flushes_per_commit = path.flushes_per_commit;
	evidence->log_share = path.log_share;
	evidence->log_writes_per_s = path.log_writes_per_s;
	evidence->data_writes_per_s = path.data_writes_per_s;
	commit_split_release(&split);
}

void record_make_split(struct record *record, const struct report *report)
{
	bool is_known = false;

	for (size_t run = 0; run < report->plan->run_count; run++) {
		const struct workload *workload = plan_workload(report->plan, run);
		struct commit_split split;

		if (!workload->synchronous || workload->part != PART_MAIN || report->plan->runs[run].pass == 0 ||
			report->measurements[run].outcome != OUTCOME_VALID || !report->measurements[run].evidence.present) {
			continue;
		}
		commit_split_make(&split, report, run);
		is_known = is_known || !isnan(split.device_share);
		record->split_is_estimate = record->split_is_estimate || (!isnan(split.device_share) && split.has_others);
		if (!record->split_unknown && isnan(split.device_share) && split.reason) {
			record->split_unknown = text_printable(split.reason);
		}
		commit_split_release(&split);
	}
	if (is_known) {
		free(record->split_unknown);
		record->split_unknown = NULL;
	}
}

void record_make_evidence(struct record_evidence *evidence, const struct report *report, size_t run)
{
	const struct evidence *seen = &report->measurements[run].evidence;
	struct audit audit;

	audit_make(&audit, report, run);
	*evidence = (struct record_evidence){.present = seen->present,
		.claimed_bytes = seen->present ? seen->claimed_bytes : UNKNOWN,
		.from_device = audit.from_device,
		.on_device = audit.on_device,
		.flushed_later = audit.flushed_later,
		.written_copies = audit.written_copies,
		.page_cache = audit.page_cache,
		.foreign_read_bytes_per_s = audit.foreign_read_bytes_per_s,
		.foreign_write_bytes_per_s = audit.foreign_write_bytes_per_s,
		.foreign_share = audit.foreign_share,
		.queue_depth = audit.queue_depth,
		.processors_busy = audit.processors_busy,
		.busiest_job_cpu = seen->present ? seen->busiest_job_cpu : UNKNOWN,
		.submit_saturation = seen->present ? seen->submit_saturation : UNKNOWN};
	for (int role = 0; role < STORAGE_ROLE_COUNT; role++) {
		make_counters(&evidence->counters[role], report, &seen->readings, (enum storage_role)role);
	}
	make_network(&evidence->network, &seen->readings);
	make_zil(evidence, &seen->readings);
	evidence->cpu_frequency_hz = find_frequency(&seen->readings.power);
	make_idle_states(evidence, &report->power, &seen->readings.power);
	make_commit(evidence, report, run);
}
