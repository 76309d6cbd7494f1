/* A table of the page, with its marks. */
#include "render_html.h"

#include <string.h>

/* "RND4K  Q1T1" names the test "RND4K Q1T1". */
static bool is_same_name(const char *shown, const char *name)
{
	while (*shown || *name) {
		if (*shown != *name) {
			return false;
		}
		bool is_blank = *shown == ' ';

		shown++;
		name++;
		while (is_blank && *shown == ' ') {
			shown++;
		}
	}
	return true;
}

/* Which tests the cells of a row speak of; test_count for none. */
struct row_tests {
	size_t next; /* the first test behind the row */
	size_t tests[TRANSFER_COUNT];
	bool has_both; /* each direction has its own cells */
};

/* The experiment's rows go by what was changed. */
static bool is_named(const struct record_test *test, const char *name)
{
	return is_same_name(name, test->name) || (test->stage && strcmp(test->stage, name) == 0);
}

/* Go on to the row of that name; rows stand in the order of their tests. */
static void row_tests_find(struct row_tests *row, const struct record *record, const char *name)
{
	size_t i = row->next;

	row->has_both = record->settings.profile->shape == TABLE_READ_WRITE;
	row->tests[TRANSFER_READ] = row->tests[TRANSFER_WRITE] = record->test_count;
	while (i < record->test_count && !(is_named(&record->tests[i], name) && test_has_runs(&record->tests[i]))) {
		i++;
	}
	for (; i < record->test_count && is_named(&record->tests[i], name); i++) {
		size_t *test = &row->tests[record->tests[i].transfer];

		if (*test < record->test_count) {
			break;
		}
		*test = i;
	}
	row->next = i;
}

/* The test whose figure stands in a column; test_count for none. */
static size_t cell_test(const struct row_tests *row, size_t column)
{
	size_t read = row->tests[TRANSFER_READ], write = row->tests[TRANSFER_WRITE];

	if (row->has_both) {
		return column % 2 == 1 ? read : write;
	}
	return read < write ? read : write;
}

static void write_cell(FILE *out, const struct table *table, size_t column, const struct table_cell *cell)
{
	if (column == 0) {
		html_wrapped(out, "<th scope=\"row\">", cell->text, "</th>");
		return;
	}
	fprintf(
		out, "<td class=\"%s%s\">", table->columns[column].is_text ? "" : "figure", cell->is_failure ? " failed" : "");
	html_text(out, cell->text);
}

static void write_row(FILE *out, const struct table *table, size_t columns, const struct table_cell *cells,
	const struct places *places, const struct row_tests *row)
{
	fputs("<tr>", out);
	for (size_t column = 0; column < columns; column++) {
		write_cell(out, table, column, &cells[column]);
		if (column > 0) {
			html_mark(out, places, cell_test(row, column), cells[column].mark, false);
			fputs("</td>", out);
		}
	}
	fputs("</tr>\n", out);
}

void html_table(FILE *out, const struct table *table, size_t columns, const char *title, const struct places *places)
{
	struct row_tests row = {0};

	fprintf(
		out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n<table>\n<thead><tr>", title);
	for (size_t column = 0; column < columns; column++) {
		fprintf(out, "<th scope=\"col\"%s>", table->columns[column].is_text ? "" : " class=\"figure\"");
		html_wrapped(out, "", table->columns[column].title, "</th>");
	}
	fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < table->row_count; i++) {
		const struct table_cell *cells = &table->cells[i * table->column_count];

		row_tests_find(&row, places->record, cells[0].text);
		write_row(out, table, columns, cells, places, &row);
	}
	fputs("</tbody>\n</table>\n</div>\n", out);
}
