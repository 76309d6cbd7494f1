/** One run of dd, described by plain values. */
#ifndef DD_JOB_H
#define DD_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/workload.h"

/** What dd is to do. Holds no pointer: it travels to the keeper as it is. */
struct dd_job {
	uint32_t mode;       /* enum dd_mode */
	uint32_t direct;     /* 1: O_DIRECT; for DD_READ_UNCACHED */
	uint64_t size_bytes; /* a whole number of MiB */
};

/** dd's block size. */
#define DD_BLOCK_BYTES (UINT64_C(1) << 20)

/** Whether the values are ones that this program can ask for. */
bool dd_job_is_sane(const struct dd_job *job);

/**
 * dd's arguments, NULL-terminated, for a working directory that holds the test file; writing reads the data from
 * stdin. The caller calls dd_command_free.
 */
char **dd_command(const struct dd_job *job);

/** Free what dd_command returned. */
void dd_command_free(char **arguments);

#endif
