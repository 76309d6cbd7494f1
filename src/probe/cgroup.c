#include "probe/cgroup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

/** Whether one of the settings behind the device is a limit: "52428800", or "rbps=52428800 wbps=max". */
static bool settings_limit(char *settings)
{
	char *rest = NULL;
	bool any = false;

	for (char *word = strtok_r(settings, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
		const char *value = strchr(word, '=') != NULL ? strchr(word, '=') + 1 : word;

		any = any || strcmp(value, "max") != 0;
	}
	return any;
}

/** Whether a target is set: "target=75". */
static bool settings_name(char *settings)
{
	return settings[0] != '\0';
}

/** Whether they are switched on: "enable=1 ctrl=auto". */
static bool settings_enable(char *settings)
{
	return strstr(settings, "enable=1") != NULL;
}

/** A file of a group's, and which settings behind a device in it hold the device back. */
struct limit {
	const char *file;
	bool (*holds)(char *settings);
};

/** Limits of the rate, of version 1 and 2. */
static const struct limit rate_limits[] = {
	{"blkio.throttle.read_bps_device", settings_limit},
	{"blkio.throttle.write_bps_device", settings_limit},
	{"blkio.throttle.read_iops_device", settings_limit},
	{"blkio.throttle.write_iops_device", settings_limit},
	{"io.max", settings_limit},
	{0},
};

/** What may hold a device back for the sake of other groups. The second is in the topmost one. */
static const struct limit other_limits[] = {
	{"io.latency", settings_name},
	{"io.cost.qos", settings_enable},
	{0},
};

/** Whether the file, which holds lines like "8:0 rbps=1048576", has one that holds the device back. */
static bool file_holds(const char *root, const char *path, const char *device, const struct limit *limit)
{
	struct text content = TEXT_EMPTY;
	char *line, *rest = NULL;
	bool any = false;

	if (file_read(&content, root, "%s", path) && content.length > 0) {
		for (line = strtok_r(content.bytes, "\n", &rest); !any && line != NULL; line = strtok_r(NULL, "\n", &rest)) {
			any = text_starts_with(line, device) && limit->holds(line + strlen(device));
		}
	}
	text_release(&content);
	return any;
}

static bool folder_holds(const char *root, const char *folder, const char *device, const struct limit *limits)
{
	bool any = false;

	for (size_t i = 0; !any && limits[i].file != NULL; i++) {
		char *path = xasprintf("%s/%s", folder, limits[i].file);

		any = file_holds(root, path, device, &limits[i]);
		free(path);
	}
	return any;
}

/** The group `group` ("/user.slice/x") beneath `top`, and all above it. In a container only `top` may be there. */
static bool groups_hold(
	const char *root, const char *top, const char *group, const char *device, const struct limit *limits)
{
	char *folder = xasprintf("%s%s", top, group);
	bool any = false;

	/* Seen from a container, a group outside is "/../x": nothing of it can be read. */
	if (strstr(group, "/..") != NULL) {
		folder[strlen(top)] = '\0';
	}
	for (bool more = true; !any && more;) {
		char *slash = strrchr(folder, '/');

		any = folder_holds(root, folder, device, limits);
		more = strlen(folder) > strlen(top);
		*slash = '\0';
	}
	free(folder);
	return any;
}

/** Whether the comma-separated list of controllers holds blkio. */
static bool list_holds_blkio(const char *list)
{
	size_t length;

	for (; *list != '\0'; list += length + (list[length] != '\0')) {
		length = strcspn(list, ",");
		if (length == strlen("blkio") && strncmp(list, "blkio", length) == 0) {
			return true;
		}
	}
	return false;
}

/** Whether the folder has that file; without a name, any. */
static bool folder_has(const char *root, const char *folder, const char *name)
{
	char **names = file_names(root, "%s", folder);
	bool any = false;

	for (size_t i = 0; !any && names[i] != NULL; i++) {
		any = name == NULL || strcmp(names[i], name) == 0;
	}
	file_names_free(names);
	return any;
}

/** Whether groups of version 1 are hidden: ours is not to be seen, or the top is not the real one. */
static bool hides_old_groups(const char *root, const char *group)
{
	char *folder = xasprintf("/sys/fs/cgroup/blkio%s", group);
	/* The real top alone has an agent. */
	bool hides = !folder_has(root, folder, NULL) || !folder_has(root, "/sys/fs/cgroup/blkio", "release_agent");

	free(folder);
	return hides;
}

/** The same of version 2, where it is not just beside version 1. */
static bool hides_unified_groups(const char *root, const char *group)
{
	char *folder = xasprintf("/sys/fs/cgroup%s", group);
	/* All but the real top have a type. */
	bool hides = folder_has(root, "/sys/fs/cgroup", "cgroup.type") ||
				 (folder_has(root, "/sys/fs/cgroup", "cgroup.controllers") && !folder_has(root, folder, NULL));

	free(folder);
	return hides;
}

/** The paths of this process's group; NULL where there is none. */
struct group {
	char *old;     /* of version 1 with blkio, "/user/x" */
	char *unified; /* of version 2 */
};

/** Take the path out of one line of /proc/self/cgroup, "4:blkio:/x" or, of version 2, "0::/x". */
static void group_read(struct group *group, char *line)
{
	const char *number = strsep(&line, ":");
	const char *controllers = strsep(&line, ":");

	if (controllers == NULL || line == NULL) {
		return;
	}
	if (strcmp(number, "0") == 0 && group->unified == NULL) {
		group->unified = xstrdup(line);
	} else if (list_holds_blkio(controllers) && group->old == NULL) {
		group->old = xstrdup(line);
	}
}

/** The groups of this process. The caller frees both. */
static struct group group_find(const char *root)
{
	struct text table = TEXT_EMPTY;
	struct group group = {0};
	char *rest, *line;

	file_read(&table, root, "/proc/self/cgroup");
	rest = table.bytes;
	while ((line = strsep(&rest, "\n")) != NULL) {
		group_read(&group, line);
	}
	text_release(&table);
	return group;
}

static void group_release(struct group *group)
{
	free(group->old);
	free(group->unified);
}

/** Whether the group or one above it holds the device back. */
static bool group_holds(const char *root, const struct group *group, const char *device, const struct limit *limits)
{
	/* The second place is that of version 2 beside version 1. */
	return (group->unified != NULL &&
			   (groups_hold(root, "/sys/fs/cgroup", group->unified, device, limits) ||
				   groups_hold(root, "/sys/fs/cgroup/unified", group->unified, device, limits))) ||
		   (group->old != NULL && groups_hold(root, "/sys/fs/cgroup/blkio", group->old, device, limits));
}

bool cgroup_limits_device(const char *root, unsigned device_major, unsigned device_minor)
{
	char *device = xasprintf("%u:%u ", device_major, device_minor);
	struct group group = group_find(root);
	bool any = group_holds(root, &group, device, rate_limits);

	group_release(&group);
	free(device);
	return any;
}

bool cgroup_may_limit_device(const char *root, unsigned device_major, unsigned device_minor)
{
	char *device = xasprintf("%u:%u ", device_major, device_minor);
	struct group group = group_find(root);
	bool may = (group.unified != NULL && hides_unified_groups(root, group.unified)) ||
			   (group.old != NULL && hides_old_groups(root, group.old)) ||
			   group_holds(root, &group, device, other_limits);

	group_release(&group);
	free(device);
	return may;
}
