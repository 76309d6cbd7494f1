/* The pool beneath the target, in the banner's words. */
#include <stdlib.h>
#include <string.h>

#include "record_make.h"
#include "support/memory.h"
#include "support/text.h"

/* "OpenZFS 2.1.11, mirror of 2, ONLINE", as far as it is known; NULL where nothing is. */
static char *summarise_pool(const struct zfs_pool *pool, const char *version)
{
	struct text words = TEXT_EMPTY;
	char *layout = zfs_pool_layout(pool);

	if (version) {
		bool is_number = version[0] >= '0' && version[0] <= '9';

		text_addf(&words, "%s%s", is_number ? "OpenZFS " : "", version);
	}
	if (layout) {
		text_addf(&words, "%s%s", words.length > 0 ? ", " : "", layout);
	}
	if (pool->state) {
		text_addf(&words, "%s%s", words.length > 0 ? ", " : "", pool->state);
	}
	free(layout);
	char *summary = words.length > 0 ? text_printable(text_string(&words)) : NULL;
	text_release(&words);
	return summary;
}

/* "tank/vm: recordsize 16 KiB, sync=always, ..." */
static char *describe_dataset(const struct zfs_pool *pool)
{
	char *properties = zfs_pool_describe_dataset(pool);
	char *words = properties && pool->dataset ? xasprintf("%s: %s", pool->dataset, properties) : NULL;
	char *shown = words ? text_printable(words) : NULL;

	free(properties);
	free(words);
	return shown;
}

/* There is no log device, or one that does not work: synchronous writes are slower than they might be, or at risk. */
static bool is_log_worrying(const struct zfs_pool *pool)
{
	bool worries = pool->asked && !pool->log_devices;

	for (size_t i = 0; !worries && i < pool->vdev_count; i++) {
		const struct zfs_vdev *vdev = &pool->vdevs[i];

		worries = vdev->class == ZFS_LOG && vdev->state && strcmp(vdev->state, "ONLINE") != 0;
	}
	return worries;
}

/* Only where commits are measured does the log matter so much that the banner speaks of it. */
void record_make_pool(struct record_pool *record, const struct report *report)
{
	const struct zfs_pool *pool = &report->pool;

	if (!report->plan->profile->synchronous || !pool->pool) {
		return;
	}
	char *health = zfs_pool_log_health(pool);
	const char *devices = health ? health : pool->log_devices;
	*record = (struct record_pool){.name = text_printable(pool->pool),
		.log_devices = text_printable(devices       ? devices
									  : pool->asked ? "none: synchronous writes go to the pool's own disks"
													: "unknown (zpool gave no answer)"),
		.is_warning = is_log_worrying(pool),
		.summary = summarise_pool(pool, report->storage.zfs_version),
		.dataset = describe_dataset(pool)};
	free(health);
}
