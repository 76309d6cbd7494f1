#include "setting.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* While processors come and go, the kernel refuses for a moment. */
enum { WRITE_ATTEMPTS = 30, WRITE_PAUSE_MS = 10 };

bool setting_read(const char *folder, const char *path, char *value, size_t size)
{
	char whole[PATH_MAX + SETTING_PATH_SIZE];

	snprintf(whole, sizeof(whole), "%s/%s", folder, path);
	int file = open(whole, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (file < 0) {
		return false;
	}
	ssize_t length = read(file, value, size - 1);
	int error = length < 0 ? errno : EFBIG;
	close(file);
	if (length < 0 || (size_t)length == size - 1) {
		errno = error; /* what is cut off cannot be put back */
		return false;
	}
	value[length] = '\0';
	value[strcspn(value, "\n")] = '\0';
	return true;
}

static int open_to_write(const char *folder, const char *path)
{
	char whole[PATH_MAX + SETTING_PATH_SIZE];

	snprintf(whole, sizeof(whole), "%s/%s", folder, path);
	return open(whole, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
}

/* False with errno set. */
static bool write_once(const char *folder, const char *path, const char *value)
{
	char line[SETTING_VALUE_SIZE + 1];
	int length = snprintf(line, sizeof(line), "%s\n", value), error = EIO;
	int file = open_to_write(folder, path);

	if (file < 0) {
		return false;
	}
	ssize_t written = write(file, line, (size_t)length);
	if (written < 0) {
		error = errno;
	}
	close(file);
	errno = error;
	return written == length;
}

bool setting_write(const char *folder, const char *path, const char *value)
{
	const struct timespec pause = {.tv_nsec = WRITE_PAUSE_MS * 1000000L};
	bool written = false;

	for (int attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
		written = write_once(folder, path, value);
		if (written || (errno != EBUSY && errno != EAGAIN && errno != EINTR)) {
			break;
		}
		nanosleep(&pause, NULL);
	}
	return written;
}

bool setting_is_writable(const char *folder, const char *path)
{
	int file = open_to_write(folder, path), error = errno;

	if (file < 0) {
		errno = error;
		return false;
	}
	close(file);
	return true;
}
