/** Standard input, output and error: open, and written to the end. */
#ifndef SUPPORT_STANDARD_STREAMS_H
#define SUPPORT_STANDARD_STREAMS_H

#include <stdbool.h>

#include "support/failure.h"
#include "support/text.h"

/** Open those that are closed: else they would be taken by the next file that is opened. Gives stdout its buffer. */
void standard_streams_open(void);
/** Flush stdout. Whoever does not want to read any more (EPIPE) is right; a full disk is a failure (STATUS_FAILED). */
bool standard_output_flush(struct failure *failure);
/** Write all of the text to stdout, and empty it; the same. */
bool standard_output_put(struct text *text, struct failure *failure);

#endif
