/* Where the time of a commit goes: with known truths, with what was recorded, and where nobody can say. */
#include "scene.h"

#include "report/commit_split.h"

enum { SYNC_T1, SYNC_T4, SYNC_T8, SYNC_T16, NO_SYNC, O_DSYNC_ROW };

#define SLOG .profile = &profile_slog, .buffered = true, .direct = DIRECT_NOT_FOR_SLOG
#define ZFS                                                                                                            \
	SLOG, .kind = STORAGE_ZFS, .type = "zfs", .account_unknown = true, .data_vdev = "/dev/vdb1",                       \
		  .write_cache = WRITE_CACHE_VOLATILE
#define WITH_LOG ZFS, .has_log = true, .log_vdev = "/dev/vdc"
#define VOLATILE SLOG, .write_cache = WRITE_CACHE_VOLATILE, .flushed_before = true

struct split_case {
	struct scene scene;
	double share; /* NAN: unknown, for this reason */
	bool is_estimate;
	const char *reason;
	enum split_source source; /* SPLIT_BY_DEVICE */
};

#define HIDDEN (double)NAN, false
#define FILES "the log lies on files, whose disks write for others, too"
#define OVERLAP "its commits are spread over several devices, whose waits overlap"
#define LIMITED "a control group limits the device, and that wait is in no counter"
#define SHARED_WAIT "the commits wait for the log and for the pool's data, in shares that no counter tells"

/* clang-format off */
static const struct split_case cases[] = {
	/* A request for the data and one for the flush: the second lasts as long as the flush does, which is in it. */
	{{.name = "ext4 on a disk", VOLATILE, .run = SYNC_T1, .commit_us = 56, .writes = 2.01, .write_us = 21.5, .flushes = 1,
		.flush_us = 17}, 43.2 / 56, false, NULL, 0},
	{{.name = "others flush the same disk", VOLATILE, .run = SYNC_T1, .commit_us = 56, .writes = 2.01, .write_us = 21.5,
		.flushes = 1, .flush_us = 17, .idle_flushes = 1000000}, 43.2 / 56, true, NULL, 0},
	{{.name = "ext4 on a loop", VOLATILE, .run = SYNC_T1, .is_shared = true, .top_name = "loop3", .commit_us = 93,
		.writes = 2.02, .write_us = 36.6, .flushes = 1.02, .flush_us = 32}, 73.9 / 93, false, NULL, 0},
	{{.name = "a partition, whose disk counts the flushes", VOLATILE, .run = SYNC_T1, .commit_us = 400, .writes = 2,
		.write_us = 100, .flushes = 1, .flush_us = 90}, 0.5, false, NULL, 0},
	{{.name = "an old kernel, that counts no flush", VOLATILE, .run = SYNC_T1, .commit_us = 400, .writes = 2,
		.write_us = 100}, 0.5, false, NULL, 0},
	{{.name = "flushes that are no requests", VOLATILE, .run = SYNC_T1, .commit_us = 400, .writes = 1, .write_us = 100,
		.flushes = 1, .flush_us = 200}, 0.75, false, NULL, 0},
	{{.name = "flushes that nobody counts", VOLATILE, .run = SYNC_T1, .commit_us = 400, .writes = 1, .write_us = 100},
		HIDDEN, "the time of the flushes is in no counter of the device", 0},
	{{.name = "flushes that several paths of a disk hide", SLOG, .write_cache = WRITE_CACHE_VOLATILE, .has_fua = true,
		.run = SYNC_T1, .commit_us = 400, .writes = 1, .write_us = 20, .flushes = NOTHING},
		HIDDEN, "the time of the flushes is in no counter of the device", 0},
	{{.name = "past the cache", .profile = &profile_slog, .direct = DIRECT_ENABLED, .write_cache = WRITE_CACHE_VOLATILE,
		.has_fua = true, .detail = true, .run = O_DSYNC_ROW, .commit_us = 40, .writes = 1, .write_us = 20,
		.flushes = NOTHING}, 0.5, false, NULL, 0},
	{{.name = "a disk without a cache", SLOG, .write_cache = WRITE_CACHE_NONE, .run = SYNC_T1, .commit_us = 400,
		.writes = 1, .write_us = 100, .flushes = NOTHING}, 0.25, false, NULL, 0},
	{{.name = "without a barrier", VOLATILE, .run = SYNC_T1, .commit_us = 400, .writes = 1, .write_us = 100,
		.flushes = NOTHING}, 0.25, false, NULL, 0},
	{{.name = "a journal, several requests at once", VOLATILE, .run = SYNC_T1, .commit_us = 400, .writes = 4,
		.write_us = 80, .flushes = 1}, 0.8, true, NULL, 0},
	{{.name = "more time than there was", VOLATILE, .run = SYNC_T1, .commit_us = 400, .writes = 2, .write_us = 300,
		.flushes = 1}, HIDDEN,
		"the device had more under way than a commit waits for: others' requests, or its own side by side", 0},
	{{.name = "a little more, as clocks err", VOLATILE, .run = SYNC_T1, .commit_us = 400, .writes = 2, .write_us = 210,
		.flushes = 1}, 1, false, NULL, 0},
	{{.name = "btrfs", VOLATILE, .type = "btrfs", .run = SYNC_T1, .commit_us = 400, .writes = 2, .write_us = 100,
		.flushes = 1}, 0.5, true, NULL, 0},
	{{.name = "a mapped device", VOLATILE, .run = SYNC_T1, .top_name = "dm-0", .commit_us = 400, .writes = 2,
		.write_us = 100, .flushes = 1}, 0.5, false, NULL, 0},
	{{.name = "no time kept", VOLATILE, .run = SYNC_T1, .writes = 2, .flushes = 1},
		HIDDEN, "the device keeps no time of its requests", 0},
	{{.name = "no counters", VOLATILE, .run = SYNC_T1, .counters_unknown = true, .writes = 2, .write_us = 100},
		HIDDEN, "the device's counters are not known", 0},
	/* Limits. */
	{{.name = "held back before the device", VOLATILE, .run = SYNC_T1, .is_throttled = true, .commit_us = 20000,
		.writes = 2, .write_us = 50, .flushes = 1}, HIDDEN, LIMITED, 0},
	{{.name = "held back beneath a loop", VOLATILE, .run = SYNC_T1, .is_throttled = true, .is_shared = true,
		.top_name = "loop3", .commit_us = 20000, .writes = 2, .write_us = 9800, .flushes = 1}, 0.98, true, NULL, 0},
	{{.name = "limits that are not to be seen", VOLATILE, .run = SYNC_T1, .may_be_throttled = true, .commit_us = 400,
		.writes = 2, .write_us = 100, .flushes = 1}, 0.5, true, NULL, 0},
	/* ZFS. */
	{{.name = "a log", WITH_LOG, .run = SYNC_T1, .commit_us = 328, .writes = 2, .write_us = 45, .zil_log = 1},
		90.0 / 328, false, NULL, 0},
	{{.name = "a log without a volatile cache", SLOG, .kind = STORAGE_ZFS, .write_cache = WRITE_CACHE_NONE, .has_log = true,
		.data_vdev = "/dev/vdb1", .log_vdev = "/dev/vdc", .run = SYNC_T1, .commit_us = 328, .writes = 1, .write_us = 90,
		.zil_log = 1}, 90.0 / 328, false, NULL, 0},
	{{.name = "no log", ZFS, .run = SYNC_T1, .commit_us = 1000, .writes = 9, .write_us = 200, .zil_pool = 1},
		0.4, true, NULL, 0},
	{{.name = "no log, and no count", ZFS, .run = SYNC_T1, .commit_us = 1000, .writes = 9, .write_us = 200},
		0.4, true, NULL, 0},
	{{.name = "a log on a file", ZFS, .has_log = true, .log_vdev = "/srv/log.img", .zil_log = 1, .run = SYNC_T1,
		.writes = 2, .write_us = 100}, HIDDEN, FILES, 0},
	{{.name = "a log on a file, and zpool iostat", ZFS, .has_log = true, .log_vdev = "/srv/log.img", .zil_log = 1,
		.run = SYNC_T1, .commit_us = 400, .pool_activity = {.present = true, .log_disk_wait_ns = 100000}},
		0.25, true, NULL, SPLIT_BY_DISK_WAIT},
	{{.name = "a pool on files", SLOG, .kind = STORAGE_ZFS, .type = "zfs", .data_vdev = "/srv/disk.img", .zil_pool = 1,
		.run = SYNC_T1, .write_us = 10}, HIDDEN, "the pool lies on files, whose disks write for others, too", 0},
	{{.name = "logbias=throughput", WITH_LOG, .run = SYNC_T1, .logbias = "throughput", .zil_log = 1, .zil_indirect = 1,
		.writes = 2, .write_us = 45}, HIDDEN, SHARED_WAIT, 0},
	{{.name = "sync=disabled", WITH_LOG, .run = SYNC_T1, .sync = "disabled", .writes = 2, .write_us = 45},
		HIDDEN, "sync=disabled: no commit waits for a device", 0},
	{{.name = "past a log that others use", WITH_LOG, .run = SYNC_T1, .commit_us = 1000, .writes = 0.1, .write_us = 45,
		.zil_pool = 1, .zil_of_dataset = true}, HIDDEN,
		"the commits went past the log device, among the pool's other writes", 0},
	{{.name = "a log that nobody saw written", WITH_LOG, .run = SYNC_T1, .writes = 0.1, .write_us = 45},
		HIDDEN, "it is not known whether the commits went to the log device", 0},
	/* Nobody knows. */
	{{.name = "NFS", SLOG, .kind = STORAGE_NFS, .network_known = true, .run = SYNC_T1},
		HIDDEN, "only the server knows what its devices do", 0},
	{{.name = "tmpfs", SLOG, .kind = STORAGE_RAM, .run = SYNC_T1}, HIDDEN, "it lies in RAM, where there is no device", 0},
	{{.name = "FUSE", SLOG, .is_unknown = true, .blind_spot = "FUSE: only its server knows", .run = SYNC_T1},
		HIDDEN, "FUSE: only its server knows", 0},
	{{.name = "dax", VOLATILE, .options = "rw,dax", .run = SYNC_T1},
		HIDDEN, "with the mount option dax no counter sees the writes", 0},
	{{.name = "no sync", VOLATILE, .detail = true, .run = NO_SYNC}, HIDDEN, "these writes wait for no device", 0},
	{{.name = "without T1", VOLATILE, .run = SYNC_T4, .writes = 2, .write_us = 50, .flushes = 1},
		HIDDEN, "without a run by one thread nobody knows what a single commit waits for", 0},
};
/* clang-format on */

static bool is_right(const struct split_case *expected, const struct commit_split *split)
{
	enum split_source source = expected->reason ? SPLIT_UNKNOWN : expected->source ? expected->source : SPLIT_BY_DEVICE;
	bool same_reason =
		expected->reason ? split->reason && strcmp(split->reason, expected->reason) == 0 : !split->reason;
	bool same_share =
		expected->reason ? isnan(split->device_share) : fabs(split->device_share - expected->share) < 0.002;

	return split->source == source && same_reason && same_share && split->is_estimate == expected->is_estimate;
}

/* All its commits are alike. */
static void set_even(struct stage *stage, size_t run)
{
	struct measurement *measurement = &stage->report.measurements[run];

	measurement->figures.latency_p50_ns = measurement->evidence.commit_mean_ns;
}

static void test_cases(void **state)
{
	size_t right = 0, count = sizeof(cases) / sizeof(cases[0]);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		struct commit_split split;
		struct stage stage;

		stage_open_scene(&stage, &cases[i].scene);
		set_even(&stage, cases[i].scene.run);
		commit_split_make(&split, &stage.report, cases[i].scene.run);
		if (is_right(&cases[i], &split)) {
			right++;
		} else {
			print_error("%s: source %d, share %g, estimate %d, %s\n", cases[i].scene.name, (int)split.source,
				split.device_share, split.is_estimate, split.reason ? split.reason : "no reason");
		}
		commit_split_release(&split);
		stage_close(&stage);
	}
	assert_int_equal(right, count);
}

static double share_of(struct stage *stage, size_t run)
{
	struct commit_split split;

	commit_split_make(&split, &stage->report, run);
	double share = split.device_share;
	commit_split_release(&split);
	return share;
}

/* What OpenZFS 2.1.11 with a log on NVMe was seen to do, fio and the counters over the same time. */
static void test_recorded(void **state)
{
	static const struct {
		uint64_t commits, blocks, writes, write_ms, flushes, flush_ms;
		double mean_us, share;
	} recorded[] = {
		{1273, 1273, 2548, 2290, 1275, 427, 7792, 0.231},
		{3454, 1550, 3102, 2816, 1545, 1058, 12244, 0.148},
		{4568, 1386, 2774, 3788, 1366, 1413, 17592, 0.155},
		{5797, 1086, 2174, 3420, 1057, 1248, 26832, 0.117},
	};
	const struct scene scene = {WITH_LOG, .sync = "always", .zil_log = 1, .writes = 2};
	struct stage stage;

	(void)state;
	stage_fill(&stage, &scene);
	for (size_t run = SYNC_T1; run <= SYNC_T16; run++) {
		struct evidence *evidence = &stage.report.measurements[run].evidence;
		struct reading *before = &evidence->readings.before, *after = &evidence->readings.after;

		evidence->commits = (double)recorded[run].commits;
		evidence->commit_mean_ns = recorded[run].mean_us * 1e3;
		after->zil.log_blocks = before->zil.log_blocks + recorded[run].blocks;
		const struct device_counters *from = &before->devices[STORAGE_LOG];
		struct device_counters *to = &after->devices[STORAGE_LOG];
		before->known |= READING_FLUSHES;
		after->known |= READING_FLUSHES;
		to->write_requests = from->write_requests + recorded[run].writes;
		to->write_time_ms = from->write_time_ms + recorded[run].write_ms;
		to->flush_requests = from->flush_requests + recorded[run].flushes;
		to->flush_time_ms = from->flush_time_ms + recorded[run].flush_ms;
	}
	for (size_t run = SYNC_T1; run <= SYNC_T16; run++) {
		assert_number(share_of(&stage, run), recorded[run].share, 0.001);
	}
	stage_close(&stage);
}

/* More threads: what one commit waits for is what the same pass's T1 showed; another pass's, where that one failed. */
static void test_one_thread(void **state)
{
	struct scene scene = {VOLATILE, .passes = 2, .commit_us = 100, .writes = 2, .write_us = 20, .flushes = 1};
	struct stage stage;

	(void)state;
	stage_fill(&stage, &scene);
	assert_number(share_of(&stage, SYNC_T16), 0.4, 0.001);
	/* Several commits in one: each waits as long as one alone would. */
	scene.writes = 0.5;
	stage_add(&stage, &scene, SYNC_T16);
	assert_number(share_of(&stage, SYNC_T16), 0.4, 0.001);
	scene.writes = 3;
	stage_add(&stage, &scene, 4 + SYNC_T1);
	assert_number(share_of(&stage, SYNC_T16), 0.4, 0.001);
	assert_number(share_of(&stage, 4 + SYNC_T16), 0.6, 0.001);
	stage.report.measurements[SYNC_T1].outcome = OUTCOME_FAILED;
	assert_number(share_of(&stage, SYNC_T16), 0.6, 0.001);
	assert_true(isnan(share_of(&stage, SYNC_T1)));
	stage_close(&stage);
}

static void make_split(struct commit_split *split, struct stage *stage, double median_us)
{
	stage->report.measurements[SYNC_T1].figures.latency_p50_ns = median_us * 1e3;
	commit_split_make(split, &stage->report, SYNC_T1);
}

/* Whatever the median is, the share is the mean commit's; where the two are apart it is an estimate. */
static void test_skewed_commits(void **state)
{
	static const struct {
		double median_us;
		bool is_skewed;
	} medians[] = {{200, false}, {182, false}, {181, true}, {222, false}, {223, true}, {50, true}, {5000, true}};
	struct commit_split split;
	struct stage stage;

	(void)state;
	stage_open_scene(
		&stage, &(struct scene){VOLATILE, .run = SYNC_T1, .commit_us = 200, .writes = 2, .write_us = 50, .flushes = 1});
	for (size_t i = 0; i < sizeof(medians) / sizeof(medians[0]); i++) {
		make_split(&split, &stage, medians[i].median_us);
		assert_number(split.device_share, 0.5, 0.001);
		assert_int_equal(split.is_skewed, medians[i].is_skewed);
		assert_int_equal(split.is_estimate, medians[i].is_skewed);
		assert_false(split.has_others);
		commit_split_release(&split);
	}
	stage.report.storage.may_be_throttled = true;
	make_split(&split, &stage, 200);
	assert_true(split.is_estimate && split.has_others && !split.is_skewed);
	commit_split_release(&split);
	stage.report.storage.is_throttled = true; /* unknown: no estimate of anything */
	make_split(&split, &stage, 50);
	assert_true(!split.is_estimate && !split.has_others && !split.is_skewed && split.reason);
	commit_split_release(&split);
	stage_close(&stage);
}

/* A longer median commit has a longer part of the device and of the host; neither of them ever leaps. */
static void test_parts_grow_steadily(void **state)
{
	double device_us = 0, host_us = 0;
	struct commit_split split;
	struct stage stage;

	(void)state;
	stage_open_scene(
		&stage, &(struct scene){VOLATILE, .run = SYNC_T1, .commit_us = 200, .writes = 2, .write_us = 50, .flushes = 1});
	for (double median_us = 1; median_us <= 400; median_us += 1) {
		make_split(&split, &stage, median_us);
		double device = median_us * split.device_share, host = median_us - device;

		assert_true(device > device_us && device - device_us <= 1);
		assert_true(host > host_us && host - host_us <= 1);
		device_us = device;
		host_us = host;
		commit_split_release(&split);
	}
	stage_close(&stage);
}

/* Both sides of a mirror take each write at once. */
static void test_mirrors(void **state)
{
	struct commit_split split;
	struct stage stage;

	(void)state;
	stage_open_scene(
		&stage, &(struct scene){WITH_LOG, .run = SYNC_T1, .commit_us = 400, .writes = 4, .write_us = 50, .zil_log = 1});
	stage.report.pool.vdevs[1].copies = 2;
	assert_number(share_of(&stage, SYNC_T1), 0.25, 0.001);
	stage_close(&stage);

	const struct scene raid = {
		VOLATILE, .run = SYNC_T1, .copies = 2, .commit_us = 400, .writes = 4, .write_us = 50, .flushes = 2};
	stage_open_scene(&stage, &raid);
	add_device(&stage.report.storage, "vde1", 1U << STORAGE_LEAF, &raid);
	commit_split_make(&split, &stage.report, SYNC_T1);
	assert_number(split.device_share, 0.25, 0.001);
	assert_true(split.is_estimate);
	commit_split_release(&split);
	stage.report.storage.write_copies = 1; /* striped */
	commit_split_make(&split, &stage.report, SYNC_T1);
	assert_int_equal(split.source, SPLIT_UNKNOWN);
	assert_string_equal(split.reason, OVERLAP);
	commit_split_release(&split);
	stage_close(&stage);
}

/* Time that a stack takes above the disk, beyond what its coarse counters may err, is the device's. */
static void test_slow_stack(void **state)
{
	struct commit_split split;
	struct stage stage;

	(void)state;
	stage_open_scene(&stage, &(struct scene){VOLATILE, .run = SYNC_T1, .top_name = "dm-0", .commit_us = 10000,
								 .writes = 2, .write_us = 100, .flushes = 1, .mb_per_s = 0.4});
	struct run_readings *readings = &stage.report.measurements[SYNC_T1].evidence.readings;
	readings->after.devices[STORAGE_TOP].write_time_ms =
		readings->before.devices[STORAGE_TOP].write_time_ms + (uint64_t)(0.4e6 * 5 / 4096 * 9.5);
	commit_split_make(&split, &stage.report, SYNC_T1);
	assert_number(split.device_share, 0.95, 0.005);
	assert_true(split.is_estimate);
	commit_split_release(&split);
	stage_close(&stage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_skewed_commits),
		cmocka_unit_test(test_parts_grow_steadily),
		cmocka_unit_test(test_one_thread),
		cmocka_unit_test(test_mirrors),
		cmocka_unit_test(test_slow_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
