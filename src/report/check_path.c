/* Whether what was confirmed as durable was so. */
#include <math.h>
#include <stdlib.h>

#include "checks.h"
#include "commits.h"
#include "report/path.h"
#include "scale.h"
#include "support/memory.h"

bool check_not_durable(const struct run_view *view, struct finding *finding)
{
	struct path_proof proof;

	path_prove(&proof, view->report, view->run);
	finding->cause = proof.cause;
	return proof.verdict == PATH_NOT_DURABLE;
}

bool run_is_no_result(const struct report *report, const struct finding *finding)
{
	return finding->kind == FINDING_NOT_DURABLE &&
		   (finding->cause == PATH_CAUSE_SYNC_DISABLED || finding->cause == PATH_CAUSE_SYNC_UNREAD) &&
		   report->direct != DIRECT_NOT_WANTED;
}

char *path_describe_no_result(const struct report *report)
{
	char *dataset = report_dataset_argument(report);
	char *words =
		zfs_pool_property(&report->pool, "sync")
			? xasprintf("sync=disabled on %s: these writes were not durable, this is not a SLOG result; 'zfs "
						"set sync=standard %s', then measure again",
				  dataset, dataset)
			: xasprintf("ZFS's intent log took none of these writes, as with sync=disabled (the property could "
						"not be read): they were not durable, this is not a SLOG result; look at 'zfs get sync "
						"%s', then measure again",
				  dataset);

	free(dataset);
	return words;
}

void say_not_durable(struct text *text, const struct telling *telling)
{
	char *words = NULL;

	switch (telling->cause) {
	case PATH_CAUSE_SYNC_DISABLED:
	case PATH_CAUSE_SYNC_UNREAD:
		words = path_describe_no_result(telling->report);
		text_add(text, words);
		break;
	case PATH_CAUSE_NO_BARRIER:
		words_devices(text, &telling->report->storage, commits_flush_role(&telling->report->storage));
		text_add(text,
			" may lose with the power what its volatile cache holds, and no flush was sent for these writes: "
			"they were not durable; mount it without 'nobarrier' (or with 'barrier=1'), then measure again");
		break;
	default:
		text_add(text, "ZFS's intent log took none of these writes, so they were not durable when they were confirmed; "
					   "look at 'zfs get sync' of the dataset, then measure again");
		break;
	}
	free(words);
}
