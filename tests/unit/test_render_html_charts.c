#include "pages.h"

#include "../../src/render/render_html.h"

/* Give a run a series of so many points. */
static void set_series(struct record_run *run, size_t points)
{
	struct series *series = &run->series;
	size_t size = (points + 1) * sizeof(double);

	series->count = series->capacity = points;
	series->time_s = xrealloc(series->time_s, size);
	series->bandwidth_bytes_per_s = xrealloc(series->bandwidth_bytes_per_s, size);
	series->device_bytes_per_s = xrealloc(series->device_bytes_per_s, size);
	for (size_t i = 0; i < points; i++) {
		series->time_s[i] = (double)(i + 1);
		series->bandwidth_bytes_per_s[i] = i == points / 2 ? 0 : 1e9 + (double)(i % 7) * 1e6;
		series->device_bytes_per_s[i] = (double)NAN;
	}
}

/* The commands of a path of the first drawing over time. */
static size_t count_points(const char *page, const char *class, char command)
{
	const char *at = strstr(page, class);
	size_t points = 0;

	assert_non_null(at);
	for (at = strstr(at, " d=\"") + 4; *at != '"'; at++) {
		points += *at == command;
	}
	return points;
}

static void test_long_series_are_thinned_out(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 1, 3.5e9, 0, 7);
	set_series(&record.tests[0].runs[0], SERIES_POINTS_MAX);
	char *page = render_record(&record);
	size_t points = count_points(page, "<path class=\"line read\"", 'L');

	assert_in_range(points, 150, 300);
	assert_int_equal(count_points(page, "<path class=\"line read\"", 'M'), 1);
	assert_has(page, " 1000L"); /* the dip to nothing in its middle is still there */
	free(page);
	record_release(&record);
}

static void test_many_runs_stay_small(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 100, 3.5e9, 0.1, 7);
	for (size_t i = 0; i < record.test_count; i++) {
		for (size_t run = 0; run < record.tests[i].run_count; run++) {
			set_series(&record.tests[i].runs[run], SERIES_POINTS_MAX);
		}
	}
	char *page = render_record(&record);

	assert_sound(page);
	assert_true(strlen(page) < 1000000);
	assert_int_equal(count(page, "<circle class=\"dot\""), 1); /* of the key: dots would be a smear */
	free(page);
	record_release(&record);
}

static void test_odd_series(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 1, 3.5e9, 0, 7);
	set_series(&record.tests[0].runs[0], 0);
	set_series(&record.tests[1].runs[0], 1);
	set_series(&record.tests[2].runs[0], 9);
	record.tests[2].runs[0].series.bandwidth_bytes_per_s[3] = (double)NAN;
	char *page = render_record(&record);

	assert_sound(page);
	assert_int_equal(count(page, "No course over time was recorded."), 1);
	assert_int_equal(count(page, "class=\"chart lines\""), 7);
	assert_int_equal(count_points(strstr(page, "series-3-title"), "<path class=\"line read\"", 'M'), 2); /* a gap */
	free(page);
	for (size_t i = 0; i < record.test_count; i++) {
		set_series(&record.tests[i].runs[0], 0);
	}
	page = render_record(&record);
	assert_has_not(page, "Throughput over time");
	free(page);
	record_release(&record);
}

static void test_axes(void **state)
{
	struct axis axis;

	(void)state;
	axis_make_linear(&axis, 835, 4);
	assert_int_equal(axis.tick_count, 5);
	assert_float_equal(axis.ticks[4], 800, 1e-9);
	assert_float_equal(axis_percent(&axis, 835), 100, 1e-9);
	assert_float_equal(axis_percent(&axis, (double)NAN), 0, 0);
	assert_float_equal(axis_percent(&axis, 1e9), 100, 0);
	for (double high = 1e-9; high < 1e15; high *= 1.37) {
		axis_make_linear(&axis, high, 4);
		assert_in_range(axis.tick_count, 2, 5);
	}
	axis_make_linear(&axis, 0, 4);
	assert_float_equal(axis.high, 1, 0);
	axis_make_log(&axis, 64, 3500, 4);
	assert_int_equal(axis.tick_count, 3);
	assert_float_equal(axis.ticks[0], 10, 1e-9);
	assert_float_equal(axis_percent(&axis, 10), 0, 1e-9);
	assert_float_equal(axis_percent(&axis, 3500), 100, 1e-9);
	assert_float_equal(axis_percent(&axis, 0), 0, 0);
	assert_int_equal(axis.label_step, 1);
	axis_make_log(&axis, 11, 1e9, 4); /* a bar from 10 to 11 could not be seen */
	assert_float_equal(axis.ticks[0], 1, 1e-9);
	assert_int_equal(axis.label_step, 3);
}

/* Whatever a file says: few ticks, one beyond the other, and places within the drawing. */
static void assert_axis(const struct axis *axis)
{
	assert_in_range(axis->tick_count, 1, AXIS_TICKS_MAX);
	assert_true(isfinite(axis->high) && axis->high > axis->low);
	for (size_t i = 0; i < axis->tick_count; i++) {
		assert_true(isfinite(axis->ticks[i]));
		assert_true(i == 0 || axis->ticks[i] > axis->ticks[i - 1]);
		assert_in_range(axis_percent(axis, axis->ticks[i]), 0, 100);
	}
}

static const double odd_values[] = {5e-324, 1e-300, 1e-9, 0, 1, 1e18, 1e308, HUGE_VAL};
enum { ODD_COUNT = sizeof(odd_values) / sizeof(odd_values[0]) };

static void test_axes_of_odd_values(void **state)
{
	(void)state;
	for (size_t low = 0; low < ODD_COUNT; low++) {
		for (size_t high = low; high < ODD_COUNT; high++) {
			struct axis axis;

			axis_make_log(&axis, odd_values[low], odd_values[high], 4);
			assert_axis(&axis);
			assert_in_range(axis_percent(&axis, odd_values[low]), 0, 100);
		}
		struct axis axis;

		axis_make_linear(&axis, odd_values[low], 4);
		assert_axis(&axis);
		assert_true(axis.tick_count >= 2);
		assert_true(axis_exponent(odd_values[low]) >= -10 && axis_exponent(odd_values[low]) <= 20);
	}
	assert_true(axis_exponent((double)NAN) >= -10);
}

/* Each pair of odd values in two tests, in every quantity, speed and time of the series too. */
static void test_pages_of_odd_values(void **state)
{
	static const char *const profile_keys[] = {"cdm", "slog"};

	(void)state;
	for (size_t profile = 0; profile < 2; profile++) {
		for (size_t pair = 0; pair < ODD_COUNT * ODD_COUNT; pair++) {
			const double values[] = {odd_values[pair % ODD_COUNT], odd_values[pair / ODD_COUNT]};
			struct record record;

			record_sample(&record, profile_keys[profile], 1, 1e8, 0, 1);
			for (size_t i = 0; i < record.test_count; i++) {
				struct record_run *run = &record.tests[i].runs[0];

				for (int quantity = 0; quantity < QUANTITY_COUNT; quantity++) {
					run->figures[quantity] = values[i % 2];
				}
				run->series.bandwidth_bytes_per_s[2] = values[i % 2];
				run->series.time_s[run->series.count - 1] = values[i % 2];
				record.tests[i].threads = values[i % 2];
			}
			char *page = render_record(&record);

			assert_sound(page);
			assert_true(strlen(page) < 100000);
			free(page);
			record_release(&record);
		}
	}
}

static void add_tests(struct record *record, size_t count)
{
	const struct profile *profile = record->settings.profile;

	for (size_t i = 0; i < count; i++) {
		char *name = xasprintf("more %zu", i);

		sample_add_run(sample_add_test(record, name, &profile->workloads[0], TRANSFER_READ), profile, 1, 1e9);
		free(name);
	}
}

/* What nobody could look at is not drawn; the page says so and has the numbers. */
static void test_too_many_tests_are_not_drawn(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 1, 3.5e9, 0, 7);
	add_tests(&record, COURSES_DRAWN_MAX - record.test_count);
	char *page = render_record(&record);

	assert_int_equal(count(page, "class=\"chart lines\""), COURSES_DRAWN_MAX);
	assert_has_not(page, "Not drawn");
	free(page);
	add_tests(&record, 1);
	page = render_record(&record);
	assert_sound(page);
	assert_int_equal(count(page, "class=\"chart lines\""), 0);
	assert_has(page, "Not drawn: 65 tests are more than the 64 that there is room for.");
	assert_has(page, "class=\"chart bars\"");
	free(page);
	add_tests(&record, ROWS_DRAWN_MAX);
	page = render_record(&record);
	assert_sound(page);
	assert_has_not(page, "class=\"chart");
	assert_has(page, "Not drawn: 465 tests are more than the 400 that there is room for. The table has the numbers.");
	assert_has(page, ">more 399</th>");
	free(page);
	record_release(&record);
}

static void test_words(void **state)
{
	static const struct {
		double ns;
		const char *words;
	} latencies[] = {{950, "0.95 \xc2\xb5s"}, {85000, "85.0 \xc2\xb5s"}, {999900, "1.00 ms"}, {123456789, "123 ms"},
		{1.7e10, "17.0 s"}, {1.8e10, "\xe2\x89\xa5 17 s"}};
	static const struct {
		double value;
		const char *words;
	} labels[] = {{0, "0"}, {2.5, "2.5"}, {1500, "1500"}, {20000, "20k"}, {5e6, "5M"}, {1e9, "1G"}};

	(void)state;
	for (size_t i = 0; i < sizeof(latencies) / sizeof(latencies[0]); i++) {
		char *words = html_latency(latencies[i].ns);

		assert_string_equal(words, latencies[i].words);
		free(words);
	}
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		char *words = axis_label(labels[i].value);

		assert_string_equal(words, labels[i].words);
		free(words);
	}
}

/* Never in the middle of a character, and never wider than asked for. */
static void test_fitting(void **state)
{
	(void)state;
	for (double width = 0; width < 400; width += 3) {
		char *cut = svg_text_fit(
			"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e WWW iii \xf0\x9f\x9a\x80\xf0\x9f\x9a\x80 end", 12, width);
		char *printable = text_printable(cut);

		assert_string_equal(cut, printable);
		assert_true(svg_text_width(cut, 12) <= width + 14);
		free(printable);
		free(cut);
	}
	char *whole = svg_text_fit("RND4K Q32T16", 12, 200);

	assert_string_equal(whole, "RND4K Q32T16");
	free(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_long_series_are_thinned_out),
		cmocka_unit_test(test_many_runs_stay_small),
		cmocka_unit_test(test_odd_series),
		cmocka_unit_test(test_axes),
		cmocka_unit_test(test_axes_of_odd_values),
		cmocka_unit_test(test_pages_of_odd_values),
		cmocka_unit_test(test_too_many_tests_are_not_drawn),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_fitting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
