#include "support/standard_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void standard_streams_open(void)
{
	/* Holds all there is to say between two flushes: a write that fails in between would leave no reason behind. */
	static char stdout_buffer[1 << 17];
	int descriptor;

	do {
		descriptor = open("/dev/null", O_RDWR);
	} while (descriptor >= 0 && descriptor <= STDERR_FILENO);
	if (descriptor > STDERR_FILENO) {
		close(descriptor);
	}
	setvbuf(stdout, stdout_buffer, _IOFBF, sizeof(stdout_buffer));
}

static bool fail(struct failure *failure, int error)
{
	clearerr(stdout);
	return error == EPIPE ||
		   failure_set(failure, STATUS_FAILED, "cannot write the results to stdout: %s", strerror(error));
}

bool standard_output_flush(struct failure *failure)
{
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout)) {
		return fail(failure, errno ? errno : EIO); /* EIO: an earlier write failed, and nobody kept the reason */
	}
	return true;
}

bool standard_output_put(struct text *text, struct failure *failure)
{
	bool is_whole = fwrite(text_string(text), 1, text->length, stdout) == text->length;
	int error = errno;

	text_reset(text);
	return is_whole ? standard_output_flush(failure) : fail(failure, error);
}
