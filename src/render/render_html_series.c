#include "render_html.h"

#include <math.h>
#include <stdlib.h>

#include "support/memory.h"
#include "support/text.h"

/* The drawing of one test. */
#define PLOT_TOP_PX 20.0
#define PLOT_PX 96.0
#define AXIS_PX 22.0
/* Room before the plot, for the axis; as in the style sheet. */
#define GUTTER_PX 46.0
/* Points are whole numbers on a grid of this size, stretched to the plot. */
#define GRID 1000.0

/* Of one line at most; of all lines of one test together; and of a line at least. */
enum { LINE_POINTS_MAX = 300, TEST_POINTS_MAX = 3000, LINE_POINTS_MIN = 24, INTERVALS_MAX = 4 };

/* One test's drawing. */
struct chart {
	const struct record *record;
	const struct record_test *test;
	size_t index;
	struct axis time;
	struct axis rate; /* in MB/s */
	double time_unit_s;
	const char *time_unit;
	size_t lines;
	size_t points_max; /* of one line */
	bool has_device;
	bool has_extra; /* runs that do not count */
};

static bool series_has_points(const struct series *series)
{
	for (size_t i = 0; i < series->count; i++) {
		if (isfinite(series->bandwidth_bytes_per_s[i]) || isfinite(series->device_bytes_per_s[i])) {
			return true;
		}
	}
	return false;
}

static bool run_counts(const struct record_run *run)
{
	return run->outcome == OUTCOME_VALID && run->pass > 0;
}

static void choose_time_unit(struct chart *chart, double end_s)
{
	chart->time_unit_s = end_s >= 36000 ? 3600 : end_s >= 600 ? 60 : 1;
	chart->time_unit = end_s >= 36000 ? "h" : end_s >= 600 ? "min" : "s";
}

/* False where no run has a series. */
static bool chart_make(struct chart *chart, const struct record *record, size_t index)
{
	double end_s = 0, high = 0;

	*chart = (struct chart){.record = record, .test = &record->tests[index], .index = index};
	for (size_t run = 0; run < chart->test->run_count; run++) {
		const struct series *series = &chart->test->runs[run].series;

		if (!series_has_points(series)) {
			continue;
		}
		chart->lines++;
		chart->has_extra = chart->has_extra || !run_counts(&chart->test->runs[run]);
		for (size_t i = 0; i < series->count; i++) {
			end_s = fmax(end_s, series->time_s[i]);
			high = fmax(high, fmax(series->bandwidth_bytes_per_s[i], series->device_bytes_per_s[i]));
			chart->has_device = chart->has_device || isfinite(series->device_bytes_per_s[i]);
		}
	}
	if (chart->lines == 0) {
		return false;
	}
	choose_time_unit(chart, end_s);
	axis_make_linear(&chart->time, end_s / chart->time_unit_s, INTERVALS_MAX);
	axis_make_linear(&chart->rate, high / 1e6 * 1.04, INTERVALS_MAX);
	chart->points_max = TEST_POINTS_MAX / chart->lines;
	chart->points_max = chart->points_max > LINE_POINTS_MAX   ? LINE_POINTS_MAX
						: chart->points_max < LINE_POINTS_MIN ? LINE_POINTS_MIN
															  : chart->points_max;
	return true;
}

/* A place on the grid. */
struct pen {
	FILE *out;
	const struct chart *chart;
	bool is_down;
};

static void pen_move(struct pen *pen, double time_s, double bytes_per_s)
{
	double x = axis_percent(&pen->chart->time, time_s / pen->chart->time_unit_s) * GRID / 100;
	double y = GRID - axis_percent(&pen->chart->rate, bytes_per_s / 1e6) * GRID / 100;

	if (!isfinite(bytes_per_s) || !isfinite(time_s)) {
		pen->is_down = false;
		return;
	}
	/* A point of its own has no length; round ends make it a dot. */
	fprintf(pen->out, pen->is_down ? "L%.0f %.0f" : "M%.0f %.0fh0", x, y);
	pen->is_down = true;
}

/* Of points [first, end) the least and the most, in their order, so that no dip and no peak gets lost. */
static void draw_bucket(struct pen *pen, const double *times_s, const double *values, size_t first, size_t end)
{
	size_t low = first, high = first;

	for (size_t i = first; i < end; i++) {
		if (!isfinite(values[i])) {
			pen->is_down = false; /* what is unknown stays a gap */
			continue;
		}
		low = !(values[low] <= values[i]) ? i : low;
		high = !(values[high] >= values[i]) ? i : high;
	}
	pen_move(pen, times_s[low < high ? low : high], values[low < high ? low : high]);
	if (low != high) {
		pen_move(pen, times_s[low < high ? high : low], values[low < high ? high : low]);
	}
}

static void draw_line(struct pen pen, const struct series *series, const double *values, const char *class)
{
	size_t count = series->count, buckets = pen.chart->points_max / 2;

	fprintf(pen.out, "<path class=\"%s\" d=\"", class);
	if (count <= pen.chart->points_max) {
		for (size_t i = 0; i < count; i++) {
			pen_move(&pen, series->time_s[i], values[i]);
		}
	} else {
		for (size_t i = 0; i < buckets; i++) {
			draw_bucket(&pen, series->time_s, values, i * count / buckets, (i + 1) * count / buckets);
		}
	}
	fputs("\"/>\n", pen.out);
}

static bool has_values(const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (isfinite(values[i])) {
			return true;
		}
	}
	return false;
}

static void draw_runs(FILE *out, const struct chart *chart)
{
	const char *direction = transfer_name(chart->test->transfer);
	const char *crowd = chart->lines > 20 ? " many" : chart->lines > 5 ? " several" : "";
	struct pen pen = {.out = out, .chart = chart};

	fprintf(out,
		"<svg class=\"plot%s\" x=\"0\" y=\"%.0f\" width=\"100%%\" height=\"%.0f\" viewBox=\"0 0 1000 1000\" "
		"preserveAspectRatio=\"none\">\n",
		crowd, PLOT_TOP_PX, PLOT_PX);
	for (size_t i = 0; i < chart->test->run_count; i++) {
		const struct record_run *run = &chart->test->runs[i];
		const struct series *series = &run->series;
		char *class = xasprintf("line %s%s", direction, run_counts(run) ? "" : " extra");

		if (has_values(series->bandwidth_bytes_per_s, series->count)) {
			draw_line(pen, series, series->bandwidth_bytes_per_s, class);
		}
		if (has_values(series->device_bytes_per_s, series->count)) {
			draw_line(pen, series, series->device_bytes_per_s, "line device");
		}
		free(class);
	}
	fputs("</svg>\n", out);
}

static void draw_rate_axis(FILE *out, const struct axis *axis)
{
	for (size_t i = 0; i < axis->tick_count; i++) {
		double y = PLOT_TOP_PX + PLOT_PX * (1 - axis_percent(axis, axis->ticks[i]) / 100);
		char *label = axis_label(axis->ticks[i]);

		fprintf(out,
			"<line class=\"%s\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
			"<text class=\"small\" x=\"-6\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
			i == 0 ? "base" : "grid", y, y, y + 4, label);
		free(label);
	}
}

static void draw_time_axis(FILE *out, const struct chart *chart)
{
	const struct axis *axis = &chart->time;

	if (chart->record->settings.ramp_s > 0) {
		fprintf(out, "<rect class=\"ramp\" x=\"0\" y=\"%.0f\" width=\"%.2f%%\" height=\"%.0f\"/>\n", PLOT_TOP_PX,
			axis_percent(axis, chart->record->settings.ramp_s / chart->time_unit_s), PLOT_PX);
	}
	for (size_t i = 0; i < axis->tick_count; i++) {
		double percent = axis_percent(axis, axis->ticks[i]);
		char *label = axis_label(axis->ticks[i]);

		fprintf(out,
			"<line class=\"base\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.0f\" y2=\"%.0f\"/>"
			"<text class=\"small\" x=\"%.2f%%\" y=\"%.0f\" text-anchor=\"%s\">%s%s%s</text>\n",
			percent, percent, PLOT_TOP_PX + PLOT_PX, PLOT_TOP_PX + PLOT_PX + 4, percent, PLOT_TOP_PX + PLOT_PX + 17,
			percent > 90 ? "end" : "middle", label, i > 0 ? " " : "", i > 0 ? chart->time_unit : "");
		free(label);
	}
}

static char *describe(const struct chart *chart)
{
	struct text text = TEXT_EMPTY;

	for (size_t i = 0; i < chart->test->run_count; i++) {
		const struct record_run *run = &chart->test->runs[i];
		char *figure =
			figure_words(run->has_figures ? run->figures[QUANTITY_BANDWIDTH] : (double)NAN, QUANTITY_BANDWIDTH);

		text_addf(&text, "%srun %u: %s", i > 0 ? ", " : "Mean in MB/s, ", run->pass,
			run->outcome == OUTCOME_FAILED ? "failed" : figure);
		free(figure);
		if (i == 19 && chart->test->run_count > 20) {
			text_addf(&text, ", and %zu more", chart->test->run_count - 20);
			break;
		}
	}
	text_add(&text, ".");
	return text_detach(&text);
}

static void draw_chart(FILE *out, const struct chart *chart, const char *title)
{
	char *id = xasprintf("series-%zu", chart->index + 1);
	char *heading =
		xasprintf("Throughput of %s over time, %zu %s", title, chart->lines, chart->lines == 1 ? "run" : "runs");
	char *description = describe(chart);

	svg_begin(out, "lines", id, PLOT_TOP_PX + PLOT_PX + AXIS_PX, heading, description);
	fprintf(out, "<text class=\"small\" x=\"-%.0f\" y=\"11\">MB/s</text>\n", GUTTER_PX);
	draw_rate_axis(out, &chart->rate);
	draw_time_axis(out, chart);
	draw_runs(out, chart);
	fputs("</svg>\n", out);
	free(description);
	free(heading);
	free(id);
}

/* The test's name with the marks of its findings, each a link to its sentence. */
static void write_caption(FILE *out, const struct places *places, size_t index, const char *title)
{
	html_wrapped(out, "<figcaption><h3>", title, "</h3>");
	for (size_t i = places->begin[index]; i < places->begin[index + 1]; i++) {
		const struct record_finding *finding = &places->record->findings[places->findings[i]];

		fprintf(out, " <a class=\"tag\" href=\"#finding-%zu\">", places->findings[i] + 1);
		html_text(out, finding->mark);
		html_wrapped(out, *finding->mark ? " " : "", finding->id, "</a>");
	}
	fputs("</figcaption>\n", out);
}

static void write_test(FILE *out, const struct places *places, size_t index, bool *has_extra)
{
	const struct record *record = places->record;
	struct chart chart;
	bool has_chart = chart_make(&chart, record, index);

	if (!test_has_runs(&record->tests[index]) && !has_chart) {
		return;
	}
	char *title = record_test_title(record, &record->tests[index]);

	fputs("<figure>\n", out);
	write_caption(out, places, index, title);
	if (has_chart) {
		draw_chart(out, &chart, title);
		*has_extra = *has_extra || chart.has_extra;
	} else {
		fputs("<p class=\"quiet\">No course over time was recorded.</p>\n", out);
	}
	fputs("</figure>\n", out);
	free(title);
}

static bool test_has_points(const struct record_test *test)
{
	for (size_t run = 0; run < test->run_count; run++) {
		if (series_has_points(&test->runs[run].series)) {
			return true;
		}
	}
	return false;
}

static size_t count_drawings(const struct record *record)
{
	size_t count = 0;

	for (size_t i = 0; i < record->test_count; i++) {
		count += test_has_points(&record->tests[i]) ? 1 : 0;
	}
	return count;
}

static void write_keys(FILE *out, const struct record *record, bool has_extra)
{
	const char *tool = record->settings.profile->tool == LOAD_DD ? "dd" : "fio";

	fprintf(out,
		"<p class=\"keys\">\n<span class=\"key\"><svg class=\"swatch\" aria-hidden=\"true\" width=\"22\" height=\"12\">"
		"<line class=\"line read\" x1=\"1\" x2=\"21\" y1=\"3\" y2=\"3\"/><line class=\"line write\" x1=\"1\" x2=\"21\" "
		"y1=\"9\" y2=\"9\"/></svg> what %s says, a line for each run</span>\n"
		"<span class=\"key\"><svg class=\"swatch\" aria-hidden=\"true\" width=\"22\" height=\"12\">"
		"<line class=\"line device\" x1=\"1\" x2=\"21\" y1=\"6\" y2=\"6\"/></svg> what the device moved</span>\n",
		tool);
	if (has_extra) {
		fputs(
			"<span class=\"key\"><svg class=\"swatch\" aria-hidden=\"true\" width=\"22\" height=\"12\">"
			"<line class=\"line read extra\" x1=\"1\" x2=\"21\" y1=\"6\" y2=\"6\"/></svg> warm-up or failed, does not "
			"count</span>\n",
			out);
	}
	if (record->settings.ramp_s > 0) {
		fputs("<span class=\"key\"><svg class=\"swatch\" aria-hidden=\"true\" width=\"22\" height=\"12\">"
			  "<rect class=\"ramp\" x=\"1\" y=\"1\" width=\"20\" height=\"10\"/></svg> ramp, not counted</span>\n",
			out);
	}
	fputs("</p>\n", out);
}

void html_series(FILE *out, const struct document *document, const struct places *places)
{
	const struct record *record = document->record;
	size_t drawings = count_drawings(record);
	bool has_extra = false;

	if (drawings == 0) {
		return;
	}
	fputs("<section>\n<h2>Throughput over time</h2>\n", out);
	if (drawings > COURSES_DRAWN_MAX) {
		html_not_drawn(out, drawings, COURSES_DRAWN_MAX, "A saved JSON file has the courses.");
		fputs("</section>\n", out);
		return;
	}
	fputs("<div class=\"multiples\">\n", out);
	for (size_t i = 0; i < record->test_count; i++) {
		write_test(out, places, i, &has_extra);
	}
	fputs("</div>\n", out);
	write_keys(out, record, has_extra);
	fputs("</section>\n", out);
}
