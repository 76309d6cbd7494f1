#include "support/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "support/memory.h"

static void text_reserve(struct text *text, size_t more)
{
	size_t needed = text->length + more + 1;

	if (needed > text->capacity) {
		size_t capacity = text->capacity < 64 ? 64 : text->capacity;

		while (capacity < needed) {
			capacity *= 2;
		}
		text->bytes = xrealloc(text->bytes, capacity);
		text->capacity = capacity;
	}
}

void text_release(struct text *text)
{
	free(text->bytes);
	*text = TEXT_EMPTY;
}

void text_reset(struct text *text)
{
	text->length = 0;
	if (text->bytes) {
		text->bytes[0] = '\0';
	}
}

void text_add_bytes(struct text *text, const void *bytes, size_t size)
{
	text_reserve(text, size);
	if (size > 0) {
		memcpy(text->bytes + text->length, bytes, size);
	}
	text->length += size;
	text->bytes[text->length] = '\0';
}

void text_add(struct text *text, const char *string)
{
	text_add_bytes(text, string, strlen(string));
}

void text_addf(struct text *text, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	text_vaddf(text, format, arguments);
	va_end(arguments);
}

void text_vaddf(struct text *text, const char *format, va_list arguments)
{
	va_list again;

	va_copy(again, arguments);
	int length = vsnprintf(NULL, 0, format, arguments);
	if (length >= 0) {
		text_reserve(text, (size_t)length);
		vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
		text->length += (size_t)length;
	}
	va_end(again);
}

void text_add_repeated(struct text *text, const char *string, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		text_add(text, string);
	}
}

const char *text_string(const struct text *text)
{
	return text->bytes ? text->bytes : "";
}

char *text_detach(struct text *text)
{
	char *bytes = text->bytes ? text->bytes : xstrdup("");

	*text = TEXT_EMPTY;
	return bytes;
}

bool text_starts_with(const char *string, const char *prefix)
{
	return strncmp(string, prefix, strlen(prefix)) == 0;
}

/*
 * Decode one UTF-8 character (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF). Returns its length in
 * bytes; 0 where the bytes are no UTF-8. Done here, not by mbrtowc: the result must not depend on the locale.
 */
static size_t utf8_decode(const char *string, uint32_t *code_point)
{
	const unsigned char *byte = (const unsigned char *)string;
	size_t length = byte[0] < 0x80                      ? 1
					: byte[0] >= 0xC2 && byte[0] < 0xE0 ? 2
					: (byte[0] & 0xF0) == 0xE0          ? 3
					: byte[0] >= 0xF0 && byte[0] < 0xF5 ? 4
														: 0;
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};

	if (length <= 1) {
		*code_point = byte[0];
		return length;
	}
	uint32_t value = byte[0] & (0xFFU >> (length + 1));
	for (size_t i = 1; i < length; i++) {
		if ((byte[i] & 0xC0) != 0x80) {
			return 0;
		}
		value = value << 6 | (byte[i] & 0x3FU);
	}
	if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) {
		return 0;
	}
	*code_point = value;
	return length;
}

/* Control characters, and those that turn the direction of the text around them (Unicode TR9). */
static bool is_unsafe(uint32_t code_point)
{
	return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) || code_point == 0x061C ||
		   code_point == 0x200E || code_point == 0x200F || (code_point >= 0x2028 && code_point <= 0x202E) ||
		   (code_point >= 0x2066 && code_point <= 0x2069) || code_point == 0xFEFF;
}

char *text_printable(const char *string)
{
	struct text printable = TEXT_EMPTY;

	while (*string) {
		uint32_t code_point = 0;
		size_t length = utf8_decode(string, &code_point);

		if (length > 0 && !is_unsafe(code_point)) {
			text_add_bytes(&printable, string, length);
		} else if (*string == '\n') {
			text_add(&printable, "\\n");
		} else if (*string == '\t') {
			text_add(&printable, "\\t");
		} else {
			length = length > 0 ? length : 1;
			for (size_t i = 0; i < length; i++) {
				text_addf(&printable, "\\x%02X", (unsigned)(unsigned char)string[i]);
			}
		}
		string += length > 0 ? length : 1;
	}
	return text_detach(&printable);
}

size_t text_columns(const char *string)
{
	size_t columns = 0;

	while (*string) {
		uint32_t code_point = 0;
		size_t length = utf8_decode(string, &code_point);
		int width = length > 1 ? wcwidth((wchar_t)code_point) : 1;

		/* wcwidth knows nothing beyond ASCII where LC_CTYPE is not UTF-8: count one. */
		columns += width >= 0 ? (size_t)width : 1;
		string += length > 0 ? length : 1;
	}
	return columns;
}

/* How many bytes of `line` fill at most `width` columns without breaking a word; a word that is longer stands alone. */
static size_t line_fitting(const char *line, size_t width)
{
	size_t fitting = 0, end = 0;

	do {
		end += strspn(line + end, " ");
		end += strcspn(line + end, " ");
		char *part = xstrndup(line, end);
		bool fits = text_columns(part) <= width;

		free(part);
		if (!fits && fitting > 0) {
			break;
		}
		fitting = end;
	} while (line[end]);
	return fitting;
}

char *text_wrap(const char *string, size_t width, size_t indent)
{
	struct text wrapped = TEXT_EMPTY;
	size_t room = width;

	while (*string) {
		size_t length = line_fitting(string, room);

		text_add_bytes(&wrapped, string, length);
		string += length;
		string += strspn(string, " ");
		if (*string) {
			text_add(&wrapped, "\n");
			text_add_repeated(&wrapped, " ", indent);
		}
		room = width > indent ? width - indent : 1;
	}
	return wrapped.length > 0 ? text_detach(&wrapped) : xstrdup("");
}

size_t text_distance(const char *a, const char *b)
{
	size_t length = strlen(b);
	size_t *row = xcalloc(length + 1, sizeof(*row));

	for (size_t j = 0; j <= length; j++) {
		row[j] = j;
	}
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < length; j++) {
			size_t replace = diagonal + (a[i] == b[j] ? 0 : 1);
			size_t shorter = row[j] < row[j + 1] ? row[j] : row[j + 1];

			diagonal = row[j + 1];
			row[j + 1] = replace < shorter + 1 ? replace : shorter + 1;
		}
	}
	size_t distance = row[length];
	free(row);
	return distance;
}
