#include "fio/result.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "support/memory.h"
#include "support/process.h"
#include "support/text.h"

/* fio ends a run a little early now and then, never a tenth. */
#define RUNTIME_SHARE_MIN 0.9
/* What is larger is no errno. */
#define ERRNO_MAX 4095
/* Beyond these a number is garbage: a petabyte a second, a tera-I/O a second. */
#define BANDWIDTH_MAX_BYTES_PER_S 1e15
#define IOPS_MAX 1e12

/* Whether the line is one of fio's complaints, and where its words begin. */
static const char *complaint(const char *line)
{
	static const char *const chatter[] = {"terminating on signal", "hasn't exited in", "note: "};

	if (!text_starts_with(line, "fio: ") && !text_starts_with(line, "error: ")) {
		return NULL;
	}
	for (size_t i = 0; i < sizeof(chatter) / sizeof(chatter[0]); i++) {
		if (strstr(line, chatter[i])) {
			return NULL;
		}
	}
	return line + strlen(text_starts_with(line, "fio: ") ? "fio: " : "error: ");
}

/*
 * What helps a user: of "pid=1, err=28/file:io_u.c:1876, func=io_u error, error=No space left" the errno's meaning, of
 * "file:ioengines.c:91, func=dlopen, error=x: cannot open" what follows "error=". Without a full stop.
 */
static char *readable(const char *words, size_t length)
{
	char *line = xstrndup(words, length);
	const char *number = strstr(line, "err=");
	const char *where = strstr(line, "func=");
	const char *meaning = text_starts_with(line, "file:") ? strstr(line, ", error=") : NULL;
	char *reason;

	if (text_starts_with(line, "pid=") && number) {
		long error = strtol(number + strlen("err="), NULL, 10);
		const char *meant = strerror(error >= -ERRNO_MAX && error <= ERRNO_MAX ? abs((int)error) : EIO);
		char *place = where ? xstrndup(where + strlen("func="), strcspn(where + strlen("func="), ",")) : xstrdup("");
		char *printable = text_printable(place);

		reason = *place ? xasprintf("%s (%s)", meant, printable) : xstrdup(meant);
		free(place);
		free(printable);
	} else {
		while (length > 0 && (line[length - 1] == '.' || line[length - 1] == ' ')) {
			line[--length] = '\0';
		}
		reason = text_printable(meaning ? meaning + strlen(", error=") : line);
	}
	free(line);
	return reason;
}

/* The first complaint in a text; the first is the cause, the others follow from it. */
static char *first_complaint(const char *text)
{
	for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
		const char *words = complaint(line);

		if (words) {
			return readable(words, strcspn(words, "\r\n"));
		}
	}
	return NULL;
}

char *fio_result_reason(const char *output, const char *other_text)
{
	char *reason = other_text ? first_complaint(other_text) : NULL;

	return reason ? reason : output ? first_complaint(output) : NULL;
}

/* A failure with fio's own words, if it has any, behind a colon. */
static bool fail(struct failure *failure, const char *output, const struct fio_ending *ending, const char *what)
{
	char *reason = fio_result_reason(output, ending->other_text);

	failure_set(failure, STATUS_FAILED, "%s%s%s", what, reason ? ": " : "", reason ? reason : "");
	free(reason);
	return false;
}

/* What the process's own end says. */
static bool check_ending(
	const struct fio_result *result, const struct fio_ending *ending, const char *output, struct failure *failure)
{
	char *ended = process_describe_status(ending->wait_status);
	bool clean = WIFEXITED(ending->wait_status) && WEXITSTATUS(ending->wait_status) == 0;

	if (ending->past_deadline) {
		failure_set(
			failure, STATUS_FAILED, "fio did not end in time and was stopped: the device hangs, or is far too slow");
	} else if (WIFSIGNALED(ending->wait_status)) {
		const char *limit = WTERMSIG(ending->wait_status) == SIGXFSZ ? " (a file size limit, see 'ulimit -f')" : "";

		failure_set(failure, STATUS_FAILED, "fio was %s%s before it had a result", ended, limit);
	} else if (result->interrupted) {
		failure_set(failure, STATUS_FAILED, "fio was stopped by a signal before its time was up");
	} else if (result->cut_short) {
		fail(failure, output, ending, "fio gave up");
	} else if (result->error != 0) {
		char *what = xasprintf("fio met an error, %s", strerror(result->error));
		char *reason = fio_result_reason(output, ending->other_text);
		bool adds = reason && !text_starts_with(reason, strerror(result->error));

		failure_set(failure, STATUS_FAILED, "%s%s%s", what, adds ? ": " : "", adds ? reason : "");
		free(reason);
		free(what);
	} else if (!result->found && !clean) {
		char *what = xasprintf("fio failed (%s)", ended);

		fail(failure, output, ending, what);
		free(what);
	} else if (!result->found) {
		fail(failure, output, ending, "fio ended without a result in its output");
	} else if (!clean) {
		char *what = xasprintf("fio wrote a result, but failed (%s)", ended);

		fail(failure, output, ending, what);
		free(what);
	}
	free(ended);
	return failure->sentence == NULL;
}

/* Whether every job moved something. */
static bool check_jobs(const struct fio_result *result, const struct fio_job *job, struct failure *failure)
{
	const struct fio_direction *direction = &result->directions[job->transfer];
	const char *verb = job->transfer == TRANSFER_READ ? "read" : "wrote";

	if (result->jobs != job->jobs) {
		return failure_set(failure, STATUS_FAILED, "fio reported %zu of %u jobs, so the sum is not the whole",
			result->jobs, job->jobs);
	}
	if (!direction->present || direction->bytes <= 0) {
		return failure_set(failure, STATUS_FAILED, "fio %s nothing", verb);
	}
	if (!job->trial && direction->jobs_with_io != job->jobs) {
		return failure_set(
			failure, STATUS_FAILED, "only %zu of fio's %u jobs %s anything", direction->jobs_with_io, job->jobs, verb);
	}
	return true;
}

static bool served_its_time(const struct fio_result *result, const struct fio_job *job)
{
	return result->directions[job->transfer].runtime_ms >= RUNTIME_SHARE_MIN * 1000 * (double)job->runtime_s;
}

/* What the figures say. */
static bool check_figures(const struct fio_result *result, const struct fio_job *job, struct failure *failure)
{
	const struct fio_direction *direction = &result->directions[job->transfer];

	if (!served_its_time(result, job)) {
		return failure_set(failure, STATUS_FAILED, "fio stopped after %.1f of %.0f s", direction->runtime_ms / 1000,
			(double)job->runtime_s);
	}
	if (direction->contradicts) {
		return failure_set(failure, STATUS_FAILED,
			"fio's figures contradict each other: its rates are not what its bytes and time make");
	}
	if (direction->bandwidth_bytes_per_s > BANDWIDTH_MAX_BYTES_PER_S || direction->iops > IOPS_MAX) {
		return failure_set(failure, STATUS_FAILED, "fio reported a rate that no machine reaches");
	}
	if (direction->bandwidth_bytes_per_s <= 0 || direction->iops <= 0) {
		return failure_set(failure, STATUS_FAILED, "fio moved bytes but reported no rate");
	}
	return true;
}

bool fio_result_check(const struct fio_result *result, const struct fio_job *job, const struct fio_ending *ending,
	const char *output, struct failure *failure)
{
	failure_clear(failure);
	return check_ending(result, ending, output, failure) && check_jobs(result, job, failure) &&
		   (job->trial || check_figures(result, job, failure));
}

bool fio_result_is_shortened(
	const struct fio_result *result, const struct fio_job *job, const struct fio_ending *ending)
{
	struct failure failure = FAILURE_NONE;
	bool otherwise_good =
		!job->trial && check_ending(result, ending, "", &failure) && check_jobs(result, job, &failure);

	failure_clear(&failure);
	return otherwise_good && !served_its_time(result, job);
}
