#include "report/report.h"

#include <stdarg.h>
#include <stdlib.h>

#include "support/memory.h"
#include "support/text.h"

void report_init(struct report *report, const struct target *target, const struct plan *plan)
{
	*report = (struct report){.target = target, .plan = plan};
	report->measurements = xcalloc(plan->run_count, sizeof(*report->measurements));
}

void report_release(struct report *report)
{
	for (size_t i = 0; report->plan && i < report->plan->run_count; i++) {
		free(report->measurements[i].reason);
	}
	for (size_t i = 0; i < report->note_count; i++) {
		free(report->notes[i]);
	}
	free(report->measurements);
	free(report->notes);
	free(report->tool);
	free(report->runs_as);
	free(report->direct_reason);
	zfs_pool_release(&report->pool);
	*report = (struct report){0};
}

void report_add_note(struct report *report, const char *format, ...)
{
	struct text note = TEXT_EMPTY;
	va_list arguments;

	va_start(arguments, format);
	text_vaddf(&note, format, arguments);
	va_end(arguments);
	report->notes = xrealloc(report->notes, (report->note_count + 1) * sizeof(*report->notes));
	report->notes[report->note_count++] = text_detach(&note);
}

/* The deepest queue that the profile asks for. */
static unsigned queue_depth_max(const struct profile *profile)
{
	unsigned depth = 1;

	for (size_t i = 0; i < profile->workload_count; i++) {
		depth = profile->workloads[i].queue_depth > depth ? profile->workloads[i].queue_depth : depth;
	}
	return depth;
}

void report_add_circumstances(struct report *report)
{
	const struct profile *profile = report->plan->profile;

	if (report->target->is_ram) {
		report_add_note(report, "%s lies in RAM: no disk is measured here", report->target->shown);
	} else if (report->target->is_zfs && !profile->synchronous) {
		report_add_note(report, "ZFS reads what it can from its cache in RAM (ARC): the read figures may be RAM's");
	} else if (profile->tool == LOAD_FIO && !profile->synchronous && report->direct != DIRECT_ENABLED) {
		report_add_note(report, "buffered I/O goes through the page cache: the read figures may be RAM's");
	}
	if (profile->tool == LOAD_FIO && queue_depth_max(profile) > 1 && !engine_has_queue_depth(report->engine)) {
		report_add_note(report,
			"%s works on one request at a time: the rows with Q8 and Q32 run at queue depth 1 in each thread",
			engine_name(report->engine));
	} else if (profile->tool == LOAD_FIO && report->engine == ENGINE_LIBAIO && report->direct != DIRECT_ENABLED &&
			   queue_depth_max(profile) > 1) {
		report_add_note(report,
			"libaio waits for each buffered request: the rows with Q8 and Q32 run at queue depth 1 in each thread");
	}
}

size_t report_count(const struct report *report, enum outcome outcome)
{
	size_t count = 0;

	for (size_t i = 0; i < report->plan->run_count; i++) {
		count += report->measurements[i].outcome == outcome ? 1 : 0;
	}
	return count;
}

const struct measurement *report_measurement(const struct report *report, size_t workload, enum transfer transfer)
{
	for (size_t i = 0; i < report->plan->run_count; i++) {
		if (report->plan->runs[i].workload == workload && report->plan->runs[i].transfer == transfer) {
			return &report->measurements[i];
		}
	}
	return NULL;
}
