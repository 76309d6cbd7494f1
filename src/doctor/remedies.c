/* What makes a proven remedy last, and what undoes it again: lines to copy, for the kind of system it is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "examination.h"
#include "support/memory.h"
#include "support/text.h"

#define GOVERNORS "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"
#define PREFERENCES "/sys/devices/system/cpu/cpu*/cpufreq/energy_performance_preference"
#define PERFORM "echo performance | tee " GOVERNORS

static bool is_light(const struct idle_state *state)
{
	return ceil(state->exit_latency_us) <= LIGHT_SLEEP_US;
}

/*
 * The state that may stay allowed: the first one with a latency, if it is light. NULL, so that none may, where light
 * sleep is all that there was, and so the cause itself.
 */
static const struct idle_state *find_spared(const struct examination *examination)
{
	const struct power *power = &examination->report->power;
	const struct idle_state *deepest = power_deepest_idle(power), *used = examination->single_power.most_used;
	size_t first = 0;

	while (first < power->idle_state_count && !(power->idle_states[first].exit_latency_us > 0)) {
		first++;
	}
	if (first == power->idle_state_count || !deepest || is_light(deepest) || (used && is_light(used))) {
		return NULL;
	}
	return is_light(&power->idle_states[first]) ? &power->idle_states[first] : NULL;
}

/* The kernel arguments that leave no other state than the first; NULL where the driver has none. */
static const char *find_arguments(const struct power *power)
{
	const char *driver = power->idle_driver ? power->idle_driver : "";

	if (strcmp(driver, "intel_idle") == 0) {
		return "intel_idle.max_cstate=1 processor.max_cstate=1";
	}
	return strcmp(driver, "acpi_idle") == 0 ? "processor.max_cstate=1" : NULL;
}

static void say_grub(struct record_passage *passage, const char *arguments, const char *file)
{
	record_passage_command(passage, "mkdir -p /etc/default/grub.d");
	record_passage_command(passage,
		"echo 'GRUB_CMDLINE_LINUX_DEFAULT=\"$GRUB_CMDLINE_LINUX_DEFAULT %s\"' >/etc/default/grub.d/%s.cfg", arguments,
		file);
	record_passage_command(passage, "update-grub");
	record_passage_say(passage, "To undo, then reboot:");
	record_passage_command(passage, "rm /etc/default/grub.d/%s.cfg", file);
	record_passage_command(passage, "update-grub");
}

/* The first of the arguments, by which it is seen whether they are there. */
static int first_length(const char *arguments)
{
	return (int)strcspn(arguments, " ");
}

static void say_systemd_boot(struct record_passage *passage, const char *arguments)
{
	record_passage_command(passage, "grep -qF '%.*s' /etc/kernel/cmdline || sed -i '1s/$/ %s/' /etc/kernel/cmdline",
		first_length(arguments), arguments, arguments);
	record_passage_command(passage, "proxmox-boot-tool refresh");
	record_passage_say(passage, "To undo, then reboot:");
	record_passage_command(passage, "sed -i '1s/ %s//' /etc/kernel/cmdline", arguments);
	record_passage_command(passage, "proxmox-boot-tool refresh");
}

/* It keeps what the field holds already. */
static void say_truenas_arguments(struct record_passage *passage, const char *arguments)
{
	record_passage_command(passage, "midclt call system.advanced.update \"$(midclt call system.advanced.config |");
	record_passage_command(passage,
		"    jq -c '{kernel_extra_options: (.kernel_extra_options + \" %s\" | ltrimstr(\" \"))}')\"", arguments);
	record_passage_say(passage, "To undo, then reboot:");
	record_passage_command(passage, "midclt call system.advanced.update \"$(midclt call system.advanced.config |");
	record_passage_command(
		passage, "    jq -c '{kernel_extra_options: (.kernel_extra_options | sub(\" ?%s\"; \"\"))}')\"", arguments);
}

/* How the system was booted, by the arguments the boot loader itself adds. */
static bool is_systemd_boot(const struct power *power)
{
	return power->command_line && strstr(power->command_line, "initrd=\\EFI\\") != NULL;
}

static void say_arguments(
	struct record_passage *passage, const struct power *power, const char *arguments, const char *file)
{
	switch (power->system) {
	case SYSTEM_TRUENAS:
		say_truenas_arguments(passage, arguments);
		break;
	case SYSTEM_PROXMOX:
		if (is_systemd_boot(power)) {
			say_systemd_boot(passage, arguments);
		} else {
			say_grub(passage, arguments, file);
		}
		break;
	case SYSTEM_OTHER:
		say_grub(passage, arguments, file);
		record_passage_say(passage, "Fedora and its like, in place of these; then reboot:");
		record_passage_command(passage, "grubby --update-kernel=ALL --args='%s'", arguments);
		record_passage_say(passage, "To undo, then reboot:");
		record_passage_command(passage, "grubby --update-kernel=ALL --remove-args='%s'", arguments);
		record_passage_say(passage,
			"Other systems: add %s where the boot loader keeps its arguments (GRUB: "
			"GRUB_CMDLINE_LINUX_DEFAULT in /etc/default/grub); take them out again to undo it.",
			arguments);
		break;
	}
}

/* A unit for systemd in one command, as a text in several lines would not survive being copied with its margin. */
static void say_unit(struct record_passage *passage, const char *name, const char *description, const char *type,
	const char *shell_command)
{
	record_passage_command(
		passage, "printf '%%s\\n' '[Unit]' 'Description=%s' '[Service]' 'Type=%s' \\", description, type);
	record_passage_command(passage, "    \"ExecStart=/bin/sh -c '%s'\" \\", shell_command);
	record_passage_command(
		passage, "    '[Install]' 'WantedBy=multi-user.target' >/etc/systemd/system/%s.service", name);
	record_passage_command(passage, "systemctl daemon-reload && systemctl enable --now %s.service", name);
}

static void say_unit_undo(struct record_passage *passage, const char *name)
{
	record_passage_command(
		passage, "systemctl disable --now %s.service; rm /etc/systemd/system/%s.service", name, name);
}

/* The file that was held in the experiment reads text as a hexadecimal number; see kernel/power/qos.c. */
#define HOLD_LATENCY "exec 3>/dev/cpu_dma_latency; echo %x >&3; exec sleep infinity"
/* What follows is in double quotes. */
#define RUN_LATENCY "systemd-run --unit=cpu-latency sh -c "

/* Without a restart. */
static void say_latency_unit(struct record_passage *passage, const struct idle_state *spared)
{
	unsigned limit_us = spared ? (unsigned)ceil(spared->exit_latency_us) : 0;
	char *command = xasprintf(HOLD_LATENCY, limit_us);

	if (spared) {
		record_passage_say(passage,
			"C-states, now and after each boot: a systemd unit that holds /dev/cpu_dma_latency at %u us, which leaves "
			"%s allowed (the experiment held 0, which leaves none):",
			limit_us, spared->name);
	} else {
		record_passage_say(passage,
			"C-states, now and after each boot: a systemd unit that holds /dev/cpu_dma_latency at 0 us, as the "
			"experiment did:");
	}
	say_unit(passage, "cpu-latency", "Keep the processors out of deep idle states", "simple", command);
	record_passage_say(passage, "To undo:");
	say_unit_undo(passage, "cpu-latency");
	free(command);
}

/* Whether links or drives may sleep as well. */
static bool may_links_sleep(const struct power *power)
{
	for (size_t i = 0; i < power->nvme_count; i++) {
		const struct nvme_power *nvme = &power->nvmes[i];

		if (nvme->latency_tolerance_us > 0 || (nvme->link_state && strcmp(nvme->link_state, "off") != 0)) {
			return true;
		}
	}
	return false;
}

/* A command of the shell, without quotes of its own, in a list that TrueNAS runs after each boot. */
static void say_truenas_script(struct record_passage *passage, const char *command)
{
	record_passage_command(passage,
		"midclt call initshutdownscript.create '{\"type\": \"COMMAND\", \"command\": \"%s\", \"when\": \"POSTINIT\"}'",
		command);
}

static void say_truenas_script_undo(struct record_passage *passage, const char *command)
{
	record_passage_command(
		passage, "midclt call initshutdownscript.query '[[\"command\", \"=\", \"%s\"]]' | jq '.[].id' |", command);
	record_passage_command(passage, "    xargs -n 1 midclt call initshutdownscript.delete");
}

/* Where no state may be left, and so no kernel argument does; its /etc does not last. */
static void say_truenas_latency(struct record_passage *passage)
{
	char *command = xasprintf(RUN_LATENCY "\"" HOLD_LATENCY "\"", 0U);
	char *in_json = xasprintf(RUN_LATENCY "\\\"" HOLD_LATENCY "\\\"", 0U);

	record_passage_say(passage,
		"C-states, now and after each boot: hold /dev/cpu_dma_latency at 0 us, as the experiment did; the second line "
		"does the same as System > Advanced Settings > Init/Shutdown Scripts > Add, with Type Command and When Post "
		"Init:");
	record_passage_command(passage, "%s", command);
	say_truenas_script(passage, in_json);
	record_passage_say(passage, "To undo:");
	say_truenas_script_undo(passage, in_json);
	record_passage_command(passage, "systemctl stop cpu-latency.service");
	free(in_json);
	free(command);
}

/* In place of the above; on TrueNAS alone. */
static void say_idle_arguments(
	struct record_passage *passage, const struct power *power, const struct idle_state *spared, const char *arguments)
{
	if (power->system == SYSTEM_TRUENAS) {
		record_passage_say(passage,
			"C-states: add %s, which leaves %s allowed (the experiment left none), in System > Advanced Settings > "
			"Kernel Arguments, or by this command; then reboot:",
			arguments, spared->name);
	} else {
		record_passage_say(passage,
			"C-states by kernel arguments, in place of that unit%s; %s stays allowed, too; then reboot:",
			power->system == SYSTEM_OTHER ? " (Debian, Ubuntu and their like)" : "", spared->name);
	}
	say_arguments(passage, power, arguments, "idle-states");
}

static void say_idle_remedy(struct record_passage *passage, const struct examination *examination)
{
	const struct power *power = &examination->report->power;
	const struct idle_state *spared = find_spared(examination);
	const char *arguments = spared ? find_arguments(power) : NULL;

	if (power->system != SYSTEM_TRUENAS) {
		say_latency_unit(passage, spared);
	} else if (!arguments) {
		say_truenas_latency(passage);
	}
	if (arguments) {
		say_idle_arguments(passage, power, spared, arguments);
	}
	if (may_links_sleep(power)) {
		record_passage_say(passage,
			"A further step, which was not tried here: 'pcie_aspm=off nvme_core.default_ps_max_latency_us=0' among the "
			"%s arguments keeps PCIe links and NVMe drives awake.",
			arguments ? "same" : "kernel");
	}
}

/* The governor that was there before; of several the first that is another one. The caller frees it. */
static char *find_old_governor(const struct power *power)
{
	const char *at = power->governor ? power->governor : "";

	while (strncmp(at, "performance", strlen("performance")) == 0 && strstr(at, "), ")) {
		at = strstr(at, "), ") + strlen("), ");
	}
	size_t length = strcspn(at, " ");
	return length > 0 ? xasprintf("%.*s", (int)length, at) : xstrdup("schedutil");
}

static void say_governor_undo(struct record_passage *passage, const struct power *power)
{
	char *governor = find_old_governor(power);

	record_passage_command(passage, "echo %s | tee %s", governor, GOVERNORS);
	if (power->preference && !strchr(power->preference, ' ')) {
		record_passage_command(passage, "echo %s | tee %s", power->preference, PREFERENCES);
	}
	free(governor);
}

static void say_governor_remedy(struct record_passage *passage, const struct examination *examination)
{
	const struct power *power = &examination->report->power;

	if (power->system == SYSTEM_TRUENAS) {
		record_passage_say(passage,
			"Governor, now and after each boot; the second line does the same as System > Advanced Settings > "
			"Init/Shutdown Scripts > Add, with Type Command and When Post Init:");
		record_passage_command(passage, "%s", PERFORM);
		say_truenas_script(passage, PERFORM);
		record_passage_say(passage, "To undo:");
		say_truenas_script_undo(passage, PERFORM);
	} else {
		record_passage_say(passage, "Governor, now and after each boot: a systemd unit:");
		say_unit(passage, "cpu-performance", "Frequency governor performance", "oneshot", PERFORM);
		record_passage_say(passage, "To undo:");
		say_unit_undo(passage, "cpu-performance");
	}
	say_governor_undo(passage, power);
}

/* Racadm is Dell's tool for its management controller (iDRAC). */
static void say_firmware_remedy(struct record_passage *passage, const struct examination *examination)
{
	if (!firmware_is_dell(&examination->report->power)) {
		return;
	}
	record_passage_say(passage,
		"Firmware: in the BIOS (F2) System BIOS > System Profile Settings > System Profile: "
		"Performance; or through the iDRAC, then reboot (the first line shows what is set now):");
	record_passage_command(passage, "racadm get BIOS.SysProfileSettings.SysProfile");
	record_passage_command(passage, "racadm set BIOS.SysProfileSettings.SysProfile PerfOptimized");
	record_passage_command(passage, "racadm jobqueue create BIOS.Setup.1-1");
	record_passage_say(passage, "To undo, with what was set before (DAPC: PerfPerWattOptimizedDapc), then reboot:");
	record_passage_command(passage, "racadm set BIOS.SysProfileSettings.SysProfile PerfPerWattOptimizedDapc");
	record_passage_command(passage, "racadm jobqueue create BIOS.Setup.1-1");
}

static bool is_idle(const struct examination *examination)
{
	return (examination->proven & POWER_HOLD_IDLE) != 0;
}

static bool is_governor(const struct examination *examination)
{
	return (examination->proven & POWER_HOLD_GOVERNOR) != 0;
}

static bool is_profile(const struct examination *examination)
{
	return firmware_find(examination) == FIRMWARE_PROFILE;
}

/* THE table of remedies: what has to be proven, and what is said then. */
static const struct {
	bool (*applies)(const struct examination *examination);
	void (*say)(struct record_passage *passage, const struct examination *examination);
} remedies[] = {
	{is_idle, say_idle_remedy},
	{is_governor, say_governor_remedy},
	{is_profile, say_firmware_remedy},
};

void say_remedies(struct record_passage *passage, const struct examination *examination)
{
	if (!examination->report->experiment.wanted || examination->proven == 0) {
		return;
	}
	record_passage_say(passage, "For a root shell. Processors that stay awake and fast use more electricity.");
	for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++) {
		if (remedies[i].applies(examination)) {
			remedies[i].say(passage, examination);
		}
	}
}
