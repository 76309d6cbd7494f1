/** Asking before anything is measured. */
#ifndef MEASURE_CONFIRM_H
#define MEASURE_CONFIRM_H

#include <stdbool.h>
#include <stdio.h>

#include "plan/plan.h"
#include "probe/target.h"

/** Show on `out` what will be done, and read the answer from the terminal. False for anything but yes. */
bool confirm_ask(FILE *out, const struct target *target, const struct plan *plan);

#endif
