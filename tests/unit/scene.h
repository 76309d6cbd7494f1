/** Situations with a known truth: one run of a report, with the readings that such a run leaves behind. */
#ifndef SCENE_H
#define SCENE_H

#include "stage.h"

/** In a scene 0 stands for what is usual; this stands for 0. */
#define NOTHING 1e-9

/** What was seen beside one run. Shares are of the bytes claimed; what is left out is as an honest run has it. */
struct scene {
	const char *name;
	const struct profile *profile; /* CrystalDiskMark's */
	unsigned passes;               /* 1 */
	bool warmup, detail;
	size_t run; /* of the plan */
	enum engine engine;
	bool buffered;
	double mb_per_s; /* 1000 */
	/* the devices' counters */
	double moved; /* in the run's direction, on all devices: 1 */
	double top;   /* the same on the topmost ones, where it differs */
	double leaf;  /* the same on leaves and disks, where it differs */
	double account, flushed, dirtied;
	bool account_unknown, counters_unknown, network_known;
	double others_read_mb_per_s, others_written_mb_per_s; /* during the run */
	double idle_read_mb_per_s, idle_written_mb_per_s;     /* before it */
	double depth, saturation, job_cpu, all_cpu, quota;    /* what was asked for, 0.1, 0.1, 0.3, 0 */
	double top_depth, leaf_depth;                         /* where these differ from the depth and from 0 */
	double in_flight;                                     /* seen on the topmost devices at each reading */
	double fragments;                                     /* requests for each block: 1 */
	double blocks;                                        /* of the run: what was claimed */
	double counted;                                       /* of the file, by the devices, when it was laid out: 1 */
	bool flushed_unknown, job_cpu_unknown, idle_unknown, dirtied_unknown, journals_data;
	unsigned processors;                            /* 2 */
	double unwritten, encoded, allocated, resident; /* of the file: 0, 0, 1, 0 */
	uint32_t files, direct_files;
	double arc_misses, arc_hits; /* for each block read: the hits are what is not missed */
	/* of synchronous runs: for each commit, on all devices of each role together */
	double writes, flushes;    /* the blocks written; 0, which is to be said by NOTHING where flushes are counted */
	double write_us, flush_us; /* of each: 0 */
	double commit_us;          /* how long one took: what the rate and the threads make it */
	double zil_log, zil_pool, zil_indirect; /* NOTHING: ZFS counts them, and there are none */
	bool zil_of_dataset;
	struct pool_activity pool_activity;
	/* the storage */
	enum write_cache write_cache;
	bool has_fua, flushed_before;
	uint64_t idle_flushes; /* others', in the half second before the run */
	const char *top_name;                             /* a device of its own above vdb1 */
	const char *log_name;                             /* vdc */
	const char *log_vdev, *data_vdev, *sick_log_vdev; /* as zpool names them; NULL: it was not asked */
	const char *logbias, *zfs_version;
	enum storage_kind kind; /* 0: STORAGE_BLOCK */
	bool is_unknown;        /* STORAGE_UNKNOWN */
	const char *type;       /* ext4 */
	const char *options;    /* of the mount */
	const char *ram_cache, *blind_spot, *background_work;
	bool is_shared, has_compression, is_throttled, may_be_throttled, has_log, has_device_cache, hides_cache;
	const char *sync, *record_size; /* properties of the ZFS dataset */
	double copies;                  /* 1 */
	unsigned queue_limit;
	double link_mb_per_s;
	/* the report */
	enum direct_state direct;
	bool dishonoured[TRANSFER_COUNT];
	const char *cause;
	uint64_t cache_bytes; /* 2 GiB; the file has 1 GiB */
	/* what is right */
	const char *findings; /* ids, with a blank between; NULL for none */
	const char *says;     /* the sentences, a line each */
};

static inline double or_usual(double value, double usual)
{
	return value > 0 ? value : usual;
}

static inline void add_device(struct storage *storage, const char *name, unsigned roles, const struct scene *scene)
{
	storage->devices = xrealloc(storage->devices, (storage->device_count + 1) * sizeof(*storage->devices));
	storage->devices[storage->device_count++] = (struct storage_device){.name = xstrdup(name),
		.roles = roles,
		.queue_limit = scene->queue_limit,
		.write_cache = scene->write_cache,
		.has_fua = scene->has_fua,
		.link_bytes_per_s = scene->link_mb_per_s * 1e6,
		.link = scene->link_mb_per_s > 0 ? xstrdup("SATA 6.0 Gb/s") : NULL};
}

static inline void stage_storage(struct storage *storage, const struct scene *scene)
{
	*storage = (struct storage){.kind = scene->is_unknown ? STORAGE_UNKNOWN
										: scene->kind     ? scene->kind
														  : STORAGE_BLOCK,
		.write_copies = or_usual(scene->copies, 1),
		.write_copies_known = scene->copies >= 0,
		.ram_cache = xstrdup(scene->ram_cache),
		.blind_spot = xstrdup(scene->blind_spot),
		.is_shared = scene->is_shared,
		.has_compression = scene->has_compression,
		.has_device_cache = scene->has_device_cache,
		.hides_cache = scene->hides_cache,
		.background_work = xstrdup(scene->background_work),
		.may_be_throttled = scene->may_be_throttled,
		.zfs_version = xstrdup(scene->zfs_version),
		.is_throttled = scene->is_throttled};
	if (storage->kind == STORAGE_BLOCK || storage->kind == STORAGE_ZFS) {
		if (scene->top_name) {
			add_device(storage, scene->top_name, 1U << STORAGE_TOP, scene);
		}
		add_device(storage, "vdb1", (scene->top_name ? 0 : 1U << STORAGE_TOP) | 1U << STORAGE_LEAF, scene);
		add_device(storage, "vdb", 1U << STORAGE_DISK, scene);
	}
	if (scene->has_log) {
		add_device(storage, scene->log_name ? scene->log_name : "vdc",
			1U << STORAGE_TOP | 1U << STORAGE_LEAF | 1U << STORAGE_LOG, scene);
	}
}

static inline void advance(struct reading *reading, enum storage_role role, double read_bytes, double written_bytes)
{
	reading->devices[role].read_bytes += (uint64_t)read_bytes;
	reading->devices[role].written_bytes += (uint64_t)written_bytes;
}

/* Counters that do not begin at 0. */
static inline void first_readings(struct run_readings *readings, const struct scene *scene)
{
	struct reading *before = &readings->before;

	before->at_ns = UINT64_C(1500000000);
	before->known = READING_DIRTIED | READING_PROCESSORS | READING_QUOTA | READING_ARC;
	before->known &= scene->dirtied_unknown ? ~(uint32_t)READING_DIRTIED : UINT32_MAX;
	before->known |= scene->counters_unknown ? 0 : READING_DEVICES;
	before->known |= scene->network_known ? READING_NETWORK : 0;
	before->processors = scene->processors > 0 ? scene->processors : 2;
	before->processor_all_ticks = 1000;
	for (int role = 0; role < STORAGE_ROLE_COUNT; role++) {
		advance(before, (enum storage_role)role, 5e9, 7e9);
		before->devices[role].queue_time_ms = 1000;
	}
	readings->idle = *before;
	readings->idle.at_ns = UINT64_C(1000000000);
	for (int role = 0; role < STORAGE_ROLE_COUNT; role++) {
		advance(
			before, (enum storage_role)role, scene->idle_read_mb_per_s * 0.5e6, scene->idle_written_mb_per_s * 0.5e6);
	}
}

static inline void run_readings_of(
	struct run_readings *readings, const struct scene *scene, double claimed, bool is_read)
{
	double moved = or_usual(scene->moved, 1) * claimed;
	double top = scene->top > 0 ? scene->top * claimed : moved, leaf = scene->leaf > 0 ? scene->leaf * claimed : moved;

	first_readings(readings, scene);
	struct reading *after = &readings->after;
	*after = readings->before;
	after->at_ns += UINT64_C(5000000000);
	advance(after, STORAGE_TOP, is_read ? top : 0, is_read ? 0 : top);
	advance(after, STORAGE_LEAF, is_read ? leaf : 0, is_read ? 0 : leaf);
	advance(after, STORAGE_DISK, (is_read ? leaf : 0) + scene->others_read_mb_per_s * 5e6,
		(is_read ? 0 : leaf) + scene->others_written_mb_per_s * 5e6);
	after->network_read_bytes += is_read ? (uint64_t)top : 0;
	after->network_written_bytes += is_read ? 0 : (uint64_t)top;
	after->dirtied_bytes += (uint64_t)(scene->dirtied * claimed);
	after->arc_misses += (uint64_t)(scene->arc_misses * claimed / 4096);
	after->arc_hits +=
		(uint64_t)(or_usual(scene->arc_hits, scene->arc_misses > 0 ? 1 - scene->arc_misses : 0) * claimed / 4096);
	after->processor_all_ticks += 1000;
	after->processor_busy_ticks += (uint64_t)(or_usual(scene->all_cpu, 0.3) * 1000);
	after->quota_throttled_us += (uint64_t)(scene->quota * 5e6);
	if (!is_read && !scene->flushed_unknown) {
		readings->flushed = *after;
		readings->flushed.at_ns += UINT64_C(100000000);
		advance(&readings->flushed, STORAGE_TOP, 0, scene->flushed * claimed);
		advance(&readings->flushed, STORAGE_LEAF, 0, scene->flushed * claimed);
		readings->flushed.network_written_bytes += (uint64_t)(scene->flushed * claimed);
	}
}

/* What the devices counted in the steady part of the run, and in all of it. */
static inline void run_queues(struct run_readings *readings, const struct scene *scene, double asked, double blocks)
{
	double top_depth = scene->top_depth > 0 ? scene->top_depth : or_usual(scene->depth, asked);
	uint64_t requests = (uint64_t)(or_usual(scene->blocks, blocks) * or_usual(scene->fragments, 1));

	readings->steady_begin = readings->steady_end = readings->before;
	readings->steady_begin.known = readings->steady_end.known = readings->before.known & READING_DEVICES;
	readings->steady_begin.at_ns += UINT64_C(600000000);
	readings->steady_end.at_ns += UINT64_C(4600000000);
	readings->steady_end.devices[STORAGE_TOP].queue_time_ms += (uint64_t)(top_depth * 4000);
	readings->steady_end.devices[STORAGE_LEAF].queue_time_ms += (uint64_t)(scene->leaf_depth * 4000);
	readings->steady_count = 20;
	readings->in_flight_sum[STORAGE_TOP] = (uint64_t)(scene->in_flight * 20);
	for (int role = 0; role < STORAGE_ROLE_COUNT; role++) {
		readings->after.devices[role].read_requests += requests;
		readings->after.devices[role].write_requests += requests;
		readings->steady_end.devices[role].read_requests += requests * 4 / 5;
		readings->written_since_watch_bytes[role] = (uint64_t)(or_usual(scene->counted, 1) * 0x1p30);
	}
}

/* What devices and ZFS counted of commits. */
static inline void run_commits(struct run_readings *readings, const struct scene *scene, double commits)
{
	struct reading *before = &readings->before, *after = &readings->after;
	double writes = or_usual(scene->writes, 1) * commits, flushes = scene->flushes * commits;

	before->known |= scene->flushes > 0 ? READING_FLUSHES : 0;
	before->known |= scene->zil_log > 0 || scene->zil_pool > 0 || scene->zil_indirect > 0 ? READING_ZIL : 0;
	before->zil_is_dataset = scene->zil_of_dataset ? 1 : 0;
	before->zil = (struct zil_counters){.commits = 5, .indirect = 6, .log_blocks = 7, .pool_blocks = 8};
	after->known = before->known;
	after->zil_is_dataset = before->zil_is_dataset;
	after->zil = (struct zil_counters){.commits = before->zil.commits + (uint64_t)commits,
		.indirect = before->zil.indirect + (uint64_t)(scene->zil_indirect * commits),
		.log_blocks = before->zil.log_blocks + (uint64_t)(scene->zil_log * commits),
		.pool_blocks = before->zil.pool_blocks + (uint64_t)(scene->zil_pool * commits)};
	for (int role = 0; role < STORAGE_ROLE_COUNT; role++) {
		struct device_counters *from = &before->devices[role], *to = &after->devices[role];

		from->flush_requests = (scene->flushed_before ? 9 : 0) + scene->idle_flushes;
		to->write_requests = from->write_requests + (uint64_t)writes;
		to->write_time_ms = from->write_time_ms + (uint64_t)(writes * scene->write_us / 1000);
		to->flush_requests = from->flush_requests + (uint64_t)flushes;
		to->flush_time_ms = from->flush_time_ms + (uint64_t)(flushes * scene->flush_us / 1000);
	}
}

static inline struct evidence make_evidence(const struct scene *scene, const struct workload *workload, bool is_read)
{
	double claimed = or_usual(scene->mb_per_s, 1000) * 5e6, asked = workload->queue_depth * workload->jobs;
	struct evidence evidence = {.present = true,
		.claimed_bytes = claimed,
		.submit_saturation = or_usual(scene->saturation, 0.1),
		.busiest_job_cpu = scene->job_cpu_unknown ? (double)NAN : or_usual(scene->job_cpu, 0.1),
		.direct = !scene->buffered,
		.commits = workload->synchronous ? claimed / (double)workload->block_size_bytes : (double)NAN,
		.commit_mean_ns = (double)NAN,
		.pool_activity = scene->pool_activity};
	struct run_readings *readings = &evidence.readings;

	run_readings_of(readings, scene, claimed, is_read);
	run_queues(readings, scene, asked, claimed / (double)workload->block_size_bytes);
	if (workload->synchronous) {
		run_commits(readings, scene, evidence.commits);
		evidence.commit_mean_ns =
			scene->commit_us > 0 ? scene->commit_us * 1e3 : workload->jobs * 5e9 / evidence.commits;
	}
	readings->idle.at_ns = scene->idle_unknown ? 0 : readings->idle.at_ns;
	readings->account = (struct process_account){.known = !scene->account_unknown,
		.read_bytes = is_read ? (uint64_t)(or_usual(scene->account, or_usual(scene->moved, 1)) * claimed) : 0};
	readings->files = (struct process_files){.files = scene->files, .direct = scene->direct_files};
	readings->file =
		(struct file_state){.known = FILE_STATE_HOLES | FILE_STATE_ENCODED | FILE_STATE_RESIDENT | FILE_STATE_ALLOCATED,
			.journals_data = scene->journals_data,
			.size_bytes = UINT64_C(1) << 30,
			.unwritten_bytes = (uint64_t)(scene->unwritten * 0x1p30),
			.allocated_bytes = (uint64_t)(or_usual(scene->allocated, 1) * 0x1p30),
			.encoded_looked_at_bytes = 1 << 20,
			.encoded_bytes = (uint64_t)(scene->encoded * 0x1p20),
			.resident_looked_at_bytes = 1 << 20,
			.resident_bytes = (uint64_t)(scene->resident * 0x1p20)};
	return evidence;
}

/** Put a scene's run into the report, valid. */
static inline void stage_add(struct stage *stage, const struct scene *scene, size_t run)
{
	bool is_read = stage->plan.runs[run].transfer == TRANSFER_READ;

	stage->report.measurements[run] = (struct measurement){.outcome = OUTCOME_VALID,
		.figures = {.bandwidth_bytes_per_s = or_usual(scene->mb_per_s, 1000) * 1e6,
			.iops = 1000,
			.latency_p50_ns = 1000,
			.latency_p99_ns = 2000},
		.evidence = make_evidence(scene, plan_workload(&stage->plan, run), is_read)};
}

static inline void stage_add_property(struct zfs_pool *pool, const char *name, const char *value)
{
	if (value) {
		pool->properties = xrealloc(pool->properties, (pool->property_count + 1) * sizeof(*pool->properties));
		pool->properties[pool->property_count++] =
			(struct zfs_property){.name = xstrdup(name), .value = xstrdup(value)};
	}
}

static inline void stage_add_vdev(struct zfs_pool *pool, const char *name, enum zfs_class class, bool is_active)
{
	if (name) {
		pool->vdevs = xrealloc(pool->vdevs, (pool->vdev_count + 1) * sizeof(*pool->vdevs));
		pool->vdevs[pool->vdev_count++] =
			(struct zfs_vdev){.name = xstrdup(name), .class = class, .is_active = is_active, .copies = 1};
	}
}

/** A report in which only the scene's own run was made. The caller calls stage_close. */
static inline void stage_open_scene(struct stage *stage, const struct scene *scene)
{
	struct plan_choice choice = stage_choice(scene->passes > 0 ? scene->passes : 1, scene->warmup);

	choice.detail = scene->detail;
	stage_open_choice(stage, scene->profile ? scene->profile : &profile_cdm, choice);
	snprintf(stage->type, sizeof(stage->type), "%s", scene->type ? scene->type : "ext4");
	snprintf(stage->options, sizeof(stage->options), "%s", scene->options ? scene->options : "rw");
	stage->target.mount.type = stage->type;
	stage->target.mount.super_options = stage->options;
	stage_storage(&stage->report.storage, scene);
	stage_add_property(&stage->report.pool, "sync", scene->sync);
	stage_add_property(&stage->report.pool, "recordsize", scene->record_size);
	stage_add_property(&stage->report.pool, "logbias", scene->logbias);
	stage_add_vdev(&stage->report.pool, scene->data_vdev, ZFS_DATA, true);
	stage_add_vdev(&stage->report.pool, scene->log_vdev, ZFS_LOG, true);
	stage_add_vdev(&stage->report.pool, scene->sick_log_vdev, ZFS_LOG, false);
	stage->report.pool.dataset = xstrdup(scene->kind == STORAGE_ZFS ? "tank/vm" : NULL);
	stage->report.engine = scene->engine;
	stage->report.direct = scene->direct ? scene->direct : scene->buffered ? DIRECT_NOT_WANTED : DIRECT_ENABLED;
	stage->report.cache_bytes = scene->cache_bytes > 0 ? scene->cache_bytes : UINT64_C(2) << 30;
	for (int transfer = 0; transfer < TRANSFER_COUNT; transfer++) {
		stage->report.direct_verdict.honours[transfer] = scene->dishonoured[transfer] ? HONOUR_NO : HONOUR_YES;
	}
	stage->report.direct_verdict.cause = xstrdup(scene->cause);
	stage_add(stage, scene, scene->run);
}

/** The same with all runs of the plan as the scene has its one. */
static inline void stage_fill(struct stage *stage, const struct scene *scene)
{
	stage_open_scene(stage, scene);
	for (size_t run = 0; run < stage->plan.run_count; run++) {
		stage_add(stage, scene, run);
	}
}

/** The sentences as they stand below the table, a line each. The caller frees it. */
static inline char *list_sentences(const struct report *report)
{
	struct text list = TEXT_EMPTY;
	struct finding_groups groups;

	finding_groups_make(&groups, &report->findings, report);
	for (size_t i = 0; i < groups.count; i++) {
		const char *mark = finding_mark(groups.list[i].kind);

		text_addf(&list, "%s %s\n", *mark ? mark : " ", groups.list[i].sentence);
	}
	finding_groups_release(&groups);
	return text_detach(&list);
}

#endif
