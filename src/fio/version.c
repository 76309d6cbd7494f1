#include "fio/version.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "support/memory.h"
#include "support/process.h"
#include "support/text.h"

enum {
	OLDEST_MAJOR = 3,
	OLDEST_MINOR = 1,
	DSYNC_MAJOR = 3,
	DSYNC_MINOR = 24,
	VERSION_TIMEOUT_MS = 10000,
	SHOWN_BYTES_MAX = 60
};

bool fio_version_parse(const char *output, unsigned *major, unsigned *minor)
{
	char dot = 0;

	return text_starts_with(output, "fio-") && output[4] >= '0' && output[4] <= '9' &&
		   sscanf(output + 4, "%4u%c%4u", major, &dot, minor) == 3 && dot == '.';
}

static bool is_older(unsigned major, unsigned minor, unsigned than_major, unsigned than_minor)
{
	return major < than_major || (major == than_major && minor < than_minor);
}

static bool check_version(const char *path, char *line, struct failure *failure)
{
	unsigned major = 0, minor = 0;

	line[strcspn(line, "\r\n")] = '\0';
	if (!fio_version_parse(line, &major, &minor)) {
		line[strnlen(line, SHOWN_BYTES_MAX)] = '\0';
		char *said = text_printable(line);

		failure_set(failure, STATUS_FIO, "'%s' does not answer --version as fio does%s%s%s; install fio, or use --dd",
			path, *said ? " (it says '" : "", said, *said ? "')" : "");
		free(said);
		return false;
	}
	if (is_older(major, minor, OLDEST_MAJOR, OLDEST_MINOR)) {
		return failure_set(failure, STATUS_FIO, "fio %u.%u at '%s' is too old; install fio 3.1 or newer, or use --dd",
			major, minor, path);
	}
	return true;
}

bool fio_program_open(struct fio_program *program, const char *path, struct failure *failure)
{
	const char *const argv[] = {path, "--version", NULL};
	struct text out = TEXT_EMPTY;
	char *shown = text_printable(path);
	int wait_status = 0;
	bool good = false;
	enum process_end end = process_capture(path, argv, VERSION_TIMEOUT_MS, &out, NULL, &wait_status);
	char *line = text_detach(&out);

	*program = (struct fio_program){0};
	if (end == PROCESS_NOT_STARTED) {
		failure_set(failure, STATUS_FIO, "cannot start '%s': %s; install fio, or use --dd", shown, strerror(errno));
	} else if (end == PROCESS_TIMED_OUT) {
		failure_set(failure, STATUS_FIO, "'%s --version' does not end; install fio anew, or use --dd", shown);
	} else if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0) {
		good = check_version(shown, line, failure);
	} else {
		char *ended = process_describe_status(wait_status);

		failure_set(failure, STATUS_FIO, "'%s --version' failed (%s); install fio anew, or use --dd", shown, ended);
		free(ended);
	}
	if (good) {
		program->path = xstrdup(path);
		program->version = text_printable(line + strlen("fio-"));
	}
	free(line);
	free(shown);
	return good;
}

bool fio_program_knows_dsync(const struct fio_program *program)
{
	char *line = xasprintf("fio-%s", program->version ? program->version : "");
	unsigned major = 0, minor = 0;
	bool knows = fio_version_parse(line, &major, &minor) && !is_older(major, minor, DSYNC_MAJOR, DSYNC_MINOR);

	free(line);
	return knows;
}

void fio_program_release(struct fio_program *program)
{
	free(program->path);
	free(program->version);
	*program = (struct fio_program){0};
}
