#include "support/statistics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

/* The continued fraction converges in about the square root of the larger parameter; this is for absurd ones. */
#define FRACTION_STEPS_MAX 100000
/* Newton's steps towards a quantile; it takes about ten. */
#define QUANTILE_STEPS_MAX 400
/* Stands for 0 in a denominator (Lentz 1976, as Thompson and Barnett 1986 changed it). */
#define FRACTION_TINY 1e-300

static int compare_doubles(const void *first, const void *second)
{
	double a = *(const double *)first, b = *(const double *)second;

	return (a > b) - (a < b);
}

/* The caller frees it. */
static double *sort_copy(const double *values, size_t count)
{
	double *sorted = xmalloc(count * sizeof(*sorted));

	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare_doubles);
	return sorted;
}

double statistics_median(const double *values, size_t count)
{
	double *sorted, median;

	if (count == 0) {
		return (double)NAN;
	}
	sorted = sort_copy(values, count);
	/* Half of each, since the sum of two large ones may be none. */
	median = count % 2 == 1 ? sorted[count / 2] : sorted[count / 2 - 1] / 2 + sorted[count / 2] / 2;
	free(sorted);
	return median;
}

double statistics_mean(const double *values, size_t count)
{
	double mean = 0;

	/* Welford (1962): no sum that could overflow, and equal values have just that mean. */
	for (size_t i = 0; i < count; i++) {
		mean += (values[i] - mean) / (double)(i + 1);
	}
	return count > 0 ? mean : (double)NAN;
}

double statistics_deviation(const double *values, size_t count)
{
	double mean = statistics_mean(values, count);
	double squares = 0;

	if (count < 2) {
		return (double)NAN;
	}
	for (size_t i = 0; i < count; i++) {
		squares += (values[i] - mean) * (values[i] - mean);
	}
	return sqrt(squares / (double)(count - 1));
}

double statistics_variation(const double *values, size_t count)
{
	double mean = statistics_mean(values, count);

	return count < 2 || !(fabs(mean) > 0) ? (double)NAN : statistics_deviation(values, count) / fabs(mean);
}

static double not_zero(double value)
{
	return fabs(value) < FRACTION_TINY ? FRACTION_TINY : value;
}

/* The continued fraction of DLMF 8.17.22, by Lentz's method. */
static double beta_fraction(double x, double a, double b)
{
	double denominator = 1 / not_zero(1 - (a + b) * x / (a + 1));
	double numerator = 1, fraction = denominator;

	for (int m = 1; m <= FRACTION_STEPS_MAX; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double factor;

		denominator = 1 / not_zero(1 + even * denominator);
		numerator = not_zero(1 + even / numerator);
		fraction *= denominator * numerator;
		denominator = 1 / not_zero(1 + odd * denominator);
		numerator = not_zero(1 + odd / numerator);
		factor = denominator * numerator;
		fraction *= factor;
		if (fabs(factor - 1) < 1e-15) {
			break;
		}
	}
	return fraction;
}

/* I_x(a, b) where both x and 1 - x are known exactly. */
static double incomplete_beta(double x, double rest, double a, double b)
{
	double front;

	if (!(x > 0)) {
		return isnan(x) ? x : 0;
	}
	if (!(rest > 0)) {
		return isnan(rest) ? rest : 1;
	}
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest));
	/* The fraction converges fast on this side of the mean; DLMF 8.17.4 leads over from the other. */
	return x < (a + 1) / (a + b + 2) ? front * beta_fraction(x, a, b) / a : 1 - front * beta_fraction(rest, b, a) / b;
}

double statistics_incomplete_beta(double x, double a, double b)
{
	return incomplete_beta(x, 1 - x, a, b);
}

/* P(T > t) for t >= 0, exact also where it is very small. */
static double student_tail(double t, double freedom)
{
	double square = t * t;

	if (isinf(freedom)) {
		return erfc(t / sqrt(2)) / 2;
	}
	if (isinf(square)) {
		/* x is freedom / t^2, so small that one term of the fraction is all there is. */
		return isinf(t) ? 0
						: exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - lgamma(0.5) - log(freedom) +
							  freedom * (log(freedom) / 2 - log(t)));
	}
	return incomplete_beta(freedom / (freedom + square), square / (freedom + square), freedom / 2, 0.5) / 2;
}

double statistics_student_cdf(double t, double freedom)
{
	if (isnan(t) || !(freedom > 0)) {
		return (double)NAN;
	}
	return t < 0 ? student_tail(-t, freedom) : 1 - student_tail(t, freedom);
}

/* The density of Student's t. */
static double student_density(double t, double freedom)
{
	if (isinf(freedom)) {
		return exp(-t * t / 2) / sqrt(2 * 3.14159265358979323846);
	}
	return exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - (freedom + 1) / 2 * log1p(t * t / freedom)) /
		   sqrt(freedom * 3.14159265358979323846);
}

/*
 * The t > 0 with P(T > t) = tail. Newton's steps between the logarithms of both, where the curve is concave and far out
 * almost straight; the bounds are for steps that go astray.
 */
static double student_tail_quantile(double tail, double freedom)
{
	double low = 0, high = HUGE_VAL, t = 1;

	for (int i = 0; i < QUANTILE_STEPS_MAX; i++) {
		double here = student_tail(t, freedom), next;

		if (here > tail) {
			low = t;
		} else {
			high = t;
		}
		next = t * exp(log(here / tail) * here / (student_density(t, freedom) * t));
		if (!(next > low && next < high)) {
			next = isinf(high) ? t * 2 : low + (high - low) / 2;
		}
		if (fabs(next - t) <= 1e-15 * t || isinf(next)) {
			return next;
		}
		t = next;
	}
	return t;
}

double statistics_student_quantile(double p, double freedom)
{
	if (!(p > 0 && p < 1) || !(freedom > 0)) {
		return (double)NAN;
	}
	if (p < 0.5) {
		return -student_tail_quantile(p, freedom);
	}
	return p > 0.5 ? student_tail_quantile(1 - p, freedom) : 0;
}

/* A trimmed mean and what it contributes to the error. */
struct trimmed_mean {
	double mean;
	double part; /* its variance, from the sum of squares of the Winsorized sample */
	size_t kept; /* values that were not cut off */
};

static struct trimmed_mean trim_mean(const double *values, size_t count, double trim)
{
	struct trimmed_mean trimmed = {.mean = (double)NAN, .part = (double)NAN};
	size_t cut = (size_t)(trim * (double)count + 1e-9);

	if (count == 0 || 2 * cut >= count) {
		return trimmed;
	}
	double *sorted = sort_copy(values, count);
	trimmed.kept = count - 2 * cut;
	trimmed.mean = statistics_mean(sorted + cut, trimmed.kept);
	for (size_t i = 0; i < cut; i++) {
		sorted[i] = sorted[cut];
		sorted[count - 1 - i] = sorted[count - 1 - cut];
	}
	if (trimmed.kept > 1) {
		double deviation = statistics_deviation(sorted, count);

		trimmed.part = (double)(count - 1) * deviation * deviation / (double)(trimmed.kept * (trimmed.kept - 1));
	}
	free(sorted);
	return trimmed;
}

double statistics_trimmed_mean(const double *values, size_t count, double trim)
{
	return trim_mean(values, count, trim).mean;
}

struct mean_difference statistics_yuen(
	const double *first, size_t first_count, const double *second, size_t second_count, double trim)
{
	struct trimmed_mean before = trim_mean(first, first_count, trim), after = trim_mean(second, second_count, trim);
	struct mean_difference found = {
		.difference = after.mean - before.mean, .error = (double)NAN, .freedom = (double)NAN};
	double sum = before.part + after.part;

	if (isnan(sum)) {
		return found;
	}
	found.error = sqrt(sum);
	/* Shares of the sum, since the squares of small parts may be 0. Where nothing varies any number would do. */
	double before_share = before.part / sum, after_share = after.part / sum;
	found.freedom = sum > 0 ? 1 / (before_share * before_share / (double)(before.kept - 1) +
									  after_share * after_share / (double)(after.kept - 1))
							: (double)(before.kept + after.kept - 2);
	return found;
}
