/** The parts that power_find is put together from. Private to probe/. */
#ifndef PROBE_POWER_PARTS_H
#define PROBE_POWER_PARTS_H

#include "probe/power.h"

/** How the processors are clocked; `power->processor` must be known by then. */
void power_find_frequency(struct power *power, const char *root);
/** How they sleep. */
void power_find_idle(struct power *power, const char *root);
/** How the links and the NVMe controllers beneath the storage save power. */
void power_find_devices(struct power *power, const char *root, const struct storage *storage);

#endif
