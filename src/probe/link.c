#include "probe/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

/** The share of the line's bits that is data. */
#define CODE_8B_10B (8.0 / 10)
#define CODE_128B_130B (128.0 / 130)
#define CODE_128B_132B (128.0 / 132)
#define CODE_128B_150B (128.0 / 150)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** Makers of machines that do not exist, as the firmware names them. */
static const char *const virtual_makers[] = {
	"QEMU",
	"VMware",
	"Xen",
	"KVM",
	"innotek",
	"OpenStack",
	"Parallels",
	"Amazon EC2",
	"Google",
};

#define GIGA 1e9
#define MEGA 1e6
#define BITS_PER_BYTE 8

/** The folder without "X/..", which is how links of /sys are spelt; so its parents can be told. The caller frees it. */
static char *path_normalise(const char *folder)
{
	char *path = xstrdup(folder);
	char *up;

	while ((up = strstr(path, "/../")) != NULL) {
		char *start = up;

		while (start > path && start[-1] != '/') {
			start--;
		}
		start = start > path ? start - 1 : start;
		memmove(start, up + strlen("/.."), strlen(up + strlen("/..")) + 1);
	}
	return path;
}

/** Set `*number` to the number that the file begins with. */
static bool number_read(double *number, const char *root, const char *folder, const char *name)
{
	char *line = file_read_line(root, "%s/%s", folder, name);
	bool success = line != NULL && sscanf(line, "%lf", number) == 1 && *number > 0;

	free(line);
	return success;
}

/** Add the PCIe link of the controller in `folder`. */
static bool add_pcie(struct link_speed *link, const char *root, const char *folder)
{
	double transfers, width;

	if (!number_read(&transfers, root, folder, "device/current_link_speed") ||
		!number_read(&width, root, folder, "device/current_link_width")) {
		return false;
	}
	/* 2.5 and 5 GT/s are generations 1 and 2. */
	link->bytes_per_s += transfers * GIGA * width * (transfers <= 5 ? CODE_8B_10B : CODE_128B_130B) / BITS_PER_BYTE;
	free(link->name);
	link->name = xasprintf("PCIe %.1f GT/s x%.0f", transfers, width);
	return true;
}

/** An NVMe's controller, or all of them where it may be reached by several ways. */
static bool find_nvme(struct link_speed *link, const char *root, const char *folder)
{
	char *device = xasprintf("%s/device", folder);
	char **entries = file_names(root, "%s", device);
	unsigned controllers = 0;
	bool found = add_pcie(link, root, device);

	for (size_t i = 0; !found && entries[i] != NULL; i++) {
		unsigned number;
		char *controller = xasprintf("%s/%s", device, entries[i]);

		if (sscanf(entries[i], "nvme%u", &number) == 1) {
			controllers += add_pcie(link, root, controller);
		}
		free(controller);
	}
	if (controllers > 1) {
		char *one = link->name;

		link->name = xasprintf("%u times %s", controllers, one);
		free(one);
	}
	file_names_free(entries);
	free(device);
	return found || controllers > 0;
}

/** The lines of a port: how many there are, and what one and all carry. */
struct port_lines {
	unsigned count;
	double each_gigabits;
	double all_gigabits;
};

/** The lines are the entries of `folder` that begin with `prefix`; the speed is in "ENTRY/CLASS/ENTRY/ATTRIBUTE". */
static struct port_lines lines_find(
	const char *root, const char *folder, const char *prefix, const char *class, const char *attribute)
{
	char **entries = file_names(root, "%s", folder);
	struct port_lines lines = {0};

	for (size_t i = 0; entries[i] != NULL; i++) {
		char *name = xasprintf("%s/%s/%s/%s", entries[i], class, entries[i], attribute);

		if (text_starts_with(entries[i], prefix) && number_read(&lines.each_gigabits, root, folder, name)) {
			lines.all_gigabits += lines.each_gigabits;
			lines.count++;
		}
		free(name);
	}
	file_names_free(entries);
	return lines;
}

/** `folder` is that of the port: ".../ata1". Behind a port multiplier all disks share one line. */
static bool find_sata(struct link_speed *link, const char *root, const char *folder)
{
	struct port_lines lines = lines_find(root, folder, "link", "ata_link", "sata_spd");

	if (lines.count == 0) {
		return false;
	}
	link->bytes_per_s = lines.each_gigabits * GIGA * CODE_8B_10B / BITS_PER_BYTE;
	link->name = xasprintf("SATA %.1f Gbit/s", lines.each_gigabits);
	return true;
}

/** `folder` is that of the port, ".../port-0:1", which may be several lines wide. */
static bool find_sas(struct link_speed *link, const char *root, const char *folder)
{
	struct port_lines lines = lines_find(root, folder, "phy-", "sas_phy", "negotiated_linkrate");
	double code = lines.each_gigabits > 12 ? CODE_128B_150B : CODE_8B_10B;

	if (lines.count == 0) {
		return false;
	}
	link->bytes_per_s = lines.all_gigabits * GIGA * code / BITS_PER_BYTE;
	link->name = lines.count > 1 ? xasprintf("SAS %.1f Gbit/s x%u", lines.each_gigabits, lines.count)
								 : xasprintf("SAS %.1f Gbit/s", lines.each_gigabits);
	return true;
}

/** `folder` is that of a USB device, which alone has both files. */
static bool find_usb(struct link_speed *link, const char *root, const char *folder)
{
	double bus, megabits;
	double code = 1; /* USB 2 has no code, it stuffs bits now and then */

	if (!number_read(&bus, root, folder, "busnum") || !number_read(&megabits, root, folder, "speed")) {
		return false;
	}
	if (megabits >= 5000) {
		code = megabits < 10000 ? CODE_8B_10B : CODE_128B_132B;
	}
	link->bytes_per_s = megabits * MEGA * code / BITS_PER_BYTE;
	link->name =
		megabits >= 1000 ? xasprintf("USB %.0f Gbit/s", megabits / 1000) : xasprintf("USB %.0f Mbit/s", megabits);
	return true;
}

/** What the folder of one of the device's parents says. */
static bool find_parent(struct link_speed *link, const char *root, const char *folder)
{
	const char *name = strrchr(folder, '/') + 1;

	if (text_starts_with(name, "ata")) {
		return find_sata(link, root, folder);
	}
	if (text_starts_with(name, "port-")) {
		return find_sas(link, root, folder);
	}
	return find_usb(link, root, folder);
}

/** What a hypervisor makes up has links of any speed, QEMU's NVMe one of 250 MB/s: nothing there is kept to. */
static bool machine_is_virtual(const char *root)
{
	struct text processors = TEXT_EMPTY;
	char *maker = file_read_line(root, "/sys/class/dmi/id/sys_vendor");
	bool is_virtual = false;

	if (file_read(&processors, root, "/proc/cpuinfo")) {
		is_virtual = strstr(text_string(&processors), " hypervisor") != NULL;
	}
	/* Processors other than Intel's and AMD's have no such flag. */
	for (size_t i = 0; maker != NULL && i < COUNT(virtual_makers); i++) {
		is_virtual = is_virtual || text_starts_with(maker, virtual_makers[i]);
	}
	free(maker);
	text_release(&processors);
	return is_virtual;
}

bool link_find_disk(struct link_speed *link, const char *root, const char *folder)
{
	char *path = path_normalise(folder);
	const char *name = strrchr(path, '/') + 1;
	bool found = false;

	*link = (struct link_speed){0};
	if (machine_is_virtual(root)) {
		found = false;
	} else if (text_starts_with(name, "nvme")) {
		found = find_nvme(link, root, path);
	} else if (text_starts_with(path, "/sys/devices/") && !text_starts_with(path, "/sys/devices/virtual/")) {
		/* Towards the root: the nearest link is the disk's own. */
		for (char *slash = strrchr(path, '/'); !found && slash > path; slash = strrchr(path, '/')) {
			found = find_parent(link, root, path);
			*slash = '\0';
		}
	}
	free(path);
	return found;
}

/** Whether the address is one of this machine's: no card carries what goes there. */
static bool is_own_address(const char *root, const char *address)
{
	struct text table = TEXT_EMPTY;
	char *entry = xasprintf("|-- %s\n", address);
	bool is_own = text_starts_with(address, "127.") || strcmp(address, "::1") == 0;

	if (!is_own && file_read(&table, root, "/proc/net/fib_trie")) {
		const char *found = text_string(&table);

		/* The line after it says what the address is. Broadcast addresses and networks are there too. */
		while (!is_own && (found = strstr(found, entry)) != NULL) {
			found += strlen(entry);
			is_own = text_starts_with(found + strspn(found, " "), "/32 host LOCAL");
		}
	}
	text_release(&table);
	free(entry);
	return is_own;
}

/** The speed of the fastest card that is up, Mbit/s; 0 where one of them does not tell. */
static double fastest_card(const char *root, char **name)
{
	char **cards = file_names(root, "/sys/class/net");
	double fastest = 0;
	bool all_tell = true;

	*name = NULL;
	for (size_t i = 0; cards[i] != NULL; i++) {
		char *folder = xasprintf("/sys/class/net/%s", cards[i]);
		char *state = file_read_line(root, "%s/operstate", folder);
		char *device = file_read_link(root, "%s/device", folder);
		double megabits = 0;

		/* What has no device (bridges, tunnels, lo) uses a card, or never leaves the machine. */
		if (state != NULL && strcmp(state, "up") == 0 && device != NULL) {
			all_tell = number_read(&megabits, root, folder, "speed") && all_tell;
		}
		if (megabits > fastest) {
			fastest = megabits;
			free(*name);
			*name = xstrdup(cards[i]);
		}
		free(device);
		free(state);
		free(folder);
	}
	file_names_free(cards);
	return all_tell ? fastest : 0;
}

bool link_find_network(struct link_speed *link, const char *root, const struct mount *mount)
{
	char *address = mount_option_value(mount->super_options, "addr");
	char *protocol = mount_option_value(mount->super_options, "proto");
	double megabits = 0;
	char *name = NULL;

	*link = (struct link_speed){0};
	/* RDMA goes by cards that are not listed with the others. */
	if (address != NULL && !machine_is_virtual(root) && !is_own_address(root, address) &&
		(protocol == NULL || strcmp(protocol, "rdma") != 0)) {
		megabits = fastest_card(root, &name);
	}
	if (megabits > 0) {
		link->bytes_per_s = megabits * MEGA / BITS_PER_BYTE;
		link->name = megabits >= 1000 ? xasprintf("%s, %.4g Gbit/s", name, megabits / 1000)
									  : xasprintf("%s, %.0f Mbit/s", name, megabits);
	}
	free(name);
	free(protocol);
	free(address);
	return megabits > 0;
}
