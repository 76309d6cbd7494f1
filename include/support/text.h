/** A growing string. */
#ifndef SUPPORT_TEXT_H
#define SUPPORT_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/** Bytes with a length, always NUL-terminated; `bytes` is NULL only while nothing was ever added. */
struct text {
	char *bytes;
	size_t length;
	size_t capacity;
};

/** An empty text, to initialise with. */
#define TEXT_EMPTY ((struct text){(char *)0, 0, 0})

/** Free what the text holds and make it empty. */
void text_release(struct text *text);
/** Forget the content, keep the memory. */
void text_reset(struct text *text);
/** Add `size` bytes. */
void text_add_bytes(struct text *text, const void *bytes, size_t size);
/** Add a string. */
void text_add(struct text *text, const char *string);
/** Add formatted text. */
void text_addf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** As text_addf, with the arguments in a va_list. */
void text_vaddf(struct text *text, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
/** Add a string `count` times. */
void text_add_repeated(struct text *text, const char *string, size_t count);
/** The content, never NULL; owned by the text. */
const char *text_string(const struct text *text);
/** Hand the content over to the caller, who frees it; the text is empty afterwards. */
char *text_detach(struct text *text);

/**
 * A copy of `string` that is safe to show on a terminal, on one line: control characters (also those of
 * UTF-8's C1 block) and bytes that are not UTF-8 come out as \n, \t or \xNN. The caller frees it.
 */
char *text_printable(const char *string);

/** Whether `string` begins with `prefix`. */
bool text_starts_with(const char *string, const char *prefix);
/** The number of columns that `string` (UTF-8) takes on a terminal. */
size_t text_columns(const char *string);
/**
 * The string in lines of at most `width` columns, broken at blanks; all but the first begin with `indent` blanks. A
 * word that is too long is not broken. The caller frees it.
 */
char *text_wrap(const char *string, size_t width, size_t indent);
/** The edit distance (Levenshtein 1966, insert, delete, replace) between two strings. */
size_t text_distance(const char *a, const char *b);

#endif
