/*
 * From the figures of commits to causes and remedies. The case study of the manual stands for the whole: the tree of
 * its machine and its figures lead to its diagnosis, tests/golden/case-study.txt, and the same machine after its
 * treatment to none. UPDATE_GOLDEN=1 in the environment writes that file anew.
 */
#include "patient.h"

#define CASE_STUDY "tests/golden/case-study.txt"

/* --- the case study ------------------------------------------------------------------------------------------------
 */

static const struct figure as_it_was = {3050, 328.0, 90, 1.2e9, 0.81};

static void open_case_study(struct patient *patient)
{
	open_patient(patient, "intel_cpufreq-server", all_stages, 3);
	set_main(patient, 1, &as_it_was);
	set_main(patient, 4, &(struct figure){9700, 412.0, 96, 1.2e9, 0.6});
	set_main(patient, 8, &(struct figure){11200, 714.0, 110, 1.2e9, 0.4});
	set_main(patient, 16, &(struct figure){9277, 1725.0, 130, 1.2e9, 0.3});
	set_stage(patient, 0, &as_it_was);
	set_stage(patient, POWER_HOLD_IDLE, &(struct figure){5849, 160.8, 34, 1.2e9, 0});
	set_stage(patient, POWER_HOLD_IDLE | POWER_HOLD_GOVERNOR, &(struct figure){10687, 85.5, 31, 3.3e9, 0});
}

/* As a terminal of 100 columns shows it, without what differs from machine to machine. The caller frees it. */
static char *terminal_text(const struct record *record)
{
	const struct document document = {.record = record, .score = SCORE_MEDIAN};
	const struct render_style style = {.columns = 100};
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	assert_non_null(out);
	render_text(out, &document, &style);
	assert_int_equal(fclose(out), 0);
	return bytes;
}

static void test_case_study(void **state)
{
	struct text golden = TEXT_EMPTY;
	struct patient patient;

	(void)state;
	open_case_study(&patient);
	examine(&patient);
	char *text = terminal_text(&patient.record);
	if (getenv("UPDATE_GOLDEN")) {
		FILE *out = fopen(CASE_STUDY, "w");

		assert_non_null(out);
		fputs(text, out);
		assert_int_equal(fclose(out), 0);
	}
	scratch_read(&golden, CASE_STUDY);
	assert_string_equal(text, text_string(&golden));
	text_release(&golden);
	free(text);
	close_patient(&patient);
}

/* After the treatment: nothing to find, and nothing to do. */
static void test_healthy(void **state)
{
	static const struct figure healthy = {18200, 51.0, 14, 3.3e9, 0.2};
	struct patient patient;

	(void)state;
	open_patient(&patient, "healthy", all_stages, 2);
	patient.stage.report.experiment.left_out[1] = xstrdup("the governor is performance already");
	set_main(&patient, 1, &healthy);
	set_main(&patient, 16, &(struct figure){151000, 98.0, 20, 3.3e9, 0});
	set_stage(&patient, 0, &healthy);
	set_stage(&patient, POWER_HOLD_IDLE, &(struct figure){18300, 50.7, 14, 3.3e9, 0});
	examine(&patient);
	expect_in(&patient, "diagnosis", "Power management is not the cause.");
	expect_in(&patient, "diagnosis", "(-0.6 %, not sure)");
	expect_in(&patient, "diagnosis", "The governor was left alone: the governor is performance already.");
	expect_in(&patient, "diagnosis", "Healthy as it is (18200 commits a second with one thread, p50 51.0 us).");
	expect_not_in(&patient, "diagnosis", "suspect");
	expect_not_in(&patient, "diagnosis", "BIOS");
	expect_none(&patient, "remedies");
	close_patient(&patient);
}

/* --- other machines ------------------------------------------------------------------------------------------------
 */

static const struct figure fast = {10000, 99.0, 60, 0, 0};

/* Debian with an AMD processor: other arguments, units for systemd, the old governor in the way back. */
static void test_other_system(void **state)
{
	const struct figure figures[] = {slow, awake, fast};
	struct patient patient;

	(void)state;
	open_experiment(&patient, "acpi-cpufreq-nas", all_stages, 3, figures);
	examine(&patient);
	expect_in(&patient, "diagnosis", "Idle states cost about 165 of 330 us of each commit: with C-states held off p50");
	expect_in(&patient, "diagnosis", "C2 takes 400 us to wake up");
	expect_in(&patient, "diagnosis",
		"The governor ondemand kept the processors at 1.50 GHz, of 3.10 they can do: with performance p50 went from "
		"165.0 to 99.0 us (-40 %, sure).");
	expect_not_in(&patient, "diagnosis", "PowerEdge");
	expect_in(&patient, "remedies", "$GRUB_CMDLINE_LINUX_DEFAULT processor.max_cstate=1\"' >/etc/default/grub.d/");
	expect_in(&patient, "remedies",
		"in place of that unit (Debian, Ubuntu and their like); C1 stays allowed, too; then reboot:");
	expect_in(&patient, "remedies", "Other systems: add processor.max_cstate=1 where the boot loader keeps its");
	expect_in(&patient, "remedies",
		"holds /dev/cpu_dma_latency at 1 us, which leaves C1 allowed (the experiment held 0, which leaves none):");
	expect_in(&patient, "remedies", "echo 1 >&3; exec sleep infinity'\" \\");
	expect_in(&patient, "remedies", "systemctl enable --now cpu-performance.service");
	expect_in(&patient, "remedies", "echo ondemand | tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
	expect_not_in(&patient, "remedies", "midclt");
	expect_not_in(&patient, "remedies", "racadm");
	expect_not_in(&patient, "remedies", "intel_idle");
	expect_shell_takes(&patient);
	close_patient(&patient);
}

/* Only the governor was to be had; its preference is put back as well. */
static void test_governor_alone(void **state)
{
	static const unsigned stages[] = {0, POWER_HOLD_GOVERNOR};
	const struct figure figures[] = {slow, fast};
	struct patient patient;

	(void)state;
	open_experiment(&patient, "amd-pstate-desktop", stages, 2, figures);
	patient.stage.report.experiment.left_out[0] = xstrdup("this kernel has no /dev/cpu_dma_latency");
	examine(&patient);
	expect_in(&patient, "power", "governor powersave, driver amd-pstate-epp, energy preference balance_performance");
	expect_in(&patient, "diagnosis",
		"The governor powersave kept the processors at 1.50 GHz, of 4.85 they can do: with performance p50 went from "
		"330.0 to 99.0 us (-70 %, sure).");
	expect_in(&patient, "diagnosis", "C-states were not held off: this kernel has no /dev/cpu_dma_latency.");
	expect_not_in(&patient, "diagnosis", "Idle states cost");
	expect_not_in(&patient, "diagnosis", "Both together");
	expect_not_in(&patient, "remedies", "max_cstate");
	expect_in(&patient, "remedies", "echo balance_performance | tee /sys/devices/system/cpu/cpu*/cpufreq/energy");
	expect_shell_takes(&patient);
	close_patient(&patient);
}

/* Proxmox, whose kernel has no say in the frequency; and the boot loader of its ZFS installations. */
static void test_no_cpufreq(void **state)
{
	const struct figure figures[] = {slow, awake};
	struct patient patient;

	(void)state;
	for (int is_systemd_boot = 0; is_systemd_boot < 2; is_systemd_boot++) {
		open_experiment(&patient, "no-cpufreq", all_stages, 2, figures);
		patient.stage.report.experiment.left_out[1] = xstrdup("the kernel clocks no processor here");
		if (is_systemd_boot) {
			free(patient.stage.report.power.command_line);
			patient.stage.report.power.command_line =
				xstrdup("initrd=\\EFI\\proxmox\\6.8.12-9-pve\\initrd.img root=ZFS=rpool");
		}
		examine(&patient);
		expect_in(&patient, "power", "the kernel sets no frequency here (no cpufreq)");
		expect_in(&patient, "diagnosis", "Idle states cost about 165 of 330 us");
		expect_in(&patient, "diagnosis", "the firmware sets the processors' frequency here");
		expect_in(&patient, "remedies", "intel_idle.max_cstate=1 processor.max_cstate=1");
		expect_in(&patient, "remedies", is_systemd_boot ? "proxmox-boot-tool refresh" : "update-grub");
		expect_not_in(&patient, "remedies", is_systemd_boot ? "update-grub" : "proxmox-boot-tool");
		expect_not_in(&patient, "remedies", "scaling_governor");
		expect_shell_takes(&patient);
		close_patient(&patient);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_case_study),
		cmocka_unit_test(test_healthy),
		cmocka_unit_test(test_other_system),
		cmocka_unit_test(test_governor_alone),
		cmocka_unit_test(test_no_cpufreq),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
