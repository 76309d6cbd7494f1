/** A process that outlives the keeper, whatever kills that, to put back what the keeper changed. Private to keeper/. */
#ifndef KEEPER_GUARDIAN_H
#define KEEPER_GUARDIAN_H

#include <stdbool.h>
#include <sys/types.h>

/** The name it bears, so that whoever kills all processes of the program's name spares it. */
#define GUARDIAN_NAME "cpu-restorer"

/** A guardian at its post. */
struct guardian {
	pid_t pid;   /* -1 while there is none */
	int channel; /* it acts when the last copy of this is closed */
};

/** No guardian, to initialise with. */
#define GUARDIAN_NONE ((struct guardian){-1, -1})

/**
 * Start a process in a session of its own that no signal but SIGKILL ends, that holds nothing open but `kept` (a lock),
 * and that does nothing until this process is gone or calls guardian_end; then it calls `act(context)`, which must not
 * allocate, and ends. It is ready when this returns. False, with errno set, where it could not be started.
 */
bool guardian_start(struct guardian *guardian, int kept, void (*act)(void *context), void *context);

/** Have it act and end; waits for that, some seconds at most. Allocates nothing. Does nothing where there is none. */
void guardian_end(struct guardian *guardian);

#endif
