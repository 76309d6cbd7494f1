#include "telemetry/reading.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "network.h"
#include "processors.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/text.h"

/* A sector of /sys/.../stat is 512 bytes, whatever the device's own is. */
enum { SECTOR_BYTES = 512, STAT_FIELDS = 11 };

/* The numbers that stand in `text`, at most `limit`; how many there are. */
static size_t take_numbers(const char *text, uint64_t *numbers, size_t limit)
{
	size_t count = 0;

	while (count < limit) {
		char *end = NULL;
		unsigned long long number = strtoull(text, &end, 10);

		if (end == text) {
			break;
		}
		numbers[count++] = number;
		text = end;
	}
	return count;
}

/* Requests, merges, sectors and ms of reads; the same of writes; in flight, ms busy, ms in the queue; later kernels:
 * more. */
static bool take_device(struct device_counters *counters, const char *root, const struct watched_device *device)
{
	struct text line = TEXT_EMPTY;
	uint64_t fields[STAT_FIELDS] = {0};
	size_t count = 0;

	if (file_read(&line, root, "/sys/dev/block/%u:%u/stat", (unsigned)device->major, (unsigned)device->minor)) {
		count = take_numbers(text_string(&line), fields, STAT_FIELDS);
	}
	text_release(&line);
	*counters = (struct device_counters){
		.read_requests = fields[0],
		.read_bytes = fields[2] * SECTOR_BYTES,
		.write_requests = fields[4],
		.written_bytes = fields[6] * SECTOR_BYTES,
		.in_flight = fields[8],
		.queue_time_ms = fields[10],
	};
	return count == STAT_FIELDS;
}

static void add(struct device_counters *sum, const struct device_counters *counters)
{
	sum->read_requests += counters->read_requests;
	sum->read_bytes += counters->read_bytes;
	sum->write_requests += counters->write_requests;
	sum->written_bytes += counters->written_bytes;
	sum->in_flight += counters->in_flight;
	sum->queue_time_ms += counters->queue_time_ms;
}

static bool take_devices(struct reading *reading, const char *root, const struct watch *watch)
{
	for (uint32_t i = 0; i < watch->device_count; i++) {
		struct device_counters counters;

		if (!take_device(&counters, root, &watch->devices[i])) {
			memset(reading->devices, 0, sizeof(reading->devices));
			return false;
		}
		for (unsigned role = 0; role < STORAGE_ROLE_COUNT; role++) {
			if (watch->devices[i].roles & (1U << role)) {
				add(&reading->devices[role], &counters);
			}
		}
	}
	return watch->device_count > 0;
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

/* The number behind a name at the beginning of a line; `name` includes the blank. */
static bool take_named(const char *text, const char *name, unsigned skipped_fields, uint64_t *value)
{
	const char *line = text;

	while (line && !text_starts_with(line, name)) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	if (!line) {
		return false;
	}
	line += strlen(name);
	uint64_t numbers[4] = {0};
	size_t count = take_numbers(line, numbers, skipped_fields + 1);
	*value = numbers[skipped_fields];
	return count == skipped_fields + 1;
}

/* A kstat: a name, blanks, the number of its type, the value. */
static bool take_arc(struct reading *reading, const char *root)
{
	struct text statistics = TEXT_EMPTY;
	bool known = file_read(&statistics, root, "/proc/spl/kstat/zfs/arcstats") &&
				 take_named(text_string(&statistics), "demand_data_hits ", 1, &reading->arc_hits) &&
				 take_named(text_string(&statistics), "demand_data_misses ", 1, &reading->arc_misses);

	text_release(&statistics);
	return known;
}

static bool take_dirtied(struct reading *reading, const char *root)
{
	struct text statistics = TEXT_EMPTY;
	uint64_t pages = 0;
	bool known =
		file_read(&statistics, root, "/proc/vmstat") && take_named(text_string(&statistics), "nr_dirtied ", 0, &pages);

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
	reading->known |= part((parts & READING_DEVICES) != 0 && take_devices(reading, root, watch), READING_DEVICES);
	reading->known |=
		part((parts & READING_NETWORK) != 0 && take_network(reading, root, watch, mount), READING_NETWORK);
	reading->known |= part((parts & READING_ARC) != 0 && watch->arc && take_arc(reading, root), READING_ARC);
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
