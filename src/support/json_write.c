#include "support/json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

/* cJSON returns NULL where memory runs out: ask for what nobody has, so that the program ends as it always does then.
 */
static struct cJSON *must(struct cJSON *value)
{
	if (!value) {
		free(xmalloc(SIZE_MAX / 4));
	}
	return value;
}

/*
 * A number in the fewest digits that read back as the same. cJSON's own are the same but for the last bits, and then
 * what is worked out from a loaded number differs from what was worked out when it was saved.
 */
static struct cJSON *new_number(double number)
{
	char digits[64];

	if (!isfinite(number)) {
		return must(cJSON_CreateNull());
	}
	if (fabs(number) < 1e15 && floor(number) == number) {
		snprintf(digits, sizeof(digits), "%.0f", number == 0 ? 0.0 : number); /* no "-0" */
	} else {
		int precision = 15;

		do {
			snprintf(digits, sizeof(digits), "%.*g", precision, number);
		} while (strtod(digits, NULL) != number && ++precision <= 17);
	}
	return must(cJSON_CreateRaw(digits));
}

static struct cJSON *new_string(const char *string)
{
	return must(string ? cJSON_CreateString(string) : cJSON_CreateNull());
}

struct cJSON *json_new_object(void)
{
	return must(cJSON_CreateObject());
}

struct cJSON *json_new_array(void)
{
	return must(cJSON_CreateArray());
}

void json_add_number(struct cJSON *object, const char *key, double number)
{
	json_add_value(object, key, new_number(number));
}

void json_add_string(struct cJSON *object, const char *key, const char *string)
{
	json_add_value(object, key, new_string(string));
}

void json_add_bool(struct cJSON *object, const char *key, bool truth)
{
	json_add_value(object, key, must(cJSON_CreateBool(truth)));
}

void json_add_value(struct cJSON *object, const char *key, struct cJSON *value)
{
	cJSON_AddItemToObjectCS(object, key, value);
}

void json_add_numbers(struct cJSON *object, const char *key, const double *numbers, size_t count)
{
	struct cJSON *array = json_new_array();

	for (size_t i = 0; i < count; i++) {
		json_append(array, new_number(numbers[i]));
	}
	json_add_value(object, key, array);
}

void json_append(struct cJSON *array, struct cJSON *value)
{
	cJSON_AddItemToArray(array, value);
}

void json_append_string(struct cJSON *array, const char *string)
{
	json_append(array, new_string(string));
}

struct cJSON *json_copy_printable(const struct cJSON *value)
{
	struct cJSON *copy = NULL;
	char *string = NULL;

	if (cJSON_IsString(value)) {
		string = text_printable(value->valuestring);
		copy = new_string(string);
		free(string);
		return copy;
	}
	if (cJSON_IsNumber(value)) {
		return new_number(value->valuedouble);
	}
	if (!cJSON_IsObject(value) && !cJSON_IsArray(value)) {
		return must(cJSON_IsBool(value) ? cJSON_CreateBool(cJSON_IsTrue(value)) : cJSON_CreateNull());
	}
	copy = cJSON_IsObject(value) ? json_new_object() : json_new_array();
	for (const struct cJSON *each = json_first(value); each; each = json_next(each)) {
		if (cJSON_IsArray(value)) {
			json_append(copy, json_copy_printable(each));
			continue;
		}
		string = text_printable(json_key(each));
		must(cJSON_AddItemToObject(copy, string, json_copy_printable(each)) ? copy : NULL);
		free(string);
	}
	return copy;
}

char *json_print(const struct cJSON *document)
{
	char *printed = cJSON_Print(document);

	if (!printed) {
		return xmalloc(SIZE_MAX / 4); /* as in must() */
	}
	size_t length = strlen(printed);
	printed = xrealloc(printed, length + 2);
	memcpy(printed + length, "\n", 2);
	return printed;
}
