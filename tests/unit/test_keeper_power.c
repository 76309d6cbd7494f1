#include "errand.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>

#include "../../src/keeper/state.h"
#include "plan/workload.h"
#include "support/cleanup.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/process.h"

#define CPU "sys/devices/system/cpu"
#define CPUFREQ CPU "/cpufreq"
#define LATENCY "dev/cpu_dma_latency"
enum { IDLE = POWER_HOLD_IDLE, GOVERNOR = POWER_HOLD_GOVERNOR, PATIENCE_MS = 2000 };

/* --- a machine in the current folder ------------------------------------------------------------------------------ */

static void put(const char *folder, const char *name, const char *line)
{
	char *path = xasprintf("%s/%s", folder, name), *content = xasprintf("%s\n", line);

	unlink(path);
	put_file(path, content);
	free(path);
	free(content);
}

static void expect(const char *path, const char *line)
{
	char *found = file_read_line("", "%s", path);

	if (!found || strcmp(found, line) != 0) {
		dprintf(STDERR_FILENO, "%s: '%s' instead of '%s'\n", path, found ? found : "nothing", line);
		_exit(97);
	}
	free(found);
}

static bool is_line(const char *path, const char *line)
{
	char *found = file_read_line("", "%s", path);
	bool same = found && strcmp(found, line) == 0;

	free(found);
	return same;
}

static void put_policy(const char *path, const char *governor)
{
	put_folder(path, 0755);
	put(path, "scaling_governor", governor);
	put(path, "scaling_available_governors", "conservative ondemand userspace powersave performance schedutil ");
}

static void put_machine(void)
{
	put_folder("dev", 0755);
	put_file(LATENCY, "");
	put_folder("sys", 0755);
	put_folder("sys/devices", 0755);
	put_folder("sys/devices/system", 0755);
	put_folder(CPU, 0755);
	put_folder(CPUFREQ, 0755);
	put_policy(CPUFREQ "/policy0", "schedutil");
	put_policy(CPUFREQ "/policy1", "powersave");
	put(CPUFREQ "/policy1", "energy_performance_preference", "balance_power");
}

static void expect_machine(void)
{
	expect(CPUFREQ "/policy0/scaling_governor", "schedutil");
	expect(CPUFREQ "/policy1/scaling_governor", "powersave");
	expect(CPUFREQ "/policy1/energy_performance_preference", "balance_power");
}

static void expect_performance(void)
{
	expect(CPUFREQ "/policy0/scaling_governor", "performance");
	expect(CPUFREQ "/policy1/scaling_governor", "performance");
}

/* The root prefix: this folder. The guardian goes elsewhere. */
static const char *here(void)
{
	static char path[4096];

	demand(getcwd(path, sizeof(path)) != NULL);
	return path;
}

static struct keeper_power_state set(struct held_power *power, uint32_t holds)
{
	struct keeper_power_state state;

	held_power_set(power, here(), holds, &state);
	return state;
}

static void let_go(struct held_power *power)
{
	demand(held_power_release(power) == NULL);
}

/* Whatever was started below us ends by itself, and soon. */
static void expect_nobody(void)
{
	uint64_t until_ns = clock_now_ns() + PATIENCE_MS * NS_PER_MS;
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) >= 0) {
		demand(clock_now_ns() < until_ns);
		if (pid == 0) {
			poll(NULL, 0, 1);
		}
	}
	demand(errno == ECHILD);
}

/* --- holding and putting back ------------------------------------------------------------------------------------- */

static void hold_and_put_back(void)
{
	struct held_power power = HELD_POWER_NONE;
	int32_t latency_us = -1;

	put_machine();
	struct keeper_power_state state = set(&power, 0);
	demand(state.held == 0 && state.possible == (IDLE | GOVERNOR) && state.idle_error == 0 &&
		   state.governor_error == 0 && state.policies == 2 && state.performing == 0 && state.is_taken == 0);
	demand(power.lock == -1);
	expect_nobody();

	state = set(&power, IDLE);
	demand(state.held == IDLE && power.guardian.pid == -1);
	int file = open(LATENCY, O_RDONLY | O_CLOEXEC);
	demand(read(file, &latency_us, sizeof(latency_us)) == (ssize_t)sizeof(latency_us) && latency_us == 0);
	close(file);
	expect_machine();

	state = set(&power, IDLE | GOVERNOR);
	demand(state.held == (IDLE | GOVERNOR) && state.possible == (IDLE | GOVERNOR) && state.policies == 2 &&
		   state.performing == 0);
	demand(fcntl(power.latency, F_GETFD) == FD_CLOEXEC && fcntl(power.lock, F_GETFD) == FD_CLOEXEC &&
		   fcntl(power.guardian.channel, F_GETFD) == FD_CLOEXEC);
	expect_performance();
	demand(set(&power, IDLE | GOVERNOR).held == (IDLE | GOVERNOR));
	demand(set(&power, GOVERNOR).held == GOVERNOR && power.latency == -1);

	state = set(&power, 0);
	demand(state.held == 0 && state.performing == 0 && power.lock >= 0);
	expect_machine();
	expect_nobody();
	demand(set(&power, GOVERNOR).held == GOVERNOR);
	expect_performance();
	let_go(&power);
	expect_machine();
	demand(power.lock == -1 && power.latency == -1 && !power.is_registered);
	let_go(&power);
	expect_nobody();
}

static void test_hold_and_put_back(void **state)
{
	(void)state;
	run_as_both(hold_and_put_back);
}

/* Some are "performance" already: they are left alone, and so is all that goes with them. */
static void hold_where_some_perform(void)
{
	struct held_power power = HELD_POWER_NONE;

	put_machine();
	put(CPUFREQ "/policy1", "scaling_governor", "performance");
	struct keeper_power_state state = set(&power, GOVERNOR);
	demand(state.held == GOVERNOR && state.policies == 2 && state.performing == 1);
	put(CPUFREQ "/policy1", "energy_performance_preference", "performance");
	let_go(&power);
	expect(CPUFREQ "/policy0/scaling_governor", "schedutil");
	expect(CPUFREQ "/policy1/scaling_governor", "performance");
	expect(CPUFREQ "/policy1/energy_performance_preference", "performance");

	put(CPUFREQ "/policy0", "scaling_governor", "performance");
	state = set(&power, GOVERNOR);
	demand(state.held == GOVERNOR && state.performing == 2 && power.guardian.pid == -1);
	let_go(&power);
	expect(CPUFREQ "/policy0/scaling_governor", "performance");
}

static void test_some_perform(void **state)
{
	(void)state;
	run_as_both(hold_where_some_perform);
}

/* What changes with the governor comes back behind it; in the kernel it could not be written before. */
static void put_back_what_goes_with_it(void)
{
	struct held_power power = HELD_POWER_NONE;
	char events[4096];

	put_machine();
	put_policy(CPUFREQ "/policy2", "userspace");
	put(CPUFREQ "/policy2", "scaling_setspeed", "1200000");
	put_policy(CPUFREQ "/policy3", "ondemand");
	put_folder(CPUFREQ "/policy3/ondemand", 0755);
	put(CPUFREQ "/policy3/ondemand", "up_threshold", "63");
	put_folder(CPUFREQ "/schedutil", 0755);
	put(CPUFREQ "/schedutil", "rate_limit_us", "500");
	put_folder(CPUFREQ "/ondemand", 0755);
	demand(set(&power, GOVERNOR).held == GOVERNOR);
	expect(CPUFREQ "/policy2/scaling_governor", "performance");
	put(CPUFREQ "/policy1", "energy_performance_preference", "performance");
	put(CPUFREQ "/policy2", "scaling_setspeed", "3400000");
	put(CPUFREQ "/policy3/ondemand", "up_threshold", "95");
	put(CPUFREQ "/schedutil", "rate_limit_us", "10000");
	int changes = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	int governor = inotify_add_watch(changes, CPUFREQ "/policy1/scaling_governor", IN_MODIFY);
	int preference = inotify_add_watch(changes, CPUFREQ "/policy1/energy_performance_preference", IN_MODIFY);
	let_go(&power);
	expect_machine();
	expect(CPUFREQ "/policy2/scaling_governor", "userspace");
	expect(CPUFREQ "/policy2/scaling_setspeed", "1200000");
	expect(CPUFREQ "/policy3/scaling_governor", "ondemand");
	expect(CPUFREQ "/policy3/ondemand/up_threshold", "63");
	expect(CPUFREQ "/schedutil/rate_limit_us", "500");
	const struct inotify_event *event = (const void *)events;
	demand(read(changes, events, sizeof(events)) == (ssize_t)(2 * sizeof(*event)));
	demand(event[0].wd == governor && event[1].wd == preference);
	close(changes);
}

static void test_what_goes_with_it(void **state)
{
	(void)state;
	run_as_both(put_back_what_goes_with_it);
}

/* --- not all of it can be held ------------------------------------------------------------------------------------ */

static void hold_what_can_be_held(void)
{
	struct held_power power = HELD_POWER_NONE;
	const struct rlimit nothing = {0, RLIM_INFINITY};

	put_machine();
	demand(chmod(CPUFREQ "/policy0/scaling_governor", 0444) == 0 && chmod(LATENCY, 0444) == 0);
	struct keeper_power_state state = set(&power, IDLE | GOVERNOR);
	demand(state.held == GOVERNOR && state.possible == GOVERNOR && state.idle_error == EACCES);
	expect(CPUFREQ "/policy0/scaling_governor", "schedutil");
	expect(CPUFREQ "/policy1/scaling_governor", "performance");
	let_go(&power);
	expect_machine();

	demand(chmod(CPUFREQ "/policy1/scaling_governor", 0444) == 0);
	state = set(&power, IDLE | GOVERNOR);
	demand(state.held == 0 && state.possible == 0 && state.governor_error == EACCES && power.lock == -1);
	let_go(&power);

	/* It looks as if it could be held, and cannot: each write fails. */
	demand(chmod(CPUFREQ "/policy1/scaling_governor", 0644) == 0 && chmod(LATENCY, 0644) == 0);
	signal(SIGXFSZ, SIG_IGN);
	demand(setrlimit(RLIMIT_FSIZE, &nothing) == 0);
	state = set(&power, IDLE | GOVERNOR);
	demand(state.held == 0 && state.possible == (IDLE | GOVERNOR) && state.idle_error == EFBIG &&
		   state.governor_error == EFBIG);
	let_go(&power);
	expect_machine();
	expect_nobody();
}

static void test_not_all(void **state)
{
	(void)state;
	run_as(geteuid() == 0 ? NOBODY : geteuid(), hold_what_can_be_held);
}

static void look_at_other_machines(void)
{
	struct held_power power = HELD_POWER_NONE;

	struct keeper_power_state state = set(&power, IDLE | GOVERNOR); /* a container without any of it */
	demand(state.held == 0 && state.possible == 0 && state.idle_error == ENOENT && state.governor_error == ENOENT);
	put_machine();
	put(CPUFREQ "/policy0", "scaling_available_governors", "userspace performance_not powersave");
	put(CPUFREQ "/policy1", "scaling_available_governors", "");
	state = set(&power, GOVERNOR);
	demand(state.held == 0 && state.possible == IDLE && state.governor_error == EOPNOTSUPP && state.policies == 2);
	/* Nobody is led elsewhere. */
	put(CPUFREQ "/policy0", "scaling_available_governors", "performance schedutil");
	demand(rename(CPUFREQ "/policy0/scaling_governor", "elsewhere") == 0);
	demand(symlink("../../../../../../elsewhere", CPUFREQ "/policy0/scaling_governor") == 0);
	state = set(&power, GOVERNOR);
	demand(state.held == 0 && state.policies == 1);
	expect("elsewhere", "schedutil");
	let_go(&power);
}

static void test_other_machines(void **state)
{
	(void)state;
	run_as_both(look_at_other_machines);
}

/* --- others ------------------------------------------------------------------------------------------------------- */

static void hold_what_others_hold(void)
{
	struct held_power power = HELD_POWER_NONE, second = HELD_POWER_NONE;

	put_machine();
	demand(set(&power, IDLE).held == IDLE);
	struct keeper_power_state state = set(&second, 0);
	demand(state.is_taken == 1 && state.possible == 0 && state.policies == 2);
	state = set(&second, IDLE | GOVERNOR);
	demand(state.is_taken == 1 && state.held == 0 && state.idle_error == EBUSY && second.lock == -1);
	expect_machine();
	demand(set(&power, GOVERNOR).is_taken == 0);
	demand(set(&second, 0).is_taken == 1);
	/* As if killed: while its guardian lives the governors are not yet what they were. */
	close(power.lock);
	power.lock = -1;
	demand(set(&second, GOVERNOR).is_taken == 1);
	let_go(&power);
	state = set(&second, GOVERNOR);
	demand(state.is_taken == 0 && state.held == GOVERNOR);
	let_go(&second);
	expect_machine();
}

static void test_taken(void **state)
{
	(void)state;
	run_as_both(hold_what_others_hold);
}

/* Somebody changes a governor meanwhile, and a processor goes. */
static void put_back_what_is_ours(void)
{
	struct held_power power = HELD_POWER_NONE;

	put_machine();
	put_policy(CPUFREQ "/policy2", "ondemand");
	demand(set(&power, GOVERNOR).held == GOVERNOR);
	put(CPUFREQ "/policy1", "scaling_governor", "ondemand");
	put(CPUFREQ "/policy1", "energy_performance_preference", "default");
	scratch_remove(CPUFREQ "/policy2");
	let_go(&power);
	expect(CPUFREQ "/policy0/scaling_governor", "schedutil");
	expect(CPUFREQ "/policy1/scaling_governor", "ondemand");
	expect(CPUFREQ "/policy1/energy_performance_preference", "default");
	demand(access(CPUFREQ "/policy2", F_OK) != 0);
}

static void test_others_change(void **state)
{
	(void)state;
	run_as_both(put_back_what_is_ours);
}

/* What cannot be put back is named. */
static void put_back_in_vain(void)
{
	struct held_power power = HELD_POWER_NONE;

	put_machine();
	demand(set(&power, GOVERNOR).held == GOVERNOR);
	demand(chmod(CPUFREQ "/policy1/scaling_governor", 0444) == 0);
	struct keeper_power_state state = set(&power, 0);
	demand(state.held == GOVERNOR && state.governor_error == EACCES);
	expect(CPUFREQ "/policy0/scaling_governor", "schedutil");
	/* Held once more it is whole again. */
	demand(set(&power, GOVERNOR).held == GOVERNOR && power.guardian.pid > 0);
	expect_performance();
	char *complaint = held_power_release(&power);
	char *right = xasprintf("cannot write 'powersave' back to '%s/" CPUFREQ "/policy1/scaling_governor': "
							"Permission denied; write it there yourself",
		here());
	demand(complaint && strcmp(complaint, right) == 0);
	demand(power.lock == -1 && power.governors == NULL);
	free(complaint);
	free(right);
	expect_nobody();
}

static void test_in_vain(void **state)
{
	(void)state;
	run_as(geteuid() == 0 ? NOBODY : geteuid(), put_back_in_vain);
}

/* Somebody runs out of memory. */
static void clean_up(void)
{
	struct held_power power = HELD_POWER_NONE;

	put_machine();
	demand(set(&power, IDLE | GOVERNOR).held == (IDLE | GOVERNOR));
	cleanup_run();
	expect_machine();
	expect_nobody();
	demand(power.latency == -1);
	let_go(&power);
}

static void test_cleanup(void **state)
{
	(void)state;
	run_as_both(clean_up);
}

/* --- killed ------------------------------------------------------------------------------------------------------- */

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

/* --- asked for by the front --------------------------------------------------------------------------------------- */

static uint32_t answer_to(struct keeper *keeper, int answers, uint32_t holds, size_t size, void *into, size_t into_size)
{
	struct keeper_power request = {.holds = holds};
	struct keeper_message message = {.type = KEEPER_POWER}, answer;
	struct text buffered = TEXT_EMPTY;
	char bytes[1024];
	bool broken = false;

	text_add_bytes(&message.payload, (const char *)&request, size);
	keeper_serve_power(keeper, &message);
	ssize_t length = read(answers, bytes, sizeof(bytes));
	demand(length > 0);
	text_add_bytes(&buffered, bytes, (size_t)length);
	demand(keeper_take(&buffered, &answer, &broken));
	demand(keeper_payload(&answer, into, into_size));
	text_release(&answer.payload);
	text_release(&message.payload);
	text_release(&buffered);
	return answer.type;
}

static void serve(void)
{
	struct keeper_setup setup = {.in = -1};
	struct keeper keeper = {.setup = &setup, .folder = TEST_FOLDER_NONE, .power = HELD_POWER_NONE};
	struct keeper_refusal refusal;
	struct keeper_power_state state;
	int answers = -1;

	put_machine();
	demand(process_pipe(&answers, &setup.out));
	keeper.witness.root = here();
	demand(answer_to(&keeper, answers, 0, sizeof(uint32_t), &refusal, sizeof(refusal)) == KEEPER_REFUSED);
	keeper.folder.directory = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	demand(answer_to(&keeper, answers, 4, sizeof(uint32_t), &refusal, sizeof(refusal)) == KEEPER_REFUSED);
	demand(answer_to(&keeper, answers, 1, 3, &refusal, sizeof(refusal)) == KEEPER_REFUSED);
	demand(answer_to(&keeper, answers, 3, sizeof(uint32_t), &state, sizeof(state)) == KEEPER_POWER_STATE);
	demand(state.held == (IDLE | GOVERNOR) && state.policies == 2);
	expect_performance();
	let_go(&keeper.power);
	expect_machine();
	file_close(&keeper.folder.directory);
	close(answers);
	close(setup.out);
}

static void test_serve(void **state)
{
	(void)state;
	run_as_both(serve);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hold_and_put_back),
		cmocka_unit_test(test_some_perform),
		cmocka_unit_test(test_what_goes_with_it),
		cmocka_unit_test(test_not_all),
		cmocka_unit_test(test_other_machines),
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_others_change),
		cmocka_unit_test(test_in_vain),
		cmocka_unit_test(test_cleanup),
		cmocka_unit_test(test_killed_while_held),
		cmocka_unit_test(test_guardian_killed),
		cmocka_unit_test(test_no_fork),
		cmocka_unit_test(test_killed_anywhere),
		cmocka_unit_test(test_serve),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
