/* Which differences are called one: Yuen's test for each, Holm's procedure for all of them together. */
#include <math.h>
#include <stdlib.h>

#include "compare_parts.h"
#include "support/memory.h"
#include "support/statistics.h"

/* fio sorts latencies into bins, 64 to each doubling at the coarsest (stat.h, FIO_IO_U_PLAT_BITS). */
#define LATENCY_BINS 64

static size_t count_kept(size_t count)
{
	return count - 2 * (size_t)(COMPARE_TRIM * (double)count + 1e-9);
}

/* Latencies of one bin need not be equal: for each the variance of the uniform distribution over a bin is added. */
static double add_bins(double error, size_t before_count, size_t after_count)
{
	double bin = 1.0 / LATENCY_BINS;

	return sqrt(
		error * error + bin * bin / 12 * (1 / (double)count_kept(before_count) + 1 / (double)count_kept(after_count)));
}

void contrasts_add(struct contrasts *contrasts, struct comparison_cell *cell, enum quantity quantity,
	const double *before, size_t before_count, const double *after, size_t after_count)
{
	struct mean_difference found = statistics_yuen(before, before_count, after, after_count, COMPARE_TRIM);
	struct contrast contrast = {.cell = cell,
		.quantity = quantity,
		.difference = found.difference,
		.error = found.error,
		.freedom = found.freedom,
		.probability = 1};

	if (isinf(expm1(found.difference))) {
		return;
	}
	cell->difference = expm1(found.difference);
	if (isnan(found.error)) {
		return;
	}
	if (!quantities[quantity].is_better_if_larger) {
		contrast.error = add_bins(found.error, before_count, after_count);
	}
	if (contrast.error > 0) {
		contrast.probability = 2 * statistics_student_cdf(-fabs(found.difference) / contrast.error, found.freedom);
	} else if (found.difference != 0) {
		contrast.probability = 0;
	}
	if (contrasts->count == contrasts->capacity) {
		contrasts->capacity = contrasts->capacity > 0 ? 2 * contrasts->capacity : 16;
		contrasts->list = xrealloc(contrasts->list, contrasts->capacity * sizeof(*contrasts->list));
	}
	contrasts->list[contrasts->count++] = contrast;
}

static int compare_probabilities(const void *first, const void *second)
{
	double a = ((const struct contrast *)first)->probability, b = ((const struct contrast *)second)->probability;

	return (a > b) - (a < b);
}

/*
 * The error rate that each of the differences may have, so that all together keep to COMPARE_ERROR_RATE (Holm 1979,
 * Scandinavian Journal of Statistics 6, 65-70): the least likely one is judged as one of all, the next as one of those
 * that are left, up to the first that is no difference. An interval at the last of these levels leaves out 0 for each
 * that is one, and holds it for each that is none.
 */
static double find_error_rate(struct contrasts *contrasts)
{
	size_t called = 0;

	if (contrasts->count > 0) {
		qsort(contrasts->list, contrasts->count, sizeof(*contrasts->list), compare_probabilities);
	}
	while (called < contrasts->count &&
		   contrasts->list[called].probability < COMPARE_ERROR_RATE / (double)(contrasts->count - called)) {
		called++;
	}
	return called < contrasts->count ? COMPARE_ERROR_RATE / (double)(contrasts->count - called) : COMPARE_ERROR_RATE;
}

/* Whether a difference of logarithms is as large as one must be, upwards and downwards alike. */
static bool is_large(double difference)
{
	return fabs(difference) >= -log1p(-COMPARE_DIFFERENCE_MIN);
}

static void conclude(const struct contrast *contrast, double error_rate)
{
	struct comparison_cell *cell = contrast->cell;
	double half_width =
		contrast->error > 0 ? contrast->error * statistics_student_quantile(1 - error_rate / 2, contrast->freedom) : 0;

	cell->difference_low = expm1(contrast->difference - half_width);
	cell->difference_high = expm1(contrast->difference + half_width);
	if (fabs(contrast->difference) > half_width && is_large(contrast->difference)) {
		bool is_better = (contrast->difference > 0) == quantities[contrast->quantity].is_better_if_larger;

		cell->verdict = is_better ? VERDICT_FASTER : VERDICT_SLOWER;
	} else {
		cell->verdict = VERDICT_NO_DIFFERENCE;
	}
}

void contrasts_conclude(struct contrasts *contrasts)
{
	double error_rate = find_error_rate(contrasts);

	for (size_t i = 0; i < contrasts->count; i++) {
		conclude(&contrasts->list[i], error_rate);
	}
}

void contrasts_release(struct contrasts *contrasts)
{
	free(contrasts->list);
	*contrasts = (struct contrasts){0};
}
