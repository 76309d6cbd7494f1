/** The runs of a profile in their order, and what they cost. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/profile.h"

/** One run: one row, one direction. */
struct planned_run {
	size_t workload; /* index into the profile's workloads */
	enum transfer transfer;
	unsigned pass; /* 1 for the first; 0 for the warm-up, whose figures are thrown away; of the experiment its round */
};

/** The experiment has as many rounds as there are passes, but at least so many: fewer tell small changes badly. */
enum { PLAN_ROUNDS_MIN = 5 };

/** What the user chose of it. */
struct plan_choice {
	uint64_t size_bytes;
	uint64_t runtime_s;
	unsigned runs;       /* how many passes over all tests, at least 1 */
	bool warmup;         /* one more before them */
	uint64_t ramp_s;     /* fio works for so long before it begins to count */
	uint64_t interval_s; /* pause between two runs */
	bool detail;         /* the profile's reference rows as well */
	bool without_dsync;  /* this fio cannot do them with O_DSYNC */
};

/** What will be done. */
struct plan {
	const struct profile *profile;
	uint64_t size_bytes;
	uint64_t runtime_s;
	uint64_t ramp_s;
	uint64_t interval_s;
	unsigned passes; /* without the warm-up */
	unsigned rounds; /* of the experiment; 0 without one */
	bool warmup;
	struct planned_run *runs; /* owned */
	size_t run_count;
	size_t write_run_count;
};

/**
 * Lay out the runs of a profile: pass by pass, so that a drift does not become a difference between rows; in each row
 * by row, reading before writing. The caller calls plan_release.
 */
void plan_init(struct plan *plan, const struct profile *profile, const struct plan_choice *choice);
/**
 * Add the experiment behind all passes: round by round the workloads of PART_EXPERIMENT whose `power` is one of
 * `stages`, forwards in odd rounds and backwards in even ones, so that a drift does not become a difference.
 */
void plan_add_experiment(struct plan *plan, const unsigned *stages, size_t stage_count);
/** Free the runs. */
void plan_release(struct plan *plan);

/** The workload of a run. */
const struct workload *plan_workload(const struct plan *plan, size_t run);

/** Bytes that laying out the test file writes; 0 where the profile's own first run makes it. */
uint64_t plan_layout_bytes(const struct plan *plan);

/** Seconds that the timed runs take, with ramps and the pauses between; of dd, which ends with the file, the pauses. */
uint64_t plan_runs_s(const struct plan *plan);

/** Seconds for everything, on a device that writes `bandwidth_bytes_per_s`. */
uint64_t plan_estimate_s(const struct plan *plan, double bandwidth_bytes_per_s);

/** The name of a run's test, as in "RND4K Q1T1 read". The caller frees it. */
char *plan_run_name(const struct plan *plan, size_t run);
/**
 * The same with its pass where there are several: "RND4K Q1T1 read, run 2 of 5", "..., warm-up", of the experiment
 * "T1 as it is, round 2 of 5"; rows that no main table has are named without their direction. Free it, too.
 */
char *plan_run_title(const struct plan *plan, size_t run);

#endif
