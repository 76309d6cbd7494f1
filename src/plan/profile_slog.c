#include "plan/profile.h"

#define COMMITS(thread_count)                                                                                          \
	{                                                                                                                  \
		.name = "4K sync T" #thread_count, .pattern = ACCESS_RANDOM, .block_size_bytes = 4096, .queue_depth = 1,       \
		.jobs = (thread_count), .synchronous = true, .transfers = {                                                    \
			[TRANSFER_WRITE] = true                                                                                    \
		}                                                                                                              \
	}

/* Synchronous 4K writes by more and more threads: what a ZFS intent log, or any commit path, has to carry. */
static const struct workload workloads[] = {COMMITS(1), COMMITS(4), COMMITS(8), COMMITS(16)};

const struct profile profile_slog = {
	.key = "slog",
	.title = "SLOG (synchronous 4K random writes)",
	.tool = LOAD_FIO,
	.shape = TABLE_LATENCY,
	.synchronous = true,
	.workloads = workloads,
	.workload_count = sizeof(workloads) / sizeof(workloads[0]),
};
