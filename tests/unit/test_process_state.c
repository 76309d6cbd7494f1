#include "scratch.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

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
	const struct rusage usage = {.ru_inblock = 8, .ru_oublock = 632680, .ru_utime = {2, 500000}, .ru_stime = {1, 1}};
	const struct process_files files = {.files = 1, .aio = 1};
	struct process_account account;

	(void)state;
	put("/proc/self/io", "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 0\nwrite_bytes: 0\n"
						 "cancelled_write_bytes: 0\n");
	assert_true(process_account_take(&account, root, &usage, &files));
	assert_int_equal(account.known, 1);
	assert_int_equal(account.read_bytes, 4096);
	assert_int_equal(account.processor_ns, UINT64_C(3500001000));
	put("/proc/self/io", "rchar: 1\nwchar: 2\n"); /* a kernel that does not keep the account */
	assert_false(process_account_take(&account, root, &usage, &files));
	assert_int_equal(account.known, 0);
	assert_int_equal(account.read_bytes, 0);
	assert_int_equal(account.processor_ns, UINT64_C(3500001000));
}

static bool counts(const char *release, const struct process_files *files)
{
	const struct rusage usage = {.ru_inblock = 8};
	struct process_account account;

	put("/proc/sys/kernel/osrelease", release);
	return process_account_take(&account, root, &usage, files);
}

/* On older kernels threads of the kernel, which are on nobody's account, do what an io_uring was asked for. */
static void test_io_uring(void **state)
{
	static const char *const whole[] = {
		"5.12.0\n", "5.15.0-91-generic\n", "6.1.0-18-amd64\n", "10.0\n", "5.10.162-1.el8\n", "5.10.223\n"};
	static const char *const part[] = {
		"5.11.22\n", "5.10.161\n", "5.10.0-33-amd64\n", "5.4.0-1.2\n", "4.19.3\n", "4.18.0-553.el8\n", "strange\n", ""};
	const struct process_files ring = {.files = 1, .io_uring = 1}, unseen = {.files = 0}, other = {.files = 16};

	(void)state;
	put("/proc/self/io", "rchar: 1\nread_bytes: 0\n");
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		assert_true(counts(whole[i], &ring) && counts(whole[i], &unseen) && counts(whole[i], &other));
	}
	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		assert_true(!counts(part[i], &ring) && !counts(part[i], &unseen) && counts(part[i], &other));
	}
}

static void test_moved(void **state)
{
	uint64_t bytes = 1;

	(void)state;
	put("/proc/77/io", "rchar: 1\nwchar: 2\nread_bytes: 4096\nwrite_bytes: 512\ncancelled_write_bytes: 9\n");
	assert_true(process_moved(root, 77, &bytes));
	assert_int_equal(bytes, 4608);
	assert_false(process_moved(root, 78, &bytes));
	assert_int_equal(bytes, 0);
	put("/proc/78/io", "rchar: 1\n");
	assert_false(process_moved(root, 78, &bytes));
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
	assert_int_equal(files.data_synchronous, 1);
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
	assert_int_equal(files.data_synchronous, 0);
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

/* The time that a child took is on its account. */
static void test_child(void **state)
{
	struct process_account account;
	struct rusage usage;
	const struct process_files files = {.files = 1};

	(void)state;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		while (clock() < CLOCKS_PER_SEC / 20) {
		}
		_exit(0);
	}
	assert_int_equal(wait4(pid, NULL, 0, &usage), pid);
	process_account_take(&account, "", &usage, &files);
	assert_true(account.processor_ns >= 40000000 && account.processor_ns < 1000000000);
}

int main(void)
{
#define WITH_ROOT(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)
	const struct CMUnitTest tests[] = {
		WITH_ROOT(test_account),
		WITH_ROOT(test_io_uring),
		WITH_ROOT(test_moved),
		WITH_ROOT(test_files),
		WITH_ROOT(test_live),
		WITH_ROOT(test_child),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
