/** The parts of storage_find: following a stack of devices down, and a pool's. */
#ifndef PROBE_STORAGE_PARTS_H
#define PROBE_STORAGE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/base.h"
#include "probe/storage.h"

/** Whether the file system stores less than it is given, by its mount options. */
bool options_compress(const struct mount *mount);

/** A way down that is being followed. */
struct descent {
	struct storage *storage; /* devices are added here */
	const char *root;
	size_t leaves;     /* that were reached */
	size_t ram_leaves; /* of these, memory */
	size_t unseen;     /* leaves that are no device, or whose number is unknown: the others do not see all bytes */
};

/** What is beneath a device, as one. */
struct beneath {
	double copies;        /* bytes that the leaves write for each byte */
	unsigned queue_limit; /* requests taken at once; 0 where unknown */
};

/** Follow the device down to its leaves. It gets the `roles`; the leaves and their disks get theirs. */
struct beneath descend_device(struct descent *descent, const struct node *node, unsigned roles, unsigned level);

/** Follow all the devices of a base; what they are together, each having its share of the bytes. */
struct beneath descend_base(struct descent *descent, const struct base *base, unsigned roles, unsigned level);

/** Follow the devices of a pool, and set the copies; false where one of them is not found. */
bool descend_pool(struct descent *descent, const struct zfs_pool *pool);

#endif
