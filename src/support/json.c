#include "support/json.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

/*
 * Where an object begins and ends is found by a scanner of our own, in one pass: to ask cJSON at each brace takes
 * hours for a few MiB of hostile text. The scanner is no stricter than cJSON, which has the last word.
 */

enum { DEPTH_MAX = 128 };

/* A piece of the text; `end` is behind it, and 0 for no piece. */
struct span {
	size_t start;
	size_t end;
};

/* An object or array that is open. */
struct frame {
	size_t start;
	bool is_array;
	bool is_wanted;     /* an object that has one of the array members */
	struct span before; /* the candidate when it was opened */
};

struct scan {
	char *bytes;
	size_t length;
	size_t at;
	unsigned char *tried; /* a bit for each byte: a brace from which an object was already read */
	const char *const *array_keys;
	struct frame frames[DEPTH_MAX];
	size_t depth;
	struct span candidate; /* the last wanted object that was read to its end */
};

static void skip_blanks(struct scan *scan)
{
	while (scan->at < scan->length && (unsigned char)scan->bytes[scan->at] <= ' ') {
		scan->at++;
	}
}

/* Move behind a string, from its opening quote on. */
static bool skip_string(struct scan *scan)
{
	for (scan->at++; scan->at < scan->length; scan->at++) {
		if (scan->bytes[scan->at] == '"') {
			scan->at++;
			return true;
		}
		if (scan->bytes[scan->at] == '\\') {
			scan->at++;
		}
	}
	return false;
}

/* Move behind a word or number. nan and inf, for which cJSON refuses the whole, become what is no number. */
static bool skip_word(struct scan *scan)
{
	static const struct {
		const char *word;
		const char *replacement; /* of the same length */
	} words[] = {{"true", NULL}, {"false", NULL}, {"null", NULL}, {"-nan", "null"}, {"-inf", "null"}, {"nan", "\"\" "},
		{"inf", "\"\" "}};
	size_t start = scan->at;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t length = strlen(words[i].word);

		if (scan->length - start >= length && memcmp(scan->bytes + start, words[i].word, length) == 0) {
			if (words[i].replacement) {
				memcpy(scan->bytes + start, words[i].replacement, length);
			}
			scan->at += length;
			return true;
		}
	}
	while (scan->at < scan->length && strchr("0123456789+-.eE", scan->bytes[scan->at])) {
		scan->at++;
	}
	return scan->at > start;
}

static bool open_frame(struct scan *scan)
{
	bool is_array = scan->bytes[scan->at] == '[';

	if (scan->depth == DEPTH_MAX) {
		return false;
	}
	if (!is_array) {
		scan->tried[scan->at / 8] |= (unsigned char)(1U << scan->at % 8);
	}
	scan->frames[scan->depth++] = (struct frame){.start = scan->at, .is_array = is_array, .before = scan->candidate};
	scan->at++;
	return true;
}

static bool close_frame(struct scan *scan)
{
	const struct frame *frame = &scan->frames[scan->depth - 1];

	if (scan->bytes[scan->at] != (frame->is_array ? ']' : '}')) {
		return false;
	}
	scan->at++;
	scan->depth--;
	if (!frame->is_array) {
		/* What stands inside a whole object is a part of it, and no document. */
		scan->candidate = frame->is_wanted ? (struct span){frame->start, scan->at} : frame->before;
	}
	return true;
}

/* A key and its colon; sees whether it is one of those looked for, with an array. */
static bool skip_key(struct scan *scan)
{
	const char *key = scan->bytes + scan->at + 1;

	if (scan->bytes[scan->at] != '"' || !skip_string(scan)) {
		return false;
	}
	size_t length = (size_t)(scan->bytes + scan->at - key) - 1;
	skip_blanks(scan);
	if (scan->at == scan->length || scan->bytes[scan->at++] != ':') {
		return false;
	}
	skip_blanks(scan);
	for (size_t i = 0; scan->array_keys[i]; i++) {
		if (strlen(scan->array_keys[i]) == length && memcmp(scan->array_keys[i], key, length) == 0 &&
			scan->at < scan->length && scan->bytes[scan->at] == '[') {
			scan->frames[scan->depth - 1].is_wanted = true;
		}
	}
	return scan->at < scan->length;
}

/* Read an object from its brace on. False where it is none, or never ends. */
static bool scan_object(struct scan *scan)
{
	bool begins = true; /* right behind an opening bracket */

	scan->depth = 0;
	scan->candidate = (struct span){0};
	open_frame(scan);
	while (scan->depth > 0) {
		skip_blanks(scan);
		if (scan->at == scan->length) {
			return false;
		}
		char byte = scan->bytes[scan->at];
		if (byte == '}' || byte == ']') {
			if (!close_frame(scan)) {
				return false;
			}
			begins = false;
			continue;
		}
		if (!begins) {
			if (byte != ',') {
				return false;
			}
			scan->at++;
			skip_blanks(scan);
		}
		if (scan->at == scan->length || (!scan->frames[scan->depth - 1].is_array && !skip_key(scan))) {
			return false;
		}
		byte = scan->bytes[scan->at];
		begins = byte == '{' || byte == '[';
		if (!(begins ? open_frame(scan) : byte == '"' ? skip_string(scan) : skip_word(scan))) {
			return false;
		}
	}
	return true;
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

/* The candidate of a scan as a document; NULL where cJSON does not take it. */
static struct cJSON *parse_candidate(struct scan *scan)
{
	if (scan->candidate.end == 0) {
		return NULL;
	}
	/* cJSON looks for the end of the text first: let it be near. The copy has a byte to spare. */
	char behind = scan->bytes[scan->candidate.end];
	scan->bytes[scan->candidate.end] = '\0';
	struct cJSON *document = cJSON_Parse(scan->bytes + scan->candidate.start);
	scan->bytes[scan->candidate.end] = behind;
	if (document && !has_array(document, scan->array_keys)) {
		cJSON_Delete(document);
		return NULL;
	}
	return document;
}

/* The text, changeable: without NULs, at which cJSON would stop. */
static char *copy_without_nul(const char *bytes, size_t length)
{
	char *copy = xmalloc(length + 1);

	for (size_t i = 0; i < length; i++) {
		copy[i] = bytes[i] ? bytes[i] : ' ';
	}
	copy[length] = '\0';
	return copy;
}

struct cJSON *json_find_last(const char *bytes, size_t length, const char *const *array_keys)
{
	struct scan *scan = xcalloc(1, sizeof(*scan));
	struct cJSON *found = NULL;
	size_t found_end = 0;

	scan->bytes = copy_without_nul(bytes, length);
	scan->length = length;
	scan->tried = xcalloc(length / 8 + 1, 1);
	scan->array_keys = array_keys;
	for (size_t start = 0; start < length;) {
		const char *brace = memchr(scan->bytes + start, '{', length - start);

		if (!brace) {
			break;
		}
		scan->at = (size_t)(brace - scan->bytes);
		start = scan->at + 1;
		if (scan->tried[scan->at / 8] & 1U << scan->at % 8) {
			continue; /* read as a part of what began before it: it would end no other way */
		}
		start = scan_object(scan) ? scan->at : start;
		struct cJSON *document = scan->candidate.end > found_end ? parse_candidate(scan) : NULL;
		if (document) {
			cJSON_Delete(found);
			found = document;
			found_end = scan->candidate.end;
		}
	}
	free(scan->bytes);
	free(scan->tried);
	free(scan);
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

const char *json_value_string(const struct cJSON *value)
{
	return cJSON_GetStringValue(value);
}

bool json_is_object(const struct cJSON *value)
{
	return cJSON_IsObject(value);
}

bool json_is_array(const struct cJSON *value)
{
	return cJSON_IsArray(value);
}

bool json_is_null(const struct cJSON *value)
{
	return cJSON_IsNull(value);
}

bool json_bool(const struct cJSON *value, const char *key, bool *truth)
{
	const struct cJSON *member = json_member(value, key);

	if (!cJSON_IsBool(member)) {
		return false;
	}
	*truth = cJSON_IsTrue(member);
	return true;
}
