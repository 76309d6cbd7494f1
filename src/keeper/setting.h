/** One setting of the kernel's, a line in a small file. Allocates nothing, follows no link. Private to keeper/. */
#ifndef KEEPER_SETTING_H
#define KEEPER_SETTING_H

#include <stdbool.h>
#include <stddef.h>

/** Longer values are not written, longer paths below their folder are not used. */
enum { SETTING_VALUE_SIZE = 64, SETTING_PATH_SIZE = 96 };

/** The first line of the file `path` below `folder`; false, with errno set, where it cannot be read whole. */
bool setting_read(const char *folder, const char *path, char *value, size_t size);

/** Write a line; false with errno set. Tries for a third of a second where the kernel is busy. */
bool setting_write(const char *folder, const char *path, const char *value);

/** Whether it could be written; false with errno set. */
bool setting_is_writable(const char *folder, const char *path);

#endif
