#include "record/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_parts.h"
#include "support/memory.h"
#include "support/statistics.h"
#include "support/text.h"

/* The logarithms of one test's runs. */
struct sample {
	size_t valid_runs;
	double *logarithms;  /* owned */
	size_t count;        /* of known values */
	bool has_logarithms; /* false where a value is 0 or less */
	double first;        /* of the values */
	double median;
};

/* The geometric mean. One of the values is taken out as a factor, so that equal values have just that mean. */
static double find_mean(const struct sample *sample, double trim)
{
	double *ratios = xmalloc(sample->count * sizeof(*ratios)), mean;

	for (size_t i = 0; i < sample->count; i++) {
		ratios[i] = sample->logarithms[i] - log(sample->first);
	}
	mean = statistics_trimmed_mean(ratios, sample->count, trim);
	free(ratios);
	return sample->first * exp(mean);
}

static void sample_make(struct sample *sample, const struct record_test *test, enum quantity quantity)
{
	sample->logarithms = test_values(test, quantity, &sample->count);
	sample->median = statistics_median(sample->logarithms, sample->count); /* they are values yet */
	sample->has_logarithms = sample->count > 0;
	sample->first = sample->count > 0 ? sample->logarithms[0] : (double)NAN;
	for (size_t i = 0; i < sample->count; i++) {
		double value = sample->logarithms[i];

		sample->has_logarithms = sample->has_logarithms && value > 0 && !isinf(value);
		sample->logarithms[i] = log(value);
	}
}

/* What a row shows of one record, and the sample that it is compared by. `test` is NULL where the record lacks it. */
static void cell_make(
	struct comparison_cell *cell, struct sample *sample, const struct record_test *test, enum quantity quantity)
{
	double unknown = (double)NAN;
	struct test_figures figures;

	*sample = (struct sample){0};
	*cell = (struct comparison_cell){.test = test,
		.value = unknown,
		.mark = "",
		.difference = unknown,
		.difference_low = unknown,
		.difference_high = unknown,
		.verdict = VERDICT_NOT_MEASURED};
	if (!test) {
		return;
	}
	test_figures_make(&figures, test);
	sample_make(sample, test, quantity);
	sample->valid_runs = figures.valid_runs;
	cell->runs = sample->count;
	cell->value = sample->median;
	cell->mark = figures.mark;
	if (figures.valid_runs > 0) {
		cell->verdict = VERDICT_NO_DIFFERENCE;
	}
}

/* Whether a difference of the two can be told. */
static bool are_comparable(const struct sample *before, const struct sample *after)
{
	return before->valid_runs > 0 && after->valid_runs > 0 && before->has_logarithms && after->has_logarithms;
}

/* The two ends of a difference. */
static struct contrast_ends ends_of(const struct sample *before, const struct sample *after)
{
	return (struct contrast_ends){.before = before->logarithms,
		.before_count = before->count,
		.after = after->logarithms,
		.after_count = after->count};
}

/*
 * How a row is judged: with all runs, or without the best and the worst of them, whichever tells a difference more
 * surely. As these are two attempts, each has half of the error. With few runs nothing is left out, and it is one.
 */
static struct contrast_way choose_way(const struct sample *samples, size_t count, enum quantity quantity)
{
	struct contrast_way ways[] = {{.trim = 0, .attempts = 1}, {.trim = COMPARE_TRIM, .attempts = 2}};
	double least[2] = {1, 1};
	bool is_trimmed = false;

	for (size_t i = 0; i < count; i++) {
		is_trimmed = is_trimmed || contrast_is_trimmed(samples[i].count);
	}
	for (size_t i = 1; is_trimmed && i < count; i++) {
		for (size_t way = 0; way < 2 && are_comparable(&samples[0], &samples[i]); way++) {
			struct contrast_ends ends = ends_of(&samples[0], &samples[i]);

			least[way] = fmin(least[way], contrast_probability(&ends, quantity, ways[way].trim));
		}
	}
	ways[0].attempts = is_trimmed ? 2 : 1;
	return least[1] < least[0] ? ways[1] : ways[0];
}

/* Take the difference of two samples into the contrasts, unless nobody can tell. */
static void cell_compare(struct contrasts *contrasts, struct comparison_cell *cell, const struct sample *before,
	const struct sample *after, enum quantity quantity, const struct contrast_way *way)
{
	if (before->valid_runs == 0 || after->valid_runs == 0) {
		cell->verdict = VERDICT_NOT_MEASURED;
		return;
	}
	cell->verdict = VERDICT_CANNOT_TELL;
	if (are_comparable(before, after)) {
		struct contrast_ends ends = ends_of(before, after);

		contrasts_add(contrasts, cell, quantity, &ends, way);
	}
}

/* Compare the samples of a row with its first. */
static void row_compare(
	struct contrasts *contrasts, struct comparison_row *row, const struct sample *samples, size_t count)
{
	struct contrast_way way = choose_way(samples, count, row->quantity);

	for (size_t i = 0; i < count; i++) {
		if (samples[i].has_logarithms) {
			row->cells[i].value = find_mean(&samples[i], way.trim);
		}
		if (i > 0) {
			cell_compare(contrasts, &row->cells[i], &samples[0], &samples[i], row->quantity, &way);
		}
	}
}

/* Which quantities of a profile are compared. */
static size_t list_quantities(const struct profile *profile, enum quantity *list)
{
	list[0] = profile_main_quantity(profile);
	list[1] = QUANTITY_P99;
	return profile->shape == TABLE_LATENCY ? 2 : 1;
}

/* Fill one row from a match. */
static void row_make(struct contrasts *contrasts, struct comparison *comparison, struct comparison_row *row,
	const struct thing *things, const struct match *match)
{
	struct sample *samples = xcalloc(comparison->record_count, sizeof(*samples));

	row->cells = xcalloc(comparison->record_count, sizeof(*row->cells));
	for (size_t i = 0, at = match->begin; i < comparison->record_count; i++) {
		const struct record_test *test = NULL;

		/* A test that a file has twice counts once. */
		for (; at < match->end && things[at].record == i; at++) {
			test = test ? test : &comparison->records[i]->tests[things[at].index];
		}
		cell_make(&row->cells[i], &samples[i], test, row->quantity);
	}
	row_compare(contrasts, row, samples, comparison->record_count);
	for (size_t i = 0; i < comparison->record_count; i++) {
		free(samples[i].logarithms);
	}
	free(samples);
}

/* The row of a test, by the first record that has it, without its cells. */
static void row_begin(struct comparison_row *row, const struct record *owner, size_t test, enum quantity quantity)
{
	row->test = &owner->tests[test];
	row->quantity = quantity;
	row->title = record_test_title(owner, row->test);
	if (owner->settings.profile->shape == TABLE_LATENCY) { /* several quantities of each test */
		char *title = xasprintf("%s %s", row->title, quantities[quantity].title);

		free(row->title);
		row->title = title;
	}
}

/* All tests of all records. */
static void collect_tests(struct things *things, const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->record_count; i++) {
		for (size_t j = 0; j < comparison->records[i]->test_count; j++) {
			const struct record_test *test = &comparison->records[i]->tests[j];

			things_add(things, test->name, transfer_name(test->transfer), i, j);
		}
	}
}

static void find_rows(struct comparison *comparison)
{
	enum quantity compared[QUANTITY_COUNT];
	size_t quantity_count = list_quantities(comparison->records[0]->settings.profile, compared), match_count;
	struct contrasts contrasts = {0};
	struct things things = {0};

	collect_tests(&things, comparison);
	struct match *matches = things_match(&things, &match_count);
	comparison->row_count = match_count * quantity_count;
	comparison->rows = xcalloc(comparison->row_count, sizeof(*comparison->rows));
	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct match *match = &matches[i / quantity_count];
		const struct thing *first = &things.list[match->begin];

		row_begin(&comparison->rows[i], comparison->records[first->record], first->index, compared[i % quantity_count]);
		row_make(&contrasts, comparison, &comparison->rows[i], things.list, match);
	}
	contrasts_conclude(&contrasts);
	contrasts_release(&contrasts);
	free(matches);
	things_release(&things);
}

/* Whether another record has the same title. */
static bool title_is_taken(const struct comparison *comparison, size_t record)
{
	for (size_t i = 0; i < comparison->record_count; i++) {
		if (i != record && strcmp(comparison->titles[i], comparison->titles[record]) == 0) {
			return true;
		}
	}
	return false;
}

/* Add something in brackets to a title. */
static void extend_title(char **title, const char *addition)
{
	char *extended = xasprintf("%s (%s)", *title, addition);

	free(*title);
	*title = extended;
}

static void find_titles(struct comparison *comparison, const char *const *names)
{
	size_t count = comparison->record_count;
	bool *taken = xcalloc(count, sizeof(*taken));

	comparison->titles = xcalloc(count, sizeof(*comparison->titles));
	for (size_t i = 0; i < count; i++) {
		comparison->titles[i] = record_title(comparison->records[i]);
	}
	/* All that are called the same get their file's name: which of them would else be meant by the short one? */
	for (size_t i = 0; i < count; i++) {
		taken[i] = title_is_taken(comparison, i);
	}
	for (size_t i = 0; i < count; i++) {
		if (taken[i]) {
			char *name = text_printable(names[i]);

			extend_title(&comparison->titles[i], name);
			free(name);
		}
	}
	/* The same file twice, perhaps. */
	for (size_t i = 1; i < count; i++) {
		for (size_t number = 2; title_is_taken(comparison, i); number++) {
			char *digits = xasprintf("%zu", number);

			extend_title(&comparison->titles[i], digits);
			free(digits);
		}
	}
	free(taken);
}

bool comparison_fits(
	const struct record *record, const char *name, const struct profile *profile, struct failure *failure)
{
	const struct profile *other = record->settings.profile;

	if (other == profile) {
		return true;
	}
	char *shown = text_printable(name);
	failure_set(failure, STATUS_USAGE,
		"'%s' holds the %s profile, which cannot be compared with the %s profile; measure with the same one", shown,
		other->key, profile->key);
	free(shown);
	return false;
}

bool comparison_make(struct comparison *comparison, const struct record *const *records, const char *const *names,
	size_t count, struct failure *failure)
{
	*comparison = (struct comparison){0};
	for (size_t i = 1; i < count; i++) {
		if (!comparison_fits(records[i], names[i], records[0]->settings.profile, failure)) {
			return false;
		}
	}
	*comparison = (struct comparison){.records = records, .record_count = count};
	find_titles(comparison, names);
	find_rows(comparison);
	comparison_find_changes(comparison);
	return true;
}

void comparison_release(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->row_count; i++) {
		free(comparison->rows[i].title);
		free(comparison->rows[i].cells);
	}
	for (size_t i = 0; i < comparison->change_count; i++) {
		for (size_t j = 0; j < comparison->record_count; j++) {
			free(comparison->changes[i].values[j]);
		}
		free(comparison->changes[i].values);
		free(comparison->changes[i].what);
	}
	for (size_t i = 0; i < comparison->record_count; i++) {
		free(comparison->titles[i]);
	}
	free(comparison->rows);
	free(comparison->changes);
	free(comparison->titles);
	*comparison = (struct comparison){0};
}
