#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

/* A run's own time beside its runtime: starting fio and ending it, in tenths of a second. */
enum { RUN_OVERHEAD_TENTHS = 5 };

void plan_init(struct plan *plan, const struct profile *profile, uint64_t size_bytes, uint64_t runtime_s)
{
	*plan = (struct plan){.profile = profile, .size_bytes = size_bytes, .runtime_s = runtime_s};
	plan->runs = xcalloc(profile->workload_count * TRANSFER_COUNT, sizeof(*plan->runs));
	for (size_t row = 0; row < profile->workload_count; row++) {
		for (int transfer = 0; transfer < TRANSFER_COUNT; transfer++) {
			if (profile->workloads[row].transfers[transfer]) {
				plan->runs[plan->run_count++] =
					(struct planned_run){.workload = row, .transfer = (enum transfer)transfer};
				plan->write_run_count += transfer == TRANSFER_WRITE ? 1 : 0;
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

uint64_t plan_runs_s(const struct plan *plan)
{
	if (plan->profile->tool == LOAD_DD) {
		return 0;
	}
	return plan->run_count * plan->runtime_s + plan->run_count * RUN_OVERHEAD_TENTHS / 10;
}

uint64_t plan_estimate_s(const struct plan *plan, double bandwidth_bytes_per_s)
{
	/* dd passes over the file four times: written, read, brought into memory, read again. */
	uint64_t passes = plan->profile->tool == LOAD_DD ? 4 : 1;
	double transfer_s = (double)plan->size_bytes * (double)passes / bandwidth_bytes_per_s;

	return plan_runs_s(plan) + (uint64_t)transfer_s + 1;
}

char *plan_run_name(const struct plan *plan, size_t run)
{
	const struct workload *workload = plan_workload(plan, run);
	const char *direction = plan->runs[run].transfer == TRANSFER_READ ? "read" : "write";

	if (plan->profile->tool == LOAD_DD) {
		return xstrdup(workload->name); /* says it already */
	}
	/* The table's name is padded for its column. */
	const char *gap = strstr(workload->name, "  ");
	return gap ? xasprintf("%.*s %s %s", (int)(gap - workload->name), workload->name, gap + 2, direction)
			   : xasprintf("%s %s", workload->name, direction);
}
