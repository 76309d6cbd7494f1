#include "telemetry/reading.h"

#include <string.h>
#include <unistd.h>

#include "network.h"
#include "numbers.h"
#include "processors.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/text.h"
#include "zil.h"

enum {
	SECTOR_BYTES = 512, /* of /sys/.../stat, whatever the device's own is */
	FIELDS_LEAST = 11,
	FIELDS_WITH_FLUSHES = 17,
};

/*
 * Requests, merges, sectors and ms of reads; the same of writes; in flight, ms busy, ms in the queue; of later kernels
 * the first four of discards, and requests and ms of flushes. How many of these there are; 0: it cannot be read.
 */
static size_t take_device(struct device_counters *counters, const char *root, const struct watched_device *device)
{
	struct text line = TEXT_EMPTY;
	uint64_t fields[FIELDS_WITH_FLUSHES] = {0};
	size_t count = 0;

	if (file_read(&line, root, "/sys/dev/block/%u:%u/stat", (unsigned)device->major, (unsigned)device->minor)) {
		count = numbers_take(text_string(&line), fields, FIELDS_WITH_FLUSHES);
	}
	text_release(&line);
	*counters = (struct device_counters){
		.read_requests = fields[0],
		.read_bytes = fields[2] * SECTOR_BYTES,
		.write_requests = fields[4],
		.written_bytes = fields[6] * SECTOR_BYTES,
		.in_flight = fields[8],
		.queue_time_ms = fields[10],
		.write_time_ms = fields[7],
		.flush_requests = fields[15],
		.flush_time_ms = fields[16],
	};
	return count;
}

static void add(struct device_counters *sum, const struct device_counters *counters)
{
	sum->read_requests += counters->read_requests;
	sum->read_bytes += counters->read_bytes;
	sum->write_requests += counters->write_requests;
	sum->written_bytes += counters->written_bytes;
	sum->in_flight += counters->in_flight;
	sum->queue_time_ms += counters->queue_time_ms;
	sum->write_time_ms += counters->write_time_ms;
	sum->flush_requests += counters->flush_requests;
	sum->flush_time_ms += counters->flush_time_ms;
}

/* Flushes that one of them does not count leave the others' without meaning. */
static void forget_flushes(struct reading *reading)
{
	for (unsigned role = 0; role < STORAGE_ROLE_COUNT; role++) {
		reading->devices[role].flush_requests = 0;
		reading->devices[role].flush_time_ms = 0;
	}
}

/* The bits of what is known now. */
static uint32_t take_devices(struct reading *reading, const char *root, const struct watch *watch)
{
	bool has_flushes = true;

	for (uint32_t i = 0; i < watch->device_count; i++) {
		struct device_counters counters;
		size_t fields = take_device(&counters, root, &watch->devices[i]);

		if (fields < FIELDS_LEAST) {
			memset(reading->devices, 0, sizeof(reading->devices));
			return 0;
		}
		has_flushes = has_flushes && fields >= FIELDS_WITH_FLUSHES;
		for (unsigned role = 0; role < STORAGE_ROLE_COUNT; role++) {
			if (watch->devices[i].roles & (1U << role)) {
				add(&reading->devices[role], &counters);
			}
		}
	}
	if (!has_flushes) {
		forget_flushes(reading);
	}
	return watch->device_count == 0 ? 0 : has_flushes ? READING_DEVICES | READING_FLUSHES : READING_DEVICES;
}

static bool take_network(
	struct reading *reading, const char *root, const struct watch *watch, const struct mount *mount)
{
	struct network_counters counters;
	bool known = network_counters_take(&counters, root, (enum watch_network)watch->network, mount);

	reading->network_read_bytes = known ? counters.read_bytes : 0;
	reading->network_written_bytes = known ? counters.written_bytes : 0;
	return known;
}

/* A kstat: a name, blanks, the number of its type, the value. */
static bool take_arc(struct reading *reading, const char *root)
{
	struct text statistics = TEXT_EMPTY;
	bool known = file_read(&statistics, root, "/proc/spl/kstat/zfs/arcstats") &&
				 numbers_named(text_string(&statistics), "demand_data_hits ", 1, &reading->arc_hits) &&
				 numbers_named(text_string(&statistics), "demand_data_misses ", 1, &reading->arc_misses);

	text_release(&statistics);
	return known;
}

/* The dataset's own where the watch knows them. zfs-fuse has none, and those of the kernel's ZFS are not its. */
static bool take_zil(struct reading *reading, const char *root, const struct watch *watch, const struct mount *mount)
{
	bool known = false;

	if (mount && mount->type && mount->source && strcmp(mount->type, "zfs") == 0) {
		reading->zil_is_dataset = watch->objset != 0 ? 1 : 0;
		known = watch->objset != 0 ? zil_take_dataset(&reading->zil, root, mount->source, watch->objset)
								   : zil_take_all(&reading->zil, root);
	}
	if (!known) {
		reading->zil = (struct zil_counters){.commits = 0};
		reading->zil_is_dataset = 0;
	}
	return known;
}

static bool take_dirtied(struct reading *reading, const char *root)
{
	struct text statistics = TEXT_EMPTY;
	uint64_t pages = 0;
	bool known = file_read(&statistics, root, "/proc/vmstat") &&
				 numbers_named(text_string(&statistics), "nr_dirtied ", 0, &pages);

	reading->dirtied_bytes = known ? pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
	text_release(&statistics);
	return known;
}

static uint32_t part(bool known, enum reading_part bit)
{
	return known ? (uint32_t)bit : 0;
}

void reading_take(
	struct reading *reading, unsigned parts, const char *root, const struct watch *watch, const struct mount *mount)
{
	struct processor_counters processors;

	*reading = (struct reading){.at_ns = clock_now_ns()};
	/* The devices first: closest to the instant, and nothing else here moves so fast. */
	reading->known |= (parts & READING_DEVICES) != 0 ? take_devices(reading, root, watch) : 0;
	reading->known |=
		part((parts & READING_NETWORK) != 0 && take_network(reading, root, watch, mount), READING_NETWORK);
	reading->known |= part((parts & READING_ARC) != 0 && watch->arc && take_arc(reading, root), READING_ARC);
	reading->known |=
		part((parts & READING_ZIL) != 0 && watch->arc && take_zil(reading, root, watch, mount), READING_ZIL);
	reading->known |= part((parts & READING_DIRTIED) != 0 && take_dirtied(reading, root), READING_DIRTIED);
	if ((parts & READING_PROCESSORS) != 0 && processors_take(&processors, root)) {
		reading->known |= READING_PROCESSORS;
		reading->processors = processors.count;
		reading->processor_busy_ticks = processors.busy_ticks;
		reading->processor_all_ticks = processors.all_ticks;
	}
	reading->known |=
		part((parts & READING_QUOTA) != 0 && quota_take(&reading->quota_throttled_us, root), READING_QUOTA);
}

bool reading_both_know(const struct reading *from, const struct reading *to, unsigned parts)
{
	return (from->known & to->known & parts) != 0;
}

uint64_t reading_grown(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}
