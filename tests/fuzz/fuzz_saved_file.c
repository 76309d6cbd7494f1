/*
 * Any bytes as a saved file. What loads must be shown in every format without harm, and be saved as something that
 * loads again and is saved as the same. See `make fuzz`.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/record_json.h"
#include "render/render.h"
#include "support/text.h"
#include "support/text_stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All that speaks of a record, alone and beside another. */
static void show(const struct record *record)
{
	const struct record *const records[] = {record, record};
	const char *const names[] = {"a.json", "b.json"};
	const struct render_style style = {.columns = 80};
	struct failure failure = FAILURE_NONE;
	struct comparison comparison;
	struct text text = TEXT_EMPTY;
	struct text_stream stream;

	if (!comparison_make(&comparison, records, names, 2, &failure)) {
		abort(); /* nothing differs */
	}
	for (size_t i = 0; i < renderer_count * 2; i++) {
		struct document document = {
			.record = record, .comparison = i % 2 == 0 ? NULL : &comparison, .score = SCORE_BEST};

		renderers[i / 2].render(text_stream_open(&stream, &text), &document, &style);
		text_stream_close(&stream);
	}
	text_release(&text);
	comparison_release(&comparison);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct failure failure = FAILURE_NONE;
	struct record record, again;

	if (!record_from_json(&record, (const char *)data, size, "fuzz.json", &failure)) {
		if (failure.status != STATUS_USAGE || !failure.sentence || !*failure.sentence) {
			abort();
		}
		failure_clear(&failure);
		return 0;
	}
	char *first = record_to_json(&record);
	char *second = record_to_json(&record);
	if (strcmp(first, second) != 0) {
		abort();
	}
	free(second);
	if (!record_from_json(&again, first, strlen(first), "saved.json", &failure)) {
		fprintf(stderr, "%s\n", failure.sentence);
		abort();
	}
	second = record_to_json(&again);
	if (strcmp(first, second) != 0) {
		abort();
	}
	free(first);
	free(second);
	show(&again);
	record_release(&record);
	record_release(&again);
	return 0;
}
