/**
 * Measurements side by side: the first is what the others are compared with.
 *
 * A difference is the ratio of the geometric means of the runs, less 1. It is judged twice on the logarithms: by
 * Welch's test (1947) of all runs, and by Yuen's (1974) without the best and the worst of them (a fifth at each end, so
 * from five runs on), so that one disturbed run does not speak for the others. Each has half of the error, and the row
 * shows the one that is surer. The verdicts hold for all differences of one comparison together with 95 % (Holm 1979);
 * the intervals are as wide as the verdicts need, at least 95 % each.
 */
#ifndef RECORD_COMPARE_H
#define RECORD_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "record/figures.h"
#include "record/record.h"
#include "support/failure.h"

/** The probability that a comparison of equals calls any difference at all. */
#define COMPARE_ERROR_RATE 0.05
/** Smaller differences are never called one: two measurements of the same device differ by so much. */
#define COMPARE_DIFFERENCE_MIN 0.02

enum verdict {
	VERDICT_FASTER,
	VERDICT_SLOWER,
	VERDICT_NO_DIFFERENCE, /* seen; which is not the same as none */
	VERDICT_CANNOT_TELL,   /* one run on one side, or an unknown value */
	VERDICT_NOT_MEASURED,  /* one side has no valid run */
};

/** One figure of one record. */
struct comparison_cell {
	const struct record_test *test; /* the record's; NULL where it has no such test */
	size_t runs;                    /* that count, and in which this quantity is known */
	/* What the difference is between: the geometric mean of these runs, perhaps without the best and the worst, of a
	 * single one itself; where one of them is 0 their median. NAN is unknown. */
	double value;
	const char *mark; /* "*", "?" or ""; a constant */
	/* Against the first record; 0.1 is 10 % more, of a latency too. Of the first record itself all three are NAN, and
	 * the interval's ends are where one side has but one run. The upper end may be HUGE_VAL. */
	double difference;
	double difference_low;
	double difference_high;
	enum verdict verdict;
};

/** One test in one quantity. */
struct comparison_row {
	char *title;                    /* owned; "RND4K Q1T1 read"; with the quantity where a profile compares several */
	const struct record_test *test; /* the first record's; of a test that it lacks, the next one's */
	enum quantity quantity;
	struct comparison_cell *cells; /* one for each record */
};

/** Something in which the circumstances differ. All owned. */
struct comparison_change {
	char *what;    /* "kernel", "sda scheduler" */
	char **values; /* one for each record; "unknown" where it says nothing of it */
};

/** The whole. */
struct comparison {
	const struct record *const *records; /* the caller's */
	size_t record_count;
	char **titles; /* owned; one for each record, all different */
	struct comparison_row *rows;
	size_t row_count;
	struct comparison_change *changes;
	size_t change_count;
};

/**
 * Whether a record can be compared with those of a profile; if not (STATUS_USAGE), the sentence names it by `name`, its
 * file's.
 */
bool comparison_fits(
	const struct record *record, const char *name, const struct profile *profile, struct failure *failure);
/**
 * Compare `count` (at least 2) records. Refuses those that do not fit the first one's profile. `names` are the files'
 * names for people, used for titles where a record has no label and in sentences. The caller calls comparison_release.
 */
bool comparison_make(struct comparison *comparison, const struct record *const *records, const char *const *names,
	size_t count, struct failure *failure);
/** Free everything. */
void comparison_release(struct comparison *comparison);

/** "faster", "slower", "no difference seen", "cannot tell", "not measured"; a constant. For JSON and tables. */
const char *verdict_name(enum verdict verdict);
/** In full, as "cannot tell: one run each, use --runs 5". The caller frees it. */
char *comparison_verdict_words(const struct comparison *comparison, size_t row, size_t record);
/** "+12.3 % (+9.1 to +15.6)", "-3.0 %" without an interval, "-" where there is nothing. The caller frees it. */
char *comparison_difference_words(const struct comparison_cell *cell);
/**
 * One sentence for each thing in which the circumstances differ, "kernel: 6.1.0 before, 6.6.2 after"; and one for each
 * mark that makes a difference doubtful. Ends with NULL; the caller frees each and the list.
 */
char **comparison_warnings(const struct comparison *comparison);
/** How it was compared, in one sentence for the end of a table; NULL where nothing was. The caller frees it. */
char *comparison_method(const struct comparison *comparison);

#endif
