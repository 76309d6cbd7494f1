/** Writing the test file: really, whole, with data that does not compress. */
#ifndef KEEPER_LAYOUT_H
#define KEEPER_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

/** Called between two pieces; false stops the writing. */
typedef bool layout_progress(void *context, uint64_t done_bytes);

/** How the writing ended. */
enum layout_end { LAYOUT_WRITTEN, LAYOUT_STOPPED, LAYOUT_FAILED };

/**
 * Replace the test file in `directory` by one of `size_bytes`, every block of it written and synced. With
 * LAYOUT_FAILED errno says why. A file that was not finished is removed.
 */
enum layout_end layout_write(int directory, uint64_t size_bytes, layout_progress *progress, void *context);

#endif
