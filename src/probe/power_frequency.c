/* How the processors are clocked: for one slow request that waits for every answer it decides more than the disk. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attribute.h"
#include "power_parts.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

#define CPUFREQ "/sys/devices/system/cpu/cpufreq"
#define HZ_PER_KHZ 1e3
#define HZ_PER_MHZ 1e6
#define HZ_PER_GHZ 1e9

/** Different words in use for one setting; a machine has a handful. */
enum { WORDS_MAX = 8 };

/** How often each word was seen. */
struct tally {
	char *words[WORDS_MAX]; /* owned */
	unsigned counts[WORDS_MAX];
	size_t kinds;
	unsigned all;
};

/** Takes the word over; NULL is none. */
static void tally_add(struct tally *tally, char *word)
{
	size_t kind = 0;

	while (word != NULL && kind < tally->kinds && strcmp(tally->words[kind], word) != 0) {
		kind++;
	}
	if (word == NULL || kind == WORDS_MAX) {
		free(word);
		return;
	}
	if (kind == tally->kinds) {
		tally->words[tally->kinds++] = word;
	} else {
		free(word);
	}
	tally->counts[kind]++;
	tally->all++;
}

/** "performance", or "performance (4 of 8), powersave (4 of 8)"; NULL where there is none. The tally is empty then. */
static char *tally_finish(struct tally *tally)
{
	struct text text = TEXT_EMPTY;

	for (size_t i = 0; i < tally->kinds; i++) {
		if (tally->kinds == 1) {
			text_add(&text, tally->words[i]);
		} else {
			text_addf(&text, "%s%s (%u of %u)", i > 0 ? ", " : "", tally->words[i], tally->counts[i], tally->all);
		}
		free(tally->words[i]);
	}
	*tally = (struct tally){0};
	return text.length > 0 ? text_detach(&text) : NULL;
}

static bool is_performing(const char *governor)
{
	return strcmp(governor, "performance") == 0;
}

/** What a policy of the kernel tells, added to what others told. */
static void add_policy(
	struct power *power, const char *root, const char *folder, struct tally *governors, struct tally *preferences)
{
	char *governor = attribute_read(root, "%s/scaling_governor", folder);

	if (governor != NULL) {
		power->policies++;
		power->performing += is_performing(governor);
	}
	if (power->driver == NULL) {
		power->driver = attribute_read(root, "%s/scaling_driver", folder);
	}
	tally_add(governors, governor);
	tally_add(preferences, attribute_read(root, "%s/energy_performance_preference", folder));
	/* fmin and fmax pass over what is unknown. */
	power->frequency_min_hz =
		fmin(power->frequency_min_hz, attribute_quantity(root, "%s/cpuinfo_min_freq", folder) * HZ_PER_KHZ);
	power->frequency_max_hz =
		fmax(power->frequency_max_hz, attribute_quantity(root, "%s/cpuinfo_max_freq", folder) * HZ_PER_KHZ);
	power->frequency_base_hz =
		fmax(power->frequency_base_hz, attribute_quantity(root, "%s/base_frequency", folder) * HZ_PER_KHZ);
}

/** The frequency that Intel puts into the name: "@ 2.50GHz"; NAN where it is not there. */
static double named_frequency_hz(const char *processor)
{
	const char *at = processor != NULL ? strstr(processor, "@ ") : NULL;
	char *end = NULL;
	double number = at != NULL ? strtod(at + strlen("@ "), &end) : 0;

	if (!(number > 0) || end == NULL) {
		return (double)NAN;
	}
	if (text_starts_with(end, "GHz")) {
		return number * HZ_PER_GHZ;
	}
	return text_starts_with(end, "MHz") ? number * HZ_PER_MHZ : (double)NAN;
}

/** Of all places that may name it the one that is surest. The firmware's limit is it unless the machine is too hot. */
static double base_frequency_hz(const struct power *power, const char *root)
{
	const double known[] = {
		power->frequency_base_hz,
		named_frequency_hz(power->processor),
		attribute_quantity(root, "/sys/devices/system/cpu/cpu0/acpi_cppc/nominal_freq") * HZ_PER_MHZ,
		attribute_quantity(root, CPUFREQ "/policy0/bios_limit") * HZ_PER_KHZ,
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i] > 0) {
			return known[i];
		}
	}
	return (double)NAN;
}

static char *turbo_find(const char *root)
{
	double no_turbo = attribute_quantity(root, "/sys/devices/system/cpu/intel_pstate/no_turbo");
	double boost = attribute_quantity(root, CPUFREQ "/boost");

	if (!isnan(no_turbo)) {
		return xstrdup(no_turbo > 0 ? "off" : "on");
	}
	return isnan(boost) ? NULL : xstrdup(boost > 0 ? "on" : "off");
}

unsigned power_count_performing(const char *root)
{
	char **policies = file_names(root, CPUFREQ);
	unsigned count = 0;

	for (size_t i = 0; policies[i] != NULL; i++) {
		char *governor = text_starts_with(policies[i], "policy")
							 ? attribute_read(root, CPUFREQ "/%s/scaling_governor", policies[i])
							 : NULL;

		count += governor != NULL && is_performing(governor);
		free(governor);
	}
	file_names_free(policies);
	return count;
}

void power_find_frequency(struct power *power, const char *root)
{
	char **policies = file_names(root, CPUFREQ);
	struct tally governors = {0};
	struct tally preferences = {0};

	for (size_t i = 0; policies[i] != NULL; i++) {
		if (text_starts_with(policies[i], "policy")) {
			char *folder = xasprintf(CPUFREQ "/%s", policies[i]);

			add_policy(power, root, folder, &governors, &preferences);
			free(folder);
		}
	}
	file_names_free(policies);
	power->governor = tally_finish(&governors);
	power->preference = tally_finish(&preferences);
	power->frequency_base_hz = base_frequency_hz(power, root);
	power->turbo = turbo_find(root);
}
