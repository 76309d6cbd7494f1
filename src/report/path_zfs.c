/* Which way synchronous writes took on ZFS: by its intent log's counters, else by its devices'. */
#include <math.h>

#include "checks.h"
#include "commits.h"
#include "path_case.h"
#include "scale.h"

/* zpool iostat sees only a part of the run. */
#define SEEN_MIN_IOSTAT 0.5
/* Data goes around the log with nearly each commit, or with few. */
#define INDIRECT_MIN 0.5
/* Of the dataset's log blocks, so many may have gone elsewhere where nearly all went to the log device. */
#define ELSEWHERE_MAX 0.05
/* What zfs_immediate_write_sz is unless it was changed. */
#define IMMEDIATE_BYTES (UINT64_C(32) << 10)

/* What ZFS's intent log counted meanwhile. */
struct zil {
	bool known;
	bool of_dataset;
	double indirect, log, pool; /* records, blocks, blocks */
};

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

/* Why the log's blocks are on the pool's own devices. */
static enum path_cause why_pool(const struct report *report)
{
	for (size_t i = 0; i < report->pool.vdev_count; i++) {
		if (report->pool.vdevs[i].class == ZFS_LOG && zfs_pool_lacks_log(&report->pool)) {
			return PATH_CAUSE_LOG_SICK;
		}
	}
	return zfs_pool_lacks_log(&report->pool)                              ? PATH_CAUSE_NO_LOG
		   : zfs_pool_property_is(&report->pool, "logbias", "throughput") ? PATH_CAUSE_LOGBIAS
																		  : PATH_CAUSE_NONE;
}

/* Why the data is there, with only pointers in the log. */
static enum path_cause why_indirect(const struct case_file *file)
{
	if (zfs_pool_property_is(&file->report->pool, "logbias", "throughput")) {
		return PATH_CAUSE_LOGBIAS;
	}
	return zfs_pool_lacks_log(&file->report->pool) && file->workload->block_size_bytes >= IMMEDIATE_BYTES
			   ? PATH_CAUSE_LARGE
			   : PATH_CAUSE_NONE;
}

/* Whether O_DIRECT was asked for on a ZFS that has it; some older ones take it for nothing. */
static bool is_direct(const struct case_file *file)
{
	return file->evidence->direct && file->report->direct == DIRECT_ENABLED &&
		   zfs_has_direct(file->report->storage.zfs_version) &&
		   !zfs_pool_property_is(&file->report->pool, "direct", "disabled");
}

/* The data may lie with the pool although the log was written: only its own counters tell pointers from data. */
static bool may_be_indirect(const struct case_file *file)
{
	return is_direct(file) || zfs_pool_property_is(&file->report->pool, "logbias", "throughput");
}

static double seen_min(enum path_witness witness)
{
	return witness == PATH_BY_ZPOOL_IOSTAT ? SEEN_MIN_IOSTAT : SEEN_MIN;
}

/* What was written to the log, each copy of it once, and by the devices' counters flushes besides. */
static double count_log_writes(
	const struct path_proof *proof, const struct case_file *file, enum path_witness witness, double *flushes)
{
	const struct report *report = file->report;
	double copies = commits_log_copies(&report->pool);
	struct commit_counters counters = {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN};

	*flushes = 0;
	if (witness == PATH_BY_ZPOOL_IOSTAT) {
		return proof->log_writes_per_s * (double)report->plan->runtime_s / copies;
	}
	if (commits_log_is_apart(report)) {
		commits_count(&counters, report, file->run, STORAGE_LOG);
	}
	if (commits_volatile_count(&report->storage, STORAGE_LOG) > 0) {
		*flushes = counters.flushes > 0 ? counters.flushes / copies : counters.writes / copies / 2;
	}
	return counters.writes / copies;
}

/* By what went to the log's devices. With one thread each commit needs a write of its own, so that these can be all. */
static void judge_log_devices(struct path_proof *proof, const struct case_file *file, enum path_witness witness)
{
	double flushes, writes = count_log_writes(proof, file, witness, &flushes);

	if (proof->verdict == PATH_UNKNOWN && !may_be_indirect(file) && writes >= seen_min(witness) * file->needed) {
		proof->witness = witness;
		proof->is_all = file->workload->jobs == 1 && writes - flushes >= SEEN_MIN * file->commits;
		path_conclude(proof, PATH_LOG, PATH_CAUSE_NONE);
	}
}

/* Where ZFS wrote log blocks, and none to this pool's log devices, they went elsewhere. */
static void judge_idle_log(struct path_proof *proof, const struct case_file *file, enum path_witness witness)
{
	double flushes;

	if (proof->verdict == PATH_UNKNOWN &&
		count_log_writes(proof, file, witness, &flushes) < NOTHING_MAX * file->needed) {
		proof->witness = witness;
		path_conclude(proof, PATH_POOL, why_pool(file->report));
	}
}

/* Without a log device what is durable is in the pool; that it was written at all has to be seen. */
static void judge_pool_devices(
	struct path_proof *proof, const struct case_file *file, double data_writes, enum path_witness witness)
{
	if (proof->verdict == PATH_UNKNOWN &&
		data_writes / scale_copies(&file->report->storage) >= seen_min(witness) * file->needed) {
		proof->witness = witness;
		path_conclude(proof, PATH_POOL, why_pool(file->report));
	}
}

/* There is a log device, and while the pool's other devices wrote it did nothing. */
static void judge_skipped_log(
	struct path_proof *proof, const struct case_file *file, double data_writes, enum path_witness witness)
{
	double flushes;

	if (count_log_writes(proof, file, witness, &flushes) < NOTHING_MAX * file->needed) {
		judge_pool_devices(proof, file, data_writes, witness);
	}
}

/* ZFS without such counters, or without any that hold. */
static void judge_zfs_devices(struct path_proof *proof, const struct case_file *file)
{
	const struct report *report = file->report;
	double seen_writes = proof->data_writes_per_s * (double)report->plan->runtime_s;
	struct commit_counters counters;

	commits_count(&counters, report, file->run, STORAGE_TOP);
	if (zfs_pool_has_log(&report->pool)) {
		judge_log_devices(proof, file, PATH_BY_ZPOOL_IOSTAT);
		judge_log_devices(proof, file, PATH_BY_DEVICES);
		judge_skipped_log(proof, file, seen_writes, PATH_BY_ZPOOL_IOSTAT);
		judge_skipped_log(proof, file, counters.writes, PATH_BY_DEVICES);
	} else if (zfs_pool_lacks_log(&report->pool)) {
		judge_pool_devices(proof, file, seen_writes, PATH_BY_ZPOOL_IOSTAT);
		judge_pool_devices(proof, file, counters.writes, PATH_BY_DEVICES);
	}
}

/*
 * What is counted of all pools may be others', here or there. Ours went to the log where hardly any block went
 * elsewhere, and both ways where neither would have been enough for our commits alone.
 */
static bool is_all_in_log(const struct path_proof *proof, const struct case_file *file, const struct zil *zil)
{
	bool is_nothing_else =
		zil->of_dataset ? proof->log_share >= 1 - ELSEWHERE_MAX : zil->pool < (1 - SEEN_MIN) * file->needed;

	return zil->log >= SEEN_MIN * file->needed && is_nothing_else;
}

static bool is_partly_in_log(const struct case_file *file, const struct zil *zil)
{
	return zil->log + zil->pool >= SEEN_MIN * file->needed &&
		   (zil->of_dataset || fmax(zil->log, zil->pool) < SEEN_MIN * file->needed);
}

static void judge_blocks(struct path_proof *proof, const struct case_file *file, const struct zil *zil)
{
	bool has_log = !zfs_pool_lacks_log(&file->report->pool), is_in_pool = zil->pool >= SEEN_MIN * file->needed;

	if (has_log && is_all_in_log(proof, file, zil)) {
		proof->is_all = true;
		path_conclude(proof, PATH_LOG, PATH_CAUSE_NONE);
	} else if ((!has_log || zil->log < NOTHING_MAX * file->commits) && is_in_pool) {
		path_conclude(proof, PATH_POOL, why_pool(file->report));
	} else if (has_log && is_partly_in_log(file, zil)) {
		path_conclude(proof, PATH_LOG_PARTLY, PATH_CAUSE_NONE);
	} else if (has_log && !zil->of_dataset) {
		/* Others' blocks are among them: this pool's own devices tell. */
		if (zil->log >= SEEN_MIN * file->needed) {
			judge_zfs_devices(proof, file);
		}
		if (is_in_pool) {
			judge_idle_log(proof, file, PATH_BY_ZPOOL_IOSTAT);
			judge_idle_log(proof, file, PATH_BY_DEVICES);
		}
	}
}

/* By what the intent log itself counted. */
static void judge_zil(struct path_proof *proof, const struct case_file *file, const struct zil *zil)
{
	double blocks = zil->log + zil->pool;
	bool took_nothing = blocks + zil->indirect < NOTHING_MAX * file->commits && file->commits >= COMMITS_MIN;
	bool is_indirect = zil->indirect >= INDIRECT_MIN * file->commits;
	/* With a log device nothing but this property makes ours so. */
	bool may_be_others = zfs_pool_property(&file->report->pool, "logbias") || zfs_pool_lacks_log(&file->report->pool);

	proof->witness = zil->of_dataset ? PATH_BY_ZIL : PATH_BY_ZIL_OF_ALL_POOLS;
	proof->log_share = blocks > 0 ? zil->log / blocks : UNKNOWN;
	if (is_direct(file) && (took_nothing || is_indirect)) {
		path_conclude(proof, PATH_AROUND, PATH_CAUSE_DIRECT);
	} else if (took_nothing) {
		/* Where the property says otherwise, nobody knows why. */
		path_conclude(proof, PATH_NOT_DURABLE,
			zfs_pool_property(&file->report->pool, "sync") ? PATH_CAUSE_NONE : PATH_CAUSE_SYNC_UNREAD);
	} else if (is_indirect && (zil->of_dataset || why_indirect(file) != PATH_CAUSE_NONE)) {
		path_conclude(proof, PATH_INDIRECT, why_indirect(file));
	} else if (!is_indirect || may_be_others) {
		judge_blocks(proof, file, zil);
	}
}

void path_judge_zfs(struct path_proof *proof, const struct case_file *file)
{
	struct zil zil;

	take_zil(&zil, file);
	/* The dataset's own blocks tell against the property: it was changed while the run was under way. */
	bool is_refuted = zil.known && zil.of_dataset && zil.log + zil.pool >= SEEN_MIN * file->needed;
	if (commits_sync_is_disabled(file->report) && !is_refuted) {
		proof->witness = !zil.known ? PATH_BY_NOBODY : zil.of_dataset ? PATH_BY_ZIL : PATH_BY_ZIL_OF_ALL_POOLS;
		path_conclude(proof, PATH_NOT_DURABLE, PATH_CAUSE_SYNC_DISABLED);
	} else if (zil.known) {
		judge_zil(proof, file, &zil);
	} else {
		judge_zfs_devices(proof, file);
	}
}
