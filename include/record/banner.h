/** The lines above the table. */
#ifndef REPORT_BANNER_H
#define REPORT_BANNER_H

#include <stdbool.h>
#include <stddef.h>

#include "report/report.h"

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

/** The circumstances of a report in lines. The caller calls banner_release. */
void banner_init(struct banner *banner, const struct report *report);
/** Free the lines. */
void banner_release(struct banner *banner);

#endif
