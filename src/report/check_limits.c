/* What else than the disk set the limit. */
#include "checks.h"

#include <math.h>
#include <stdlib.h>

#include "support/units.h"

/* Which of the processors it was. */
enum { CPU_ONE, CPU_ALL, CPU_QUOTA };

#define ONE_CPU_MIN 0.9
#define ALL_CPU_MIN 0.95
#define QUOTA_MIN 0.1
/* A link's speed is not known better than this. */
#define LINK_TOLERANCE 1.02

static bool came_from_device(const struct run_view *view)
{
	return view->report->storage.kind != STORAGE_RAM && !run_is_cached_row(view) &&
		   !(audit_moved(&view->audit, view->transfer) < SHARE_NOTHING);
}

bool check_cpu_bound(const struct run_view *view, struct finding *finding)
{
	const struct audit *audit = &view->audit;
	double busiest = view->measurement->evidence.busiest_job_cpu;

	if (!came_from_device(view)) {
		return false;
	}
	finding->value2 = audit->processor_count;
	if (audit->quota_wait >= QUOTA_MIN) {
		finding->cause = CPU_QUOTA;
		finding->value = fmin(audit->quota_wait, 1); /* what looks after the jobs waits, too */
		return true;
	}
	if (audit->processors_busy >= ALL_CPU_MIN) {
		finding->cause = audit->processor_count > 1 ? CPU_ALL : CPU_ONE;
		finding->value = audit->processors_busy;
		return true;
	}
	finding->cause = CPU_ONE;
	finding->value = busiest;
	return busiest >= ONE_CPU_MIN;
}

void say_cpu_bound(struct text *text, const struct telling *telling)
{
	const char *tail = "busy): the disk may do more; repeat it with a faster processor, or when the machine is quiet";

	switch (telling->cause) {
	case CPU_ONE:
		text_add(text, "one core was the limit, not the disk (");
		words_share(text, telling->value);
		text_add(text, " busy): the disk may do more; a faster processor would show it");
		break;
	case CPU_ALL:
		text_addf(text, "all %.0f cores were the limit, not the disk (", telling->value2.high);
		words_share(text, telling->value);
		text_addf(text, " %s", tail);
		break;
	default:
		text_add(
			text, "the CPU quota of its control group was the limit, not the disk (it kept each job from running for ");
		words_share(text, telling->value);
		text_add(text, " of its time); raise the quota (cpu.max, a container's CPU limit)");
		break;
	}
}

/* Bytes that were not seen to come from the device have a finding that explains the speed. */
bool check_above_link(const struct run_view *view, struct finding *finding)
{
	double moved = audit_moved(&view->audit, view->transfer);

	finding->value = view->measurement->figures.bandwidth_bytes_per_s;
	finding->value2 = storage_link_bytes_per_s(&view->report->storage);
	return finding->value2 > 0 && !run_is_cached_row(view) && !(moved < SHARE_WHOLE) &&
		   finding->value > LINK_TOLERANCE * finding->value2;
}

/* The link, where there is only one. */
static const char *only_link(const struct storage *storage)
{
	const char *link = storage->network_link;

	if (link || storage_count(storage, STORAGE_DISK) != 1) {
		return link;
	}
	for (size_t i = 0; i < storage->device_count; i++) {
		link = (storage->devices[i].roles & (1U << STORAGE_DISK)) != 0 ? storage->devices[i].link : link;
	}
	return link;
}

void say_above_link(struct text *text, const struct telling *telling)
{
	const char *link = only_link(&telling->report->storage);

	words_count(text, (struct range){telling->value.low / 1e6, telling->value.high / 1e6});
	text_add(text, " MB/s is impossible: ");
	text_addf(text, "%s%s carries %.0f MB/s at most, so a cache or a virtual disk's host answered; use a larger --size",
		link ? "the link " : "the way to the disks", link ? link : "", telling->value2.low / 1e6);
}

bool run_has_cache(const struct run_view *view)
{
	const struct storage *storage = &view->report->storage;
	bool direct = view->measurement->evidence.direct;

	if (storage->kind == STORAGE_RAM) {
		return false;
	}
	if (storage->ram_cache || run_honour(view) == HONOUR_NO) {
		return true;
	}
	return direct ? storage->kind == STORAGE_ZFS && run_honour(view) != HONOUR_YES : !view->workload->synchronous;
}

/* Where the counters show that the bytes went all the way, the cache played no part. */
bool check_fits_in_cache(const struct run_view *view, struct finding *finding)
{
	finding->value = (double)view->report->plan->size_bytes;
	finding->value2 = (double)view->report->cache_bytes;
	return run_has_cache(view) && !run_is_cached_row(view) &&
		   !(audit_moved(&view->audit, view->transfer) >= SHARE_WHOLE) && finding->value < finding->value2;
}

static bool has_room(const struct report *report)
{
	return !report->target->space_known || report->target->free_bytes / 2 >= report->cache_bytes;
}

void say_fits_in_cache(struct text *text, const struct telling *telling)
{
	const struct report *report = telling->report;
	char *size = units_format_size(report->plan->size_bytes), *cache = units_format_size(report->cache_bytes);

	text_addf(text, "the test file (%s) fits into %s (up to %s); ", size, words_cache(report), cache);
	if (has_room(report)) {
		text_add(text, "use --size ");
		words_size(text, report);
		text_add(text, " or more, twice what it can hold");
	} else {
		text_add(text, "a file twice as large (--size ");
		words_size(text, report);
		text_add(text, ") does not fit on this file system");
	}
	free(size);
	free(cache);
}
