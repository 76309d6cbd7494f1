/* Which way synchronous writes took, by what was counted: as it was seen, and where nothing can be said. */
#include "scene.h"

#include "report/path.h"

enum { SYNC_T1, SYNC_T4, SYNC_T8, SYNC_T16, NO_SYNC };
enum { O_DSYNC_ROW = 5 };
enum { K32 = 10 /* the run of 32 KiB, with the reference rows */ };

#define SLOG .profile = &profile_slog, .buffered = true, .direct = DIRECT_NOT_FOR_SLOG
#define POOL .kind = STORAGE_ZFS, .type = "zfs", .account_unknown = true, .data_vdev = "/dev/vdb1"
#define LOG .has_log = true, .log_vdev = "/dev/vdc"
#define ZFS SLOG, POOL
#define WITH_LOG ZFS, LOG
#define DIRECT .profile = &profile_slog, .direct = DIRECT_ENABLED, POOL, LOG
#define FUA                                                                                                            \
	.profile = &profile_slog, .direct = DIRECT_ENABLED, .write_cache = WRITE_CACHE_VOLATILE, .has_fua = true,          \
	.detail = true
#define VOLATILE SLOG, .write_cache = WRITE_CACHE_VOLATILE

struct path_case {
	struct scene scene;
	enum path_verdict verdict;
	enum path_cause cause;
	enum path_witness witness;
};

/* clang-format off */
static const struct path_case cases[] = {
	/* ZFS by its own count, of all pools or of the dataset: the first five as OpenZFS 2.1.11 was seen to count. */
	{{.name = "to the log", WITH_LOG, .run = SYNC_T1, .sync = "always", .zil_log = 1},
		PATH_LOG, PATH_CAUSE_NONE, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "many commits in one block", WITH_LOG, .run = SYNC_T16, .zil_log = 0.187},
		PATH_LOG, PATH_CAUSE_NONE, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "logbias=throughput", WITH_LOG, .run = SYNC_T1, .logbias = "throughput", .zil_log = 1, .zil_indirect = 1},
		PATH_INDIRECT, PATH_CAUSE_LOGBIAS, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "sync=disabled", WITH_LOG, .run = SYNC_T1, .sync = "disabled", .zil_log = NOTHING},
		PATH_NOT_DURABLE, PATH_CAUSE_SYNC_DISABLED, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "no log", ZFS, .run = SYNC_T1, .zil_pool = 1}, PATH_POOL, PATH_CAUSE_NO_LOG, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "no log, and another pool has one", ZFS, .run = SYNC_T1, .zil_pool = 1, .zil_log = 2},
		PATH_POOL, PATH_CAUSE_NO_LOG, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "a log that is sick", ZFS, .run = SYNC_T1, .sick_log_vdev = "/dev/vdc", .zil_pool = 1, .zil_of_dataset = true},
		PATH_POOL, PATH_CAUSE_LOG_SICK, PATH_BY_ZIL},
	{{.name = "a log that took nothing", WITH_LOG, .run = SYNC_T1, .zil_pool = 1, .zil_of_dataset = true},
		PATH_POOL, PATH_CAUSE_NONE, PATH_BY_ZIL},
	{{.name = "a full log", WITH_LOG, .run = SYNC_T1, .zil_log = 0.5, .zil_pool = 0.5, .zil_of_dataset = true},
		PATH_LOG_PARTLY, PATH_CAUSE_NONE, PATH_BY_ZIL},
	{{.name = "a log that is full at times", WITH_LOG, .run = SYNC_T1, .zil_log = 1, .zil_pool = 0.7, .zil_of_dataset = true},
		PATH_LOG_PARTLY, PATH_CAUSE_NONE, PATH_BY_ZIL},
	{{.name = "a few blocks elsewhere", WITH_LOG, .run = SYNC_T1, .zil_log = 1, .zil_pool = 0.08},
		PATH_LOG, PATH_CAUSE_NONE, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "half here, half there, which is all there was", WITH_LOG, .run = SYNC_T1, .zil_log = 0.5, .zil_pool = 0.5},
		PATH_LOG_PARTLY, PATH_CAUSE_NONE, PATH_BY_ZIL_OF_ALL_POOLS},
	/* Where all pools' blocks do not tell, this pool's devices may. */
	{{.name = "another pool without a log", WITH_LOG, .run = SYNC_T1, .zil_log = 1, .zil_pool = 0.7},
		PATH_LOG, PATH_CAUSE_NONE, PATH_BY_DEVICES},
	{{.name = "another pool without a log, by zpool iostat", WITH_LOG, .run = SYNC_T1, .mb_per_s = 4, .zil_log = 1,
		.zil_pool = 0.7, .pool_activity = {.present = true, .log_writes_per_s = 900, .data_writes_per_s = 20}},
		PATH_LOG, PATH_CAUSE_NONE, PATH_BY_ZPOOL_IOSTAT},
	{{.name = "another pool's log is busy, ours is not", WITH_LOG, .run = SYNC_T1, .mb_per_s = 4, .zil_log = 5, .zil_pool = 1,
		.writes = NOTHING, .pool_activity = {.present = true, .log_writes_per_s = 0, .data_writes_per_s = 1000}},
		PATH_POOL, PATH_CAUSE_NONE, PATH_BY_ZPOOL_IOSTAT},
	{{.name = "the same, by the log device's own counters", WITH_LOG, .run = SYNC_T1, .zil_log = 25, .zil_pool = 1,
		.writes = 0.001}, PATH_POOL, PATH_CAUSE_NONE, PATH_BY_DEVICES},
	{{.name = "the same, and none of them is known", WITH_LOG, .run = SYNC_T1, .zil_log = 5, .zil_pool = 1,
		.writes = NOTHING}, PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "both, enough for 16 threads, and the log lies on a file", ZFS, .has_log = true, .log_vdev = "/srv/log.img",
		.run = SYNC_T16, .zil_log = 0.4, .zil_pool = 0.01}, PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "both, and whose they are cannot be told", WITH_LOG, .run = SYNC_T16, .zil_log = 0.2, .zil_pool = 0.2,
		.writes = NOTHING}, PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_ZIL_OF_ALL_POOLS},
	/* Others' data may be on its way to their pool. */
	{{.name = "another pool's records", WITH_LOG, .run = SYNC_T1, .logbias = "latency", .zil_log = 1, .zil_indirect = 0.6},
		PATH_LOG, PATH_CAUSE_NONE, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "another pool's records, and no log", ZFS, .run = SYNC_T1, .zil_pool = 1, .zil_indirect = 0.6},
		PATH_POOL, PATH_CAUSE_NO_LOG, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "somebody's records, and logbias is not known", WITH_LOG, .run = SYNC_T1, .zil_log = 1, .zil_indirect = 1},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "our own records, and logbias is not known", WITH_LOG, .run = SYNC_T1, .zil_log = 1, .zil_indirect = 1,
		.zil_of_dataset = true}, PATH_INDIRECT, PATH_CAUSE_NONE, PATH_BY_ZIL},
	{{.name = "nothing was logged, and nobody knows why", WITH_LOG, .run = SYNC_T1, .sync = "always", .zil_log = NOTHING},
		PATH_NOT_DURABLE, PATH_CAUSE_NONE, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "nothing was logged, and sync is not known", WITH_LOG, .run = SYNC_T1, .zil_log = NOTHING},
		PATH_NOT_DURABLE, PATH_CAUSE_SYNC_UNREAD, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "too few blocks for all commits", WITH_LOG, .run = SYNC_T4, .zil_log = 0.1},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "large blocks without a log", ZFS, .detail = true, .run = K32, .zil_pool = 1, .zil_indirect = 1},
		PATH_INDIRECT, PATH_CAUSE_LARGE, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "sync=disabled while others commit", WITH_LOG, .run = SYNC_T1, .sync = "disabled", .zil_log = 2},
		PATH_NOT_DURABLE, PATH_CAUSE_SYNC_DISABLED, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "sync=disabled, seen by its settings alone", WITH_LOG, .run = SYNC_T1, .sync = "disabled"},
		PATH_NOT_DURABLE, PATH_CAUSE_SYNC_DISABLED, PATH_BY_NOBODY},
	{{.name = "O_DIRECT on 2.3", DIRECT, .run = SYNC_T1, .zfs_version = "2.3.0", .zil_log = 1, .zil_indirect = 1}, PATH_AROUND, PATH_CAUSE_DIRECT, PATH_BY_ZIL_OF_ALL_POOLS},
	{{.name = "O_DIRECT on 2.2, that takes it for nothing", DIRECT, .run = SYNC_T1, .zfs_version = "2.2.9", .zil_log = 1}, PATH_LOG, PATH_CAUSE_NONE, PATH_BY_ZIL_OF_ALL_POOLS},
	/* zfs-fuse: by zpool iostat, else by the log device's own counters. */
	{{.name = "zpool iostat, the log", WITH_LOG, .run = SYNC_T1, .mb_per_s = 4,
		.pool_activity = {.present = true, .log_writes_per_s = 900, .data_writes_per_s = 20}},
		PATH_LOG, PATH_CAUSE_NONE, PATH_BY_ZPOOL_IOSTAT},
	{{.name = "zpool iostat, no log", ZFS, .run = SYNC_T1, .mb_per_s = 4,
		.pool_activity = {.present = true, .log_writes_per_s = (double)NAN, .data_writes_per_s = 1100}},
		PATH_POOL, PATH_CAUSE_NO_LOG, PATH_BY_ZPOOL_IOSTAT},
	{{.name = "nothing but the devices' counters", WITH_LOG, .run = SYNC_T4, .writes = 0.5},
		PATH_LOG, PATH_CAUSE_NONE, PATH_BY_DEVICES},
	{{.name = "a log that was hardly written", WITH_LOG, .run = SYNC_T1, .writes = 0.1},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "logbias=throughput, and the log is idle", WITH_LOG, .run = SYNC_T1, .logbias = "throughput", .mb_per_s = 4,
		.writes = NOTHING, .pool_activity = {.present = true, .log_writes_per_s = 0, .data_writes_per_s = 5000}},
		PATH_POOL, PATH_CAUSE_LOGBIAS, PATH_BY_ZPOOL_IOSTAT},
	{{.name = "an idle log, and nobody knows why", WITH_LOG, .run = SYNC_T1, .mb_per_s = 4,
		.writes = NOTHING, .pool_activity = {.present = true, .log_writes_per_s = 0, .data_writes_per_s = 5000}},
		PATH_POOL, PATH_CAUSE_NONE, PATH_BY_ZPOOL_IOSTAT},
	{{.name = "an idle log, and the others hardly wrote", WITH_LOG, .run = SYNC_T16, .mb_per_s = 4,
		.writes = NOTHING, .pool_activity = {.present = true, .log_writes_per_s = 0, .data_writes_per_s = 5}},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "logbias=throughput, and nobody counts pointers", WITH_LOG, .run = SYNC_T1, .logbias = "throughput"},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "a log on a file", ZFS, .has_log = true, .log_vdev = "/srv/log.img", .run = SYNC_T1},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "a log on a file in RAM", ZFS, .has_log = true, .log_vdev = "/dev/shm/log.img", .run = SYNC_T1},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "a pool that nobody could be asked about", SLOG, .kind = STORAGE_ZFS, .type = "zfs", .run = SYNC_T1},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	/* Other file systems. */
	{{.name = "flushed", VOLATILE, .run = SYNC_T1, .writes = 2, .flushes = 1.02},
		PATH_FLUSHED, PATH_CAUSE_NONE, PATH_BY_DEVICES},
	{{.name = "several commits in one flush", VOLATILE, .run = SYNC_T16, .writes = 1.94, .flushes = 0.28},
		PATH_FLUSHED, PATH_CAUSE_NONE, PATH_BY_DEVICES},
	{{.name = "fewer flushes than commits of one thread", VOLATILE, .run = SYNC_T1, .flushes = 0.5},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "nobarrier", VOLATILE, .run = SYNC_T1, .flushes = NOTHING},
		PATH_NOT_DURABLE, PATH_CAUSE_NO_BARRIER, PATH_BY_DEVICES},
	{{.name = "nobarrier, and others flush", VOLATILE, .run = SYNC_T1, .options = "rw,nobarrier", .flushes = 1.3},
		PATH_NOT_DURABLE, PATH_CAUSE_NO_BARRIER, PATH_BY_DEVICES},
	{{.name = "barrier=0, and others flush", VOLATILE, .run = SYNC_T16, .options = "rw,barrier=0", .flushes = 0.2},
		PATH_NOT_DURABLE, PATH_CAUSE_NO_BARRIER, PATH_BY_DEVICES},
	{{.name = "barrier=1", VOLATILE, .run = SYNC_T1, .options = "rw,barrier=1", .writes = 2, .flushes = 1},
		PATH_FLUSHED, PATH_CAUSE_NONE, PATH_BY_DEVICES},
	{{.name = "a stack, whose disks never counted a flush", VOLATILE, .run = SYNC_T1, .top_name = "dm-0", .flushes = NOTHING},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "a stack, whose disks have counted flushes", VOLATILE, .run = SYNC_T1, .top_name = "dm-0", .flushes = NOTHING,
		.flushed_before = true}, PATH_NOT_DURABLE, PATH_CAUSE_NO_BARRIER, PATH_BY_DEVICES},
	{{.name = "a loop without flushes", VOLATILE, .run = SYNC_T1, .is_shared = true, .top_name = "loop3",
		.flushes = NOTHING}, PATH_NOT_DURABLE, PATH_CAUSE_NO_BARRIER, PATH_BY_DEVICES},
	{{.name = "a loop", VOLATILE, .run = SYNC_T1, .is_shared = true, .top_name = "loop3", .writes = 2.02, .flushes = 1.02},
		PATH_FLUSHED, PATH_CAUSE_NONE, PATH_BY_DEVICES},
	{{.name = "past the cache", FUA, .run = O_DSYNC_ROW, .flushes = NOTHING},
		PATH_WRITTEN, PATH_CAUSE_NONE, PATH_BY_DEVICES},
	{{.name = "past the cache, but O_SYNC has more to write, and sends a flush", FUA, .run = SYNC_T1, .flushes = NOTHING},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "past the cache, which the page cache never does", VOLATILE, .has_fua = true, .detail = true,
		.run = O_DSYNC_ROW, .flushes = NOTHING}, PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "flushed, though it could be written past the cache", VOLATILE, .has_fua = true, .run = SYNC_T1,
		.writes = 2, .flushes = 1}, PATH_FLUSHED, PATH_CAUSE_NONE, PATH_BY_DEVICES},
	{{.name = "no cache", SLOG, .write_cache = WRITE_CACHE_NONE, .run = SYNC_T1, .flushes = NOTHING},
		PATH_WRITTEN, PATH_CAUSE_NONE, PATH_BY_DEVICES},
	{{.name = "no cache, an old kernel", SLOG, .write_cache = WRITE_CACHE_NONE, .run = SYNC_T1},
		PATH_WRITTEN, PATH_CAUSE_NONE, PATH_BY_DEVICES},
	{{.name = "no cache, but one in RAM above it", SLOG, .write_cache = WRITE_CACHE_NONE, .run = SYNC_T1, .is_shared = true,
		.top_name = "loop3", .ram_cache = "the page cache behind loop3"}, PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "no cache, but nothing was written", SLOG, .write_cache = WRITE_CACHE_NONE, .run = SYNC_T1, .writes = NOTHING},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "an old kernel, that counts no flush", VOLATILE, .run = SYNC_T1},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "nobody knows the cache", SLOG, .run = SYNC_T1, .flushes = 1},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "dax", VOLATILE, .run = SYNC_T1, .flushes = NOTHING, .options = "rw,dax"},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "a zvol", VOLATILE, .run = SYNC_T1, .flushes = 1, .hides_cache = true},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "NFS", SLOG, .kind = STORAGE_NFS, .network_known = true, .run = SYNC_T1},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "tmpfs", SLOG, .kind = STORAGE_RAM, .run = SYNC_T1}, PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "FUSE", SLOG, .is_unknown = true, .run = SYNC_T1}, PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "no sync", VOLATILE, .detail = true, .run = NO_SYNC, .flushes = NOTHING},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
	{{.name = "not a synchronous profile", .run = 1, .write_cache = WRITE_CACHE_VOLATILE, .flushes = NOTHING},
		PATH_UNKNOWN, PATH_CAUSE_NONE, PATH_BY_NOBODY},
};
/* clang-format on */

static void test_cases(void **state)
{
	size_t right = 0, count = sizeof(cases) / sizeof(cases[0]);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		const struct path_case *expected = &cases[i];
		struct path_proof proof;
		struct stage stage;

		stage_open_scene(&stage, &expected->scene);
		path_prove(&proof, &stage.report, expected->scene.run);
		if (proof.verdict == expected->verdict && proof.cause == expected->cause &&
			proof.witness == expected->witness) {
			right++;
		} else {
			print_error("%s: verdict %d, cause %d, witness %d\n", expected->scene.name, (int)proof.verdict,
				(int)proof.cause, (int)proof.witness);
		}
		stage_close(&stage);
	}
	assert_int_equal(right, count);
}

/* The figures, for each commit and each copy. */
static void test_figures(void **state)
{
	struct path_proof proof;
	struct stage stage;

	(void)state;
	stage_open_scene(&stage, &(struct scene){WITH_LOG, .run = SYNC_T16, .zil_log = 0.3, .zil_pool = 0.1, .writes = 0.8,
								 .pool_activity = {true, 11, 12, 13, 14, 15}});
	stage.report.pool.vdevs[1].copies = 2;
	path_prove(&proof, &stage.report, SYNC_T16);
	assert_number(proof.commits, 5e9 / 4096, 1);
	assert_number(proof.log_share, 0.75, 0.001);
	assert_number(proof.writes_per_commit, 0.4, 0.001);
	assert_number(proof.log_writes_per_s, 11, 0);
	assert_number(proof.data_writes_per_s, 13, 0);
	assert_true(isnan(proof.flushes_per_commit));
	stage_close(&stage);

	const struct scene two_disks = {VOLATILE, .run = SYNC_T1, .writes = 2, .flushes = 2};
	stage_open_scene(&stage, &two_disks);
	add_device(&stage.report.storage, "vde", 1U << STORAGE_DISK, &two_disks);
	path_prove(&proof, &stage.report, SYNC_T1);
	assert_number(proof.writes_per_commit, 2, 0.001);
	assert_number(proof.flushes_per_commit, 1, 0.001); /* on each of the two disks */
	assert_int_equal(proof.verdict, PATH_FLUSHED);
	stage.report.measurements[SYNC_T1].evidence.present = false;
	path_prove(&proof, &stage.report, SYNC_T1);
	assert_int_equal(proof.verdict, PATH_UNKNOWN);
	assert_true(isnan(proof.commits));
	stage_close(&stage);
}

struct doubt_case {
	struct scene scene;
	bool is_all;
	enum path_others others;
};

#define IOSTAT .mb_per_s = 4, .pool_activity /* 977 commits a second */

/* What is proven of all commits, and whose requests were counted. */
static const struct doubt_case doubts[] = {
	{{.name = "the intent log", WITH_LOG, .run = SYNC_T16, .zil_log = 0.2}, true, PATH_OTHERS_UNSEEN},
	{{.name = "zpool iostat, one thread", WITH_LOG, .run = SYNC_T1, IOSTAT = {true, 900, 12, 20, 14, 15}}, true,
		PATH_OTHERS_UNSEEN},
	{{.name = "zpool iostat, half of it", WITH_LOG, .run = SYNC_T1, IOSTAT = {true, 540, 12, 20, 14, 15}}, false,
		PATH_OTHERS_UNSEEN},
	{{.name = "zpool iostat, 16 threads", WITH_LOG, .run = SYNC_T16, IOSTAT = {true, 40, 12, 960, 14, 15}}, false,
		PATH_OTHERS_UNSEEN},
	{{.name = "devices, one thread", WITH_LOG, .run = SYNC_T1}, true, PATH_OTHERS_UNSEEN},
	{{.name = "devices, one thread, half of the writes are flushes",
		 WITH_LOG,
		 .run = SYNC_T1,
		 .write_cache = WRITE_CACHE_VOLATILE},
		false, PATH_OTHERS_UNSEEN},
	{{.name = "devices, one thread, and each flush is counted",
		 WITH_LOG,
		 .run = SYNC_T1,
		 .write_cache = WRITE_CACHE_VOLATILE,
		 .writes = 2,
		 .flushes = 1},
		true, PATH_OTHERS_UNSEEN},
	{{.name = "devices, 4 threads", WITH_LOG, .run = SYNC_T4}, false, PATH_OTHERS_UNSEEN},
	{{.name = "a journal's two flushes", VOLATILE, .run = SYNC_T1, .writes = 4, .flushes = 2}, false,
		PATH_OTHERS_UNSEEN},
	{{.name = "more flushes than that", VOLATILE, .run = SYNC_T1, .writes = 12, .flushes = 2.8}, false,
		PATH_OTHERS_LIKELY},
	{{.name = "two flushes where one does", VOLATILE, .run = SYNC_T1, .has_fua = true, .writes = 4, .flushes = 2},
		false, PATH_OTHERS_LIKELY},
	{{.name = "others' bytes",
		 VOLATILE,
		 .run = SYNC_T1,
		 .writes = 2,
		 .flushes = 1,
		 .others_written_mb_per_s = 500,
		 .idle_written_mb_per_s = 500},
		false, PATH_OTHERS_SEEN},
	{{.name = "a rebuild", VOLATILE, .run = SYNC_T1, .writes = 2, .flushes = 1, .background_work = "resync of md0"},
		false, PATH_OTHERS_SEEN},
	{{.name = "others' flushes, just before it",
		 VOLATILE,
		 .run = SYNC_T16,
		 .writes = 1.1,
		 .flushes = 0.2,
		 .idle_flushes = 1000000},
		false, PATH_OTHERS_LIKELY},
	{{.name = "a journal's flush, just before it", VOLATILE, .run = SYNC_T1, .mb_per_s = 0.01, .flushes = 1.5,
		 .idle_flushes = 2},
		false, PATH_OTHERS_UNSEEN},
	{{.name = "others beneath a loop, whose own counters do not see them",
		 VOLATILE,
		 .run = SYNC_T1,
		 .is_shared = true,
		 .top_name = "loop3",
		 .writes = 2.02,
		 .flushes = 1.02,
		 .others_written_mb_per_s = 500},
		false, PATH_OTHERS_UNSEEN},
};

static void test_doubts(void **state)
{
	size_t right = 0, count = sizeof(doubts) / sizeof(doubts[0]);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		const struct doubt_case *expected = &doubts[i];
		enum path_verdict verdict = expected->scene.kind == STORAGE_ZFS ? PATH_LOG : PATH_FLUSHED;
		struct path_proof proof;
		struct stage stage;

		stage_open_scene(&stage, &expected->scene);
		path_prove(&proof, &stage.report, expected->scene.run);
		if (proof.verdict == verdict && proof.is_all == expected->is_all && proof.others == expected->others) {
			right++;
		} else {
			print_error("%s: verdict %d, %s, others %d\n", expected->scene.name, (int)proof.verdict,
				proof.is_all ? "all" : "not all", (int)proof.others);
		}
		stage_close(&stage);
	}
	assert_int_equal(right, count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_doubts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
