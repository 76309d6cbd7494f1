/** Small files, read whole. Everything under /proc and /sys is read through here, beneath a root prefix. */
#ifndef SUPPORT_FILE_H
#define SUPPORT_FILE_H

#include <stdbool.h>

#include "support/text.h"

/**
 * Append the content of `root` + the formatted path to `content`, at most 4 MiB of it. `root` is "" for the running
 * machine, or a folder that holds a captured tree. False, with errno set, where the file cannot be read; `content` is
 * then as it was.
 */
bool file_read(struct text *content, const char *root, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** As file_read, but only the first line, without its end and trailing blanks. The caller frees it; NULL on failure. */
char *file_read_line(const char *root, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * The names in the folder at `root` + the formatted path, sorted by bytes, without "." and "..": a list that ends
 * with NULL; an empty one where the folder cannot be read. The caller frees it with file_names_free.
 */
char **file_names(const char *root, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Free a list that file_names returned. */
void file_names_free(char **names);

/**
 * The target of the symbolic link at `root` + the formatted path, as it stands there. The caller frees it; NULL on
 * failure.
 */
char *file_read_link(const char *root, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Close a descriptor that is open, and set it to -1. */
void file_close(int *descriptor);

#endif
