#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "records.h"
#include "rendered.h"
#include "support/text.h"

/* The cell of a line (0 is the header) in a column, for files without quotes. The caller frees it. */
static char *cell_at(const char *csv, size_t line, size_t column)
{
	for (; line > 0; line--) {
		csv = strchr(csv, '\n');
		assert_non_null(csv);
		csv++;
	}
	for (; column > 0; column--) {
		csv += strcspn(csv, ",\n");
		assert_int_equal(*csv, ',');
		csv++;
	}
	return xstrndup(csv, strcspn(csv, ",\n"));
}

static size_t column_of(const char *csv, const char *key)
{
	for (size_t column = 0;; column++) {
		char *cell = cell_at(csv, 0, column);
		bool found = strcmp(cell, key) == 0;

		free(cell);
		if (found) {
			return column;
		}
	}
}

static void assert_cell(const char *csv, size_t line, const char *key, const char *expected)
{
	char *cell = cell_at(csv, line, column_of(csv, key));

	assert_string_equal(cell, expected);
	free(cell);
}

static size_t count_of(const char *string, char wanted)
{
	size_t count = 0;

	for (; *string; string++) {
		count += *string == wanted ? 1 : 0;
	}
	return count;
}

/* A record without a comma in any text. */
static void make_plain(struct record *record, const char *profile, unsigned runs, double mean_bytes_per_s)
{
	record_sample(record, profile, runs, mean_bytes_per_s, 0, 1);
	sample_set(&record->target.device, "nvme0n1");
}

static void a_line_for_each_test(void **state)
{
	struct record record;

	(void)state;
	make_plain(&record, "cdm", 3, 4194304000.0);
	record.label = xstrdup("stock");
	char *csv = rendered_record("csv", &record);

	assert_int_equal(count_of(csv, '\n'), 1 + 8);
	assert_int_equal(count_of(csv, ',') % (1 + 8), 0);
	assert_true(text_starts_with(csv, "record,label,started_at,"));
	assert_cell(csv, 1, "record", "stock");
	assert_cell(csv, 1, "test", "SEQ1M Q8T1");
	assert_cell(csv, 1, "direction", "read");
	assert_cell(csv, 2, "direction", "write");
	assert_cell(csv, 1, "block_size_bytes", "1048576");
	assert_cell(csv, 1, "queue_depth", "8");
	assert_cell(csv, 5, "threads", "16");
	assert_cell(csv, 1, "size_bytes", "1073741824");
	assert_cell(csv, 1, "runtime_s", "5");
	assert_cell(csv, 1, "state", "complete");
	assert_cell(csv, 1, "o_direct", "enabled");
	assert_cell(csv, 1, "runs", "3");
	assert_cell(csv, 1, "valid_runs", "3");
	assert_cell(csv, 1, "failed_runs", "0");
	assert_cell(csv, 1, "bandwidth_bytes_per_s_median", "4194304000");
	assert_cell(csv, 1, "iops_best", "4000");
	assert_cell(csv, 1, "bandwidth_cv_permille", "0");
	assert_cell(csv, 1, "mark", "");
	assert_cell(csv, 1, "bandwidth_verdict", "");
	free(csv);
	record_release(&record);
}

/* Behind all others, so that whoever counts columns finds them where they were. */
static void parts_and_shares_stand_last(void **state)
{
	struct record record;

	(void)state;
	make_plain(&record, "slog", 1, 1e8);
	record_sample_doctor(&record, 5, 0, 1);
	sample_set(&record.tests[15].name, "T1");
	char *csv = rendered_record("csv", &record);

	assert_contains(csv, ",latency_p99_verdict,part,stage,commit_device_share_permille\n");
	assert_cell(csv, 1, "part", "main");
	assert_cell(csv, 1, "stage", "");
	assert_cell(csv, 1, "commit_device_share_permille", "250");
	assert_cell(csv, 5, "part", "detail");
	assert_cell(csv, 5, "commit_device_share_permille", ""); /* nothing is synchronous there */
	assert_cell(csv, 15, "part", "experiment");
	assert_cell(csv, 15, "stage", "C-states held off");
	assert_cell(csv, 16, "stage", "'+ governor performance"); /* no formula */
	free(csv);
	record_release(&record);
}

static void unknown_is_empty(void **state)
{
	struct record record;

	(void)state;
	make_plain(&record, "dd", 1, 1e8);
	sample_set(&record.tests[0].name, "Write");
	char *csv = rendered_record("csv", &record);

	assert_cell(csv, 1, "label", "");
	assert_cell(csv, 1, "record", "bench 2026-11-30T17:00:00Z");
	assert_cell(csv, 1, "engine", "");
	assert_cell(csv, 1, "runtime_s", "");
	assert_cell(csv, 1, "iops_median", "");
	assert_cell(csv, 1, "bandwidth_cv_permille", "");
	assert_lacks(csv, "nan");
	free(csv);
	record_release(&record);
}

static void numbers_are_whole(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "slog", 5, 1.2345678e8, 0.1, 3);
	sample_set(&record.target.device, "nvme0n1");
	char *csv = rendered_record("csv", &record);
	size_t header = strcspn(csv, "\n");

	/* "fio 3.33" alone has a point; and there is one in each line. */
	assert_int_equal(count_of(csv + header, '.'), record.test_count);
	free(csv);
	record_release(&record);
}

static void findings_are_named_once(void **state)
{
	struct record record;

	(void)state;
	make_plain(&record, "cdm", 2, 1e9);
	record_sample_finding(&record, "served-from-ram", "*", "a sentence", 0, -1);
	record_sample_finding(&record, "other-traffic", "*", "a sentence", 0, 2);
	record_sample_fail(&record, 1, 2, "cut short", "shortened");
	record_sample_fail(&record, 2, -1, "gone", NULL);
	char *csv = rendered_record("csv", &record);

	assert_cell(csv, 1, "mark", "*");
	assert_cell(csv, 1, "findings", "served-from-ram other-traffic");
	assert_cell(csv, 2, "findings", "shortened");
	assert_cell(csv, 2, "valid_runs", "1");
	assert_cell(csv, 2, "failed_runs", "1");
	assert_cell(csv, 3, "valid_runs", "0");
	assert_cell(csv, 3, "bandwidth_bytes_per_s_median", "");
	assert_cell(csv, 3, "findings", "");
	free(csv);
	record_release(&record);
}

/* Each once, in the order in which they came, however many there are. */
static void many_findings_are_named_once(void **state)
{
	size_t ids = getenv("SPEEDTEST_HD_VALGRIND") ? 200 : 20000;
	struct text expected = TEXT_EMPTY;
	struct record record;

	(void)state;
	make_plain(&record, "cdm", 1, 1e9);
	/* At once: some allocators copy each time. */
	record.tests[0].runs = xrealloc(record.tests[0].runs, (2 * ids + 1) * sizeof(*record.tests[0].runs));
	for (size_t i = 0; i < 2 * ids; i++) {
		char *id = xasprintf("id%zu", i % ids);
		struct record_test *test = &record.tests[0];

		test->runs[test->run_count++] =
			(struct record_run){.pass = 1, .outcome = OUTCOME_FAILED, .mark = xstrdup(""), .failure_id = id};
		if (i < ids) {
			text_addf(&expected, "%s%s", i > 0 ? " " : "", id);
		}
	}
	char *csv = rendered_record("csv", &record);

	assert_cell(csv, 1, "findings", text_string(&expected));
	text_release(&expected);
	free(csv);
	record_release(&record);
}

static void texts_are_quoted(void **state)
{
	struct record record;

	(void)state;
	make_plain(&record, "cdm", 1, 1e9);
	record.label = xstrdup("=1+1");
	sample_set(&record.host, "a \"host\"");
	sample_set(&record.target.path, "/mnt/a,b");
	char *csv = rendered_record("csv", &record);

	assert_contains(csv, "\n'=1+1,'=1+1,2026-11-30T17:00:00Z,\"a \"\"host\"\"\",\"/mnt/a,b\",nvme0n1,");
	free(csv);
	record_release(&record);
}

static void a_comparison_has_the_lines_of_all(void **state)
{
	struct record before, after;
	const struct record *const records[] = {&before, &after};
	const char *const names[] = {"before.json", "after.json"};
	struct comparison comparison;
	struct failure failure = FAILURE_NONE;

	(void)state;
	record_sample(&before, "cdm", 5, 1e9, 0.001, 1);
	record_sample(&after, "cdm", 5, 1.5e9, 0.001, 2);
	sample_set(&before.target.device, "nvme0n1");
	sample_set(&after.target.device, "nvme0n1");
	sample_set(&before.label, "stock");
	sample_set(&after.label, "tuned");
	assert_true(comparison_make(&comparison, records, names, 2, &failure));
	struct document document = {.record = &after, .comparison = &comparison, .score = SCORE_MEDIAN};
	char *csv = rendered(renderer_by_name("csv"), &document);

	assert_int_equal(count_of(csv, '\n'), 1 + 16);
	assert_int_equal(count_of(csv, ',') % (1 + 16), 0);
	assert_cell(csv, 1, "record", "stock");
	assert_cell(csv, 9, "record", "tuned");
	assert_cell(csv, 1, "bandwidth_verdict", "");
	for (size_t line = 9; line <= 16; line++) {
		char *difference = cell_at(csv, line, column_of(csv, "bandwidth_difference_permille"));

		assert_in_range(strtoul(difference, NULL, 10), 490, 510);
		free(difference);
		assert_cell(csv, line, "bandwidth_verdict", "faster");
		assert_cell(csv, line, "iops_verdict", "");
	}
	free(csv);
	comparison_release(&comparison);
	record_release(&before);
	record_release(&after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_for_each_test),
		cmocka_unit_test(parts_and_shares_stand_last),
		cmocka_unit_test(unknown_is_empty),
		cmocka_unit_test(numbers_are_whole),
		cmocka_unit_test(findings_are_named_once),
		cmocka_unit_test(many_findings_are_named_once),
		cmocka_unit_test(texts_are_quoted),
		cmocka_unit_test(a_comparison_has_the_lines_of_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
