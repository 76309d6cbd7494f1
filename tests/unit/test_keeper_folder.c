#include "errand.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/fsuid.h>
#include <sys/file.h>

#include "keeper/folder.h"
#include "plan/workload.h"
#include "support/memory.h"

static const char lock_line[] = "speedtest-hd test folder 999999\n";

static void make(struct test_folder *folder)
{
	struct failure failure = FAILURE_NONE;
	int error = -1;

	if (!test_folder_create(folder, &error, &failure)) {
		dprintf(STDERR_FILENO, "%s\n", failure.sentence);
		_exit(98);
	}
	demand(error == 0 && failure.sentence == NULL);
}

static void make_and_remove(void)
{
	struct test_folder folder;
	struct stat status;
	char line[64] = "";

	umask(0);
	make(&folder);
	demand(count_entries() == 1);
	demand(text_starts_with(folder.name, "speedtest-hd.") && strlen(folder.name) == 13 + FOLDER_SUFFIX_LENGTH);
	demand(strspn(folder.name + 13, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == 6);
	demand(lstat(folder.name, &status) == 0 && S_ISDIR(status.st_mode));
	demand((status.st_mode & 07777) == 0700 && status.st_uid == geteuid());
	demand(fstatat(folder.directory, "lock", &status, AT_SYMLINK_NOFOLLOW) == 0);
	demand((status.st_mode & 07777) == 0600);
	demand(pread(folder.lock, line, sizeof(line) - 1, 0) > 0);
	char *right = xasprintf("speedtest-hd test folder %ld\n", (long)getpid());
	demand(strcmp(line, right) == 0);
	free(right);
	/* A child of ours gets none of the descriptors. */
	demand(fcntl(folder.parent, F_GETFD) == FD_CLOEXEC && fcntl(folder.directory, F_GETFD) == FD_CLOEXEC &&
		   fcntl(folder.lock, F_GETFD) == FD_CLOEXEC);
	int file = openat(folder.directory, TEST_FILE_NAME, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	demand(file >= 0);
	close(file);
	demand(test_folder_remove(&folder));
	demand(count_entries() == 0);
	demand(folder.parent == -1 && folder.directory == -1 && folder.lock == -1);
	demand(test_folder_remove(&folder));
	/* And once more: the lock on the target is gone. */
	make(&folder);
	demand(test_folder_remove(&folder));
}

static void test_make(void **state)
{
	(void)state;
	run_as_both(make_and_remove);
}

/* A strict umask or a set-group-ID target changes nothing. */
static void make_with_umask(void)
{
	struct test_folder folder;
	struct stat status;

	umask(0377);
	demand(chmod(".", 02770) == 0);
	make(&folder);
	demand(fstat(folder.directory, &status) == 0 && (status.st_mode & 0777) == 0700);
	demand(test_folder_remove(&folder) && count_entries() == 0);
}

static void test_umask(void **state)
{
	(void)state;
	run_as_both(make_with_umask);
}

/* As under NFS with root_squash: what root makes belongs to somebody else. */
static void make_squashed(void)
{
	struct test_folder folder;
	struct failure failure = FAILURE_NONE;
	int error = 0;

	demand(chmod(".", 0777) == 0);
	setfsuid(NOBODY);
	demand(!test_folder_create(&folder, &error, &failure));
	setfsuid(0);
	demand(error == EPERM && failure.status == STATUS_TARGET);
	demand(count_entries() == 0);
	failure_clear(&failure);
}

static void test_squashed(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		skip();
	}
	run_as(0, make_squashed);
}

static void refuse_second(void)
{
	struct test_folder folder, second;
	struct failure failure = FAILURE_NONE;
	int error = 0;
	char *words = xasprintf("(process %ld)", (long)getpid());

	make(&folder);
	demand(!test_folder_create(&second, &error, &failure));
	demand(error == EBUSY && failure.status == STATUS_TARGET);
	demand(strstr(failure.sentence, words) && strstr(failure.sentence, "another speedtest-hd"));
	demand(second.parent == -1 && second.directory == -1 && second.lock == -1);
	demand(count_entries() == 1 && faccessat(folder.directory, "lock", F_OK, 0) == 0);
	failure_clear(&failure);
	free(words);
	demand(test_folder_remove(&folder));
	make(&second);
	demand(test_folder_remove(&second));
}

static void test_busy(void **state)
{
	(void)state;
	run_as(geteuid(), refuse_second);
}

/* One that is just cleaning up is waited for. */
static void wait_for_first(void)
{
	struct test_folder folder;
	int ready[2];
	char byte;

	demand(pipe(ready) == 0);
	pid_t pid = fork();
	demand(pid >= 0);
	if (pid == 0) {
		make(&folder);
		demand(write(ready[1], "x", 1) == 1);
		close(folder.lock); /* as it does first when it removes */
		folder.lock = -1;
		poll(NULL, 0, 300);
		_exit(test_folder_remove(&folder) ? 0 : 1);
	}
	demand(read(ready[0], &byte, 1) == 1);
	poll(NULL, 0, 50);
	make(&folder);
	int status = -1;
	demand(waitpid(pid, &status, 0) == pid && status == 0);
	demand(test_folder_remove(&folder) && count_entries() == 0);
}

static void test_waiting(void **state)
{
	(void)state;
	run_as(geteuid(), wait_for_first);
}

static void remove_leftover(void)
{
	struct test_folder folder;
	int ready[2];
	char byte;

	demand(pipe(ready) == 0);
	pid_t pid = fork();
	demand(pid >= 0);
	if (pid == 0) {
		make(&folder);
		close(openat(folder.directory, TEST_FILE_NAME, O_WRONLY | O_CREAT, 0600));
		close(openat(folder.directory, "speedtest-hd.json", O_WRONLY | O_CREAT, 0600));
		demand(write(ready[1], "x", 1) == 1);
		pause();
	}
	demand(read(ready[0], &byte, 1) == 1);
	demand(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
	demand(count_entries() == 1);
	make(&folder);
	demand(count_entries() == 1);
	demand(test_folder_remove(&folder) && count_entries() == 0);
}

static void test_leftover(void **state)
{
	(void)state;
	run_as_both(remove_leftover);
}

/* Everything that looks like a folder of ours and is none, or holds what is not ours, stays as it is. */
static void keep_foreign(void)
{
	static const char *const kept[] = {"speedtest-hd.aaaaa1/precious", "speedtest-hd.aaaaa2/lock",
		"speedtest-hd.aaaaa3/lock", "speedtest-hd.aaaaaa4/lock", "speedtest-hd.aaaaaa.old/lock",
		"speedtest-hd.aaa_5/lock", "speedtest-hd.aaaa6/lock", "speedtest-hd.aaaaa7", "speedtest-hd.aaaaa8",
		"elsewhere/lock", "elsewhere/speedtest-hd.bench", "speedtest-hd.aaaaa9/lock", "speedtest-hd.aaaaB1/lock",
		"speedtest-hd.aaaaB2/speedtest-hd.bench.old", "speedtest-hd.aaaaB3/lock", "speedtest-hd.bench"};
	struct test_folder folder;
	struct stat status;

	put_folder("speedtest-hd.aaaaa1", 0700); /* something else beside ours */
	put_file("speedtest-hd.aaaaa1/lock", lock_line);
	put_file("speedtest-hd.aaaaa1/precious", "data");
	put_folder("speedtest-hd.aaaaa2", 0755); /* not private */
	put_file("speedtest-hd.aaaaa2/lock", lock_line);
	put_folder("speedtest-hd.aaaaa3", 0700); /* another's lock file */
	put_file("speedtest-hd.aaaaa3/lock", "another program\n");
	put_folder("speedtest-hd.aaaaaa4", 0700); /* names that we do not make */
	put_file("speedtest-hd.aaaaaa4/lock", lock_line);
	put_folder("speedtest-hd.aaaaaa.old", 0700);
	put_file("speedtest-hd.aaaaaa.old/lock", lock_line);
	put_folder("speedtest-hd.aaa_5", 0700);
	put_file("speedtest-hd.aaa_5/lock", lock_line);
	put_folder("speedtest-hd.aaaa6", 0700);
	put_file("speedtest-hd.aaaa6/lock", lock_line);
	put_file("speedtest-hd.aaaaa7", "a file");
	put_folder("elsewhere", 0700); /* behind a link */
	put_file("elsewhere/lock", lock_line);
	put_file("elsewhere/speedtest-hd.bench", "x");
	demand(symlink("elsewhere", "speedtest-hd.aaaaa8") == 0);
	put_folder("speedtest-hd.aaaaa9", 0700); /* a link as its lock */
	demand(symlink("../elsewhere/lock", "speedtest-hd.aaaaa9/lock") == 0);
	put_folder("speedtest-hd.aaaaB1", 0700); /* a folder as its lock */
	put_folder("speedtest-hd.aaaaB1/lock", 0700);
	put_folder("speedtest-hd.aaaaB2", 0700); /* no lock, and a file nearly like ours */
	put_file("speedtest-hd.aaaaB2/speedtest-hd.bench.old", "x");
	put_folder("speedtest-hd.aaaaB3", 0700); /* a lock that cannot be read as one: a pipe */
	demand(mkfifo("speedtest-hd.aaaaB3/lock", 0600) == 0);
	put_file("speedtest-hd.bench", "the user's own");
	make(&folder);
	demand(test_folder_remove(&folder));
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		if (lstat(kept[i], &status) != 0) {
			dprintf(STDERR_FILENO, "'%s' was removed\n", kept[i]);
			_exit(97);
		}
	}
	demand(access("speedtest-hd.aaaaa1/lock", F_OK) == 0);
}

static void test_foreign(void **state)
{
	(void)state;
	run_as_both(keep_foreign);
}

/* What a run leaves that is killed at its very beginning: ours, and empty or nearly. */
static void remove_beginnings(void)
{
	struct test_folder folder;

	put_folder("speedtest-hd.bbbbb1", 0700);
	put_folder("speedtest-hd.bbbbb2", 0700);
	put_file("speedtest-hd.bbbbb2/lock", "");
	put_folder("speedtest-hd.bbbbb3", 0700);
	put_file("speedtest-hd.bbbbb3/lock", lock_line);
	make(&folder);
	demand(count_entries() == 1);
	demand(test_folder_remove(&folder));
}

static void test_beginnings(void **state)
{
	(void)state;
	run_as_both(remove_beginnings);
}

static void keep_others(void)
{
	struct test_folder folder;

	for (int i = 0; i < 2; i++) {
		const char *name = i == 0 ? "speedtest-hd.cccccc" : "speedtest-hd.dddddd";
		char *lock = xasprintf("%s/lock", name);

		put_folder(name, 0700);
		put_file(lock, lock_line);
		demand(chown(lock, i == 0 ? NOBODY : 0, (gid_t)-1) == 0 && chown(name, NOBODY, (gid_t)-1) == 0);
		free(lock);
	}
	make(&folder);
	demand(test_folder_remove(&folder));
	demand(access("speedtest-hd.cccccc/lock", F_OK) == 0 && access("speedtest-hd.dddddd/lock", F_OK) == 0);
}

/* Another user's folder is not root's to remove. */
static void test_others(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		skip();
	}
	run_as(0, keep_others);
}

static void make_without_list(void)
{
	struct test_folder folder;

	demand(chmod(".", 0300) == 0);
	make(&folder);
	demand(faccessat(folder.directory, "lock", F_OK, 0) == 0);
	char *name = xstrdup(folder.name);
	demand(test_folder_remove(&folder));
	demand(access(name, F_OK) != 0 && errno == ENOENT);
	free(name);
}

static void test_write_only(void **state)
{
	(void)state;
	run_as_both(make_without_list);
}

static void refuse(int right)
{
	struct test_folder folder;
	struct failure failure = FAILURE_NONE;
	int error = 0;

	demand(!test_folder_create(&folder, &error, &failure));
	demand(error == right && failure.status == STATUS_TARGET && strstr(failure.sentence, strerror(right)));
	demand(folder.parent == -1 && folder.directory == -1 && folder.lock == -1);
	failure_clear(&failure);
}

static void refuse_read_only(void)
{
	demand(chmod(".", 0500) == 0);
	refuse(EACCES);
	demand(count_entries() == 0);
}

static void refuse_deleted(void)
{
	put_folder("gone", 0700);
	demand(chdir("gone") == 0 && rmdir("../gone") == 0);
	refuse(ENOENT);
}

static void test_refused(void **state)
{
	(void)state;
	run_as(geteuid(), refuse_deleted);
	run_as(geteuid() == 0 ? NOBODY : geteuid(), refuse_read_only);
}

/* What somebody puts into our folder stays, and is told of. */
static void keep_additions(void)
{
	struct test_folder folder;

	make(&folder);
	char *path = xasprintf("%s/precious", folder.name);
	put_file(path, "x");
	demand(!test_folder_remove(&folder) && errno == ENOTEMPTY);
	demand(access(path, F_OK) == 0);
	free(path);
}

static void test_additions(void **state)
{
	(void)state;
	run_as(geteuid(), keep_additions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_make),
		cmocka_unit_test(test_umask),
		cmocka_unit_test(test_squashed),
		cmocka_unit_test(test_busy),
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_leftover),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_beginnings),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_write_only),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_additions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
