/* THE table of checks, and what they find in one report. */
#include "report/finding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "scale.h"
#include "support/memory.h"

/* One line a check. */
static const struct {
	enum finding_kind kind;
	check_function *find;
} checks[] = {
	{FINDING_NEVER_WRITTEN, check_never_written},
	{FINDING_NOT_DURABLE, check_not_durable},
	{FINDING_SERVED_FROM_RAM, check_served_from_ram},
	{FINDING_PARTLY_FROM_RAM, check_partly_from_ram},
	{FINDING_NOT_YET_ON_DEVICE, check_not_yet_on_device},
	{FINDING_DIRECT_NOT_HONOURED, check_direct_not_honoured},
	{FINDING_COMPRESSED, check_compressed},
	{FINDING_DEPTH_NOT_REACHED, check_depth_not_reached},
	{FINDING_CPU_BOUND, check_cpu_bound},
	{FINDING_OTHER_TRAFFIC, check_other_traffic},
	{FINDING_ABOVE_LINK, check_above_link},
	{FINDING_AMPLIFIED, check_amplified},
	{FINDING_FITS_IN_CACHE, check_fits_in_cache},
	{FINDING_SOURCE_UNKNOWN, check_source_unknown},
};

bool run_view_init(struct run_view *view, const struct report *report, size_t run)
{
	const struct measurement *measurement = &report->measurements[run];

	*view = (struct run_view){.report = report,
		.run = run,
		.measurement = measurement,
		.workload = plan_workload(report->plan, run),
		.transfer = report->plan->runs[run].transfer};
	if (report->plan->runs[run].pass == 0 || measurement->outcome != OUTCOME_VALID || !measurement->evidence.present) {
		return false;
	}
	audit_make(&view->audit, report, run);
	return true;
}

bool run_is_cached_row(const struct run_view *view)
{
	const struct profile *profile = view->report->plan->profile;

	return (profile->tool == LOAD_DD && view->workload->dd_mode == DD_READ_CACHED) ||
		   (profile->synchronous && !view->workload->synchronous && view->transfer == TRANSFER_WRITE);
}

static void add(struct findings *findings, const struct finding *finding)
{
	findings->list = xrealloc(findings->list, (findings->count + 1) * sizeof(*findings->list));
	findings->list[findings->count++] = *finding;
}

static void check_run(struct findings *findings, const struct report *report, size_t run)
{
	const struct measurement *measurement = &report->measurements[run];
	struct run_view view;

	if (report->plan->runs[run].pass == 0) {
		return; /* the warm-up's figures are thrown away */
	}
	if (measurement->outcome == OUTCOME_FAILED && measurement->failure_kind != FINDING_NONE) {
		add(findings, &(struct finding){measurement->failure_kind, run, 0, UNKNOWN, UNKNOWN});
	}
	if (!run_view_init(&view, report, run)) {
		return;
	}
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct finding finding = {checks[i].kind, run, 0, UNKNOWN, UNKNOWN};

		if (checks[i].find(&view, &finding)) {
			add(findings, &finding);
			if (finding.kind == FINDING_NEVER_WRITTEN || run_is_no_result(report, &finding)) {
				return; /* no number is left that anything could be said of */
			}
		}
	}
}

static int compare(const void *a, const void *b)
{
	const struct finding *first = a, *second = b;

	if (first->kind != second->kind) {
		return first->kind < second->kind ? -1 : 1;
	}
	return first->run < second->run ? -1 : first->run > second->run ? 1 : 0;
}

void findings_make(struct findings *findings, const struct report *report)
{
	findings_release(findings);
	for (size_t run = 0; run < report->plan->run_count; run++) {
		check_run(findings, report, run);
	}
	if (findings->count > 0) {
		qsort(findings->list, findings->count, sizeof(*findings->list), compare);
	}
}

void findings_release(struct findings *findings)
{
	free(findings->list);
	*findings = (struct findings){0};
}

const char *findings_mark(const struct findings *findings, size_t run)
{
	const char *gravest = "";

	for (size_t i = 0; i < findings->count; i++) {
		const char *mark = finding_mark(findings->list[i].kind);

		if (findings->list[i].run == run && *mark && *gravest != '*') {
			gravest = mark;
		}
	}
	return gravest;
}

/* fmin and fmax pass over NAN. */
static void widen(struct range *range, double value)
{
	range->low = fmin(range->low, value);
	range->high = fmax(range->high, value);
}

/* Whether it belongs there; what a run failed for stands in its footnote. */
static bool is_told(const struct telling *telling, const struct finding *finding)
{
	return finding->kind == telling->kind && finding->cause == telling->cause &&
		   telling->report->measurements[finding->run].outcome != OUTCOME_FAILED;
}

/* Gather the findings of one kind and cause; their runs go into the group. */
static void gather(struct telling *telling, struct finding_group *group)
{
	for (size_t i = 0; i < telling->findings->count; i++) {
		const struct finding *finding = &telling->findings->list[i];

		if (is_told(telling, finding)) {
			bool is_read = telling->report->plan->runs[finding->run].transfer == TRANSFER_READ;

			group->runs = xrealloc(group->runs, (group->run_count + 1) * sizeof(*group->runs));
			group->runs[group->run_count++] = finding->run;
			telling->has_read = telling->has_read || is_read;
			telling->has_write = telling->has_write || !is_read;
			widen(&telling->value, finding->value);
			widen(&telling->value2, finding->value2);
		}
	}
}

/* The sentence about a group's runs. The caller frees it. */
static char *tell(const struct telling *telling, const struct finding_group *group)
{
	bool *runs = xcalloc(telling->report->plan->run_count + 1, sizeof(*runs));
	struct text sentence = TEXT_EMPTY;

	for (size_t i = 0; i < group->run_count; i++) {
		runs[group->runs[i]] = true;
	}
	words_runs(&sentence, telling->report, runs);
	text_add(&sentence, ": ");
	finding_say(group->kind)(&sentence, telling);
	text_addf(&sentence, " [%s]", finding_id(group->kind));
	free(runs);
	return text_detach(&sentence);
}

/* Add what is to be told of one kind and cause, if there is any. */
static void add_group(struct finding_groups *groups, const struct findings *findings, const struct report *report,
	enum finding_kind kind, unsigned cause)
{
	struct finding_group group = {.kind = kind, .cause = cause};
	struct telling telling = {.report = report,
		.findings = findings,
		.kind = kind,
		.cause = cause,
		.value = {UNKNOWN, UNKNOWN},
		.value2 = {UNKNOWN, UNKNOWN}};

	gather(&telling, &group);
	if (group.run_count > 0) {
		group.sentence = tell(&telling, &group);
		groups->list = xrealloc(groups->list, (groups->count + 1) * sizeof(*groups->list));
		groups->list[groups->count++] = group;
	}
}

void finding_groups_make(struct finding_groups *groups, const struct findings *findings, const struct report *report)
{
	*groups = (struct finding_groups){0};
	for (int kind = 0; kind < FINDING_KIND_COUNT; kind++) {
		unsigned causes = 0;

		for (size_t i = 0; i < findings->count; i++) {
			if ((int)findings->list[i].kind == kind && findings->list[i].cause >= causes) {
				causes = findings->list[i].cause + 1;
			}
		}
		for (unsigned cause = 0; finding_say((enum finding_kind)kind) && cause < causes; cause++) {
			add_group(groups, findings, report, (enum finding_kind)kind, cause);
		}
	}
}

void finding_groups_release(struct finding_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++) {
		free(groups->list[i].sentence);
		free(groups->list[i].runs);
	}
	free(groups->list);
	*groups = (struct finding_groups){0};
}
