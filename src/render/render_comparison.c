#include <stdlib.h>

#include "record/compare.h"
#include "render/render.h"
#include "support/memory.h"
#include "support/terminal.h"

#include "prose.h"
#include "side_by_side.h"

/* "- " */
enum { ITEM_COLUMNS = 2 };

/* Takes the line over. */
static void write_line(FILE *out, char *line, size_t indent, const struct render_style *style)
{
	prose_write(out, line, indent, NULL, style);
	free(line);
}

static void write_warnings(FILE *out, const struct comparison *comparison, const struct render_style *style)
{
	char **warnings = comparison_warnings(comparison);

	if (warnings[0]) {
		fprintf(
			out, "%sWarnings:%s\n", style->use_color ? TERMINAL_YELLOW : "", style->use_color ? TERMINAL_RESET : "");
	}
	for (size_t i = 0; warnings[i]; i++) {
		write_line(out, xasprintf("- %s", warnings[i]), ITEM_COLUMNS, style);
		free(warnings[i]);
	}
	free(warnings);
}

void render_comparison(FILE *out, const struct comparison *comparison, const struct render_style *style)
{
	/* A verdict stands in the line of its difference, however narrow the terminal. */
	const struct render_style grid_style = {
		.use_color = style->use_color, .table_columns = comparison->record_count > 2 ? style->table_columns : 0};
	struct grid grid;

	fputc('\n', out);
	for (size_t i = 0; i < comparison->record_count; i++) {
		write_line(out, side_by_side_head(comparison, i), ITEM_COLUMNS, style);
	}
	bool is_narrow = side_by_side_grid(&grid, comparison, style->table_columns);
	grid_write(out, &grid, &grid_style);
	grid_release(&grid);
	char *legend = side_by_side_legend(comparison, is_narrow);
	if (legend) {
		write_line(out, legend, 0, style);
	}
	char *method = comparison_method(comparison);
	if (method) {
		write_line(out, method, 0, style);
	}
	write_warnings(out, comparison, style);
}
