/** What the doctor examines: figures of commits, made up, on the case study's pool and any machine of the fixtures. */
#ifndef PATIENT_H
#define PATIENT_H

#include "stage.h"

#include "doctor/doctor.h"
#include "rendered.h"

#define MACHINES "tests/fixtures/machines/"

/** Rounds of the experiment, and seconds of each run. */
enum { ROUNDS = PLAN_ROUNDS_MIN, RUN_S = 5 };

/** What is made up for a run. */
struct figure {
	double iops;
	double p50_us;
	double device_us; /* of each commit */
	double frequency_hz;
	double asleep; /* share of the time, half of it in the deepest state */
};

/** A measurement that never took place. */
struct patient {
	struct stage stage;
	struct record record;
	char *root;
	bool is_recorded;
};

/** The stages of the experiment. */
static const unsigned all_stages[] = {0, POWER_HOLD_IDLE, POWER_HOLD_IDLE | POWER_HOLD_GOVERNOR};

/** The devices of the case study's pool: a log device and one of the six others. */
static inline void add_devices(struct storage *storage)
{
	static const struct storage_device devices[] = {
		{.major = 259,
			.minor = 2,
			.roles = 1 << STORAGE_DISK | 1 << STORAGE_LOG | 1 << STORAGE_TOP | 1 << STORAGE_LEAF,
			.write_cache = WRITE_CACHE_NONE},
		{.major = 259,
			.minor = 4,
			.roles = 1 << STORAGE_DISK | 1 << STORAGE_TOP | 1 << STORAGE_LEAF,
			.write_cache = WRITE_CACHE_VOLATILE},
	};

	storage->kind = STORAGE_ZFS;
	storage->file_system = xstrdup("zfs");
	storage->zfs_version = xstrdup("2.3.4");
	storage->write_copies = 2;
	storage->devices = xcalloc(2, sizeof(*storage->devices));
	storage->device_count = 2;
	for (size_t i = 0; i < 2; i++) {
		storage->devices[i] = devices[i];
		storage->devices[i].name = xstrdup(i == 0 ? "nvme1n1" : "nvme2n1");
	}
}

/** The case study's pool, as zpool and zfs speak of it. */
static inline void add_pool(struct zfs_pool *pool)
{
	pool->pool = xstrdup("nvme-ultra-r10");
	pool->dataset = xstrdup("nvme-ultra-r10/vm-root");
	pool->asked = true;
	zfs_parse_status(pool, "  pool: nvme-ultra-r10\n state: ONLINE\nconfig:\n\n"
						   "\tNAME                STATE     READ WRITE CKSUM\n"
						   "\tnvme-ultra-r10      ONLINE       0     0     0\n"
						   "\t  mirror-0          ONLINE       0     0     0\n"
						   "\t    /dev/nvme2n1p1  ONLINE       0     0     0\n"
						   "\t    /dev/nvme3n1p1  ONLINE       0     0     0\n"
						   "\t  mirror-1          ONLINE       0     0     0\n"
						   "\t    /dev/nvme4n1p1  ONLINE       0     0     0\n"
						   "\t    /dev/nvme5n1p1  ONLINE       0     0     0\n"
						   "\t  mirror-2          ONLINE       0     0     0\n"
						   "\t    /dev/nvme6n1p1  ONLINE       0     0     0\n"
						   "\t    /dev/nvme7n1p1  ONLINE       0     0     0\n"
						   "\tlogs\n"
						   "\t  /dev/nvme1n1p1    ONLINE       0     0     0\n"
						   "\nerrors: No known data errors\n");
	zfs_parse_properties(pool, "nvme-ultra-r10/vm-root\tsync\talways\tlocal\n"
							   "nvme-ultra-r10/vm-root\tlogbias\tlatency\tdefault\n"
							   "nvme-ultra-r10/vm-root\trecordsize\t131072\tdefault\n");
}

/** Runs of the main table, once, and the stages of the experiment, if there are any. The caller calls close_patient. */
static inline void open_patient(
	struct patient *patient, const char *machine, const unsigned *stages, size_t stage_count)
{
	static char path[] = "/mnt/nvme-ultra-r10/vm-root", source[] = "nvme-ultra-r10/vm-root", type[] = "zfs";
	struct report *report = &patient->stage.report;

	*patient = (struct patient){.root = xasprintf(MACHINES "%s", machine)};
	stage_open_choice(&patient->stage, &profile_slog, stage_choice(1, false));
	plan_add_experiment(&patient->stage.plan, stages, stage_count);
	report_grow(report);
	patient->stage.target.given = patient->stage.target.path = patient->stage.target.shown = path;
	patient->stage.target.mount.mount_point = path;
	patient->stage.target.mount.source = source;
	patient->stage.target.mount.type = type;
	patient->stage.target.is_zfs = true;
	report->engine = ENGINE_PSYNC;
	report->direct = DIRECT_NOT_FOR_SLOG;
	add_devices(&report->storage);
	add_pool(&report->pool);
	power_find(&report->power, patient->root, &report->storage);
	report->experiment.wanted = stage_count > 0;
}

static inline void close_patient(struct patient *patient)
{
	if (patient->is_recorded) {
		record_release(&patient->record);
	}
	stage_close(&patient->stage);
	free(patient->root);
}

/** What the kernel counted of idle states and frequency during a run. */
static inline void fill_power(struct power_reading *reading, const struct power *power, const struct figure *figure)
{
	double elapsed_us = RUN_S * 1e6;
	size_t states = power->idle_state_count;

	*reading = (struct power_reading){.idle_states = (uint32_t)states, .processors_seen = 1};
	reading->elapsed_us = (uint64_t)elapsed_us;
	if (figure->frequency_hz > 0) {
		reading->frequency_samples = 10;
		reading->frequency_sum_khz = (uint64_t)(10 * figure->frequency_hz / 1e3);
	}
	for (size_t i = 1; i < states; i++) {
		double share = i == states - 1 ? 0.8 : 0.2 / (double)(states - 2);

		reading->idle_time_us[i] = (uint64_t)(share * figure->asleep * elapsed_us);
		reading->idle_entries[i] = figure->asleep > 0 ? (uint64_t)(share * figure->iops * RUN_S) : 0;
	}
}

/** A run of the plan: every commit a block of the log, on the log device. */
static inline void fill_run(struct patient *patient, size_t run, const struct figure *figure, double noise)
{
	struct report *report = &patient->stage.report;
	double iops = figure->iops / noise, p50_us = figure->p50_us * noise, commits = iops * RUN_S;
	struct evidence *evidence = &report->measurements[run].evidence;

	stage_set(&patient->stage, run, iops * 4096 / 1e6, iops, p50_us, p50_us * 2.17);
	*evidence = (struct evidence){.present = true,
		.claimed_bytes = commits * 4096,
		.commits = commits,
		.commit_mean_ns = p50_us * 1e3,
		.busiest_job_cpu = 0.1};
	struct run_readings *readings = &evidence->readings;
	readings->before = (struct reading){.at_ns = 1, .known = READING_DEVICES | READING_FLUSHES | READING_ZIL};
	readings->after = readings->before;
	readings->after.at_ns += UINT64_C(1000000000) * RUN_S;
	readings->after.zil = (struct zil_counters){.commits = (uint64_t)commits, .log_blocks = (uint64_t)commits};
	for (size_t role = 0; role < STORAGE_ROLE_COUNT; role++) {
		readings->after.devices[role].write_requests = (uint64_t)commits;
		readings->after.devices[role].written_bytes = (uint64_t)(commits * 4096);
		readings->after.devices[role].write_time_ms = (uint64_t)(commits * figure->device_us * noise / 1e3);
		readings->written_since_watch_bytes[role] = UINT64_C(1) << 30;
	}
	readings->flushed = readings->after;
	fill_power(&readings->power, &report->power, figure);
}

/** All runs of the main table with so many threads. */
static inline void set_main(struct patient *patient, unsigned threads, const struct figure *figure)
{
	for (size_t run = 0; run < patient->stage.plan.run_count; run++) {
		const struct workload *workload = plan_workload(&patient->stage.plan, run);

		if (workload->part == PART_MAIN && workload->jobs == threads) {
			fill_run(patient, run, figure, 1);
		}
	}
}

/** All rounds of a stage, with noise. */
static inline void set_stage(struct patient *patient, unsigned power, const struct figure *figure)
{
	static const double noise[ROUNDS] = {1, 1.01, 0.992, 1.004, 0.995};

	for (size_t run = 0; run < patient->stage.plan.run_count; run++) {
		const struct workload *workload = plan_workload(&patient->stage.plan, run);

		if (workload->part == PART_EXPERIMENT && workload->power == power) {
			fill_run(patient, run, figure, noise[(patient->stage.plan.runs[run].pass - 1) % ROUNDS]);
		}
	}
}

/** The record of what was filled in, with what the doctor says of it. */
static inline void examine(struct patient *patient)
{
	stage_record(&patient->record, &patient->stage);
	patient->is_recorded = true;
	doctor_examine(&patient->record, &patient->stage.report);
}

/** The passage of that name in lines; "" where there is none. The caller frees it. */
static inline char *passage_text(const struct record *record, const char *id)
{
	struct text text = TEXT_EMPTY;

	for (size_t i = 0; i < record->passage_count; i++) {
		for (size_t j = 0; strcmp(record->passages[i].id, id) == 0 && j < record->passages[i].line_count; j++) {
			text_addf(&text, "%s\n", record->passages[i].lines[j].text);
		}
	}
	return text.length > 0 ? text_detach(&text) : xstrdup("");
}

/** That the passage of that name has this part. */
static inline void expect_in(const struct patient *patient, const char *id, const char *part)
{
	char *text = passage_text(&patient->record, id);

	assert_contains(text, part);
	free(text);
}

static inline void expect_not_in(const struct patient *patient, const char *id, const char *part)
{
	char *text = passage_text(&patient->record, id);

	assert_lacks(text, part);
	free(text);
}

/** That there is no such passage. */
static inline void expect_none(const struct patient *patient, const char *id)
{
	char *text = passage_text(&patient->record, id);

	assert_string_equal(text, "");
	free(text);
}

/** That a shell takes all commands, as they are copied from a terminal: with a margin. */
static inline void expect_shell_takes(const struct patient *patient)
{
	const struct record *record = &patient->record;
	FILE *shell = popen("sed 's/^/    /' | sh -n", "w");

	assert_non_null(shell);
	for (size_t i = 0; i < record->passage_count; i++) {
		for (size_t j = 0; j < record->passages[i].line_count; j++) {
			if (record->passages[i].lines[j].is_command) {
				fprintf(shell, "%s\n", record->passages[i].lines[j].text);
			}
		}
	}
	assert_int_equal(pclose(shell), 0);
}

/** Held back by idle states and a low frequency; and without the former. */
static const struct figure slow = {3000, 330.0, 60, 1.5e9, 0.8};
static const struct figure awake = {6000, 165.0, 60, 1.5e9, 0};

/** The experiment with these figures; the third stage only where there are so many. */
static inline void open_experiment(
	struct patient *patient, const char *machine, const unsigned *stages, size_t count, const struct figure *figures)
{
	open_patient(patient, machine, stages, count);
	set_main(patient, 1, &figures[0]);
	for (size_t i = 0; i < count; i++) {
		set_stage(patient, stages[i], &figures[i]);
	}
}

/** The only finding, about the first run. */
static inline void add_finding(struct patient *patient, enum finding_kind kind)
{
	struct findings *findings = &patient->stage.report.findings;

	findings->list = xcalloc(1, sizeof(*findings->list));
	findings->list[0] = (struct finding){.kind = kind, .run = 0, .value = 0.97};
	findings->count = 1;
}

#endif
