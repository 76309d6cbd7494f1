/** A file that is replaced whole: whoever looks at its name sees the old content or the new, never a part. */
#ifndef SUPPORT_OUTPUT_FILE_H
#define SUPPORT_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/failure.h"

/** An output file. */
struct output_file {
	char *path;   /* owned; what the user named, through symbolic links, absolute */
	char *shown;  /* owned; as the user named it, safe to print */
	bool existed; /* there was a file before us: it stays as it is until there is something to replace it */
	bool is_ours; /* we have written it */
};

/**
 * Make sure that it can be written (the folder is there and lets us in; the name is none of a folder, a device or a
 * pipe; there is room for a little), without leaving anything there. On failure the status is STATUS_USAGE. The caller
 * calls output_file_release.
 */
bool output_file_open(struct output_file *file, const char *path, struct failure *failure);
/**
 * Replace the content: written beside it under a name nobody can guess, flushed to the disk, renamed. On failure
 * (STATUS_FAILED) the file is as it was before, and nothing else is left. Mode and, as root, owner of a file that was
 * there are kept.
 */
bool output_file_replace(struct output_file *file, const char *bytes, size_t size, struct failure *failure);
/** Take away what we wrote, if nothing was there before us. */
void output_file_discard(struct output_file *file);
/** Whether two are the same file. */
bool output_file_is_same(const struct output_file *left, const struct output_file *right);
/** Free the strings. */
void output_file_release(struct output_file *file);

#endif
