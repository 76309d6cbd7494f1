/* How links and NVMe controllers save power. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attribute.h"
#include "power_parts.h"
#include "probe/node.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

/** "nvme0", a controller; neither "nvme0n1" nor "nvme-subsys0". */
static bool is_controller(const char *name)
{
	const char *number = name + strlen("nvme");

	return text_starts_with(name, "nvme") && *number != '\0' && strspn(number, "0123456789") == strlen(number);
}

static bool is_listed(const struct power *power, const char *name)
{
	bool found = false;

	for (size_t i = 0; !found && i < power->nvme_count; i++) {
		found = strcmp(power->nvmes[i].name, name) == 0;
	}
	return found;
}

/** For how long the controller may sleep in states of its own; without a limit in both of the kernel's words. */
static double latency_tolerance_us(const char *root, const char *folder)
{
	char *line = attribute_read(root, "%s/power/pm_qos_latency_tolerance_us", folder);
	bool is_free = line != NULL && (strcmp(line, "auto") == 0 || strcmp(line, "any") == 0);

	free(line);
	return is_free ? HUGE_VAL : attribute_quantity(root, "%s/power/pm_qos_latency_tolerance_us", folder);
}

static void add_controller(struct power *power, const char *root, const char *folder, const char *name)
{
	double sleeps = attribute_quantity(root, "%s/device/link/l1_aspm", folder);

	if (is_listed(power, name)) {
		return;
	}
	power->nvmes = xrealloc(power->nvmes, (power->nvme_count + 1) * sizeof(*power->nvmes));
	power->nvmes[power->nvme_count++] = (struct nvme_power){
		.name = xstrdup(name),
		.latency_tolerance_us = latency_tolerance_us(root, folder),
		.link_state = isnan(sleeps) ? NULL : xstrdup(sleeps > 0 ? "L1" : "off"),
	};
}

/** The controller of the disk in `folder`, or all of them where it may be reached by several ways. */
static void add_controllers(struct power *power, const char *root, const char *folder)
{
	char *device = xasprintf("%s/device", folder);
	char *link = file_read_link(root, "%s", device);
	const char *slash = link != NULL ? strrchr(link, '/') : NULL;
	const char *name = slash != NULL ? slash + 1 : link;
	char **entries = file_names(root, "%s", device);

	if (name != NULL && is_controller(name)) {
		add_controller(power, root, device, name);
	} else {
		for (size_t i = 0; entries[i] != NULL; i++) {
			if (is_controller(entries[i])) {
				char *controller = xasprintf("%s/%s", device, entries[i]);

				add_controller(power, root, controller, entries[i]);
				free(controller);
			}
		}
	}
	file_names_free(entries);
	free(link);
	free(device);
}

void power_find_devices(struct power *power, const char *root, const struct storage *storage)
{
	char *policy = attribute_read(root, "/sys/module/pcie_aspm/parameters/policy");

	power->aspm_policy = attribute_chosen(policy);
	free(policy);
	power->nvme_max_latency_us = attribute_quantity(root, "/sys/module/nvme_core/parameters/default_ps_max_latency_us");
	for (size_t i = 0; i < storage->device_count; i++) {
		const struct storage_device *device = &storage->devices[i];
		struct node node;

		if ((device->roles & (1U << STORAGE_DISK)) == 0 ||
			!node_open_number(&node, root, device->major, device->minor)) {
			continue;
		}
		if (text_starts_with(node.name, "nvme")) {
			add_controllers(power, root, node.folder);
		}
		node_release(&node);
	}
}
