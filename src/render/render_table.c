#include <stdlib.h>

#include "render/render.h"
#include "support/memory.h"
#include "support/terminal.h"
#include "support/text.h"

/* A mark and a blank. */
enum { MARK_COLUMNS = 2 };

static const struct table_cell *cell_at(const struct table *table, size_t row, size_t column)
{
	return &table->cells[row * table->column_count + column];
}

/* As wide as the widest cell, and never narrower than the column's own width. */
static size_t *measure_columns(const struct table *table)
{
	size_t *widths = xcalloc(table->column_count, sizeof(*widths));

	for (size_t column = 0; column < table->column_count; column++) {
		size_t title = text_columns(table->columns[column].title);

		widths[column] = table->columns[column].width_min > title ? table->columns[column].width_min : title;
		for (size_t row = 0; row < table->row_count; row++) {
			size_t width = text_columns(cell_at(table, row, column)->text);

			widths[column] = width > widths[column] ? width : widths[column];
		}
	}
	return widths;
}

static void write_repeated(FILE *out, char character, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fputc(character, out);
	}
}

static void write_rule(FILE *out, const struct table *table, const size_t *widths)
{
	for (size_t column = 0; column < table->column_count; column++) {
		fputc('+', out);
		write_repeated(out, '-', widths[column] + 2);
	}
	fputs("+\n", out);
}

/*
 * Colour goes around the text after it is padded, so that escape sequences count for nothing. A mark takes the place of
 * the blank before the frame: no width changes.
 */
static void write_cell(FILE *out, const struct table_cell *cell, size_t width, bool is_text, const char *color)
{
	size_t padding = width - text_columns(cell->text);
	const char *mark = !is_text && cell->mark ? cell->mark : "";

	fputs("| ", out);
	write_repeated(out, ' ', is_text ? 0 : padding);
	fprintf(out, "%s%s%s%s", color ? color : "", cell->text, mark, color ? TERMINAL_RESET : "");
	write_repeated(out, ' ', is_text ? padding : 0);
	fputs(*mark ? "" : " ", out);
}

static const char *cell_color(const struct table_cell *cell)
{
	if (cell->is_failure) {
		return TERMINAL_RED;
	}
	return cell->mark && *cell->mark ? TERMINAL_YELLOW : NULL;
}

static void write_titles(FILE *out, const struct table *table, const size_t *widths, const struct render_style *style)
{
	for (size_t column = 0; column < table->column_count; column++) {
		char *title = xstrdup(table->columns[column].title);

		write_cell(out, &(struct table_cell){.text = title}, widths[column], table->columns[column].is_text,
			style->use_color ? TERMINAL_BOLD : NULL);
		free(title);
	}
	fputs("|\n", out);
}

/* A sentence below the table; what follows its mark stands apart. */
static void write_sentence(FILE *out, const char *sentence, size_t indent, const struct render_style *style)
{
	char *wrapped = style->columns > 0 ? text_wrap(sentence, style->columns, indent) : xstrdup(sentence);

	fprintf(out, "%s\n", wrapped);
	free(wrapped);
}

void render_table(FILE *out, const struct table *table, const struct render_style *style)
{
	size_t *widths = measure_columns(table);

	write_rule(out, table, widths);
	write_titles(out, table, widths, style);
	write_rule(out, table, widths);
	for (size_t row = 0; row < table->row_count; row++) {
		for (size_t column = 0; column < table->column_count; column++) {
			const struct table_cell *cell = cell_at(table, row, column);

			write_cell(
				out, cell, widths[column], table->columns[column].is_text, style->use_color ? cell_color(cell) : NULL);
		}
		fputs("|\n", out);
	}
	write_rule(out, table, widths);
	for (size_t i = 0; i < table->footnote_count; i++) {
		write_sentence(out, table->footnotes[i], MARK_COLUMNS, style);
	}
	if (table->closing) {
		write_sentence(out, table->closing, 0, style);
	}
	free(widths);
}
