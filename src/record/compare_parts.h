/** What the files of comparison share: matching what several records have, and judging differences. */
#ifndef RECORD_COMPARE_PARTS_H
#define RECORD_COMPARE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "record/compare.h"
#include "support/statistics.h"

/** How much of each end is left out of the runs: of five the best and the worst. */
#define COMPARE_TRIM 0.2

/** A thing of one record; in other records it is the thing of the same name and detail. Strings are the record's. */
struct thing {
	const char *name;
	const char *detail;
	size_t record; /* index into the comparison's records */
	size_t index;  /* where it stands in its record */
};

/** A growing list of them. */
struct things {
	struct thing *list;
	size_t count;
	size_t capacity;
};

/** The same thing in all records that have it: things [begin, end) of a sorted list. */
struct match {
	size_t begin;
	size_t end;
};

/** Add one; NULL as detail is "". */
void things_add(struct things *things, const char *name, const char *detail, size_t record, size_t index);
/** Sort by name, then detail, then record and index. */
void things_sort(struct things *things);
/** Where the things of the same name end that begin at `begin`, in a sorted list. */
size_t things_name_end(const struct things *things, size_t begin);
/**
 * Sort the list and match what is the same. In the order of the first record; what it lacks comes after, in the order
 * of the first that has it. The caller frees the matches.
 */
struct match *things_match(struct things *things, size_t *count);
/** Free the list. */
void things_release(struct things *things);

/** What a difference is between: the logarithms of two tests' runs. */
struct contrast_ends {
	const double *before;
	size_t before_count;
	const double *after;
	size_t after_count;
};

/** How it is judged. */
struct contrast_way {
	double trim;       /* the share of the runs that is left out at each end */
	unsigned attempts; /* out of so many ways this one was chosen */
};

/** One difference that is to be judged. */
struct contrast {
	struct comparison_cell *cell;
	enum quantity quantity;
	unsigned attempts;
	struct mean_difference found; /* of the logarithms */
	double probability;           /* of a difference as large as this between equals, in one of the attempts */
};

/** All of them: what is called a difference depends on how many there are. */
struct contrasts {
	struct contrast *list;
	size_t count;
	size_t capacity;
};

/** Whether anything is left out of so many runs. */
bool contrast_is_trimmed(size_t count);
/** How likely a difference as large as this is between equals; 1 where nobody can tell. */
double contrast_probability(const struct contrast_ends *ends, enum quantity quantity, double trim);
/** Add a difference, which goes into `cell`. */
void contrasts_add(struct contrasts *contrasts, struct comparison_cell *cell, enum quantity quantity,
	const struct contrast_ends *ends, const struct contrast_way *way);
/** Set the intervals and verdicts of all their cells. */
void contrasts_conclude(struct contrasts *contrasts);
/** Free the list. */
void contrasts_release(struct contrasts *contrasts);

/** The logarithms of one test's runs. */
struct sample {
	size_t valid_runs;
	double *logarithms;  /* owned */
	size_t count;        /* of known values */
	bool has_logarithms; /* false where a value is 0 or less */
	double first;        /* of the values */
	double median;
};

/** Make the sample of a test and the cell that shows it. `test` is NULL where there is none. */
void sample_make(
	struct sample *sample, struct comparison_cell *cell, const struct record_test *test, enum quantity quantity);
/**
 * Set the cells' values, and take the difference of each from the first into the contrasts, unless nobody can tell.
 * The cells must stay where they are until the contrasts are concluded.
 */
void samples_compare(const struct sample *samples, struct comparison_cell *cells, size_t count, enum quantity quantity,
	struct contrasts *contrasts);
/** Free what it owns. */
void sample_release(struct sample *sample);

/** Fill in the comparison's changes. */
void comparison_find_changes(struct comparison *comparison);

#endif
