#include "own_clock.h"
#include "scratch.h"

#include "support/memory.h"
#include "telemetry/power_reading.h"

enum { PID = 4321, INTERVAL_MS = 500 };

static char root[64];

/* Write a file of the tree, with the folders above it. */
static void put(const char *path, const char *content)
{
	char *whole = xasprintf("%s%s", root, path);

	for (char *slash = strchr(whole + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(whole, 0700);
		*slash = '/';
	}
	scratch_write(whole, content, strlen(content), 0600);
	free(whole);
}

static void put_idle(unsigned processor, unsigned state, unsigned long long time_us, unsigned long long entries)
{
	char path[96], content[32];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cpuidle/state%u/time", processor, state);
	snprintf(content, sizeof(content), "%llu\n", time_us);
	put(path, content);
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cpuidle/state%u/usage", processor, state);
	snprintf(content, sizeof(content), "%llu\n", entries);
	put(path, content);
}

static void put_frequency(unsigned processor, const char *content)
{
	char path[96];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq", processor);
	put(path, content);
}

static void put_thread(int thread, const char *name, unsigned user, unsigned system, unsigned processor)
{
	char path[96], content[512];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", PID, thread);
	snprintf(content, sizeof(content),
		"%d (%s) S 1 1 1 0 -1 4194304 103 0 0 0 %u %u 0 0 20 0 5 0 3472926 3133440 408 18446744073709551615 1 1 1 0 0 "
		"0 0 0 "
		"0 0 0 0 17 %u 0 0 0 0 0 1 1 1 1 1 1 1 0\n",
		thread, name, user, system, processor);
	put(path, content);
}

static void tick(struct power_sampler *sampler)
{
	pass_ms(INTERVAL_MS);
	power_sampler_tick(sampler, PID);
}

static void make_machine(void)
{
	scratch_make(root);
	put("/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "schedutil\n");
	put("/sys/devices/system/cpu/cpuidle/current_driver", "intel_idle\n");
	put("/sys/devices/system/cpu/online", "0-11\n");
	for (unsigned processor = 0; processor < 12; processor += processor == 2 ? 9 : 1) { /* 0, 1, 2, 11 */
		put_idle(processor, 0, 10, 1);
		put_idle(processor, 1, 1000, 100);
		put_idle(processor, 2, 1000000, 1000);
		put_frequency(processor, "1200000\n");
	}
}

static void test_run(void **state)
{
	struct power_sampler *sampler;
	struct power_reading reading;

	(void)state;
	make_machine();
	sampler = power_sampler_begin(root);
	put_thread(PID, "fio", 50, 50, 0);
	put_thread(PID + 1, "a) R 7 (b c", 1, 0, 1);
	pass_ms(INTERVAL_MS - 1);
	power_sampler_tick(sampler, PID); /* too soon */
	pass_ms(1);
	power_sampler_tick(sampler, PID); /* nothing has grown yet */
	put_thread(PID, "fio", 51, 50, 0);
	put_thread(PID + 1, "a) R 7 (b c", 3, 9, 11);
	put_frequency(11, "3300000\n");
	tick(sampler);
	power_sampler_tick(sampler, PID);            /* too soon */
	put_thread(PID + 1, "a) R 7 (b c", 3, 9, 2); /* ticks are coarse: it is still the same */
	put_frequency(2, "2100000\n");
	tick(sampler);
	put_idle(0, 2, 9000000, 9000);
	put_idle(2, 0, 11, 2);
	put_idle(2, 2, 1000500, 1003);
	put_idle(11, 1, 1800, 180);
	put_idle(11, 2, 1000250, 1001);
	power_sampler_end(sampler, &reading);
	assert_int_equal(reading.frequency_samples, 2);
	assert_int_equal(reading.frequency_sum_khz, 5400000);
	assert_int_equal(reading.frequency_least_khz, 2100000);
	assert_int_equal(reading.frequency_most_khz, 3300000);
	assert_int_equal(reading.processors_seen, 2);
	assert_int_equal(reading.idle_states, 3);
	assert_int_equal(reading.idle_time_us[0], 1);
	assert_int_equal(reading.idle_time_us[1], 800);
	assert_int_equal(reading.idle_time_us[2], 750);
	assert_int_equal(reading.idle_entries[0], 1);
	assert_int_equal(reading.idle_entries[1], 80);
	assert_int_equal(reading.idle_entries[2], 4);
	assert_int_equal(reading.elapsed_us, 2 * 3 * INTERVAL_MS * 1000);
	scratch_remove(root);
}

/* No cpufreq, no idle states: what /proc/cpuinfo tells of that processor. */
static void test_cpuinfo(void **state)
{
	struct power_sampler *sampler;
	struct power_reading reading;

	(void)state;
	scratch_make(root);
	put("/sys/devices/system/cpu/cpu0/topology/core_id", "0\n");
	put("/sys/devices/system/cpu/cpu1/topology/core_id", "1\n");
	put("/proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 800.000\nflags\t\t: fpu aperfmperf\n\n"
						 "processor\t: 1\nmodel name\t: x\ncpu MHz\t\t: 2100.513\nflags\t\t: fpu aperfmperf\n");
	sampler = power_sampler_begin(root);
	put_thread(PID, "fio", 1, 1, 1);
	tick(sampler);
	put_thread(PID, "fio", 2, 2, 1);
	tick(sampler);
	put_frequency(1, "<unsupported>\n");
	put("/proc/cpuinfo", "processor\t: 1\nBogoMIPS\t: 2.0\n");
	tick(sampler);
	/* It cannot count how fast it runs: that was found out when the kernel started. */
	put("/proc/cpuinfo", "processor\t: 1\ncpu MHz\t\t: 2100.000\nflags\t\t: fpu hypervisor\n");
	tick(sampler);
	power_sampler_end(sampler, &reading);
	assert_int_equal(reading.frequency_samples, 1);
	assert_int_equal(reading.frequency_sum_khz, 2100513);
	assert_int_equal(reading.processors_seen, 1);
	assert_int_equal(reading.idle_states, 0);
	scratch_remove(root);
}

/* Through sudo the load is another process; and it may have ended. */
static void test_unseen(void **state)
{
	static const struct power_reading nothing;
	struct power_reading reading;

	(void)state;
	make_machine();
	struct power_sampler *sampler = power_sampler_begin(root);
	tick(sampler);
	put_thread(PID, "sudo", 1, 1, 1);
	tick(sampler);
	put_thread(PID, "sudo", 5, 9, 1);
	tick(sampler);
	put("/proc/4321/task/4321/stat", "4321 (fio) S 1 2 3\n");
	tick(sampler);
	put("/proc/4321/task/4321/stat", "4321 (fio)");
	tick(sampler);
	put("/proc/4321/task/4321/stat", ")(");
	tick(sampler);
	power_sampler_end(sampler, &reading);
	assert_memory_equal(&reading, &nothing, sizeof(reading));
	power_sampler_end(NULL, &reading);
	assert_memory_equal(&reading, &nothing, sizeof(reading));
	scratch_remove(root);
}

/* The machine that the test runs on, and this process as the load. */
static void test_live(void **state)
{
	struct power_reading reading;
	struct power_sampler *sampler = power_sampler_begin("");

	(void)state;
	for (int i = 0; i < 3; i++) {
		clock_t begun = clock();

		while (clock() - begun < CLOCKS_PER_SEC / 20) { /* a few ticks */
		}
		pass_ms(INTERVAL_MS);
		power_sampler_tick(sampler, getpid());
	}
	power_sampler_end(sampler, &reading);
	if (access("/proc/self/task", R_OK) == 0 && access("/sys/devices/system/cpu/cpu0", R_OK) == 0) {
		assert_true(reading.processors_seen >= 1);
		assert_true(reading.elapsed_us > 0);
	}
	assert_true(reading.frequency_sum_khz >= reading.frequency_samples * reading.frequency_least_khz);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_cpuinfo),
		cmocka_unit_test(test_unseen),
		cmocka_unit_test(test_live),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
