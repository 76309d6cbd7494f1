#include "scratch.h"

#include "render/render.h"
#include "report/banner.h"
#include "report/report.h"
#include "report/table.h"
#include "support/memory.h"

#define UNKNOWN ((double)NAN)

/* Everything that a report is about. */
struct stage {
	struct target target;
	struct plan plan;
	struct report report;
};

static void set_verdict(struct report *report, enum honour read, enum honour write)
{
	report->direct_verdict.honours[TRANSFER_READ] = read;
	report->direct_verdict.honours[TRANSFER_WRITE] = write;
}

static void stage_open(struct stage *stage, const struct profile *profile)
{
	static char given[] = "/mnt/tank";

	*stage = (struct stage){.target = {.given = given, .path = given, .shown = given, .descriptor = -1}};
	plan_init(&stage->plan, profile, UINT64_C(1) << 30, 5);
	report_init(&stage->report, &stage->target, &stage->plan);
	stage->report.tool = xstrdup("fio 3.33");
	stage->report.runs_as = xstrdup("root");
	set_verdict(&stage->report, HONOUR_YES, HONOUR_YES);
}

static void stage_close(struct stage *stage)
{
	report_release(&stage->report);
	plan_release(&stage->plan);
}

static void set(struct stage *stage, size_t run, double mb, double iops, double p50_us, double p99_us)
{
	stage->report.measurements[run] = (struct measurement){.outcome = OUTCOME_VALID,
		.figures = {.bandwidth_bytes_per_s = mb * 1e6,
			.iops = iops,
			.latency_p50_ns = p50_us * 1000,
			.latency_p99_ns = p99_us * 1000}};
}

static void set_failed(struct stage *stage, size_t run, const char *reason)
{
	stage->report.measurements[run] = (struct measurement){.outcome = OUTCOME_FAILED, .reason = xstrdup(reason)};
}

/* The table as text; the caller frees it. */
static char *table_text(const struct stage *stage, bool use_color)
{
	struct table table;
	struct render_style style = {.use_color = use_color};
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	assert_non_null(out);
	table_init(&table, &stage->report);
	render_table(out, &table, &style);
	table_release(&table);
	assert_int_equal(fclose(out), 0);
	return bytes;
}

static void expect_table(const struct stage *stage, const char *right)
{
	char *found = table_text(stage, false);

	assert_string_equal(found, right);
	free(found);
}

static void fill_cdm(struct stage *stage)
{
	stage_open(stage, &profile_cdm);
	set(stage, 0, 3650, 3482.4, UNKNOWN, UNKNOWN);
	set(stage, 1, 3120, 2975.5, UNKNOWN, UNKNOWN);
	set(stage, 2, 2680, 2556, UNKNOWN, UNKNOWN);
	set(stage, 3, 2510, 2394, UNKNOWN, UNKNOWN);
	set(stage, 4, 2950.004, 720215, UNKNOWN, UNKNOWN);
	set(stage, 5, 2239.996, 546875, UNKNOWN, UNKNOWN);
	set(stage, 6, 78, 19043, UNKNOWN, UNKNOWN);
	set(stage, 7, 64, 15625, UNKNOWN, UNKNOWN);
}

static void test_cdm_table(void **state)
{
	struct stage stage;

	(void)state;
	fill_cdm(&stage);
	expect_table(&stage, "+------------------+----------------+----------------+----------------+----------------+\n"
						 "| Test             |    Read (MB/s) |   Write (MB/s) |    Read (IOPS) |   Write (IOPS) |\n"
						 "+------------------+----------------+----------------+----------------+----------------+\n"
						 "| SEQ1M  Q8T1      |        3650.00 |        3120.00 |           3482 |           2976 |\n"
						 "| SEQ1M  Q1T1      |        2680.00 |        2510.00 |           2556 |           2394 |\n"
						 "| RND4K  Q32T16    |        2950.00 |        2240.00 |         720215 |         546875 |\n"
						 "| RND4K  Q1T1      |          78.00 |          64.00 |          19043 |          15625 |\n"
						 "+------------------+----------------+----------------+----------------+----------------+\n");
	stage_close(&stage);
}

static void test_slog_table(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_slog);
	set(&stage, 0, 43.77, 10687, 85.5, 185.3);
	set(&stage, 1, 150.1, 36645.4, 0, 17112760.320);
	set(&stage, 2, 0, 0, UNKNOWN, UNKNOWN);
	set(&stage, 3, 1, 244, 17112760.319, 99999999);
	expect_table(&stage, "+------------------+--------------+--------------+--------------+--------------+\n"
						 "| Test             |         IOPS |         MB/s |  p50 lat(us) |  p99 lat(us) |\n"
						 "+------------------+--------------+--------------+--------------+--------------+\n"
						 "| 4K sync T1       |        10687 |        43.77 |         85.5 |        185.3 |\n"
						 "| 4K sync T4       |        36645 |       150.10 |          0.0 |      >= 17 s |\n"
						 "| 4K sync T8       |            0 |         0.00 |      unknown |      unknown |\n"
						 "| 4K sync T16      |          244 |         1.00 |   17112760.3 |      >= 17 s |\n"
						 "+------------------+--------------+--------------+--------------+--------------+\n");
	stage_close(&stage);
}

static void test_dd_table(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_dd);
	set(&stage, 0, 812.3, UNKNOWN, UNKNOWN, UNKNOWN);
	set(&stage, 1, 1500, UNKNOWN, UNKNOWN, UNKNOWN);
	set_failed(&stage, 2, "dd failed (exit status 1)");
	expect_table(&stage, "+--------------------------+----------------+\n"
						 "| Test                     |           MB/s |\n"
						 "+--------------------------+----------------+\n"
						 "| Write, fsync at the end  |         812.30 |\n"
						 "| Read, uncached           |        1500.00 |\n"
						 "| Read, cached (RAM)       |         failed |\n"
						 "+--------------------------+----------------+\n"
						 "Read, cached (RAM) failed: dd failed (exit status 1).\n");
	stage_close(&stage);
}

/* Rows without any result are left out; a half has a dash; failures are explained below. */
static void test_incomplete_table(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_cdm);
	set(&stage, 0, 100, 95, UNKNOWN, UNKNOWN);
	set_failed(&stage, 5, "fio met an error, No space left on device");
	set_failed(&stage, 4, "fio wrote nothing");
	expect_table(&stage, "+------------------+----------------+----------------+----------------+----------------+\n"
						 "| Test             |    Read (MB/s) |   Write (MB/s) |    Read (IOPS) |   Write (IOPS) |\n"
						 "+------------------+----------------+----------------+----------------+----------------+\n"
						 "| SEQ1M  Q8T1      |         100.00 |              - |             95 |              - |\n"
						 "| RND4K  Q32T16    |         failed |         failed |         failed |         failed |\n"
						 "+------------------+----------------+----------------+----------------+----------------+\n"
						 "RND4K Q32T16 read failed: fio wrote nothing.\n"
						 "RND4K Q32T16 write failed: fio met an error, No space left on device.\n");
	assert_int_equal(report_count(&stage.report, OUTCOME_VALID), 1);
	assert_int_equal(report_count(&stage.report, OUTCOME_FAILED), 2);
	assert_int_equal(report_count(&stage.report, OUTCOME_NOT_RUN), 5);
	stage_close(&stage);
}

static void test_empty_table(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_dd);
	expect_table(&stage, "+--------------------------+----------------+\n"
						 "| Test                     |           MB/s |\n"
						 "+--------------------------+----------------+\n"
						 "+--------------------------+----------------+\n");
	stage_close(&stage);
}

/* A column widens for a value that needs it, and the others stay. */
static void test_wide_table(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_cdm);
	set(&stage, 0, 123456789012.345, 12345678901234567.0, UNKNOWN, UNKNOWN);
	set(&stage, 1, 1, 1, UNKNOWN, UNKNOWN);
	expect_table(&stage,
		"+------------------+-----------------+----------------+-------------------+----------------+\n"
		"| Test             |     Read (MB/s) |   Write (MB/s) |       Read (IOPS) |   Write (IOPS) |\n"
		"+------------------+-----------------+----------------+-------------------+----------------+\n"
		"| SEQ1M  Q8T1      | 123456789012.35 |           1.00 | 12345678901234568 |              1 |\n"
		"+------------------+-----------------+----------------+-------------------+----------------+\n");
	stage_close(&stage);
}

/* The same text, without what colours it; the caller frees it. */
static char *without_escapes(const char *text)
{
	struct text plain = TEXT_EMPTY;

	while (*text) {
		if (*text == '\033') {
			text += strcspn(text, "m") + 1;
		} else {
			text_add_bytes(&plain, text++, 1);
		}
	}
	return text_detach(&plain);
}

static void test_colored_table(void **state)
{
	struct stage stage;

	(void)state;
	fill_cdm(&stage);
	set_failed(&stage, 7, "x");
	char *plain = table_text(&stage, false), *colored = table_text(&stage, true);
	char *stripped = without_escapes(colored);
	assert_null(strchr(plain, '\033'));
	assert_string_equal(stripped, plain);
	assert_non_null(strstr(colored, "|         \033[31mfailed\033[0m |"));
	assert_non_null(strstr(colored, "|    \033[1mRead (MB/s)\033[0m |"));
	assert_non_null(strstr(colored, "|          78.00 |"));
	free(plain);
	free(colored);
	free(stripped);
	stage_close(&stage);
}

/* The banner as text; the caller frees it. */
static char *banner_text(const struct stage *stage, bool use_color)
{
	struct banner banner;
	struct render_style style = {.use_color = use_color};
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	assert_non_null(out);
	banner_init(&banner, &stage->report);
	render_banner(out, &banner, &stage->report, &style);
	banner_release(&banner);
	assert_int_equal(fclose(out), 0);
	return bytes;
}

static void expect_banner(const struct stage *stage, const char *right)
{
	char *found = banner_text(stage, false), *colored = banner_text(stage, true);
	char *stripped = without_escapes(colored);

	assert_string_equal(found, right);
	assert_string_equal(stripped, right);
	free(found);
	free(colored);
	free(stripped);
}

static void test_banner(void **state)
{
	static char type[] = "ext4", source[] = "/dev/sd\033a1", point[] = "/mnt/\ttank";
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_cdm);
	stage.target.mount.type = type;
	stage.target.mount.source = source;
	stage.target.mount.mount_point = point;
	stage.target.space_known = true;
	stage.target.free_bytes = UINT64_C(3) << 29;
	stage.target.total_bytes = UINT64_C(4) << 40;
	stage.report.engine = ENGINE_LIBAIO;
	report_add_note(&stage.report, "a note with %d word", 1);
	report_add_note(&stage.report, "another");
	expect_banner(&stage, "     Target: /mnt/tank\n"
						  "File system: ext4, /dev/sd\\x1Ba1 mounted on /mnt/\\ttank\n"
						  "     Device: unknown\n"
						  " Free space: 1.5 GiB of 4 TiB\n"
						  "    Profile: CrystalDiskMark\n"
						  "     Engine: libaio (fio 3.33, as root)\n"
						  "   O_DIRECT: enabled\n"
						  "  Test file: 1 GiB\n"
						  "    Runtime: 5 s for each of 8 runs\n"
						  "       Note: a note with 1 word.\n"
						  "       Note: another.\n"
						  "\n");
	stage_close(&stage);
}

static void test_dd_banner(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_dd);
	stage.report.direct = DIRECT_NOT_WANTED;
	expect_banner(&stage, "   Target: /mnt/tank\n"
						  "   Device: unknown\n"
						  "  Profile: dd (basic sequential test)\n"
						  "   Engine: dd, as root\n"
						  " O_DIRECT: DISABLED (buffered I/O: --buffered was given)\n"
						  "Test file: 1 GiB\n"
						  "\n");
	stage_close(&stage);
}

static void expect_direct(enum direct_state direct, const char *reason, const char *line, bool is_red)
{
	struct stage stage;
	char *colored, *plain;
	char *red = xasprintf("\033[31m O_DIRECT: %s\033[0m\n", line), *black = xasprintf("\n O_DIRECT: %s\n", line);

	stage_open(&stage, &profile_cdm);
	stage.report.direct = direct;
	stage.report.direct_reason = xstrdup(reason);
	colored = banner_text(&stage, true);
	plain = banner_text(&stage, false);
	assert_non_null(strstr(plain, black));
	assert_non_null(strstr(colored, is_red ? red : black));
	free(colored);
	free(plain);
	free(red);
	free(black);
	stage_close(&stage);
}

static void test_direct(void **state)
{
	(void)state;
	expect_direct(DIRECT_ENABLED, NULL, "enabled", false);
	expect_direct(DIRECT_REFUSED, NULL, "DISABLED (buffered I/O: the target refuses it)", true);
	expect_direct(
		DIRECT_REFUSED, "Invalid argument", "DISABLED (buffered I/O: the target refuses it, Invalid argument)", true);
	expect_direct(DIRECT_NOT_WANTED, NULL, "DISABLED (buffered I/O: --buffered was given)", true);
	expect_direct(DIRECT_NOT_FOR_SLOG, NULL, "not used (every write is synchronous, O_SYNC)", false);
}

static bool banner_has(const struct stage *stage, const char *words)
{
	char *banner = banner_text(stage, false);
	bool found = strstr(banner, words) != NULL;

	free(banner);
	return found;
}

static void test_pool(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_slog);
	stage.report.engine = ENGINE_PSYNC;
	assert_false(banner_has(&stage, "ZFS pool"));
	stage.report.pool.pool = xstrdup("tank");
	assert_true(banner_has(&stage, "Log device: unknown (zpool gave no answer)\n"));
	stage.report.pool.asked = true;
	assert_true(banner_has(&stage, "Log device: none: synchronous writes go to the pool's own disks\n"));
	stage.report.pool.log_devices = xstrdup("nvme0n1p1");
	assert_true(banner_has(&stage, "Log device: nvme0n1p1\n"));
	assert_true(banner_has(&stage, "ZFS pool: tank\n"));
	assert_true(banner_has(&stage, "zpool iostat -vl tank 1\n"));
	stage_close(&stage);
	stage_open(&stage, &profile_cdm);
	stage.report.pool.pool = xstrdup("tank");
	assert_false(banner_has(&stage, "ZFS pool"));
	stage_close(&stage);
}

/* What the trial showed in one direction or both, and how the banner says so. */
static void test_direct_verdict(void **state)
{
	static const struct {
		enum honour read, write;
		const char *cause;
		enum storage_kind kind;
		const char *blind_spot;
		const char *line;
		bool is_red;
	} cases[] = {
		{HONOUR_NO, HONOUR_NO, "ext4 data=journal", STORAGE_BLOCK, NULL,
			"accepted but not honoured (ext4 data=journal)", true},
		{HONOUR_NO, HONOUR_NO, "tmpfs: RAM", STORAGE_RAM, NULL, "accepted but not honoured (tmpfs: RAM)", true},
		{HONOUR_YES, HONOUR_NO, "btrfs with checksums", STORAGE_BLOCK, NULL,
			"accepted but not honoured (btrfs with checksums): writes are buffered", true},
		{HONOUR_NO, HONOUR_YES, "ZFS: through the ARC", STORAGE_ZFS, NULL,
			"accepted but not honoured (ZFS: through the ARC): reads are buffered", true},
		{HONOUR_NO, HONOUR_UNKNOWN, NULL, STORAGE_BLOCK, NULL,
			"accepted but not honoured (cause unknown): reads are buffered", true},
		{HONOUR_UNKNOWN, HONOUR_UNKNOWN, NULL, STORAGE_UNKNOWN, "FUSE: only its server knows",
			"accepted, whether it is honoured is unknown (FUSE: only its server knows)", false},
		{HONOUR_UNKNOWN, HONOUR_YES, NULL, STORAGE_NFS, NULL,
			"accepted, whether it is honoured is unknown (a network file system)", false},
		{HONOUR_UNKNOWN, HONOUR_UNKNOWN, NULL, STORAGE_BLOCK, NULL,
			"accepted, whether it is honoured is unknown (no counters)", false},
		{HONOUR_UNKNOWN, HONOUR_UNKNOWN, NULL, STORAGE_UNKNOWN, NULL,
			"accepted, whether it is honoured is unknown (no device is known)", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stage stage;
		char *red = xasprintf("\033[31m O_DIRECT: %s\033[0m\n", cases[i].line);
		char *black = xasprintf("\n O_DIRECT: %s\n", cases[i].line);

		stage_open(&stage, &profile_cdm);
		set_verdict(&stage.report, cases[i].read, cases[i].write);
		stage.report.direct_verdict.cause = xstrdup(cases[i].cause);
		stage.report.storage.kind = cases[i].kind;
		stage.report.storage.blind_spot = xstrdup(cases[i].blind_spot);
		char *colored = banner_text(&stage, true), *plain = banner_text(&stage, false);
		assert_non_null(strstr(plain, black));
		assert_non_null(strstr(colored, cases[i].is_red ? red : black));
		free(colored);
		free(plain);
		free(red);
		free(black);
		stage_close(&stage);
	}
}

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

/* Marks take no room; a figure that does not count has brackets; the sentences stand below, what was checked last. */
static void test_marked_table(void **state)
{
	struct stage stage;

	(void)state;
	fill_cdm(&stage);
	stage.report.storage.kind = STORAGE_RAM;
	for (size_t run = 0; run < 2; run++) {
		stage.report.measurements[run].evidence = (struct evidence){.present = true, .claimed_bytes = 1e9};
	}
	set_failed(&stage, 3, "fio ran 3 s of 5 s");
	stage.report.measurements[3].has_figures = true;
	stage.report.measurements[3].failure_kind = FINDING_SHORTENED;
	stage.report.measurements[3].figures = (struct figures){989.57e6, 943.7, UNKNOWN, UNKNOWN};
	report_check(&stage.report);
	expect_table(&stage, "+------------------+----------------+----------------+----------------+----------------+\n"
						 "| Test             |    Read (MB/s) |   Write (MB/s) |    Read (IOPS) |   Write (IOPS) |\n"
						 "+------------------+----------------+----------------+----------------+----------------+\n"
						 "| SEQ1M  Q8T1      |        3650.00*|        3120.00*|           3482*|           2976*|\n"
						 "| SEQ1M  Q1T1      |        2680.00 |       [989.57] |           2556 |          [944] |\n"
						 "| RND4K  Q32T16    |        2950.00 |        2240.00 |         720215 |         546875 |\n"
						 "| RND4K  Q1T1      |          78.00 |          64.00 |          19043 |          15625 |\n"
						 "+------------------+----------------+----------------+----------------+----------------+\n"
						 "SEQ1M Q1T1 write failed: fio ran 3 s of 5 s [shortened]\n"
						 "* SEQ1M Q8T1 read and write: /mnt/tank lies in RAM (tmpfs): no disk is measured here; name a "
						 "folder on a disk [served-from-ram]\n");
	char *plain = table_text(&stage, false), *colored = table_text(&stage, true);
	char *stripped = without_escapes(colored);
	assert_string_equal(stripped, plain);
	assert_non_null(strstr(colored, "|        \033[33m3650.00*\033[0m|"));
	assert_non_null(strstr(colored, "|       \033[31m[989.57]\033[0m |"));
	free(plain);
	free(colored);
	free(stripped);
	stage_close(&stage);
}

/* As wide as the column: the mark still fits, and the frame stays where it is. */
static void test_wide_marked_table(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_dd);
	set(&stage, 0, 12345678901234.5, UNKNOWN, UNKNOWN, UNKNOWN);
	stage.report.measurements[0].evidence = (struct evidence){.present = true, .claimed_bytes = 1e9};
	stage.report.storage.blind_spot = xstrdup("FUSE: only its server knows");
	report_check(&stage.report);
	char *found = table_text(&stage, false);
	assert_non_null(strstr(found, "+--------------------------+-------------------+\n"
								  "| Write, fsync at the end  | 12345678901234.50?|\n"));
	free(found);
	stage_close(&stage);
}

static void test_closing(void **state)
{
	struct stage stage;
	struct table table;

	(void)state;
	stage_open(&stage, &profile_dd);
	set(&stage, 2, 5000, UNKNOWN, UNKNOWN, UNKNOWN);
	stage.report.measurements[2].evidence = (struct evidence){.present = true, .claimed_bytes = 1e9};
	stage.report.storage.kind = STORAGE_RAM;
	report_check(&stage.report);
	table_init(&table, &stage.report);
	assert_int_equal(table.footnote_count, 0);
	assert_string_equal(table.closing, "Checked: the cached read came from RAM.");
	table_release(&table);
	char *found = table_text(&stage, false);
	assert_non_null(strstr(found, "--+\nChecked: the cached read came from RAM.\n"));
	free(found);
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

static void test_measurement(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_dd);
	assert_ptr_equal(report_measurement(&stage.report, 0, TRANSFER_WRITE), &stage.report.measurements[0]);
	assert_ptr_equal(report_measurement(&stage.report, 2, TRANSFER_READ), &stage.report.measurements[2]);
	assert_null(report_measurement(&stage.report, 0, TRANSFER_READ));
	assert_null(report_measurement(&stage.report, 3, TRANSFER_READ));
	stage_close(&stage);
	/* Twice is once. */
	report_release(&stage.report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cdm_table),
		cmocka_unit_test(test_slog_table),
		cmocka_unit_test(test_dd_table),
		cmocka_unit_test(test_incomplete_table),
		cmocka_unit_test(test_empty_table),
		cmocka_unit_test(test_wide_table),
		cmocka_unit_test(test_colored_table),
		cmocka_unit_test(test_banner),
		cmocka_unit_test(test_dd_banner),
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_pool),
		cmocka_unit_test(test_direct_verdict),
		cmocka_unit_test(test_judge_direct),
		cmocka_unit_test(test_judge_overlay),
		cmocka_unit_test(test_marked_table),
		cmocka_unit_test(test_wide_marked_table),
		cmocka_unit_test(test_closing),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_measurement),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
