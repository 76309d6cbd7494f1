/* Which stages of the experiment a machine allows, and what is said of those it does not. */
#include "scratch.h"

#include <errno.h>
#include <stdlib.h>

#include "../../src/measure/experiment.h"

static const char no_root[] = "that needs root; run speedtest-hd with sudo";
static const char no_clock[] = "the kernel clocks no processor here (a virtual machine, or the firmware does it)";
static const char already[] = "the governor is performance already";
static const char no_states[] = "the kernel shows no idle states here that it could be kept from";
static const char taken[] = "another measurement on this machine is at it right now";

enum { IDLE = POWER_HOLD_IDLE, GOVERNOR = POWER_HOLD_GOVERNOR };

static const struct {
	const char *name;
	struct keeper_power_state state;
	size_t count;
	unsigned stages[EXPERIMENT_STAGES_MAX];
	const char *left_out[2];
} cases[] = {
	{"a server, as root", {.possible = IDLE | GOVERNOR, .policies = 8}, 3, {0, IDLE, IDLE | GOVERNOR}, {NULL, NULL}},
	{"some of them perform", {.possible = IDLE | GOVERNOR, .policies = 8, .performing = 7}, 3,
		{0, IDLE, IDLE | GOVERNOR}, {NULL, NULL}},
	{"all of them perform", {.possible = IDLE | GOVERNOR, .policies = 8, .performing = 8}, 2, {0, IDLE},
		{NULL, already}},
	{"a virtual machine", {.possible = IDLE, .governor_error = ENOENT}, 2, {0, IDLE}, {NULL, no_clock}},
	{"no PM QoS", {.possible = GOVERNOR, .idle_error = ENOENT, .policies = 1}, 2, {0, GOVERNOR},
		{"this kernel has no /dev/cpu_dma_latency", NULL}},
	{"not root", {.idle_error = EACCES, .governor_error = EACCES, .policies = 8}, 0, {0}, {no_root, no_root}},
	{"not root on a virtual machine", {.idle_error = EPERM, .governor_error = ENOENT}, 0, {0}, {no_root, no_clock}},
	{"a container", {.idle_error = EROFS, .governor_error = EROFS, .policies = 2}, 0, {0},
		{"the system does not allow it (Read-only file system)",
			"the system does not allow it (Read-only file system)"}},
	{"two at once", {.idle_error = EBUSY, .governor_error = EBUSY, .policies = 2, .is_taken = 1}, 0, {0},
		{taken, taken}},
	{"two at once, with nothing to set", {.idle_error = EBUSY, .policies = 2, .performing = 2, .is_taken = 1}, 0, {0},
		{taken, already}},
	{"nothing said", {.policies = 2}, 0, {0}, {"the system does not allow it", "the system does not allow it"}},
};

static void expect_clause(const char *name, const char *clause, const char *right)
{
	if (!clause != !right || (clause && strcmp(clause, right) != 0)) {
		fail_msg("%s: %s", name, clause ? clause : "(in)");
	}
}

static void test_choose(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct experiment experiment = {.wanted = true};
		unsigned stages[EXPERIMENT_STAGES_MAX];
		struct idle_state states[] = {{.exit_latency_us = 0}, {.exit_latency_us = 2}};
		const struct power power = {.idle_state_count = 2, .idle_states = states, .latency_limit_us = HUGE_VAL};
		size_t count = experiment_choose(&experiment, &cases[i].state, &power, stages);

		if (count != cases[i].count) {
			fail_msg("%s: %zu stages", cases[i].name, count);
		}
		for (size_t stage = 0; stage < count; stage++) {
			assert_int_equal(stages[stage], cases[i].stages[stage]);
		}
		for (size_t thing = 0; thing < 2; thing++) {
			expect_clause(cases[i].name, experiment.left_out[thing], cases[i].left_out[thing]);
			free(experiment.left_out[thing]);
		}
	}
}

/* A chroot, or a container, without /sys. */
static void test_nothing_to_be_seen(void **state)
{
	const struct keeper_power_state answer = {.possible = IDLE, .governor_error = ENOENT};
	const struct power power = {.is_hidden = true, .is_virtual = true};
	struct experiment experiment = {.wanted = true};
	unsigned stages[EXPERIMENT_STAGES_MAX];

	(void)state;
	assert_int_equal(experiment_choose(&experiment, &answer, &power, stages), 0);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(experiment.left_out[i], "without /sys nobody can see what there is");
		free(experiment.left_out[i]);
	}
}

/* What is off already cannot be held off. */
static void test_nothing_left_to_hold_off(void **state)
{
	const struct keeper_power_state answer = {.possible = IDLE | GOVERNOR, .policies = 8};
	struct idle_state states[] = {{.exit_latency_us = 0}, {.exit_latency_us = 2}, {.exit_latency_us = 133}};
	struct power power = {.idle_states = states, .idle_state_count = 3, .latency_limit_us = 0};
	struct experiment experiment = {.wanted = true};
	unsigned stages[EXPERIMENT_STAGES_MAX];

	(void)state;
	assert_int_equal(experiment_choose(&experiment, &answer, &power, stages), 2);
	assert_int_equal(stages[1], GOVERNOR);
	assert_string_equal(experiment.left_out[0], "somebody holds /dev/cpu_dma_latency at 0 us already");
	free(experiment.left_out[0]);
	power.latency_limit_us = 2;
	assert_int_equal(experiment_choose(&experiment, &answer, &power, stages), 3);
	power.latency_limit_us = HUGE_VAL;
	states[1].is_disabled = states[2].is_disabled = true;
	assert_int_equal(experiment_choose(&experiment, &answer, &power, stages), 2);
	assert_string_equal(
		experiment.left_out[0], "all idle states that take time to wake up from are disabled already");
	free(experiment.left_out[0]);
}

/* Booted with cpuidle.off=1: nothing heeds the limit that could be held. A virtual machine never has more. */
static void test_no_idle_states(void **state)
{
	const struct keeper_power_state answer = {.possible = IDLE | GOVERNOR, .policies = 8};
	struct experiment experiment = {.wanted = true};
	unsigned stages[EXPERIMENT_STAGES_MAX];

	(void)state;
	assert_int_equal(experiment_choose(&experiment, &answer, &(struct power){.is_virtual = true}, stages), 3);
	assert_null(experiment.left_out[0]);
	assert_int_equal(experiment_choose(&experiment, &answer, &(struct power){.is_virtual = false}, stages), 2);
	assert_int_equal(stages[1], GOVERNOR);
	assert_string_equal(experiment.left_out[0], no_states);
	free(experiment.left_out[0]);
}

/* What was asked for has to be so, on all processors, before anything is called by its name. */
static void test_explain(void **state)
{
	static const struct {
		unsigned wanted, performing;
		struct keeper_power_state state;
		const char *reason;
	} answers[] = {
		{0, 0, {.policies = 2}, NULL},
		{0, 0, {.held = GOVERNOR, .policies = 2}, "what was changed for the run before could not be put back"},
		{IDLE, 0, {.held = IDLE, .policies = 2}, NULL},
		{IDLE | GOVERNOR, 2, {.held = IDLE | GOVERNOR, .policies = 2}, NULL},
		{IDLE | GOVERNOR, 1, {.held = IDLE | GOVERNOR, .policies = 2},
			"the governor could be set to performance for 1 of 2 frequency domains alone"},
		{IDLE | GOVERNOR, 1, {.held = IDLE | GOVERNOR, .policies = 2, .governor_error = EROFS},
			"the governor could be set to performance for 1 of 2 frequency domains alone: Read-only file system"},
		{IDLE | GOVERNOR, 0, {.held = IDLE, .policies = 2, .governor_error = EACCES},
			"the governor could not be set to performance: that needs root; run speedtest-hd with sudo"},
		{IDLE, 0, {.idle_error = ENODEV},
			"the C-states could not be held off: this kernel has no /dev/cpu_dma_latency"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		char *reason = experiment_explain(answers[i].wanted, &answers[i].state, answers[i].performing);

		expect_clause("the stage", reason, answers[i].reason);
		free(reason);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_choose),
		cmocka_unit_test(test_nothing_to_be_seen),
		cmocka_unit_test(test_nothing_left_to_hold_off),
		cmocka_unit_test(test_no_idle_states),
		cmocka_unit_test(test_explain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
