/** A comparison as a grid with its lines above and below: what text and Markdown have in common. */
#ifndef RENDER_SIDE_BY_SIDE_H
#define RENDER_SIDE_BY_SIDE_H

#include "record/compare.h"

#include "grid.h"

/**
 * Two records with difference and verdict in words; of more, a column each. Two that would take more than `room`
 * columns of text (0: any number is fine) go without what is less needed, and the result is true. The caller calls
 * grid_release.
 */
bool side_by_side_grid(struct grid *grid, const struct comparison *comparison, size_t room);
/** Who is who: "Before: CN-08R2, 2026-11-30 17:21 UTC", "1: ...". The caller frees it. */
char *side_by_side_head(const struct comparison *comparison, size_t record);
/**
 * Why nobody can tell of some cells, each reason that there is once: "cannot tell: one run on a side, use --runs 5, or
 * a figure is 0". NULL where all can be told. The caller frees it.
 */
char *side_by_side_doubts(const struct comparison *comparison);
/** The difference without its interval, "+12.3 %". The caller frees it. */
char *side_by_side_difference(const struct comparison_cell *cell);
/**
 * What the signs in a table of more than two mean; of a narrow one for two, why nobody can tell. NULL where there is
 * nothing to say. The caller frees it.
 */
char *side_by_side_legend(const struct comparison *comparison, bool is_narrow);

#endif
