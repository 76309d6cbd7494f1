#include "guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/clock.h"
#include "support/file.h"
#include "support/process.h"

/* What the guardian's descriptors are: the channel takes stdin's place. */
enum { CHANNEL = STDIN_FILENO, KEPT = 3, FIRST_CLOSED = 4, DESCRIPTOR_MAX = 65536 };
enum { READY_PATIENCE_MS = 2000, END_PATIENCE_MS = 3000 };

static void close_from(int first)
{
	long limit = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
	if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) {
		return;
	}
#endif
	for (int each = first; each < DESCRIPTOR_MAX && each < limit; each++) {
		close(each);
	}
}

/* No pipe of the keeper's may stay open, or the front would never hear of the keeper's end; nor its lock, its target.
 */
static bool keep_only(int channel, int kept)
{
	int null_descriptor = open("/dev/null", O_RDWR);

	if (null_descriptor < 0 || dup2(channel, CHANNEL) < 0 || dup2(null_descriptor, STDOUT_FILENO) < 0 ||
		dup2(null_descriptor, STDERR_FILENO) < 0 || dup2(kept, KEPT) < 0) {
		return false;
	}
	close_from(FIRST_CLOSED);
	return chdir("/") == 0;
}

/* Two numbers of /proc/self/stat, counted behind the name: where the command line lies in memory (proc(5)). */
enum { STAT_ARG_START = 45, STAT_ARG_END = 46 };

static char *stat_address(const char *stat, int field)
{
	const char *place = strrchr(stat, ')');

	for (int i = 0; place && i <= field; i++) {
		place = strchr(place + 1, ' ');
	}
	return place ? (char *)(uintptr_t)strtoull(place, NULL, 10) : NULL;
}

/* Neither 'pkill speedtest-hd' nor 'pkill -f' shall find who repairs what they do. */
static void take_name(void)
{
	char *stat = file_read_line("", "/proc/self/stat");
	char *start = stat ? stat_address(stat, STAT_ARG_START) : NULL;
	char *end = stat ? stat_address(stat, STAT_ARG_END) : NULL;

	prctl(PR_SET_NAME, GUARDIAN_NAME);
	if (start && end > start + strlen(GUARDIAN_NAME)) {
		memset(start, 0, (size_t)(end - start));
		memcpy(start, GUARDIAN_NAME, strlen(GUARDIAN_NAME));
	}
	free(stat);
}

/* What cannot be ignored stays as it is, and so does what a broken program raises itself. */
static void ignore_signals(void)
{
	struct sigaction action = {.sa_handler = SIG_IGN};

	for (int number = 1; number <= SIGRTMAX; number++) {
		sigaction(number, &action, NULL);
	}
}

static ssize_t hear(int channel, char *byte)
{
	ssize_t size;

	do {
		size = read(channel, byte, 1);
	} while (size < 0 && errno == EINTR);
	return size;
}

/* Starts with every signal blocked, so that none can come before it is ready. */
static _Noreturn void be_guardian(int channel, int kept, void (*act)(void *context), void *context)
{
	char byte = 'r';

	setsid();
	take_name();
	ignore_signals();
	if (!keep_only(channel, kept) || send(CHANNEL, &byte, 1, MSG_NOSIGNAL) != 1) {
		_exit(1);
	}
	while (hear(CHANNEL, &byte) > 0) {
	}
	act(context);
	_exit(0);
}

/* Wait for its sign that it is ready, or for its end. */
static bool is_ready(int channel)
{
	struct pollfd polled = {.fd = channel, .events = POLLIN};
	uint64_t until_ns = clock_now_ns() + READY_PATIENCE_MS * NS_PER_MS;
	char byte;

	while (clock_now_ns() < until_ns) {
		if (poll(&polled, 1, READY_PATIENCE_MS) > 0) {
			return hear(channel, &byte) == 1;
		}
	}
	return false;
}

bool guardian_start(struct guardian *guardian, int kept, void (*act)(void *context), void *context)
{
	int ends[2];
	sigset_t all, before;

	*guardian = GUARDIAN_NONE;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
		return false;
	}
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid_t pid = fork();
	if (pid == 0) {
		be_guardian(ends[1], kept, act, context);
	}
	int error = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[1]);
	if (pid > 0 && is_ready(ends[0])) {
		*guardian = (struct guardian){.pid = pid, .channel = ends[0]};
		return true;
	}
	close(ends[0]);
	if (pid > 0) {
		kill(pid, SIGKILL);
		process_wait(pid);
		error = ECHILD;
	}
	errno = error;
	return false;
}

void guardian_end(struct guardian *guardian)
{
	struct pollfd polled = {.fd = guardian->channel};
	uint64_t until_ns = clock_now_ns() + END_PATIENCE_MS * NS_PER_MS;

	if (guardian->pid <= 0) {
		return;
	}
	/* Not by closing: the other end's hanging up is what tells of its end. */
	shutdown(guardian->channel, SHUT_WR);
	while (clock_now_ns() < until_ns && !(polled.revents & (POLLHUP | POLLERR))) {
		poll(&polled, 1, END_PATIENCE_MS);
	}
	if (polled.revents) {
		process_wait(guardian->pid);
	}
	file_close(&guardian->channel);
	*guardian = GUARDIAN_NONE;
}
