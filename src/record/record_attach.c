#include "record/record_json.h"

#include <stdlib.h>

#include "fields.h"
#include "support/json.h"
#include "time_of_day.h"

static const char *const outcome_words[] = {
	[THRESHOLD_MET] = "met", [THRESHOLD_MISSED] = "missed", [THRESHOLD_NOT_MEASURED] = "not-measured"};

static void add_strings(struct cJSON *object, const char *key, char *const *strings, size_t count)
{
	struct cJSON *array = json_new_array();

	for (size_t i = 0; i < count; i++) {
		json_append_string(array, strings[i]);
	}
	json_add_value(object, key, array);
}

static struct cJSON *new_compared(const struct comparison *comparison, size_t index)
{
	const struct record *record = comparison->records[index];
	struct cJSON *object = json_new_object();

	json_add_string(object, "title", comparison->titles[index]);
	json_add_string(object, "label", record->label);
	json_add_string(object, "host", record->host);
	json_add_string(object, "started_at", record->started_at ? record->started_at : TIME_OF_DAY_UNKNOWN);
	json_add_string(object, "program_version", record->program_version);
	return object;
}

static struct cJSON *new_cell(const struct comparison_cell *cell)
{
	struct cJSON *object = json_new_object();

	json_add_number(object, "runs", (double)cell->runs);
	json_add_number(object, "value", cell->value);
	json_add_string(object, "mark", cell->mark);
	json_add_number(object, "difference_share", cell->difference);
	json_add_number(object, "difference_low_share", cell->difference_low);
	json_add_number(object, "difference_high_share", cell->difference_high);
	return object;
}

static struct cJSON *new_row(const struct comparison *comparison, size_t index)
{
	const struct comparison_row *row = &comparison->rows[index];
	struct cJSON *object = json_new_object(), *cells = json_new_array();

	json_add_string(object, "test", row->test->name);
	json_add_string(object, "direction", transfer_words[row->test->transfer]);
	json_add_string(object, "quantity", quantities[row->quantity].key);
	for (size_t i = 0; i < comparison->record_count; i++) {
		struct cJSON *cell = new_cell(&row->cells[i]);

		/* The first is what the others are held against: of itself there is nothing to say. */
		json_add_string(cell, "verdict", i > 0 ? verdict_name(row->cells[i].verdict) : NULL);
		json_append(cells, cell);
	}
	json_add_value(object, "cells", cells);
	return object;
}

static void add_warnings(struct cJSON *object, const struct comparison *comparison)
{
	char **warnings = comparison_warnings(comparison);
	size_t count = 0;

	while (warnings[count]) {
		count++;
	}
	add_strings(object, "warnings", warnings, count);
	for (size_t i = 0; i < count; i++) {
		free(warnings[i]);
	}
	free(warnings);
}

static struct cJSON *new_comparison(const struct comparison *comparison)
{
	struct cJSON *object = json_new_object(), *records = json_new_array();
	struct cJSON *changes = json_new_array(), *rows = json_new_array();
	char *method = comparison_method(comparison);

	json_add_string(object, "method", method);
	json_add_number(object, "error_rate", COMPARE_ERROR_RATE);
	json_add_number(object, "difference_min_share", COMPARE_DIFFERENCE_MIN);
	for (size_t i = 0; i < comparison->record_count; i++) {
		json_append(records, new_compared(comparison, i));
	}
	json_add_value(object, "records", records);
	for (size_t i = 0; i < comparison->change_count; i++) {
		struct cJSON *change = json_new_object();

		json_add_string(change, "what", comparison->changes[i].what);
		add_strings(change, "values", comparison->changes[i].values, comparison->record_count);
		json_append(changes, change);
	}
	json_add_value(object, "changes", changes);
	add_warnings(object, comparison);
	for (size_t i = 0; i < comparison->row_count; i++) {
		json_append(rows, new_row(comparison, i));
	}
	json_add_value(object, "rows", rows);
	free(method);
	return object;
}

static struct cJSON *new_outcomes(const struct threshold_outcomes *outcomes)
{
	struct cJSON *array = json_new_array();

	for (size_t i = 0; i < outcomes->count; i++) {
		const struct threshold_outcome *outcome = &outcomes->list[i];
		struct cJSON *object = json_new_object();

		json_add_string(object, "threshold", outcome->text);
		json_add_string(object, "state", outcome_words[outcome->state]);
		json_add_number(object, "value", outcome->value);
		json_add_string(object, "sentence", outcome->sentence);
		json_append(array, object);
	}
	return array;
}

static void keep(char **text, struct cJSON *value)
{
	free(*text);
	*text = json_print(value);
	json_free(value);
}

void record_attach(
	struct record *record, const struct comparison *comparison, const struct threshold_outcomes *outcomes)
{
	if (comparison) {
		keep(&record->comparison_json, new_comparison(comparison));
	}
	if (outcomes) {
		keep(&record->thresholds_json, new_outcomes(outcomes));
	}
}
