#include "render_further.h"

#include "grid.h"

size_t render_further(FILE *out, const struct record *record, enum score score, const struct render_style *style)
{
	const struct render_style whole = {.use_color = style->use_color};
	size_t shown = 0;

	for (int which = 0; which < FURTHER_TABLE_COUNT; which++) {
		struct table table;

		table_init_further(&table, record, (enum further_table)which, score);
		if (table.row_count > 0) {
			struct grid grid;

			fprintf(out, "\n%s:\n", further_table_heading((enum further_table)which));
			grid_from_table(&grid, &table);
			grid_write(out, &grid, &whole);
			grid_release(&grid);
			shown++;
		}
		table_release(&table);
	}
	return shown;
}
