/* From the runs of a test to the sample that it is compared by, and the way in which samples are compared. */
#include <math.h>
#include <stdlib.h>

#include "compare_parts.h"
#include "support/statistics.h"
#include "support/memory.h"

/* The geometric mean. One of the values is taken out as a factor, so that equal values have just that mean. */
static double find_mean(const struct sample *sample, double trim)
{
	double *ratios = xmalloc(sample->count * sizeof(*ratios)), mean;

	for (size_t i = 0; i < sample->count; i++) {
		ratios[i] = sample->logarithms[i] - log(sample->first);
	}
	mean = statistics_trimmed_mean(ratios, sample->count, trim);
	free(ratios);
	return sample->first * exp(mean);
}

static void take_logarithms(struct sample *sample, const struct record_test *test, enum quantity quantity)
{
	sample->logarithms = test_values(test, quantity, &sample->count);
	sample->median = statistics_median(sample->logarithms, sample->count); /* they are values yet */
	sample->has_logarithms = sample->count > 0;
	sample->first = sample->count > 0 ? sample->logarithms[0] : (double)NAN;
	for (size_t i = 0; i < sample->count; i++) {
		double value = sample->logarithms[i];

		sample->has_logarithms = sample->has_logarithms && value > 0 && !isinf(value);
		sample->logarithms[i] = log(value);
	}
}

void sample_make(
	struct sample *sample, struct comparison_cell *cell, const struct record_test *test, enum quantity quantity)
{
	double unknown = (double)NAN;
	struct test_figures figures;

	*sample = (struct sample){0};
	*cell = (struct comparison_cell){.test = test,
		.value = unknown,
		.mark = "",
		.difference = unknown,
		.difference_low = unknown,
		.difference_high = unknown,
		.verdict = VERDICT_NOT_MEASURED};
	if (!test) {
		return;
	}
	test_figures_make(&figures, test);
	take_logarithms(sample, test, quantity);
	sample->valid_runs = figures.valid_runs;
	cell->runs = sample->count;
	cell->value = sample->median;
	cell->mark = figures.mark;
	if (figures.valid_runs > 0) {
		cell->verdict = VERDICT_NO_DIFFERENCE;
	}
}

/* Whether a difference of the two can be told. */
static bool are_comparable(const struct sample *before, const struct sample *after)
{
	return before->valid_runs > 0 && after->valid_runs > 0 && before->has_logarithms && after->has_logarithms;
}

/* The two ends of a difference. */
static struct contrast_ends ends_of(const struct sample *before, const struct sample *after)
{
	return (struct contrast_ends){.before = before->logarithms,
		.before_count = before->count,
		.after = after->logarithms,
		.after_count = after->count};
}

/*
 * How a row is judged: with all runs, or without the best and the worst of them, whichever tells a difference more
 * surely. As these are two attempts, each has half of the error. With few runs nothing is left out, and it is one.
 */
static struct contrast_way choose_way(const struct sample *samples, size_t count, enum quantity quantity)
{
	struct contrast_way ways[] = {{.trim = 0, .attempts = 1}, {.trim = COMPARE_TRIM, .attempts = 2}};
	double least[2] = {1, 1};
	bool is_trimmed = false;

	for (size_t i = 0; i < count; i++) {
		is_trimmed = is_trimmed || contrast_is_trimmed(samples[i].count);
	}
	for (size_t i = 1; is_trimmed && i < count; i++) {
		for (size_t way = 0; way < 2 && are_comparable(&samples[0], &samples[i]); way++) {
			struct contrast_ends ends = ends_of(&samples[0], &samples[i]);

			least[way] = fmin(least[way], contrast_probability(&ends, quantity, ways[way].trim));
		}
	}
	ways[0].attempts = is_trimmed ? 2 : 1;
	return least[1] < least[0] ? ways[1] : ways[0];
}

/* Take the difference of two samples into the contrasts, unless nobody can tell. */
static void cell_compare(struct contrasts *contrasts, struct comparison_cell *cell, const struct sample *before,
	const struct sample *after, enum quantity quantity, const struct contrast_way *way)
{
	if (before->valid_runs == 0 || after->valid_runs == 0) {
		cell->verdict = VERDICT_NOT_MEASURED;
		return;
	}
	cell->verdict = VERDICT_CANNOT_TELL;
	if (are_comparable(before, after)) {
		struct contrast_ends ends = ends_of(before, after);

		contrasts_add(contrasts, cell, quantity, &ends, way);
	}
}

void samples_compare(const struct sample *samples, struct comparison_cell *cells, size_t count, enum quantity quantity,
	struct contrasts *contrasts)
{
	struct contrast_way way = choose_way(samples, count, quantity);

	for (size_t i = 0; i < count; i++) {
		if (samples[i].has_logarithms) {
			cells[i].value = find_mean(&samples[i], way.trim);
		}
		if (i > 0) {
			cell_compare(contrasts, &cells[i], &samples[0], &samples[i], quantity, &way);
		}
	}
}

void sample_release(struct sample *sample)
{
	free(sample->logarithms);
	*sample = (struct sample){0};
}
