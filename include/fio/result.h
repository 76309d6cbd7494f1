/** From fio's output to numbers: the only place that spells fio's keys. */
#ifndef FIO_RESULT_H
#define FIO_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include "fio/job.h"
#include "support/failure.h"

/** The figures of one direction, over all jobs. NAN is unknown, which is not 0. */
struct fio_direction {
	bool present;                 /* whether any job reports this direction */
	double bandwidth_bytes_per_s; /* sum over the jobs */
	double iops;                  /* sum over the jobs */
	double latency_p50_ns;        /* mean of the jobs' medians of completion latency */
	double latency_p99_ns;        /* the worst job's */
	double latency_mean_ns;       /* mean over all requests of all jobs */
	/* The same of fdatasync(2) alone, which fio times apart: with SYNC_FDATASYNC these are the commit's. */
	double sync_p50_ns;
	double sync_p99_ns;
	double sync_mean_ns;
	double bytes;      /* sum over the jobs */
	double runtime_ms; /* the shortest job's */
	size_t jobs_with_io;
	bool contradicts; /* a job's rates are not what its bytes, requests and time make */
	/* Mean over the jobs of IOPS x mean submission latency: the share of its time a job spent in submitting; near 1
	 * where each submission waits for its request to be done. 0 for engines that fio times no submission of. */
	double submit_saturation;
};

/** One document of fio's, read. Strings are owned. */
struct fio_result {
	bool found; /* whether there is a document at all */
	char *version;
	size_t jobs;
	int error;              /* the first job error, an errno; 0 where no job has one */
	double busiest_job_cpu; /* user and system time of the job that used most, as a share of one processor */
	bool interrupted;       /* the text says that a signal ended it */
	bool cut_short;         /* the text says that laying out the file or the job was given up */
	struct fio_direction directions[TRANSFER_COUNT];
	struct fio_direction mixed; /* present only where reads and writes were reported as one */
};

/**
 * Read what fio wrote, stdout or its output file: text may stand before and after the document, and of several
 * documents the last counts. Never fails: `found` says whether there was one. The caller calls fio_result_release.
 */
void fio_result_read(struct fio_result *result, const char *output, size_t length);

/** Look for the words that say that a run was interrupted or cut short in another of fio's streams too. */
void fio_result_read_marks(struct fio_result *result, const char *text, size_t length);

/** Free the strings. */
void fio_result_release(struct fio_result *result);

/** How a fio process ended, beside what it wrote. */
struct fio_ending {
	int wait_status;        /* as waitpid reports it */
	bool past_deadline;     /* it had to be ended since it ran past its time */
	const char *other_text; /* what stood on the other streams; may be NULL */
};

/**
 * Whether the run counts: exit status 0, every job there without an error, bytes moved in the wanted direction over
 * at least 90 % of the runtime, and nothing in the text says that it was cut short. Otherwise the failure's sentence
 * says why, with fio's own words where it has any, and the status is STATUS_FAILED.
 */
bool fio_result_check(const struct fio_result *result, const struct fio_job *job, const struct fio_ending *ending,
	const char *output, struct failure *failure);

/** Whether a run that does not count fails for its time alone: its figures are true, but of less than was asked for. */
bool fio_result_is_shortened(
	const struct fio_result *result, const struct fio_job *job, const struct fio_ending *ending);

/** fio's own reason: the first line of the kind "fio: ...", made readable. The caller frees it; NULL without one. */
char *fio_result_reason(const char *output, const char *other_text);

#endif
