#include "probe/power.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attribute.h"
#include "cpuinfo.h"
#include "power_parts.h"
#include "probe/host.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

static void find_machine(struct power *power, const char *root)
{
	struct text cpuinfo = TEXT_EMPTY;

	file_read(&cpuinfo, root, "/proc/cpuinfo");
	power->processor = cpuinfo_model(text_string(&cpuinfo));
	power->vendor = cpuinfo_value(text_string(&cpuinfo), "vendor_id");
	power->command_line = attribute_read(root, "/proc/cmdline");
	power->product = host_machine(root);
	/* Only some processors have a flag that tells. */
	power->is_virtual = cpuinfo_is_virtual(text_string(&cpuinfo)) || host_machine_is_virtual(power->product);
	if (power->product[0] == '\0') {
		free(power->product);
		power->product = NULL;
	}
	text_release(&cpuinfo);
}

static bool exists(const char *root, const char *path)
{
	char *whole = xasprintf("%s%s", root, path);
	bool is_there = access(whole, F_OK) == 0;

	free(whole);
	return is_there;
}

void power_find(struct power *power, const char *root, const struct storage *storage)
{
	*power = (struct power){
		.frequency_min_hz = (double)NAN,
		.frequency_base_hz = (double)NAN,
		.frequency_max_hz = (double)NAN,
		.latency_limit_us = (double)NAN,
		.nvme_max_latency_us = (double)NAN,
	};
	power->is_hidden = !exists(root, "/sys/devices/system/cpu");
	find_machine(power, root);
	power_find_frequency(power, root);
	power_find_idle(power, root);
	power_find_devices(power, root, storage);
	power->system = system_kind_find(root);
}

void power_release(struct power *power)
{
	char *const strings[] = {power->driver, power->governor, power->preference, power->turbo, power->idle_driver,
		power->idle_governor, power->intel_max_cstate, power->processor_max_cstate, power->aspm_policy,
		power->command_line, power->processor, power->vendor, power->product};

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		free(strings[i]);
	}
	for (size_t i = 0; i < power->idle_state_count; i++) {
		free(power->idle_states[i].name);
	}
	for (size_t i = 0; i < power->nvme_count; i++) {
		free(power->nvmes[i].name);
		free(power->nvmes[i].link_state);
	}
	free(power->idle_states);
	free(power->nvmes);
	*power = (struct power){0};
}

const struct idle_state *power_deepest_idle(const struct power *power)
{
	const struct idle_state *deepest = NULL;

	/* States beyond max_cstate need no look: the kernel has left them out of the list. */
	for (size_t i = 0; i < power->idle_state_count; i++) {
		const struct idle_state *state = &power->idle_states[i];
		bool is_allowed = isnan(power->latency_limit_us) || state->exit_latency_us <= power->latency_limit_us;

		if (!state->is_disabled && state->exit_latency_us > 0 && is_allowed) {
			deepest = state;
		}
	}
	return deepest;
}

static bool says(const char *root, const char *path, const char *word)
{
	struct text content = TEXT_EMPTY;
	bool found = file_read(&content, root, "%s", path) && strstr(text_string(&content), word) != NULL;

	text_release(&content);
	return found;
}

/**
 * Its /etc/version holds "25.10.0" or so and nothing more, as that of others may; its /etc/os-release is Debian's. What
 * it alone has is its middleware.
 */
static bool is_truenas(const char *root)
{
	static const char version[] = "/etc/version";

	return exists(root, version) && (exists(root, "/usr/bin/midclt") || exists(root, "/usr/share/truenas") ||
										says(root, version, "TrueNAS") || says(root, "/etc/os-release", "TrueNAS"));
}

enum system_kind system_kind_find(const char *root)
{
	if (is_truenas(root)) {
		return SYSTEM_TRUENAS;
	}
	return exists(root, "/etc/pve") || exists(root, "/usr/bin/pveversion") ? SYSTEM_PROXMOX : SYSTEM_OTHER;
}
