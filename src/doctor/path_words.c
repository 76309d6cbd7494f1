/* Which way the synchronous writes took, in a sentence for all runs that took the same. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "examination.h"
#include "support/memory.h"
#include "support/text.h"

/* So many rows are named; of more, how many there are. */
enum { ROWS_NAMED_MAX = 4 };

/* Runs with the same verdict. */
struct group {
	struct path_proof proof; /* the first one's */
	double commits;          /* of all */
	double zil_commits;
	double log_blocks;
	double pool_blocks;
	double indirect;
	double log_writes_per_s; /* the most that any run saw */
	double data_writes_per_s;
	unsigned threads; /* of the run with most threads, and what its commits made */
	double crowd_flushes;
	struct text rows; /* their names */
	size_t row_count;
	size_t last_workload;
};

/* All of them. */
struct groups {
	struct group *list;
	size_t count;
};

static bool is_same(const struct path_proof *one, const struct path_proof *other)
{
	return one->verdict == other->verdict && one->cause == other->cause && one->witness == other->witness;
}

static struct group *find_group(struct groups *groups, const struct path_proof *proof)
{
	for (size_t i = 0; i < groups->count; i++) {
		if (is_same(&groups->list[i].proof, proof)) {
			return &groups->list[i];
		}
	}
	groups->list = xrealloc(groups->list, (groups->count + 1) * sizeof(*groups->list));
	groups->list[groups->count] = (struct group){.proof = *proof, .last_workload = SIZE_MAX};
	return &groups->list[groups->count++];
}

static void add_zil(struct group *group, const struct run_readings *readings)
{
	const struct reading *from = &readings->before;
	const struct reading *to =
		reading_both_know(from, &readings->flushed, READING_ZIL) ? &readings->flushed : &readings->after;

	if (reading_both_know(from, to, READING_ZIL)) {
		group->zil_commits += (double)reading_grown(from->zil.commits, to->zil.commits);
		group->log_blocks += (double)reading_grown(from->zil.log_blocks, to->zil.log_blocks);
		group->pool_blocks += (double)reading_grown(from->zil.pool_blocks, to->zil.pool_blocks);
		group->indirect += (double)reading_grown(from->zil.indirect, to->zil.indirect);
	}
}

static void add_row(struct group *group, const struct workload *workload)
{
	if (group->row_count < ROWS_NAMED_MAX) {
		char *name = record_workload_name(workload);

		text_addf(&group->rows, "%s%s", group->row_count > 0 ? ", " : "", name);
		free(name);
	}
	group->row_count++;
}

static void add_run(struct groups *groups, const struct report *report, size_t run)
{
	const struct workload *workload = plan_workload(report->plan, run);
	const struct measurement *measurement = &report->measurements[run];
	struct path_proof proof;

	path_prove(&proof, report, run);
	struct group *group = find_group(groups, &proof);
	group->commits += isnan(proof.commits) ? 0 : proof.commits;
	group->log_writes_per_s = fmax(group->log_writes_per_s, proof.log_writes_per_s);
	group->data_writes_per_s = fmax(group->data_writes_per_s, proof.data_writes_per_s);
	add_zil(group, &measurement->evidence.readings);
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
static void find_groups(struct groups *groups, const struct report *report)
{
	const struct plan *plan = report->plan;

	for (size_t workload = 0; workload < plan->profile->workload_count; workload++) {
		for (size_t run = 0; run < plan->run_count; run++) {
			if (plan->runs[run].workload == workload && examination_has_commits(report, run) &&
				plan->profile->workloads[workload].part != PART_EXPERIMENT) {
				add_run(groups, report, run);
			}
		}
	}
}

/* " (ZFS's own count, of all pools)" */
static const char *witness_words(const struct path_proof *proof)
{
	switch (proof->witness) {
	case PATH_BY_ZIL:
		return " (ZFS's own count, of this dataset alone)";
	case PATH_BY_ZIL_OF_ALL_POOLS:
		return " (ZFS's own count, of all pools)";
	case PATH_BY_ZPOOL_IOSTAT:
		return " (zpool iostat)";
	case PATH_BY_DEVICES:
		return " (the devices' counters)";
	case PATH_BY_NOBODY:
		break;
	}
	return "";
}

/* "1444 commits, 1445 log blocks, none on the pool's other devices" */
static void add_blocks(struct text *text, const struct group *group)
{
	if (group->proof.witness == PATH_BY_ZPOOL_IOSTAT) {
		text_addf(text, "up to %.0f writes a second on the log, %.0f on the pool's other devices",
			group->log_writes_per_s, group->data_writes_per_s);
		return;
	}
	if (group->proof.witness == PATH_BY_DEVICES) {
		text_addf(text, "%.0f commits, each with %.1f writes there", group->commits, group->proof.writes_per_commit);
		return;
	}
	text_addf(text, "%.0f commits, %.0f log blocks, ", group->commits, group->log_blocks + group->pool_blocks);
	if (group->pool_blocks > 0) {
		text_addf(text, "%.0f of them on the pool's other devices", group->pool_blocks);
	} else {
		text_add(text, "none on the pool's other devices");
	}
}

static void add_log_devices(struct text *text, const struct report *report)
{
	char *names = text_printable(report->pool.log_devices ? report->pool.log_devices : "");

	text_addf(text, "the log device%s%s%s", strchr(names, ',') ? "s" : "", *names ? " " : "", names);
	free(names);
}

static void say_log(struct text *text, const struct group *group, const struct report *report)
{
	bool is_part = group->proof.verdict == PATH_LOG_PARTLY;

	text_add(text, is_part ? "the sync writes went to " : "all sync writes went to ");
	add_log_devices(text, report);
	text_add(text, is_part ? " in part only: " : ": ");
	add_blocks(text, group);
	text_add(text, witness_words(&group->proof));
	if (is_part) {
		text_addf(text, "; a log device that is full or slow sends writes past it, see 'zpool iostat -v %s 1'",
			report->pool.pool ? report->pool.pool : "POOL");
	}
}

static void add_sick(struct text *text, const struct report *report)
{
	char *health = zfs_pool_log_health(&report->pool);

	text_addf(text, "they did not go to the log device: it does not take part (%s); see 'zpool status %s'",
		health ? health : "no health is known", report->pool.pool ? report->pool.pool : "POOL");
	free(health);
}

/* The log was on the pool's own devices, or the data was. */
static void say_pool(struct text *text, const struct group *group, const struct report *report)
{
	char *dataset = examination_dataset(report);
	const char *pool = report->pool.pool ? report->pool.pool : "POOL";

	switch (group->proof.cause) {
	case PATH_CAUSE_LOGBIAS:
		text_addf(text,
			"they did not go to the log device: logbias=throughput sends the data to the pool's other devices; set it "
			"to "
			"latency with 'zfs set logbias=latency %s'",
			dataset);
		break;
	case PATH_CAUSE_NO_LOG:
		text_addf(text,
			"no log device: %s has none, so that each commit waits for its data devices; 'zpool add %s log DEVICE' "
			"adds one",
			pool, pool);
		break;
	case PATH_CAUSE_LOG_SICK:
		add_sick(text, report);
		break;
	case PATH_CAUSE_LARGE:
		text_add(text,
			"no log device: blocks above zfs_immediate_write_sz (32 KiB unless it was set) go to the data devices "
			"at once, with a pointer to them in the log");
		break;
	default:
		text_addf(text, "they did not go to the log device, and nothing here tells why; see 'zpool status %s'", pool);
		break;
	}
	if (group->proof.witness != PATH_BY_NOBODY && group->proof.verdict == PATH_INDIRECT) {
		text_addf(text, "; %.0f commits, %.0f records with their data on the pool%s", group->commits, group->indirect,
			witness_words(&group->proof));
	}
	free(dataset);
}

static void say_around(struct text *text, const struct report *report)
{
	char *version = text_printable(report->storage.zfs_version ? report->storage.zfs_version : "2.3 or newer");

	text_addf(text, "O_DIRECT writes go around the SLOG on this ZFS (%s); measure without --direct", version);
	free(version);
}

static void say_not_durable(struct text *text, const struct group *group, const struct report *report)
{
	char *dataset = examination_dataset(report), *devices = examination_commit_devices(report);

	switch (group->proof.cause) {
	case PATH_CAUSE_NO_BARRIER:
		text_addf(text,
			"these writes were not durable: %s has a volatile write cache (write back), and %.0f commits brought no "
			"flush to it; look for 'nobarrier' among the mount options",
			devices, group->commits);
		break;
	case PATH_CAUSE_SYNC_DISABLED:
		text_addf(text,
			"sync=disabled: these writes were not durable, this is not a SLOG result; 'zfs set sync=standard %s', then "
			"measure again",
			dataset);
		break;
	default:
		text_addf(text,
			"these writes were not durable: ZFS's intent log counted nothing while fio made %.0f commits, and no "
			"setting tells why",
			group->commits);
		break;
	}
	free(dataset);
	free(devices);
}

/* The kernel counts a flush among the writes as well. */
static double writes_without_flushes(const struct path_proof *proof)
{
	return isnan(proof->flushes_per_commit) ? proof->writes_per_commit
											: fmax(proof->writes_per_commit - proof->flushes_per_commit, 0);
}

/* "each commit made 1.0 flushes and 1.6 writes on vda" */
static void add_requests(struct text *text, const struct group *group, const struct report *report)
{
	char *devices = examination_commit_devices(report);

	text_add(text, "each commit made ");
	if (!isnan(group->proof.flushes_per_commit)) {
		text_addf(text, "%.1f flushes and ", group->proof.flushes_per_commit);
	}
	if (isnan(group->proof.writes_per_commit)) {
		text_addf(text, "an unknown number of writes on %s", devices);
	} else {
		text_addf(text, "%.1f writes on %s", writes_without_flushes(&group->proof), devices);
	}
	free(devices);
}

static void say_flushed(struct text *text, const struct group *group, const struct report *report)
{
	add_requests(text, group, report);
	text_add(text, examination_write_cache(report) == WRITE_CACHE_VOLATILE
					   ? ", whose write cache is on (write back): what was confirmed was on the medium"
					   : ": what was confirmed was flushed");
	if (group->threads > 1 && group->proof.flushes_per_commit > 0 &&
		group->crowd_flushes < group->proof.flushes_per_commit * 0.9) {
		text_addf(
			text, "; %u threads share their flushes (%.2f for each commit)", group->threads, group->crowd_flushes);
	}
}

static void say_written(struct text *text, const struct group *group, const struct report *report)
{
	add_requests(text, group, report);
	if (examination_write_cache(report) == WRITE_CACHE_VOLATILE) {
		text_add(text, ", past its write cache (FUA): what was confirmed was on the medium");
	} else {
		text_add(text, ", which claims no volatile cache (write through): no flush is needed");
	}
}

static const char *find_blind_spot(const struct report *report)
{
	switch (report->storage.kind) {
	case STORAGE_RAM:
		return "the target lies in RAM";
	case STORAGE_NFS:
	case STORAGE_CIFS:
		return "only the server could tell";
	case STORAGE_ZFS:
		return "neither ZFS's counters nor zpool iostat tell";
	default:
		return report->storage.blind_spot ? report->storage.blind_spot : "the devices' counters do not tell";
	}
}

static void say_group(struct text *text, const struct group *group, const struct report *report)
{
	switch (group->proof.verdict) {
	case PATH_LOG:
	case PATH_LOG_PARTLY:
		say_log(text, group, report);
		break;
	case PATH_POOL:
	case PATH_INDIRECT:
		say_pool(text, group, report);
		break;
	case PATH_AROUND:
		say_around(text, report);
		break;
	case PATH_NOT_DURABLE:
		say_not_durable(text, group, report);
		break;
	case PATH_FLUSHED:
		say_flushed(text, group, report);
		break;
	case PATH_WRITTEN:
		say_written(text, group, report);
		break;
	case PATH_UNKNOWN:
		text_addf(text, "which way the sync writes took is not known here: %s", find_blind_spot(report));
		break;
	}
}

/* "4K sync T1, 4K sync T4: ", where not all went the same way. */
static void add_rows(struct text *text, const struct group *group, bool is_alone)
{
	if (is_alone) {
		text_add(text, group->row_count > 1 ? "Every row: " : "The only row: ");
		return;
	}
	text_add(text, text_string(&group->rows));
	if (group->row_count > ROWS_NAMED_MAX) {
		text_addf(text, " and %zu more", group->row_count - ROWS_NAMED_MAX);
	}
	text_add(text, ": ");
}

void say_path(struct record_passage *passage, const struct examination *examination)
{
	struct groups groups = {0};

	find_groups(&groups, examination->report);
	for (size_t i = 0; i < groups.count; i++) {
		struct text text = TEXT_EMPTY;

		add_rows(&text, &groups.list[i], groups.count == 1);
		say_group(&text, &groups.list[i], examination->report);
		record_passage_say(passage, "%s.", text_string(&text));
		text_release(&text);
		text_release(&groups.list[i].rows);
	}
	free(groups.list);
}
