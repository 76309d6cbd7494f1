#include "cpuinfo.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** What the processor's name is called, by architecture. */
static const char *const model_keys[] = {"model name", "cpu model", "cpu", "uarch", "Model", "Hardware"};

char *cpuinfo_value(const char *content, const char *key)
{
	for (const char *line = content; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
		const char *rest;

		line += *line == '\n';
		if (!text_starts_with(line, key)) {
			continue;
		}
		rest = line + strlen(key);
		rest += strspn(rest, " \t");
		if (*rest == ':') {
			rest += 1 + strspn(rest + 1, " \t");
			return xstrndup(rest, strcspn(rest, "\n"));
		}
	}
	return NULL;
}

char *cpuinfo_model(const char *content)
{
	char *model = NULL;

	for (size_t i = 0; model == NULL && i < COUNT(model_keys); i++) {
		model = cpuinfo_value(content, model_keys[i]);
	}
	return model;
}

unsigned long cpuinfo_count(const char *content)
{
	unsigned long count = text_starts_with(content, "processor\t");

	for (const char *entry = strstr(content, "\nprocessor\t"); entry != NULL;
		 entry = strstr(entry + 1, "\nprocessor\t")) {
		count++;
	}
	return count;
}

/** Whether a list separated by blanks holds the word. */
static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *found = strstr(list, word); found != NULL; found = strstr(found + 1, word)) {
		if ((found == list || found[-1] == ' ') && (found[length] == ' ' || found[length] == '\0')) {
			return true;
		}
	}
	return false;
}

bool cpuinfo_is_virtual(const char *content)
{
	char *flags = cpuinfo_value(content, "flags");
	bool is_virtual = flags != NULL && has_word(flags, "hypervisor");

	free(flags);
	return is_virtual;
}
