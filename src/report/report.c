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
		free(report->measurements[i].began_at);
		series_release(&report->measurements[i].series);
	}
	for (size_t i = 0; i < report->note_count; i++) {
		free(report->notes[i]);
	}
	free(report->measurements);
	free(report->notes);
	free(report->tool);
	free(report->runs_as);
	free(report->direct_reason);
	free(report->direct_verdict.cause);
	zfs_pool_release(&report->pool);
	storage_release(&report->storage);
	environment_release(&report->environment);
	findings_release(&report->findings);
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

/* A number that came of blocks without data is none: it is kept, but fails the run. */
static void fail_never_written(struct measurement *measurement, double unwritten_share)
{
	measurement->outcome = OUTCOME_FAILED;
	measurement->has_figures = true;
	measurement->failure_kind = FINDING_NEVER_WRITTEN;
	free(measurement->reason);
	measurement->reason = xasprintf("%.0f %% of the test file was never written, and such blocks are read without the "
									"device; look for errors in 'dmesg', then measure again",
		unwritten_share < 0.01 ? 1 : unwritten_share * 100);
}

void report_check(struct report *report)
{
	findings_make(&report->findings, report);
	for (size_t i = 0; i < report->findings.count; i++) {
		const struct finding *finding = &report->findings.list[i];

		if (finding->kind == FINDING_NEVER_WRITTEN && report->measurements[finding->run].outcome == OUTCOME_VALID) {
			fail_never_written(&report->measurements[finding->run], finding->value);
		}
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
