#include "layout.h"

#include <errno.h>

#include "converse.h"
#include "support/signals.h"
#include "support/units.h"

#include <stdlib.h>

/* What the user can do about it. */
static const char *remedy(int error)
{
	switch (error) {
	case ENOSPC:
		return "; free some space or use a smaller --size";
	case EDQUOT:
		return "; use a smaller --size or have the quota raised";
	case EFBIG:
		return "; use a smaller --size";
	default:
		return "";
	}
}

bool layout_file(struct session *session, uint64_t size_bytes, struct failure *failure)
{
	struct keeper_layout request = {.size_bytes = size_bytes};
	struct keeper_message answer = {0};
	enum reply reply = converse(session, KEEPER_LAYOUT, &request, sizeof(request), &answer);
	bool written = false;

	if (reply != REPLY_MESSAGE) {
		return converse_fail(session, reply, failure);
	}
	if (signals_received()) {
		failure_clear(failure);
	} else if (answer.type == KEEPER_DONE) {
		written = true;
	} else {
		enum status status;
		int error = 0;
		const char *sentence = converse_refusal(&answer, &error, &status);
		char *size = units_format_size(size_bytes);

		failure_set(failure, STATUS_TARGET, "cannot write the %s test file on '%s': %s%s", size, session->target->shown,
			sentence, remedy(error));
		free(size);
	}
	text_release(&answer.payload);
	return written;
}
