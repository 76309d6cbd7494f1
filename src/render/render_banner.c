#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "support/memory.h"
#include "support/terminal.h"
#include "support/text.h"

static size_t widest_label(const struct banner *banner)
{
	size_t widest = 0;

	for (size_t i = 0; i < banner->line_count; i++) {
		size_t width = text_columns(banner->lines[i].label);

		widest = width > widest ? width : widest;
	}
	return widest;
}

void render_banner(
	FILE *out, const struct banner *banner, const struct report *report, const struct render_style *style)
{
	size_t width = widest_label(banner);

	for (size_t i = 0; i < banner->line_count; i++) {
		const struct banner_line *line = &banner->lines[i];
		bool red = style->use_color && line->is_warning;

		/* Right-aligned labels: "O_DIRECT: enabled" stays one string to search for. */
		fprintf(out, "%s%*s: %s%s\n", red ? TERMINAL_RED : "", (int)width, line->label, line->text,
			red ? TERMINAL_RESET : "");
	}
	for (size_t i = 0; i < report->note_count; i++) {
		char *note = xasprintf("%*s: %s.", (int)width, "Note", report->notes[i]);
		char *wrapped = style->columns > 0 ? text_wrap(note, style->columns, width + strlen(": ")) : xstrdup(note);

		fprintf(
			out, "%s%s%s\n", style->use_color ? TERMINAL_YELLOW : "", wrapped, style->use_color ? TERMINAL_RESET : "");
		free(wrapped);
		free(note);
	}
	fputc('\n', out);
}
