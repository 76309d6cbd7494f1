#include "errand.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "keeper/layout.h"
#include "plan/workload.h"

static uint64_t last_done, stop_at;

static bool note_progress(void *context, uint64_t done_bytes)
{
	demand(context == &last_done && done_bytes > last_done);
	last_done = done_bytes;
	return stop_at == 0 || done_bytes < stop_at;
}

static enum layout_end lay_out(uint64_t size_bytes, uint64_t stop_at_bytes)
{
	int directory = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	last_done = 0;
	stop_at = stop_at_bytes;
	enum layout_end end = layout_write(directory, size_bytes, note_progress, &last_done);
	int error = errno;
	close(directory);
	errno = error;
	return end;
}

static int compare_words(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return first < second ? -1 : first > second;
}

static void write_whole(void)
{
	enum { SIZE = (5 << 20) + 4096 + 512 };
	struct text content = TEXT_EMPTY;
	struct stat status;
	size_t counts[256] = {0}, words = SIZE / 512;

	demand(symlink("precious", TEST_FILE_NAME) == 0);
	put_file("precious", "data");
	demand(lay_out(SIZE, 0) == LAYOUT_WRITTEN);
	demand(last_done == SIZE);
	demand(lstat(TEST_FILE_NAME, &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & 07777) == 0600);
	demand(status.st_size == SIZE && status.st_blocks * 512 >= SIZE);
	demand(stat("precious", &status) == 0 && status.st_size == 4);
	int file = open(TEST_FILE_NAME, O_RDONLY | O_CLOEXEC);
	static uint64_t beginnings[SIZE / 512];
	static unsigned char sector[512];
	for (size_t i = 0; i < words; i++) {
		demand(read(file, sector, sizeof(sector)) == sizeof(sector));
		memcpy(&beginnings[i], sector, sizeof(beginnings[i]));
		for (size_t j = 0; j < sizeof(sector); j++) {
			counts[sector[j]]++;
		}
	}
	close(file);
	/* No sector is like another, and no byte more frequent than another. */
	qsort(beginnings, words, sizeof(beginnings[0]), compare_words);
	for (size_t i = 1; i < words; i++) {
		demand(beginnings[i] != beginnings[i - 1]);
	}
	for (size_t i = 0; i < 256; i++) {
		demand(counts[i] > SIZE / 256 * 9 / 10 && counts[i] < SIZE / 256 * 11 / 10);
	}
	text_release(&content);
	/* Another one takes its place. */
	demand(lay_out(4096, 0) == LAYOUT_WRITTEN);
	demand(stat(TEST_FILE_NAME, &status) == 0 && status.st_size == 4096);
}

static void test_layout(void **state)
{
	(void)state;
	run_as_both(write_whole);
}

/* More than the windows in which it is pushed out. */
static void write_much(void)
{
	struct stat status;

	demand(lay_out((UINT64_C(100) << 20) + 1, 0) == LAYOUT_WRITTEN);
	demand(stat(TEST_FILE_NAME, &status) == 0 && status.st_size == (100 << 20) + 1);
	demand(status.st_blocks * 512 >= status.st_size);
}

static void test_large_layout(void **state)
{
	(void)state;
	run_as(geteuid(), write_much);
}

static void stop_in_between(void)
{
	demand(lay_out(8 << 20, 3 << 20) == LAYOUT_STOPPED);
	demand(last_done == 3 << 20);
	demand(count_entries() == 0);
	demand(lay_out(1 << 20, 1 << 20) == LAYOUT_STOPPED);
	demand(count_entries() == 0);
}

static void test_stopped(void **state)
{
	(void)state;
	run_as(geteuid(), stop_in_between);
}

static void fail_in_between(void)
{
	struct rlimit limit = {.rlim_cur = 2 << 20, .rlim_max = 2 << 20};

	signal(SIGXFSZ, SIG_IGN);
	demand(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	demand(lay_out(8 << 20, 0) == LAYOUT_FAILED && errno == EFBIG);
	demand(count_entries() == 0);
	put_folder(TEST_FILE_NAME, 0700);
	demand(lay_out(4096, 0) == LAYOUT_FAILED && errno == EEXIST);
	demand(count_entries() == 1);
}

static void test_failed(void **state)
{
	(void)state;
	run_as(geteuid(), fail_in_between);
}

static void fill_up(void)
{
	/* In a name space of this process alone: nothing is left to unmount. */
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", "", MS_REC | MS_PRIVATE, "") != 0 ||
		mount("none", ".", "tmpfs", 0, "size=4m") != 0) {
		dprintf(STDERR_FILENO, "# no small file system here\n");
		_exit(0);
	}
	char *here = getcwd(NULL, 0);
	demand(here && chdir(here) == 0); /* onto the mount */
	free(here);
	demand(lay_out(8 << 20, 0) == LAYOUT_FAILED && errno == ENOSPC);
	demand(last_done >= 3 << 20 && last_done <= 4 << 20);
	demand(count_entries() == 0);
	demand(lay_out(2 << 20, 0) == LAYOUT_WRITTEN);
}

static void test_no_space(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		skip();
	}
	run_as(0, fill_up);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_large_layout),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_failed),
		cmocka_unit_test(test_no_space),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
