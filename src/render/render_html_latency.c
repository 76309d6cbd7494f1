#include "render_html.h"

#include <math.h>
#include <stdlib.h>

#include "support/memory.h"
#include "support/text.h"

/* The drawing; values keep this far from the plot's edges, so that their labels have room. */
#define PLOT_TOP_PX 22.0
#define PLOT_PX 190.0
#define PAD_PX 24.0
#define AXIS_PX 38.0
/* Room before the plot, for the axis; as in the style sheet. */
#define GUTTER_PX 58.0
/* What a label such as "12.3 ms" takes. */
#define LABEL_PX 54.0

/* Of more decades not each has a line. */
enum { DECADES_MAX = 8 };

/* What is drawn: one column a test. */
struct chart {
	const struct record *record;
	const struct record_test **tests;
	double (*values)[2]; /* p50, p99 in ns */
	size_t count;
	struct axis axis;
};

static const enum quantity percentiles[2] = {QUANTITY_P50, QUANTITY_P99};
static const char *const names[2] = {"p50", "p99"};

static bool chart_make(struct chart *chart, const struct document *document)
{
	const struct record *record = document->record;
	double low = HUGE_VAL, high = 0;

	*chart = (struct chart){.record = record};
	chart->tests = xcalloc(record->test_count + 1, sizeof(struct record_test *));
	chart->values = xcalloc(record->test_count + 1, sizeof(*chart->values));
	for (size_t i = 0; i < record->test_count; i++) {
		struct test_figures figures;

		test_figures_make(&figures, &record->tests[i]);
		if (record->tests[i].part != PART_MAIN || figures.valid_runs == 0 || !isfinite(record->tests[i].threads)) {
			continue;
		}
		chart->tests[chart->count] = &record->tests[i];
		for (size_t p = 0; p < 2; p++) {
			double value = test_figure(&figures, percentiles[p], document->score);

			chart->values[chart->count][p] = value;
			low = value > 0 ? fmin(low, value) : low;
			high = value > 0 ? fmax(high, value) : high;
		}
		chart->count++;
	}
	if (!(high > 0)) {
		return false;
	}
	low = axis_limit(low);
	high = axis_limit(high);
	/* At least a decade, or equals would be drawn as far apart. */
	double stretch = high / low < 10 ? sqrt(10 / (high / low)) : 1;

	chart->axis = (struct axis){.low = low / stretch, .high = high * stretch, .is_log = true, .label_step = 1};
	return true;
}

static void chart_release(struct chart *chart)
{
	free(chart->tests);
	free(chart->values);
}

static double chart_y(const struct chart *chart, double latency_ns)
{
	double share = axis_percent(&chart->axis, latency_ns) / 100;

	return PLOT_TOP_PX + PLOT_PX - PAD_PX - share * (PLOT_PX - 2 * PAD_PX);
}

static double chart_percent(const struct chart *chart, size_t i)
{
	return ((double)i + 0.5) * 100 / (double)chart->count;
}

static void draw_tick(FILE *out, const struct chart *chart, double latency_ns)
{
	if (latency_ns < chart->axis.low || latency_ns > chart->axis.high) {
		return;
	}
	const char *unit = latency_ns >= 0.999e9 ? "s" : latency_ns >= 0.999e6 ? "ms" : "\xc2\xb5s";
	double value = latency_ns / (latency_ns >= 0.999e9 ? 1e9 : latency_ns >= 0.999e6 ? 1e6 : 1e3);
	double y = chart_y(chart, latency_ns);

	fprintf(out,
		"<line class=\"grid\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
		"<text class=\"small\" x=\"-6\" y=\"%.1f\" text-anchor=\"end\">%.3g %s</text>\n",
		y, y, y + 4, value, unit);
}

static void draw_latency_axis(FILE *out, const struct chart *chart)
{
	int first = axis_exponent(chart->axis.low), last = axis_exponent(chart->axis.high);
	int step = 1 + (last - first) / DECADES_MAX;
	double decades = log10(chart->axis.high / chart->axis.low);

	for (int exponent = first; exponent <= last; exponent += step) {
		double decade = pow(10, exponent);

		draw_tick(out, chart, decade);
		if (decades < 2.5) {
			draw_tick(out, chart, decade * 2);
			draw_tick(out, chart, decade * 5);
		}
	}
	fprintf(out, "<line class=\"base\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>\n", PLOT_TOP_PX + PLOT_PX,
		PLOT_TOP_PX + PLOT_PX);
}

static void draw_line(FILE *out, const struct chart *chart, size_t p)
{
	bool is_down = false;

	fprintf(out, "<path class=\"line %s\" d=\"", names[p]);
	for (size_t i = 0; i < chart->count; i++) {
		double value = chart->values[i][p];

		if (value > 0) {
			fprintf(
				out, "%c%.1f %.1f", is_down ? 'L' : 'M', chart_percent(chart, i), chart_y(chart, value) - PLOT_TOP_PX);
		}
		is_down = value > 0;
	}
	fputs("\"/>\n", out);
}

/* p50 is a disc with its label below, p99 a diamond with its label above. */
static void draw_points(FILE *out, const struct chart *chart, size_t p, size_t label_step)
{
	for (size_t i = 0; i < chart->count; i++) {
		double value = chart->values[i][p], percent = chart_percent(chart, i), y = chart_y(chart, value);

		if (!(value > 0)) {
			continue;
		}
		if (p == 0) {
			fprintf(out, "<circle class=\"p50\" cx=\"%.2f%%\" cy=\"%.1f\" r=\"4\"/>\n", percent, y);
		} else {
			fprintf(out,
				"<svg class=\"open\" x=\"%.2f%%\" y=\"%.1f\" width=\"1\" height=\"1\"><path class=\"p99\" "
				"d=\"M-5 0L0 -5L5 0L0 5Z\"/></svg>\n",
				percent, y);
		}
		if (i % label_step == 0) {
			char *label = html_latency(value);

			fprintf(out, "<text class=\"value\" x=\"%.2f%%\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", percent,
				p == 0 ? y + 18 : y - 9, label);
			free(label);
		}
	}
}

static void draw_threads(FILE *out, const struct chart *chart, size_t label_step)
{
	for (size_t i = 0; i < chart->count; i += label_step) {
		char *label = axis_label(chart->tests[i]->threads);

		fprintf(out, "<text class=\"small\" x=\"%.2f%%\" y=\"%.0f\" text-anchor=\"middle\">%s</text>\n",
			chart_percent(chart, i), PLOT_TOP_PX + PLOT_PX + 15, label);
		free(label);
	}
	fprintf(out, "<text class=\"small\" x=\"50%%\" y=\"%.0f\" text-anchor=\"middle\">threads</text>\n",
		PLOT_TOP_PX + PLOT_PX + 31);
}

static char *describe(const struct chart *chart)
{
	struct text text = TEXT_EMPTY;

	for (size_t i = 0; i < chart->count; i++) {
		char *p50 = chart->values[i][0] > 0 ? html_latency(chart->values[i][0]) : xstrdup("unknown");
		char *p99 = chart->values[i][1] > 0 ? html_latency(chart->values[i][1]) : xstrdup("unknown");

		text_addf(&text, "%s%.0f %s: p50 %s, p99 %s", i > 0 ? "; " : "", chart->tests[i]->threads,
			chart->tests[i]->threads > 1 ? "threads" : "thread", p50, p99);
		free(p50);
		free(p99);
	}
	text_add(&text, ".");
	return text_detach(&text);
}

static void draw_chart(FILE *out, const struct chart *chart)
{
	size_t label_step = (size_t)ceil((double)chart->count * LABEL_PX / (SVG_WIDTH_MIN_PX - GUTTER_PX - 4));
	char *description = describe(chart);

	svg_begin(out, "threads", "latency", PLOT_TOP_PX + PLOT_PX + AXIS_PX,
		"Latency of a commit by threads, logarithmic scale", description);
	fprintf(out, "<text class=\"small\" x=\"-%.0f\" y=\"11\">latency, logarithmic scale</text>\n", GUTTER_PX);
	draw_latency_axis(out, chart);
	fprintf(out,
		"<svg class=\"plot\" x=\"0\" y=\"%.0f\" width=\"100%%\" height=\"%.0f\" viewBox=\"0 0 100 %.0f\" "
		"preserveAspectRatio=\"none\">\n",
		PLOT_TOP_PX, PLOT_PX, PLOT_PX);
	draw_line(out, chart, 0);
	draw_line(out, chart, 1);
	fputs("</svg>\n", out);
	draw_points(out, chart, 0, label_step);
	draw_points(out, chart, 1, label_step);
	draw_threads(out, chart, label_step);
	fputs("</svg>\n", out);
	free(description);
}

void html_latency_chart(FILE *out, const struct document *document)
{
	struct chart chart;

	if (document->record->settings.profile->shape != TABLE_LATENCY || document->record->test_count > ROWS_DRAWN_MAX) {
		return;
	}
	if (chart_make(&chart, document)) {
		fputs("<section>\n<h2>Latency by threads</h2>\n<figure class=\"wide\">\n<p class=\"keys\">\n"
			  "<span class=\"key\"><svg class=\"swatch\" aria-hidden=\"true\" width=\"22\" height=\"12\">"
			  "<line class=\"line p50\" x1=\"0\" x2=\"22\" y1=\"6\" y2=\"6\"/><circle class=\"p50\" cx=\"11\" cy=\"6\" "
			  "r=\"4\"/></svg> p50: half of the commits are faster</span>\n"
			  "<span class=\"key\"><svg class=\"swatch\" aria-hidden=\"true\" width=\"22\" height=\"12\">"
			  "<line class=\"line p99\" x1=\"0\" x2=\"22\" y1=\"6\" y2=\"6\"/><path class=\"p99\" "
			  "d=\"M6 6L11 1L16 6L11 11Z\"/></svg> p99: one of 100 takes longer</span>\n</p>\n",
			out);
		draw_chart(out, &chart);
		fputs("</figure>\n</section>\n", out);
	}
	chart_release(&chart);
}
