#include "render_html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

#include "side_by_side.h"

/* The rows of the drawing: words, then the interval. */
#define WORDS_PX 18.0
#define STRIP_PX 18.0
#define GAP_PX 8.0
#define AXIS_PX 38.0
/* What "no difference seen" takes beside a row's name. */
#define VERDICT_PX 140.0
/* Differences beyond these are drawn at the edge. */
#define DIFFERENCE_LOW (-0.99)
#define DIFFERENCE_HIGH 99.0
/* Labels stand at least so far apart, as a share of half the plot. */
#define TICK_DISTANCE 0.35

/* Faster, slower and the others differ in shape as well as in colour. */
static const struct {
	const char *class;
	const char *sign;
} looks[] = {
	[VERDICT_FASTER] = {"faster", "\xe2\x96\xb2 "},
	[VERDICT_SLOWER] = {"slower", "\xe2\x96\xbc "},
	[VERDICT_NO_DIFFERENCE] = {"same", "= "},
	[VERDICT_CANNOT_TELL] = {"unsure", "? "},
	[VERDICT_NOT_MEASURED] = {"unsure", ""},
};

/* Twice as much and half as much are as far from 0. */
static double place(double difference)
{
	double shown = fmin(fmax(difference, DIFFERENCE_LOW), DIFFERENCE_HIGH);

	return log1p(shown);
}

static double widest_of(const struct comparison *comparison, size_t end, double high, double limit)
{
	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct comparison_cell *cell = &comparison->rows[i].cells[1];
		const double ends[] = {cell->difference, cell->difference_low, cell->difference_high};

		high = isnan(ends[end]) ? high : fmax(high, fmin(fabs(place(ends[end])), limit));
	}
	return high;
}

/* All differences, and of their intervals as much as does not make the others too small to see. */
static double widest(const struct comparison *comparison)
{
	double high = widest_of(comparison, 0, log1p(0.05), HUGE_VAL);
	double limit = fmax(2 * high, log(2));

	return 1.06 * fmax(widest_of(comparison, 1, high, limit), widest_of(comparison, 2, high, limit));
}

static double percent_of(double difference, double high)
{
	return fmin(fmax(50 + 50 * place(difference) / high, 0), 100);
}

static void draw_tick(FILE *out, double difference, double high, double height)
{
	double percent = percent_of(difference, high);

	fprintf(out,
		"<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"%.0f\"/>"
		"<text class=\"small\" x=\"%.2f%%\" y=\"%.0f\" text-anchor=\"middle\">%s%.0f %%</text>\n",
		fabs(difference) > 0 ? "grid" : "base", percent, percent, height, percent, height + 15,
		difference > 0 ? "+" : "", difference * 100);
}

/* Round differences from the edge inwards, where there is room. */
static void draw_ticks(FILE *out, double high, double height)
{
	static const double nice[2][12] = {{99, 49, 19, 9, 4, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02},
		{-0.99, -0.95, -0.9, -0.8, -0.65, -0.5, -0.4, -0.3, -0.2, -0.1, -0.05, -0.02}};

	draw_tick(out, 0, high, height);
	for (size_t side = 0; side < 2; side++) {
		double last = 1 - 0.10 + TICK_DISTANCE;

		for (size_t i = 0; i < 12; i++) {
			double at = fabs(place(nice[side][i])) / high;

			if (at <= last - TICK_DISTANCE && at >= TICK_DISTANCE) {
				draw_tick(out, nice[side][i], high, height);
				last = at;
			}
		}
	}
}

/* The end of an interval; none where it goes on beyond the drawing. */
static void draw_end(FILE *out, const char *class, double percent, double y)
{
	if (percent > 0 && percent < 100) {
		fprintf(out, "<line class=\"interval %s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>\n", class,
			percent, percent, y - 5, y + 5);
	}
}

static void draw_interval(FILE *out, const struct comparison_cell *cell, double high, double y)
{
	const char *class = looks[cell->verdict].class;

	if (isnan(cell->difference)) {
		return;
	}
	if (!isnan(cell->difference_low)) {
		double low = percent_of(cell->difference_low, high), up = percent_of(cell->difference_high, high);

		fprintf(out, "<line class=\"interval %s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>\n", class, low,
			up, y, y);
		draw_end(out, class, low, y);
		draw_end(out, class, up, y);
	}
	fprintf(out, "<circle class=\"point %s\" cx=\"%.2f%%\" cy=\"%.1f\" r=\"5\"/>\n", class,
		percent_of(cell->difference, high), y);
}

static char *describe(const struct comparison *comparison)
{
	struct text text = TEXT_EMPTY;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct comparison_row *row = &comparison->rows[i];
		char *difference = comparison_difference_words(&row->cells[1]);

		text_addf(&text, "%s%s %s, %s", i > 0 ? "; " : "", row->title, difference, verdict_name(row->cells[1].verdict));
		free(difference);
	}
	text_add(&text, ".");
	return text_detach(&text);
}

static void draw_row(FILE *out, const struct comparison_row *row, double high, double y)
{
	char *title = svg_text_fit(row->title, SVG_TEXT_PX, SVG_WIDTH_MIN_PX - VERDICT_PX);
	enum verdict verdict = row->cells[1].verdict;

	if (y > 0) {
		fprintf(out, "<line class=\"grid\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>\n", y - GAP_PX / 2,
			y - GAP_PX / 2);
	}
	fprintf(out, "<text class=\"name\" x=\"0\" y=\"%.1f\">", y + 12);
	html_wrapped(out, "", title, "</text>");
	fprintf(out, "<text class=\"value %s\" x=\"100%%\" y=\"%.1f\" text-anchor=\"end\">%s%s</text>\n",
		looks[verdict].class, y + 12, looks[verdict].sign, verdict_name(verdict));
	draw_interval(out, &row->cells[1], high, y + WORDS_PX + STRIP_PX / 2);
	free(title);
}

/* Two measurements: how far apart, and how sure that is. */
static void draw_intervals(FILE *out, const struct comparison *comparison)
{
	double pitch = WORDS_PX + STRIP_PX + GAP_PX, height = (double)comparison->row_count * pitch;
	double high = widest(comparison);
	char *description = describe(comparison);

	fputs("<figure class=\"wide\">\n", out);
	svg_begin(
		out, "intervals", "difference", height + AXIS_PX, "Difference of each test, with its interval", description);
	draw_ticks(out, high, height);
	for (size_t i = 0; i < comparison->row_count; i++) {
		draw_row(out, &comparison->rows[i], high, (double)i * pitch);
	}
	fprintf(out,
		"<text class=\"small\" x=\"50%%\" y=\"%.0f\" text-anchor=\"middle\">difference, logarithmic "
		"scale</text>\n</svg>\n"
		"<figcaption>A dot is the difference, its line the interval in which it lies; a line that crosses 0 shows no "
		"difference.</figcaption>\n</figure>\n",
		height + 32);
	free(description);
}

static void write_value(FILE *out, const struct comparison_cell *cell, enum quantity quantity)
{
	char *figure = isnan(cell->value) ? xstrdup("-") : figure_words(cell->value, quantity);

	html_text(out, figure);
	html_text(out, cell->mark);
	free(figure);
}

static void write_head(FILE *out, const struct comparison *comparison)
{
	bool pair = comparison->record_count == 2;

	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Comparison\">\n<table>\n<thead><tr>"
		  "<th scope=\"col\">Test</th>",
		out);
	for (size_t i = 0; i < comparison->record_count; i++) {
		fprintf(out, "<th scope=\"col\" class=\"figure\">%s<bdi>", !pair ? "" : i == 0 ? "Before: " : "After: ");
		html_wrapped(out, "", comparison->titles[i], "</bdi>");
		fputs(comparison->records[0]->settings.profile->synchronous ? "</th>" : " (MB/s)</th>", out);
	}
	fputs(pair ? "<th scope=\"col\" class=\"figure\">Difference</th><th scope=\"col\">Verdict</th>" : "", out);
	fputs("</tr></thead>\n<tbody>\n", out);
}

/* "faster +12.3 %" below a value of a log of many. */
static void write_difference(FILE *out, const struct comparison_cell *cell)
{
	bool is_doubt = cell->verdict == VERDICT_CANNOT_TELL;

	if (cell->verdict == VERDICT_NOT_MEASURED || (isnan(cell->difference) && !is_doubt)) {
		return;
	}
	char *words = isnan(cell->difference) ? xstrdup("") : side_by_side_difference(cell);

	fprintf(out, "<br><span class=\"%s\">%s%s</span>", looks[cell->verdict].class, looks[cell->verdict].sign, words);
	free(words);
}

static void write_row(FILE *out, const struct comparison *comparison, size_t index)
{
	const struct comparison_row *row = &comparison->rows[index];
	bool pair = comparison->record_count == 2;

	html_wrapped(out, "<tr><th scope=\"row\">", row->title, "</th>");
	for (size_t i = 0; i < comparison->record_count; i++) {
		fputs("<td class=\"figure\">", out);
		write_value(out, &row->cells[i], row->quantity);
		if (!pair && i > 0) {
			write_difference(out, &row->cells[i]);
		}
		fputs("</td>", out);
	}
	if (pair) {
		char *difference = comparison_difference_words(&row->cells[1]);
		char *words = comparison_verdict_words(comparison, index, 1);

		html_wrapped(out, "<td class=\"figure\">", difference, "</td>");
		fprintf(
			out, "<td class=\"words %s\">%s", looks[row->cells[1].verdict].class, looks[row->cells[1].verdict].sign);
		html_wrapped(out, "", words, "</td>");
		free(words);
		free(difference);
	}
	fputs("</tr>\n", out);
}

static void write_warnings(FILE *out, const struct comparison *comparison)
{
	char **warnings = comparison_warnings(comparison);

	if (warnings[0]) {
		fputs("<h3>What else differs</h3>\n<ul class=\"notes\">\n", out);
		for (size_t i = 0; warnings[i]; i++) {
			html_wrapped(out, "<li dir=\"auto\">", warnings[i], "</li>\n");
			free(warnings[i]);
		}
		fputs("</ul>\n", out);
	}
	free(warnings);
}

static void write_legend(FILE *out, const struct comparison *comparison)
{
	char *doubts = side_by_side_doubts(comparison);

	fprintf(out,
		"<p class=\"quiet\">Differences are to the first column. \xe2\x96\xb2 faster, \xe2\x96\xbc slower, = no "
		"difference seen%s%s.</p>\n",
		doubts ? ", ? " : "", doubts ? doubts : "");
	free(doubts);
}

void html_comparison(FILE *out, const struct document *document)
{
	const struct comparison *comparison = document->comparison;

	if (!comparison) {
		return;
	}
	char *method = comparison_method(comparison);

	fputs("<section>\n<h2>Comparison</h2>\n", out);
	if (comparison->record_count == 2 && comparison->row_count > ROWS_DRAWN_MAX) {
		html_not_drawn(out, comparison->row_count, ROWS_DRAWN_MAX, "The table has the differences.");
	} else if (comparison->record_count == 2 && comparison->row_count > 0) {
		draw_intervals(out, comparison);
	}
	write_head(out, comparison);
	for (size_t i = 0; i < comparison->row_count; i++) {
		write_row(out, comparison, i);
	}
	fputs("</tbody>\n</table>\n</div>\n", out);
	if (comparison->record_count > 2) {
		write_legend(out, comparison);
	}
	if (method) {
		html_wrapped(out, "<p class=\"quiet\">", method, "</p>\n");
	}
	write_warnings(out, comparison);
	fputs("</section>\n", out);
	free(method);
}
