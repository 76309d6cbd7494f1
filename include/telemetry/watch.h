/** Which counters belong to a target: plain numbers, so that the list can travel to the keeper as it is. */
#ifndef TELEMETRY_WATCH_H
#define TELEMETRY_WATCH_H

#include <stdint.h>

#include "probe/mount.h"
#include "probe/storage.h"

/** More devices than this are not watched; see watch_init. */
enum { WATCH_DEVICES_MAX = 128 };

/** Where the bytes are counted that no block device of this machine sees. */
enum watch_network { WATCH_NETWORK_NONE, WATCH_NETWORK_NFS, WATCH_NETWORK_CIFS };

struct watched_device {
	uint32_t major;
	uint32_t minor;
	uint32_t roles; /* bits of 1 << enum storage_role */
};

/** What is to be read before, during and after a run. */
struct watch {
	uint32_t device_count;
	uint32_t network; /* enum watch_network */
	uint32_t arc;     /* 1: ZFS's cache in RAM and its intent log as well */
	uint32_t unused;  /* keeps the lengths aligned */
	uint64_t objset;  /* of the target's dataset, where ZFS counts its log apart; see watch_find_log */
	struct watched_device devices[WATCH_DEVICES_MAX];
};

/**
 * The watch for a storage. With more devices than fit none is watched: a part of them would look like a part of the
 * bytes.
 */
void watch_init(struct watch *watch, const struct storage *storage);

/**
 * Look for the counters of the dataset that is mounted there, if ZFS is watched, so that a reading need not: a pool may
 * hold thousands. Without any a reading takes those of all pools together.
 */
void watch_find_log(struct watch *watch, const char *root, const struct mount *mount);

/** Whether a watch that came by a pipe holds values that make sense. */
int watch_is_sane(const struct watch *watch);

#endif
