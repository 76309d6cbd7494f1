/* Others who use the same disks. */
#include <math.h>
#include <string.h>

#include "checks.h"
#include "scale.h"

/* How it is known: by the counters of the disks or of the device on top, or by name (a scrub, a rebuild). */
enum { BY_DISKS, BY_TOP, BY_NAME };

#define BYTES_PER_S_MIN 1e6
/* Beneath a file on another file system that one's own work is to be expected. */
#define SHARE_MIN_SHARED 0.5

static bool touches_device(const struct run_view *view)
{
	enum storage_kind kind = view->report->storage.kind;

	return (kind == STORAGE_BLOCK || kind == STORAGE_ZFS) && !run_is_cached_row(view) &&
		   !(audit_moved(&view->audit, view->transfer) < SHARE_NOTHING);
}

/* What is unknown adds nothing. */
static double rate(double bytes_per_s)
{
	return bytes_per_s > 0 ? bytes_per_s : 0;
}

bool check_other_traffic(const struct run_view *view, struct finding *finding)
{
	bool is_shared = view->report->storage.is_shared && !view->audit.foreign_is_on_top;
	double share_min = is_shared ? SHARE_MIN_SHARED : FOREIGN_SHARE_MIN;

	if (!touches_device(view)) {
		return false;
	}
	if (view->report->storage.background_work) {
		finding->cause = BY_NAME;
		return true;
	}
	finding->cause = view->audit.foreign_is_on_top ? BY_TOP : BY_DISKS;
	finding->value = view->audit.foreign_share;
	finding->value2 = rate(view->audit.foreign_read_bytes_per_s) + rate(view->audit.foreign_write_bytes_per_s);
	return finding->value >= share_min && finding->value2 >= BYTES_PER_S_MIN;
}

void say_other_traffic(struct text *text, const struct telling *telling)
{
	const struct storage *storage = &telling->report->storage;

	if (telling->cause == BY_NAME) {
		const char *work = storage->background_work;

		text_addf(text,
			"%s %s is under way, which keeps the disks busy, so they can do more than the figure says; wait for it to "
			"end and repeat it",
			strchr("aeiou", *work) ? "an" : "a", work);
		return;
	}
	text_add(text, "others moved ");
	words_count(text, (struct range){telling->value2.low / 1e6, telling->value2.high / 1e6});
	text_add(text, " MB/s on ");
	words_devices(text, storage, telling->cause == BY_TOP ? STORAGE_TOP : STORAGE_DISK);
	text_add(text, " meanwhile (");
	words_share(text, telling->value);
	text_add(text, " of all bytes), so the disk can do more than the figure says; repeat it when nothing else runs "
				   "('iotop' shows who it is)");
}
