/** The keeper's ear: what the front asks, and whether it is still there. Private to keeper/. */
#ifndef KEEPER_REQUESTS_H
#define KEEPER_REQUESTS_H

#include <stdbool.h>

#include "keeper/protocol.h"

/** The request pipe. */
struct requests {
	int in;
	struct text buffered;
	bool ended;                  /* the front is gone, or this process was told to end: only cleaning up is left */
	bool stop_wanted;            /* what is going on is to be ended */
	void (*idle)(void *context); /* called now and then while nothing is asked for */
	void *context;
};

/** Wait for the next request. False where there will be none. The caller releases the payload. */
bool requests_next(struct requests *requests, struct keeper_message *message);

/** While something is going on: look, without waiting, whether it is to be stopped. Sets the two flags. */
void requests_check(struct requests *requests);

#endif
