/** A table of cells that are already text: what the formats made of characters have in common. */
#ifndef RENDER_GRID_H
#define RENDER_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "record/table.h"
#include "render/render.h"

/** A column. */
struct grid_column {
	char *title;      /* owned */
	size_t width_min; /* columns of text */
	bool is_text;     /* left-aligned */
};

/** What a colour says once more; it never says anything alone. */
enum grid_tone { GRID_PLAIN, GRID_GOOD, GRID_DOUBT, GRID_BAD };

/** A cell. */
struct grid_cell {
	char *text;       /* owned */
	const char *mark; /* stands directly behind the text, in the blank before the frame; a constant, or outlives it */
	enum grid_tone tone;
};

/** Columns, and rows of cells. */
struct grid {
	struct grid_column *columns;
	size_t column_count;
	struct grid_cell *cells; /* row by row */
	size_t row_count;
};

/** Add a column, before the first row; takes the title over. */
void grid_add_column(struct grid *grid, char *title, size_t width_min, bool is_text);
/** Add a row; returns its cells, for the caller to fill in. They move when another row is added. */
struct grid_cell *grid_add_row(struct grid *grid);
/** The table of a result as a grid. The caller calls grid_release. */
void grid_from_table(struct grid *grid, const struct table *table);
/** Free everything. */
void grid_release(struct grid *grid);

/** The columns of text that it takes in its frame. */
size_t grid_width(const struct grid *grid);
/** In a frame; in parts below each other, each with the first column, where all columns together are too wide. */
void grid_write(FILE *out, const struct grid *grid, const struct render_style *style);

#endif
