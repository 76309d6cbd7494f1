#include "record/record_json.h"

#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "record/figures.h"
#include "support/json.h"
#include "support/memory.h"
#include "support/text.h"

static struct cJSON *new_fields(const struct field *fields, const void *values)
{
	struct cJSON *object = json_new_object();

	fields_write(object, fields, values);
	return object;
}

/* A member that is null where there is nothing. */
static void add_or_null(struct cJSON *object, const char *key, struct cJSON *value)
{
	if (value) {
		json_add_value(object, key, value);
	} else {
		json_add_string(object, key, NULL);
	}
}

static struct cJSON *new_counters(const struct record_counters *counters, const struct field *fields)
{
	return counters->known ? new_fields(fields, counters) : NULL;
}

static struct cJSON *new_idle_states(const struct record_evidence *evidence)
{
	struct cJSON *list = evidence->idle_state_count > 0 ? json_new_array() : NULL;

	for (size_t i = 0; i < evidence->idle_state_count; i++) {
		json_append(list, new_fields(idle_state_fields, &evidence->idle_states[i]));
	}
	return list;
}

static struct cJSON *new_evidence(const struct record_evidence *evidence)
{
	if (!evidence->present) {
		return NULL;
	}
	struct cJSON *object = new_fields(evidence_fields, evidence);
	add_or_null(object, "idle_states", new_idle_states(evidence));
	struct cJSON *counters = json_new_object();
	for (size_t role = 0; role < STORAGE_ROLE_COUNT; role++) {
		add_or_null(counters, role_keys[role], new_counters(&evidence->counters[role], counters_fields));
	}
	add_or_null(counters, "network", new_counters(&evidence->network, network_fields));
	json_add_value(object, "counters", counters);
	return object;
}

static void add_points(
	struct cJSON *object, const char *key, const struct field *field, const double *points, size_t count)
{
	double *bounded = xcalloc(count, sizeof(*bounded));

	for (size_t i = 0; i < count; i++) {
		bounded[i] = field_bounded(field, points[i]);
	}
	json_add_numbers(object, key, bounded, count);
	free(bounded);
}

static struct cJSON *new_series(const struct series *series)
{
	if (series->count == 0) {
		return NULL;
	}
	struct cJSON *object = json_new_object();
	json_add_number(object, "interval_s", field_bounded(&point_time_field, series->interval_s));
	add_points(object, "time_s", &point_time_field, series->time_s, series->count);
	add_points(object, "bandwidth_bytes_per_s", &point_field, series->bandwidth_bytes_per_s, series->count);
	add_points(object, "device_bytes_per_s", &point_field, series->device_bytes_per_s, series->count);
	return object;
}

static struct cJSON *new_figures(const struct record_run *run)
{
	if (!run->has_figures && run->outcome != OUTCOME_VALID) {
		return NULL;
	}
	struct cJSON *object = json_new_object();
	for (size_t i = 0; i < QUANTITY_COUNT; i++) {
		json_add_number(object, quantities[i].key, field_bounded(&figure_field, run->figures[i]));
	}
	return object;
}

static struct cJSON *new_run(const struct record_run *run)
{
	char unknown[] = "unknown";
	struct record_run complete = *run;

	if (run->outcome == OUTCOME_FAILED && !run->reason) {
		complete.reason = unknown;
	}
	struct cJSON *object = new_fields(run_fields, &complete);
	add_or_null(object, "figures", new_figures(run));
	add_or_null(object, "evidence", new_evidence(&run->evidence));
	add_or_null(object, "series", new_series(&run->series));
	return object;
}

/* What follows from the runs, for whoever reads the file without the program. */
static struct cJSON *new_score(const struct record_test *test)
{
	struct cJSON *object = json_new_object();
	struct test_figures figures;

	test_figures_make(&figures, test);
	json_add_number(object, "valid_runs", (double)figures.valid_runs);
	json_add_number(object, "failed_runs", (double)figures.failed_runs);
	json_add_string(object, "mark", figures.mark);
	for (size_t i = 0; i < QUANTITY_COUNT; i++) {
		struct cJSON *quantity = json_new_object();

		json_add_number(quantity, "median", figures.median[i]);
		json_add_number(quantity, "best", figures.best[i]);
		json_add_number(quantity, "cv", figures.cv[i]);
		json_add_value(object, quantities[i].key, quantity);
	}
	return object;
}

static struct cJSON *new_test(const struct record_test *test)
{
	struct record_test complete = *test;
	struct cJSON *runs = json_new_array();

	if (!test->synchronous) {
		complete.sync_method = (enum sync_method)SYNC_METHOD_COUNT; /* which is none of them */
	}
	struct cJSON *object = new_fields(test_fields, &complete);

	for (size_t i = 0; i < test->run_count; i++) {
		if (test->runs[i].outcome != OUTCOME_NOT_RUN) {
			json_append(runs, new_run(&test->runs[i]));
		}
	}
	json_add_value(object, "score", new_score(test));
	json_add_value(object, "runs", runs);
	return object;
}

static struct cJSON *new_finding(const struct record_finding *finding, size_t test_count)
{
	struct cJSON *object = new_fields(finding_fields, finding);
	struct cJSON *places = json_new_array();

	for (size_t i = 0; i < finding->place_count; i++) {
		if (finding->places[i].test < test_count) {
			struct cJSON *place = json_new_object();

			json_add_number(place, "test", (double)finding->places[i].test);
			json_add_number(place, "pass", finding->places[i].pass);
			json_append(places, place);
		}
	}
	json_add_value(object, "places", places);
	return object;
}

/* JSON text as a value; NULL where there is none. */
static struct cJSON *new_derived(const char *text)
{
	size_t where = 0;
	struct cJSON *document = text ? json_parse(text, strlen(text), &where) : NULL;
	struct cJSON *copy = document ? json_copy_printable(document) : NULL;

	json_free(document);
	return copy;
}

static void add_circumstances(struct cJSON *document, const struct record *record)
{
	struct cJSON *settings = json_new_object();
	struct cJSON *facts = json_new_array(), *notes = json_new_array();

	json_add_string(settings, "profile", record->settings.profile->key);
	fields_write(settings, settings_fields, &record->settings);
	json_add_value(document, "settings", settings);
	json_add_value(document, "target", new_fields(target_fields, &record->target));
	json_add_value(document, "direct", new_fields(direct_fields, &record->direct));
	add_or_null(document, "pool", record->pool.name ? new_fields(pool_fields, &record->pool) : NULL);
	for (size_t i = 0; i < record->fact_count; i++) {
		json_append(facts, new_fields(fact_fields, &record->facts[i]));
	}
	json_add_value(document, "environment", facts);
	for (size_t i = 0; i < record->note_count; i++) {
		char *printable = text_printable(record->notes[i]);

		field_cut(&text_field, printable);
		json_append_string(notes, printable);
		free(printable);
	}
	json_add_value(document, "notes", notes);
}

static void add_results(struct cJSON *document, const struct record *record)
{
	struct cJSON *tests = json_new_array(), *findings = json_new_array();
	char *checked = record->checked ? text_printable(record->checked) : NULL;

	for (size_t i = 0; i < record->test_count; i++) {
		json_append(tests, new_test(&record->tests[i]));
	}
	json_add_value(document, "tests", tests);
	for (size_t i = 0; i < record->finding_count; i++) {
		json_append(findings, new_finding(&record->findings[i], record->test_count));
	}
	json_add_value(document, "findings", findings);
	field_cut(&text_field, checked);
	json_add_string(document, "checked", checked);
	free(checked);
	fields_write(document, split_fields, record);
	json_add_value(document, "passages", new_passages(record));
	add_or_null(document, "comparison", new_derived(record->comparison_json));
	add_or_null(document, "thresholds", new_derived(record->thresholds_json));
}

static void add_head(struct cJSON *document, const struct record *record)
{
	char unknown[] = "unknown";
	struct record complete = *record;

	if (record->state == RECORD_FAILED && !record->failure) {
		complete.failure = unknown;
	}
	json_add_string(document, "format", RECORD_FORMAT_NAME);
	json_add_number(document, "format_version", RECORD_FORMAT_VERSION);
	fields_write(document, record_fields, &complete);
}

char *record_to_json(const struct record *record)
{
	struct cJSON *document = json_new_object();

	add_head(document, record);
	add_circumstances(document, record);
	add_results(document, record);
	char *text = json_print(document);
	json_free(document);
	return text;
}
