/* A comparison in words. */
#include "record/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

/* A warning names so many rows; of more it says how many there are. */
#define ROWS_NAMED_MAX 6
/* An interval that goes beyond this, in per cent, says no more than that. */
#define PERCENT_SHOWN_MAX 1000

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_FASTER] = "faster",
		[VERDICT_SLOWER] = "slower",
		[VERDICT_NO_DIFFERENCE] = "no difference seen",
		[VERDICT_CANNOT_TELL] = "cannot tell",
		[VERDICT_NOT_MEASURED] = "not measured",
	};

	return names[verdict];
}

/* Which record is meant: "before", "after", or "in CN-08R2" where there are more than two. */
static void add_place(struct text *text, const struct comparison *comparison, size_t record)
{
	if (comparison->record_count == 2) {
		text_add(text, record == 0 ? "before" : "after");
	} else {
		text_addf(text, "in %s", comparison->titles[record]);
	}
}

/* Which of two records lack something: " before", " before and after". */
static void add_places(struct text *text, const struct comparison *comparison, bool first, bool other, size_t record)
{
	if (first) {
		text_add(text, " ");
		add_place(text, comparison, 0);
	}
	if (other) {
		text_add(text, first ? " and " : " ");
		add_place(text, comparison, record);
	}
}

static void add_doubt(struct text *text, const struct comparison *comparison, size_t row, size_t record)
{
	const struct comparison_cell *before = &comparison->rows[row].cells[0];
	const struct comparison_cell *after = &comparison->rows[row].cells[record];

	if (isnan(before->value) || isnan(after->value)) {
		text_add(text, ": unknown");
		add_places(text, comparison, isnan(before->value), isnan(after->value), record);
	} else if (isnan(after->difference)) {
		text_add(text, ": a figure is 0");
	} else if (before->runs < 2 && after->runs < 2) {
		text_add(text, ": one run each, use --runs 5");
	} else {
		text_add(text, ": one run");
		add_places(text, comparison, before->runs < 2, after->runs < 2, record);
		text_add(text, ", use --runs 5");
	}
}

char *comparison_verdict_words(const struct comparison *comparison, size_t row, size_t record)
{
	const struct comparison_cell *cells = comparison->rows[row].cells;
	enum verdict verdict = cells[record].verdict;
	struct text text = TEXT_EMPTY;

	text_add(&text, verdict_name(verdict));
	if (verdict == VERDICT_CANNOT_TELL) {
		add_doubt(&text, comparison, row, record);
	} else if (verdict == VERDICT_NOT_MEASURED) {
		add_places(&text, comparison, cells[0].verdict == VERDICT_NOT_MEASURED, cells[record].runs == 0, record);
	}
	return text_detach(&text);
}

/* "+12.3", "0.0", "over +1000". */
static void add_percent(struct text *text, double ratio)
{
	double percent = ratio * 100;

	if (percent > PERCENT_SHOWN_MAX) {
		text_addf(text, "over +%d", PERCENT_SHOWN_MAX);
	} else if (fabs(percent) < 0.05) {
		text_add(text, "0.0");
	} else {
		text_addf(text, "%+.1f", percent);
	}
}

char *comparison_difference_words(const struct comparison_cell *cell)
{
	struct text text = TEXT_EMPTY;

	if (isnan(cell->difference)) {
		return xstrdup("-");
	}
	add_percent(&text, cell->difference);
	text_add(&text, " %");
	if (!isnan(cell->difference_low) && !isnan(cell->difference_high)) {
		text_add(&text, " (");
		add_percent(&text, cell->difference_low);
		text_add(&text, " to ");
		add_percent(&text, cell->difference_high);
		text_add(&text, ")");
	}
	return text_detach(&text);
}

/* "kernel: 6.1.0 before, 6.6.2 after"; of more than two records those with the same value together. */
static char *tell_change(const struct comparison *comparison, const struct comparison_change *change)
{
	struct text text = TEXT_EMPTY;
	bool *is_told = xcalloc(comparison->record_count, sizeof(*is_told));

	text_addf(&text, "%s:", change->what);
	for (size_t i = 0; i < comparison->record_count; i++) {
		if (is_told[i]) {
			continue;
		}
		text_addf(&text, "%s %s ", i > 0 ? "," : "", change->values[i]);
		add_place(&text, comparison, i);
		for (size_t j = i + 1; j < comparison->record_count; j++) {
			if (strcmp(change->values[j], change->values[i]) == 0) {
				is_told[j] = true;
				text_addf(&text, " and %s", comparison->titles[j]);
			}
		}
	}
	free(is_told);
	return text_detach(&text);
}

/* A growing list that ends with NULL. */
struct sentences {
	char **list;
	size_t count;
};

/* Add one; takes it over. */
static void sentences_add(struct sentences *sentences, char *sentence)
{
	sentences->list = xrealloc(sentences->list, (sentences->count + 2) * sizeof(*sentences->list));
	sentences->list[sentences->count++] = sentence;
	sentences->list[sentences->count] = NULL;
}

/* The titles of a record's tests with that mark; how many there are. */
static size_t list_marked(struct text *text, const struct comparison *comparison, size_t record, const char *mark)
{
	size_t count = 0, test_count = 0;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct comparison_row *row = &comparison->rows[i];

		/* A test that is compared in two quantities has two rows. */
		if (i > 0 && row->test == row[-1].test) {
			continue;
		}
		test_count++;
		if (strcmp(row->cells[record].mark, mark) != 0) {
			continue;
		}
		if (count < ROWS_NAMED_MAX) {
			char *title = record_test_title(comparison->records[0], row->test);

			text_addf(text, "%s%s", count > 0 ? ", " : "", title);
			free(title);
		}
		count++;
	}
	if (count > ROWS_NAMED_MAX && count == test_count) {
		text_reset(text);
		text_add(text, "all tests");
	} else if (count > ROWS_NAMED_MAX) {
		text_addf(text, " and %zu more", count - ROWS_NAMED_MAX);
	}
	return count;
}

static void add_mark_warning(
	struct sentences *sentences, const struct comparison *comparison, size_t record, const char *mark)
{
	struct text titles = TEXT_EMPTY, sentence = TEXT_EMPTY;
	size_t count = list_marked(&titles, comparison, record, mark);

	if (count > 0) {
		text_addf(&sentence, "marked %s ", mark);
		add_place(&sentence, comparison, record);
		text_addf(&sentence, ": %s (%s)", text_string(&titles),
			mark[0] == '*' ? "not what the label says, so that the difference may be none of the storage"
						   : "nobody can vouch for it, nor for the difference");
		sentences_add(sentences, text_detach(&sentence));
	}
	text_release(&titles);
	text_release(&sentence);
}

char **comparison_warnings(const struct comparison *comparison)
{
	struct sentences sentences = {.list = xcalloc(1, sizeof(char *))};

	for (size_t i = 0; i < comparison->change_count; i++) {
		sentences_add(&sentences, tell_change(comparison, &comparison->changes[i]));
	}
	for (size_t i = 0; i < comparison->record_count; i++) {
		add_mark_warning(&sentences, comparison, i, "*");
		add_mark_warning(&sentences, comparison, i, "?");
	}
	return sentences.list;
}

/* What a comparison's differences rest on. */
struct basis {
	size_t judged;     /* differences, each judged as one of so many */
	size_t single;     /* those of a single run, which nobody can judge */
	bool has_repeated; /* any figure is that of several runs */
};

static struct basis find_basis(const struct comparison *comparison)
{
	struct basis basis = {0};

	for (size_t i = 0; i < comparison->row_count; i++) {
		for (size_t j = 0; j < comparison->record_count; j++) {
			const struct comparison_cell *cell = &comparison->rows[i].cells[j];
			bool is_judged = !isnan(cell->difference_low);

			basis.judged += is_judged ? 1 : 0;
			basis.single += !is_judged && !isnan(cell->difference) ? 1 : 0;
			basis.has_repeated = basis.has_repeated || cell->runs > 1;
		}
	}
	return basis;
}

char *comparison_method(const struct comparison *comparison)
{
	struct basis basis = find_basis(comparison);
	const char *figures =
		basis.has_repeated
			? "The figures are geometric means of the runs, without the best and the worst where that tells "
			  "a difference more surely; the differences are those of the figures"
			: "Differences of single runs";

	if (basis.judged == 0 && basis.single == 0) {
		return NULL;
	}
	if (basis.judged == 0) {
		return xasprintf("%s: how much of %s is chance, only repeated runs can tell.", figures,
			basis.has_repeated ? "a difference from a single run" : "them");
	}
	return xasprintf("%s; the verdicts hold for all %zu together with %.0f %% (Welch's and Yuen's tests on "
					 "logarithms, Holm's procedure); below %.0f %% none is called one.",
		figures, basis.judged, 100 * (1 - COMPARE_ERROR_RATE), 100 * COMPARE_DIFFERENCE_MIN);
}
