/* Figures, differences and verdicts of a row, and how often they are right. */
#include "compare_scene.h"

#include "fewer.h"

/* 100, 110, 121 and 121, 133.1, 146.41: the means of the logarithms differ by 2 ln 1.1, their deviations are ln 1.1. */
static void test_the_interval(void **state)
{
	static const double before[] = {100e6, 110e6, 121e6}, after[] = {121e6, 133.1e6, 146.41e6};
	struct scene scene;
	const struct comparison_cell *cell;
	double step = log(1.1), half_width;

	(void)state;
	scene_pair(&scene, "cdm", 3);
	record_sample_runs(&scene.records[0], 0, before, 3);
	record_sample_runs(&scene.records[1], 0, after, 3);
	scene_compare(&scene, 2);
	assert_int_equal(scene.comparison.row_count, 8);
	assert_string_equal(scene.comparison.rows[0].title, "SEQ1M Q8T1 read");
	assert_int_equal(scene.comparison.rows[0].quantity, QUANTITY_BANDWIDTH);
	cell = &scene.comparison.rows[0].cells[1];
	assert_number(cell->value, 133.1e6, 1e-6);
	assert_int_equal(cell->runs, 3);
	assert_number(cell->difference, 0.21, 1e-12);
	/* Student's t with 4 degrees at 1 - 0.05 / 8 / 2, by mpmath. */
	half_width = 5.2610575750658238 * step * sqrt(2 / 3.0);
	assert_number(cell->difference_low, expm1(2 * step - half_width), 1e-9);
	assert_number(cell->difference_high, expm1(2 * step + half_width), 1e-9);
	expect_cell(&scene, 0, 1, "no difference seen", "+21.0 % (-19.7 to +82.2)");
	expect_cell(&scene, 0, 0, "no difference seen", "-");
	scene_release(&scene);
}

static void test_directions(void **state)
{
	struct scene scene;

	(void)state;
	record_sample(&scene.records[0], "slog", 5, 1e9, 0, 1);
	record_sample(&scene.records[1], "slog", 5, 1.25e9, 0, 1);
	scene_compare(&scene, 2);
	assert_int_equal(scene.comparison.row_count, 8);
	assert_string_equal(scene.comparison.rows[0].title, "4K sync T1 write IOPS");
	assert_string_equal(scene.comparison.rows[1].title, "4K sync T1 write p99 lat(us)");
	assert_int_equal(scene.comparison.rows[1].quantity, QUANTITY_P99);
	for (size_t i = 0; i < scene.comparison.row_count; i++) {
		assert_int_equal(scene.comparison.rows[i].cells[1].verdict, VERDICT_FASTER);
		assert_int_equal(scene.comparison.rows[i].cells[1].difference > 0, i % 2 == 0);
	}
	expect_cell(&scene, 0, 1, "faster", "+25.0 % (+25.0 to +25.0)");
	scene_release(&scene);
}

static void set_runs(struct record *record, size_t test, double first, double second)
{
	double runs[2] = {first, second};

	record_sample_runs(record, test, runs, 2);
}

/* What never varies is known exactly; and yet less than 2 % is never called a difference, up or down. */
static void test_values_that_do_not_vary(void **state)
{
	static const struct {
		double before, after;
		enum verdict verdict;
	} cases[] = {
		{100e6, 100e6, VERDICT_NO_DIFFERENCE},
		{100e6, 101.9e6, VERDICT_NO_DIFFERENCE},
		{100e6, 98.1e6, VERDICT_NO_DIFFERENCE},
		{100e6, 102.1e6, VERDICT_FASTER},
		{100e6, 97.9e6, VERDICT_SLOWER},
		{97.9e6, 100e6, VERDICT_FASTER},
		{102.1e6, 100e6, VERDICT_SLOWER},
		{1, 1e300, VERDICT_FASTER},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene scene;

		scene_pair(&scene, "cdm", 5);
		set_runs(&scene.records[0], 0, cases[i].before, cases[i].before);
		set_runs(&scene.records[1], 0, cases[i].after, cases[i].after);
		scene_compare(&scene, 2);
		assert_int_equal(scene.comparison.rows[0].cells[1].verdict, cases[i].verdict);
		if (i == 0) {
			expect_cell(&scene, 0, 1, "no difference seen", "0.0 % (0.0 to 0.0)");
		}
		if (cases[i].after > 1e299) {
			expect_cell(&scene, 0, 1, "faster", "over +1000 % (over +1000 to over +1000)");
		}
		scene_release(&scene);
	}
}

/* Latencies fall into bins: two that are in one bin each time need not be the same. */
static void test_latencies_in_bins(void **state)
{
	struct scene scene;

	(void)state;
	record_sample(&scene.records[0], "slog", 2, 1e9, 0, 1);
	record_sample(&scene.records[1], "slog", 2, 1e9, 0, 1);
	for (size_t i = 0; i < 2; i++) {
		scene.records[0].tests[0].runs[i].figures[QUANTITY_P99] = 500e3;
		scene.records[1].tests[0].runs[i].figures[QUANTITY_P99] = 516e3;
	}
	scene_compare(&scene, 2);
	assert_int_equal(scene.comparison.rows[1].cells[1].verdict, VERDICT_NO_DIFFERENCE);
	assert_true(scene.comparison.rows[1].cells[1].difference_low < 0);
	scene_release(&scene);
}

static void test_what_cannot_be_told(void **state)
{
	static const double one[] = {50e6};
	struct scene scene;

	(void)state;
	scene_pair(&scene, "cdm", 2);
	record_sample_runs(&scene.records[0], 0, one, 1);
	record_sample_runs(&scene.records[1], 0, one, 1);
	record_sample_runs(&scene.records[0], 1, one, 1);
	record_sample_runs(&scene.records[1], 2, one, 1);
	set_runs(&scene.records[0], 3, 0, 100e6);
	set_runs(&scene.records[1], 4, 0, 0);
	set_runs(&scene.records[0], 5, (double)NAN, (double)NAN);
	set_runs(&scene.records[1], 6, (double)NAN, (double)NAN);
	set_runs(&scene.records[0], 7, 1e-300, 1e-300);
	set_runs(&scene.records[1], 7, 1e300, 1e300);
	scene_compare(&scene, 2);
	scene.comparison.rows[1].cells[1].difference = -0.0304; /* else it is chance */
	expect_cell(&scene, 0, 1, "cannot tell: one run each, use --runs 5", "0.0 %");
	expect_cell(&scene, 1, 1, "cannot tell: one run before, use --runs 5", "-3.0 %");
	assert_true(isnan(scene.comparison.rows[1].cells[1].difference_low));
	assert_string_equal(verdict_name(scene.comparison.rows[2].cells[1].verdict), "cannot tell");
	expect_cell(&scene, 3, 1, "cannot tell: a figure is 0", "-");
	expect_cell(&scene, 4, 1, "cannot tell: a figure is 0", "-");
	expect_cell(&scene, 5, 1, "cannot tell: unknown before", "-");
	expect_cell(&scene, 6, 1, "cannot tell: unknown after", "-");
	/* More than a double can say. */
	assert_true(isnan(scene.comparison.rows[7].cells[1].difference));
	scene_release(&scene);
}

/* Whoever divides the figures of a row gets its difference, and no line contradicts itself. */
static void test_figures_and_differences_agree(void **state)
{
	static const struct {
		double before[5], after[5];
		size_t before_count, after_count;
	} cases[] = {
		{{100e6, 100.1e6, 99.9e6, 100e6, 120e6}, {110e6}, 5, 1},
		{{100e6, 100e6, 160e6}, {105e6, 105e6, 105e6}, 3, 3},
		{{100e6, 100.1e6, 99.9e6, 100e6, 180e6}, {99e6, 101e6, 3e6, 102e6, 98e6}, 5, 5},
		{{812.3e6}, {812.3e6}, 1, 1},
		{{1.5e6, 7e6}, {2e6, 3e6, 4e6, 5e6}, 2, 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene scene;

		scene_pair(&scene, "cdm", 5);
		record_sample_runs(&scene.records[0], 0, cases[i].before, cases[i].before_count);
		record_sample_runs(&scene.records[1], 0, cases[i].after, cases[i].after_count);
		scene_compare(&scene, 2);
		for (size_t row = 0; row < scene.comparison.row_count; row++) {
			const struct comparison_cell *cells = scene.comparison.rows[row].cells;

			assert_number(cells[1].value / cells[0].value - 1, cells[1].difference, 1e-12);
		}
		scene_release(&scene);
	}
}

static void test_the_figure_of_a_cell(void **state)
{
	static const double equal[] = {812.3e6, 812.3e6, 812.3e6}, five[] = {100e6, 100.1e6, 99.9e6, 100e6, 120e6};
	static const double zero[] = {0, 5e6, 100e6}, tight[] = {110e6, 110.1e6, 109.9e6, 110e6, 110e6};
	static const double wide[] = {1e6, 2e6, 4e6, 8e6, 16e6}, wider[] = {100e6, 200e6, 400e6, 800e6, 1600e6};
	struct scene scene;

	(void)state;
	scene_pair(&scene, "cdm", 2);
	record_sample_runs(&scene.records[0], 0, equal, 1);
	record_sample_runs(&scene.records[0], 1, equal, 3);
	record_sample_runs(&scene.records[0], 2, five, 5);
	record_sample_runs(&scene.records[1], 2, tight, 5);
	record_sample_runs(&scene.records[0], 3, zero, 3);
	record_sample_runs(&scene.records[0], 4, wide, 5);
	record_sample_runs(&scene.records[1], 4, wider, 5);
	scene_compare(&scene, 2);
	assert_number(scene.comparison.rows[0].cells[0].value, 812.3e6, 0);
	assert_number(scene.comparison.rows[1].cells[0].value, 812.3e6, 0);
	assert_number(scene.comparison.rows[2].cells[0].value, cbrt(100e6 * 100.1e6 * 100e6), 1e-3);
	/* One disturbed run speaks for no others; but where nothing is disturbed all of them tell more. */
	assert_int_equal(scene.comparison.rows[2].cells[1].verdict, VERDICT_FASTER);
	assert_number(scene.comparison.rows[4].cells[0].value, 4e6, 1e-6);
	assert_int_equal(scene.comparison.rows[4].cells[1].verdict, VERDICT_FASTER);
	assert_number(scene.comparison.rows[3].cells[0].value, 5e6, 0); /* its median: 0 has no logarithm */
	assert_true(isnan(scene.comparison.rows[3].cells[1].difference));
	scene_release(&scene);
}

/* Pairs of equals: enough that chance does not decide the test, and one for all time since the seeds are fixed. */
#define EQUAL_PAIRS 1000
#define SLOWED_PAIRS 200
#define MEASURED_RUNS 5

static size_t count_called(const struct comparison *comparison)
{
	size_t called = 0;

	for (size_t i = 0; i < comparison->row_count; i++) {
		enum verdict verdict = comparison->rows[i].cells[1].verdict;

		called += verdict == VERDICT_FASTER || verdict == VERDICT_SLOWER;
	}
	return called;
}

/* Latencies that have nothing to do with the IOPS, sorted into fio's bins. */
static void scatter_latencies(struct record *record, double factor, double cv, uint64_t *seed)
{
	for (size_t i = 0; i < record->test_count; i++) {
		for (size_t j = 0; j < record->tests[i].run_count; j++) {
			int exponent;
			double share = frexp(500e3 * factor * sample_noise(seed, cv), &exponent);

			record->tests[i].runs[j].figures[QUANTITY_P99] = ldexp((floor(share * 128) + 0.5) / 128, exponent);
		}
	}
}

/* In how many pairs all of the rows, or any, are called faster or slower. */
static void simulate(const char *profile, size_t pairs, double cv, double factor, size_t *any, size_t *all)
{
	uint64_t seed = 20261130 + (uint64_t)(cv * 1e4); /* other noise each time */

	*any = *all = 0;
	for (size_t i = 0; i < pairs; i++) {
		struct scene scene;
		uint64_t latencies = seed ^ 0x5a5a5a5a;

		record_sample(&scene.records[0], profile, MEASURED_RUNS, 1e9, cv, seed += 1000003);
		record_sample(&scene.records[1], profile, MEASURED_RUNS, 1e9 * factor, cv, seed += 1000003);
		scatter_latencies(&scene.records[0], 1, cv, &latencies);
		scatter_latencies(&scene.records[1], 1 / factor, cv, &latencies);
		scene_compare(&scene, 2);

		size_t called = count_called(&scene.comparison);
		*any += called > 0;
		*all += called == scene.comparison.row_count;
		scene_release(&scene);
	}
}

static void test_equals_are_called_equal(void **state)
{
	static const double cvs[] = {0.01, 0.03, 0.10, 0.20};
	static const char *const keys[] = {"cdm", "slog"};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < 4; j++) {
			size_t any, all;

			size_t pairs = fewer_of(EQUAL_PAIRS);
			simulate(keys[i], pairs, cvs[j], 1, &any, &all);
			print_message(
				"%s, CV %.0f %%: %zu of %zu pairs of equals called different\n", keys[i], cvs[j] * 100, any, pairs);
			assert_true(pairs < EQUAL_PAIRS || (double)any < COMPARE_ERROR_RATE * EQUAL_PAIRS);
		}
	}
}

static void test_a_tenth_less_is_always_found(void **state)
{
	static const double cvs[] = {0.005, 0.01};
	static const char *const keys[] = {"cdm", "slog"};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < 2; j++) {
			size_t any, all;

			size_t pairs = fewer_of(SLOWED_PAIRS);
			simulate(keys[i], pairs, cvs[j], 0.9, &any, &all);
			assert_int_equal(all, pairs);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_interval),
		cmocka_unit_test(test_directions),
		cmocka_unit_test(test_values_that_do_not_vary),
		cmocka_unit_test(test_latencies_in_bins),
		cmocka_unit_test(test_what_cannot_be_told),
		cmocka_unit_test(test_figures_and_differences_agree),
		cmocka_unit_test(test_the_figure_of_a_cell),
		cmocka_unit_test(test_equals_are_called_equal),
		cmocka_unit_test(test_a_tenth_less_is_always_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
