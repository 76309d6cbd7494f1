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

/** A table whose rows are separated by ";", name and state by "|". */
static void table_make(struct text *table, const char *rows)
{
	char *copy = xstrdup(rows);
	char *rest = copy;
	char *row;

	text_addf(table, "\t%-30s%s\n\t%-30s%s\n", "NAME", "STATE     READ", "p", "ONLINE       0");
	while ((row = strsep(&rest, ";")) != NULL) {
		const char *name = strsep(&row, "|");

		if (row != NULL)
			text_addf(table, "\t%-30s%s     0\n", name, row);
		else
			text_addf(table, "\t%s\n", name);
	}
	free(copy);
}

/** As expect_vdevs, of such rows. */
static void expect_rows(const char *rows, const char *expected)
{
	struct text table = TEXT_EMPTY;

	table_make(&table, rows);
	expect_vdevs(text_string(&table), expected);
	text_release(&table);
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

static void read_fixture(struct zfs_pool *pool, const char *name)
{
	struct text output = TEXT_EMPTY;

	*pool = (struct zfs_pool){0};
	assert_true(file_read(&output, "tests/fixtures/zfs/", "%s", name));
	zfs_parse_status(pool, text_string(&output));
	text_release(&output);
}

/** The string, which is freed; NULL for none. */
static void expect_owned(char *found, const char *expected)
{
	if (expected == NULL)
		assert_null(found);
	else
		assert_string_equal(found, expected);
	free(found);
}

static void test_draid(void **state)
{
	struct text output = TEXT_EMPTY;

	(void)state;
	assert_true(file_read(&output, "tests/fixtures/zfs/", "zpool-status-draid.txt"));
#define DISK "/dev/disk/by-id/wwn-0x5000c500a1b2c3"
	expect_vdevs(text_string(&output),
		"data " DISK "00-part1 1 x1.5, data " DISK "01-part1 1 x1.5, data " DISK "02-part1 1 x1.5, data " DISK
		"03-part1 1 x1.5, data " DISK "04-part1 1 x1.5, -data " DISK
		"05-part1 1 x1.5, data draid2-0-0 1 x1.5, data " DISK
		"06-part1 1 x1.5, dedup /dev/nvme2n1p1 2 x2, dedup /dev/nvme3n1p1 2 x2, special /dev/nvme2n1p2 3 x2, special "
		"/dev/nvme3n1p2 3 x2, log /dev/nvme0n1p1 4 x1, -log /dev/nvme1n1p1 4 x1, log /dev/nvme4n1p1 5 x1, cache "
		"/dev/nvme5n1p1 6 x1, spare draid2-0-0 7 x1");
#undef DISK
	text_release(&output);
}

/** What is said of the pool in that file. */
static void expect_described(const char *fixture, const char *state, const char *layout, const char *health)
{
	struct zfs_pool pool;

	read_fixture(&pool, fixture);
	assert_string_equal(pool.state, state);
	expect_owned(zfs_pool_layout(&pool), layout);
	expect_owned(zfs_pool_log_health(&pool), health);
	assert_int_equal(zfs_pool_has_log(&pool), health != NULL);
	zfs_pool_release(&pool);
}

static void test_described(void **state)
{
	(void)state;
	expect_described("zpool-status-P.txt", "ONLINE", "mirror of 2", "nvme-QEMU_NVMe_Ctrl_slog0-part1 (ONLINE)");
	expect_described("zpool-status-LP.txt", "ONLINE", "mirror of 2", "nvme0n1p1 (ONLINE)");
	expect_described("zpool-status-degraded.txt", "DEGRADED", "mirror of 2", "nvme-QEMU_NVMe_Ctrl_slog0 (ONLINE)");
	expect_described("zpool-status-nolog.txt", "ONLINE", "2 devices", NULL);
	expect_described("zpool-status-classes.txt", "ONLINE", "mirror of 2",
		"mirror of /var/tmp/fv/c (ONLINE) and /var/tmp/fv/d (ONLINE)");
	expect_described("zpool-status-zfs-fuse.txt", "ONLINE", "mirror of 2", "/tmp/lab-probe/zfs/log.img (ONLINE)");
	expect_described("zpool-status-draid.txt", "DEGRADED", "draid2 of 7",
		"mirror of nvme0n1p1 (ONLINE) and nvme1n1p1 (FAULTED), nvme4n1p1 (ONLINE)");
}

/** The same of rows, see expect_rows. */
static void expect_rows_described(const char *rows, const char *layout, const char *health, bool has_log)
{
	struct text table = TEXT_EMPTY;
	struct zfs_pool pool = {0};

	table_make(&table, rows);
	zfs_parse_status(&pool, text_string(&table));
	assert_string_equal(pool.state, "ONLINE");
	expect_owned(zfs_pool_layout(&pool), layout);
	expect_owned(zfs_pool_log_health(&pool), health);
	assert_int_equal(zfs_pool_has_log(&pool), has_log);
	zfs_pool_release(&pool);
	text_release(&table);
}

static void test_layouts(void **state)
{
	struct zfs_pool nothing = {0};

	(void)state;
	expect_rows_described("  sda|ONLINE", "1 device", NULL, false);
	expect_rows_described("  mirror-0|ONLINE;    sda|ONLINE;    sdb|ONLINE;  mirror-1|ONLINE;    sdc|ONLINE;    "
						  "sdd|ONLINE;  raidz1-2|ONLINE;    sde|ONLINE;    sdf|ONLINE;    sdg|ONLINE;  sdh|ONLINE",
		"2 mirrors of 2, raidz1 of 3, 1 device", NULL, false);
	expect_rows_described("  raidz|ONLINE;    sda|ONLINE;    sdb|ONLINE;    sdc|ONLINE;logs;  sdd|FAULTED",
		"raidz1 of 3", "sdd (FAULTED)", false);
	expect_rows_described("  raidz2-0|ONLINE;    a|ONLINE;    b|ONLINE;    c|ONLINE;  raidz2-1|ONLINE;    d|ONLINE;    "
						  "e|ONLINE;    f|ONLINE",
		"2 raidz2 of 3", NULL, false);
	expect_rows_described("  mirror-0|ONLINE;    a|ONLINE;    b|ONLINE;  mirror-1|ONLINE;    c|ONLINE;    d|ONLINE;    "
						  "e|ONLINE",
		"mirror of 2, mirror of 3", NULL, false);
	/* One of a mirror's two is replaced, and one that stood alone. */
	expect_rows_described(
		"  mirror-0|DEGRADED;    sda|ONLINE;    replacing-1|DEGRADED;      sdb|OFFLINE;      sdc|ONLINE", "mirror of 2",
		NULL, false);
	expect_rows_described(
		"  sda|ONLINE;logs;  replacing-1|DEGRADED;    sdb|OFFLINE;    sdc|ONLINE;  mirror-2|ONLINE;    "
		"sdd|ONLINE;    sde|ONLINE;    sdf|ONLINE",
		"1 device", "sdb (OFFLINE), sdc (ONLINE), mirror of sdd (ONLINE), sde (ONLINE) and sdf (ONLINE)", true);
	expect_owned(zfs_pool_layout(&nothing), NULL);
	expect_owned(zfs_pool_log_health(&nothing), NULL);
	expect_owned(zfs_pool_describe_dataset(&nothing), NULL);
	assert_false(zfs_pool_has_log(&nothing));
}

static void test_states(void **state)
{
	struct zfs_pool pool = {0};

	(void)state;
	/* The table says less than the line above it. */
	zfs_parse_status(
		&pool, "  pool: p\n state: SUSPENDED\nconfig:\n\n\tNAME    STATE     READ\n\tp       ONLINE    0\n");
	assert_string_equal(pool.state, "SUSPENDED");
	zfs_pool_release(&pool);
	read_fixture(&pool, "zpool-status-draid.txt");
	assert_string_equal(pool.vdevs[5].state, "FAULTED");
	assert_string_equal(pool.vdevs[5].layout, "draid2");
	assert_int_equal(pool.vdevs[5].width, 7);
	assert_string_equal(pool.vdevs[12].layout, "mirror");
	assert_int_equal(pool.vdevs[12].width, 2);
	assert_null(pool.vdevs[14].layout);
	assert_int_equal(pool.vdevs[14].width, 1);
	assert_string_equal(pool.vdevs[16].state, "INUSE");
	zfs_pool_release(&pool);
	zfs_parse_status(&pool, "no pools available\n");
	assert_null(pool.state);
	zfs_pool_release(&pool);
}

static void expect_dataset(const char *properties, const char *expected)
{
	struct zfs_pool pool = {0};

	zfs_parse_properties(&pool, properties);
	expect_owned(zfs_pool_describe_dataset(&pool), expected);
	zfs_pool_release(&pool);
}

static void test_dataset(void **state)
{
	struct text output = TEXT_EMPTY;

	(void)state;
	assert_true(file_read(&output, "tests/fixtures/zfs/", "zfs-get-Hp-all.tsv"));
	expect_dataset(
		text_string(&output), "recordsize 16 KiB, sync=always, logbias=latency, compression=lz4, primarycache=all");
	text_reset(&output);
	assert_true(file_read(&output, "tests/fixtures/zfs/", "zfs-get-Hp-all-zfs-fuse.tsv"));
	expect_dataset(text_string(&output), "recordsize 128 KiB, logbias=latency, compression=off, primarycache=all");
	text_release(&output);
	expect_dataset("tank\tdirect\tstandard\t-\ntank\tsync\tdisabled\t-\ntank\trecordsize\t1048576\t-\n",
		"recordsize 1 MiB, sync=disabled, direct=standard");
	expect_dataset("tank\trecordsize\tmany\t-\n", "recordsize=many");
	expect_dataset("tank\tatime\toff\t-\n", NULL);
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
	/* What names no device is no answer, so nobody may say that there is no log. */
	fake_zpool("echo 'something else'");
	find(&pool, "/tank", folder);
	assert_false(pool.asked);
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
		cmocka_unit_test(test_draid),
		cmocka_unit_test(test_described),
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_dataset),
		cmocka_unit_test(test_properties),
		cmocka_unit_test(test_which_mounts),
		cmocka_unit_test(test_not_asked),
		cmocka_unit_test(test_asked),
		cmocka_unit_test(test_asked_an_old_zpool),
		cmocka_unit_test(test_asked_in_vain),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
