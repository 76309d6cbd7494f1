/** What the kernel says of the test file itself. */
#ifndef TELEMETRY_FILE_STATE_H
#define TELEMETRY_FILE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/mount.h"

enum file_state_part {
	FILE_STATE_HOLES = 1 << 0,
	FILE_STATE_ENCODED = 1 << 1,
	FILE_STATE_RESIDENT = 1 << 2,
	FILE_STATE_ALLOCATED = 1 << 3,
};

/** Holds no pointer: it travels from the keeper as it is. */
struct file_state {
	uint32_t known;         /* bits of enum file_state_part */
	uint32_t journals_data; /* 1: ext4's journal takes the file's data (mount option or chattr +j) */
	uint64_t size_bytes;
	uint64_t unwritten_bytes; /* holes, and extents that were allocated but never written: read without the device */
	uint64_t allocated_bytes; /* st_blocks */
	uint64_t encoded_looked_at_bytes; /* how much of the file was looked at for the next */
	uint64_t encoded_bytes;           /* stored compressed, counted as the reader sees them */
	uint64_t resident_looked_at_bytes;
	uint64_t resident_bytes; /* in the page cache */
};

/** Asked between two steps, of which each may wait for a slow disk: whether to take the next. */
typedef bool file_state_goes_on(void *context);

/**
 * Look at an open file; after a flush, since what waits in RAM has no place yet. Bounded in time: a few milliseconds
 * also for a file of terabytes and a million extents; of large ones samples are taken. `may_wait` 0 leaves out what
 * makes ZFS wait for a transaction group (SEEK_HOLE). `mount` is the one it lies on, and may be NULL, as may `goes_on`:
 * where that says no, what was not looked at wholly is left out.
 */
void file_state_take(struct file_state *state, const char *root, int file, const struct mount *mount, int may_wait,
	file_state_goes_on *goes_on, void *context);

/** Whether ext4's journal takes the file's data: by its flag, the mount's option, or the file system's default. */
bool file_journals_data(const char *root, int file, const struct mount *mount);

/**
 * How many bytes of `size_bytes` from `offset_bytes` on (a multiple of the page size) lie in the page cache. False
 * where that cannot be known.
 */
bool file_resident(int file, uint64_t offset_bytes, uint64_t size_bytes, uint64_t *resident_bytes);

#endif
