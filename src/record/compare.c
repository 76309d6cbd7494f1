#include "record/compare.h"

#include <stdlib.h>
#include <string.h>

#include "compare_parts.h"
#include "support/memory.h"
#include "support/text.h"

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
		sample_make(&samples[i], &row->cells[i], test, row->quantity);
	}
	samples_compare(samples, row->cells, comparison->record_count, row->quantity, contrasts);
	for (size_t i = 0; i < comparison->record_count; i++) {
		sample_release(&samples[i]);
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

/* All tests of all records but those of experiments, which are a comparison of their own. */
static void collect_tests(struct things *things, const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->record_count; i++) {
		for (size_t j = 0; j < comparison->records[i]->test_count; j++) {
			const struct record_test *test = &comparison->records[i]->tests[j];

			if (test->part != PART_EXPERIMENT) {
				things_add(things, test->name, transfer_name(test->transfer), i, j);
			}
		}
	}
}

/*
 * Reference rows are there on request: where the first or the last record was not asked for one, that is no news, and
 * --fail-slower has nothing to judge.
 */
static bool is_compared(const struct comparison *comparison, const struct thing *things, const struct match *match)
{
	const struct thing *first = &things[match->begin], *last = &things[match->end - 1];
	const struct record_test *test = &comparison->records[first->record]->tests[first->index];

	return test->part != PART_DETAIL || (first->record == 0 && last->record + 1 == comparison->record_count);
}

/* Leave out the matches that are not compared; returns how many are left. */
static size_t keep_compared(
	const struct comparison *comparison, const struct thing *things, struct match *matches, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_compared(comparison, things, &matches[i])) {
			matches[kept++] = matches[i];
		}
	}
	return kept;
}

static void find_rows(struct comparison *comparison)
{
	enum quantity compared[QUANTITY_COUNT];
	size_t quantity_count = list_quantities(comparison->records[0]->settings.profile, compared), match_count;
	struct contrasts contrasts = {0};
	struct things things = {0};

	collect_tests(&things, comparison);
	struct match *matches = things_match(&things, &match_count);
	match_count = keep_compared(comparison, things.list, matches, match_count);
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
