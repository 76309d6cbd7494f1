#include <stdlib.h>
#include <string.h>

#include "record/banner.h"
#include "render/render.h"
#include "support/memory.h"
#include "support/terminal.h"
#include "support/text.h"

#include "prose.h"

static size_t widest_label(const struct banner *banner)
{
	size_t widest = 0;

	for (size_t i = 0; i < banner->line_count; i++) {
		size_t width = text_columns(banner->lines[i].label);

		widest = width > widest ? width : widest;
	}
	return widest;
}

/* One label and its text; what does not fit goes on below the text. */
static void write_line(
	FILE *out, size_t width, const char *label, const char *text, const char *color, const struct render_style *style)
{
	char *line = xasprintf("%*s: %s", (int)width, label, text);

	prose_write(out, line, width + strlen(": "), color, style);
	free(line);
}

void render_banner(FILE *out, const struct record *record, const struct render_style *style)
{
	struct banner banner;

	banner_init(&banner, record);
	size_t width = widest_label(&banner);
	for (size_t i = 0; i < banner.line_count; i++) {
		const struct banner_line *line = &banner.lines[i];

		/* Right-aligned labels: "O_DIRECT: enabled" stays one string to search for. */
		write_line(out, width, line->label, line->text, line->is_warning ? TERMINAL_RED : NULL, style);
	}
	for (size_t i = 0; i < record->note_count; i++) {
		char *sentence = xasprintf("%s.", record->notes[i]);

		write_line(out, width, "Note", sentence, TERMINAL_YELLOW, style);
		free(sentence);
	}
	fputc('\n', out);
	banner_release(&banner);
}
