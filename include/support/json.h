/** Reading JSON: the only door to cJSON. */
#ifndef SUPPORT_JSON_H
#define SUPPORT_JSON_H

#include <stdbool.h>
#include <stddef.h>

/** A JSON value; an opaque name for cJSON's node. */
struct cJSON;

/**
 * The last complete JSON object in `bytes` (`length` long) that has one of the array members `array_keys` (ends with
 * NULL), wherever it stands between other text. `nan` and `inf`, which C's printf writes and JSON does not know, are
 * read as values that are no number. NULL where there is none. The caller calls json_free.
 */
struct cJSON *json_find_last(const char *bytes, size_t length, const char *const *array_keys);

/** Free a document that json_find_last returned. */
void json_free(struct cJSON *document);

/** The member of an object; NULL where `value` is NULL, no object, or has no such member. */
const struct cJSON *json_member(const struct cJSON *value, const char *key);
/** The number in the member `key`; false where it is absent or no number. */
bool json_number(const struct cJSON *value, const char *key, double *number);
/** The string in the member `key`, owned by the document; NULL where it is absent or no string. */
const char *json_string(const struct cJSON *value, const char *key);
/** The first element of an array or object; NULL at its end. */
const struct cJSON *json_first(const struct cJSON *value);
/** The element after this one; NULL at the end. */
const struct cJSON *json_next(const struct cJSON *element);
/** The key of an object's element; "" for an array's. */
const char *json_key(const struct cJSON *element);
/** The value as a number; false where it is none. */
bool json_value_number(const struct cJSON *value, double *number);

#endif
