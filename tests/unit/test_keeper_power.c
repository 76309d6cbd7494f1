/* The processors are held, and put back as they were. */
#include "power_machine.h"

#include <signal.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/resource.h>

#include "support/cleanup.h"
#include "support/process.h"

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

/* Any user can lock the folder. He keeps nobody from measuring, but where there is nothing better to lock. */
static void hold_what_users_lock(void)
{
	struct held_power power = HELD_POWER_NONE;

	put_machine();
	int folder = open(CPU, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	demand(folder >= 0 && flock(folder, LOCK_EX) == 0);
	demand(set(&power, IDLE | GOVERNOR).held == (IDLE | GOVERNOR));
	let_go(&power);
	expect_machine();
	demand(unlink(LOCKED) == 0);
	struct keeper_power_state state = set(&power, IDLE | GOVERNOR);
	demand(state.held == 0 && state.is_taken == 1);
	close(folder);
	demand(set(&power, IDLE | GOVERNOR).held == (IDLE | GOVERNOR));
	let_go(&power);
	expect_machine();
	/* Where there is neither, as without /sys, the device itself is locked. */
	struct held_power second = HELD_POWER_NONE;
	demand(rename("sys", "gone") == 0);
	demand(set(&power, IDLE).held == IDLE && set(&second, IDLE).is_taken == 1);
	let_go(&power);
	demand(set(&second, IDLE).held == IDLE);
	let_go(&second);
	demand(rename("gone", "sys") == 0);
	/* Nothing but the lock of the file is changed. */
	put_file(LOCKED, "");
	demand(set(&power, IDLE).held == IDLE);
	let_go(&power);
	struct stat status;
	demand(stat(LOCKED, &status) == 0 && status.st_size == 0);
}

static void test_locked_by_users(void **state)
{
	(void)state;
	run_as_both(hold_what_users_lock);
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
		cmocka_unit_test(test_locked_by_users),
		cmocka_unit_test(test_others_change),
		cmocka_unit_test(test_in_vain),
		cmocka_unit_test(test_cleanup),
		cmocka_unit_test(test_serve),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
