/** Numbers in the kernel's tables. Private to telemetry/. */
#ifndef TELEMETRY_NUMBERS_H
#define TELEMETRY_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The numbers that `text` begins with, apart by blanks or line ends, at most `limit`; how many there are. */
size_t numbers_take(const char *text, uint64_t *numbers, size_t limit);

/**
 * What stands behind `name` at the beginning of a line; `name` includes the blank that follows it. NULL where there is
 * no such line.
 */
const char *numbers_find(const char *text, const char *name);

/** The number behind `name`, after `skipped_fields` (at most 3) other numbers. False where it is not there. */
bool numbers_named(const char *text, const char *name, unsigned skipped_fields, uint64_t *value);

#endif
