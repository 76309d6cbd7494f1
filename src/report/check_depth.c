/* Whether as many requests were in flight as the row's name says. */
#include "checks.h"

#include <math.h>

/* How it is known. */
enum { BY_ENGINE, BY_LIBAIO_BUFFERED, BY_DEVICE, BY_DEVICE_ONE_EACH, BY_PAGE_CACHE, BY_SUBMISSION };

/* Up to so many for each job it looks like one at a time. */
#define ONE_PER_JOB_MAX 1.5
#define ONE_PER_JOB_MIN 0.5
/* A depth that is lower than this part of what was asked for is not the noise of a fast device. */
#define SHORTFALL 2.5
/* With submission that blocks nearly all the time, and the device at less than this part, the wait is above it. */
#define SATURATED 0.95
#define SATURATED_SHORTFALL 8
/* Where processors are this busy, they may be why the queue is not full. */
#define JOB_CPU_MAX 0.75
#define ALL_CPU_MAX 0.9
#define JOB_CPU_MAX_WAITING 0.5
#define QUOTA_WAIT_MAX 0.05
/* Of fewer than so many times what was asked for, the mean is that of the filling and draining. */
#define BLOCKS_MIN 2
/* From here on writes go through the page cache, and the device's queue is write-back's. */
#define PAGE_CACHE_MIN 0.5

static double asked(const struct run_view *view)
{
	return (double)view->workload->queue_depth * (double)view->workload->jobs;
}

/* What was asked for, as far as the device takes it. */
static double asked_of_device(const struct run_view *view)
{
	unsigned limit = storage_queue_limit(&view->report->storage);

	return limit > 0 ? fmin(asked(view), limit) : asked(view);
}

bool depth_is_asked(const struct run_view *view)
{
	return view->report->plan->profile->tool == LOAD_FIO && view->workload->jobs > 0 && view->workload->queue_depth > 1;
}

static bool is_busy(const struct run_view *view, double job_cpu_max)
{
	return view->measurement->evidence.busiest_job_cpu >= job_cpu_max || view->audit.processors_busy >= ALL_CPU_MAX ||
		   view->audit.quota_wait >= QUOTA_WAIT_MAX;
}

static bool goes_through_page_cache(const struct run_view *view)
{
	return !view->measurement->evidence.direct || run_honour(view) == HONOUR_NO ||
		   view->audit.page_cache >= PAGE_CACHE_MIN;
}

static bool is_shallow(const struct run_view *view)
{
	double depth = view->audit.queue_depth, target = asked_of_device(view);
	bool one_per_job = depth <= ONE_PER_JOB_MAX * (double)view->workload->jobs && depth <= target / SHORTFALL;
	bool blocked = view->measurement->evidence.submit_saturation >= SATURATED && depth < target / SATURATED_SHORTFALL;

	return view->measurement->evidence.direct && !is_busy(view, JOB_CPU_MAX) && (one_per_job || blocked);
}

/* Where the device's queue is not ours: does each submission wait for its request? */
static bool is_blocked(const struct run_view *view)
{
	bool foreign_queue = isnan(view->audit.queue_depth) || goes_through_page_cache(view);

	return foreign_queue && view->measurement->evidence.submit_saturation >= SATURATED &&
		   !is_busy(view, JOB_CPU_MAX_WAITING);
}

/* Then the device had no queue to fill, or may have had none. */
static bool may_be_from_ram(const struct run_view *view)
{
	const struct storage *storage = &view->report->storage;

	return storage->kind == STORAGE_RAM || storage->hides_cache || uses_dax(view->report) ||
		   audit_moved(&view->audit, view->transfer) < SHARE_WHOLE;
}

/* About one for each of several jobs? */
static unsigned device_cause(const struct run_view *view)
{
	double jobs = (double)view->workload->jobs, depth = view->audit.queue_depth;

	if (goes_through_page_cache(view)) {
		return BY_PAGE_CACHE;
	}
	return jobs > 1 && depth >= ONE_PER_JOB_MIN * jobs && depth <= ONE_PER_JOB_MAX * jobs ? BY_DEVICE_ONE_EACH
																						  : BY_DEVICE;
}

/* Too few to tell; false where their number is unknown. */
static bool is_slow(const struct run_view *view)
{
	return view->audit.steady_blocks < BLOCKS_MIN * asked(view);
}

bool check_depth_not_reached(const struct run_view *view, struct finding *finding)
{
	bool direct = view->measurement->evidence.direct;

	if (!depth_is_asked(view)) {
		return false;
	}
	finding->value = asked(view);
	if (!engine_has_queue_depth(view->report->engine)) {
		finding->cause = BY_ENGINE;
		return true;
	}
	if (view->report->engine == ENGINE_LIBAIO && !direct) {
		finding->cause = BY_LIBAIO_BUFFERED;
		return true;
	}
	if (may_be_from_ram(view) || is_slow(view)) {
		return false;
	}
	if (is_shallow(view)) {
		finding->cause = device_cause(view);
		finding->value2 = view->audit.queue_depth;
		return true;
	}
	finding->cause = BY_SUBMISSION;
	finding->value2 = view->measurement->evidence.submit_saturation;
	return is_blocked(view);
}

const char *depth_not_told(const struct run_view *view)
{
	const struct storage *storage = &view->report->storage;

	if (storage->is_throttled) {
		return "a control group throttles the device";
	}
	if (storage->may_be_throttled) {
		return "limits that are not to be seen from here may hold requests back";
	}
	switch (storage->kind) {
	case STORAGE_ZFS:
		return "ZFS has queues of its own";
	case STORAGE_NFS:
	case STORAGE_CIFS:
		return "the server keeps it";
	default:
		break;
	}
	if (isnan(view->audit.queue_depth)) {
		return "no counter told it";
	}
	if (is_slow(view)) {
		return "too few requests were completed";
	}
	if (goes_through_page_cache(view)) {
		return "the page cache is in between";
	}
	if (view->audit.queue_depth >= asked_of_device(view) / SHORTFALL) {
		return NULL;
	}
	return is_busy(view, JOB_CPU_MAX) ? "the processors were busy" : "the device was faster than the queue could fill";
}

static const char *remedy(const struct report *report)
{
	return report->engine == ENGINE_LIBAIO ? "; try --engine io_uring" : "; try --engine libaio";
}

void say_depth_not_reached(struct text *text, const struct telling *telling)
{
	const struct report *report = telling->report;

	text_add(text, "asked for ");
	words_count(text, telling->value);
	text_add(text, " in flight, ");
	switch (telling->cause) {
	case BY_ENGINE:
		text_addf(text, "but %s works on one request at a time in each thread; use --engine io_uring or libaio",
			engine_name(report->engine));
		return;
	case BY_LIBAIO_BUFFERED:
		text_addf(text, "but libaio waits for each buffered request: one at a time in each thread; %s",
			report->direct == DIRECT_NOT_WANTED ? "leave out --buffered, or use --engine io_uring"
												: "use --engine io_uring");
		return;
	case BY_SUBMISSION:
		text_add(text, "but each had to wait for the one before (submitting took ");
		words_share(text, telling->value2);
		text_addf(text, " of the time): the path takes no more of them at once%s", remedy(report));
		return;
	default:
		break;
	}
	text_add(text, "the device saw ");
	words_count(text, telling->value2);
	if (telling->cause == BY_PAGE_CACHE) {
		text_add(text, ": they wait in the page cache, which writes them out in its own way");
		return;
	}
	text_addf(text, ": %s%s",
		telling->cause == BY_DEVICE_ONE_EACH ? "this file system works them off one per thread"
											 : "the path lets no more of them through at once",
		remedy(report));
}
