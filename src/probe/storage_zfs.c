#include <stdlib.h>

#include "storage_parts.h"
#include "support/memory.h"
#include "support/text.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ROLE(role) (1U << (role))

/** Where a device may be whose name alone is known, as an old zpool says it. */
static const char *const device_folders[] = {
	"/dev",
	"/dev/mapper",
	"/dev/disk/by-id",
	"/dev/disk/by-vdev",
	"/dev/disk/by-path",
	"/dev/disk/by-partuuid",
};

/** Open the device that zpool names; false where it is none that is known here, or a file. */
static bool vdev_open(struct node *node, const char *root, const char *name)
{
	bool success = text_starts_with(name, "/dev/") && node_open_source(node, root, name);

	for (size_t i = 0; name[0] != '/' && !success && i < COUNT(device_folders); i++) {
		char *path = xasprintf("%s/%s", device_folders[i], name);

		success = node_open_source(node, root, path);
		free(path);
	}
	return success;
}

/** A file that serves as a device: what its file system lies on. It gets there through the page cache. */
static bool descend_file(struct descent *descent, const char *path, unsigned roles, struct beneath *beneath)
{
	struct storage *storage = descent->storage;
	struct mount mount;
	struct base base;
	bool success;

	base_find_file(&base, &mount, descent->root, path);
	success = base.devices.count > 0;
	if (success) {
		*beneath = descend_base(descent, &base, roles, 1);
		storage->is_shared = true;
		storage->has_compression = storage->has_compression || options_compress(base_mount(&base, &mount));
		if (storage->ram_cache == NULL) {
			storage->ram_cache = xstrdup("the page cache behind the pool's files");
		}
	} else if (base.kind == BASE_RAM) {
		*beneath = (struct beneath){.copies = 1};
		descent->leaves++;
		descent->ram_leaves++;
		descent->unseen++;
		success = true;
	}
	base_release(&base);
	mount_release(&mount);
	return success;
}

static bool descend_vdev(struct descent *descent, const struct zfs_vdev *vdev, struct beneath *beneath)
{
	unsigned roles = ROLE(STORAGE_TOP) | (vdev->class == ZFS_LOG ? ROLE(STORAGE_LOG) : 0);
	struct node node;

	if (vdev_open(&node, descent->root, vdev->name)) {
		*beneath = descend_device(descent, &node, roles, 0);
		node_release(&node);
		return true;
	}
	return zfs_vdev_is_file(vdev) && descend_file(descent, vdev->name, roles, beneath);
}

bool descend_pool(struct descent *descent, const struct zfs_pool *pool)
{
	const char *stored_copies = zfs_pool_property(pool, "copies");
	double sum = 0;
	size_t data_devices = 0;

	for (size_t i = 0; i < pool->vdev_count; i++) {
		const struct zfs_vdev *vdev = &pool->vdevs[i];
		struct beneath beneath;

		/* What is read from a cache device is not missed at the others; a spare is idle. */
		if (!vdev->is_active || vdev->class == ZFS_CACHE || vdev->class == ZFS_SPARE) {
			continue;
		}
		if (!descend_vdev(descent, vdev, &beneath)) {
			return false;
		}
		if (vdev->class == ZFS_DATA) {
			sum += vdev->copies * beneath.copies;
			data_devices++;
		}
	}
	if (pool->work != NULL && descent->storage->background_work == NULL) {
		descent->storage->background_work = xasprintf("%s of %s", pool->work, pool->pool);
	}
	if (data_devices > 0) {
		descent->storage->write_copies = sum / (double)data_devices;
	}
	if (stored_copies != NULL && strtoul(stored_copies, NULL, 10) > 1) {
		descent->storage->write_copies *= (double)strtoul(stored_copies, NULL, 10);
	}
	return data_devices > 0;
}
