#include "places.h"

#include <stdlib.h>

#include "support/memory.h"

/* What one visit keeps for each test. */
struct visit {
	size_t *next; /* where its next finding goes; NULL while they are counted */
	size_t *told; /* 1 + the finding that was seen last; 0 for none */
};

/* Go through all places: count those of each test, or write down whose they are. */
static void visit_all(struct places *places, const struct visit *visit)
{
	const struct record *record = places->record;

	for (size_t i = 0; i < record->finding_count; i++) {
		for (size_t j = 0; j < record->findings[i].place_count; j++) {
			size_t test = record->findings[i].places[j].test;

			if (test >= record->test_count || visit->told[test] == i + 1) {
				continue;
			}
			visit->told[test] = i + 1;
			if (visit->next) {
				places->findings[visit->next[test]++] = i;
			} else {
				places->begin[test + 1]++;
			}
		}
	}
}

void places_init(struct places *places, const struct record *record)
{
	size_t tests = record->test_count;
	struct visit count = {.told = xcalloc(tests + 1, sizeof(size_t))};
	struct visit write = {.next = xcalloc(tests + 1, sizeof(size_t)), .told = xcalloc(tests + 1, sizeof(size_t))};

	*places = (struct places){.record = record, .begin = xcalloc(tests + 1, sizeof(size_t))};
	visit_all(places, &count);
	for (size_t i = 0; i < tests; i++) {
		places->begin[i + 1] += places->begin[i];
		write.next[i] = places->begin[i];
	}
	places->findings = xcalloc(places->begin[tests] + 1, sizeof(size_t));
	visit_all(places, &write);
	free(count.told);
	free(write.next);
	free(write.told);
}

void places_release(struct places *places)
{
	free(places->begin);
	free(places->findings);
	*places = (struct places){0};
}
