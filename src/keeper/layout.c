#include "keeper/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "fio/command.h"
#include "support/memory.h"
#include "support/random.h"

/*
 * How much may wait in RAM to be written: enough to keep any disk busy, little enough that progress means something
 * and that stopping is quick.
 */
enum { PIECE_BYTES = 1 << 20, WINDOW_BYTES = 32 << 20 };

static bool write_piece(int file, const char *buffer, size_t size, off_t offset)
{
	while (size > 0) {
		ssize_t written = pwrite(file, buffer, size, offset);

		if (written > 0) {
			buffer += written;
			size -= (size_t)written;
			offset += written;
		} else if (written == 0) {
			errno = ENOSPC;
			return false;
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

/* Start writing the window that was just filled, and wait for the one before. Only a hint: fsync decides. */
static void push_out(int file, uint64_t done_bytes)
{
	if (done_bytes % WINDOW_BYTES != 0) {
		return;
	}
	sync_file_range(file, (off_t)(done_bytes - WINDOW_BYTES), WINDOW_BYTES, SYNC_FILE_RANGE_WRITE);
	if (done_bytes >= 2 * (uint64_t)WINDOW_BYTES) {
		sync_file_range(file, (off_t)(done_bytes - 2 * (uint64_t)WINDOW_BYTES), WINDOW_BYTES,
			SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
	}
}

static enum layout_end fill(int file, uint64_t size_bytes, layout_progress *progress, void *context)
{
	struct random_source source;
	char *buffer = xmalloc(PIECE_BYTES);
	enum layout_end end = LAYOUT_WRITTEN;

	random_source_init(&source);
	for (uint64_t done = 0; end == LAYOUT_WRITTEN && done < size_bytes;) {
		size_t size = size_bytes - done < PIECE_BYTES ? (size_t)(size_bytes - done) : PIECE_BYTES;

		random_source_fill(&source, buffer, PIECE_BYTES);
		if (!write_piece(file, buffer, size, (off_t)done)) {
			end = LAYOUT_FAILED;
			break;
		}
		done += size;
		push_out(file, done);
		if (!progress(context, done)) {
			end = LAYOUT_STOPPED;
		}
	}
	free(buffer);
	if (end == LAYOUT_WRITTEN && fsync(file) != 0) {
		end = LAYOUT_FAILED;
	}
	/* The first run must not meet the file in RAM. */
	posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
	return end;
}

enum layout_end layout_write(int directory, uint64_t size_bytes, layout_progress *progress, void *context)
{
	enum layout_end end = LAYOUT_FAILED;

	unlinkat(directory, TEST_FILE_NAME, 0);
	int file = openat(directory, TEST_FILE_NAME, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (file < 0) {
		return LAYOUT_FAILED;
	}
	end = fill(file, size_bytes, progress, context);
	int error = errno;
	if (close(file) != 0 && end == LAYOUT_WRITTEN) {
		error = errno; /* NFS and quotas speak up here */
		end = LAYOUT_FAILED;
	}
	if (end != LAYOUT_WRITTEN) {
		unlinkat(directory, TEST_FILE_NAME, 0);
	}
	errno = error;
	return end;
}
