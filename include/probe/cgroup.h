/** Limits that control groups set on the way to the disks. */
#ifndef PROBE_CGROUP_H
#define PROBE_CGROUP_H

#include <stdbool.h>

/**
 * Whether the control group of this process, or one above it, limits the rate of the device `device_major:device_minor`
 * (cgroup version 1 or 2). False where nothing is known of a limit.
 */
bool cgroup_limits_device(const char *root, unsigned device_major, unsigned device_minor);

/**
 * Whether something may hold the device back that no limit seen from here tells of: groups above this one that a
 * container does not see, io.cost, io.latency.
 */
bool cgroup_may_limit_device(const char *root, unsigned device_major, unsigned device_minor);

#endif
