#include "processors.h"

#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

enum {
	PROCESSORS_MAX = 8192, /* the most a Linux kernel can be built for */
	WORD_BITS = CHAR_BIT * sizeof(unsigned long),
	GROUP_DEPTH_MAX = 16,
};

/* The set of processors; cpu_set_t itself is too small for large machines. */
struct processor_set {
	unsigned long words[PROCESSORS_MAX / WORD_BITS];
};

static bool may_use(const struct processor_set *set, unsigned long processor)
{
	return processor < PROCESSORS_MAX && (set->words[processor / WORD_BITS] >> (processor % WORD_BITS) & 1) != 0;
}

static uint32_t count_of(const struct processor_set *set)
{
	uint32_t count = 0;

	for (unsigned long processor = 0; processor < PROCESSORS_MAX; processor++) {
		count += may_use(set, processor) ? 1 : 0;
	}
	return count;
}

static void add(struct processor_counters *sum, uint64_t busy_ticks, uint64_t all_ticks)
{
	sum->count++;
	sum->busy_ticks += busy_ticks;
	sum->all_ticks += all_ticks;
}

/*
 * "cpu3 user nice system idle iowait irq softirq steal guest guest_nice"; what guests use is in user and nice too. Adds
 * to `all`, and to `own` where the processor is in the set.
 */
static void take_processor(struct processor_counters *own, struct processor_counters *all, const char *line,
	const struct processor_set *set, bool are_nice)
{
	unsigned long number = 0;
	uint64_t user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, softirq = 0, stolen = 0;

	if (sscanf(line,
			"cpu%lu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
			&number, &user, &nice, &system, &idle, &waiting, &irq, &softirq, &stolen) < 5) {
		return;
	}
	/* Time that the hypervisor gave to others was not there to be used. */
	uint64_t busy = user + system + irq + softirq + stolen + (are_nice ? nice : 0);
	uint64_t whole = busy + (are_nice ? 0 : nice) + idle + waiting;
	add(all, busy, whole);
	if (may_use(set, number)) {
		add(own, busy, whole);
	}
}

bool processors_take(struct processor_counters *counters, const char *root)
{
	struct processor_set set = {{0}};
	struct text statistics = TEXT_EMPTY;
	struct processor_counters own = {0, 0, 0}, all = {0, 0, 0};
	/* What is nice makes room for whoever comes, unless he is nice himself. */
	bool are_nice = getpriority(PRIO_PROCESS, 0) > 0;

	if (sched_getaffinity(0, sizeof(set), (cpu_set_t *)(void *)&set) == 0 &&
		file_read(&statistics, root, "/proc/stat")) {
		/* The lines of the processors come first; what follows on a large machine is long. */
		for (const char *line = text_string(&statistics); line && text_starts_with(line, "cpu");
			 line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
			if (line[3] != ' ') {
				take_processor(&own, &all, line, &set, are_nice);
			}
		}
	}
	text_release(&statistics);
	/* In a container lxcfs numbers the processors anew and shows those of the container alone, the set has the host's.
	 */
	*counters = own.count == count_of(&set) ? own : all;
	return counters->count > 0;
}

/* The number behind a name in a small file of a control group; false where there is none. */
static bool take_value(const struct text *content, const char *name, uint64_t *value)
{
	const char *found = strstr(text_string(content), name);

	return found && sscanf(found + strlen(name), " %" SCNu64, value) == 1;
}

/* Version 2: cpu.max says "max 100000" or "50000 100000", the first being the quota. */
static bool take_unified(const char *root, const char *group, uint64_t *throttled_us)
{
	struct text content = TEXT_EMPTY;
	char *quota = file_read_line(root, "/sys/fs/cgroup%s/cpu.max", group);
	bool known = quota && *quota >= '0' && *quota <= '9' &&
				 file_read(&content, root, "/sys/fs/cgroup%s/cpu.stat", group) &&
				 take_value(&content, "throttled_usec", throttled_us);

	free(quota);
	text_release(&content);
	return known;
}

/* Version 1: a file for the quota, -1 for none, and nanoseconds. */
static bool take_legacy(const char *root, const char *hierarchy, const char *group, uint64_t *throttled_us)
{
	struct text content = TEXT_EMPTY;
	char *quota = file_read_line(root, "/sys/fs/cgroup/%s%s/cpu.cfs_quota_us", hierarchy, group);
	bool known = quota && *quota >= '0' && *quota <= '9' &&
				 file_read(&content, root, "/sys/fs/cgroup/%s%s/cpu.stat", hierarchy, group) &&
				 take_value(&content, "throttled_time", throttled_us);

	*throttled_us /= 1000;
	free(quota);
	text_release(&content);
	return known;
}

/* A group is held back by its own quota, and by those of all the groups that it lies in. `group` is cut up. */
static bool take_groups(const char *root, const char *hierarchy, char *group, uint64_t *throttled_us)
{
	bool known = false;

	for (int depth = 0; depth < GROUP_DEPTH_MAX; depth++) {
		uint64_t one_us = 0;
		char *last = strrchr(group, '/');

		if (last && last[1] == '\0') {
			*last = '\0'; /* the topmost is the folder itself */
		}
		if (hierarchy ? take_legacy(root, hierarchy, group, &one_us) : take_unified(root, group, &one_us)) {
			*throttled_us += one_us;
			known = true;
		}
		last = strrchr(group, '/');
		if (!last) {
			break;
		}
		*last = '\0';
	}
	return known;
}

/* Whether a comma-separated list of controllers holds "cpu". */
static bool has_processor_control(const char *list)
{
	while (*list) {
		size_t length = strcspn(list, ",");

		if (length == 3 && strncmp(list, "cpu", 3) == 0) {
			return true;
		}
		list += length + (list[length] == ',' ? 1 : 0);
	}
	return false;
}

/* "4:cpu,cpuacct:/group", or "0::/group" for version 2. `line` is cut up. */
static bool take_membership(const char *root, char *line, uint64_t *throttled_us)
{
	char *controllers = strchr(line, ':');
	char *group = controllers ? strchr(controllers + 1, ':') : NULL;

	if (!group) {
		return false;
	}
	*group++ = '\0';
	controllers++;
	if (*controllers == '\0') {
		return take_groups(root, NULL, group, throttled_us);
	}
	/* The folder "cpu" is there beside "cpu,cpuacct", as a link. */
	return has_processor_control(controllers) && take_groups(root, "cpu", group, throttled_us);
}

bool quota_take(uint64_t *throttled_us, const char *root)
{
	struct text memberships = TEXT_EMPTY;
	bool known = false;

	*throttled_us = 0;
	if (file_read(&memberships, root, "/proc/self/cgroup") && memberships.length > 0) {
		char *next = NULL;

		for (char *line = strtok_r(memberships.bytes, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
			known = take_membership(root, line, throttled_us) || known;
		}
	}
	text_release(&memberships);
	return known;
}
