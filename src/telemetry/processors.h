/** How busy the processors are that this process may use. Private to telemetry/. */
#ifndef TELEMETRY_PROCESSORS_H
#define TELEMETRY_PROCESSORS_H

#include <stdbool.h>
#include <stdint.h>

/** Since the machine started, in ticks of sysconf(_SC_CLK_TCK), added up over the processors. Work that is nice, as we
 *  are not, is not busy. */
struct processor_counters {
	uint32_t count;
	uint64_t busy_ticks;
	uint64_t all_ticks;
};

/** Read them. False where /proc/stat tells nothing of these processors. */
bool processors_take(struct processor_counters *counters, const char *root);

/**
 * For how long CPU quotas of our control group and those above it kept it from running, added up over the processors.
 * False where there is no quota.
 */
bool quota_take(uint64_t *throttled_us, const char *root);

#endif
