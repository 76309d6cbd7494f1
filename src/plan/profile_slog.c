#include "plan/profile.h"

#define WRITES                                                                                                         \
	{                                                                                                                  \
		[TRANSFER_WRITE] = true                                                                                        \
	}

#define COMMITS(thread_count)                                                                                          \
	{                                                                                                                  \
		.name = "4K sync T" #thread_count, .pattern = ACCESS_RANDOM, .block_size_bytes = 4096, .queue_depth = 1,       \
		.jobs = (thread_count), .synchronous = true, .sync_method = SYNC_O_SYNC, .transfers = WRITES,                  \
		.part = PART_MAIN                                                                                              \
	}

/* By one thread, so that each write waits for nothing but itself. */
#define REFERENCE(row_name, block_kib, is_synchronous, method)                                                         \
	{                                                                                                                  \
		.name = (row_name), .pattern = ACCESS_RANDOM, .block_size_bytes = (block_kib) << 10, .queue_depth = 1,         \
		.jobs = 1, .synchronous = (is_synchronous), .sync_method = (method), .transfers = WRITES, .part = PART_DETAIL  \
	}

#define STAGE(row_name, stage_name, holds)                                                                             \
	{                                                                                                                  \
		.name = (row_name), .pattern = ACCESS_RANDOM, .block_size_bytes = 4096, .queue_depth = 1, .jobs = 1,           \
		.synchronous = true, .sync_method = SYNC_O_SYNC, .transfers = WRITES, .part = PART_EXPERIMENT,                 \
		.power = (holds), .stage = (stage_name)                                                                        \
	}

static const struct workload workloads[] = {
	/* Synchronous 4K writes by more and more threads: what a ZFS intent log, or any commit path, has to carry. */
	COMMITS(1),
	COMMITS(4),
	COMMITS(8),
	COMMITS(16),
	/* What a commit is made of, and what its size does. */
	REFERENCE("4K no sync", 4, false, SYNC_O_SYNC),
	REFERENCE("4K O_DSYNC", 4, true, SYNC_O_DSYNC),
	REFERENCE("4K O_SYNC", 4, true, SYNC_O_SYNC),
	REFERENCE("4K write+fdatasync", 4, true, SYNC_FDATASYNC),
	REFERENCE("8K O_SYNC", 8, true, SYNC_O_SYNC),
	REFERENCE("16K O_SYNC", 16, true, SYNC_O_SYNC),
	REFERENCE("32K O_SYNC", 32, true, SYNC_O_SYNC),
	REFERENCE("64K O_SYNC", 64, true, SYNC_O_SYNC),
	REFERENCE("128K O_SYNC", 128, true, SYNC_O_SYNC),
	/* T1 again and again, with one more thing changed in each; the last is for where idle states cannot be held off. */
	STAGE("T1 as it is", "as it is", 0),
	STAGE("T1 C-states held off", "C-states held off", POWER_HOLD_IDLE),
	STAGE(
		"T1 C-states held off, governor performance", "+ governor performance", POWER_HOLD_IDLE | POWER_HOLD_GOVERNOR),
	STAGE("T1 governor performance", "governor performance", POWER_HOLD_GOVERNOR),
};

const struct profile profile_slog = {
	.key = "slog",
	.title = "SLOG (synchronous 4K random writes)",
	.tool = LOAD_FIO,
	.shape = TABLE_LATENCY,
	.synchronous = true,
	.workloads = workloads,
	.workload_count = sizeof(workloads) / sizeof(workloads[0]),
};
