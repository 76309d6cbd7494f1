#include "report/report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "report/path.h"
#include "support/memory.h"
#include "support/text.h"

void report_init(struct report *report, const struct target *target, const struct plan *plan)
{
	*report = (struct report){.target = target, .plan = plan};
	report->measurements = xcalloc(plan->run_count, sizeof(*report->measurements));
	report->measurement_count = plan->run_count;
}

void report_grow(struct report *report)
{
	size_t known = report->measurement_count, count = report->plan->run_count;

	if (count > known) {
		report->measurements = xrealloc(report->measurements, count * sizeof(*report->measurements));
		memset(report->measurements + known, 0, (count - known) * sizeof(*report->measurements));
		report->measurement_count = count;
	}
}

void report_release(struct report *report)
{
	for (size_t i = 0; i < report->measurement_count; i++) {
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
	power_release(&report->power);
	for (size_t i = 0; i < sizeof(report->experiment.left_out) / sizeof(report->experiment.left_out[0]); i++) {
		free(report->experiment.left_out[i]);
	}
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

/* Takes the reason over. */
static void fail(struct measurement *measurement, enum finding_kind kind, char *reason)
{
	measurement->outcome = OUTCOME_FAILED;
	measurement->has_figures = true;
	measurement->failure_kind = kind;
	free(measurement->reason);
	measurement->reason = reason;
}

static char *words_never_written(double unwritten_share)
{
	return xasprintf(
		"%.0f %% of the test file was never written, and such blocks are read without the device; look for "
		"errors in 'dmesg', then measure again",
		unwritten_share < 0.01 ? 1 : unwritten_share * 100);
}

/* A number that came of blocks without data, or of writes that were not durable, is none: it is kept, but fails. */
void report_check(struct report *report)
{
	findings_make(&report->findings, report);
	for (size_t i = 0; i < report->findings.count; i++) {
		const struct finding *finding = &report->findings.list[i];
		struct measurement *measurement = &report->measurements[finding->run];

		if (measurement->outcome == OUTCOME_VALID && finding->kind == FINDING_NEVER_WRITTEN) {
			fail(measurement, finding->kind, words_never_written(finding->value));
		} else if (measurement->outcome == OUTCOME_VALID && run_is_no_result(report, finding)) {
			fail(measurement, finding->kind, path_describe_no_result(report));
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

/* ZFS allows letters, digits, _ - . : and blanks in a name, and / between them (zfs(8)). */
static char *argument_of(const char *name, const char *placeholder)
{
	char *words = text_printable(name ? name : placeholder), *quoted;

	if (!strchr(words, ' ')) {
		return words;
	}
	quoted = xasprintf("\"%s\"", words);
	free(words);
	return quoted;
}

char *report_pool_argument(const struct report *report)
{
	return argument_of(report->pool.pool, "POOL");
}

char *report_dataset_argument(const struct report *report)
{
	return argument_of(report->pool.dataset, "DATASET");
}
