#include "keeper/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fio/command.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/random.h"
#include "support/text.h"

/* The lock file's first line; what says that a folder is ours. */
#define LOCK_CONTENT "speedtest-hd test folder"

enum { NAME_ATTEMPTS = 16, BUSY_PATIENCE_MS = 3000, REMOVE_ATTEMPTS = 5 };

/* Everything that may stand in a folder of ours; nothing else is ever removed. */
static const char *const contents[] = {TEST_FILE_NAME, FIO_OUTPUT_NAME, FOLDER_LOCK_NAME};
enum { CONTENT_COUNT = sizeof(contents) / sizeof(contents[0]) };

static void pause_ms(long duration_ms)
{
	struct timespec pause = {.tv_sec = duration_ms / 1000, .tv_nsec = duration_ms % 1000 * 1000000};

	nanosleep(&pause, NULL);
}

/* Whether `name` in `parent` still is the folder that was opened. */
static bool is_still(int parent, int directory, const char *name)
{
	struct stat opened, named;

	return fstat(directory, &opened) == 0 && fstatat(parent, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
		   opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* Somebody renamed our folder, or removed it: the kernel knows its name. False with errno set where it stays. */
static bool remove_renamed(int directory)
{
	struct stat status;
	char *path = file_read_link("", "/proc/self/fd/%d", directory);
	bool gone = fstat(directory, &status) == 0 && status.st_nlink == 0;

	if (!gone && path && is_still(AT_FDCWD, directory, path)) {
		gone = rmdir(path) == 0;
	} else if (!gone) {
		errno = ENOENT;
		gone = !path || strstr(path, " (deleted)") != NULL;
	}
	int error = errno;
	free(path);
	errno = error;
	return gone;
}

/* Remove an opened folder of ours, `directory`, called `name` in `parent`. False with errno set where it stays. */
static bool remove_opened(int parent, int directory, const char *name)
{
	int error = 0;

	for (size_t i = 0; i < CONTENT_COUNT; i++) {
		if (unlinkat(directory, contents[i], 0) != 0 && errno != ENOENT) {
			error = errno;
		}
	}
	if (!is_still(parent, directory, name)) {
		return remove_renamed(directory) && error == 0; /* what bears its name now is not ours */
	}
	for (int attempt = 0; attempt < REMOVE_ATTEMPTS; attempt++) {
		if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) {
			return true;
		}
		if (errno != ENOTEMPTY && errno != EEXIST && errno != EBUSY) {
			break;
		}
		pause_ms(100); /* NFS keeps a removed file's name for a moment */
	}
	errno = error ? error : errno;
	return false;
}

static bool is_our_name(const char *name)
{
	const char *suffix = name + strlen(FOLDER_PREFIX);

	return text_starts_with(name, FOLDER_PREFIX) && strlen(suffix) == FOLDER_SUFFIX_LENGTH &&
		   strspn(suffix, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == FOLDER_SUFFIX_LENGTH;
}

/* Whether nothing stands in the folder but what we put there; for a new one, nothing at all. */
static bool holds_only_ours(int directory, bool is_new)
{
	/* A copy, not a new descriptor: a strict umask may have taken the right to enter. */
	int copy = fcntl(directory, F_DUPFD_CLOEXEC, 3);
	DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
	bool only_ours = list != NULL;
	struct dirent *entry;

	if (!list) {
		file_close(&copy);
		return false;
	}
	rewinddir(list);
	while (only_ours && (entry = readdir(list)) != NULL) {
		bool known = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;

		for (size_t i = 0; i < CONTENT_COUNT; i++) {
			known |= !is_new && strcmp(entry->d_name, contents[i]) == 0;
		}
		only_ours = known;
	}
	closedir(list);
	return only_ours;
}

/* What a folder with our name turns out to be. */
enum folder_kind { FOLDER_FOREIGN, FOLDER_ALIVE, FOLDER_DEAD };

/* Judge a folder by its lock file; `*holder` is the process that has it. */
static enum folder_kind judge_lock(int directory, long *holder)
{
	char line[sizeof(LOCK_CONTENT) + 32] = "";
	int lock = openat(directory, FOLDER_LOCK_NAME, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	enum folder_kind kind = FOLDER_FOREIGN;

	if (lock < 0) {
		return errno == ENOENT ? FOLDER_DEAD : FOLDER_FOREIGN; /* killed between making the two */
	}
	ssize_t size = read(lock, line, sizeof(line) - 1);
	if (size == 0 || (size > 0 && text_starts_with(line, LOCK_CONTENT))) {
		*holder = size > 0 ? strtol(line + strlen(LOCK_CONTENT), NULL, 10) : 0;
		if (flock(lock, LOCK_EX | LOCK_NB) == 0) {
			kind = FOLDER_DEAD;
		} else if (errno == EWOULDBLOCK) {
			kind = FOLDER_ALIVE; /* any other error: no locks here, so nobody can tell */
		}
	}
	close(lock);
	return kind;
}

/* A folder of another run: removed where that run is dead. Returns true where it lives. */
static bool examine_other(int parent, const char *name, long *holder)
{
	struct stat status;
	enum folder_kind kind = FOLDER_FOREIGN;
	int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (directory < 0) {
		return false;
	}
	if (fstat(directory, &status) == 0 && (status.st_mode & 0777) == 0700 && holds_only_ours(directory, false)) {
		kind = judge_lock(directory, holder);
	}
	if (kind == FOLDER_DEAD && status.st_uid == geteuid()) {
		remove_opened(parent, directory, name);
	}
	close(directory);
	return kind == FOLDER_ALIVE;
}

/* Look through the target for folders of other runs. Returns true where one of them is alive. */
static bool examine_others(int parent, long *holder)
{
	int copy = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
	bool alive = false;
	struct dirent *entry;

	if (!list) {
		file_close(&copy);
		return false;
	}
	while ((entry = readdir(list)) != NULL) {
		if (is_our_name(entry->d_name)) {
			alive |= examine_other(parent, entry->d_name, holder);
		}
	}
	closedir(list);
	return alive;
}

/* Lock the target itself. False where another run has it, even after waiting for one that is just cleaning up. */
static bool lock_target(int parent)
{
	uint64_t give_up_ns = clock_now_ns() + BUSY_PATIENCE_MS * NS_PER_MS;

	while (flock(parent, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK && errno != EINTR) {
			return true; /* no locks on directories here (NFS): the lock files must do */
		}
		if (clock_now_ns() > give_up_ns) {
			return false;
		}
		pause_ms(100);
	}
	return true;
}

static bool write_lock_file(struct test_folder *folder)
{
	char *line = xasprintf(LOCK_CONTENT " %ld\n", (long)getpid());
	size_t length = strlen(line);

	folder->lock =
		openat(folder->directory, FOLDER_LOCK_NAME, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool written = folder->lock >= 0 && write(folder->lock, line, length) == (ssize_t)length;
	free(line);
	if (written) {
		flock(folder->lock, LOCK_EX | LOCK_NB); /* where there are no locks, this folder is never taken for dead */
	}
	return written;
}

static bool make_folder(struct test_folder *folder)
{
	struct stat status;

	for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
		memcpy(folder->name, FOLDER_PREFIX, strlen(FOLDER_PREFIX));
		random_name(folder->name + strlen(FOLDER_PREFIX), FOLDER_SUFFIX_LENGTH);
		if (mkdirat(folder->parent, folder->name, 0700) == 0) {
			break;
		}
		folder->name[0] = '\0';
		if (errno != EEXIST) {
			return false;
		}
	}
	folder->directory = openat(folder->parent, folder->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder->directory < 0) {
		return false;
	}
	if (fstat(folder->directory, &status) != 0 || status.st_uid != geteuid() || (status.st_mode & 077) != 0 ||
		!holds_only_ours(folder->directory, true)) {
		/*
		 * Root is somebody else there (NFS root_squash), or somebody put another folder in its place. Ours is empty and
		 * goes; of another nothing is touched, for rmdir takes no folder that holds anything.
		 */
		unlinkat(folder->parent, folder->name, AT_REMOVEDIR);
		file_close(&folder->directory);
		folder->name[0] = '\0';
		errno = EPERM;
		return false;
	}
	/* Past the user's umask and a default ACL. */
	return fchmod(folder->directory, 0700) == 0 && write_lock_file(folder);
}

static bool refuse_busy(bool alive, long holder, struct failure *failure)
{
	if (!alive) {
		return failure_set(
			failure, STATUS_TARGET, "another program holds a lock on this directory; wait until it is done");
	}
	return failure_set(failure, STATUS_TARGET,
		"another speedtest-hd (process %ld) is measuring this directory; wait until it is done", holder);
}

static bool create(struct test_folder *folder, int *error, struct failure *failure)
{
	long holder = 0;

	folder->parent = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder->parent < 0 && errno == EACCES) {
		folder->parent = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC); /* to be written to, not to be listed or locked */
	}
	if (folder->parent < 0) {
		*error = errno;
		return failure_set(failure, STATUS_TARGET, "cannot open the directory: %s", strerror(errno));
	}
	bool locked = lock_target(folder->parent);
	bool alive = examine_others(folder->parent, &holder);
	/* Root sees the folders of all users: where none is alive, the lock is none of ours, and may be a prank. */
	if (alive || (!locked && geteuid() != 0)) {
		*error = EBUSY;
		return refuse_busy(alive, holder, failure);
	}
	if (!make_folder(folder)) {
		*error = errno;
		return failure_set(failure, STATUS_TARGET, "cannot make a folder for the test file: %s", strerror(errno));
	}
	return true;
}

bool test_folder_create(struct test_folder *folder, int *error, struct failure *failure)
{
	*folder = TEST_FOLDER_NONE;
	*error = 0;
	if (create(folder, error, failure)) {
		return true;
	}
	test_folder_remove(folder);
	return false;
}

bool test_folder_remove(struct test_folder *folder)
{
	bool removed = true;
	int error = 0;

	file_close(&folder->lock); /* before its name goes, for NFS */
	if (folder->directory >= 0) {
		removed = remove_opened(folder->parent, folder->directory, folder->name);
		error = errno;
	} else if (folder->name[0] && folder->parent >= 0) {
		unlinkat(folder->parent, folder->name, AT_REMOVEDIR); /* made, but never opened */
	}
	file_close(&folder->directory);
	file_close(&folder->parent);
	folder->name[0] = '\0';
	errno = error;
	return removed;
}
