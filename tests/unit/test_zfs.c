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
#include "support/memory.h"

#define NAS "tests/fixtures/hosts/zfs-nas"

/** A folder for fakes of zpool, made in setup. */
static char folder[64];

static void expect_parsed(const char *status, const char *expected)
{
	struct zfs_pool pool = {0};

	zfs_parse_status(&pool, status);
	if (expected == NULL)
		assert_null(pool.log_devices);
	else
		assert_string_equal(pool.log_devices, expected);
	zfs_pool_release(&pool);
}

static void expect_logs(const char *name, const char *expected)
{
	struct text output = TEXT_EMPTY;

	assert_true(file_read(&output, "tests/fixtures/zfs/", "%s", name));
	expect_parsed(text_string(&output), expected);
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

/** The devices in one line, each with its group and copies: "data /dev/sda 1 x2"; "-" before what takes no part. */
static void expect_vdevs(const char *status, const char *expected)
{
	static const char *const classes[] = {"data", "log", "special", "dedup", "cache", "spare"};
	struct zfs_pool pool = {0};
	struct text line = TEXT_EMPTY;

	zfs_parse_status(&pool, status);
	for (size_t i = 0; i < pool.vdev_count; i++)
		text_addf(&line, "%s%s%s %s %u x%.3g", i > 0 ? ", " : "", pool.vdevs[i].is_active ? "" : "-",
			classes[pool.vdevs[i].class], pool.vdevs[i].name, pool.vdevs[i].group, pool.vdevs[i].copies);
	assert_string_equal(text_string(&line), expected);
	text_release(&line);
	zfs_pool_release(&pool);
}

static void test_recorded_devices(void **state)
{
	struct text output = TEXT_EMPTY;

	(void)state;
	assert_true(file_read(&output, "tests/fixtures/zfs/", "zpool-status-classes.txt"));
	expect_vdevs(text_string(&output),
		"data /var/tmp/fv/a 1 x2, data /var/tmp/fv/b 1 x2, special /var/tmp/fv/g 2 x2, special /var/tmp/fv/h 2 x2, "
		"log /var/tmp/fv/c 3 x2, log /var/tmp/fv/d 3 x2, cache /var/tmp/fv/e 4 x1, spare /var/tmp/fv/f 5 x1");
	text_reset(&output);
	assert_true(file_read(&output, "tests/fixtures/zfs/", "zpool-status-degraded.txt"));
	expect_vdevs(
		text_string(&output), "data virtio-slow0 1 x1, -data virtio-slow1 1 x1, log nvme-QEMU_NVMe_Ctrl_slog0 2 x1");
	text_reset(&output);
	assert_true(file_read(&output, "tests/fixtures/zfs/", "zpool-status-nolog.txt"));
	expect_vdevs(text_string(&output), "data /var/tmp/fv/a 1 x1, data /var/tmp/fv/b 2 x1");
	text_release(&output);
}

/** As expect_vdevs; the rows of the table are separated by ";", name and state by "|". */
static void expect_rows(const char *rows, const char *expected)
{
	struct text table = TEXT_EMPTY;
	char *copy = xstrdup(rows);
	char *rest = copy;
	char *row;

	text_addf(&table, "\t%-30s%s\n\t%-30s%s\n", "NAME", "STATE     READ", "p", "ONLINE       0");
	while ((row = strsep(&rest, ";")) != NULL) {
		const char *name = strsep(&row, "|");

		if (row != NULL)
			text_addf(&table, "\t%-30s%s     0\n", name, row);
		else
			text_addf(&table, "\t%s\n", name);
	}
	expect_vdevs(text_string(&table), expected);
	text_release(&table);
	free(copy);
}

static void test_redundancy(void **state)
{
	(void)state;
	expect_rows("  raidz1-0|ONLINE;    sda|ONLINE;    sdb|ONLINE;    sdc|ONLINE",
		"data sda 1 x1.5, data sdb 1 x1.5, data sdc 1 x1.5");
	expect_rows("  raidz2-0|ONLINE;    sda|ONLINE;    sdb|ONLINE;    sdc|ONLINE",
		"data sda 1 x3, data sdb 1 x3, data sdc 1 x3");
	/* The oldest name; and of a disk that is missing nothing is written. */
	expect_rows("  raidz|DEGRADED;    sda|ONLINE;    1234|UNAVAIL;    sdc|ONLINE",
		"data sda 1 x1, -data 1234 1 x1, data sdc 1 x1");
	expect_rows("  raidz1-0|ONLINE;    sda|ONLINE", "data sda 1 x1");
	expect_rows("  draid2:4d:7c:1s-0|ONLINE;    sda|ONLINE;    sdb|ONLINE", "data sda 1 x1.5, data sdb 1 x1.5");
	/* What is being replaced is one of two, though there are three disks. */
	expect_rows("  mirror-0|DEGRADED;    sda|ONLINE;    replacing-1|DEGRADED;      sdb|OFFLINE;      sdc|ONLINE",
		"data sda 1 x2, -data sdb 1 x2, data sdc 1 x2");
	expect_rows("  mirror-0|ONLINE;    sda|FAULTED;    sdb|REMOVED", "-data sda 1 x1, -data sdb 1 x1");
	/* Headings of the future. */
	expect_rows("  sda|ONLINE;dedup;  sdd|ONLINE;news;  sde|ONLINE", "data sda 1 x1, dedup sdd 2 x1, spare sde 3 x1");
}

static void expect_property(const struct zfs_pool *pool, const char *name, const char *expected)
{
	const char *value = zfs_pool_property(pool, name);

	if (expected == NULL)
		assert_null(value);
	else
		assert_string_equal(value, expected);
}

static void test_properties(void **state)
{
	struct text output = TEXT_EMPTY;
	struct zfs_pool pool = {0};

	(void)state;
	assert_true(file_read(&output, "tests/fixtures/zfs/", "zfs-get-Hp-all.tsv"));
	zfs_parse_properties(&pool, text_string(&output));
	expect_property(&pool, "recordsize", "16384");
	expect_property(&pool, "compression", "lz4");
	expect_property(&pool, "sync", "always");
	expect_property(&pool, "logbias", "latency");
	expect_property(&pool, "primarycache", "all");
	expect_property(&pool, "encryption", "off");
	expect_property(&pool, "copies", "1");
	expect_property(&pool, "secondarycache", "all");
	expect_property(&pool, "checksum", "on");
	expect_property(&pool, "atime", "off");
	expect_property(&pool, "direct", NULL);
	expect_property(&pool, "mountpoint", NULL);
	zfs_pool_release(&pool);
	text_reset(&output);
	assert_true(file_read(&output, "tests/fixtures/zfs/", "zfs-get-Hp-all-zfs-fuse.tsv"));
	zfs_parse_properties(&pool, text_string(&output));
	expect_property(&pool, "recordsize", "131072");
	expect_property(&pool, "sync", NULL);
	zfs_pool_release(&pool);
	zfs_parse_properties(&pool, "tank\tsync\n\ntank\ntank\tsync\t-\t-\ntank\tcopies\t3");
	assert_int_equal(pool.property_count, 1);
	expect_property(&pool, "copies", "3");
	zfs_pool_release(&pool);
	text_release(&output);
}

/** A fake program of ZFS's, a shell script. */
static void fake_program(const char *name, const char *script)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "#!/bin/sh\n%s\n", script);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0700), 0);
}

static void fake_zpool(const char *script)
{
	fake_program("zpool", script);
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
	assert_int_equal(pool.vdev_count, 3);
	assert_int_equal(pool.property_count, 0);
	zfs_pool_release(&pool);
	fake_program("zfs", "[ \"$*\" = \"get -Hp all tank/vm\" ] && cat tests/fixtures/zfs/zfs-get-Hp-all.tsv");
	find(&pool, "/tank/vm", search_path);
	expect_property(&pool, "recordsize", "16384");
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
	assert_int_equal(pool.vdev_count, 0);
	assert_int_equal(pool.property_count, 0);
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
	snprintf(path, sizeof(path), "%s/zfs", folder);
	remove(path);
	return remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded_outputs),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_recorded_devices),
		cmocka_unit_test(test_redundancy),
		cmocka_unit_test(test_properties),
		cmocka_unit_test(test_which_mounts),
		cmocka_unit_test(test_not_asked),
		cmocka_unit_test(test_asked),
		cmocka_unit_test(test_asked_an_old_zpool),
		cmocka_unit_test(test_asked_in_vain),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
