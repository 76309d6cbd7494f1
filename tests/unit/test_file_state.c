#include "errand.h"

#include <errno.h>
#include <sys/vfs.h>

#include "support/memory.h"
#include "telemetry/file_state.h"

enum { MIB = 1 << 20, TMPFS = 0x01021994 };

static void fill(int file, off_t offset, size_t size)
{
	char *bytes = xmalloc(size);

	for (size_t i = 0; i < size; i++) {
		bytes[i] = (char)(i * 2654435761U >> 13);
	}
	demand(pwrite(file, bytes, size, offset) == (ssize_t)size);
	free(bytes);
}

static int make_file(const char *name)
{
	int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	demand(file >= 0);
	return file;
}

/* Every file system that tests run on tells at least of its holes. */
static void look_at_written(void)
{
	struct file_state state;
	int file = make_file("written");

	fill(file, 0, 8 * MIB);
	demand(lseek(file, 12345, SEEK_SET) == 12345);
	file_state_take(&state, "", file, NULL, 1, NULL, NULL);
	demand(state.known & FILE_STATE_HOLES && state.known & FILE_STATE_ALLOCATED);
	demand(state.size_bytes == 8 * MIB);
	demand(state.unwritten_bytes == 0); /* what is not on the disk yet is written all the same */
	demand(lseek(file, 0, SEEK_CUR) == 12345);
	demand(fsync(file) == 0);
	file_state_take(&state, "", file, NULL, 1, NULL, NULL);
	demand(state.unwritten_bytes == 0 && state.allocated_bytes >= 8 * MIB);
	demand((state.known & FILE_STATE_RESIDENT) != 0 && state.resident_looked_at_bytes == 8 * MIB);
	demand(state.resident_bytes == 8 * MIB);
	demand(state.encoded_bytes <= state.encoded_looked_at_bytes && state.encoded_looked_at_bytes <= 8 * MIB);
	demand(state.journals_data == 0);
	file_state_take(&state, "", file, NULL, 0, NULL, NULL);
	demand((state.known & FILE_STATE_HOLES) == 0 && state.unwritten_bytes == 0);
	close(file);
}

static void test_written(void **state)
{
	(void)state;
	run_as_both(look_at_written);
}

static void look_at_holes(void)
{
	struct file_state state;
	int file = make_file("holes");

	demand(ftruncate(file, 4 * MIB) == 0);
	file_state_take(&state, "", file, NULL, 1, NULL, NULL);
	demand(state.known & FILE_STATE_HOLES && state.unwritten_bytes == 4 * MIB);
	fill(file, MIB, MIB);
	file_state_take(&state, "", file, NULL, 1, NULL, NULL);
	demand(state.unwritten_bytes == 3 * MIB);
	fill(file, 3 * MIB, MIB);
	file_state_take(&state, "", file, NULL, 1, NULL, NULL);
	demand(state.unwritten_bytes == 2 * MIB);
	close(file);
}

static void test_holes(void **state)
{
	(void)state;
	run_as_both(look_at_holes);
}

/* Room that was reserved and never written reads as zeros, without the device. tmpfs calls it written. */
static void look_at_reserved(void)
{
	struct file_state state;
	struct statfs system;
	int file = make_file("reserved");

	demand(fstatfs(file, &system) == 0);
	if (system.f_type == TMPFS || fallocate(file, 0, 0, 4 * MIB) != 0) {
		return;
	}
	fill(file, 0, MIB);
	demand(fsync(file) == 0);
	file_state_take(&state, "", file, NULL, 1, NULL, NULL);
	demand(state.unwritten_bytes == 3 * MIB);
	close(file);
}

static void test_reserved(void **state)
{
	(void)state;
	run_as_both(look_at_reserved);
}

/* More pieces than are looked at: the rest is taken to be alike. */
static void look_at_pieces(void)
{
	enum { PIECES = 6000, DISTANCE = 4 * 4096 };
	struct file_state state;
	int file = make_file("pieces");
	char block[4096] = "x";

	for (off_t i = 0; i < PIECES; i++) {
		demand(pwrite(file, block, sizeof(block), i * DISTANCE) == sizeof(block));
	}
	demand(ftruncate(file, (off_t)PIECES * DISTANCE) == 0);
	file_state_take(&state, "", file, NULL, 1, NULL, NULL);
	demand(state.size_bytes == (uint64_t)PIECES * DISTANCE);
	demand(state.unwritten_bytes <= state.size_bytes * 76 / 100);
	demand(state.unwritten_bytes >= state.size_bytes * 70 / 100 || state.unwritten_bytes == 0);
	demand(state.resident_looked_at_bytes == 64 * MIB);
	close(file);
}

static void test_pieces(void **state)
{
	(void)state;
	run_as(geteuid(), look_at_pieces);
}

static void look_at_odd(void)
{
	struct file_state state;
	uint64_t resident = 1;
	int pipes[2], empty = make_file("empty"), small = make_file("small"), folder = open(".", O_RDONLY | O_CLOEXEC);

	demand(pipe(pipes) == 0);
	demand(pwrite(small, "abc", 3, 0) == 3);
	file_state_take(&state, "", -1, NULL, 1, NULL, NULL);
	demand(state.known == 0 && state.size_bytes == 0);
	file_state_take(&state, "", pipes[0], NULL, 1, NULL, NULL);
	demand(state.known == 0);
	file_state_take(&state, "", folder, NULL, 1, NULL, NULL);
	demand(state.known == 0);
	file_state_take(&state, "", empty, NULL, 1, NULL, NULL);
	demand(state.known == 0);
	file_state_take(&state, "", small, NULL, 1, NULL, NULL);
	demand(state.size_bytes == 3 && state.unwritten_bytes == 0 && state.resident_bytes == 3);
	demand(!file_resident(pipes[0], 0, 4096, &resident) && resident == 0);
	demand(!file_resident(small, 0, 0, &resident));
	demand(!file_journals_data("", pipes[0], NULL) && !file_journals_data("", -1, NULL));
}

static void test_odd(void **state)
{
	(void)state;
	run_as(geteuid(), look_at_odd);
}

static bool goes_on_for_a_while(void *context)
{
	int *steps = context;

	return (*steps)-- > 0;
}

/* Whenever nobody wants to know any more, what is known by then is right, and nothing else is said. */
static void look_unwanted(void)
{
	struct file_state state;
	int file = make_file("unwanted"), steps = 0;
	uint32_t known = 0;

	fill(file, 0, 4 * MIB);
	demand(fsync(file) == 0);
	for (int allowed = 0; allowed < 100; allowed++) {
		steps = allowed;
		file_state_take(&state, "", file, NULL, 1, goes_on_for_a_while, &steps);
		demand((state.known & known) == known && state.size_bytes == 4 * MIB);
		demand(allowed > 0 || state.known == FILE_STATE_ALLOCATED);
		demand(state.known & FILE_STATE_RESIDENT || state.resident_looked_at_bytes == 0);
		demand(state.known & FILE_STATE_ENCODED || state.encoded_looked_at_bytes == 0);
		known = state.known;
	}
	demand(steps > 0 && known & FILE_STATE_HOLES && known & FILE_STATE_RESIDENT);
	close(file);
}

static void test_unwanted(void **state)
{
	(void)state;
	run_as(geteuid(), look_unwanted);
}

static bool journals(const char *root, const char *type, const char *options, unsigned minor)
{
	char type_copy[16], options_copy[64];
	struct mount mount = {.device_major = 8, .device_minor = minor, .type = type_copy, .super_options = options_copy};

	snprintf(type_copy, sizeof(type_copy), "%s", type);
	snprintf(options_copy, sizeof(options_copy), "%s", options);
	return file_journals_data(root, -1, &mount);
}

/* By an option that was given, or by one that stands in the file system itself. */
static void test_journal(void **state)
{
	const char *root = "tests/fixtures/counters/modern";

	(void)state;
	assert_true(journals("", "ext4", "rw,data=journal", 0));
	assert_true(journals("", "ext3", "rw,errors=continue,data=journal", 0));
	assert_false(journals("", "ext4", "rw,data=ordered", 0));
	assert_false(journals("", "xfs", "rw,data=journal", 0));
	assert_true(journals(root, "ext4", "rw", 1));
	assert_false(journals(root, "ext4", "rw", 2));
	assert_false(journals(root, "ext4", "rw", 3));
	assert_false(journals(root, "ext4", "rw,data=ordered", 1));
	assert_false(journals(root, "xfs", "rw", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_written),
		cmocka_unit_test(test_holes),
		cmocka_unit_test(test_reserved),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_odd),
		cmocka_unit_test(test_unwanted),
		cmocka_unit_test(test_journal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
