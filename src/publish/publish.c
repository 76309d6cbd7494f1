#include "publish/publish.h"

#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "judge.h"
#include "record/record_json.h"
#include "support/clock.h"
#include "support/memory.h"
#include "support/text_stream.h"

/* --- opening ------------------------------------------------------------------------------------------------------ */

static bool load_earlier(struct publication *publication, struct failure *failure)
{
	const struct settings_list *files = &publication->settings->compare;

	publication->earlier = xcalloc(files->count, sizeof(*publication->earlier));
	for (size_t i = 0; i < files->count; i++) {
		if (!record_load(&publication->earlier[i], files->values[i], failure)) {
			return false;
		}
		publication->earlier_count++;
	}
	return true;
}

static bool parse_thresholds(
	struct publication *publication, const struct settings_list *list, bool is_floor, struct failure *failure)
{
	for (size_t i = 0; i < list->count; i++) {
		if (!threshold_parse(
				&publication->thresholds[publication->threshold_count], list->values[i], is_floor, failure)) {
			return false;
		}
		publication->threshold_count++;
	}
	return true;
}

bool publication_open(struct publication *publication, const struct settings *settings, struct failure *failure)
{
	*publication = (struct publication){.settings = settings,
		.renderer = renderer_by_name(settings->format),
		.label = settings->label ? text_printable(settings->label) : NULL,
		.started_at = clock_time_of_day()};
	publication->thresholds =
		xcalloc(settings->fail_below.count + settings->fail_above.count, sizeof(*publication->thresholds));
	return parse_thresholds(publication, &settings->fail_below, true, failure) &&
		   parse_thresholds(publication, &settings->fail_above, false, failure) && load_earlier(publication, failure) &&
		   outputs_open(&publication->outputs, settings->outputs.values, settings->outputs.count,
			   settings->compare.values, settings->compare.count, failure);
}

void publication_release(struct publication *publication)
{
	for (size_t i = 0; i < publication->earlier_count; i++) {
		record_release(&publication->earlier[i]);
	}
	for (size_t i = 0; i < publication->threshold_count; i++) {
		threshold_release(&publication->thresholds[i]);
	}
	free(publication->earlier);
	free(publication->thresholds);
	free(publication->label);
	free(publication->started_at);
	outputs_release(&publication->outputs);
	*publication = (struct publication){0};
}

bool publication_fits(const struct publication *publication, const struct profile *profile, struct failure *failure)
{
	const struct settings *settings = publication->settings;
	const bool parts[PART_COUNT] = {
		[PART_MAIN] = true, [PART_DETAIL] = settings->slog_detail, [PART_EXPERIMENT] = settings->diagnose};

	for (size_t i = 0; i < publication->threshold_count; i++) {
		if (!threshold_fits(&publication->thresholds[i], profile, settings->load ? NULL : parts, failure)) {
			return false;
		}
	}
	for (size_t i = 0; i < publication->earlier_count; i++) {
		if (!comparison_fits(&publication->earlier[i], publication->settings->compare.values[i], profile, failure)) {
			return false;
		}
	}
	return true;
}

/* --- while it is measured ----------------------------------------------------------------------------------------- */

static void make_record(struct record *record, const struct publication *publication, const struct report *report,
	const struct publication_end *end)
{
	char *now = end->state == RECORD_RUNNING ? NULL : clock_time_of_day();
	const struct record_frame frame = {.label = publication->label,
		.argv = publication->settings->argv,
		.started_at = publication->started_at,
		.finished_at = now,
		.state = end->state,
		.failure = end->failure};

	record_make(record, report, &frame);
	doctor_examine(record, report);
	free(now);
}

void publication_show_banner(const struct publication *publication, const struct report *report,
	const struct render_style *style, struct text *text)
{
	struct record record;
	struct text_stream stream;

	if (!publication_is_table(publication)) {
		return;
	}
	make_record(&record, publication, report, &(struct publication_end){.state = RECORD_RUNNING});
	render_banner(text_stream_open(&stream, text), &record, style);
	text_stream_close(&stream);
	record_release(&record);
}

bool publication_begin(struct publication *publication, const struct report *report, struct failure *failure)
{
	struct record record;

	make_record(&record, publication, report, &(struct publication_end){.state = RECORD_RUNNING});
	bool good = outputs_begin(&publication->outputs, &(struct document){.record = &record}, failure);
	record_release(&record);
	if (!good) {
		failure->status = STATUS_USAGE; /* nothing was measured yet: the name was no good */
		outputs_discard(&publication->outputs);
	}
	return good;
}

bool publication_update(struct publication *publication, const struct report *report, struct failure *failure)
{
	struct record record;

	if (publication->outputs.count == 0) {
		return true;
	}
	make_record(&record, publication, report, &(struct publication_end){.state = RECORD_RUNNING});
	bool good = outputs_write(
		&publication->outputs, &(struct document){.record = &record, .score = publication_score(publication)}, failure);
	record_release(&record);
	return good;
}

bool publication_finish(struct publication *publication, const struct report *report, const struct publication_end *end,
	const struct render_style *style, struct text *text, struct text *complaints, struct failure *failure)
{
	struct record record;
	struct judgement judgement;

	make_record(&record, publication, report, end);
	bool good = judgement_make(&judgement, publication, &record, "this measurement", failure);
	if (good) {
		const struct document document = judgement_document(&judgement);

		judgement_show(&judgement, publication, style, true, text);
		/* What was there before stays until there is something better. */
		good = report_count(report, OUTCOME_NOT_RUN) < report->plan->run_count
				   ? outputs_write(&publication->outputs, &document, failure)
				   : outputs_begin(&publication->outputs, &document, failure);
		if (end->state == RECORD_COMPLETE) {
			good = judgement_complain(&judgement, complaints, good ? failure : NULL) && good;
		}
	}
	judgement_release(&judgement);
	record_release(&record);
	return good;
}

/* Whether a run failed, or no number is left: as if it had just been measured. */
static bool is_failed(const struct record *record)
{
	size_t valid = 0, failed = 0;

	for (size_t i = 0; i < record->test_count; i++) {
		struct test_figures figures;

		test_figures_make(&figures, &record->tests[i]);
		valid += figures.valid_runs;
		failed += figures.failed_runs;
	}
	return failed > 0 || valid == 0;
}

bool publication_show_saved(struct publication *publication, const struct render_style *style, struct text *text,
	struct text *complaints, struct failure *failure)
{
	const char *path = publication->settings->load;
	struct record record;
	struct judgement judgement = {0};

	if (!record_load(&record, path, failure)) {
		return false;
	}
	if (publication->label) {
		free(record.label);
		record.label = xstrdup(publication->label);
	}
	bool good = publication_fits(publication, record.settings.profile, failure) &&
				judgement_make(&judgement, publication, &record, path, failure);
	if (good) {
		const struct document document = judgement_document(&judgement);

		judgement_show(&judgement, publication, style, false, text);
		good = outputs_write(&publication->outputs, &document, failure);
		if (good && is_failed(&record)) {
			failure->status = STATUS_FAILED; /* the sentences stand below the table */
			good = false;
		}
		good = judgement_complain(&judgement, complaints, good ? failure : NULL) && good;
	}
	judgement_release(&judgement);
	record_release(&record);
	return good;
}
