#include "feed.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "support/file.h"
#include "support/process.h"
#include "support/random.h"
#include "support/signals.h"

/* Random data is made once and stamped anew each time round: repeats lie farther apart than any compressor looks. */
enum { POOL_BYTES = 4 << 20, PIECE_BYTES = 1 << 20, PIPE_BYTES = 1 << 20, STAMP_BYTES = 4096 };

/* What is in the pipe is the pool itself, not a copy: it must be out before its piece of the pool is stamped again. */
static_assert(POOL_BYTES >= 2 * PIECE_BYTES + PIPE_BYTES, "the pool must be larger than what is under way");

static void stamp(char *piece, uint64_t *counter)
{
	for (size_t at = 0; at < PIECE_BYTES; at += STAMP_BYTES) {
		*(uint64_t *)(void *)(piece + at) = ++*counter * UINT64_C(0x9E3779B97F4A7C15);
	}
}

/* Random bytes on whole pages; made before anything is timed. */
static char *make_pool(void)
{
	struct random_source source;
	void *pool = NULL;

	if (posix_memalign(&pool, STAMP_BYTES, POOL_BYTES) != 0) {
		return NULL;
	}
	random_source_init(&source);
	random_source_fill(&source, pool, POOL_BYTES);
	return pool;
}

/* Into the pipe without a copy, which would cost more than the rest; where that does not work, with one. */
static ssize_t give(int write_end, char *bytes, size_t size)
{
	struct iovec piece = {.iov_base = bytes, .iov_len = size};
	ssize_t given = vmsplice(write_end, &piece, 1, 0);

	return given < 0 && (errno == EINVAL || errno == ENOSYS || errno == EPERM) ? write(write_end, bytes, size) : given;
}

static _Noreturn void feed(int write_end, char *pool, uint64_t size_bytes)
{
	uint64_t counter = 0;

	for (uint64_t done = 0; done < size_bytes;) {
		char *piece = pool + done % POOL_BYTES / PIECE_BYTES * PIECE_BYTES;
		size_t left = PIECE_BYTES;

		stamp(piece, &counter);
		while (left > 0) {
			ssize_t written = give(write_end, piece + (PIECE_BYTES - left), left);

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
	char *pool = make_pool();

	if (!pool || !process_pipe(read_end, &write_end)) {
		free(pool);
		return -1;
	}
	fcntl(write_end, F_SETPIPE_SZ, PIPE_BYTES); /* fewer switches between the two; the default does as well */
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(*read_end);
		if (getppid() == parent) {
			feed(write_end, pool, size_bytes);
		}
		_exit(0);
	}
	int error = errno;
	free(pool);
	file_close(&write_end);
	if (pid < 0) {
		file_close(read_end);
	}
	errno = error;
	return pid;
}
