/* zpool beside a run: which way of asking works, what is made of its words, and that none is left behind. */
#include "own_clock.h"
#include "scratch.h"

#include <sys/wait.h>

#include "../../src/measure/pool_watch.h"
#include "support/file.h"
#include "support/memory.h"

#define KNOWS_ALL "case $2 in -vlHp*) ;; *) exit 2;; esac\n"
#define KNOWS_LITTLE "case $2 in -v) ;; *) echo \"invalid option 'l'\" >&2; exit 2;; esac\n"
/* What a run may leave to be found: its arguments, its process, and what else it started. */
#define TELLS "echo \"$@\" >>$D/arguments\necho $$ >$D/pid\n"
#define PRINTS "cat tests/fixtures/zfs/zpool-iostat-vlHpP.tsv\n"

/** A measurement of commits on a pool whose zpool is a shell script. */
struct scene {
	struct session session;
	char folder[64];
};

static void scene_open(struct scene *scene, const char *script)
{
	struct session *session = &scene->session;
	struct text status = TEXT_EMPTY;
	char *path = NULL, *whole = NULL;

	*scene = (struct scene){0};
	scratch_make(scene->folder);
	if (script) {
		path = xasprintf("%s/zpool", scene->folder);
		whole = xasprintf("#!/bin/sh\nD=%s\n%s", scene->folder, script);
		scratch_write(path, whole, strlen(whole), 0700);
	}
	free(path);
	path = xasprintf("%s:/usr/bin:/bin", scene->folder);
	assert_int_equal(setenv("PATH", path, 1), 0);
	session->plan.profile = &profile_slog;
	session->report.storage.kind = STORAGE_ZFS;
	session->report.pool.pool = xstrdup("tank");
	session->report.pool.asked = true;
	assert_true(file_read(&status, "", "tests/fixtures/zfs/zpool-status-P.txt"));
	zfs_parse_status(&session->report.pool, text_string(&status));
	text_release(&status);
	free(whole);
	free(path);
}

static void scene_close(struct scene *scene)
{
	for (size_t i = 0; i < scene->session.report.note_count; i++) {
		free(scene->session.report.notes[i]);
	}
	free(scene->session.report.notes);
	zfs_pool_release(&scene->session.report.pool);
	scratch_remove(scene->folder);
}

static void expect_file(const struct scene *scene, const char *name, const char *expected)
{
	struct text found = TEXT_EMPTY;

	assert_int_equal(file_read(&found, scene->folder, "/%s", name), expected != NULL);
	assert_string_equal(text_string(&found), expected ? expected : "");
	text_release(&found);
}

/** Whether the process runs no more: there is none, or what is left of one that nobody has reaped. */
static bool has_ended(pid_t pid)
{
	char *line = file_read_line("", "/proc/%d/stat", (int)pid);
	const char *name_end = line ? strrchr(line, ')') : NULL;
	bool ended = !line || (name_end && name_end[1] == ' ' && name_end[2] == 'Z');

	free(line);
	return ended;
}

enum { PATIENCE = 3000, STEP_US = 10000 }; /* half a minute: a busy machine takes its time */

/** Whether the process whose number is in that file has ended, soon. */
static bool is_gone(const struct scene *scene, const char *name)
{
	char *number = file_read_line(scene->folder, "/%s", name);

	assert_non_null(number);
	pid_t pid = (pid_t)strtol(number, NULL, 10);
	free(number);
	assert_true(pid > 0);
	for (int i = 0; i < PATIENCE && !has_ended(pid); i++) {
		usleep(STEP_US);
	}
	return has_ended(pid);
}

/** Wait for a whole line in that file. */
static void await_line(const struct scene *scene, const char *name)
{
	struct text found = TEXT_EMPTY;
	bool is_whole = false;

	for (int i = 0; i < PATIENCE && !is_whole; i++) {
		is_whole = file_read(&found, scene->folder, "/%s", name) && found.length > 0 &&
				   found.bytes[found.length - 1] == '\n';
		text_release(&found);
		usleep(is_whole ? 0 : STEP_US);
	}
	assert_true(is_whole);
}

static void expect_way(const char *script, enum pool_watch_way way, size_t notes)
{
	struct scene scene;

	scene_open(&scene, script);
	pool_watch_find(&scene.session);
	assert_int_equal(scene.session.pool_way, way);
	assert_int_equal(scene.session.report.note_count, notes);
	if (notes > 0) {
		assert_string_equal(scene.session.report.notes[0],
			"this zpool knows no -l, -H, -p: its figures are rounded, and without latencies");
	}
	scene_close(&scene);
}

static void test_ways(void **state)
{
	(void)state;
	expect_way(KNOWS_ALL, POOL_WATCH_EXACT, 0);
	expect_way(KNOWS_LITTLE, POOL_WATCH_PLAIN, 1);
	expect_way("exit 1\n", POOL_WATCH_NONE, 0);
	expect_way("kill -9 $$\n", POOL_WATCH_NONE, 0);
}

static void test_not_asked(void **state)
{
	struct scene scene;

	(void)state;
	scene_open(&scene, TELLS);
	scene.session.report.storage.kind = STORAGE_BLOCK;
	pool_watch_find(&scene.session);
	scene.session.report.storage.kind = STORAGE_ZFS;
	scene.session.plan.profile = &profile_cdm;
	pool_watch_find(&scene.session);
	scene.session.plan.profile = &profile_slog;
	scene.session.report.pool.asked = false;
	pool_watch_find(&scene.session);
	assert_int_equal(scene.session.pool_way, POOL_WATCH_NONE);
	expect_file(&scene, "arguments", NULL);
	scene_close(&scene);
}

static struct fio_job make_job(uint64_t runtime_s, uint64_t ramp_s)
{
	return (struct fio_job){.synchronous = 1, .runtime_s = runtime_s, .ramp_s = ramp_s};
}

/**
 * Watch a load that is under way from the beginning, for as long as a run might take, and at least until zpool has left
 * a line in that file or, where that is NULL, has ended.
 */
static void watch(
	struct scene *scene, struct fio_job job, unsigned time_ms, const char *line, struct pool_activity *activity)
{
	const struct keeper_progress progress = {.elapsed_s = 0.1, .bandwidth_bytes_per_s = 1e6};
	struct pool_watch watch;

	own_clock_runs = true;
	pool_watch_begin(&watch, &scene->session, &job);
	pool_watch_look(&scene->session, &progress);
	if (line) {
		await_line(scene, line);
	}
	for (int i = 0; i < PATIENCE && !line && watch.pid > 0 && !has_ended(watch.pid); i++) {
		usleep(STEP_US);
	}
	pass_ms(time_ms);
	pool_watch_end(&watch, &scene->session, activity);
	assert_int_equal(watch.pid, -1);
	assert_int_equal(watch.output, -1);
	assert_null(scene->session.pool_watch);
	pool_watch_look(&scene->session, &progress);
	assert_int_equal(watch.pid, -1);
}

/** What zpool is told for a run of that length. */
static void expect_arguments(enum pool_watch_way way, uint64_t runtime_s, const char *expected)
{
	struct scene scene;
	struct pool_activity activity;

	scene_open(&scene, TELLS);
	scene.session.pool_way = way;
	watch(&scene, make_job(runtime_s, 0), 300, "pid", &activity);
	expect_file(&scene, "arguments", expected);
	assert_true(is_gone(&scene, "pid"));
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	scene_close(&scene);
}

static void test_arguments(void **state)
{
	(void)state;
	expect_arguments(POOL_WATCH_EXACT, 5, "iostat -vlHpyP tank 3 1\n");
	expect_arguments(POOL_WATCH_EXACT, 1, "iostat -vlHpyP tank 1 1\n");
	expect_arguments(POOL_WATCH_PLAIN, 3, "iostat -v tank 1 2\n");
	expect_arguments(POOL_WATCH_PLAIN, 60, "iostat -v tank 58 2\n");
}

/** Whether zpool is started by such news, `wait_ms` after the first of them. */
static void expect_start(struct fio_job job, struct keeper_progress progress, unsigned wait_ms, bool expected)
{
	struct scene scene;
	struct pool_watch watch;
	struct pool_activity activity;

	scene_open(&scene, "sleep 100\n");
	scene.session.pool_way = POOL_WATCH_EXACT;
	own_clock_runs = false;
	pool_watch_begin(&watch, &scene.session, &job);
	pool_watch_look(&scene.session, &progress);
	pass_ms(wait_ms);
	pool_watch_look(&scene.session, &progress);
	assert_int_equal(watch.pid > 0, expected);
	pool_watch_end(&watch, &scene.session, &activity);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	scene_close(&scene);
}

/* Not while fio only prepares, nor while the figures do not count yet. */
static void test_starts(void **state)
{
	const struct keeper_progress preparing = {.elapsed_s = 0, .bandwidth_bytes_per_s = 1e6};
	const struct keeper_progress silent = {.elapsed_s = 1.4, .bandwidth_bytes_per_s = -1};
	const struct keeper_progress silent_long = {.elapsed_s = 1.5, .bandwidth_bytes_per_s = -1};
	const struct keeper_progress loud = {.elapsed_s = 0.9, .bandwidth_bytes_per_s = 1};

	(void)state;
	expect_start(make_job(5, 0), preparing, 0, false);
	expect_start(make_job(5, 0), silent, 0, false);
	expect_start(make_job(2, 0), silent, 0, false);
	expect_start(make_job(1, 0), silent, 0, true);
	expect_start(make_job(5, 0), silent_long, 0, true);
	expect_start(make_job(5, 0), loud, 0, true);
	expect_start(make_job(5, 1), loud, 999, false);
	expect_start(make_job(5, 1), loud, 1000, true);
}

static void test_told(void **state)
{
	struct scene scene;
	struct pool_activity activity;

	(void)state;
	scene_open(&scene, TELLS PRINTS);
	scene.session.pool_way = POOL_WATCH_EXACT;
	watch(&scene, make_job(1, 0), 1050, NULL, &activity);
	assert_true(activity.present);
	assert_true(is_gone(&scene, "pid"));
	scene_close(&scene);
}

static void expect_nothing(const char *script, struct fio_job job)
{
	struct scene scene;
	struct pool_activity activity;

	scene_open(&scene, script);
	scene.session.pool_way = POOL_WATCH_EXACT;
	watch(&scene, job, 1100, NULL, &activity);
	assert_false(activity.present);
	assert_true(isnan(activity.log_writes_per_s) && isnan(activity.log_disk_wait_ns));
	assert_int_equal(scene.session.pool_way, POOL_WATCH_EXACT);
	scene_close(&scene);
}

static void test_told_nothing(void **state)
{
	struct fio_job plain = make_job(1, 0), trial = make_job(1, 0);

	(void)state;
	plain.synchronous = 0;
	trial.trial = 1;
	expect_nothing(PRINTS, plain);
	expect_nothing(PRINTS, trial);
	expect_nothing(NULL, make_job(1, 0));
	expect_nothing(PRINTS "exit 1\n", make_job(1, 0));
	expect_nothing("", make_job(1, 0));
	/* Nothing was written: fio had not begun. */
	expect_nothing(
		"awk -F'\\t' -v OFS='\\t' 'NF > 1 { $5 = 0 } 1' tests/fixtures/zfs/zpool-iostat-vlHpP.tsv\n", make_job(1, 0));
	expect_nothing("echo no such pool\n", make_job(1, 0));
}

/** A run that is over early, or a zpool that is not over in time: neither it nor its children outlive it. */
static void expect_ended(unsigned time_ms)
{
	struct scene scene;
	struct pool_activity activity;

	scene_open(&scene, "trap '' TERM INT HUP\n" TELLS PRINTS "sleep 100 &\necho $! >$D/child\nwait\nsleep 100\n");
	scene.session.pool_way = POOL_WATCH_EXACT;
	watch(&scene, make_job(1, 0), time_ms, "child", &activity);
	assert_false(activity.present);
	assert_true(is_gone(&scene, "pid"));
	assert_true(is_gone(&scene, "child"));
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	scene_close(&scene);
}

static void test_ended(void **state)
{
	(void)state;
	expect_ended(300);
	expect_ended(1100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_not_asked),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_starts),
		cmocka_unit_test(test_told),
		cmocka_unit_test(test_told_nothing),
		cmocka_unit_test(test_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
