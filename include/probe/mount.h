/** From a path's device number to the mount it lies on. */
#ifndef PROBE_MOUNT_H
#define PROBE_MOUNT_H

#include <stdbool.h>

/** One line of /proc/self/mountinfo (proc(5)), octal escapes undone. Strings are owned. */
struct mount {
	unsigned device_major;
	unsigned device_minor;
	char *root; /* the folder of the file system that is mounted */
	char *mount_point;
	char *options;       /* of the mount: "rw,noatime"; both lists keep the escapes, a value may hold a comma */
	char *type;          /* "ext4", "fuse.zfs" */
	char *source;        /* "/dev/sda1", "tank/vm" */
	char *super_options; /* of the file system */
};

/**
 * The mount that holds `path` (absolute, resolved): the longest mount point that is a prefix of it; of several on
 * the same point the last, which is the one on top. `root` is the prefix of file_read. False where the table
 * cannot be read or nothing fits. The caller calls mount_release.
 */
bool mount_find(struct mount *mount, const char *root, const char *path);
/**
 * The mount with the number `mount_id` of the running kernel's table (the "mnt_id" of /proc/self/fdinfo/N), which is
 * exact where one mount hides another. False where it is not listed. The caller calls mount_release.
 */
bool mount_find_id(struct mount *mount, const char *root, unsigned mount_id);
/** The mount of the running machine that an open file or directory lies on. The caller calls mount_release. */
bool mount_find_descriptor(struct mount *mount, int descriptor);
/** Free the strings. */
void mount_release(struct mount *mount);
/** Whether the comma-separated option list holds `name` (as a whole, or as "name=..."). */
bool mount_has_option(const char *option_list, const char *name);
/** The value of "name=value" in the option list, escapes undone. The caller frees it; NULL where it is absent. */
char *mount_option_value(const char *option_list, const char *name);
/** Whether it is mounted read-only, by itself or by its file system. */
bool mount_is_read_only(const struct mount *mount);
/** Where the block device `major:minor` is mounted. The caller frees it; NULL where it is not. */
char *mount_point_of_device(const char *root, unsigned device_major, unsigned device_minor);

#endif
