#include "plan/workload.h"

#include <string.h>

static const char *const engine_names[] = {
	[ENGINE_IO_URING] = "io_uring",
	[ENGINE_LIBAIO] = "libaio",
	[ENGINE_POSIXAIO] = "posixaio",
	[ENGINE_SYNC] = "sync",
	[ENGINE_PSYNC] = "psync",
};

const char *transfer_name(enum transfer transfer)
{
	return transfer == TRANSFER_READ ? "read" : "write";
}

const char *engine_name(enum engine engine)
{
	return engine_names[engine];
}

bool engine_find(const char *name, enum engine *engine)
{
	for (int i = 0; i < ENGINE_CHOICES; i++) {
		if (strcmp(engine_names[i], name) == 0) {
			*engine = (enum engine)i;
			return true;
		}
	}
	return false;
}

bool engine_has_queue_depth(enum engine engine)
{
	/* glibc's aio(7) serves the requests for one descriptor with one thread, one after the other. */
	return engine == ENGINE_IO_URING || engine == ENGINE_LIBAIO;
}
