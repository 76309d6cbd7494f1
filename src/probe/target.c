#include "probe/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "probe/zfs.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"
#include "support/units.h"

#define MIB (UINT64_C(1) << 20)
#define SIZE_MINIMUM_BYTES (16 * MIB)
/* FS_IOC_GETFLAGS and FS_APPEND_FL of ioctl_iflags(2), whose header not every C library ships. */
#define GET_FLAGS _IOR('f', 1, long)
#define FLAG_APPEND_ONLY 0x20
#define NAME_ONE "name a directory on the storage to measure"

/** File systems that show the kernel's state as files. */
static const char *const pseudo_types[] = {
	"proc",
	"sysfs",
	"cgroup",
	"cgroup2",
	"devpts",
	"debugfs",
	"tracefs",
	"securityfs",
	"configfs",
	"mqueue",
	"pstore",
	"bpf",
	"nsfs",
	"efivarfs",
	"selinuxfs",
	"binfmt_misc",
	"fusectl",
	"rpc_pipefs",
	"autofs",
	"hugetlbfs",
};

/** A failure about a path as the user gave it. Always false. */
static bool fail_with_path(struct failure *failure, const char *path, const char *before, const char *after)
{
	char *shown = text_printable(path);

	failure_set(failure, STATUS_TARGET, "%s'%s'%s", before, shown, after);
	free(shown);
	return false;
}

static bool fail_device(struct failure *failure, const char *root, const char *path, const struct stat *status)
{
	char *point = mount_point_of_device(root, major(status->st_rdev), minor(status->st_rdev));
	char *shown_point = point != NULL ? text_printable(point) : NULL;
	char *shown = text_printable(path);

	failure_set(failure, STATUS_TARGET,
		"'%s' is a block device; only directories are measured, name where it is mounted%s%s%s", shown,
		point != NULL ? " ('" : "", point != NULL ? shown_point : "", point != NULL ? "')" : "");
	free(shown_point);
	free(shown);
	free(point);
	return false;
}

/** Say what stands there instead of a directory. */
static bool fail_not_directory(struct failure *failure, const char *root, const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0) {
		return fail_with_path(failure, path, "", " does not exist: a part of it is not a directory; " NAME_ONE);
	}
	switch (status.st_mode & S_IFMT) {
	case S_IFREG:
		return fail_with_path(failure, path, "", " is a file; name the directory that holds it");
	case S_IFBLK:
		return fail_device(failure, root, path, &status);
	case S_IFCHR:
		return fail_with_path(failure, path, "", " is a character device; " NAME_ONE);
	case S_IFIFO:
		return fail_with_path(failure, path, "", " is a named pipe; " NAME_ONE);
	case S_IFSOCK:
		return fail_with_path(failure, path, "", " is a socket; " NAME_ONE);
	default:
		return fail_with_path(failure, path, "", " is not a directory; " NAME_ONE);
	}
}

static bool fail_not_entered(struct failure *failure, const char *path)
{
	if (geteuid() != 0) {
		return fail_with_path(failure, path, "cannot enter ", ": Permission denied; run speedtest-hd as root");
	}
	return fail_with_path(failure, path, "cannot enter ",
		": Permission denied, even to root; run speedtest-hd as the user it belongs to");
}

static bool fail_missing(struct failure *failure, const char *path)
{
	struct stat status;

	if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode)) {
		return fail_with_path(failure, path, "", " is a link to what does not exist; " NAME_ONE);
	}
	return fail_with_path(failure, path, "", " does not exist; " NAME_ONE);
}

/** Say why the path could not be opened as a directory. */
static bool fail_open(struct failure *failure, const char *root, const char *path, int error)
{
	switch (error) {
	case ENOENT:
		return fail_missing(failure, path);
	case ENOTDIR:
		return fail_not_directory(failure, root, path);
	case EACCES:
		return fail_not_entered(failure, path);
	case ELOOP:
		return fail_with_path(failure, path, "", " leads in a circle of symbolic links; " NAME_ONE);
	case ENAMETOOLONG:
		/* Thousands of bytes of path would bury the sentence. */
		if (strlen(path) >= PATH_MAX) {
			return failure_set(failure, STATUS_TARGET,
				"the path is longer than the system takes at once (%zu bytes); change into "
				"the directory and name it '.'",
				strlen(path));
		}
		return failure_set(
			failure, STATUS_TARGET, "the path holds a name longer than the file system takes; " NAME_ONE);
	default: {
		char *reason = xasprintf(": %s", strerror(error));

		fail_with_path(failure, path, "cannot open ", reason);
		free(reason);
		return false;
	}
	}
}

/** A descriptor of the directory; -1 with errno set. A folder that may be written but not listed will do as well. */
static int directory_open(const char *path)
{
	int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (descriptor < 0 && errno == EACCES) {
		descriptor = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	}
	return descriptor;
}

/** The absolute path of the open directory; as it was given where that is longer than the system can say. */
static char *path_resolve(int descriptor, const char *given)
{
	char *path = realpath(given, NULL);

	if (path == NULL) {
		path = file_read_link("", "/proc/self/fd/%d", descriptor);
	}
	if (path != NULL && path[0] != '/') {
		free(path);
		path = NULL;
	}
	return path != NULL ? path : xstrdup(given);
}

/** On the running machine the kernel says which mount a descriptor is on; a captured table is searched by path. */
static void target_find_mount(struct target *target, const char *root)
{
	if (root[0] != '\0' || !mount_find_descriptor(&target->mount, target->descriptor)) {
		mount_find(&target->mount, root, target->path);
	}
}

static bool check_stores(const struct target *target, struct failure *failure)
{
	const char *type = target->mount.type;

	for (size_t i = 0; type != NULL && i < sizeof(pseudo_types) / sizeof(pseudo_types[0]); i++) {
		if (strcmp(type, pseudo_types[i]) == 0) {
			return failure_set(failure, STATUS_TARGET, "'%s' is %s%s %s file system, which stores nothing; " NAME_ONE,
				target->shown, strcmp(target->path, target->mount.mount_point) == 0 ? "" : "on ",
				strchr("aeiou", type[0]) != NULL ? "an" : "a", type);
		}
	}
	return true;
}

static bool check_read_write(const struct target *target, struct failure *failure)
{
	struct statvfs space;
	char *source, *type;

	if (!mount_is_read_only(&target->mount) &&
		!(fstatvfs(target->descriptor, &space) == 0 && (space.f_flag & ST_RDONLY) != 0)) {
		return true;
	}
	if (target->mount.type == NULL) {
		return failure_set(
			failure, STATUS_TARGET, "'%s' is on a read-only mount; remount it read-write to measure it", target->shown);
	}
	source = text_printable(target->mount.source);
	type = text_printable(target->mount.type);
	failure_set(failure, STATUS_TARGET, "'%s' is on a read-only mount (%s on %s); remount it read-write to measure it",
		target->shown, type, source);
	free(source);
	free(type);
	return false;
}

/** chattr +a: what is made there can never be removed again. */
static bool check_removable(const struct target *target, struct failure *failure)
{
	long flags = 0;

	/* ioctl(2), which C libraries declare with different types of request. */
	if (syscall(SYS_ioctl, target->descriptor, GET_FLAGS, &flags) == 0 && (flags & FLAG_APPEND_ONLY) != 0) {
		return failure_set(failure, STATUS_TARGET,
			"'%s' is append-only, so the test file could not be removed; take that away with 'chattr -a', or name a "
			"folder in it",
			target->shown);
	}
	return true;
}

/** a * b, or the largest number there is. */
static uint64_t multiply(uint64_t a, uint64_t b)
{
	return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

void target_measure_space(struct target *target)
{
	struct statvfs space;
	uint64_t block_bytes;

	if (fstatvfs(target->descriptor, &space) != 0 || space.f_blocks == 0) {
		return;
	}
	block_bytes = space.f_frsize != 0 ? space.f_frsize : space.f_bsize;
	target->space_known = true;
	target->free_bytes = multiply(space.f_bavail, block_bytes);
	target->total_bytes = multiply(space.f_blocks, block_bytes);
}

/** Whether the open directory was removed, by the kernel's name for it: some FUSE file systems count no links at all.
 */
static bool is_removed(int descriptor)
{
	static const char mark[] = " (deleted)";
	char *link = file_read_link("", "/proc/self/fd/%d", descriptor);
	size_t length = link != NULL ? strlen(link) : 0;
	bool removed = length >= sizeof(mark) && strcmp(link + length - (sizeof(mark) - 1), mark) == 0;

	free(link);
	return removed;
}

/** Everything after opening, but for what lies beneath the directory. */
static bool target_describe(struct target *target, const char *root, struct failure *failure)
{
	struct stat status;

	if (fstat(target->descriptor, &status) != 0) {
		return fail_open(failure, root, target->given, errno);
	}
	if (status.st_nlink == 0 && is_removed(target->descriptor)) {
		return fail_with_path(failure, target->given, "", " was removed; " NAME_ONE);
	}
	target->device = (uint64_t)status.st_dev;
	target->inode = (uint64_t)status.st_ino;
	target->device_major = major(status.st_dev);
	target->device_minor = minor(status.st_dev);
	target->path = path_resolve(target->descriptor, target->given);
	target->shown = text_printable(target->path);
	target_find_mount(target, root);
	if (!check_stores(target, failure)) {
		return false;
	}
	if (faccessat(target->descriptor, ".", X_OK, AT_EACCESS) != 0 && errno == EACCES) {
		return fail_not_entered(failure, target->given);
	}
	return check_read_write(target, failure) && check_removable(target, failure);
}

bool target_open(struct target *target, const char *root, const char *path, struct failure *failure)
{
	*target = (struct target){.descriptor = -1};
	if (path[0] == '\0') {
		return failure_set(failure, STATUS_TARGET, "the path is empty; name a directory");
	}
	target->descriptor = directory_open(path);
	if (target->descriptor < 0) {
		return fail_open(failure, root, path, errno);
	}
	target->given = xstrdup(path);
	if (!target_describe(target, root, failure)) {
		target_release(target);
		return false;
	}
	block_device_find(&target->block, root, &target->mount, target->device_major, target->device_minor);
	target_measure_space(target);
	target->writable = faccessat(target->descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0;
	target->is_ram = block_device_is_ram(&target->block);
	target->is_zfs = zfs_is_zfs(&target->mount);
	return true;
}

/** What a test file of that size takes, with the file system's own blocks that go with it. */
static uint64_t needed_bytes(uint64_t size_bytes)
{
	uint64_t extra_bytes = MIB + size_bytes / 128;

	return size_bytes > UINT64_MAX - extra_bytes ? UINT64_MAX : size_bytes + extra_bytes;
}

/** The remedy: the largest power of two that fits, as --size takes it. The caller frees it. */
static char *suggest_size(uint64_t free_bytes)
{
	uint64_t size_bytes = SIZE_MINIMUM_BYTES;

	if (needed_bytes(size_bytes) > free_bytes) {
		return xstrdup("free some space");
	}
	while (size_bytes <= UINT64_MAX / 4 && needed_bytes(size_bytes * 2) <= free_bytes) {
		size_bytes *= 2;
	}
	if (size_bytes >= 1024 * MIB) {
		return xasprintf("use --size %llug", (unsigned long long)(size_bytes / (1024 * MIB)));
	}
	return xasprintf("use --size %llum", (unsigned long long)(size_bytes / MIB));
}

bool target_check_space(const struct target *target, uint64_t size_bytes, struct failure *failure)
{
	char *size, *available, *remedy;

	if (!target->space_known || needed_bytes(size_bytes) <= target->free_bytes) {
		return true;
	}
	size = units_format_size(size_bytes);
	available = units_format_size(target->free_bytes);
	remedy = suggest_size(target->free_bytes);
	failure_set(failure, STATUS_TARGET, "not enough space on '%s': the test file takes %s%s and %s are free; %s",
		target->shown, size, size_bytes <= target->free_bytes ? ", the file system some room beside it," : "",
		available, remedy);
	free(remedy);
	free(available);
	free(size);
	return false;
}

void target_release(struct target *target)
{
	if (target->descriptor >= 0) {
		close(target->descriptor);
	}
	free(target->given);
	free(target->path);
	free(target->shown);
	mount_release(&target->mount);
	block_device_release(&target->block);
	*target = (struct target){.descriptor = -1};
}
