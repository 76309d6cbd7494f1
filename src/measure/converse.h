/** Asking the keeper for something and waiting for the answer, with progress and signals. Private to measure/. */
#ifndef MEASURE_CONVERSE_H
#define MEASURE_CONVERSE_H

#include "measure/session.h"

/** How a request ended. */
enum reply {
	REPLY_MESSAGE,   /* with an answer */
	REPLY_GONE,      /* the keeper died */
	REPLY_ABANDONED, /* the keeper does not answer, or the user is in a hurry */
};

/**
 * Send a request and wait for what answers it; progress is shown meanwhile. A signal has the keeper stop; the answer
 * still comes. The caller releases the answer's payload with REPLY_MESSAGE.
 */
enum reply converse(struct session *session, enum keeper_message_type type, const void *payload, size_t size,
	struct keeper_message *answer);

/** Turn a reply that is no message into a failure, whose sentence stays NULL after a signal. Always false. */
bool converse_fail(struct session *session, enum reply reply, struct failure *failure);

/** The refusal in an answer: its sentence (owned by the answer) and the errno. */
const char *converse_refusal(const struct keeper_message *answer, int *error, enum status *status);

#endif
