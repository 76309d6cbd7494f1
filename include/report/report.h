/** What was measured, where and how: the model that everything shown is made from. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "plan/plan.h"
#include "probe/environment.h"
#include "probe/power.h"
#include "probe/storage.h"
#include "probe/target.h"
#include "probe/zfs.h"
#include "report/evidence.h"
#include "report/finding.h"
#include "report/series.h"

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
	struct figures figures; /* with OUTCOME_VALID, and with OUTCOME_FAILED where has_figures */
	bool has_figures;       /* a failed run that has numbers all the same: shown in brackets, never as a plain number */
	char *reason;           /* owned; why it failed, with OUTCOME_FAILED */
	enum finding_kind failure_kind; /* what the failure goes by, FINDING_SHORTENED or the like; else FINDING_NONE */
	struct evidence evidence;
	struct series series; /* of its throughput; owned */
	char *began_at;       /* owned; "2026-11-30T17:21:06Z", UTC; NULL where unknown */
};

/** Whether the page cache was passed by, and if not, why not. */
enum direct_state {
	DIRECT_ENABLED,     /* accepted; direct_verdict tells whether it was honoured too */
	DIRECT_REFUSED,     /* the target refuses it */
	DIRECT_NOT_WANTED,  /* the user said --buffered */
	DIRECT_NOT_FOR_SLOG /* synchronous writes are durable without it, and on ZFS it would go around the log */
};

/** Whether O_DIRECT does what it says, for one direction. */
enum honour { HONOUR_UNKNOWN, HONOUR_YES, HONOUR_NO };

/** What the trial of O_DIRECT came to. */
struct direct_verdict {
	enum honour honours[TRANSFER_COUNT];
	char *cause; /* owned; why not, "btrfs with checksums", "ZFS before 2.3", "ext4 data=journal", "tmpfs: RAM"; NULL */
};

/** What --diagnose came to before anything was measured. Strings are owned. */
struct experiment {
	bool wanted;
	char *left_out[2]; /* by stage, C-states and governor: why it is left out, a clause; NULL where it is in */
};

/** The circumstances of a measurement. Strings are owned unless said otherwise. */
struct report {
	const struct target *target; /* the caller's */
	const struct plan *plan;     /* the caller's */
	char *tool;                  /* "fio 3.33", "dd" */
	char *runs_as;               /* "root", "root through sudo", "bob" */
	enum engine engine;          /* for fio */
	enum direct_state direct;
	char *direct_reason;                  /* with DIRECT_REFUSED, where it is known; NULL otherwise */
	struct direct_verdict direct_verdict; /* with DIRECT_ENABLED */
	struct zfs_pool pool;
	struct storage storage;
	struct environment environment;
	struct power power;
	struct experiment experiment;
	uint64_t cache_bytes; /* what a cache on the way to the device can hold, page cache or ARC; 0 where unknown */
	char **notes;         /* one sentence each, shown between banner and table */
	size_t note_count;
	struct measurement *measurements; /* one for each run of the plan */
	size_t measurement_count;
	struct findings findings; /* see report_check */
};

/** An empty report about a target and a plan. The caller calls report_release. */
void report_init(struct report *report, const struct target *target, const struct plan *plan);
/** The plan has more runs now: they were not made yet. */
void report_grow(struct report *report);
/** Free what the report owns. */
void report_release(struct report *report);
/** Add a sentence to the notes. */
void report_add_note(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Judge what the trial of O_DIRECT showed: sets direct_verdict. */
void report_judge_direct(struct report *report, const struct direct_truth *truth);
/**
 * Hold every run against its evidence: sets findings, and fails the runs whose number is none (blocks that were never
 * written, writes that were to be durable with sync=disabled). Again after each further run.
 */
void report_check(struct report *report);
/** The pool as an argument of a command that is shown, in double quotes where it needs them. The caller frees it. */
char *report_pool_argument(const struct report *report);
/** The same of the dataset that is measured. */
char *report_dataset_argument(const struct report *report);
/** How many runs have the given outcome. */
size_t report_count(const struct report *report, enum outcome outcome);

#endif
