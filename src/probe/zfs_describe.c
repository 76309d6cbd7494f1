/* The pool and the dataset in words. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "probe/zfs.h"
#include "support/memory.h"
#include "support/text.h"
#include "support/units.h"

/** In the order of the sentence. Not every ZFS has all of them. */
static const char *const commit_properties[] = {
	"recordsize", "sync", "logbias", "compression", "primarycache", "direct"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

char *zfs_vdev_short_name(const struct zfs_vdev *vdev)
{
	const char *shown = vdev->name;

	if (text_starts_with(shown, "/dev/disk/by-") && strchr(shown + strlen("/dev/disk/"), '/') != NULL) {
		shown = strchr(shown + strlen("/dev/disk/"), '/') + 1;
	} else if (text_starts_with(shown, "/dev/")) {
		shown += strlen("/dev/");
	}
	return text_printable(shown);
}

/** Whether the device is the first of its group, in the list of all. */
static bool is_first_of_group(const struct zfs_pool *pool, size_t i)
{
	return i == 0 || pool->vdevs[i].group != pool->vdevs[i - 1].group;
}

static bool has_same_layout(const struct zfs_vdev *a, const struct zfs_vdev *b)
{
	return a->width == b->width &&
		   (a->layout == NULL || b->layout == NULL ? a->layout == b->layout : strcmp(a->layout, b->layout) == 0);
}

/** The number of groups of data devices like that of device `i`; 0 where an earlier one has counted it already. */
static unsigned groups_like(const struct zfs_pool *pool, size_t i)
{
	unsigned count = 0;

	for (size_t j = 0; j < pool->vdev_count; j++) {
		if (pool->vdevs[j].class != ZFS_DATA || !is_first_of_group(pool, j) ||
			!has_same_layout(&pool->vdevs[i], &pool->vdevs[j])) {
			continue;
		}
		if (j < i) {
			return 0;
		}
		count++;
	}
	return count;
}

char *zfs_pool_layout(const struct zfs_pool *pool)
{
	struct text words = TEXT_EMPTY;

	for (size_t i = 0; i < pool->vdev_count; i++) {
		const struct zfs_vdev *vdev = &pool->vdevs[i];
		bool counts = vdev->class == ZFS_DATA && is_first_of_group(pool, i);
		unsigned groups = counts ? groups_like(pool, i) : 0;

		if (groups == 0) {
			continue;
		}
		text_add(&words, words.length > 0 ? ", " : "");
		if (vdev->layout == NULL) {
			text_addf(&words, "%u device%s", groups, groups == 1 ? "" : "s");
			continue;
		}
		if (groups > 1) {
			text_addf(&words, "%u ", groups);
		}
		text_addf(&words, "%s%s of %u", vdev->layout, groups > 1 && strcmp(vdev->layout, "mirror") == 0 ? "s" : "",
			vdev->width);
	}
	return words.length > 0 ? text_detach(&words) : NULL;
}

/** What stands between the log device `i` and the one before it: a new group, or one more side of a mirror. */
static const char *separator(const struct zfs_pool *pool, size_t i)
{
	bool is_last = i + 1 == pool->vdev_count || is_first_of_group(pool, i + 1);

	return !is_first_of_group(pool, i) && is_last && pool->vdevs[i].layout != NULL ? " and " : ", ";
}

char *zfs_pool_log_health(const struct zfs_pool *pool)
{
	struct text words = TEXT_EMPTY;

	for (size_t i = 0; i < pool->vdev_count; i++) {
		const struct zfs_vdev *vdev = &pool->vdevs[i];

		if (vdev->class != ZFS_LOG) {
			continue;
		}
		char *name = zfs_vdev_short_name(vdev);

		text_add(&words, words.length > 0 ? separator(pool, i) : "");
		if (vdev->layout != NULL && is_first_of_group(pool, i)) {
			text_addf(&words, "%s of ", vdev->layout);
		}
		text_add(&words, name);
		if (vdev->state != NULL) {
			text_addf(&words, " (%s)", vdev->state);
		}
		free(name);
	}
	return words.length > 0 ? text_detach(&words) : NULL;
}

bool zfs_pool_has_log(const struct zfs_pool *pool)
{
	bool found = false;

	for (size_t i = 0; !found && i < pool->vdev_count; i++) {
		found = pool->vdevs[i].class == ZFS_LOG && pool->vdevs[i].is_active;
	}
	return found;
}

bool zfs_pool_lacks_log(const struct zfs_pool *pool)
{
	return pool->vdev_count > 0 && !zfs_pool_has_log(pool);
}

bool zfs_vdev_is_file(const struct zfs_vdev *vdev)
{
	const char *name = vdev->name;

	return name[0] == '/' && (!text_starts_with(name, "/dev/") || text_starts_with(name, "/dev/shm/"));
}

static void property_add(struct text *words, const char *name, const char *value)
{
	uint64_t size_bytes = 0;

	text_add(words, words->length > 0 ? ", " : "");
	if (strcmp(name, "recordsize") == 0 && units_parse_size(value, &size_bytes)) {
		char *size = units_format_size(size_bytes);

		text_addf(words, "%s %s", name, size);
		free(size);
	} else {
		text_addf(words, "%s=%s", name, value);
	}
}

char *zfs_pool_describe_dataset(const struct zfs_pool *pool)
{
	struct text words = TEXT_EMPTY;

	for (size_t i = 0; i < COUNT(commit_properties); i++) {
		const char *value = zfs_pool_property(pool, commit_properties[i]);

		if (value != NULL) {
			property_add(&words, commit_properties[i], value);
		}
	}
	return words.length > 0 ? text_detach(&words) : NULL;
}
