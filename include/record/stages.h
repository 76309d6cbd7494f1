/** The experiment, stage by stage: each is compared with the one before. */
#ifndef RECORD_STAGES_H
#define RECORD_STAGES_H

#include "record/compare.h"

/** As the machine is, C-states held off, governor. */
enum { STAGES_MAX = 3 };

/** One stage. */
struct stage {
	const struct record_test *test;
	struct test_figures figures;
	/* The median latency (QUANTITY_P50) against the stage before, judged as in the comparison of saved runs, with all
	 * changes of the experiment together; the difference is that of the medians, the interval that of the geometric
	 * means. Of the first stage it says nothing (difference NAN). */
	struct comparison_cell change;
};

/** All stages that have a valid run. */
struct stages {
	struct stage list[STAGES_MAX];
	size_t count;
};

/** Find them in a record; count 0 where there was no experiment. */
void stages_make(struct stages *stages, const struct record *record);
/** Whether the change at that stage is surely one for the better, or for the worse. */
bool stage_is_sure(const struct stage *stage);
/** "-51 % (sure)", "-0.4 % (not sure)", "-3 % (one run)"; "" of the first. The caller frees it. */
char *stage_change_words(const struct stage *stage);

#endif
