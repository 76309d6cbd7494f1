/* Where the time of a commit goes, and what the measurement came to in words. */
#include "render_html.h"

#include <stdlib.h>

#include "render_further.h"

#define BAR_HEIGHT "14"

/* The device's part of the bar is dark, the host's light, as on paper without colour. */
static void write_bar(FILE *out, double share)
{
	fprintf(out,
		"<svg class=\"split\" aria-hidden=\"true\" width=\"100%%\" height=\"" BAR_HEIGHT "\">"
		"<rect class=\"host\" width=\"100%%\" height=\"" BAR_HEIGHT "\"/>"
		"<rect class=\"read\" width=\"%.1f%%\" height=\"" BAR_HEIGHT "\"/></svg>",
		share * 100);
}

static void write_row(FILE *out, const struct split_row *row)
{
	const struct split_shown shown = split_show(row);
	const char *about = row->is_about ? "about " : "";

	html_wrapped(out, "<tr><th scope=\"row\">", row->name, "</th>");
	fprintf(out, "<td class=\"figure\">%.1f</td>", shown.commit_us);
	if (row->unknown) {
		html_wrapped(out, "<td colspan=\"4\" dir=\"auto\">not known: ", row->unknown, "</td></tr>\n");
		return;
	}
	fprintf(out,
		"<td class=\"figure\">%s%.1f</td><td class=\"figure\">%s%.1f</td>"
		"<td class=\"figure\">%s%.0f %%</td><td class=\"split-cell\">",
		about, shown.device_us, about, shown.host_us, about, row->device_share * 100);
	write_bar(out, row->device_share);
	fputs("</td></tr>\n", out);
}

static void write_rows(FILE *out, const struct split_row *rows, size_t count)
{
	fprintf(out,
		"<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n<table>\n<thead><tr>"
		"<th scope=\"col\">Test</th><th scope=\"col\" class=\"figure\">Commit p50 (us)</th>"
		"<th scope=\"col\" class=\"figure\">= device (us)</th><th scope=\"col\" class=\"figure\">+ host (us)</th>"
		"<th scope=\"col\" class=\"figure\">Device's share</th><th scope=\"col\">"
		"<svg class=\"swatch\" aria-hidden=\"true\" width=\"12\" height=\"10\">"
		"<rect class=\"read\" width=\"12\" height=\"10\"/></svg> device "
		"<svg class=\"swatch\" aria-hidden=\"true\" width=\"12\" height=\"10\">"
		"<rect class=\"host\" width=\"12\" height=\"10\"/></svg> host</th></tr></thead>\n<tbody>\n",
		split_heading);
	for (size_t i = 0; i < count; i++) {
		write_row(out, &rows[i]);
	}
	fputs("</tbody>\n</table>\n</div>\n", out);
}

void html_split(FILE *out, const struct document *document)
{
	size_t count;
	struct split_row *rows = split_rows_make(document->record, document->score, &count);

	if (count > 0 || document->record->split_unknown) {
		fprintf(out, "<section>\n<h2>%s</h2>\n", split_heading);
		if (count > 0) {
			write_rows(out, rows, count);
		} else {
			html_wrapped(
				out, "<p class=\"quiet\" dir=\"auto\">It is not known: ", document->record->split_unknown, ".</p>\n");
		}
		if (split_rows_are_about(rows, count)) {
			fprintf(out, "<p class=\"quiet\">%s</p>\n", split_about);
		}
		if (count > 0 && document->record->split_is_estimate) {
			fprintf(out, "<p class=\"quiet\">%s</p>\n", split_estimate);
		}
		fputs("</section>\n", out);
	}
	split_rows_release(rows, count);
}

/* Lines for a shell that follow each other are one block; returns the first line behind them. */
static size_t write_commands(FILE *out, const struct record_passage *passage, size_t first)
{
	size_t i = first;

	for (; i < passage->line_count && passage->lines[i].is_command; i++) {
		html_wrapped(out, i == first ? "<pre><code>" : "\n", passage->lines[i].text, "");
	}
	fputs("</code></pre>\n", out);
	return i;
}

static size_t write_sentences(FILE *out, const struct record_passage *passage, size_t first)
{
	size_t i = first;

	fputs("<ul class=\"passage\">\n", out);
	for (; i < passage->line_count && !passage->lines[i].is_command; i++) {
		html_wrapped(out, "<li dir=\"auto\">", passage->lines[i].text, "</li>\n");
	}
	fputs("</ul>\n", out);
	return i;
}

void html_passages(FILE *out, const struct document *document)
{
	const struct record *record = document->record;

	for (size_t i = 0; i < record->passage_count; i++) {
		const struct record_passage *passage = &record->passages[i];

		html_wrapped(out, "<section>\n<h2><bdi>", passage->heading, "</bdi></h2>\n");
		for (size_t line = 0; line < passage->line_count;) {
			line = passage->lines[line].is_command ? write_commands(out, passage, line)
												   : write_sentences(out, passage, line);
		}
		fputs("</section>\n", out);
	}
}
