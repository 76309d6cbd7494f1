/* From a report, which knows the machine, to a record, which outlives it. */
#include "record_make.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fields.h"
#include "support/memory.h"
#include "support/text.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

#define UNKNOWN ((double)NAN)

enum { HOST_NAME_BYTES = 256 };

/* A copy that is safe to print; NULL stays NULL. */
static char *printable(const char *string)
{
	return string ? text_printable(string) : NULL;
}

/* NULL where the machine has no name. */
static char *host_name(void)
{
	char name[HOST_NAME_BYTES + 1] = "";

	if (gethostname(name, HOST_NAME_BYTES) != 0 || name[0] == '\0') {
		return NULL;
	}
	return text_printable(name);
}

static void make_settings(
	struct record_settings *settings, const struct report *report, const struct record_frame *frame)
{
	const struct plan *plan = report->plan;
	bool is_fio = plan->profile->tool == LOAD_FIO;

	*settings = (struct record_settings){.profile = plan->profile,
		.engine = is_fio ? xstrdup(engine_name(report->engine)) : NULL,
		.tool = printable(report->tool),
		.runs_as = printable(report->runs_as),
		.size_bytes = (double)plan->size_bytes,
		.runtime_s = is_fio ? (double)plan->runtime_s : UNKNOWN,
		.runs = plan->passes,
		.warmup = plan->warmup,
		.ramp_s = (double)plan->ramp_s,
		.interval_s = (double)plan->interval_s,
		.command = record_quote_command(frame->argv)};
}

/* The names of all devices with that role; NULL for none. */
static char *list_devices(const struct storage *storage, enum storage_role role)
{
	struct text names = TEXT_EMPTY;

	for (size_t i = 0; i < storage->device_count; i++) {
		if ((storage->devices[i].roles & 1U << role) != 0) {
			text_addf(&names, "%s%s", names.length > 0 ? " " : "", storage->devices[i].name);
		}
	}
	char *list = names.length > 0 ? text_printable(text_string(&names)) : NULL;
	text_release(&names);
	return list;
}

static void make_target(struct record_target *target, const struct target *measured, const struct storage *storage)
{
	char *device = block_device_describe(&measured->block);
	bool is_known = measured->block.name || measured->block.kind;

	*target = (struct record_target){.path = xstrdup(measured->shown),
		.file_system = printable(measured->mount.type),
		.source = printable(measured->mount.source),
		.mount_point = printable(measured->mount.mount_point),
		.device = is_known ? xstrdup(device) : NULL,
		.storage = xstrdup(storage_words[storage->kind]),
		.free_bytes = measured->space_known ? (double)measured->free_bytes : UNKNOWN,
		.total_bytes = measured->space_known ? (double)measured->total_bytes : UNKNOWN};
	for (int role = 0; role < STORAGE_ROLE_COUNT; role++) {
		target->devices[role] = list_devices(storage, (enum storage_role)role);
	}
	free(device);
}

/* Only where commits are measured does the log matter so much that the banner speaks of it. */
static void make_pool(struct record_pool *record, const struct report *report)
{
	const struct zfs_pool *pool = &report->pool;

	if (!report->plan->profile->synchronous || !pool->pool) {
		return;
	}
	record->name = text_printable(pool->pool);
	record->is_warning = pool->asked && !pool->log_devices;
	record->log_devices = text_printable(pool->log_devices ? pool->log_devices
										 : pool->asked     ? "none: synchronous writes go to the pool's own disks"
														   : "unknown (zpool gave no answer)");
}

static void make_facts(struct record *record, const struct environment *environment)
{
	record->facts = xcalloc(environment->fact_count, sizeof(*record->facts));
	record->fact_count = environment->fact_count;
	for (size_t i = 0; i < environment->fact_count; i++) {
		const struct environment_fact *fact = &environment->facts[i];

		record->facts[i] = (struct record_fact){.key = xstrdup(fact->key),
			.subject = printable(fact->subject),
			.label = xstrdup(fact->label),
			.value = printable(fact->value)};
	}
}

static void make_notes(struct record *record, const struct report *report)
{
	record->notes = xcalloc(report->note_count, sizeof(*record->notes));
	record->note_count = report->note_count;
	for (size_t i = 0; i < report->note_count; i++) {
		record->notes[i] = text_printable(report->notes[i]);
	}
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

static void make_test(struct record_test *test, const struct report *report, size_t workload, enum transfer transfer)
{
	const struct plan *plan = report->plan;
	const struct workload *made_of = &plan->profile->workloads[workload];

	*test = (struct record_test){.name = record_workload_name(made_of),
		.transfer = transfer,
		.pattern = made_of->pattern,
		.synchronous = made_of->synchronous,
		.block_size_bytes = (double)made_of->block_size_bytes,
		.queue_depth = made_of->queue_depth,
		.threads = made_of->jobs};
	for (size_t run = 0; run < plan->run_count; run++) {
		if (plan->runs[run].workload == workload && plan->runs[run].transfer == transfer &&
			report->measurements[run].outcome != OUTCOME_NOT_RUN) {
			test->runs = xrealloc(test->runs, (test->run_count + 1) * sizeof(*test->runs));
			make_run(&test->runs[test->run_count++], report, run);
		}
	}
}

static void make_tests(struct record *record, const struct report *report)
{
	const struct profile *profile = report->plan->profile;

	record->tests = xcalloc(profile->workload_count * TRANSFER_COUNT, sizeof(*record->tests));
	for (size_t workload = 0; workload < profile->workload_count; workload++) {
		for (int transfer = 0; transfer < TRANSFER_COUNT; transfer++) {
			if (profile->workloads[workload].transfers[transfer]) {
				make_test(&record->tests[record->test_count++], report, workload, (enum transfer)transfer);
			}
		}
	}
}

/* Where a run of the plan stands in a record whose tests come row by row, reading before writing. */
static struct record_place find_place(const struct plan *plan, size_t run)
{
	struct record_place place = {.test = 0, .pass = plan->runs[run].pass};

	for (size_t workload = 0; workload <= plan->runs[run].workload; workload++) {
		for (int transfer = 0; transfer < TRANSFER_COUNT; transfer++) {
			bool comes_before = workload < plan->runs[run].workload || transfer < (int)plan->runs[run].transfer;

			place.test += comes_before && plan->profile->workloads[workload].transfers[transfer] ? 1 : 0;
		}
	}
	return place;
}

static void make_finding(struct record_finding *finding, const struct finding_group *group, const struct plan *plan)
{
	*finding = (struct record_finding){.id = xstrdup(finding_id(group->kind)),
		.mark = xstrdup(finding_mark(group->kind)),
		.sentence = text_printable(group->sentence),
		.places = xcalloc(group->run_count, sizeof(*finding->places)),
		.place_count = group->run_count};
	for (size_t i = 0; i < group->run_count; i++) {
		finding->places[i] = find_place(plan, group->runs[i]);
	}
}

static void make_findings(struct record *record, const struct report *report)
{
	struct finding_groups groups;

	finding_groups_make(&groups, &report->findings, report);
	record->findings = xcalloc(groups.count, sizeof(*record->findings));
	record->finding_count = groups.count;
	for (size_t i = 0; i < groups.count; i++) {
		make_finding(&record->findings[i], &groups.list[i], report->plan);
	}
	finding_groups_release(&groups);
}

void record_make(struct record *record, const struct report *report, const struct record_frame *frame)
{
	char *checked = findings_checked(&report->findings, report);

	*record = (struct record){.program_version = xstrdup(VERSION),
		.label = printable(frame->label),
		.started_at = printable(frame->started_at),
		.finished_at = printable(frame->finished_at),
		.state = frame->state,
		.failure = printable(frame->failure),
		.host = host_name(),
		.checked = printable(checked)};
	free(checked);
	make_settings(&record->settings, report, frame);
	make_target(&record->target, report->target, &report->storage);
	record_make_direct(&record->direct, report);
	make_pool(&record->pool, report);
	make_facts(record, &report->environment);
	make_notes(record, report);
	make_tests(record, report);
	make_findings(record, report);
	record_bound(record);
}
