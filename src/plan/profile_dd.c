#include "plan/profile.h"

/* What the real dd can tell where fio is not installed: three rates, each named for what it is. */
static const struct workload workloads[] = {
	{.name = "Write, fsync at the end",
		.block_size_bytes = 1 << 20,
		.queue_depth = 1,
		.jobs = 1,
		.transfers = {[TRANSFER_WRITE] = true},
		.dd_mode = DD_WRITE_FSYNC},
	{.name = "Read, uncached",
		.block_size_bytes = 1 << 20,
		.queue_depth = 1,
		.jobs = 1,
		.transfers = {[TRANSFER_READ] = true},
		.dd_mode = DD_READ_UNCACHED},
	{.name = "Read, cached (RAM)",
		.block_size_bytes = 1 << 20,
		.queue_depth = 1,
		.jobs = 1,
		.transfers = {[TRANSFER_READ] = true},
		.dd_mode = DD_READ_CACHED},
};

const struct profile profile_dd = {
	.key = "dd",
	.title = "dd (basic sequential test)",
	.tool = LOAD_DD,
	.shape = TABLE_RATE,
	.workloads = workloads,
	.workload_count = sizeof(workloads) / sizeof(workloads[0]),
};
