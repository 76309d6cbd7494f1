/** One measurement from beginning to end: what the program does once it knows what the user wants. */
#ifndef MEASURE_SESSION_H
#define MEASURE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "fio/version.h"
#include "keeper/access.h"
#include "keeper/link.h"
#include "measure/progress.h"
#include "plan/plan.h"
#include "probe/target.h"
#include "report/report.h"
#include "settings/settings.h"
#include "support/failure.h"
#include "telemetry/pool_activity.h"

struct pool_watch;

/** Everything that lives as long as the measurement. */
struct session {
	const struct settings *settings;
	struct target *target;
	struct fio_program fio; /* path NULL with the dd profile */
	struct plan plan;
	struct report report;
	struct access access;
	struct keeper_link link;
	struct progress progress;
	enum pool_watch_way pool_way;        /* how to ask zpool beside the runs that measure commits */
	struct pool_watch *pool_watch;       /* beside the run under way; NULL between runs */
	double layout_bandwidth_bytes_per_s; /* what laying out the file reached; 0 before that */
	unsigned power_held;                 /* bits of enum power_hold: what the keeper was told to hold last */
	unsigned power_performing;           /* frequency domains whose governor was "performance" then */
	int trial_error;                     /* errno of the last trial that failed; 0 for none */
	bool abandoned;                      /* the keeper no longer answers: it is left to clean up by itself */
	/* Called after each run that has come to its end, well or not; both may be set between open and run. */
	void (*run_finished)(void *context);
	void *context;
	struct series *series;   /* of the run under way; NULL between runs */
	double device_bytes;     /* what the devices had moved in it */
	double device_elapsed_s; /* when the series got its latest point with that */
};

/** The profile that these settings come to on this machine: with none asked for it depends on whether fio is here. */
const struct profile *session_profile(const struct settings *settings);

/*
 * Each of the following returns false with a failure. Where a signal was the reason, the failure's sentence stays
 * NULL and signals_received() says which.
 */

/** Choose the profile and the program, get hold of the target, and find out what works there. */
bool session_open(
	struct session *session, const struct settings *settings, struct target *target, struct failure *failure);

/** Write the test file. */
bool session_layout(struct session *session, struct failure *failure);

/**
 * Carry out the plan. A run that fails is noted in the report and the next one goes on; false only where no more
 * runs are possible.
 */
bool session_run(struct session *session, struct failure *failure);

/** Have everything removed that was made, and free. False where something is left behind. */
bool session_close(struct session *session, struct failure *failure);

#endif
