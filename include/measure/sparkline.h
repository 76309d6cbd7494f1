/** Numbers as a row of small bars. */
#ifndef MEASURE_SPARKLINE_H
#define MEASURE_SPARKLINE_H

#include <stddef.h>

/**
 * The values, oldest first, in exactly `width` columns, scaled from 0 to the largest of them. The newest stands at the
 * right; fewer values than columns leave blanks at the left, of more each column shows a mean. What is not a number, or
 * below 0, is a blank. Blocks where the locale's characters are UTF-8, else ASCII. The caller frees it.
 */
char *sparkline(const double *values, size_t count, size_t width);

#endif
