#include "probe/block.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/node.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

/** Overlays on overlays are followed so far. */
#define LEVEL_LIMIT 8

#define KIND_RAM "RAM"
#define KIND_ZFS "ZFS pool"
#define KIND_FUSE "FUSE file system"
#define KIND_NETWORK "network file system"
#define KIND_HOST "host file system"

/** A type of file system, and what it tells. */
struct known_type {
	const char *type;
	const char *kind;
};

/** File systems without a block device of this machine. */
static const struct known_type file_system_kinds[] = {
	{"tmpfs", KIND_RAM},
	{"ramfs", KIND_RAM},
	{"devtmpfs", KIND_RAM},
	{"rootfs", KIND_RAM},
	{"zfs", KIND_ZFS},
	{"fuse.zfs", KIND_ZFS},
	{"nfs", KIND_NETWORK},
	{"nfs4", KIND_NETWORK},
	{"cifs", KIND_NETWORK},
	{"smb3", KIND_NETWORK},
	{"ceph", KIND_NETWORK},
	{"glusterfs", KIND_NETWORK},
	{"lustre", KIND_NETWORK},
	{"beegfs", KIND_NETWORK},
	{"fuse.sshfs", KIND_NETWORK},
	{"fuse.ceph", KIND_NETWORK},
	{"fuse.glusterfs", KIND_NETWORK},
	{"fuse.rclone", KIND_NETWORK},
	{"fuse.s3fs", KIND_NETWORK},
	{"virtiofs", KIND_HOST},
	{"9p", KIND_HOST},
	{"vboxsf", KIND_HOST},
	{"fuse.vmhgfs-fuse", KIND_HOST},
	{"fuse", KIND_FUSE},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** Fill in the device, and take over the node's strings. */
static void device_from_node(struct block_device *device, const char *root, struct node *node)
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
	device->name = node->name;
	device->partition = node->partition;
	free(node->folder);
}

/** Whether the btrfs whose devices are `names` includes the node. */
static bool names_hold_node(char *const *names, const struct node *node)
{
	const char *name = node->partition != NULL ? node->partition : node->name;
	bool found = false;

	for (size_t i = 0; !found && names[i] != NULL; i++) {
		found = strcmp(names[i], name) == 0;
	}
	return found;
}

/** The disks of the btrfs that lies on the node, where there is more than one: its mount names only the first. */
static bool device_from_btrfs(struct block_device *device, const char *root, const struct node *node)
{
	char **file_systems = file_names(root, "/sys/fs/btrfs");
	struct leaves leaves = {0};

	for (size_t i = 0; file_systems[i] != NULL; i++) {
		char **names = file_names(root, "/sys/fs/btrfs/%s/devices", file_systems[i]);
		struct node member;

		for (size_t j = 0; names_hold_node(names, node) && names[j] != NULL; j++) {
			if (node_open(&member, root, "/sys/class/block", names[j])) {
				leaves_add(&leaves, &member);
				node_release(&member);
			}
		}
		file_names_free(names);
	}
	file_names_free(file_systems);
	if (leaves.count > 1) {
		device->kind = xasprintf("btrfs over %zu devices", leaves.count);
		device->members = text_detach(&leaves.names);
	}
	leaves_release(&leaves);
	return device->members != NULL;
}

/** What a file system without a local block device is; NULL where the type is none of these. */
static const char *kind_of_file_system(const char *type)
{
	for (size_t i = 0; i < COUNT(file_system_kinds); i++) {
		if (strcmp(type, file_system_kinds[i].type) == 0) {
			return file_system_kinds[i].kind;
		}
	}
	return text_starts_with(type, "fuse.") ? KIND_FUSE : NULL;
}

/** Undo `\,` in place: depending on the kernel, the option shows the folder as mount(8) was told it. */
static void backslashes_remove(char *string)
{
	char *out = string;

	for (; *string != '\0'; string++) {
		if (string[0] == '\\' && string[1] != '\0') {
			string++;
		}
		*out++ = *string;
	}
	*out = '\0';
}

/** Whether the folder is there. In a container an upper folder's path often is one of the machine outside. */
static bool folder_is_here(const char *root, const char *folder)
{
	return root[0] != '\0' || access(folder, F_OK) == 0 || errno != ENOENT;
}

/** The mount of an overlay's upper folder; false where it cannot be known. */
static bool upper_find(struct mount *upper, const char *root, const struct mount *overlay)
{
	char *folder = mount_option_value(overlay->super_options, "upperdir");
	bool found;

	if (folder != NULL && !folder_is_here(root, folder)) {
		backslashes_remove(folder);
	}
	found = folder != NULL && folder[0] == '/' && folder_is_here(root, folder) && mount_find(upper, root, folder);
	free(folder);
	return found;
}

static void device_from_source(struct block_device *device, const char *root, const struct mount *mount)
{
	struct node node;

	if (node_open_source(&node, root, mount->source)) {
		if (strcmp(mount->type, "btrfs") == 0 && device_from_btrfs(device, root, &node)) {
			node_release(&node);
		} else {
			device_from_node(device, root, &node);
		}
	} else if (strcmp(mount->source, "/dev/root") != 0) {
		device->name = xstrdup(strrchr(mount->source, '/') + 1); /* no /sys here: the name is all there is */
	}
}

static void device_find(struct block_device *device, const char *root, const struct mount *mount, unsigned device_major,
	unsigned device_minor, unsigned level)
{
	struct mount upper;
	struct node node;
	const char *kind;

	if (device_major != 0 && node_open_number(&node, root, device_major, device_minor)) {
		device_from_node(device, root, &node);
		return;
	}
	if (mount->type == NULL || level >= LEVEL_LIMIT) {
		return;
	}
	kind = kind_of_file_system(mount->type);
	if (kind != NULL) {
		device->kind = xstrdup(kind);
	} else if (strcmp(mount->type, "overlay") == 0) {
		if (upper_find(&upper, root, mount)) {
			device_find(device, root, &upper, upper.device_major, upper.device_minor, level + 1);
			mount_release(&upper);
		}
	} else if (text_starts_with(mount->source, "/dev/")) {
		device_from_source(device, root, mount);
	}
}

void block_device_find(struct block_device *device, const char *root, const struct mount *mount, unsigned device_major,
	unsigned device_minor)
{
	*device = (struct block_device){0};
	device_find(device, root, mount, device_major, device_minor, 0);
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
