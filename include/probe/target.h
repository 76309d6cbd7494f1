/** The directory that is measured: checked, resolved and described, without writing anything. */
#ifndef PROBE_TARGET_H
#define PROBE_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/block.h"
#include "probe/mount.h"
#include "support/failure.h"

/** A directory that may be measured. Strings are owned. */
struct target {
	char *given;    /* as the user wrote it */
	char *path;     /* absolute, links resolved */
	char *shown;    /* `path`, safe to print */
	int descriptor; /* of the directory, close-on-exec; -1 after target_release */
	uint64_t device;
	uint64_t inode;
	unsigned device_major;
	unsigned device_minor;
	struct mount mount; /* all NULL where the mount table says nothing */
	struct block_device block;
	bool space_known;    /* false where the file system reports no size (ramfs) */
	uint64_t free_bytes; /* what may still be written, without root's reserve */
	uint64_t total_bytes;
	bool writable; /* whether this user may create files there */
	bool is_ram;   /* tmpfs or ramfs: there is no device */
	bool is_zfs;
};

/**
 * Open and describe the target. `root` is the prefix of file_read for /proc and /sys. On failure the status is
 * STATUS_TARGET and the sentence says what it is instead (missing, a file, a device node, read-only, not to be
 * entered) and what to give. Not being writable is no failure here: root may still be able to.
 */
bool target_open(struct target *target, const char *root, const char *path, struct failure *failure);

/** Look at the free space again. */
void target_measure_space(struct target *target);

/**
 * Whether a test file of `size_bytes` fits, with some room for the file system's own needs. On failure the status
 * is STATUS_TARGET and the sentence names what is free and the --size that would fit.
 */
bool target_check_space(const struct target *target, uint64_t size_bytes, struct failure *failure);

/** Close the descriptor and free the strings. */
void target_release(struct target *target);

#endif
