#include "requests.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "support/signals.h"

enum { IDLE_INTERVAL_S = 10 };

/* Read what is there. Sets `ended` at the pipe's end. */
static void fill(struct requests *requests)
{
	char buffer[4096];
	ssize_t size = read(requests->in, buffer, sizeof(buffer));

	if (size > 0) {
		text_add_bytes(&requests->buffered, buffer, (size_t)size);
	} else if (size == 0 || (errno != EINTR && errno != EAGAIN)) {
		requests->ended = true;
	}
}

static void note_end(struct requests *requests, bool broken)
{
	if (broken || signals_received()) {
		requests->ended = true;
	}
	if (requests->ended) {
		requests->stop_wanted = true;
	}
}

bool requests_next(struct requests *requests, struct keeper_message *message)
{
	struct pollfd polled = {.fd = requests->in, .events = POLLIN};
	const struct timespec interval = {.tv_sec = IDLE_INTERVAL_S};
	bool broken = false;

	requests->stop_wanted = false;
	while (!requests->ended) {
		if (keeper_take(&requests->buffered, message, &broken)) {
			return true;
		}
		int ready = broken ? 0 : ppoll(&polled, 1, &interval, signals_wait_mask());
		if (ready > 0) {
			fill(requests);
		} else if (ready == 0 && requests->idle) {
			requests->idle(requests->context);
		}
		note_end(requests, broken);
	}
	return false;
}

void requests_check(struct requests *requests)
{
	struct pollfd polled = {.fd = requests->in, .events = POLLIN};
	struct keeper_message message;
	bool broken = false;

	if (!requests->ended && poll(&polled, 1, 0) > 0) {
		fill(requests);
	}
	while (keeper_take(&requests->buffered, &message, &broken)) {
		if (message.type == KEEPER_STOP) {
			requests->stop_wanted = true;
		} else {
			requests->ended = true; /* nothing else is sent meanwhile */
		}
		text_release(&message.payload);
	}
	note_end(requests, broken);
}
