/** Starting, feeding, ending and reaping other programs. */
#ifndef SUPPORT_PROCESS_H
#define SUPPORT_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "support/failure.h"
#include "support/text.h"

/** What to start and how. Descriptors stay the caller's. */
struct process_spec {
	const char *program;     /* absolute path, or a name to look up in PATH */
	const char *const *argv; /* NULL-terminated, argv[0] included */
	int directory;           /* descriptor of the working directory; -1 keeps ours */
	int in, out, err;        /* descriptors for 0, 1 and 2; -1 is /dev/null */
	int inherited;           /* a descriptor to hand on as number 3; -1 for none */
	bool own_group;          /* in a process group of its own: the terminal's Ctrl-C does not reach it */
	bool dies_with_us;       /* SIGTERM to it when we die, however we die (lost by programs that change user) */
};

/** A spec that inherits nothing: set what is needed. */
#define PROCESS_SPEC_NONE ((struct process_spec){.directory = -1, .in = -1, .out = -1, .err = -1, .inherited = -1})

/**
 * Start a program with default signal handling and LC_ALL=C. Returns its pid, or -1 with errno set to why exec
 * failed (ENOENT: not there). Nothing is left behind on failure.
 */
pid_t process_start(const struct process_spec *spec);

/** Wait for the end of a child, through interruptions. The wait status, or -1 where it is no child of ours. */
int process_wait(pid_t pid);

/** Wait for the end of a child until then (CLOCK_MONOTONIC); false where it still lives, `*wait_status` being open. */
bool process_wait_until(pid_t pid, uint64_t deadline_ns, int *wait_status);

/** A pipe, both ends close-on-exec. False with errno set on failure. */
bool process_pipe(int *read_end, int *write_end);

/** The wait status in words: "exit status 3", "killed by SIGKILL (signal 9)". The caller frees it. */
char *process_describe_status(int wait_status);

/** How a captured program ended. */
enum process_end { PROCESS_ENDED, PROCESS_NOT_STARTED, PROCESS_TIMED_OUT };

/**
 * Run a program to its end and collect what it prints, at most 1 MiB a stream. After `timeout_ms` it is killed.
 * `out` and `err` may be NULL: not wanted. `*wait_status` is set with PROCESS_ENDED, errno with PROCESS_NOT_STARTED.
 */
enum process_end process_capture(const char *program, const char *const *argv, uint64_t timeout_ms, struct text *out,
	struct text *err, int *wait_status);

#endif
