/** What the kernel says of the process that makes the load. */
#ifndef TELEMETRY_PROCESS_STATE_H
#define TELEMETRY_PROCESS_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/** Bytes that one process, with all its threads and the children it waited for, caused to be moved. */
struct process_account {
	uint32_t known;        /* 1: read_bytes is the whole; processor_ns always is */
	uint32_t unused;       /* keeps the lengths aligned */
	uint64_t read_bytes;   /* fetched from storage on its behalf: what came from the page cache is not in it */
	uint64_t processor_ns; /* user and system time, of all threads and children together */
};

/** How it opened the test file, and what it submits with. */
struct process_files {
	uint32_t files;            /* open descriptors of the test file; 0: could not be seen */
	uint32_t direct;           /* of these, with O_DIRECT */
	uint32_t synchronous;      /* of these, with O_SYNC */
	uint32_t io_uring;         /* 1: it has an io_uring */
	uint32_t aio;              /* 1: it has a kernel AIO context */
	uint32_t data_synchronous; /* of `files`, with O_DSYNC alone */
};

/**
 * From what wait4(2) told of a process that has ended: unlike /proc/PID/io anybody may have that of his own child, and
 * through sudo too. `files` is what was seen of it. False where this kernel (`root`) keeps no such account, or not of
 * what an io_uring moves: before Linux 5.12, but for the later 5.10, threads of the kernel do that.
 */
bool process_account_take(
	struct process_account *account, const char *root, const struct rusage *usage, const struct process_files *files);

/** Bytes that a living process read from storage and wrote (/proc/PID/io). False where that may not be seen. */
bool process_moved(const char *root, pid_t pid, uint64_t *bytes);

/** /proc/PID/fd, fdinfo and maps; `device` and `inode` are the test file's. */
void process_files_take(struct process_files *files, const char *root, pid_t pid, uint64_t device, uint64_t inode);

#endif
