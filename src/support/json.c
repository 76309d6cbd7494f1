#include "support/json.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

/* cJSON refuses a whole document for one nan or inf outside a string: overwrite them in place with what is no number.
 */
static void blank_out_nan(char *bytes)
{
	static const struct {
		const char *word;
		const char *replacement; /* of the same length */
	} replacements[] = {{"-nan", "null"}, {"-inf", "null"}, {"nan", "\"\" "}, {"inf", "\"\" "}}; /* "": no number */
	bool in_string = false;

	for (char *at = bytes; *at; at++) {
		if (*at == '"') {
			in_string = !in_string;
		} else if (in_string && *at == '\\' && at[1]) {
			at++;
		} else if (in_string && *at == '\n') {
			in_string = false; /* a stray quote in the text around the document must not hide the rest */
		} else if (!in_string && (*at == 'n' || *at == 'i' || *at == '-') && at > bytes &&
				   (at[-1] == ' ' || at[-1] == ':')) {
			for (size_t i = 0; i < sizeof(replacements) / sizeof(replacements[0]); i++) {
				size_t length = strlen(replacements[i].word);

				if (strncmp(at, replacements[i].word, length) == 0 && !(at[length] >= 'a' && at[length] <= 'z')) {
					memcpy(at, replacements[i].replacement, length);
					break;
				}
			}
		}
	}
}

/* Whether the document is the one looked for: an object with one of the keys, whose value is an array. */
static bool has_array(const struct cJSON *document, const char *const *array_keys)
{
	for (size_t i = 0; array_keys[i]; i++) {
		if (cJSON_IsArray(json_member(document, array_keys[i]))) {
			return true;
		}
	}
	return false;
}

struct cJSON *json_find_last(const char *bytes, size_t length, const char *const *array_keys)
{
	char *copy = xstrndup(bytes, length);
	struct cJSON *found = NULL;
	const char *at = copy;

	blank_out_nan(copy);
	while ((at = strchr(at, '{')) != NULL) {
		const char *end = NULL;
		struct cJSON *document = cJSON_ParseWithOpts(at, &end, 0);

		if (!document) {
			at++;
			continue;
		}
		if (has_array(document, array_keys)) {
			cJSON_Delete(found);
			found = document;
		} else {
			cJSON_Delete(document);
		}
		at = end > at ? end : at + 1;
	}
	free(copy);
	return found;
}

void json_free(struct cJSON *document)
{
	cJSON_Delete(document);
}

const struct cJSON *json_member(const struct cJSON *value, const char *key)
{
	return cJSON_IsObject(value) ? cJSON_GetObjectItemCaseSensitive(value, key) : NULL;
}

bool json_value_number(const struct cJSON *value, double *number)
{
	if (!cJSON_IsNumber(value)) {
		return false;
	}
	*number = value->valuedouble; /* valueint stops at 2^31 */
	return true;
}

bool json_number(const struct cJSON *value, const char *key, double *number)
{
	return json_value_number(json_member(value, key), number);
}

const char *json_string(const struct cJSON *value, const char *key)
{
	return cJSON_GetStringValue(json_member(value, key));
}

const struct cJSON *json_first(const struct cJSON *value)
{
	return value ? value->child : NULL;
}

const struct cJSON *json_next(const struct cJSON *element)
{
	return element->next;
}

const char *json_key(const struct cJSON *element)
{
	return element->string ? element->string : "";
}
