/** The runs of the plan, one after the other. Private to measure/. */
#ifndef MEASURE_PASSES_H
#define MEASURE_PASSES_H

#include "measure/session.h"

/** How long one timed run takes, its ramp with it. */
uint64_t run_expected_ns(const struct plan *plan);
/** How long the runs from that one on take, and the pauses before them; of dd's nobody knows more than the pauses. */
uint64_t passes_expected_ns(const struct plan *plan, size_t from);

#endif
