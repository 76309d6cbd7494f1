#include <string.h>

#include "plan/profile.h"

/* One line a profile. */
const struct profile *const profiles[] = {&profile_cdm, &profile_slog, &profile_dd, NULL};

const struct profile *profile_find(const char *key)
{
	for (size_t i = 0; profiles[i]; i++) {
		if (strcmp(profiles[i]->key, key) == 0) {
			return profiles[i];
		}
	}
	return NULL;
}
