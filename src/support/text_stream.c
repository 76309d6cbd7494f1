#include "support/text_stream.h"

#include <stdint.h>
#include <stdlib.h>

#include "support/memory.h"

FILE *text_stream_open(struct text_stream *stream, struct text *text)
{
	*stream = (struct text_stream){.text = text};
	stream->file = open_memstream(&stream->bytes, &stream->size);
	if (!stream->file) {
		memory_exhausted();
	}
	return stream->file;
}

void text_stream_close(struct text_stream *stream)
{
	if (fclose(stream->file) != 0) {
		memory_exhausted();
	}
	text_add_bytes(stream->text, stream->bytes, stream->size);
	free(stream->bytes);
	*stream = (struct text_stream){.text = stream->text};
}
