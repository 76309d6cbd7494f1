#include "support/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cleanup.h"
#include "support/failure.h"

/* The one place where the program ends without going back to main: nothing can be said or done with no memory. */
_Noreturn void memory_exhausted(void)
{
	static const char sentence[] = "speedtest-hd: out of memory\n";

	cleanup_run();
	if (write(STDERR_FILENO, sentence, sizeof(sentence) - 1) < 0) {
		/* nothing left to tell it to */
	}
	_exit(STATUS_FAILED);
}

void *xmalloc(size_t size)
{
	void *pointer = malloc(size > 0 ? size : 1);

	if (!pointer) {
		memory_exhausted();
	}
	return pointer;
}

void *xcalloc(size_t count, size_t size)
{
	void *pointer = calloc(count > 0 ? count : 1, size > 0 ? size : 1);

	if (!pointer) {
		memory_exhausted();
	}
	return pointer;
}

void *xrealloc(void *pointer, size_t size)
{
	void *moved = realloc(pointer, size > 0 ? size : 1);

	if (!moved) {
		memory_exhausted();
	}
	return moved;
}

char *xstrdup(const char *string)
{
	return string ? xstrndup(string, strlen(string)) : NULL;
}

char *xstrndup(const char *string, size_t size)
{
	size_t length = strnlen(string, size);
	char *copy = xmalloc(length + 1);

	memcpy(copy, string, length);
	copy[length] = '\0';
	return copy;
}

char *xasprintf(const char *format, ...)
{
	char *formatted = NULL;
	va_list arguments;

	va_start(arguments, format);
	int length = vasprintf(&formatted, format, arguments);
	va_end(arguments);
	if (length < 0) {
		memory_exhausted();
	}
	return formatted;
}
