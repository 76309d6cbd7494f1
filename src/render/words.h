/** Words that several formats share. */
#ifndef RENDER_WORDS_H
#define RENDER_WORDS_H

#include "record/figures.h"
#include "record/record.h"
#include "record/threshold.h"

/** "2026-11-30T17:21:06Z" as "2026-11-30 17:21 UTC"; anything else as it is, NULL as "". The caller frees it. */
char *words_time(const char *time);
/** The first words of a long title, at most `columns` wide with the "..." behind them. The caller frees it. */
char *words_cut(const char *title, size_t columns);
/** "Best of 5 runs", "Median of 5 runs". The caller frees it. */
char *words_score(const struct record *record, enum score score);
/** How far a measurement came, in a sentence; NULL where it is complete. The caller frees it. */
char *words_state(const struct record *record);
/** How many thresholds were met, in a sentence. The caller frees it. */
char *words_outcomes(const struct threshold_outcomes *outcomes);
/** What there is to say of one of them; NULL where it was met and all is well. The caller frees it. */
char *words_outcome(const struct threshold_outcome *outcome);

#endif
