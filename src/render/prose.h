/** Sentences on a terminal. */
#ifndef RENDER_PROSE_H
#define RENDER_PROSE_H

#include <stddef.h>
#include <stdio.h>

#include "render/render.h"

/**
 * A sentence and the end of its line, broken where the style's lines end; all lines but the first begin with `indent`
 * blanks. In a colour of support/terminal.h, if the style has colours; NULL for none.
 */
void prose_write(FILE *out, const char *sentence, size_t indent, const char *color, const struct render_style *style);

#endif
