/** Reading and writing JSON: the only door to cJSON. */
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

/** More values than this, objects and arrays included, are in no document that json_parse reads: memory has an end. */
enum { JSON_VALUES_MAX = 5000000 };

/**
 * A whole document (RFC 8259): nothing but blanks may stand around it, a byte order mark before it. It may be nested 64
 * deep, its strings hold no NUL, its numbers have at most 60 digits. On failure NULL, and `*where` is the offset of
 * what could not be read: `length` where the text ends too early. The caller calls json_free.
 */
struct cJSON *json_parse(const char *bytes, size_t length, size_t *where);

/** Free a document, or a value that was added to none. NULL is fine. */
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
/** The value as a string, owned by the document; NULL where it is none. */
const char *json_value_string(const struct cJSON *value);
/** Whether it is an object, an array, null, true or false; all false for NULL. */
bool json_is_object(const struct cJSON *value);
bool json_is_array(const struct cJSON *value);
bool json_is_null(const struct cJSON *value);
/** The member `key` as true or false; false where it is absent or neither. */
bool json_bool(const struct cJSON *value, const char *key, bool *truth);

/* Writing. A value belongs to what it is added to; members keep their order. */

/** An empty object; an empty array. The caller calls json_free, or adds it to another. */
struct cJSON *json_new_object(void);
struct cJSON *json_new_array(void);
/** Add a member: NAN and infinities become null, as does a NULL string. Keys are constants of the program. */
void json_add_number(struct cJSON *object, const char *key, double number);
void json_add_string(struct cJSON *object, const char *key, const char *string);
void json_add_bool(struct cJSON *object, const char *key, bool truth);
void json_add_value(struct cJSON *object, const char *key, struct cJSON *value);
/** An array of numbers as a member. */
void json_add_numbers(struct cJSON *object, const char *key, const double *numbers, size_t count);
/** Add to an array. */
void json_append(struct cJSON *array, struct cJSON *value);
void json_append_string(struct cJSON *array, const char *string);
/** A copy in which every string and key is safe to print (text_printable), and each number reads back as the same. */
struct cJSON *json_copy_printable(const struct cJSON *value);
/** The text of a document, indented, with a newline at its end; numbers read back as the same. The caller frees it. */
char *json_print(const struct cJSON *document);

#endif
