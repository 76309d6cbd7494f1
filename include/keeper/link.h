/** The front's end of the line to its keeper. */
#ifndef KEEPER_LINK_H
#define KEEPER_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "keeper/protocol.h"

/** A keeper that was started. */
struct keeper_link {
	pid_t pid;    /* of the keeper, or of the sudo above it; -1 for none */
	int requests; /* written by us */
	int answers;  /* read by us */
	int errors;   /* its stderr; -1 where that is not ours to read */
	struct text buffered;
	struct text error_text; /* what sudo said, at most a few KiB */
	int signals_seen;
};

/** A link to nobody, to initialise with. */
#define KEEPER_LINK_NONE ((struct keeper_link){.pid = -1, .requests = -1, .answers = -1, .errors = -1})

/** What happened while waiting. */
enum link_event {
	LINK_MESSAGE,
	LINK_TICK,   /* nothing, for as long as was allowed */
	LINK_SIGNAL, /* one more signal that wants the program to end */
	LINK_GONE,   /* the keeper is no more */
};

/**
 * Start a keeper as a copy of this process in `directory`, in a process group of its own. `fio` may be NULL; `sudo`
 * is set where fio alone is to run through it. False with errno set on failure.
 */
bool keeper_link_start_copy(struct keeper_link *link, int directory, const char *fio, const char *sudo);

/**
 * Start a keeper as root: `sudo [-n] -u root -- program --keeper` in `directory`. With `may_ask`, sudo talks to the
 * terminal itself. False with errno set on failure; a refusal by sudo shows later, as LINK_GONE.
 */
bool keeper_link_start_sudo(
	struct keeper_link *link, int directory, const char *sudo, const char *program, bool may_ask);

/** Send a request. False where the keeper is gone. */
bool keeper_link_send(struct keeper_link *link, enum keeper_message_type type, const void *payload, size_t size);

/** Wait for one event, at most `timeout_ms`. With LINK_MESSAGE the caller releases the payload. */
enum link_event keeper_link_wait(struct keeper_link *link, struct keeper_message *message, uint64_t timeout_ms);

/**
 * Hang up: a keeper that still lives then ends what it does and removes what it made. Waits for it to end, at most
 * `patience_ms`; false where it is still there after that.
 */
bool keeper_link_close(struct keeper_link *link, uint64_t patience_ms);

#endif
