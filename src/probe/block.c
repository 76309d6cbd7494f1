#include "probe/block.h"

#include <stdlib.h>
#include <string.h>

#include "probe/base.h"
#include "probe/node.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

#define KIND_RAM "RAM"
#define KIND_NETWORK "network file system"
#define KIND_HOST "host file system"

/** What is said of file systems without a block device of this machine; NULL: nothing. */
static const char *const base_kinds[] = {
	[BASE_UNKNOWN] = NULL,
	[BASE_DEVICES] = NULL,
	[BASE_RAM] = KIND_RAM,
	[BASE_ZFS] = "ZFS pool",
	[BASE_NFS] = KIND_NETWORK,
	[BASE_CIFS] = KIND_NETWORK,
	[BASE_NETWORK] = KIND_NETWORK,
	[BASE_HOST] = KIND_HOST,
	[BASE_FUSE] = "FUSE file system",
};

/** Fill in the device. */
static void device_from_node(struct block_device *device, const char *root, const struct node *node)
{
	struct leaves leaves = {0};
	char *sectors = file_read_line(root, "%s/size", node->folder);

	if (sectors != NULL) {
		device->size_bytes = (uint64_t)strtoull(sectors, NULL, 10) * 512;
	}
	free(sectors);
	leaves_collect(&leaves, root, node->folder);
	if (leaves.count <= 1) {
		device->model = node_model(root, leaves.count == 1 ? leaves.folder : node->folder);
	}
	device->kind = node_kind(root, node, device->model);
	if (leaves.count > 0) {
		device->members = text_detach(&leaves.names);
	}
	leaves_release(&leaves);
	device->name = xstrdup(node->name);
	device->partition = xstrdup(node->partition);
}

/** The disks of a file system over more than one: its mount names only the first. */
static void device_from_several(
	struct block_device *device, const char *root, const struct node_list *nodes, const char *type)
{
	struct leaves leaves = {0};

	for (size_t i = 0; i < nodes->count; i++) {
		leaves_add(&leaves, &nodes->nodes[i]);
	}
	if (leaves.count > 1) {
		device->kind = xasprintf("%s over %zu devices", type, leaves.count);
		device->members = text_detach(&leaves.names);
	} else {
		device_from_node(device, root, &nodes->nodes[0]); /* several partitions of one disk */
	}
	leaves_release(&leaves);
}

void block_device_find(struct block_device *device, const char *root, const struct mount *mount, unsigned device_major,
	unsigned device_minor)
{
	struct base base;

	*device = (struct block_device){0};
	base_find(&base, root, mount, device_major, device_minor);
	if (base.devices.count > 1) {
		device_from_several(device, root, &base.devices, base_mount(&base, mount)->type);
	} else if (base.devices.count == 1) {
		device_from_node(device, root, &base.devices.nodes[0]);
	} else {
		device->name = xstrdup(base.device_name);
		device->kind = xstrdup(base_kinds[base.kind]);
	}
	base_release(&base);
}

bool block_device_is_ram(const struct block_device *device)
{
	return device->name == NULL && device->kind != NULL && strcmp(device->kind, KIND_RAM) == 0;
}

void block_device_release(struct block_device *device)
{
	free(device->name);
	free(device->partition);
	free(device->model);
	free(device->kind);
	free(device->members);
	*device = (struct block_device){0};
}

/** What is to be said where no device has a name. */
static void describe_nameless(struct text *line, const struct block_device *device)
{
	if (device->kind == NULL) {
		text_add(line, "unknown");
	} else if (device->members != NULL) {
		text_addf(line, "%s: %s", device->kind, device->members);
	} else if (block_device_is_ram(device)) {
		text_addf(line, "%s, no device", device->kind);
	} else if (strcmp(device->kind, KIND_NETWORK) == 0 || strcmp(device->kind, KIND_HOST) == 0) {
		text_addf(line, "%s, no local device", device->kind);
	} else {
		text_add(line, device->kind);
	}
}

char *block_device_describe(const struct block_device *device)
{
	bool is_stack = device->members != NULL;
	const char *model = is_stack ? NULL : device->model; /* a stack's model is that of its disk */
	struct text line = TEXT_EMPTY;
	char *printable;

	if (device->name == NULL) {
		describe_nameless(&line, device);
	} else {
		text_add(&line, device->name);
		if (model != NULL && device->kind != NULL) {
			text_addf(&line, " (%s, %s)", model, device->kind);
		} else if (model != NULL || device->kind != NULL) {
			text_addf(&line, " (%s)", model != NULL ? model : device->kind);
		}
		if (device->partition != NULL) {
			text_addf(&line, ", partition %s%s", device->partition, is_stack ? "," : "");
		}
		if (is_stack) {
			text_addf(&line, " on %s", device->members);
		}
		if (is_stack && device->model != NULL) {
			text_addf(&line, " (%s)", device->model);
		}
	}
	printable = text_printable(text_string(&line));
	text_release(&line);
	return printable;
}
