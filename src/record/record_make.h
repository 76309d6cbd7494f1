/** Private to this folder: the parts of record_make that have files of their own. */
#ifndef RECORD_RECORD_MAKE_H
#define RECORD_RECORD_MAKE_H

#include "record/record.h"

/** What a run of the report's plan was judged by, and what the devices counted meanwhile. */
void record_make_evidence(struct record_evidence *evidence, const struct report *report, size_t run);
/** What became of O_DIRECT, in the banner's words too. */
void record_make_direct(struct record_direct *direct, const struct report *report);

#endif
