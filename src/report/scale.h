/** Private to this folder: what the devices' counters moved during a run, and whether that means anything. */
#ifndef REPORT_SCALE_H
#define REPORT_SCALE_H

#include "report/report.h"

#define UNKNOWN ((double)NAN)
#define NS_PER_SECOND 1e9
/** From this share of all bytes on, others' traffic is worth a word. */
#define FOREIGN_SHARE_MIN 0.1

/** Which of a device's counters. */
enum counter { COUNTER_READ, COUNTER_WRITTEN, COUNTER_READ_REQUESTS, COUNTER_WRITE_REQUESTS, COUNTER_QUEUE_TIME };

/** A run's readings, and what they are held against. */
struct scale {
	const struct report *report;
	const struct storage *storage;
	const struct workload *workload;
	enum transfer transfer;
	const struct evidence *evidence;
	const struct run_readings *readings;
	double claimed_bytes;
};

/** Nanoseconds between two readings; NAN where one is missing or they are not in order. */
double scale_elapsed_ns(const struct reading *from, const struct reading *to);
/** How far a counter went; one that goes backwards was reset, and tells nothing: NAN. */
double scale_difference(uint64_t from, uint64_t to);
/** Whether both readings are there, in order, and have the part. */
bool scale_both_know(const struct reading *from, const struct reading *to, enum reading_part part);
/** What the devices of a role counted between two readings; NAN where unknown. */
double scale_moved(const struct scale *scale, const struct reading *from, const struct reading *to,
	enum storage_role role, enum counter counter);
/** The same from right before the run to right after it. */
double scale_moved_in_run(const struct scale *scale, enum storage_role role, enum counter counter);
/** What would have moved during the run at the rate of the idle stretch before it; NAN where unknown. */
double scale_idle(const struct scale *scale, enum storage_role role, enum counter counter);
/** What the process itself is said to have fetched; only above block devices does the kernel keep that account. */
double scale_account(const struct scale *scale);
/** How many copies of each byte the leaves hold; 1 where the layout leaves it open. */
double scale_copies(const struct storage *storage);
/** What of an excess was others' traffic: what the idle rate explains, if that is most of it. */
double scale_explained(double excess_bytes, double idle_bytes);
/**
 * Whether the storage goes on writing for seconds after a run that was flushed: what it wrote right before the next
 * run was then our own.
 */
bool scale_writes_late(const struct report *report);
/** Whether the target lies on one of these file systems, beneath an overlay too; the list ends with NULL. */
bool scale_is_type(const struct report *report, const char *const *types);

/** The part of the audit that is about others' bytes (audit_traffic.c). */
void audit_fill_foreign(struct audit *audit, const struct scale *scale);
/** The part that is about the queue (audit_depth.c). */
void audit_fill_depth(struct audit *audit, const struct scale *scale);

#endif
