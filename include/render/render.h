/** From banner and table to characters. */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include <stdbool.h>
#include <stdio.h>

#include "report/banner.h"
#include "report/table.h"

/** How to write; decided once, for the stream that is written to. */
struct render_style {
	bool use_color;
	unsigned columns; /* sentences are broken at this width; 0: each stays on one line */
};

/** The banner, each label before its text, and the notes behind it. */
void render_banner(
	FILE *out, const struct banner *banner, const struct report *report, const struct render_style *style);
/** The table in its frame, the footnotes and what was checked below it. */
void render_table(FILE *out, const struct table *table, const struct render_style *style);
/** What was seen beside one run, in one line; nothing where nothing was. */
void render_evidence(FILE *out, const struct report *report, size_t run);
/** What else has a hand in the numbers, a line for each fact. */
void render_environment(FILE *out, const struct environment *environment);

#endif
