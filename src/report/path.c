/*
 * Which way synchronous writes took. A thread has one commit under way at a time, and each needs a block of the log, or
 * a flush, that begins after it came: so one of these serves at most as many commits as there are threads. Where fewer
 * were counted, not all commits can have waited for one.
 */
#include "report/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "commits.h"
#include "path_case.h"
#include "scale.h"

/* A commit flushes the cache once; on disks that cannot write past it a journal flushes twice. */
#define FLUSHES_MAX_FUA 1.5
#define FLUSHES_MAX 2.5
/* Others' flushes just before the run: one or two may be a journal's, and some are too few to matter. */
#define OTHERS_FLUSHES_MIN 3
#define OTHERS_SHARE_MIN 0.1

void path_conclude(struct path_proof *proof, enum path_verdict verdict, enum path_cause cause)
{
	proof->verdict = verdict;
	proof->cause = cause;
}

/*
 * Whether a disk that counted no flush got none: bio-based stacks and dm-multipath hand flushes on so that some are not
 * counted, but a disk that the file system lies on itself, or that has counted some before, counts them.
 */
static bool would_count(const struct case_file *file, enum storage_role role)
{
	const struct storage *storage = &file->report->storage;
	bool direct = !storage->is_shared;

	for (size_t i = 0; i < storage->device_count; i++) {
		unsigned roles = storage->devices[i].roles & (1U << STORAGE_TOP | 1U << STORAGE_LEAF);

		direct = direct && (roles == 0 || roles == (1U << STORAGE_TOP | 1U << STORAGE_LEAF));
	}
	return direct || role == STORAGE_TOP || file->evidence->readings.before.devices[role].flush_requests > 0;
}

/* Whether the mount says that nothing is flushed: ext4, btrfs, and xfs up to Linux 4.18. */
static bool sends_no_flush(const struct report *report)
{
	const char *options = report->target->mount.super_options;
	char *barrier = options ? mount_option_value(options, "barrier") : NULL;
	bool found = (options && mount_has_option(options, "nobarrier")) || (barrier && strcmp(barrier, "0") == 0);

	free(barrier);
	return found;
}

/* No flush reached disks that forget without one. Others' flushes on them do not hide it where the mount says so. */
static bool lacks_barrier(const struct case_file *file, enum storage_role role)
{
	const struct storage *storage = &file->report->storage;
	struct commit_counters counters;

	commits_count(&counters, file->report, file->run, role);
	return commits_volatile_count(storage, role) == storage_count(storage, role) && storage_count(storage, role) > 0 &&
		   !commits_have_fua(storage, role) && would_count(file, role) && file->commits >= COMMITS_MIN &&
		   (counters.flushes < NOTHING_MAX * file->commits || sends_no_flush(file->report));
}

/* Whether the disks themselves claim that nothing in them is lost with the power. */
static bool is_safe_by_itself(const struct storage *storage)
{
	size_t safe = 0;

	for (size_t i = 0; i < storage->device_count; i++) {
		const struct storage_device *device = &storage->devices[i];

		safe += (device->roles & (1U << STORAGE_DISK)) != 0 && device->write_cache == WRITE_CACHE_NONE ? 1 : 0;
	}
	return safe > 0 && safe == storage_count(storage, STORAGE_DISK);
}

/* A loop that writes past the page cache to such disks needs no flush. */
static bool is_unguarded(const struct case_file *file, enum storage_role role)
{
	const struct storage *storage = &file->report->storage;
	bool top_matters = role != STORAGE_DISK && (storage->ram_cache || !is_safe_by_itself(storage));

	return lacks_barrier(file, STORAGE_DISK) || (top_matters && lacks_barrier(file, role));
}

/* Whether others flushed, just before the run, so often that it would be a part of what this run needs. */
static bool others_flush(const struct case_file *file, enum storage_role role)
{
	const struct run_readings *readings = &file->evidence->readings;

	if (readings->idle.at_ns == 0 || !scale_both_know(&readings->idle, &readings->before, READING_DEVICES)) {
		return false;
	}
	double flushes =
		scale_difference(readings->idle.devices[role].flush_requests, readings->before.devices[role].flush_requests);
	double share = (double)(readings->after.at_ns - readings->before.at_ns) /
				   (double)(readings->before.at_ns - readings->idle.at_ns);
	return flushes >= OTHERS_FLUSHES_MIN && flushes * share >= OTHERS_SHARE_MIN * file->needed;
}

/* What others wrote beneath a loop is not in its own counters. */
static enum path_others find_others(const struct path_proof *proof, const struct case_file *file)
{
	const struct storage *storage = &file->report->storage;
	enum storage_role role = commits_flush_role(storage);
	struct audit audit;

	audit_make(&audit, file->report, file->run);
	if ((role != STORAGE_TOP || audit.foreign_is_on_top) &&
		(audit.foreign_share >= FOREIGN_SHARE_MIN || storage->background_work)) {
		return PATH_OTHERS_SEEN;
	}
	return others_flush(file, role) ||
				   proof->flushes_per_commit > (commits_have_fua(storage, role) ? FLUSHES_MAX_FUA : FLUSHES_MAX)
			   ? PATH_OTHERS_LIKELY
			   : PATH_OTHERS_UNSEEN;
}

static void judge_block(struct path_proof *proof, const struct case_file *file)
{
	const struct storage *storage = &file->report->storage;
	enum storage_role role = commits_flush_role(storage);
	bool was_written = proof->writes_per_commit * file->commits >= SEEN_MIN / 2 * file->needed;

	if (storage->hides_cache || uses_dax(file->report) || !was_written) {
		return;
	}
	proof->witness = PATH_BY_DEVICES;
	proof->others = find_others(proof, file);
	if (is_unguarded(file, role)) {
		path_conclude(proof, PATH_NOT_DURABLE, PATH_CAUSE_NO_BARRIER);
	} else if (proof->flushes_per_commit * file->commits >= SEEN_MIN * file->needed) {
		path_conclude(proof, PATH_FLUSHED, PATH_CAUSE_NONE);
	} else if ((is_safe_by_itself(storage) && !storage->ram_cache) || /* such a cache waits for flushes */
			   (role == STORAGE_DISK && commits_pass_cache(file->report, file->run, STORAGE_DISK))) {
		path_conclude(proof, PATH_WRITTEN, PATH_CAUSE_NONE);
	} else {
		proof->witness = PATH_BY_NOBODY;
	}
}

/* Of the devices that commits wait for, for each copy that they write of it. */
static double count_writes(const struct case_file *file)
{
	const struct report *report = file->report;
	bool is_zfs = report->storage.kind == STORAGE_ZFS;
	bool by_log = is_zfs && commits_log_is_apart(report);
	struct commit_counters counters;

	commits_count(&counters, report, file->run, by_log ? STORAGE_LOG : STORAGE_TOP);
	if (by_log) {
		return counters.writes / commits_log_copies(&report->pool);
	}
	/* Those on top of a btrfs or a pool are its own disks, others hand on what they get. */
	bool is_spread = is_zfs || storage_count(&report->storage, STORAGE_TOP) > 1;
	return counters.writes / (is_spread ? scale_copies(&report->storage) : 1);
}

void path_prove(struct path_proof *proof, const struct report *report, size_t run)
{
	const struct evidence *evidence = &report->measurements[run].evidence;
	struct case_file file = {.report = report,
		.run = run,
		.workload = plan_workload(report->plan, run),
		.evidence = evidence,
		.commits = evidence->commits};
	bool is_asked = file.workload->synchronous && report->plan->runs[run].transfer == TRANSFER_WRITE;

	*proof = (struct path_proof){.commits = UNKNOWN,
		.log_share = UNKNOWN,
		.writes_per_commit = UNKNOWN,
		.flushes_per_commit = UNKNOWN,
		.log_writes_per_s = UNKNOWN,
		.data_writes_per_s = UNKNOWN};
	if (!is_asked || !evidence->present) {
		return;
	}
	if (!(evidence->commits >= 1) || isinf(evidence->commits)) {
		/* Nothing can be held against the counters; what the property says holds all the same. */
		if (report->storage.kind == STORAGE_ZFS && commits_sync_is_disabled(report)) {
			path_conclude(proof, PATH_NOT_DURABLE, PATH_CAUSE_SYNC_DISABLED);
		}
		return;
	}
	file.needed = file.commits / fmax(file.workload->jobs, 1);
	proof->commits = file.commits;
	proof->writes_per_commit = count_writes(&file) / file.commits;
	proof->flushes_per_commit = commits_flushes(report, run);
	if (evidence->pool_activity.present) {
		proof->log_writes_per_s = evidence->pool_activity.log_writes_per_s;
		proof->data_writes_per_s = evidence->pool_activity.data_writes_per_s;
	}
	if (report->storage.kind == STORAGE_ZFS) {
		path_judge_zfs(proof, &file);
	} else if (report->storage.kind == STORAGE_BLOCK) {
		judge_block(proof, &file);
	}
}
