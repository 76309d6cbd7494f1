/* What the firmware may do to save power, whatever the kernel asks for. */
#include <math.h>
#include <string.h>

#include "examination.h"

/* Processors that run slower than this share of their base frequency, though asked for all, are held back. */
#define HELD_BACK 0.95

bool firmware_is_dell(const struct power *power)
{
	return power->product && strstr(power->product, "PowerEdge") != NULL;
}

/* Slow with the governor "performance", held by us or set before. */
static bool is_held_back(const struct examination *examination)
{
	const struct power *power = &examination->report->power;
	const unsigned ways[] = {POWER_HOLD_IDLE | POWER_HOLD_GOVERNOR, POWER_HOLD_GOVERNOR, 0};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct power_seen seen;
		bool performs =
			(ways[i] & POWER_HOLD_GOVERNOR) || (power->policies > 0 && power->performing == power->policies);

		examination_watch_power(examination, ways[i], &seen);
		if (performs && seen.frequency_hz < HELD_BACK * power->frequency_base_hz) {
			return true;
		}
	}
	return false;
}

enum firmware_hint firmware_find(const struct examination *examination)
{
	const struct power *power = &examination->report->power;
	bool clocks = power->policies == 0 || (power->driver && strcmp(power->driver, "pcc-cpufreq") == 0);

	if (power->is_virtual || !examination->report->experiment.wanted) {
		return FIRMWARE_QUIET;
	}
	if (firmware_is_dell(power) && (examination->proven != 0 || clocks || is_held_back(examination))) {
		return FIRMWARE_PROFILE;
	}
	if (is_held_back(examination)) {
		return FIRMWARE_HOLDS_BACK;
	}
	return clocks ? FIRMWARE_CLOCKS : FIRMWARE_QUIET;
}
