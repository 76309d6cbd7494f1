/** Where the bytes of a target go: down to the devices whose counters can bear witness. */
#ifndef PROBE_STORAGE_H
#define PROBE_STORAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/mount.h"
#include "probe/zfs.h"

/** Who can say where the bytes went. */
enum storage_kind {
	STORAGE_UNKNOWN, /* nobody here: FUSE, a network file system without statistics, no /sys */
	STORAGE_BLOCK,   /* block devices of this machine */
	STORAGE_ZFS,     /* the pool's vdevs, and the ARC */
	STORAGE_RAM,     /* memory: tmpfs, ramfs, zram, RAM disks, and loops over files on these */
	STORAGE_NFS,     /* the mount's own statistics: as far as the server */
	STORAGE_CIFS,
};

/** What a device is in the stack. One device may be several of these at once. */
enum storage_role {
	STORAGE_TOP,  /* the file system lies on it (partition, dm, md, loop; each device of a btrfs; each ZFS vdev) */
	STORAGE_LEAF, /* nothing is beneath it; as the stack uses it, so perhaps a partition */
	STORAGE_DISK, /* the whole disk of a leaf: here others' traffic shows too */
	STORAGE_LOG,  /* a ZFS log vdev; is TOP and LEAF too */
};
enum { STORAGE_ROLE_COUNT = 4 };

/** What a device says of the writes it has taken. */
enum write_cache {
	WRITE_CACHE_UNKNOWN,
	WRITE_CACHE_VOLATILE, /* "write back": without a flush they may be lost with the power */
	WRITE_CACHE_NONE,     /* "write through": it claims that they are safe at once; no flush is ever sent to it */
};

/** One device. Strings are owned. */
struct storage_device {
	char *name; /* "nvme0n1p2" */
	unsigned major;
	unsigned minor;
	unsigned roles;               /* bits of 1 << enum storage_role */
	unsigned queue_limit;         /* requests it takes at once (queue/nr_requests); 0 where unknown */
	enum write_cache write_cache; /* of the whole device it lies on (queue/write_cache) */
	bool has_fua;                 /* it takes single writes past its cache (queue/fua), which no counter tells */
	double link_bytes_per_s;      /* of a disk: the most its link can carry; 0 where unknown */
	char *link;                   /* that link, "PCIe 8.0 GT/s x4"; NULL where unknown */
};

/** The whole. Strings are owned. */
struct storage {
	enum storage_kind kind;
	struct storage_device *devices;
	size_t device_count;
	char *file_system; /* the type that holds the bytes, "btrfs": of an overlay its upper layer's; NULL where unknown */
	double write_copies;     /* bytes that the leaves write for each byte stored; 2 for a mirror, 1 without any */
	bool write_copies_known; /* false where the layout leaves it open (RAID 5 with small writes, LVM's own RAID) */
	char *ram_cache;         /* a cache in RAM that lies beneath the file system, whatever O_DIRECT says:
								"the page cache behind loop0"; NULL for none */
	bool hides_cache;      /* such a cache lies beneath the lowest device that counts (a zvol): counters cannot tell */
	bool has_device_cache; /* bcache, dm-cache: reading may write */
	bool is_shared;        /* a loop over a file: the disks beneath belong to another file system as well */
	bool has_compression;  /* the file system compresses (mount option, ZFS property) */
	bool may_be_throttled; /* limits may exist that are not to be seen from here (a container), or io.cost is on */
	bool is_throttled;     /* a control group of ours limits one of the devices: its wait is in no counter */
	bool is_served;        /* the devices are known, but a server process moves the bytes (fuseblk): the load's own
							  account does not show them */
	char *background_work; /* what keeps the disks busy by itself, "scrub of tank", "resync of md0"; NULL for nothing */
	char *zfs_version;     /* "2.1.11"; "zfs-fuse"; NULL where unknown or no ZFS */
	double network_bytes_per_s; /* with STORAGE_NFS: the most that the way to the server can carry; 0 where unknown */
	char *network_link;         /* that way, "eth0, 10 Gbit/s"; NULL where unknown */
	char *blind_spot;           /* with STORAGE_UNKNOWN: why, "FUSE: only its server knows"; NULL otherwise */
};

/**
 * Find out, through `root`. Never fails: what cannot be known makes it STORAGE_UNKNOWN. `device_major` and
 * `device_minor` are the st_dev of the target folder, `pool` what zfs_pool_find found (all NULL elsewhere). The caller
 * calls storage_release.
 */
void storage_find(struct storage *storage, const char *root, const struct mount *mount, unsigned device_major,
	unsigned device_minor, const struct zfs_pool *pool);
/** Free what it owns. */
void storage_release(struct storage *storage);

/** The number of devices with that role. */
size_t storage_count(const struct storage *storage, enum storage_role role);
/** The names of the devices with that role, "sda1, sdb1"; at most four, then "and 3 more". The caller frees it. */
char *storage_names(const struct storage *storage, enum storage_role role);
/** Requests that all devices with the role TOP take at once; 0 where unknown. */
unsigned storage_queue_limit(const struct storage *storage);
/** What the links of all disks carry together, or the way to the server; 0 where one is unknown. */
double storage_link_bytes_per_s(const struct storage *storage);

#endif
