/* Every expected number is a published one; where it stands is said beside it. */
#include "scratch.h"

#include "support/statistics.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* NIST StRD, univariate summary statistics, NumAcc1 to NumAcc4: certified means and standard deviations. */
static void test_numerical_accuracy(void **state)
{
	static const double large[] = {10000001, 10000003, 10000002};
	static const double centres[] = {1.2, 1000000.2, 10000000.2};
	double values[1001];

	(void)state;
	assert_number(statistics_mean(large, 3), 10000002, 0);
	assert_number(statistics_deviation(large, 3), 1, 1e-14);
	assert_number(statistics_variation(large, 3), 1 / 10000002.0, 1e-20);
	for (size_t i = 0; i < COUNT(centres); i++) {
		for (size_t j = 0; j < COUNT(values); j++) {
			values[j] = j == 0 ? centres[i] : j % 2 == 1 ? centres[i] - 0.1 : centres[i] + 0.1;
		}
		assert_number(statistics_mean(values, COUNT(values)), centres[i], 1e-15 * centres[i]);
		/* As exact as the values themselves are: 10000000.1 has no more digits in a double. */
		assert_number(statistics_deviation(values, COUNT(values)), 0.1, 1e-15 + 2e-16 * centres[i]);
	}
}

static void test_small_samples(void **state)
{
	static const double values[] = {3, 1, 2, 10};
	static const double zeros[] = {0, 0};
	static const double opposite[] = {-1, 1};
	static const double equal[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
	static const double huge[] = {1.5e308, 1.6e308};

	(void)state;
	assert_true(isnan(statistics_median(values, 0)) && isnan(statistics_mean(values, 0)));
	assert_true(isnan(statistics_deviation(values, 0)) && isnan(statistics_deviation(values, 1)));
	assert_true(isnan(statistics_variation(values, 1)));
	assert_true(isnan(statistics_variation(zeros, 2)) && isnan(statistics_variation(opposite, 2)));
	assert_number(statistics_median(values, 1), 3, 0);
	assert_number(statistics_median(values, 2), 2, 0);
	assert_number(statistics_median(values, 3), 2, 0);
	assert_number(statistics_median(values, 4), 2.5, 0);
	assert_number(values[0], 3, 0);
	assert_number(statistics_deviation(equal, COUNT(equal)), 0, 0);
	assert_number(statistics_variation(equal, COUNT(equal)), 0, 0);
	assert_number(statistics_median(huge, 2), 1.55e308, 1e294);
	assert_number(statistics_mean(huge, 2), 1.55e308, 1e294);
}

/* NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, critical values of Student's t distribution. */
static void test_student_table(void **state)
{
	static const double columns[] = {0.90, 0.95, 0.975, 0.99, 0.995};
	static const struct {
		double freedom;
		double critical[5];
	} rows[] = {
		{1, {3.078, 6.314, 12.706, 31.821, 63.657}},
		{2, {1.886, 2.920, 4.303, 6.965, 9.925}},
		{3, {1.638, 2.353, 3.182, 4.541, 5.841}},
		{4, {1.533, 2.132, 2.776, 3.747, 4.604}},
		{5, {1.476, 2.015, 2.571, 3.365, 4.032}},
		{8, {1.397, 1.860, 2.306, 2.896, 3.355}},
		{10, {1.372, 1.812, 2.228, 2.764, 3.169}},
		{30, {1.310, 1.697, 2.042, 2.457, 2.750}},
		{100, {1.290, 1.660, 1.984, 2.364, 2.626}},
		{HUGE_VAL, {1.282, 1.645, 1.960, 2.326, 2.576}},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		for (size_t j = 0; j < COUNT(columns); j++) {
			assert_number(statistics_student_quantile(columns[j], rows[i].freedom), rows[i].critical[j], 0.000501);
			assert_number(statistics_student_quantile(1 - columns[j], rows[i].freedom), -rows[i].critical[j], 0.000501);
		}
	}
}

/* Abramowitz and Stegun 26.7.3 and 26.7.4 for 1 and 2 degrees of freedom in closed form. */
static void test_student_closed_forms(void **state)
{
	static const double points[] = {-1000, -12, -2.5, -1, -0.001, 0, 0.001, 1, 2.5, 12, 1000};

	(void)state;
	for (size_t i = 0; i < COUNT(points); i++) {
		double t = points[i];

		assert_number(statistics_student_cdf(t, 1), 0.5 + atan(t) / 3.14159265358979323846, 1e-14);
		assert_number(statistics_student_cdf(t, 2), 0.5 + t / (2 * sqrt(2 + t * t)), 1e-14);
	}
	/* Far out the quantile of 1 degree is 1 / (pi p), of 2 it is 1 / sqrt(2 p). */
	assert_number(statistics_student_quantile(1e-200, 1) / -3.1830988618379067e199, 1, 1e-11);
	assert_number(statistics_student_quantile(1e-200, 2) / -7.0710678118654752e99, 1, 1e-11);
}

/* Values that the arbitrary precision library mpmath 1.3 gives with 30 digits. */
static void test_student_against_many_digits(void **state)
{
	(void)state;
	assert_number(statistics_student_cdf(-50, 3) / 8.8085760206359871e-6, 1, 1e-13);
	assert_number(statistics_student_cdf(4, 7.5), 0.99774694482490741, 1e-15);
	assert_number(statistics_student_cdf(0.001, 5), 0.50037960661390117, 1e-15);
	assert_number(statistics_student_quantile(0.95, 4.5), 2.0655758888785241, 1e-13);
	assert_number(statistics_student_quantile(0.996875, 8), 3.6765677809021719, 1e-12);
	assert_number(statistics_student_quantile(0.9999, 2), 70.700071074968172, 1e-9);
	assert_number(statistics_student_quantile(0.500001, 8), 2.5859905141312639e-6, 1e-14);
	assert_number(statistics_incomplete_beta(0.01, 100, 0.5) / 5.6629520756400379e-202, 1, 1e-11);
	assert_number(statistics_incomplete_beta(0.99, 100, 0.5), 0.15677586542444078, 1e-13);
	assert_number(statistics_incomplete_beta(1e-5, 2.5, 0.5) / 1.0736936928580622e-13, 1, 1e-13);
}

static void test_student_is_its_own_inverse(void **state)
{
	(void)state;
	for (double freedom = 0.5; freedom < 1e7; freedom *= 3) {
		for (double p = 1e-12; p < 1; p = p < 0.05 ? p * 7 : p + 0.07) {
			double t = statistics_student_quantile(p, freedom);

			assert_number(statistics_student_cdf(t, freedom) / p, 1, 1e-7);
		}
	}
	assert_number(statistics_student_quantile(0.5, 3), 0, 0);
	assert_number(statistics_student_cdf(HUGE_VAL, 3), 1, 0);
	assert_number(statistics_student_cdf(-HUGE_VAL, 3), 0, 0);
}

static void test_student_without_sense(void **state)
{
	(void)state;
	assert_true(isnan(statistics_student_quantile(0, 3)) && isnan(statistics_student_quantile(1, 3)));
	assert_true(isnan(statistics_student_quantile(0.9, 0)) && isnan(statistics_student_quantile(0.9, (double)NAN)));
	assert_true(isnan(statistics_student_quantile((double)NAN, 3)) && isnan(statistics_student_cdf((double)NAN, 3)));
	assert_true(isnan(statistics_student_cdf(1, (double)NAN)) && isnan(statistics_student_cdf(1, -1)));
	assert_true(isnan(statistics_incomplete_beta((double)NAN, 1, 1)));
}

/* NIST/SEMATECH e-Handbook, 1.3.6.7.3, upper critical values of the F distribution at 5 %: the F distribution is an
 * incomplete beta function (Abramowitz and Stegun 26.6.2). */
static void test_incomplete_beta_by_f_table(void **state)
{
	static const struct {
		double first, second, critical;
	} rows[] = {{1, 1, 161.448}, {1, 10, 4.965}, {2, 10, 4.103}, {5, 10, 3.326}, {10, 10, 2.978}, {10, 20, 2.348},
		{4, 5, 5.192}};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double product = rows[i].first * rows[i].critical;
		double x = product / (product + rows[i].second);

		assert_number(statistics_incomplete_beta(x, rows[i].first / 2, rows[i].second / 2), 0.95, 2e-5);
	}
}

/* DLMF 8.17.5: the sum of a binomial distribution. */
static void test_incomplete_beta_by_sums(void **state)
{
	(void)state;
	for (int n = 1; n <= 60; n += 7) {
		for (int m = 1; m <= n; m += 3) {
			for (double x = 0.05; x < 1; x += 0.15) {
				double sum = 0, choose = 1;

				for (int j = 0; j <= n; j++) {
					sum += j >= m ? choose * pow(x, j) * pow(1 - x, n - j) : 0;
					choose = choose * (n - j) / (j + 1);
				}
				assert_number(statistics_incomplete_beta(x, m, n - m + 1), sum, 1e-12);
			}
		}
	}
	/* Binomial tables: of 10 tosses at least 5 are heads with 0.6230. */
	assert_number(statistics_incomplete_beta(0.5, 5, 6), 0.623046875, 1e-14);
	/* The arcsine law, I_x(1/2, 1/2) = 2 / pi asin(sqrt(x)). */
	assert_number(statistics_incomplete_beta(0.25, 0.5, 0.5), 1 / 3.0, 1e-14);
	assert_number(statistics_incomplete_beta(0, 2, 3), 0, 0);
	assert_number(statistics_incomplete_beta(1, 2, 3), 1, 0);
}

/* Student (1908), The probable error of a mean, on the data of Cushny and Peebles (1905); as R's manual has it under
 * t.test(extra ~ group, data = sleep): t = -1.8608, df = 17.776, p-value = 0.07939, interval -3.3654832 to 0.2054832.
 */
static void test_welch_on_sleep(void **state)
{
	static const double first[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
	static const double second[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
	struct mean_difference welch = statistics_yuen(first, 10, second, 10, 0);
	double t = welch.difference / welch.error;
	double width = statistics_student_quantile(0.975, welch.freedom) * welch.error;

	(void)state;
	assert_number(welch.difference, 1.58, 1e-14);
	assert_number(t, 1.8608, 0.00005);
	assert_number(welch.freedom, 17.776, 0.0005);
	assert_number(2 * statistics_student_cdf(-t, welch.freedom), 0.07939, 0.000005);
	assert_number(welch.difference - width, -0.2054832, 0.00000005);
	assert_number(welch.difference + width, 3.3654832, 0.00000005);
}

/* NIST/SEMATECH e-Handbook, 1.3.5.3, cars of the United States and of Japan (AUTO83B.DAT): 249 with mean 20.14458 and
 * deviation 6.41470, 79 with 30.48101 and 6.10771; Dataplot, unequal variances: t = -12.94627 with 136.8750 degrees. */
static void test_welch_on_cars(void **state)
{
	static const struct {
		size_t count;
		double mean, deviation;
	} sides[] = {{249, 20.14458, 6.41470}, {79, 30.48101, 6.10771}};
	double values[2][249];
	struct mean_difference welch;

	(void)state;
	/* One at the mean, the others in pairs one deviation to its sides, have that mean and that deviation. */
	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < sides[i].count; j++) {
			double side = j == 0 ? 0 : j % 2 == 1 ? 1 : -1;

			values[i][j] = sides[i].mean + side * sides[i].deviation;
		}
	}
	welch = statistics_yuen(values[0], sides[0].count, values[1], sides[1].count, 0);
	assert_number(welch.difference / welch.error, 12.94627, 0.0001);
	assert_number(welch.freedom, 136.8750, 0.001);
}

static void test_welch_at_its_edges(void **state)
{
	static const double equal[] = {4, 4, 4}, more[] = {5, 5, 5}, spread[] = {4, 5, 6, 7};
	struct mean_difference welch = statistics_yuen(equal, 3, more, 3, 0);

	(void)state;
	assert_number(welch.difference, 1, 0);
	assert_number(welch.error, 0, 0);
	assert_number(welch.freedom, 4, 0);
	/* Where only one side varies, its own degrees of freedom are left. */
	welch = statistics_yuen(equal, 3, spread, 4, 0);
	assert_number(welch.freedom, 3, 1e-12);
	welch = statistics_yuen(spread, 4, equal, 1, 0);
	assert_number(welch.difference, -1.5, 0);
	assert_true(isnan(welch.error) && isnan(welch.freedom));
	welch = statistics_yuen(spread, 0, equal, 3, 0);
	assert_true(isnan(welch.difference) && isnan(welch.error) && isnan(welch.freedom));
}

/* The test suite of SciPy (ttest_ind with trim), after yuen.t.test of the R package PairedData. */
static void test_yuen_as_published(void **state)
{
	static const double odd[] = {56, 128.6, 12, 123.8, 64.34, 78, 763.3}, few[] = {1.1, 2.9, 4.2};
	static const double low[] = {2.7, 2.7, 1.1, 3.0, 1.9, 3.0, 3.8, 3.8, 0.3, 1.9, 1.9};
	static const double high[] = {6.5, 5.4, 8.1, 3.5, 0.5, 3.8, 6.8, 4.9, 9.5, 6.2, 4.1};
	struct mean_difference yuen = statistics_yuen(few, 3, odd, 7, 0.2);

	(void)state;
	assert_number(yuen.difference / yuen.error, 4.591598691181999, 1e-12);
	assert_number(2 * statistics_student_cdf(-yuen.difference / yuen.error, yuen.freedom), 0.00998909252078421, 1e-13);
	yuen = statistics_yuen(high, 11, low, 11, 0.2);
	assert_number(yuen.difference / yuen.error, -4.2461168970325, 1e-12);
	assert_number(2 * statistics_student_cdf(yuen.difference / yuen.error, yuen.freedom), 0.002878909511344, 1e-13);
}

static void test_yuen_at_its_edges(void **state)
{
	static const double even[] = {10, 10, 10, 10, 10}, disturbed[] = {9, 9, 9, 9, 2};
	struct mean_difference yuen = statistics_yuen(even, 5, disturbed, 5, 0.2);

	(void)state;
	/* One value that is far off is left out. */
	assert_number(yuen.difference, -1, 1e-12);
	assert_number(yuen.error, 0, 1e-12);
	assert_number(yuen.freedom, 4, 0);
	/* Half of each end is all. */
	yuen = statistics_yuen(even, 4, disturbed, 4, 0.5);
	assert_true(isnan(yuen.difference) && isnan(yuen.error));
	/* One that is left has no error. */
	yuen = statistics_yuen(even, 3, disturbed, 3, 0.34);
	assert_number(yuen.difference, -1, 1e-12);
	assert_true(isnan(yuen.error) && isnan(yuen.freedom));
}

static void test_trimmed_mean(void **state)
{
	static const double values[] = {120, 100, 99.9, 100.1, 100};

	(void)state;
	assert_number(statistics_trimmed_mean(values, 5, 0.2), 300.1 / 3, 1e-12);
	assert_number(statistics_trimmed_mean(values, 5, 0), 104, 1e-12);
	assert_number(statistics_trimmed_mean(values, 4, 0.2), 105, 1e-12); /* nothing to leave out yet */
	assert_number(statistics_trimmed_mean(values, 1, 0.2), 120, 0);
	assert_true(isnan(statistics_trimmed_mean(values, 0, 0.2)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numerical_accuracy),
		cmocka_unit_test(test_small_samples),
		cmocka_unit_test(test_student_table),
		cmocka_unit_test(test_student_closed_forms),
		cmocka_unit_test(test_student_against_many_digits),
		cmocka_unit_test(test_student_is_its_own_inverse),
		cmocka_unit_test(test_student_without_sense),
		cmocka_unit_test(test_incomplete_beta_by_f_table),
		cmocka_unit_test(test_incomplete_beta_by_sums),
		cmocka_unit_test(test_welch_on_sleep),
		cmocka_unit_test(test_welch_on_cars),
		cmocka_unit_test(test_welch_at_its_edges),
		cmocka_unit_test(test_trimmed_mean),
		cmocka_unit_test(test_yuen_as_published),
		cmocka_unit_test(test_yuen_at_its_edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
