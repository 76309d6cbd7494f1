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

static void it_has_all_that_people_ask_for(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 1, 4e9, 0, 1);
	record.label = xstrdup("CN-08R2");
	char *markdown = rendered_record("markdown", &record);

	assert_true(text_starts_with(markdown, "## CN-08R2: /mnt/tank/bench on "));
	assert_contains(markdown, "\n| Test | Read (MB/s) | Write (MB/s) | Read (IOPS) | Write (IOPS) |\n"
							  "| :--- | ---: | ---: | ---: | ---: |\n| SEQ1M Q8T1 | 4000.00 | 2000.00 | ");
	assert_contains(markdown, "- Engine: io\\_uring (fio 3.33, as root)\n");
	assert_contains(markdown, "- Machine: kernel Linux 6.1.0, x86\\_64; processors 8; ");
	assert_contains(markdown, "- Measured: 2026-11-30 17:00 UTC with speedtest-hd 1.0.0\n");
	assert_contains(markdown, "\n```sh\nspeedtest-hd --fio --runs 1 /mnt/tank/bench\n```\n");
	assert_lacks(markdown, "### ");
	assert_lacks(markdown, "**");
	free(markdown);
	record_release(&record);
}

static void marks_and_footnotes_are_text(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 1, 4e9, 0, 1);
	record_sample_finding(&record, "served-from-ram", "*", "SEQ1M Q8T1 read: <RAM>.", 0, -1);
	record_sample_finding(&record, "amplified", "", "SEQ1M Q8T1 write: more.", 1, -1);
	record_sample_fail(&record, 2, -1, "no | space", "shortened");
	char *markdown = rendered_record("markdown", &record);

	assert_contains(markdown, "| 4000.00\\* |");
	assert_contains(markdown, "| \\[3000.00\\] |");
	assert_contains(markdown, "\n- SEQ1M Q1T1 read failed: no \\| space \\[shortened\\]\n");
	assert_contains(markdown, "\n- \\* SEQ1M Q8T1 read: \\<RAM\\>. \\[served-from-ram\\]\n");
	assert_contains(markdown, "\n- SEQ1M Q8T1 write: more. \\[amplified\\]\n");
	free(markdown);
	record_release(&record);
}

static void the_best_stands_beside_the_median(void **state)
{
	const double bandwidths[] = {91e6, 95e6, 93e6};
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 3, 4e9, 0, 1);
	record_sample_runs(&record, 6, bandwidths, 3);
	char *markdown = rendered_record("markdown", &record);
	const char *best =
		strstr(markdown, "\n\nBest of 3 runs:\n\n| Test | Read (MB/s) | Write (MB/s) | Read (IOPS) | "
						 "Write (IOPS) |\n| :--- | ---: | ---: | ---: | ---: |\n| SEQ1M Q8T1 | 4000.00 | ");

	assert_non_null(best);
	assert_contains(markdown, "| RND4K Q1T1 | 93.00 | ");
	assert_contains(best, "| RND4K Q1T1 | 95.00 | ");
	free(markdown);
	struct document document = {.record = &record, .score = SCORE_BEST};
	char *other = rendered(renderer_by_name("markdown"), &document);
	const char *median = strstr(other, "\n\nMedian of 3 runs:\n\n| Test |");

	assert_non_null(median);
	assert_non_null(strstr(median, "| RND4K Q1T1 | 93.00 | "));
	free(other);
	record_release(&record);
}

static void what_is_not_complete_says_so(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "slog", 2, 1e8, 0, 1);
	record.state = RECORD_INTERRUPTED;
	char *interrupted = rendered_record("markdown", &record);

	record.state = RECORD_FAILED;
	record.failure = xstrdup("the disk is *gone*");
	char *failed = rendered_record("markdown", &record);
	assert_contains(interrupted, "\n**Interrupted after 8 of 8 runs: ");
	assert_contains(failed, "\n**Given up after 8 of 8 runs: the disk is \\*gone\\*.**\n");
	free(interrupted);
	free(failed);
	record_release(&record);
}

static void nothing_measured_yet_is_a_whole_document(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "dd", 0, 1e8, 0, 1);
	record.state = RECORD_RUNNING;
	record.settings.runs = 1;
	char *markdown = rendered_record("markdown", &record);

	assert_contains(markdown, "**Not finished: this was written after 0 of 3 runs, ");
	assert_lacks(markdown, "| Test |");
	free(markdown);
	record_release(&record);
}

static void nothing_from_outside_means_anything(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 1, 4e9, 0, 1);
	record.label = xstrdup("# <script>alert(1)</script> | *x* [l](http://e.x) `");
	sample_set(&record.target.path, "/mnt/_a_<b>&amp;");
	sample_set(&record.target.device, "|dev|");
	sample_set(&record.settings.command, "speedtest-hd '```' '````'");
	sample_set(&record.host, "<host>");
	char *markdown = rendered_record("markdown", &record);

	assert_true(
		text_starts_with(markdown, "## \\# \\<script\\>alert(1)\\</script\\> \\| \\*x\\* \\[l\\](http:\\//e.x) \\`: "
								   "/mnt/\\_a\\_\\<b\\>\\&amp; on \\|dev\\|\n"));
	assert_contains(markdown, "\n`````sh\nspeedtest-hd '```' '````'\n`````\n");
	free(markdown);
	record_release(&record);
}

/* In the same order as in the text. */
static void what_the_doctor_says_follows_the_table(void **state)
{
	static const char *const order[] = {"| 4K sync T16 |", "\n### Primitives and block sizes\n\n| Test | IOPS |",
		"| 128K O\\_SYNC |", "\n### The experiment\n\n| T1, 4K sync | IOPS |", "| + governor performance |",
		"\n- ? it was the processor",
		"\nChecked: ", "\n### Where the time of a commit goes\n\n| Test | Commit p50 (us) |", "| T16 | ", " | 25 % |\n",
		"\n### Path of the writes\n\n- All sync writes went to the log device nvme1n1.\n",
		("\n### To make it last\n\n- Set the governor at each start:\n\n```\n[Service]\n"
		 "ExecStart=/bin/sh -c 'echo performance >\"$g\"'\n```\n\n- Undo it with the opposite.\n\n```sh\n")};
	struct record record;

	(void)state;
	record_sample(&record, "slog", 1, 1e8, 0, 1);
	record_sample_doctor(&record, 5, 0, 1);
	record_sample_finding(&record, "cpu-bound", "?", "it was the processor", 5, -1);
	char *markdown = rendered_record("markdown", &record);
	const char *at = markdown;

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		assert_contains(at, order[i]);
		at = strstr(at, order[i]) + 1;
	}
	assert_lacks(markdown, "is an estimate");
	free(markdown);
	record.split_is_estimate = true;
	markdown = rendered_record("markdown", &record);
	assert_contains(markdown, "\n\nThis is an estimate: ");
	assert_lacks(markdown, "about 2");
	free(markdown);
	record_sample_split_unknown(&record.tests[1], "others | counted");
	record.tests[0].runs[0].evidence.commits_are_skewed = true;
	markdown = rendered_record("markdown", &record);
	assert_contains(markdown, " | about 25 % |\n| T4 | ");
	assert_contains(markdown, " |  |  | not known: others \\| counted |\n| T8 | ");
	assert_contains(markdown, "\n\nParts that are ");
	free(markdown);
	record_release(&record);
}

static void comparison_and_thresholds_follow(void **state)
{
	struct record before, after;
	const struct record *const records[] = {&before, &after};
	const char *const names[] = {"before.json", "after.json"};
	struct comparison comparison;
	struct failure failure = FAILURE_NONE;
	char missed_text[] = "--fail-below 'x'", sentence[] = "RND4K Q1T1 read: 1 IOPS, less than the 2 asked for";
	struct threshold_outcome list[] = {{.text = missed_text, .state = THRESHOLD_MISSED, .sentence = sentence},
		{.text = missed_text, .state = THRESHOLD_MET}, {.text = missed_text, .state = THRESHOLD_NOT_MEASURED}};
	const struct threshold_outcomes outcomes = {list, 3};

	(void)state;
	record_sample(&before, "cdm", 5, 1e9, 0.001, 1);
	record_sample(&after, "cdm", 5, 1.5e9, 0.001, 2);
	sample_set(&before.label, "st|ock");
	sample_set(&after.label, "tuned");
	assert_true(comparison_make(&comparison, records, names, 2, &failure));
	struct document document = {&after, &comparison, &outcomes, SCORE_MEDIAN};
	char *markdown = rendered(renderer_by_name("markdown"), &document);

	assert_contains(markdown, "\n### Comparison\n\n- Before: st\\|ock, 2026-11-30 17:00 UTC\n- After: tuned, ");
	assert_contains(markdown, "\n| Test | Before (MB/s) | After (MB/s) | Difference | Verdict |\n"
							  "| :--- | ---: | ---: | ---: | :--- |\n| SEQ1M Q8T1 read | ");
	assert_contains(markdown, " | faster |\n");
	assert_contains(
		markdown, "\n### Thresholds\n\nThresholds: 1 met, 1 missed, 1 not measured.\n\n- RND4K Q1T1 read: ");
	assert_contains(markdown, "\n- \\--fail-below 'x': not measured\n");
	free(markdown);
	comparison_release(&comparison);
	record_release(&before);
	record_release(&after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_has_all_that_people_ask_for),
		cmocka_unit_test(marks_and_footnotes_are_text),
		cmocka_unit_test(the_best_stands_beside_the_median),
		cmocka_unit_test(what_is_not_complete_says_so),
		cmocka_unit_test(nothing_measured_yet_is_a_whole_document),
		cmocka_unit_test(nothing_from_outside_means_anything),
		cmocka_unit_test(what_the_doctor_says_follows_the_table),
		cmocka_unit_test(comparison_and_thresholds_follow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
