/** What else has a hand in the numbers: recorded with each result. */
#ifndef PROBE_ENVIRONMENT_H
#define PROBE_ENVIRONMENT_H

#include <stddef.h>

#include "probe/power.h"
#include "probe/storage.h"
#include "probe/target.h"
#include "probe/zfs.h"

/** One fact. */
struct environment_fact {
	const char *key;   /* stable and unique with `subject`: "kernel", "scheduler"; a constant */
	char *subject;     /* owned; what it is said of, "sda", "tank/vm"; NULL for the machine */
	const char *label; /* for people; a constant */
	char *value;       /* owned; safe to print */
};

/** The facts, those of one kind together. */
struct environment {
	struct environment_fact *facts;
	size_t fact_count;
};

/**
 * Collect, through `root`: kernel, processors, how they and the links save power (`power`), memory, load,
 * virtualisation, ARC size; file system with the options that change results (ext4 data=, btrfs nodatacow, compress;
 * ZFS recordsize, compression, sync, logbias, primarycache, direct, encryption); of each disk scheduler, write cache,
 * rotational, queue length, link; dm-crypt. What cannot be read is left out. The caller calls environment_release.
 */
void environment_collect(struct environment *environment, const char *root, const struct target *target,
	const struct storage *storage, const struct zfs_pool *pool, const struct power *power);
/** Free the facts. */
void environment_release(struct environment *environment);

#endif
