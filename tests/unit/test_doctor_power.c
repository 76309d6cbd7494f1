/*
 * What was seen of the power management, what is claimed of it where nothing heeds what was asked for, and remedies
 * that take the proven cause away.
 */
#include "patient.h"

/* --- what was seen -------------------------------------------------------------------------------------------------
 */

static void open_plain(struct patient *patient, const char *machine, const struct figure *figure)
{
	open_patient(patient, machine, NULL, 0);
	set_main(patient, 1, figure);
}

/* Each measurement of commits tells of it; only an experiment tells of causes. */
static void test_plain(void **state)
{
	static const struct figure dozing = {3000, 330.0, 60, 3.1e9, 0.8}, lazy = {3000, 330.0, 60, 1.5e9, 0.01},
							   fit = {18200, 51.0, 14, 3.1e9, 0.01};
	static const char hint[] = "speedtest-hd --slog --diagnose PATH tries whether ";
	struct patient patient;

	(void)state;
	open_plain(&patient, "intel_cpufreq-server", &slow);
	examine(&patient);
	expect_in(&patient, "power",
		"Processors: ran at 1.50 GHz during T1 (lowest 1.20, base 2.50, highest 3.30 GHz); governor schedutil");
	expect_in(&patient, "power",
		"Idle states: slept 80 % of the time during T1, 64 % in C6 (133 us to wake up, 2400 times a second); C6 is the "
		"deepest allowed (133 us), driver intel_idle, governor menu, max_cstate sets no limit.");
	expect_in(&patient, "power",
		"Links and drives: PCIe ASPM policy default; nvme_core.default_ps_max_latency_us 100000; nvme1, nvme2: power "
		"states of up to 100000 us may be used (APST).");
	expect_in(&patient, "power",
		"speedtest-hd --slog --diagnose PATH tries whether that low frequency and deep sleep cost time.\n");
	expect_none(&patient, "diagnosis");
	expect_none(&patient, "remedies");
	close_patient(&patient);

	open_plain(&patient, "intel_cpufreq-server", &dozing);
	examine(&patient);
	expect_in(&patient, "power", "tries whether that deep sleep costs time.\n");
	close_patient(&patient);
	open_plain(&patient, "intel_cpufreq-server", &lazy);
	examine(&patient);
	expect_in(&patient, "power", "tries whether that low frequency costs time.\n");
	close_patient(&patient);

	/* Nothing stands out; the governor is what it can be; C1 is no deep sleep. */
	open_plain(&patient, "intel_cpufreq-server", &fit);
	examine(&patient);
	expect_in(&patient, "power", "ran at 3.10 GHz");
	expect_not_in(&patient, "power", hint);
	close_patient(&patient);
	open_plain(&patient, "healthy", &slow);
	examine(&patient);
	expect_in(&patient, "power", "slept 64 % of the time during T1, 64 % in C1");
	expect_not_in(&patient, "power", hint);
	close_patient(&patient);
}

static void test_no_hint(void **state)
{
	struct patient patient;

	(void)state;
	/* It was just tried. */
	open_experiment(&patient, "intel_cpufreq-server", all_stages, 2, (const struct figure[]){slow, awake});
	examine(&patient);
	expect_in(&patient, "power", "ran at 1.50 GHz");
	expect_not_in(&patient, "power", "--diagnose");
	close_patient(&patient);

	/* No commit was made. */
	open_patient(&patient, "intel_cpufreq-server", NULL, 0);
	examine(&patient);
	expect_none(&patient, "power");
	close_patient(&patient);
}

/* --- a virtual machine that has nothing to hold -------------------------------------------------------------------
 */

static const char request[] = "Holding C-states off is no more than a request here: the kernel has none of its own to "
							  "hold off (no cpuidle driver), so a difference";
static const char host_unknown[] = "Whether power management plays a part is not known: what the host of this virtual "
								   "machine does can be neither seen nor held from here.";

static void open_guest(struct patient *patient, const struct figure *figures)
{
	open_experiment(patient, "virtual-machine", all_stages, 2, figures);
	patient->stage.report.experiment.left_out[1] = xstrdup("the kernel clocks no processor here");
}

/* However the figures fell, nothing was held, and nothing is claimed. */
static void expect_no_claim(struct patient *patient, const char *difference)
{
	char *sentence = xasprintf("%s%s is chance.\n", request, difference);

	examine(patient);
	expect_in(patient, "diagnosis", host_unknown);
	expect_in(patient, "diagnosis", sentence);
	expect_not_in(patient, "diagnosis", "held off p50");
	expect_not_in(patient, "diagnosis", "not the cause");
	expect_not_in(patient, "diagnosis", "Idle states cost");
	expect_not_in(patient, "diagnosis", "leave it as it is");
	expect_not_in(patient, "diagnosis", "--runs 10");
	expect_not_in(patient, "diagnosis", "BIOS");
	expect_not_in(patient, "diagnosis", "Next suspect");
	expect_none(patient, "remedies");
	free(sentence);
}

static void test_guest(void **state)
{
	static const struct figure worse = {2500, 396.0, 60, 0, 0};
	static const double wild[ROUNDS] = {1, 3, 0.4, 2, 0.6};
	struct patient patient;

	(void)state;
	open_guest(&patient, (const struct figure[]){slow, awake});
	expect_no_claim(&patient, " (-50 %)");
	expect_in(&patient, "diagnosis",
		"Another suspect: the host: of 330.0 us each commit spends 270.0 us above the device, in zfs and the kernel, "
		"or in the virtual machine's host.");
	close_patient(&patient);
	open_guest(&patient, (const struct figure[]){slow, worse});
	expect_no_claim(&patient, " (+20 %)");
	close_patient(&patient);
	open_guest(&patient, (const struct figure[]){slow, slow});
	expect_no_claim(&patient, " (0.0 %)");
	close_patient(&patient);

	open_guest(&patient, (const struct figure[]){slow, awake});
	for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
		if (plan_workload(&patient.stage.plan, run)->part == PART_EXPERIMENT) {
			fill_run(&patient, run, &slow, wild[(patient.stage.plan.runs[run].pass + run) % ROUNDS]);
		}
	}
	examine(&patient);
	expect_in(&patient, "diagnosis", host_unknown);
	expect_in(&patient, "diagnosis", request);
	expect_not_in(&patient, "diagnosis", "--runs 10");
	close_patient(&patient);
}

static void test_guest_power(void **state)
{
	static const struct figure unseen = {3000, 330.0, 60, 0, 0};
	struct patient patient;

	(void)state;
	open_plain(&patient, "virtual-machine", &unseen);
	examine(&patient);
	char *text = passage_text(&patient.record, "power");
	assert_string_equal(text,
		"Processors: the kernel of this virtual machine neither clocks them nor chooses how deep they sleep (no "
		"cpufreq, no cpuidle driver); its host does, unseen from here.\n");
	free(text);
	close_patient(&patient);

	/* One that tells how fast it runs. */
	open_plain(&patient, "virtual-machine", &slow);
	examine(&patient);
	expect_in(&patient, "power", "ran at 1.50 GHz during T1; the kernel sets no frequency here (no cpufreq).");
	expect_in(&patient, "power", "Idle states: the kernel has none to choose from here.");
	expect_in(&patient, "power",
		"A virtual machine: what its host does to save power can be neither seen nor held from here.");
	close_patient(&patient);
}

/* A chroot without /sys: what cannot be seen is not denied. */
static void test_hidden(void **state)
{
	struct patient patient;

	(void)state;
	open_plain(&patient, "virtual-machine", &slow);
	patient.stage.report.power.is_hidden = true;
	examine(&patient);
	expect_in(&patient, "power", "Processors: how they run and sleep is not known; /sys does not show them here");
	expect_not_in(&patient, "power", "no cpufreq");
	close_patient(&patient);
}

/* A guest that clocks its processors: the governor was tried, idle states were not. */
static void test_guest_governor(void **state)
{
	static const struct figure fast = {10000, 99.0, 60, 3e9, 0};
	struct patient patient;

	(void)state;
	for (int is_cause = 0; is_cause < 2; is_cause++) {
		open_experiment(
			&patient, "virtual-machine", all_stages, 3, (const struct figure[]){slow, awake, is_cause ? fast : awake});
		patient.stage.report.power.policies = 2;
		examine(&patient);
		expect_in(&patient, "diagnosis", request);
		expect_in(&patient, "diagnosis",
			is_cause ? "with performance p50 went from 165.0 to 99.0 us (-40 %, sure)."
					 : "Power management is not the cause, as far as this virtual machine has a hand in it.");
		expect_not_in(&patient, "diagnosis", "Both together");
		expect_not_in(&patient, "diagnosis", host_unknown);
		expect_not_in(&patient, "remedies", "cpu_dma_latency");
		close_patient(&patient);
	}

	/* It has idle states, and a governor that could not be set. */
	open_experiment(&patient, "intel_pstate-laptop", all_stages, 2, (const struct figure[]){slow, slow});
	patient.stage.report.power.is_virtual = true;
	patient.stage.report.experiment.left_out[1] = xstrdup("the system does not allow it (Read-only file system)");
	examine(&patient);
	expect_in(&patient, "diagnosis", "Power management is not the cause, as far as it was tried.");
	close_patient(&patient);

	/* The stage between them failed: what is left is the governor's. */
	open_experiment(&patient, "virtual-machine", all_stages, 3, (const struct figure[]){slow, awake, fast});
	patient.stage.report.power.policies = 2;
	for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
		if (plan_workload(&patient.stage.plan, run)->power == POWER_HOLD_IDLE) {
			stage_fail(&patient.stage, run, "fio ended with status 1");
		}
	}
	examine(&patient);
	expect_in(&patient, "diagnosis", "with performance p50 went from 330.0 to 99.0 us (-70 %, sure).");
	expect_not_in(&patient, "diagnosis", "Idle states and governor together");
	expect_not_in(&patient, "remedies", "cpu_dma_latency");
	close_patient(&patient);
}

/* --- remedies that take the cause away ----------------------------------------------------------------------------
 */

static void expect_nothing_spared(const struct patient *patient)
{
	expect_in(patient, "diagnosis", "Idle states cost about 165 of 330 us of each commit");
	expect_in(patient, "remedies", "/dev/cpu_dma_latency at 0 us, as the experiment did");
	expect_in(patient, "remedies", "echo 0 >&3; exec sleep infinity");
	expect_not_in(patient, "remedies", "max_cstate");
	expect_not_in(patient, "remedies", "stays allowed");
	expect_not_in(patient, "remedies", "leaves C1 allowed");
	expect_shell_takes(patient);
}

/* C1 is the deepest state there is, or the one that was slept in: to leave it allowed would change nothing. */
static void test_light_sleep(void **state)
{
	const struct figure figures[] = {slow, awake};
	struct patient patient;

	(void)state;
	open_experiment(&patient, "acpi-cpufreq-nas", all_stages, 2, figures);
	patient.stage.report.power.idle_states[2].is_disabled = true;
	examine(&patient);
	expect_nothing_spared(&patient);
	close_patient(&patient);

	open_experiment(&patient, "no-cpufreq", all_stages, 2, figures);
	for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
		struct power_reading *power = &patient.stage.report.measurements[run].evidence.readings.power;
		uint64_t deep_us = power->idle_time_us[3];

		power->idle_time_us[3] = power->idle_time_us[1];
		power->idle_time_us[1] = deep_us;
	}
	examine(&patient);
	expect_in(&patient, "power", "64 % in C1 (2 us to wake up,");
	expect_nothing_spared(&patient);
	close_patient(&patient);

	/* TrueNAS, where kernel arguments were all there was. */
	open_experiment(&patient, "healthy", all_stages, 2, figures);
	examine(&patient);
	expect_nothing_spared(&patient);
	expect_in(&patient, "remedies",
		"\nsystemd-run --unit=cpu-latency sh -c \"exec 3>/dev/cpu_dma_latency; echo 0 >&3; exec sleep infinity\"\n");
	expect_in(&patient, "remedies",
		"\"command\": \"systemd-run --unit=cpu-latency sh -c \\\"exec 3>/dev/cpu_dma_latency; echo 0 >&3; exec sleep "
		"infinity\\\"\", \"when\": \"POSTINIT\"}'\n");
	expect_in(&patient, "remedies", "systemctl stop cpu-latency.service");
	close_patient(&patient);
}

/* A guest with haltpoll: one state of 1 us, and a driver without max_cstate. */
static void test_haltpoll(void **state)
{
	struct patient patient;

	(void)state;
	open_experiment(&patient, "acpi-cpufreq-nas", all_stages, 2, (const struct figure[]){slow, awake});
	struct power *power = &patient.stage.report.power;
	power->is_virtual = true;
	free(power->idle_driver);
	power->idle_driver = xstrdup("haltpoll");
	free(power->idle_states[--power->idle_state_count].name);
	free(power->idle_states[1].name);
	power->idle_states[1].name = xstrdup("haltpoll idle");
	examine(&patient);
	expect_nothing_spared(&patient);
	close_patient(&patient);
}

/* Deep sleep under a driver that knows no max_cstate: the unit alone. */
static void test_other_driver(void **state)
{
	struct patient patient;

	(void)state;
	open_experiment(&patient, "acpi-cpufreq-nas", all_stages, 2, (const struct figure[]){slow, awake});
	free(patient.stage.report.power.idle_driver);
	patient.stage.report.power.idle_driver = xstrdup("psci_idle");
	examine(&patient);
	expect_in(&patient, "remedies",
		"holds /dev/cpu_dma_latency at 1 us, which leaves C1 allowed (the experiment held 0, which leaves none):");
	expect_not_in(&patient, "remedies", "max_cstate");
	close_patient(&patient);

	/* Its first state is a deep one already. */
	open_experiment(&patient, "acpi-cpufreq-nas", all_stages, 2, (const struct figure[]){slow, awake});
	patient.stage.report.power.idle_states[1].exit_latency_us = 40;
	examine(&patient);
	expect_nothing_spared(&patient);
	close_patient(&patient);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_no_hint),
		cmocka_unit_test(test_guest),
		cmocka_unit_test(test_guest_power),
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_guest_governor),
		cmocka_unit_test(test_light_sleep),
		cmocka_unit_test(test_haltpoll),
		cmocka_unit_test(test_other_driver),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
