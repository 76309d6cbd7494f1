#include "record/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/statistics.h"

/* fio keeps no latency beyond this: 2^34 ns less a bucket (stat.h, PLAT_BITS 6 and PLAT_GROUP_NR 29). */
#define FIO_LATENCY_MAX_NS 17112760320.0

/* THE table of quantities. */
const struct quantity_entry quantities[QUANTITY_COUNT] = {
	[QUANTITY_BANDWIDTH] = {"bandwidth_bytes_per_s", "mb_per_s", 1e6, "MB/s", true},
	[QUANTITY_IOPS] = {"iops", "iops", 1, "IOPS", true},
	[QUANTITY_P50] = {"latency_p50_ns", "p50_us", 1e3, "p50 lat(us)", false},
	[QUANTITY_P99] = {"latency_p99_ns", "p99_us", 1e3, "p99 lat(us)", false},
};

bool record_run_counts(const struct record_run *run)
{
	return run->outcome == OUTCOME_VALID && run->pass > 0;
}

double *test_values(const struct record_test *test, enum quantity quantity, size_t *count)
{
	double *values = xmalloc(test->run_count * sizeof(*values));

	*count = 0;
	for (size_t i = 0; i < test->run_count; i++) {
		double value = test->runs[i].figures[quantity];

		if (record_run_counts(&test->runs[i]) && !isnan(value)) {
			values[(*count)++] = value;
		}
	}
	return values;
}

/* The graver of two marks, as one of the constants. */
static const char *graver_mark(const char *mark, const char *other)
{
	if (strcmp(mark, "*") == 0 || strcmp(other, "*") == 0) {
		return "*";
	}
	return mark[0] == '?' || strcmp(other, "?") == 0 ? "?" : "";
}

static void count_runs(struct test_figures *figures, const struct record_test *test)
{
	figures->mark = "";
	for (size_t i = 0; i < test->run_count; i++) {
		const struct record_run *run = &test->runs[i];

		if (record_run_counts(run)) {
			figures->valid_runs++;
			figures->mark = graver_mark(figures->mark, run->mark);
		} else if (run->outcome == OUTCOME_FAILED) {
			figures->failed_runs++;
			if (run->has_figures) {
				figures->failed = run;
			}
		}
	}
	if (figures->valid_runs > 0) {
		figures->failed = NULL;
	}
}

static double find_best(const double *values, size_t count, bool is_better_if_larger)
{
	double best = (double)NAN;

	for (size_t i = 0; i < count; i++) {
		if (i == 0 || (is_better_if_larger ? values[i] > best : values[i] < best)) {
			best = values[i];
		}
	}
	return best;
}

void test_figures_make(struct test_figures *figures, const struct record_test *test)
{
	*figures = (struct test_figures){0};
	count_runs(figures, test);
	for (int i = 0; i < QUANTITY_COUNT; i++) {
		size_t count;
		double *values = test_values(test, (enum quantity)i, &count);

		figures->median[i] = statistics_median(values, count);
		figures->best[i] = find_best(values, count, quantities[i].is_better_if_larger);
		figures->cv[i] = statistics_variation(values, count);
		free(values);
	}
}

double test_figure(const struct test_figures *figures, enum quantity quantity, enum score score)
{
	return score == SCORE_BEST ? figures->best[quantity] : figures->median[quantity];
}

static char *latency_words(double latency_ns)
{
	return latency_ns >= FIO_LATENCY_MAX_NS ? xstrdup(">= 17 s") : xasprintf("%.1f", latency_ns / 1e3);
}

char *figure_words(double value, enum quantity quantity)
{
	if (isnan(value)) {
		return xstrdup("unknown"); /* which is not 0 */
	}
	switch (quantity) {
	case QUANTITY_BANDWIDTH:
		return xasprintf("%.2f", value / 1e6); /* MB/s: 10^6 bytes */
	case QUANTITY_IOPS:
		return xasprintf("%.0f", value);
	default:
		return latency_words(value);
	}
}

const char *spread_rating(double cv)
{
	static const struct {
		double below;
		const char *word;
	} ratings[] = {{0.10, "excellent"}, {0.20, "good"}, {0.30, "variable"}};

	/* As it is shown, with one decimal: 9.96 % reads 10.0 %, and what is called excellent must be below that. */
	double shown = round(cv * 1000) / 1000;

	for (size_t i = 0; i < sizeof(ratings) / sizeof(ratings[0]); i++) {
		if (shown < ratings[i].below) {
			return ratings[i].word;
		}
	}
	return isnan(cv) ? "" : "high variance";
}

enum quantity profile_main_quantity(const struct profile *profile)
{
	return profile->synchronous ? QUANTITY_IOPS : QUANTITY_BANDWIDTH;
}
