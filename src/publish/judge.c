#include "judge.h"

#include <stdlib.h>

#include "record/record_json.h"
#include "support/memory.h"
#include "support/text_stream.h"

bool publication_is_table(const struct publication *publication)
{
	return publication->renderer == &renderers[0];
}

enum score publication_score(const struct publication *publication)
{
	return publication->settings->best ? SCORE_BEST : SCORE_MEDIAN;
}

/* The earlier ones in their order, and the record behind them. */
static bool compare(
	struct judgement *judgement, const struct publication *publication, const char *name, struct failure *failure)
{
	size_t earlier = publication->earlier_count;

	judgement->records = xcalloc(earlier + 1, sizeof(*judgement->records));
	judgement->names = xcalloc(earlier + 1, sizeof(*judgement->names));
	for (size_t i = 0; i < earlier; i++) {
		judgement->records[i] = &publication->earlier[i];
		judgement->names[i] = publication->settings->compare.values[i];
	}
	judgement->records[earlier] = judgement->record;
	judgement->names[earlier] = name;
	judgement->is_compared = comparison_make(
		&judgement->comparison, judgement->records, judgement->names, earlier + 1, failure);
	return judgement->is_compared;
}

static void hold_against_thresholds(struct judgement *judgement, const struct publication *publication)
{
	double slower_percent = publication->settings->fail_slower_percent;

	thresholds_judge(&judgement->outcomes, publication->thresholds, publication->threshold_count, judgement->record,
		judgement->score);
	if (judgement->is_compared && slower_percent >= 0) {
		thresholds_judge_slower(&judgement->outcomes, &judgement->comparison, slower_percent);
	}
	judgement->is_asked = publication->threshold_count > 0 || slower_percent >= 0;
}

bool judgement_make(struct judgement *judgement, const struct publication *publication, struct record *record,
	const char *name, struct failure *failure)
{
	*judgement = (struct judgement){.record = record, .score = publication_score(publication)};
	if (publication->earlier_count > 0 && !compare(judgement, publication, name, failure)) {
		return false;
	}
	hold_against_thresholds(judgement, publication);
	record_attach(record, judgement->is_compared ? &judgement->comparison : NULL,
		judgement->is_asked ? &judgement->outcomes : NULL);
	return true;
}

void judgement_release(struct judgement *judgement)
{
	if (judgement->is_compared) {
		comparison_release(&judgement->comparison);
	}
	threshold_outcomes_release(&judgement->outcomes);
	free(judgement->records);
	free(judgement->names);
	*judgement = (struct judgement){0};
}

struct document judgement_document(const struct judgement *judgement)
{
	return (struct document){.record = judgement->record,
		.comparison = judgement->is_compared ? &judgement->comparison : NULL,
		.outcomes = judgement->is_asked ? &judgement->outcomes : NULL,
		.score = judgement->score};
}

void judgement_show(const struct judgement *judgement, const struct publication *publication,
	const struct render_style *style, bool has_banner, struct text *text)
{
	struct document document = judgement_document(judgement);
	struct text_stream stream;
	FILE *out = text_stream_open(&stream, text);

	if (publication_is_table(publication) && has_banner) {
		render_table(out, document.record, document.score, style);
		if (document.comparison) {
			render_comparison(out, document.comparison, style);
		}
	} else {
		if (publication_is_table(publication)) {
			document.outcomes = NULL; /* people read them on stderr, right below */
		}
		publication->renderer->render(out, &document, style);
	}
	text_stream_close(&stream);
}

bool judgement_complain(const struct judgement *judgement, struct text *complaints, struct failure *failure)
{
	bool is_missed = thresholds_count(&judgement->outcomes, THRESHOLD_MISSED) > 0;
	bool is_open = thresholds_count(&judgement->outcomes, THRESHOLD_NOT_MEASURED) > 0;

	for (size_t i = 0; i < judgement->outcomes.count; i++) {
		if (judgement->outcomes.list[i].sentence) {
			text_addf(complaints, "speedtest-hd: %s\n", judgement->outcomes.list[i].sentence);
		}
	}
	if (failure && (is_missed || is_open)) {
		failure->status = is_open ? STATUS_FAILED : STATUS_THRESHOLD;
	}
	return !is_missed && !is_open;
}
