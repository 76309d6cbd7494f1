#include "render_html.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

#include "words.h"

/* Should anything in the page ever try: no script, nothing from elsewhere. */
#define POLICY "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/* Labels of more bytes are set in smaller letters. */
enum { LONG_LABEL = 60 };

static void write_head(FILE *out, const char *title)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		  "<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n"
		  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		  "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n",
		out);
	html_wrapped(out, "<title>", title, " \xe2\x80\x93 speedtest-hd</title>\n<style>\n");
	for (size_t i = 0; html_style[i]; i++) {
		fputs(html_style[i], out);
	}
	fputs("</style>\n</head>\n<body>\n<main>\n", out);
}

static void count_runs(const struct record *record, size_t *finished, size_t *failed)
{
	*finished = *failed = 0;
	for (size_t i = 0; i < record->test_count; i++) {
		*finished += record->tests[i].run_count;
		for (size_t run = 0; run < record->tests[i].run_count; run++) {
			*failed += record->tests[i].runs[run].outcome == OUTCOME_FAILED;
		}
	}
}

static void write_state(FILE *out, const struct record *record)
{
	static const char *const words[] = {
		[RECORD_RUNNING] = "Not finished when this page was written",
		[RECORD_COMPLETE] = "Complete",
		[RECORD_INTERRUPTED] = "Interrupted before its end",
		[RECORD_FAILED] = "Given up",
	};
	size_t finished, failed;
	struct record_count count;

	record_count_make(&count, record);
	count_runs(record, &finished, &failed);
	const char *complete = failed > 0 ? "caution" : "fine";

	fprintf(
		out, "<p class=\"state %s\">%s", record->state == RECORD_COMPLETE ? complete : "notice", words[record->state]);
	if (record->state == RECORD_FAILED && record->failure) {
		html_wrapped(out, ": <bdi>", record->failure, "</bdi>");
	}
	fprintf(out, ". %zu of %.0f runs finished", finished, count.runs + count.warmup + count.experiment);
	if (failed > 0) {
		fprintf(out, "; %zu of them failed", failed);
	}
	fputs(".</p>\n", out);
}

/* The label, or what was measured where. */
static void write_heading(FILE *out, const struct record *record)
{
	bool has_label = record->label && *record->label;

	fprintf(out, "<h1%s>", has_label && strlen(record->label) > LONG_LABEL ? " class=\"long\"" : "");
	html_wrapped(out, "<bdi>", has_label ? record->label : record->settings.profile->title, "</bdi>");
	if (!has_label && record->host) {
		html_wrapped(out, " on <bdi>", record->host, "</bdi>");
	}
	html_wrapped(out, "</h1>\n<p class=\"about\">", has_label ? record->settings.profile->title : "", "");
	fputs(has_label ? ": " : "", out);
}

static void write_header(FILE *out, const struct record *record)
{
	fputs("<header>\n", out);
	write_heading(out, record);
	html_wrapped(out, "<bdi>", record->target.path, "</bdi>");
	if (record->target.device) {
		html_wrapped(out, " on <bdi>", record->target.device, "</bdi>");
	}
	if (record->started_at) {
		char *started = words_time(record->started_at);

		html_wrapped(out, "<br>", started, "");
		free(started);
	}
	if (record->started_at && record->finished_at) {
		char *finished = words_time(record->finished_at);

		html_wrapped(out, " to ", finished, "");
		free(finished);
	}
	fputs("</p>\n", out);
	write_state(out, record);
	fputs("</header>\n", out);
}

void render_html(FILE *out, const struct document *document, const struct render_style *style)
{
	const struct record *record = document->record;
	char *title = record_title(record);
	struct places places;

	(void)style;
	places_init(&places, record);
	write_head(out, title);
	write_header(out, record);
	html_headline(out, document, &places);
	html_thresholds(out, document);
	html_results(out, document, &places);
	html_split(out, document);
	html_passages(out, document);
	html_latency_chart(out, document);
	html_series(out, document, &places);
	html_comparison(out, document);
	html_circumstances(out, document);
	html_wrapped(out, "</main>\n<footer>Written by speedtest-hd ", record->program_version,
		". MB is 10<sup>6</sup> bytes.</footer>\n</body>\n</html>\n");
	places_release(&places);
	free(title);
}
