/* How the processors are clocked: for one slow request that waits for every answer it decides more than the disk. */
#include <stdlib.h>
#include <string.h>

#include "environment_parts.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

/* Governors in use; a machine has a handful. */
enum { GOVERNORS_MAX = 8 };

struct tally {
	char *names[GOVERNORS_MAX]; /* owned */
	size_t counts[GOVERNORS_MAX];
	size_t kinds;
	size_t policies;
};

/* Takes the name over. */
static void count_governor(struct tally *tally, char *name)
{
	size_t kind = 0;

	while (kind < tally->kinds && strcmp(tally->names[kind], name) != 0) {
		kind++;
	}
	if (kind == tally->kinds && kind < GOVERNORS_MAX) {
		tally->names[tally->kinds++] = xstrdup(name);
	}
	if (kind < GOVERNORS_MAX) {
		tally->counts[kind]++;
		tally->policies++;
	}
	free(name);
}

/* "performance", or "performance (4 of 8), powersave (4 of 8)". The caller frees it; NULL where there is none. */
static char *describe(const struct tally *tally)
{
	struct text text = TEXT_EMPTY;

	if (tally->kinds <= 1) {
		return xstrdup(tally->names[0]);
	}
	for (size_t i = 0; i < tally->kinds; i++) {
		text_addf(&text, "%s%s (%zu of %zu)", i > 0 ? ", " : "", tally->names[i], tally->counts[i], tally->policies);
	}
	return text_detach(&text);
}

void environment_add_governor(struct environment *environment, const char *root)
{
	static const char folder[] = "/sys/devices/system/cpu/cpufreq";
	char **policies = file_names(root, "%s", folder);
	struct tally tally = {0};

	for (size_t i = 0; policies[i]; i++) {
		char *governor = text_starts_with(policies[i], "policy")
							 ? file_read_line(root, "%s/%s/scaling_governor", folder, policies[i])
							 : NULL;

		if (governor && *governor) {
			count_governor(&tally, governor);
		} else {
			free(governor);
		}
	}
	environment_add_owned(environment, "governor", NULL, "governor", describe(&tally));
	for (size_t i = 0; i < tally.kinds; i++) {
		free(tally.names[i]);
	}
	file_names_free(policies);
}
