/** Which fio is this? */
#ifndef FIO_VERSION_H
#define FIO_VERSION_H

#include <stdbool.h>

#include "support/failure.h"

/** A fio that can be used. Strings are owned. */
struct fio_program {
	char *path;    /* absolute */
	char *version; /* "3.33", as it says itself, without "fio-" */
};

/** Read "fio-3.33", "fio-3.42-6-g219f": major and minor. False for anything else. */
bool fio_version_parse(const char *output, unsigned *major, unsigned *minor);

/**
 * Ask the fio at `path` for its version. On failure the status is STATUS_FIO: it cannot be started, says nothing
 * sensible, or is older than 3.1. The caller calls fio_program_release.
 */
bool fio_program_open(struct fio_program *program, const char *path, struct failure *failure);

/** Whether it can open its file with O_DSYNC (3.24 and newer). */
bool fio_program_knows_dsync(const struct fio_program *program);

/** Free the strings. */
void fio_program_release(struct fio_program *program);

#endif
