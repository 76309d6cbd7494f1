/** Private to this folder: the runs that took the same way. */
#ifndef DOCTOR_PATH_GROUPS_H
#define DOCTOR_PATH_GROUPS_H

#include "report/path.h"
#include "report/report.h"
#include "support/text.h"

/** So many rows are named; of more, how many there are. */
enum { ROWS_NAMED_MAX = 4 };

/** Runs with the same verdict. */
struct path_group {
	struct path_proof proof; /* the first one's; is_all and others are what all passes of its row tell together */
	double commits;          /* of all */
	double log_blocks;
	double pool_blocks;
	double indirect;
	double log_writes_per_s; /* the most that any run saw */
	double data_writes_per_s;
	unsigned first_threads; /* of the first run */
	unsigned threads;       /* of the run with most threads, and what its commits made */
	double crowd_flushes;
	struct text rows; /* their names */
	size_t row_count;
	size_t last_workload;
};

/** All of them. */
struct path_groups {
	struct path_group *list;
	size_t count;
};

/** Find them, in the order of their rows. The caller calls path_groups_release. */
void path_groups_find(struct path_groups *groups, const struct report *report);
/** Free everything. */
void path_groups_release(struct path_groups *groups);

#endif
