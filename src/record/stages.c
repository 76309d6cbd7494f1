#include "record/stages.h"

#include <math.h>

#include "compare_parts.h"
#include "support/memory.h"

/* The samples beside the stages, while they are compared. */
struct judging {
	struct sample samples[STAGES_MAX];
	struct comparison_cell cells[STAGES_MAX];
};

/* Take a test in, if it is a stage of the experiment that has a valid run. */
static void add_stage(struct stages *stages, struct judging *judging, const struct record_test *test)
{
	struct stage *stage = &stages->list[stages->count];

	if (test->part != PART_EXPERIMENT || stages->count == STAGES_MAX) {
		return;
	}
	test_figures_make(&stage->figures, test);
	if (stage->figures.valid_runs > 0) {
		stage->test = test;
		sample_make(&judging->samples[stages->count], &judging->cells[stages->count], test, QUANTITY_P50);
		stages->count++;
	}
}

/* Shown is what becomes of the medians, as the table has them; where these go the other way, nothing is sure. */
static void show_medians(struct stage *stage, const struct stage *before)
{
	double from = before->figures.median[QUANTITY_P50], to = stage->figures.median[QUANTITY_P50];
	double difference = to / from - 1;

	if (isnan(stage->change.difference) || !isfinite(difference)) {
		return;
	}
	if (stage_is_sure(stage) && difference * stage->change.difference <= 0) {
		stage->change.verdict = VERDICT_NO_DIFFERENCE;
	}
	stage->change.difference = difference;
}

void stages_make(struct stages *stages, const struct record *record)
{
	struct contrasts contrasts = {0};
	struct judging judging = {0};

	*stages = (struct stages){0};
	for (size_t i = 0; i < record->test_count; i++) {
		add_stage(stages, &judging, &record->tests[i]);
	}
	/* Each with the one before: all of them together are one family. */
	for (size_t i = 1; i < stages->count; i++) {
		samples_compare(&judging.samples[i - 1], &judging.cells[i - 1], 2, QUANTITY_P50, &contrasts);
	}
	contrasts_conclude(&contrasts);
	contrasts_release(&contrasts);
	for (size_t i = 0; i < stages->count; i++) {
		stages->list[i].change = judging.cells[i];
		sample_release(&judging.samples[i]);
		if (i > 0) {
			show_medians(&stages->list[i], &stages->list[i - 1]);
		}
	}
}

bool stage_is_sure(const struct stage *stage)
{
	return stage->change.verdict == VERDICT_FASTER || stage->change.verdict == VERDICT_SLOWER;
}

/* What there is to say of a change beside its size. */
static const char *find_doubt(const struct stage *stage)
{
	if (stage_is_sure(stage)) {
		return "sure";
	}
	if (stage->change.verdict == VERDICT_NO_DIFFERENCE) {
		return "not sure";
	}
	return stage->figures.valid_runs < 2 ? "one run" : "few runs";
}

char *stage_change_words(const struct stage *stage)
{
	double percent = stage->change.difference * 100;

	if (isnan(percent)) {
		return xstrdup(stage->change.verdict == VERDICT_CANNOT_TELL ? "cannot tell" : "");
	}
	if (fabs(percent) < 0.05) {
		return xasprintf("0.0 %% (%s)", find_doubt(stage));
	}
	/* A decimal where there is nothing before it. */
	return xasprintf("%+.*f %% (%s)", fabs(percent) < 0.95 ? 1 : 0, percent, find_doubt(stage));
}
