#include "fields.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"
#include "time_of_day.h"

static void add_spot(struct text *text, const struct spot *spot)
{
	if (!spot) {
		return;
	}
	add_spot(text, spot->up);
	if (spot->key) {
		text_addf(text, "%s%s", spot->up ? "." : "", spot->key);
	} else {
		text_addf(text, "[%zu]", spot->index);
	}
}

bool reader_refuse(const struct reader *reader, const struct spot *spot, const char *format, ...)
{
	struct text text = TEXT_EMPTY;
	va_list arguments;

	if (spot) {
		add_spot(&text, spot);
		text_add(&text, ": ");
	}
	va_start(arguments, format);
	text_vaddf(&text, format, arguments);
	va_end(arguments);
	failure_set(
		reader->failure, STATUS_USAGE, "'%s' is damaged, or was changed by hand: %s", reader->name, text_string(&text));
	text_release(&text);
	return false;
}

bool field_read_number(const struct reader *reader, const struct spot *spot, const struct field *field, double *number,
	const struct cJSON *value)
{
	*number = (double)NAN;
	if (field->may_be_null && (!value || json_is_null(value))) {
		return true;
	}
	if (!json_value_number(value, number)) {
		return reader_refuse(reader, spot, "%s", value ? "a number is needed" : "it is missing, and must be a number");
	}
	if (!(*number >= field->least && *number <= field->most)) {
		return reader_refuse(reader, spot, "a number from %g to %g is needed", field->least, field->most);
	}
	if ((field->kind == FIELD_WHOLE || field->is_whole) && floor(*number) != *number) {
		return reader_refuse(reader, spot, "a whole number is needed");
	}
	*number = fabs(*number) < field->smallest ? 0 : *number;
	return true;
}

static bool refuse_word(const struct reader *reader, const struct spot *spot, const struct field *field)
{
	struct text words = TEXT_EMPTY;
	size_t first = (size_t)field->least;

	for (size_t i = first; field->words[i]; i++) {
		text_addf(&words, "%s'%s'", i == first ? "" : field->words[i + 1] ? ", " : " or ", field->words[i]);
	}
	reader_refuse(reader, spot, "%s is needed", text_string(&words));
	text_release(&words);
	return false;
}

/* The string of the member; NULL for null where that may be. */
static bool read_string(const struct reader *reader, const struct spot *spot, const struct field *field,
	const char **string, const struct cJSON *value)
{
	*string = json_value_string(value);
	if (*string || (field->may_be_null && (!value || json_is_null(value)))) {
		return true;
	}
	return reader_refuse(reader, spot, "%s", value ? "a text is needed" : "it is missing, and must be a text");
}

bool field_read_text(const struct reader *reader, const struct spot *spot, const struct field *field, char **text,
	const struct cJSON *value)
{
	const char *string = NULL;
	size_t most = (size_t)field->most;

	*text = NULL;
	if (!read_string(reader, spot, field, &string, value)) {
		return false;
	}
	/* It only grows when it is made safe: one that is too long already is not even tried. */
	if (string && strlen(string) <= most) {
		*text = text_printable(string);
	}
	if (string && (!*text || strlen(*text) > most)) {
		return reader_refuse(reader, spot, "a text of at most %zu bytes is needed", most);
	}
	return true;
}

static bool read_text(const struct reader *reader, const struct spot *spot, const struct field *field, void *target,
	const struct cJSON *value)
{
	char *text = NULL;
	bool success = field_read_text(reader, spot, field, &text, value);

	memcpy(target, &text, sizeof(text)); /* to be released with the record also on failure */
	return success;
}

static bool read_time(const struct reader *reader, const struct spot *spot, const struct field *field, void *target,
	const struct cJSON *value)
{
	const char *string = NULL;

	if (!read_string(reader, spot, field, &string, value)) {
		return false;
	}
	if (string && !is_time_of_day(string)) {
		return reader_refuse(reader, spot, "a time such as '2026-11-30T17:21:06Z' is needed");
	}
	char *copy = xstrdup(string);
	memcpy(target, &copy, sizeof(copy));
	return true;
}

static bool read_word(const struct reader *reader, const struct spot *spot, const struct field *field, void *target,
	const struct cJSON *value)
{
	const char *string = json_value_string(value);
	unsigned choice = (unsigned)field->least;

	if (field->may_be_null && (!value || json_is_null(value))) {
		return true;
	}
	while (field->words[choice] && !(string && strcmp(field->words[choice], string) == 0)) {
		choice++;
	}
	if (!field->words[choice]) {
		return refuse_word(reader, spot, field);
	}
	if (field->kind == FIELD_CHOICE) {
		memcpy(target, &choice, sizeof(choice));
		return true;
	}
	char *copy = xstrdup(string);
	memcpy(target, &copy, sizeof(copy));
	return true;
}

static bool read_truth(const struct reader *reader, const struct spot *spot, void *target, const struct cJSON *object)
{
	bool truth = false;

	if (!json_bool(object, spot->key, &truth)) {
		return reader_refuse(reader, spot, "true or false is needed");
	}
	memcpy(target, &truth, sizeof(truth));
	return true;
}

static bool read_number(const struct reader *reader, const struct spot *spot, const struct field *field, void *target,
	const struct cJSON *value)
{
	double number = 0;

	if (!field_read_number(reader, spot, field, &number, value)) {
		return false;
	}
	if (field->kind == FIELD_WHOLE) {
		unsigned whole = (unsigned)number;

		memcpy(target, &whole, sizeof(whole));
	} else {
		memcpy(target, &number, sizeof(number));
	}
	return true;
}

static bool read_one(const struct reader *reader, const struct spot *spot, const struct field *field, void *target,
	const struct cJSON *object)
{
	const struct cJSON *value = json_member(object, field->key);

	if (field->came_later && !value) {
		return true; /* as it was made: 0 */
	}
	switch (field->kind) {
	case FIELD_TEXT:
		return read_text(reader, spot, field, target, value);
	case FIELD_TIME:
		return read_time(reader, spot, field, target, value);
	case FIELD_WORD:
	case FIELD_CHOICE:
		return read_word(reader, spot, field, target, value);
	case FIELD_NUMBER:
	case FIELD_WHOLE:
		return read_number(reader, spot, field, target, value);
	case FIELD_TRUTH:
		return read_truth(reader, spot, target, object);
	}
	return false;
}

bool fields_read(const struct reader *reader, const struct spot *spot, const struct field *fields, void *values,
	const struct cJSON *object)
{
	if (!json_is_object(object)) {
		return reader_refuse(
			reader, spot, "%s", object ? "an object is needed" : "it is missing, and must be an object");
	}
	for (; fields->key; fields++) {
		struct spot member = {.up = spot, .key = fields->key};

		if (!read_one(reader, &member, fields, (char *)values + fields->offset, object)) {
			return false;
		}
	}
	return true;
}

bool list_count(
	const struct reader *reader, const struct spot *spot, const struct cJSON *list, size_t most, size_t *count)
{
	*count = 0;
	if (!json_is_array(list)) {
		return reader_refuse(reader, spot, "%s", list ? "a list is needed" : "it is missing, and must be a list");
	}
	for (const struct cJSON *each = json_first(list); each; each = json_next(each)) {
		++*count;
	}
	return *count <= most || reader_refuse(reader, spot, "at most %zu elements are expected", most);
}

bool list_read(const struct reader *reader, const struct spot *up, const struct cJSON *object, const char *key,
	read_element *read, size_t size, void **elements, size_t *count)
{
	struct spot spot = {.up = up, .key = key};
	const struct cJSON *list = json_member(object, key);
	size_t length = 0;

	if (!list_count(reader, &spot, list, RECORD_LIST_MAX, &length)) {
		return false;
	}
	*elements = xcalloc(length, size);
	for (const struct cJSON *each = json_first(list); each; each = json_next(each)) {
		struct spot element = {.up = &spot, .index = *count};
		void *target = (char *)*elements + *count * size;

		++*count;
		if (!read(reader, &element, target, each)) {
			return false;
		}
	}
	return true;
}
