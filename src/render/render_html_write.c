#include "render_html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

void html_text(FILE *out, const char *text)
{
	for (const char *c = text ? text : ""; *c; c++) {
		switch (*c) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\'':
			fputs("&#39;", out);
			break;
		default:
			fputc((unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c, out);
		}
	}
}

void html_wrapped(FILE *out, const char *before, const char *text, const char *after)
{
	fputs(before, out);
	html_text(out, text);
	fputs(after, out);
}

void html_not_drawn(FILE *out, size_t tests, size_t tests_max, const char *instead)
{
	fprintf(out, "<p class=\"quiet\">Not drawn: %zu tests are more than the %zu that there is room for. %s</p>\n",
		tests, tests_max, instead);
}

void svg_begin(
	FILE *out, const char *class, const char *id, double height_px, const char *title, const char *description)
{
	fprintf(out,
		"<svg class=\"chart %s\" role=\"img\" aria-labelledby=\"%s-title %s-text\" width=\"100%%\" height=\"%.0f\">\n"
		"<title id=\"%s-title\">",
		class, id, id, height_px, id);
	html_text(out, title);
	fprintf(out, "</title>\n<desc id=\"%s-text\">", id);
	html_wrapped(out, "", description, "</desc>\n");
}

/* In units of the text's size, of the widest fonts that a system's default may be. */
static double character_width(unsigned char c)
{
	if (c < 0x80) {
		return strchr("iljtfrI.,:;'|!()[]/- ", c) ? 0.42
			   : strchr("mwMW@%", c)              ? 1.0
			   : c >= 'A' && c <= 'Z'             ? 0.76
												  : 0.65;
	}
	return (c & 0xc0) == 0x80 ? 0 : c < 0xe0 ? 0.75 : 1.1; /* the first byte of a character stands for all of it */
}

double svg_text_width(const char *text, double size_px)
{
	double width = 0;

	for (const char *c = text; *c; c++) {
		width += character_width((unsigned char)*c);
	}
	return width * size_px;
}

char *svg_text_fit(const char *text, double size_px, double width_px)
{
	double width = 0;
	size_t length = 0;

	if (svg_text_width(text, size_px) <= width_px) {
		return xstrdup(text);
	}
	for (;; length++) {
		width += character_width((unsigned char)text[length]) * size_px;
		if (width > width_px - size_px) {
			break;
		}
	}
	while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) {
		length--;
	}
	return xasprintf("%.*s\xe2\x80\xa6", (int)length, text);
}

char *html_latency(double latency_ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"s", 1e9}, {"ms", 1e6}, {"\xc2\xb5s", 1e3}};
	size_t i = latency_ns >= 0.9995e9 ? 0 : latency_ns >= 0.9995e6 ? 1 : 2;
	double value = latency_ns / units[i].ns;
	char *words = figure_words(latency_ns, QUANTITY_P99);
	bool is_beyond = *words == '>'; /* what fio can tell */

	free(words);
	if (is_beyond) {
		return xstrdup("\xe2\x89\xa5 17 s");
	}
	return xasprintf("%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[i].name);
}

const char *html_unit(enum quantity quantity)
{
	return quantity == QUANTITY_BANDWIDTH ? "MB/s" : "IOPS";
}

double html_in_unit(enum quantity quantity, double value)
{
	return quantity == QUANTITY_BANDWIDTH ? value / 1e6 : value;
}

bool test_has_runs(const struct record_test *test)
{
	for (size_t i = 0; i < test->run_count; i++) {
		if (test->runs[i].pass > 0) {
			return true;
		}
	}
	return false;
}

/* The first finding about a test that has that mark; finding_count for none. */
static size_t find_finding(const struct places *places, size_t test, const char *mark)
{
	const struct record *record = places->record;

	if (test >= record->test_count) {
		return record->finding_count;
	}
	for (size_t i = places->begin[test]; i < places->begin[test + 1]; i++) {
		if (strcmp(record->findings[places->findings[i]].mark, mark) == 0) {
			return places->findings[i];
		}
	}
	return record->finding_count;
}

void html_mark(FILE *out, const struct places *places, size_t test, const char *mark, bool is_in_drawing)
{
	if (!mark || !*mark) {
		return;
	}
	size_t finding = find_finding(places, test, mark);

	if (finding == places->record->finding_count) {
		html_text(out, mark);
		return;
	}
	fprintf(out, "<a class=\"mark\" href=\"#finding-%zu\"%s aria-label=\"", finding + 1,
		is_in_drawing ? " tabindex=\"-1\"" : "");
	html_wrapped(out, "", mark, ": finding ");
	html_wrapped(out, "", places->record->findings[finding].id, "\">");
	html_wrapped(out, "", mark, "</a>");
}
