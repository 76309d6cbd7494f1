#include "dd/job.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "support/memory.h"

enum { ARGUMENTS_MAX = 8 };

bool dd_job_is_sane(const struct dd_job *job)
{
	return job->mode <= DD_READ_CACHED && job->direct <= 1 && job->size_bytes >= DD_BLOCK_BYTES &&
		   job->size_bytes % DD_BLOCK_BYTES == 0 && job->size_bytes <= (UINT64_C(1) << 50);
}

char **dd_command(const struct dd_job *job)
{
	char **arguments = xcalloc(ARGUMENTS_MAX, sizeof(*arguments));
	size_t count = 0;

	if (job->mode == DD_WRITE_FSYNC) {
		arguments[count++] = xstrdup("of=" TEST_FILE_NAME);
		arguments[count++] = xstrdup("conv=fsync,notrunc"); /* what is still in RAM counts as not written */
		arguments[count++] = xstrdup("iflag=fullblock");    /* a pipe gives less than a block at a time */
	} else {
		arguments[count++] = xstrdup("if=" TEST_FILE_NAME);
		arguments[count++] = xstrdup("of=/dev/null");
		if (job->mode == DD_READ_UNCACHED && job->direct) {
			arguments[count++] = xstrdup("iflag=direct");
		}
	}
	arguments[count++] = xasprintf("bs=%" PRIu64, DD_BLOCK_BYTES);
	arguments[count++] = xasprintf("count=%" PRIu64, job->size_bytes / DD_BLOCK_BYTES);
	return arguments;
}

void dd_command_free(char **arguments)
{
	for (size_t i = 0; arguments && arguments[i]; i++) {
		free(arguments[i]);
	}
	free(arguments);
}
