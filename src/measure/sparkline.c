#include "measure/sparkline.h"

#include <langinfo.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "support/text.h"

enum { LEVELS = 8 };

static const char *const blocks[LEVELS] = {
	"\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};
static const char *const characters[LEVELS] = {".", ":", "-", "=", "+", "*", "%", "#"};

/* The mean of what is known of some values; NAN where nothing is. */
static double mean(const double *values, size_t count)
{
	double sum = 0;
	size_t known = 0;

	for (size_t i = 0; i < count; i++) {
		if (isfinite(values[i]) && values[i] >= 0) {
			sum += values[i];
			known++;
		}
	}
	return known > 0 ? sum / (double)known : (double)NAN;
}

/* What one of so many columns shows. */
static double column(const double *values, size_t count, size_t index, size_t columns)
{
	size_t from = index * count / columns, to = (index + 1) * count / columns;

	return mean(values + from, to - from);
}

/* 0 for the lowest bar; a blank for no number. */
static const char *bar(const char *const *bars, double value, double largest)
{
	if (isnan(value)) {
		return " ";
	}
	double level = largest > 0 ? value / largest * LEVELS : 0;
	return bars[level >= LEVELS ? LEVELS - 1 : (size_t)level];
}

char *sparkline(const double *values, size_t count, size_t width)
{
	const char *const *bars = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? blocks : characters;
	size_t columns = count < width ? count : width;
	struct text line = TEXT_EMPTY;
	double largest = 0;

	for (size_t i = 0; i < columns; i++) {
		largest = fmax(largest, column(values, count, i, columns)); /* passes over NAN */
	}
	text_add_repeated(&line, " ", width - columns);
	for (size_t i = 0; i < columns; i++) {
		text_add(&line, bar(bars, column(values, count, i, columns), largest));
	}
	return text_detach(&line);
}
