/* What a measurement says and a file has no room for: cut before anybody is shown it. */
#include "fields.h"

#include <string.h>

static void cut_fields(const struct field *fields, void *values)
{
	for (; fields->key; fields++) {
		char *string = NULL;

		if (fields->kind == FIELD_TEXT) {
			memcpy(&string, (char *)values + fields->offset, sizeof(string));
			field_cut(fields, string);
		}
	}
}

static void bound_test(struct record_test *test)
{
	cut_fields(test_fields, test);
	for (size_t i = 0; i < test->run_count; i++) {
		struct record_run *run = &test->runs[i];

		cut_fields(run_fields, run);
		cut_fields(evidence_fields, &run->evidence);
		for (size_t j = 0; j < run->evidence.idle_state_count; j++) {
			cut_fields(idle_state_fields, &run->evidence.idle_states[j]);
		}
		for (size_t j = 0; j < QUANTITY_COUNT; j++) {
			run->figures[j] = field_bounded(&figure_field, run->figures[j]);
		}
	}
}

void record_bound(struct record *record)
{
	cut_fields(record_fields, record);
	cut_fields(settings_fields, &record->settings);
	cut_fields(target_fields, &record->target);
	cut_fields(direct_fields, &record->direct);
	cut_fields(pool_fields, &record->pool);
	for (size_t i = 0; i < record->fact_count; i++) {
		cut_fields(fact_fields, &record->facts[i]);
	}
	for (size_t i = 0; i < record->note_count; i++) {
		field_cut(&text_field, record->notes[i]);
	}
	for (size_t i = 0; i < record->test_count; i++) {
		bound_test(&record->tests[i]);
	}
	for (size_t i = 0; i < record->finding_count; i++) {
		cut_fields(finding_fields, &record->findings[i]);
	}
	for (size_t i = 0; i < record->passage_count; i++) {
		struct record_passage *passage = &record->passages[i];

		cut_fields(passage_fields, passage);
		for (size_t j = 0; j < passage->line_count; j++) {
			cut_fields(line_fields, &passage->lines[j]);
		}
	}
	cut_fields(split_fields, record);
	field_cut(&text_field, record->checked);
}
