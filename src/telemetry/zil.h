/** What ZFS counts of its intent log. Private to telemetry/. */
#ifndef TELEMETRY_ZIL_H
#define TELEMETRY_ZIL_H

#include <stdbool.h>
#include <stdint.h>

#include "telemetry/reading.h"

/**
 * The number of the objset of `dataset` ("tank/vm"), if this ZFS counts its log apart (2.2 and newer); 0 otherwise.
 * Reads a small file for each dataset of the pool that is mounted.
 */
uint64_t zil_find_objset(const char *root, const char *dataset);

/** Read what the dataset with that objset has counted. False where it is not there any more. */
bool zil_take_dataset(struct zil_counters *counters, const char *root, const char *dataset, uint64_t objset);
/** Read what was counted of all pools together. */
bool zil_take_all(struct zil_counters *counters, const char *root);

#endif
