/** A finished record, compared and held against the thresholds. Private to publish/. */
#ifndef PUBLISH_JUDGE_H
#define PUBLISH_JUDGE_H

#include "publish/publish.h"

/** What came of it. */
struct judgement {
	const struct record *record;
	const struct record **records; /* owned list: the earlier ones, then this one */
	const char **names;            /* owned list */
	bool is_compared;
	struct comparison comparison;
	bool is_asked; /* there are thresholds */
	struct threshold_outcomes outcomes;
	enum score score;
};

/**
 * Compare and hold against the thresholds; what comes of it is attached to the record. `name` is what the record is
 * called in sentences. The caller calls judgement_release.
 */
bool judgement_make(struct judgement *judgement, const struct publication *publication, struct record *record,
	const char *name, struct failure *failure);
/** Free what it owns. */
void judgement_release(struct judgement *judgement);

/** All of it for a renderer. */
struct document judgement_document(const struct judgement *judgement);
/** What goes to stdout, behind `text`; of a table that the banner has gone before (`has_banner`) the rest. */
void judgement_show(const struct judgement *judgement, const struct publication *publication,
	const struct render_style *style, bool has_banner, struct text *text);
/**
 * One line for each threshold that was missed, and for each that was met by a doubtful number. False where one was
 * missed or could not be judged: sets the status of `failure`, unless that is NULL, to STATUS_THRESHOLD, or to
 * STATUS_FAILED where there was no number to judge.
 */
bool judgement_complain(const struct judgement *judgement, struct text *complaints, struct failure *failure);

/** Whether stdout gets a table. */
bool publication_is_table(const struct publication *publication);
/** What --score asks for. */
enum score publication_score(const struct publication *publication);

#endif
