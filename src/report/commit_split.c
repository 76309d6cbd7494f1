/*
 * Where the time of a commit goes. What counts is the time of the devices' write requests alone: a flush that was asked
 * for is such a request, too, and a write that has to be flushed before or behind it lasts until that is done; so the
 * flushes' own time is in there already, and comes on top only where the counters show that it is not.
 */
#include "report/commit_split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "commits.h"
#include "report/path.h"
#include "scale.h"
#include "support/memory.h"
#include "support/text.h"

#define NS_PER_MILLISECOND 1e6
/* A commit that flushes makes two requests at least, one for the data and one for the flush. */
#define REQUESTS_WITH_FLUSH 1.5
/* One that makes more than these two may have several under way at once. */
#define REQUESTS_IN_TURN_MAX 2.2
/* Less than so many milliseconds in all are too coarse. */
#define TIME_MIN_MS 20
/* A single thread's share that is above the whole by more than that shows requests that no commit waited for in turn.
 */
#define EXCESS_MAX 1.1
/* Where only the rest can be a wait that no counter has, the share is good for what it is. */
#define SHARE_IN_SPITE_OF_LIMIT 0.9
/* So far the mean may be from the median, of which it is a share, before the parts of the latter are estimates. */
#define SKEW_MAX 0.1
/* A stack's own counters are coarse: only by so much more they tell of time that the disk beneath did not take. */
#define SLOW_ON_TOP 1.2

/* Whose requests a commit waits for. */
struct source {
	enum storage_role role;
	double copies; /* so many of them at once for each that a commit waits for */
	double blocks; /* of ZFS without log devices: what of all writes is a commit's; NAN: all of them */
	bool is_estimate;
};

/* What a single commit waits for, one after the other. */
struct chain {
	double writes, flushes; /* flushes whose time is not in that of the writes */
};

static void give_up(struct commit_split *split, const char *reason)
{
	free(split->reason);
	*split = (struct commit_split){.source = SPLIT_UNKNOWN, .device_share = UNKNOWN, .reason = xstrdup(reason)};
}

static bool is_measured(const struct report *report, size_t run)
{
	const struct measurement *measurement = &report->measurements[run];

	return measurement->outcome == OUTCOME_VALID && measurement->evidence.present &&
		   measurement->evidence.commits >= 1 && measurement->evidence.commit_mean_ns > 0 &&
		   isfinite(measurement->evidence.commits) && isfinite(measurement->evidence.commit_mean_ns);
}

/* Why nobody here knows the device at all; NULL where somebody may. */
static const char *why_no_device(const struct report *report)
{
	const struct storage *storage = &report->storage;

	switch (storage->kind) {
	case STORAGE_NFS:
	case STORAGE_CIFS:
		return "only the server knows what its devices do";
	case STORAGE_RAM:
		return "it lies in RAM, where there is no device";
	case STORAGE_UNKNOWN:
		return storage->blind_spot ? storage->blind_spot : "no device is known";
	default:
		return uses_dax(report) ? "with the mount option dax no counter sees the writes" : NULL;
	}
}

static const char *why_not_zfs(const struct report *report, const struct path_proof *proof)
{
	bool has_log = zfs_pool_has_log(&report->pool);

	switch (proof->verdict) {
	case PATH_LOG:
		return NULL;
	case PATH_POOL:
		return has_log ? "the commits went past the log device, among the pool's other writes" : NULL;
	case PATH_LOG_PARTLY:
	case PATH_INDIRECT:
	case PATH_AROUND:
		return "the commits wait for the log and for the pool's data, in shares that no counter tells";
	case PATH_NOT_DURABLE:
		return proof->cause == PATH_CAUSE_SYNC_DISABLED ? "sync=disabled: no commit waits for a device"
														: "no commit was seen to wait for a device";
	default:
		return has_log ? "it is not known whether the commits went to the log device"
					   : "it is not known which devices the commits waited for";
	}
}

/* Its counters are kept in ticks of the kernel's clock, or leave flushes out. */
static bool is_coarse(const struct storage *storage, enum storage_role role)
{
	static const char *const stacks[] = {"dm-", "md", "bcache", "pmem", "zd"};
	bool coarse = false;

	for (size_t i = 0; i < storage->device_count; i++) {
		for (size_t j = 0; j < sizeof(stacks) / sizeof(stacks[0]); j++) {
			coarse = coarse || ((storage->devices[i].roles & (1U << role)) != 0 &&
								   text_starts_with(storage->devices[i].name, stacks[j]));
		}
	}
	return coarse;
}

static bool is_written_at_once(const struct report *report)
{
	static const char *const types[] = {"btrfs", "bcachefs", "f2fs", NULL};

	return scale_is_type(report, types);
}

/* Whether what lies between the file system and the disk takes time of its own. */
static bool is_slow_on_top(const struct report *report, size_t run)
{
	struct commit_counters top, leaf;

	commits_count(&top, report, run, STORAGE_TOP);
	commits_count(&leaf, report, run, STORAGE_LEAF);
	return top.write_ms > SLOW_ON_TOP * leaf.write_ms;
}

/* A block device's own; of a mirror the mean of its sides, though the slower one decides. */
static const char *find_block_source(struct source *source, const struct report *report, size_t run)
{
	const struct storage *storage = &report->storage;
	size_t tops = storage_count(storage, STORAGE_TOP), leaves = storage_count(storage, STORAGE_LEAF);

	*source = (struct source){.role = STORAGE_LEAF, .copies = 1, .blocks = UNKNOWN};
	if (tops == 1 &&
		(storage->is_shared || storage->has_device_cache || (leaves == 1 && is_slow_on_top(report, run)))) {
		source->role = STORAGE_TOP;
	} else if (leaves > 1 && storage->write_copies_known && fabs(storage->write_copies - (double)leaves) < 0.01) {
		source->copies = storage->write_copies;
		source->is_estimate = true;
	} else if (leaves != 1 || storage->is_shared) {
		return "its commits are spread over several devices, whose waits overlap";
	}
	source->is_estimate = source->is_estimate || is_written_at_once(report);
	return NULL;
}

static bool is_on_files(const struct report *report)
{
	bool found = false;

	for (size_t i = 0; i < report->pool.vdev_count && !found; i++) {
		found = report->pool.vdevs[i].is_active && zfs_vdev_is_file(&report->pool.vdevs[i]);
	}
	return found;
}

/* How many blocks of the log the commits of a run made; without ZFS's count one each, as a single thread does. */
static double count_pool_blocks(const struct report *report, size_t run)
{
	const struct run_readings *readings = &report->measurements[run].evidence.readings;
	double blocks = scale_difference(readings->before.zil.pool_blocks, readings->after.zil.pool_blocks);
	double commits = report->measurements[run].evidence.commits;

	/* Those of other pools may be among them. */
	return scale_both_know(&readings->before, &readings->after, READING_ZIL) && blocks > 0 ? fmin(blocks, commits)
																						   : commits;
}

static const char *find_zfs_source(struct source *source, const struct report *report, size_t one_thread)
{
	*source = (struct source){.role = STORAGE_LOG, .copies = commits_log_copies(&report->pool), .blocks = UNKNOWN};
	if (storage_count(&report->storage, STORAGE_LOG) == 0) {
		source->role = STORAGE_TOP;
		source->blocks = count_pool_blocks(report, one_thread);
		source->is_estimate = true;
		return is_on_files(report) ? "the pool lies on files, whose disks write for others, too" : NULL;
	}
	return commits_log_is_apart(report) ? NULL : "the log lies on files, whose disks write for others, too";
}

/* The same pass's run with one thread, else another's; `run` itself where it has one. False: there is none. */
static bool find_one_thread(const struct report *report, size_t run, size_t *found)
{
	const struct plan *plan = report->plan;
	const struct workload *workload = plan_workload(plan, run);
	bool success = false;

	*found = run;
	if (workload->jobs <= 1) {
		return true;
	}
	for (size_t i = 0; i < plan->run_count; i++) {
		const struct workload *other = plan_workload(plan, i);
		bool same_pass = plan->runs[i].pass == plan->runs[run].pass;

		if (other->jobs == 1 && other->synchronous && other->part == workload->part &&
			other->block_size_bytes == workload->block_size_bytes && other->sync_method == workload->sync_method &&
			plan->runs[i].pass > 0 && plan->runs[i].transfer == plan->runs[run].transfer && is_measured(report, i) &&
			(same_pass || !success)) {
			*found = i;
			success = true;
		}
	}
	return success;
}

/* Whether writes to these devices are to be followed by flushes, as far as that can be said. */
static bool needs_flush(const struct report *report, size_t run, enum storage_role role, const struct path_proof *proof)
{
	bool has_way_past = report->storage.kind != STORAGE_ZFS && commits_pass_cache(report, run, role);

	return commits_volatile_count(&report->storage, role) > 0 && !has_way_past && proof->cause != PATH_CAUSE_NO_BARRIER;
}

/* Flushes for each commit, as the source's own devices or the disks beneath counted them; NAN where they do not. */
static double own_flushes(const struct report *report, size_t run, const struct source *source)
{
	double commits = report->measurements[run].evidence.commits;
	struct commit_counters counters;

	commits_count(&counters, report, run, source->role);
	if (counters.flushes > 0) {
		return counters.flushes / commits / source->copies;
	}
	return report->storage.kind == STORAGE_BLOCK ? commits_flushes(report, run) : UNKNOWN;
}

/* What one commit of a run with one thread waits for. A reason where that cannot be said. */
static const char *find_chain(struct chain *chain, struct source *source, const struct report *report, size_t run)
{
	double commits = report->measurements[run].evidence.commits;
	struct commit_counters counters;
	struct path_proof proof;

	path_prove(&proof, report, run);
	commits_count(&counters, report, run, source->role);
	if (isnan(counters.writes)) {
		return "the device's counters are not known";
	}
	if (!(counters.writes > 0) || !(counters.write_ms > 0)) {
		return "the device keeps no time of its requests";
	}
	source->is_estimate = source->is_estimate || proof.others != PATH_OTHERS_UNSEEN;
	bool flushes = needs_flush(report, run, source->role, &proof);
	*chain = (struct chain){.writes = counters.writes / commits / source->copies};
	if (!isnan(source->blocks)) {
		/* The transaction groups' writes are the most of them: each block is one, and one more for its flush. */
		chain->writes = source->blocks / commits * (flushes ? 2 : 1);
		return NULL;
	}
	source->is_estimate = source->is_estimate || chain->writes > REQUESTS_IN_TURN_MAX ||
						  counters.write_ms < TIME_MIN_MS || is_coarse(&report->storage, source->role);
	if (flushes && chain->writes < REQUESTS_WITH_FLUSH) {
		double counted = own_flushes(report, run, source);

		if (!(counted > 0)) { /* none: an NVMe disk with several paths counts them there */
			return "the time of the flushes is in no counter of the device";
		}
		chain->flushes = chain->writes - counted >= REQUESTS_WITH_FLUSH - 1 ? 0 : counted;
	}
	return NULL;
}

/* How long a commit of that run waits for the device. */
static double device_ns(const struct report *report, size_t run, const struct source *source, const struct chain *chain)
{
	struct commit_counters counters, disks;

	commits_count(&counters, report, run, source->role);
	commits_count(&disks, report, run,
		report->storage.kind == STORAGE_BLOCK ? commits_flush_role(&report->storage) : source->role);
	double ns = counters.write_ms / counters.writes * chain->writes * NS_PER_MILLISECOND;

	return chain->flushes > 0 ? ns + disks.flush_ms / disks.flushes * chain->flushes * NS_PER_MILLISECOND : ns;
}

static double share_of(const struct report *report, size_t run, const struct source *source, const struct chain *chain)
{
	return device_ns(report, run, source, chain) / report->measurements[run].evidence.commit_mean_ns;
}

/* The wait of a request that a limit holds back is in no counter: then little is not little. */
static void judge_share(struct commit_split *split, const struct storage *storage, double share)
{
	if (!(share >= 0)) {
		give_up(split, "the device's counters do not tell it");
		return;
	}
	if (storage->is_throttled && share < SHARE_IN_SPITE_OF_LIMIT) {
		give_up(split, "a control group limits the device, and that wait is in no counter");
		return;
	}
	split->is_estimate = split->is_estimate || storage->is_throttled || storage->may_be_throttled || share > EXCESS_MAX;
	split->device_share = fmin(share, 1);
}

/* The share is the mean commit's: of a median one that is far from it, it is no more than an estimate. */
static void judge_median(struct commit_split *split, const struct measurement *measurement)
{
	double mean_ns = measurement->evidence.commit_mean_ns, median_ns = measurement->figures.latency_p50_ns;
	bool is_known = split->source != SPLIT_UNKNOWN;

	split->has_others = is_known && split->is_estimate;
	split->is_skewed = is_known && median_ns > 0 && fabs(mean_ns - median_ns) > SKEW_MAX * median_ns;
	split->is_estimate = split->has_others || split->is_skewed;
}

/* By what zpool iostat says of the log's devices themselves, where their own counters tell of others, too. */
static bool split_by_disk_wait(struct commit_split *split, const struct report *report, size_t run)
{
	const struct evidence *evidence = &report->measurements[run].evidence;
	double wait_ns = evidence->pool_activity.log_disk_wait_ns;

	if (!evidence->pool_activity.present || !(wait_ns > 0) || storage_count(&report->storage, STORAGE_LOG) == 0) {
		return false;
	}
	split->source = SPLIT_BY_DISK_WAIT;
	split->is_estimate = true;
	judge_share(split, &report->storage, wait_ns / evidence->commit_mean_ns);
	return true;
}

static void split_by_device(struct commit_split *split, const struct report *report, size_t run, size_t one_thread)
{
	bool is_zfs = report->storage.kind == STORAGE_ZFS;
	struct source source;
	struct chain chain;
	const char *reason =
		is_zfs ? find_zfs_source(&source, report, one_thread) : find_block_source(&source, report, run);

	reason = reason ? reason : find_chain(&chain, &source, report, one_thread);
	if (!reason && share_of(report, one_thread, &source, &chain) > EXCESS_MAX) {
		reason = "the device had more under way than a commit waits for: others' requests, or its own side by side";
	}
	if (reason) {
		if (!is_zfs || !split_by_disk_wait(split, report, run)) {
			give_up(split, reason);
		}
		return;
	}
	split->source = SPLIT_BY_DEVICE;
	split->is_estimate = source.is_estimate;
	judge_share(split, &report->storage, share_of(report, run, &source, &chain));
}

void commit_split_make(struct commit_split *split, const struct report *report, size_t run)
{
	const char *reason = why_no_device(report);
	struct path_proof proof;
	size_t one_thread = run;

	*split = (struct commit_split){.device_share = UNKNOWN};
	path_prove(&proof, report, run);
	if (!reason && report->storage.kind == STORAGE_ZFS && plan_workload(report->plan, run)->synchronous) {
		reason = why_not_zfs(report, &proof);
	}
	if (!reason && !is_measured(report, run)) {
		reason = plan_workload(report->plan, run)->synchronous ? "there is no figure to split"
															   : "these writes wait for no device";
	}
	if (!reason && !find_one_thread(report, run, &one_thread)) {
		reason = "without a run by one thread nobody knows what a single commit waits for";
	}
	if (reason) {
		give_up(split, reason);
		return;
	}
	split_by_device(split, report, run, one_thread);
	split->is_estimate = split->is_estimate || proof.others != PATH_OTHERS_UNSEEN;
	judge_median(split, &report->measurements[run]);
}

void commit_split_release(struct commit_split *split)
{
	free(split->reason);
	*split = (struct commit_split){.device_share = UNKNOWN};
}
