/** The block device beneath a mount, for the banner. */
#ifndef PROBE_BLOCK_H
#define PROBE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/mount.h"

/** What /sys says of the device. Strings are owned. */
struct block_device {
	char *name;          /* "nvme0n1", "dm-0"; NULL where no block device is known */
	char *partition;     /* "nvme0n1p2"; NULL where the file system fills the whole device */
	char *model;         /* "Samsung SSD 980 PRO 1TB"; of a stack over one disk, that disk's; NULL where unknown */
	char *kind;          /* "NVMe SSD", "SSD", "rotational disk", "virtual disk", "loop device over /x", "LUKS", "LVM",
							"software RAID (raid1)", "network file system", "RAM"...; NULL where unknown */
	char *members;       /* the whole disks beneath a stack, "sda, sdb"; NULL where there are none */
	uint64_t size_bytes; /* of the whole device; 0 where unknown */
};

/**
 * Find the device beneath a mount, through `root`. Never fails: what cannot be known stays NULL. File systems with
 * an anonymous device number (btrfs, overlay, ...) are followed through their source or upper folder. `major` and
 * `minor` are the st_dev of the target folder.
 */
void block_device_find(struct block_device *device, const char *root, const struct mount *mount, unsigned device_major,
	unsigned device_minor);
/** Whether it is memory: a tmpfs or ramfs, or an overlay whose upper folder lies on one. */
bool block_device_is_ram(const struct block_device *device);
/** Free the strings. */
void block_device_release(struct block_device *device);
/** The device in one line: "nvme0n1 (Samsung SSD 980 PRO 1TB, NVMe SSD)"; "unknown". The caller frees it. */
char *block_device_describe(const struct block_device *device);

#endif
