/** Text from outside, such as labels, paths and names of devices, as each format wants it. */
#ifndef RENDER_ESCAPE_H
#define RENDER_ESCAPE_H

#include <stdio.h>

/** As plain text of Markdown (CommonMark, GitHub, Discourse, Reddit): no character means anything. */
void escape_markdown(FILE *out, const char *string);
/** The same within a table; blanks that only align something come out as one. */
void escape_markdown_cell(FILE *out, const char *string);
/** A block of code, whatever it contains, in a fence of its own. */
void escape_markdown_code(FILE *out, const char *language, const char *code);

/**
 * A cell of CSV (RFC 4180), quoted where needed. What a spreadsheet would take for a formula gets a ' before it. NULL
 * is an empty cell.
 */
void escape_csv(FILE *out, const char *string);

#endif
