/** Private to this folder: what was counted beside a run of synchronous writes. NAN is unknown throughout. */
#ifndef REPORT_COMMITS_H
#define REPORT_COMMITS_H

#include "report/report.h"

/** What the devices of one role did from right before a run to right after it. */
struct commit_counters {
	double writes; /* requests; on all devices of the role together */
	double write_ms;
	double flushes; /* only whole disks count them, and the requests that ask for them are writes besides */
	double flush_ms;
};

/** Read them; writes stay unknown where the devices were seen to count nothing. */
void commits_count(struct commit_counters *counters, const struct report *report, size_t run, enum storage_role role);
/** The devices whose flushes are counted and that commits wait for: the disks, or a loop device above shared ones. */
enum storage_role commits_flush_role(const struct storage *storage);
/** How many devices with that role have a volatile write cache. */
size_t commits_volatile_count(const struct storage *storage, enum storage_role role);
/** Whether each of these can be told to write past its cache. */
bool commits_have_fua(const struct storage *storage, enum storage_role role);
/** Whether the run's writes may have gone past these caches one by one (FUA): O_DIRECT with O_DSYNC alone does that. */
bool commits_pass_cache(const struct report *report, size_t run, enum storage_role role);
/** Flushes for each commit on each of the disks that have a volatile cache; NAN where nobody counts them. */
double commits_flushes(const struct report *report, size_t run);
/** Whether the log devices are devices of their own, so that their counters tell of the log alone. */
bool commits_log_is_apart(const struct report *report);
/** How many devices write each block of the log: 2 for a mirror. */
double commits_log_copies(const struct zfs_pool *pool);
/** Whether ZFS answers every flush of the dataset at once, as it was told. */
bool commits_sync_is_disabled(const struct report *report);

#endif
