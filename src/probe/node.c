#include "probe/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "support/file.h"
#include "support/memory.h"

/** Devices on devices are followed so far. */
#define LEVEL_LIMIT 8

/** The beginning of a name, and what it tells. */
struct known_name {
	const char *name;
	const char *kind;
};

/** Devices whose driver says what they are; the name goes on with a digit or letter. */
static const struct known_name driver_kinds[] = {
	{"vd", "virtual disk"},
	{"xvd", "virtual disk"},
	{"zram", "compressed RAM (zram)"},
	{"ram", "RAM disk"},
	{"pmem", "persistent memory"},
	{"nbd", "network block device"},
	{"rbd", "network block device"},
	{"drbd", "DRBD"},
	{"bcache", "bcache"},
	{"zd", "ZFS volume"},
	{"mmcblk", "SD card or eMMC"},
};

/** Words in models of disks that a hypervisor or a cloud makes up: what they say of spinning is not to be trusted. */
static const char *const virtual_models[] = {
	"QEMU",
	"VBOX",
	"VMware",
	"Virtual",
	"Elastic Block Store",
	"PersistentDisk",
};

/** Mapped devices by the beginning of their UUID. */
static const struct known_name mapper_kinds[] = {
	{"CRYPT-", "LUKS"},
	{"LVM-", "LVM"},
	{"mpath-", "multipath"},
	{"", "device-mapper"},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void node_release(struct node *node)
{
	free(node->folder);
	free(node->name);
	free(node->partition);
	*node = (struct node){0};
}

const char *node_used_name(const struct node *node)
{
	return node->partition != NULL ? node->partition : node->name;
}

bool node_number(const struct node *node, const char *root, unsigned *device_major, unsigned *device_minor)
{
	bool is_partition = node->partition != NULL;
	char *line =
		file_read_line(root, "%s%s%s/dev", node->folder, is_partition ? "/" : "", is_partition ? node->partition : "");
	bool success = line != NULL && sscanf(line, "%u:%u", device_major, device_minor) == 2;

	free(line);
	return success;
}

void node_list_add(struct node_list *list, struct node *node)
{
	list->nodes = xrealloc(list->nodes, (list->count + 1) * sizeof(*list->nodes));
	list->nodes[list->count++] = *node;
	*node = (struct node){0};
}

void node_list_add_slaves(struct node_list *list, const char *root, const char *folder)
{
	char *slaves = xasprintf("%s/slaves", folder);
	char **entries = file_names(root, "%s", slaves);
	struct node node;

	for (size_t i = 0; entries[i] != NULL; i++) {
		if (node_open(&node, root, slaves, entries[i])) {
			node_list_add(list, &node);
		}
	}
	file_names_free(entries);
	free(slaves);
}

void node_list_release(struct node_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		node_release(&list->nodes[i]);
	}
	free(list->nodes);
	*list = (struct node_list){0};
}

bool node_open(struct node *node, const char *root, const char *folder, const char *entry)
{
	char *link = file_read_link(root, "%s/%s", folder, entry);
	char *number, *slash;

	*node = (struct node){0};
	if (link == NULL) {
		return false;
	}
	node->folder = xasprintf("%s/%s", folder, link);
	free(link);
	slash = strrchr(node->folder, '/');
	number = file_read_line(root, "%s/partition", node->folder);
	if (number != NULL) {
		/* The folder of a partition lies in that of its disk. */
		node->partition = xstrdup(slash + 1);
		*slash = '\0';
		slash = strrchr(node->folder, '/');
	}
	free(number);
	node->name = xstrdup(slash + 1);
	return true;
}

bool node_open_number(struct node *node, const char *root, unsigned device_major, unsigned device_minor)
{
	char *entry = xasprintf("%u:%u", device_major, device_minor);
	bool success = node_open(node, root, "/sys/dev/block", entry);

	free(entry);
	return success;
}

/** The kernel's name ("dm-0") of the mapped device `name`; NULL where there is none. */
static char *mapper_find(const char *root, const char *name)
{
	char **entries = file_names(root, "/sys/class/block");
	char *found = NULL;

	for (size_t i = 0; found == NULL && entries[i] != NULL; i++) {
		char *mapped = NULL;

		if (text_starts_with(entries[i], "dm-")) {
			mapped = file_read_line(root, "/sys/class/block/%s/dm/name", entries[i]);
		}
		if (mapped != NULL && strcmp(mapped, name) == 0) {
			found = xstrdup(entries[i]);
		}
		free(mapped);
	}
	file_names_free(entries);
	return found;
}

/** The last part of where the link leads; NULL where it is none. */
static char *link_name(const char *root, const char *path)
{
	char *link = file_read_link(root, "%s", path);
	char *slash = link != NULL ? strrchr(link, '/') : NULL;
	char *name = xstrdup(slash != NULL ? slash + 1 : NULL);

	free(link);
	return name;
}

bool node_open_source(struct node *node, const char *root, const char *source)
{
	struct stat status;
	char *name;
	bool success;

	*node = (struct node){0};
	if (root[0] == '\0' && stat(source, &status) == 0 && S_ISBLK(status.st_mode) &&
		node_open_number(node, root, major(status.st_rdev), minor(status.st_rdev))) {
		return true;
	}
	if (text_starts_with(source, "/dev/mapper/")) {
		name = mapper_find(root, source + strlen("/dev/mapper/"));
	} else if (text_starts_with(source, "/dev/disk/")) {
		name = link_name(root, source);
	} else {
		name = xstrdup(source + strlen("/dev/"));
	}
	if (name == NULL) {
		return false;
	}
	/* The kernel writes the slash of "cciss/c0d0" as "!". */
	for (char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash, '/')) {
		*slash = '!';
	}
	success = node_open(node, root, "/sys/class/block", name);
	free(name);
	return success;
}

static bool list_holds(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *entry = list; entry != NULL; entry = strstr(entry, ", ")) {
		entry += text_starts_with(entry, ", ") ? 2 : 0;
		if (strncmp(entry, name, length) == 0 && (entry[length] == ',' || entry[length] == '\0')) {
			return true;
		}
	}
	return false;
}

void leaves_add(struct leaves *leaves, const struct node *node)
{
	if (list_holds(text_string(&leaves->names), node->name)) {
		return;
	}
	text_addf(&leaves->names, "%s%s", leaves->count > 0 ? ", " : "", node->name);
	leaves->count++;
	free(leaves->folder);
	leaves->folder = xstrdup(node->folder);
}

/** leaves_collect, `level` devices deep. */
static bool collect_at_level(struct leaves *leaves, const char *root, const char *folder, unsigned level)
{
	struct node_list slaves = {0};
	bool any;

	if (level < LEVEL_LIMIT) {
		node_list_add_slaves(&slaves, root, folder);
	}
	for (size_t i = 0; i < slaves.count; i++) {
		if (!collect_at_level(leaves, root, slaves.nodes[i].folder, level + 1)) {
			leaves_add(leaves, &slaves.nodes[i]);
		}
	}
	any = slaves.count > 0;
	node_list_release(&slaves);
	return any;
}

bool leaves_collect(struct leaves *leaves, const char *root, const char *folder)
{
	return collect_at_level(leaves, root, folder, 0);
}

void leaves_release(struct leaves *leaves)
{
	text_release(&leaves->names);
	free(leaves->folder);
	*leaves = (struct leaves){0};
}

/** As file_read_line, but without blanks at the front, and NULL for an empty line. */
static char *attribute_read(const char *root, const char *folder, const char *attribute)
{
	char *line = file_read_line(root, "%s/%s", folder, attribute);
	char *trimmed = NULL;

	if (line != NULL && line[strspn(line, " \t")] != '\0') {
		trimmed = xstrdup(line + strspn(line, " \t"));
	}
	free(line);
	return trimmed;
}

char *node_model(const char *root, const char *folder)
{
	char *model = attribute_read(root, folder, "device/model");
	char *vendor = attribute_read(root, folder, "device/vendor");

	if (model == NULL) {
		model = attribute_read(root, folder, "device/name"); /* MMC */
	}
	/* SATA disks give ATA for a maker, and other buses a number. */
	if (model != NULL && vendor != NULL && strcmp(vendor, "ATA") != 0 && !text_starts_with(vendor, "0x") &&
		!text_starts_with(model, vendor)) {
		char *both = xasprintf("%s %s", vendor, model);

		free(model);
		model = both;
	}
	free(vendor);
	return model;
}

static char *kind_of_loop(const char *root, const char *folder)
{
	char *file = attribute_read(root, folder, "loop/backing_file");
	char *kind = file != NULL ? xasprintf("loop device over %s", file) : xstrdup("loop device");

	free(file);
	return kind;
}

static char *kind_of_raid(const char *root, const char *folder)
{
	char *level = attribute_read(root, folder, "md/level");
	char *kind = level != NULL ? xasprintf("software RAID (%s)", level) : xstrdup("software RAID");

	free(level);
	return kind;
}

static char *kind_of_mapper(const char *root, const char *folder)
{
	char *uuid = file_read_line(root, "%s/dm/uuid", folder);
	size_t i = 0;

	while (!text_starts_with(uuid != NULL ? uuid : "", mapper_kinds[i].name)) {
		i++;
	}
	free(uuid);
	return xstrdup(mapper_kinds[i].kind);
}

/** The kind of a real disk; NULL where nothing tells. */
static char *kind_of_disk(const char *root, const struct node *node, const char *model)
{
	char *rotational;
	char *kind = NULL;

	for (size_t i = 0; model != NULL && i < COUNT(virtual_models); i++) {
		if (strstr(model, virtual_models[i]) != NULL) {
			return xstrdup("virtual disk");
		}
	}
	if (text_starts_with(node->name, "nvme")) {
		return xstrdup("NVMe SSD");
	}
	rotational = attribute_read(root, node->folder, "queue/rotational");
	if (rotational != NULL) {
		kind = xstrdup(strcmp(rotational, "0") == 0 ? "SSD" : "rotational disk");
	}
	free(rotational);
	return kind;
}

char *node_kind(const char *root, const struct node *node, const char *model)
{
	for (size_t i = 0; i < COUNT(driver_kinds); i++) {
		if (text_starts_with(node->name, driver_kinds[i].name)) {
			return xstrdup(driver_kinds[i].kind);
		}
	}
	if (text_starts_with(node->name, "loop")) {
		return kind_of_loop(root, node->folder);
	}
	if (text_starts_with(node->name, "dm-")) {
		return kind_of_mapper(root, node->folder);
	}
	if (text_starts_with(node->name, "md")) {
		return kind_of_raid(root, node->folder);
	}
	return kind_of_disk(root, node, model);
}
