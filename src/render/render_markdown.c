#include <stdlib.h>
#include <string.h>

#include "record/banner.h"
#include "record/table.h"
#include "render/render.h"
#include "support/memory.h"
#include "support/text.h"

#include "escape.h"
#include "grid.h"
#include "render_markdown.h"
#include "side_by_side.h"
#include "words.h"

void markdown_item(FILE *out, const char *sentence)
{
	fputs("- ", out);
	escape_markdown(out, sentence + strspn(sentence, " ")); /* of a footnote without mark */
	fputc('\n', out);
}

void markdown_paragraph(FILE *out, const char *sentence)
{
	escape_markdown(out, sentence);
	fputs("\n\n", out);
}

/* Measured where, and what is on the other side. */
static void write_heading(FILE *out, const struct record *record)
{
	const struct record_target *target = &record->target;
	char *title = record_title(record);

	fputs("## ", out);
	escape_markdown(out, record->label ? title : "speedtest-hd");
	if (target->path) {
		fputs(": ", out);
		escape_markdown(out, target->path);
	}
	if (target->device) {
		fputs(" on ", out);
		escape_markdown(out, target->device);
	}
	fputs("\n\n", out);
	free(title);
}

/* "kernel: Linux 6.1.0, x86_64; processors: 8": what belongs to the machine, not to one of its disks. */
static void write_machine(FILE *out, const struct record *record)
{
	const char *separator = "- Machine: ";

	for (size_t i = 0; i < record->fact_count; i++) {
		const struct record_fact *fact = &record->facts[i];

		if (!fact->subject) {
			char *text = xasprintf("%s %s", fact->label, fact->value);

			fputs(separator, out);
			escape_markdown(out, text);
			separator = "; ";
			free(text);
		}
	}
	fputs(*separator == ';' ? "\n" : "", out);
}

/* Not told again where the heading has it; and a tip is for whoever sits before the machine. */
static bool is_left_out(const struct record *record, const char *label)
{
	return strcmp(label, "Tip") == 0 || strcmp(label, "Label") == 0 ||
		   (strcmp(label, "Target") == 0 && record->target.path) ||
		   (strcmp(label, "Device") == 0 && record->target.device);
}

static void write_circumstances(FILE *out, const struct record *record)
{
	char *time = words_time(record->started_at);
	struct banner banner;

	banner_init(&banner, record);
	for (size_t i = 0; i < banner.line_count; i++) {
		const struct banner_line *line = &banner.lines[i];

		if (!is_left_out(record, line->label)) {
			fputs("- ", out);
			escape_markdown(out, line->label);
			fputs(line->is_warning ? ": **" : ": ", out);
			escape_markdown(out, line->text);
			fputs(line->is_warning ? "**\n" : "\n", out);
		}
	}
	banner_release(&banner);
	write_machine(out, record);
	fputs("- Measured: ", out);
	escape_markdown(out, time);
	fputs(" with speedtest-hd ", out);
	escape_markdown(out, record->program_version);
	fputc('\n', out);
	for (size_t i = 0; i < record->note_count; i++) {
		char *note = xasprintf("Note: %s.", record->notes[i]);

		markdown_item(out, note);
		free(note);
	}
	fputc('\n', out);
	free(time);
}

/* The first so many columns. */
static void write_columns(FILE *out, const struct grid *grid, size_t columns)
{
	for (size_t i = 0; i < columns; i++) {
		fputs("| ", out);
		escape_markdown_cell(out, grid->columns[i].title);
		fputc(' ', out);
	}
	fputs("|\n", out);
	for (size_t i = 0; i < columns; i++) {
		fputs(grid->columns[i].is_text ? "| :--- " : "| ---: ", out);
	}
	fputs("|\n", out);
	for (size_t row = 0; row < grid->row_count; row++) {
		for (size_t i = 0; i < columns; i++) {
			const struct grid_cell *cell = &grid->cells[row * grid->column_count + i];

			fputs("| ", out);
			escape_markdown_cell(out, cell->text);
			escape_markdown_cell(out, cell->mark);
			fputc(' ', out);
		}
		fputs("|\n", out);
	}
	fputc('\n', out);
}

void markdown_grid(FILE *out, const struct grid *grid)
{
	write_columns(out, grid, grid->column_count);
}

/* The figures that the first table does not have; without the spread, which is the same. */
static void write_other_score(FILE *out, const struct document *document)
{
	enum score other = document->score == SCORE_BEST ? SCORE_MEDIAN : SCORE_BEST;
	char *title = words_score(document->record, other);
	struct table table;
	struct grid grid;

	table_init(&table, document->record, other);
	grid_from_table(&grid, &table);
	fprintf(out, "%s:\n\n", title);
	write_columns(out, &grid, grid.column_count - 1);
	grid_release(&grid);
	table_release(&table);
	free(title);
}

static void write_further(FILE *out, const struct document *document)
{
	for (int which = 0; which < FURTHER_TABLE_COUNT; which++) {
		struct table table;
		struct grid grid;

		table_init_further(&table, document->record, (enum further_table)which, document->score);
		if (table.row_count > 0) {
			fprintf(out, "### %s\n\n", further_table_heading((enum further_table)which));
			grid_from_table(&grid, &table);
			markdown_grid(out, &grid);
			grid_release(&grid);
		}
		table_release(&table);
	}
}

static void write_result(FILE *out, const struct document *document)
{
	struct table table;
	struct grid grid;

	table_init(&table, document->record, document->score);
	if (table.row_count > 0) {
		grid_from_table(&grid, &table);
		markdown_grid(out, &grid);
		grid_release(&grid);
		write_further(out, document);
		for (size_t i = 0; i < table.footnote_count; i++) {
			markdown_item(out, table.footnotes[i]);
		}
		fputs(table.footnote_count > 0 ? "\n" : "", out);
		if (table.closing) {
			markdown_paragraph(out, table.closing);
		}
		if (document->record->settings.runs > 1) {
			write_other_score(out, document);
		}
	}
	table_release(&table);
}

static void write_state(FILE *out, const struct record *record)
{
	char *sentence = words_state(record);

	if (sentence) {
		fputs("**", out);
		escape_markdown(out, sentence);
		fputs("**\n\n", out);
	}
	free(sentence);
}

static void write_comparison(FILE *out, const struct comparison *comparison)
{
	struct grid grid;

	fputs("### Comparison\n\n", out);
	for (size_t i = 0; i < comparison->record_count; i++) {
		char *head = side_by_side_head(comparison, i);

		markdown_item(out, head);
		free(head);
	}
	fputc('\n', out);
	side_by_side_grid(&grid, comparison, 0);
	markdown_grid(out, &grid);
	grid_release(&grid);
	char *legend = side_by_side_legend(comparison, false);
	if (legend) {
		markdown_paragraph(out, legend);
	}
	free(legend);
	char *method = comparison_method(comparison);
	if (method) {
		markdown_paragraph(out, method);
	}
	free(method);
	char **warnings = comparison_warnings(comparison);
	fputs(warnings[0] ? "Warnings:\n\n" : "", out);
	for (size_t i = 0; warnings[i]; i++) {
		markdown_item(out, warnings[i]);
		fputs(warnings[i + 1] ? "" : "\n", out);
		free(warnings[i]);
	}
	free(warnings);
}

static void write_outcomes(FILE *out, const struct threshold_outcomes *outcomes)
{
	char *summary = words_outcomes(outcomes);

	fputs("### Thresholds\n\n", out);
	markdown_paragraph(out, summary);
	free(summary);
	for (size_t i = 0; i < outcomes->count; i++) {
		char *line = words_outcome(&outcomes->list[i]);

		if (line) {
			markdown_item(out, line);
		}
		free(line);
	}
	fputc('\n', out);
}

void render_markdown(FILE *out, const struct document *document, const struct render_style *style)
{
	const struct record *record = document->record;

	(void)style;
	write_heading(out, record);
	write_circumstances(out, record);
	write_state(out, record);
	write_result(out, document);
	markdown_split(out, document);
	markdown_passages(out, record);
	if (document->comparison) {
		write_comparison(out, document->comparison);
	}
	if (document->outcomes && document->outcomes->count > 0) {
		write_outcomes(out, document->outcomes);
	}
	if (record->settings.command) {
		escape_markdown_code(out, "sh", record->settings.command);
	}
}
