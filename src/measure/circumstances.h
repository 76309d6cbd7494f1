/** What lies beneath the target, and what is to be said of it before anything is measured. Private to measure/. */
#ifndef MEASURE_CIRCUMSTANCES_H
#define MEASURE_CIRCUMSTANCES_H

#include "measure/session.h"

/** Where zpool is looked for: a user's PATH often leaves out the sbin folders. The caller frees it. */
char *circumstances_search_path(void);

/** Find pool, devices, caches and environment of the target. Once, before the first watch. */
void circumstances_find(struct session *session);

/** Tell the keeper which counters to read around the runs. After each start of a keeper. */
bool circumstances_watch(struct session *session, struct failure *failure);

/** Fill in what the banner and the notes say of the program, its rights and what is missing. */
void circumstances_describe(struct session *session, bool fio_absent);

#endif
