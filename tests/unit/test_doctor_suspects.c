/* Where the writes went, and the next suspect: what the doctor says when power management is not the cause. */
#include "patient.h"

static const struct figure steady[] = {{3000, 330.0, 60, 2e9, 0.1}, {3010, 329.0, 60, 2e9, 0}};

/* An experiment that changed nothing. */
static void open_unchanged(struct patient *patient, const struct figure *figures)
{
	open_experiment(patient, "intel_pstate-laptop", all_stages, 2, figures);
	patient->stage.report.experiment.left_out[1] = xstrdup("that needs root; run speedtest-hd with sudo");
}

static void expect_suspect(struct patient *patient, const char *part)
{
	examine(patient);
	expect_in(patient, "diagnosis", "Power management is not the cause, as far as it was tried.");
	expect_in(patient, "diagnosis", part);
	expect_none(patient, "remedies");
	close_patient(patient);
}

static void set_property(struct patient *patient, const char *line)
{
	struct zfs_pool *pool = &patient->stage.report.pool;

	for (size_t i = 0; i < pool->property_count; i++) {
		free(pool->properties[i].name);
		free(pool->properties[i].value);
	}
	pool->property_count = 0;
	zfs_parse_properties(pool, line);
}

/* Let the pool's other devices take the log's blocks, or the data. */
static void set_zil(struct patient *patient, bool is_indirect, double share)
{
	for (size_t run = 0; run < patient->stage.plan.run_count; run++) {
		struct evidence *evidence = &patient->stage.report.measurements[run].evidence;
		struct zil_counters *zil = &evidence->readings.after.zil;
		uint64_t moved = (uint64_t)(share * (double)zil->log_blocks);

		if (is_indirect) {
			zil->indirect = moved;
		} else {
			zil->log_blocks -= moved;
			zil->pool_blocks = moved;
		}
		evidence->readings.flushed = evidence->readings.after;
	}
}

static void test_wrong_path(void **state)
{
	struct patient patient;

	(void)state;
	open_unchanged(&patient, steady);
	set_property(&patient, "nvme-ultra-r10/vm-root\tsync\tdisabled\tlocal\n");
	for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
		patient.stage.report.measurements[run].evidence.readings.after.zil = (struct zil_counters){0};
	}
	examine(&patient);
	expect_in(&patient, "path",
		"The only row: sync=disabled on nvme-ultra-r10/vm-root: these writes were not durable, this is not a SLOG "
		"result; "
		"'zfs set sync=standard nvme-ultra-r10/vm-root', then measure again.");
	expect_in(&patient, "diagnosis", "Next suspect: the path: none of these writes was durable (see above).");
	close_patient(&patient);

	/* The property says otherwise, and nobody knows why; or it could not be read. */
	for (int is_read = 0; is_read < 2; is_read++) {
		open_unchanged(&patient, steady);
		if (!is_read) {
			set_property(&patient, "nvme-ultra-r10/vm-root\tlogbias\tlatency\tdefault\n");
		}
		for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
			patient.stage.report.measurements[run].evidence.readings.after.zil = (struct zil_counters){0};
		}
		examine(&patient);
		expect_in(&patient, "path",
			is_read
				? "these writes were not durable: ZFS's intent log counted nothing"
				: "ZFS's intent log took none of these writes, as with sync=disabled (the property could not be read)");
		expect_not_in(&patient, "path", "The only row: sync=disabled");
		expect_in(&patient, "diagnosis", "Next suspect: the path: none of these writes was durable (see above).");
		close_patient(&patient);
	}

	open_unchanged(&patient, steady);
	set_property(&patient, "nvme-ultra-r10/vm-root\tlogbias\tthroughput\tlocal\n");
	set_zil(&patient, true, 1);
	examine(&patient);
	expect_in(&patient, "path",
		"they did not go to the log device: logbias=throughput sends the data to the pool's other devices; set it to "
		"latency with 'zfs set logbias=latency nvme-ultra-r10/vm-root'");
	expect_in(&patient, "diagnosis", "Next suspect: the wrong devices: logbias=throughput");
	close_patient(&patient);

	open_unchanged(&patient, steady);
	set_zil(&patient, false, 0.5);
	examine(&patient);
	expect_in(&patient, "path", "the sync writes went to the log device nvme1n1p1 in part only");
	close_patient(&patient);

	/* No log device at all. */
	open_unchanged(&patient, steady);
	for (size_t i = 0; i < patient.stage.report.pool.vdev_count; i++) {
		struct zfs_vdev *vdev = &patient.stage.report.pool.vdevs[i];

		vdev->class = vdev->class == ZFS_LOG ? ZFS_SPARE : vdev->class;
	}
	set_zil(&patient, false, 1);
	examine(&patient);
	expect_in(&patient, "path", "no log device: nvme-ultra-r10 has none");
	expect_in(&patient, "path", "adds one, 'zpool remove nvme-ultra-r10 DEVICE' takes it out again");
	expect_in(&patient, "diagnosis", "Next suspect: the pool's data devices: there is no log device");
	close_patient(&patient);
}

/* The words claim no more than the counters tell. */
static void test_path_doubts(void **state)
{
	struct patient patient;

	(void)state;
	open_unchanged(&patient, steady);
	set_zil(&patient, false, 0.02);
	examine(&patient);
	expect_in(&patient, "path", "The only row: nearly all sync writes went to the log device nvme1n1p1: ");
	expect_in(&patient, "path", "of them elsewhere, which others may have written (ZFS's own count, of all pools).");
	close_patient(&patient);

	open_unchanged(&patient, steady);
	set_property(&patient, "nvme-ultra-r10/vm-root\tlogbias\tthroughput\tlocal\n");
	set_zil(&patient, true, 1);
	for (size_t i = 0; i < patient.stage.report.pool.vdev_count; i++) {
		patient.stage.report.pool.vdevs[i].class = ZFS_SPARE;
	}
	examine(&patient);
	expect_in(&patient, "path", "no log device, and logbias=throughput sends the data to the pool's devices at once");
	expect_not_in(&patient, "path", "they did not go to the log device");
	close_patient(&patient);

	/* Zpool gave no answer. */
	open_unchanged(&patient, steady);
	zfs_pool_release(&patient.stage.report.pool);
	set_zil(&patient, false, 1);
	examine(&patient);
	expect_in(&patient, "path", "they went to the pool's data devices; whether it has a log device is not known");
	close_patient(&patient);
}

/* Nothing but zpool iostat tells, of all runs with so many threads. */
static void watch_by_zpool(struct patient *patient, unsigned threads, double log_writes_per_s)
{
	for (size_t run = 0; run < patient->stage.plan.run_count; run++) {
		struct evidence *evidence = &patient->stage.report.measurements[run].evidence;

		if (plan_workload(&patient->stage.plan, run)->jobs == threads) {
			evidence->readings.before.known &= ~(uint32_t)READING_ZIL;
			evidence->pool_activity =
				(struct pool_activity){.present = true, .log_writes_per_s = log_writes_per_s, .data_writes_per_s = 960};
		}
	}
}

/* All of the writes are what one thread's count can prove, no other's. */
static void test_weak_witness(void **state)
{
	struct patient patient;

	(void)state;
	open_unchanged(&patient, steady);
	set_main(&patient, 16, &(struct figure){9000, 1700, 60, 0, 0});
	watch_by_zpool(&patient, 1, 2900);
	watch_by_zpool(&patient, 16, 900);
	examine(&patient);
	expect_in(&patient, "path", "4K sync T1: all sync writes went to the log device nvme1n1p1: up to 2900 writes");
	expect_in(&patient, "path", "4K sync T16: the sync writes went to the log device nvme1n1p1: up to 900 writes");
	close_patient(&patient);

	open_unchanged(&patient, steady);
	watch_by_zpool(&patient, 1, 1650);
	examine(&patient);
	expect_in(&patient, "path", "The only row: the sync writes went to the log device nvme1n1p1: up to 1650 writes");
	expect_not_in(&patient, "path", "all sync writes");
	close_patient(&patient);

	/* What all pools counted elsewhere does not make it less, where others' blocks are among them. */
	open_unchanged(&patient, steady);
	for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
		struct evidence *evidence = &patient.stage.report.measurements[run].evidence;

		evidence->readings.after.zil.pool_blocks = evidence->readings.after.zil.log_blocks;
		evidence->readings.flushed = evidence->readings.after;
	}
	examine(&patient);
	expect_in(&patient, "path",
		"The only row: all sync writes went to the log device nvme1n1p1: 15000 commits, each with 1.0 writes there "
		"(the "
		"devices' counters).");
	close_patient(&patient);
}

/* Out of ZFS: ext4 on the disk nvme1n1. */
static void move_to_ext4(struct patient *patient, enum write_cache cache)
{
	struct report *report = &patient->stage.report;

	zfs_pool_release(&report->pool);
	free(report->storage.file_system);
	report->storage.file_system = xstrdup("ext4");
	report->storage.kind = STORAGE_BLOCK;
	report->storage.write_copies = 1;
	report->storage.write_copies_known = true;
	free(report->storage.devices[1].name);
	report->storage.device_count = 1;
	report->storage.devices[0].roles &= ~(1U << STORAGE_LOG);
	report->storage.devices[0].write_cache = cache;
	for (size_t run = 0; run < patient->stage.plan.run_count && cache == WRITE_CACHE_VOLATILE; run++) {
		struct run_readings *readings = &report->measurements[run].evidence.readings;

		for (size_t role = 0; role < STORAGE_ROLE_COUNT; role++) {
			/* A flush is a write request, too, and its time is in theirs. */
			readings->after.devices[role].flush_requests = readings->after.devices[role].write_requests;
			readings->after.devices[role].write_requests *= 2;
		}
		readings->flushed = readings->after;
	}
}

/* Others' requests are not called the commits', nor is anything concluded from them. */
static void test_others(void **state)
{
	static const struct figure figures[] = {{3000, 330.0, 300, 2e9, 0.1}, {3010, 329.0, 299, 2e9, 0}};
	struct patient patient;

	(void)state;
	for (unsigned times = 1; times <= 3; times += 2) {
		open_unchanged(&patient, figures);
		move_to_ext4(&patient, WRITE_CACHE_VOLATILE);
		for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
			struct run_readings *readings = &patient.stage.report.measurements[run].evidence.readings;

			readings->after.devices[STORAGE_DISK].flush_requests *= times;
		}
		patient.stage.report.storage.background_work = times == 1 ? xstrdup("resync of md0") : NULL;
		examine(&patient);
		expect_in(&patient, "path",
			times == 1
				? "The only row: nvme1n1 counted 1.0 flushes and 1.0 writes for each commit, others' among them; "
				  "its write cache is on (write back), and whether each commit was on the medium is not known "
				  "from these."
				: "nvme1n1 counted 3.0 flushes and 2.0 writes for each commit, perhaps others' among them; its");
		expect_not_in(&patient, "path", "was on the medium.");
		expect_not_in(&patient, "path", "each commit made");
		close_patient(&patient);
	}

	open_unchanged(&patient, figures);
	move_to_ext4(&patient, WRITE_CACHE_NONE);
	patient.stage.report.storage.background_work = xstrdup("resync of md0");
	examine(&patient);
	expect_in(&patient, "path",
		"nvme1n1 counted 1.0 writes for each commit, others' among them, and claims no volatile cache (write through): "
		"no flush is needed.");
	close_patient(&patient);
}

static const struct figure waiting[] = {{3000, 330.0, 300, 2e9, 0.1}, {3010, 329.0, 299, 2e9, 0}};

static void test_device_wait(void **state)
{
	static const struct environment_fact rotational = {.key = "rotational", .label = "rotational"};
	struct patient patient;

	(void)state;
	open_unchanged(&patient, waiting);
	expect_suspect(&patient,
		"Next suspect: the device: of 330.0 us each commit waits 300.0 us for nvme1n1; that is what the device itself "
		"takes.");

	open_unchanged(&patient, waiting);
	move_to_ext4(&patient, WRITE_CACHE_VOLATILE);
	examine(&patient);
	expect_in(&patient, "path",
		"each commit made 1.0 flushes and 1.0 writes on nvme1n1, whose write cache is on (write back): what was "
		"confirmed was on the medium.");
	expect_in(&patient, "diagnosis", "probably no power-loss protection (PLP): its write cache is volatile");
	patient.stage.report.power.is_virtual = true;
	doctor_examine(&patient.record, &patient.stage.report);
	expect_in(&patient, "path", "confirmed was on the medium, if this virtual machine's host flushes, too.");
	expect_in(&patient, "diagnosis", "each commit waits for a flush, which the host has to carry out");
	close_patient(&patient);

	/* A kernel that counts no flush among the writes; and what holds for one thread is not said of all. */
	open_unchanged(&patient, waiting);
	set_main(&patient, 4, &(struct figure){9000, 440, 300, 0, 0});
	move_to_ext4(&patient, WRITE_CACHE_VOLATILE);
	for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
		struct run_readings *readings = &patient.stage.report.measurements[run].evidence.readings;

		for (size_t role = 0; role < STORAGE_ROLE_COUNT; role++) {
			readings->after.devices[role].write_requests = readings->after.devices[role].flush_requests;
		}
	}
	examine(&patient);
	expect_in(&patient, "path", "Every row: with 1 thread each commit made 1.0 flushes and 1.0 writes on nvme1n1,");
	close_patient(&patient);

	open_unchanged(&patient, waiting);
	move_to_ext4(&patient, WRITE_CACHE_NONE);
	patient.stage.report.environment.facts = xcalloc(1, sizeof(struct environment_fact));
	patient.stage.report.environment.facts[0] = rotational;
	patient.stage.report.environment.facts[0].subject = xstrdup("nvme1n1");
	patient.stage.report.environment.facts[0].value = xstrdup("yes");
	patient.stage.report.environment.fact_count = 1;
	examine(&patient);
	expect_in(&patient, "path",
		"each commit made 1.0 writes on nvme1n1, which claims no volatile cache (write through): no flush is needed.");
	expect_in(&patient, "diagnosis", "waits 300.0 us for nvme1n1, a rotating disk");
	close_patient(&patient);
}

/* The first run of the experiment. */
static size_t find_experiment(const struct plan *plan)
{
	size_t run = 0;

	while (plan_workload(plan, run)->part != PART_EXPERIMENT) {
		run++;
	}
	return run;
}

/* What is fast in memory is not called healthy. */
static void test_marked(void **state)
{
	static const struct figure memory[] = {{400000, 2.1, 0, 2e9, 0.1}, {401000, 2.1, 0, 2e9, 0}};
	struct patient patient;

	(void)state;
	open_unchanged(&patient, memory);
	add_finding(&patient, FINDING_SERVED_FROM_RAM);
	examine(&patient);
	expect_in(&patient, "diagnosis", "Next suspect: the figures themselves: those of one thread are not the device's");
	expect_not_in(&patient, "diagnosis", "Healthy");
	expect_not_in(&patient, "diagnosis", "of the experiment's figures");
	close_patient(&patient);

	open_unchanged(&patient, memory);
	add_finding(&patient, FINDING_SERVED_FROM_RAM);
	patient.stage.report.findings.list[0].run = find_experiment(&patient.stage.plan);
	examine(&patient);
	expect_in(
		&patient, "diagnosis", "But not all of the experiment's figures are the device's alone, see their marks.");
	close_patient(&patient);
}

static void test_other_suspects(void **state)
{
	struct patient patient;

	(void)state;
	open_unchanged(&patient, steady);
	expect_suspect(&patient, "Next suspect: the host: of 330.0 us each commit spends 270.0 us above the device");

	open_unchanged(&patient, steady);
	set_main(&patient, 4, &(struct figure){9000, 440, 60, 0, 0});
	set_main(&patient, 8, &(struct figure){7000, 1100, 60, 0, 0});
	expect_suspect(&patient, "Next suspect: queueing: 8 threads make fewer commits than 4");

	open_unchanged(&patient, steady);
	add_finding(&patient, FINDING_CPU_BOUND);
	expect_suspect(&patient, "Next suspect: the processors:");

	open_unchanged(&patient, steady);
	add_finding(&patient, FINDING_OTHER_TRAFFIC);
	expect_suspect(&patient, "Next suspect: others' traffic");

	/* Healthy in its row, and slow a minute later. */
	open_unchanged(&patient, steady);
	set_main(&patient, 1, &(struct figure){20000, 49.0, 40, 0, 0});
	expect_suspect(&patient, "Next suspect: something that comes and goes: the same test made 20000 commits a second "
							 "in its row and 30");
	open_unchanged(&patient, steady);
	set_main(&patient, 1, &(struct figure){4000, 249.0, 40, 0, 0});
	expect_suspect(&patient, "Next suspect: the host");

	/* No counter tells where the time goes. */
	open_unchanged(&patient, steady);
	patient.stage.report.storage.kind = STORAGE_NFS;
	expect_suspect(&patient, "Nothing else stands out, and where the time of a commit goes is not known here.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong_path),
		cmocka_unit_test(test_path_doubts),
		cmocka_unit_test(test_weak_witness),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_device_wait),
		cmocka_unit_test(test_marked),
		cmocka_unit_test(test_other_suspects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
