/* What the trial of O_DIRECT came to, and the report that it stands in. */
#include "stage.h"

#include "render/render.h"

#define MIB4 (UINT64_C(4) << 20)

/* A region that went to the device and came from it, and was never in the page cache. */
#define HONOURED                                                                                                       \
	.device_known = 1, .dirtied_known = 1, .resident_known = 1, .size_bytes = MIB4, .written_device_bytes = MIB4,      \
	.second_read_device_bytes = MIB4

/* The counters say nothing, but the page cache was left alone. */
#define SILENT                                                                                                         \
	.device_known = 1, .dirtied_known = 1, .resident_known = 1, .size_bytes = MIB4, .alignment_known = 1,              \
	.memory_alignment_bytes = 512, .offset_alignment_bytes = 4096

/* The trial's outcome on the file systems that were tried. */
static void test_judge_direct(void **state)
{
	static const struct {
		const char *type, *super_options;
		enum storage_kind kind;
		const char *zfs_version, *ram_cache;
		struct direct_truth truth;
		enum honour read, write;
		const char *cause;
	} cases[] = {
		{"ext4", "rw", STORAGE_BLOCK, NULL, NULL,
			{HONOURED, .alignment_known = 1, .memory_alignment_bytes = 512, .offset_alignment_bytes = 512}, HONOUR_YES,
			HONOUR_YES, NULL},
		{"btrfs", "rw", STORAGE_BLOCK, NULL, NULL, {HONOURED, .dirtied_bytes = 8 * 4096}, HONOUR_YES, HONOUR_YES, NULL},
		{"btrfs", "rw", STORAGE_BLOCK, NULL, NULL, {HONOURED, .dirtied_bytes = 1032 * 4096}, HONOUR_YES, HONOUR_NO,
			"btrfs with checksums"},
		/* others make pages dirty too: on other file systems that alone proves nothing */
		{"xfs", "rw", STORAGE_BLOCK, NULL, NULL, {HONOURED, .dirtied_bytes = MIB4}, HONOUR_YES, HONOUR_YES, NULL},
		{"ext4", "rw", STORAGE_BLOCK, NULL, NULL, {HONOURED, .alignment_known = 1, .journals_data = 1}, HONOUR_NO,
			HONOUR_NO, "ext4 data=journal"},
		{"ext4", "rw,data=journal", STORAGE_BLOCK, NULL, NULL,
			{.device_known = 1,
				.resident_known = 1,
				.size_bytes = MIB4,
				.resident_after_write_bytes = MIB4,
				.resident_after_read_bytes = MIB4},
			HONOUR_NO, HONOUR_NO, "ext4 data=journal"},
		{"ext4", "rw,data=ordered", STORAGE_BLOCK, NULL, NULL,
			{.device_known = 1, .size_bytes = MIB4, .written_device_bytes = MIB4}, HONOUR_NO, HONOUR_YES,
			"ext4: through the page cache"},
		{"tmpfs", "rw", STORAGE_RAM, NULL, NULL, {.size_bytes = MIB4}, HONOUR_NO, HONOUR_NO, "tmpfs: RAM"},
		{"zfs", "rw", STORAGE_ZFS, "2.2.9", NULL, {.device_known = 1, .size_bytes = MIB4}, HONOUR_NO, HONOUR_NO,
			"ZFS before 2.3"},
		{"zfs", "rw", STORAGE_ZFS, "zfs-fuse", NULL, {.device_known = 1, .size_bytes = MIB4}, HONOUR_NO, HONOUR_NO,
			"ZFS before 2.3"},
		{"zfs", "rw", STORAGE_ZFS, "2.3.0", NULL, {.device_known = 1, .size_bytes = MIB4}, HONOUR_NO, HONOUR_NO,
			"ZFS: through the ARC"},
		{"zfs", "rw", STORAGE_ZFS, NULL, NULL, {.device_known = 1, .size_bytes = MIB4}, HONOUR_NO, HONOUR_NO,
			"ZFS: through the ARC"},
		{"zfs", "rw", STORAGE_ZFS, "2.3.0", NULL, {HONOURED}, HONOUR_YES, HONOUR_YES, NULL},
		{"ext4", "rw", STORAGE_BLOCK, NULL, "the page cache behind loop3",
			{.device_known = 1, .size_bytes = MIB4, .written_device_bytes = MIB4}, HONOUR_NO, HONOUR_YES,
			"the page cache behind loop3"},
		{"fuse", "rw", STORAGE_UNKNOWN, NULL, NULL, {.size_bytes = MIB4, .resident_known = 1}, HONOUR_UNKNOWN,
			HONOUR_UNKNOWN, NULL},
		{"nfs4", "rw", STORAGE_NFS, NULL, NULL, {.size_bytes = MIB4}, HONOUR_UNKNOWN, HONOUR_UNKNOWN, NULL},
		{"ext4", "rw", STORAGE_BLOCK, NULL, NULL, {.error = 22, .alignment_known = 1}, HONOUR_UNKNOWN, HONOUR_UNKNOWN,
			NULL},
		{"ext4", "rw", STORAGE_BLOCK, NULL, NULL, {.device_known = 0, .size_bytes = 0, .resident_known = 1},
			HONOUR_UNKNOWN, HONOUR_UNKNOWN, NULL},
		{"xfs", "rw", STORAGE_BLOCK, NULL, NULL, {SILENT}, HONOUR_UNKNOWN, HONOUR_UNKNOWN, NULL},
		{"xfs", "rw", STORAGE_BLOCK, NULL, NULL, {SILENT, .dirtied_bytes = 4096}, HONOUR_UNKNOWN, HONOUR_UNKNOWN, NULL},
		{"xfs", "rw", STORAGE_BLOCK, NULL, NULL, {SILENT, .dirtied_bytes = MIB4}, HONOUR_NO, HONOUR_NO,
			"xfs: through the page cache"},
		{"xfs", "rw", STORAGE_BLOCK, NULL, "the page cache behind loop3", {SILENT}, HONOUR_NO, HONOUR_NO,
			"the page cache behind loop3"},
		{"xfs", "rw", STORAGE_BLOCK, NULL, NULL,
			{.device_known = 1,
				.dirtied_known = 1,
				.resident_known = 1,
				.size_bytes = MIB4,
				.alignment_known = 1,
				.memory_alignment_bytes = 512},
			HONOUR_NO, HONOUR_NO, "xfs: through the page cache"},
		{"xfs", "rw", STORAGE_BLOCK, NULL, NULL, {SILENT, .resident_after_read_bytes = 4096}, HONOUR_NO, HONOUR_UNKNOWN,
			"xfs: through the page cache"},
		{"xfs", "rw", STORAGE_BLOCK, NULL, NULL,
			{.device_known = 1, .dirtied_known = 1, .resident_known = 1, .size_bytes = MIB4}, HONOUR_NO, HONOUR_NO,
			"xfs: through the page cache"},
		{"zfs", "rw", STORAGE_ZFS, "2.3.0", NULL, {SILENT}, HONOUR_NO, HONOUR_NO, "ZFS: through the ARC"},
		{NULL, NULL, STORAGE_BLOCK, NULL, NULL, {.device_known = 1, .size_bytes = MIB4}, HONOUR_NO, HONOUR_NO,
			"this file system: through the page cache"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stage stage;

		stage_open(&stage, &profile_cdm);
		stage.target.mount.type = xstrdup(cases[i].type);
		stage.target.mount.super_options = xstrdup(cases[i].super_options);
		stage.report.storage = (struct storage){.kind = cases[i].kind,
			.zfs_version = xstrdup(cases[i].zfs_version),
			.ram_cache = xstrdup(cases[i].ram_cache)};
		report_judge_direct(&stage.report, &cases[i].truth);
		report_judge_direct(&stage.report, &cases[i].truth); /* again is no leak */
		assert_int_equal(stage.report.direct_verdict.honours[TRANSFER_READ], cases[i].read);
		assert_int_equal(stage.report.direct_verdict.honours[TRANSFER_WRITE], cases[i].write);
		assert_string_equal(stage.report.direct_verdict.cause ? stage.report.direct_verdict.cause : "",
			cases[i].cause ? cases[i].cause : "");
		free(stage.target.mount.type);
		free(stage.target.mount.super_options);
		stage_close(&stage);
	}
}

/* An overlay does what the file system beneath its upper folder does. */
static void test_judge_overlay(void **state)
{
	static char type[] = "overlay";
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_cdm);
	stage.target.mount.type = type;
	stage.report.storage.kind = STORAGE_BLOCK;
	stage.report.storage.file_system = xstrdup("btrfs");
	report_judge_direct(&stage.report, &(struct direct_truth){HONOURED, .dirtied_bytes = MIB4});
	assert_int_equal(stage.report.direct_verdict.honours[TRANSFER_READ], HONOUR_YES);
	assert_int_equal(stage.report.direct_verdict.honours[TRANSFER_WRITE], HONOUR_NO);
	assert_string_equal(stage.report.direct_verdict.cause, "btrfs with checksums");
	stage_close(&stage);
}

/* One line for each fact, the colons below each other. */
static void test_environment(void **state)
{
	struct environment_fact facts[2] = {{.key = "kernel", .label = "kernel", .value = xstrdup("6.18.5")},
		{.key = "scheduler", .subject = xstrdup("sda"), .label = "scheduler", .value = xstrdup("none")}};
	struct environment environment = {.facts = facts, .fact_count = 2};
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	(void)state;
	assert_non_null(out);
	render_environment(out, &environment);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(bytes, "       kernel: 6.18.5\n"
							   "sda scheduler: none\n");
	free(bytes);
	free(facts[0].value);
	free(facts[1].value);
	free(facts[1].subject);
}

static void test_counts(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_cdm);
	stage_set(&stage, 0, 100, 95, 1, 2);
	stage_fail(&stage, 5, "fio met an error, No space left on device");
	stage_fail(&stage, 4, "fio wrote nothing");
	stage.report.measurements[0].began_at = xstrdup("2026-11-30T17:00:00Z"); /* freed with the report */
	series_add(&stage.report.measurements[0].series, 1, 100e6, 100e6);
	assert_int_equal(report_count(&stage.report, OUTCOME_VALID), 1);
	assert_int_equal(report_count(&stage.report, OUTCOME_FAILED), 2);
	assert_int_equal(report_count(&stage.report, OUTCOME_NOT_RUN), 5);
	stage_close(&stage);
	/* Twice is once. */
	report_release(&stage.report);
}

/* A plan that grows while it is under way: what was measured stays, what comes was not run. */
static void test_grow(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_slog);
	stage_set(&stage, 3, 100, 95, 1, 2);
	stage.report.experiment.left_out[0] = xstrdup("no processor here has idle states"); /* freed with the report */
	stage.report.experiment.left_out[1] = xstrdup("the kernel clocks no processor here");
	plan_add_experiment(&stage.plan, (const unsigned[]){0, POWER_HOLD_IDLE}, 2);
	report_grow(&stage.report);
	report_grow(&stage.report);
	assert_int_equal(stage.plan.run_count, 14);
	assert_int_equal(report_count(&stage.report, OUTCOME_VALID), 1);
	assert_int_equal(report_count(&stage.report, OUTCOME_NOT_RUN), 13);
	assert_number(stage.report.measurements[3].figures.iops, 95, 0);
	stage_fail(&stage, 13, "fio wrote nothing");
	report_check(&stage.report);
	stage_close(&stage);
}

/* What is shown can be copied into a shell. */
static void test_arguments(void **state)
{
	static const struct {
		const char *pool, *dataset, *pool_argument, *dataset_argument;
	} cases[] = {
		{NULL, NULL, "POOL", "DATASET"},
		{"tank", "tank/vm-1_a.b:c", "tank", "tank/vm-1_a.b:c"},
		{"my pool", "my pool/a disk", "\"my pool\"", "\"my pool/a disk\""},
		{"tank", "tank/a\033b", "tank", "tank/a\\x1Bb"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct report report = {.pool = {.pool = cases[i].pool ? xstrdup(cases[i].pool) : NULL}};

		report.pool.dataset = cases[i].dataset ? xstrdup(cases[i].dataset) : NULL;
		char *pool = report_pool_argument(&report), *dataset = report_dataset_argument(&report);

		assert_string_equal(pool, cases[i].pool_argument);
		assert_string_equal(dataset, cases[i].dataset_argument);
		free(pool);
		free(dataset);
		zfs_pool_release(&report.pool);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_judge_direct),
		cmocka_unit_test(test_judge_overlay),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_grow),
		cmocka_unit_test(test_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
