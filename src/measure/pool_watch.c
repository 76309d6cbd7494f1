#include "pool_watch.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "circumstances.h"
#include "probe/host.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/process.h"
#include "support/text.h"

enum {
	ASK_PATIENCE_MS = 5000,   /* a pool whose disks hang must not keep us waiting */
	REPORT_PATIENCE_MS = 500, /* for its report, once it is due */
	KILL_PATIENCE_MS = 2000,
	OUTPUT_MOST_BYTES = 1 << 20
};

static char *find_zpool(void)
{
	char *search_path = circumstances_search_path();
	char *zpool = host_find_in(search_path, "zpool");

	free(search_path);
	return zpool;
}

static bool ask(const char *zpool, const char *options, const char *pool)
{
	const char *const argv[] = {"zpool", "iostat", options, pool, NULL};
	int wait_status = 0;

	return process_capture(zpool, argv, ASK_PATIENCE_MS, NULL, NULL, &wait_status) == PROCESS_ENDED &&
		   WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0;
}

void pool_watch_find(struct session *session)
{
	struct report *report = &session->report;
	const struct zfs_pool *pool = &report->pool;

	session->pool_way = POOL_WATCH_NONE;
	/* Where the pool gave no answer already, as its disks hang, it gives none now. */
	if (report->storage.kind != STORAGE_ZFS || !session->plan.profile->synchronous || !pool->asked) {
		return;
	}
	char *zpool = find_zpool();
	if (zpool && ask(zpool, "-vlHpP", pool->pool)) {
		session->pool_way = POOL_WATCH_EXACT;
	} else if (zpool && ask(zpool, "-v", pool->pool)) {
		session->pool_way = POOL_WATCH_PLAIN;
		report_add_note(report, "this zpool knows no -l, -H, -p: its figures are rounded, and without latencies");
	}
	free(zpool);
}

/* One report, the mean over as long as the load will surely last: it was heard of up to a second after its start. */
static uint64_t choose_interval_s(uint64_t runtime_s)
{
	return runtime_s > 3 ? runtime_s - 2 : 1;
}

static void start(struct pool_watch *watch, enum pool_watch_way way, const char *pool)
{
	bool is_exact = way == POOL_WATCH_EXACT;
	uint64_t interval_s = choose_interval_s(watch->runtime_s);
	char *zpool = find_zpool();
	char *interval = xasprintf("%llu", (unsigned long long)interval_s);
	/* Without -y the first report is of the time since the pool was imported. */
	const char *const argv[] = {
		"zpool", "iostat", is_exact ? "-vlHpyP" : "-v", pool, interval, is_exact ? "1" : "2", NULL};
	struct process_spec spec = PROCESS_SPEC_NONE;

	watch->output = zpool ? memfd_create("zpool", MFD_CLOEXEC) : -1;
	if (watch->output >= 0) {
		spec.program = zpool;
		spec.argv = argv;
		spec.out = watch->output;
		spec.own_group = true;
		spec.dies_with_us = true;
		watch->pid = process_start(&spec);
		watch->ready_ns = clock_now_ns() + interval_s * NS_PER_S;
	}
	free(interval);
	free(zpool);
}

void pool_watch_begin(struct pool_watch *watch, struct session *session, const struct fio_job *job)
{
	*watch = (struct pool_watch){.pid = -1,
		.output = -1,
		.runtime_s = job->runtime_s,
		.ramp_s = job->ramp_s,
		.is_due = session->pool_way != POOL_WATCH_NONE && job->synchronous && !job->trial && job->runtime_s > 0};
	session->pool_watch = watch;
}

/*
 * Whether fio writes by now, not only prepares to: then it tells its rate, about once a second. Where it tells none,
 * or would tell it too late, some time has to do.
 */
static bool is_under_way(const struct pool_watch *watch, const struct keeper_progress *progress)
{
	double patience_s = watch->runtime_s == 1 ? 0.3 : 1.5;

	return progress->elapsed_s > 0 && (progress->bandwidth_bytes_per_s > 0 || progress->elapsed_s >= patience_s);
}

void pool_watch_look(struct session *session, const struct keeper_progress *progress)
{
	struct pool_watch *watch = session->pool_watch;

	if (!watch || !watch->is_due) {
		return;
	}
	if (watch->under_way_ns == 0 && is_under_way(watch, progress)) {
		watch->under_way_ns = clock_now_ns();
	}
	if (watch->under_way_ns > 0 && clock_now_ns() >= watch->under_way_ns + watch->ramp_s * NS_PER_S) {
		watch->is_due = false;
		start(watch, session->pool_way, session->report.pool.pool);
	}
}

/* Its end, by itself where its last report is due. Whether it told all that it was asked for. */
static bool finish(struct pool_watch *watch, struct session *session)
{
	uint64_t now_ns = clock_now_ns();
	uint64_t deadline_ns = watch->ready_ns <= now_ns ? now_ns + REPORT_PATIENCE_MS * NS_PER_MS : now_ns;
	int wait_status = -1;
	bool has_ended = process_wait_until(watch->pid, deadline_ns, &wait_status);
	bool is_complete = has_ended && WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0;

	if (!has_ended) {
		kill(-watch->pid, SIGKILL);
		kill(watch->pid, SIGKILL); /* where it was no group yet */
		if (!process_wait_until(watch->pid, clock_now_ns() + KILL_PATIENCE_MS * NS_PER_MS, &wait_status)) {
			session->pool_way = POOL_WATCH_NONE;
		}
	}
	watch->pid = -1;
	return is_complete;
}

static void read_output(int descriptor, struct text *output)
{
	char buffer[8192];
	ssize_t size;
	off_t at = 0;

	while (at < OUTPUT_MOST_BYTES && (size = pread(descriptor, buffer, sizeof(buffer), at)) > 0) {
		text_add_bytes(output, buffer, (size_t)size);
		at += size;
	}
}

void pool_watch_end(struct pool_watch *watch, struct session *session, struct pool_activity *activity)
{
	enum pool_watch_way way = session->pool_way;
	struct text output = TEXT_EMPTY;

	*activity = POOL_ACTIVITY_UNKNOWN;
	session->pool_watch = NULL;
	/* What a run that ended early leaves unfinished is not its own alone. */
	if (watch->pid > 0 && finish(watch, session)) {
		read_output(watch->output, &output);
		struct pool_activity seen;

		/* Where nothing was written at all, fio had not begun. */
		if (pool_activity_parse(&seen, text_string(&output), way, &session->report.pool) &&
			!(seen.log_writes_per_s <= 0 && seen.data_writes_per_s <= 0)) {
			*activity = seen;
		}
	}
	text_release(&output);
	file_close(&watch->output);
}
