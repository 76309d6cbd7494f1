/* What was counted beside a run of synchronous writes. */
#include "commits.h"

#include <math.h>
#include <string.h>

#include "scale.h"
#include "support/text.h"

static bool has_role(const struct storage_device *device, enum storage_role role)
{
	return (device->roles & (1U << role)) != 0;
}

/*
 * A log device does not see the test file being laid out, so what it counted in the run itself has to show that it
 * counts at all.
 */
static bool counts(const struct report *report, const struct run_readings *readings, enum storage_role role)
{
	return role == STORAGE_LOG || report->storage.ram_cache ||
		   readings->written_since_watch_bytes[role] >= readings->file.size_bytes / 2;
}

void commits_count(struct commit_counters *counters, const struct report *report, size_t run, enum storage_role role)
{
	const struct run_readings *readings = &report->measurements[run].evidence.readings;
	const struct device_counters *from = &readings->before.devices[role], *to = &readings->after.devices[role];

	*counters = (struct commit_counters){UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN};
	if (storage_count(&report->storage, role) == 0 ||
		!scale_both_know(&readings->before, &readings->after, READING_DEVICES) || !counts(report, readings, role)) {
		return;
	}
	double writes = scale_difference(from->write_requests, to->write_requests);
	if (role != STORAGE_LOG || writes > 0) {
		counters->writes = writes;
		counters->write_ms = scale_difference(from->write_time_ms, to->write_time_ms);
	}
	if (scale_both_know(&readings->before, &readings->after, READING_FLUSHES)) {
		counters->flushes = scale_difference(from->flush_requests, to->flush_requests);
		counters->flush_ms = scale_difference(from->flush_time_ms, to->flush_time_ms);
	}
}

/* Such a device is a whole one, unlike its partitions: "loop0", not "loop0p1". */
static bool is_whole_loop(const char *name)
{
	return text_starts_with(name, "loop") && !strchr(name + strlen("loop"), 'p');
}

enum storage_role commits_flush_role(const struct storage *storage)
{
	bool all_loops = storage->is_shared && storage_count(storage, STORAGE_TOP) > 0;

	for (size_t i = 0; i < storage->device_count; i++) {
		all_loops =
			all_loops && (!has_role(&storage->devices[i], STORAGE_TOP) || is_whole_loop(storage->devices[i].name));
	}
	return all_loops ? STORAGE_TOP : STORAGE_DISK;
}

size_t commits_volatile_count(const struct storage *storage, enum storage_role role)
{
	size_t count = 0;

	for (size_t i = 0; i < storage->device_count; i++) {
		const struct storage_device *device = &storage->devices[i];

		count += has_role(device, role) && device->write_cache == WRITE_CACHE_VOLATILE ? 1 : 0;
	}
	return count;
}

bool commits_have_fua(const struct storage *storage, enum storage_role role)
{
	bool have = commits_volatile_count(storage, role) > 0;

	for (size_t i = 0; i < storage->device_count; i++) {
		const struct storage_device *device = &storage->devices[i];

		have = have && (!has_role(device, role) || device->write_cache != WRITE_CACHE_VOLATILE || device->has_fua);
	}
	return have;
}

/* Behind every other write the file systems send a flush, also to disks that could be written past their cache. */
bool commits_pass_cache(const struct report *report, size_t run, enum storage_role role)
{
	const struct workload *workload = plan_workload(report->plan, run);

	return commits_have_fua(&report->storage, role) && report->measurements[run].evidence.direct &&
		   workload->synchronous && workload->sync_method == SYNC_O_DSYNC;
}

double commits_flushes(const struct report *report, size_t run)
{
	enum storage_role role = commits_flush_role(&report->storage);
	double disks = (double)commits_volatile_count(&report->storage, role);
	struct commit_counters counters;

	commits_count(&counters, report, run, role);
	return disks > 0 ? counters.flushes / report->measurements[run].evidence.commits / disks : UNKNOWN;
}

bool commits_log_is_apart(const struct report *report)
{
	bool apart = storage_count(&report->storage, STORAGE_LOG) > 0;

	for (size_t i = 0; i < report->pool.vdev_count; i++) {
		const struct zfs_vdev *vdev = &report->pool.vdevs[i];

		apart = apart && !(vdev->class == ZFS_LOG && vdev->is_active && zfs_vdev_is_file(vdev));
	}
	return apart;
}

double commits_log_copies(const struct zfs_pool *pool)
{
	double copies = 1;

	for (size_t i = 0; i < pool->vdev_count; i++) {
		const struct zfs_vdev *vdev = &pool->vdevs[i];

		copies = vdev->class == ZFS_LOG && vdev->is_active ? fmax(copies, vdev->copies) : copies;
	}
	return copies;
}

bool commits_sync_is_disabled(const struct report *report)
{
	return zfs_pool_property_is(&report->pool, "sync", "disabled");
}
