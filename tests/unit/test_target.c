#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "probe/target.h"
#include "support/memory.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
#define NAME_ONE "; name a directory on the storage to measure"

/** A folder for the tests, made in setup and current; and where they were started. */
static char folder[64];
static char *old_folder;

/** Expect a refusal; `sentence` may hold one %s, for `path` in quotes. */
static void expect_refused(const char *root, const char *path, const char *sentence)
{
	struct failure failure = FAILURE_NONE;
	const char *mark = strstr(sentence, "%s");
	struct target target;
	char *expected;

	if (mark != NULL)
		expected = xasprintf("%.*s'%s'%s", (int)(mark - sentence), sentence, path, mark + 2);
	else
		expected = xstrdup(sentence);
	assert_false(target_open(&target, root, path, &failure));
	assert_int_equal(failure.status, STATUS_TARGET);
	assert_string_equal(failure.sentence, expected);
	assert_int_equal(target.descriptor, -1);
	assert_null(target.path);
	free(expected);
	failure_clear(&failure);
}

static void open_good(struct target *target, const char *root, const char *path)
{
	struct failure failure = FAILURE_NONE;

	if (!target_open(target, root, path, &failure))
		fail_msg("'%s' was refused: %s", path, failure.sentence);
}

static void make_file(const char *name)
{
	int descriptor = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(descriptor >= 0);
	close(descriptor);
}

static void test_a_directory(void **state)
{
	struct target target;
	struct stat status;

	(void)state;
	open_good(&target, "", ".");
	assert_string_equal(target.given, ".");
	assert_string_equal(target.path, folder);
	assert_string_equal(target.shown, folder);
	assert_int_equal(fstat(target.descriptor, &status), 0);
	assert_true(S_ISDIR(status.st_mode));
	assert_int_equal(fcntl(target.descriptor, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	assert_int_equal(target.device, status.st_dev);
	assert_int_equal(target.inode, status.st_ino);
	assert_true(target.writable);
	assert_true(!target.space_known || target.free_bytes <= target.total_bytes);
	target_release(&target);
	assert_int_equal(target.descriptor, -1);
	target_release(&target);
}

static void test_ways_to_name_it(void **state)
{
	static const char *const names[] = {"real", "real/", "link", "link/", "./real/../real//", "real/."};
	char *expected = xasprintf("%s/real", folder);
	struct target target;

	(void)state;
	assert_int_equal(mkdir("real", 0700), 0);
	assert_int_equal(symlink("real", "link"), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		open_good(&target, "", names[i]);
		assert_string_equal(target.path, expected);
		target_release(&target);
	}
	free(expected);
}

static void test_any_name(void **state)
{
	const char *name = "-a b:c,d%e$f'g\"h\n\033\377\303\234";
	struct target target;

	(void)state;
	assert_int_equal(mkdir(name, 0700), 0);
	open_good(&target, "", name);
	assert_non_null(strstr(target.path, name));
	assert_non_null(strstr(target.shown, "-a b:c,d%e$f'g\"h\\n\\x1B\\xFF\303\234"));
	target_release(&target);
	rmdir(name);
}

static void test_not_a_directory(void **state)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)state;
	assert_int_equal(bind(descriptor, (const struct sockaddr *)&address, sizeof(address)), 0);
	close(descriptor);
	make_file("file");
	assert_int_equal(mkfifo("pipe", 0600), 0);
	assert_int_equal(symlink("file", "link-to-file"), 0);
	expect_refused("", "", "the path is empty; name a directory");
	expect_refused("", "missing", "%s does not exist" NAME_ONE);
	expect_refused("", "missing/", "%s does not exist" NAME_ONE);
	expect_refused("", "file", "%s is a file; name the directory that holds it");
	expect_refused("", "link-to-file", "%s is a file; name the directory that holds it");
	expect_refused("", "file/x", "%s does not exist: a part of it is not a directory" NAME_ONE);
	expect_refused("", "pipe", "%s is a named pipe" NAME_ONE);
	expect_refused("", "socket", "%s is a socket" NAME_ONE);
	expect_refused("", "/dev/null", "%s is a character device" NAME_ONE);
}

static void test_links_that_lead_nowhere(void **state)
{
	(void)state;
	assert_int_equal(symlink("missing", "dangling"), 0);
	assert_int_equal(symlink("circle", "circle"), 0);
	expect_refused("", "dangling", "%s is a link to what does not exist" NAME_ONE);
	expect_refused("", "circle", "%s leads in a circle of symbolic links" NAME_ONE);
}

static void test_quotes_are_safe(void **state)
{
	struct failure failure = FAILURE_NONE;
	struct target target;

	(void)state;
	assert_false(target_open(&target, "", "no\nsuch\033[31m", &failure));
	assert_string_equal(failure.sentence, "'no\\nsuch\\x1B[31m' does not exist" NAME_ONE);
	failure_clear(&failure);
}

static void test_too_long(void **state)
{
	char path[2 * PATH_MAX];

	(void)state;
	memset(path, 'a', 300);
	path[300] = '\0';
	expect_refused("", path, "the path holds a name longer than the file system takes" NAME_ONE);
	for (size_t i = 0; i < 5000; i++)
		path[i] = i % 2 == 0 ? 'a' : '/';
	path[5000] = '\0';
	expect_refused("", path,
		"the path is longer than the system takes at once (5000 bytes); change into the directory and name it '.'");
}

/** A directory whose path no call can name: "." opens it, and the description does with what can be known. */
static void test_deeper_than_a_path_can_be(void **state)
{
	char name[201];
	struct target target;
	unsigned depth = 0;

	(void)state;
	memset(name, 'd', 200);
	name[200] = '\0';
	for (; depth < 30; depth++) {
		assert_int_equal(mkdir(name, 0700), 0);
		assert_int_equal(chdir(name), 0);
	}
	open_good(&target, "", ".");
	assert_non_null(target.path);
	assert_non_null(target.mount.type);
	assert_true(target.writable);
	target_release(&target);
	for (; depth > 0; depth--) {
		assert_int_equal(chdir(".."), 0);
		assert_int_equal(rmdir(name), 0);
	}
}

static void test_removed(void **state)
{
	(void)state;
	assert_int_equal(mkdir("gone", 0700), 0);
	assert_int_equal(chdir("gone"), 0);
	assert_int_equal(rmdir("../gone"), 0);
	expect_refused("", ".", "%s was removed" NAME_ONE);
	assert_int_equal(chdir(folder), 0);
}

/** As another user, in a child: root may enter everything. The exit status says which expectation failed. */
static int look_as_nobody(void)
{
	struct failure failure = FAILURE_NONE;
	struct target target;

	if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
		return 1;
	if (target_open(&target, "", "shut", &failure) ||
		strcmp(failure.sentence, "cannot enter 'shut': Permission denied; run speedtest-hd as root") != 0)
		return 2;
	if (target_open(&target, "", "shut/inner", &failure) || failure.status != STATUS_TARGET)
		return 3;
	failure_clear(&failure);
	if (!target_open(&target, "", "unlisted", &failure) || !target.writable)
		return 4;
	target_release(&target);
	if (!target_open(&target, "", "/usr", &failure) || target.writable)
		return 5;
	target_release(&target);
	if (target_open(&target, "", "listed-only", &failure))
		return 6;
	failure_clear(&failure);
	return 0;
}

static void test_permissions(void **state)
{
	int wait_status;
	pid_t pid;

	(void)state;
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(mkdir("shut", 0), 0);
	assert_int_equal(mkdir("unlisted", 0700), 0);
	assert_int_equal(chmod("unlisted", 0333), 0);
	assert_int_equal(mkdir("listed-only", 0700), 0);
	assert_int_equal(chmod("listed-only", 0444), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(look_as_nobody());
	assert_int_equal(waitpid(pid, &wait_status, 0), pid);
	assert_true(WIFEXITED(wait_status));
	assert_int_equal(WEXITSTATUS(wait_status), 0);
}

/** A captured machine whose one mount is `line`; the caller frees it. */
static char *machine_with(const char *line)
{
	char *root = xasprintf("%s/machine", folder);
	FILE *file;

	mkdir("machine", 0700);
	mkdir("machine/proc", 0700);
	mkdir("machine/proc/self", 0700);
	file = fopen("machine/proc/self/mountinfo", "w");
	assert_non_null(file);
	fputs(line, file);
	assert_int_equal(fclose(file), 0);
	return root;
}

static void expect_refused_on(const char *line, const char *after)
{
	char *sentence = xasprintf("'%s' %s", folder, after);
	char *root = machine_with(line);

	expect_refused(root, ".", sentence);
	free(root);
	free(sentence);
}

static void test_read_only(void **state)
{
	(void)state;
	expect_refused_on("27 1 7:0 / / ro,relatime - ext4 /dev/loop0 rw",
		"is on a read-only mount (ext4 on /dev/loop0); remount it read-write to measure it");
	expect_refused_on("27 1 7:0 / / rw,relatime - ext4 /dev/lo\\033op0 ro",
		"is on a read-only mount (ext4 on /dev/lo\\x1Bop0); remount it read-write to measure it");
}

static void test_nothing_stored(void **state)
{
	char *line = xasprintf("27 1 0:5 / %s rw - efivarfs efivarfs rw", folder);

	(void)state;
	expect_refused("", "/proc", "%s is a proc file system, which stores nothing" NAME_ONE);
	expect_refused("", "/proc/sys", "%s is on a proc file system, which stores nothing" NAME_ONE);
	expect_refused_on(
		"27 1 0:5 / / rw - cgroup2 cgroup2 rw", "is on a cgroup2 file system, which stores nothing" NAME_ONE);
	expect_refused_on(line, "is an efivarfs file system, which stores nothing" NAME_ONE);
	free(line);
}

static void test_kinds(void **state)
{
	char *root = machine_with("27 1 0:5 / / rw - tmpfs tmpfs rw");
	struct target target;

	(void)state;
	open_good(&target, root, ".");
	assert_string_equal(target.mount.type, "tmpfs");
	target_release(&target);
	free(root);
	root = machine_with("27 1 0:5 / / rw - fuse.zfs tank/a rw");
	open_good(&target, root, ".");
	assert_true(target.is_zfs);
	assert_false(target.is_ram);
	target_release(&target);
	free(root);
	root = machine_with("");
	open_good(&target, root, ".");
	assert_null(target.mount.type);
	assert_false(target.is_zfs);
	target_release(&target);
	free(root);
}

static void expect_space(uint64_t free_bytes, uint64_t size_bytes, const char *sentence)
{
	char shown[] = "/mnt/x";
	struct target target = {.shown = shown, .space_known = true, .free_bytes = free_bytes};
	struct failure failure = FAILURE_NONE;

	if (sentence == NULL) {
		assert_true(target_check_space(&target, size_bytes, &failure));
		return;
	}
	assert_false(target_check_space(&target, size_bytes, &failure));
	assert_int_equal(failure.status, STATUS_TARGET);
	assert_string_equal(failure.sentence, sentence);
	failure_clear(&failure);
}

static void test_space(void **state)
{
	struct target ramfs = {.space_known = false};
	struct failure failure = FAILURE_NONE;

	(void)state;
	assert_true(target_check_space(&ramfs, GIB, &failure));
	expect_space(GIB + 9 * MIB, GIB, NULL);
	expect_space(GIB + 9 * MIB - 1, GIB,
		"not enough space on '/mnt/x': the test file takes 1 GiB, the file system some room beside it, and 1 GiB are "
		"free; use --size 512m");
	expect_space(182 * MIB, GIB,
		"not enough space on '/mnt/x': the test file takes 1 GiB and 182 MiB are free; use --size 128m");
	expect_space(
		5 * GIB, 8 * GIB, "not enough space on '/mnt/x': the test file takes 8 GiB and 5 GiB are free; use --size 4g");
	expect_space(16 * MIB + MIB + MIB / 8, GIB,
		"not enough space on '/mnt/x': the test file takes 1 GiB and 17.1 MiB are free; use --size 16m");
	expect_space(
		16 * MIB, GIB, "not enough space on '/mnt/x': the test file takes 1 GiB and 16 MiB are free; free some space");
	expect_space(
		0, 16 * MIB, "not enough space on '/mnt/x': the test file takes 16 MiB and 0 B are free; free some space");
	expect_space(UINT64_MAX, UINT64_MAX / 2, NULL);
}

static int enter_folder(void **state)
{
	(void)state;
	old_folder = getcwd(NULL, 0);
	snprintf(folder, sizeof(folder), "/tmp/test_target.XXXXXX");
	return old_folder != NULL && mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
	static const char *const names[] = {"real", "link", "file", "pipe", "socket", "link-to-file", "dangling", "circle",
		"shut", "unlisted", "listed-only", "machine/proc/self/mountinfo", "machine/proc/self", "machine/proc",
		"machine"};
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
		cmocka_unit_test(test_a_directory),
		cmocka_unit_test(test_ways_to_name_it),
		cmocka_unit_test(test_any_name),
		cmocka_unit_test(test_not_a_directory),
		cmocka_unit_test(test_links_that_lead_nowhere),
		cmocka_unit_test(test_quotes_are_safe),
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_deeper_than_a_path_can_be),
		cmocka_unit_test(test_removed),
		cmocka_unit_test(test_permissions),
		cmocka_unit_test(test_read_only),
		cmocka_unit_test(test_nothing_stored),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_space),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
