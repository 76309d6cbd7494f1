/* Whether O_DIRECT does what it says. */
#include "checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How it shows. */
enum { BY_TRIAL, BY_DESCRIPTORS, BY_RESIDENT_PAGES };

/* The file may be in the page cache up to this share; what is beyond was put there by the run. */
#define RESIDENT_MAX 0.5

/* What `zfs create` sets. */
#define RECORD_USUAL_BYTES (UINT64_C(128) << 10)

/* ZFS writes parts of a record through its ARC, whatever it does with whole ones. */
static bool is_part_of_record(const struct run_view *view)
{
	const char *property = zfs_pool_property(&view->report->pool, "recordsize");
	unsigned long long record_bytes = property ? strtoull(property, NULL, 10) : 0;

	return view->report->storage.kind == STORAGE_ZFS && view->transfer == TRANSFER_WRITE &&
		   view->workload->block_size_bytes < (record_bytes > 0 ? record_bytes : RECORD_USUAL_BYTES);
}

enum honour run_honour(const struct run_view *view)
{
	enum honour trial = view->report->direct_verdict.honours[view->transfer];

	if (view->report->direct != DIRECT_ENABLED || (trial == HONOUR_YES && is_part_of_record(view))) {
		return HONOUR_UNKNOWN;
	}
	return trial;
}

static double resident_share(const struct run_view *view)
{
	const struct file_state *file = &view->measurement->evidence.readings.file;

	return (file->known & FILE_STATE_RESIDENT) != 0 && file->resident_looked_at_bytes > 0
			   ? (double)file->resident_bytes / (double)file->resident_looked_at_bytes
			   : (double)NAN;
}

/* Pages that lie in the cache prove nothing by themselves: the laying out may have left them. */
static bool went_through_the_cache(const struct run_view *view)
{
	return view->transfer == TRANSFER_READ ? view->audit.from_device < SHARE_WHOLE
										   : view->audit.page_cache >= RESIDENT_MAX;
}

bool check_direct_not_honoured(const struct run_view *view, struct finding *finding)
{
	const struct process_files *files = &view->measurement->evidence.readings.files;
	const struct storage *storage = &view->report->storage;

	/* Memory has a finding that says enough. */
	if (!view->measurement->evidence.direct || storage->kind == STORAGE_RAM) {
		return false;
	}
	finding->value = resident_share(view);
	if (run_honour(view) == HONOUR_NO) {
		finding->cause = BY_TRIAL;
		return true;
	}
	if (files->files > 0 && files->direct == 0) {
		finding->cause = BY_DESCRIPTORS;
		return true;
	}
	finding->cause = BY_RESIDENT_PAGES;
	return finding->value >= RESIDENT_MAX && went_through_the_cache(view);
}

/* What to do about a file system that ignores it. */
static const char *remedy(const char *cause)
{
	if (strstr(cause, "btrfs")) {
		return "; for direct I/O set 'chattr +C' on a new folder and measure there";
	}
	if (strstr(cause, "data=journal")) {
		return "; mount it with data=ordered, or take away 'chattr +j'";
	}
	if (strstr(cause, "ZFS before")) {
		return "; ZFS 2.3 and later honour it";
	}
	return "";
}

static const char *direction_words(const struct telling *telling)
{
	return telling->has_read && telling->has_write ? "the data"
		   : telling->has_read                     ? "what was read"
												   : "what was written";
}

void say_direct_not_honoured(struct text *text, const struct telling *telling)
{
	const char *cause = telling->report->direct_verdict.cause;

	switch (telling->cause) {
	case BY_TRIAL:
		text_addf(text, "O_DIRECT was accepted but not honoured%s%s%s: %s went through %s%s", cause ? " (" : "",
			cause ? cause : "", cause ? ")" : "", direction_words(telling), words_cache(telling->report),
			cause ? remedy(cause) : "");
		break;
	case BY_DESCRIPTORS:
		text_add(
			text, "fio opened the test file without O_DIRECT, although it was told to use it; try another --engine");
		break;
	default:
		words_share(text, telling->value);
		text_addf(text,
			" of the test file lay in the page cache, so O_DIRECT did not keep %s out of it; "
			"such a figure is that of buffered I/O",
			direction_words(telling));
		break;
	}
}
