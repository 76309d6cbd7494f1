#include "probe/storage.h"

#include <stdlib.h>
#include <string.h>

#include "probe/link.h"
#include "storage_parts.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

/** So many devices are named one by one. */
#define NAMES_LIMIT 4

static void devices_release(struct storage *storage)
{
	for (size_t i = 0; i < storage->device_count; i++) {
		free(storage->devices[i].name);
		free(storage->devices[i].link);
	}
	free(storage->devices);
	storage->devices = NULL;
	storage->device_count = 0;
}

/** Nothing is known: why. Takes the reason over. */
static void set_unknown(struct storage *storage, char *blind_spot)
{
	devices_release(storage);
	storage->kind = STORAGE_UNKNOWN;
	storage->write_copies_known = false;
	storage->blind_spot = blind_spot;
}

/** What a file system that lies on nothing known here is; the caller frees it. */
static char *blind_spot_of(const struct base *base, const struct mount *mount)
{
	const char *type = mount->type;
	const char *name = type != NULL && text_starts_with(type, "fuse.") ? type + strlen("fuse.") : type;

	switch (base->kind) {
	case BASE_FUSE:
		return xstrdup("FUSE: only its server knows where the bytes go");
	case BASE_NETWORK:
		return xasprintf("%s: only its servers know where the bytes go", name);
	case BASE_HOST:
		return xasprintf("%s: only the host knows where the bytes go", name);
	case BASE_DEVICES:
		return xasprintf("%s: /sys does not show the device", type);
	default:
		break;
	}
	if (type == NULL) {
		return xstrdup("the mount table does not say what it lies on");
	}
	if (strcmp(type, "overlay") == 0) {
		return xstrdup("overlay: where its upper folder lies is not to be seen from here");
	}
	return xasprintf("%s: what it lies on is not to be seen from here", type);
}

/** With the devices followed down: whether they are memory, and whether all could be seen. */
static void judge_leaves(struct storage *storage, const struct descent *descent, enum storage_kind kind)
{
	storage->kind = kind;
	if (descent->ram_leaves == descent->leaves) {
		storage->kind = STORAGE_RAM;
	} else if (descent->unseen > 0) {
		set_unknown(storage, xstrdup("a device beneath it is not to be seen from here"));
	}
}

static void find_devices(struct storage *storage, const char *root, const struct base *base, const struct mount *mount)
{
	struct descent descent = {.storage = storage, .root = root};

	storage->write_copies = descend_base(&descent, base, 1U << STORAGE_TOP, 0).copies;
	judge_leaves(storage, &descent, STORAGE_BLOCK);
	if (mount->type != NULL && strcmp(mount->type, "fuseblk") == 0) {
		/* Such a server opens the device as anybody does. */
		storage->is_served = true;
		if (storage->ram_cache == NULL) {
			storage->ram_cache = xstrdup("the page cache behind its FUSE server");
		}
	}
}

/** The version without what packagers add: "2.1.11" for "2.1.11-1". The caller frees it; NULL where unknown. */
static char *zfs_version_find(const char *root, const char *type)
{
	char *version = NULL;

	if (strcmp(type, "zfs") != 0) {
		return xstrdup("zfs-fuse");
	}
	version = file_read_line(root, "/sys/module/zfs/version");
	if (version != NULL) {
		version[strcspn(version, "-")] = '\0';
	}
	return version;
}

static void find_zfs(struct storage *storage, const char *root, const struct mount *mount, const struct zfs_pool *pool)
{
	struct descent descent = {.storage = storage, .root = root};
	const char *compression = pool != NULL ? zfs_pool_property(pool, "compression") : NULL;

	storage->zfs_version = zfs_version_find(root, mount->type);
	storage->has_compression = compression != NULL && strcmp(compression, "off") != 0;
	if (pool != NULL && descend_pool(&descent, pool)) {
		judge_leaves(storage, &descent, STORAGE_ZFS);
	} else {
		set_unknown(storage, xstrdup("ZFS: zpool did not tell the pool's devices"));
	}
}

static void find_nfs(struct storage *storage, const char *root, const struct mount *mount)
{
	struct link_speed link;

	storage->kind = STORAGE_NFS;
	link_find_network(&link, root, mount);
	storage->network_bytes_per_s = link.bytes_per_s;
	storage->network_link = link.name;
}

bool options_compress(const struct mount *mount)
{
	static const char *const names[] = {"compress", "compress-force", "compress_algorithm", "compression"};
	bool compresses = false;

	/* NTFS and others have the option too, but mean files that are marked. */
	if (mount->type == NULL || (strcmp(mount->type, "btrfs") != 0 && strcmp(mount->type, "f2fs") != 0 &&
								   strcmp(mount->type, "bcachefs") != 0)) {
		return false;
	}
	for (size_t i = 0; !compresses && i < sizeof(names) / sizeof(names[0]); i++) {
		char *value = mount_option_value(mount->super_options, names[i]);

		compresses = mount_has_option(mount->super_options, names[i]) &&
					 (value == NULL || (strcmp(value, "no") != 0 && strcmp(value, "none") != 0));
		free(value);
	}
	return compresses;
}

void storage_find(struct storage *storage, const char *root, const struct mount *mount, unsigned device_major,
	unsigned device_minor, const struct zfs_pool *pool)
{
	const struct mount *lowest;
	struct base base;

	*storage = (struct storage){.write_copies = 1, .write_copies_known = true};
	base_find(&base, root, mount, device_major, device_minor);
	lowest = base_mount(&base, mount);
	storage->file_system = xstrdup(lowest->type);
	storage->has_compression = options_compress(lowest);
	if (base.devices.count > 0) {
		find_devices(storage, root, &base, lowest);
	} else if (base.kind == BASE_ZFS) {
		find_zfs(storage, root, lowest, lowest == mount ? pool : NULL);
	} else if (base.kind == BASE_RAM) {
		storage->kind = STORAGE_RAM;
	} else if (base.kind == BASE_NFS) {
		find_nfs(storage, root, lowest);
	} else if (base.kind == BASE_CIFS) {
		storage->kind = STORAGE_CIFS;
	} else {
		set_unknown(storage, blind_spot_of(&base, lowest));
	}
	base_release(&base);
}

void storage_release(struct storage *storage)
{
	devices_release(storage);
	free(storage->file_system);
	free(storage->ram_cache);
	free(storage->background_work);
	free(storage->zfs_version);
	free(storage->network_link);
	free(storage->blind_spot);
	*storage = (struct storage){0};
}

static bool has_role(const struct storage_device *device, enum storage_role role)
{
	return (device->roles & (1U << role)) != 0;
}

size_t storage_count(const struct storage *storage, enum storage_role role)
{
	size_t count = 0;

	for (size_t i = 0; i < storage->device_count; i++) {
		count += has_role(&storage->devices[i], role);
	}
	return count;
}

char *storage_names(const struct storage *storage, enum storage_role role)
{
	size_t count = storage_count(storage, role);
	struct text names = TEXT_EMPTY;
	size_t named = 0;

	for (size_t i = 0; i < storage->device_count && named < NAMES_LIMIT; i++) {
		if (has_role(&storage->devices[i], role)) {
			text_addf(&names, "%s%s", named > 0 ? ", " : "", storage->devices[i].name);
			named++;
		}
	}
	if (count > named) {
		text_addf(&names, " and %zu more", count - named);
	}
	return names.bytes != NULL ? text_detach(&names) : xstrdup("");
}

unsigned storage_queue_limit(const struct storage *storage)
{
	unsigned limit = 0;

	for (size_t i = 0; i < storage->device_count; i++) {
		const struct storage_device *device = &storage->devices[i];

		if (has_role(device, STORAGE_TOP) && device->queue_limit == 0) {
			return 0;
		}
		limit += has_role(device, STORAGE_TOP) ? device->queue_limit : 0;
	}
	return limit;
}

double storage_link_bytes_per_s(const struct storage *storage)
{
	double bytes_per_s = storage->network_bytes_per_s;

	for (size_t i = 0; i < storage->device_count; i++) {
		const struct storage_device *device = &storage->devices[i];

		if (has_role(device, STORAGE_DISK) && device->link_bytes_per_s <= 0) {
			return 0;
		}
		bytes_per_s += has_role(device, STORAGE_DISK) ? device->link_bytes_per_s : 0;
	}
	return bytes_per_s;
}
