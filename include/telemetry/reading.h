/** What the machine's counters say at one instant. */
#ifndef TELEMETRY_READING_H
#define TELEMETRY_READING_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/mount.h"
#include "probe/storage.h"
#include "telemetry/watch.h"

/** Counters of block devices, summed; of /sys/.../stat (Documentation/block/stat.rst). */
struct device_counters {
	uint64_t read_requests; /* that were completed */
	uint64_t read_bytes;
	uint64_t write_requests;
	uint64_t written_bytes;
	uint64_t in_flight;     /* at this instant */
	uint64_t queue_time_ms; /* the time that requests spent in flight, added up as each is completed */
	uint64_t write_time_ms; /* the part of it that writes spent */
	/* With READING_FLUSHES. Only whole disks count them, never partitions, nor stacks that hand them on (dm, md). */
	uint64_t flush_requests;
	uint64_t flush_time_ms;
};

/** ZFS's intent log, counted since the module was loaded. A "block" is what is written for one or several commits. */
struct zil_counters {
	uint64_t commits;
	uint64_t indirect;    /* records whose data went to the pool, with only a pointer in the log */
	uint64_t log_blocks;  /* written to log devices */
	uint64_t pool_blocks; /* written to the pool's other devices */
};

/** Which parts of a reading are wanted, or there. A file that is missing leaves its part out and breaks nothing. */
enum reading_part {
	READING_DEVICES = 1 << 0, /* every watched device could be read */
	READING_NETWORK = 1 << 1,
	READING_ARC = 1 << 2,
	READING_DIRTIED = 1 << 3,
	READING_PROCESSORS = 1 << 4,
	READING_QUOTA = 1 << 5,
	READING_FLUSHES = 1 << 6, /* the kernel (5.5 and newer) counts flushes; comes with READING_DEVICES */
	READING_ZIL = 1 << 7,
	READING_ALL = (1 << 8) - 1,
};

/** Everything at one instant. Holds no pointer: it travels from the keeper as it is. */
struct reading {
	uint64_t at_ns;                                     /* CLOCK_MONOTONIC; 0: there is no such reading */
	uint32_t known;                                     /* bits of enum reading_part */
	uint32_t processors;                                /* how many of them this process may use */
	struct device_counters devices[STORAGE_ROLE_COUNT]; /* by role */
	uint64_t network_read_bytes;                        /* to and from the server, for this mount alone */
	uint64_t network_written_bytes;
	uint64_t arc_hits; /* ZFS's cache, demand for data, all pools together */
	uint64_t arc_misses;
	struct zil_counters zil;
	uint32_t zil_is_dataset; /* 1: of the target's dataset alone (OpenZFS 2.2 and newer); 0: of all pools together */
	uint32_t unused;         /* keeps the lengths aligned */
	uint64_t dirtied_bytes;  /* pages of the page cache that were made dirty, by anybody; exact to some 100 pages */
	/* Of the processors that this process may use: neither idle, nor waiting for I/O, nor with nicer work than ours. */
	uint64_t processor_busy_ticks;
	uint64_t processor_all_ticks;
	/* How long CPU quotas kept the control group from running, added up over the processors: up to N times the time. */
	uint64_t quota_throttled_us;
};

/**
 * Take those `parts` of a reading (bits of enum reading_part) through `root`. `mount` is the target's, for network file
 * systems; may be NULL. Never fails; costs some 60 us of a processor for two devices.
 */
void reading_take(
	struct reading *reading, unsigned parts, const char *root, const struct watch *watch, const struct mount *mount);

/** Whether both of two readings have one of these `parts`, so that a difference means something. */
bool reading_both_know(const struct reading *from, const struct reading *to, unsigned parts);

/** What a counter counted in between; 0 where it went back, for then it was started anew. */
uint64_t reading_grown(uint64_t from, uint64_t to);

#endif
