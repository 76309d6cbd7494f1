/* Which way the synchronous writes took, in a sentence for all runs that took the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "examination.h"
#include "path_groups.h"
#include "support/memory.h"
#include "support/text.h"

/* A commit writes its data, once at least. */
#define DATA_WRITES_MIN 0.9

/* " (ZFS's own count, of all pools)" */
static const char *witness_words(const struct path_proof *proof)
{
	static const char *const words[] = {
		[PATH_BY_NOBODY] = "",
		[PATH_BY_ZIL] = " (ZFS's own count, of this dataset alone)",
		[PATH_BY_ZIL_OF_ALL_POOLS] = " (ZFS's own count, of all pools)",
		[PATH_BY_ZPOOL_IOSTAT] = " (zpool iostat)",
		[PATH_BY_DEVICES] = " (the devices' counters)",
	};

	return words[proof->witness];
}

/* "1444 commits, 1445 log blocks, none on the pool's other devices" */
static void add_blocks(struct text *text, const struct path_group *group)
{
	if (group->proof.witness == PATH_BY_ZPOOL_IOSTAT) {
		text_addf(text,
			"up to %.0f writes a second on the log, %.0f on the pool's other devices, which get the data later",
			group->log_writes_per_s, group->data_writes_per_s);
		return;
	}
	if (group->proof.witness == PATH_BY_DEVICES) {
		text_addf(text, "%.0f commits, each with %.1f writes there", group->commits, group->proof.writes_per_commit);
		return;
	}
	text_addf(text, "%.0f commits, %.0f log blocks, ", group->commits, group->log_blocks + group->pool_blocks);
	if (!(group->pool_blocks > 0)) {
		text_add(text, "none on the pool's other devices");
	} else if (group->proof.verdict == PATH_LOG && group->proof.witness == PATH_BY_ZIL_OF_ALL_POOLS) {
		text_addf(text, "%.0f of them elsewhere, which others may have written", group->pool_blocks);
	} else {
		text_addf(text, "%.0f of them on the pool's other devices", group->pool_blocks);
	}
}

static void add_log_devices(struct text *text, const struct report *report)
{
	char *names = text_printable(report->pool.log_devices ? report->pool.log_devices : "");

	text_addf(text, "the log device%s%s%s", strchr(names, ',') ? "s" : "", *names ? " " : "", names);
	free(names);
}

static void say_log(struct text *text, const struct path_group *group, const struct report *report)
{
	bool is_part = group->proof.verdict == PATH_LOG_PARTLY;
	bool is_by_zil = group->proof.witness == PATH_BY_ZIL || group->proof.witness == PATH_BY_ZIL_OF_ALL_POOLS;

	text_add(text, is_part || !group->proof.is_all       ? "the sync writes went to "
				   : is_by_zil && group->pool_blocks > 0 ? "nearly all sync writes went to "
														 : "all sync writes went to ");
	add_log_devices(text, report);
	text_add(text, is_part ? " in part only: " : ": ");
	add_blocks(text, group);
	text_add(text, witness_words(&group->proof));
	if (is_part) {
		char *pool = report_pool_argument(report);

		text_addf(text, "; a log device that is full or slow sends writes past it, see 'zpool iostat -v %s 1'", pool);
		free(pool);
	}
}

static void add_sick(struct text *text, const struct report *report)
{
	char *health = zfs_pool_log_health(&report->pool), *pool = report_pool_argument(report);

	text_addf(text, "they did not go to the log device: it does not take part (%s); see 'zpool status %s'",
		health ? health : "no health is known", pool);
	free(health);
	free(pool);
}

/* The log was on the pool's own devices, or the data was. */
static void say_pool(struct text *text, const struct path_group *group, const struct report *report)
{
	char *dataset = report_dataset_argument(report), *pool = report_pool_argument(report);

	switch (group->proof.cause) {
	case PATH_CAUSE_LOGBIAS:
		text_add(text, zfs_pool_lacks_log(&report->pool)
						   ? "no log device, and logbias=throughput sends the data to the pool's devices at once"
						   : "they did not go to the log device: logbias=throughput sends the data to the pool's other "
							 "devices");
		text_addf(text, "; set it to latency with 'zfs set logbias=latency %s'", dataset);
		break;
	case PATH_CAUSE_NO_LOG:
		text_addf(text,
			"no log device: %s has none, so that each commit waits for its data devices; 'zpool add %s log DEVICE' "
			"adds one, 'zpool remove %s DEVICE' takes it out again",
			pool, pool, pool);
		break;
	case PATH_CAUSE_LOG_SICK:
		add_sick(text, report);
		break;
	case PATH_CAUSE_LARGE:
		text_add(text, "no log device: blocks of zfs_immediate_write_sz (32 KiB unless it was set) and more go to the "
					   "data devices "
					   "at once, with a pointer to them in the log");
		break;
	default:
		text_addf(text,
			report->pool.vdev_count > 0
				? "they did not go to the log device, and nothing here tells why; see 'zpool status %s'"
				: "they went to the pool's data devices; whether it has a log device is not known, see 'zpool status "
				  "%s'",
			pool);
		break;
	}
	if (group->proof.witness != PATH_BY_NOBODY && group->proof.verdict == PATH_INDIRECT) {
		text_addf(text, "; %.0f commits, %.0f records with their data on the pool%s", group->commits, group->indirect,
			witness_words(&group->proof));
	}
	free(dataset);
	free(pool);
}

static void say_around(struct text *text, const struct report *report)
{
	char *version = text_printable(report->storage.zfs_version ? report->storage.zfs_version : "2.3 or newer");

	text_addf(text, "O_DIRECT writes go around the SLOG on this ZFS (%s); measure without --direct", version);
	free(version);
}

static void say_not_durable(struct text *text, const struct path_group *group, const struct report *report)
{
	char *devices = examination_commit_devices(report), *words = NULL;

	switch (group->proof.cause) {
	case PATH_CAUSE_NO_BARRIER:
		text_addf(text,
			"these writes were not durable: %s has a volatile write cache (write back), and %.0f commits brought no "
			"flush to it; look for 'nobarrier' among the mount options",
			devices, group->commits);
		break;
	case PATH_CAUSE_SYNC_DISABLED:
	case PATH_CAUSE_SYNC_UNREAD:
		words = path_describe_no_result(report);
		text_add(text, words);
		break;
	default:
		text_addf(text,
			"these writes were not durable: ZFS's intent log counted nothing while fio made %.0f commits, and no "
			"setting tells why",
			group->commits);
		break;
	}
	free(words);
	free(devices);
}

/* Some kernels count a flush among the writes as well: then more than one is left, as each commit writes its data. */
static double writes_without_flushes(const struct path_proof *proof)
{
	double writes = proof->writes_per_commit - proof->flushes_per_commit;

	return writes >= DATA_WRITES_MIN ? writes : proof->writes_per_commit;
}

/* "1.0 flushes and 1.6 writes" */
static void add_counts(struct text *text, const struct path_proof *proof)
{
	if (!isnan(proof->flushes_per_commit)) {
		text_addf(text, "%.1f flushes and ", proof->flushes_per_commit);
	}
	if (isnan(proof->writes_per_commit)) {
		text_add(text, "an unknown number of writes");
	} else {
		text_addf(text, "%.1f writes", writes_without_flushes(proof));
	}
}

/* "each commit made 1.0 flushes and 1.6 writes on vda"; others' are not called the commit's. */
static void add_requests(struct text *text, const struct path_group *group, const struct report *report)
{
	char *devices = examination_commit_devices(report);
	enum path_others others = group->proof.others;

	if (group->threads > group->first_threads) {
		text_addf(text, "with %u thread%s ", group->first_threads, group->first_threads > 1 ? "s" : "");
	}
	if (others == PATH_OTHERS_UNSEEN) {
		text_add(text, "each commit made ");
		add_counts(text, &group->proof);
		text_addf(text, " on %s", devices);
	} else {
		text_addf(text, "%s counted ", devices);
		add_counts(text, &group->proof);
		text_addf(text, " for each commit, %sothers' among them", others == PATH_OTHERS_LIKELY ? "perhaps " : "");
	}
	free(devices);
}

/* A virtual disk is only as safe as its host makes it. */
static const char *reached_words(const struct report *report)
{
	return report->power.is_virtual
			   ? "what was confirmed was on the medium, if this virtual machine's host flushes, too"
			   : "what was confirmed was on the medium";
}

static void say_flushed(struct text *text, const struct path_group *group, const struct report *report)
{
	add_requests(text, group, report);
	if (group->proof.others != PATH_OTHERS_UNSEEN) {
		text_add(text,
			"; its write cache is on (write back), and whether each commit was on the medium is not known from these");
		return;
	}
	if (examination_write_cache(report) == WRITE_CACHE_VOLATILE) {
		text_addf(text, ", whose write cache is on (write back): %s", reached_words(report));
	} else {
		text_add(text, ": what was confirmed was flushed");
	}
	if (group->threads > 1 && group->proof.flushes_per_commit > 0 &&
		group->crowd_flushes < group->proof.flushes_per_commit * 0.9) {
		text_addf(
			text, "; %u threads share their flushes (%.2f for each commit)", group->threads, group->crowd_flushes);
	}
}

static void say_written(struct text *text, const struct path_group *group, const struct report *report)
{
	add_requests(text, group, report);
	bool is_volatile = examination_write_cache(report) == WRITE_CACHE_VOLATILE;
	if (!is_volatile) {
		text_addf(text, "%s claims no volatile cache (write through): no flush is needed",
			group->proof.others == PATH_OTHERS_UNSEEN ? ", which" : ", and");
	} else if (group->proof.others == PATH_OTHERS_UNSEEN) {
		text_addf(text, ", past its write cache (FUA): %s", reached_words(report));
	} else {
		text_add(text, ": whether each commit went past its write cache (FUA) is not known from these");
	}
}

/* It tells of whole seconds, from soon after a run's beginning on. */
enum { ZPOOL_RUNTIME_MIN_S = 3 };

static const char *find_blind_spot(const struct report *report)
{
	switch (report->storage.kind) {
	case STORAGE_RAM:
		return "the target lies in RAM";
	case STORAGE_NFS:
	case STORAGE_CIFS:
		return "only the server could tell";
	case STORAGE_ZFS:
		if (report->plan->runtime_s < ZPOOL_RUNTIME_MIN_S) {
			return "ZFS's counters do not tell, and such short runs leave zpool iostat no time; use --runtime 3 or "
				   "more";
		}
		return "neither ZFS's counters nor zpool iostat tell";
	default:
		return report->storage.blind_spot ? report->storage.blind_spot : "the devices' counters do not tell";
	}
}

static void say_group(struct text *text, const struct path_group *group, const struct report *report)
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

/* Whether there are rows that wait for nothing. */
static bool has_other_rows(const struct plan *plan)
{
	bool found = false;

	for (size_t run = 0; run < plan->run_count; run++) {
		found = found || !plan_workload(plan, run)->synchronous;
	}
	return found;
}

/* "4K sync T1, 4K sync T4: ", where not all went the same way. */
static void add_rows(struct text *text, const struct path_group *group, bool is_alone, const struct plan *plan)
{
	if (is_alone) {
		text_add(text, group->row_count == 1  ? "The only row: "
					   : has_other_rows(plan) ? "Every row of synchronous writes: "
											  : "Every row: ");
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
	struct path_groups groups;

	path_groups_find(&groups, examination->report);
	for (size_t i = 0; i < groups.count; i++) {
		struct text text = TEXT_EMPTY;

		add_rows(&text, &groups.list[i], groups.count == 1, examination->report->plan);
		say_group(&text, &groups.list[i], examination->report);
		record_passage_say(passage, "%s.", text_string(&text));
		text_release(&text);
	}
	path_groups_release(&groups);
}
