/** A machine in the current folder whose processors are held awake and fast. */
#ifndef POWER_MACHINE_H
#define POWER_MACHINE_H

#include "errand.h"

#include <errno.h>
#include <poll.h>

#include "../../src/keeper/state.h"
#include "plan/workload.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/memory.h"

#define CPU "sys/devices/system/cpu"
#define CPUFREQ CPU "/cpufreq"
#define LATENCY "dev/cpu_dma_latency"
#define LOCKED "sys/bus/cpu/drivers_probe"
enum { IDLE = POWER_HOLD_IDLE, GOVERNOR = POWER_HOLD_GOVERNOR, PATIENCE_MS = 2000 };

static inline void put(const char *folder, const char *name, const char *line)
{
	char *path = xasprintf("%s/%s", folder, name), *content = xasprintf("%s\n", line);

	unlink(path);
	put_file(path, content);
	free(path);
	free(content);
}

static inline void expect(const char *path, const char *line)
{
	char *found = file_read_line("", "%s", path);

	if (!found || strcmp(found, line) != 0) {
		dprintf(STDERR_FILENO, "%s: '%s' instead of '%s'\n", path, found ? found : "nothing", line);
		_exit(97);
	}
	free(found);
}

static inline void put_policy(const char *path, const char *governor)
{
	put_folder(path, 0755);
	put(path, "scaling_governor", governor);
	put(path, "scaling_available_governors", "conservative ondemand userspace powersave performance schedutil ");
}

static inline void put_machine(void)
{
	put_folder("dev", 0755);
	put_file(LATENCY, "");
	put_folder("sys", 0755);
	put_folder("sys/bus", 0755);
	put_folder("sys/bus/cpu", 0755);
	put_file(LOCKED, "");
	put_folder("sys/devices", 0755);
	put_folder("sys/devices/system", 0755);
	put_folder(CPU, 0755);
	put_folder(CPUFREQ, 0755);
	put_policy(CPUFREQ "/policy0", "schedutil");
	put_policy(CPUFREQ "/policy1", "powersave");
	put(CPUFREQ "/policy1", "energy_performance_preference", "balance_power");
}

static inline void expect_machine(void)
{
	expect(CPUFREQ "/policy0/scaling_governor", "schedutil");
	expect(CPUFREQ "/policy1/scaling_governor", "powersave");
	expect(CPUFREQ "/policy1/energy_performance_preference", "balance_power");
}

static inline void expect_performance(void)
{
	expect(CPUFREQ "/policy0/scaling_governor", "performance");
	expect(CPUFREQ "/policy1/scaling_governor", "performance");
}

/* The root prefix: this folder. The guardian goes elsewhere. */
static inline const char *here(void)
{
	static char path[4096];

	demand(getcwd(path, sizeof(path)) != NULL);
	return path;
}

static inline struct keeper_power_state set(struct held_power *power, uint32_t holds)
{
	struct keeper_power_state state;

	held_power_set(power, here(), holds, &state);
	return state;
}

static inline void let_go(struct held_power *power)
{
	demand(held_power_release(power) == NULL);
}

/* Whatever was started below us ends by itself, and soon. */
static inline void expect_nobody(void)
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

#endif
