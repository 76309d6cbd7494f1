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

static void stage_open(struct stage *stage, const struct profile *profile)
{
	static char given[] = "/mnt/tank";

	*stage = (struct stage){.target = {.given = given, .path = given, .shown = given, .descriptor = -1}};
	plan_init(&stage->plan, profile, UINT64_C(1) << 30, 5);
	report_init(&stage->report, &stage->target, &stage->plan);
	stage->report.tool = xstrdup("fio 3.33");
	stage->report.runs_as = xstrdup("root");
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

/* The notes that follow from the circumstances; "" for none. Several are put together by a bar. */
static void expect_notes(const struct profile *profile, enum engine engine, enum direct_state direct, bool is_ram,
	bool is_zfs, const char *beginnings)
{
	struct stage stage;
	struct text notes = TEXT_EMPTY;

	stage_open(&stage, profile);
	stage.target.is_ram = is_ram;
	stage.target.is_zfs = is_zfs;
	stage.report.engine = engine;
	stage.report.direct = direct;
	report_add_circumstances(&stage.report);
	for (size_t i = 0; i < stage.report.note_count; i++) {
		text_addf(&notes, "%s%.12s", i > 0 ? "|" : "", stage.report.notes[i]);
	}
	assert_string_equal(text_string(&notes), beginnings);
	text_release(&notes);
	stage_close(&stage);
}

static void test_circumstances(void **state)
{
	(void)state;
	expect_notes(&profile_cdm, ENGINE_IO_URING, DIRECT_ENABLED, false, false, "");
	expect_notes(&profile_cdm, ENGINE_IO_URING, DIRECT_ENABLED, true, false, "/mnt/tank li");
	expect_notes(&profile_cdm, ENGINE_IO_URING, DIRECT_ENABLED, false, true, "ZFS reads wh");
	expect_notes(&profile_cdm, ENGINE_IO_URING, DIRECT_REFUSED, false, false, "buffered I/O");
	expect_notes(&profile_cdm, ENGINE_LIBAIO, DIRECT_ENABLED, false, false, "");
	expect_notes(&profile_cdm, ENGINE_LIBAIO, DIRECT_NOT_WANTED, false, false, "buffered I/O|libaio waits");
	expect_notes(&profile_cdm, ENGINE_POSIXAIO, DIRECT_ENABLED, false, false, "posixaio wor");
	expect_notes(&profile_cdm, ENGINE_SYNC, DIRECT_ENABLED, false, false, "sync works o");
	expect_notes(&profile_slog, ENGINE_PSYNC, DIRECT_NOT_FOR_SLOG, false, true, "");
	expect_notes(&profile_slog, ENGINE_PSYNC, DIRECT_NOT_FOR_SLOG, true, false, "/mnt/tank li");
	expect_notes(&profile_dd, ENGINE_SYNC, DIRECT_REFUSED, false, false, "");
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
		cmocka_unit_test(test_circumstances),
		cmocka_unit_test(test_measurement),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
