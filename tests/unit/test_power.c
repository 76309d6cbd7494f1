#include "scratch.h"

#include "probe/power.h"
#include "support/memory.h"

#define MACHINES "tests/fixtures/machines/"

/** Names of devices; released by nobody. */
static char disk_name[] = "nvme0n1", other_name[] = "nvme1n1", sata_name[] = "sda";

/** Two NVMe disks, the first of them twice, as a pool may have it; and one that is none. */
static struct storage_device devices[] = {
	{.name = disk_name, .major = 259, .minor = 0, .roles = 1U << STORAGE_DISK | 1U << STORAGE_LOG},
	{.name = disk_name, .major = 259, .minor = 0, .roles = 1U << STORAGE_DISK},
	{.name = other_name, .major = 259, .minor = 2, .roles = 1U << STORAGE_DISK},
	{.name = other_name, .major = 259, .minor = 4, .roles = 1U << STORAGE_LEAF},
	{.name = sata_name, .major = 8, .minor = 0, .roles = 1U << STORAGE_DISK},
};
static const struct storage storage = {.devices = devices, .device_count = sizeof(devices) / sizeof(devices[0])};

static const char *shown(const char *string)
{
	return string ? string : "?";
}

static void add_microseconds(struct text *line, double number_us)
{
	if (isnan(number_us)) {
		text_add(line, "?");
	} else if (isinf(number_us)) {
		text_add(line, "no limit");
	} else {
		text_addf(line, "%g us", number_us);
	}
}

static void add_idle(struct text *line, const struct power *power)
{
	const struct idle_state *deepest = power_deepest_idle(power);

	text_addf(line, "idle %s, %s:", shown(power->idle_driver), shown(power->idle_governor));
	for (size_t i = 0; i < power->idle_state_count; i++) {
		const struct idle_state *state = &power->idle_states[i];

		text_addf(line, " %s ", state->name);
		add_microseconds(line, state->exit_latency_us);
		text_addf(line, "%s%s", state->is_disabled ? " disabled" : "", state == deepest ? " (deepest)" : "");
	}
	text_addf(line, "\nmax_cstate %s %s, limit ", shown(power->intel_max_cstate), shown(power->processor_max_cstate));
	add_microseconds(line, power->latency_limit_us);
}

/** Everything in a few lines. */
static char *describe(const struct power *power)
{
	struct text line = TEXT_EMPTY;

	text_addf(&line, "%s; %s; %s%s\n", shown(power->product), shown(power->vendor), shown(power->processor),
		power->is_virtual ? "; virtual" : "");
	text_addf(&line, "%s, %s, %s, %u of %u, %.0f %.0f %.0f MHz, turbo %s\n", shown(power->driver),
		shown(power->governor), shown(power->preference), power->performing, power->policies,
		power->frequency_min_hz / 1e6, power->frequency_base_hz / 1e6, power->frequency_max_hz / 1e6,
		shown(power->turbo));
	add_idle(&line, power);
	text_addf(&line, "\nASPM %s, NVMe ", shown(power->aspm_policy));
	add_microseconds(&line, power->nvme_max_latency_us);
	for (size_t i = 0; i < power->nvme_count; i++) {
		text_addf(&line, "; %s ", power->nvmes[i].name);
		add_microseconds(&line, power->nvmes[i].latency_tolerance_us);
		text_addf(&line, " %s", shown(power->nvmes[i].link_state));
	}
	return text_detach(&line);
}

static void expect_at(const char *root, const char *expected)
{
	struct power power;
	char *line;

	power_find(&power, root, &storage);
	line = describe(&power);
	assert_string_equal(line, expected);
	assert_int_equal(power_count_performing(root), power.performing);
	free(line);
	power_release(&power);
	assert_null(power.idle_states);
	assert_null(power.nvmes);
}

static void expect(const char *machine, const char *expected)
{
	char *root = xasprintf(MACHINES "%s", machine);

	expect_at(root, expected);
	free(root);
}

/* The machine of the manual's case study, before and after. */
static void test_case_study(void **state)
{
	(void)state;
	expect("intel_cpufreq-server", "Dell Inc. PowerEdge R630; GenuineIntel; Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz\n"
								   "intel_cpufreq, schedutil, ?, 0 of 24, 1200 2500 3300 MHz, turbo on\n"
								   "idle intel_idle, menu: POLL 0 us C1 2 us C1E 10 us C3 33 us C6 133 us (deepest)\n"
								   "max_cstate 9 8, limit no limit\n"
								   "ASPM default, NVMe 100000 us; nvme0 100000 us L1; nvme1 100000 us ?");
	expect("healthy", "Dell Inc. PowerEdge R630; GenuineIntel; Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz\n"
					  "intel_cpufreq, performance, ?, 24 of 24, 1200 2500 3300 MHz, turbo on\n"
					  "idle intel_idle, menu: POLL 0 us C1 2 us (deepest)\n"
					  "max_cstate 1 1, limit no limit\n"
					  "ASPM default, NVMe 0 us; nvme0 0 us off; nvme1 0 us ?");
}

static void test_drivers(void **state)
{
	(void)state;
	expect("intel_pstate-laptop",
		"LENOVO 20XW0026GE; GenuineIntel; 11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz\n"
		"intel_pstate, powersave, balance_performance, 0 of 8, 400 2800 4700 MHz, turbo on\n"
		"idle intel_idle, menu: POLL 0 us C1_ACPI 1 us C2_ACPI 253 us C3_ACPI 1048 us (deepest)\n"
		"max_cstate 9 8, limit no limit\n"
		"ASPM default, NVMe 100000 us; nvme0 100000 us L1");
	expect("amd-pstate-desktop",
		"Micro-Star International Co., Ltd. MS-7C91; AuthenticAMD; AMD Ryzen 7 5800X 8-Core Processor\n"
		"amd-pstate-epp, powersave, balance_performance, 0 of 16, 550 3801 4850 MHz, turbo on\n"
		"idle acpi_idle, menu: POLL 0 us C1 1 us C2 18 us (deepest)\n"
		"max_cstate ? 8, limit no limit\n"
		"ASPM default, NVMe 100000 us; nvme0 100000 us L1");
	expect("acpi-cpufreq-nas", "Supermicro Super Server; AuthenticAMD; AMD EPYC 7232P 8-Core Processor\n"
							   "acpi-cpufreq, ondemand, ?, 0 of 16, 1500 3100 3100 MHz, turbo on\n"
							   "idle acpi_idle, menu: POLL 0 us C1 1 us C2 400 us (deepest)\n"
							   "max_cstate ? 8, limit no limit\n"
							   "ASPM powersave, NVMe 100000 us");
	expect("no-cpufreq", "HPE ProLiant DL380 Gen10; GenuineIntel; Intel(R) Xeon(R) Silver 4114 CPU @ 2.20GHz\n"
						 "?, ?, ?, 0 of 0, nan 2200 nan MHz, turbo ?\n"
						 "idle intel_idle, menu: POLL 0 us C1 2 us C1E 10 us C6 133 us (deepest)\n"
						 "max_cstate 9 8, limit no limit\n"
						 "ASPM default, NVMe ?");
	expect("virtual-machine",
		"QEMU Standard PC (Q35 + ICH9, 2009); GenuineIntel; Intel Xeon Processor (Skylake, IBRS); virtual\n"
		"?, ?, ?, 0 of 0, nan nan nan MHz, turbo ?\n"
		"idle none, menu:\n"
		"max_cstate 9 8, limit no limit\n"
		"ASPM default, NVMe ?");
	expect("no-such-machine", "?; ?; ?\n"
							  "?, ?, ?, 0 of 0, nan nan nan MHz, turbo ?\n"
							  "idle ?, ?:\n"
							  "max_cstate ? ?, limit ?\n"
							  "ASPM ?, NVMe ?");
}

static void test_command_line(void **state)
{
	struct power power;

	(void)state;
	power_find(&power, MACHINES "healthy", &storage);
	assert_non_null(strstr(power.command_line, " intel_idle.max_cstate=1 "));
	power_release(&power);
}

/** A file of a made-up machine; with `size` 0 `content` is a string. */
static void place(const char *root, const char *path, const char *content, size_t size)
{
	char *whole = xasprintf("%s%s", root, path);

	for (char *slash = strchr(whole + strlen(root) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(whole, 0755);
		*slash = '/';
	}
	scratch_write(whole, content, size > 0 ? size : strlen(content), 0644);
	free(whole);
}

static void place_link(const char *root, const char *path, const char *target)
{
	char *whole = xasprintf("%s%s", root, path);

	place(root, path, "x", 0);
	assert_int_equal(unlink(whole), 0);
	assert_int_equal(symlink(target, whole), 0);
	free(whole);
}

#define CPU "/sys/devices/system/cpu/"

/* Processors that differ: some switched off, some states on some of them. */
static void test_mixed(void **state)
{
	char root[64];

	(void)state;
	scratch_make(root);
	place(root, CPU "cpufreq/policy0/scaling_governor", "schedutil\n", 0);
	place(root, CPU "cpufreq/policy0/scaling_driver", "acpi-cpufreq\n", 0);
	place(root, CPU "cpufreq/policy0/cpuinfo_min_freq", "800000\n", 0);
	place(root, CPU "cpufreq/policy0/cpuinfo_max_freq", "4000000\n", 0);
	place(root, CPU "cpufreq/policy0/base_frequency", "2000000\n", 0);
	place(root, CPU "cpufreq/policy0/bios_limit", "1900000\n", 0);
	place(root, CPU "cpufreq/policy1/scaling_governor", "performance\n", 0);
	place(root, CPU "cpufreq/policy1/cpuinfo_min_freq", "400000\n", 0);
	place(root, CPU "cpufreq/policy1/cpuinfo_max_freq", "<unknown>\n", 0);
	place(root, CPU "cpufreq/policy1/base_frequency", "2400000\n", 0);
	place(root, CPU "cpufreq/policy1/energy_performance_preference", "power\n", 0);
	place(root, CPU "cpufreq/policy2/scaling_governor", "schedutil\n", 0);
	place(root, CPU "cpufreq/policy3/scaling_governor", "\n", 0);
	place(root, CPU "cpufreq/boost", "0\n", 0);
	/* What processor 0 said before it was switched off does not count. */
	place(root, CPU "cpu0/online", "0\n", 0);
	place(root, CPU "cpu0/cpuidle/state0/name", "OLD\n", 0);
	place(root, CPU "cpu1/online", "1\n", 0);
	place(root, CPU "cpu1/cpuidle/state0/name", "POLL\n", 0);
	place(root, CPU "cpu1/cpuidle/state0/latency", "0\n", 0);
	place(root, CPU "cpu1/cpuidle/state1/name", "C1\n", 0);
	place(root, CPU "cpu1/cpuidle/state1/latency", "2\n", 0);
	place(root, CPU "cpu1/cpuidle/state1/disable", "1\n", 0);
	place(root, CPU "cpu1/cpuidle/state2/name", "C6\n", 0);
	place(root, CPU "cpu1/cpuidle/state2/latency", "133\n", 0);
	place(root, CPU "cpu1/cpuidle/state2/disable", "1\n", 0);
	place(root, CPU "cpu1/cpuidle/state3/name", "C7\n", 0);
	place(root, CPU "cpu2/cpuidle/state1/disable", "0\n", 0);
	place(root, CPU "cpu2/cpuidle/state2/disable", "1\n", 0);
	place(root, CPU "cpuidle/current_governor_ro", "ladder\n", 0);
	place(root, CPU "cpuidle/current_driver", "\n", 0);
	expect_at(root,
		"?; ?; ?\n"
		"acpi-cpufreq, schedutil (2 of 3), performance (1 of 3), power, 1 of 3, 400 2400 4000 MHz, turbo off\n"
		"idle ?, ladder: POLL 0 us C1 2 us (deepest) C6 133 us disabled C7 ?\n"
		"max_cstate ? ?, limit ?\n"
		"ASPM ?, NVMe ?");
	scratch_remove(root);
}

static double base_hz(const char *root)
{
	struct power power;
	double base;

	power_find(&power, root, &storage);
	base = power.frequency_base_hz;
	power_release(&power);
	return base;
}

static void test_base_frequency(void **state)
{
	char root[64];

	(void)state;
	scratch_make(root);
	place(root, CPU "cpufreq/policy0/scaling_governor", "ondemand\n", 0);
	place(root, CPU "cpufreq/policy0/amd_pstate_lowest_nonlinear_freq", "1700000\n", 0);
	assert_true(isnan(base_hz(root)));
	place(root, CPU "cpufreq/policy0/bios_limit", "2200000\n", 0);
	assert_number(base_hz(root), 2.2e9, 1);
	place(root, CPU "cpu0/acpi_cppc/nominal_freq", "2250\n", 0);
	assert_number(base_hz(root), 2.25e9, 1);
	/* A firmware that does not say. */
	place(root, CPU "cpu0/acpi_cppc/nominal_freq", "0\n", 0);
	assert_number(base_hz(root), 2.2e9, 1);
	place(root, "/proc/cpuinfo", "model name\t: Some Processor @ home\n", 0);
	assert_number(base_hz(root), 2.2e9, 1);
	place(root, "/proc/cpuinfo", "model name\t: Some Processor @ 3\n", 0);
	assert_number(base_hz(root), 2.2e9, 1);
	place(root, "/proc/cpuinfo", "model name\t: Intel(R) Celeron(R) CPU @ 900MHz\n", 0);
	assert_number(base_hz(root), 900e6, 1);
	place(root, CPU "intel_pstate/no_turbo", "1\n", 0);
	place(root, CPU "cpufreq/policy0/base_frequency", "1000000\n", 0);
	assert_number(base_hz(root), 1e9, 1);
	scratch_remove(root);
}

/** What is found of the limit in a file of these bytes. */
static double limit_us(const char *root, const void *bytes, size_t size)
{
	struct power power;
	double limit;

	place(root, "/dev/cpu_dma_latency", bytes, size);
	power_find(&power, root, &storage);
	limit = power.latency_limit_us;
	power_release(&power);
	return limit;
}

static void test_latency_limit(void **state)
{
	static const int32_t none = 2000000000, hold = 0, some = 50, wrong = -1;
	char *path, root[64];
	struct power power;

	(void)state;
	scratch_make(root);
	assert_true(isinf(limit_us(root, &none, sizeof(none))));
	assert_number(limit_us(root, &hold, sizeof(hold)), 0, 0);
	assert_number(limit_us(root, &some, sizeof(some)), 50, 0);
	assert_true(isnan(limit_us(root, &wrong, sizeof(wrong))));
	assert_true(isnan(limit_us(root, "0x00000032", 10)));
	/* A pipe that nobody writes to does not stop it. */
	path = xasprintf("%s/dev/cpu_dma_latency", root);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	power_find(&power, root, &storage);
	assert_true(isnan(power.latency_limit_us));
	power_release(&power);
	free(path);
	scratch_remove(root);
}

static void expect_deepest(double limit, const char *name)
{
	struct power power;
	const struct idle_state *deepest;

	power_find(&power, MACHINES "intel_cpufreq-server", &storage);
	power.latency_limit_us = limit;
	deepest = power_deepest_idle(&power);
	if (name == NULL) {
		assert_null(deepest);
	} else {
		assert_string_equal(deepest->name, name);
	}
	power_release(&power);
}

static void test_deepest(void **state)
{
	const struct power nothing = {0};

	(void)state;
	assert_null(power_deepest_idle(&nothing));
	expect_deepest((double)NAN, "C6");
	expect_deepest(133, "C6");
	expect_deepest(132, "C3");
	expect_deepest(2, "C1");
	expect_deepest(0, NULL);
}

#define PCI "/sys/devices/pci0000:00/0000:00:01.0/"
#define SUBSYSTEM "/sys/devices/virtual/nvme-subsystem/nvme-subsys0/"

/* A disk with two ways to it, and controllers that are free to sleep, or have no such states. */
static void test_nvme(void **state)
{
	char root[64];

	(void)state;
	scratch_make(root);
	place(root, SUBSYSTEM "nvme0n1/dev", "259:0\n", 0);
	place_link(root, SUBSYSTEM "nvme0n1/device", "../../nvme-subsys0");
	place_link(root, SUBSYSTEM "nvme0", "../../../pci0000:00/0000:00:01.0/nvme/nvme0");
	place_link(root, SUBSYSTEM "nvme3", "../../../pci0000:00/0000:00:01.0/nvme/nvme3");
	place_link(root, "/sys/dev/block/259:0", "../../devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1");
	place(root, PCI "nvme/nvme0/power/pm_qos_latency_tolerance_us", "auto\n", 0);
	place_link(root, PCI "nvme/nvme0/device", "../..");
	place(root, PCI "link/l1_aspm", "1\n", 0);
	place(root, PCI "nvme/nvme3/power/control", "auto\n", 0);
	place(root, PCI "nvme/nvme5/nvme5n1/dev", "259:2\n", 0);
	place_link(root, PCI "nvme/nvme5/nvme5n1/device", "../../nvme5");
	place(root, PCI "nvme/nvme5/power/pm_qos_latency_tolerance_us", "any\n", 0);
	place_link(root, "/sys/dev/block/259:2", "../../devices/pci0000:00/0000:00:01.0/nvme/nvme5/nvme5n1");
	place(root, "/sys/module/pcie_aspm/parameters/policy", "default [performance] powersave powersupersave \n", 0);
	expect_at(root, "?; ?; ?\n"
					"?, ?, ?, 0 of 0, nan nan nan MHz, turbo ?\n"
					"idle ?, ?:\n"
					"max_cstate ? ?, limit ?\n"
					"ASPM performance, NVMe ?; nvme0 no limit L1; nvme3 ? ?; nvme5 no limit ?");
	scratch_remove(root);
}

/* Whatever it says: it must not fall over, and it must say it twice. */
static void test_running_machine(void **state)
{
	struct power first, second;
	char *one, *other;

	(void)state;
	power_find(&first, "", &storage);
	power_find(&second, "", &storage);
	one = describe(&first);
	other = describe(&second);
	assert_string_equal(one, other);
	free(other);
	free(one);
	power_release(&second);
	power_release(&first);
}

static void test_systems(void **state)
{
	char root[64];

	(void)state;
	assert_int_equal(system_kind_find(MACHINES "intel_cpufreq-server"), SYSTEM_TRUENAS);
	assert_int_equal(system_kind_find(MACHINES "no-cpufreq"), SYSTEM_PROXMOX);
	assert_int_equal(system_kind_find(MACHINES "amd-pstate-desktop"), SYSTEM_OTHER);
	assert_int_equal(system_kind_find(MACHINES "no-such-machine"), SYSTEM_OTHER);
	scratch_make(root);
	/* Other systems have such a file too. */
	place(root, "/etc/version", "7.2.1\n", 0);
	assert_int_equal(system_kind_find(root), SYSTEM_OTHER);
	place(root, "/usr/bin/pveversion", "x", 0);
	assert_int_equal(system_kind_find(root), SYSTEM_PROXMOX);
	place(root, "/etc/os-release", "NAME=\"TrueNAS\"\n", 0);
	assert_int_equal(system_kind_find(root), SYSTEM_TRUENAS);
	scratch_remove(root);
	scratch_make(root);
	place(root, "/etc/version", "TrueNAS-SCALE-21.08-BETA.1\n", 0);
	assert_int_equal(system_kind_find(root), SYSTEM_TRUENAS);
	place(root, "/etc/version", "22.02.0\n", 0);
	assert_int_equal(system_kind_find(root), SYSTEM_OTHER);
	place(root, "/usr/share/truenas/license.html", "x", 0);
	assert_int_equal(system_kind_find(root), SYSTEM_TRUENAS);
	scratch_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_case_study),
		cmocka_unit_test(test_drivers),
		cmocka_unit_test(test_command_line),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_base_frequency),
		cmocka_unit_test(test_latency_limit),
		cmocka_unit_test(test_deepest),
		cmocka_unit_test(test_nvme),
		cmocka_unit_test(test_running_machine),
		cmocka_unit_test(test_systems),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
