#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "probe/host.h"
#include "support/memory.h"

/** A folder that serves as PATH, made in setup; the current folder of the tests. */
static char folder[64];
static char *old_folder;

static void make_program(const char *name, mode_t mode)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fputs("#!/bin/sh\n", file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(name, mode), 0);
}

static void expect_found(const char *search_path, const char *program, const char *expected)
{
	char *found = host_find_in(search_path, program);

	if (expected == NULL) {
		assert_null(found);
	} else {
		char *path = xasprintf("%s/%s", folder, expected);

		assert_non_null(found);
		assert_string_equal(found, path);
		free(path);
	}
	free(found);
}

static void test_find_in(void **state)
{
	char path[160];

	(void)state;
	make_program("good", 0755);
	make_program("plain", 0644);
	assert_int_equal(mkdir("sub", 0755), 0);
	assert_int_equal(mkdir("sub/good", 0755), 0);
	make_program("sub/deep", 0755);
	expect_found(folder, "good", "good");
	expect_found(folder, "plain", NULL);
	expect_found(folder, "absent", NULL);
	expect_found(folder, "", NULL);
	expect_found(folder, "sub", NULL);
	expect_found(folder, "sub/deep", NULL);
	expect_found(NULL, "good", NULL);
	snprintf(path, sizeof(path), "/no/such/folder:%s/sub:%s/", folder, folder);
	expect_found(path, "good", "good");
	/* The current folder, by an empty entry, by a dot, and a folder in it: always absolute. */
	expect_found("", "good", "good");
	expect_found("/no/such/folder::/x", "good", "good");
	expect_found("/no/such/folder:", "good", "good");
	expect_found(".", "good", "good");
	expect_found("sub", "deep", "sub/deep");
}

static void test_find_program(void **state)
{
	char *found;

	(void)state;
	make_program("sh", 0755);
	assert_int_equal(setenv("PATH", folder, 1), 0);
	found = host_find_program("sh");
	assert_non_null(found);
	assert_int_equal(strncmp(found, folder, strlen(folder)), 0);
	free(found);
	/* Not in PATH, but in one of the usual folders. */
	found = host_find_program("ls");
	assert_non_null(found);
	free(found);
	assert_int_equal(unsetenv("PATH"), 0);
	found = host_find_program("ls");
	assert_non_null(found);
	assert_int_equal(found[0], 0x2f);
	free(found);
	assert_null(host_find_program("no-such-program-anywhere"));
}

static void test_install_command(void **state)
{
	(void)state;
	make_program("apt-get", 0755);
	assert_int_equal(setenv("PATH", folder, 1), 0);
	assert_string_equal(host_install_command(), "apt-get install fio");
	assert_int_equal(unsetenv("PATH"), 0);
	assert_true(strlen(host_install_command()) > 0);
}

static void test_memory(void **state)
{
	(void)state;
	assert_int_equal(host_memory_available_bytes("/no/such/folder"), 0);
	assert_true(host_memory_available_bytes("") > 0);
	assert_int_equal(host_memory_total_bytes("/no/such/folder"), 0);
	assert_true(host_memory_total_bytes("") >= host_memory_available_bytes(""));
}

static void test_memory_captured(void **state)
{
	char *root = xasprintf("%s/tests/fixtures/hosts/nvme-laptop", old_folder);

	(void)state;
	assert_int_equal(host_memory_available_bytes(root), UINT64_C(11223344) * 1024);
	assert_int_equal(host_memory_total_bytes(root), UINT64_C(16164636) * 1024);
	free(root);
}

static int enter_folder(void **state)
{
	(void)state;
	old_folder = getcwd(NULL, 0);
	snprintf(folder, sizeof(folder), "/tmp/test_host.XXXXXX");
	return old_folder != NULL && mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
	static const char *const names[] = {"good", "plain", "sub/good", "sub/deep", "sub", "sh", "apt-get"};
	int result;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		remove(names[i]);
	result = chdir(old_folder);
	free(old_folder);
	return result == 0 ? remove(folder) : result;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find_in),
		cmocka_unit_test(test_find_program),
		cmocka_unit_test(test_install_command),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_memory_captured),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
