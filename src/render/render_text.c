#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "support/memory.h"
#include "support/terminal.h"

#include "prose.h"
#include "words.h"

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
		fputs(has_result(record) ? "\n" : "", out);
		prose_write(out, sentence, 0, TERMINAL_YELLOW, style);
	}
	free(sentence);
}

static void write_outcomes(FILE *out, const struct threshold_outcomes *outcomes, const struct render_style *style)
{
	char *summary = words_outcomes(outcomes);

	fputc('\n', out);
	prose_write(out, summary, 0, NULL, style);
	free(summary);
	for (size_t i = 0; i < outcomes->count; i++) {
		char *sentence = words_outcome(&outcomes->list[i]);

		if (sentence) {
			char *item = xasprintf("- %s", sentence);

			prose_write(out, item, strlen("- "), NULL, style);
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
