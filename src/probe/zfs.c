#include "probe/zfs.h"

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
	size_t indent;    /* blanks after the tab */
	const char *name; /* not terminated */
	size_t length;    /* of the name */
	bool has_state;   /* headings ("logs") have none */
};

bool zfs_is_zfs(const struct mount *mount)
{
	return mount->type != NULL && (strcmp(mount->type, "zfs") == 0 || strcmp(mount->type, "fuse.zfs") == 0);
}

/** Run `zpool status [-P] POOL`; whether it worked. */
static bool status_ask(const char *zpool, const char *pool, bool full_paths, struct text *out)
{
	const char *argv[5] = {"zpool", "status"};
	size_t count = 2;
	int wait_status = 0;

	if (full_paths) {
		argv[count++] = "-P";
	}
	argv[count++] = pool;
	argv[count] = NULL;
	text_reset(out);
	return process_capture(zpool, argv, ZPOOL_TIMEOUT_MS, out, NULL, &wait_status) == PROCESS_ENDED &&
		   WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0;
}

void zfs_pool_find(struct zfs_pool *pool, const struct mount *mount, const char *search_path)
{
	struct text out = TEXT_EMPTY;
	char *zpool;

	*pool = (struct zfs_pool){0};
	if (!zfs_is_zfs(mount) || mount->source == NULL) {
		return;
	}
	pool->dataset = xstrdup(mount->source);
	pool->pool = xstrndup(mount->source, strcspn(mount->source, "/@"));
	zpool = host_find_in(search_path, "zpool");
	if (zpool == NULL) {
		return;
	}
	/* Old versions do not know -P. */
	pool->asked = status_ask(zpool, pool->pool, true, &out) || status_ask(zpool, pool->pool, false, &out);
	if (pool->asked) {
		pool->log_devices = zfs_parse_log_devices(text_string(&out));
	}
	text_release(&out);
	free(zpool);
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
		parsed.has_state = line[state_column] != ' ';
		end = state_column;
	}
	while (end > start && strchr(" \t\r", line[end - 1]) != NULL) {
		end--;
	}
	parsed.indent = start - 1;
	parsed.name = line + start;
	parsed.length = end - start;
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

/** Add the device, as short as it can be said: "nvme0n1p1" for "/dev/nvme0n1p1" and "/dev/disk/by-id/nvme0n1p1". */
static void device_add(struct text *devices, const struct config_line *line)
{
	char *name = xstrndup(line->name, line->length);
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
	free(name);
}

char *zfs_parse_log_devices(const char *status_output)
{
	struct text devices = TEXT_EMPTY;
	struct config_line previous = {0};
	bool in_logs = false;
	bool is_first = true;
	size_t state_column = 0;
	const char *line = config_find(status_output, &state_column);

	for (; line != NULL && *line == '\t'; line += *line == '\n') {
		size_t length = strcspn(line, "\n");
		struct config_line current = line_parse(line, length, state_column);

		/* What has deeper lines beneath it is a mirror or the like, not a device. */
		if (in_logs && previous.indent > 0 && current.indent <= previous.indent) {
			device_add(&devices, &previous);
		}
		/* The first line is the pool itself, whatever its name; the headings stand as far left as it. */
		if (current.indent == 0 && !is_first) {
			in_logs = current.length == 4 && strncmp(current.name, "logs", 4) == 0;
		}
		previous = current;
		is_first = false;
		line += length;
	}
	if (in_logs && previous.indent > 0) {
		device_add(&devices, &previous);
	}
	return devices.length > 0 ? text_detach(&devices) : NULL;
}

void zfs_pool_release(struct zfs_pool *pool)
{
	free(pool->pool);
	free(pool->dataset);
	free(pool->log_devices);
	*pool = (struct zfs_pool){0};
}
