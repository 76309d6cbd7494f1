/** What a record tells beside its own table, as text. */
#ifndef RENDER_RENDER_FURTHER_H
#define RENDER_RENDER_FURTHER_H

#include <stdio.h>

#include "record/table.h"
#include "render/render.h"

/** The further tables that have rows, each below its heading; returns how many there are. */
size_t render_further(FILE *out, const struct record *record, enum score score, const struct render_style *style);
/** Where the time of a commit goes, with a bar for each row; or why that is not known; or nothing. */
void render_split(FILE *out, const struct record *record, enum score score, const struct render_style *style);
/** What the measurement came to in words. */
void render_passages(FILE *out, const struct record *record, const struct render_style *style);

/** What stands above the split; a constant. */
extern const char split_heading[];
/** What stands below it where others' requests may be in it; a constant. */
extern const char split_estimate[];
/** What stands below it where rows are "about"; a constant. */
extern const char split_about[];
/** In microseconds, as they are shown with one decimal, so that the parts add up to the commit just there. */
struct split_shown {
	double commit_us;
	double device_us;
	double host_us;
};

/** Round a row of which it is known. */
struct split_shown split_show(const struct split_row *row);
/** Whether any row is "about". */
bool split_rows_are_about(const struct split_row *rows, size_t count);
/** That it is not known where the time goes, in a sentence; NULL where it is, or nobody asked. The caller frees it. */
char *split_unknown_words(const struct record *record);

#endif
