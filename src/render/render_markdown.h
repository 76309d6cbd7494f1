/** What the parts of the Markdown document share. */
#ifndef RENDER_RENDER_MARKDOWN_H
#define RENDER_RENDER_MARKDOWN_H

#include <stdio.h>

#include "render/render.h"

#include "grid.h"

/** One item of a list. */
void markdown_item(FILE *out, const char *sentence);
/** A paragraph and the empty line behind it. */
void markdown_paragraph(FILE *out, const char *sentence);
/** A table and the empty line behind it. */
void markdown_grid(FILE *out, const struct grid *grid);

/** Where the time of a commit goes, or why that is not known; or nothing. */
void markdown_split(FILE *out, const struct document *document);
/** What the measurement came to in words. */
void markdown_passages(FILE *out, const struct record *record);

#endif
