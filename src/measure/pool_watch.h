/** `zpool iostat` beside the runs that measure commits on ZFS. Private to measure/. */
#ifndef MEASURE_POOL_WATCH_H
#define MEASURE_POOL_WATCH_H

#include <stdint.h>
#include <sys/types.h>

#include "fio/job.h"
#include "measure/session.h"

/** One zpool beside a run: to be started, running, or none. */
struct pool_watch {
	pid_t pid;          /* -1 while none runs */
	int output;         /* descriptor of what it prints */
	uint64_t runtime_s; /* of the run, after its ramp */
	uint64_t ramp_s;
	bool is_due;           /* it is to be started once the load is under way */
	uint64_t under_way_ns; /* since when it is; 0 before that */
	uint64_t ready_ns;     /* when zpool has told what it was asked for */
};

/** Find out once which way of asking works, and note it where that is not the best one. */
void pool_watch_find(struct session *session);

/**
 * Before a run: have zpool started as soon as the load is under way. Nothing happens where there is nothing to be
 * learnt of it. The watch stays where it is until pool_watch_end.
 */
void pool_watch_begin(struct pool_watch *watch, struct session *session, const struct fio_job *job);

/** With each news of a run: its watch may have to be started now. */
void pool_watch_look(struct session *session, const struct keeper_progress *progress);

/**
 * After the run, whatever came of it: take what zpool told of the pool's devices, and see to it that none is left.
 * One that hangs in the kernel dies as soon as the kernel lets it; no other is started after it.
 */
void pool_watch_end(struct pool_watch *watch, struct session *session, struct pool_activity *activity);

#endif
