#include "numbers.h"

#include <stdlib.h>
#include <string.h>

#include "support/text.h"

enum { NAMED_FIELDS = 4 };

size_t numbers_take(const char *text, uint64_t *numbers, size_t limit)
{
	size_t count = 0;

	while (count < limit) {
		char *end = NULL;
		unsigned long long number = strtoull(text, &end, 10);

		if (end == text) {
			break;
		}
		numbers[count++] = number;
		text = end;
	}
	return count;
}

const char *numbers_find(const char *text, const char *name)
{
	const char *line = text;

	while (line && !text_starts_with(line, name)) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return line ? line + strlen(name) : NULL;
}

bool numbers_named(const char *text, const char *name, unsigned skipped_fields, uint64_t *value)
{
	const char *behind = numbers_find(text, name);
	uint64_t numbers[NAMED_FIELDS] = {0};

	if (!behind || skipped_fields >= NAMED_FIELDS ||
		numbers_take(behind, numbers, skipped_fields + 1) <= skipped_fields) {
		return false;
	}
	*value = numbers[skipped_fields];
	return true;
}
