#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/mount.h"

#define HOSTS "tests/fixtures/hosts/"
#define DESKTOP HOSTS "sata-desktop"

static void expect_point(const char *root, const char *path, const char *point, const char *source)
{
	struct mount mount;

	if (!mount_find(&mount, root, path))
		fail_msg("nothing found for %s", path);
	assert_string_equal(mount.mount_point, point);
	assert_string_equal(mount.source, source);
	mount_release(&mount);
	assert_null(mount.mount_point);
}

static void test_longest_prefix(void **state)
{
	(void)state;
	expect_point(DESKTOP, "/", "/", "/dev/sda1");
	expect_point(DESKTOP, "/home/me", "/", "/dev/sda1");
	expect_point(DESKTOP, "/mnt", "/", "/dev/sda1");
	expect_point(DESKTOP, "/proc/self", "/proc", "proc");
	expect_point(DESKTOP, "/mnt/stackable/x", "/mnt/stackable", "/dev/sda1");
	expect_point(DESKTOP, "/mnt/stackab", "/", "/dev/sda1");
}

static void test_topmost_of_a_stack(void **state)
{
	(void)state;
	expect_point(DESKTOP, "/mnt/stack", "/mnt/stack", "/dev/sdc1");
	expect_point(DESKTOP, "/mnt/stack/folder", "/mnt/stack", "/dev/sdc1");
}

static void test_names_with_any_byte(void **state)
{
	(void)state;
	expect_point(DESKTOP, "/mnt/My Disk/x", "/mnt/My Disk", "/dev/sdb");
	expect_point(DESKTOP, "/mnt/\303\234berspielung/x", "/mnt/\303\234berspielung", "/dev/sdc1");
	expect_point(DESKTOP, "/mnt/tab\tline\nback\\slash", "/mnt/tab\tline\nback\\slash", "/dev/mmcblk0p1");
	expect_point(DESKTOP, "/mnt/nothing", "/mnt/nothing", "");
	expect_point(HOSTS "network", "/mnt/nfs4", "/mnt/nfs4", "server:/export/my data");
}

static void test_all_fields(void **state)
{
	struct mount mount;

	(void)state;
	assert_true(mount_find(&mount, DESKTOP, "/mnt/stack"));
	assert_int_equal(mount.device_major, 8);
	assert_int_equal(mount.device_minor, 33);
	assert_string_equal(mount.root, "/");
	assert_string_equal(mount.type, "exfat");
	assert_string_equal(mount.options, "rw,relatime");
	assert_string_equal(mount.super_options, "rw");
	mount_release(&mount);
}

static void test_by_number(void **state)
{
	struct mount mount;

	(void)state;
	assert_true(mount_find_id(&mount, DESKTOP, 60));
	assert_string_equal(mount.source, "/dev/sdb");
	assert_string_equal(mount.root, "/archive");
	mount_release(&mount);
	assert_false(mount_find_id(&mount, DESKTOP, 999));
	assert_null(mount.source);
	assert_false(mount_find_id(&mount, HOSTS "no-such-host", 1));
}

static void test_nothing_found(void **state)
{
	struct mount mount;

	(void)state;
	assert_false(mount_find(&mount, HOSTS "no-such-host", "/"));
	assert_null(mount.type);
	assert_false(mount_find(&mount, DESKTOP, "relative"));
	mount_release(&mount);
}

static void test_options(void **state)
{
	const char *list = "rw,noatime,errors=remount-ro,upperdir=/up\\054per\\040dir,empty=,last=1";
	char *value;

	(void)state;
	assert_true(mount_has_option(list, "rw"));
	assert_true(mount_has_option(list, "errors"));
	assert_true(mount_has_option(list, "last"));
	assert_false(mount_has_option(list, "ro"));
	assert_false(mount_has_option(list, "atime"));
	assert_false(mount_has_option(list, "noatim"));
	assert_false(mount_has_option("", "rw"));
	assert_false(mount_has_option(NULL, "rw"));
	value = mount_option_value(list, "upperdir");
	assert_string_equal(value, "/up,per dir");
	free(value);
	value = mount_option_value(list, "empty");
	assert_string_equal(value, "");
	free(value);
	value = mount_option_value(list, "last");
	assert_string_equal(value, "1");
	free(value);
	assert_null(mount_option_value(list, "rw"));
	assert_null(mount_option_value(list, "absent"));
	assert_null(mount_option_value(NULL, "absent"));
}

static void expect_read_only(const char *path, bool expected)
{
	struct mount mount;

	assert_true(mount_find(&mount, DESKTOP, path));
	if (mount_is_read_only(&mount) != expected)
		fail_msg("wrong for %s", path);
	mount_release(&mount);
}

static void test_read_only(void **state)
{
	(void)state;
	expect_read_only("/", false);
	expect_read_only("/mnt/ro-mount", true);
	expect_read_only("/mnt/ro-super", true);
	expect_read_only("/mnt/errors", false);
}

static void expect_mounted(unsigned device_major, unsigned device_minor, const char *expected)
{
	char *point = mount_point_of_device(DESKTOP, device_major, device_minor);

	if (expected == NULL)
		assert_null(point);
	else
		assert_string_equal(point, expected);
	free(point);
}

static void test_where_a_device_is_mounted(void **state)
{
	(void)state;
	expect_mounted(8, 1, "/");
	expect_mounted(8, 16, "/mnt/My Disk");
	expect_mounted(8, 17, NULL);
	assert_null(mount_point_of_device(HOSTS "no-such-host", 8, 1));
}

static void test_running_machine(void **state)
{
	struct mount mount;

	(void)state;
	assert_true(mount_find(&mount, "", "/proc/self"));
	assert_string_equal(mount.type, "proc");
	mount_release(&mount);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_longest_prefix),
		cmocka_unit_test(test_topmost_of_a_stack),
		cmocka_unit_test(test_names_with_any_byte),
		cmocka_unit_test(test_all_fields),
		cmocka_unit_test(test_by_number),
		cmocka_unit_test(test_nothing_found),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_read_only),
		cmocka_unit_test(test_where_a_device_is_mounted),
		cmocka_unit_test(test_running_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
