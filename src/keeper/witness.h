/** What is read before, during and after a run, so that its numbers can be checked. Private to keeper/. */
#ifndef KEEPER_WITNESS_H
#define KEEPER_WITNESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "keeper/protocol.h"
#include "probe/mount.h"
#include "requests.h"
#include "telemetry/readings.h"
#include "telemetry/watch.h"

/** What is kept from one run to the next, and what was read around the one under way. */
struct witness {
	const char *root; /* before every path in /proc and /sys; NULL: none */
	struct watch watch;
	struct reading watched; /* from when the watch began */
	struct mount mount;
	bool has_mount;
	bool may_wait;          /* false on ZFS; see file_state_take */
	struct reading resting; /* from when the keeper's own last work ended; at_ns 0: since then it did something */
	/* of the run under way */
	bool is_on; /* false for trials */
	bool reads;
	bool is_prompt;
	uint64_t runtime_ns; /* 0 where it takes as long as it takes */
	uint64_t ramp_ns;    /* goes before that */
	uint64_t started_ns;
	uint64_t still_ns; /* when the device was last seen to do nothing yet */
	uint64_t moved_ns; /* when it was first seen to do something; 0: not yet */
	bool begins_anew;  /* the next steady reading is the first of all */
	uint64_t next_ns;  /* no reading before this: they shall cost nothing */
	uint64_t look_ns;  /* no look at the program's descriptors before this */
	uint64_t test_device, test_inode;
	unsigned looks;              /* at the program's descriptors */
	struct power_sampler *power; /* owned; NULL where the run measures no commits */
	struct run_readings readings;
	struct {
		uint64_t at_ns; /* 0: not yet, or unknown */
		uint64_t bytes; /* that the devices moved in the run's direction by then */
	} latest;
	struct keeper_ramp_reading ramp[KEEPER_RAMP_READINGS_MAX]; /* around the ramp's end */
	unsigned ramp_count;
	uint64_t file_size_bytes;
};

/** What the witness needs to know of a run. */
struct witness_run {
	bool is_trial; /* nothing is read */
	bool reads;
	bool is_commit;     /* it measures how long commits take: see struct power_reading */
	bool is_prompt;     /* what it does the device has to do at once, unless it comes from RAM */
	uint64_t runtime_s; /* 0 where it takes as long as it takes */
	uint64_t ramp_s;    /* goes before that, and is no part of what is measured */
};

/** From now on read these counters; `directory` lies on the file system to measure. */
void witness_watch(struct witness *witness, const struct watch *watch, int directory);
/** Free what it owns. */
void witness_release(struct witness *witness);

/** The keeper's own work has ended: from now on the machine shows what others do. */
void witness_rest(struct witness *witness);
/** The keeper did something that was not watched. */
void witness_disturb(struct witness *witness);
/** What comes before every path in /proc and /sys. */
const char *witness_root(const struct witness *witness);
/** The parts of a reading that tell what a load moves. */
#define WITNESS_MOVING_PARTS ((unsigned)READING_DEVICES | (unsigned)READING_NETWORK)
/** One reading of these parts. */
void witness_read_parts(const struct witness *witness, struct reading *reading, unsigned parts);
/** One reading of everything, for others that need one. */
void witness_read(const struct witness *witness, struct reading *reading);

/** A run is about to start: look at the file and at what others do. Waits up to 0.1 s for that, unless told to stop. */
void witness_begin(struct witness *witness, const struct witness_run *run, int test_file, struct requests *requests);
/** It has started. */
void witness_started(struct witness *witness);
/** It goes on; called a few times a second, and reads only as often as costs nothing. */
void witness_tick(struct witness *witness, pid_t pid);
/** How long until the witness wants to be called again; UINT64_MAX where it does not care. */
uint64_t witness_rest_ns(const struct witness *witness);
/** What the devices moved since it started by the latest reading, and when that was; false where unknown. */
bool witness_latest(const struct witness *witness, double *bytes, double *elapsed_s);
/** Whether the ramp ends about now, where fio begins to count anew and its own rate is nonsense for a moment. */
bool witness_is_at_ramp_end(const struct witness *witness);
/** Put what was seen at the ramp's end into a result. */
void witness_tell_ramp(const struct witness *witness, struct keeper_result *result);
/** It has ended; `usage` is what wait4(2) told. */
void witness_ended(struct witness *witness, const struct rusage *usage);
/** After a good end, before the keeper's own flush: look at the file again, unless told to stop. */
void witness_look(struct witness *witness, int test_file, struct requests *requests);
/** After the keeper's own flush of a write run. */
void witness_flushed(struct witness *witness);

/** A direction. */
enum witness_way { WITNESS_READ, WITNESS_WRITTEN };

/**
 * Bytes between two readings that the file system's devices moved; where no device of this machine bears witness, those
 * from and to the server. 0 where neither is known.
 */
uint64_t witness_moved_bytes(const struct reading *from, const struct reading *to, enum witness_way way);

/**
 * Whether so many bytes or more were seen to be written since the watch began. Where a file was laid out since, and
 * less was seen, the counters are none: multipath heads of old kernels and devices with queue/iostats=0 count nothing.
 */
bool witness_counted(const struct witness *witness, uint64_t bytes);

#endif
