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

/**
 * The table of a record's profile, with the rows that have at least one result; where tests were repeated, with a
 * column for the spread. The caller calls table_release.
 */
void table_init(struct table *table, const struct record *record, enum score score);
/** Free the cells and the footnotes. */
void table_release(struct table *table);

#endif
