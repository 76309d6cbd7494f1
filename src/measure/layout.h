/** Having the keeper write the test file. Private to measure/. */
#ifndef MEASURE_LAYOUT_H
#define MEASURE_LAYOUT_H

#include "measure/session.h"

/** Write a file of `size_bytes` in place of the one that may be there. */
bool layout_file(struct session *session, uint64_t size_bytes, struct failure *failure);

#endif
