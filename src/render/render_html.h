/**
 * What the parts of the HTML report share. Everything that comes from a record goes through html_text(); ids and
 * classes are ours alone.
 */
#ifndef RENDER_RENDER_HTML_H
#define RENDER_RENDER_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "record/table.h"
#include "render/render.h"

#include "places.h"

/** The narrowest that a chart is shown, on a small phone: no text may be cut off or touch another at this width. */
#define SVG_WIDTH_MIN_PX 280.0
/** Sizes of the text in charts. */
#define SVG_TEXT_PX 12.0
#define SVG_SMALL_PX 11.0
/** Values that differ by more than this share a logarithmic scale. */
#define LOG_RATIO 20.0

/** The style sheet in pieces; ends with NULL. */
extern const char *const html_style[];

/* Writing. */

/** Text, safe between tags and within quotes; NULL writes nothing. */
void html_text(FILE *out, const char *text);
/** `before`, the text, `after`: the latter two are markup of ours. */
void html_wrapped(FILE *out, const char *before, const char *text, const char *after);
/**
 * Begin a drawing with a title and a description for those who do not see it. It is as wide as its place; 0 to 100 %
 * are its plot, since the style sheet's class of that name pads it by what stands beside the plot. Names are ours.
 */
void svg_begin(
	FILE *out, const char *class, const char *id, double height_px, const char *title, const char *description);
/** A pessimistic guess of how wide text of that size is, in whatever font there is. */
double svg_text_width(const char *text, double size_px);
/** The text, cut and ended by an ellipsis where it is too wide. The caller frees it. */
char *svg_text_fit(const char *text, double size_px, double width_px);

/* Drawings of more tests than these are slow to write and to show, and nobody looks at them all. */
enum { ROWS_DRAWN_MAX = 400, COURSES_DRAWN_MAX = 64 };

/** Say that a drawing of so many tests is left out, and where the numbers are instead. */
void html_not_drawn(FILE *out, size_t tests, size_t tests_max, const char *instead);

/* Scales. */

enum { AXIS_TICKS_MAX = 24 };

/** From a value to its place. */
struct axis {
	double low;
	double high;
	bool is_log;
	double ticks[AXIS_TICKS_MAX];
	size_t tick_count;
	size_t label_step; /* every how many-th tick has room for its label */
};

/** A value within what is ever drawn, more than 0 and finite; NAN, 0 and less become the least. */
double axis_limit(double value);
/** The power of ten at or below such a value; a small number, whatever the value is. */
int axis_exponent(double value);
/** From 0 to `high`, with at most `intervals` round ticks beside 0. */
void axis_make_linear(struct axis *axis, double high, size_t intervals);
/** The decades around [low, high], both more than 0, at most `labels` of them labelled. */
void axis_make_log(struct axis *axis, double low, double high, size_t labels);
/** Where a value stands, 0 to 100; NAN stands at 0. */
double axis_percent(const struct axis *axis, double value);
/** A tick's label: "2.5", "400", "20k", "3M". The caller frees it. */
char *axis_label(double value);

/* Figures. */

/** A latency with its unit in three digits: "85 us", "1.23 ms", or that it is 17 s or more. The caller frees it. */
char *html_latency(double latency_ns);
/** "MB/s" or "IOPS"; a constant. */
const char *html_unit(enum quantity quantity);
/** The value of a quantity in html_unit(). */
double html_in_unit(enum quantity quantity, double value);
/** Whether any run of the test has ended; the warm-up counts in nothing. */
bool test_has_runs(const struct record_test *test);
/**
 * The mark as a link to the sentence that explains it; nothing for no mark. In a drawing, which is one picture for
 * those who do not see it, it is for the pointer alone.
 */
void html_mark(FILE *out, const struct places *places, size_t test, const char *mark, bool is_in_drawing);

/** The first so many columns of a table of the record's; its marks lead to the findings. The title is ours. */
void html_table(FILE *out, const struct table *table, size_t columns, const char *title, const struct places *places);

/* Parts of the page; each writes nothing where there is nothing to show. */

void html_headline(FILE *out, const struct document *document, const struct places *places);
void html_bars(FILE *out, const struct document *document, const struct places *places);
void html_latency_chart(FILE *out, const struct document *document);
void html_results(FILE *out, const struct document *document, const struct places *places);
void html_split(FILE *out, const struct document *document);
void html_passages(FILE *out, const struct document *document);
void html_series(FILE *out, const struct document *document, const struct places *places);
void html_comparison(FILE *out, const struct document *document);
void html_thresholds(FILE *out, const struct document *document);
void html_circumstances(FILE *out, const struct document *document);

#endif
