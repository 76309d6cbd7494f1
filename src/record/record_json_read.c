#include "record/record_json.h"

#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "support/json.h"
#include "support/text.h"

static bool read_place(const struct reader *reader, const struct spot *spot, void *target, const struct cJSON *value)
{
	static const struct field index_field = {.kind = FIELD_WHOLE, .most = RECORD_LIST_MAX};
	struct record_place *place = target;
	struct spot test = {.up = spot, .key = "test"}, pass = {.up = spot, .key = "pass"};
	double number = 0;

	if (!json_is_object(value)) {
		return reader_refuse(reader, spot, "an object is needed");
	}
	if (!field_read_number(reader, &test, &index_field, &number, json_member(value, "test"))) {
		return false;
	}
	place->test = (size_t)number;
	if (!field_read_number(reader, &pass, &index_field, &number, json_member(value, "pass"))) {
		return false;
	}
	place->pass = (unsigned)number;
	return true;
}

static bool read_finding(const struct reader *reader, const struct spot *spot, void *target, const struct cJSON *value)
{
	struct record_finding *finding = target;
	void *places = NULL;

	if (!fields_read(reader, spot, finding_fields, finding, value)) {
		return false;
	}
	bool success =
		list_read(reader, spot, value, "places", read_place, sizeof(*finding->places), &places, &finding->place_count);
	finding->places = places;
	return success;
}

/* Places are indices into the tests, which stand before them in the record, but perhaps not in the file. */
static bool check_places(const struct reader *reader, const struct record *record)
{
	struct spot findings = {.key = "findings"};

	for (size_t i = 0; i < record->finding_count; i++) {
		struct spot finding = {.up = &findings, .index = i}, places = {.up = &finding, .key = "places"};

		for (size_t j = 0; j < record->findings[i].place_count; j++) {
			struct spot place = {.up = &places, .index = j}, test = {.up = &place, .key = "test"};

			if (record->findings[i].places[j].test >= record->test_count) {
				return reader_refuse(reader, &test, "there is no such test");
			}
		}
	}
	return true;
}

static bool read_fact(const struct reader *reader, const struct spot *spot, void *target, const struct cJSON *value)
{
	return fields_read(reader, spot, fact_fields, target, value);
}

static bool read_note(const struct reader *reader, const struct spot *spot, void *target, const struct cJSON *value)
{
	char *note = NULL;
	bool success = field_read_text(reader, spot, &text_field, &note, value);

	memcpy(target, &note, sizeof(note));
	return success;
}

static bool read_settings(const struct reader *reader, struct record_settings *settings, const struct cJSON *document)
{
	struct spot spot = {.key = "settings"}, member = {.up = &spot, .key = "profile"};
	const struct cJSON *value = json_member(document, "settings");

	if (!fields_read(reader, &spot, settings_fields, settings, value)) {
		return false;
	}
	const char *key = json_string(value, "profile");
	if (!key) {
		return reader_refuse(reader, &member, "a text is needed");
	}
	settings->profile = profile_find(key);
	if (!settings->profile) {
		char *printable = text_printable(key);

		reader_refuse(reader, &member, "this version knows no profile '%.60s'", printable);
		free(printable);
	}
	return settings->profile != NULL;
}

static bool read_circumstances(const struct reader *reader, struct record *record, const struct cJSON *document)
{
	struct spot target = {.key = "target"}, direct = {.key = "direct"}, pool = {.key = "pool"};
	const struct cJSON *value = json_member(document, "pool");
	void *facts = NULL, *notes = NULL;

	if (!read_settings(reader, &record->settings, document) ||
		!fields_read(reader, &target, target_fields, &record->target, json_member(document, "target")) ||
		!fields_read(reader, &direct, direct_fields, &record->direct, json_member(document, "direct")) ||
		(value && !json_is_null(value) && !fields_read(reader, &pool, pool_fields, &record->pool, value))) {
		return false;
	}
	bool success = list_read(
		reader, NULL, document, "environment", read_fact, sizeof(*record->facts), &facts, &record->fact_count);
	record->facts = facts;
	if (!success) {
		return false;
	}
	success =
		list_read(reader, NULL, document, "notes", read_note, sizeof(*record->notes), &notes, &record->note_count);
	record->notes = notes;
	return success;
}

/* What is kept as JSON text. */
static bool read_derived(
	const struct reader *reader, const struct cJSON *document, const char *key, bool is_list, char **text)
{
	struct spot spot = {.key = key};
	const struct cJSON *value = json_member(document, key);

	if (!value || json_is_null(value)) {
		return true;
	}
	if (is_list ? !json_is_array(value) : !json_is_object(value)) {
		return reader_refuse(reader, &spot, "%s is needed", is_list ? "a list" : "an object");
	}
	struct cJSON *copy = json_copy_printable(value);
	*text = json_print(copy);
	json_free(copy);
	return true;
}

static bool read_results(const struct reader *reader, struct record *record, const struct cJSON *document)
{
	static const struct field checked[] = {
		{.key = "checked", .kind = FIELD_TEXT, .may_be_null = true, .most = RECORD_TEXT_BYTES_MAX}, {0}};
	void *tests = NULL, *findings = NULL, *passages = NULL;
	bool success =
		list_read(reader, NULL, document, "tests", read_test, sizeof(*record->tests), &tests, &record->test_count);

	record->tests = tests;
	if (!success) {
		return false;
	}
	success = list_read(
		reader, NULL, document, "findings", read_finding, sizeof(*record->findings), &findings, &record->finding_count);
	record->findings = findings;
	if (success && json_member(document, "passages")) { /* older versions wrote none */
		success = list_read(reader, NULL, document, "passages", read_passage, sizeof(*record->passages), &passages,
			&record->passage_count);
		record->passages = passages;
	}
	return success && check_places(reader, record) && fields_read(reader, NULL, checked, &record->checked, document) &&
		   fields_read(reader, NULL, split_fields, record, document) &&
		   read_derived(reader, document, "comparison", false, &record->comparison_json) &&
		   read_derived(reader, document, "thresholds", true, &record->thresholds_json);
}

/* Whether it is a saved result, and one that this version can read. */
static bool check_format(const struct reader *reader, const struct cJSON *document)
{
	static const struct field version_field = {.kind = FIELD_WHOLE, .least = 1, .most = 1e9};
	struct spot spot = {.key = "format_version"};
	const char *format = json_string(document, "format");
	double version = 0;

	if (json_member(document, "fio version")) {
		return failure_set(reader->failure, STATUS_USAGE,
			"'%s' is fio's own output, not a result that speedtest-hd saved; those are made with -o FILE.json",
			reader->name);
	}
	if (!format || strcmp(format, RECORD_FORMAT_NAME) != 0) {
		return failure_set(reader->failure, STATUS_USAGE,
			"'%s' is not a result that speedtest-hd saved; those are made with -o FILE.json", reader->name);
	}
	if (!field_read_number(reader, &spot, &version_field, &version, json_member(document, "format_version"))) {
		return false;
	}
	if (version > RECORD_FORMAT_VERSION) {
		return failure_set(reader->failure, STATUS_USAGE,
			"'%s' was saved by a newer speedtest-hd (format version %.0f, this one reads up to %d): update this one",
			reader->name, version, RECORD_FORMAT_VERSION);
	}
	return true;
}

static bool read_record(const struct reader *reader, struct record *record, const struct cJSON *document)
{
	struct spot failure = {.key = "failure"};

	if (!check_format(reader, document) || !fields_read(reader, NULL, record_fields, record, document)) {
		return false;
	}
	if (record->state == RECORD_FAILED && !record->failure) {
		return reader_refuse(reader, &failure, "a text is needed, since the state is 'failed'");
	}
	return read_circumstances(reader, record, document) && read_results(reader, record, document);
}

/* Say why a text is no document at all; `where` it ceased to be one. */
static bool refuse_text(const char *bytes, size_t length, size_t where, const char *name, struct failure *failure)
{
	size_t start = 0, line = 1, column = 1;

	while (start < length && strchr(" \t\r\n\xEF\xBB\xBF", bytes[start]) && bytes[start]) {
		start++;
	}
	if (start == length) {
		return failure_set(failure, STATUS_USAGE, "'%s' is empty: nothing was saved in it", name);
	}
	if (memmem(bytes, length, "\"fio version\"", strlen("\"fio version\"")) ||
		!memmem(bytes, length, "\"" RECORD_FORMAT_NAME "\"", strlen("\"" RECORD_FORMAT_NAME "\"")) ||
		bytes[start] != '{') {
		bool is_fio = memmem(bytes, length, "\"fio version\"", strlen("\"fio version\"")) != NULL;

		return failure_set(failure, STATUS_USAGE,
			"'%s' is %snot a result that speedtest-hd saved; those are made with -o FILE.json", name,
			is_fio ? "fio's own output, " : "");
	}
	if (where >= length) {
		return failure_set(
			failure, STATUS_USAGE, "'%s' ends in the middle; it may be incomplete: use another copy of it", name);
	}
	for (size_t i = 0; i < where; i++) {
		column = bytes[i] == '\n' ? 1 : column + 1;
		line += bytes[i] == '\n';
	}
	return failure_set(
		failure, STATUS_USAGE, "'%s' is damaged: line %zu cannot be read from column %zu on", name, line, column);
}

bool record_from_json(
	struct record *record, const char *bytes, size_t length, const char *name, struct failure *failure)
{
	struct reader reader = {.name = name, .failure = failure};
	size_t where = 0;

	*record = (struct record){0};
	struct cJSON *document = json_parse(bytes, length, &where);
	if (!document) {
		return refuse_text(bytes, length, where, name, failure);
	}
	bool success = read_record(&reader, record, document);
	json_free(document);
	if (!success) {
		record_release(record);
	}
	return success;
}
