#include "compare_parts.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

void things_add(struct things *things, const char *name, const char *detail, size_t record, size_t index)
{
	if (things->count == things->capacity) {
		things->capacity = things->capacity > 0 ? things->capacity * 2 : 64;
		things->list = xrealloc(things->list, things->capacity * sizeof(*things->list));
	}
	things->list[things->count++] =
		(struct thing){.name = name, .detail = detail ? detail : "", .record = record, .index = index};
}

static int compare_numbers(size_t first, size_t second)
{
	return (first > second) - (first < second);
}

static int compare_places(const struct thing *first, const struct thing *second)
{
	int order = compare_numbers(first->record, second->record);

	return order != 0 ? order : compare_numbers(first->index, second->index);
}

static int compare_names(const struct thing *first, const struct thing *second)
{
	int order = strcmp(first->name, second->name);

	return order != 0 ? order : strcmp(first->detail, second->detail);
}

static int compare_things(const void *first, const void *second)
{
	int order = compare_names(first, second);

	return order != 0 ? order : compare_places(first, second);
}

void things_sort(struct things *things)
{
	if (things->count > 1) {
		qsort(things->list, things->count, sizeof(*things->list), compare_things);
	}
}

size_t things_name_end(const struct things *things, size_t begin)
{
	size_t end = begin;

	while (end < things->count && strcmp(things->list[end].name, things->list[begin].name) == 0) {
		end++;
	}
	return end;
}

/* A match with the thing that decides where it stands. */
struct placed_match {
	struct thing first;
	struct match match;
};

static int compare_matches(const void *first, const void *second)
{
	const struct placed_match *a = first, *b = second;

	return compare_places(&a->first, &b->first);
}

struct match *things_match(struct things *things, size_t *count)
{
	struct placed_match *placed = xmalloc(things->count * sizeof(*placed));
	struct match *matches;

	*count = 0;
	things_sort(things);
	for (size_t begin = 0, end; begin < things->count; begin = end) {
		end = begin + 1;
		while (end < things->count && compare_names(&things->list[begin], &things->list[end]) == 0) {
			end++;
		}
		placed[(*count)++] = (struct placed_match){.first = things->list[begin], .match = {begin, end}};
	}
	if (*count > 1) {
		qsort(placed, *count, sizeof(*placed), compare_matches);
	}
	matches = xmalloc(*count * sizeof(*matches));
	for (size_t i = 0; i < *count; i++) {
		matches[i] = placed[i].match;
	}
	free(placed);
	return matches;
}

void things_release(struct things *things)
{
	free(things->list);
	*things = (struct things){0};
}
