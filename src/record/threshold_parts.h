/** What reading and judging of thresholds share. */
#ifndef RECORD_THRESHOLD_PARTS_H
#define RECORD_THRESHOLD_PARTS_H

#include "record/threshold.h"

/**
 * The one workload of the profile that a threshold names, and in which direction; NULL with a sentence where it names
 * none or several.
 */
const struct workload *threshold_find(
	const struct threshold *threshold, const struct profile *profile, enum transfer *transfer, struct failure *failure);

#endif
