/** Taking the ramp out of a run's evidence. Private to measure/. */
#ifndef MEASURE_RAMP_H
#define MEASURE_RAMP_H

#include "keeper/protocol.h"

/**
 * fio's figures are of the time after its ramp: so the run's readings are made to begin there, with the newest of those
 * around the ramp's end that was surely taken before it counted. `runtime_ms` is what fio says it counted, `version`
 * its own ("fio-3.33"; may be NULL). Without such a reading, or where it cannot be told, the evidence becomes unknown.
 */
void ramp_exclude(struct run_readings *readings, const struct keeper_result *seen, uint32_t transfer, double runtime_ms,
	const char *version);

#endif
