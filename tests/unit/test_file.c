#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/file.h"

/** A folder for the tests, made in setup. */
static char folder[64];

static void write_file(const char *name, const char *bytes, size_t size)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void expect_line(const char *bytes, const char *expected)
{
	char *line;

	write_file("line", bytes, strlen(bytes));
	line = file_read_line(folder, "/%s", "line");
	assert_non_null(line);
	assert_string_equal(line, expected);
	free(line);
}

static void test_read_appends(void **state)
{
	struct text content = TEXT_EMPTY;

	(void)state;
	write_file("one", "a\0b\n", 4);
	write_file("two", "", 0);
	text_add(&content, "before ");
	assert_true(file_read(&content, folder, "/%s", "one"));
	assert_int_equal(content.length, 11);
	assert_memory_equal(content.bytes, "before a\0b\n", 12);
	assert_true(file_read(&content, folder, "/two"));
	assert_int_equal(content.length, 11);
	text_release(&content);
}

static void test_read_fails(void **state)
{
	struct text content = TEXT_EMPTY;

	(void)state;
	text_add(&content, "kept");
	assert_false(file_read(&content, folder, "/missing"));
	assert_int_equal(errno, ENOENT);
	assert_false(file_read(&content, folder, "%s", ""));
	assert_int_equal(errno, EISDIR);
	assert_string_equal(text_string(&content), "kept");
	text_release(&content);
	assert_null(file_read_line(folder, "/missing"));
	assert_int_equal(errno, ENOENT);
}

static void test_read_is_limited(void **state)
{
	struct text content = TEXT_EMPTY;
	size_t size = ((size_t)4 << 20) + 5000;
	char *bytes = malloc(size);

	(void)state;
	assert_non_null(bytes);
	memset(bytes, 0x78, size);
	write_file("large", bytes, size);
	assert_true(file_read(&content, folder, "/large"));
	assert_int_equal(content.length, (size_t)4 << 20);
	text_release(&content);
	free(bytes);
}

static void test_line(void **state)
{
	(void)state;
	expect_line("raid1\n", "raid1");
	expect_line("Samsung SSD 860 \t \nnext\n", "Samsung SSD 860");
	expect_line("  leading stays", "  leading stays");
	expect_line("windows\r\n", "windows");
	expect_line("", "");
	expect_line("\nsecond\n", "");
	expect_line("   \n", "");
}

static void test_link(void **state)
{
	char path[256], target[3000];
	char *link;

	(void)state;
	memset(target, 0x61, sizeof(target) - 1);
	target[sizeof(target) - 1] = 0;
	snprintf(path, sizeof(path), "%s/long", folder);
	assert_int_equal(symlink(target, path), 0);
	link = file_read_link(folder, "/%s", "long");
	assert_non_null(link);
	assert_string_equal(link, target);
	free(link);
	target[512] = 0;
	unlink(path);
	assert_int_equal(symlink(target, path), 0);
	link = file_read_link(folder, "/long");
	assert_non_null(link);
	assert_string_equal(link, target);
	free(link);
	write_file("plain", "x", 1);
	assert_null(file_read_link(folder, "/plain"));
	assert_int_equal(errno, EINVAL);
	assert_null(file_read_link(folder, "/missing"));
	assert_int_equal(errno, ENOENT);
}

static void test_names(void **state)
{
	char path[256];
	char **names;

	(void)state;
	snprintf(path, sizeof(path), "%s/list", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	names = file_names(folder, "/list");
	assert_null(names[0]);
	file_names_free(names);
	write_file("list/b", "", 0);
	write_file("list/a", "", 0);
	write_file("list/.c", "", 0);
	names = file_names(folder, "/%s", "list");
	assert_string_equal(names[0], ".c");
	assert_string_equal(names[1], "a");
	assert_string_equal(names[2], "b");
	assert_null(names[3]);
	file_names_free(names);
	names = file_names(folder, "/missing");
	assert_null(names[0]);
	file_names_free(names);
	file_names_free(NULL);
}

static void test_running_machine(void **state)
{
	char *line = file_read_line("", "/proc/%s/comm", "self");

	(void)state;
	assert_non_null(line);
	free(line);
}

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/test_file.XXXXXX");
	return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
	static const char *const names[] = {
		"line", "one", "two", "large", "long", "plain", "list/a", "list/b", "list/.c", "list", ""};
	char path[256];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		remove(path);
	}
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_appends),
		cmocka_unit_test(test_read_fails),
		cmocka_unit_test(test_read_is_limited),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_running_machine),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
