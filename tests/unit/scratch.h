/** A folder of its own for a test program, and reading of fixtures. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/text.h"

/* Numbers that are equal but for `tolerance`; older cmockas know floats alone. */
#define assert_number(value, expected, tolerance)                                                                      \
	do {                                                                                                               \
		double value_ = (value), expected_ = (expected);                                                               \
		if (!(fabs(value_ - expected_) <= (double)(tolerance))) {                                                      \
			print_error("%s is %.17g, not %.17g\n", #value, value_, expected_);                                        \
			_fail(__FILE__, __LINE__);                                                                                 \
		}                                                                                                              \
	} while (0)

/* In a child process, where cmocka is not at home: end with a status that the parent sees, and say which line. */
#define demand(condition)                                                                                              \
	do {                                                                                                               \
		if (!(condition)) {                                                                                            \
			dprintf(STDERR_FILENO, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                             \
			_exit(99);                                                                                                 \
		}                                                                                                              \
	} while (0)

/* Remove a folder with everything in it. */
static inline void scratch_remove(const char *path)
{
	DIR *list = opendir(path);
	struct dirent *entry;

	while (list && (entry = readdir(list)) != NULL) {
		struct stat status;
		char *name = NULL;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
			continue;
		}
		assert_true(asprintf(&name, "%s/%s", path, entry->d_name) > 0);
		if (lstat(name, &status) == 0 && S_ISDIR(status.st_mode)) {
			scratch_remove(name);
		} else {
			unlink(name);
		}
		free(name);
	}
	if (list) {
		closedir(list);
	}
	rmdir(path);
}

/* Make a new folder below /tmp; `path` has room for 64 bytes. */
static inline void scratch_make(char *path)
{
	snprintf(path, 64, "/tmp/speedtest-hd-unit.XXXXXX");
	assert_non_null(mkdtemp(path));
	assert_int_equal(chmod(path, 0755), 0);
}

/* Write a file. */
static inline void scratch_write(const char *path, const void *bytes, size_t size, mode_t mode)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(file >= 0);
	assert_int_equal(write(file, bytes, size), size);
	assert_int_equal(fchmod(file, mode), 0);
	assert_int_equal(close(file), 0);
}

/* Read a whole file. */
static inline void scratch_read(struct text *text, const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	char buffer[65536];
	ssize_t size;

	if (file < 0) {
		print_error("cannot read '%s'\n", path);
	}
	assert_true(file >= 0);
	while ((size = read(file, buffer, sizeof(buffer))) > 0) {
		text_add_bytes(text, buffer, (size_t)size);
	}
	assert_int_equal(size, 0);
	close(file);
}

#endif
