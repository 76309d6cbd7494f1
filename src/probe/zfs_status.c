/* What `zpool status` says, taken apart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/zfs.h"
#include "support/memory.h"
#include "support/text.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** A line of the "config:" part of `zpool status`. */
struct config_line {
	size_t indent; /* blanks after the tab */
	char *name;    /* owned */
	char *state;   /* owned; NULL for headings ("logs") */
};

/** The whole table. */
struct config {
	struct config_line *lines;
	size_t count;
};

/** The headings of the table, and what they tell. */
static const struct {
	const char *heading;
	enum zfs_class class;
} classes[] = {
	{"logs", ZFS_LOG},
	{"special", ZFS_SPECIAL},
	{"dedup", ZFS_DEDUP},
	{"cache", ZFS_CACHE},
	{"spares", ZFS_SPARE},
};

/** States of devices that are not written to. */
static const char *const inactive_states[] = {"OFFLINE", "UNAVAIL", "FAULTED", "REMOVED", "CANT_OPEN"};

/** Take a line apart. The name ends where the column STATE begins, as names of files may hold blanks. */
static struct config_line line_parse(const char *line, size_t length, size_t state_column)
{
	struct config_line parsed = {0};
	size_t start = 1;
	size_t end = length;

	while (start < length && line[start] == ' ') {
		start++;
	}
	if (state_column > start && length > state_column) {
		size_t state_length = strcspn(line + state_column, " \t\r\n");

		parsed.state = state_length > 0 ? xstrndup(line + state_column, state_length) : NULL;
		end = state_column;
	}
	while (end > start && strchr(" \t\r", line[end - 1]) != NULL) {
		end--;
	}
	parsed.indent = start - 1;
	parsed.name = xstrndup(line + start, end - start);
	return parsed;
}

/** The first line after the table's heading, and the column where the state stands; NULL where there is no table. */
static const char *config_find(const char *output, size_t *state_column)
{
	for (const char *line = output; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
		const char *end, *state;

		line += *line == '\n';
		if (!text_starts_with(line, "\tNAME ")) {
			continue;
		}
		end = strchr(line, '\n');
		state = strstr(line, " STATE");
		if (end == NULL || state == NULL || state > end) {
			return NULL;
		}
		*state_column = (size_t)(state - line) + 1;
		return end + 1;
	}
	return NULL;
}

static void config_read(struct config *config, const char *output)
{
	size_t state_column = 0;
	const char *line = config_find(output, &state_column);

	while (line != NULL && *line == '\t') {
		size_t length = strcspn(line, "\n");

		config->lines = xrealloc(config->lines, (config->count + 1) * sizeof(*config->lines));
		config->lines[config->count++] = line_parse(line, length, state_column);
		line += length;
		line += *line == '\n';
	}
}

static void config_release(struct config *config)
{
	for (size_t i = 0; i < config->count; i++) {
		free(config->lines[i].name);
		free(config->lines[i].state);
	}
	free(config->lines);
}

/** Whether line `i` has deeper lines beneath it: a mirror or the like, not a device. */
static bool is_group(const struct config *config, size_t i)
{
	return i + 1 < config->count && config->lines[i + 1].indent > config->lines[i].indent;
}

static bool is_active(const struct config_line *line)
{
	bool active = line->state != NULL;

	for (size_t i = 0; active && i < COUNT(inactive_states); i++) {
		active = strcmp(line->state, inactive_states[i]) != 0;
	}
	return active;
}

/** The number of members of the group at line `i`; `*active` of those that take part. */
static unsigned members_count(const struct config *config, size_t i, unsigned *active)
{
	unsigned count = 0;

	*active = 0;
	for (size_t j = i + 1; j < config->count && config->lines[j].indent > config->lines[i].indent; j++) {
		/* One step deeper only: what is being replaced is a group within. */
		if (config->lines[j].indent == config->lines[i + 1].indent) {
			count++;
			*active += is_active(&config->lines[j]);
		}
	}
	return count;
}

/** Bytes written for each byte stored in the top-level device or group at line `i`. */
static double copies_of(const struct config *config, size_t i)
{
	const char *name = config->lines[i].name;
	unsigned active, data;
	unsigned members = members_count(config, i, &active);
	unsigned parity = 1;

	if (members == 0) {
		return 1;
	}
	if (sscanf(name, "draid%u:%ud", &parity, &data) == 2 && data > 0) {
		return (double)(data + parity) / data;
	}
	if (text_starts_with(name, "raidz")) {
		sscanf(name, "raidz%u", &parity); /* the oldest say "raidz" for one */
		return members > parity ? (double)active / (members - parity) : 1;
	}
	return active > 0 ? active : 1;
}

/** The kind of the top-level group of that name: "mirror" for "mirror-0". The caller frees it; NULL for none. */
static char *layout_of(const char *name)
{
	size_t length = strcspn(name, ":");
	size_t digits = strlen(name);

	while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') {
		digits--;
	}
	if (digits > 0 && digits <= length && name[digits - 1] == '-') {
		length = digits - 1;
	}
	if (text_starts_with(name, "replacing") || text_starts_with(name, "spare")) {
		return NULL; /* one device, and what takes its place */
	}
	/* The oldest say "raidz" for one. */
	return strcmp(name, "raidz") == 0 || text_starts_with(name, "raidz-") ? xstrdup("raidz1") : xstrndup(name, length);
}

/** Begin the top-level device or group at line `i`. */
static void group_begin(struct zfs_vdev *vdev, const struct config *config, size_t i)
{
	unsigned active = 0;

	free(vdev->layout);
	vdev->layout = is_group(config, i) ? layout_of(config->lines[i].name) : NULL;
	vdev->group++;
	vdev->width = vdev->layout != NULL ? members_count(config, i, &active) : 1;
	vdev->copies = copies_of(config, i);
}

/** Add the device of a line to its group. */
static void device_add(struct zfs_pool *pool, const struct zfs_vdev *group, const struct config_line *line)
{
	struct zfs_vdev vdev = *group;

	vdev.name = xstrdup(line->name);
	vdev.state = xstrdup(line->state);
	vdev.layout = xstrdup(group->layout);
	vdev.is_active = is_active(line);
	pool->vdevs = xrealloc(pool->vdevs, (pool->vdev_count + 1) * sizeof(*pool->vdevs));
	pool->vdevs[pool->vdev_count++] = vdev;
}

static enum zfs_class class_of_heading(const char *heading)
{
	for (size_t i = 0; i < COUNT(classes); i++) {
		if (strcmp(heading, classes[i].heading) == 0) {
			return classes[i].class;
		}
	}
	return ZFS_SPARE; /* whatever is new: at least no data is looked for there */
}

/** What keeps the pool's disks busy beside its users. Old versions name the line "scrub:", for both. */
static const char *work_find(const char *status_output)
{
	if (strstr(status_output, "resilver in progress") != NULL) {
		return "resilver";
	}
	return strstr(status_output, "scrub in progress") != NULL ? "scrub" : NULL;
}

/** The state in the lines before the table, else the one in its first line: they agree, but where the pool hangs. */
static char *state_find(const char *status_output, const struct config *config)
{
	for (const char *line = status_output; *line != '\0' && *line != '\t';) {
		size_t length = strcspn(line, "\n");
		const char *word = line + strspn(line, " ");

		if (text_starts_with(word, "state: ")) {
			word += strlen("state: ");
			return xstrndup(word, strcspn(word, " \t\r\n"));
		}
		line += length;
		line += *line == '\n';
	}
	return config->count > 0 ? xstrdup(config->lines[0].state) : NULL;
}

/** The log devices in one line, as short as they can be said. The caller frees it; NULL for none. */
static char *log_devices_list(const struct zfs_pool *pool)
{
	struct text names = TEXT_EMPTY;

	for (size_t i = 0; i < pool->vdev_count; i++) {
		if (pool->vdevs[i].class == ZFS_LOG) {
			char *name = zfs_vdev_short_name(&pool->vdevs[i]);

			text_addf(&names, "%s%s", names.length > 0 ? ", " : "", name);
			free(name);
		}
	}
	return names.length > 0 ? text_detach(&names) : NULL;
}

void zfs_parse_status(struct zfs_pool *pool, const char *status_output)
{
	struct config config = {0};
	struct zfs_vdev group = {.class = ZFS_DATA};
	size_t top_indent = 0;

	config_read(&config, status_output);
	/* The first line is the pool itself, whatever its name; the headings stand as far left as it. */
	for (size_t i = 1; i < config.count; i++) {
		const struct config_line *line = &config.lines[i];

		if (line->indent == 0) {
			group.class = class_of_heading(line->name);
			top_indent = 0;
			continue;
		}
		if (top_indent == 0 || line->indent <= top_indent) {
			top_indent = line->indent;
			group_begin(&group, &config, i);
		}
		if (!is_group(&config, i)) {
			device_add(pool, &group, line);
		}
	}
	free(pool->log_devices);
	free(pool->state);
	pool->work = work_find(status_output);
	pool->state = state_find(status_output, &config);
	pool->log_devices = log_devices_list(pool);
	free(group.layout);
	config_release(&config);
}
