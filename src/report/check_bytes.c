/* Where the bytes of a run came from or went to. */
#include "checks.h"

#include <math.h>
#include <string.h>

#include "commits.h"
#include "scale.h"

/* What part of the file may lack data without the number being wrong. */
#define UNWRITTEN_MAX 0.01
/* What the keeper's own fsync has to bring to the device, so that it was no mere metadata. */
#define FLUSHED_MIN 0.05
/* A file of which less than this is allocated, or more than that is stored encoded, is compressed. */
#define ALLOCATED_MIN 0.9
#define ENCODED_MIN 0.1
/* Our own data in blocks of 1 MiB still compresses by a tenth: only beyond that it is the data of somebody else. */
#define SHARE_WHOLE_COMPRESSED 0.85
/* With so much of the file in the page cache, that is where the bytes came from. */
#define RESIDENT_MAX 0.1
/* dd's row that is meant to come from RAM may fetch so much. */
#define CACHED_ROW_MAX 0.1

static double file_size(const struct run_view *view)
{
	uint64_t size_bytes = view->measurement->evidence.readings.file.size_bytes;

	return (double)(size_bytes > 0 ? size_bytes : view->report->plan->size_bytes);
}

static double unwritten_share(const struct run_view *view)
{
	const struct file_state *file = &view->measurement->evidence.readings.file;

	return (file->known & FILE_STATE_HOLES) != 0 && file_size(view) > 0
			   ? (double)file->unwritten_bytes / file_size(view)
			   : 0;
}

/* That is said in words of its own. */
static bool waits_for_nothing(const struct run_view *view)
{
	return view->workload->synchronous && commits_sync_is_disabled(view->report);
}

/*
 * Whether little of the file is allocated since it is stored compressed. ZFS allocates with its transaction group,
 * seconds after a write, so there a write run's allocation says something only where a flush was seen to bring no more.
 */
static bool is_allocated_short(const struct run_view *view)
{
	const struct file_state *file = &view->measurement->evidence.readings.file;
	bool too_early = view->report->storage.kind == STORAGE_ZFS && view->transfer == TRANSFER_WRITE &&
					 (isnan(view->audit.flushed_later) || commits_sync_is_disabled(view->report));

	return (file->known & FILE_STATE_ALLOCATED) != 0 && !too_early &&
		   (double)file->allocated_bytes < ALLOCATED_MIN * file_size(view);
}

static bool is_stored_compressed(const struct run_view *view)
{
	const struct file_state *file = &view->measurement->evidence.readings.file;
	bool is_encoded = (file->known & FILE_STATE_ENCODED) != 0 && file->encoded_looked_at_bytes > 0 &&
					  (double)file->encoded_bytes >= ENCODED_MIN * (double)file->encoded_looked_at_bytes;

	return view->report->storage.has_compression && (is_encoded || is_allocated_short(view));
}

static double whole(const struct run_view *view)
{
	return view->report->storage.has_compression ? SHARE_WHOLE_COMPRESSED : SHARE_WHOLE;
}

static bool lies_in_page_cache(const struct run_view *view)
{
	const struct file_state *file = &view->measurement->evidence.readings.file;

	return (file->known & FILE_STATE_RESIDENT) != 0 &&
		   (double)file->resident_bytes >= RESIDENT_MAX * (double)file->resident_looked_at_bytes;
}

/* A write run of which not all was on the device when it ended. */
static enum finding_kind judge_short_write(const struct run_view *view)
{
	double claimed_bytes = view->measurement->evidence.claimed_bytes;

	if (view->audit.flushed_later * claimed_bytes >= FLUSHED_MIN * fmin(claimed_bytes, file_size(view))) {
		return FINDING_NOT_YET_ON_DEVICE;
	}
	if (is_stored_compressed(view)) {
		return FINDING_COMPRESSED;
	}
	return view->audit.on_device < SHARE_NOTHING ? FINDING_SERVED_FROM_RAM : FINDING_PARTLY_FROM_RAM;
}

static enum finding_kind judge_read(const struct run_view *view)
{
	if (unwritten_share(view) >= UNWRITTEN_MAX) {
		return FINDING_NEVER_WRITTEN;
	}
	if (run_is_cached_row(view)) {
		return view->audit.from_device > CACHED_ROW_MAX ? FINDING_PARTLY_FROM_RAM : FINDING_NONE;
	}
	if (isnan(view->audit.from_device)) {
		return FINDING_SOURCE_UNKNOWN;
	}
	if (view->audit.from_device < SHARE_NOTHING) {
		return FINDING_SERVED_FROM_RAM;
	}
	if (view->audit.from_device < whole(view)) {
		return is_stored_compressed(view) && !lies_in_page_cache(view) ? FINDING_COMPRESSED : FINDING_PARTLY_FROM_RAM;
	}
	return FINDING_NONE;
}

static enum finding_kind judge_write(const struct run_view *view)
{
	if (run_is_cached_row(view) || waits_for_nothing(view)) {
		return FINDING_NONE;
	}
	if (isnan(view->audit.on_device)) {
		return FINDING_SOURCE_UNKNOWN;
	}
	if (view->report->storage.kind == STORAGE_RAM) {
		return FINDING_SERVED_FROM_RAM;
	}
	return view->audit.on_device < whole(view) ? judge_short_write(view) : FINDING_NONE;
}

/* One verdict on a run's bytes: these kinds exclude each other. */
static bool is_judged(const struct run_view *view, struct finding *finding, enum finding_kind kind)
{
	bool is_read = view->transfer == TRANSFER_READ;

	finding->cause = view->report->storage.kind == STORAGE_RAM ? BYTES_RAM
					 : run_is_cached_row(view)                 ? BYTES_CACHED_ROW
					 : is_read                                 ? BYTES_READ
															   : BYTES_WRITTEN;
	finding->value = audit_moved(&view->audit, view->transfer);
	return (is_read ? judge_read(view) : judge_write(view)) == kind;
}

bool check_never_written(const struct run_view *view, struct finding *finding)
{
	bool found = is_judged(view, finding, FINDING_NEVER_WRITTEN);

	finding->value = unwritten_share(view);
	return found;
}

bool check_served_from_ram(const struct run_view *view, struct finding *finding)
{
	return is_judged(view, finding, FINDING_SERVED_FROM_RAM);
}

bool check_partly_from_ram(const struct run_view *view, struct finding *finding)
{
	return is_judged(view, finding, FINDING_PARTLY_FROM_RAM);
}

bool check_not_yet_on_device(const struct run_view *view, struct finding *finding)
{
	bool found = is_judged(view, finding, FINDING_NOT_YET_ON_DEVICE);

	finding->value2 = view->audit.flushed_later * view->measurement->evidence.claimed_bytes;
	return found;
}

bool check_compressed(const struct run_view *view, struct finding *finding)
{
	return is_judged(view, finding, FINDING_COMPRESSED);
}

bool check_source_unknown(const struct run_view *view, struct finding *finding)
{
	bool found = is_judged(view, finding, FINDING_SOURCE_UNKNOWN);

	finding->cause = 0; /* the same words for both directions */
	return found;
}

bool check_amplified(const struct run_view *view, struct finding *finding)
{
	double copies = scale_copies(&view->report->storage);

	finding->value = view->audit.written_copies;
	finding->value2 = copies;
	return view->transfer == TRANSFER_WRITE && !run_is_cached_row(view) &&
		   view->audit.written_copies >= AMPLIFIED_FROM * copies;
}
