/** What `zpool iostat` says that a pool's devices did while one run was under way. */
#ifndef TELEMETRY_POOL_ACTIVITY_H
#define TELEMETRY_POOL_ACTIVITY_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "probe/zfs.h"

/** Means over the time it was watched. NAN is unknown throughout. */
struct pool_activity {
	bool present;
	/* Summed over the leaves of each class: both sides of a mirror. */
	double log_writes_per_s;
	double log_bytes_per_s;
	double data_writes_per_s;
	double data_bytes_per_s;
	/* How long a write waits for a log device itself, in coarse steps (with -l alone); over the leaves, weighted. */
	double log_disk_wait_ns;
};

/** Nothing is known. */
#define POOL_ACTIVITY_UNKNOWN                                                                                          \
	((struct pool_activity){.log_writes_per_s = (double)NAN,                                                           \
		.log_bytes_per_s = (double)NAN,                                                                                \
		.data_writes_per_s = (double)NAN,                                                                              \
		.data_bytes_per_s = (double)NAN,                                                                               \
		.log_disk_wait_ns = (double)NAN})

/** Which options a zpool understands. */
enum pool_watch_way {
	POOL_WATCH_NONE,  /* there is no zpool, or it does not answer */
	POOL_WATCH_PLAIN, /* -v: old ones, zfs-fuse; numbers rounded to three digits, no latencies */
	POOL_WATCH_EXACT, /* -vlHpyP */
};

/**
 * Read the last report in `output`, which came of `zpool iostat` in that way. Vdevs are classified by the pool's own
 * list of them. In the plain way the first report does not count: it is of all the time since the pool was imported.
 * False where it makes no sense; then nothing is known.
 */
bool pool_activity_parse(
	struct pool_activity *activity, const char *output, enum pool_watch_way way, const struct zfs_pool *pool);

#endif
