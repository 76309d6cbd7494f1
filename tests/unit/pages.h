/** HTML pages in memory, and what has to hold of every one. */
#ifndef PAGES_H
#define PAGES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "records.h"
#include "render/render.h"
#include "support/text_stream.h"

static inline char *render(const struct document *document)
{
	const struct render_style style = {0};
	struct text text = TEXT_EMPTY;
	struct text_stream stream;

	render_html(text_stream_open(&stream, &text), document, &style);
	text_stream_close(&stream);
	assert_int_equal(strlen(text_string(&text)), text.length);
	return text_detach(&text);
}

static inline char *render_record(const struct record *record)
{
	return render(&(struct document){.record = record});
}

static inline size_t count(const char *text, const char *part)
{
	size_t found = 0;

	for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) {
		found++;
	}
	return found;
}

static inline void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part)) {
		fail_msg("no '%s'", part);
	}
}

static inline void assert_has_not(const char *text, const char *part)
{
	if (strstr(text, part)) {
		fail_msg("there is '%s'", part);
	}
}

/* The name of the element at `tag`, behind "<" or "</". The caller frees it. */
static inline char *element_name(const char *tag)
{
	return xstrndup(tag, strspn(tag, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"));
}

/* Every element that begins also ends, in the right order; the caller need not know where quotes are: we escape ">". */
static inline void assert_balanced(const char *page)
{
	char *open[64] = {0};
	size_t depth = 0;

	for (const char *at = strchr(page + 1, '<'); at; at = strchr(at + 1, '<')) {
		bool ends = at[1] == '/';
		char *name = element_name(at + (ends ? 2 : 1));
		const char *end = strchr(at, '>');
		bool is_void = strcmp(name, "meta") == 0 || strcmp(name, "link") == 0 || strcmp(name, "br") == 0;

		assert_non_null(end);
		assert_true(*name);
		if (ends) {
			assert_true(depth > 0);
			depth--;
			assert_string_equal(name, open[depth]);
			free(open[depth]);
			free(name);
		} else if (is_void || end[-1] == '/') {
			free(name);
		} else {
			assert_true(depth < 64);
			open[depth++] = name;
		}
	}
	assert_int_equal(depth, 0);
}

/* What has to hold of every page. */
static inline void assert_sound(const char *page)
{
	assert_ptr_equal(strstr(page, "<!DOCTYPE html>\n<html lang=\"en\">\n"), page);
	assert_balanced(page);
	assert_has(page, "default-src 'none'");
	assert_has(page, "name=\"viewport\"");
	assert_int_equal(count(page, "<h1"), 1);
	assert_has_not(page, "<script");
	assert_has_not(page, "<img");
	assert_has_not(page, "<iframe");
	assert_has_not(page, "\"nan");
	assert_has_not(page, "\"-nan");
	assert_has_not(page, "\"inf");
	assert_has_not(page, ">nan");
	assert_has_not(page, "(null)");
}

#endif
