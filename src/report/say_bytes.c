/* The sentences about where the bytes came from or went to. */
#include "checks.h"

#include <stdlib.h>
#include <string.h>

#include "scale.h"

/* Whether another sentence names the --size already. */
static bool size_is_told(const struct telling *telling)
{
	for (size_t i = 0; i < telling->findings->count; i++) {
		if (telling->findings->list[i].kind == FINDING_FITS_IN_CACHE) {
			return true;
		}
	}
	return false;
}

/* How to get to the device. */
static void add_remedy(struct text *text, const struct telling *telling)
{
	const struct report *report = telling->report;
	const char *cache = report->storage.ram_cache;

	if (cache && strstr(cache, "loop")) {
		text_add(text, "; set up the loop device with 'losetup --direct-io=on'");
	} else if (!cache && report->direct == DIRECT_NOT_WANTED) {
		text_add(text, "; leave out --buffered");
	} else if (!size_is_told(telling)) {
		text_add(text, "; use a larger --size");
	} else {
		text_add(text, "; such a figure is no disk's");
	}
}

void say_served_from_ram(struct text *text, const struct telling *telling)
{
	const struct report *report = telling->report;

	switch (telling->cause) {
	case BYTES_RAM:
		text_addf(text, "%s lies in RAM (%s): no disk is measured here; name a folder on a disk", report->target->shown,
			report->target->mount.type ? report->target->mount.type : "tmpfs");
		return;
	case BYTES_WRITTEN:
		words_share(text, telling->value);
		text_addf(text, " reached the device during the run, the rest stayed in RAM (%s)", words_cache(report));
		break;
	default:
		words_share(text, telling->value);
		text_addf(text, " came from the device, the rest from RAM (%s)", words_cache(report));
		break;
	}
	add_remedy(text, telling);
}

void say_partly_from_ram(struct text *text, const struct telling *telling)
{
	if (telling->cause == BYTES_CACHED_ROW) {
		words_share(text, telling->value);
		text_add(text, " came from the device, although the row is to show RAM: the file did not stay in the page "
					   "cache; use a smaller --size");
		return;
	}
	say_served_from_ram(text, telling);
}

void say_not_yet_on_device(struct text *text, const struct telling *telling)
{
	const struct report *report = telling->report;

	text_add(text, "only ");
	words_share(text, telling->value);
	text_add(text, " was on the device when the run ended, our own flush brought ");
	words_size_range(text, telling->value2);
	text_add(text, " there later: the figure is RAM's; look for errors in 'dmesg'");
	if (report->plan->profile->tool == LOAD_FIO && report->engine != ENGINE_LIBAIO) {
		text_addf(text, ", or use --engine libaio (%s loses a flush that fails)", engine_name(report->engine));
	}
}

/* Where nothing is compressed. */
static const char *uncompressed_place(const struct report *report)
{
	static const char *const btrfs[] = {"btrfs", NULL};

	if (report->storage.kind == STORAGE_ZFS) {
		return "measure on a dataset of its own ('zfs create -o compression=off ...')";
	}
	return scale_is_type(report, btrfs) ? "measure in a new folder with 'chattr +C'"
										: "mount it without compression to measure";
}

void say_compressed(struct text *text, const struct telling *telling)
{
	words_share(text, telling->value);
	text_addf(text, " %s the device, as the file system compresses the data: the figure holds for such data alone; %s",
		telling->cause == BYTES_READ ? "came from" : "reached", uncompressed_place(telling->report));
}

/* Why the counters of known devices do not tell, and what to do. */
static void say_uncounted(struct text *text, const struct report *report)
{
	const struct storage *storage = &report->storage;

	if (uses_dax(report)) {
		text_add(
			text, "with the mount option dax no bytes pass by the device's counters); mount it without dax to see");
	} else if (storage->hides_cache) {
		text_addf(text, "%s lies beneath the last device that counts); to be sure, measure where the disks are",
			storage->ram_cache ? storage->ram_cache : "a cache in RAM");
	} else {
		text_add(text, "no counters of ");
		words_devices(text, storage, STORAGE_TOP);
		text_add(text, "); see that /sys is mounted and 'queue/iostats' is 1");
	}
}

void say_source_unknown(struct text *text, const struct telling *telling)
{
	const struct storage *storage = &telling->report->storage;

	text_add(text, "nobody can tell here whether these are the device's figures or a cache's (");
	if (!storage->blind_spot && (storage->kind == STORAGE_BLOCK || storage->kind == STORAGE_ZFS)) {
		say_uncounted(text, telling->report);
		return;
	}
	text_addf(text, "%s); to be sure, measure where the disks are",
		storage->blind_spot                ? storage->blind_spot
		: storage->kind == STORAGE_UNKNOWN ? "no device is known"
										   : "no statistics of the mount");
}

void say_amplified(struct text *text, const struct telling *telling)
{
	text_addf(
		text, "%s wrote ", storage_count(&telling->report->storage, STORAGE_LEAF) > 1 ? "the devices" : "the device");
	words_count(text, telling->value);
	text_addf(
		text, " times what %s did (amplification)", telling->report->plan->profile->tool == LOAD_DD ? "dd" : "fio");
	if (telling->value2.high > 1) {
		text_addf(text, ", redundancy asks for %.3g", telling->value2.high);
	}
	text_add(text, ": for its journal, metadata or copies, or for others who began meanwhile");
}
