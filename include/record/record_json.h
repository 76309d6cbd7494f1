/** A record as JSON, and back: the only place that spells the keys of saved files. */
#ifndef RECORD_RECORD_JSON_H
#define RECORD_RECORD_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/compare.h"
#include "record/record.h"
#include "record/threshold.h"
#include "support/failure.h"

/** What every file says of itself. */
#define RECORD_FORMAT_NAME "speedtest-hd"
/** The version of the format; a file with a higher one is refused, one with a lower one is read for ever. */
#define RECORD_FORMAT_VERSION 1
/** The largest file that is read. */
#define RECORD_FILE_MAX_BYTES (UINT64_C(64) << 20)

/** The document, with a newline at its end. The same record gives the same bytes. The caller frees it. */
char *record_to_json(const struct record *record);

/**
 * Read a document of `length` bytes. Every string is made safe to print. On failure (STATUS_USAGE) the sentence says
 * what is wrong in which member of `name`, the file's name for people.
 */
bool record_from_json(
	struct record *record, const char *bytes, size_t length, const char *name, struct failure *failure);

/** Read a file; the same. Anything but a regular file is refused. */
bool record_load(struct record *record, const char *path, struct failure *failure);

/** Set what was derived: comparison_json and thresholds_json; either may be NULL, and then stays what it was. */
void record_attach(
	struct record *record, const struct comparison *comparison, const struct threshold_outcomes *outcomes);

#endif
