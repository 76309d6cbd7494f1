#include <stdlib.h>

#include "record/table.h"
#include "render/render.h"
#include "support/memory.h"
#include "support/text.h"

#include "grid.h"

/* A mark and a blank. */
enum { MARK_COLUMNS = 2 };

/* A sentence below the table; what follows its mark stands apart. */
static void write_sentence(FILE *out, const char *sentence, size_t indent, const struct render_style *style)
{
	char *wrapped = style->columns > 0 ? text_wrap(sentence, style->columns, indent) : xstrdup(sentence);

	fprintf(out, "%s\n", wrapped);
	free(wrapped);
}

void render_table(FILE *out, const struct record *record, enum score score, const struct render_style *style)
{
	/* One measurement's table is never parted: its shape is what people know. */
	const struct render_style whole = {.use_color = style->use_color};
	struct table table;

	table_init(&table, record, score);
	if (table.row_count > 0) {
		struct grid grid;

		grid_from_table(&grid, &table);
		grid_write(out, &grid, &whole);
		grid_release(&grid);
		for (size_t i = 0; i < table.footnote_count; i++) {
			write_sentence(out, table.footnotes[i], MARK_COLUMNS, style);
		}
		if (table.closing) {
			write_sentence(out, table.closing, 0, style);
		}
	}
	table_release(&table);
}
