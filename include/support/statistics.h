/** Textbook statistics. Each formula names its source. */
#ifndef SUPPORT_STATISTICS_H
#define SUPPORT_STATISTICS_H

#include <stddef.h>

/** The middle value, or the mean of the middle two; NAN without any. The values stay as they are. */
double statistics_median(const double *values, size_t count);
/** The arithmetic mean; NAN without any. */
double statistics_mean(const double *values, size_t count);
/** The mean without the share `trim` (0 to 0.5, rounded down to whole values) at each end; NAN without any. */
double statistics_trimmed_mean(const double *values, size_t count, double trim);
/** The sample's standard deviation (n - 1); NAN below two values. */
double statistics_deviation(const double *values, size_t count);
/** The deviation over the mean; NAN below two values or with a mean of 0. */
double statistics_variation(const double *values, size_t count);

/** The regularised incomplete beta function I_x(a, b) for a, b > 0 (continued fraction, DLMF 8.17.22). */
double statistics_incomplete_beta(double x, double a, double b);
/** P(T <= t) of Student's t with `freedom` degrees, which need not be whole (Abramowitz and Stegun 26.7.1). */
double statistics_student_cdf(double t, double freedom);
/** The t with P(T <= t) = p, for 0 < p < 1. */
double statistics_student_quantile(double p, double freedom);

/** The difference of two means and what is known of it. */
struct mean_difference {
	double difference; /* mean of the second less mean of the first */
	double error;      /* its standard error */
	double freedom;    /* degrees of freedom (Satterthwaite 1946; Welch 1947) */
};

/**
 * Compare the means of two samples of at least two values each, without the share `trim` (0 to 0.5, rounded down to
 * whole values) of the largest and of the smallest: Yuen's test (Yuen 1974, Biometrika 61, 165-170), with 0 the same as
 * Welch's. A few values that are far off then hardly matter. With fewer values error and freedom are NAN.
 */
struct mean_difference statistics_yuen(
	const double *first, size_t first_count, const double *second, size_t second_count, double trim);

#endif
