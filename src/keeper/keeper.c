#include "keeper/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keeper/layout.h"
#include "plan/workload.h"
#include "probe/mount.h"
#include "state.h"
#include "support/cleanup.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/process.h"

enum { PROGRESS_INTERVAL_MS = 100, TICKET_INTERVAL_S = 30, TICKET_TIMEOUT_MS = 5000 };

void keeper_refuse(const struct keeper *keeper, enum status status, int error, const char *sentence)
{
	struct keeper_refusal refusal = {.status = (uint32_t)status, .error = error};

	keeper_send(keeper->setup->out, KEEPER_REFUSED, &refusal, sizeof(refusal), sentence, strlen(sentence), NULL, 0);
}

void keeper_keep_ticket(struct keeper *keeper)
{
	const char *const argv[] = {keeper->setup->sudo, "-n", "-v", NULL};
	uint64_t now_ns = clock_now_ns();

	if (keeper->setup->sudo && now_ns - keeper->ticket_ns >= TICKET_INTERVAL_S * NS_PER_S) {
		process_capture(keeper->setup->sudo, argv, TICKET_TIMEOUT_MS, NULL, NULL, NULL);
		keeper->ticket_ns = now_ns;
	}
}

/* The last resort of somebody who runs out of memory. */
static void remove_folder(void *context)
{
	struct test_folder *folder = context;

	test_folder_remove(folder);
}

/*
 * Whether the directory lies on a FUSE file system that another user serves. He decides what each name leads to: root
 * must not follow him.
 */
static bool is_served_by_other(void)
{
	struct mount mount;
	char *user = NULL;
	bool other = false;
	int directory = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (geteuid() == 0 && directory >= 0 && mount_find_descriptor(&mount, directory)) {
		user = mount_option_value(mount.super_options, "user_id");
		other = user && text_starts_with(mount.type, "fuse") && strcmp(user, "0") != 0;
		free(user);
		mount_release(&mount);
	}
	file_close(&directory);
	return other;
}

static void serve_open(struct keeper *keeper, const struct keeper_message *message)
{
	struct keeper_open request;
	struct failure failure = FAILURE_NONE;
	struct stat here;
	int error = 0;

	if (!keeper_payload(message, &request, sizeof(request)) || keeper->folder.directory >= 0) {
		keeper_refuse(keeper, STATUS_FAILED, 0, "the keeper was asked for something it does not know");
	} else if (stat(".", &here) != 0) {
		keeper_refuse(keeper, STATUS_TARGET, errno, "cannot look at the directory");
	} else if ((uint64_t)here.st_dev != request.device || (uint64_t)here.st_ino != request.inode) {
		keeper_refuse(
			keeper, STATUS_TARGET, ESTALE, "sudo starts programs in another directory than the one to measure");
	} else if (is_served_by_other()) {
		keeper_refuse(keeper, STATUS_TARGET, EPERM,
			"another user serves this FUSE file system and could lead root astray; run speedtest-hd as that user");
	} else if (!test_folder_create(&keeper->folder, &error, &failure)) {
		keeper_refuse(keeper, failure.status, error, failure.sentence);
	} else {
		cleanup_register(remove_folder, &keeper->folder);
		keeper_send_struct(keeper->setup->out, KEEPER_READY, NULL, 0);
	}
	failure_clear(&failure);
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
			.device_bytes = -1,
		};

		keeper_send_progress(layout->keeper->setup->out, &progress);
		layout->reported_ns = now_ns;
		layout->reported_bytes = done_bytes;
		requests_check(&layout->keeper->requests);
		keeper_keep_ticket(layout->keeper);
	}
	return !layout->keeper->requests.stop_wanted;
}

/* Open the test file: the kernel tells each open file once of an error in writing it back, whoever heard of it too. */
static bool hold_test_file(struct keeper *keeper)
{
	file_close(&keeper->test_file);
	keeper->test_file = openat(keeper->folder.directory, TEST_FILE_NAME, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	return keeper->test_file >= 0;
}

static void serve_layout(struct keeper *keeper, const struct keeper_message *message)
{
	struct keeper_layout request;
	struct layout_context context = {.keeper = keeper, .reported_ns = clock_now_ns()};

	if (!keeper_payload(message, &request, sizeof(request)) || keeper->folder.directory < 0 ||
		request.size_bytes > (UINT64_C(1) << 50)) {
		keeper_refuse(keeper, STATUS_FAILED, 0, "the keeper was asked for something it does not know");
		return;
	}
	context.total_bytes = request.size_bytes;
	enum layout_end end = layout_write(keeper->folder.directory, request.size_bytes, report_layout, &context);
	int error = errno;
	if (end == LAYOUT_WRITTEN && !hold_test_file(keeper)) {
		error = errno;
		end = LAYOUT_FAILED;
	}
	witness_rest(&keeper->witness);
	if (end == LAYOUT_FAILED) {
		keeper_refuse(keeper, STATUS_TARGET, error, strerror(error));
	} else {
		keeper_send_struct(keeper->setup->out, KEEPER_DONE, NULL, 0);
	}
}

static void serve_watch(struct keeper *keeper, const struct keeper_message *message)
{
	struct watch watch;

	if (!keeper_payload(message, &watch, sizeof(watch)) || keeper->folder.directory < 0 || !watch_is_sane(&watch)) {
		keeper_refuse(keeper, STATUS_FAILED, 0, "the keeper was asked for something it does not know");
		return;
	}
	witness_watch(&keeper->witness, &watch, keeper->folder.directory);
	keeper_send_struct(keeper->setup->out, KEEPER_DONE, NULL, 0);
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
		keeper_serve_fio(keeper, message);
		return true;
	case KEEPER_RUN_DD:
		keeper_serve_dd(keeper, message);
		return true;
	case KEEPER_WATCH:
		serve_watch(keeper, message);
		return true;
	case KEEPER_POWER:
		keeper_serve_power(keeper, message);
		return true;
	case KEEPER_TRY_DIRECT:
		keeper_serve_direct(keeper);
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

/* The user may think about the question for longer than sudo remembers him. */
static void keep_ticket_idle(void *context)
{
	keeper_keep_ticket(context);
}

/* Put back what was changed, remove what was made, and say how that went. */
static bool conclude(struct keeper *keeper)
{
	char name[FOLDER_NAME_SIZE];
	char *complaint = held_power_release(&keeper->power); /* first: a dead disk may hold up the rest */

	memcpy(name, keeper->folder.name, sizeof(name));
	file_close(&keeper->test_file); /* before its name goes, for NFS */
	cleanup_forget(remove_folder, &keeper->folder);
	int error = test_folder_remove(&keeper->folder) ? 0 : errno;
	if (error != 0) {
		/* The folder last: what its error is about, the other side has a remedy for. */
		char *whole = xasprintf(
			"%s%scannot remove '%s': %s", complaint ? complaint : "", complaint ? "; and " : "", name, strerror(error));

		free(complaint);
		complaint = whole;
	}
	bool is_done = complaint == NULL;
	if (is_done) {
		keeper_send_struct(keeper->setup->out, KEEPER_CLOSED, NULL, 0);
	} else {
		keeper_refuse(keeper, STATUS_FAILED, error, complaint);
	}
	free(complaint);
	return is_done;
}

int keeper_serve(const struct keeper_setup *setup)
{
	struct keeper keeper = {.setup = setup,
		.requests = {.in = setup->in},
		.folder = TEST_FOLDER_NONE,
		.test_file = -1,
		.power = HELD_POWER_NONE};
	struct keeper_hello hello = {
		.magic = KEEPER_MAGIC,
		.layout_version = KEEPER_LAYOUT_VERSION,
		.effective_uid = (uint32_t)geteuid(),
		.has_fio = setup->fio ? 1 : 0,
	};
	struct keeper_message message;
	const struct rlimit no_core = {0, 0}; /* a crashing fio would leave its memory in the folder */

	keeper.requests.idle = keep_ticket_idle;
	keeper.requests.context = &keeper;
	setrlimit(RLIMIT_CORE, &no_core);
	umask(0077); /* what is made is ours alone, and not less than ours, whatever the user's umask */
	bool more = keeper_send_struct(setup->out, KEEPER_HELLO, &hello, sizeof(hello));
	while (more && requests_next(&keeper.requests, &message)) {
		more = serve(&keeper, &message);
		text_release(&message.payload);
	}
	witness_release(&keeper.witness);
	bool is_done = conclude(&keeper);
	text_release(&keeper.requests.buffered);
	return is_done ? STATUS_OK : STATUS_FAILED;
}
