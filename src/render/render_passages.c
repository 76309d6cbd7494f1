#include "render_further.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

#include "prose.h"

/* Blanks before a line for a shell, so that it stands out; it is never broken. */
enum { COMMAND_INDENT = 4 };

static void write_line(FILE *out, const struct record_line *line, const struct render_style *style)
{
	if (line->is_command) {
		fprintf(out, "%*s%s\n", *line->text ? COMMAND_INDENT : 0, "", line->text);
		return;
	}
	char *item = xasprintf("- %s", line->text);

	prose_write(out, item, strlen("- "), NULL, style);
	free(item);
}

void render_passages(FILE *out, const struct record *record, const struct render_style *style)
{
	for (size_t i = 0; i < record->passage_count; i++) {
		const struct record_passage *passage = &record->passages[i];

		char *heading = xasprintf("%s:", passage->heading);

		fputc('\n', out);
		prose_write(out, heading, 0, NULL, style);
		free(heading);
		for (size_t j = 0; j < passage->line_count; j++) {
			write_line(out, &passage->lines[j], style);
		}
	}
}
