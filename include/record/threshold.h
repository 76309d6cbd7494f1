/** What a script asks of the numbers: --fail-below, --fail-above, --fail-slower. */
#ifndef RECORD_THRESHOLD_H
#define RECORD_THRESHOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "plan/profile.h"
#include "record/compare.h"
#include "record/figures.h"
#include "record/record.h"
#include "support/failure.h"

/** One of them. Strings are owned. */
struct threshold {
	char *text; /* as it was given, safe to print */
	char *test; /* "RND4K Q1T1", "T1": the name of a test, or the last words of one of PART_MAIN */
	bool has_transfer;
	enum transfer transfer;
	enum quantity quantity;
	double limit;  /* in base units */
	bool is_floor; /* --fail-below */
};

/**
 * Read "RND4K Q1T1 read iops=10000", "T1 p99_us=500": words of the test's name, perhaps "read" or "write", then one of
 * iops, mb_per_s, p50_us, p99_us, "=" and a positive number. Letters' case does not matter. On failure (STATUS_USAGE)
 * the sentence says what to write. The caller calls threshold_release.
 */
bool threshold_parse(struct threshold *threshold, const char *text, bool is_floor, struct failure *failure);
/** Free the strings. */
void threshold_release(struct threshold *threshold);
/**
 * Whether it names exactly one test of the profile, in a quantity that this profile measures; otherwise the sentence
 * (STATUS_USAGE) lists what there is. `parts` says by enum workload_part which are going to be measured; NULL for any.
 */
bool threshold_fits(
	const struct threshold *threshold, const struct profile *profile, const bool *parts, struct failure *failure);

/** What came of one. */
enum threshold_state { THRESHOLD_MET, THRESHOLD_MISSED, THRESHOLD_NOT_MEASURED };

/** One line for the user. Strings are owned. */
struct threshold_outcome {
	char *text; /* the threshold, "--fail-below 'RND4K Q1T1 read iops=10000'" */
	enum threshold_state state;
	double value; /* in base units; of --fail-slower the difference */
	/* Of a miss: "RND4K Q1T1 read: 9120 IOPS, less than the 10000 asked for". Of a threshold that was met by a marked
	 * number, or by a loss that may be chance, a warning that says so; NULL where there is nothing to say. */
	char *sentence;
};

/** All of them. */
struct threshold_outcomes {
	struct threshold_outcome *list;
	size_t count;
};

/** Hold a record against thresholds that fit its profile, adding to `outcomes`. */
void thresholds_judge(struct threshold_outcomes *outcomes, const struct threshold *thresholds, size_t count,
	const struct record *record, enum score score);
/**
 * --fail-slower: one outcome for each row of a comparison, its last record against its first. Missed where it is slower
 * by more than `percent`, and that is not within the noise, or nobody can tell since a side has but one run. Where it
 * is within the noise the sentence warns of it. Where rows with a mark met it, the first of them has the sentence for
 * all.
 */
void thresholds_judge_slower(struct threshold_outcomes *outcomes, const struct comparison *comparison, double percent);
/** How many have that state. */
size_t thresholds_count(const struct threshold_outcomes *outcomes, enum threshold_state state);
/** Free everything. */
void threshold_outcomes_release(struct threshold_outcomes *outcomes);

#endif
