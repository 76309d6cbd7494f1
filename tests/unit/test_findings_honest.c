/* Not one honest run is marked, and the line below the table tells what was checked, and what could not be. */
#include "findings_scene.h"

/* clang-format off */
static const struct scene honest[] = {
	{.name = "ext4 SEQ1M Q8 read", .run = SEQ_Q8_READ, .depth = 7, .saturation = 0.16, .job_cpu = 0.25},
	{.name = "ext4 SEQ1M Q8 write", .run = SEQ_Q8_WRITE, .depth = 15, .moved = 1.018},
	{.name = "ext4 SEQ1M Q1 read", .run = SEQ_Q1_READ, .depth = 1.9},
	{.name = "ext4 SEQ1M Q1 write", .run = SEQ_Q1_WRITE, .depth = 1.3, .moved = 1.004},
	{.name = "loop RND4K Q32T16 read", .run = RND_Q32_READ, .depth = 105, .queue_limit = 128, .saturation = 0.87,
		.all_cpu = 0.82, .is_shared = true},
	{.name = "loop RND4K Q32T16 write, libaio", .run = RND_Q32_WRITE, .engine = ENGINE_LIBAIO, .depth = 118,
		.queue_limit = 128, .saturation = 0.74, .is_shared = true},
	{.name = "vda RND4K Q32T16", .run = RND_Q32_READ, .depth = 230, .queue_limit = 256, .saturation = 0.8},
	{.name = "RND4K Q1 read", .run = RND_Q1_READ, .mb_per_s = 40, .depth = 0.7},
	{.name = "RND4K Q1 write", .run = RND_Q1_WRITE, .mb_per_s = 30, .depth = 0.85},
	{.name = "btrfs nodatacow write", .type = "btrfs", .run = RND_Q32_WRITE, .depth = 57, .queue_limit = 128,
		.all_cpu = 0.94, .saturation = 0.87},
	{.name = "btrfs with checksums, read", .type = "btrfs", .run = SEQ_Q8_READ, .dishonoured = {false, true}},
	{.name = "posixaio Q1", .run = RND_Q1_READ, .engine = ENGINE_POSIXAIO, .saturation = 0.07, .depth = 0.7},
	{.name = "sync Q1", .run = SEQ_Q1_WRITE, .engine = ENGINE_SYNC, .saturation = NOTHING, .depth = 1.3},
	{.name = "libaio buffered Q1, cold", .run = SEQ_Q1_READ, .engine = ENGINE_LIBAIO, .buffered = true,
		.saturation = 0.99, .job_cpu = 0.25, .resident = 1},
	{.name = "io_uring buffered, cold", .run = SEQ_Q8_READ, .buffered = true, .resident = 1, .depth = 2},
	{.name = "throttled", .run = RND_Q32_READ, .is_throttled = true, .depth = 0.7, .saturation = 0.1, .mb_per_s = 8},
	{.name = "slog on ext4", .profile = &profile_slog, .run = SYNC_T16, .engine = ENGINE_PSYNC, .buffered = true,
		.direct = DIRECT_NOT_FOR_SLOG, .moved = 1.08, .dirtied = 1, .all_cpu = 0.81, .resident = 1},
	{.name = "slog on ext4, flushed", .profile = &profile_slog, .run = SYNC_T16, .engine = ENGINE_PSYNC, .buffered = true,
		.direct = DIRECT_NOT_FOR_SLOG, .write_cache = WRITE_CACHE_VOLATILE, .flushes = 0.07, .dirtied = 1},
	{.name = "slog past the cache", .profile = &profile_slog, .run = SYNC_T1, .engine = ENGINE_PSYNC, .buffered = true,
		.direct = DIRECT_NOT_FOR_SLOG, .write_cache = WRITE_CACHE_VOLATILE, .flushes = NOTHING, .has_fua = true},
	{.name = "slog on what needs no flush", .profile = &profile_slog, .run = SYNC_T1, .engine = ENGINE_PSYNC,
		.buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .write_cache = WRITE_CACHE_NONE, .flushes = NOTHING},
	{.name = "slog beneath a stack that hands flushes on", .profile = &profile_slog, .run = SYNC_T1,
		.engine = ENGINE_PSYNC, .buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .top_name = "dm-0",
		.write_cache = WRITE_CACHE_VOLATILE, .flushes = NOTHING},
	{.name = "slog where nobody counts flushes", .profile = &profile_slog, .run = SYNC_T1, .engine = ENGINE_PSYNC,
		.buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .write_cache = WRITE_CACHE_VOLATILE},
	{.name = "changed to sync=disabled after the run", .profile = &profile_slog, .run = SYNC_T1, .engine = ENGINE_PSYNC,
		.buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .kind = STORAGE_ZFS, .account_unknown = true,
		.sync = "disabled", .zil_pool = 1, .zil_of_dataset = true},
	{.name = "the row that waits for nothing", .profile = &profile_slog, .detail = true, .run = NO_SYNC, .engine = ENGINE_PSYNC,
		.buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .moved = NOTHING, .dirtied = 1, .job_cpu = 1, .all_cpu = 1,
		.flushed = 0.5},
	{.name = "the row that waits for nothing, with sync=disabled", .profile = &profile_slog, .detail = true, .run = NO_SYNC,
		.engine = ENGINE_PSYNC, .buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .kind = STORAGE_ZFS,
		.account_unknown = true, .moved = 0.4, .sync = "disabled"},
	{.name = "the row that waits for nothing, on FUSE", .profile = &profile_slog, .detail = true, .run = NO_SYNC,
		.engine = ENGINE_PSYNC, .buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .is_unknown = true},
	{.name = "slog on a mirror with a log", .profile = &profile_slog, .run = SYNC_T4, .engine = ENGINE_PSYNC,
		.buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .kind = STORAGE_ZFS, .has_log = true, .copies = 2,
		.account_unknown = true},
	{.name = "dd write", .profile = &profile_dd, .run = DD_WRITE, .buffered = true, .direct = DIRECT_REFUSED, .dirtied = 1,
		.resident = 1},
	{.name = "dd uncached read", .profile = &profile_dd, .run = DD_UNCACHED, .buffered = true, .direct = DIRECT_REFUSED},
	{.name = "dd cached read", .profile = &profile_dd, .run = DD_CACHED, .buffered = true, .moved = NOTHING,
		.job_cpu = 1, .all_cpu = 1},
	{.name = "dd cached read, a little of it not", .profile = &profile_dd, .run = DD_CACHED, .buffered = true,
		.moved = 0.099},
	{.name = "RAID1 write", .run = SEQ_Q8_WRITE, .leaf = 2.02, .copies = 2},
	{.name = "btrfs RAID1 write", .run = SEQ_Q8_WRITE, .moved = 2.02, .copies = 2},
	{.name = "RAID5 write", .run = RND_Q32_WRITE, .leaf = 1.9, .copies = -1, .others_read_mb_per_s = 900},
	{.name = "ZFS direct", .run = SEQ_Q8_READ, .kind = STORAGE_ZFS, .type = "zfs", .account_unknown = true},
	{.name = "ZFS, whole records for parts, all from disk", .run = RND_Q1_READ, .kind = STORAGE_ZFS, .moved = 32,
		.account_unknown = true, .arc_misses = 1},
	{.name = "NFS read", .run = SEQ_Q8_READ, .kind = STORAGE_NFS, .network_known = true, .account_unknown = true},
	{.name = "NFS write", .run = SEQ_Q8_WRITE, .kind = STORAGE_NFS, .network_known = true, .moved = 1.01},
	{.name = "at the edges: bytes", .run = SEQ_Q8_READ, .moved = 0.9501, .unwritten = 0.0099},
	{.name = "at the edges: CPU", .run = RND_Q32_READ, .job_cpu = 0.89, .all_cpu = 0.949, .quota = 0.09},
	{.name = "at the edges: depth", .run = RND_Q32_READ, .depth = 24.5, .saturation = 0.94, .queue_limit = 128},
	{.name = "at the edges: depth of one job", .run = SEQ_Q8_READ, .depth = 1.6},
	{.name = "shallow, since the processors are busy", .run = RND_Q32_READ, .depth = 10, .job_cpu = 0.76},
	{.name = "a device that takes 32 at once", .run = RND_Q32_READ, .depth = 20, .queue_limit = 32},
	{.name = "submission that blocks for most of the time", .run = RND_Q32_READ, .depth = 25, .queue_limit = 256,
		.saturation = 0.94},
	{.name = "shallow, since all processors are busy", .run = RND_Q32_READ, .depth = 10, .all_cpu = 0.91},
	{.name = "our own data compresses by a tenth", .run = SEQ_Q8_WRITE, .type = "btrfs", .moved = 0.9,
		.has_compression = true, .encoded = 1},
	{.name = "others flush beneath a loop", .run = SEQ_Q8_WRITE, .is_shared = true, .others_written_mb_per_s = 100},
	{.name = "a CPU quota keeps the queue empty", .run = RND_Q32_READ, .depth = 2, .queue_limit = 128, .quota = 0.15},
	{.name = "throttled, and the processor busy", .run = RND_Q32_READ, .is_throttled = true, .saturation = 0.97,
		.job_cpu = 0.6},
	{.name = "bcache is read to be written", .run = SEQ_Q8_WRITE, .has_device_cache = true, .others_read_mb_per_s = 500},
	{.name = "at the edges: others", .run = SEQ_Q8_READ, .others_read_mb_per_s = 100},
	{.name = "others, but hardly any", .run = RND_Q1_WRITE, .mb_per_s = 0.4, .others_read_mb_per_s = 0.9},
	{.name = "another file system above the same disk", .run = SEQ_Q8_READ, .is_shared = true,
		.others_written_mb_per_s = 800},
	{.name = "at the edges: amplification", .run = RND_Q1_WRITE, .moved = 1.99},
	{.name = "a lull before a busy write", .run = SEQ_Q8_WRITE, .moved = 1.5, .idle_written_mb_per_s = 100},
	{.name = "btrfs writes its trees after a write run", .type = "btrfs", .run = RND_Q1_READ, .mb_per_s = 40,
		.others_written_mb_per_s = 30},
	{.name = "bcache promotes what is read", .run = RND_Q1_READ, .has_device_cache = true, .others_written_mb_per_s = 500},
	{.name = "dm-cache fetches whole blocks", .run = RND_Q1_READ, .mb_per_s = 40, .has_device_cache = true,
		.others_read_mb_per_s = 400, .others_written_mb_per_s = 400},
	{.name = "bcache writes back what the run before wrote", .run = RND_Q1_READ, .mb_per_s = 40, .has_device_cache = true,
		.others_read_mb_per_s = 80, .others_written_mb_per_s = 80, .idle_read_mb_per_s = 80,
		.idle_written_mb_per_s = 80},
	{.name = "degraded RAID5 reads its parity", .run = RND_Q32_READ, .copies = -1, .others_read_mb_per_s = 2000},
	{.name = "others write while btrfs reads: not to be told from its own", .type = "btrfs", .run = SEQ_Q8_READ,
		.mb_per_s = 400, .others_written_mb_per_s = 100, .idle_written_mb_per_s = 90},
	{.name = "btrfs reads its trees while writing", .type = "btrfs", .run = RND_Q1_WRITE, .mb_per_s = 20,
		.others_read_mb_per_s = 30},
	{.name = "ZFS, its own transaction groups before a log run", .profile = &profile_slog, .run = SYNC_T4,
		.engine = ENGINE_PSYNC, .buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .kind = STORAGE_ZFS, .type = "zfs",
		.account_unknown = true, .mb_per_s = 40, .others_written_mb_per_s = 150, .idle_written_mb_per_s = 150},
	{.name = "ZFS, its own transaction groups before a read run", .run = SEQ_Q8_READ, .kind = STORAGE_ZFS, .type = "zfs",
		.account_unknown = true, .mb_per_s = 100, .others_written_mb_per_s = 150, .idle_written_mb_per_s = 150},
	{.name = "a scrub beside the row of RAM", .profile = &profile_dd, .run = DD_CACHED, .buffered = true, .moved = 0.05,
		.background_work = "scrub of tank"},
	{.name = "ext4 data=journal writes its journal back", .run = RND_Q1_READ, .mb_per_s = 40, .journals_data = true,
		.others_written_mb_per_s = 30, .idle_written_mb_per_s = 30},
	{.name = "stale pages, and nobody knows what was made dirty", .run = RND_Q1_WRITE, .resident = 0.9,
		.dirtied_unknown = true},
	{.name = "ZFS 2.3, direct 4K", .run = RND_Q32_READ, .kind = STORAGE_ZFS, .type = "zfs", .moved = 32,
		.account_unknown = true},
	{.name = "ZFS 2.3, direct 4K beside others' hits", .run = RND_Q32_READ, .kind = STORAGE_ZFS, .type = "zfs",
		.moved = 32, .account_unknown = true, .arc_hits = 5},
	{.name = "ZFS, neither found in the ARC nor missed", .run = RND_Q32_READ, .buffered = true, .kind = STORAGE_ZFS,
		.moved = 32, .account_unknown = true, .cache_bytes = 1},
	{.name = "ZFS, sync=disabled, not synchronous", .run = SEQ_Q8_WRITE, .kind = STORAGE_ZFS, .type = "zfs",
		.account_unknown = true, .sync = "disabled"},
	{.name = "md without request time", .run = RND_Q32_READ, .top_depth = NOTHING},
	{.name = "md without request time, the disks deep", .run = RND_Q32_READ, .top_depth = NOTHING, .leaf_depth = 200},
	{.name = "a busy disk beneath a loop", .run = RND_Q32_READ, .is_shared = true, .leaf_depth = 400},
	{.name = "in flight on a slow device", .run = RND_Q32_READ, .mb_per_s = 2, .depth = 12, .in_flight = 480,
		.queue_limit = 512},
	{.name = "a device too slow to tell", .run = RND_Q32_READ, .mb_per_s = 0.4, .depth = 12, .blocks = 600,
		.saturation = 0.99, .queue_limit = 256},
	{.name = "split requests, all in flight", .run = SEQ_Q8_READ, .depth = 60, .fragments = 8},
	{.name = "others' small requests are no fragments", .run = SEQ_Q8_READ, .mb_per_s = 100, .depth = 12,
		.moved = 1.05, .account = 1, .fragments = 13},
	{.name = "in a container", .run = RND_Q32_READ, .may_be_throttled = true, .depth = 0.7, .mb_per_s = 8},
	{.name = "dax for some files only", .run = SEQ_Q8_READ, .options = "rw,dax=inode"},
	{.name = "CPU quota, hardly felt by 16 jobs on 8 processors", .run = RND_Q32_READ, .processors = 8, .quota = 0.7},
	{.name = "at the edges: the link", .run = SEQ_Q8_READ, .mb_per_s = 611, .link_mb_per_s = 600},
	{.name = "compressing, but the data does not", .run = SEQ_Q8_WRITE, .has_compression = true},
	{.name = "all descriptors direct", .run = SEQ_Q8_READ, .files = 16, .direct_files = 16},
	{.name = "stale pages of the layout", .run = SEQ_Q8_READ, .resident = 1},
	{.name = "stale pages that a random write left", .run = RND_Q1_WRITE, .resident = 0.9, .dirtied = 0.01},
	{.name = "metadata flushed later", .run = SEQ_Q8_WRITE, .flushed = 0.2},
};
/* clang-format on */

static void test_honest(void **state)
{
	(void)state;
	check_scenes(honest, sizeof(honest) / sizeof(honest[0]));
}

static void expect_checked(struct stage *stage, const char *right)
{
	report_check(&stage->report);
	expect_text(findings_checked(&stage->report.findings, &stage->report), right);
	stage_close(stage);
}

static void test_checked(void **state)
{
	struct stage stage;

	(void)state;
	stage_fill(&stage, &(struct scene){.link_mb_per_s = 2000});
	stage_add(&stage, &(struct scene){.moved = 1.02}, SEQ_Q8_READ);
	expect_checked(&stage,
		"Checked: 100 to 102 % of the bytes went to or came from vdb1; queue depth reached, O_DIRECT "
		"honoured, little or no other traffic, CPU and link not the limit.");
	stage_fill(&stage, &(struct scene){.link_mb_per_s = 2000});
	stage_add(&stage, &(struct scene){.moved = 0.3}, SEQ_Q8_READ);
	expect_checked(&stage,
		"Unmarked figures: 100 % of the bytes went to or came from vdb1; queue depth reached, O_DIRECT "
		"honoured, little or no other traffic, CPU and link not the limit.");
	stage_fill(&stage, &(struct scene){.is_throttled = true, .moved = 3});
	expect_checked(&stage,
		"Checked: at least 100 % of the bytes went to or came from vdb1; O_DIRECT honoured, little or "
		"no other traffic, CPU not the limit. Not checked: queue depth (a control group throttles the "
		"device), others who began to write meanwhile.");
	stage_open_scene(&stage, &(struct scene){.run = SEQ_Q1_READ, .buffered = true});
	expect_checked(
		&stage, "Checked: 100 % of the bytes came from vdb1; little or no other traffic, CPU not the limit.");
	stage_open_scene(&stage, &(struct scene){.run = SEQ_Q8_WRITE, .kind = STORAGE_NFS, .network_known = true});
	stage.report.direct_verdict.honours[TRANSFER_WRITE] = HONOUR_UNKNOWN;
	expect_checked(&stage,
		"Checked: 100 % of the bytes went to the server; CPU not the limit. Not checked: queue depth "
		"(the server keeps it), whether O_DIRECT is honoured, other traffic.");
	stage_open_scene(&stage,
		&(struct scene){.profile = &profile_dd, .run = DD_UNCACHED, .buffered = true, .direct = DIRECT_REFUSED});
	stage_add(&stage, &(struct scene){.buffered = true, .moved = NOTHING}, DD_CACHED);
	expect_checked(&stage,
		"Checked: 100 % of the bytes came from vdb1, the cached read came from RAM; little or no other "
		"traffic, CPU not the limit.");
	stage_open_scene(&stage, &(struct scene){.run = SEQ_Q1_WRITE, .link_mb_per_s = 2000});
	stage.report.measurements[SEQ_Q1_WRITE].evidence.readings.idle.at_ns = 0;
	expect_checked(&stage,
		"Checked: 100 % of the bytes went to vdb1; O_DIRECT honoured, CPU and link not the limit. Not "
		"checked: other traffic.");
	stage_open_scene(&stage, &(struct scene){.run = SEQ_Q8_READ});
	stage.report.measurements[SEQ_Q8_READ].evidence.present = false;
	report_check(&stage.report);
	assert_null(findings_checked(&stage.report.findings, &stage.report));
	stage_close(&stage);
}

/* What cannot be told is named, and why. */
static void test_not_checked(void **state)
{
	static const struct {
		struct scene scene;
		const char *right;
	} cases[] = {
		{{.run = SEQ_Q8_READ, .type = "btrfs"},
			"Checked: 100 % of the bytes came from vdb1; queue depth reached, O_DIRECT honoured, little or no other "
			"reads, "
			"CPU not the limit. Not checked: others' writes (this storage writes on after a run)."},
		{{.run = SEQ_Q1_WRITE, .type = "btrfs"}, "Checked: 100 % of the bytes went to vdb1; O_DIRECT honoured, CPU not "
												 "the limit. Not checked: other traffic."},
		{{.run = SEQ_Q1_READ, .kind = STORAGE_ZFS, .type = "zfs", .account_unknown = true},
			"Checked: 100 % of the bytes came from vdb1; O_DIRECT honoured, little or no other reads, CPU not the "
			"limit. "
			"Not checked: others' writes (this storage writes on after a run)."},
		{{.run = SEQ_Q1_READ, .kind = STORAGE_ZFS, .type = "zfs", .account_unknown = true, .idle_unknown = true},
			"Checked: 100 % of the bytes came from vdb1; O_DIRECT honoured, CPU not the limit. Not checked: other "
			"traffic."},
		{{.run = SEQ_Q1_WRITE, .account_unknown = true}, "Checked: 100 % of the bytes went to vdb1; O_DIRECT honoured, "
														 "little or no other writes, CPU not the limit. "
														 "Not checked: others' reads while writing."},
		{{.run = RND_Q1_WRITE, .kind = STORAGE_ZFS, .account_unknown = true},
			"Checked: 100 % of the bytes went to vdb1; CPU not the limit. Not checked: whether O_DIRECT is honoured, "
			"other "
			"traffic."},
		{{.run = RND_Q1_WRITE, .kind = STORAGE_ZFS, .account_unknown = true, .record_size = "4096"},
			"Checked: 100 % of the bytes went to vdb1; O_DIRECT honoured, CPU not the limit. Not checked: other "
			"traffic."},
		{{.run = RND_Q1_READ, .kind = STORAGE_ZFS, .moved = 32, .account_unknown = true},
			"Checked: at least 100 % of the bytes came from vdb1; O_DIRECT honoured, little or no other reads, CPU not "
			"the "
			"limit. Not checked: others' writes (this storage writes on after a run)."},
		{{.run = SEQ_Q8_READ, .may_be_throttled = true},
			"Checked: 100 % of the bytes came from vdb1; O_DIRECT honoured, little or no other traffic, CPU not the "
			"limit. "
			"Not checked: queue depth (limits that are not to be seen from here may hold requests back)."},
		{{.run = RND_Q32_READ, .mb_per_s = 0.4}, "Checked: 100 % of the bytes came from vdb1; O_DIRECT honoured, "
												 "little or no other traffic, CPU not the limit. "
												 "Not checked: queue depth (too few requests were completed)."},
		{{.run = RND_Q32_READ, .top_depth = NOTHING}, "Checked: 100 % of the bytes came from vdb1; O_DIRECT honoured, "
													  "little or no other traffic, CPU not the limit. "
													  "Not checked: queue depth (no counter told it)."},
		{{.profile = &profile_dd,
			 .run = DD_UNCACHED,
			 .buffered = true,
			 .direct = DIRECT_REFUSED,
			 .job_cpu_unknown = true},
			"Checked: 100 % of the bytes came from vdb1; little or no other traffic. Not checked: CPU."},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stage stage;

		stage_open_scene(&stage, &cases[i].scene);
		expect_checked(&stage, cases[i].right);
	}
	/* reads and writes together */
	struct stage stage;
	stage_fill(&stage, &(struct scene){.type = "btrfs"});
	expect_checked(&stage,
		"Checked: 100 % of the bytes went to or came from vdb1; queue depth reached, O_DIRECT honoured, "
		"little or no other reads while reading, CPU not the limit. Not checked: other traffic while "
		"writing, others' writes while reading (this storage writes on after a run).");
	stage_fill(&stage, &(struct scene){.copies = -1});
	expect_checked(&stage,
		"Checked: 100 % of the bytes went to or came from vdb1; queue depth reached, O_DIRECT honoured, "
		"little or no other traffic, CPU not the limit. Not checked: others' reads while writing.");
}

/* The rows of the profile that are not in the plan are no rows: the others are every row. */
static void test_planned_rows(void **state)
{
	const struct scene scene = {.profile = &profile_slog,
		.engine = ENGINE_PSYNC,
		.buffered = true,
		.direct = DIRECT_NOT_FOR_SLOG,
		.is_unknown = true};
	struct stage stage;

	(void)state;
	stage_fill(&stage, &scene);
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report), "? every row: nobody can tell here whether these are the device's "
											   "figures or a cache's (no device is known); to be "
											   "sure, measure where the disks are [source-unknown]\n");
	plan_add_experiment(&stage.plan, (const unsigned[]){0, POWER_HOLD_GOVERNOR}, 2);
	report_grow(&stage.report);
	for (size_t run = 4; run < stage.plan.run_count; run++) {
		stage_add(&stage, &scene, run);
	}
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report), "? every row: nobody can tell here whether these are the device's "
											   "figures or a cache's (no device is known); to be "
											   "sure, measure where the disks are [source-unknown]\n");
	stage_close(&stage);
	struct scene known = scene;
	known.is_unknown = false;
	known.detail = true;
	stage_fill(&stage, &known);
	expect_checked(&stage,
		"Checked: 100 % of the bytes went to vdb1; little or no other traffic, CPU not the limit. Not checked: the "
		"latencies (fio's word), 4K no sync (RAM takes such writes).");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_honest),
		cmocka_unit_test(test_checked),
		cmocka_unit_test(test_not_checked),
		cmocka_unit_test(test_planned_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
