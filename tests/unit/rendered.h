/** What a renderer writes, as a string. */
#ifndef RENDERED_H
#define RENDERED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "support/memory.h"

/** A document as text in one format. The caller frees it. */
static inline char *rendered(const struct renderer *renderer, const struct document *document)
{
	const struct render_style style = {0};
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	assert_non_null(out);
	renderer->render(out, document, &style);
	assert_int_equal(fclose(out), 0);
	char *copy = xstrdup(bytes); /* gcc takes what open_memstream has made for a part of this function */

	free(bytes);
	return copy;
}

/** A record in one format. The caller frees it. */
static inline char *rendered_record(const char *format, const struct record *record)
{
	const struct document document = {.record = record, .score = SCORE_MEDIAN};

	return rendered(renderer_by_name(format), &document);
}

/** Fails, showing the whole, where `part` is not in `whole`. */
static inline void assert_contains(const char *whole, const char *part)
{
	if (!strstr(whole, part)) {
		fail_msg("'%s' is not in:\n%s", part, whole);
	}
}

static inline void assert_lacks(const char *whole, const char *part)
{
	if (strstr(whole, part)) {
		fail_msg("'%s' is in:\n%s", part, whole);
	}
}

#endif
