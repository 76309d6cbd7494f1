/**
 * Time that passes only when the test lets it, so that no verdict hangs on how fast the machine is. Linked in place of
 * the clock of support/ in the tests that the Makefile names (OWN_CLOCK_TESTS).
 */
#ifndef OWN_CLOCK_H
#define OWN_CLOCK_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "support/clock.h"

/** What the clock shows, as long as it stands still. */
static uint64_t own_clock_ns = 1000 * NS_PER_S;
/** Whether real time passes as well: for tests that wait for a real process. */
static bool own_clock_runs;
/** What each look at the clock of used time seems to have cost since the one before. */
static uint64_t own_clock_cost_ns;

/* What the linker calls by these names (--wrap in ld(1)). */
uint64_t __real_clock_now_ns(void);
int __real_ppoll(struct pollfd *polled, nfds_t count, const struct timespec *rest, const sigset_t *mask);
uint64_t __wrap_clock_now_ns(void);
uint64_t __wrap_clock_used_ns(void);
int __wrap_ppoll(struct pollfd *polled, nfds_t count, const struct timespec *rest, const sigset_t *mask);

uint64_t __wrap_clock_now_ns(void)
{
	return own_clock_ns + (own_clock_runs ? __real_clock_now_ns() : 0);
}

uint64_t __wrap_clock_used_ns(void)
{
	static uint64_t used_ns;

	used_ns += own_clock_cost_ns;
	return used_ns;
}

/** Let time pass. */
static inline void pass_ms(uint64_t time_ms)
{
	own_clock_ns += time_ms * NS_PER_MS;
}

/* Whoever waits sees the time pass at once, unless there is something to be seen. */
int __wrap_ppoll(struct pollfd *polled, nfds_t count, const struct timespec *rest, const sigset_t *mask)
{
	static const struct timespec none = {0, 0};
	int ready = __real_ppoll(polled, count, rest ? &none : NULL, mask);

	if (ready == 0) {
		own_clock_ns += (uint64_t)rest->tv_sec * NS_PER_S + (uint64_t)rest->tv_nsec;
	}
	return ready;
}

#endif
