/* Others who use the same disks. */
#include "checks.h"

#include <math.h>
#include <string.h>

#define BYTES_PER_S_MIN 1e6
#define SHARE_MIN 0.1
/* Beneath a file on another file system that one's own work is to be expected. */
#define SHARE_MIN_SHARED 0.5

static double or_nothing(double value)
{
	return value > 0 ? value : 0;
}

/* File systems that write what a run left behind for a long time after it, whatever is flushed in between. */
static bool writes_late(const struct run_view *view)
{
	static const char *const types[] = {"btrfs", "bcachefs", "f2fs", "zfs"};
	const char *type = view->report->target->mount.type;

	for (size_t i = 0; type && i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(type, types[i]) == 0) {
			return true;
		}
	}
	return view->report->storage.ram_cache || view->measurement->evidence.readings.file.journals_data ||
		   direct_is_dishonoured(view->report, TRANSFER_WRITE);
}

/* Of what was written while a run read, only what went on before it was surely others'. */
static double others_written(const struct run_view *view)
{
	double written = or_nothing(view->audit.foreign_write_bytes_per_s);
	double before = or_nothing(view->audit.idle_write_bytes_per_s);

	return view->transfer == TRANSFER_READ && writes_late(view) ? fmin(written, before) : written;
}

bool check_other_traffic(const struct run_view *view, struct finding *finding)
{
	double share_min = view->report->storage.is_shared ? SHARE_MIN_SHARED : SHARE_MIN;
	double read = or_nothing(view->audit.foreign_read_bytes_per_s);
	double written = or_nothing(view->audit.foreign_write_bytes_per_s);
	double others = read + others_written(view);

	finding->value = read + written > 0 ? view->audit.foreign_share * (others / (read + written)) : 0;
	finding->value2 = others;
	return finding->value >= share_min && finding->value2 >= BYTES_PER_S_MIN;
}

void say_other_traffic(struct text *text, const struct telling *telling)
{
	const struct storage *storage = &telling->report->storage;

	text_add(text, "others moved ");
	words_count(text, (struct range){telling->value2.low / 1e6, telling->value2.high / 1e6});
	text_add(text, " MB/s on ");
	words_devices(text, storage, STORAGE_DISK);
	text_add(text, " meanwhile (");
	words_share(text, telling->value);
	text_add(text, " of all bytes), so the disk can do more than the figure says; ");
	if (storage->background_work) {
		text_addf(text, "wait for the %s to end and repeat it", storage->background_work);
	} else {
		text_add(text, "repeat it when nothing else runs ('iotop' shows who it is)");
	}
}
