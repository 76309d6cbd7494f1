/* How the processors sleep, and what it takes to wake them. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attribute.h"
#include "power_parts.h"
#include "support/file.h"
#include "support/memory.h"

#define PROCESSORS "/sys/devices/system/cpu"
#define CPUIDLE PROCESSORS "/cpuidle"

/** What the kernel says where nobody asked for less: 2000 seconds. */
#define LATENCY_NO_LIMIT_US 2000000000

/** "cpu12" but not "cpufreq"; of those that are switched off what they tell is old. */
static bool is_online(const char *root, const char *name)
{
	char *online;
	unsigned number;
	bool is_off;

	if (sscanf(name, "cpu%u", &number) != 1) {
		return false;
	}
	online = file_read_line(root, PROCESSORS "/%s/online", name); /* the first one has none */
	is_off = online != NULL && strcmp(online, "0") == 0;
	free(online);
	return !is_off;
}

/** Nobody, or the kernel itself, may enter the state there. */
static bool is_disabled_on(const char *root, const char *processor, size_t state)
{
	return attribute_quantity(root, PROCESSORS "/%s/cpuidle/state%zu/disable", processor, state) > 0;
}

/** The states of one processor, in the kernel's order. */
static void add_states(struct power *power, const char *root, const char *processor)
{
	char *name;

	while ((name = attribute_read(root, PROCESSORS "/%s/cpuidle/state%zu/name", processor, power->idle_state_count)) !=
		   NULL) {
		size_t i = power->idle_state_count++;

		power->idle_states = xrealloc(power->idle_states, (i + 1) * sizeof(*power->idle_states));
		power->idle_states[i] = (struct idle_state){
			.name = name,
			.exit_latency_us = attribute_quantity(root, PROCESSORS "/%s/cpuidle/state%zu/latency", processor, i),
			.is_disabled = is_disabled_on(root, processor, i),
		};
	}
}

/** States that another processor still enters are not disabled. */
static void enable_states(struct power *power, const char *root, const char *processor)
{
	for (size_t i = 0; i < power->idle_state_count; i++) {
		struct idle_state *state = &power->idle_states[i];

		state->is_disabled = state->is_disabled && is_disabled_on(root, processor, i);
	}
}

static void find_states(struct power *power, const char *root)
{
	char **processors = file_names(root, PROCESSORS);

	for (size_t i = 0; processors[i] != NULL; i++) {
		if (!is_online(root, processors[i])) {
			continue;
		}
		if (power->idle_state_count == 0) {
			add_states(power, root, processors[i]);
		} else {
			enable_states(power, root, processors[i]);
		}
	}
	file_names_free(processors);
}

/**
 * A device that answers with a native number. Opening it asks the kernel for nothing: only what is written does. A
 * captured machine has a file in its place.
 */
static double latency_limit_us(const char *root)
{
	char *path = xasprintf("%s/dev/cpu_dma_latency", root);
	int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	double limit_us = (double)NAN;
	struct stat status;
	int32_t number;

	free(path);
	if (file < 0 || fstat(file, &status) != 0) {
		file_close(&file);
		return limit_us;
	}
	if ((S_ISCHR(status.st_mode) || (root[0] != '\0' && S_ISREG(status.st_mode) && status.st_size == sizeof(number))) &&
		read(file, &number, sizeof(number)) == sizeof(number) && number >= 0) {
		limit_us = number >= LATENCY_NO_LIMIT_US ? HUGE_VAL : number;
	}
	file_close(&file);
	return limit_us;
}

void power_find_idle(struct power *power, const char *root)
{
	power->idle_driver = attribute_read(root, CPUIDLE "/current_driver");
	power->idle_governor = attribute_read(root, CPUIDLE "/current_governor");
	if (power->idle_governor == NULL) { /* old kernels do not let it be changed */
		power->idle_governor = attribute_read(root, CPUIDLE "/current_governor_ro");
	}
	power->intel_max_cstate = attribute_read(root, "/sys/module/intel_idle/parameters/max_cstate");
	power->processor_max_cstate = attribute_read(root, "/sys/module/processor/parameters/max_cstate");
	power->latency_limit_us = latency_limit_us(root);
	find_states(power, root);
}
