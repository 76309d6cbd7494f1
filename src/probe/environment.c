#include "probe/environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "probe/host.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"
#include "support/units.h"

#include "cpuinfo.h"
#include "environment_parts.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** More processors than this are a file that makes no sense. */
#define PROCESSORS_MAX 1048576UL

/** A word in the name of a control group, and whose it is. */
static const struct {
	const char *word;
	const char *container;
} container_groups[] = {
	{"kubepods", "Kubernetes"},
	{"/docker", "Docker"},
	{"libpod", "Podman"},
	{"/lxc", "LXC"},
	{"containerd", "containerd"},
};

void environment_add(
	struct environment *environment, const char *key, const char *subject, const char *label, const char *value)
{
	if (value == NULL || value[0] == '\0') {
		return;
	}
	environment->facts = xrealloc(environment->facts, (environment->fact_count + 1) * sizeof(*environment->facts));
	environment->facts[environment->fact_count++] = (struct environment_fact){
		.key = key,
		.subject = subject != NULL ? text_printable(subject) : NULL,
		.label = label,
		.value = text_printable(value),
	};
}

void environment_add_owned(
	struct environment *environment, const char *key, const char *subject, const char *label, char *value)
{
	environment_add(environment, key, subject, label, value);
	free(value);
}

bool environment_has(const struct environment *environment, const char *key, const char *subject)
{
	for (size_t i = 0; i < environment->fact_count; i++) {
		const struct environment_fact *fact = &environment->facts[i];
		bool is_same =
			subject == NULL || fact->subject == NULL ? subject == fact->subject : strcmp(fact->subject, subject) == 0;

		if (is_same && strcmp(fact->key, key) == 0) {
			return true;
		}
	}
	return false;
}

static void add_kernel(struct environment *environment, const char *root)
{
	char *release = NULL;
	struct utsname names;

	/* A captured machine has another kernel than the one that this program runs on. */
	if (root[0] == '\0' && uname(&names) == 0) {
		release = xasprintf("%s %s, %s", names.sysname, names.release, names.machine);
	} else if (root[0] != '\0') {
		release = file_read_line(root, "/proc/sys/kernel/osrelease");
	}
	environment_add_owned(environment, "kernel", NULL, "kernel", release);
}

/** How many processors a list like "0-3,8" names; 0 where it is no such list. */
static unsigned long list_count(const char *list)
{
	unsigned long count = 0;

	while (*list >= '0' && *list <= '9') {
		char *end;
		unsigned long first = strtoul(list, &end, 10);
		unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

		if (last < first || last - first >= PROCESSORS_MAX || count >= PROCESSORS_MAX) {
			return 0;
		}
		count += last - first + 1;
		list = *end == ',' ? end + 1 : end;
	}
	return count;
}

static void add_processors(
	struct environment *environment, const char *root, const char *cpuinfo, const struct power *power)
{
	char *online = file_read_line(root, "/sys/devices/system/cpu/online");
	unsigned long count = online != NULL ? list_count(online) : 0;

	free(online);
	if (count == 0) {
		count = cpuinfo_count(cpuinfo);
	}
	if (count > 0) {
		environment_add_owned(environment, "processors", NULL, "processors", xasprintf("%lu", count));
	}
	environment_add(environment, "processor_model", NULL, "processor", power->processor);
	environment_add_power(environment, power);
}

static void add_size(struct environment *environment, const char *key, const char *label, uint64_t size_bytes)
{
	if (size_bytes > 0) {
		environment_add_owned(environment, key, NULL, label, units_format_size(size_bytes));
	}
}

static void add_load(struct environment *environment, const char *root)
{
	char *line = file_read_line(root, "/proc/loadavg");
	size_t length = 0;

	/* The means over 1, 5 and 15 minutes are the first three. */
	for (unsigned i = 0; line != NULL && i < 3; i++) {
		length += strspn(line + length, " ");
		length += strcspn(line + length, " ");
	}
	if (line != NULL) {
		line[length] = '\0';
	}
	environment_add_owned(environment, "load", NULL, "load average", line);
}

static void add_machine(struct environment *environment, const char *cpuinfo, const struct power *power)
{
	char *flags = cpuinfo_value(cpuinfo, "flags");

	environment_add(environment, "machine", NULL, "machine", power->product);
	/* Where the processor has no flags, a machine that does not look virtual may be so nevertheless. */
	if (flags != NULL) {
		environment_add(environment, "virtualised", NULL, "virtualised", cpuinfo_is_virtual(cpuinfo) ? "yes" : "no");
	} else if (power->is_virtual) {
		environment_add(environment, "virtualised", NULL, "virtualised", "yes");
	}
	free(flags);
}

static bool is_there(const char *root, const char *path)
{
	char *line = file_read_line(root, "%s", path);

	free(line);
	return line != NULL;
}

static void add_container(struct environment *environment, const char *root)
{
	char *manager = file_read_line(root, "/run/systemd/container");
	struct text groups = TEXT_EMPTY;

	if (manager == NULL && is_there(root, "/run/.containerenv")) {
		manager = xstrdup("Podman");
	}
	if (manager == NULL && is_there(root, "/.dockerenv")) {
		manager = xstrdup("Docker");
	}
	if (manager == NULL && file_read(&groups, root, "/proc/self/cgroup")) {
		for (size_t i = 0; manager == NULL && i < COUNT(container_groups); i++) {
			if (strstr(text_string(&groups), container_groups[i].word) != NULL) {
				manager = xstrdup(container_groups[i].container);
			}
		}
	}
	text_release(&groups);
	environment_add_owned(environment, "container", NULL, "container", manager);
}

/** A figure of a table of ZFS's, "name type data"; 0 where it is not there. */
static uint64_t kstat_value(const char *content, const char *name)
{
	for (const char *line = content; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
		size_t length = strlen(name);
		char *type_end;

		line += *line == '\n';
		if (text_starts_with(line, name) && line[length] == ' ') {
			strtoul(line + length, &type_end, 10);
			return (uint64_t)strtoull(type_end, NULL, 10);
		}
	}
	return 0;
}

static void add_arc(struct environment *environment, const char *root)
{
	struct text content = TEXT_EMPTY;

	if (file_read(&content, root, "/proc/spl/kstat/zfs/arcstats")) {
		add_size(environment, "arc.size", "ZFS ARC", kstat_value(text_string(&content), "size"));
		add_size(environment, "arc.maximum", "ZFS ARC at most", kstat_value(text_string(&content), "c_max"));
	}
	text_release(&content);
}

void environment_collect(struct environment *environment, const char *root, const struct target *target,
	const struct storage *storage, const struct zfs_pool *pool, const struct power *power)
{
	struct text cpuinfo = TEXT_EMPTY;

	*environment = (struct environment){0};
	file_read(&cpuinfo, root, "/proc/cpuinfo");
	add_kernel(environment, root);
	add_machine(environment, text_string(&cpuinfo), power);
	add_container(environment, root);
	add_processors(environment, root, text_string(&cpuinfo), power);
	add_size(environment, "memory.total", "memory", host_memory_total_bytes(root));
	add_size(environment, "memory.available", "memory available", host_memory_available_bytes(root));
	add_load(environment, root);
	add_arc(environment, root);
	environment_add(environment, "zfs_version", NULL, "ZFS", storage->zfs_version);
	environment_add_file_system(environment, root, &target->mount, pool);
	environment_add(environment, "network_link", NULL, "network link", storage->network_link);
	environment_add_devices(environment, root, storage);
	text_release(&cpuinfo);
}

void environment_release(struct environment *environment)
{
	for (size_t i = 0; i < environment->fact_count; i++) {
		free(environment->facts[i].subject);
		free(environment->facts[i].value);
	}
	free(environment->facts);
	*environment = (struct environment){0};
}
