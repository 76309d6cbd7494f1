#include "plan/profile.h"

#define BOTH                                                                                                           \
	{                                                                                                                  \
		[TRANSFER_READ] = true, [TRANSFER_WRITE] = true                                                                \
	}

/* CrystalDiskMark's tests, in the order in which it shows them; Q is the queue depth, T the number of threads. */
static const struct workload workloads[] = {
	{.name = "SEQ1M  Q8T1",
		.pattern = ACCESS_SEQUENTIAL,
		.block_size_bytes = 1 << 20,
		.queue_depth = 8,
		.jobs = 1,
		.transfers = BOTH},
	{.name = "SEQ1M  Q1T1",
		.pattern = ACCESS_SEQUENTIAL,
		.block_size_bytes = 1 << 20,
		.queue_depth = 1,
		.jobs = 1,
		.transfers = BOTH},
	{.name = "RND4K  Q32T16",
		.pattern = ACCESS_RANDOM,
		.block_size_bytes = 4096,
		.queue_depth = 32,
		.jobs = 16,
		.transfers = BOTH},
	{.name = "RND4K  Q1T1",
		.pattern = ACCESS_RANDOM,
		.block_size_bytes = 4096,
		.queue_depth = 1,
		.jobs = 1,
		.transfers = BOTH},
};

const struct profile profile_cdm = {
	.key = "cdm",
	.title = "CrystalDiskMark",
	.tool = LOAD_FIO,
	.shape = TABLE_READ_WRITE,
	.workloads = workloads,
	.workload_count = sizeof(workloads) / sizeof(workloads[0]),
};
