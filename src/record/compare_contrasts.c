/*
 * Which differences are called one: Welch's test of all runs, or Yuen's without the best and the worst of them, for
 * each; Holm's procedure for all of them together.
 */
#include <math.h>
#include <stdlib.h>

#include "compare_parts.h"
#include "support/memory.h"
#include "support/statistics.h"

/* fio sorts latencies into bins, 64 to each doubling at the coarsest (stat.h, FIO_IO_U_PLAT_BITS). */
#define LATENCY_BINS 64

static size_t count_kept(size_t count, double trim)
{
	return count - 2 * (size_t)(trim * (double)count + 1e-9);
}

bool contrast_is_trimmed(size_t count)
{
	return count_kept(count, COMPARE_TRIM) < count;
}

/* Latencies of one bin need not be equal: for each the variance of the uniform distribution over a bin is added. */
static double add_bins(double error, const struct contrast_ends *ends, double trim)
{
	double bin = 1.0 / LATENCY_BINS;
	double before = 1 / (double)count_kept(ends->before_count, trim);
	double after = 1 / (double)count_kept(ends->after_count, trim);

	return sqrt(error * error + bin * bin / 12 * (before + after));
}

static struct mean_difference find_difference(const struct contrast_ends *ends, enum quantity quantity, double trim)
{
	struct mean_difference found =
		statistics_yuen(ends->before, ends->before_count, ends->after, ends->after_count, trim);

	if (!quantities[quantity].is_better_if_larger) {
		found.error = add_bins(found.error, ends, trim);
	}
	return found;
}

static double find_probability(const struct mean_difference *found)
{
	if (isnan(found->error)) {
		return 1;
	}
	if (found->error > 0) {
		return 2 * statistics_student_cdf(-fabs(found->difference) / found->error, found->freedom);
	}
	return found->difference != 0 ? 0 : 1;
}

double contrast_probability(const struct contrast_ends *ends, enum quantity quantity, double trim)
{
	struct mean_difference found = find_difference(ends, quantity, trim);

	return find_probability(&found);
}

void contrasts_add(struct contrasts *contrasts, struct comparison_cell *cell, enum quantity quantity,
	const struct contrast_ends *ends, const struct contrast_way *way)
{
	struct mean_difference found = find_difference(ends, quantity, way->trim);

	if (isinf(expm1(found.difference))) {
		return;
	}
	cell->difference = expm1(found.difference);
	if (isnan(found.error)) {
		return;
	}
	if (contrasts->count == contrasts->capacity) {
		contrasts->capacity = contrasts->capacity > 0 ? 2 * contrasts->capacity : 16;
		contrasts->list = xrealloc(contrasts->list, contrasts->capacity * sizeof(*contrasts->list));
	}
	contrasts->list[contrasts->count++] = (struct contrast){.cell = cell,
		.quantity = quantity,
		.attempts = way->attempts,
		.found = found,
		.probability = fmin(way->attempts * find_probability(&found), 1)};
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
	const struct mean_difference *found = &contrast->found;
	struct comparison_cell *cell = contrast->cell;
	double point = 1 - error_rate / contrast->attempts / 2;
	double half_width = found->error > 0 ? found->error * statistics_student_quantile(point, found->freedom) : 0;

	cell->difference_low = expm1(found->difference - half_width);
	cell->difference_high = expm1(found->difference + half_width);
	if (fabs(found->difference) > half_width && is_large(found->difference)) {
		bool is_better = (found->difference > 0) == quantities[contrast->quantity].is_better_if_larger;

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
