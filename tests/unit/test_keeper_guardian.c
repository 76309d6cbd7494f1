/* Whoever is killed, the governors are put back. */
#include "power_machine.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>

/* A process that holds the governors, and tells its guardian's number; the reading end of what it tells by. */
static pid_t start_holder(pid_t *guardian, int *telling)
{
	int ends[2];

	demand(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 && pipe2(ends, O_CLOEXEC) == 0);
	pid_t pid = fork();
	demand(pid >= 0);
	if (pid == 0) {
		struct held_power power = HELD_POWER_NONE;

		setpgid(0, 0);
		demand(set(&power, IDLE | GOVERNOR).held == (IDLE | GOVERNOR));
		demand(write(ends[1], &power.guardian.pid, sizeof(pid_t)) == (ssize_t)sizeof(pid_t));
		poll(NULL, 0, 10 * PATIENCE_MS);
		let_go(&power);
		_exit(0);
	}
	close(ends[1]);
	demand(read(ends[0], guardian, sizeof(*guardian)) == (ssize_t)sizeof(*guardian));
	*telling = ends[0];
	return pid;
}

static void kill_while_held(void)
{
	static const int harmless[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP, SIGALRM, SIGUSR1};
	pid_t guardian = -1;
	int telling = -1;
	char byte;

	put_machine();
	pid_t holder = start_holder(&guardian, &telling);
	expect_performance();
	/* The pipes of whom it guards are closed there, so that their end shows. Who changed his user may not look. */
	char **open_files = file_names("", "/proc/%ld/fd", (long)guardian);
	size_t count = 0;
	while (open_files[count]) {
		count++;
	}
	file_names_free(open_files);
	char *name = file_read_line("", "/proc/%ld/comm", (long)guardian);
	demand(geteuid() != 0 || (name && strcmp(name, "cpu-restorer") == 0));
	demand(geteuid() != 0 || count == 4 || getenv("SPEEDTEST_HD_VALGRIND")); /* which keeps some to itself */
	demand(getsid(guardian) == guardian);
	free(name);
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
		demand(kill(guardian, harmless[i]) == 0);
	}
	poll(NULL, 0, 20);
	demand(waitpid(guardian, NULL, WNOHANG) < 0 && kill(guardian, 0) == 0);
	expect_performance();
	demand(kill(-holder, SIGKILL) == 0 && waitpid(holder, NULL, 0) == holder);
	demand(read(telling, &byte, 1) == 0);
	close(telling);
	expect_nobody();
	expect_machine();
}

static void test_killed_while_held(void **state)
{
	(void)state;
	run_as_both(kill_while_held);
}

/* The holder puts back by itself. */
static void kill_guardian(void)
{
	struct held_power power = HELD_POWER_NONE;

	put_machine();
	demand(set(&power, GOVERNOR).held == GOVERNOR);
	demand(kill(power.guardian.pid, SIGKILL) == 0);
	let_go(&power);
	expect_machine();
	expect_nobody();
}

static void test_guardian_killed(void **state)
{
	(void)state;
	run_as_both(kill_guardian);
}

static void fail_to_fork(void)
{
	struct held_power power = HELD_POWER_NONE;
	const struct rlimit none = {0, 0};

	put_machine();
	demand(setrlimit(RLIMIT_NPROC, &none) == 0);
	struct keeper_power_state state = set(&power, IDLE | GOVERNOR);
	demand(state.held == IDLE && state.governor_error == EAGAIN);
	expect_machine();
	let_go(&power);
}

static void test_no_fork(void **state)
{
	(void)state;
	run_as(geteuid() == 0 ? NOBODY : geteuid(), fail_to_fork); /* root may always fork */
}

/* Hold and put back, stopping for the parent at each system call. */
static pid_t start_traced(void)
{
	pid_t pid = fork();

	demand(pid >= 0);
	if (pid == 0) {
		struct held_power power = HELD_POWER_NONE;

		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0 || raise(SIGSTOP) != 0) {
			_exit(96);
		}
		set(&power, GOVERNOR);
		held_power_release(&power);
		_exit(0);
	}
	return pid;
}

/* Let it go on to its next system call, or from one to its end. False where it has ended. */
static bool step(pid_t pid)
{
	int status = 0, passed_on = 0;

	do {
		demand(ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(intptr_t)passed_on) == 0);
		demand(waitpid(pid, &status, 0) == pid);
		if (!WIFSTOPPED(status)) {
			return false;
		}
		passed_on = WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status);
	} while (passed_on != 0);
	return true;
}

/* How things stood when it was killed. */
enum moment { BEFORE, BETWEEN, HELD, MOMENT_COUNT };

static bool is_line(const char *path, const char *line)
{
	char *found = file_read_line("", "%s", path);
	bool same = found && strcmp(found, line) == 0;

	free(found);
	return same;
}

static enum moment moment_now(void)
{
	bool first = is_line(CPUFREQ "/policy0/scaling_governor", "performance");
	bool second = is_line(CPUFREQ "/policy1/scaling_governor", "performance");

	return first && second ? HELD : first || second ? BETWEEN : BEFORE;
}

/* Kill it at its system call of that number; false where it has ended before. Counts the moments. */
static bool kill_at(unsigned number, unsigned *moments)
{
	int status = 0;
	pid_t pid = start_traced();

	demand(waitpid(pid, &status, 0) == pid);
	if (!WIFSTOPPED(status)) {
		dprintf(STDERR_FILENO, "# no right to trace\n");
		_exit(0);
	}
	demand(ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)(intptr_t)PTRACE_O_TRACESYSGOOD) == 0);
	for (unsigned i = 0; i < number; i++) {
		if (!step(pid) || !step(pid)) {
			return false;
		}
	}
	moments[moment_now()]++;
	demand(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid);
	expect_nobody();
	expect_machine();
	return true;
}

static void kill_at_each_system_call(void)
{
	unsigned number = 0, moments[MOMENT_COUNT] = {0};

	demand(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
	put_machine();
	while (kill_at(number, moments)) {
		number++;
	}
	expect_nobody();
	expect_machine();
	demand(number > 50 && moments[BEFORE] > 10 && moments[BETWEEN] > 4 && moments[HELD] > 4);
}

static void test_killed_anywhere(void **state)
{
	(void)state;
	if (getenv("SPEEDTEST_HD_VALGRIND")) {
		skip(); /* its own system calls are not to be told apart */
	}
	run_as(geteuid(), kill_at_each_system_call);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_killed_while_held),
		cmocka_unit_test(test_guardian_killed),
		cmocka_unit_test(test_no_fork),
		cmocka_unit_test(test_killed_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
