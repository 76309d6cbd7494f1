#include "errand.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "support/cleanup.h"
#include "support/memory.h"
#include "support/output_file.h"

static void open_file(struct output_file *file, const char *path)
{
	struct failure failure = FAILURE_NONE;

	if (!output_file_open(file, path, &failure)) {
		dprintf(STDERR_FILENO, "%s\n", failure.sentence);
		_exit(98);
	}
	demand(!failure.sentence);
}

static void replace(struct output_file *file, const char *content)
{
	struct failure failure = FAILURE_NONE;

	if (!output_file_replace(file, content, strlen(content), &failure)) {
		dprintf(STDERR_FILENO, "%s\n", failure.sentence);
		_exit(98);
	}
	demand(!failure.sentence && file->is_ours);
}

static void refuse(const char *path, const char *sentence)
{
	struct output_file file;
	struct failure failure = FAILURE_NONE;

	demand(!output_file_open(&file, path, &failure));
	demand(failure.status == STATUS_USAGE);
	if (strcmp(failure.sentence, sentence) != 0) {
		dprintf(STDERR_FILENO, "'%s'\nis not '%s'\n", failure.sentence, sentence);
		_exit(97);
	}
	failure_clear(&failure);
	output_file_release(&file);
}

static void fail_to_replace(struct output_file *file, const char *content, size_t size, const char *sentence)
{
	struct failure failure = FAILURE_NONE;

	demand(!output_file_replace(file, content, size, &failure));
	demand(failure.status == STATUS_FAILED);
	if (strcmp(failure.sentence, sentence) != 0) {
		dprintf(STDERR_FILENO, "'%s'\nis not '%s'\n", failure.sentence, sentence);
		_exit(97);
	}
	failure_clear(&failure);
}

static bool holds(const char *path, const char *content)
{
	char buffer[256] = "";
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = file >= 0 ? read(file, buffer, sizeof(buffer) - 1) : -1;

	close(file);
	return size == (ssize_t)strlen(content) && strcmp(buffer, content) == 0;
}

static mode_t mode_of(const char *path)
{
	struct stat status;

	demand(lstat(path, &status) == 0);
	return status.st_mode;
}

static void make_new(void)
{
	struct output_file file;

	umask(027);
	open_file(&file, "new.json");
	demand(count_entries() == 0);
	demand(!file.existed && !file.is_ours && file.path[0] == '/' && strcmp(file.shown, "new.json") == 0);
	replace(&file, "one\n");
	demand(count_entries() == 1 && holds("new.json", "one\n") && mode_of("new.json") == (S_IFREG | 0640));
	demand(chmod("new.json", 0600) == 0);
	replace(&file, "two two\n");
	replace(&file, "");
	replace(&file, "3");
	demand(count_entries() == 1 && holds("new.json", "3") && mode_of("new.json") == (S_IFREG | 0600));
	output_file_discard(&file);
	demand(count_entries() == 0);
	output_file_discard(&file);
	output_file_release(&file);
}

static void test_new(void **state)
{
	(void)state;
	run_as_both(make_new);
}

static void keep_old(void)
{
	struct output_file file;

	put_file("old.json", "old");
	demand(chmod("old.json", 0664) == 0);
	open_file(&file, "old.json");
	demand(file.existed && count_entries() == 1 && holds("old.json", "old"));
	int reader = open("old.json", O_RDONLY | O_CLOEXEC);
	output_file_discard(&file);
	demand(holds("old.json", "old"));
	replace(&file, "new");
	demand(holds("old.json", "new") && mode_of("old.json") == (S_IFREG | 0664) && count_entries() == 1);
	/* Who had it open still sees all of the old content. */
	char bytes[8] = "";
	demand(read(reader, bytes, 7) == 3 && strcmp(bytes, "old") == 0);
	close(reader);
	output_file_discard(&file);
	demand(holds("old.json", "new"));
	output_file_release(&file);
}

static void test_old(void **state)
{
	(void)state;
	run_as_both(keep_old);
}

static void keep_owner(void)
{
	struct output_file file;
	struct stat status;

	put_file("theirs.json", "old");
	demand(chown("theirs.json", NOBODY, 12345) == 0 && chmod("theirs.json", 04640) == 0);
	open_file(&file, "theirs.json");
	replace(&file, "new");
	demand(stat("theirs.json", &status) == 0 && status.st_uid == NOBODY && status.st_gid == 12345);
	demand((status.st_mode & 07777) == 0640);
	output_file_release(&file);
}

static void test_owner(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		skip();
	}
	run_as(0, keep_owner);
}

static void follow(void)
{
	struct output_file file;
	char *absolute;

	put_folder("data", 0700);
	put_file("data/there.json", "old");
	demand(symlink("data/there.json", "link.json") == 0);
	demand(symlink("data/missing.json", "dangling.json") == 0);
	demand(symlink("../dangling.json", "data/chain.json") == 0);
	char *here = getcwd(NULL, 0);
	absolute = xasprintf("%s/data/absolute.json", here);
	demand(symlink(absolute, "absolute.json") == 0);

	open_file(&file, "link.json");
	demand(file.existed);
	replace(&file, "through the link");
	demand(S_ISLNK(mode_of("link.json")) && holds("data/there.json", "through the link"));
	output_file_release(&file);

	open_file(&file, "data/chain.json");
	demand(!file.existed);
	replace(&file, "chained");
	demand(S_ISLNK(mode_of("dangling.json")) && S_ISREG(mode_of("data/missing.json")));
	demand(holds("data/missing.json", "chained"));
	output_file_discard(&file);
	demand(S_ISLNK(mode_of("dangling.json")) && access("data/missing.json", F_OK) != 0);
	output_file_release(&file);

	open_file(&file, "absolute.json");
	replace(&file, "absolute");
	demand(holds(absolute, "absolute") && S_ISLNK(mode_of("absolute.json")));
	output_file_release(&file);
	free(absolute);
	free(here);
}

static void test_links(void **state)
{
	(void)state;
	run_as_both(follow);
}

static void refuse_all(void)
{
	static const char *const nowhere[] = {"no/x.json", "no/../x.json", "nowhere.json", "x.json/", "no/"};
	char long_name[300];
	char *sentence;

	put_folder("folder", 0700);
	put_file("file", "");
	demand(mkfifo("pipe.json", 0600) == 0 && symlink("no/x.json", "nowhere.json") == 0);
	demand(symlink("loop.json", "loop.json") == 0 && symlink("/dev/null", "null.json") == 0);
	size_t before = count_entries();

	refuse("folder", "cannot write 'folder': it is a directory; name a file in it");
	refuse("", "cannot write '': it is a directory; name a file in it");
	refuse("folder/", "cannot write 'folder/': it is a directory; name a file in it");
	refuse(".", "cannot write '.': it is a directory; name a file in it");
	refuse("/", "cannot write '/': it is a directory; name a file in it");
	refuse("folder/no/", "cannot write 'folder/no/': its folder does not exist; create it first");
	refuse("pipe.json", "cannot write 'pipe.json': it is a pipe; name a file, or use --format for standard output");
	refuse("null.json", "cannot write 'null.json': it is a device; name a file");
	refuse("/dev/null", "cannot write '/dev/null': it is a device; name a file");
	refuse("file/x.json", "cannot write 'file/x.json': Not a directory");
	for (size_t i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++) {
		sentence = xasprintf("cannot write '%s': its folder does not exist; create it first", nowhere[i]);
		refuse(nowhere[i], sentence);
		free(sentence);
	}
	refuse("no\n\033[31m/x.json", "cannot write 'no\\n\\x1B[31m/x.json': its folder does not exist; create it first");
	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	struct output_file file;
	struct failure failure = FAILURE_NONE;
	demand(!output_file_open(&file, long_name, &failure) && failure.status == STATUS_USAGE);
	output_file_release(&file);
	demand(!output_file_open(&file, "loop.json", &failure) && failure.status == STATUS_USAGE);
	output_file_release(&file);
	failure_clear(&failure);
	demand(count_entries() == before);
}

static void test_refused(void **state)
{
	(void)state;
	run_as_both(refuse_all);
}

static void refuse_without_permission(void)
{
	struct output_file file;

	put_folder("locked", 0700);
	put_file("locked/old.json", "old");
	put_file("mine.json", "old");
	demand(chmod("locked", 0500) == 0 && chmod("mine.json", 0400) == 0);
	refuse("locked/new.json", "cannot write 'locked/new.json': permission denied; name a file where you may write");
	refuse("locked/old.json", "cannot write 'locked/old.json': permission denied; name a file where you may write");
	refuse("mine.json", "cannot write 'mine.json': permission denied; name a file where you may write");
	demand(chmod("locked", 0000) == 0);
	refuse("locked/old.json", "cannot write 'locked/old.json': permission denied; name a file where you may write");

	/* Taken away between the two. */
	demand(chmod("locked", 0700) == 0);
	open_file(&file, "locked/old.json");
	demand(chmod("locked", 0500) == 0);
	fail_to_replace(
		&file, "new", 3, "cannot write 'locked/old.json': permission denied; name a file where you may write");
	demand(holds("locked/old.json", "old") && !file.is_ours);
	demand(chmod("locked", 0700) == 0);
	output_file_release(&file);

	/* The current folder need not be ours. */
	demand(chmod(".", 0500) == 0);
	open_file(&file, "locked/old.json");
	replace(&file, "new");
	demand(holds("locked/old.json", "new"));
	output_file_release(&file);
	demand(chmod(".", 0700) == 0);
}

static void test_no_permission(void **state)
{
	(void)state;
	run_as(geteuid() == 0 ? NOBODY : geteuid(), refuse_without_permission);
}

static void refuse_sticky(void)
{
	demand(chmod(".", 01777) == 0);
	put_file("roots.json", "old");
	demand(chmod("roots.json", 0666) == 0 && setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
	refuse("roots.json", "cannot write 'roots.json': permission denied; name a file where you may write");
	struct output_file file;
	open_file(&file, "mine.json");
	replace(&file, "mine");
	replace(&file, "again");
	output_file_release(&file);
	open_file(&file, "mine.json");
	output_file_release(&file);
}

static void test_sticky(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		skip();
	}
	run_as(0, refuse_sticky);
}

/* A file system of 64 KiB in a name space of this process alone: nothing is left to unmount. */
static void mount_here(void)
{
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", "", MS_REC | MS_PRIVATE, "") != 0 ||
		mount("none", ".", "tmpfs", 0, "size=64k") != 0) {
		dprintf(STDERR_FILENO, "# no small file system here\n");
		_exit(0);
	}
	char *here = getcwd(NULL, 0);
	demand(here && chdir(here) == 0); /* onto the mount */
	free(here);
}

static void fill_up(void)
{
	static const char sentence[] =
		"cannot write 'old.json': there is no space left; free some, or name a file elsewhere";
	static char large[256 << 10];
	struct output_file file;

	mount_here();
	put_file("old.json", "old");
	open_file(&file, "old.json");
	fail_to_replace(&file, large, sizeof(large), sentence);
	demand(count_entries() == 1 && holds("old.json", "old") && !file.is_ours);
	replace(&file, "new");
	fail_to_replace(&file, large, sizeof(large), sentence);
	demand(count_entries() == 1 && holds("old.json", "new"));

	int filler = open("filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	while (write(filler, large, 4096) > 0) {
	}
	demand(errno == ENOSPC);
	fail_to_replace(&file, "x", 1, sentence);
	refuse("old.json", sentence);
	refuse("more.json", "cannot write 'more.json': there is no space left; free some, or name a file elsewhere");
	demand(count_entries() == 2 && holds("old.json", "new"));
	/* And once there is some again. */
	demand(ftruncate(filler, 0) == 0);
	close(filler);
	replace(&file, "newer");
	demand(holds("old.json", "newer"));
	output_file_release(&file);
}

static void test_no_space(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		skip();
	}
	run_as(0, fill_up);
}

static void refuse_read_only(void)
{
	mount_here();
	put_file("old.json", "old");
	if (mount("none", ".", "", MS_REMOUNT | MS_RDONLY, "") != 0) {
		_exit(0);
	}
	refuse("old.json", "cannot write 'old.json': the file system is read-only; name a file elsewhere");
	refuse("new.json", "cannot write 'new.json': the file system is read-only; name a file elsewhere");
}

static void test_read_only(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		skip();
	}
	run_as(0, refuse_read_only);
}

static void refuse_mounted(void)
{
	mount_here();
	put_file("old.json", "old");
	put_file("other.json", "other");
	put_folder("folder", 0700);
	if (mount("other.json", "old.json", "", MS_BIND, "") != 0 || mount("none", "folder", "tmpfs", 0, "") != 0) {
		_exit(0);
	}
	refuse("old.json", "cannot write 'old.json': something is mounted on it; name a file elsewhere");
	demand(holds("old.json", "other"));
	/* A folder may well be one. */
	put_file("folder/x.json", "");
	struct output_file file;
	open_file(&file, "folder/x.json");
	replace(&file, "x");
	output_file_release(&file);
	demand(umount("old.json") == 0);
	open_file(&file, "old.json");
	demand(mount("other.json", "old.json", "", MS_BIND, "") == 0);
	fail_to_replace(&file, "x", 1, "cannot write 'old.json': something is mounted on it; name a file elsewhere");
	output_file_release(&file);
}

static void test_mounted(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		skip();
	}
	run_as(0, refuse_mounted);
}

static void end_in_between(int signal_number)
{
	(void)signal_number;
	demand(count_entries() == 2);
	cleanup_run();
	demand(count_entries() == 1 && holds("old.json", "old"));
	_exit(0);
}

/* The limit's signal is raised in the middle of the write: there the program may end as well for want of memory. */
static void end_within(void)
{
	static const struct rlimit limit = {8192, 8192};
	static char large[16384];
	struct output_file file;

	put_file("old.json", "old");
	open_file(&file, "old.json");
	demand(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	signal(SIGXFSZ, SIG_IGN);
	fail_to_replace(
		&file, large, sizeof(large), "cannot write 'old.json': a file may not become so large here (see 'ulimit -f')");
	demand(count_entries() == 1 && holds("old.json", "old"));
	signal(SIGXFSZ, end_in_between);
	struct failure failure = FAILURE_NONE;
	output_file_replace(&file, large, sizeof(large), &failure);
	demand(false);
}

static void test_end_within(void **state)
{
	(void)state;
	run_as_both(end_within);
}

static void lose_the_name(void)
{
	struct output_file file;

	open_file(&file, "x.json");
	put_folder("x.json", 0700);
	fail_to_replace(&file, "x", 1, "cannot write 'x.json': something else has taken its name meanwhile");
	demand(count_entries() == 1 && S_ISDIR(mode_of("x.json")));
	demand(rmdir("x.json") == 0);
	demand(symlink("elsewhere", "x.json") == 0);
	fail_to_replace(&file, "x", 1, "cannot write 'x.json': something else has taken its name meanwhile");
	demand(unlink("x.json") == 0);
	replace(&file, "x");
	/* What is a relative name means the same after a change of folder. */
	demand(unlink("x.json") == 0 && chdir("/") == 0);
	replace(&file, "y");
	demand(holds(file.path, "y"));
	output_file_discard(&file);
	demand(access(file.path, F_OK) != 0);
	output_file_release(&file);
}

static void test_name_lost(void **state)
{
	(void)state;
	run_as_both(lose_the_name);
}

static void tell_apart(void)
{
	static const char *const same[] = {"a.json", "./a.json", "folder/../a.json", "link.json", "folder/link.json"};
	struct output_file file;
	struct output_file other;

	put_folder("folder", 0700);
	demand(symlink("a.json", "link.json") == 0 && symlink("../a.json", "folder/link.json") == 0);
	for (int round = 0; round < 2; round++) { /* before there is such a file and with it */
		open_file(&file, "a.json");
		for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
			open_file(&other, same[i]);
			demand(output_file_is_same(&file, &other));
			output_file_release(&other);
		}
		open_file(&other, "folder/a.json");
		demand(!output_file_is_same(&file, &other));
		output_file_release(&other);
		replace(&file, "");
		output_file_release(&file);
	}
}

static void test_same(void **state)
{
	(void)state;
	run_as_both(tell_apart);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_new),
		cmocka_unit_test(test_old),
		cmocka_unit_test(test_owner),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_no_permission),
		cmocka_unit_test(test_sticky),
		cmocka_unit_test(test_no_space),
		cmocka_unit_test(test_read_only),
		cmocka_unit_test(test_mounted),
		cmocka_unit_test(test_end_within),
		cmocka_unit_test(test_name_lost),
		cmocka_unit_test(test_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
