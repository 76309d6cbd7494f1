#include "render_html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

/* The rows of the drawing: a line with the row's name, a bar for each direction, a gap. */
#define NAME_PX 18.0
#define BAR_PX 14.0
#define BAR_PITCH_PX 19.0
#define GAP_PX 10.0
#define AXIS_PX 38.0
/* Room before the bars, for "write"; as in the style sheet. */
#define GUTTER_LEFT_PX 44.0
/* Room behind the bars, less that of brackets or a mark. */
#define VALUE_PX 74.0
/* More dots than these are a smear. */
enum { DOTS_MAX = 20, LABELS_MAX = 4 };

/* One bar. */
struct bar {
	const struct record_test *test;
	size_t index; /* the test's */
	struct test_figures figures;
	double value;
	double low; /* of the runs that count */
	double high;
	double *values; /* owned */
	size_t value_count;
	bool is_failure;
	bool has_figure; /* also of a failure that got so far; not of the warm-up's */
};

struct bars {
	struct bar *list;
	size_t count;
	enum quantity quantity;
	struct axis axis;
};

static void bar_make(struct bar *bar, const struct document *document, size_t index, enum quantity quantity)
{
	*bar = (struct bar){.test = &document->record->tests[index], .index = index};
	test_figures_make(&bar->figures, bar->test);
	bar->values = test_values(bar->test, quantity, &bar->value_count);
	bar->is_failure = bar->figures.valid_runs == 0;
	const struct record_run *failed = bar->figures.failed && bar->figures.failed->pass > 0 ? bar->figures.failed : NULL;

	bar->has_figure = !bar->is_failure || failed;
	bar->value = failed ? failed->figures[quantity] : test_figure(&bar->figures, quantity, document->score);
	bar->low = bar->high = bar->value;
	for (size_t i = 0; i < bar->value_count; i++) {
		bar->low = fmin(bar->low, bar->values[i]);
		bar->high = fmax(bar->high, bar->values[i]);
	}
}

static void choose_axis(struct bars *bars)
{
	double low = HUGE_VAL, high = 0;

	for (size_t i = 0; i < bars->count; i++) {
		low = bars->list[i].low > 0 ? fmin(low, bars->list[i].low) : low;
		high = bars->list[i].high > 0 ? fmax(high, bars->list[i].high) : high;
	}
	low = html_in_unit(bars->quantity, low);
	high = html_in_unit(bars->quantity, high);
	if (high / low > LOG_RATIO) {
		axis_make_log(&bars->axis, low, high, LABELS_MAX);
	} else {
		axis_make_linear(&bars->axis, high, LABELS_MAX - 1);
	}
}

static void bars_make(struct bars *bars, const struct document *document)
{
	const struct record *record = document->record;

	*bars = (struct bars){.quantity = profile_main_quantity(record->settings.profile)};
	bars->list = xcalloc(record->test_count + 1, sizeof(*bars->list));
	for (size_t i = 0; i < record->test_count; i++) {
		if (record->tests[i].part == PART_MAIN && test_has_runs(&record->tests[i])) {
			bar_make(&bars->list[bars->count++], document, i, bars->quantity);
		}
	}
	choose_axis(bars);
}

static void bars_release(struct bars *bars)
{
	for (size_t i = 0; i < bars->count; i++) {
		free(bars->list[i].values);
	}
	free(bars->list);
}

static double bar_percent(const struct bars *bars, double value)
{
	return axis_percent(&bars->axis, html_in_unit(bars->quantity, value));
}

static bool begins_group(const struct bars *bars, size_t i)
{
	return i == 0 || strcmp(bars->list[i].test->name, bars->list[i - 1].test->name) != 0;
}

static double bars_height(const struct bars *bars)
{
	double height = 0;

	for (size_t i = 0; i < bars->count; i++) {
		height += (begins_group(bars, i) ? NAME_PX + (i > 0 ? GAP_PX : 0) : 0) + BAR_PITCH_PX;
	}
	return height;
}

static void write_hatch(FILE *out, const char *direction)
{
	fprintf(out,
		"<pattern id=\"hatch-%s\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
		"patternTransform=\"rotate(45)\"><rect class=\"bare\" width=\"6\" height=\"6\"/>"
		"<rect class=\"%s\" width=\"3\" height=\"6\"/></pattern>\n",
		direction, direction);
}

static void write_grid(FILE *out, const struct bars *bars, double height)
{
	const struct axis *axis = &bars->axis;

	for (size_t i = 0; i < axis->tick_count; i++) {
		double percent = axis_percent(axis, axis->ticks[i]);

		fprintf(out, "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"%.0f\"/>\n",
			i == 0 ? "base" : "grid", percent, percent, height);
		if (i % axis->label_step == 0) {
			char *label = axis_label(axis->ticks[i]);

			fprintf(out, "<text class=\"small\" x=\"%.2f%%\" y=\"%.0f\" text-anchor=\"middle\">%s</text>\n", percent,
				height + 15, label);
			free(label);
		}
	}
}

/* From the least to the most of the runs, and a dot for each. */
static void write_spread(FILE *out, const struct bars *bars, const struct bar *bar, double middle)
{
	if (bar->value_count < 2) {
		return;
	}
	double low = bar_percent(bars, bar->low), high = bar_percent(bars, bar->high);

	for (int halo = 1; halo >= 0; halo--) {
		const char *class = halo ? "halo" : "whisker";

		fprintf(out,
			"<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
			"<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
			"<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
			class, low, high, middle, middle, class, low, low, middle - 4, middle + 4, class, high, high, middle - 4,
			middle + 4);
	}
	for (size_t i = 0; i < bar->value_count && bar->value_count <= DOTS_MAX; i++) {
		fprintf(out, "<circle class=\"dot\" cx=\"%.2f%%\" cy=\"%.1f\" r=\"2.2\"/>\n", bar_percent(bars, bar->values[i]),
			middle);
	}
}

/* As in the table; of more digits than there is room for, which no machine reaches, the first. */
static char *format_value(enum quantity quantity, double value)
{
	char *figure = figure_words(value, quantity);

	if (svg_text_width(figure, SVG_TEXT_PX) <= VALUE_PX) {
		return figure;
	}
	free(figure);
	return xasprintf("%.3g", html_in_unit(quantity, value));
}

static void write_value(
	FILE *out, const struct bars *bars, const struct bar *bar, const struct places *places, double y)
{
	char *figure = format_value(bars->quantity, bar->value);

	fprintf(out, "<text class=\"value\" x=\"%.2f%%\" dx=\"6\" y=\"%.1f\">",
		bar->has_figure ? bar_percent(bars, bar->high) : 0, y + BAR_PX - 3);
	if (!bar->has_figure) {
		fputs("failed", out);
	} else if (bar->is_failure) {
		fprintf(out, "[%s]", figure);
	} else {
		fprintf(out, "%s", figure);
		if (*bar->figures.mark) {
			fputc(' ', out);
			html_mark(out, places, bar->index, bar->figures.mark, true);
		}
	}
	fputs("</text>\n", out);
	free(figure);
}

static void write_bar(FILE *out, const struct bars *bars, const struct bar *bar, const struct places *places, double y)
{
	const char *direction = transfer_name(bar->test->transfer);
	bool is_marked = !bar->is_failure && *bar->figures.mark;

	fprintf(out, "<rect class=\"bar %s\" y=\"%.1f\" width=\"%.2f%%\" height=\"%.0f\"",
		bar->is_failure ? "void" : direction, y, isnan(bar->value) ? 0 : bar_percent(bars, bar->value), BAR_PX);
	if (is_marked) {
		fprintf(out, " style=\"fill:url(#hatch-%s)\"", direction);
	}
	fputs("/>\n", out);
	write_spread(out, bars, bar, y + BAR_PX / 2);
	write_value(out, bars, bar, places, y);
}

/* Names and directions stand outside of the plot. */
static void write_names(FILE *out, const struct bars *bars)
{
	double y = 0;

	for (size_t i = 0; i < bars->count; i++) {
		const struct record_test *test = bars->list[i].test;

		if (begins_group(bars, i)) {
			char *name = svg_text_fit(test->name, SVG_TEXT_PX, SVG_WIDTH_MIN_PX - 8);

			y += i > 0 ? GAP_PX : 0;
			fprintf(out, "<text class=\"name\" x=\"-%.0f\" y=\"%.1f\">", GUTTER_LEFT_PX, y + 12);
			html_wrapped(out, "", name, "</text>\n");
			free(name);
			y += NAME_PX;
		}
		fprintf(out, "<text class=\"small\" x=\"-7\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", y + BAR_PX - 3,
			transfer_name(test->transfer));
		y += BAR_PITCH_PX;
	}
}

static void write_bars(FILE *out, const struct bars *bars, const struct places *places)
{
	double y = 0;

	for (size_t i = 0; i < bars->count; i++) {
		y += begins_group(bars, i) ? NAME_PX + (i > 0 ? GAP_PX : 0) : 0;
		write_bar(out, bars, &bars->list[i], places, y);
		y += BAR_PITCH_PX;
	}
}

static char *describe(const struct bars *bars, const struct record *record)
{
	struct text text = TEXT_EMPTY;

	for (size_t i = 0; i < bars->count; i++) {
		const struct bar *bar = &bars->list[i];
		char *title = record_test_title(record, bar->test);
		char *figure = figure_words(bar->value, bars->quantity);

		text_addf(&text, "%s%s %s%s", i > 0 ? "; " : "", title, bar->is_failure ? "failed" : figure,
			bar->is_failure ? "" : bar->figures.mark);
		free(figure);
		free(title);
	}
	text_add(&text, ".");
	return text_detach(&text);
}

static void write_key(FILE *out, const char *class, const char *style, const char *words)
{
	fprintf(out,
		"<span class=\"key\"><svg class=\"swatch\" aria-hidden=\"true\" width=\"22\" height=\"12\">"
		"<rect class=\"bar %s\" x=\"1\" y=\"1\" width=\"20\" height=\"10\"%s/></svg> %s</span>\n",
		class, style, words);
}

static void write_spread_key(FILE *out)
{
	fputs("<span class=\"key\"><svg class=\"swatch\" aria-hidden=\"true\" width=\"22\" height=\"12\">"
		  "<line class=\"whisker\" x1=\"2\" x2=\"20\" y1=\"6\" y2=\"6\"/><line class=\"whisker\" x1=\"2\" x2=\"2\" "
		  "y1=\"2\" y2=\"10\"/><line class=\"whisker\" x1=\"20\" x2=\"20\" y1=\"2\" y2=\"10\"/>"
		  "<circle class=\"dot\" cx=\"10\" cy=\"6\" r=\"2.2\"/></svg> lowest to highest, and the single "
		  "runs</span>\n",
		out);
}

/* What a drawing has. */
struct features {
	bool transfers[TRANSFER_COUNT];
	bool failed;
	bool repeated;
	bool marked;
	enum transfer marked_as; /* of the last one with a mark */
};

static struct features find_features(const struct bars *bars)
{
	struct features features = {0};

	for (size_t i = 0; i < bars->count; i++) {
		const struct bar *bar = &bars->list[i];

		features.transfers[bar->test->transfer] = true;
		features.failed = features.failed || bar->is_failure;
		features.repeated = features.repeated || bar->value_count > 1;
		if (!bar->is_failure && *bar->figures.mark) {
			features.marked = true;
			features.marked_as = bar->test->transfer;
		}
	}
	return features;
}

/* Only what the drawing really has. */
static void write_keys(FILE *out, const struct bars *bars)
{
	const struct features features = find_features(bars);

	fputs("<p class=\"keys\">\n", out);
	for (int transfer = 0; transfer < TRANSFER_COUNT; transfer++) {
		if (features.transfers[transfer]) {
			write_key(out, transfer_name((enum transfer)transfer), "", transfer_name((enum transfer)transfer));
		}
	}
	if (features.marked) {
		const char *direction = transfer_name(features.marked_as);
		char *style = xasprintf(" style=\"fill:url(#hatch-%s)\"", direction);

		write_key(out, direction, style, "marked: see the finding");
		free(style);
	}
	if (features.failed) {
		write_key(out, "void", "", "failed, does not count");
	}
	if (features.repeated) {
		write_spread_key(out);
	}
	fputs("</p>\n", out);
}

static void write_drawing(FILE *out, const struct bars *bars, const struct places *places)
{
	double height = bars_height(bars);
	const char *unit = html_unit(bars->quantity), *scale = bars->axis.is_log ? ", logarithmic scale" : "";
	char *title = xasprintf(
		"%s of each test, in %s%s", bars->quantity == QUANTITY_BANDWIDTH ? "Throughput" : "IOPS", unit, scale);
	char *description = describe(bars, places->record);

	fputs("<figure class=\"wide\">\n", out);
	write_keys(out, bars);
	svg_begin(out, "bars", "bars", height + AXIS_PX, title, description);
	fputs("<defs>\n", out);
	write_hatch(out, "read");
	write_hatch(out, "write");
	fputs("</defs>\n", out);
	write_grid(out, bars, height);
	write_names(out, bars);
	write_bars(out, bars, places);
	fprintf(out, "<text class=\"small\" x=\"0\" y=\"%.0f\">%s%s</text>\n</svg>\n</figure>\n", height + 32, unit, scale);
	free(description);
	free(title);
}

void html_bars(FILE *out, const struct document *document, const struct places *places)
{
	struct bars bars;

	if (document->record->test_count > ROWS_DRAWN_MAX) {
		html_not_drawn(out, document->record->test_count, ROWS_DRAWN_MAX, "The table has the numbers.");
		return;
	}
	bars_make(&bars, document);
	if (bars.count > 0) {
		write_drawing(out, &bars, places);
	}
	bars_release(&bars);
}
