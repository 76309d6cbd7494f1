/** Which findings are about which test: found once, so that a file with many of both takes no longer than it must. */
#ifndef RENDER_PLACES_H
#define RENDER_PLACES_H

#include <stddef.h>

#include "record/record.h"

/** Those of test i are findings[begin[i]] to before findings[begin[i + 1]]. */
struct places {
	const struct record *record; /* the caller's */
	size_t *begin;
	size_t *findings; /* indices, in the order in which they are told; of each test every one but once */
};

/** Go through all findings. The caller calls places_release. */
void places_init(struct places *places, const struct record *record);
/** Free. */
void places_release(struct places *places);

#endif
