/** Private to this folder: one run whose path is judged, and what the judges of all kinds of storage share. */
#ifndef REPORT_PATH_CASE_H
#define REPORT_PATH_CASE_H

#include "report/path.h"
#include "report/report.h"

/** Of what commits need at least, so much has to be seen. */
#define SEEN_MIN 0.9
/** Below this nothing of it was seen; with fewer commits nothing can be told. */
#define NOTHING_MAX 0.01
#define COMMITS_MIN 100

/** One run, as it is judged. */
struct case_file {
	const struct report *report;
	size_t run;
	const struct workload *workload;
	const struct evidence *evidence;
	double commits;
	double needed; /* the least number of blocks or flushes that these commits take */
};

/** Set verdict and cause. */
void path_conclude(struct path_proof *proof, enum path_verdict verdict, enum path_cause cause);
/** Judge a run on ZFS (path_zfs.c). What is known besides stands in the proof already. */
void path_judge_zfs(struct path_proof *proof, const struct case_file *file);

#endif
