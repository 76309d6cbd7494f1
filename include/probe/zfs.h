/** What `zpool` tells of the pool beneath a path. */
#ifndef PROBE_ZFS_H
#define PROBE_ZFS_H

#include <stdbool.h>

#include "probe/mount.h"

/** A pool and its log devices. Strings are owned. */
struct zfs_pool {
	char *pool;        /* "tank"; NULL where the path is not on ZFS */
	char *dataset;     /* "tank/vm" */
	bool asked;        /* whether zpool could be asked at all */
	char *log_devices; /* "nvme0n1p1, nvme1n1p1"; NULL where there are none or nothing is known */
};

/** Whether the mount is ZFS, the kernel's or zfs-fuse. */
bool zfs_is_zfs(const struct mount *mount);

/**
 * Name pool and dataset from the mount's source, and ask `zpool status -P` (at most 5 seconds) for the log devices.
 * `search_path` is where to look for zpool, colon-separated. The caller calls zfs_pool_release.
 */
void zfs_pool_find(struct zfs_pool *pool, const struct mount *mount, const char *search_path);

/** The log devices named in the output of `zpool status`; NULL where there are none. The caller frees it. */
char *zfs_parse_log_devices(const char *status_output);

/** Free the strings. */
void zfs_pool_release(struct zfs_pool *pool);

#endif
