#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dd/job.h"
#include "feed.h"
#include "fio/command.h"
#include "run.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/process.h"

/* statfs(2) */
#define CIFS_MAGIC 0xFF534D42UL
#define SMB2_MAGIC 0xFE534D42UL

enum { ARGUMENTS_MAX = 48, READ_BYTES = 1 << 20 };
#define TELL_INTERVAL_NS (100 * NS_PER_MS)

static void report_run(void *context, const struct run *run)
{
	struct keeper *keeper = context;
	struct keeper_progress progress = {
		.done_bytes = run->done_bytes,
		.total_bytes = run->total_bytes,
		.bandwidth_bytes_per_s = run->bandwidth_bytes_per_s,
		.device_bytes = -1,
	};

	if (run->pid > 0) {
		progress.elapsed_s = (double)(clock_now_ns() - run->witness->started_ns) / (double)NS_PER_S;
		witness_latest(run->witness, &progress.device_bytes, &progress.device_elapsed_s);
	}
	keeper_send_progress(keeper->setup->out, &progress);
	keeper_keep_ticket(keeper);
	if (keeper->requests.stop_wanted) {
		keeper_let_power_go(keeper); /* now: fio may wait for a disk that does not answer */
	}
}

/* Start `program` with the arguments behind its name, perhaps through sudo. Sets run->pid; false with errno set. */
static bool start(const struct keeper *keeper, struct run *run, const char *program, char *const *arguments)
{
	const char *argv[ARGUMENTS_MAX] = {NULL};
	struct process_spec spec = PROCESS_SPEC_NONE;
	size_t count = 0;
	bool through_sudo = keeper->setup->sudo && !run->is_dd;

	if (through_sudo) {
		argv[count++] = keeper->setup->sudo;
		argv[count++] = "-n";
		argv[count++] = "-u";
		argv[count++] = "root"; /* whatever runas_default says */
		argv[count++] = "--";
		run->stop_way = STOP_BY_PIPE;
	}
	argv[count++] = program;
	for (size_t i = 0; arguments[i] && count < ARGUMENTS_MAX - 1; i++) {
		argv[count++] = arguments[i];
	}
	spec.program = argv[0];
	spec.argv = argv;
	spec.directory = keeper->folder.directory;
	spec.in = run->feeder_input;
	spec.own_group = true;
	spec.dies_with_us = !through_sudo;
	spec.inherited = run->document;
	if (process_pipe(&run->out, &spec.out) && process_pipe(&run->err, &spec.err)) {
		run->pid = process_start(&spec);
	}
	int error = errno;
	if (spec.out >= 0) {
		close(spec.out);
	}
	if (spec.err >= 0) {
		close(spec.err);
	}
	errno = error;
	return run->pid > 0;
}

/*
 * fio's io_uring and posixaio engines lose an error of the flush at the end. We hold the file open ourselves, so the
 * kernel tells us too. Only after a good end: of any other the front hears anyway, and a dead disk must not hold us.
 */
static int flush(const struct keeper *keeper)
{
	return keeper->test_file >= 0 && fsync(keeper->test_file) != 0 ? errno : 0;
}

/* SMB may give one file several inode numbers: there only the kind counts. */
bool keeper_holds_test_file(const struct keeper *keeper)
{
	struct stat held, named;
	struct statfs system;

	if (fstat(keeper->test_file, &held) != 0 ||
		fstatat(keeper->folder.directory, TEST_FILE_NAME, &named, AT_SYMLINK_NOFOLLOW) != 0 ||
		!S_ISREG(named.st_mode)) {
		return false;
	}
	bool is_smb = fstatfs(keeper->test_file, &system) == 0 &&
				  ((unsigned long)system.f_type == CIFS_MAGIC || (unsigned long)system.f_type == SMB2_MAGIC);
	return is_smb || (held.st_dev == named.st_dev && held.st_ino == named.st_ino);
}

/* What the keeper itself does after a run: after a bad end nothing that a dead disk could hold up. */
static void settle(struct keeper *keeper, const struct witness_run *kind, bool flushes, struct keeper_result *result)
{
	bool good = !result->stuck && !result->past_deadline && result->wait_status == 0;

	if (good) {
		witness_look(&keeper->witness, keeper->test_file, &keeper->requests);
	}
	if (good && flushes) {
		result->flush_error = flush(keeper);
		witness_flushed(&keeper->witness);
	}
	result->readings = keeper->witness.readings;
	witness_tell_ramp(&keeper->witness, result);
	if (!kind->is_trial) {
		witness_rest(&keeper->witness);
	}
}

/* Run a program to its end and answer with what came of it. */
static void serve_run(
	struct keeper *keeper, struct run *run, const char *program, char *const *arguments, const struct witness_run *kind)
{
	struct keeper_result result;

	if (!keeper_holds_test_file(keeper)) {
		keeper_refuse(keeper, STATUS_FAILED, 0, "the test file was removed or replaced by somebody else");
		return;
	}
	run->witness = &keeper->witness;
	witness_begin(run->witness, kind, keeper->test_file, &keeper->requests);
	run->done_at_ns = clock_now_ns();
	run->deadline_ns = run->done_at_ns + (kind->ramp_s + kind->runtime_s) * NS_PER_S + run->grace_ns;
	if (!start(keeper, run, program, arguments)) {
		int error = errno;
		char *sentence = xasprintf("cannot start '%s': %s", program, strerror(error));

		keeper_refuse(keeper, run->is_dd ? STATUS_FAILED : STATUS_FIO, error, sentence);
		free(sentence);
		return;
	}
	witness_started(run->witness);
	run_watch(run, &keeper->requests, report_run, keeper, &result);
	settle(keeper, kind, !run->is_dd && !kind->reads, &result);
	if (!result.stuck && !keeper_holds_test_file(keeper)) {
		keeper_refuse(keeper, STATUS_FAILED, 0, "the test file was removed or replaced by somebody else meanwhile");
		return;
	}
	keeper_send(keeper->setup->out, KEEPER_RESULT, &result, sizeof(result), text_string(&run->output),
		run->output.length, text_string(&run->other), run->other.length);
}

void keeper_serve_fio(struct keeper *keeper, const struct keeper_message *message)
{
	struct keeper_run_fio request;
	struct run run;

	if (!keeper_payload(message, &request, sizeof(request)) || keeper->folder.directory < 0 ||
		!fio_job_is_sane(&request.job)) {
		keeper_refuse(keeper, STATUS_FAILED, 0, "the keeper was asked for something it does not know");
		return;
	}
	if (!keeper->setup->fio) {
		keeper_refuse(keeper, STATUS_FIO, 0, "fio is not installed");
		return;
	}
	const struct witness_run kind = {
		.is_trial = request.job.trial != 0,
		.reads = request.job.transfer == TRANSFER_READ,
		.is_commit = request.job.synchronous != 0,
		.is_prompt = request.job.direct || request.job.synchronous || request.job.transfer == TRANSFER_READ,
		.runtime_s = request.job.runtime_s,
		.ramp_s = request.job.ramp_s,
	};
	run_init(&run);
	run.grace_ns = request.grace_s * NS_PER_S;
	/* sudo hands no descriptor on, so that way fio's document goes into the folder. */
	run.document = keeper->setup->sudo
					   ? openat(keeper->folder.directory, FIO_OUTPUT_NAME, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
					   : memfd_create("fio", MFD_CLOEXEC);
	char **arguments = fio_command(&request.job, keeper->setup->sudo ? FIO_OUTPUT_FILE : FIO_OUTPUT_DESCRIPTOR);
	serve_run(keeper, &run, keeper->setup->fio, arguments, &kind);
	fio_command_free(arguments);
	run_release(&run);
}

/* Bring the file into memory, or out of it, before it is read. */
static void prepare_read(struct keeper *keeper, const struct run *run, const struct dd_job *job)
{
	int file = keeper->test_file;
	char *buffer = xmalloc(READ_BYTES);
	uint64_t done = 0, told_ns = clock_now_ns();

	if (file >= 0 && job->mode == DD_READ_UNCACHED) {
		fdatasync(file);
		posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
	} else if (file >= 0) {
		ssize_t size = 1;

		while (size > 0 && done < job->size_bytes && !keeper->requests.stop_wanted) {
			size = pread(file, buffer, READ_BYTES, (off_t)done);
			done += size > 0 ? (uint64_t)size : 0;
			if (clock_now_ns() - told_ns >= TELL_INTERVAL_NS) {
				told_ns = clock_now_ns();
				report_run(keeper, run); /* nothing to show yet, but a sign of life */
				requests_check(&keeper->requests);
			}
		}
	}
	free(buffer);
}

/* dd writes into an empty file that we made: it follows no link and creates nothing. */
static bool prepare_write(struct keeper *keeper, struct run *run, uint64_t size_bytes)
{
	file_close(&keeper->test_file);
	unlinkat(keeper->folder.directory, TEST_FILE_NAME, 0);
	keeper->test_file = openat(keeper->folder.directory, TEST_FILE_NAME, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (keeper->test_file < 0) {
		return false;
	}
	run->feeder = feed_start(size_bytes, &run->feeder_input);
	return run->feeder > 0;
}

void keeper_serve_dd(struct keeper *keeper, const struct keeper_message *message)
{
	struct keeper_run_dd request;
	struct run run;

	if (!keeper_payload(message, &request, sizeof(request)) || keeper->folder.directory < 0 ||
		!dd_job_is_sane(&request.job)) {
		keeper_refuse(keeper, STATUS_FAILED, 0, "the keeper was asked for something it does not know");
		return;
	}
	const struct witness_run kind = {
		.reads = request.job.mode != DD_WRITE_FSYNC, .is_prompt = request.job.mode != DD_WRITE_FSYNC};
	run_init(&run);
	run.is_dd = true;
	run.progress_number = request.job.mode == DD_WRITE_FSYNC ? STDOUT_FILENO : STDIN_FILENO;
	run.total_bytes = request.job.size_bytes;
	run.grace_ns = request.grace_s * NS_PER_S;
	if (request.job.mode != DD_WRITE_FSYNC) {
		prepare_read(keeper, &run, &request.job);
	} else if (!prepare_write(keeper, &run, request.job.size_bytes)) {
		keeper_refuse(keeper, STATUS_TARGET, errno, strerror(errno));
		run_release(&run);
		return;
	}
	witness_rest(&keeper->witness);
	char **arguments = dd_command(&request.job);
	serve_run(keeper, &run, "dd", arguments, &kind);
	dd_command_free(arguments);
	run_release(&run);
}
