/** Time that only moves forward, and the time of day. */
#ifndef SUPPORT_CLOCK_H
#define SUPPORT_CLOCK_H

#include <stdint.h>

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)

/** CLOCK_MONOTONIC in nanoseconds. */
uint64_t clock_now_ns(void);
/** CLOCK_THREAD_CPUTIME_ID in nanoseconds: how long this thread has been on a processor. */
uint64_t clock_used_ns(void);
/** The time of day as "2026-11-30T17:21:06Z"; NULL where the clock makes no sense. The caller frees it. */
char *clock_time_of_day(void);

#endif
