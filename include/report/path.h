/** Which way synchronous writes took: proof from counters, not from settings. */
#ifndef REPORT_PATH_H
#define REPORT_PATH_H

#include <stdbool.h>
#include <stddef.h>

struct report;

/** Where the writes of a run went. */
enum path_verdict {
	PATH_UNKNOWN,
	PATH_LOG,         /* ZFS: all to the log devices */
	PATH_LOG_PARTLY,  /* ZFS: to the log devices and to the pool */
	PATH_POOL,        /* ZFS: the log's blocks went to the pool's own devices */
	PATH_INDIRECT,    /* ZFS: the data went to the pool, only pointers to the log */
	PATH_AROUND,      /* ZFS 2.3 and newer: O_DIRECT, so the data went to the pool at once */
	PATH_NOT_DURABLE, /* nothing waited for a device: what was confirmed could be lost */
	PATH_FLUSHED,     /* not ZFS: written to the devices, and flushed out of their caches */
	PATH_WRITTEN,     /* not ZFS: written to devices that claim to have no volatile cache, or by FUA */
};

/** Why it is so, as far as it is known. */
enum path_cause {
	PATH_CAUSE_NONE,
	PATH_CAUSE_SYNC_DISABLED,
	PATH_CAUSE_SYNC_UNREAD, /* nothing was logged, as with sync=disabled, and nobody could read that property */
	PATH_CAUSE_LOGBIAS,     /* logbias=throughput */
	PATH_CAUSE_NO_LOG,      /* the pool has no log device */
	PATH_CAUSE_LOG_SICK,    /* it has one that does not take part */
	PATH_CAUSE_DIRECT,
	PATH_CAUSE_LARGE,     /* blocks above zfs_immediate_write_sz, on a pool without log device */
	PATH_CAUSE_NO_BARRIER /* a volatile write cache, and no flush was seen (nobarrier) */
};

/** Who bears witness. */
enum path_witness { PATH_BY_NOBODY, PATH_BY_ZIL, PATH_BY_ZIL_OF_ALL_POOLS, PATH_BY_ZPOOL_IOSTAT, PATH_BY_DEVICES };

/** Whether others' requests are among those that the devices counted. */
enum path_others {
	PATH_OTHERS_UNSEEN,
	PATH_OTHERS_LIKELY, /* more flushes than a commit makes, or many just before the run */
	PATH_OTHERS_SEEN,
};

/** One run's. NAN is unknown. */
struct path_proof {
	enum path_verdict verdict;
	enum path_cause cause;
	enum path_witness witness;
	bool is_all; /* PATH_LOG: it is proven of all commits, or nearly all; others only hint that the log took part */
	enum path_others others;   /* not ZFS */
	double commits;            /* fio's */
	double log_share;          /* ZFS: of the log's blocks, those on log devices */
	double writes_per_commit;  /* requests to the devices that commits wait for; asking for a flush is one, too */
	double flushes_per_commit; /* on each of the disks with a volatile cache */
	double log_writes_per_s;   /* by zpool iostat */
	double data_writes_per_s;
};

/** Work it out for a run of the report's plan; of one that is not synchronous PATH_UNKNOWN. */
void path_prove(struct path_proof *proof, const struct report *report, size_t run);

/**
 * Why the runs are no result: sync=disabled, or as with it where that property could not be read; and what to do. The
 * caller frees it.
 */
char *path_describe_no_result(const struct report *report);

#endif
