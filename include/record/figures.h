/** From the runs of one test to the figures that are shown: THE table of quantities, median, best, spread. */
#ifndef RECORD_FIGURES_H
#define RECORD_FIGURES_H

#include "record/record.h"

/** Which figure stands for all runs. */
enum score { SCORE_MEDIAN, SCORE_BEST };

/** One quantity. */
struct quantity_entry {
	const char *key;          /* in JSON and CSV: "bandwidth_bytes_per_s" */
	const char *threshold;    /* in --fail-below and --fail-above: "mb_per_s" */
	double threshold_unit;    /* how many base units one of these is: 1e6 */
	const char *title;        /* "MB/s", "p99 lat(us)" */
	bool is_better_if_larger; /* false for latencies */
};

/** By enum quantity. */
extern const struct quantity_entry quantities[QUANTITY_COUNT];

/** All runs of a test that count: valid, and not the warm-up. NAN where there is none or it is unknown. */
struct test_figures {
	size_t valid_runs;
	size_t failed_runs; /* the warm-up's too, if it failed */
	double median[QUANTITY_COUNT];
	double best[QUANTITY_COUNT]; /* the largest, of latencies the least */
	double cv[QUANTITY_COUNT];   /* coefficient of variation: sample standard deviation over mean; NAN below 2 runs */
	const char *mark;            /* the gravest of the runs'; a constant */
	const struct record_run *failed; /* the last failed run with figures, if no run is valid; NULL otherwise */
};

/** Whether a run counts in any figure. */
bool record_run_counts(const struct record_run *run);
/** Work them out. */
void test_figures_make(struct test_figures *figures, const struct record_test *test);
/** The one that the score asks for. */
double test_figure(const struct test_figures *figures, enum quantity quantity, enum score score);
/** The values of all runs that count, in their order; NAN is left out. The caller frees it. */
double *test_values(const struct record_test *test, enum quantity quantity, size_t *count);
/** What a cell shows of it: "812.30" MB/s, "19043" IOPS, "85.5" us, ">= 17 s", "unknown". The caller frees it. */
char *figure_words(double value, enum quantity quantity);
/** "excellent" below 10 %, "good" below 20 %, "variable" below 30 %, else "high variance"; a constant. */
const char *spread_rating(double cv);
/** The quantity that stands for a test of this profile: bandwidth, or IOPS where commits are measured. */
enum quantity profile_main_quantity(const struct profile *profile);

#endif
