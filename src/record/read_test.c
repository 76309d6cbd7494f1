#include "fields.h"

#include <math.h>

#include "record/figures.h"
#include "support/memory.h"

static bool read_points(const struct reader *reader, const struct spot *up, const struct cJSON *object, const char *key,
	const struct field *field, double **points, size_t *count)
{
	struct spot spot = {.up = up, .key = key};
	const struct cJSON *list = json_member(object, key);
	size_t i = 0;

	if (!list_count(reader, &spot, list, SERIES_POINTS_MAX, count)) {
		return false;
	}
	*points = xcalloc(*count, sizeof(**points));
	for (const struct cJSON *each = json_first(list); each; each = json_next(each)) {
		struct spot element = {.up = &spot, .index = i};

		if (!field_read_number(reader, &element, field, &(*points)[i++], each)) {
			return false;
		}
	}
	return true;
}

static bool read_series(
	const struct reader *reader, const struct spot *up, struct series *series, const struct cJSON *value)
{
	struct spot spot = {.up = up, .key = "series"};
	size_t bandwidths = 0, devices = 0;

	if (!value || json_is_null(value)) {
		return true;
	}
	if (!json_is_object(value)) {
		return reader_refuse(reader, &spot, "an object is needed");
	}
	struct spot interval = {.up = &spot, .key = "interval_s"};
	if (!field_read_number(
			reader, &interval, &point_time_field, &series->interval_s, json_member(value, "interval_s")) ||
		!read_points(reader, &spot, value, "time_s", &point_time_field, &series->time_s, &series->count) ||
		!read_points(
			reader, &spot, value, "bandwidth_bytes_per_s", &point_field, &series->bandwidth_bytes_per_s, &bandwidths) ||
		!read_points(reader, &spot, value, "device_bytes_per_s", &point_field, &series->device_bytes_per_s, &devices)) {
		return false;
	}
	series->capacity = series->count;
	if (bandwidths != series->count || devices != series->count) {
		return reader_refuse(reader, &spot, "its lists differ in length");
	}
	return true;
}

static bool read_counters(const struct reader *reader, const struct spot *up, const char *key,
	const struct field *fields, struct record_counters *counters, const struct cJSON *object)
{
	struct spot spot = {.up = up, .key = key};
	const struct cJSON *value = json_member(object, key);

	if (!value || json_is_null(value)) {
		return true;
	}
	*counters = (struct record_counters){.known = true, .read_requests = (double)NAN, .write_requests = (double)NAN};
	return fields_read(reader, &spot, fields, counters, value);
}

static bool read_idle_state(
	const struct reader *reader, const struct spot *spot, void *target, const struct cJSON *value)
{
	return fields_read(reader, spot, idle_state_fields, target, value);
}

/* Files of older versions have none. */
static bool read_idle_states(
	const struct reader *reader, const struct spot *up, struct record_evidence *evidence, const struct cJSON *object)
{
	const struct cJSON *value = json_member(object, "idle_states");
	void *states = NULL;

	if (!value || json_is_null(value)) {
		return true;
	}
	bool success = list_read(reader, up, object, "idle_states", read_idle_state, sizeof(*evidence->idle_states),
		&states, &evidence->idle_state_count);
	evidence->idle_states = states;
	return success;
}

static bool read_evidence(
	const struct reader *reader, const struct spot *up, struct record_evidence *evidence, const struct cJSON *value)
{
	struct spot spot = {.up = up, .key = "evidence"};
	struct spot inner = {.up = &spot, .key = "counters"};

	if (!value || json_is_null(value)) {
		return true;
	}
	if (!fields_read(reader, &spot, evidence_fields, evidence, value)) {
		return false;
	}
	evidence->present = true;
	if (!read_idle_states(reader, &spot, evidence, value)) {
		return false;
	}
	const struct cJSON *counters = json_member(value, "counters");
	if (!json_is_object(counters)) {
		return reader_refuse(reader, &inner, "an object is needed");
	}
	for (size_t role = 0; role < STORAGE_ROLE_COUNT; role++) {
		if (!read_counters(reader, &inner, role_keys[role], counters_fields, &evidence->counters[role], counters)) {
			return false;
		}
	}
	return read_counters(reader, &inner, "network", network_fields, &evidence->network, counters);
}

static bool read_figures(
	const struct reader *reader, const struct spot *up, struct record_run *run, const struct cJSON *value)
{
	struct spot spot = {.up = up, .key = "figures"};

	if (run->outcome == OUTCOME_FAILED && (!value || json_is_null(value))) {
		return true;
	}
	if (!json_is_object(value)) {
		return reader_refuse(reader, &spot, "an object is needed");
	}
	run->has_figures = true;
	for (size_t i = 0; i < QUANTITY_COUNT; i++) {
		struct spot member = {.up = &spot, .key = quantities[i].key};

		if (!field_read_number(
				reader, &member, &figure_field, &run->figures[i], json_member(value, quantities[i].key))) {
			return false;
		}
	}
	return true;
}

static bool read_run(const struct reader *reader, const struct spot *spot, void *target, const struct cJSON *value)
{
	struct record_run *run = target;

	if (!fields_read(reader, spot, run_fields, run, value)) {
		return false;
	}
	if (run->outcome == OUTCOME_FAILED && !run->reason) {
		struct spot member = {.up = spot, .key = "reason"};

		return reader_refuse(reader, &member, "a text is needed, since the run failed");
	}
	return read_figures(reader, spot, run, json_member(value, "figures")) &&
		   read_evidence(reader, spot, &run->evidence, json_member(value, "evidence")) &&
		   read_series(reader, spot, &run->series, json_member(value, "series"));
}

bool read_test(const struct reader *reader, const struct spot *spot, void *target, const struct cJSON *value)
{
	struct record_test *test = target;
	void *runs = NULL;

	if (!fields_read(reader, spot, test_fields, test, value)) {
		return false;
	}
	bool success = list_read(reader, spot, value, "runs", read_run, sizeof(*test->runs), &runs, &test->run_count);
	test->runs = runs;
	return success;
}
