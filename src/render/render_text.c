#include <stdlib.h>

#include "render/render.h"
#include "support/memory.h"
#include "support/terminal.h"
#include "support/text.h"

#include "words.h"

static void write_line(FILE *out, const char *line, size_t indent, const struct render_style *style)
{
	char *wrapped = style->columns > 0 ? text_wrap(line, style->columns, indent) : xstrdup(line);

	fprintf(out, "%s\n", wrapped);
	free(wrapped);
}

static bool has_result(const struct record *record)
{
	for (size_t i = 0; i < record->test_count; i++) {
		if (record->tests[i].run_count > 0) {
			return true;
		}
	}
	return false;
}

/* Where it is not complete, a line on how far it came. */
static void write_state(FILE *out, const struct record *record, const struct render_style *style)
{
	char *sentence = words_state(record);

	if (sentence) {
		fprintf(out, "%s%s", has_result(record) ? "\n" : "", style->use_color ? TERMINAL_YELLOW : "");
		write_line(out, sentence, 0, style);
		fputs(style->use_color ? TERMINAL_RESET : "", out);
	}
	free(sentence);
}

static void write_outcomes(FILE *out, const struct threshold_outcomes *outcomes, const struct render_style *style)
{
	char *summary = words_outcomes(outcomes);

	fputc('\n', out);
	write_line(out, summary, 0, style);
	free(summary);
	for (size_t i = 0; i < outcomes->count; i++) {
		char *sentence = words_outcome(&outcomes->list[i]);

		if (sentence) {
			char *item = xasprintf("- %s", sentence);

			write_line(out, item, 2, style);
			free(item);
		}
		free(sentence);
	}
}

void render_text(FILE *out, const struct document *document, const struct render_style *style)
{
	render_banner(out, document->record, style);
	render_table(out, document->record, document->score, style);
	write_state(out, document->record, style);
	if (document->comparison) {
		render_comparison(out, document->comparison, style);
	}
	if (document->outcomes && document->outcomes->count > 0) {
		write_outcomes(out, document->outcomes, style);
	}
}
