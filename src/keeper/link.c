#include "keeper/link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keeper/keeper.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/process.h"
#include "support/signals.h"

enum { ERROR_TEXT_MAX_BYTES = 8192, DESCRIPTOR_MAX = 65536 };

/* Nothing of the front's may stay open in the keeper: not its terminal, not a pipe that somebody waits to end. */
static void close_all_but(int one, int other)
{
	int low = one < other ? one : other, high = one < other ? other : one;
	long limit = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
	if ((low == 3 || syscall(SYS_close_range, 3U, (unsigned)low - 1, 0U) == 0) &&
		(high == low + 1 || syscall(SYS_close_range, (unsigned)low + 1, (unsigned)high - 1, 0U) == 0) &&
		syscall(SYS_close_range, (unsigned)high + 1, ~0U, 0U) == 0) {
		return;
	}
#endif
	for (int each = 3; each < DESCRIPTOR_MAX && each < limit; each++) {
		if (each != low && each != high) {
			close(each);
		}
	}
}

static _Noreturn void be_keeper(int directory, struct keeper_setup *setup)
{
	int null_descriptor;

	setpgid(0, 0);
	signals_forget();
	keeper_ignore_terminal();
	if (fchdir(directory) != 0) {
		_exit(STATUS_TARGET);
	}
	setup->in = fcntl(setup->in, F_DUPFD_CLOEXEC, 3);
	setup->out = fcntl(setup->out, F_DUPFD_CLOEXEC, 3);
	close_all_but(setup->in, setup->out);
	null_descriptor = open("/dev/null", O_RDWR);
	for (int stream = 0; stream < 3; stream++) {
		if (null_descriptor < 0 || dup2(null_descriptor, stream) < 0) {
			close(stream);
		}
	}
	file_close(&null_descriptor);
	_exit(keeper_serve(setup));
}

bool keeper_link_start_copy(struct keeper_link *link, int directory, const char *fio, const char *sudo)
{
	struct keeper_setup setup = {.in = -1, .out = -1, .fio = fio, .sudo = sudo};

	*link = KEEPER_LINK_NONE;
	link->signals_seen = signals_count();
	if (process_pipe(&setup.in, &link->requests) && process_pipe(&link->answers, &setup.out)) {
		link->pid = fork();
		if (link->pid == 0) {
			be_keeper(directory, &setup);
		}
	}
	int error = errno;
	file_close(&setup.in);
	file_close(&setup.out);
	if (link->pid < 0) {
		file_close(&link->requests);
		file_close(&link->answers);
	}
	errno = error;
	return link->pid > 0;
}

bool keeper_link_start_sudo(
	struct keeper_link *link, int directory, const char *sudo, const char *program, bool may_ask)
{
	const char *const asking[] = {sudo, "-u", "root", "--", program, "--keeper", NULL};
	const char *const silent[] = {sudo, "-n", "-u", "root", "--", program, "--keeper", NULL};
	struct process_spec spec = PROCESS_SPEC_NONE;

	*link = KEEPER_LINK_NONE;
	link->signals_seen = signals_count();
	spec.program = sudo;
	spec.argv = may_ask ? asking : silent;
	spec.directory = directory;
	spec.own_group = !may_ask; /* only the terminal's foreground group may ask */
	if (process_pipe(&spec.in, &link->requests) && process_pipe(&link->answers, &spec.out) &&
		(may_ask || process_pipe(&link->errors, &spec.err))) {
		int error_stream = spec.err;

		if (may_ask) {
			spec.err = STDERR_FILENO;
		}
		link->pid = process_start(&spec);
		spec.err = error_stream;
	}
	int error = errno;
	file_close(&spec.in);
	file_close(&spec.out);
	file_close(&spec.err);
	if (link->pid < 0) {
		file_close(&link->requests);
		file_close(&link->answers);
		file_close(&link->errors);
	}
	errno = error;
	return link->pid > 0;
}

bool keeper_link_send(struct keeper_link *link, enum keeper_message_type type, const void *payload, size_t size)
{
	return link->requests >= 0 && keeper_send_struct(link->requests, type, payload, size);
}

/* Read once; at its end the descriptor is closed. */
static void drain(int *descriptor, struct text *into, size_t limit)
{
	char buffer[16384];
	ssize_t size = read(*descriptor, buffer, sizeof(buffer));

	if (size > 0) {
		if (into->length < limit) {
			text_add_bytes(into, buffer, (size_t)size);
		}
	} else if (size == 0 || (errno != EINTR && errno != EAGAIN)) {
		file_close(descriptor);
	}
}

/* What sudo wrote last is worth waiting for: it says why it refused. */
static void read_last_words(struct keeper_link *link)
{
	struct pollfd polled = {.fd = link->errors, .events = POLLIN};

	while (link->errors >= 0 && poll(&polled, 1, 500) > 0) {
		drain(&link->errors, &link->error_text, ERROR_TEXT_MAX_BYTES);
	}
}

enum link_event keeper_link_wait(struct keeper_link *link, struct keeper_message *message, uint64_t timeout_ms)
{
	uint64_t until_ns = clock_now_ns() + timeout_ms * NS_PER_MS;
	bool broken = false;

	for (;;) {
		if (keeper_take(&link->buffered, message, &broken)) {
			return LINK_MESSAGE;
		}
		if (signals_count() > link->signals_seen) {
			link->signals_seen++;
			return LINK_SIGNAL;
		}
		if (broken || link->answers < 0) {
			read_last_words(link);
			return LINK_GONE;
		}
		uint64_t now_ns = clock_now_ns();
		if (now_ns >= until_ns) {
			return LINK_TICK;
		}
		struct timespec left = {
			.tv_sec = (time_t)((until_ns - now_ns) / NS_PER_S), .tv_nsec = (long)((until_ns - now_ns) % NS_PER_S)};
		struct pollfd polled[] = {{.fd = link->answers, .events = POLLIN}, {.fd = link->errors, .events = POLLIN}};
		if (ppoll(polled, 2, &left, signals_wait_mask()) <= 0) {
			continue;
		}
		if (polled[0].revents) {
			drain(&link->answers, &link->buffered, KEEPER_PAYLOAD_MAX * 2);
		}
		if (polled[1].revents) {
			drain(&link->errors, &link->error_text, ERROR_TEXT_MAX_BYTES);
		}
	}
}

bool keeper_link_close(struct keeper_link *link, uint64_t patience_ms)
{
	uint64_t until_ns = clock_now_ns() + patience_ms * NS_PER_MS;
	bool ended = link->pid <= 0;

	file_close(&link->requests);
	file_close(&link->answers);
	file_close(&link->errors);
	while (!ended) {
		struct timespec tick = {.tv_nsec = 100 * 1000000L};
		uint64_t now_ns = clock_now_ns();
		pid_t waited = waitpid(link->pid, NULL, WNOHANG);

		ended = waited == link->pid || (waited < 0 && errno == ECHILD);
		if (ended || now_ns >= until_ns) {
			break;
		}
		ppoll(NULL, 0, &tick, signals_wait_mask());
	}
	text_release(&link->buffered);
	text_release(&link->error_text);
	link->pid = -1;
	return ended;
}
