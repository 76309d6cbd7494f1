/* How the machine saves power. Only what stays the same from run to run: saved runs are compared by it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "environment_parts.h"
#include "support/memory.h"
#include "support/text.h"

static void add_states(struct environment *environment, const struct power *power)
{
	struct text list = TEXT_EMPTY;

	for (size_t i = 0; i < power->idle_state_count; i++) {
		const struct idle_state *state = &power->idle_states[i];

		text_addf(&list, "%s%s", i > 0 ? ", " : "", state->name);
		if (!isnan(state->exit_latency_us)) {
			text_addf(&list, " %.0f us", state->exit_latency_us);
		}
		text_add(&list, state->is_disabled ? " (disabled)" : "");
	}
	environment_add(environment, "idle_states", NULL, "idle states", text_string(&list));
	text_release(&list);
}

/** The deepest states that the kernel was told to allow; without such an argument the drivers' own limits stand there.
 */
static void add_max_cstate(struct environment *environment, const struct power *power)
{
	const struct {
		const char *argument;
		const char *driver;
		const char *value;
	} limits[] = {
		{"intel_idle.max_cstate=", "intel_idle", power->intel_max_cstate},
		{"processor.max_cstate=", "processor", power->processor_max_cstate},
	};
	struct text list = TEXT_EMPTY;

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		const char *argument = power->command_line != NULL ? strstr(power->command_line, limits[i].argument) : NULL;

		if (argument != NULL && (argument == power->command_line || argument[-1] == ' ') && limits[i].value != NULL) {
			text_addf(&list, "%s%s %s", list.length > 0 ? ", " : "", limits[i].driver, limits[i].value);
		}
	}
	environment_add(environment, "max_cstate", NULL, "idle states at most", text_string(&list));
	text_release(&list);
}

/** "100000 us"; NULL where it is unknown. */
static char *describe_limit(double limit_us)
{
	if (isnan(limit_us)) {
		return NULL;
	}
	return isinf(limit_us) ? xstrdup("none") : xasprintf("%.0f us", limit_us);
}

void environment_add_power(struct environment *environment, const struct power *power)
{
	environment_add(environment, "governor", NULL, "governor", power->governor);
	environment_add(environment, "frequency_driver", NULL, "frequency driver", power->driver);
	environment_add(environment, "energy_preference", NULL, "energy preference", power->preference);
	environment_add(environment, "turbo", NULL, "turbo", power->turbo);
	environment_add(environment, "idle_driver", NULL, "idle driver", power->idle_driver);
	add_states(environment, power);
	add_max_cstate(environment, power);
	/* That there is none only root gets to know: saved runs of root and of others would seem to differ. */
	if (isfinite(power->latency_limit_us)) {
		environment_add_owned(
			environment, "latency_limit", NULL, "wake-up latency limit", describe_limit(power->latency_limit_us));
	}
	environment_add(environment, "aspm_policy", NULL, "PCIe ASPM policy", power->aspm_policy);
	for (size_t i = 0; i < power->nvme_count; i++) {
		const struct nvme_power *nvme = &power->nvmes[i];

		environment_add_owned(
			environment, "nvme_latency", nvme->name, "NVMe latency limit", describe_limit(nvme->latency_tolerance_us));
	}
}
