/*
 * faultfs: a FUSE file system that hands everything on to a folder and fails where it is told to.
 *
 *     faultfs CONTROL FOLDER MOUNTPOINT
 *
 * CONTROL is a file of ten 64-bit numbers in the order of `struct control`, which both sides map: the tests change
 * the faults and read the counters at any time. A limit of 0 means no limit. Nothing is cached, so every read and
 * write of a program arrives here.
 */
#define FUSE_USE_VERSION 31
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

struct control {
	_Atomic int64_t bytes_read;
	_Atomic int64_t bytes_written;
	_Atomic int64_t read_eio_after;     /* bytes read by then: EIO from there on */
	_Atomic int64_t write_eio_after;    /* bytes written by then: EIO */
	_Atomic int64_t write_enospc_after; /* bytes written by then: ENOSPC */
	_Atomic int64_t hang_after;         /* bytes read and written by then: no answer any more, until it is 0 again */
	_Atomic int64_t fsync_eio;          /* not 0: fsync answers EIO */
	_Atomic int64_t refuse_direct;      /* not 0: open with O_DIRECT answers EINVAL */
	_Atomic int64_t delay_us;           /* every read and write takes that much longer */
	_Atomic int64_t unlink_eio;         /* not 0: unlink answers EIO */
};

static struct control *control;
static int base = -1; /* the folder behind */

static const char *relative(const char *path)
{
	return path[1] == '\0' ? "." : path + 1;
}

static int outcome(int result)
{
	return result < 0 ? -errno : result;
}

static void sleep_us(int64_t microseconds)
{
	struct timespec time = {microseconds / 1000000, (long)(microseconds % 1000000) * 1000};
	nanosleep(&time, NULL);
}

static int reached(const _Atomic int64_t *limit, int64_t count)
{
	int64_t value = atomic_load(limit);
	return value > 0 && count > value;
}

/* What every read and write passes: 0, or the error to answer with. */
static int fault(int is_write, size_t count)
{
	while (reached(&control->hang_after, atomic_load(&control->bytes_read) + atomic_load(&control->bytes_written) + 1))
		sleep_us(20000);
	if (atomic_load(&control->delay_us) > 0)
		sleep_us(atomic_load(&control->delay_us));
	_Atomic int64_t *counter = is_write ? &control->bytes_written : &control->bytes_read;
	int64_t done = atomic_fetch_add(counter, (int64_t)count) + (int64_t)count;
	if (!is_write)
		return reached(&control->read_eio_after, done) ? -EIO : 0;
	if (reached(&control->write_eio_after, done))
		return -EIO;
	return reached(&control->write_enospc_after, done) ? -ENOSPC : 0;
}

static int do_getattr(const char *path, struct stat *status, struct fuse_file_info *file)
{
	(void)file;
	return outcome(fstatat(base, relative(path), status, AT_SYMLINK_NOFOLLOW));
}

static int do_access(const char *path, int mode)
{
	return outcome(faccessat(base, relative(path), mode, 0));
}

static int do_mkdir(const char *path, mode_t mode)
{
	return outcome(mkdirat(base, relative(path), mode));
}

static int do_rmdir(const char *path)
{
	return outcome(unlinkat(base, relative(path), AT_REMOVEDIR));
}

static int do_unlink(const char *path)
{
	return atomic_load(&control->unlink_eio) ? -EIO : outcome(unlinkat(base, relative(path), 0));
}

static int do_rename(const char *from, const char *to, unsigned flags)
{
	return flags ? -EINVAL : outcome(renameat(base, relative(from), base, relative(to)));
}

static int do_chmod(const char *path, mode_t mode, struct fuse_file_info *file)
{
	(void)file;
	return outcome(fchmodat(base, relative(path), mode, 0));
}

static int do_chown(const char *path, uid_t user, gid_t group, struct fuse_file_info *file)
{
	(void)file;
	return outcome(fchownat(base, relative(path), user, group, AT_SYMLINK_NOFOLLOW));
}

static int do_utimens(const char *path, const struct timespec times[2], struct fuse_file_info *file)
{
	(void)file;
	return outcome(utimensat(base, relative(path), times, AT_SYMLINK_NOFOLLOW));
}

static int do_statfs(const char *path, struct statvfs *status)
{
	(void)path;
	return outcome(fstatvfs(base, status));
}

static int open_there(const char *path, struct fuse_file_info *file, int flags, mode_t mode)
{
	if ((file->flags & O_DIRECT) && atomic_load(&control->refuse_direct))
		return -EINVAL;
	int descriptor = openat(base, relative(path), (file->flags & ~(O_DIRECT | O_APPEND)) | flags | O_CLOEXEC, mode);
	if (descriptor < 0)
		return -errno;
	file->fh = (uint64_t)descriptor;
	file->direct_io = 1;
	return 0;
}

static int do_open(const char *path, struct fuse_file_info *file)
{
	return open_there(path, file, 0, 0);
}

static int do_create(const char *path, mode_t mode, struct fuse_file_info *file)
{
	return open_there(path, file, O_CREAT, mode);
}

static int do_release(const char *path, struct fuse_file_info *file)
{
	(void)path;
	close((int)file->fh);
	return 0;
}

static int do_read(const char *path, char *buffer, size_t count, off_t offset, struct fuse_file_info *file)
{
	(void)path;
	int error = fault(0, count);
	return error ? error : outcome((int)pread((int)file->fh, buffer, count, offset));
}

static int do_write(const char *path, const char *buffer, size_t count, off_t offset, struct fuse_file_info *file)
{
	(void)path;
	int error = fault(1, count);
	return error ? error : outcome((int)pwrite((int)file->fh, buffer, count, offset));
}

static int do_truncate(const char *path, off_t size, struct fuse_file_info *file)
{
	if (file)
		return outcome(ftruncate((int)file->fh, size));
	int descriptor = openat(base, relative(path), O_WRONLY | O_CLOEXEC);
	if (descriptor < 0)
		return -errno;
	int result = outcome(ftruncate(descriptor, size));
	close(descriptor);
	return result;
}

static int do_fallocate(const char *path, int mode, off_t offset, off_t length, struct fuse_file_info *file)
{
	(void)path;
	return outcome(fallocate((int)file->fh, mode, offset, length));
}

static int do_fsync(const char *path, int data_only, struct fuse_file_info *file)
{
	(void)path;
	if (atomic_load(&control->fsync_eio))
		return -EIO;
	return outcome(data_only ? fdatasync((int)file->fh) : fsync((int)file->fh));
}

static int do_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info *file,
	enum fuse_readdir_flags flags)
{
	(void)offset, (void)file, (void)flags;
	int descriptor = openat(base, relative(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = descriptor < 0 ? NULL : fdopendir(descriptor);
	if (!folder)
		return -errno;
	for (struct dirent *entry; (entry = readdir(folder)) && !fill(buffer, entry->d_name, NULL, 0, 0);)
		;
	closedir(folder);
	return 0;
}

static void *do_init(struct fuse_conn_info *connection, struct fuse_config *config)
{
	(void)connection;
	config->hard_remove = 1;
	config->attr_timeout = config->entry_timeout = config->negative_timeout = 0;
	return NULL;
}

static const struct fuse_operations operations = {
	.init = do_init, .getattr = do_getattr, .access = do_access, .mkdir = do_mkdir, .rmdir = do_rmdir,
	.unlink = do_unlink, .rename = do_rename, .chmod = do_chmod, .chown = do_chown, .utimens = do_utimens,
	.statfs = do_statfs, .open = do_open, .create = do_create, .release = do_release, .read = do_read,
	.write = do_write, .truncate = do_truncate, .fallocate = do_fallocate, .fsync = do_fsync, .readdir = do_readdir,
};

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: faultfs CONTROL FOLDER MOUNTPOINT\n");
		return 2;
	}
	int file = open(argv[1], O_RDWR | O_CLOEXEC);
	base = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file < 0 || base < 0) {
		perror("faultfs");
		return 1;
	}
	control = mmap(NULL, sizeof(*control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (control == MAP_FAILED) {
		perror("faultfs");
		return 1;
	}
	umask(0);
	char *arguments[] = {argv[0], "-f", "-o", "allow_other,default_permissions,fsname=faultfs", argv[3], NULL};
	return fuse_main(5, arguments, &operations, NULL);
}
