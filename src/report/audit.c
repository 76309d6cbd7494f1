/* From the readings to shares. */
#include "report/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "scale.h"
#include "support/memory.h"

#define US_PER_SECOND 1e6

/* A direction of which more than so many bytes were fetched for each byte claimed reads whole records for parts. */
#define RECORD_READS 1.5
/* Of a shorter time the processors' ticks, hundredths of a second, tell nothing. */
#define BUSY_MIN_NS 2e8

bool uses_dax(const struct report *report)
{
	const char *lists[] = {report->target->mount.options, report->target->mount.super_options};
	bool found = false;

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]) && !found; i++) {
		char *mode = lists[i] ? mount_option_value(lists[i], "dax") : NULL;

		found = lists[i] && mount_has_option(lists[i], "dax") && (!mode || strcmp(mode, "always") == 0);
		free(mode);
	}
	return found;
}

/*
 * With ZFS a part of a record fetches the whole of it, so bytes cannot tell how many reads were served from RAM. What
 * goes around the ARC is neither found in it nor missed.
 */
static double arc_share(const struct scale *scale)
{
	const struct reading *before = &scale->readings->before, *after = &scale->readings->after;

	if (!scale_both_know(before, after, READING_ARC) || scale->workload->block_size_bytes == 0) {
		return UNKNOWN;
	}
	double reads = scale->claimed_bytes / (double)scale->workload->block_size_bytes;
	double missed = scale_difference(before->arc_misses, after->arc_misses) / reads;
	double found = scale_difference(before->arc_hits, after->arc_hits) / reads;

	return isnan(missed) || isnan(found) ? UNKNOWN : fmax(missed, 1 - found);
}

/* Others' reads are found in the ARC, too. */
static bool goes_around_arc(const struct scale *scale)
{
	return scale->evidence->direct && scale->report->direct_verdict.honours[TRANSFER_READ] == HONOUR_YES;
}

static double share_from_device(const struct scale *scale)
{
	double top = scale_moved_in_run(scale, STORAGE_TOP, COUNTER_READ) / scale->claimed_bytes;
	double leaf = scale_moved_in_run(scale, STORAGE_LEAF, COUNTER_READ) / scale->claimed_bytes;
	double account = scale_account(scale) / scale->claimed_bytes;
	double least = isnan(top) || isnan(leaf) ? UNKNOWN : fmin(top, leaf);

	if (top < SHARE_NOTHING && account >= SHARE_WHOLE) {
		return UNKNOWN; /* sent to a device that counted the laying out, and counts no more (queue/iostats 0) */
	}
	if (isnan(least)) {
		return UNKNOWN;
	}
	if (scale->storage->kind == STORAGE_ZFS && least > RECORD_READS && !goes_around_arc(scale)) {
		least = fmin(least, arc_share(scale));
	}
	return fmin(least, account);
}

/* A log on one device holds one copy of what the pool stores in several. */
static bool leaves_hold_all_copies(const struct storage *storage)
{
	return storage->kind != STORAGE_ZFS || storage_count(storage, STORAGE_LOG) == 0;
}

static double share_written(const struct scale *scale)
{
	double copies = leaves_hold_all_copies(scale->storage) ? scale_copies(scale->storage) : 1;
	double top = scale_moved_in_run(scale, STORAGE_TOP, COUNTER_WRITTEN);
	double leaf = scale_moved_in_run(scale, STORAGE_LEAF, COUNTER_WRITTEN);

	return isnan(top) || isnan(leaf) ? UNKNOWN : fmin(top, leaf / copies) / scale->claimed_bytes;
}

static double share_flushed_later(const struct scale *scale)
{
	const struct reading *after = &scale->readings->after, *flushed = &scale->readings->flushed;
	double top = scale_moved(scale, after, flushed, STORAGE_TOP, COUNTER_WRITTEN);
	double leaf = scale_moved(scale, after, flushed, STORAGE_LEAF, COUNTER_WRITTEN);

	/* Disks that are shared with another file system write for that one, too: there the top has to do. */
	return (scale->storage->is_shared ? top : fmax(top, leaf / scale_copies(scale->storage))) / scale->claimed_bytes;
}

/* Whether some of what a ramp wrote may have waited in RAM, to be written beside the run's own bytes. */
static bool has_ramps_rest(const struct scale *scale)
{
	bool past_ram = scale->evidence->direct && scale->report->direct_verdict.honours[TRANSFER_WRITE] == HONOUR_YES;

	return scale->report->plan->ramp_s > 0 && !past_ram;
}

/* The same holds for what the disks wrote beside. */
static double share_written_copies(const struct scale *scale)
{
	if (has_ramps_rest(scale)) {
		return UNKNOWN;
	}
	enum storage_role role = scale->storage->is_shared ? STORAGE_TOP : STORAGE_LEAF;
	double written = scale_moved_in_run(scale, role, COUNTER_WRITTEN);
	double excess = written - scale->claimed_bytes * scale_copies(scale->storage);
	double others = scale_explained(excess, scale_idle(scale, role, COUNTER_WRITTEN));

	return (isnan(others) || scale_writes_late(scale->report) ? written : written - others) / scale->claimed_bytes;
}

static double share_network(const struct scale *scale)
{
	const struct reading *before = &scale->readings->before, *after = &scale->readings->after;

	if (!scale_both_know(before, after, READING_NETWORK)) {
		return UNKNOWN;
	}
	return (scale->transfer == TRANSFER_READ
				   ? scale_difference(before->network_read_bytes, after->network_read_bytes)
				   : scale_difference(before->network_written_bytes, after->network_written_bytes)) /
		   scale->claimed_bytes;
}

static double share_network_flushed(const struct scale *scale)
{
	const struct reading *after = &scale->readings->after, *flushed = &scale->readings->flushed;

	return scale_both_know(after, flushed, READING_NETWORK)
			   ? scale_difference(after->network_written_bytes, flushed->network_written_bytes) / scale->claimed_bytes
			   : UNKNOWN;
}

static void fill_read_bytes(struct audit *audit, const struct scale *scale)
{
	switch (scale->storage->kind) {
	case STORAGE_BLOCK:
	case STORAGE_ZFS:
		audit->from_device = share_from_device(scale);
		break;
	case STORAGE_NFS:
	case STORAGE_CIFS:
		audit->from_device = share_network(scale);
		break;
	case STORAGE_RAM:
		audit->from_device = 0;
		break;
	case STORAGE_UNKNOWN:
		break;
	}
}

static void fill_written_bytes(struct audit *audit, const struct scale *scale)
{
	const struct reading *before = &scale->readings->before, *after = &scale->readings->after;

	switch (scale->storage->kind) {
	case STORAGE_BLOCK:
	case STORAGE_ZFS:
		audit->on_device = share_written(scale);
		audit->flushed_later = share_flushed_later(scale);
		audit->written_copies = share_written_copies(scale);
		break;
	case STORAGE_NFS:
	case STORAGE_CIFS:
		audit->on_device = share_network(scale);
		audit->flushed_later = share_network_flushed(scale);
		break;
	case STORAGE_RAM:
		audit->on_device = 0;
		break;
	case STORAGE_UNKNOWN:
		break;
	}
	if (scale_both_know(before, after, READING_DIRTIED)) {
		audit->page_cache = scale_difference(before->dirtied_bytes, after->dirtied_bytes) / scale->claimed_bytes;
	}
}

static void fill_bytes(struct audit *audit, const struct scale *scale)
{
	if (scale->transfer == TRANSFER_READ) {
		fill_read_bytes(audit, scale);
	} else {
		fill_written_bytes(audit, scale);
	}
	if (scale->storage->kind != STORAGE_RAM && (scale->storage->hides_cache || uses_dax(scale->report))) {
		audit->from_device = audit->on_device = audit->written_copies = UNKNOWN;
	}
}

static double share_busy(const struct reading *from, const struct reading *to)
{
	if (!scale_both_know(from, to, READING_PROCESSORS) || to->processor_all_ticks <= from->processor_all_ticks ||
		scale_elapsed_ns(from, to) < BUSY_MIN_NS) {
		return UNKNOWN;
	}
	return scale_difference(from->processor_busy_ticks, to->processor_busy_ticks) /
		   scale_difference(from->processor_all_ticks, to->processor_all_ticks);
}

/* The wait is added up over the processors that had something to run. */
static double share_quota_wait(const struct scale *scale)
{
	const struct reading *before = &scale->readings->before, *after = &scale->readings->after;
	double jobs = fmax(scale->workload->jobs, 1);

	if (!scale_both_know(before, after, READING_QUOTA) || before->processors == 0) {
		return UNKNOWN;
	}
	return scale_difference(before->quota_throttled_us, after->quota_throttled_us) / US_PER_SECOND /
		   (scale_elapsed_ns(before, after) / NS_PER_SECOND * fmin(before->processors, jobs));
}

static void fill_processors(struct audit *audit, const struct scale *scale)
{
	const struct run_readings *readings = scale->readings;

	audit->processors_busy = share_busy(&readings->steady_begin, &readings->steady_end);
	if (isnan(audit->processors_busy)) {
		audit->processors_busy = share_busy(&readings->before, &readings->after);
	}
	if (scale_both_know(&readings->before, &readings->after, READING_PROCESSORS)) {
		audit->processor_count = readings->before.processors;
	}
	audit->quota_wait = share_quota_wait(scale);
}

void audit_make(struct audit *audit, const struct report *report, size_t run)
{
	const struct evidence *evidence = &report->measurements[run].evidence;
	struct scale scale = {.report = report,
		.storage = &report->storage,
		.workload = plan_workload(report->plan, run),
		.transfer = report->plan->runs[run].transfer,
		.evidence = evidence,
		.readings = &evidence->readings,
		.claimed_bytes = evidence->claimed_bytes};

	*audit = (struct audit){.from_device = UNKNOWN,
		.on_device = UNKNOWN,
		.flushed_later = UNKNOWN,
		.written_copies = UNKNOWN,
		.page_cache = UNKNOWN,
		.foreign_read_bytes_per_s = UNKNOWN,
		.foreign_write_bytes_per_s = UNKNOWN,
		.foreign_share = UNKNOWN,
		.queue_depth = UNKNOWN,
		.steady_blocks = UNKNOWN,
		.processors_busy = UNKNOWN,
		.quota_wait = UNKNOWN};
	if (!evidence->present) {
		return;
	}
	fill_processors(audit, &scale);
	if (evidence->claimed_bytes >= 1 && isfinite(evidence->claimed_bytes)) {
		fill_bytes(audit, &scale);
		audit_fill_depth(audit, &scale);
		audit_fill_foreign(audit, &scale);
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
	if (audit->written_copies >= AMPLIFIED_FROM * scale_copies(storage)) {
		return xasprintf("written %.1fx (amplification)", audit->written_copies);
	}
	return xasprintf(is_read ? "from the device %.0f %%" : "to the device %.0f %%", percent);
}
