#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "probe/zfs.h"
#include "support/file.h"

#define NAS "tests/fixtures/hosts/zfs-nas"

/** A folder for fakes of zpool, made in setup. */
static char folder[64];

static void expect_logs(const char *name, const char *expected)
{
	struct text output = TEXT_EMPTY;
	char *devices;

	assert_true(file_read(&output, "tests/fixtures/zfs/", "%s", name));
	devices = zfs_parse_log_devices(text_string(&output));
	if (expected == NULL)
		assert_null(devices);
	else
		assert_string_equal(devices, expected);
	free(devices);
	text_release(&output);
}

static void test_recorded_outputs(void **state)
{
	(void)state;
	expect_logs("zpool-status-P.txt", "nvme-QEMU_NVMe_Ctrl_slog0-part1");
	expect_logs("zpool-status-LP.txt", "nvme0n1p1");
	expect_logs("zpool-status.txt", "nvme-QEMU_NVMe_Ctrl_slog0");
	expect_logs("zpool-status-degraded.txt", "nvme-QEMU_NVMe_Ctrl_slog0");
	expect_logs("zpool-status-classes.txt", "/var/tmp/fv/c, /var/tmp/fv/d");
	expect_logs("zpool-status-nolog.txt", NULL);
	expect_logs("zpool-status-zfs-fuse.txt", "/tmp/lab-probe/zfs/log.img");
}

static void expect_parsed(const char *config, const char *expected)
{
	char *devices = zfs_parse_log_devices(config);

	if (expected == NULL)
		assert_null(devices);
	else
		assert_string_equal(devices, expected);
	free(devices);
}

static void test_shapes(void **state)
{
	(void)state;
	expect_parsed("", NULL);
	expect_parsed("no pools available\n", NULL);
	expect_parsed("config:\n\n\tNAME  STATE", NULL);
	/* Two logs, one of them being replaced; the last line has no end. */
	expect_parsed(
		"\tNAME               STATE     READ\n\tp                  ONLINE    0\n\t  /dev/sda         ONLINE    0\n"
		"\tlogs\n\t  replacing-1      DEGRADED  0\n\t    /dev/sdb1      OFFLINE   0\n\t    /dev/sdc1      ONLINE    0\n"
		"\t  /dev/sdd1        ONLINE    0",
		"sdb1, sdc1, sdd1");
	/* Blanks and control characters in the name of a file. */
	expect_parsed("\tNAME               STATE     READ\n\tp                  ONLINE    0\n\tlogs\n\t  /srv/my "
				  "log\033.img  ONLINE    0\n",
		"/srv/my log\\x1B.img");
	/* A pool may be called like the heading. */
	expect_parsed(
		"\tNAME        STATE     READ\n\tlogs        ONLINE    0\n\t  /dev/sda  ONLINE    0\n\ncache\n", NULL);
	/* What follows the logs is not a log. */
	expect_parsed("\tNAME        STATE     READ\n\tp           ONLINE    0\n\tlogs\n\t  /dev/sdb  ONLINE    0\n"
				  "\tcache\n\t  /dev/sdc  ONLINE    0\n\tspares\n\t  /dev/sdd  AVAIL\n\nerrors: none\n",
		"sdb");
}

/** A fake zpool, a shell script. */
static void fake_zpool(const char *script)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/zpool", folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "#!/bin/sh\n%s\n", script);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0700), 0);
}

static void find(struct zfs_pool *pool, const char *path, const char *search_path)
{
	struct mount mount;

	assert_true(mount_find(&mount, NAS, path));
	zfs_pool_find(pool, &mount, search_path);
	mount_release(&mount);
}

static void test_which_mounts(void **state)
{
	struct mount mount;

	(void)state;
	assert_true(mount_find(&mount, NAS, "/tank"));
	assert_true(zfs_is_zfs(&mount));
	mount_release(&mount);
	assert_true(mount_find(&mount, NAS, "/"));
	assert_false(zfs_is_zfs(&mount));
	mount_release(&mount);
	assert_false(zfs_is_zfs(&mount));
}

static void test_not_asked(void **state)
{
	struct zfs_pool pool;

	(void)state;
	find(&pool, "/", folder);
	assert_null(pool.pool);
	assert_false(pool.asked);
	zfs_pool_release(&pool);
	find(&pool, "/tank/vm/images", "/no/such/folder");
	assert_string_equal(pool.pool, "tank");
	assert_string_equal(pool.dataset, "tank/vm");
	assert_false(pool.asked);
	assert_null(pool.log_devices);
	zfs_pool_release(&pool);
	assert_null(pool.pool);
}

static void test_asked(void **state)
{
	struct zfs_pool pool;
	char search_path[128];

	(void)state;
	fake_zpool("[ \"$*\" = \"status -P tank\" ] && cat tests/fixtures/zfs/zpool-status-LP.txt");
	snprintf(search_path, sizeof(search_path), "/no/such/folder:%s", folder);
	find(&pool, "/tank/vm", search_path);
	assert_true(pool.asked);
	assert_string_equal(pool.log_devices, "nvme0n1p1");
	zfs_pool_release(&pool);
}

static void test_asked_an_old_zpool(void **state)
{
	struct zfs_pool pool;

	(void)state;
	fake_zpool("case $2 in -*) echo invalid option >&2; exit 2;; esac; cat tests/fixtures/zfs/zpool-status.txt");
	find(&pool, "/tank", folder);
	assert_true(pool.asked);
	assert_string_equal(pool.log_devices, "nvme-QEMU_NVMe_Ctrl_slog0");
	zfs_pool_release(&pool);
}

static void test_asked_in_vain(void **state)
{
	struct zfs_pool pool;

	(void)state;
	fake_zpool("cat tests/fixtures/zfs/zpool-status.txt; exit 1");
	find(&pool, "/tank", folder);
	assert_false(pool.asked);
	assert_null(pool.log_devices);
	zfs_pool_release(&pool);
	fake_zpool("cat tests/fixtures/zfs/zpool-status-nolog.txt");
	find(&pool, "/tank", folder);
	assert_true(pool.asked);
	assert_null(pool.log_devices);
	zfs_pool_release(&pool);
}

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/test_zfs.XXXXXX");
	return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/zpool", folder);
	remove(path);
	return remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded_outputs),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_which_mounts),
		cmocka_unit_test(test_not_asked),
		cmocka_unit_test(test_asked),
		cmocka_unit_test(test_asked_an_old_zpool),
		cmocka_unit_test(test_asked_in_vain),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
