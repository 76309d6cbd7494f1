#include "fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"
#include "time_of_day.h"

double field_bounded(const struct field *field, double number)
{
	if (number >= field->least && number <= field->most) {
		return fabs(number) < field->smallest ? 0 : number;
	}
	if (field->may_be_null) {
		return (double)NAN;
	}
	return number > field->most ? field->most : field->least;
}

void field_cut(const struct field *field, char *string)
{
	static const char sign[] = "...";
	size_t most = (size_t)field->most, end = most - strlen(sign);

	if (!string || strlen(string) <= most) {
		return;
	}
	while (end > 0 && (string[end] & 0xC0) == 0x80) { /* not in the middle of a character of UTF-8 */
		end--;
	}
	memcpy(string + end, sign, sizeof(sign));
}

static const char *word_of(const struct field *field, const char *string)
{
	for (size_t i = 0; string && field->words[i]; i++) {
		if (strcmp(field->words[i], string) == 0) {
			return string;
		}
	}
	return field->words[0];
}

static const char *choice_of(const struct field *field, unsigned choice)
{
	unsigned first = (unsigned)field->least;

	for (unsigned i = first; field->words[i]; i++) {
		if (i == choice) {
			return field->words[i];
		}
	}
	return field->may_be_null ? NULL : field->words[first];
}

/* Strings of a record are safe to print already; whoever made it otherwise is not to make a file that reads as another.
 */
static void write_text(struct cJSON *object, const struct field *field, const char *string)
{
	const char *nothing = field->may_be_null ? NULL : field->kind == FIELD_TIME ? TIME_OF_DAY_UNKNOWN : "";
	char *printable = string && (field->kind != FIELD_TIME || is_time_of_day(string)) ? text_printable(string) : NULL;

	if (field->kind == FIELD_TEXT) {
		field_cut(field, printable);
	}
	json_add_string(object, field->key, printable ? printable : nothing);
	free(printable);
}

static void write_one(struct cJSON *object, const struct field *field, const void *value)
{
	char *string = NULL;
	unsigned whole = 0; /* an enum too: none of ours has negative values */
	double number = 0;
	bool truth = false;

	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_TIME:
		memcpy(&string, value, sizeof(string));
		write_text(object, field, string);
		break;
	case FIELD_WORD:
		memcpy(&string, value, sizeof(string));
		json_add_string(object, field->key, word_of(field, string));
		break;
	case FIELD_CHOICE:
		memcpy(&whole, value, sizeof(whole));
		json_add_string(object, field->key, choice_of(field, whole));
		break;
	case FIELD_NUMBER:
		memcpy(&number, value, sizeof(number));
		json_add_number(object, field->key, field_bounded(field, number));
		break;
	case FIELD_WHOLE:
		memcpy(&whole, value, sizeof(whole));
		json_add_number(object, field->key, field_bounded(field, whole));
		break;
	case FIELD_TRUTH:
		memcpy(&truth, value, sizeof(truth));
		json_add_bool(object, field->key, truth);
		break;
	}
}

void fields_write(struct cJSON *object, const struct field *fields, const void *values)
{
	for (; fields->key; fields++) {
		write_one(object, fields, (const char *)values + fields->offset);
	}
}
