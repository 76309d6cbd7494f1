/** The files that -o names: created before anything is measured, replaced whole after each run. */
#ifndef RENDER_OUTPUTS_H
#define RENDER_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "render/render.h"
#include "support/failure.h"
#include "support/output_file.h"

/** One file. */
struct output {
	const struct renderer *renderer;
	struct output_file file;
};

/** All of them. */
struct outputs {
	struct output *list;
	size_t count;
};

/**
 * Find each one's format and make sure that it can be written; nothing is written yet. Refuses (STATUS_USAGE) an
 * unknown extension, one file twice, and a file that is also read by --compare (`inputs`). The caller calls
 * outputs_release.
 */
bool outputs_open(struct outputs *outputs, const char *const *paths, size_t count, const char *const *inputs,
	size_t input_count, struct failure *failure);
/** Write those that were not there before: an empty but whole document, before anything is measured. */
bool outputs_begin(struct outputs *outputs, const struct document *document, struct failure *failure);
/** Write them all. Each is tried; the failure is the first one's, and says how many more failed. */
bool outputs_write(struct outputs *outputs, const struct document *document, struct failure *failure);
/** Nothing is going to be measured: take away what was not there before. */
void outputs_discard(struct outputs *outputs);
/** Free. */
void outputs_release(struct outputs *outputs);

#endif
