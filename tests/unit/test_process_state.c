#include "scratch.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "support/memory.h"
#include "telemetry/process_state.h"

static char root[64];

static int make_root(void **state)
{
	(void)state;
	scratch_make(root);
	return 0;
}

static int remove_root(void **state)
{
	(void)state;
	scratch_remove(root);
	return 0;
}

/* Folders on the way are made. */
static void put(const char *path, const char *content)
{
	char *whole = xasprintf("%s%s", root, path);

	for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = '\0';
		assert_true(mkdir(whole, 0700) == 0 || errno == EEXIST);
		*slash = '/';
	}
	scratch_write(whole, content, strlen(content), 0600);
	free(whole);
}

static void put_link(const char *path, const char *target)
{
	char *whole = xasprintf("%s%s", root, path);

	assert_int_equal(symlink(target, whole), 0);
	free(whole);
}

static void test_account(void **state)
{
	const struct rusage usage = {.ru_inblock = 8, .ru_oublock = 632680};
	struct process_account account;

	(void)state;
	put("/proc/self/io", "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 0\nwrite_bytes: 0\n"
						 "cancelled_write_bytes: 0\n");
	assert_true(process_account_take(&account, root, &usage));
	assert_int_equal(account.known, 1);
	assert_int_equal(account.read_bytes, 4096);
	assert_int_equal(account.written_bytes, 323932160);
	put("/proc/self/io", "rchar: 1\nwchar: 2\n"); /* a kernel that does not keep the account */
	assert_false(process_account_take(&account, root, &usage));
	assert_int_equal(account.known, 0);
	assert_int_equal(account.written_bytes, 0);
}

static void put_descriptor(int number, const char *target, unsigned flags)
{
	char path[64], content[64];

	snprintf(path, sizeof(path), "/proc/77/fdinfo/%d", number);
	snprintf(content, sizeof(content), "pos:\t0\nflags:\t0%o\nmnt_id:\t30\nino:\t12\n", flags);
	put(path, content);
	snprintf(path, sizeof(path), "/proc/77/fd/%d", number);
	put_link(path, target);
}

static void test_files(void **state)
{
	struct process_files files;
	struct stat status;
	char *file = xasprintf("%s/file", root), *other = xasprintf("%s/other", root);

	(void)state;
	put("/file", "data");
	put("/other", "data");
	put("/proc/77/fd/x", "");
	put("/proc/77/maps",
		"7f00-7f01 rw-s 00000000 00:10 12345      /[aio] (deleted)\n7f02-7f03 r--p 0 00:00 0 [vvar]\n");
	assert_int_equal(stat(file, &status), 0);
	put_descriptor(0, "/dev/null", O_RDONLY);
	put_descriptor(1, "pipe:[1234]", O_WRONLY);
	put_descriptor(3, file, (unsigned)(O_RDWR | O_DIRECT));
	put_descriptor(4, file, (unsigned)(O_RDWR | O_DIRECT | O_SYNC));
	put_descriptor(5, file, (unsigned)(O_RDWR | O_DSYNC));
	put_descriptor(6, other, (unsigned)(O_RDWR | O_DIRECT));
	put_descriptor(7, "anon_inode:[io_uring]", O_RDWR);
	put_descriptor(8, "/nowhere (deleted)", O_RDWR);
	process_files_take(&files, root, 77, (uint64_t)status.st_dev, (uint64_t)status.st_ino);
	assert_int_equal(files.files, 3);
	assert_int_equal(files.direct, 2);
	assert_int_equal(files.synchronous, 1);
	assert_int_equal(files.io_uring, 1);
	assert_int_equal(files.aio, 1);
	process_files_take(&files, root, 78, (uint64_t)status.st_dev, (uint64_t)status.st_ino);
	assert_int_equal(files.files + files.io_uring + files.aio, 0);
	free(file);
	free(other);
}

/* A live process with many descriptors, of which one is the file. */
static void test_live(void **state)
{
	struct process_files files;
	struct stat status;
	char *path = xasprintf("%s/live", root);
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_SYNC, 0600), ready[2];
	char byte = 'x';

	(void)state;
	assert_true(file >= 0 && fstat(file, &status) == 0 && pipe(ready) == 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		for (int i = 0; i < 500; i++) {
			demand(dup(ready[0]) >= 0);
		}
		demand(write(ready[1], &byte, 1) == 1);
		pause();
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	process_files_take(&files, "", pid, (uint64_t)status.st_dev, (uint64_t)status.st_ino);
	assert_int_equal(files.files, 1);
	assert_int_equal(files.synchronous, 1);
	assert_int_equal(files.direct, 0);
	assert_int_equal(files.io_uring, 0);
	assert_int_equal(files.aio, 0);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	process_files_take(&files, "", pid, (uint64_t)status.st_dev, (uint64_t)status.st_ino);
	assert_int_equal(files.files, 0);
	close(file);
	free(path);
}

/* What a child wrote is on its account, as far as the file system lies on a disk. */
static void test_child(void **state)
{
	struct process_account account;
	struct rusage usage;
	char *path = xasprintf("%s/child", root);
	char *bytes = xcalloc(1, 1 << 20);

	(void)state;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

		demand(write(file, bytes, 1 << 20) == 1 << 20 && fsync(file) == 0);
		_exit(0);
	}
	assert_int_equal(wait4(pid, NULL, 0, &usage), pid);
	if (process_account_take(&account, "", &usage)) {
		assert_true(account.written_bytes == 0 || account.written_bytes >= 1 << 20);
	}
	free(bytes);
	free(path);
}

int main(void)
{
#define WITH_ROOT(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)
	const struct CMUnitTest tests[] = {
		WITH_ROOT(test_account),
		WITH_ROOT(test_files),
		WITH_ROOT(test_live),
		WITH_ROOT(test_child),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
