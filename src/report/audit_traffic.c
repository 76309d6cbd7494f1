/* What others moved on the same disks during a run. */
#include <math.h>

#include "scale.h"

/* fmax alone would turn what is unknown into 0. */
static double not_negative(double value)
{
	return isnan(value) || value > 0 ? value : 0;
}

/*
 * Whether the disks read more than was asked for without anybody else: a RAID that lacks a disk or whose layout is not
 * known reads its parity, a cache on a device fetches and writes back whole blocks.
 */
static bool reads_for_itself(const struct storage *storage)
{
	return !storage->write_copies_known || storage->has_device_cache;
}

/* At most what was read before the run as well; a cache reads what it writes back. */
static double idle_reads(const struct scale *scale, enum storage_role role)
{
	double idle = scale_idle(scale, role, COUNTER_READ);

	return scale->storage->has_device_cache ? not_negative(idle - scale_idle(scale, role, COUNTER_WRITTEN)) : idle;
}

static double read_of_read_run(const struct scale *scale, enum storage_role role)
{
	double disk = scale_moved_in_run(scale, role, COUNTER_READ), account = scale_account(scale);
	double own =
		isnan(account) ? fmin(scale_moved_in_run(scale, STORAGE_LEAF, COUNTER_READ), scale->claimed_bytes) : account;
	double excess = not_negative(disk - own);

	if (scale->storage->kind == STORAGE_ZFS) {
		/* It fetches whole records, in threads of its own. */
		return scale_explained(excess, idle_reads(scale, role));
	}
	if (reads_for_itself(scale->storage)) {
		double idle = idle_reads(scale, role);

		return isnan(idle) ? UNKNOWN : fmin(excess, idle);
	}
	return excess;
}

/* Whether the file system writes some of what a run left behind without a cache of its own in between. */
static bool leaves_pages_behind(const struct scale *scale)
{
	const struct report *report = scale->report;

	return scale->storage->ram_cache ||
		   (report->direct == DIRECT_ENABLED && report->direct_verdict.honours[TRANSFER_WRITE] == HONOUR_NO);
}

/* Of what was written while a run read, only what went on before it was surely others'. */
static double written_in_read_run(const struct scale *scale, enum storage_role role)
{
	double disk = scale_moved_in_run(scale, role, COUNTER_WRITTEN);

	if (!leaves_pages_behind(scale)) {
		return disk;
	}
	double idle = scale_idle(scale, role, COUNTER_WRITTEN);
	return isnan(idle) ? UNKNOWN : fmin(disk, idle);
}

/* Where parity, records or trees have to be read first, nobody can tell whose reads they are. */
static double read_in_write_run(const struct scale *scale, enum storage_role role)
{
	static const char *const copies_on_write[] = {"btrfs", "bcachefs", "zfs", "fuse.zfs", NULL};
	bool unknown = reads_for_itself(scale->storage) || scale_is_type(scale->report, copies_on_write);

	return unknown ? UNKNOWN : not_negative(scale_moved_in_run(scale, role, COUNTER_READ) - scale_account(scale));
}

static double written_of_write_run(const struct scale *scale, enum storage_role role)
{
	double disk = scale_moved_in_run(scale, role, COUNTER_WRITTEN);

	return scale_explained(
		disk - scale->claimed_bytes * scale_copies(scale->storage), scale_idle(scale, role, COUNTER_WRITTEN));
}

static double or_nothing(double value)
{
	return isnan(value) ? 0 : value;
}

/* What others moved on the devices of that role. */
struct foreign {
	double read_bytes, written_bytes; /* NAN: unknown */
	double share;                     /* of all bytes; NAN where neither is known */
};

/* On disks beneath a loop all that its device did not ask for is others'. */
static bool is_exact(const struct scale *scale, enum storage_role role)
{
	return role == STORAGE_DISK && scale->storage->is_shared && scale->storage->kind == STORAGE_BLOCK &&
		   !scale->storage->ram_cache;
}

static double beside_top(const struct scale *scale, enum counter counter)
{
	return not_negative(scale_moved_in_run(scale, STORAGE_DISK, counter) -
						scale_moved_in_run(scale, STORAGE_TOP, counter) *
							(counter == COUNTER_WRITTEN ? scale_copies(scale->storage) : 1));
}

static void fill_bytes(struct foreign *foreign, const struct scale *scale, enum storage_role role)
{
	bool late = scale_writes_late(scale->report) || scale->readings->file.journals_data;

	if (is_exact(scale, role)) {
		foreign->read_bytes = beside_top(scale, COUNTER_READ);
		foreign->written_bytes = beside_top(scale, COUNTER_WRITTEN);
	} else if (scale->transfer == TRANSFER_READ) {
		foreign->read_bytes = read_of_read_run(scale, role);
		foreign->written_bytes = late ? UNKNOWN : written_in_read_run(scale, role);
	} else {
		foreign->read_bytes = read_in_write_run(scale, role);
		foreign->written_bytes = late ? UNKNOWN : written_of_write_run(scale, role);
	}
}

/*
 * Of ours only what was asked for counts: what the file system writes beside must not hide others. But the file system
 * that holds a loop's file has its own bookkeeping for all that the loop's device writes.
 */
static double own_bytes(const struct scale *scale, enum storage_role role)
{
	double top = or_nothing(scale_moved_in_run(scale, STORAGE_TOP, COUNTER_READ)) +
				 or_nothing(scale_moved_in_run(scale, STORAGE_TOP, COUNTER_WRITTEN));

	return is_exact(scale, role) ? fmax(top, scale->claimed_bytes) : scale->claimed_bytes;
}

static struct foreign find_foreign(const struct scale *scale, enum storage_role role)
{
	struct foreign foreign = {UNKNOWN, UNKNOWN, UNKNOWN};

	if (scale->storage->kind == STORAGE_BLOCK || scale->storage->kind == STORAGE_ZFS) {
		fill_bytes(&foreign, scale, role);
	}
	if (!isnan(foreign.read_bytes) || !isnan(foreign.written_bytes)) {
		double both = or_nothing(foreign.read_bytes) + or_nothing(foreign.written_bytes);

		foreign.share = both / (both + own_bytes(scale, role));
	}
	return foreign;
}

void audit_fill_foreign(struct audit *audit, const struct scale *scale)
{
	double run_s = scale_elapsed_ns(&scale->readings->before, &scale->readings->after) / NS_PER_SECOND;
	struct foreign foreign = find_foreign(scale, STORAGE_DISK);

	/* The loop device itself has no other users than its file system's, the disks beneath have. */
	if (scale->storage->is_shared && scale->storage->kind == STORAGE_BLOCK) {
		struct foreign on_top = find_foreign(scale, STORAGE_TOP);

		audit->foreign_is_on_top = on_top.share >= FOREIGN_SHARE_MIN;
		foreign = audit->foreign_is_on_top ? on_top : foreign;
	}
	audit->foreign_read_bytes_per_s = foreign.read_bytes / run_s;
	audit->foreign_write_bytes_per_s = foreign.written_bytes / run_s;
	audit->foreign_share = foreign.share;
}
