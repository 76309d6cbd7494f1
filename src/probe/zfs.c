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
		pool->asked = pool->vdev_count > 0; /* else it said something, but no pool */
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

bool zfs_pool_property_is(const struct zfs_pool *pool, const char *name, const char *value)
{
	const char *found = zfs_pool_property(pool, name);

	return found && strcmp(found, value) == 0;
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

void zfs_pool_release(struct zfs_pool *pool)
{
	for (size_t i = 0; i < pool->vdev_count; i++) {
		free(pool->vdevs[i].name);
		free(pool->vdevs[i].state);
		free(pool->vdevs[i].layout);
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
	free(pool->state);
	*pool = (struct zfs_pool){0};
}
