#include "support/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/clock.h"
#include "support/memory.h"
#include "support/signals.h"

enum { CAPTURE_MAX_BYTES = 1 << 20, INHERITED_DESCRIPTOR = 3, WAIT_STEP_MS = 2, KILL_PATIENCE_MS = 2000 };

extern char **environ;

bool process_pipe(int *read_end, int *write_end)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0) {
		return false;
	}
	*read_end = ends[0];
	*write_end = ends[1];
	return true;
}

/* The environment with LC_ALL=C in place of the user's, so that messages are the ones we know. */
static char **environment_in_c_locale(void)
{
	static char locale[] = "LC_ALL=C";
	size_t count = 0;

	while (environ && environ[count]) {
		count++;
	}
	char **environment = xcalloc(count + 2, sizeof(*environment));
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (!text_starts_with(environ[i], "LC_ALL=") && !text_starts_with(environ[i], "LANGUAGE=")) {
			environment[kept++] = environ[i];
		}
	}
	environment[kept] = locale;
	return environment;
}

/* A descriptor out of the way of 0 to 3, so that the dup2 calls below cannot overwrite one another's source. */
static int move_up(int descriptor)
{
	return descriptor < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, 10);
}

static bool connect_stream(int descriptor, int number, int null_descriptor)
{
	return dup2(descriptor >= 0 ? descriptor : null_descriptor, number) == number;
}

/* Runs between fork and exec: only async-signal-safe calls. Returns only on failure. */
static void become(const struct process_spec *spec, char *const *argv, char *const *environment, pid_t parent)
{
	if (spec->own_group) {
		setpgid(0, 0);
	}
	if (spec->dies_with_us) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent) {
			_exit(127); /* it died before we could ask to die with it */
		}
	}
	if (spec->directory >= 0 && fchdir(spec->directory) != 0) {
		return;
	}
	int null_descriptor = move_up(open("/dev/null", O_RDWR | O_CLOEXEC));
	int in = move_up(spec->in), out = move_up(spec->out), err = move_up(spec->err);
	int inherited = move_up(spec->inherited);
	if (!connect_stream(in, 0, null_descriptor) || !connect_stream(out, 1, null_descriptor) ||
		!connect_stream(err, 2, null_descriptor)) {
		return;
	}
	if (inherited >= 0 && dup2(inherited, INHERITED_DESCRIPTOR) < 0) {
		return;
	}
	signals_restore();
	environ = (char **)(uintptr_t)environment;
	execvp(spec->program, argv);
}

pid_t process_start(const struct process_spec *spec)
{
	int error_read = -1, error_write = -1, error = 0;
	pid_t parent = getpid();
	sigset_t all, before;

	if (!process_pipe(&error_read, &error_write)) {
		return -1;
	}
	char **environment = environment_in_c_locale();
	/* The pipe must survive the dup2 calls onto 0..3. */
	int high = fcntl(error_write, F_DUPFD_CLOEXEC, 10);
	close(error_write);
	if (high < 0) {
		error = errno;
		close(error_read);
		free(environment);
		errno = error;
		return -1;
	}
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid_t pid = fork();
	if (pid == 0) {
		become(spec, (char *const *)(uintptr_t)spec->argv, environment, parent);
		error = errno;
		if (write(high, &error, sizeof(error)) < 0) {
			/* the exit status still says that it failed */
		}
		_exit(127);
	}
	error = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(environment);
	close(high);
	if (pid > 0) {
		ssize_t size;

		do {
			size = read(error_read, &error, sizeof(error));
		} while (size < 0 && errno == EINTR);
		if (size == (ssize_t)sizeof(error)) {
			process_wait(pid);
			pid = -1;
		}
	}
	close(error_read);
	errno = error;
	return pid;
}

int process_wait(pid_t pid)
{
	int status = -1;
	pid_t waited;

	do {
		waited = waitpid(pid, &status, 0);
	} while (waited < 0 && errno == EINTR);
	return waited == pid ? status : -1;
}

char *process_describe_status(int wait_status)
{
	if (WIFEXITED(wait_status)) {
		return xasprintf("exit status %d", WEXITSTATUS(wait_status));
	}
	if (WIFSIGNALED(wait_status)) {
		int number = WTERMSIG(wait_status);
		const char *name = number == SIGKILL   ? "SIGKILL"
						   : number == SIGTERM ? "SIGTERM"
						   : number == SIGINT  ? "SIGINT"
						   : number == SIGSEGV ? "SIGSEGV"
						   : number == SIGABRT ? "SIGABRT"
						   : number == SIGHUP  ? "SIGHUP"
						   : number == SIGXFSZ ? "SIGXFSZ"
						   : number == SIGPIPE ? "SIGPIPE"
											   : NULL;

		return name ? xasprintf("killed by %s", name) : xasprintf("killed by signal %d", number);
	}
	return xstrdup("an unknown end");
}

/* Move what is there from a pipe into a text (up to the limit; the rest is thrown away). False at its end. */
static bool drain(int descriptor, struct text *text)
{
	char buffer[8192];
	ssize_t size = read(descriptor, buffer, sizeof(buffer));

	if (size > 0) {
		if (text && text->length < CAPTURE_MAX_BYTES) {
			text_add_bytes(text, buffer, (size_t)size);
		}
		return true;
	}
	return size < 0 && (errno == EINTR || errno == EAGAIN);
}

bool process_wait_until(pid_t pid, uint64_t deadline_ns, int *wait_status)
{
	pid_t waited;

	while ((waited = waitpid(pid, wait_status, WNOHANG)) == 0 && clock_now_ns() < deadline_ns) {
		poll(NULL, 0, WAIT_STEP_MS);
	}
	return waited != 0;
}

/* Read both pipes to their ends; false where that takes longer than the deadline. */
static bool collect(int out, int err, uint64_t deadline_ns, struct text *out_text, struct text *err_text)
{
	struct pollfd polled[2] = {{.fd = out, .events = POLLIN}, {.fd = err, .events = POLLIN}};

	while (polled[0].fd >= 0 || polled[1].fd >= 0) {
		uint64_t now_ns = clock_now_ns();

		if (now_ns >= deadline_ns) {
			return false;
		}
		if (poll(polled, 2, (int)((deadline_ns - now_ns) / NS_PER_MS) + 1) < 0 && errno != EINTR) {
			return false;
		}
		if (polled[0].revents && !drain(out, out_text)) {
			polled[0].fd = -1;
		}
		if (polled[1].revents && !drain(err, err_text)) {
			polled[1].fd = -1;
		}
	}
	return true;
}

enum process_end process_capture(const char *program, const char *const *argv, uint64_t timeout_ms, struct text *out,
	struct text *err, int *wait_status)
{
	int out_read = -1, out_write = -1, err_read = -1, err_write = -1;
	struct process_spec spec = PROCESS_SPEC_NONE;
	enum process_end end = PROCESS_NOT_STARTED;

	if (!process_pipe(&out_read, &out_write) || !process_pipe(&err_read, &err_write)) {
		int error = errno;

		if (out_read >= 0) {
			close(out_read);
			close(out_write);
		}
		errno = error;
		return PROCESS_NOT_STARTED;
	}
	spec.program = program;
	spec.argv = argv;
	spec.out = out_write;
	spec.err = err_write;
	spec.dies_with_us = true;
	pid_t pid = process_start(&spec);
	int error = errno;
	close(out_write);
	close(err_write);
	if (pid > 0) {
		uint64_t deadline_ns = clock_now_ns() + timeout_ms * NS_PER_MS;
		int status = -1;
		/* One that has closed its streams may still go on. */
		bool in_time =
			collect(out_read, err_read, deadline_ns, out, err) && process_wait_until(pid, deadline_ns, &status);

		if (!in_time) {
			kill(pid, SIGKILL);
			/* One that is stuck in the kernel is left to it. */
			process_wait_until(pid, clock_now_ns() + KILL_PATIENCE_MS * NS_PER_MS, &status);
		}
		if (wait_status) {
			*wait_status = status;
		}
		end = in_time ? PROCESS_ENDED : PROCESS_TIMED_OUT;
	}
	close(out_read);
	close(err_read);
	errno = error;
	return end;
}
