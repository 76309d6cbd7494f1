/** What the processors did while commits were measured: how fast they ran, and how deep they slept in between. */
#ifndef TELEMETRY_POWER_READING_H
#define TELEMETRY_POWER_READING_H

#include <stdint.h>
#include <sys/types.h>

/** More idle states than this are not looked at; machines have up to ten. */
enum { POWER_IDLE_STATES_MAX = 16 };

/**
 * Of the processors that the load was seen on. Holds no pointer: it travels from the keeper as it is. States are
 * numbered as in /sys/devices/system/cpu/cpuN/cpuidle.
 */
struct power_reading {
	uint32_t frequency_samples; /* 0: unknown */
	uint32_t processors_seen;   /* how many different ones */
	uint64_t frequency_sum_khz; /* over the samples: of the processor that the busiest thread was on just then */
	uint64_t frequency_least_khz;
	uint64_t frequency_most_khz;
	uint32_t idle_states; /* 0: unknown, or the machine has none */
	uint32_t unused;      /* keeps the lengths aligned */
	uint64_t elapsed_us;  /* from before the run to after it, times the processors seen */
	uint64_t idle_time_us[POWER_IDLE_STATES_MAX];
	uint64_t idle_entries[POWER_IDLE_STATES_MAX];
};

/** Watches one run. */
struct power_sampler;

/** Begin before a run; reads each processor's idle states, through `root`. */
struct power_sampler *power_sampler_begin(const char *root);
/** Look where the busiest thread of process `pid` is and how fast that processor runs; a few times a second at most. */
void power_sampler_tick(struct power_sampler *sampler, pid_t pid);
/** The run has ended: what came of it. Frees the sampler; NULL is fine and leaves `reading` all 0. */
void power_sampler_end(struct power_sampler *sampler, struct power_reading *reading);

#endif
