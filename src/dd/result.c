#include "dd/result.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "support/memory.h"
#include "support/process.h"
#include "support/text.h"

/* A number of digits alone, perhaps with an exponent; false for "nan" and what else strtod takes. */
static bool read_number(const char *text, double *number, char **end)
{
	*number = strtod(text, end);
	return *end != text && (size_t)(*end - text) == strspn(text, "0123456789.e+-");
}

/* One line; its two numbers, or false. */
static bool read_line(const char *line, double *bytes, double *duration_s)
{
	static const char mark[] = "copied, ";
	char *end = NULL;

	if (!read_number(line, bytes, &end) || !text_starts_with(end, " byte")) {
		return false;
	}
	const char *copied = memmem(end, strcspn(end, "\r\n"), mark, strlen(mark));
	return copied && read_number(copied + strlen(mark), duration_s, &end) && text_starts_with(end, " s");
}

bool dd_result_read(const char *output, double *bytes, double *duration_s)
{
	bool found = false;

	for (const char *line = output; line && *line; line = strpbrk(line, "\r\n"), line = line ? line + 1 : NULL) {
		double line_bytes = 0, line_s = 0;

		if (read_line(line, &line_bytes, &line_s)) {
			*bytes = line_bytes;
			*duration_s = line_s;
			found = true;
		}
	}
	return found;
}

char *dd_result_reason(const char *output)
{
	for (const char *line = output; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
		if (text_starts_with(line, "dd: ")) {
			char *words = xstrndup(line + 4, strcspn(line + 4, "\r\n"));
			char *reason = text_printable(words);

			free(words);
			return reason;
		}
	}
	return NULL;
}

bool dd_result_check(const struct dd_job *job, int wait_status, bool past_deadline, const char *output,
	double *bandwidth_bytes_per_s, struct failure *failure)
{
	double bytes = 0, duration_s = 0;
	char *ended = process_describe_status(wait_status);
	char *reason = dd_result_reason(output);

	failure_clear(failure);
	if (past_deadline) {
		failure_set(failure, STATUS_FAILED, "dd made no progress and was stopped: the device hangs");
	} else if (!WIFEXITED(wait_status) || WEXITSTATUS(wait_status) != 0) {
		failure_set(failure, STATUS_FAILED, "dd failed (%s)%s%s", ended, reason ? ": " : "", reason ? reason : "");
	} else if (!dd_result_read(output, &bytes, &duration_s)) {
		failure_set(failure, STATUS_FAILED, "dd did not say how long it took");
	} else if (bytes < (double)job->size_bytes) {
		failure_set(failure, STATUS_FAILED, "dd moved %.0f of %.0f bytes", bytes, (double)job->size_bytes);
	} else if (duration_s <= 0) {
		failure_set(failure, STATUS_FAILED, "dd was done too soon to be timed; use a larger --size");
	} else {
		*bandwidth_bytes_per_s = bytes / duration_s;
	}
	free(reason);
	free(ended);
	return failure->sentence == NULL;
}
