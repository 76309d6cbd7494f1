#include "support/json.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

/*
 * cJSON takes more than JSON (control characters in strings, numbers such as "1.2.3"), says poorly where it stopped,
 * and differs in both between its versions. So a checker of our own goes before it, for RFC 8259's grammar and our
 * limits.
 */

enum { NESTING_MAX = 64, NUMBER_MAX = 60 };

/* Where the checker is; `at` stays at what could not be read. */
struct check {
	const char *bytes;
	size_t length;
	size_t at;
	size_t values;
	char closing[NESTING_MAX]; /* the brackets that are due, the innermost last */
	size_t depth;
};

/* The byte to read next; 0 at the end. A NUL in the text is nothing that may stand anywhere, so both are the same. */
static char peek(const struct check *check)
{
	return check->at < check->length ? check->bytes[check->at] : '\0';
}

static void skip_blanks(struct check *check)
{
	for (char byte = peek(check); byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; byte = peek(check)) {
		check->at++;
	}
}

static bool take(struct check *check, char byte)
{
	if (peek(check) != byte) {
		return false;
	}
	check->at++;
	return true;
}

static bool take_word(struct check *check, const char *word)
{
	while (*word) {
		if (!take(check, *word++)) {
			return false;
		}
	}
	return true;
}

/* Four hexadecimal digits as a number; negative where they are none. */
static int32_t take_hex(struct check *check)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	int32_t code = 0;

	for (int i = 0; i < 4; i++) {
		const char *digit = peek(check) ? strchr(digits, peek(check)) : NULL;

		if (!digit) {
			return -1;
		}
		code = code * 16 + (int32_t)((digit - digits) % 16);
		check->at++;
	}
	return code;
}

/* What stands behind a backslash. A surrogate is one half of a pair; U+0000 would end the string. */
static bool take_escape(struct check *check)
{
	size_t start = check->at;

	if (!take(check, 'u')) {
		if (!peek(check) || !strchr("\"\\/bfnrt", peek(check))) {
			return false;
		}
		check->at++;
		return true;
	}
	int32_t code = take_hex(check);
	if (code < 0) {
		return false;
	}
	if (code >= 0xD800 && code < 0xDC00) {
		if (!take(check, '\\') || !take(check, 'u')) {
			return false;
		}
		int32_t low = take_hex(check);
		if (low < 0xDC00 || low > 0xDFFF) {
			return false;
		}
	} else if (code == 0 || (code >= 0xDC00 && code <= 0xDFFF)) {
		check->at = start;
		return false;
	}
	return true;
}

static bool take_string(struct check *check)
{
	if (!take(check, '"')) {
		return false;
	}
	while ((unsigned char)peek(check) >= ' ') {
		if (take(check, '"')) {
			return true;
		}
		if (take(check, '\\')) {
			if (!take_escape(check)) {
				return false;
			}
		} else {
			check->at++;
		}
	}
	return false;
}

static bool take_digits(struct check *check)
{
	size_t start = check->at;

	while (peek(check) >= '0' && peek(check) <= '9') {
		check->at++;
	}
	return check->at > start;
}

static bool take_number(struct check *check)
{
	size_t start = check->at;

	take(check, '-');
	if (!take(check, '0') && !take_digits(check)) {
		return false;
	}
	if (take(check, '.') && !take_digits(check)) {
		return false;
	}
	if (take(check, 'e') || take(check, 'E')) {
		if (!take(check, '+')) {
			take(check, '-');
		}
		if (!take_digits(check)) {
			return false;
		}
	}
	if (check->at - start > NUMBER_MAX) {
		check->at = start;
		return false;
	}
	return true;
}

/* A value, of an object or array its opening bracket alone: `*opened` says so. */
static bool take_value(struct check *check, bool *opened)
{
	char byte = peek(check);

	*opened = byte == '{' || byte == '[';
	if (check->values++ == JSON_VALUES_MAX || (*opened && check->depth == NESTING_MAX)) {
		return false;
	}
	if (*opened) {
		check->closing[check->depth++] = byte == '{' ? '}' : ']';
		check->at++;
		return true;
	}
	switch (byte) {
	case '"':
		return take_string(check);
	case 't':
		return take_word(check, "true");
	case 'f':
		return take_word(check, "false");
	case 'n':
		return take_word(check, "null");
	default:
		return take_number(check);
	}
}

static bool take_key(struct check *check)
{
	if (check->closing[check->depth - 1] != '}') {
		return true;
	}
	if (!take_string(check)) {
		return false;
	}
	skip_blanks(check);
	if (!take(check, ':')) {
		return false;
	}
	skip_blanks(check);
	return true;
}

static bool take_document(struct check *check)
{
	bool opened = false;

	skip_blanks(check);
	if (!take_value(check, &opened)) {
		return false;
	}
	while (check->depth > 0) {
		skip_blanks(check);
		if (take(check, check->closing[check->depth - 1])) {
			check->depth--;
			opened = false;
			continue;
		}
		if (!opened && !take(check, ',')) {
			return false;
		}
		skip_blanks(check);
		if (!take_key(check) || !take_value(check, &opened)) {
			return false;
		}
	}
	skip_blanks(check);
	return check->at == check->length;
}

struct cJSON *json_parse(const char *bytes, size_t length, size_t *where)
{
	static const char mark[] = "\xEF\xBB\xBF";
	struct check check = {.bytes = bytes, .length = length};
	struct cJSON *document = NULL;

	if (length >= sizeof(mark) - 1 && memcmp(bytes, mark, sizeof(mark) - 1) == 0) {
		check.at = sizeof(mark) - 1;
	}
	size_t start = check.at;
	if (take_document(&check)) {
		char *copy = xstrndup(bytes + start, length - start);

		document = cJSON_Parse(copy);
		free(copy);
	}
	*where = check.at;
	return document;
}
