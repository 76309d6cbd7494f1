#include "probe/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

/** A type of file system, and what it tells. */
struct known_type {
	const char *type;
	enum base_kind kind;
};

/** File systems without a block device of this machine. */
static const struct known_type known_types[] = {
	{"tmpfs", BASE_RAM},
	{"ramfs", BASE_RAM},
	{"devtmpfs", BASE_RAM},
	{"rootfs", BASE_RAM},
	{"zfs", BASE_ZFS},
	{"fuse.zfs", BASE_ZFS},
	{"nfs", BASE_NFS},
	{"nfs4", BASE_NFS},
	{"cifs", BASE_CIFS},
	{"smb3", BASE_CIFS},
	{"ceph", BASE_NETWORK},
	{"glusterfs", BASE_NETWORK},
	{"lustre", BASE_NETWORK},
	{"beegfs", BASE_NETWORK},
	{"fuse.sshfs", BASE_NETWORK},
	{"fuse.ceph", BASE_NETWORK},
	{"fuse.glusterfs", BASE_NETWORK},
	{"fuse.rclone", BASE_NETWORK},
	{"fuse.s3fs", BASE_NETWORK},
	{"virtiofs", BASE_HOST},
	{"9p", BASE_HOST},
	{"vboxsf", BASE_HOST},
	{"fuse.vmhgfs-fuse", BASE_HOST},
	{"fuse", BASE_FUSE},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void find_at_level(struct base *base, const char *root, const struct mount *mount, unsigned device_major,
	unsigned device_minor, unsigned level);

/** BASE_UNKNOWN where the type is none of those without a device. */
static enum base_kind kind_of_type(const char *type)
{
	for (size_t i = 0; i < COUNT(known_types); i++) {
		if (strcmp(type, known_types[i].type) == 0) {
			return known_types[i].kind;
		}
	}
	return text_starts_with(type, "fuse.") ? BASE_FUSE : BASE_UNKNOWN;
}

static void add_device(struct base *base, struct node *node)
{
	node_list_add(&base->devices, node);
	base->kind = BASE_DEVICES;
}

/** Whether the list of names includes the node's. */
static bool names_hold_node(char *const *names, const struct node *node)
{
	bool found = false;

	for (size_t i = 0; !found && names[i] != NULL; i++) {
		found = strcmp(names[i], node_used_name(node)) == 0;
	}
	return found;
}

/** Add all devices of the btrfs that lies on the node; false where it is not found. */
static bool add_btrfs(struct base *base, const char *root, const struct node *node)
{
	char **file_systems = file_names(root, "/sys/fs/btrfs");
	struct node member;

	for (size_t i = 0; base->btrfs == NULL && file_systems[i] != NULL; i++) {
		char **names = file_names(root, "/sys/fs/btrfs/%s/devices", file_systems[i]);

		if (names_hold_node(names, node)) {
			base->btrfs = xasprintf("/sys/fs/btrfs/%s", file_systems[i]);
		}
		for (size_t j = 0; base->btrfs != NULL && names[j] != NULL; j++) {
			if (node_open(&member, root, "/sys/class/block", names[j])) {
				add_device(base, &member);
			}
		}
		file_names_free(names);
	}
	file_names_free(file_systems);
	return base->devices.count > 0;
}

/** Whether the btrfs in `folder` lacks a device. */
static bool lacks_device(const char *root, const char *folder)
{
	char **devices = file_names(root, "%s/devinfo", folder);
	bool any = false;

	for (size_t i = 0; !any && devices[i] != NULL; i++) {
		char *missing = file_read_line(root, "%s/devinfo/%s/missing", folder, devices[i]);

		any = missing != NULL && strcmp(missing, "1") == 0;
		free(missing);
	}
	file_names_free(devices);
	return any;
}

/** Add what a mount has for its source, a device or, of bcachefs, several: "/dev/sda:/dev/sdb". */
static void add_source(struct base *base, const char *root, const struct mount *mount)
{
	const char *separator = strcmp(mount->type, "bcachefs") == 0 ? ":" : "";
	char *sources = xstrdup(mount->source);
	char *rest = sources;
	char *source;

	while ((source = strsep(&rest, separator)) != NULL) {
		struct node node;

		if (!text_starts_with(source, "/dev/") || !node_open_source(&node, root, source)) {
			continue;
		}
		if (strcmp(mount->type, "btrfs") == 0 && add_btrfs(base, root, &node)) {
			node_release(&node);
		} else {
			add_device(base, &node);
		}
	}
	/* Kernels before 5.6 say nothing but the option that such a mount needs. */
	base->is_degraded =
		base->btrfs != NULL && (mount_has_option(mount->super_options, "degraded") || lacks_device(root, base->btrfs));
	base->may_copy = base->btrfs == NULL && (strcmp(mount->type, "btrfs") == 0 || base->devices.count > 1);
	if (base->devices.count == 0 && strcmp(mount->source, "/dev/root") != 0) {
		base->kind = BASE_DEVICES;
		base->device_name = xstrdup(strrchr(mount->source, '/') + 1); /* no /sys here: the name is all there is */
	}
	free(sources);
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

bool base_find_upper(struct mount *upper, const char *root, const struct mount *overlay)
{
	char *folder = NULL;
	bool found;

	*upper = (struct mount){0};
	if (strcmp(overlay->type, "overlay") == 0) {
		folder = mount_option_value(overlay->super_options, "upperdir");
	}
	if (folder != NULL && !folder_is_here(root, folder)) {
		backslashes_remove(folder);
	}
	found = folder != NULL && folder[0] == '/' && folder_is_here(root, folder) && mount_find(upper, root, folder);
	free(folder);
	/* A path of another mount namespace may lead into the overlay itself. */
	if (found && strcmp(upper->mount_point, overlay->mount_point) == 0) {
		mount_release(upper);
		found = false;
	}
	return found;
}

static void find_overlay(struct base *base, const char *root, const struct mount *overlay, unsigned level)
{
	struct mount upper;

	if (!base_find_upper(&upper, root, overlay)) {
		return;
	}
	find_at_level(base, root, &upper, upper.device_major, upper.device_minor, level + 1);
	if (base->below.type == NULL) {
		base->below = upper;
	} else {
		mount_release(&upper); /* itself an overlay: the lowest one counts */
	}
}

static void find_at_level(struct base *base, const char *root, const struct mount *mount, unsigned device_major,
	unsigned device_minor, unsigned level)
{
	/* The number of a bcachefs is that of its first device. */
	bool is_list = mount->type != NULL && strcmp(mount->type, "bcachefs") == 0 && strchr(mount->source, ':') != NULL;
	struct node node;

	if (device_major != 0 && !is_list && node_open_number(&node, root, device_major, device_minor)) {
		add_device(base, &node);
		return;
	}
	if (mount->type == NULL || level >= BASE_LEVEL_LIMIT) {
		return;
	}
	base->kind = kind_of_type(mount->type);
	if (base->kind != BASE_UNKNOWN) {
		return;
	}
	if (strcmp(mount->type, "overlay") == 0) {
		find_overlay(base, root, mount, level);
	} else if (text_starts_with(mount->source, "/dev/")) {
		add_source(base, root, mount);
	}
}

void base_find(
	struct base *base, const char *root, const struct mount *mount, unsigned device_major, unsigned device_minor)
{
	*base = (struct base){0};
	find_at_level(base, root, mount, device_major, device_minor, 0);
}

/** On the running machine: what the path really leads to. False where it leads nowhere. */
static bool find_opened(struct base *base, struct mount *mount, const char *path)
{
	int descriptor = open(path, O_PATH | O_CLOEXEC);
	struct stat status;
	struct node node;
	bool success = descriptor >= 0 && fstat(descriptor, &status) == 0;

	if (success && S_ISBLK(status.st_mode)) {
		success = node_open_number(&node, "", major(status.st_rdev), minor(status.st_rdev));
		if (success) {
			add_device(base, &node);
		}
	} else if (success) {
		success = mount_find_descriptor(mount, descriptor);
		if (success) {
			base_find(base, "", mount, major(status.st_dev), minor(status.st_dev));
		}
	}
	file_close(&descriptor);
	return success;
}

void base_find_file(struct base *base, struct mount *mount, const char *root, const char *path)
{
	struct node node;

	*base = (struct base){0};
	*mount = (struct mount){0};
	if (root[0] == '\0' && find_opened(base, mount, path)) {
		return;
	}
	if (text_starts_with(path, "/dev/") && node_open_source(&node, root, path)) {
		add_device(base, &node);
	} else if (mount_find(mount, root, path)) {
		base_find(base, root, mount, mount->device_major, mount->device_minor);
	}
}

const struct mount *base_mount(const struct base *base, const struct mount *mount)
{
	return base->below.type != NULL ? &base->below : mount;
}

void base_release(struct base *base)
{
	node_list_release(&base->devices);
	free(base->device_name);
	free(base->btrfs);
	mount_release(&base->below);
	*base = (struct base){0};
}
