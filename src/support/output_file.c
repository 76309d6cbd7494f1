#include "support/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cleanup.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/path.h"
#include "support/random.h"
#include "support/text.h"

#define RANDOM_LENGTH 8
/* Names that somebody else has taken before we give up; one is never taken by chance. */
#define NAME_ATTEMPTS 8
#define PERMISSION_BITS 0777

/* The file beside an output file that will take its place. */
struct replacement {
	char *path; /* owned */
	int descriptor;
};

/* Why it cannot be written, in words; the error is errno's. */
static const char *reason_of(int error)
{
	switch (error) {
	case ENOSPC:
		return "there is no space left; free some, or name a file elsewhere";
	case EDQUOT:
		return "the quota is used up; free some space, or name a file elsewhere";
	case EFBIG:
		return "a file may not become so large here (see 'ulimit -f')";
	case EBUSY:
		return "something is mounted on it; name a file elsewhere";
	case EROFS:
		return "the file system is read-only; name a file elsewhere";
	case EACCES:
	case EPERM:
		return "permission denied; name a file where you may write";
	default:
		return strerror(error);
	}
}

static bool fail(const struct output_file *file, enum status status, const char *reason, struct failure *failure)
{
	return failure_set(failure, status, "cannot write '%s': %s", file->shown, reason);
}

/* What is there instead of a file, in words; NULL for a file. */
static const char *kind_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return NULL;
	case S_IFDIR:
		return "it is a directory; name a file in it";
	case S_IFBLK:
	case S_IFCHR:
		return "it is a device; name a file";
	case S_IFIFO:
		return "it is a pipe; name a file, or use --format for standard output";
	default:
		return "it is no regular file";
	}
}

static bool resolve(struct output_file *file, const char *path, struct failure *failure)
{
	struct stat status;

	file->existed = stat(path, &status) == 0;
	const char *kind = file->existed ? kind_of(status.st_mode) : NULL;
	if (kind) {
		return fail(file, STATUS_USAGE, kind, failure);
	}
	if (file->existed) {
		file->path = realpath(path, NULL);
	} else if (errno == ENOENT) {
		file->path = path_resolve_missing(path);
		if (!file->path && errno == ENOENT) {
			return fail(file, STATUS_USAGE, "its folder does not exist; create it first", failure);
		}
	}
	return file->path || fail(file, STATUS_USAGE, errno == EISDIR ? kind_of(S_IFDIR) : reason_of(errno), failure);
}

/* Called where the program ends in the middle. */
static void remove_replacement(void *context)
{
	const struct replacement *replacement = context;

	unlink(replacement->path);
}

/* Create a file beside another one, under a name nobody can guess; false with errno set. */
static bool replacement_create(struct replacement *replacement, const char *beside, mode_t mode)
{
	char *folder = path_folder(beside);
	int error = EEXIST;

	*replacement = (struct replacement){.descriptor = -1};
	for (int i = 0; i < NAME_ATTEMPTS && replacement->descriptor < 0 && (error == EEXIST || error == EINTR); i++) {
		char random[RANDOM_LENGTH + 1];
		random_name(random, RANDOM_LENGTH);
		char *name = xasprintf(".speedtest-hd.%s.tmp", random);
		free(replacement->path);
		replacement->path = path_join(folder, name);
		free(name);
		replacement->descriptor =
			open(replacement->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, mode);
		error = errno;
	}
	free(folder);
	if (replacement->descriptor < 0) {
		free(replacement->path);
		errno = error;
		return false;
	}
	cleanup_register(remove_replacement, replacement);
	return true;
}

/* The end of it, whether it was renamed or is to go away. */
static void replacement_close(struct replacement *replacement, bool is_renamed)
{
	cleanup_forget(remove_replacement, replacement);
	file_close(&replacement->descriptor);
	if (!is_renamed) {
		unlink(replacement->path);
	}
	free(replacement->path);
}

/* 0, or errno. */
static int write_whole(int descriptor, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t written = write(descriptor, bytes, size);
		if (written < 0 && errno != EINTR) {
			return errno;
		}
		if (written > 0) {
			bytes += written;
			size -= (size_t)written;
		}
	}
	return 0;
}

/* Bring it to the disk; 0, or errno. That a file system knows no such thing is no error. */
static int flush(int descriptor)
{
	int error;

	do {
		error = fsync(descriptor) == 0 ? 0 : errno;
	} while (error == EINTR);
	return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP ? 0 : error;
}

/* Bring the name to the disk, too. Where a folder cannot be opened or flushed, the name waits for the kernel. */
static void flush_folder_of(const char *path)
{
	char *folder = path_folder(path);
	int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	free(folder);
	if (descriptor >= 0) {
		flush(descriptor);
		file_close(&descriptor);
	}
}

/* Whether the folder is one as /tmp, where only who owns a file or the folder may replace it, and that is not us. */
static bool is_protected(const char *path)
{
	char *folder = path_folder(path);
	struct stat around;
	struct stat status;
	bool known = stat(folder, &around) == 0 && stat(path, &status) == 0;

	free(folder);
	return known && (around.st_mode & S_ISVTX) != 0 && geteuid() != 0 && around.st_uid != geteuid() &&
		   status.st_uid != geteuid();
}

/* The kernel's number of the mount that a path lies on; -1 where it does not tell. */
static int mount_of(const char *path)
{
	struct file_handle handle = {.handle_bytes = 0}; /* no room for a handle: the mount is told all the same */
	int mount = -1;

	name_to_handle_at(AT_FDCWD, path, &handle, &mount, 0);
	return mount;
}

/* Whether a single file is mounted there, as into containers: it cannot be replaced by another. */
static bool is_mount_point(const char *path)
{
	char *folder = path_folder(path);
	bool is_other = mount_of(path) != mount_of(folder);

	free(folder);
	return is_other;
}

/* No signal may end the program while a file stands beside another: it would stay. */
static void block_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	sigdelset(&all, SIGXFSZ); /* comes of the write itself, and is ignored by who wants to hear of it */
	sigprocmask(SIG_BLOCK, &all, before);
}

/* Create, fill and remove a file beside it; 0, or errno. */
static int try_room(const struct output_file *file)
{
	static const char bytes[4096];
	struct replacement replacement;
	sigset_t before;
	int error;

	block_signals(&before);
	if (replacement_create(&replacement, file->path, 0600)) {
		error = write_whole(replacement.descriptor, bytes, sizeof(bytes));
		replacement_close(&replacement, false);
	} else {
		error = errno;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return error;
}

/* Do what replacing will do, but for the last step; 0, or errno. */
static int try_writing(const struct output_file *file)
{
	if (file->existed && access(file->path, W_OK) != 0) {
		return errno;
	}
	if (file->existed && is_protected(file->path)) {
		return EPERM;
	}
	if (file->existed && is_mount_point(file->path)) {
		return EBUSY;
	}
	return try_room(file);
}

bool output_file_open(struct output_file *file, const char *path, struct failure *failure)
{
	*file = (struct output_file){.shown = text_printable(path)};
	if (!resolve(file, path, failure)) {
		return false;
	}
	int error = try_writing(file);
	return error == 0 || fail(file, STATUS_USAGE, reason_of(error), failure);
}

/* Give it mode and owner of the file that it replaces; 0, or errno. */
static int take_after(int descriptor, const struct stat *before)
{
	/* Where the owner cannot be kept, as for root on NFS, the content matters more. */
	if (geteuid() == 0 && fchown(descriptor, before->st_uid, before->st_gid) != 0 && errno != EPERM &&
		errno != EINVAL) {
		return errno;
	}
	return fchmod(descriptor, before->st_mode & PERMISSION_BITS) == 0 ? 0 : errno;
}

/* Write the new content beside the file and let it take its place; 0, or errno. `before`: what is there; or NULL. */
static int put_in_place(const struct output_file *file, const char *bytes, size_t size, const struct stat *before)
{
	struct replacement replacement;

	if (!replacement_create(&replacement, file->path, before ? 0600 : 0666)) {
		return errno;
	}
	int error = before ? take_after(replacement.descriptor, before) : 0;
	error = error == 0 ? write_whole(replacement.descriptor, bytes, size) : error;
	error = error == 0 ? flush(replacement.descriptor) : error;
	if (error == 0 && rename(replacement.path, file->path) != 0) {
		error = errno;
	}
	replacement_close(&replacement, error == 0);
	return error;
}

bool output_file_replace(struct output_file *file, const char *bytes, size_t size, struct failure *failure)
{
	struct stat before;
	sigset_t blocked;
	bool is_there = lstat(file->path, &before) == 0;

	if (is_there && !S_ISREG(before.st_mode)) {
		return fail(file, STATUS_FAILED, "something else has taken its name meanwhile", failure);
	}
	block_signals(&blocked);
	int error = put_in_place(file, bytes, size, is_there ? &before : NULL);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	if (error != 0) {
		return fail(file, STATUS_FAILED, reason_of(error), failure);
	}
	flush_folder_of(file->path);
	file->is_ours = true;
	return true;
}

void output_file_discard(struct output_file *file)
{
	if (file->is_ours && !file->existed) {
		unlink(file->path);
		file->is_ours = false;
	}
}

bool output_file_is_same(const struct output_file *left, const struct output_file *right)
{
	return strcmp(left->path, right->path) == 0;
}

void output_file_release(struct output_file *file)
{
	free(file->path);
	free(file->shown);
	*file = (struct output_file){0};
}
