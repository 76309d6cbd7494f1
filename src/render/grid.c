#include "grid.h"

#include <stdlib.h>

#include "support/memory.h"
#include "support/terminal.h"
#include "support/text.h"

#include "words.h"

/* Columns of text that a frame adds to each cell, "| " before it and " " behind, and the last "|". */
enum { CELL_FRAME = 3, FRAME_END = 1 };

/* What is longer ends with an ellipsis: one name from elsewhere must not widen every row. */
enum { CELL_COLUMNS_MAX = 60 };

/* A part of the columns: the first one, and those from `begin` to before `end`. */
struct part {
	const struct grid *grid;
	const size_t *widths;
	size_t begin;
	size_t end;
};

void grid_add_column(struct grid *grid, char *title, size_t width_min, bool is_text)
{
	grid->columns = xrealloc(grid->columns, (grid->column_count + 1) * sizeof(*grid->columns));
	grid->columns[grid->column_count++] =
		(struct grid_column){.title = title, .width_min = width_min, .is_text = is_text};
}

struct grid_cell *grid_add_row(struct grid *grid)
{
	size_t first = grid->row_count * grid->column_count;

	/* Room for twice as many whenever it is used up, which is at powers of two. */
	if ((grid->row_count & (grid->row_count - 1)) == 0) {
		size_t rows = grid->row_count > 0 ? 2 * grid->row_count : 1;

		grid->cells = xrealloc(grid->cells, rows * grid->column_count * sizeof(*grid->cells));
	}
	for (size_t i = 0; i < grid->column_count; i++) {
		grid->cells[first + i] = (struct grid_cell){.mark = ""};
	}
	grid->row_count++;
	return grid->cells + first;
}

void grid_from_table(struct grid *grid, const struct table *table)
{
	*grid = (struct grid){0};
	for (size_t i = 0; i < table->column_count; i++) {
		grid_add_column(grid, xstrdup(table->columns[i].title), table->columns[i].width_min, table->columns[i].is_text);
	}
	for (size_t row = 0; row < table->row_count; row++) {
		struct grid_cell *cells = grid_add_row(grid);

		for (size_t i = 0; i < table->column_count; i++) {
			const struct table_cell *cell = &table->cells[row * table->column_count + i];
			bool is_doubtful = cell->mark && *cell->mark;

			cells[i].text = xstrdup(cell->text);
			cells[i].mark = is_doubtful && !table->columns[i].is_text ? cell->mark : "";
			cells[i].tone = cell->is_failure ? GRID_BAD : is_doubtful ? GRID_DOUBT : GRID_PLAIN;
		}
	}
}

void grid_release(struct grid *grid)
{
	for (size_t i = 0; i < grid->column_count; i++) {
		free(grid->columns[i].title);
	}
	for (size_t i = 0; i < grid->row_count * grid->column_count; i++) {
		free(grid->cells[i].text);
	}
	free(grid->columns);
	free(grid->cells);
	*grid = (struct grid){0};
}

static size_t shown_columns(const char *text)
{
	size_t width = text_columns(text);

	return width > CELL_COLUMNS_MAX ? CELL_COLUMNS_MAX : width;
}

/* As wide as the widest cell, and never narrower than the column's own width. */
static size_t *measure_columns(const struct grid *grid)
{
	size_t *widths = xcalloc(grid->column_count, sizeof(*widths));

	for (size_t column = 0; column < grid->column_count; column++) {
		size_t title = shown_columns(grid->columns[column].title);

		widths[column] = grid->columns[column].width_min > title ? grid->columns[column].width_min : title;
		for (size_t row = 0; row < grid->row_count; row++) {
			size_t width = shown_columns(grid->cells[row * grid->column_count + column].text);

			widths[column] = width > widths[column] ? width : widths[column];
		}
	}
	return widths;
}

size_t grid_width(const struct grid *grid)
{
	size_t *widths = measure_columns(grid);
	size_t width = FRAME_END;

	for (size_t i = 0; i < grid->column_count; i++) {
		width += widths[i] + CELL_FRAME;
	}
	free(widths);
	return width;
}

static void write_repeated(FILE *out, char character, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fputc(character, out);
	}
}

static bool part_has(const struct part *part, size_t column)
{
	return column == 0 || (column >= part->begin && column < part->end);
}

static void write_rule(FILE *out, const struct part *part)
{
	for (size_t column = 0; column < part->grid->column_count; column++) {
		if (part_has(part, column)) {
			fputc('+', out);
			write_repeated(out, '-', part->widths[column] + 2);
		}
	}
	fputs("+\n", out);
}

/*
 * Colour goes around the text after it is padded, so that escape sequences count for nothing. A mark takes the place of
 * the blank before the frame: no width changes.
 */
static void write_cell(FILE *out, const struct grid_cell *cell, size_t width, bool is_text, const char *color)
{
	size_t columns = text_columns(cell->text);
	char *cut = columns > CELL_COLUMNS_MAX ? words_cut(cell->text, CELL_COLUMNS_MAX) : NULL;
	const char *text = cut ? cut : cell->text;
	size_t padding = width - (cut ? text_columns(cut) : columns);

	fputs("| ", out);
	write_repeated(out, ' ', is_text ? 0 : padding);
	fprintf(out, "%s%s%s%s", color ? color : "", text, cell->mark, color ? TERMINAL_RESET : "");
	write_repeated(out, ' ', is_text ? padding : 0);
	fputs(*cell->mark ? "" : " ", out);
	free(cut);
}

static const char *tone_color(enum grid_tone tone)
{
	static const char *const colors[] = {
		[GRID_PLAIN] = NULL,
		[GRID_GOOD] = TERMINAL_GREEN,
		[GRID_DOUBT] = TERMINAL_YELLOW,
		[GRID_BAD] = TERMINAL_RED,
	};

	return colors[tone];
}

static void write_part(FILE *out, const struct part *part, const struct render_style *style)
{
	const struct grid *grid = part->grid;

	write_rule(out, part);
	for (size_t column = 0; column < grid->column_count; column++) {
		if (part_has(part, column)) {
			const struct grid_cell title = {.text = grid->columns[column].title, .mark = ""};

			write_cell(out, &title, part->widths[column], grid->columns[column].is_text,
				style->use_color ? TERMINAL_BOLD : NULL);
		}
	}
	fputs("|\n", out);
	write_rule(out, part);
	for (size_t row = 0; row < grid->row_count; row++) {
		for (size_t column = 0; column < grid->column_count; column++) {
			const struct grid_cell *cell = &grid->cells[row * grid->column_count + column];

			if (part_has(part, column)) {
				write_cell(out, cell, part->widths[column], grid->columns[column].is_text,
					style->use_color ? tone_color(cell->tone) : NULL);
			}
		}
		fputs("|\n", out);
	}
	write_rule(out, part);
}

/* The column before which a part that begins with `begin` has to end; at least one fits. */
static size_t find_end(const struct grid *grid, const size_t *widths, size_t begin, size_t room)
{
	size_t width = widths[0] + CELL_FRAME + FRAME_END;
	size_t end = begin;

	do {
		width += widths[end] + CELL_FRAME;
		if (room > 0 && width > room && end > begin) {
			break;
		}
		end++;
	} while (end < grid->column_count);
	return end;
}

void grid_write(FILE *out, const struct grid *grid, const struct render_style *style)
{
	size_t *widths = measure_columns(grid);

	for (size_t begin = 1; begin < grid->column_count;) {
		struct part part = {grid, widths, begin, find_end(grid, widths, begin, style->table_columns)};

		write_part(out, &part, style);
		begin = part.end;
	}
	free(widths);
}
