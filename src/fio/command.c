#include "fio/command.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/memory.h"

enum {
	ARGUMENTS_MAX = 40,
	TRIAL_IO_COUNT = 32,
	JOBS_MAX = 256,
	QUEUE_DEPTH_MAX = 4096,
	RAMP_MAX_S = 3600,
	/* From here on fio's one random buffer is incompressible enough, and filling it anew would cost bandwidth. */
	REFILL_BELOW_BYTES = 128 << 10,
};

struct arguments {
	char **list;
	size_t count;
};

static void add(struct arguments *arguments, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct arguments *arguments, const char *format, ...)
{
	char *argument = NULL;
	va_list values;

	va_start(values, format);
	if (arguments->count < ARGUMENTS_MAX && vasprintf(&argument, format, values) >= 0) {
		arguments->list[arguments->count++] = argument;
	}
	va_end(values);
}

bool fio_job_is_sane(const struct fio_job *job)
{
	return job->engine <= ENGINE_PSYNC && job->pattern <= ACCESS_RANDOM && job->transfer < TRANSFER_COUNT &&
		   job->direct <= 1 && job->synchronous <= 1 && job->sync_method < SYNC_METHOD_COUNT &&
		   (job->synchronous || job->sync_method == 0) && job->trial <= 1 && job->queue_depth >= 1 &&
		   job->queue_depth <= QUEUE_DEPTH_MAX && job->jobs >= 1 && job->jobs <= JOBS_MAX &&
		   job->block_size_bytes >= 512 && job->block_size_bytes <= (64U << 20) &&
		   job->size_bytes >= job->block_size_bytes && job->size_bytes <= (UINT64_C(1) << 50) &&
		   job->runtime_s <= 604800 && (job->trial || job->runtime_s > 0) &&
		   job->ramp_s <= (job->trial ? 0 : RAMP_MAX_S);
}

static const char *direction_name(const struct fio_job *job)
{
	if (job->trial) {
		return "randrw";
	}
	if (job->pattern == ACCESS_RANDOM) {
		return job->transfer == TRANSFER_READ ? "randread" : "randwrite";
	}
	return job->transfer == TRANSFER_READ ? "read" : "write";
}

static void add_target(struct arguments *arguments, const struct fio_job *job)
{
	add(arguments, "--name=speedtest-hd");
	add(arguments, "--filename=" TEST_FILE_NAME);
	add(arguments, "--size=%" PRIu64, job->size_bytes);
	add(arguments, "--allow_file_create=0"); /* a file that vanished is an error, not a new one elsewhere */
	add(arguments, "--overwrite=1");
}

static void add_sync(struct arguments *arguments, enum sync_method method)
{
	switch (method) {
	case SYNC_O_SYNC:
		add(arguments, "--sync=1"); /* means this in every version */
		break;
	case SYNC_O_DSYNC:
		add(arguments, "--sync=dsync");
		break;
	case SYNC_FDATASYNC:
		add(arguments, "--fdatasync=1");
		break;
	}
}

static void add_load(struct arguments *arguments, const struct fio_job *job)
{
	add(arguments, "--rw=%s", direction_name(job));
	add(arguments, "--bs=%" PRIu64, job->block_size_bytes);
	add(arguments, "--ioengine=%s", engine_name((enum engine)job->engine));
	if (job->engine < ENGINE_SYNC) {
		add(arguments, "--iodepth=%u", job->queue_depth); /* the others would answer it with a note */
	}
	add(arguments, "--numjobs=%u", job->jobs);
	/* One process: a killed one leaves no worker behind, and TERM reaches all. */
	add(arguments, "--thread");
	add(arguments, "--max-jobs=%u", job->jobs);
	add(arguments, "--exitall_on_error");
	add(arguments, "--direct=%u", job->direct);
	if (job->synchronous) {
		add_sync(arguments, (enum sync_method)job->sync_method);
	}
	add(arguments, "--randrepeat=0");
	if (job->size_bytes / job->block_size_bytes >= (UINT64_C(1) << 32)) {
		add(arguments, "--random_generator=tausworthe64"); /* the default cannot count that far */
	}
}

char **fio_command(const struct fio_job *job, enum fio_output output)
{
	struct arguments arguments = {.list = xcalloc(ARGUMENTS_MAX + 1, sizeof(char *))};

	add_target(&arguments, job);
	add_load(&arguments, job);
	if (job->transfer == TRANSFER_WRITE) {
		if (job->block_size_bytes < REFILL_BELOW_BYTES) {
			add(&arguments, "--refill_buffers=1");
		}
		add(&arguments, "--end_fsync=1"); /* inside fio's timing: what is still in RAM counts as not written */
	}
	if (job->trial) {
		add(&arguments, "--number_ios=%d", TRIAL_IO_COUNT);
	} else {
		add(&arguments, "--time_based");
		add(&arguments, "--runtime=%" PRIu64, job->runtime_s);
		if (job->ramp_s > 0) {
			add(&arguments, "--ramp_time=%" PRIu64, job->ramp_s); /* comes before the runtime and is in no figure */
		}
	}
	add(&arguments, "--output-format=json");
	add(&arguments, "--output=%s", output == FIO_OUTPUT_DESCRIPTOR ? "/proc/self/fd/3" : FIO_OUTPUT_NAME);
	add(&arguments, "--eta=always");
	return arguments.list;
}

void fio_command_free(char **arguments)
{
	for (size_t i = 0; arguments && arguments[i]; i++) {
		free(arguments[i]);
	}
	free(arguments);
}
