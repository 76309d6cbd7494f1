#include "fio/job.h"

struct fio_job fio_job_measure(const struct workload *workload, enum transfer transfer, enum engine engine, int direct,
	uint64_t size_bytes, uint64_t runtime_s, uint64_t ramp_s)
{
	return (struct fio_job){
		.engine = (uint32_t)engine,
		.pattern = (uint32_t)workload->pattern,
		.transfer = (uint32_t)transfer,
		.direct = direct ? 1 : 0,
		.synchronous = workload->synchronous ? 1 : 0,
		.sync_method = workload->synchronous ? (uint32_t)workload->sync_method : 0,
		.queue_depth = workload->queue_depth,
		.jobs = workload->jobs,
		.block_size_bytes = workload->block_size_bytes,
		.size_bytes = size_bytes,
		.runtime_s = runtime_s,
		.ramp_s = ramp_s,
	};
}

struct fio_job fio_job_trial(enum engine engine, int direct, int synchronous)
{
	return (struct fio_job){
		.engine = (uint32_t)engine,
		.pattern = ACCESS_RANDOM,
		.transfer = TRANSFER_WRITE,
		.direct = direct ? 1 : 0,
		.synchronous = synchronous ? 1 : 0,
		.trial = 1,
		.queue_depth = 4,
		.jobs = 1,
		.block_size_bytes = 4096,
		.size_bytes = FIO_TRIAL_SIZE_BYTES,
		.runtime_s = 0,
	};
}
