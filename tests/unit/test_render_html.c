#include "pages.h"

#define HOSTILE "\"><script>alert(1)</script><img src=x onerror=alert(1)>'&amp;</title></style><iframe>"

static void test_profiles(void **state)
{
	static const char *const keys[] = {"cdm", "slog", "dd"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (unsigned runs = 1; runs <= 5; runs += 4) {
			struct record record;

			record_sample(&record, keys[i], runs, 3.5e9, 0.05, 7);
			char *page = render_record(&record);

			assert_sound(page);
			assert_int_equal(count(page, "class=\"chart bars\""), 1);
			assert_int_equal(count(page, "class=\"chart lines\""), record.test_count);
			assert_int_equal(count(page, "class=\"chart threads\""), i == 1);
			assert_int_equal(count(page, "<circle class=\"dot\"") > 1, runs > 1);
			assert_has(page, record.settings.command);
			assert_has(page, record.checked);
			assert_has(page, "Written by speedtest-hd 1.0.0");
			free(page);
			record_release(&record);
		}
	}
}

static void test_figures_are_those_of_the_table(void **state)
{
	const double bandwidths[] = {91.2345e6, 95e6, 93e6};
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 3, 3.5e9, 0, 7);
	record_sample_runs(&record, 6, bandwidths, 3);
	char *page = render_record(&record);

	assert_has(page, "3500.00</td>");
	assert_has(page, "93.00</td>");
	assert_has(page, "93.00</text>");
	assert_has(page, ", logarithmic scale");
	assert_has(page, "median of the runs");
	free(page);
	page = render(&(struct document){.record = &record, .score = SCORE_BEST});
	assert_has(page, "95.00</td>");
	assert_has(page, "95.00</text>");
	assert_has(page, "best of the runs");
	free(page);
	record_release(&record);
}

static void test_scale(void **state)
{
	const double even[] = {3e9};
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 1, 3.5e9, 0, 7);
	for (size_t i = 0; i < record.test_count; i++) {
		record_sample_runs(&record, i, even, 1);
	}
	char *page = render_record(&record);

	assert_has(page, "in MB/s</title>");
	assert_has_not(page, "logarithmic");
	free(page);
	record_release(&record);
}

static void test_hostile(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 2, 3.5e9, 0, 7);
	char **const strings[] = {&record.program_version, &record.label, &record.started_at, &record.finished_at,
		&record.failure, &record.host, &record.settings.engine, &record.settings.tool, &record.settings.runs_as,
		&record.settings.command, &record.target.path, &record.target.file_system, &record.target.source,
		&record.target.mount_point, &record.target.device, &record.direct.text, &record.checked, &record.tests[0].name,
		&record.facts[0].subject, &record.facts[0].label, &record.facts[0].value};

	record.state = RECORD_FAILED;
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		sample_set(strings[i], HOSTILE);
	}
	record_sample_finding(&record, HOSTILE, "*", HOSTILE, 0, -1);
	record_sample_fail(&record, 1, 1, HOSTILE, HOSTILE);
	struct threshold_outcome outcome = {.text = record.label, .state = THRESHOLD_MISSED, .sentence = record.label};
	struct threshold_outcomes outcomes = {.list = &outcome, .count = 1};
	char *page = render(&(struct document){.record = &record, .outcomes = &outcomes});

	assert_sound(page);
	assert_has_not(page, "onerror=alert(1)>");
	assert_has(page, "&lt;script&gt;alert(1)&lt;/script&gt;");
	assert_int_equal(count(page, "</title></style>"), 0);
	free(page);
	record_release(&record);
}

/* Tables and words follow each other as in the text; drawings of the main table show its rows alone. */
static void test_doctor(void **state)
{
	static const char *const order[] = {"<h2>Results</h2>", "4K sync T16</th>", "<h3>Primitives and block sizes</h3>",
		"<th scope=\"row\">128K O_SYNC</th>", "<h3>The experiment</h3>",
		"<th scope=\"row\">+ governor performance</th>", "href=\"#finding-1\"", "<h3>Findings</h3>",
		"<h2>Where the time of a commit goes</h2>", "<rect class=\"read\" width=\"27.4%\"",
		"<h2><bdi>Path of the writes</bdi></h2>",
		("<li dir=\"auto\">Set the governor at each start:</li>\n</ul>\n<pre><code>[Service]\nExecStart=/bin/sh -c "
		 "&#39;echo performance &gt;&quot;$g&quot;&#39;</code></pre>\n<ul class=\"passage\">\n"),
		"<h2>Latency by threads</h2>"};
	struct record record;

	(void)state;
	record_sample(&record, "slog", 1, 1e8, 0, 1);
	record_sample_doctor(&record, 5, 0.001, 1);
	record_sample_finding(&record, "cpu-bound", "?", "it was the processor", 15, -1);
	record.tests[0].runs[0].evidence.device_share = 0.2744;
	char *page = render_record(&record);
	const char *at = page;

	assert_sound(page);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		assert_has(at, order[i]);
		at = strstr(at, order[i]) + 1;
	}
	assert_int_equal(count(page, "<rect class=\"bar write\" y="), 4);
	assert_int_equal(count(page, "<circle class=\"p50\" cx="), 5); /* and the key */
	assert_has(page, "28 of 28 runs finished");
	assert_int_equal(count(page, "<span class=\"what\">"), 2); /* T1 and T16 */
	assert_has_not(page, "estimate");
	free(page);
	record.split_is_estimate = true;
	page = render_record(&record);
	assert_has(page, "This is an estimate");
	assert_has_not(page, "about 2");
	free(page);
	record_sample_split_unknown(&record.tests[1], "<others> counted");
	record.tests[0].runs[0].evidence.commits_are_skewed = true;
	page = render_record(&record);
	assert_sound(page);
	assert_has(page, "<td class=\"figure\">about 27 %</td>");
	assert_has(page, "<td colspan=\"4\" dir=\"auto\">not known: &lt;others&gt; counted</td></tr>\n");
	assert_has(page, "<p class=\"quiet\">Parts that are ");
	free(page);
	for (size_t i = 0; i < record.test_count; i++) {
		record_sample_split(&record.tests[i], (double)NAN);
	}
	record.split_unknown = xstrdup("<nobody> counts");
	page = render_record(&record);
	assert_sound(page);
	assert_has(page, "It is not known: &lt;nobody&gt; counts.");
	free(page);
	record_release(&record);
}

static void test_hostile_passages(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "slog", 1, 1e8, 0, 1);
	record_sample_doctor(&record, 5, 0.001, 1);
	sample_set(&record.passages[0].heading, HOSTILE);
	sample_set(&record.passages[0].lines[0].text, HOSTILE);
	sample_set(&record.passages[1].lines[1].text, HOSTILE);
	sample_set(&record.tests[0].name, HOSTILE);
	sample_set(&record.tests[14].stage, HOSTILE);
	sample_set(&record.pool.summary, HOSTILE);
	sample_set(&record.pool.dataset, HOSTILE);
	char *page = render_record(&record);

	assert_sound(page);
	free(page);
	record_release(&record);
}

static void test_states(void **state)
{
	static const char *const words[] = {"Not finished", "Complete", "Interrupted", "Given up: <bdi>no space</bdi>"};
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 2, 3.5e9, 0, 7);
	sample_set(&record.failure, "no space");
	for (int i = 0; i < RECORD_STATE_COUNT; i++) {
		record.state = (enum record_state)i;
		char *page = render_record(&record);

		assert_has(page, words[i]);
		assert_has(page, "16 of 16 runs");
		free(page);
	}
	record_sample_fail(&record, 0, 1, "an error", NULL);
	char *page = render_record(&record);

	assert_has(page, "1 of them failed");
	assert_has(page, "failed in 1 of 2 runs: an error");
	free(page);
	record_release(&record);
}

static void test_empty(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 0, 3.5e9, 0, 7);
	record.settings.runs = 1;
	record.state = RECORD_RUNNING;
	sample_set(&record.finished_at, NULL);
	sample_set(&record.checked, NULL);
	sample_set(&record.host, NULL);
	char *page = render_record(&record);

	assert_sound(page);
	assert_has(page, "No run has finished yet");
	assert_has(page, "0 of 8 runs");
	assert_has_not(page, "<svg");
	assert_has_not(page, "Throughput over time");
	free(page);
	record_release(&record);
}

/* From each number with a mark to its sentence, and to no other. */
static void test_findings(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 2, 3.5e9, 0, 7);
	record_sample_finding(&record, "served-from-ram", "*", "It came from RAM.", 0, -1);
	record_sample_finding(&record, "source-unknown", "?", "Nobody knows.", 5, 2);
	record_sample_finding(&record, "amplified", "", "More was written.", 3, -1);
	char *page = render_record(&record);

	assert_sound(page);
	/* card, bar, bandwidth and IOPS of the median and of the best, and the drawing over time */
	assert_int_equal(count(page, "href=\"#finding-1\""), 7);
	assert_int_equal(count(page, "href=\"#finding-2\""), 6); /* no card */
	assert_int_equal(count(page, "href=\"#finding-3\""), 1);
	assert_has(page, "id=\"finding-1\"");
	assert_has(page, "It came from RAM. [served-from-ram]");
	assert_int_equal(count(page, "fill:url(#hatch-read)"), 1);
	assert_int_equal(count(page, "fill:url(#hatch-write)"), 2); /* the bar, and the key */
	free(page);
	record_release(&record);
}

/* Rows that are left out of the table do not move the marks of the others; nor does a name that comes twice. */
static void test_marks_lead_to_their_own_findings(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 1, 3.5e9, 0, 7);
	record.tests[2].runs[0].pass = record.tests[3].runs[0].pass = 0;
	sample_set(&record.tests[6].name, record.tests[0].name);
	sample_set(&record.tests[7].name, record.tests[0].name);
	record_sample_finding(&record, "first", "*", "a", 0, -1);
	record_sample_finding(&record, "second", "*", "b", 6, -1);
	record_sample_finding(&record, "third", "*", "c", 5, -1);
	char *page = render_record(&record);

	assert_sound(page);
	for (int finding = 1; finding <= 3; finding++) {
		char *mark = xasprintf("<a class=\"mark\" href=\"#finding-%d\" aria-label=", finding);

		assert_int_equal(count(strstr(page, "<table>"), mark), 2); /* bandwidth and IOPS */
		free(mark);
	}
	free(page);
	record_release(&record);
}

/* The table says nothing of a test that only its warm-up has reached; cards and bars neither. */
static void test_warm_up_alone_is_no_result(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 1, 3.5e9, 0, 7);
	record_sample_fail(&record, 0, -1, "it ended early", "shortened");
	record_sample_fail(&record, 1, -1, "an error", NULL);
	record.tests[0].runs[0].pass = record.tests[1].runs[0].pass = 0;
	char *page = render_record(&record);

	assert_sound(page);
	assert_has(page, "SEQ1M Q8T1 read failed in the warm-up: it ended early");
	assert_has_not(page, ">failed<");
	assert_has_not(page, "[3500.00]");
	assert_has_not(page, "class=\"bar void\"");
	assert_has_not(page, "SEQ1M Q8T1 read</span> <span class=\"number\">");
	free(page);
	record_release(&record);
}

/* The warm-up's figures stand nowhere, not in brackets either, where all other runs failed without any. */
static void test_figures_of_a_failed_warm_up_stand_nowhere(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 2, 3.5e9, 0, 7);
	record_sample_fail(&record, 0, 1, "it ended early", "shortened");
	record_sample_fail(&record, 0, 2, "an error", NULL);
	record.tests[0].runs[0].pass = 0;
	char *page = render_record(&record);

	assert_sound(page);
	assert_has(page, ">failed</text>");
	assert_has_not(page, "[3500.00]");
	free(page);
	record_release(&record);
}

static void test_both_scores(void **state)
{
	const double bandwidths[] = {91e6, 95e6, 93e6};
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 3, 3.5e9, 0, 7);
	record_sample_runs(&record, 6, bandwidths, 3);
	char *page = render_record(&record);

	assert_has(page, "<h3>Best of 3 runs</h3>");
	assert_has(page, "93.00</td>");
	assert_has(strstr(page, "<h3>Best of 3 runs</h3>"), "95.00</td>");
	assert_int_equal(count(page, ">Spread (CV)<"), 1);
	free(page);
	page = render(&(struct document){.record = &record, .score = SCORE_BEST});
	assert_has(strstr(page, "<h3>Median of 3 runs</h3>"), "93.00</td>");
	free(page);
	record_release(&record);
	record_sample(&record, "cdm", 1, 3.5e9, 0, 7);
	page = render_record(&record);
	assert_has_not(page, "Best of");
	free(page);
	record_release(&record);
}

/* As the heading says: microseconds, and no more of them than fio can tell. */
static void test_compared_latencies(void **state)
{
	struct record list[2];
	const struct record *const pointers[] = {&list[0], &list[1]};
	const char *const names[] = {"a.json", "b.json"};
	struct comparison comparison;
	struct failure failure = {0};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		record_sample(&list[i], "slog", 1, 1e8, 0, 3);
		list[i].tests[0].runs[0].figures[QUANTITY_P99] = i == 0 ? 1234567 : 2e10;
	}
	assert_true(comparison_make(&comparison, pointers, names, 2, &failure));
	char *page = render(&(struct document){.record = pointers[1], .comparison = &comparison});

	assert_sound(page);
	assert_has(page, "p99 lat(us)</th><td class=\"figure\">1234.6</td><td class=\"figure\">&gt;= 17 s</td>");
	assert_has(page, ", p99 \xe2\x89\xa5 17 s<");
	free(page);
	comparison_release(&comparison);
	record_release(&list[0]);
	record_release(&list[1]);
}

static void test_failed_figures_stay_in_brackets(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 1, 3.5e9, 0, 7);
	record_sample_fail(&record, 0, -1, "it ended early", "shortened");
	record_sample_fail(&record, 1, -1, "an error", NULL);
	char *page = render_record(&record);

	assert_has(page, "[3500.00]</text>");
	assert_has(page, "[3500.00]</td>");
	assert_has(page, ">failed</text>");
	assert_has_not(page, ">3500.00<");
	assert_has(page, "class=\"bar void\"");
	free(page);
	record_release(&record);
}

static void compare(size_t records, unsigned runs, const char *const *parts)
{
	struct record list[3];
	const struct record *pointers[3];
	const char *const names[] = {"a.json", "b.json", "c.json"};
	struct comparison comparison;
	struct failure failure = {0};

	for (size_t i = 0; i < records; i++) {
		record_sample(&list[i], "cdm", runs, 3e9 * (1 + 0.5 * (double)i), 0.01, 3 + i);
		list[i].label = xasprintf("<%zu>", i + 1);
		pointers[i] = &list[i];
	}
	assert_true(comparison_make(&comparison, pointers, names, records, &failure));
	char *page = render(&(struct document){.record = pointers[records - 1], .comparison = &comparison});

	assert_sound(page);
	for (size_t i = 0; parts[i]; i++) {
		assert_has(page, parts[i]);
	}
	assert_int_equal(count(page, "class=\"chart intervals\""), records == 2);
	free(page);
	comparison_release(&comparison);
	for (size_t i = 0; i < records; i++) {
		record_release(&list[i]);
	}
}

static void test_comparison(void **state)
{
	(void)state;
	compare(2, 5, (const char *const[]){"Before: <bdi>&lt;1&gt;</bdi>", "After: ", "class=\"interval faster\"", NULL});
	compare(2, 1, (const char *const[]){"cannot tell: one run each, use --runs 5", "class=\"point unsure\"", NULL});
	compare(3, 5, (const char *const[]){"<bdi>&lt;3&gt;</bdi>", "Differences are to the first column", NULL});
}

static void test_thresholds(void **state)
{
	char limit[] = "--fail-slower 5", sentence[] = "slower by far";
	struct threshold_outcome list[] = {{.text = limit, .state = THRESHOLD_MET}, {.text = limit, .state = THRESHOLD_MET},
		{.text = limit, .state = THRESHOLD_MISSED, .sentence = sentence},
		{.text = limit, .state = THRESHOLD_NOT_MEASURED}};
	struct threshold_outcomes outcomes = {.list = list, .count = 4};
	struct record record;

	(void)state;
	record_sample(&record, "dd", 1, 3.5e9, 0, 7);
	char *page = render(&(struct document){.record = &record, .outcomes = &outcomes});

	assert_sound(page);
	assert_int_equal(count(page, "--fail-slower 5"), 3);
	assert_has(page, "met by 2 tests");
	assert_has(page, ">missed<");
	assert_has(page, "slower by far");
	assert_has(page, ">not measured<");
	free(page);
	record_release(&record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_profiles),
		cmocka_unit_test(test_figures_are_those_of_the_table),
		cmocka_unit_test(test_scale),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_doctor),
		cmocka_unit_test(test_hostile_passages),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_marks_lead_to_their_own_findings),
		cmocka_unit_test(test_warm_up_alone_is_no_result),
		cmocka_unit_test(test_figures_of_a_failed_warm_up_stand_nowhere),
		cmocka_unit_test(test_both_scores),
		cmocka_unit_test(test_compared_latencies),
		cmocka_unit_test(test_failed_figures_stay_in_brackets),
		cmocka_unit_test(test_comparison),
		cmocka_unit_test(test_thresholds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
