#include "support/failure.h"

#include <stdarg.h>
#include <stdlib.h>

#include "support/text.h"

bool failure_set(struct failure *failure, enum status status, const char *format, ...)
{
	struct text sentence = TEXT_EMPTY;
	va_list arguments;

	/* Formatted before the old sentence goes: it may be one of the arguments. */
	va_start(arguments, format);
	text_vaddf(&sentence, format, arguments);
	va_end(arguments);
	free(failure->sentence);
	failure->status = status;
	failure->sentence = text_detach(&sentence);
	return false;
}

void failure_clear(struct failure *failure)
{
	free(failure->sentence);
	*failure = FAILURE_NONE;
}
