/* Whether O_DIRECT does what it says. */
#include "checks.h"

#include <math.h>
#include <string.h>

/* How it shows. */
enum { BY_TRIAL, BY_DESCRIPTORS, BY_RESIDENT_PAGES };

/* The file may be in the page cache up to this share; what is beyond was put there by the run. */
#define RESIDENT_MAX 0.5

bool direct_is_dishonoured(const struct report *report, enum transfer transfer)
{
	return report->direct == DIRECT_ENABLED && report->direct_verdict.honours[transfer] == HONOUR_NO;
}

static double resident_share(const struct run_view *view)
{
	const struct file_state *file = &view->measurement->evidence.readings.file;

	return (file->known & FILE_STATE_RESIDENT) != 0 && file->resident_looked_at_bytes > 0
			   ? (double)file->resident_bytes / (double)file->resident_looked_at_bytes
			   : (double)NAN;
}

/* Pages that lie in the cache prove nothing where the bytes were seen to go around it. */
static bool went_around_the_cache(const struct run_view *view)
{
	return view->transfer == TRANSFER_READ ? view->audit.from_device >= SHARE_WHOLE
										   : view->audit.page_cache < RESIDENT_MAX;
}

bool check_direct_not_honoured(const struct run_view *view, struct finding *finding)
{
	const struct process_files *files = &view->measurement->evidence.readings.files;
	const struct storage *storage = &view->report->storage;

	/* Memory, and memory beneath the file system, have a finding that says enough. */
	if (!view->measurement->evidence.direct || storage->kind == STORAGE_RAM || storage->ram_cache) {
		return false;
	}
	finding->value = resident_share(view);
	if (direct_is_dishonoured(view->report, view->transfer)) {
		finding->cause = BY_TRIAL;
		return true;
	}
	if (files->files > 0 && files->direct == 0) {
		finding->cause = BY_DESCRIPTORS;
		return true;
	}
	finding->cause = BY_RESIDENT_PAGES;
	return finding->value >= RESIDENT_MAX && !went_around_the_cache(view);
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
