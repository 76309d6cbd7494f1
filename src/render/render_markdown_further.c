#include "render_markdown.h"

#include <stdlib.h>

#include "record/table.h"
#include "support/memory.h"
#include "support/text.h"

#include "escape.h"
#include "render_further.h"

static void add_row(struct grid *grid, const struct split_row *row)
{
	const struct split_shown shown = split_show(row);
	const char *about = row->is_about ? "about " : "";
	struct grid_cell *cells = grid_add_row(grid);

	cells[0].text = xstrdup(row->name);
	cells[1].text = xasprintf("%.1f", shown.commit_us);
	if (row->unknown) {
		cells[2].text = xstrdup("");
		cells[3].text = xstrdup("");
		cells[4].text = xasprintf("not known: %s", row->unknown);
		return;
	}
	cells[2].text = xasprintf("%s%.1f", about, shown.device_us);
	cells[3].text = xasprintf("%s%.1f", about, shown.host_us);
	cells[4].text = xasprintf("%s%.0f %%", about, row->device_share * 100);
}

static void write_rows(FILE *out, const struct split_row *rows, size_t count)
{
	struct grid grid = {0};

	grid_add_column(&grid, xstrdup("Test"), 0, true);
	grid_add_column(&grid, xstrdup("Commit p50 (us)"), 0, false);
	grid_add_column(&grid, xstrdup("= device (us)"), 0, false);
	grid_add_column(&grid, xstrdup("+ host (us)"), 0, false);
	grid_add_column(&grid, xstrdup("Device's share"), 0, false);
	for (size_t i = 0; i < count; i++) {
		add_row(&grid, &rows[i]);
	}
	fprintf(out, "### %s\n\n", split_heading);
	markdown_grid(out, &grid);
	grid_release(&grid);
}

void markdown_split(FILE *out, const struct document *document)
{
	size_t count;
	struct split_row *rows = split_rows_make(document->record, document->score, &count);
	char *unknown = count > 0 ? NULL : split_unknown_words(document->record);

	if (count > 0) {
		write_rows(out, rows, count);
		if (split_rows_are_about(rows, count)) {
			markdown_paragraph(out, split_about);
		}
		if (document->record->split_is_estimate) {
			markdown_paragraph(out, split_estimate);
		}
	} else if (unknown) {
		markdown_paragraph(out, unknown);
	}
	free(unknown);
	split_rows_release(rows, count);
}

/* Lines for a shell that follow each other are one block; returns the first line behind them. */
static size_t write_commands(FILE *out, const struct record_passage *passage, size_t first)
{
	struct text code = TEXT_EMPTY;
	size_t i = first;

	for (; i < passage->line_count && passage->lines[i].is_command; i++) {
		text_addf(&code, "%s%s", i > first ? "\n" : "", passage->lines[i].text);
	}
	escape_markdown_code(out, "", text_string(&code)); /* or a file */
	fputc('\n', out);
	text_release(&code);
	return i;
}

static size_t write_sentences(FILE *out, const struct record_passage *passage, size_t first)
{
	size_t i = first;

	for (; i < passage->line_count && !passage->lines[i].is_command; i++) {
		markdown_item(out, passage->lines[i].text);
	}
	fputc('\n', out);
	return i;
}

void markdown_passages(FILE *out, const struct record *record)
{
	for (size_t i = 0; i < record->passage_count; i++) {
		const struct record_passage *passage = &record->passages[i];

		fputs("### ", out);
		escape_markdown(out, passage->heading);
		fputs("\n\n", out);
		for (size_t line = 0; line < passage->line_count;) {
			line = passage->lines[line].is_command ? write_commands(out, passage, line)
												   : write_sentences(out, passage, line);
		}
	}
}
