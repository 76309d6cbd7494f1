#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

/* A run's own time beside its runtime: starting fio and ending it, in tenths of a second. */
enum { RUN_OVERHEAD_TENTHS = 5, RAMP_OVERHEAD_TENTHS = 5 /* a newer fio ends its ramp up to a second late */ };

/* The runs of one row; there is room for them. */
static void add_row(struct plan *plan, size_t row, unsigned pass)
{
	for (int transfer = 0; transfer < TRANSFER_COUNT; transfer++) {
		if (plan->profile->workloads[row].transfers[transfer]) {
			plan->runs[plan->run_count++] =
				(struct planned_run){.workload = row, .transfer = (enum transfer)transfer, .pass = pass};
			plan->write_run_count += transfer == TRANSFER_WRITE ? 1 : 0;
		}
	}
}

/* Whether a row is among those that each pass goes over. */
static bool is_chosen(const struct workload *workload, const struct plan_choice *choice)
{
	bool needs_dsync = workload->synchronous && workload->sync_method == SYNC_O_DSYNC;

	return workload->part == PART_MAIN ||
		   (workload->part == PART_DETAIL && choice->detail && !(needs_dsync && choice->without_dsync));
}

static void add_pass(struct plan *plan, const struct plan_choice *choice, unsigned pass)
{
	for (size_t row = 0; row < plan->profile->workload_count; row++) {
		if (is_chosen(&plan->profile->workloads[row], choice)) {
			add_row(plan, row, pass);
		}
	}
}

void plan_init(struct plan *plan, const struct profile *profile, const struct plan_choice *choice)
{
	*plan = (struct plan){
		.profile = profile,
		.size_bytes = choice->size_bytes,
		.runtime_s = choice->runtime_s,
		.ramp_s = profile->tool == LOAD_DD ? 0 : choice->ramp_s, /* dd counts from its first byte on */
		.interval_s = choice->interval_s,
		.passes = choice->runs > 0 ? choice->runs : 1,
		.warmup = choice->warmup,
	};
	plan->runs = xcalloc((plan->passes + 1) * profile->workload_count * TRANSFER_COUNT, sizeof(*plan->runs));
	for (unsigned pass = plan->warmup ? 0 : 1; pass <= plan->passes; pass++) {
		add_pass(plan, choice, pass);
	}
}

static bool is_stage(const struct workload *workload, const unsigned *stages, size_t stage_count)
{
	for (size_t i = 0; i < stage_count; i++) {
		if (workload->part == PART_EXPERIMENT && workload->power == stages[i]) {
			return true;
		}
	}
	return false;
}

void plan_add_experiment(struct plan *plan, const unsigned *stages, size_t stage_count)
{
	size_t rows = plan->profile->workload_count;

	plan->rounds = plan->passes > PLAN_ROUNDS_MIN ? plan->passes : PLAN_ROUNDS_MIN;
	plan->runs = xrealloc(plan->runs, (plan->run_count + plan->rounds * rows * TRANSFER_COUNT) * sizeof(*plan->runs));
	for (unsigned round = 1; round <= plan->rounds; round++) {
		for (size_t i = 0; i < rows; i++) {
			size_t row = round % 2 == 1 ? i : rows - 1 - i;

			if (is_stage(&plan->profile->workloads[row], stages, stage_count)) {
				add_row(plan, row, round);
			}
		}
	}
}

void plan_release(struct plan *plan)
{
	free(plan->runs);
	*plan = (struct plan){0};
}

const struct workload *plan_workload(const struct plan *plan, size_t run)
{
	return &plan->profile->workloads[plan->runs[run].workload];
}

uint64_t plan_layout_bytes(const struct plan *plan)
{
	return plan->profile->tool == LOAD_DD ? 0 : plan->size_bytes;
}

/* There is none after the last run. */
static uint64_t pauses_s(const struct plan *plan)
{
	return plan->run_count > 0 ? (plan->run_count - 1) * plan->interval_s : 0;
}

uint64_t plan_runs_s(const struct plan *plan)
{
	uint64_t overhead_tenths = RUN_OVERHEAD_TENTHS + (plan->ramp_s > 0 ? RAMP_OVERHEAD_TENTHS : 0);

	if (plan->profile->tool == LOAD_DD) {
		return pauses_s(plan);
	}
	return plan->run_count * (plan->ramp_s + plan->runtime_s) + plan->run_count * overhead_tenths / 10 + pauses_s(plan);
}

uint64_t plan_estimate_s(const struct plan *plan, double bandwidth_bytes_per_s)
{
	/* dd passes over the file four times: written, read, brought into memory, read again; and so in each pass. */
	uint64_t times = plan->profile->tool == LOAD_DD ? 4 * (plan->passes + (plan->warmup ? 1 : 0)) : 1;
	double transfer_s = (double)plan->size_bytes * (double)times / bandwidth_bytes_per_s;

	return plan_runs_s(plan) + (uint64_t)transfer_s + 1;
}

char *plan_run_name(const struct plan *plan, size_t run)
{
	const struct workload *workload = plan_workload(plan, run);
	const char *direction = transfer_name(plan->runs[run].transfer);

	if (plan->profile->tool == LOAD_DD) {
		return xstrdup(workload->name); /* says it already */
	}
	/* The table's name is padded for its column. */
	const char *gap = strstr(workload->name, "  ");
	return gap ? xasprintf("%.*s %s %s", (int)(gap - workload->name), workload->name, gap + 2, direction)
			   : xasprintf("%s %s", workload->name, direction);
}

char *plan_run_title(const struct plan *plan, size_t run)
{
	const struct workload *workload = plan_workload(plan, run);
	/* What only writes need not say so where there is little room. */
	char *name = workload->part == PART_MAIN ? plan_run_name(plan, run) : xstrdup(workload->name);
	unsigned pass = plan->runs[run].pass;
	char *title = workload->part == PART_EXPERIMENT ? xasprintf("%s, round %u of %u", name, pass, plan->rounds)
				  : pass == 0                       ? xasprintf("%s, warm-up", name)
				  : plan->passes > 1                ? xasprintf("%s, run %u of %u", name, pass, plan->passes)
													: xstrdup(name);

	free(name);
	return title;
}
