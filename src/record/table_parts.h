/** Private to this folder: what the files of the table share. */
#ifndef RECORD_TABLE_PARTS_H
#define RECORD_TABLE_PARTS_H

#include "record/table.h"

/** The runs that were asked for: all but the warm-up's. */
size_t table_count_runs(const struct record_test *test);
/** The rows of one part in the columns of the profile, without footnotes and closing. */
void table_init_part(struct table *table, const struct record *record, enum workload_part part, enum score score);
/** Why runs failed, and what was found. */
void table_add_footnotes(struct table *table, const struct record *record);

#endif
