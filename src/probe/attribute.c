#include "attribute.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

static __attribute__((format(printf, 2, 0))) char *read_line(const char *root, const char *format, va_list arguments)
{
	struct text path = TEXT_EMPTY;
	char *line;

	text_vaddf(&path, format, arguments);
	line = file_read_line(root, "%s", text_string(&path));
	text_release(&path);
	if (line != NULL && line[0] == '\0') {
		free(line);
		line = NULL;
	}
	return line;
}

char *attribute_read(const char *root, const char *format, ...)
{
	va_list arguments;
	char *line;

	va_start(arguments, format);
	line = read_line(root, format, arguments);
	va_end(arguments);
	return line;
}

double attribute_quantity(const char *root, const char *format, ...)
{
	double number = (double)NAN;
	va_list arguments;
	char *line;

	va_start(arguments, format);
	line = read_line(root, format, arguments);
	va_end(arguments);
	/* Digits alone: neither "0x10" nor "nan". */
	if (line != NULL && strspn(line, "0123456789") == strlen(line)) {
		number = strtod(line, NULL);
	}
	free(line);
	return number;
}

char *attribute_chosen(const char *line)
{
	const char *open = line != NULL ? strchr(line, '[') : NULL;
	const char *close = open != NULL ? strchr(open, ']') : NULL;

	return close != NULL ? xstrndup(open + 1, (size_t)(close - open) - 1) : xstrdup(line);
}
