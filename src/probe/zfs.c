#include "probe/zfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "probe/host.h"
#include "support/memory.h"
#include "support/process.h"
#include "support/text.h"

/** A pool whose disks hang must not keep us waiting. */
#define ZPOOL_TIMEOUT_MS 5000

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

const struct zfs_known_property zfs_known_properties[] = {
	{"recordsize", "zfs.recordsize", true},
	{"compression", "zfs.compression", false},
	{"sync", "zfs.sync", false},
	{"logbias", "zfs.logbias", false},
	{"primarycache", "zfs.primarycache", false},
	{"secondarycache", "zfs.secondarycache", false},
	{"direct", "zfs.direct", false},
	{"encryption", "zfs.encryption", false},
	{"checksum", "zfs.checksum", false},
	{"copies", "zfs.copies", false},
	{"dedup", "zfs.dedup", false},
	{"atime", "zfs.atime", false},
	{0},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

bool zfs_is_zfs(const struct mount *mount)
{
	return mount->type != NULL && (strcmp(mount->type, "zfs") == 0 || strcmp(mount->type, "fuse.zfs") == 0);
}

/** Run a program of ZFS's; whether it worked. */
static bool program_ask(const char *program, const char *const *argv, struct text *out)
{
	int wait_status = 0;

	text_reset(out);
	return process_capture(program, argv, ZPOOL_TIMEOUT_MS, out, NULL, &wait_status) == PROCESS_ENDED &&
		   WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0;
}

static void status_find(struct zfs_pool *pool, const char *search_path)
{
	const char *const with_paths[] = {"zpool", "status", "-P", pool->pool, NULL};
	const char *const without_paths[] = {"zpool", "status", pool->pool, NULL};
	char *zpool = host_find_in(search_path, "zpool");
	struct text out = TEXT_EMPTY;

	if (zpool != NULL) {
		/* Old versions do not know -P. */
		pool->asked = program_ask(zpool, with_paths, &out) || program_ask(zpool, without_paths, &out);
	}
	if (pool->asked) {
		zfs_parse_status(pool, text_string(&out));
	}
	text_release(&out);
	free(zpool);
}

static void properties_find(struct zfs_pool *pool, const char *search_path)
{
	/* All of them: asked for one that it lacks, an old version answers nothing. */
	const char *const argv[] = {"zfs", "get", "-Hp", "all", pool->dataset, NULL};
	char *zfs = host_find_in(search_path, "zfs");
	struct text out = TEXT_EMPTY;

	if (zfs != NULL && program_ask(zfs, argv, &out)) {
		zfs_parse_properties(pool, text_string(&out));
	}
	text_release(&out);
	free(zfs);
}

void zfs_pool_find(struct zfs_pool *pool, const struct mount *mount, const char *search_path)
{
	*pool = (struct zfs_pool){0};
	if (!zfs_is_zfs(mount) || mount->source == NULL) {
		return;
	}
	pool->dataset = xstrdup(mount->source);
	pool->pool = xstrndup(mount->source, strcspn(mount->source, "/@"));
	status_find(pool, search_path);
	/* Where the pool gave no answer, as its disks hang, neither does this. */
	if (pool->asked) {
		properties_find(pool, search_path);
	}
}

const char *zfs_pool_property(const struct zfs_pool *pool, const char *name)
{
	for (size_t i = 0; i < pool->property_count; i++) {
		if (strcmp(pool->properties[i].name, name) == 0) {
			return pool->properties[i].value;
		}
	}
	return NULL;
}

static bool is_known_property(const char *name)
{
	bool found = false;

	for (size_t i = 0; !found && zfs_known_properties[i].name != NULL; i++) {
		found = strcmp(zfs_known_properties[i].name, name) == 0;
	}
	return found;
}

void zfs_parse_properties(struct zfs_pool *pool, const char *get_output)
{
	char *copy = xstrdup(get_output);
	char *rest = copy;
	char *line;

	while ((line = strsep(&rest, "\n")) != NULL) {
		const char *dataset = strsep(&line, "\t");
		const char *name = strsep(&line, "\t");
		const char *value = strsep(&line, "\t");

		/* "-" stands where a property makes no sense for the dataset. */
		if (dataset == NULL || value == NULL || strcmp(value, "-") == 0 || !is_known_property(name)) {
			continue;
		}
		pool->properties = xrealloc(pool->properties, (pool->property_count + 1) * sizeof(*pool->properties));
		pool->properties[pool->property_count++] =
			(struct zfs_property){.name = xstrdup(name), .value = xstrdup(value)};
	}
	free(copy);
}

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

/** Add the device as short as it can be said: "nvme0n1p1" for "/dev/nvme0n1p1" and "/dev/disk/by-id/nvme0n1p1". */
static void log_device_add(struct text *devices, const char *name)
{
	const char *shown = name;
	char *printable;

	if (text_starts_with(shown, "/dev/disk/by-") && strchr(shown + strlen("/dev/disk/"), '/') != NULL) {
		shown = strchr(shown + strlen("/dev/disk/"), '/') + 1;
	} else if (text_starts_with(shown, "/dev/")) {
		shown += strlen("/dev/");
	}
	printable = text_printable(shown);
	text_addf(devices, "%s%s", devices->length > 0 ? ", " : "", printable);
	free(printable);
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

static void vdev_add(struct zfs_pool *pool, const struct zfs_vdev *vdev)
{
	pool->vdevs = xrealloc(pool->vdevs, (pool->vdev_count + 1) * sizeof(*pool->vdevs));
	pool->vdevs[pool->vdev_count++] = *vdev;
}

/** What keeps the pool's disks busy beside its users. Old versions name the line "scrub:", for both. */
static const char *work_find(const char *status_output)
{
	if (strstr(status_output, "resilver in progress") != NULL) {
		return "resilver";
	}
	return strstr(status_output, "scrub in progress") != NULL ? "scrub" : NULL;
}

void zfs_parse_status(struct zfs_pool *pool, const char *status_output)
{
	struct text log_devices = TEXT_EMPTY;
	struct config config = {0};
	struct zfs_vdev vdev = {.class = ZFS_DATA};
	size_t top_indent = 0;

	pool->work = work_find(status_output);
	config_read(&config, status_output);
	/* The first line is the pool itself, whatever its name; the headings stand as far left as it. */
	for (size_t i = 1; i < config.count; i++) {
		const struct config_line *line = &config.lines[i];

		if (line->indent == 0) {
			vdev.class = class_of_heading(line->name);
			top_indent = 0;
			continue;
		}
		if (top_indent == 0 || line->indent <= top_indent) {
			top_indent = line->indent;
			vdev.group++;
			vdev.copies = copies_of(&config, i);
		}
		if (is_group(&config, i)) {
			continue;
		}
		vdev.name = xstrdup(line->name);
		vdev.is_active = is_active(line);
		vdev_add(pool, &vdev);
		if (vdev.class == ZFS_LOG) {
			log_device_add(&log_devices, line->name);
		}
	}
	config_release(&config);
	free(pool->log_devices);
	pool->log_devices = log_devices.length > 0 ? text_detach(&log_devices) : NULL;
}

void zfs_pool_release(struct zfs_pool *pool)
{
	for (size_t i = 0; i < pool->vdev_count; i++) {
		free(pool->vdevs[i].name);
	}
	free(pool->vdevs);
	for (size_t i = 0; i < pool->property_count; i++) {
		free(pool->properties[i].name);
		free(pool->properties[i].value);
	}
	free(pool->properties);
	free(pool->pool);
	free(pool->dataset);
	free(pool->log_devices);
	*pool = (struct zfs_pool){0};
}
