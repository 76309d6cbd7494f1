#include "report/evidence.h"

#include <math.h>
#include <stdlib.h>

#include "checks.h"
#include "support/memory.h"

#define UNKNOWN ((double)NAN)
#define NS_PER_SECOND 1e9
#define NS_PER_MILLISECOND 1e6

/* A shorter stretch than this says nothing of a mean. */
#define STEADY_MIN_NS 2e8
/* A direction of which more than so many bytes were fetched for each byte claimed reads whole records for parts. */
#define RECORD_READS 1.5

/* Which of a device's counters. */
enum counter { COUNTER_READ, COUNTER_WRITTEN, COUNTER_QUEUE_TIME };

/* The run's readings, and what they are held against. */
struct scale {
	const struct run_readings *readings;
	const struct storage *storage;
	double claimed_bytes;
};

/* Nanoseconds between two readings; NAN where one is missing or they are not in order. */
static double elapsed_ns(const struct reading *from, const struct reading *to)
{
	return from->at_ns != 0 && to->at_ns > from->at_ns ? (double)(to->at_ns - from->at_ns) : UNKNOWN;
}

/* How far a counter went; one that goes backwards was reset, and tells nothing. */
static double difference(uint64_t from, uint64_t to)
{
	return to >= from ? (double)(to - from) : UNKNOWN;
}

static bool both_know(const struct reading *from, const struct reading *to, enum reading_part part)
{
	return !isnan(elapsed_ns(from, to)) && (from->known & to->known & (uint32_t)part) != 0;
}

/*
 * Whether the devices count at all: not with queue/iostats 0, and some multipath devices of old kernels never do. They
 * must have seen the test file being written, but where a cache in RAM may have kept it.
 */
static bool counts(const struct scale *scale, enum storage_role role)
{
	const struct run_readings *readings = scale->readings;
	const struct reading *last = readings->flushed.at_ns != 0 ? &readings->flushed : &readings->after;

	return scale->storage->ram_cache || last->devices[role].written_bytes >= readings->file.size_bytes / 2;
}

static double moved(const struct scale *scale, const struct reading *from, const struct reading *to,
	enum storage_role role, enum counter counter)
{
	const struct device_counters *a = &from->devices[role], *b = &to->devices[role];

	if (!both_know(from, to, READING_DEVICES) || storage_count(scale->storage, role) == 0 || !counts(scale, role)) {
		return UNKNOWN;
	}
	switch (counter) {
	case COUNTER_READ:
		return difference(a->read_bytes, b->read_bytes);
	case COUNTER_WRITTEN:
		return difference(a->written_bytes, b->written_bytes);
	default:
		return difference(a->queue_time_ms, b->queue_time_ms);
	}
}

static double moved_in_run(const struct scale *scale, enum storage_role role, enum counter counter)
{
	return moved(scale, &scale->readings->before, &scale->readings->after, role, counter);
}

/* What would have moved during the run at the rate of the idle stretch before it; 0 where that is unknown. */
static double expected_idle(const struct scale *scale, enum storage_role role, enum counter counter)
{
	const struct run_readings *readings = scale->readings;
	double bytes = moved(scale, &readings->idle, &readings->before, role, counter);
	double idle_ns = elapsed_ns(&readings->idle, &readings->before);
	double run_ns = elapsed_ns(&readings->before, &readings->after);

	return isnan(bytes) || isnan(idle_ns) || isnan(run_ns) ? 0 : bytes * (run_ns / idle_ns);
}

/* What of an excess was others' traffic: what the idle rate explains, if that is most of it. */
static double explained(double excess_bytes, double idle_bytes)
{
	double part = fmin(excess_bytes, idle_bytes);

	if (isnan(excess_bytes)) {
		return UNKNOWN;
	}
	return excess_bytes > 0 && part >= excess_bytes / 2 ? part : 0;
}

/* fmax alone would turn what is unknown into 0. */
static double not_negative(double value)
{
	return isnan(value) || value > 0 ? value : 0;
}

static double write_copies(const struct storage *storage)
{
	return storage->write_copies_known && storage->write_copies >= 1 ? storage->write_copies : 1;
}

/* What the process itself is said to have fetched; only above block devices does the kernel keep that account. */
static double account_read(const struct scale *scale)
{
	const struct process_account *account = &scale->readings->account;

	return scale->storage->kind == STORAGE_BLOCK && !scale->storage->is_served && account->known
			   ? (double)account->read_bytes
			   : UNKNOWN;
}

/* With ZFS a part of a record fetches the whole of it, so bytes cannot tell how many reads were served from RAM. */
static double arc_share(const struct scale *scale, const struct workload *workload)
{
	const struct reading *before = &scale->readings->before, *after = &scale->readings->after;

	if (!both_know(before, after, READING_ARC) || workload->block_size_bytes == 0) {
		return UNKNOWN;
	}
	double reads = scale->claimed_bytes / (double)workload->block_size_bytes;

	return difference(before->arc_misses, after->arc_misses) / reads;
}

static double share_from_device(const struct scale *scale, const struct workload *workload)
{
	double top = moved_in_run(scale, STORAGE_TOP, COUNTER_READ) / scale->claimed_bytes;
	double leaf = moved_in_run(scale, STORAGE_LEAF, COUNTER_READ) / scale->claimed_bytes;
	double account = account_read(scale) / scale->claimed_bytes;
	double least = isnan(top) || isnan(leaf) ? UNKNOWN : fmin(top, leaf);

	if (top < SHARE_NOTHING && account >= SHARE_WHOLE) {
		return UNKNOWN; /* sent to a device that counts nothing (queue/iostats 0) */
	}
	if (isnan(least)) {
		return UNKNOWN;
	}
	if (scale->storage->kind == STORAGE_ZFS && least > RECORD_READS) {
		least = fmin(least, arc_share(scale, workload));
	}
	return fmin(least, account);
}

/* A log on one device holds one copy of what the pool stores in several. */
static bool leaves_hold_all_copies(const struct storage *storage)
{
	return storage->kind != STORAGE_ZFS || storage_count(storage, STORAGE_LOG) == 0;
}

static double share_written(const struct scale *scale, const struct reading *from, const struct reading *to)
{
	double copies = leaves_hold_all_copies(scale->storage) ? write_copies(scale->storage) : 1;
	double top = moved(scale, from, to, STORAGE_TOP, COUNTER_WRITTEN);
	double leaf = moved(scale, from, to, STORAGE_LEAF, COUNTER_WRITTEN);

	return isnan(top) || isnan(leaf) ? UNKNOWN : fmin(top, leaf / copies) / scale->claimed_bytes;
}

static double share_flushed_later(const struct scale *scale)
{
	const struct reading *after = &scale->readings->after, *flushed = &scale->readings->flushed;
	double top = moved(scale, after, flushed, STORAGE_TOP, COUNTER_WRITTEN);
	double leaf = moved(scale, after, flushed, STORAGE_LEAF, COUNTER_WRITTEN);

	return fmax(top, leaf / write_copies(scale->storage)) / scale->claimed_bytes;
}

/* Disks that are shared with another file system write for that one, too: there the top has to do. */
static double share_written_copies(const struct scale *scale)
{
	enum storage_role role = scale->storage->is_shared ? STORAGE_TOP : STORAGE_LEAF;
	double written = moved_in_run(scale, role, COUNTER_WRITTEN);
	double excess = written - scale->claimed_bytes * write_copies(scale->storage);

	return (written - explained(excess, expected_idle(scale, role, COUNTER_WRITTEN))) / scale->claimed_bytes;
}

static double share_network(const struct scale *scale, enum transfer transfer)
{
	const struct reading *before = &scale->readings->before, *after = &scale->readings->after;

	if (!both_know(before, after, READING_NETWORK)) {
		return UNKNOWN;
	}
	return (transfer == TRANSFER_READ ? difference(before->network_read_bytes, after->network_read_bytes)
									  : difference(before->network_written_bytes, after->network_written_bytes)) /
		   scale->claimed_bytes;
}

static double share_network_flushed(const struct scale *scale)
{
	const struct reading *after = &scale->readings->after, *flushed = &scale->readings->flushed;

	return both_know(after, flushed, READING_NETWORK)
			   ? difference(after->network_written_bytes, flushed->network_written_bytes) / scale->claimed_bytes
			   : UNKNOWN;
}

static void fill_bytes(
	struct audit *audit, const struct scale *scale, const struct workload *workload, enum transfer transfer)
{
	const struct reading *before = &scale->readings->before, *after = &scale->readings->after;
	bool is_read = transfer == TRANSFER_READ;

	switch (scale->storage->kind) {
	case STORAGE_BLOCK:
	case STORAGE_ZFS:
		audit->from_device = is_read ? share_from_device(scale, workload) : UNKNOWN;
		audit->on_device = is_read ? UNKNOWN : share_written(scale, before, after);
		audit->flushed_later = is_read ? UNKNOWN : share_flushed_later(scale);
		audit->written_copies = is_read ? UNKNOWN : share_written_copies(scale);
		break;
	case STORAGE_NFS:
	case STORAGE_CIFS:
		audit->from_device = is_read ? share_network(scale, transfer) : UNKNOWN;
		audit->on_device = is_read ? UNKNOWN : share_network(scale, transfer);
		audit->flushed_later = is_read ? UNKNOWN : share_network_flushed(scale);
		break;
	case STORAGE_RAM:
		audit->from_device = is_read ? 0 : UNKNOWN;
		audit->on_device = is_read ? UNKNOWN : 0;
		break;
	case STORAGE_UNKNOWN:
		break;
	}
	if (!is_read && both_know(before, after, READING_DIRTIED)) {
		audit->page_cache = difference(before->dirtied_bytes, after->dirtied_bytes) / scale->claimed_bytes;
	}
}

/* Reads that others made on the disks while the run read. */
static double foreign_read_of_read_run(const struct scale *scale)
{
	double disk = moved_in_run(scale, STORAGE_DISK, COUNTER_READ);
	double account = account_read(scale);
	double excess = disk - fmin(moved_in_run(scale, STORAGE_LEAF, COUNTER_READ), scale->claimed_bytes);

	if (!isnan(account)) {
		return not_negative(disk - account);
	}
	/* ZFS fetches records in threads of its own. */
	return scale->storage->kind == STORAGE_ZFS ? explained(excess, expected_idle(scale, STORAGE_DISK, COUNTER_READ))
											   : not_negative(excess);
}

/* Writes on the disks while the run read; some storage writes late, or because it is read. */
static double foreign_write_of_read_run(const struct scale *scale)
{
	double disk = moved_in_run(scale, STORAGE_DISK, COUNTER_WRITTEN);

	return scale->storage->kind == STORAGE_ZFS || scale->storage->has_device_cache
			   ? fmin(disk, expected_idle(scale, STORAGE_DISK, COUNTER_WRITTEN))
			   : disk;
}

/* Reads while the run wrote: where parity or records have to be read first, nobody can tell whose they are. */
static double foreign_read_of_write_run(const struct scale *scale)
{
	double foreign = moved_in_run(scale, STORAGE_DISK, COUNTER_READ) - account_read(scale);

	return scale->storage->write_copies_known && !scale->storage->has_device_cache ? not_negative(foreign) : UNKNOWN;
}

static double foreign_write_of_write_run(const struct scale *scale)
{
	double disk = moved_in_run(scale, STORAGE_DISK, COUNTER_WRITTEN);
	double excess = disk - scale->claimed_bytes * write_copies(scale->storage);

	return explained(excess, expected_idle(scale, STORAGE_DISK, COUNTER_WRITTEN));
}

static double or_nothing(double value)
{
	return isnan(value) ? 0 : value;
}

static void fill_foreign(struct audit *audit, const struct scale *scale, enum transfer transfer)
{
	bool is_read = transfer == TRANSFER_READ;
	double run_s = elapsed_ns(&scale->readings->before, &scale->readings->after) / NS_PER_SECOND;
	double all = moved_in_run(scale, STORAGE_DISK, COUNTER_READ) + moved_in_run(scale, STORAGE_DISK, COUNTER_WRITTEN);

	if (isnan(all) || (scale->storage->kind != STORAGE_BLOCK && scale->storage->kind != STORAGE_ZFS)) {
		return;
	}
	double read = is_read ? foreign_read_of_read_run(scale) : foreign_read_of_write_run(scale);
	double written = is_read ? foreign_write_of_read_run(scale) : foreign_write_of_write_run(scale);
	double foreign = or_nothing(read) + or_nothing(written);

	audit->foreign_read_bytes_per_s = read / run_s;
	audit->foreign_write_bytes_per_s = written / run_s;
	audit->idle_write_bytes_per_s = expected_idle(scale, STORAGE_DISK, COUNTER_WRITTEN) / run_s;
	/* A run served from RAM leaves the disks to others: their share of nothing would be all. */
	audit->foreign_share = foreign / fmax(all, foreign + scale->claimed_bytes);
}

/* The mean number of requests in flight; not where a wait outside the device's sight stands before it. */
static double steady_depth(const struct scale *scale)
{
	const struct reading *begin = &scale->readings->steady_begin, *end = &scale->readings->steady_end;
	double steady_ns = elapsed_ns(begin, end);

	if (scale->storage->kind != STORAGE_BLOCK || scale->storage->is_throttled || !(steady_ns >= STEADY_MIN_NS)) {
		return UNKNOWN;
	}
	return moved(scale, begin, end, STORAGE_TOP, COUNTER_QUEUE_TIME) / (steady_ns / NS_PER_MILLISECOND);
}

static double share_busy(const struct reading *from, const struct reading *to)
{
	if (!both_know(from, to, READING_PROCESSORS) || to->processor_all_ticks <= from->processor_all_ticks) {
		return UNKNOWN;
	}
	return difference(from->processor_busy_ticks, to->processor_busy_ticks) /
		   difference(from->processor_all_ticks, to->processor_all_ticks);
}

static void fill_processors(struct audit *audit, const struct run_readings *readings)
{
	const struct reading *before = &readings->before, *after = &readings->after;

	audit->processors_busy = share_busy(&readings->steady_begin, &readings->steady_end);
	if (isnan(audit->processors_busy)) {
		audit->processors_busy = share_busy(before, after);
	}
	if (both_know(before, after, READING_PROCESSORS)) {
		audit->processor_count = before->processors;
	}
	if (both_know(before, after, READING_QUOTA) && before->processors > 0) {
		/* Added up over the processors. */
		audit->quota_wait = difference(before->quota_throttled_us, after->quota_throttled_us) * 1000 /
							(elapsed_ns(before, after) * before->processors);
	}
}

void audit_make(struct audit *audit, const struct evidence *evidence, const struct storage *storage,
	const struct workload *workload, enum transfer transfer)
{
	struct scale scale = {
		.readings = &evidence->readings, .storage = storage, .claimed_bytes = evidence->claimed_bytes};

	*audit = (struct audit){.from_device = UNKNOWN,
		.on_device = UNKNOWN,
		.flushed_later = UNKNOWN,
		.written_copies = UNKNOWN,
		.page_cache = UNKNOWN,
		.foreign_read_bytes_per_s = UNKNOWN,
		.foreign_write_bytes_per_s = UNKNOWN,
		.idle_write_bytes_per_s = UNKNOWN,
		.foreign_share = UNKNOWN,
		.queue_depth = UNKNOWN,
		.processors_busy = UNKNOWN,
		.quota_wait = UNKNOWN};
	if (!evidence->present) {
		return;
	}
	audit->queue_depth = steady_depth(&scale);
	fill_processors(audit, &evidence->readings);
	if (evidence->claimed_bytes >= 1 && isfinite(evidence->claimed_bytes)) {
		fill_bytes(audit, &scale, workload, transfer);
		fill_foreign(audit, &scale, transfer);
	}
}

double audit_moved(const struct audit *audit, enum transfer transfer)
{
	return transfer == TRANSFER_READ ? audit->from_device : audit->on_device;
}

char *audit_describe(const struct audit *audit, const struct storage *storage, enum transfer transfer)
{
	double moved_share = audit_moved(audit, transfer);
	double percent = floor(moved_share * 100 + 1e-6);
	bool is_read = transfer == TRANSFER_READ;

	if (storage->kind == STORAGE_RAM) {
		return xstrdup("RAM by definition");
	}
	if (isnan(moved_share)) {
		return xstrdup("unknown");
	}
	if (moved_share < SHARE_NOTHING) {
		return xasprintf(
			is_read ? "from RAM: %.0f %% came from the device" : "in RAM: %.0f %% reached the device", percent);
	}
	if (moved_share < SHARE_WHOLE) {
		return xasprintf("mixed %.0f %%", percent);
	}
	if (audit->written_copies >= AMPLIFIED_FROM * write_copies(storage)) {
		return xasprintf("written %.1fx (amplification)", audit->written_copies);
	}
	return xasprintf(is_read ? "from the device %.0f %%" : "to the device %.0f %%", percent);
}
