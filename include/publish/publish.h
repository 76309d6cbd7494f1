/** What becomes of a measurement: shown, saved, compared, held against thresholds. */
#ifndef PUBLISH_PUBLISH_H
#define PUBLISH_PUBLISH_H

#include <stdbool.h>
#include <stddef.h>

#include "record/record.h"
#include "record/threshold.h"
#include "render/outputs.h"
#include "render/render.h"
#include "settings/settings.h"
#include "support/failure.h"
#include "support/text.h"

/** Everything the user wants done with the result. */
struct publication {
	const struct settings *settings;
	const struct renderer *renderer; /* of stdout */
	struct outputs outputs;
	struct record *earlier; /* what --compare names */
	size_t earlier_count;
	struct threshold *thresholds;
	size_t threshold_count;
	char *label;      /* safe to print; NULL for none */
	char *started_at; /* when it was opened */
};

/**
 * Read the files to compare with, the thresholds, and see whether the output files can be written; nothing is written.
 * False with STATUS_USAGE. The caller calls publication_release in any case.
 */
bool publication_open(struct publication *publication, const struct settings *settings, struct failure *failure);
/** Free everything. */
void publication_release(struct publication *publication);

/** Whether the thresholds and the files to compare with are for this profile; otherwise STATUS_USAGE. */
bool publication_fits(const struct publication *publication, const struct profile *profile, struct failure *failure);

/**
 * Before anything is measured: the banner, where stdout gets a table. Appends to `text`.
 */
void publication_show_banner(const struct publication *publication, const struct report *report,
	const struct render_style *style, struct text *text);
/** Create the output files that were not there before. */
bool publication_begin(struct publication *publication, const struct report *report, struct failure *failure);
/** A run has finished: rewrite the output files. A failure is no reason to stop measuring. */
bool publication_update(struct publication *publication, const struct report *report, struct failure *failure);

/** How a measurement ended. */
struct publication_end {
	enum record_state state;
	const char *failure; /* why it was given up, with RECORD_FAILED */
};

/**
 * The measurement is over: what is left to show goes behind `text`, the output files get their last content, and
 * `complaints` the lines about thresholds that were missed. False with the failure of an output file, or with
 * STATUS_THRESHOLD and no sentence.
 */
bool publication_finish(struct publication *publication, const struct report *report, const struct publication_end *end,
	const struct render_style *style, struct text *text, struct text *complaints, struct failure *failure);

/** The same for the saved measurement that --load names; where a run of it failed, or none is valid, STATUS_FAILED. */
bool publication_show_saved(struct publication *publication, const struct render_style *style, struct text *text,
	struct text *complaints, struct failure *failure);

#endif
