#include "keeper/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dd/job.h"
#include "fio/command.h"
#include "keeper/folder.h"
#include "keeper/layout.h"
#include "keeper/protocol.h"
#include "requests.h"
#include "run.h"
#include "feed.h"
#include "support/cleanup.h"
#include "support/clock.h"
#include "support/memory.h"
#include "support/process.h"
#include "support/signals.h"

enum {
	PROGRESS_INTERVAL_MS = 100,
	ARGUMENTS_MAX = 48,
	READ_BYTES = 1 << 20,
	TICKET_INTERVAL_S = 30,
	TICKET_TIMEOUT_MS = 5000
};

/* Everything the keeper keeps. */
struct keeper {
	const struct keeper_setup *setup;
	struct requests requests;
	struct test_folder folder;
	uint64_t ticket_ns; /* when sudo's ticket was last renewed */
};

static void refuse(const struct keeper *keeper, enum status status, int error, const char *sentence)
{
	struct keeper_refusal refusal = {.status = (uint32_t)status, .error = error};

	keeper_send(keeper->setup->out, KEEPER_REFUSED, &refusal, sizeof(refusal), sentence, strlen(sentence), NULL, 0);
}

/* The last resort of somebody who runs out of memory. */
static void remove_folder(void *context)
{
	struct test_folder *folder = context;

	test_folder_remove(folder);
}

static void serve_open(struct keeper *keeper, const struct keeper_message *message)
{
	struct keeper_open request;
	struct failure failure = FAILURE_NONE;
	struct stat here;
	int error = 0;

	if (!keeper_payload(message, &request, sizeof(request)) || keeper->folder.directory >= 0) {
		refuse(keeper, STATUS_FAILED, 0, "the keeper was asked for something it does not know");
	} else if (stat(".", &here) != 0) {
		refuse(keeper, STATUS_TARGET, errno, "cannot look at the directory");
	} else if ((uint64_t)here.st_dev != request.device || (uint64_t)here.st_ino != request.inode) {
		refuse(keeper, STATUS_TARGET, ESTALE, "sudo starts programs in another directory than the one to measure");
	} else if (!test_folder_create(&keeper->folder, &error, &failure)) {
		refuse(keeper, failure.status, error, failure.sentence);
	} else {
		cleanup_register(remove_folder, &keeper->folder);
		keeper_send_struct(keeper->setup->out, KEEPER_READY, NULL, 0);
	}
	failure_clear(&failure);
}

/* Where each fio goes through sudo, a layout or a run must not outlast the password that was typed. */
static void keep_ticket(struct keeper *keeper)
{
	const char *const argv[] = {keeper->setup->sudo, "-n", "-v", NULL};
	uint64_t now_ns = clock_now_ns();

	if (keeper->setup->sudo && now_ns - keeper->ticket_ns >= TICKET_INTERVAL_S * NS_PER_S) {
		process_capture(keeper->setup->sudo, argv, TICKET_TIMEOUT_MS, NULL, NULL, NULL);
		keeper->ticket_ns = now_ns;
	}
}

/* What layout_write needs to know between two pieces. */
struct layout_context {
	struct keeper *keeper;
	uint64_t total_bytes;
	uint64_t reported_ns;
	uint64_t reported_bytes;
};

static bool report_layout(void *context, uint64_t done_bytes)
{
	struct layout_context *layout = context;
	uint64_t now_ns = clock_now_ns();

	if (now_ns - layout->reported_ns >= PROGRESS_INTERVAL_MS * NS_PER_MS) {
		struct keeper_progress progress = {
			.done_bytes = done_bytes,
			.total_bytes = layout->total_bytes,
			.bandwidth_bytes_per_s = (double)(done_bytes - layout->reported_bytes) * (double)NS_PER_S /
									 (double)(now_ns - layout->reported_ns),
		};

		keeper_send_struct(layout->keeper->setup->out, KEEPER_PROGRESS, &progress, sizeof(progress));
		layout->reported_ns = now_ns;
		layout->reported_bytes = done_bytes;
		requests_check(&layout->keeper->requests);
		keep_ticket(layout->keeper);
	}
	return !layout->keeper->requests.stop_wanted;
}

static void serve_layout(struct keeper *keeper, const struct keeper_message *message)
{
	struct keeper_layout request;
	struct layout_context context = {.keeper = keeper, .reported_ns = clock_now_ns()};

	if (!keeper_payload(message, &request, sizeof(request)) || keeper->folder.directory < 0 ||
		request.size_bytes > (UINT64_C(1) << 50)) {
		refuse(keeper, STATUS_FAILED, 0, "the keeper was asked for something it does not know");
		return;
	}
	context.total_bytes = request.size_bytes;
	enum layout_end end = layout_write(keeper->folder.directory, request.size_bytes, report_layout, &context);
	if (end == LAYOUT_FAILED) {
		refuse(keeper, STATUS_TARGET, errno, strerror(errno));
	} else {
		keeper_send_struct(keeper->setup->out, KEEPER_DONE, NULL, 0);
	}
}

static void report_run(void *context, const struct run *run)
{
	struct keeper *keeper = context;
	struct keeper_progress progress = {
		.done_bytes = run->done_bytes,
		.total_bytes = run->total_bytes,
		.bandwidth_bytes_per_s = run->bandwidth_bytes_per_s,
	};

	keeper_send_struct(keeper->setup->out, KEEPER_PROGRESS, &progress, sizeof(progress));
	keep_ticket(keeper);
}

/* Start `program` with the arguments behind its name, perhaps through sudo, and answer with what came of it. */
static void serve_run(struct keeper *keeper, struct run *run, const char *program, char *const *arguments)
{
	const char *argv[ARGUMENTS_MAX] = {NULL};
	struct process_spec spec = PROCESS_SPEC_NONE;
	struct keeper_result result;
	size_t count = 0;
	int out_write = -1, err_write = -1;
	bool through_sudo = keeper->setup->sudo && !run->is_dd;

	if (through_sudo) {
		argv[count++] = keeper->setup->sudo;
		argv[count++] = "-n";
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
	if (process_pipe(&run->out, &out_write) && process_pipe(&run->err, &err_write)) {
		spec.out = out_write;
		spec.err = err_write;
		run->pid = process_start(&spec);
	}
	int error = errno;
	close(out_write);
	close(err_write);
	if (run->pid < 0) {
		char *sentence = xasprintf("cannot start '%s': %s", program, strerror(error));

		refuse(keeper, run->is_dd ? STATUS_FAILED : STATUS_FIO, error, sentence);
		free(sentence);
		return;
	}
	run_watch(run, &keeper->requests, report_run, keeper, &result);
	keeper_send(keeper->setup->out, KEEPER_RESULT, &result, sizeof(result), text_string(&run->output),
		run->output.length, text_string(&run->other), run->other.length);
}

static void serve_fio(struct keeper *keeper, const struct keeper_message *message)
{
	struct keeper_run_fio request;
	struct run run;

	if (!keeper_payload(message, &request, sizeof(request)) || keeper->folder.directory < 0 || !keeper->setup->fio ||
		!fio_job_is_sane(&request.job)) {
		refuse(keeper, STATUS_FIO, 0, "fio is not installed where sudo looks for programs");
		return;
	}
	run_init(&run);
	run.grace_ns = request.grace_s * NS_PER_S;
	run.deadline_ns = clock_now_ns() + request.job.runtime_s * NS_PER_S + run.grace_ns;
	/* sudo hands no descriptor on, so that way fio's document goes into the folder. */
	run.document = keeper->setup->sudo
					   ? openat(keeper->folder.directory, FIO_OUTPUT_NAME, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
					   : memfd_create("fio", MFD_CLOEXEC);
	char **arguments = fio_command(&request.job, keeper->setup->sudo ? FIO_OUTPUT_FILE : FIO_OUTPUT_DESCRIPTOR);
	serve_run(keeper, &run, keeper->setup->fio, arguments);
	fio_command_free(arguments);
	run_release(&run);
}

/* Bring the file into memory, or out of it, before it is read. */
static void prepare_read(struct keeper *keeper, const struct dd_job *job)
{
	int file = openat(keeper->folder.directory, TEST_FILE_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	char *buffer = xmalloc(READ_BYTES);
	uint64_t done = 0;

	if (file >= 0 && job->mode == DD_READ_UNCACHED) {
		fdatasync(file);
		posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
	} else if (file >= 0) {
		ssize_t size = 1;

		while (size > 0 && done < job->size_bytes && !keeper->requests.stop_wanted) {
			size = pread(file, buffer, READ_BYTES, (off_t)done);
			done += size > 0 ? (uint64_t)size : 0;
			requests_check(&keeper->requests);
		}
	}
	if (file >= 0) {
		close(file);
	}
	free(buffer);
}

/* dd writes into an empty file that we made: it follows no link and creates nothing. */
static bool prepare_write(struct keeper *keeper, struct run *run, uint64_t size_bytes)
{
	unlinkat(keeper->folder.directory, TEST_FILE_NAME, 0);
	int file = openat(keeper->folder.directory, TEST_FILE_NAME, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (file < 0) {
		return false;
	}
	close(file);
	run->feeder = feed_start(size_bytes, &run->feeder_input);
	return run->feeder > 0;
}

static void serve_dd(struct keeper *keeper, const struct keeper_message *message)
{
	struct keeper_run_dd request;
	struct run run;

	if (!keeper_payload(message, &request, sizeof(request)) || keeper->folder.directory < 0 ||
		!dd_job_is_sane(&request.job)) {
		refuse(keeper, STATUS_FAILED, 0, "the keeper was asked for something it does not know");
		return;
	}
	run_init(&run);
	run.is_dd = true;
	run.progress_number = request.job.mode == DD_WRITE_FSYNC ? STDOUT_FILENO : STDIN_FILENO;
	run.total_bytes = request.job.size_bytes;
	run.grace_ns = request.grace_s * NS_PER_S;
	if (request.job.mode != DD_WRITE_FSYNC) {
		prepare_read(keeper, &request.job);
	} else if (!prepare_write(keeper, &run, request.job.size_bytes)) {
		refuse(keeper, STATUS_TARGET, errno, strerror(errno));
		run_release(&run);
		return;
	}
	run.done_at_ns = clock_now_ns();
	run.deadline_ns = run.done_at_ns + run.grace_ns;
	char **arguments = dd_command(&request.job);
	serve_run(keeper, &run, "dd", arguments);
	dd_command_free(arguments);
	run_release(&run);
}

/* Serve one request; false where it was the last. */
static bool serve(struct keeper *keeper, const struct keeper_message *message)
{
	switch (message->type) {
	case KEEPER_OPEN:
		serve_open(keeper, message);
		return true;
	case KEEPER_LAYOUT:
		serve_layout(keeper, message);
		return true;
	case KEEPER_RUN_FIO:
		serve_fio(keeper, message);
		return true;
	case KEEPER_RUN_DD:
		serve_dd(keeper, message);
		return true;
	case KEEPER_STOP:
		return true; /* came after the end of what it was for */
	default:
		return false;
	}
}

void keeper_ignore_terminal(void)
{
	static const int ignored[] = {SIGINT, SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE};
	struct sigaction action = {.sa_handler = SIG_IGN};

	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++) {
		sigaction(ignored[i], &action, NULL);
	}
}

int keeper_serve(const struct keeper_setup *setup)
{
	struct keeper keeper = {.setup = setup, .requests = {.in = setup->in}, .folder = TEST_FOLDER_NONE};
	struct keeper_hello hello = {
		.magic = KEEPER_MAGIC,
		.layout_version = KEEPER_LAYOUT_VERSION,
		.effective_uid = (uint32_t)geteuid(),
		.has_fio = setup->fio ? 1 : 0,
	};
	struct keeper_message message;

	umask(0077); /* what is made is ours alone, and not less than ours, whatever the user's umask */
	bool more = keeper_send_struct(setup->out, KEEPER_HELLO, &hello, sizeof(hello));

	while (more && requests_next(&keeper.requests, &message)) {
		more = serve(&keeper, &message);
		text_release(&message.payload);
	}
	cleanup_forget(remove_folder, &keeper.folder);
	bool removed = test_folder_remove(&keeper.folder);
	if (removed) {
		keeper_send_struct(setup->out, KEEPER_CLOSED, NULL, 0);
	} else {
		refuse(&keeper, STATUS_FAILED, errno, strerror(errno));
	}
	text_release(&keeper.requests.buffered);
	return removed ? STATUS_OK : STATUS_FAILED;
}
