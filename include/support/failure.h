/** A failure as a value: one sentence for the user and the exit status that goes with it. */
#ifndef SUPPORT_FAILURE_H
#define SUPPORT_FAILURE_H

#include <stdbool.h>

/** Exit statuses of the program; the manual's EXIT STATUS section lists the same numbers. */
enum status {
	STATUS_OK = 0,        /* measured and reported */
	STATUS_FAILED = 1,    /* a run failed, or no valid number is left */
	STATUS_USAGE = 2,     /* the command line is wrong */
	STATUS_TARGET = 3,    /* the target cannot or must not be measured */
	STATUS_FIO = 4,       /* fio is missing, too old or cannot be started */
	STATUS_THRESHOLD = 5, /* a threshold the user set was missed */
};

/** What failed, on what, and what to do; no capital at the start, no full stop at the end. */
struct failure {
	enum status status;
	char *sentence; /* owned; NULL while nothing failed */
};

/** An empty failure, to initialise with. */
#define FAILURE_NONE ((struct failure){STATUS_OK, (char *)0})

/** Fill in a failure, replacing an earlier one. Always returns false, so that callers can return it. */
bool failure_set(struct failure *failure, enum status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Free the sentence and make the failure empty again. */
void failure_clear(struct failure *failure);

#endif
