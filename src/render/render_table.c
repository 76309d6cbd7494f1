#include "record/table.h"
#include "render/render.h"

#include "grid.h"
#include "prose.h"
#include "render_further.h"

/* A mark and a blank: what follows a mark stands apart. */
enum { MARK_COLUMNS = 2 };

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
	}
	/* What stands below speaks of all tables. */
	if (render_further(out, record, score, style) > 0 || table.row_count > 0) {
		for (size_t i = 0; i < table.footnote_count; i++) {
			prose_write(out, table.footnotes[i], MARK_COLUMNS, NULL, style);
		}
		if (table.closing) {
			prose_write(out, table.closing, 0, NULL, style);
		}
		render_split(out, record, score, style);
		render_passages(out, record, style);
	}
	table_release(&table);
}
