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
 * waits behind another commit's requests on the way there is the host's.
 *
 * The share is device_mean / commit_mean. Mean times that are spent one after the other add up to the mean of the
 * whole, however they are distributed (the mean of a sum is the sum of the means), so shares of the mean do; medians
 * have no such law. Of the median commit the same share is the best that counters, which have means alone, can say:
 * device part = p50 * device_mean / commit_mean, host part = the rest. Where mean and median are apart, that is an
 * estimate.
 */
struct commit_split {
	enum split_source source;
	double device_share; /* of the mean commit, 0 to 1; NAN where unknown */
	bool is_estimate;    /* for one of the two reasons that follow */
	bool has_others;     /* others' requests, or the file system's own, may be in it */
	bool is_skewed;      /* the mean and the median commit differ by more than 10 % of the median one */
	char *reason;        /* owned; why nothing is known, a clause; NULL otherwise */
};

/** Work it out for a run of the report's plan. The caller calls commit_split_release. */
void commit_split_make(struct commit_split *split, const struct report *report, size_t run);
/** Free the reason. */
void commit_split_release(struct commit_split *split);

#endif
