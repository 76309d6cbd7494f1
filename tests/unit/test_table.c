/* From a report's runs to what stands in the table and below it. */
#include "stage.h"

#include "records.h"

#include "record/table.h"
#include "render/render.h"

#define UNKNOWN ((double)NAN)

/* The table as text; the caller frees it. */
static char *table_text(const struct stage *stage, enum score score, bool use_color)
{
	struct render_style style = {.use_color = use_color};
	struct record record;
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	assert_non_null(out);
	stage_record(&record, stage);
	render_table(out, &record, score, &style);
	record_release(&record);
	assert_int_equal(fclose(out), 0);
	return bytes;
}

static void expect_table(const struct stage *stage, const char *right)
{
	char *found = table_text(stage, SCORE_MEDIAN, false);

	assert_string_equal(found, right);
	free(found);
}

static void fill_cdm(struct stage *stage)
{
	stage_open(stage, &profile_cdm);
	stage_set(stage, 0, 3650, 3482.4, UNKNOWN, UNKNOWN);
	stage_set(stage, 1, 3120, 2975.5, UNKNOWN, UNKNOWN);
	stage_set(stage, 2, 2680, 2556, UNKNOWN, UNKNOWN);
	stage_set(stage, 3, 2510, 2394, UNKNOWN, UNKNOWN);
	stage_set(stage, 4, 2950.004, 720215, UNKNOWN, UNKNOWN);
	stage_set(stage, 5, 2239.996, 546875, UNKNOWN, UNKNOWN);
	stage_set(stage, 6, 78, 19043, UNKNOWN, UNKNOWN);
	stage_set(stage, 7, 64, 15625, UNKNOWN, UNKNOWN);
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
	stage_set(&stage, 0, 43.77, 10687, 85.5, 185.3);
	stage_set(&stage, 1, 150.1, 36645.4, 0, 17112760.320);
	stage_set(&stage, 2, 0, 0, UNKNOWN, UNKNOWN);
	stage_set(&stage, 3, 1, 244, 17112760.319, 99999999);
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
	stage_set(&stage, 0, 812.3, UNKNOWN, UNKNOWN, UNKNOWN);
	stage_set(&stage, 1, 1500, UNKNOWN, UNKNOWN, UNKNOWN);
	stage_fail(&stage, 2, "dd failed (exit status 1)");
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
	stage_set(&stage, 0, 100, 95, UNKNOWN, UNKNOWN);
	stage_fail(&stage, 5, "fio met an error, No space left on device");
	stage_fail(&stage, 4, "fio wrote nothing");
	expect_table(&stage, "+------------------+----------------+----------------+----------------+----------------+\n"
						 "| Test             |    Read (MB/s) |   Write (MB/s) |    Read (IOPS) |   Write (IOPS) |\n"
						 "+------------------+----------------+----------------+----------------+----------------+\n"
						 "| SEQ1M  Q8T1      |         100.00 |              - |             95 |              - |\n"
						 "| RND4K  Q32T16    |         failed |         failed |         failed |         failed |\n"
						 "+------------------+----------------+----------------+----------------+----------------+\n"
						 "RND4K Q32T16 read failed: fio wrote nothing.\n"
						 "RND4K Q32T16 write failed: fio met an error, No space left on device.\n");
	stage_close(&stage);
}

/* Where nothing was measured yet there are no rows, and nothing is shown. */
static void test_empty_table(void **state)
{
	struct stage stage;
	struct record record;
	struct table table;

	(void)state;
	stage_open(&stage, &profile_dd);
	expect_table(&stage, "");
	stage_record(&record, &stage);
	table_init(&table, &record, SCORE_MEDIAN);
	assert_int_equal(table.row_count, 0);
	assert_int_equal(table.column_count, 2);
	assert_int_equal(table.footnote_count, 0);
	assert_null(table.closing);
	table_release(&table);
	record_release(&record);
	stage_close(&stage);
}

/* A column widens for a value that needs it, and the others stay. */
static void test_wide_table(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_cdm);
	stage_set(&stage, 0, 123456789012.345, 12345678901234567.0, UNKNOWN, UNKNOWN);
	stage_set(&stage, 1, 1, 1, UNKNOWN, UNKNOWN);
	expect_table(&stage,
		"+------------------+-----------------+----------------+-------------------+----------------+\n"
		"| Test             |     Read (MB/s) |   Write (MB/s) |       Read (IOPS) |   Write (IOPS) |\n"
		"+------------------+-----------------+----------------+-------------------+----------------+\n"
		"| SEQ1M  Q8T1      | 123456789012.35 |           1.00 | 12345678901234568 |              1 |\n"
		"+------------------+-----------------+----------------+-------------------+----------------+\n");
	stage_close(&stage);
}

static void test_colored_table(void **state)
{
	struct stage stage;

	(void)state;
	fill_cdm(&stage);
	stage_fail(&stage, 7, "x");
	char *plain = table_text(&stage, SCORE_MEDIAN, false), *colored = table_text(&stage, SCORE_MEDIAN, true);
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
	stage_shorten(&stage, 3, 989.57, 943.7, "fio ran 3 s of 5 s");
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
	char *plain = table_text(&stage, SCORE_MEDIAN, false), *colored = table_text(&stage, SCORE_MEDIAN, true);
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
	stage_set(&stage, 0, 123456789012.5, UNKNOWN, UNKNOWN, UNKNOWN);
	stage.report.measurements[0].evidence = (struct evidence){.present = true, .claimed_bytes = 1e9};
	stage.report.storage.blind_spot = xstrdup("FUSE: only its server knows");
	report_check(&stage.report);
	char *found = table_text(&stage, SCORE_MEDIAN, false);
	assert_non_null(strstr(found, "+--------------------------+-----------------+\n"
								  "| Write, fsync at the end  | 123456789012.50?|\n"));
	free(found);
	stage_close(&stage);
}

static void test_closing(void **state)
{
	struct stage stage;
	struct record record;
	struct table table;

	(void)state;
	stage_open(&stage, &profile_dd);
	stage_set(&stage, 2, 5000, UNKNOWN, UNKNOWN, UNKNOWN);
	stage.report.measurements[2].evidence = (struct evidence){.present = true, .claimed_bytes = 1e9};
	stage.report.storage.kind = STORAGE_RAM;
	report_check(&stage.report);
	stage_record(&record, &stage);
	table_init(&table, &record, SCORE_MEDIAN);
	assert_int_equal(table.footnote_count, 0);
	assert_string_equal(table.closing, "Checked: the cached read came from RAM.");
	table_release(&table);
	record_release(&record);
	char *found = table_text(&stage, SCORE_MEDIAN, false);
	assert_non_null(strstr(found, "--+\nChecked: the cached read came from RAM.\n"));
	free(found);
	stage_close(&stage);
}

/* The runs of one pass; three of them, and perhaps a warm-up before. */
enum { CDM_RUNS = 8, PASSES = 3 };

static void open_passes(struct stage *stage, const struct profile *profile, bool warmup)
{
	stage_open_choice(stage, profile, stage_choice(PASSES, warmup));
}

/* The bandwidths of a test in the three passes. */
static void set_passes(struct stage *stage, size_t test, double first, double second, double third)
{
	size_t tests = stage->plan.run_count / (stage->plan.passes + (stage->plan.warmup ? 1 : 0));
	size_t begin = test + (stage->plan.warmup ? tests : 0);

	stage_set(stage, begin, first, first * 10, UNKNOWN, UNKNOWN);
	stage_set(stage, begin + tests, second, second * 10, UNKNOWN, UNKNOWN);
	stage_set(stage, begin + 2 * tests, third, third * 10, UNKNOWN, UNKNOWN);
}

/* Medians, and how much the runs differ, by the worse direction. Of the warm-up nothing is to be seen. */
static void fill_passes(struct stage *stage)
{
	open_passes(stage, &profile_cdm, true);
	for (size_t run = 0; run < CDM_RUNS; run++) {
		stage_set(stage, run, 99999, 99999, UNKNOWN, UNKNOWN);
	}
	set_passes(stage, 0, 102, 100, 101);
	set_passes(stage, 1, 50, 70, 60);
	set_passes(stage, 2, 10, 20, 30);
	set_passes(stage, 3, 40, 40, 40);
	set_passes(stage, 4, 100, 125, 150);
	set_passes(stage, 5, 200, 200, 200);
	set_passes(stage, 6, 1, 1, 1);
	set_passes(stage, 7, 2, 2, 2);
}

static void test_repeated_table(void **state)
{
	struct stage stage;

	(void)state;
	fill_passes(&stage);
	expect_table(&stage, "+------------------+----------------+----------------+----------------+----------------+-----"
						 "-----------------+\n"
						 "| Test             |    Read (MB/s) |   Write (MB/s) |    Read (IOPS) |   Write (IOPS) | "
						 "Spread (CV)          |\n"
						 "+------------------+----------------+----------------+----------------+----------------+-----"
						 "-----------------+\n"
						 "| SEQ1M  Q8T1      |         101.00 |          60.00 |           1010 |            600 | "
						 "16.7 % good          |\n"
						 "| SEQ1M  Q1T1      |          20.00 |          40.00 |            200 |            400 | "
						 "50.0 % high variance |\n"
						 "| RND4K  Q32T16    |         125.00 |         200.00 |           1250 |           2000 | "
						 "20.0 % variable      |\n"
						 "| RND4K  Q1T1      |           1.00 |           2.00 |             10 |             20 | 0.0 "
						 "% excellent      |\n"
						 "+------------------+----------------+----------------+----------------+----------------+-----"
						 "-----------------+\n");
	char *best = table_text(&stage, SCORE_BEST, false);
	assert_non_null(
		strstr(best, "| SEQ1M  Q8T1      |         102.00 |          70.00 |           1020 |            700 |"));
	free(best);
	stage_close(&stage);
}

/* Latencies have their median, or the least as the best; the spread is that of the commits a second. */
static void test_repeated_slog_table(void **state)
{
	struct stage stage;

	(void)state;
	open_passes(&stage, &profile_slog, false);
	stage_set(&stage, 0, 40, 1000, 80, 200);
	stage_set(&stage, 4, 90, 1010, 90, 100);
	stage_set(&stage, 8, 50, 1020, 70, 300);
	stage_set(&stage, 1, 50, 1020, 70, UNKNOWN);
	expect_table(&stage,
		"+------------------+--------------+--------------+--------------+--------------+-----------------+\n"
		"| Test             |         IOPS |         MB/s |  p50 lat(us) |  p99 lat(us) | Spread (CV)     |\n"
		"+------------------+--------------+--------------+--------------+--------------+-----------------+\n"
		"| 4K sync T1       |         1010 |        50.00 |         80.0 |        200.0 | 1.0 % excellent |\n"
		"| 4K sync T4       |         1020 |        50.00 |         70.0 |      unknown | -               |\n"
		"+------------------+--------------+--------------+--------------+--------------+-----------------+\n");
	char *best = table_text(&stage, SCORE_BEST, false);
	assert_non_null(strstr(
		best, "| 4K sync T1       |         1020 |        90.00 |         70.0 |        100.0 | 1.0 % excellent |\n"));
	free(best);
	stage_close(&stage);
}

static void test_repeated_dd_table(void **state)
{
	struct stage stage;

	(void)state;
	open_passes(&stage, &profile_dd, false);
	set_passes(&stage, 0, 100, 110, 120);
	set_passes(&stage, 1, 300, 200, 400);
	stage_fail(&stage, 2, "dd failed (exit status 1)");
	expect_table(&stage, "+--------------------------+----------------+----------------------+\n"
						 "| Test                     |           MB/s | Spread (CV)          |\n"
						 "+--------------------------+----------------+----------------------+\n"
						 "| Write, fsync at the end  |         110.00 | 9.1 % excellent      |\n"
						 "| Read, uncached           |         300.00 | 33.3 % high variance |\n"
						 "| Read, cached (RAM)       |         failed | -                    |\n"
						 "+--------------------------+----------------+----------------------+\n"
						 "Read, cached (RAM) failed: dd failed (exit status 1).\n");
	stage_close(&stage);
}

/* What some runs lack, the others have; each reason is told once, with how many runs had it. */
static void test_failed_passes(void **state)
{
	struct stage stage;

	(void)state;
	open_passes(&stage, &profile_cdm, true);
	stage_fail(&stage, 0, "fio wrote nothing");
	stage_shorten(&stage, 1, 77, 70, "fio ran 1 s of 5 s");
	set_passes(&stage, 0, 100, 200, 300);
	stage_fail(&stage, 2 * CDM_RUNS, "fio wrote nothing"); /* the second pass */
	for (size_t pass = 1; pass <= PASSES; pass++) {
		stage_shorten(&stage, pass * CDM_RUNS + 1, (double)pass * 10, 10,
			pass == 2 ? "fio ran 2 s of 5 s" : "fio ran 3 s of 5 s");
		stage_fail(&stage, pass * CDM_RUNS + 2, "fio wrote nothing");
	}
	stage_fail(&stage, 4, "the keeper is gone"); /* and its row has nothing but a warm-up */
	expect_table(&stage, "+------------------+----------------+----------------+----------------+----------------+-----"
						 "-----------------+\n"
						 "| Test             |    Read (MB/s) |   Write (MB/s) |    Read (IOPS) |   Write (IOPS) | "
						 "Spread (CV)          |\n"
						 "+------------------+----------------+----------------+----------------+----------------+-----"
						 "-----------------+\n"
						 "| SEQ1M  Q8T1      |         200.00 |        [30.00] |           2000 |           [10] | "
						 "70.7 % high variance |\n"
						 "| SEQ1M  Q1T1      |         failed |              - |         failed |              - | -   "
						 "                 |\n"
						 "+------------------+----------------+----------------+----------------+----------------+-----"
						 "-----------------+\n"
						 "SEQ1M Q8T1 read failed in 1 of 3 runs: fio wrote nothing.\n"
						 "SEQ1M Q8T1 write failed in 2 of 3 runs: fio ran 3 s of 5 s [shortened]\n"
						 "SEQ1M Q8T1 write failed in 1 of 3 runs: fio ran 2 s of 5 s [shortened]\n"
						 "SEQ1M Q1T1 read failed in 3 of 3 runs: fio wrote nothing.\n"
						 "SEQ1M Q8T1 read failed in the warm-up: fio wrote nothing.\n"
						 "SEQ1M Q8T1 write failed in the warm-up: fio ran 1 s of 5 s [shortened]\n"
						 "RND4K Q32T16 read failed in the warm-up: the keeper is gone.\n");
	stage_close(&stage);
}

/* One run's mark is the figure's. */
static void test_marked_passes(void **state)
{
	struct stage stage;

	(void)state;
	open_passes(&stage, &profile_cdm, false);
	set_passes(&stage, 0, 100, 100, 100);
	set_passes(&stage, 1, 100, 100, 100);
	stage.report.storage.kind = STORAGE_RAM;
	stage.report.measurements[CDM_RUNS].evidence = (struct evidence){.present = true, .claimed_bytes = 1e9};
	report_check(&stage.report);
	expect_table(&stage,
		"+------------------+----------------+----------------+----------------+----------------+-----------------+\n"
		"| Test             |    Read (MB/s) |   Write (MB/s) |    Read (IOPS) |   Write (IOPS) | Spread (CV)     |\n"
		"+------------------+----------------+----------------+----------------+----------------+-----------------+\n"
		"| SEQ1M  Q8T1      |         100.00*|         100.00 |           1000*|           1000 | 0.0 % excellent |\n"
		"+------------------+----------------+----------------+----------------+----------------+-----------------+\n"
		"* SEQ1M Q8T1 read (1 of 3 runs): /mnt/tank lies in RAM (tmpfs): no disk is measured here; name a folder on a "
		"disk "
		"[served-from-ram]\n");
	stage_close(&stage);
}

/* A file from elsewhere may hold tests that no profile of ours has. */
static void test_foreign_tests(void **state)
{
	struct record_run run = {
		.pass = 1, .outcome = OUTCOME_VALID, .has_figures = true, .figures = {5e6, 5, 5, 5}, .mark = (char[]){"?"}};
	struct record_test tests[] = {
		{.name = (char[]){"RND4K Q1T1"}, .transfer = TRANSFER_WRITE, .runs = &run, .run_count = 1},
		{.name = (char[]){"RND4K Q1T1"}, .transfer = TRANSFER_WRITE, .runs = &run, .run_count = 1},
		{.name = (char[]){"RND8K Q2T2"}, .transfer = TRANSFER_READ, .runs = &run, .run_count = 1},
		{.name = (char[]){"nothing"}, .transfer = TRANSFER_READ},
	};
	struct record record = {.settings = {.profile = &profile_cdm, .runs = 1}, .tests = tests, .test_count = 4};
	struct table table;

	(void)state;
	table_init(&table, &record, SCORE_MEDIAN);
	assert_int_equal(table.row_count, 3);
	assert_string_equal(table.cells[0].text, "RND4K  Q1T1");
	assert_string_equal(table.cells[1].text, "-");
	assert_string_equal(table.cells[2].text, "5.00");
	assert_string_equal(table.cells[2].mark, "?");
	assert_string_equal(table.cells[2 * table.column_count].text, "RND8K Q2T2");
	assert_string_equal(table.cells[2 * table.column_count + 2].text, "-");
	assert_null(table.closing);
	table_release(&table);
}

static void expect_footnotes(const struct stage *stage, const char *const *right)
{
	struct record record;
	struct table table;
	size_t count = 0;

	stage_record(&record, stage);
	table_init(&table, &record, SCORE_MEDIAN);
	for (; right[count]; count++) {
		assert_true(count < table.footnote_count);
		assert_string_equal(table.footnotes[count], right[count]);
	}
	assert_int_equal(table.footnote_count, count);
	table_release(&table);
	record_release(&record);
}

/* Tests that failed as a whole by one finding, for one reason, are one sentence. */
static void test_failed_alike(void **state)
{
	struct stage stage;

	(void)state;
	fill_cdm(&stage);
	for (size_t run = 0; run < CDM_RUNS; run++) {
		stage_shorten(&stage, run, 77, 70, run == CDM_RUNS - 1 ? "fio ran 1 s of 5 s" : "fio ran 3 s of 5 s");
	}
	expect_footnotes(
		&stage, (const char *const[]){"SEQ1M Q8T1 read, SEQ1M Q8T1 write, SEQ1M Q1T1 read, SEQ1M Q1T1 write and 3 more "
									  "failed: fio ran 3 s of 5 s [shortened]",
					"RND4K Q1T1 write failed: fio ran 1 s of 5 s [shortened]", NULL});
	stage_close(&stage);

	/* What is no finding is said of each. */
	fill_cdm(&stage);
	stage_shorten(&stage, 0, 77, 70, "fio ran 3 s of 5 s");
	stage_fail(&stage, 1, "fio wrote nothing");
	stage_fail(&stage, 2, "fio wrote nothing");
	stage_shorten(&stage, 3, 77, 70, "fio ran 3 s of 5 s");
	stage_shorten(&stage, 4, 77, 70, "fio ran 3 s of 5 s");
	stage_shorten(&stage, 6, 77, 70, "fio ran 3 s of 5 s");
	expect_footnotes(
		&stage, (const char *const[]){"SEQ1M Q8T1 read failed: fio ran 3 s of 5 s [shortened]",
					"SEQ1M Q8T1 write failed: fio wrote nothing.", "SEQ1M Q1T1 read failed: fio wrote nothing.",
					"SEQ1M Q1T1 write, RND4K Q32T16 read failed: fio ran 3 s of 5 s [shortened]",
					"RND4K Q1T1 read failed: fio ran 3 s of 5 s [shortened]", NULL});
	stage_close(&stage);
}

/* As it is without words that are longer than usual. */
static void expect_within_80_columns(const struct table *table)
{
	size_t columns = strlen("|");

	for (size_t i = 0; i < table->column_count; i++) {
		columns += table->columns[i].width_min + strlen("  |");
	}
	assert_true(columns <= 80);
}

/* What belongs to no table of the profile has its own. */
static void test_further_tables(void **state)
{
	struct record record;
	struct table table;

	(void)state;
	record_sample(&record, "slog", 1, 3.3e7, 0, 1);
	for (int which = 0; which < FURTHER_TABLE_COUNT; which++) {
		table_init_further(&table, &record, (enum further_table)which, SCORE_MEDIAN);
		assert_int_equal(table.row_count, 0);
		assert_int_equal(table.footnote_count, 0);
		assert_null(table.closing);
		table_release(&table);
	}
	record_sample_doctor(&record, 5, 0, 1);
	record_sample_finding(&record, "cpu-bound", "?", "it was the processor", 5, -1);
	table_init(&table, &record, SCORE_MEDIAN);
	assert_int_equal(table.row_count, 4);
	assert_int_equal(table.footnote_count, 1); /* which speaks of a reference row */
	table_release(&table);
	table_init_further(&table, &record, FURTHER_DETAIL, SCORE_MEDIAN);
	assert_string_equal(further_table_heading(FURTHER_DETAIL), "Primitives and block sizes");
	assert_int_equal(table.row_count, 9);
	assert_int_equal(table.column_count, 5);
	expect_within_80_columns(&table);
	assert_string_equal(table.cells[0].text, "4K no sync");
	assert_string_equal(table.cells[5].text, "4K O_DSYNC");
	assert_string_equal(table.cells[6].mark, "?");
	assert_int_equal(table.footnote_count, 0);
	assert_null(table.closing);
	table_release(&table);
	table_init_further(&table, &record, FURTHER_STAGES, SCORE_MEDIAN);
	assert_string_equal(further_table_heading(FURTHER_STAGES), "The experiment");
	assert_int_equal(table.row_count, 3);
	expect_within_80_columns(&table);
	assert_true(table.columns[4].width_min >= strlen("-0.4 % (not sure)"));
	assert_string_equal(table.columns[0].title, "T1, 4K sync");
	assert_string_equal(table.cells[0].text, "as it is");
	assert_string_equal(table.cells[4].text, "");
	assert_string_equal(table.cells[10].text, "+ governor performance");
	assert_true(text_starts_with(table.cells[14].text, "-50 % ("));
	table_release(&table);
	record.settings.runs = 5;
	table_init_further(&table, &record, FURTHER_DETAIL, SCORE_MEDIAN);
	assert_int_equal(table.column_count, 6);
	table_release(&table);
	record_release(&record);
}

/* The parts make up the commit; of several runs the middle share counts, and only of those that count. */
static void test_split(void **state)
{
	static const double shares[] = {0.5, 0.25, 0.125};
	struct record record;
	size_t count;

	(void)state;
	record_sample(&record, "slog", 3, 3.3e7, 0, 1);
	struct split_row *rows = split_rows_make(&record, SCORE_MEDIAN, &count);
	assert_int_equal(count, 0);
	split_rows_release(rows, count);
	record_sample_doctor(&record, 5, 0, 1);
	for (size_t i = 0; i < 3; i++) {
		record.tests[0].runs[i].evidence.device_share = shares[i];
		record.tests[0].runs[i].figures[QUANTITY_P50] = 328e3 + (double)i * 1e3;
		record.tests[1].runs[i].evidence.device_share = UNKNOWN;
	}
	record_sample_fail(&record, 2, -1, "fio wrote nothing", NULL);
	rows = split_rows_make(&record, SCORE_MEDIAN, &count);
	assert_int_equal(count, 2);
	assert_string_equal(rows[0].name, "T1");
	assert_string_equal(rows[1].name, "T16");
	assert_number(rows[0].commit_ns, 329e3, 0);
	assert_number(rows[0].device_share, 0.25, 0);
	assert_number(rows[0].device_ns + rows[0].host_ns, rows[0].commit_ns, 1e-6);
	split_rows_release(rows, count);
	rows = split_rows_make(&record, SCORE_BEST, &count);
	assert_number(rows[0].commit_ns, 328e3, 0);
	split_rows_release(rows, count);
	record_release(&record);
}

/* A row of which it is not known says why; where one sentence says it of all, there is no row. */
static void test_split_unknown(void **state)
{
	struct record record;
	size_t count;

	(void)state;
	record_sample(&record, "slog", 2, 3.3e7, 0, 1);
	record_sample_doctor(&record, 5, 0, 1);
	record_sample_split_unknown(&record.tests[1], "nobody counts");
	record.tests[2].runs[1].evidence.commits_are_skewed = true;
	record_sample_split_unknown(&record.tests[3], "nobody counts");
	record.tests[3].runs[1].evidence.device_share = 0.5; /* in one of the runs it is known */
	struct split_row *rows = split_rows_make(&record, SCORE_MEDIAN, &count);
	assert_int_equal(count, 4);
	assert_string_equal(rows[1].name, "T4");
	assert_string_equal(rows[1].unknown, "nobody counts");
	assert_true(isnan(rows[1].device_share) && isnan(rows[1].device_ns) && isnan(rows[1].host_ns));
	assert_true(!rows[0].unknown && !rows[2].unknown && !rows[3].unknown);
	assert_true(!rows[0].is_about && !rows[1].is_about && rows[2].is_about && !rows[3].is_about);
	assert_number(rows[3].device_share, 0.5, 0);
	split_rows_release(rows, count);
	for (size_t i = 0; i < 4; i++) {
		record_sample_split_unknown(&record.tests[i], i == 2 ? "others write" : "nobody counts");
	}
	record.split_unknown = xstrdup("nobody counts");
	rows = split_rows_make(&record, SCORE_MEDIAN, &count);
	assert_int_equal(count, 4);
	assert_string_equal(rows[2].unknown, "others write");
	split_rows_release(rows, count);
	record_sample_split_unknown(&record.tests[2], "nobody counts");
	rows = split_rows_make(&record, SCORE_MEDIAN, &count);
	assert_int_equal(count, 0);
	split_rows_release(rows, count);
	record_release(&record);
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
		cmocka_unit_test(test_marked_table),
		cmocka_unit_test(test_wide_marked_table),
		cmocka_unit_test(test_closing),
		cmocka_unit_test(test_repeated_table),
		cmocka_unit_test(test_repeated_slog_table),
		cmocka_unit_test(test_repeated_dd_table),
		cmocka_unit_test(test_failed_passes),
		cmocka_unit_test(test_marked_passes),
		cmocka_unit_test(test_foreign_tests),
		cmocka_unit_test(test_failed_alike),
		cmocka_unit_test(test_further_tables),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_split_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
