#include "feed.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "support/memory.h"
#include "support/process.h"
#include "support/random.h"
#include "support/signals.h"

/* Random data is made once and stamped anew each time round: repeats lie farther apart than any compressor looks. */
enum { POOL_BYTES = 4 << 20, PIECE_BYTES = 1 << 20, STAMP_BYTES = 4096 };

static void stamp(char *piece, uint64_t *counter)
{
	for (size_t at = 0; at < PIECE_BYTES; at += STAMP_BYTES) {
		*(uint64_t *)(void *)(piece + at) = ++*counter * UINT64_C(0x9E3779B97F4A7C15);
	}
}

static _Noreturn void feed(int write_end, uint64_t size_bytes)
{
	struct random_source source;
	char *pool = xmalloc(POOL_BYTES);
	uint64_t counter = 0;

	random_source_init(&source);
	random_source_fill(&source, pool, POOL_BYTES);
	for (uint64_t done = 0; done < size_bytes;) {
		char *piece = pool + done % POOL_BYTES / PIECE_BYTES * PIECE_BYTES;
		size_t left = PIECE_BYTES;

		stamp(piece, &counter);
		while (left > 0) {
			ssize_t written = write(write_end, piece + (PIECE_BYTES - left), left);

			if (written < 0 && errno != EINTR) {
				_exit(0); /* dd is gone, and says itself why */
			}
			left -= written > 0 ? (size_t)written : 0;
		}
		done += PIECE_BYTES;
	}
	_exit(0);
}

pid_t feed_start(uint64_t size_bytes, int *read_end)
{
	int write_end = -1;
	pid_t parent = getpid();

	if (!process_pipe(read_end, &write_end)) {
		return -1;
	}
	fcntl(write_end, F_SETPIPE_SZ, PIECE_BYTES); /* fewer switches between the two; the default does as well */
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(*read_end);
		if (getppid() == parent) {
			feed(write_end, size_bytes);
		}
		_exit(0);
	}
	int error = errno;
	close(write_end);
	if (pid < 0) {
		close(*read_end);
	}
	errno = error;
	return pid;
}
