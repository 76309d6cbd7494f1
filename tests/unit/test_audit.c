/* From readings to shares, and what is left where readings are missing. */
#include "scene.h"

#include "render/render.h"

/* The runs of the plan. */
enum { SEQ_Q8_READ, SEQ_Q8_WRITE, SEQ_Q1_READ, SEQ_Q1_WRITE, RND_Q32_READ, RND_Q32_WRITE, RND_Q1_READ, RND_Q1_WRITE };

#define assert_unknown(value) assert_true(isnan(value))

static struct audit audit_of(const struct stage *stage, size_t run)
{
	struct audit audit;

	audit_make(&audit, &stage->report, run);
	return audit;
}

/* The audit of a scene, in words as well; the stage is gone afterwards. */
static struct audit audit_scene(const struct scene *scene, const char *words)
{
	struct stage stage;

	stage_open_scene(&stage, scene);
	struct audit audit = audit_of(&stage, scene->run);
	char *found = audit_describe(&audit, &stage.report.storage, stage.plan.runs[scene->run].transfer);
	assert_string_equal(found, words);
	free(found);
	stage_close(&stage);
	return audit;
}

static void test_read(void **state)
{
	(void)state;
	struct audit audit =
		audit_scene(&(struct scene){.run = RND_Q32_READ, .depth = 118, .all_cpu = 0.82}, "from the device 100 %");
	assert_number(audit.from_device, 1, 1e-6);
	assert_number(audit.queue_depth, 118, 0.01);
	assert_number(audit.processors_busy, 0.82, 1e-6);
	assert_number(audit.foreign_share, 0, 1e-6);
	assert_number(audit.quota_wait, 0, 1e-6);
	assert_int_equal(audit.processor_count, 2);
	assert_unknown(audit.on_device);
	assert_unknown(audit.flushed_later);
	assert_unknown(audit.written_copies);
	assert_unknown(audit.page_cache);
	/* the least of all layers */
	audit = audit_scene(&(struct scene){.moved = 1, .leaf = 0.01}, "from RAM: 1 % came from the device");
	assert_number(audit.from_device, 0.01, 1e-6);
	audit = audit_scene(&(struct scene){.moved = 1, .account = 0.37001}, "mixed 37 %");
	assert_number(audit.from_device, 0.37, 1e-4);
	audit = audit_scene(&(struct scene){.moved = 0.5, .account_unknown = true}, "mixed 50 %");
	assert_number(audit.from_device, 0.5, 1e-6);
	audit_scene(&(struct scene){.kind = STORAGE_RAM}, "RAM by definition");
	audit_scene(&(struct scene){.counters_unknown = true}, "unknown");
	audit_scene(&(struct scene){.is_unknown = true}, "unknown");
	audit_scene(&(struct scene){.kind = STORAGE_NFS}, "unknown");
	audit_scene(&(struct scene){.kind = STORAGE_CIFS, .network_known = true}, "from the device 100 %");
}

static void test_write(void **state)
{
	(void)state;
	struct audit audit = audit_scene(
		&(struct scene){.run = RND_Q1_WRITE, .moved = 1.2, .dirtied = 1.1, .flushed = 0.05}, "to the device 120 %");
	assert_number(audit.on_device, 1.2, 1e-6);
	assert_number(audit.written_copies, 1.2, 1e-6);
	assert_number(audit.page_cache, 1.1, 1e-6);
	assert_number(audit.flushed_later, 0.05, 1e-6);
	assert_unknown(audit.from_device);
	audit_scene(&(struct scene){.run = RND_Q1_WRITE, .moved = 3.9}, "written 3.9x (amplification)");
	audit_scene(&(struct scene){.run = RND_Q1_WRITE, .moved = NOTHING}, "in RAM: 0 % reached the device");
	/* redundancy */
	audit = audit_scene(&(struct scene){.run = SEQ_Q8_WRITE, .moved = 2, .copies = 2}, "to the device 100 %");
	assert_number(audit.on_device, 1, 1e-6);
	assert_number(audit.written_copies, 2, 1e-6);
	audit = audit_scene(&(struct scene){.run = SEQ_Q8_WRITE, .moved = 1, .copies = 2}, "mixed 50 %");
	assert_number(audit.on_device, 0.5, 1e-6);
	/* what others wrote is taken out */
	audit = audit_scene(&(struct scene){.run = SEQ_Q8_WRITE,
							.moved = 3,
							.mb_per_s = 100,
							.idle_written_mb_per_s = 150,
							.others_written_mb_per_s = NOTHING},
		"to the device 300 %");
	assert_number(audit.written_copies, 1.5, 1e-3);
	assert_number(audit.foreign_write_bytes_per_s, 150e6, 1e5);
}

/* Others' bytes, by what the process is known to have fetched itself and by what went on before. */
static void test_foreign(void **state)
{
	struct scene scene = {.run = SEQ_Q8_READ, .mb_per_s = 300, .others_read_mb_per_s = 100};

	(void)state;
	struct audit audit = audit_scene(&scene, "from the device 100 %");
	assert_number(audit.foreign_read_bytes_per_s, 100e6, 1e5);
	assert_number(audit.foreign_share, 0.25, 1e-3);
	/* of a run from RAM the disks' share is not all */
	scene.moved = NOTHING;
	audit = audit_scene(&scene, "from RAM: 0 % came from the device");
	assert_number(audit.foreign_share, 0.25, 1e-3);
	scene = (struct scene){.run = SEQ_Q8_WRITE, .others_read_mb_per_s = 100, .account_unknown = true};
	audit = audit_scene(&scene, "to the device 100 %");
	assert_unknown(audit.foreign_read_bytes_per_s);
	audit = audit_scene(&(struct scene){.kind = STORAGE_NFS, .network_known = true}, "from the device 100 %");
	assert_unknown(audit.foreign_share);
}

/* A device that never saw the test file being written counts nothing: its silence is no proof. */
static void test_devices_that_do_not_count(void **state)
{
	struct stage stage;

	(void)state;
	stage_open_scene(&stage, &(struct scene){.run = SEQ_Q8_WRITE, .moved = NOTHING});
	struct run_readings *readings = &stage.report.measurements[SEQ_Q8_WRITE].evidence.readings;
	assert_number(audit_of(&stage, SEQ_Q8_WRITE).on_device, 0, 1e-6);
	for (int role = 0; role < STORAGE_ROLE_COUNT; role++) {
		readings->written_since_watch_bytes[role] = UINT64_C(500) << 20;
	}
	assert_unknown(audit_of(&stage, SEQ_Q8_WRITE).on_device);
	stage_close(&stage);
}

/* Disks beneath a loop's file write for their own file system as well. */
static void test_amplification_of_shared_disks(void **state)
{
	struct scene scene = {.run = RND_Q1_WRITE, .leaf = 5};

	(void)state;
	assert_number(audit_scene(&scene, "written 5.0x (amplification)").written_copies, 5, 1e-6);
	scene.is_shared = true;
	assert_number(audit_scene(&scene, "to the device 100 %").written_copies, 1, 1e-6);
}

/* A reading that is missing, or a counter that was reset, leaves its figures unknown and the others as they are. */
static void test_missing(void **state)
{
	struct stage stage;

	(void)state;
	stage_open_scene(&stage, &(struct scene){.run = SEQ_Q8_WRITE});
	struct run_readings *readings = &stage.report.measurements[SEQ_Q8_WRITE].evidence.readings;
	readings->steady_begin.at_ns = 0;
	readings->flushed.at_ns = 0;
	readings->idle.at_ns = 0;
	struct audit audit = audit_of(&stage, SEQ_Q8_WRITE);
	assert_unknown(audit.queue_depth);
	assert_unknown(audit.flushed_later);
	assert_number(audit.on_device, 1, 1e-6);
	readings->after.known &= ~(uint32_t)(READING_PROCESSORS | READING_QUOTA | READING_DIRTIED);
	audit = audit_of(&stage, SEQ_Q8_WRITE);
	assert_unknown(audit.processors_busy);
	assert_unknown(audit.quota_wait);
	assert_unknown(audit.page_cache);
	assert_int_equal(audit.processor_count, 0);
	readings->after.devices[STORAGE_TOP].written_bytes = 1; /* backwards */
	audit = audit_of(&stage, SEQ_Q8_WRITE);
	assert_unknown(audit.on_device);
	readings->after.devices[STORAGE_LEAF].written_bytes = 1;
	audit = audit_of(&stage, SEQ_Q8_WRITE);
	assert_unknown(audit.written_copies);
	readings->after.at_ns = readings->before.at_ns; /* no time in between */
	audit = audit_of(&stage, SEQ_Q8_WRITE);
	assert_unknown(audit.foreign_share);
	stage_close(&stage);
}

static void test_nothing_claimed(void **state)
{
	struct stage stage;
	static const double odd[] = {0, -1, (double)NAN, (double)INFINITY};

	(void)state;
	stage_open_scene(&stage, &(struct scene){.run = SEQ_Q8_READ});
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		stage.report.measurements[SEQ_Q8_READ].evidence.claimed_bytes = odd[i];
		struct audit audit = audit_of(&stage, SEQ_Q8_READ);
		assert_unknown(audit.from_device);
		assert_unknown(audit.foreign_share);
		assert_number(audit.processors_busy, 0.3, 1e-6);
	}
	stage.report.measurements[SEQ_Q8_READ].evidence.present = false;
	assert_unknown(audit_of(&stage, SEQ_Q8_READ).processors_busy);
	stage_close(&stage);
}

static double depth_of(const struct scene *scene)
{
	return audit_scene(scene, "from the device 100 %").queue_depth;
}

/* The deepest of what the layers tell, in blocks as fio counts them. */
static void test_depth(void **state)
{
	(void)state;
	assert_number(depth_of(&(struct scene){.depth = 3, .leaf_depth = 5}), 5, 0.01);
	assert_number(depth_of(&(struct scene){.depth = 3, .leaf_depth = 5, .is_shared = true}), 3, 0.01);
	/* what is still in flight has no time booked yet */
	assert_number(depth_of(&(struct scene){.depth = 3, .in_flight = 7.5}), 7.5, 0.01);
	assert_number(depth_of(&(struct scene){.top_depth = NOTHING, .in_flight = 7.5}), 7.5, 0.01);
	/* md before it kept requests' time */
	assert_unknown(depth_of(&(struct scene){.top_depth = NOTHING}));
	assert_number(depth_of(&(struct scene){.top_depth = NOTHING, .leaf_depth = 6}), 6, 0.01);
	assert_number(depth_of(&(struct scene){.top_depth = NOTHING, .leaf_depth = 6, .is_shared = true}), 6, 0.01);
	assert_number(depth_of(&(struct scene){.top_depth = NOTHING, .blocks = NOTHING}), 0, 0.01);
	/* requests that the device's limits split */
	assert_number(depth_of(&(struct scene){.depth = 15.2, .fragments = 2}), 7.6, 0.01);
	assert_number(depth_of(&(struct scene){.depth = 8, .fragments = 0.5}), 8, 0.01);
	/* the copies of a mirror */
	struct scene mirror = {.run = SEQ_Q8_WRITE, .depth = 3, .leaf_depth = 16, .leaf = 2, .copies = 2, .fragments = 2};
	assert_number(audit_scene(&mirror, "to the device 100 %").queue_depth, 8, 0.01);
	struct audit audit = audit_scene(
		&(struct scene){.run = RND_Q1_WRITE, .moved = 3, .depth = 8, .fragments = 3}, "written 3.0x (amplification)");
	assert_number(audit.queue_depth, 8, 0.01);
	audit = audit_scene(&(struct scene){.mb_per_s = 100, .fragments = 4}, "from the device 100 %");
	assert_number(audit.steady_blocks, 100e6 * 5 / (1 << 20) * 4 / 5, 1);
}

/* What ZFS reads around its ARC is neither found in it nor missed. */
static void test_arc(void **state)
{
	struct scene scene = {.run = RND_Q1_READ, .kind = STORAGE_ZFS, .account_unknown = true, .moved = 32};

	(void)state;
	assert_number(audit_scene(&scene, "from the device 3200 %").from_device, 32, 1e-3);
	scene.buffered = true;
	assert_number(audit_scene(&scene, "from the device 100 %").from_device, 1, 1e-3);
	scene.arc_hits = 0.4;
	assert_number(audit_scene(&scene, "mixed 60 %").from_device, 0.6, 1e-3);
	scene.arc_hits = 3; /* others' as well */
	scene.arc_misses = 0.705;
	assert_number(audit_scene(&scene, "mixed 70 %").from_device, 0.705, 1e-3);
}

/* Where nothing sees the bytes, nothing is said of them. */
static void test_uncounted(void **state)
{
	(void)state;
	audit_scene(&(struct scene){.options = "rw,dax"}, "unknown");
	audit_scene(&(struct scene){.options = "rw,dax=always,noatime"}, "unknown");
	audit_scene(&(struct scene){.options = "rw,dax=never"}, "from the device 100 %");
	audit_scene(&(struct scene){.hides_cache = true}, "unknown");
	audit_scene(&(struct scene){.run = RND_Q1_WRITE, .hides_cache = true, .moved = 9}, "unknown");
	struct audit audit = audit_scene(&(struct scene){.options = "rw,dax", .kind = STORAGE_RAM}, "RAM by definition");
	assert_number(audit.from_device, 0, 1e-6);
	audit_scene(&(struct scene){.counted = 0.49}, "unknown");
	audit_scene(&(struct scene){.counted = 0.51}, "from the device 100 %");
	audit_scene(
		&(struct scene){.counted = NOTHING, .ram_cache = "the page cache behind loop3"}, "from the device 100 %");
}

/* The wait is added up over the processors on which a job had to wait. */
static void test_quota(void **state)
{
	(void)state;
	assert_number(
		audit_scene(&(struct scene){.processors = 8, .quota = 0.4}, "from the device 100 %").quota_wait, 0.4, 1e-6);
	assert_number(
		audit_scene(&(struct scene){.run = RND_Q32_READ, .processors = 8, .quota = 4}, "from the device 100 %")
			.quota_wait,
		0.5, 1e-6);
}

/* Storage that goes on writing after a run: what was written before the next was our own. */
static void test_late_writers(void **state)
{
	static const char *const types[] = {"btrfs", "bcachefs", "f2fs", "zfs", "fuse.zfs"};

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct scene scene = {.run = SEQ_Q8_WRITE,
			.type = types[i],
			.moved = 3,
			.mb_per_s = 100,
			.idle_written_mb_per_s = 200,
			.others_read_mb_per_s = 50};
		struct audit audit = audit_scene(&scene, "written 3.0x (amplification)");

		assert_unknown(audit.foreign_write_bytes_per_s);
		if (i == 2) {
			assert_number(audit.foreign_read_bytes_per_s, 50e6, 1e5);
		} else {
			assert_unknown(audit.foreign_read_bytes_per_s);
			assert_unknown(audit.foreign_share);
		}
		scene.run = SEQ_Q8_READ;
		scene.moved = 1;
		audit = audit_scene(&scene, "from the device 100 %");
		assert_unknown(audit.foreign_write_bytes_per_s);
		assert_number(audit.foreign_read_bytes_per_s, 50e6, 1e5);
	}
	struct audit audit = audit_scene(&(struct scene){.has_device_cache = true,
										 .others_read_mb_per_s = 300,
										 .idle_read_mb_per_s = 90,
										 .idle_written_mb_per_s = 60},
		"from the device 100 %");
	assert_number(audit.foreign_read_bytes_per_s, 30e6, 1e5);
	assert_unknown(audit.foreign_write_bytes_per_s);
	audit = audit_scene(
		&(struct scene){.copies = -1, .others_read_mb_per_s = 300, .idle_unknown = true}, "from the device 100 %");
	assert_unknown(audit.foreign_read_bytes_per_s);
	audit = audit_scene(
		&(struct scene){
			.ram_cache = "the page cache behind loop3", .others_written_mb_per_s = 300, .idle_unknown = true},
		"from the device 100 %");
	assert_unknown(audit.foreign_write_bytes_per_s);
}

/* A throttled request waits where no counter looks, and ZFS has queues of its own. */
static void test_depth_unknown(void **state)
{
	(void)state;
	assert_unknown(depth_of(&(struct scene){.is_throttled = true}));
	assert_unknown(depth_of(&(struct scene){.may_be_throttled = true}));
	assert_unknown(depth_of(&(struct scene){.kind = STORAGE_ZFS}));
	/* nor does a moment make a mean */
	struct stage stage;
	stage_open_scene(&stage, &(struct scene){.run = SEQ_Q8_READ});
	struct run_readings *readings = &stage.report.measurements[SEQ_Q8_READ].evidence.readings;
	readings->steady_end.at_ns = readings->steady_begin.at_ns + 100000000;
	assert_unknown(audit_of(&stage, SEQ_Q8_READ).queue_depth);
	stage_close(&stage);
}

static void expect_line(const struct scene *scene, const char *right)
{
	struct stage stage;
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	assert_non_null(out);
	stage_open_scene(&stage, scene);
	render_evidence(out, &stage.report, scene->run);
	render_evidence(out, &stage.report, RND_Q1_WRITE); /* was not run: nothing */
	assert_int_equal(fclose(out), 0);
	assert_string_equal(bytes, right);
	free(bytes);
	stage_close(&stage);
}

static void test_line(void **state)
{
	(void)state;
	expect_line(&(struct scene){.run = RND_Q32_READ,
					.depth = 118,
					.job_cpu = 0.25,
					.all_cpu = 0.82,
					.saturation = 0.87,
					.others_read_mb_per_s = 0.3},
		"RND4K Q32T16 read: from the device 100 %; queue depth 118.0 of 512; busiest job 25 %; all cores 82 %; "
		"submitting "
		"87 %; others read 0.3 and wrote 0.0 MB/s\n");
	expect_line(&(struct scene){.run = SEQ_Q8_READ, .type = "btrfs", .depth = 15.2, .fragments = 2},
		"SEQ1M Q8T1 read: from the device 100 %; queue depth 7.6 of 8; busiest job 10 %; all cores 30 %; submitting 10 "
		"%; "
		"others read 0.0 and wrote unknown MB/s\n");
	expect_line(&(struct scene){.run = SEQ_Q1_WRITE, .is_unknown = true},
		"SEQ1M Q1T1 write: unknown; queue depth unknown of 1; busiest job 10 %; all cores 30 %; submitting 10 %; "
		"others "
		"unknown\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_write),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_devices_that_do_not_count),
		cmocka_unit_test(test_amplification_of_shared_disks),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_nothing_claimed),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_depth_unknown),
		cmocka_unit_test(test_arc),
		cmocka_unit_test(test_uncounted),
		cmocka_unit_test(test_quota),
		cmocka_unit_test(test_late_writers),
		cmocka_unit_test(test_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
