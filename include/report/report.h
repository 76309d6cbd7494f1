/** What was measured, where and how: the model that everything shown is made from. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "plan/plan.h"
#include "probe/target.h"
#include "probe/zfs.h"

/** Whether a run has numbers. */
enum outcome { OUTCOME_NOT_RUN, OUTCOME_VALID, OUTCOME_FAILED };

/** The numbers of one run. NAN is unknown. */
struct figures {
	double bandwidth_bytes_per_s;
	double iops;
	double latency_p50_ns;
	double latency_p99_ns;
};

/** One run's result. */
struct measurement {
	enum outcome outcome;
	struct figures figures; /* with OUTCOME_VALID */
	char *reason;           /* owned; why it failed, with OUTCOME_FAILED */
};

/** Whether the page cache was passed by, and if not, why not. */
enum direct_state {
	DIRECT_ENABLED,
	DIRECT_REFUSED,     /* the target refuses it */
	DIRECT_NOT_WANTED,  /* the user said --buffered */
	DIRECT_NOT_FOR_SLOG /* synchronous writes are durable without it, and on ZFS it would go around the log */
};

/** The circumstances of a measurement. Strings are owned unless said otherwise. */
struct report {
	const struct target *target; /* the caller's */
	const struct plan *plan;     /* the caller's */
	char *tool;                  /* "fio 3.33", "dd" */
	char *runs_as;               /* "root", "root through sudo", "bob" */
	enum engine engine;          /* for fio */
	enum direct_state direct;
	char *direct_reason; /* with DIRECT_REFUSED, where it is known; NULL otherwise */
	struct zfs_pool pool;
	char **notes; /* one sentence each, shown between banner and table */
	size_t note_count;
	struct measurement *measurements; /* one for each run of the plan */
};

/** An empty report about a target and a plan. The caller calls report_release. */
void report_init(struct report *report, const struct target *target, const struct plan *plan);
/** Free what the report owns. */
void report_release(struct report *report);
/** Add a sentence to the notes. */
void report_add_note(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Add the notes that follow from the circumstances themselves: RAM, ZFS's cache, engines without a queue. */
void report_add_circumstances(struct report *report);
/** How many runs have the given outcome. */
size_t report_count(const struct report *report, enum outcome outcome);
/** The measurement of a row in one direction; NULL where that is not measured. */
const struct measurement *report_measurement(const struct report *report, size_t workload, enum transfer transfer);

#endif
