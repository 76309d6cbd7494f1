/** What is read before, during and after a run, so that its numbers can be checked. Private to keeper/. */
#ifndef KEEPER_WITNESS_H
#define KEEPER_WITNESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "probe/mount.h"
#include "requests.h"
#include "telemetry/readings.h"
#include "telemetry/watch.h"

/** What is kept from one run to the next, and what was read around the one under way. */
struct witness {
	struct watch watch;
	struct mount mount;
	bool has_mount;
	bool may_wait;          /* false on ZFS; see file_state_take */
	struct reading resting; /* from when the keeper's own last work ended; at_ns 0: since then it did something */
	/* of the run under way */
	bool is_on; /* false for trials */
	bool reads;
	uint64_t runtime_ns; /* 0 where it takes as long as it takes */
	uint64_t started_ns;
	uint64_t next_ns; /* no reading before this: they shall cost nothing */
	uint64_t test_device, test_inode;
	unsigned looks; /* at the program's descriptors */
	struct run_readings readings;
};

/** What the witness needs to know of a run. */
struct witness_run {
	bool is_trial; /* nothing is read */
	bool reads;
	uint64_t runtime_s; /* 0 where it takes as long as it takes */
};

/** From now on read these counters; `directory` lies on the file system to measure. */
void witness_watch(struct witness *witness, const struct watch *watch, int directory);
/** Free what it owns. */
void witness_release(struct witness *witness);

/** The keeper's own work has ended: from now on the machine shows what others do. */
void witness_rest(struct witness *witness);
/** The keeper did something that was not watched. */
void witness_disturb(struct witness *witness);
/** One reading, for others that need one. */
void witness_read(const struct witness *witness, struct reading *reading);

/** A run is about to start: look at the file and at what others do. Waits up to 0.1 s for that, unless told to stop. */
void witness_begin(struct witness *witness, const struct witness_run *run, int test_file, struct requests *requests);
/** It has started. */
void witness_started(struct witness *witness);
/** It goes on; called a few times a second, and reads only as often as costs nothing. */
void witness_tick(struct witness *witness, pid_t pid);
/** It has ended; `usage` is what wait4(2) told. */
void witness_ended(struct witness *witness, const struct rusage *usage);
/** After a good end, before the keeper's own flush: look at the file again. */
void witness_look(struct witness *witness, int test_file);
/** After the keeper's own flush of a write run. */
void witness_flushed(struct witness *witness);

#endif
