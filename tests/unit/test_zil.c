#include "scratch.h"

#include "../../src/telemetry/zil.h"
#include "telemetry/reading.h"

#define OLD "tests/fixtures/counters/zfs-2.1"
#define OLD_AFTER "tests/fixtures/counters/zfs-2.1-after"
#define DATASETS "tests/fixtures/counters/zfs-2.2"
#define NEW "tests/fixtures/counters/zfs-2.3"
#define NOTHING "tests/fixtures/counters/nothing"

static const char *const with_datasets[] = {DATASETS, NEW};

static void expect(
	const struct zil_counters *counters, uint64_t commits, uint64_t indirect, uint64_t log_blocks, uint64_t pool_blocks)
{
	assert_int_equal(counters->commits, commits);
	assert_int_equal(counters->indirect, indirect);
	assert_int_equal(counters->log_blocks, log_blocks);
	assert_int_equal(counters->pool_blocks, pool_blocks);
}

/* Around a run of one thread on a real pool: each commit became one block on the log device. */
static void test_all(void **state)
{
	struct zil_counters before, after;

	(void)state;
	assert_true(zil_take_all(&before, OLD));
	expect(&before, 695, 0, 696, 0);
	assert_true(zil_take_all(&after, OLD_AFTER));
	expect(&after, 1968, 0, 1969, 0);
	assert_false(zil_take_all(&after, NOTHING));
}

static void test_datasets(void **state)
{
	struct zil_counters counters;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const char *root = with_datasets[i];

		assert_true(zil_take_all(&counters, root));
		expect(&counters, 90000, 700, 88000, 4000);
		assert_int_equal(zil_find_objset(root, "tank/vm"), 0x88);
		assert_true(zil_take_dataset(&counters, root, "tank/vm", 0x88));
		expect(&counters, 1444, 3, 1445, 2);
		assert_int_equal(zil_find_objset(root, "tank/vm my data"), 0x91);
		assert_int_equal(zil_find_objset(root, "tank"), 0x36);
		/* Another dataset has that number by now, or none. */
		assert_false(zil_take_dataset(&counters, root, "tank/vm", 0x91));
		assert_false(zil_take_dataset(&counters, root, "tank/v", 0x88));
		assert_false(zil_take_dataset(&counters, root, "tank/vm", 0x89));
	}
}

static void test_none(void **state)
{
	const char *const names[] = {
		"", "/", ".", "..", "../zfs/tank", "./tank/vm", "tank/none", "other/vm", "@", "tank/vm@daily"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(zil_find_objset(DATASETS, names[i]), 0);
	}
	/* 2.1 has such files, without these counters. */
	assert_int_equal(zil_find_objset(OLD, "tank/vm"), 0);
	assert_int_equal(zil_find_objset(NOTHING, "tank/vm"), 0);
}

static struct mount mount_of(char *type, char *source)
{
	return (struct mount){.type = type, .source = source};
}

static void test_reading(void **state)
{
	char zfs[] = "zfs", fuse[] = "fuse.zfs", vm[] = "tank/vm", plain[] = "tank/plain";
	struct mount mount = mount_of(zfs, vm), other = mount_of(zfs, plain), foreign = mount_of(fuse, vm);
	struct watch watch = {.arc = 1}, without = {.arc = 0};
	struct reading reading;

	(void)state;
	watch_find_log(&watch, DATASETS, &mount);
	assert_int_equal(watch.objset, 0x88);
	assert_true(watch_is_sane(&watch));
	reading_take(&reading, READING_ZIL, DATASETS, &watch, &mount);
	assert_int_equal(reading.known, READING_ZIL);
	assert_int_equal(reading.zil_is_dataset, 1);
	expect(&reading.zil, 1444, 3, 1445, 2);
	/* It is gone: those of all pools are not the same. */
	reading_take(&reading, READING_ALL, OLD, &watch, &mount);
	assert_int_equal(reading.known & READING_ZIL, 0);
	assert_int_equal(reading.zil_is_dataset, 0);
	expect(&reading.zil, 0, 0, 0, 0);
	watch_find_log(&watch, OLD, &mount);
	reading_take(&reading, READING_ALL, OLD, &watch, &other);
	assert_true(reading.known & READING_ZIL);
	assert_int_equal(reading.zil_is_dataset, 0);
	expect(&reading.zil, 695, 0, 696, 0);
	/* zfs-fuse beside the kernel's ZFS, no mount, no ZFS. */
	watch_find_log(&watch, DATASETS, &foreign);
	assert_int_equal(watch.objset, 0);
	reading_take(&reading, READING_ALL, DATASETS, &watch, &foreign);
	assert_int_equal(reading.known & READING_ZIL, 0);
	reading_take(&reading, READING_ALL, DATASETS, &watch, NULL);
	assert_int_equal(reading.known & READING_ZIL, 0);
	watch_find_log(&without, DATASETS, &mount);
	reading_take(&reading, READING_ALL, DATASETS, &without, &mount);
	assert_int_equal(without.objset, 0);
	assert_int_equal(reading.known & READING_ZIL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_datasets),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_reading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
