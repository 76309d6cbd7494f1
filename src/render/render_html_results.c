#include "render_html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/banner.h"
#include "record/table.h"
#include "support/memory.h"
#include "support/text.h"

#include "words.h"

enum { CARDS_MAX = 4 };

/* The figures that the table above does not have; without the spread, which is the same. */
static void write_other_score(FILE *out, const struct document *document, const struct places *places)
{
	enum score other = document->score == SCORE_BEST ? SCORE_MEDIAN : SCORE_BEST;
	char *title = words_score(document->record, other);
	struct table table;

	table_init(&table, document->record, other);
	html_wrapped(out, "<h3>", title, "</h3>\n");
	html_table(out, &table, table.column_count - 1, title, places);
	table_release(&table);
	free(title);
}

static void write_further(FILE *out, const struct document *document, const struct places *places)
{
	for (int which = 0; which < FURTHER_TABLE_COUNT; which++) {
		const char *heading = further_table_heading((enum further_table)which);
		struct table table;

		table_init_further(&table, document->record, (enum further_table)which, document->score);
		if (table.row_count > 0) {
			html_wrapped(out, "<h3>", heading, "</h3>\n");
			html_table(out, &table, table.column_count, heading, places);
		}
		table_release(&table);
	}
}

static void write_finding(FILE *out, const struct record_finding *finding, size_t number)
{
	const char *class = strcmp(finding->mark, "*") == 0 ? "wrong" : *finding->mark ? "doubtful" : "plain";

	fprintf(out, "<li id=\"finding-%zu\" class=\"%s\"><span class=\"badge\">", number, class);
	html_wrapped(out, "", *finding->mark ? finding->mark : "i", "</span> <span>");
	html_wrapped(out, "", finding->sentence, "</span></li>\n");
}

/* The sentences stand right below the numbers that they are about; what failed comes first, as below the table of text.
 */
static void write_sentences(FILE *out, const struct record *record, const struct table *table)
{
	size_t failures = table->footnote_count > record->finding_count ? table->footnote_count - record->finding_count : 0;

	if (failures + record->finding_count == 0) {
		return;
	}
	fputs("<h3>Findings</h3>\n<ul class=\"findings\">\n", out);
	for (size_t i = 0; i < failures; i++) {
		html_wrapped(
			out, "<li class=\"broken\"><span class=\"badge\">!</span> <span>", table->footnotes[i], "</span></li>\n");
	}
	for (size_t i = 0; i < record->finding_count; i++) {
		write_finding(out, &record->findings[i], i + 1);
	}
	fputs("</ul>\n", out);
}

void html_results(FILE *out, const struct document *document, const struct places *places)
{
	const struct record *record = document->record;
	struct table table;

	table_init(&table, record, document->score);
	fputs("<section>\n<h2>Results</h2>\n", out);
	if (table.row_count > 0) {
		html_bars(out, document, places);
		html_table(out, &table, table.column_count, "Results", places);
		if (record->settings.runs > 1) {
			fprintf(out, "<p class=\"quiet\">Each figure is the %s of the runs that count.</p>\n",
				document->score == SCORE_BEST ? "best" : "median");
			write_other_score(out, document, places);
		}
		write_further(out, document, places);
	} else {
		fputs("<p class=\"quiet\">No run has finished yet.</p>\n", out);
	}
	write_sentences(out, record, &table);
	if (table.closing) {
		html_wrapped(out, "<h3>How the numbers were checked</h3>\n<p dir=\"auto\">", table.closing, "</p>\n");
	}
	fputs("</section>\n", out);
	table_release(&table);
}

/* Bandwidth of what is sequential, IOPS of what is random or committed. */
static enum quantity card_quantity(const struct record *record, const struct record_test *test)
{
	return record->settings.profile->tool == LOAD_FIO && test->pattern == ACCESS_RANDOM ? QUANTITY_IOPS
																						: QUANTITY_BANDWIDTH;
}

/* In fewer digits than in the table. */
static char *card_figure(double value, enum quantity quantity)
{
	return quantity == QUANTITY_BANDWIDTH && !isnan(value) ? xasprintf("%.*f", value < 1e8 ? 1 : 0, value / 1e6)
														   : figure_words(value, quantity);
}

static void write_card(FILE *out, const struct document *document, size_t index, const struct places *places)
{
	const struct record *record = document->record;
	const struct record_test *test = &record->tests[index];
	enum quantity quantity = card_quantity(record, test);
	struct test_figures figures;

	test_figures_make(&figures, test);
	double value = test_figure(&figures, quantity, document->score);
	double cv = figures.cv[profile_main_quantity(record->settings.profile)];
	char *title = record_test_title(record, test);
	char *figure = figures.valid_runs == 0 ? xstrdup("failed") : card_figure(value, quantity);

	html_wrapped(out, "<li><span class=\"what\">", title, "</span> <span class=\"number\">");
	html_text(out, figure);
	html_mark(out, places, index, figures.mark, false);
	fprintf(out, "</span> <span class=\"unit\">%s", isnan(value) ? "" : html_unit(quantity));
	if (document->record->settings.profile->shape == TABLE_LATENCY && figures.median[QUANTITY_P99] > 0) {
		char *p99 = html_latency(test_figure(&figures, QUANTITY_P99, document->score));

		fprintf(out, ", p99 %s", p99);
		free(p99);
	}
	if (!isnan(cv)) {
		fprintf(out, "</span> <span class=\"spread\">spread %.1f %%, %s", cv * 100, spread_rating(cv));
	}
	fputs("</span></li>\n", out);
	free(figure);
	free(title);
}

/* How many tests the record's own table speaks of: the others come behind them. */
static size_t count_main(const struct record *record)
{
	size_t count = record->test_count;

	while (count > 0 && record->tests[count - 1].part != PART_MAIN) {
		count--;
	}
	return count;
}

/* The tests of the first and the last row, which are the extremes of every profile; of dd all. */
void html_headline(FILE *out, const struct document *document, const struct places *places)
{
	const struct record *record = document->record;
	size_t count = 0, tests = count_main(record);

	for (size_t i = 0; i < tests && count < CARDS_MAX; i++) {
		const char *name = record->tests[i].name;
		bool is_extreme = strcmp(name, record->tests[0].name) == 0 ||
						  strcmp(name, record->tests[tests - 1].name) == 0 ||
						  record->settings.profile->shape == TABLE_RATE;

		if (is_extreme && record->tests[i].part == PART_MAIN && test_has_runs(&record->tests[i])) {
			fputs(count == 0 ? "<ul class=\"headline\">\n" : "", out);
			write_card(out, document, i, places);
			count++;
		}
	}
	fputs(count > 0 ? "</ul>\n" : "", out);
}

/* How many outcomes from this one on say the same: one limit that several tests keep needs one row. */
static size_t count_alike(const struct threshold_outcomes *outcomes, size_t first)
{
	size_t end = first + 1;

	while (end < outcomes->count && !outcomes->list[first].sentence && !outcomes->list[end].sentence &&
		   outcomes->list[end].state == outcomes->list[first].state &&
		   strcmp(outcomes->list[end].text, outcomes->list[first].text) == 0) {
		end++;
	}
	return end - first;
}

static void write_outcome(FILE *out, const struct threshold_outcome *outcome, size_t times)
{
	static const struct {
		const char *class;
		const char *words;
	} states[] = {
		[THRESHOLD_MET] = {"faster", "met"},
		[THRESHOLD_MISSED] = {"slower", "missed"},
		[THRESHOLD_NOT_MEASURED] = {"unsure", "not measured"},
	};

	html_wrapped(out, "<tr><th scope=\"row\">", outcome->text, "</th>");
	fprintf(out, "<td class=\"%s\">%s", states[outcome->state].class, states[outcome->state].words);
	if (times > 1) {
		fprintf(out, " by %zu tests", times);
	}
	html_wrapped(out, "</td><td class=\"words\">", outcome->sentence, "</td></tr>\n");
}

void html_thresholds(FILE *out, const struct document *document)
{
	const struct threshold_outcomes *outcomes = document->outcomes;

	if (!outcomes || outcomes->count == 0) {
		return;
	}
	fputs("<section>\n<h2>Thresholds</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		  "aria-label=\"Thresholds\">\n<table>\n<thead><tr><th scope=\"col\">Asked for</th>"
		  "<th scope=\"col\">Outcome</th><th scope=\"col\">In words</th></tr></thead>\n<tbody>\n",
		out);
	for (size_t i = 0, times = 0; i < outcomes->count; i += times) {
		times = count_alike(outcomes, i);
		write_outcome(out, &outcomes->list[i], times);
	}
	fputs("</tbody>\n</table>\n</div>\n</section>\n", out);
}

static void write_pair(FILE *out, const char *label, const char *text, bool is_warning)
{
	html_wrapped(out, "<div><dt>", label, "</dt>");
	/* The text's own direction must not turn the page's. */
	fprintf(out, "<dd%s>", is_warning ? " class=\"slower\"" : "");
	html_wrapped(out, "<bdi>", text, "</bdi></dd></div>\n");
}

static void write_banner(FILE *out, const struct record *record)
{
	struct banner banner;

	banner_init(&banner, record);
	fputs("<dl>\n", out);
	if (record->host) {
		write_pair(out, "Host", record->host, false);
	}
	for (size_t i = 0; i < banner.line_count; i++) {
		write_pair(out, banner.lines[i].label, banner.lines[i].text, banner.lines[i].is_warning);
	}
	fputs("</dl>\n", out);
	banner_release(&banner);
}

static void write_facts(FILE *out, const struct record *record)
{
	if (record->fact_count == 0) {
		return;
	}
	/* Open, so that it is there on paper whatever the browser; who reads it on a screen can close it. */
	fputs("<details open>\n<summary>The machine and its storage</summary>\n<dl>\n", out);
	for (size_t i = 0; i < record->fact_count; i++) {
		const struct record_fact *fact = &record->facts[i];
		char *label = xasprintf("%s%s%s", fact->subject ? fact->subject : "", fact->subject ? " " : "", fact->label);

		write_pair(out, label, fact->value, false);
		free(label);
	}
	fputs("</dl>\n</details>\n", out);
}

void html_circumstances(FILE *out, const struct document *document)
{
	const struct record *record = document->record;

	fputs("<section>\n<h2>Circumstances</h2>\n", out);
	if (record->note_count > 0) {
		fputs("<ul class=\"notes\">\n", out);
		for (size_t i = 0; i < record->note_count; i++) {
			html_wrapped(out, "<li dir=\"auto\">", record->notes[i], ".</li>\n");
		}
		fputs("</ul>\n", out);
	}
	write_banner(out, record);
	write_facts(out, record);
	if (record->settings.command) {
		html_wrapped(out, "<h3>Command</h3>\n<pre><code>", record->settings.command, "</code></pre>\n");
	}
	fputs("</section>\n", out);
}
