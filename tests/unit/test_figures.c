/* From runs to figures. */
#include "scratch.h"

#include "record/figures.h"
#include "records.h"

static void test_median_best_and_spread(void **state)
{
	static const double runs[] = {100e6, 110e6, 90e6, 120e6, 80e6};
	struct record record;
	struct test_figures figures;

	(void)state;
	record_sample(&record, "cdm", 5, 1e9, 0, 1);
	record_sample_runs(&record, 0, runs, 5);
	test_figures_make(&figures, &record.tests[0]);
	assert_int_equal(figures.valid_runs, 5);
	assert_int_equal(figures.failed_runs, 0);
	assert_number(figures.median[QUANTITY_BANDWIDTH], 100e6, 0);
	assert_number(figures.best[QUANTITY_BANDWIDTH], 120e6, 0);
	/* The deviation of 80, 90, 100, 110, 120 is the root of 250. */
	assert_number(figures.cv[QUANTITY_BANDWIDTH], 0.158113883008419, 1e-14);
	/* Of latencies the least is the best. */
	assert_true(figures.best[QUANTITY_P99] < figures.median[QUANTITY_P99]);
	assert_number(test_figure(&figures, QUANTITY_BANDWIDTH, SCORE_MEDIAN), 100e6, 0);
	assert_number(test_figure(&figures, QUANTITY_BANDWIDTH, SCORE_BEST), 120e6, 0);
	assert_string_equal(figures.mark, "");
	assert_null(figures.failed);
	record_release(&record);
}

static void test_what_does_not_count(void **state)
{
	static const double runs[] = {100e6, 110e6, 90e6};
	struct record record;
	struct test_figures figures;
	size_t count;
	double *values;

	(void)state;
	record_sample(&record, "cdm", 3, 1e9, 0, 1);
	record_sample_runs(&record, 0, runs, 3);
	sample_add_run(&record.tests[0], record.settings.profile, 0, 5e9); /* the warm-up */
	record.tests[0].runs[1].figures[QUANTITY_P99] = (double)NAN;
	record_sample_fail(&record, 0, 3, "fio died", NULL);
	test_figures_make(&figures, &record.tests[0]);
	assert_int_equal(figures.valid_runs, 2);
	assert_int_equal(figures.failed_runs, 1);
	assert_number(figures.median[QUANTITY_BANDWIDTH], 105e6, 0);
	assert_number(figures.best[QUANTITY_BANDWIDTH], 110e6, 0);
	/* Known of one run alone. */
	assert_number(figures.median[QUANTITY_P99], record.tests[0].runs[0].figures[QUANTITY_P99], 0);
	assert_true(isnan(figures.cv[QUANTITY_P99]));
	values = test_values(&record.tests[0], QUANTITY_BANDWIDTH, &count);
	assert_int_equal(count, 2);
	assert_true(values[0] == 100e6 && values[1] == 110e6);
	free(values);
	values = test_values(&record.tests[0], QUANTITY_P99, &count);
	assert_int_equal(count, 1);
	free(values);
	record_release(&record);
}

static void test_failed_runs(void **state)
{
	struct record record;
	struct test_figures figures;

	(void)state;
	record_sample(&record, "cdm", 2, 1e9, 0, 1);
	sample_add_run(&record.tests[0], record.settings.profile, 0, 5e9);
	record_sample_fail(&record, 0, 0, "the warm-up broke", NULL);
	record_sample_fail(&record, 0, 1, "blocks were never written", "never-written");
	test_figures_make(&figures, &record.tests[0]);
	assert_int_equal(figures.valid_runs, 1);
	assert_int_equal(figures.failed_runs, 2);
	assert_null(figures.failed); /* a valid one is left */
	record_sample_fail(&record, 0, 2, "fio died", NULL);
	test_figures_make(&figures, &record.tests[0]);
	assert_int_equal(figures.valid_runs, 0);
	assert_int_equal(figures.failed_runs, 3);
	assert_ptr_equal(figures.failed, &record.tests[0].runs[0]);
	assert_true(isnan(figures.median[QUANTITY_BANDWIDTH]) && isnan(figures.best[QUANTITY_BANDWIDTH]));
	record_release(&record);
}

static void test_a_test_without_runs(void **state)
{
	struct record record;
	struct test_figures figures;

	(void)state;
	record_sample(&record, "dd", 0, 1e9, 0, 1);
	test_figures_make(&figures, &record.tests[0]);
	assert_int_equal(figures.valid_runs + figures.failed_runs, 0);
	assert_true(isnan(figures.median[QUANTITY_BANDWIDTH]) && isnan(figures.cv[QUANTITY_BANDWIDTH]));
	assert_null(figures.failed);
	assert_string_equal(figures.mark, "");
	record_release(&record);
}

static void test_the_gravest_mark(void **state)
{
	struct record record;
	struct test_figures figures;

	(void)state;
	record_sample(&record, "cdm", 3, 1e9, 0, 1);
	record_sample_finding(&record, "amplified", "", "SEQ1M Q8T1 read: it explains", 0, -1);
	test_figures_make(&figures, &record.tests[0]);
	assert_string_equal(figures.mark, "");
	record_sample_finding(&record, "source-unknown", "?", "SEQ1M Q8T1 read: who knows", 0, 2);
	test_figures_make(&figures, &record.tests[0]);
	assert_string_equal(figures.mark, "?");
	record_sample_finding(&record, "compressed", "*", "SEQ1M Q8T1 read: it is compressed", 0, 1);
	test_figures_make(&figures, &record.tests[0]);
	assert_string_equal(figures.mark, "*");
	/* A run that does not count marks nothing. */
	record_sample_fail(&record, 0, 1, "fio died", NULL);
	test_figures_make(&figures, &record.tests[0]);
	assert_string_equal(figures.mark, "?");
	record_release(&record);
}

static void test_ratings(void **state)
{
	(void)state;
	assert_string_equal(spread_rating(0), "excellent");
	assert_string_equal(spread_rating(0.0996), "good"); /* it is shown as 10.0 % */
	assert_string_equal(spread_rating(0.0994), "excellent");
	assert_string_equal(spread_rating(0.10), "good");
	assert_string_equal(spread_rating(0.1994), "good");
	assert_string_equal(spread_rating(0.20), "variable");
	assert_string_equal(spread_rating(0.2994), "variable");
	assert_string_equal(spread_rating(0.30), "high variance");
	assert_string_equal(spread_rating(3), "high variance");
	assert_string_equal(spread_rating((double)NAN), "");
}

static void test_words(void **state)
{
	static const struct {
		double value;
		enum quantity quantity;
		const char *words;
	} cases[] = {
		{812.3e6, QUANTITY_BANDWIDTH, "812.30"},
		{0, QUANTITY_BANDWIDTH, "0.00"},
		{19042.6, QUANTITY_IOPS, "19043"},
		{85.5e3, QUANTITY_P99, "85.5"},
		{17112760319, QUANTITY_P50, "17112760.3"},
		{17112760320, QUANTITY_P50, ">= 17 s"},
		{(double)NAN, QUANTITY_IOPS, "unknown"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *words = figure_words(cases[i].value, cases[i].quantity);

		assert_string_equal(words, cases[i].words);
		free(words);
	}
}

static void test_which_runs_count(void **state)
{
	(void)state;
	assert_true(record_run_counts(&(struct record_run){.pass = 1, .outcome = OUTCOME_VALID}));
	assert_false(record_run_counts(&(struct record_run){.pass = 0, .outcome = OUTCOME_VALID}));
	assert_false(record_run_counts(&(struct record_run){.pass = 1, .outcome = OUTCOME_FAILED}));
}

static void test_quantities(void **state)
{
	(void)state;
	assert_int_equal(profile_main_quantity(&profile_cdm), QUANTITY_BANDWIDTH);
	assert_int_equal(profile_main_quantity(&profile_dd), QUANTITY_BANDWIDTH);
	assert_int_equal(profile_main_quantity(&profile_slog), QUANTITY_IOPS);
	for (int i = 0; i < QUANTITY_COUNT; i++) {
		assert_true(quantities[i].key && quantities[i].threshold && quantities[i].title);
		assert_true(quantities[i].threshold_unit >= 1);
		assert_int_equal(quantities[i].is_better_if_larger, i < QUANTITY_P50);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_median_best_and_spread),
		cmocka_unit_test(test_what_does_not_count),
		cmocka_unit_test(test_failed_runs),
		cmocka_unit_test(test_a_test_without_runs),
		cmocka_unit_test(test_the_gravest_mark),
		cmocka_unit_test(test_ratings),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_which_runs_count),
		cmocka_unit_test(test_quantities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
