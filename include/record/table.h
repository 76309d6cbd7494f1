/** A table without a format: what stands in which cell. */
#ifndef RECORD_TABLE_H
#define RECORD_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "record/figures.h"
#include "record/record.h"

/** A column. */
struct table_column {
	const char *title;
	size_t width_min; /* columns of text */
	bool is_text;     /* left-aligned */
};

/** A cell. */
struct table_cell {
	char *text;       /* owned; of a failed run with figures in brackets */
	const char *mark; /* stands beside the text, in the blank before the frame: "*", "?" or "" */
	bool is_failure;
};

/** Rows of cells. */
struct table {
	const struct table_column *columns; /* constants */
	size_t column_count;
	struct table_cell *cells; /* row by row */
	size_t row_count;
	char **footnotes; /* one sentence for each reason of failed runs, then one for each kind of finding */
	size_t footnote_count;
	char *closing; /* owned; what was checked; NULL where nothing was */
};

/** The further tables of a record, each of which has rows only where there is something to show. */
enum further_table {
	FURTHER_DETAIL, /* the tests of PART_DETAIL, in the columns of the profile */
	FURTHER_STAGES, /* the experiment: IOPS, p50, p99, change */
};
enum { FURTHER_TABLE_COUNT = 2 };

/** What stands above it; a constant. */
const char *further_table_heading(enum further_table which);
/** As table_init, without footnotes and closing: those of the record's own table speak of all. Call table_release. */
void table_init_further(struct table *table, const struct record *record, enum further_table which, enum score score);

/**
 * Where the time of one test's commits goes: device and host make up the commit, in the shares that they have of the
 * mean commit; see struct commit_split.
 */
struct split_row {
	char *name;       /* owned; "T1" */
	double commit_ns; /* the median latency that the table shows */
	double device_ns; /* NAN, as the next two, where it is unknown */
	double host_ns;
	double device_share; /* 0 to 1 */
	bool is_about;       /* the parts are estimates: the mean commit is far from the median one */
	char *unknown;       /* owned; why it is unknown, a clause; NULL where it is known */
};

/**
 * One row for each test of PART_MAIN of which it is known, or known why it is not; none where the record's own
 * split_unknown says the same of all. The caller calls split_rows_release.
 */
struct split_row *split_rows_make(const struct record *record, enum score score, size_t *count);
/** Free them. */
void split_rows_release(struct split_row *rows, size_t count);

/** The device's share of a commit: the median of the runs that count; NAN where it is unknown. */
double test_device_share(const struct record_test *test);

/**
 * The table of a record's profile (PART_MAIN), with the rows that have at least one result; where tests were repeated,
 * with a column for the spread. Footnotes and closing are those of all parts. The caller calls table_release.
 */
void table_init(struct table *table, const struct record *record, enum score score);
/** Free the cells and the footnotes. */
void table_release(struct table *table);

#endif
