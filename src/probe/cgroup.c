#include "probe/cgroup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** The files that hold limits, version 1 and 2. */
static const char *const limit_files[] = {
	"blkio.throttle.read_bps_device",
	"blkio.throttle.write_bps_device",
	"blkio.throttle.read_iops_device",
	"blkio.throttle.write_iops_device",
	"io.max",
};

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

/** Whether the file, which holds lines like "8:0 rbps=1048576", has one for the device. */
static bool file_limits(const char *root, const char *path, const char *device)
{
	struct text content = TEXT_EMPTY;
	char *line, *rest = NULL;
	bool any = false;

	if (file_read(&content, root, "%s", path) && content.length > 0) {
		for (line = strtok_r(content.bytes, "\n", &rest); !any && line != NULL; line = strtok_r(NULL, "\n", &rest)) {
			any = text_starts_with(line, device) && settings_limit(line + strlen(device));
		}
	}
	text_release(&content);
	return any;
}

static bool folder_limits(const char *root, const char *folder, const char *device)
{
	bool any = false;

	for (size_t i = 0; !any && i < COUNT(limit_files); i++) {
		char *path = xasprintf("%s/%s", folder, limit_files[i]);

		any = file_limits(root, path, device);
		free(path);
	}
	return any;
}

/** The group `group` ("/user.slice/x") beneath `top`, and all above it. In a container only `top` may be there. */
static bool groups_limit(const char *root, const char *top, const char *group, const char *device)
{
	char *folder = xasprintf("%s%s", top, group);
	bool any = false;

	/* Seen from a container, a group outside is "/../x": nothing of it can be read. */
	if (strstr(group, "/..") != NULL) {
		folder[strlen(top)] = '\0';
	}
	for (bool more = true; !any && more;) {
		char *slash = strrchr(folder, '/');

		any = folder_limits(root, folder, device);
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

/** One line of /proc/self/cgroup, "4:blkio:/x" or, of version 2, "0::/x". */
static bool line_limits(const char *root, char *line, const char *device)
{
	const char *number = strsep(&line, ":");
	const char *controllers = strsep(&line, ":");

	if (controllers == NULL || line == NULL) {
		return false;
	}
	if (strcmp(number, "0") == 0) {
		/* The second place is that of version 2 beside version 1. */
		return groups_limit(root, "/sys/fs/cgroup", line, device) ||
			   groups_limit(root, "/sys/fs/cgroup/unified", line, device);
	}
	return list_holds_blkio(controllers) && groups_limit(root, "/sys/fs/cgroup/blkio", line, device);
}

bool cgroup_limits_device(const char *root, unsigned device_major, unsigned device_minor)
{
	char *device = xasprintf("%u:%u ", device_major, device_minor);
	struct text groups = TEXT_EMPTY;
	char *rest, *line;
	bool any = false;

	file_read(&groups, root, "/proc/self/cgroup");
	rest = groups.bytes;
	while (!any && (line = strsep(&rest, "\n")) != NULL) {
		any = line_limits(root, line, device);
	}
	text_release(&groups);
	free(device);
	return any;
}
