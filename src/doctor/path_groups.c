/* Which synchronous runs took the same way. */
#include "path_groups.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "examination.h"
#include "support/memory.h"

static bool is_same(const struct path_proof *one, const struct path_proof *other)
{
	bool is_written = one->verdict == PATH_FLUSHED || one->verdict == PATH_WRITTEN;

	return one->verdict == other->verdict && one->cause == other->cause && one->witness == other->witness &&
		   one->is_all == other->is_all && (!is_written || one->others == other->others);
}

static struct path_group *find_group(struct path_groups *groups, const struct path_proof *proof)
{
	for (size_t i = 0; i < groups->count; i++) {
		if (is_same(&groups->list[i].proof, proof)) {
			return &groups->list[i];
		}
	}
	groups->list = xrealloc(groups->list, (groups->count + 1) * sizeof(*groups->list));
	groups->list[groups->count] = (struct path_group){.proof = *proof, .last_workload = SIZE_MAX};
	return &groups->list[groups->count++];
}

static void add_zil(struct path_group *group, const struct run_readings *readings)
{
	const struct reading *from = &readings->before;
	const struct reading *to =
		reading_both_know(from, &readings->flushed, READING_ZIL) ? &readings->flushed : &readings->after;

	if (reading_both_know(from, to, READING_ZIL)) {
		group->log_blocks += (double)reading_grown(from->zil.log_blocks, to->zil.log_blocks);
		group->pool_blocks += (double)reading_grown(from->zil.pool_blocks, to->zil.pool_blocks);
		group->indirect += (double)reading_grown(from->zil.indirect, to->zil.indirect);
	}
}

static void add_row(struct path_group *group, const struct workload *workload)
{
	if (group->row_count < ROWS_NAMED_MAX) {
		char *name = record_workload_name(workload);

		text_addf(&group->rows, "%s%s", group->row_count > 0 ? ", " : "", name);
		free(name);
	}
	group->row_count++;
}

/* What all passes of a row tell together, so that it stands in one sentence. */
struct agreement {
	bool is_all;
	enum path_others others;
};

static bool is_of_row(const struct report *report, size_t run, size_t workload)
{
	return report->plan->runs[run].workload == workload && examination_has_commits(report, run) &&
		   plan_workload(report->plan, run)->part != PART_EXPERIMENT;
}

static void find_agreement(struct agreement *agreement, const struct report *report, size_t workload)
{
	*agreement = (struct agreement){.is_all = true, .others = PATH_OTHERS_UNSEEN};
	for (size_t run = 0; run < report->plan->run_count; run++) {
		struct path_proof proof;

		if (is_of_row(report, run, workload)) {
			path_prove(&proof, report, run);
			agreement->is_all = agreement->is_all && (proof.verdict != PATH_LOG || proof.is_all);
			agreement->others = proof.others > agreement->others ? proof.others : agreement->others;
		}
	}
}

static void add_run(
	struct path_groups *groups, const struct report *report, size_t run, const struct agreement *agreement)
{
	const struct workload *workload = plan_workload(report->plan, run);
	const struct measurement *measurement = &report->measurements[run];
	struct path_proof proof;

	path_prove(&proof, report, run);
	proof.is_all = proof.is_all && agreement->is_all;
	proof.others = agreement->others;
	struct path_group *group = find_group(groups, &proof);
	group->commits += isnan(proof.commits) ? 0 : proof.commits;
	group->log_writes_per_s = fmax(group->log_writes_per_s, proof.log_writes_per_s);
	group->data_writes_per_s = fmax(group->data_writes_per_s, proof.data_writes_per_s);
	add_zil(group, &measurement->evidence.readings);
	group->first_threads = group->row_count > 0 ? group->first_threads : workload->jobs;
	if (workload->jobs > group->threads) {
		group->threads = workload->jobs;
		group->crowd_flushes = proof.flushes_per_commit;
	}
	if (group->last_workload != report->plan->runs[run].workload) {
		group->last_workload = report->plan->runs[run].workload;
		add_row(group, workload);
	}
}

/* By workload, so that the runs of a row come together. */
void path_groups_find(struct path_groups *groups, const struct report *report)
{
	const struct plan *plan = report->plan;

	*groups = (struct path_groups){0};
	for (size_t workload = 0; workload < plan->profile->workload_count; workload++) {
		struct agreement agreement;

		find_agreement(&agreement, report, workload);
		for (size_t run = 0; run < plan->run_count; run++) {
			if (is_of_row(report, run, workload)) {
				add_run(groups, report, run, &agreement);
			}
		}
	}
}

void path_groups_release(struct path_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++) {
		text_release(&groups->list[i].rows);
	}
	free(groups->list);
	*groups = (struct path_groups){0};
}
