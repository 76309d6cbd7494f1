/* The tests of a plan with what came of them, and what was found about them. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "record_make.h"
#include "support/memory.h"
#include "support/text.h"

#define UNKNOWN ((double)NAN)

/* A copy that is safe to print; NULL stays NULL. */
static char *printable(const char *string)
{
	return string ? text_printable(string) : NULL;
}

static double *copy_numbers(const double *numbers, size_t count)
{
	double *copy = count > 0 ? xcalloc(count, sizeof(*copy)) : NULL;

	if (copy) {
		memcpy(copy, numbers, count * sizeof(*copy));
	}
	return copy;
}

static void copy_series(struct series *copy, const struct series *series)
{
	*copy = (struct series){.count = series->count,
		.capacity = series->count,
		.time_s = copy_numbers(series->time_s, series->count),
		.bandwidth_bytes_per_s = copy_numbers(series->bandwidth_bytes_per_s, series->count),
		.device_bytes_per_s = copy_numbers(series->device_bytes_per_s, series->count),
		.interval_s = series->interval_s};
}

static void make_run(struct record_run *run, const struct report *report, size_t index)
{
	const struct measurement *measurement = &report->measurements[index];
	bool is_valid = measurement->outcome == OUTCOME_VALID;
	bool has_figures = is_valid || measurement->has_figures;
	const struct figures *figures = &measurement->figures;
	const char *failure_id = is_valid ? "" : finding_id(measurement->failure_kind);

	*run = (struct record_run){.pass = report->plan->runs[index].pass,
		.outcome = measurement->outcome,
		.has_figures = has_figures,
		.figures = {[QUANTITY_BANDWIDTH] = has_figures ? figures->bandwidth_bytes_per_s : UNKNOWN,
			[QUANTITY_IOPS] = has_figures ? figures->iops : UNKNOWN,
			[QUANTITY_P50] = has_figures ? figures->latency_p50_ns : UNKNOWN,
			[QUANTITY_P99] = has_figures ? figures->latency_p99_ns : UNKNOWN},
		/* A figure in brackets needs no mark: it is not to be taken for one anyway. */
		.mark = xstrdup(is_valid ? findings_mark(&report->findings, index) : ""),
		.reason = is_valid ? NULL : printable(measurement->reason),
		.failure_id = *failure_id ? xstrdup(failure_id) : NULL,
		.began_at = printable(measurement->began_at)};
	record_make_evidence(&run->evidence, report, index);
	copy_series(&run->series, &measurement->series);
}

/* Where the tests of a plan stand in its record, by workload and direction; SIZE_MAX where none was planned. */
struct test_index {
	size_t (*of)[TRANSFER_COUNT];
};

/* Row by row, reading before writing. Returns how many there are. */
static size_t number_tests(struct test_index *index, const struct plan *plan)
{
	size_t count = plan->profile->workload_count, next = 0;

	index->of = xcalloc(count, sizeof(*index->of));
	for (size_t run = 0; run < plan->run_count; run++) {
		index->of[plan->runs[run].workload][plan->runs[run].transfer] = 1;
	}
	for (size_t workload = 0; workload < count; workload++) {
		for (int transfer = 0; transfer < TRANSFER_COUNT; transfer++) {
			size_t *number = &index->of[workload][transfer];

			*number = *number > 0 ? next++ : SIZE_MAX;
		}
	}
	return next;
}

static void begin_test(struct record_test *test, const struct workload *workload, enum transfer transfer)
{
	*test = (struct record_test){.name = record_workload_name(workload),
		.transfer = transfer,
		.pattern = workload->pattern,
		.synchronous = workload->synchronous,
		.sync_method = workload->sync_method,
		.part = workload->part,
		.stage = xstrdup(workload->stage),
		.block_size_bytes = (double)workload->block_size_bytes,
		.queue_depth = workload->queue_depth,
		.threads = workload->jobs};
}

static void add_run(struct record_test *test, const struct report *report, size_t run)
{
	if (report->measurements[run].outcome != OUTCOME_NOT_RUN) {
		test->runs = xrealloc(test->runs, (test->run_count + 1) * sizeof(*test->runs));
		make_run(&test->runs[test->run_count++], report, run);
	}
}

static void make_tests(struct record *record, const struct report *report, const struct test_index *index)
{
	const struct plan *plan = report->plan;

	record->tests = xcalloc(record->test_count, sizeof(*record->tests));
	for (size_t run = 0; run < plan->run_count; run++) {
		const struct planned_run *planned = &plan->runs[run];
		struct record_test *test = &record->tests[index->of[planned->workload][planned->transfer]];

		if (!test->name) {
			begin_test(test, &plan->profile->workloads[planned->workload], planned->transfer);
		}
		add_run(test, report, run);
	}
}

static void make_finding(struct record_finding *finding, const struct finding_group *group, const struct plan *plan,
	const struct test_index *index)
{
	*finding = (struct record_finding){.id = xstrdup(finding_id(group->kind)),
		.mark = xstrdup(finding_mark(group->kind)),
		.sentence = text_printable(group->sentence),
		.places = xcalloc(group->run_count, sizeof(*finding->places)),
		.place_count = group->run_count};
	for (size_t i = 0; i < group->run_count; i++) {
		const struct planned_run *run = &plan->runs[group->runs[i]];

		finding->places[i] = (struct record_place){.test = index->of[run->workload][run->transfer], .pass = run->pass};
	}
}

static void make_findings(struct record *record, const struct report *report, const struct test_index *index)
{
	struct finding_groups groups;

	finding_groups_make(&groups, &report->findings, report);
	record->findings = xcalloc(groups.count, sizeof(*record->findings));
	record->finding_count = groups.count;
	for (size_t i = 0; i < groups.count; i++) {
		make_finding(&record->findings[i], &groups.list[i], report->plan, index);
	}
	finding_groups_release(&groups);
}

void record_make_tests(struct record *record, const struct report *report)
{
	struct test_index index;

	record->test_count = number_tests(&index, report->plan);
	make_tests(record, report, &index);
	make_findings(record, report, &index);
	free(index.of);
}
