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
#include "scale.h"

/* Of what commits need at least, so much has to be seen. */
#define SEEN_MIN 0.9
/* zpool iostat sees only a part of the run. */
#define SEEN_MIN_IOSTAT 0.5
/* Below this nothing of it was seen; with fewer commits nothing can be told. */
#define NOTHING_MAX 0.01
#define COMMITS_MIN 100
/* Data goes around the log with nearly each commit, or with few. */
#define INDIRECT_MIN 0.5
/* Of the log's blocks, so many may be others'. */
#define OTHERS_MAX 0.05
/* What zfs_immediate_write_sz is unless it was changed. */
#define IMMEDIATE_BYTES (UINT64_C(32) << 10)

/* One run, as it is judged. */
struct case_file {
	const struct report *report;
	size_t run;
	const struct workload *workload;
	const struct evidence *evidence;
	double commits;
	double needed; /* the least number of blocks or flushes that these commits take */
};

/* What ZFS's intent log counted meanwhile. */
struct zil {
	bool known;
	bool of_dataset;
	double indirect, log, pool; /* records, blocks, blocks */
};

static bool has_property(const struct report *report, const char *name, const char *value)
{
	const char *found = zfs_pool_property(&report->pool, name);

	return found && strcmp(found, value) == 0;
}

static void take_zil(struct zil *zil, const struct case_file *file)
{
	const struct reading *before = &file->evidence->readings.before, *after = &file->evidence->readings.after;

	*zil = (struct zil){.known = scale_both_know(before, after, READING_ZIL),
		.of_dataset = before->zil_is_dataset && after->zil_is_dataset,
		.indirect = scale_difference(before->zil.indirect, after->zil.indirect),
		.log = scale_difference(before->zil.log_blocks, after->zil.log_blocks),
		.pool = scale_difference(before->zil.pool_blocks, after->zil.pool_blocks)};
	zil->known = zil->known && before->zil_is_dataset == after->zil_is_dataset && !isnan(zil->indirect) &&
				 !isnan(zil->log) && !isnan(zil->pool);
}

static bool lacks_log(const struct report *report)
{
	return report->pool.vdev_count > 0 && !zfs_pool_has_log(&report->pool);
}

/* Why the log's blocks are on the pool's own devices. */
static enum path_cause why_pool(const struct report *report)
{
	for (size_t i = 0; i < report->pool.vdev_count; i++) {
		if (report->pool.vdevs[i].class == ZFS_LOG && lacks_log(report)) {
			return PATH_CAUSE_LOG_SICK;
		}
	}
	return lacks_log(report) ? PATH_CAUSE_NO_LOG : PATH_CAUSE_NONE;
}

/* Why the data is there, with only pointers in the log. */
static enum path_cause why_indirect(const struct case_file *file)
{
	if (has_property(file->report, "logbias", "throughput")) {
		return PATH_CAUSE_LOGBIAS;
	}
	return lacks_log(file->report) && file->workload->block_size_bytes >= IMMEDIATE_BYTES ? PATH_CAUSE_LARGE
																						  : PATH_CAUSE_NONE;
}

/* Whether O_DIRECT was asked for on a ZFS that has it; some older ones take it for nothing. */
static bool is_direct(const struct case_file *file)
{
	return file->evidence->direct && file->report->direct == DIRECT_ENABLED &&
		   zfs_has_direct(file->report->storage.zfs_version) && !has_property(file->report, "direct", "disabled");
}

static void conclude(struct path_proof *proof, enum path_verdict verdict, enum path_cause cause)
{
	proof->verdict = verdict;
	proof->cause = cause;
}

/*
 * The blocks of other pools may be among them. Blocks on log devices that are enough for all our commits were ours, if
 * each thread's commit needs one of its own; with several threads in one block that cannot be told.
 */
static void judge_blocks(struct path_proof *proof, const struct case_file *file, const struct zil *zil)
{
	bool has_log = !lacks_log(file->report);
	bool all_in_log = zil->log >= SEEN_MIN * file->commits;

	if (has_log && zil->log >= SEEN_MIN * file->needed && (proof->log_share >= 1 - OTHERS_MAX || all_in_log)) {
		conclude(proof, PATH_LOG, PATH_CAUSE_NONE);
	} else if ((!has_log || zil->log < NOTHING_MAX * file->commits) && zil->pool >= SEEN_MIN * file->needed) {
		conclude(proof, PATH_POOL, why_pool(file->report));
	} else if (has_log && zil->log + zil->pool >= SEEN_MIN * file->needed &&
			   (zil->of_dataset || file->workload->jobs == 1)) {
		conclude(proof, PATH_LOG_PARTLY, PATH_CAUSE_NONE);
	}
}

/* By what the intent log itself counted. */
static void judge_zil(struct path_proof *proof, const struct case_file *file, const struct zil *zil)
{
	double blocks = zil->log + zil->pool;
	bool took_nothing = blocks + zil->indirect < NOTHING_MAX * file->commits && file->commits >= COMMITS_MIN;

	proof->witness = zil->of_dataset ? PATH_BY_ZIL : PATH_BY_ZIL_OF_ALL_POOLS;
	proof->log_share = blocks > 0 ? zil->log / blocks : UNKNOWN;
	if (is_direct(file) && (took_nothing || zil->indirect >= INDIRECT_MIN * file->commits)) {
		conclude(proof, PATH_AROUND, PATH_CAUSE_DIRECT);
	} else if (took_nothing) {
		/* Where the property says otherwise, nobody knows why. */
		conclude(proof, PATH_NOT_DURABLE,
			zfs_pool_property(&file->report->pool, "sync") ? PATH_CAUSE_NONE : PATH_CAUSE_SYNC_DISABLED);
	} else if (zil->indirect >= INDIRECT_MIN * file->commits) {
		conclude(proof, PATH_INDIRECT, why_indirect(file));
	} else {
		judge_blocks(proof, file, zil);
	}
}

/* The data may lie with the pool although the log was written: only its own counters tell pointers from data. */
static bool may_be_indirect(const struct case_file *file)
{
	return is_direct(file) || has_property(file->report, "logbias", "throughput");
}

static double seen_min(enum path_witness witness)
{
	return witness == PATH_BY_ZPOOL_IOSTAT ? SEEN_MIN_IOSTAT : SEEN_MIN;
}

/* ZFS without such counters, or without any that hold: by what went to the log's devices. */
static void judge_log_devices(
	struct path_proof *proof, const struct case_file *file, double log_writes, enum path_witness witness)
{
	if (!may_be_indirect(file) && log_writes >= seen_min(witness) * file->needed) {
		proof->witness = witness;
		conclude(proof, PATH_LOG, PATH_CAUSE_NONE);
	}
}

/* Without a log device what is durable is in the pool; that it was written at all has to be seen. */
static void judge_pool_devices(
	struct path_proof *proof, const struct case_file *file, double data_writes, enum path_witness witness)
{
	if (data_writes >= seen_min(witness) * file->needed) {
		proof->witness = witness;
		conclude(proof, PATH_POOL, why_pool(file->report));
	}
}

static void judge_zfs_devices(struct path_proof *proof, const struct case_file *file)
{
	const struct report *report = file->report;
	double runtime_s = (double)report->plan->runtime_s;
	bool has_log = zfs_pool_has_log(&report->pool);
	struct commit_counters counters;

	if (has_log) {
		judge_log_devices(
			proof, file, proof->log_writes_per_s * runtime_s / commits_log_copies(&report->pool), PATH_BY_ZPOOL_IOSTAT);
	} else if (lacks_log(report)) {
		judge_pool_devices(
			proof, file, proof->data_writes_per_s * runtime_s / scale_copies(&report->storage), PATH_BY_ZPOOL_IOSTAT);
	}
	if (proof->verdict != PATH_UNKNOWN) {
		return;
	}
	if (has_log && commits_log_is_apart(report)) {
		commits_count(&counters, report, file->run, STORAGE_LOG);
		judge_log_devices(proof, file, counters.writes / commits_log_copies(&report->pool), PATH_BY_DEVICES);
	} else if (lacks_log(report)) {
		commits_count(&counters, report, file->run, STORAGE_TOP);
		judge_pool_devices(proof, file, counters.writes / scale_copies(&report->storage), PATH_BY_DEVICES);
	}
}

static void judge_zfs(struct path_proof *proof, const struct case_file *file)
{
	struct zil zil;

	take_zil(&zil, file);
	/* The dataset's own blocks tell against the property: it was changed while the run was under way. */
	bool is_refuted = zil.known && zil.of_dataset && zil.log + zil.pool >= SEEN_MIN * file->needed;
	if (commits_sync_is_disabled(file->report) && !is_refuted) {
		proof->witness = !zil.known ? PATH_BY_NOBODY : zil.of_dataset ? PATH_BY_ZIL : PATH_BY_ZIL_OF_ALL_POOLS;
		conclude(proof, PATH_NOT_DURABLE, PATH_CAUSE_SYNC_DISABLED);
	} else if (zil.known) {
		judge_zil(proof, file, &zil);
	} else {
		judge_zfs_devices(proof, file);
	}
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

/* No flush reached disks that forget without one. Others' flushes on them would only hide it. */
static bool lacks_barrier(const struct case_file *file, enum storage_role role)
{
	const struct storage *storage = &file->report->storage;
	struct commit_counters counters;

	commits_count(&counters, file->report, file->run, role);
	return commits_volatile_count(storage, role) == storage_count(storage, role) && storage_count(storage, role) > 0 &&
		   !commits_have_fua(storage, role) && would_count(file, role) && file->commits >= COMMITS_MIN &&
		   counters.flushes < NOTHING_MAX * file->commits;
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

static void judge_block(struct path_proof *proof, const struct case_file *file)
{
	const struct storage *storage = &file->report->storage;
	enum storage_role role = commits_flush_role(storage);
	bool was_written = proof->writes_per_commit * file->commits >= SEEN_MIN / 2 * file->needed;

	if (storage->hides_cache || uses_dax(file->report) || !was_written) {
		return;
	}
	proof->witness = PATH_BY_DEVICES;
	if (is_unguarded(file, role)) {
		conclude(proof, PATH_NOT_DURABLE, PATH_CAUSE_NO_BARRIER);
	} else if (proof->flushes_per_commit * file->commits >= SEEN_MIN * file->needed) {
		conclude(proof, PATH_FLUSHED, PATH_CAUSE_NONE);
	} else if ((is_safe_by_itself(storage) && !storage->ram_cache) || /* such a cache waits for flushes */
			   (role == STORAGE_DISK && commits_pass_cache(file->report, file->run, STORAGE_DISK))) {
		conclude(proof, PATH_WRITTEN, PATH_CAUSE_NONE);
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
			conclude(proof, PATH_NOT_DURABLE, PATH_CAUSE_SYNC_DISABLED);
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
		judge_zfs(proof, &file);
	} else if (report->storage.kind == STORAGE_BLOCK) {
		judge_block(proof, &file);
	}
}
