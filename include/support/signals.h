/** The signals that end a run: a flag each, looked at between two steps; and dying by them as shells expect. */
#ifndef SUPPORT_SIGNALS_H
#define SUPPORT_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/**
 * From now on SIGINT, SIGTERM, SIGHUP, SIGQUIT and all else that would end the program, but for a crash, only set a
 * flag, and are blocked except inside the mask that signals_wait_mask returns, so that ppoll is the one place where
 * they arrive. A signal that was ignored when the program started (nohup) stays ignored. SIGPIPE and SIGXFSZ are
 * ignored: a write says EPIPE or EFBIG instead.
 */
void signals_catch(void);

/** The mask for ppoll: the caught signals and SIGCHLD get through. */
const sigset_t *signals_wait_mask(void);

/** The first of the ending signals that arrived; 0 while there is none. Looks without waiting. */
int signals_received(void);

/** Forget what arrived so far; for a copy of the process that has its own end. */
void signals_forget(void);

/** How many ending signals arrived: two of them mean that the user is in a hurry. */
int signals_count(void);

/** Default handling and the mask from before signals_catch, less the ending signals; for a child before it execs. */
void signals_restore(void);

/** End the program by `signal_number`, with its default action, so that the parent sees the true cause. */
_Noreturn void signals_die_by(int signal_number);

#endif
