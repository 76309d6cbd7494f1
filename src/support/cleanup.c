#include "support/cleanup.h"

#include <stddef.h>

enum { CLEANUP_MAX = 8 };

static struct {
	void (*undo)(void *context);
	void *context;
} registry[CLEANUP_MAX];
static size_t registry_count;

void cleanup_register(void (*undo)(void *context), void *context)
{
	if (registry_count < CLEANUP_MAX) {
		registry[registry_count].undo = undo;
		registry[registry_count].context = context;
		registry_count++;
	}
}

void cleanup_forget(void (*undo)(void *context), void *context)
{
	for (size_t i = 0; i < registry_count; i++) {
		if (registry[i].undo == undo && registry[i].context == context) {
			for (size_t j = i + 1; j < registry_count; j++) {
				registry[j - 1] = registry[j];
			}
			registry_count--;
			return;
		}
	}
}

void cleanup_run(void)
{
	while (registry_count > 0) {
		registry_count--; /* first, so that an undo that fails again does not come back here */
		registry[registry_count].undo(registry[registry_count].context);
	}
}
