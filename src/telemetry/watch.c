#include "telemetry/watch.h"

#include <stddef.h>
#include <string.h>

#include "zil.h"

/* What dev_t can hold on Linux. */
enum { MAJOR_LIMIT = 1 << 12, MINOR_LIMIT = 1 << 20 };

static enum watch_network network_of(enum storage_kind kind)
{
	return kind == STORAGE_NFS ? WATCH_NETWORK_NFS : kind == STORAGE_CIFS ? WATCH_NETWORK_CIFS : WATCH_NETWORK_NONE;
}

void watch_init(struct watch *watch, const struct storage *storage)
{
	*watch = (struct watch){.network = network_of(storage->kind), .arc = storage->kind == STORAGE_ZFS ? 1 : 0};
	if (storage->device_count > WATCH_DEVICES_MAX) {
		return;
	}
	for (size_t i = 0; i < storage->device_count; i++) {
		const struct storage_device *device = &storage->devices[i];

		if (device->roles != 0) {
			watch->devices[watch->device_count++] =
				(struct watched_device){.major = device->major, .minor = device->minor, .roles = device->roles};
		}
	}
}

void watch_find_log(struct watch *watch, const char *root, const struct mount *mount)
{
	bool is_zfs = mount->type && mount->source && strcmp(mount->type, "zfs") == 0;

	watch->objset = watch->arc && is_zfs ? zil_find_objset(root, mount->source) : 0;
}

int watch_is_sane(const struct watch *watch)
{
	if (watch->device_count > WATCH_DEVICES_MAX || watch->network > WATCH_NETWORK_CIFS || watch->arc > 1) {
		return 0;
	}
	for (uint32_t i = 0; i < watch->device_count; i++) {
		const struct watched_device *device = &watch->devices[i];

		if (device->roles == 0 || device->roles >= 1U << STORAGE_ROLE_COUNT || device->major >= MAJOR_LIMIT ||
			device->minor >= MINOR_LIMIT) {
			return 0;
		}
	}
	return 1;
}
