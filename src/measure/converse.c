#include "converse.h"

#include <math.h>

#include "pool_watch.h"
#include "support/clock.h"
#include "support/signals.h"

enum {
	REDRAW_MS = 250,
	SILENCE_MAX_S = 300, /* a healthy keeper is heard of several times a second; a disk that is waited for may hang */
	HURRY_AFTER_S = 1,
	PATIENCE_AFTER_STOP_S = 20, /* TERM, ten seconds, KILL, five seconds */
};

#define RATE_WAIT_S 0.9

/* The series shows what has moved since the point before, by the latest readings at both. */
static void note_point(struct session *session, const struct keeper_progress *progress)
{
	struct series *series = session->series;
	/* The rate comes a little later than the first point may: one with both is worth that. */
	bool is_early = series->count == 0 && progress->bandwidth_bytes_per_s < 0 && progress->elapsed_s < RATE_WAIT_S;
	double passed_s = progress->device_elapsed_s - session->device_elapsed_s;
	bool is_first = session->device_elapsed_s <= 0;
	bool known = progress->device_bytes >= 0 && passed_s > 0;

	if (known && is_first) {
		session->device_bytes = progress->device_bytes; /* until then it was still starting */
		session->device_elapsed_s = progress->device_elapsed_s;
		known = false;
	}
	if (is_early) {
		return;
	}
	series_add(series, progress->elapsed_s,
		progress->bandwidth_bytes_per_s < 0 ? (double)NAN : progress->bandwidth_bytes_per_s,
		known ? (progress->device_bytes - session->device_bytes) / passed_s : (double)NAN);
	if (known && series->count > 0 && series->time_s[series->count - 1] >= progress->elapsed_s) {
		session->device_bytes = progress->device_bytes;
		session->device_elapsed_s = progress->device_elapsed_s;
	}
}

static void show_progress(struct session *session, const struct keeper_message *message)
{
	struct keeper_progress progress;

	if (keeper_payload(message, &progress, sizeof(progress))) {
		double fraction = progress.total_bytes > 0 ? (double)progress.done_bytes / (double)progress.total_bytes : -1;

		progress_update(&session->progress, fraction, progress.bandwidth_bytes_per_s);
		if (session->series) {
			note_point(session, &progress);
		}
		pool_watch_look(session, &progress);
	}
}

enum reply converse(struct session *session, enum keeper_message_type type, const void *payload, size_t size,
	struct keeper_message *answer)
{
	uint64_t heard_ns = clock_now_ns(), drawn_ns = 0;
	bool stopping = false;

	if (!keeper_link_send(&session->link, type, payload, size)) {
		return REPLY_GONE;
	}
	for (;;) {
		uint64_t limit_s = stopping ? PATIENCE_AFTER_STOP_S : SILENCE_MAX_S;

		switch (keeper_link_wait(&session->link, answer, REDRAW_MS)) {
		case LINK_GONE:
			return REPLY_GONE;
		case LINK_SIGNAL:
			if (stopping && clock_now_ns() - heard_ns >= HURRY_AFTER_S * NS_PER_S) {
				return REPLY_ABANDONED;
			}
			if (stopping) {
				break; /* timeout(1) and shells may send the same signal twice */
			}
			stopping = true;
			heard_ns = clock_now_ns();
			progress_say(&session->progress, "stopping; once more to leave at once");
			keeper_link_send(&session->link, KEEPER_STOP, NULL, 0);
			break;
		case LINK_MESSAGE:
			if (answer->type == KEEPER_CLOSED && type != KEEPER_CLOSE) {
				text_release(&answer->payload);
				return REPLY_GONE; /* it was told to end by somebody else */
			}
			if (answer->type != KEEPER_PROGRESS) {
				return REPLY_MESSAGE;
			}
			show_progress(session, answer);
			text_release(&answer->payload);
			heard_ns = stopping ? heard_ns : clock_now_ns();
			break;
		case LINK_TICK:
			break;
		}
		if (!stopping && clock_now_ns() - drawn_ns >= REDRAW_MS * NS_PER_MS) {
			progress_draw(&session->progress);
			drawn_ns = clock_now_ns();
		}
		if (clock_now_ns() - heard_ns >= limit_s * NS_PER_S) {
			return REPLY_ABANDONED;
		}
	}
}

bool converse_fail(struct session *session, enum reply reply, struct failure *failure)
{
	session->abandoned |= reply == REPLY_ABANDONED;
	if (signals_received()) {
		failure_clear(failure);
		return false;
	}
	if (reply == REPLY_ABANDONED) {
		return failure_set(failure, STATUS_FAILED, "the storage under '%s' no longer answers", session->target->shown);
	}
	return failure_set(failure, STATUS_FAILED, "the process that loads the disk was killed");
}

const char *converse_refusal(const struct keeper_message *answer, int *error, enum status *status)
{
	struct keeper_refusal refusal = {0};

	if (answer->type != KEEPER_REFUSED || !keeper_payload(answer, &refusal, sizeof(refusal))) {
		*error = 0;
		*status = STATUS_FAILED;
		return "an answer that makes no sense";
	}
	*error = refusal.error;
	*status = (enum status)refusal.status;
	return text_string(&answer->payload) + sizeof(refusal);
}
