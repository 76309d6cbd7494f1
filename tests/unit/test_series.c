#include "scratch.h"

#include <math.h>

#include "report/series.h"

static void expect_point(const struct series *series, size_t i, double time_s, double bandwidth, double device)
{
	assert_true(i < series->count);
	assert_true(fabs(series->time_s[i] - time_s) < 1e-9);
	assert_true(fabs(series->bandwidth_bytes_per_s[i] - bandwidth) < 1e-3);
	assert_true(
		isnan(device) ? isnan(series->device_bytes_per_s[i]) : fabs(series->device_bytes_per_s[i] - device) < 1e-3);
}

/* What comes a few times a second becomes a point a second; the first comes early, for runs of a second. */
static void test_pace(void **state)
{
	struct series series = {.count = 0};

	(void)state;
	for (int i = 0; i <= 30; i++) {
		series_add(&series, i * 0.2, i, i * 10);
	}
	expect_point(&series, 0, 0.4, 2, 20);
	expect_point(&series, 1, 1.4, 7, 70);
	expect_point(&series, 2, 2.4, 12, 120);
	assert_int_equal(series.count, 6);
	series_add(&series, 5.3, 0, 0);
	series_add(&series, (double)NAN, 0, 0);
	series_add(&series, (double)INFINITY, 0, 0);
	series_add(&series, -1, 0, 0);
	assert_int_equal(series.count, 6);
	series_add(&series, 7, (double)NAN, (double)NAN);
	assert_int_equal(series.count, 7);
	assert_true(isnan(series.bandwidth_bytes_per_s[6]) && isnan(series.device_bytes_per_s[6]));
	series_release(&series);
	assert_true(series.count == 0 && series.capacity == 0 && series.time_s == NULL);
	series_release(&series);
}

/* A run of a week keeps as many points as any, and none of its beginning is lost. */
static void test_full(void **state)
{
	struct series series = {.count = 0};

	(void)state;
	for (int i = 1; i <= SERIES_POINTS_MAX; i++) {
		series_add(&series, i, 1000 + i, i % 2 ? 10 : 30);
	}
	assert_int_equal(series.count, SERIES_POINTS_MAX);
	series_add(&series, SERIES_POINTS_MAX + 1, 0, 0); /* half of them go, and this one is too close now */
	assert_int_equal(series.count, SERIES_POINTS_MAX / 2);
	assert_true(series.interval_s > 1.9 && series.interval_s < 2.1);
	expect_point(&series, 0, 2, 1002, 20);
	expect_point(&series, 1, 4, 1004, 20);
	expect_point(&series, SERIES_POINTS_MAX / 2 - 1, SERIES_POINTS_MAX, 1000 + SERIES_POINTS_MAX, 20);
	series_add(&series, SERIES_POINTS_MAX + 2, 1, 2);
	expect_point(&series, SERIES_POINTS_MAX / 2, SERIES_POINTS_MAX + 2, 1, 2);
	for (int i = SERIES_POINTS_MAX + 3; i <= 604800; i++) {
		series_add(&series, i, 1, 2);
		assert_true(series.count <= SERIES_POINTS_MAX);
	}
	assert_true(series.count > SERIES_POINTS_MAX / 2 - 1 && series.interval_s >= 604800.0 / SERIES_POINTS_MAX);
	for (size_t i = 1; i < series.count; i++) {
		assert_true(series.time_s[i] > series.time_s[i - 1]);
	}
	series_release(&series);
}

/* Of two points the known one stands for both; what the devices moved is weighed by time. */
static void test_unknown(void **state)
{
	struct series series = {.count = 0};

	(void)state;
	for (int i = 1; i <= SERIES_POINTS_MAX + 1; i++) {
		double unknown_now = i % 4 == 1 ? (double)NAN : 8, unknown_then = i % 4 == 0 ? (double)NAN : 5;

		series_add(&series, i == 1 ? 0.5 : i, unknown_now, i <= 2 ? i * 4 : unknown_then);
	}
	expect_point(&series, 0, 2, 8, 7); /* half a second of 4, one and a half of 8 */
	expect_point(&series, 1, 4, 8, 5);
	expect_point(&series, 2, 6, 8, 5);
	series_release(&series);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pace),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
