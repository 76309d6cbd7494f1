/** Time that only moves forward. */
#ifndef SUPPORT_CLOCK_H
#define SUPPORT_CLOCK_H

#include <stdint.h>

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)

/** CLOCK_MONOTONIC in nanoseconds. */
uint64_t clock_now_ns(void);

#endif
