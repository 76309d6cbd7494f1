/** Where the time of a commit goes: into the device, or into the host above it. */
#ifndef REPORT_COMMIT_SPLIT_H
#define REPORT_COMMIT_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

struct report;

/** Who tells how long the device took. */
enum split_source { SPLIT_UNKNOWN, SPLIT_BY_DEVICE /* its own write and flush times */, SPLIT_BY_DISK_WAIT };

/**
 * One run's. The device's time of a commit is the mean time of its requests, times how many of them a single commit
 * waits for one after the other, which a run with one thread shows: there none waits for another's. A request for a
 * flush is a write to the kernel's counters, so the flushes' own time is added only where it is seen not to be. What
 * waits behind another commit's requests on the way there is the host's. Of the median commit the device takes that
 * time as well; where it is more than the whole median, the device's share of the mean commit.
 */
struct commit_split {
	enum split_source source;
	double device_share; /* of the median commit, 0 to 1; NAN where unknown */
	bool is_estimate;    /* others' requests, or the pool's own, may be in it */
	char *reason;        /* owned; why nothing is known, a clause; NULL otherwise */
};

/** Work it out for a run of the report's plan. The caller calls commit_split_release. */
void commit_split_make(struct commit_split *split, const struct report *report, size_t run);
/** Free the reason. */
void commit_split_release(struct commit_split *split);

#endif
