#include "scratch.h"

#include "probe/zfs.h"
#include "support/memory.h"
#include "telemetry/pool_activity.h"

#define FIXTURES "tests/fixtures/zfs/"

static void make_pool(struct zfs_pool *pool, const char *name, const char *status_file)
{
	struct text status = TEXT_EMPTY;
	char *path = xasprintf(FIXTURES "%s", status_file);

	*pool = (struct zfs_pool){.pool = xstrdup(name), .asked = true};
	scratch_read(&status, path);
	zfs_parse_status(pool, text_string(&status));
	assert_true(pool->vdev_count > 0);
	text_release(&status);
	free(path);
}

static bool parse_file(
	struct pool_activity *activity, const char *file, enum pool_watch_way way, const struct zfs_pool *pool)
{
	struct text output = TEXT_EMPTY;
	char *path = xasprintf(FIXTURES "%s", file);

	scratch_read(&output, path);
	bool known = pool_activity_parse(activity, text_string(&output), way, pool);
	assert_int_equal(activity->present, known);
	text_release(&output);
	free(path);
	return known;
}

static void expect(
	const struct pool_activity *activity, double log_writes, double log_bytes, double data_writes, double data_bytes)
{
	assert_number(activity->log_writes_per_s, log_writes, 1e-6);
	assert_number(activity->log_bytes_per_s, log_bytes, 1e-3);
	assert_number(activity->data_writes_per_s, data_writes, 1e-6);
	assert_number(activity->data_bytes_per_s, data_bytes, 1e-3);
}

static void expect_nothing(const struct pool_activity *activity)
{
	assert_false(activity->present);
	assert_true(isnan(activity->log_writes_per_s) && isnan(activity->log_bytes_per_s));
	assert_true(isnan(activity->data_writes_per_s) && isnan(activity->data_bytes_per_s));
	assert_true(isnan(activity->log_disk_wait_ns));
}

/* A real pool: one log device, and a mirror. */
static void test_exact(void **state)
{
	struct zfs_pool pool;
	struct pool_activity activity;

	(void)state;
	make_pool(&pool, "tank", "zpool-status-P.txt");
	assert_true(parse_file(&activity, "zpool-iostat-vlHpP.tsv", POOL_WATCH_EXACT, &pool));
	expect(&activity, 27, 2928614, 16, 67399 * 2);
	assert_number(activity.log_disk_wait_ns, 3132453, 0.5);
	zfs_pool_release(&pool);
}

/* The last of several under synchronous writes of one thread. */
static void test_load(void **state)
{
	struct zfs_pool pool;
	struct pool_activity activity;

	(void)state;
	make_pool(&pool, "tank", "zpool-status.txt");
	assert_true(parse_file(&activity, "zpool-iostat-vlHp-load.tsv", POOL_WATCH_EXACT, &pool));
	expect(&activity, 78, 646083, 0, 0);
	assert_number(activity.log_disk_wait_ns, 2167483, 0.5);
	zfs_pool_release(&pool);
}

/* A mirror of log devices, and a class that is neither; idle, so without any latency. */
static void test_classes(void **state)
{
	struct zfs_pool pool;
	struct pool_activity activity;

	(void)state;
	make_pool(&pool, "t2", "zpool-status-classes.txt");
	assert_true(parse_file(&activity, "zpool-iostat-vlHp-classes.tsv", POOL_WATCH_EXACT, &pool));
	expect(&activity, 0, 0, 0, 0);
	assert_true(isnan(activity.log_disk_wait_ns));
	zfs_pool_release(&pool);
}

static void test_weighted(void **state)
{
	static const char output[] = "t2\t1\t2\t0\t9\t0\t9\t1\t1\t1\t1\t-\t-\t-\t-\t-\t-\n"
								 "mirror-0\t0\t2\t0\t8\t0\t8\n"
								 "/var/tmp/fv/a\t0\t0\t1\t14\t2\t696207\n"
								 "/var/tmp/fv/b\t0\t0\t1\t6\t2\t100\n"
								 "\n"
								 "/var/tmp/fv/g\t0\t0\t1\t99\t2\t840661\n"
								 "/var/tmp/fv/c\t0\t0\t1\t30\t2\t1000\t-\t50\t-\t100\t-\t-\t-\t-\t-\t-\t-\tmore\t7\n"
								 "/var/tmp/fv/d\t0\t0\t1\t10\t2\t2000\t-\t50\t-\t500\t-\t-\t-\t-\n"
								 "/var/tmp/new\t0\t0\t1\t1000\t2\t3000\t-\t50\t-\t900\t-\t-\t-\t-\n";
	struct zfs_pool pool;
	struct pool_activity activity;

	(void)state;
	make_pool(&pool, "t2", "zpool-status-classes.txt");
	assert_true(pool_activity_parse(&activity, output, POOL_WATCH_EXACT, &pool));
	expect(&activity, 40, 3000, 20, 696307);
	assert_number(activity.log_disk_wait_ns, 200, 1e-6);
	zfs_pool_release(&pool);
}

/* No log device: nothing was written to any. */
static void test_no_log(void **state)
{
	struct zfs_pool pool;
	struct pool_activity activity;

	(void)state;
	make_pool(&pool, "t3", "zpool-status-nolog.txt");
	assert_true(parse_file(&activity, "zpool-iostat-vlHp-nolog.tsv", POOL_WATCH_EXACT, &pool));
	expect(&activity, 0, 0, 135 + 118, 1456773 + 1429549);
	assert_true(isnan(activity.log_disk_wait_ns));
	zfs_pool_release(&pool);
}

/* zfs-fuse: the second report, rounded; the first is the mean since the pool was imported. */
static void test_fuse(void **state)
{
	struct zfs_pool pool;
	struct pool_activity activity;

	(void)state;
	make_pool(&pool, "tank", "zpool-status-fuse-log.txt");
	assert_true(parse_file(&activity, "zpool-iostat-fuse-log.txt", POOL_WATCH_PLAIN, &pool));
	expect(&activity, 2.61 * 1024, 20.9 * 1048576, 2 * 2.37 * 1024, 2 * 203.0 * 1048576);
	assert_true(isnan(activity.log_disk_wait_ns));
	/* In the exact way there is nothing to be read of it. */
	assert_false(parse_file(&activity, "zpool-iostat-fuse-log.txt", POOL_WATCH_EXACT, &pool));
	expect_nothing(&activity);
	zfs_pool_release(&pool);
	make_pool(&pool, "tank", "zpool-status-fuse-nolog.txt");
	assert_true(parse_file(&activity, "zpool-iostat-fuse-nolog.txt", POOL_WATCH_PLAIN, &pool));
	expect(&activity, 0, 0, 2 * 1.99 * 1024, 2 * 92.6 * 1048576);
	zfs_pool_release(&pool);
}

/* The line of another's latencies looks like numbers to nobody. */
static void test_foreign(void **state)
{
	struct zfs_pool pool;
	struct pool_activity activity;

	(void)state;
	make_pool(&pool, "tank", "zpool-status.txt");
	assert_false(parse_file(&activity, "zpool-iostat-vl.txt", POOL_WATCH_PLAIN, &pool));
	expect_nothing(&activity);
	assert_false(parse_file(&activity, "zpool-iostat-vl.txt", POOL_WATCH_EXACT, &pool));
	assert_false(parse_file(&activity, "zpool-status.txt", POOL_WATCH_PLAIN, &pool));
	assert_false(parse_file(&activity, "zpool-iostat-vlHp-load.tsv", POOL_WATCH_PLAIN, &pool));
	assert_false(parse_file(&activity, "zpool-iostat-vlHp-load.tsv", POOL_WATCH_NONE, &pool));
	expect_nothing(&activity);
	/* Another pool, or none. */
	free(pool.pool);
	pool.pool = xstrdup("other");
	assert_false(parse_file(&activity, "zpool-iostat-vlHp-load.tsv", POOL_WATCH_EXACT, &pool));
	zfs_pool_release(&pool);
	assert_false(pool_activity_parse(&activity, "tank\t1\t2\t3\t4\t5\t6\n", POOL_WATCH_EXACT, &pool));
	expect_nothing(&activity);
}

/* Where zpool was ended in the middle of a report, the one before counts. */
static void test_cut(void **state)
{
	static const char whole[] =
		"tank\t1\t2\t0\t9\t0\t9\nvirtio-slow0\t0\t0\t0\t5\t0\t6\nvirtio-slow1\t0\t0\t0\t7\t0\t8\n"
		"\nnvme-QEMU_NVMe_Ctrl_slog0\t0\t0\t0\t11\t0\t12\n";
	struct zfs_pool pool;
	struct pool_activity activity;
	struct text output = TEXT_EMPTY;

	(void)state;
	make_pool(&pool, "tank", "zpool-status.txt");
	for (size_t length = 0; length <= sizeof(whole) - 1; length++) {
		text_reset(&output);
		text_add_bytes(&output, whole, length);
		bool known = pool_activity_parse(&activity, text_string(&output), POOL_WATCH_EXACT, &pool);
		assert_int_equal(known && !isnan(activity.log_writes_per_s), length == sizeof(whole) - 1);
		text_reset(&output);
		text_addf(&output, "%s%.*s", whole, (int)length, "tank\t1\t2\t0\t1\t0\t1\nvirtio-slow0\t0\t0\t0\t1\t0\t1\n");
		assert_true(pool_activity_parse(&activity, text_string(&output), POOL_WATCH_EXACT, &pool));
		expect(&activity, 11, 12, 12, 14);
	}
	text_release(&output);
	zfs_pool_release(&pool);
}

/* A pool that is called like the heading, which names no numbers. */
static void test_pool_of_logs(void **state)
{
	static const char exact[] = "logs\t1\t2\t3\t40\t5\t60\n/dev/sda1\t1\t2\t3\t30\t5\t50\n"
								"logs\t-\t-\t-\t-\t-\t-\n/dev/sdb1\t1\t2\t3\t10\t5\t11\n";
	static const char plain[] = "logs          1  2  3  4  5  6\n"
								"logs          1  2  3  40  5  60\n  /dev/sda1   -  -  3  30  5  50\n"
								"logs          -  -  -  -  -  -\n  /dev/sdb1   -  -  3  10  5  11\n";
	static const char status[] = "config:\n\n\tNAME         STATE  READ WRITE CKSUM\n\tlogs         ONLINE  0 0 0\n"
								 "\t  /dev/sda1  ONLINE  0 0 0\n\tlogs\n\t  /dev/sdb1  ONLINE  0 0 0\n";
	struct zfs_pool pool = {.pool = xstrdup("logs")};
	struct pool_activity activity;

	(void)state;
	zfs_parse_status(&pool, status);
	assert_true(pool_activity_parse(&activity, exact, POOL_WATCH_EXACT, &pool));
	expect(&activity, 10, 11, 30, 50);
	assert_true(pool_activity_parse(&activity, plain, POOL_WATCH_PLAIN, &pool));
	expect(&activity, 10, 11, 30, 50);
	zfs_pool_release(&pool);
}

/* Short names for what the status calls by its path, names with blanks, a decimal comma, and a heading "logs". */
static void test_plain(void **state)
{
	static const char output[] = "             capacity     operations    bandwidth\n"
								 "pool        alloc   free   read  write   read  write\n"
								 "----------  -----  -----  -----  -----  -----  -----\n"
								 "pool         1,5G  2.00T      0     20    380   797K\n"
								 "  sda           -      -      0   1,5K      0   2,0M\n"
								 "  /my disk 2    -      -      -      5      0    1P\n"
								 "logs            -      -      -      -      -      -\n"
								 "  nvme0n1      1K      2      0     7       0   1023\n"
								 "cache           -      -      -      -      -      -\n"
								 "  sdb          1K      2      0    99       0    99K\n"
								 "----------  -----  -----  -----  -----  -----  -----\n";
	static const char status[] = "config:\n\n"
								 "\tNAME              STATE     READ WRITE CKSUM\n"
								 "\tpool              ONLINE       0     0     0\n"
								 "\t  /dev/sda1       ONLINE       0     0     0\n"
								 "\t  /my disk 2      ONLINE       0     0     0\n"
								 "\tlogs\n"
								 "\t  /dev/nvme0n1p1  ONLINE       0     0     0\n"
								 "\tcache\n"
								 "\t  /dev/sdb1       ONLINE       0     0     0\n";
	struct zfs_pool pool = {.pool = xstrdup("pool")};
	struct pool_activity activity;

	(void)state;
	struct text twice = TEXT_EMPTY;

	zfs_parse_status(&pool, status);
	assert_false(pool_activity_parse(&activity, output, POOL_WATCH_PLAIN, &pool)); /* since it was imported */
	expect_nothing(&activity);
	text_addf(&twice, "%s%s", output, output);
	assert_true(pool_activity_parse(&activity, text_string(&twice), POOL_WATCH_PLAIN, &pool));
	text_release(&twice);
	expect(&activity, 7, 1023, 1536 + 5, 2 * 1048576.0 + 1125899906842624.0);
	zfs_pool_release(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_weighted),
		cmocka_unit_test(test_no_log),
		cmocka_unit_test(test_fuse),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_pool_of_logs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
