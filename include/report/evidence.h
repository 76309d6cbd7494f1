/** What was seen beside one run, and what follows from it by arithmetic alone. NAN is unknown throughout. */
#ifndef REPORT_EVIDENCE_H
#define REPORT_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "plan/workload.h"
#include "probe/storage.h"
#include "telemetry/pool_activity.h"
#include "telemetry/readings.h"

/** The evidence of one run. */
struct evidence {
	bool present;         /* false: the run did not come to an end with figures */
	double claimed_bytes; /* what fio or dd says it moved */
	/* Mean over the jobs of IOPS x mean submission latency: the share of its time that a job spent in submitting. */
	double submit_saturation;
	double busiest_job_cpu; /* user and system time of the job that used most, as a share of one processor */
	bool direct;            /* O_DIRECT was asked for */
	double commits;         /* of a synchronous run: requests that were durable before the next; NAN otherwise */
	double commit_mean_ns;  /* how long one took, mean over all */
	struct pool_activity pool_activity;
	struct run_readings readings;
};

/**
 * From the readings to shares; every figure relative to the bytes claimed, unless said otherwise. Others' bytes are
 * unknown where this storage's own, that come late, cannot be told from them.
 */
struct audit {
	/* Read runs: what came from the device; the least that any layer of the stack and the process's account tell. */
	double from_device;
	/* Write runs: what was on the device when the program ended, and what the keeper's own flush added to it. */
	double on_device;
	double flushed_later;
	double written_copies; /* write runs: bytes the leaves wrote for each byte claimed, others' traffic taken out */
	double page_cache;     /* write runs: what was made dirty in the page cache */
	double foreign_read_bytes_per_s; /* moved on the same disks by others during the run */
	double foreign_write_bytes_per_s;
	double foreign_share;     /* theirs, of theirs and the run's own together */
	bool foreign_is_on_top;   /* they used the file system's own device, not only disks that are shared beneath it */
	double queue_depth;       /* blocks in flight on the device, mean over the steady part of the run */
	double steady_blocks;     /* how many of them were completed in that part */
	double processors_busy;   /* share of the time of all processors that the program may use */
	double quota_wait;        /* share of its time in which the control group's CPU quota kept each job from running */
	unsigned processor_count; /* 0 where unknown */
};

struct report;

/** Work the shares out for a run of the report's plan. */
void audit_make(struct audit *audit, const struct report *report, size_t run);

/**
 * What the bytes did, by one figure: from_device of a read run, on_device of a write run. `transfer` says which.
 */
double audit_moved(const struct audit *audit, enum transfer transfer);

/**
 * In words, for --verbose: "from the device 100 %", "from RAM: 0 % came from the device", "mixed 37 %",
 * "written 3.9x (amplification)", "unknown". The caller frees it.
 */
char *audit_describe(const struct audit *audit, const struct storage *storage, enum transfer transfer);

#endif
