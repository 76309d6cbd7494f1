/** What lies right beneath a mount: the first step from a path down to its devices. */
#ifndef PROBE_BASE_H
#define PROBE_BASE_H

#include <stdbool.h>

#include "probe/mount.h"
#include "probe/node.h"

/** Overlays on overlays, files on file systems on files: so many are followed. */
enum { BASE_LEVEL_LIMIT = 8 };

enum base_kind {
	BASE_UNKNOWN,
	BASE_DEVICES, /* block devices of this machine */
	BASE_RAM,
	BASE_ZFS,
	BASE_NFS,
	BASE_CIFS,
	BASE_NETWORK, /* a network file system without statistics of its own */
	BASE_HOST,    /* a folder of the machine that this one runs on */
	BASE_FUSE,
};

/** Strings are owned. */
struct base {
	enum base_kind kind;
	struct node_list devices; /* with BASE_DEVICES; empty where there is no /sys */
	char *device_name;        /* then the name alone, "sdf"; NULL otherwise */
	char *btrfs;              /* "/sys/fs/btrfs/UUID"; NULL where it is none, or not found */
	bool may_copy;            /* the file system may keep several copies of the data, and does not say how many */
	bool is_degraded;         /* a btrfs that lacks devices: what it writes now is not what its profile says */
	struct mount below;       /* of an overlay, the mount of its upper folder; all NULL otherwise */
};

/**
 * Find what a mount lies on, through `root`. Never fails. File systems with an anonymous device number (btrfs,
 * overlay, ...) are followed through their source or upper folder. `device_major` and `device_minor` are the st_dev of
 * the target folder. The caller calls base_release.
 */
void base_find(
	struct base *base, const char *root, const struct mount *mount, unsigned device_major, unsigned device_minor);

/**
 * As base_find, for the file system that holds the file at `path`, or for the block device `path` itself. `mount` is
 * set to its mount, all NULL where it is unknown; the caller releases both.
 */
void base_find_file(struct base *base, struct mount *mount, const char *root, const char *path);

/**
 * The mount that holds the upper folder of an overlay. False where it is none, or cannot be known: no upper folder, or
 * its path is one of another mount namespace. The caller calls mount_release.
 */
bool base_find_upper(struct mount *upper, const char *root, const struct mount *overlay);

/** The mount that holds the bytes: `mount`, or what is below where that is an overlay. */
const struct mount *base_mount(const struct base *base, const struct mount *mount);

/** Free the strings. */
void base_release(struct base *base);

#endif
