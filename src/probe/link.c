#include "probe/link.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/host.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

/** The share of the line's bits that is data. */
#define CODE_8B_10B (8.0 / 10)
#define CODE_128B_130B (128.0 / 130)
#define CODE_128B_132B (128.0 / 132)
#define CODE_128B_150B (128.0 / 150)

/** The widest link of PCIe. */
#define PCIE_WIDTH_MAX 32

/** So many network cards are named one by one. */
#define CARDS_NAMED 3

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

/** The speed of a PCIe link. */
struct pcie {
	double transfers; /* 1e9 in a second */
	double width;     /* lanes */
};

/** Read both. */
static bool pcie_read(
	struct pcie *pcie, const char *root, const char *folder, const char *transfers_name, const char *width_name)
{
	/* All bits are set in the registers of a device that is switched off. */
	return number_read(&pcie->transfers, root, folder, transfers_name) &&
		   number_read(&pcie->width, root, folder, width_name) && pcie->width <= PCIE_WIDTH_MAX;
}

/** What the device in `folder` and the port above it can do both; no less than the current speed. */
static struct pcie pcie_most(const char *root, const char *folder, const struct pcie *current)
{
	char *port_folder = xasprintf("%s/..", folder);
	struct pcie most = *current;
	struct pcie device, port;

	if (pcie_read(&device, root, folder, "max_link_speed", "max_link_width")) {
		if (!pcie_read(&port, root, port_folder, "max_link_speed", "max_link_width")) {
			port = device;
		}
		most.transfers = fmax(most.transfers, fmin(device.transfers, port.transfers));
		most.width = fmax(most.width, fmin(device.width, port.width));
	}
	free(port_folder);
	return most;
}

/** Add the PCIe link of the controller in `folder`. An idle one may be slow for now, and what counts is the most. */
static bool add_pcie(struct link_speed *link, const char *root, const char *folder)
{
	char *device = xasprintf("%s/device", folder);
	struct pcie current, most;
	bool found = pcie_read(&current, root, device, "current_link_speed", "current_link_width");

	if (found) {
		most = pcie_most(root, device, &current);
		/* 2.5 and 5 GT/s are generations 1 and 2. */
		link->bytes_per_s +=
			most.transfers * GIGA * most.width * (most.transfers <= 5 ? CODE_8B_10B : CODE_128B_130B) / BITS_PER_BYTE;
		free(link->name);
		link->name = xasprintf("PCIe %.1f GT/s x%.0f", current.transfers, current.width);
		if (most.transfers > current.transfers || most.width > current.width) {
			char *now = link->name;

			link->name = xasprintf("%s of PCIe %.1f GT/s x%.0f possible", now, most.transfers, most.width);
			free(now);
		}
	}
	free(device);
	return found;
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
	char *machine = host_machine(root);
	/* Processors other than Intel's and AMD's have no flag that tells. */
	bool is_virtual = host_machine_is_virtual(machine);

	if (!is_virtual && file_read(&processors, root, "/proc/cpuinfo")) {
		is_virtual = strstr(text_string(&processors), " hypervisor") != NULL;
	}
	free(machine);
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

/** The network cards that are up. */
struct cards {
	struct text names; /* "eno1 + eno2" */
	unsigned count;
	double megabits; /* per second, of all together */
	bool all_tell;   /* how fast they are */
};

/** Add the card, if it is one, and up. */
static void card_add(struct cards *cards, const char *root, const char *name)
{
	char *folder = xasprintf("/sys/class/net/%s", name);
	char *state = file_read_line(root, "%s/operstate", folder);
	char *device = file_read_link(root, "%s/device", folder);
	double megabits;

	/* What has no device (bonds, bridges, tunnels, lo) uses a card, or never leaves the machine. */
	if (state != NULL && strcmp(state, "up") == 0 && device != NULL) {
		if (number_read(&megabits, root, folder, "speed")) {
			text_addf(&cards->names, "%s%s", cards->count > 0 ? " + " : "", name);
			cards->megabits += megabits;
			cards->count++;
		} else {
			cards->all_tell = false;
		}
	}
	free(device);
	free(state);
	free(folder);
}

/** All of them: bonded cards and several connections to one server share the load. */
static struct cards cards_find(const char *root)
{
	char **names = file_names(root, "/sys/class/net");
	struct cards cards = {.all_tell = true};

	for (size_t i = 0; names[i] != NULL; i++) {
		card_add(&cards, root, names[i]);
	}
	file_names_free(names);
	return cards;
}

/** "eno1 + eno2, 20 Gbit/s"; the caller frees it. */
static char *cards_describe(const struct cards *cards)
{
	bool is_giga = cards->megabits >= 1000;
	double speed = is_giga ? cards->megabits / 1000 : cards->megabits;
	const char *unit = is_giga ? "Gbit/s" : "Mbit/s";

	if (cards->count > CARDS_NAMED) {
		return xasprintf("%u cards, %.4g %s", cards->count, speed, unit);
	}
	return xasprintf("%s, %.4g %s", text_string(&cards->names), speed, unit);
}

bool link_find_network(struct link_speed *link, const char *root, const struct mount *mount)
{
	char *address = mount_option_value(mount->super_options, "addr");
	char *protocol = mount_option_value(mount->super_options, "proto");
	bool found = false;

	*link = (struct link_speed){0};
	/* RDMA goes by cards that are not listed with the others. */
	if (address != NULL && !machine_is_virtual(root) && !is_own_address(root, address) &&
		(protocol == NULL || strcmp(protocol, "rdma") != 0)) {
		struct cards cards = cards_find(root);

		found = cards.all_tell && cards.count > 0;
		if (found) {
			link->bytes_per_s = cards.megabits * MEGA / BITS_PER_BYTE;
			link->name = cards_describe(&cards);
		}
		text_release(&cards.names);
	}
	free(protocol);
	free(address);
	return found;
}
