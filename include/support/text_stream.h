/** A stream whose characters go into a text: for what writes to a FILE. */
#ifndef SUPPORT_TEXT_STREAM_H
#define SUPPORT_TEXT_STREAM_H

#include <stddef.h>
#include <stdio.h>

#include "support/text.h"

/** An open one. */
struct text_stream {
	FILE *file;
	char *bytes;
	size_t size;
	struct text *text;
};

/** Open it; what is written stands behind the content of `text` once it is closed. Never NULL. */
FILE *text_stream_open(struct text_stream *stream, struct text *text);
/** Close it and add what was written. */
void text_stream_close(struct text_stream *stream);

#endif
