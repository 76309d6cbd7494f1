/** Private to this folder: the parts of record_make that have files of their own. */
#ifndef RECORD_RECORD_MAKE_H
#define RECORD_RECORD_MAKE_H

#include "record/record.h"

/** What a run of the report's plan was judged by, and what the devices counted meanwhile. */
void record_make_evidence(struct record_evidence *evidence, const struct report *report, size_t run);
/** All tests that were planned, with their runs, and what was found about them. */
void record_make_tests(struct record *record, const struct report *report);
/** Whether it is known where the commits' time goes, and if not, why not. */
void record_make_split(struct record *record, const struct report *report);
/** The pool beneath the target, where the banner speaks of it. */
void record_make_pool(struct record_pool *record, const struct report *report);
/** The pool beneath the target, where commits were measured on one, in the banner's words. */
void record_make_pool(struct record_pool *pool, const struct report *report);
/** What became of O_DIRECT, in the banner's words too. */
void record_make_direct(struct record_direct *direct, const struct report *report);

#endif
