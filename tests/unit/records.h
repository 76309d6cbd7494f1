/** Records of measurements that never took place: of any profile, with noise that is the same each time. */
#ifndef RECORDS_H
#define RECORDS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/profile.h"
#include "record/record.h"
#include "support/memory.h"
#include "support/text.h"

/** Points of a series, one a second. */
enum { SAMPLE_SERIES_POINTS = 5 };

/** The next number of a generator (splitmix64, Steele, Lea, Flood 2014) in (0, 1). */
static inline double sample_uniform(uint64_t *seed)
{
	uint64_t bits = *seed += UINT64_C(0x9e3779b97f4a7c15);

	bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
	bits ^= bits >> 31;
	return ((double)(bits >> 11) + 0.5) / 9007199254740992.0;
}

/** A log-normal factor with mean 1 and that coefficient of variation (Box and Muller 1958); exactly 1 without any. */
static inline double sample_noise(uint64_t *seed, double cv)
{
	double variance = log(1 + cv * cv);
	double length = sqrt(-2 * log(sample_uniform(seed)));
	double normal = length * cos(6.283185307179586 * sample_uniform(seed));

	return cv > 0 ? exp(sqrt(variance) * normal - variance / 2) : 1;
}

/** So few digits that every C library's exp and cos give the same number. */
static inline double sample_round(double value)
{
	return value >= 1e5 ? round(value) : round(value * 8) / 8;
}

/** What a test reaches of the mean that was asked for: deep and sequential more than shallow and random. */
static inline double sample_share(const struct profile *profile, size_t workload, enum transfer transfer)
{
	static const double shares[][4] = {{1, 0.75, 0.5, 0.0625}, {0.25, 0.5, 0.75, 1}, {0.5, 1, 8, 0}};
	size_t row = profile->synchronous ? 1 : profile->tool == LOAD_DD ? 2 : 0;

	return shares[row][workload % 4] * (transfer == TRANSFER_WRITE ? 0.5 : 1);
}

/** The series of a run: it begins slowly, and of the device the first point is unknown. */
static inline void sample_series(struct series *series, double bandwidth_bytes_per_s)
{
	size_t count = SAMPLE_SERIES_POINTS;

	*series = (struct series){.count = count, .capacity = count, .interval_s = 0.9};
	series->time_s = xcalloc(count, sizeof(double));
	series->bandwidth_bytes_per_s = xcalloc(count, sizeof(double));
	series->device_bytes_per_s = xcalloc(count, sizeof(double));
	for (size_t i = 0; i < count; i++) {
		series->time_s[i] = (double)(i + 1);
		series->bandwidth_bytes_per_s[i] = sample_round(bandwidth_bytes_per_s * (i == 0 ? 0.75 : 1));
		series->device_bytes_per_s[i] = i == 0 ? (double)NAN : series->bandwidth_bytes_per_s[i];
	}
}

/** What an honest run leaves behind. */
static inline void sample_evidence(struct record_evidence *evidence, const struct record_test *test, double bytes)
{
	bool reads = test->transfer == TRANSFER_READ;
	struct record_counters counters = {.known = true};

	counters.read_bytes = reads ? bytes : 0;
	counters.written_bytes = reads ? 0 : bytes;
	counters.read_requests = counters.read_bytes / test->block_size_bytes;
	counters.write_requests = counters.written_bytes / test->block_size_bytes;
	*evidence = (struct record_evidence){.present = true,
		.claimed_bytes = bytes,
		.from_device = reads ? 1 : (double)NAN,
		.on_device = reads ? (double)NAN : 1,
		.flushed_later = reads ? (double)NAN : 0,
		.written_copies = reads ? (double)NAN : 1,
		.page_cache = reads ? (double)NAN : 0,
		.queue_depth = test->queue_depth * test->threads,
		.processors_busy = 0.25,
		.busiest_job_cpu = 0.125,
		.submit_saturation = 0.0625,
		.device_share = (double)NAN,
		.writes_per_commit = (double)NAN,
		.flushes_per_commit = (double)NAN,
		.log_share = (double)NAN,
		.zil_commits = (double)NAN,
		.zil_log_blocks = (double)NAN,
		.zil_pool_blocks = (double)NAN,
		.zil_indirect = (double)NAN,
		.log_writes_per_s = (double)NAN,
		.data_writes_per_s = (double)NAN,
		.cpu_frequency_hz = (double)NAN};
	for (size_t role = 0; role < STORAGE_LOG; role++) {
		evidence->counters[role] = counters;
	}
}

/** Add a run of a test whose bandwidth is known; everything else follows from it. Pass 0 is the warm-up. */
static inline void sample_add_run(
	struct record_test *test, const struct profile *profile, unsigned pass, double bandwidth_bytes_per_s)
{
	bool is_fio = profile->tool == LOAD_FIO;
	double iops = bandwidth_bytes_per_s / test->block_size_bytes;
	double latency_ns = test->queue_depth * test->threads / iops * 1e9;
	struct record_run *run;

	test->runs = xrealloc(test->runs, (test->run_count + 1) * sizeof(*test->runs));
	run = &test->runs[test->run_count++];
	*run = (struct record_run){.pass = pass, .outcome = OUTCOME_VALID, .has_figures = true, .mark = xstrdup("")};
	run->figures[QUANTITY_BANDWIDTH] = sample_round(bandwidth_bytes_per_s);
	run->figures[QUANTITY_IOPS] = is_fio ? sample_round(iops) : (double)NAN;
	run->figures[QUANTITY_P50] = is_fio ? sample_round(latency_ns) : (double)NAN;
	run->figures[QUANTITY_P99] = is_fio ? sample_round(latency_ns * 2.5) : (double)NAN;
	run->began_at = xasprintf("2026-11-30T17:%02u:%02uZ", pass % 60, (unsigned)test->run_count % 60);
	sample_evidence(&run->evidence, test, run->figures[QUANTITY_BANDWIDTH] * SAMPLE_SERIES_POINTS);
	sample_series(&run->series, bandwidth_bytes_per_s);
}

/** A name with single blanks. The caller frees it. */
static inline char *sample_test_name(const char *name)
{
	char *copy = xstrdup(name), *to = copy;

	for (const char *from = name; *from; from++) {
		if (*from != ' ' || from[1] != ' ') {
			*to++ = *from;
		}
	}
	*to = '\0';
	return copy;
}

/** Add a test without runs and say which it is. */
static inline struct record_test *sample_add_test(
	struct record *record, const char *name, const struct workload *workload, enum transfer transfer)
{
	struct record_test *test;

	record->tests = xrealloc(record->tests, (record->test_count + 1) * sizeof(*record->tests));
	test = &record->tests[record->test_count++];
	*test = (struct record_test){.name = sample_test_name(name),
		.transfer = transfer,
		.pattern = workload->pattern,
		.synchronous = workload->synchronous,
		.sync_method = workload->sync_method,
		.part = workload->part,
		.stage = xstrdup(workload->stage),
		.block_size_bytes = (double)workload->block_size_bytes,
		.queue_depth = workload->queue_depth,
		.threads = workload->jobs};
	return test;
}

/** Add a fact. NULL as subject is the machine. */
static inline void sample_add_fact(
	struct record *record, const char *key, const char *subject, const char *label, const char *value)
{
	record->facts = xrealloc(record->facts, (record->fact_count + 1) * sizeof(*record->facts));
	record->facts[record->fact_count++] = (struct record_fact){
		.key = xstrdup(key), .subject = xstrdup(subject), .label = xstrdup(label), .value = xstrdup(value)};
}

/** Change a fact that is there. */
static inline void sample_set_fact(struct record *record, const char *key, const char *value)
{
	for (size_t i = 0; i < record->fact_count; i++) {
		if (strcmp(record->facts[i].key, key) == 0) {
			free(record->facts[i].value);
			record->facts[i].value = xstrdup(value);
		}
	}
}

/** Change a string that a record owns. */
static inline void sample_set(char **string, const char *value)
{
	free(*string);
	*string = xstrdup(value);
}

static inline void sample_circumstances(struct record *record)
{
	struct record_target *target = &record->target;
	bool is_fio = record->settings.profile->tool == LOAD_FIO, is_slog = record->settings.profile->synchronous;

	target->path = xstrdup("/mnt/tank/bench");
	target->file_system = xstrdup(is_slog ? "zfs" : "ext4");
	target->source = xstrdup(is_slog ? "tank/vm" : "/dev/nvme0n1p2");
	target->mount_point = xstrdup("/mnt/tank");
	target->device = xstrdup(is_slog ? "2 x nvme0n1, nvme1n1" : "/dev/nvme0n1p2 (nvme0n1, Example SSD 990)");
	target->storage = xstrdup(is_slog ? "zfs" : "block");
	for (int role = 0; role <= (is_slog ? STORAGE_LOG : STORAGE_DISK); role++) {
		target->devices[role] = xstrdup(role == STORAGE_LOG ? "nvme1n1" : is_slog ? "nvme0n1 nvme1n1" : "nvme0n1");
	}
	target->free_bytes = 412316860416.0;
	target->total_bytes = 1000204886016.0;
	record->direct.state = xstrdup(is_slog ? "not-for-slog" : "enabled");
	record->direct.honoured_read = xstrdup(is_slog ? "unknown" : "yes");
	record->direct.honoured_write = xstrdup(is_slog ? "unknown" : "yes");
	record->direct.text = xstrdup(is_slog ? "not used (every write is synchronous, O_SYNC)" : "enabled");
	if (is_slog) {
		record->pool.name = xstrdup("tank");
		record->pool.log_devices = xstrdup("nvme1n1");
	}
	record->settings.engine = is_fio ? xstrdup(is_slog ? "psync" : "io_uring") : NULL;
	record->settings.tool = xstrdup(is_fio ? "fio 3.33" : "dd");
	record->settings.runs_as = xstrdup("root");
	record->settings.size_bytes = 1073741824;
	record->settings.runtime_s = is_fio ? SAMPLE_SERIES_POINTS : (double)NAN;
	sample_add_fact(record, "kernel", NULL, "kernel", "Linux 6.1.0, x86_64");
	sample_add_fact(record, "processors", NULL, "processors", "8");
	sample_add_fact(record, "load", NULL, "load average", "0.12 0.10 0.08");
	sample_add_fact(record, "memory.total", NULL, "memory", "31.3 GiB");
	sample_add_fact(record, "memory.available", NULL, "memory available", "28.1 GiB");
	sample_add_fact(record, "file_system", target->source, "file system", target->file_system);
	if (is_slog) {
		sample_add_fact(record, "zfs.recordsize", "tank/vm", "recordsize", "128 KiB");
		sample_add_fact(record, "zfs.sync", "tank/vm", "sync", "standard");
	}
	sample_add_fact(record, "scheduler", "nvme0n1", "scheduler", "none");
	sample_add_fact(record, "write_cache", "nvme0n1", "write cache", "write back");
}

/**
 * A complete and clean record of "cdm", "slog" or "dd" with so many runs of each test. `mean_bytes_per_s` is that of
 * the profile's fastest way of reading (of slog: twice that of its last row); `cv` is the runs' coefficient of
 * variation, and with 0 all runs of a test are the same. The caller calls record_release.
 */
static inline void record_sample(
	struct record *record, const char *profile_key, unsigned runs, double mean_bytes_per_s, double cv, uint64_t seed)
{
	const struct profile *profile = profile_find(profile_key);

	*record = (struct record){.program_version = xstrdup("1.0.0"),
		.started_at = xstrdup("2026-11-30T17:00:00Z"),
		.finished_at = xstrdup("2026-11-30T17:05:00Z"),
		.state = RECORD_COMPLETE,
		.host = xstrdup("bench"),
		.checked = xstrdup("Checked: 100 % of the bytes went to or came from nvme0n1.")};
	record->settings.profile = profile;
	record->settings.runs = runs;
	record->settings.command = xasprintf(
		"speedtest-hd --%s --runs %u /mnt/tank/bench", strcmp(profile_key, "cdm") == 0 ? "fio" : profile_key, runs);
	sample_circumstances(record);
	for (size_t i = 0; i < profile->workload_count; i++) {
		const struct workload *workload = &profile->workloads[i];

		for (int transfer = 0; transfer < TRANSFER_COUNT; transfer++) {
			double mean = mean_bytes_per_s * sample_share(profile, i, (enum transfer)transfer);

			if (!workload->transfers[transfer] || workload->part != PART_MAIN) {
				continue;
			}
			struct record_test *test = sample_add_test(record, workload->name, workload, (enum transfer)transfer);
			for (unsigned pass = 1; pass <= runs; pass++) {
				sample_add_run(test, profile, pass, mean * sample_noise(&seed, cv));
			}
		}
	}
}

/** Say what was seen of a test's commits: how much of each the device took. */
static inline void record_sample_split(struct record_test *test, double device_share)
{
	for (size_t i = 0; i < test->run_count; i++) {
		struct record_evidence *evidence = &test->runs[i].evidence;

		evidence->device_share = device_share;
		free(evidence->device_share_unknown);
		evidence->device_share_unknown = NULL;
		evidence->writes_per_commit = 1;
		evidence->flushes_per_commit = 1;
		evidence->log_share = 1;
		evidence->zil_commits = evidence->zil_log_blocks = 8192;
		evidence->zil_pool_blocks = evidence->zil_indirect = 0;
		evidence->log_writes_per_s = 1024;
		evidence->data_writes_per_s = 32;
		evidence->cpu_frequency_hz = 2.5e9;
	}
}

/** Say that of a test's commits nobody knows how much the device took, and why. */
static inline void record_sample_split_unknown(struct record_test *test, const char *reason)
{
	record_sample_split(test, (double)NAN);
	for (size_t i = 0; i < test->run_count; i++) {
		test->runs[i].evidence.device_share_unknown = xstrdup(reason);
	}
}

/** Say how the processors slept during a test's runs. */
static inline void record_sample_idle(struct record_test *test)
{
	for (size_t i = 0; i < test->run_count; i++) {
		struct record_evidence *evidence = &test->runs[i].evidence;

		evidence->idle_states = xcalloc(2, sizeof(*evidence->idle_states));
		evidence->idle_state_count = 2;
		evidence->idle_states[0] = (struct record_idle_state){.name = xstrdup("POLL"), .time_share = 0.0625};
		evidence->idle_states[1] = (struct record_idle_state){
			.name = xstrdup("C6"), .time_share = 0.75, .entries = 12200, .exit_latency_us = 133};
	}
}

/** Add what --slog-detail and --diagnose do to a record of "slog": reference rows, three stages, and passages. */
static inline void record_sample_doctor(struct record *record, unsigned rounds, double cv, uint64_t seed)
{
	const struct profile *profile = record->settings.profile;
	double bytes_per_s = record->tests[0].runs[0].figures[QUANTITY_BANDWIDTH];

	for (size_t i = 0; i < record->test_count; i++) {
		record_sample_split(&record->tests[i], 0.25);
	}
	for (size_t i = 0, stage = 0; i < profile->workload_count && stage < 3; i++) {
		const struct workload *workload = &profile->workloads[i];
		unsigned runs = workload->part == PART_DETAIL ? (unsigned)record->settings.runs : rounds;

		if (workload->part == PART_MAIN) {
			continue;
		}
		struct record_test *test = sample_add_test(record, workload->name, workload, TRANSFER_WRITE);
		double mean = bytes_per_s * (workload->part == PART_EXPERIMENT ? (double)(1U << stage) : 1);
		for (unsigned pass = 1; pass <= runs; pass++) {
			sample_add_run(test, profile, pass, mean * sample_noise(&seed, cv));
		}
		if (test->synchronous) {
			record_sample_split(test, 0.25);
		}
		stage += workload->part == PART_EXPERIMENT ? 1 : 0;
	}
	record->pool.summary = xstrdup("OpenZFS 2.1.11, mirror of 2, ONLINE");
	record->pool.dataset = xstrdup("tank/vm: recordsize 16 KiB, sync=always");
	struct record_passage *passage = record_add_passage(record, "path", "Path of the writes");
	record_passage_say(passage, "All %s went to the log device %s.", "sync writes", "nvme1n1");
	passage = record_add_passage(record, "remedies", "To make it last");
	record_passage_say(passage, "Set the governor at each start:");
	record_passage_command(passage, "[Service]");
	record_passage_command(passage, "ExecStart=/bin/sh -c 'echo %s >\"$g\"'", "performance");
	record_passage_say(passage, "Undo it with the opposite.");
}

/** Add a finding about one test: about the run of one pass, or about all with pass -1. Marks the runs. */
static inline void record_sample_finding(
	struct record *record, const char *id, const char *mark, const char *sentence, size_t test, int pass)
{
	struct record_finding *finding;

	record->findings = xrealloc(record->findings, (record->finding_count + 1) * sizeof(*record->findings));
	finding = &record->findings[record->finding_count++];
	*finding = (struct record_finding){
		.id = xstrdup(id), .mark = xstrdup(mark), .sentence = xasprintf("%s [%s]", sentence, id)};
	for (size_t i = 0; i < record->tests[test].run_count; i++) {
		struct record_run *run = &record->tests[test].runs[i];

		if (pass >= 0 && run->pass != (unsigned)pass) {
			continue;
		}
		finding->places = xrealloc(finding->places, (finding->place_count + 1) * sizeof(*finding->places));
		finding->places[finding->place_count++] = (struct record_place){.test = test, .pass = run->pass};
		if (strcmp(run->mark, "*") != 0) {
			sample_set(&run->mark, mark);
		}
	}
}

/** Let the run of one pass of a test fail, or all with pass -1. With `failure_id` its figures stay, in brackets. */
static inline void record_sample_fail(
	struct record *record, size_t test, int pass, const char *reason, const char *failure_id)
{
	for (size_t i = 0; i < record->tests[test].run_count; i++) {
		struct record_run *run = &record->tests[test].runs[i];

		if (pass < 0 || run->pass == (unsigned)pass) {
			run->outcome = OUTCOME_FAILED;
			run->has_figures = failure_id != NULL;
			sample_set(&run->reason, reason);
			sample_set(&run->failure_id, failure_id);
		}
	}
}

/** Set the runs of a test to these bandwidths, one each. */
static inline void record_sample_runs(
	struct record *record, size_t test, const double *bandwidths_bytes_per_s, size_t count)
{
	struct record_test *changed = &record->tests[test];

	for (size_t i = 0; i < changed->run_count; i++) {
		struct record_run *run = &changed->runs[i];

		free(run->mark);
		free(run->reason);
		free(run->failure_id);
		free(run->began_at);
		free(run->evidence.device_share_unknown);
		free(run->series.time_s);
		free(run->series.bandwidth_bytes_per_s);
		free(run->series.device_bytes_per_s);
	}
	changed->run_count = 0;
	for (size_t i = 0; i < count; i++) {
		sample_add_run(changed, record->settings.profile, (unsigned)i + 1, bandwidths_bytes_per_s[i]);
	}
}

#endif
