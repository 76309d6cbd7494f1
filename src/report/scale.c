/* What the counters moved, and whether that means anything. */
#include "scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double scale_elapsed_ns(const struct reading *from, const struct reading *to)
{
	return from->at_ns != 0 && to->at_ns > from->at_ns ? (double)(to->at_ns - from->at_ns) : UNKNOWN;
}

double scale_difference(uint64_t from, uint64_t to)
{
	return to >= from ? (double)(to - from) : UNKNOWN;
}

bool scale_both_know(const struct reading *from, const struct reading *to, enum reading_part part)
{
	return !isnan(scale_elapsed_ns(from, to)) && reading_both_know(from, to, part);
}

/*
 * Whether the devices count at all: not with queue/iostats 0, and some multipath devices of old kernels never do. They
 * must have seen the test file being written, but where a cache in RAM may have kept it.
 */
static bool counts(const struct scale *scale, enum storage_role role)
{
	const struct run_readings *readings = scale->readings;

	return scale->storage->ram_cache || readings->written_since_watch_bytes[role] >= readings->file.size_bytes / 2;
}

double scale_moved(const struct scale *scale, const struct reading *from, const struct reading *to,
	enum storage_role role, enum counter counter)
{
	const struct device_counters *a = &from->devices[role], *b = &to->devices[role];

	if (!scale_both_know(from, to, READING_DEVICES) || storage_count(scale->storage, role) == 0 ||
		!counts(scale, role)) {
		return UNKNOWN;
	}
	switch (counter) {
	case COUNTER_READ:
		return scale_difference(a->read_bytes, b->read_bytes);
	case COUNTER_WRITTEN:
		return scale_difference(a->written_bytes, b->written_bytes);
	case COUNTER_READ_REQUESTS:
		return scale_difference(a->read_requests, b->read_requests);
	case COUNTER_WRITE_REQUESTS:
		return scale_difference(a->write_requests, b->write_requests);
	default:
		return scale_difference(a->queue_time_ms, b->queue_time_ms);
	}
}

double scale_moved_in_run(const struct scale *scale, enum storage_role role, enum counter counter)
{
	return scale_moved(scale, &scale->readings->before, &scale->readings->after, role, counter);
}

double scale_idle(const struct scale *scale, enum storage_role role, enum counter counter)
{
	const struct run_readings *readings = scale->readings;
	double bytes = scale_moved(scale, &readings->idle, &readings->before, role, counter);
	double idle_ns = scale_elapsed_ns(&readings->idle, &readings->before);
	double run_ns = scale_elapsed_ns(&readings->before, &readings->after);

	return bytes * (run_ns / idle_ns);
}

double scale_account(const struct scale *scale)
{
	const struct process_account *account = &scale->readings->account;

	return scale->storage->kind == STORAGE_BLOCK && !scale->storage->is_served && account->known
			   ? (double)account->read_bytes
			   : UNKNOWN;
}

double scale_copies(const struct storage *storage)
{
	return storage->write_copies_known && storage->write_copies >= 1 ? storage->write_copies : 1;
}

double scale_explained(double excess_bytes, double idle_bytes)
{
	double part = fmin(excess_bytes, idle_bytes);

	if (isnan(excess_bytes) || isnan(idle_bytes)) {
		return UNKNOWN;
	}
	return excess_bytes > 0 && part >= excess_bytes / 2 ? part : 0;
}

static bool is_listed(const char *const *types, const char *type)
{
	while (*types && strcmp(type, *types) != 0) {
		types++;
	}
	return *types;
}

bool scale_is_type(const struct report *report, const char *const *types)
{
	const char *type = report->target->mount.type, *beneath = report->storage.file_system;

	return (type && is_listed(types, type)) || (beneath && is_listed(types, beneath));
}

bool scale_writes_late(const struct report *report)
{
	static const char *const types[] = {"btrfs", "bcachefs", "f2fs", "zfs", "fuse.zfs", NULL};

	return report->storage.kind == STORAGE_ZFS || report->storage.has_device_cache || scale_is_type(report, types);
}
