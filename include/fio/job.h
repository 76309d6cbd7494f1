/** One fio run, described by plain values: nothing in it can name a file or a command. */
#ifndef FIO_JOB_H
#define FIO_JOB_H

#include <stdint.h>

#include "plan/workload.h"

/** What fio is to do. Holds no pointer: it travels to the keeper as it is. */
struct fio_job {
	uint32_t engine;      /* enum engine */
	uint32_t pattern;     /* enum access_pattern */
	uint32_t transfer;    /* enum transfer */
	uint32_t direct;      /* 1: O_DIRECT */
	uint32_t synchronous; /* 1: each write is durable before the next */
	uint32_t sync_method; /* enum sync_method, with that */
	uint32_t trial;       /* 1: not a measurement, only a few reads and writes to see whether they work */
	uint32_t queue_depth;
	uint32_t jobs;
	uint32_t unused; /* keeps the lengths aligned */
	uint64_t block_size_bytes;
	uint64_t size_bytes; /* of the test file */
	uint64_t runtime_s;
	uint64_t ramp_s; /* it works for so long before it begins to count */
};

/** A job that measures a workload. */
struct fio_job fio_job_measure(const struct workload *workload, enum transfer transfer, enum engine engine, int direct,
	uint64_t size_bytes, uint64_t runtime_s, uint64_t ramp_s);

/** A job of a few small reads and writes that finds out whether the engine works at all. */
struct fio_job fio_job_trial(enum engine engine, int direct, int synchronous);

/** The size of the test file that a trial needs; the trial of O_DIRECT is exact only with some MiB. */
#define FIO_TRIAL_SIZE_BYTES (UINT64_C(4) << 20)

#endif
