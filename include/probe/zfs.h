/** What `zpool` and `zfs` tell of the pool beneath a path. */
#ifndef PROBE_ZFS_H
#define PROBE_ZFS_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/mount.h"

/** What a part of the pool is for. */
enum zfs_class { ZFS_DATA, ZFS_LOG, ZFS_SPECIAL, ZFS_DEDUP, ZFS_CACHE, ZFS_SPARE };

/** A device or file of the pool. */
struct zfs_vdev {
	char *name; /* owned; "/dev/sda1" or "/srv/disk.img", of an old zpool perhaps "sda" */
	enum zfs_class class;
	char *state;    /* owned; "ONLINE", "FAULTED"; NULL where unknown */
	bool is_active; /* takes part; false where it is missing or was taken offline */
	unsigned group; /* the same number for all devices of one mirror or raidz */
	double copies;  /* bytes that its group writes for each byte stored: 2 for a mirror of two */
	char *layout;   /* owned; its group's kind: "mirror", "raidz2", "draid1"; NULL for a single device */
	unsigned width; /* members of its group, 1 for a single device; one being replaced and its successor are one */
};

/** A property of the dataset. Strings are owned. */
struct zfs_property {
	char *name;  /* "recordsize" */
	char *value; /* "16384" */
};

/** A property of datasets that changes results. */
struct zfs_known_property {
	const char *name; /* as `zfs get` has it; NULL at the table's end */
	const char *key;  /* "zfs.recordsize" */
	bool is_size;     /* in bytes */
};

/** All of them: the others are not kept. */
extern const struct zfs_known_property zfs_known_properties[];

/** A pool, and the dataset of the path. Strings are owned. */
struct zfs_pool {
	char *pool;        /* "tank"; NULL where the path is not on ZFS */
	char *dataset;     /* "tank/vm" */
	bool asked;        /* whether zpool could be asked at all */
	char *log_devices; /* "nvme0n1p1, nvme1n1p1"; NULL where there are none or nothing is known */
	char *state;       /* of the pool: "ONLINE", "DEGRADED"; NULL where unknown */
	const char *work;  /* "scrub" or "resilver" while one is under way; a constant; NULL otherwise */
	struct zfs_vdev *vdevs;
	size_t vdev_count;               /* 0 where nothing is known */
	struct zfs_property *properties; /* those that change results, as far as this ZFS has them */
	size_t property_count;
};

/** Whether the mount is ZFS, the kernel's or zfs-fuse. */
bool zfs_is_zfs(const struct mount *mount);

/**
 * Name pool and dataset from the mount's source, and ask `zpool status -P` for the devices and `zfs get -Hp all` for
 * the properties (at most 5 seconds each). `search_path` is where to look for both, colon-separated. The caller calls
 * zfs_pool_release.
 */
void zfs_pool_find(struct zfs_pool *pool, const struct mount *mount, const char *search_path);

/** The value of one of zfs_known_properties; NULL where this ZFS did not tell it. */
const char *zfs_pool_property(const struct zfs_pool *pool, const char *name);
/** Whether it is told, and is that. */
bool zfs_pool_property_is(const struct zfs_pool *pool, const char *name, const char *value);

/** Add the devices named in the output of `zpool status` to the pool, and set state, log_devices and work. */
void zfs_parse_status(struct zfs_pool *pool, const char *status_output);

/** Add the properties named in the output of `zfs get -Hp all` to the pool. */
void zfs_parse_properties(struct zfs_pool *pool, const char *get_output);

/**
 * The device's name as short as it can be said, safe to print: "nvme0n1p1" for "/dev/nvme0n1p1" and
 * "/dev/disk/by-id/nvme0n1p1". The caller frees it.
 */
char *zfs_vdev_short_name(const struct zfs_vdev *vdev);
/**
 * How the data devices are laid out: "3 mirrors of 2", "raidz2 of 6", "1 device", "2 mirrors of 2, raidz1 of 3".
 * The caller frees it; NULL where nothing is known.
 */
char *zfs_pool_layout(const struct zfs_pool *pool);
/**
 * The log devices with their health: "nvme0n1p1 (ONLINE)", "mirror of nvme0n1p1 (ONLINE) and nvme1n1p1 (FAULTED)". The
 * caller frees it; NULL where there are none or nothing is known.
 */
char *zfs_pool_log_health(const struct zfs_pool *pool);
/** Whether the pool has a log device that takes part. */
bool zfs_pool_has_log(const struct zfs_pool *pool);
/** Whether it is known to have none; neither holds of a pool whose devices are not known. */
bool zfs_pool_lacks_log(const struct zfs_pool *pool);
/** Whether it is a file, not a device. One of /dev that is gone is none; what lies in its file system is. */
bool zfs_vdev_is_file(const struct zfs_vdev *vdev);
/**
 * Those properties of the dataset that decide over synchronous writes: "recordsize 16 KiB, sync=always, ...". The
 * caller frees it; NULL where none is known.
 */
char *zfs_pool_describe_dataset(const struct zfs_pool *pool);

/** Free the strings and lists. */
void zfs_pool_release(struct zfs_pool *pool);

#endif
