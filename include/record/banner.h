/** The lines above the table. */
#ifndef RECORD_BANNER_H
#define RECORD_BANNER_H

#include <stdbool.h>
#include <stddef.h>

#include "record/record.h"

/** One line. */
struct banner_line {
	const char *label; /* a constant */
	char *text;        /* owned */
	bool is_warning;   /* shown in red */
};

/** The banner. */
struct banner {
	struct banner_line *lines;
	size_t line_count;
};

/** The circumstances of a record in lines. The caller calls banner_release. */
void banner_init(struct banner *banner, const struct record *record);
/** Free the lines. */
void banner_release(struct banner *banner);

#endif
