#include "record/threshold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "threshold_parts.h"

/* Decimals are added until a number and its limit look different; a double has no more. */
#define DECIMALS_MAX 17

/* How a quantity is told: "p99 of 620.3 us". */
static const struct {
	const char *before;
	const char *unit;
	int decimals;
} words[QUANTITY_COUNT] = {
	[QUANTITY_BANDWIDTH] = {"", "MB/s", 2},
	[QUANTITY_IOPS] = {"", "IOPS", 0},
	[QUANTITY_P50] = {"p50 of ", "us", 1},
	[QUANTITY_P99] = {"p99 of ", "us", 1},
};

/* Add an outcome; takes the strings over. */
static void add_outcome(struct threshold_outcomes *outcomes, struct threshold_outcome outcome)
{
	outcomes->list = xrealloc(outcomes->list, (outcomes->count + 1) * sizeof(*outcomes->list));
	outcomes->list[outcomes->count++] = outcome;
}

/* What a mark means for a limit that was met; NULL without a mark. The caller frees it. */
static char *tell_mark(const char *title, const char *option, const char *mark)
{
	if (!mark[0]) {
		return NULL;
	}
	return xasprintf("%s: %s is met by a number marked %s, %s", title, option, mark,
		mark[0] == '*' ? "which is not what its label says" : "for which nobody can vouch");
}

/* A number with as many decimals as it takes to see that it is not the limit. The caller frees it. */
static char *format_beside(double value, double limit, int decimals)
{
	for (;; decimals++) {
		char *shown = xasprintf("%.*f", decimals, value), *other = xasprintf("%.*f", decimals, limit);
		bool is_seen = strcmp(shown, other) != 0 || decimals >= DECIMALS_MAX;

		free(other);
		if (is_seen) {
			return shown;
		}
		free(shown);
	}
}

static char *tell_miss(const char *title, const struct threshold *threshold, double value, const char *mark)
{
	enum quantity quantity = threshold->quantity;
	double unit = quantities[quantity].threshold_unit, limit = threshold->limit / unit;
	char *shown = format_beside(value / unit, limit, words[quantity].decimals);
	char *sentence = xasprintf("%s: %s%s %s, %s than the %.15g %s%s%s%s", title, words[quantity].before, shown,
		words[quantity].unit, threshold->is_floor ? "less" : "more", limit,
		threshold->is_floor ? "asked for" : "allowed", mark[0] ? " (marked " : "", mark, mark[0] ? ")" : "");

	free(shown);
	return sentence;
}

/* The title of a test that the record may lack. The caller frees it. */
static char *find_title(const struct record *record, const struct threshold *threshold, const struct record_test **test)
{
	struct failure failure = FAILURE_NONE;
	enum transfer transfer = TRANSFER_READ;
	const struct workload *workload = threshold_find(threshold, record->settings.profile, &transfer, &failure);
	char *name = workload ? record_workload_name(workload) : xstrdup(threshold->test);
	struct record_test wanted = {.name = name, .transfer = transfer};
	char *title = record_test_title(record, &wanted);

	*test = workload ? record_find_test(record, name, transfer) : NULL;
	failure_clear(&failure);
	free(name);
	return title;
}

static void judge(struct threshold_outcomes *outcomes, const struct threshold *threshold, const struct record *record,
	enum score score)
{
	struct threshold_outcome outcome = {.value = (double)NAN, .state = THRESHOLD_NOT_MEASURED};
	struct test_figures figures = {.mark = ""};
	const struct record_test *test;
	char *title = find_title(record, threshold, &test);

	outcome.text = xasprintf("--fail-%s '%s'", threshold->is_floor ? "below" : "above", threshold->text);
	if (test) {
		test_figures_make(&figures, test);
		outcome.value = test_figure(&figures, threshold->quantity, score);
	}
	if (isnan(outcome.value)) {
		outcome.sentence = xasprintf("%s: not measured, so that nobody can judge %s", title, outcome.text);
	} else if (threshold->is_floor ? outcome.value < threshold->limit : outcome.value > threshold->limit) {
		outcome.state = THRESHOLD_MISSED;
		outcome.sentence = tell_miss(title, threshold, outcome.value, figures.mark);
	} else {
		outcome.state = THRESHOLD_MET;
		outcome.sentence = tell_mark(title, outcome.text, figures.mark);
	}
	free(title);
	add_outcome(outcomes, outcome);
}

void thresholds_judge(struct threshold_outcomes *outcomes, const struct threshold *thresholds, size_t count,
	const struct record *record, enum score score)
{
	for (size_t i = 0; i < count; i++) {
		judge(outcomes, &thresholds[i], record, score);
	}
}

/* The graver mark of both sides. */
static const char *find_mark(const struct comparison_cell *before, const struct comparison_cell *after)
{
	return before->mark[0] == '*' || !after->mark[0] ? before->mark : after->mark;
}

static char *tell_slower(const struct comparison *comparison, size_t row, double percent)
{
	size_t last = comparison->record_count - 1;
	const struct comparison_cell *cell = &comparison->rows[row].cells[last];
	const char *mark = find_mark(&comparison->rows[row].cells[0], cell);
	char *difference = comparison_difference_words(cell);
	char *doubt = cell->verdict == VERDICT_CANNOT_TELL ? comparison_verdict_words(comparison, row, last) : NULL;
	char *sentence = xasprintf("%s: %s, slower by more than the %.15g %% allowed%s%s%s%s%s%s",
		comparison->rows[row].title, difference, percent, doubt ? " (" : "", doubt ? doubt : "", doubt ? ")" : "",
		mark[0] ? " (marked " : "", mark, mark[0] ? ")" : "");

	free(doubt);
	free(difference);
	return sentence;
}

/* A loss above the limit that may be chance, or none; NULL where it is none such. The caller frees it. */
static char *tell_doubt(const struct comparison *comparison, size_t row, double percent)
{
	const struct comparison_cell *cell = &comparison->rows[row].cells[comparison->record_count - 1];

	/* One that is known well and yet is none is smaller than those that are called one: more runs tell no more. */
	if (!(cell->difference_low <= 0 && cell->difference_high >= 0)) {
		return NULL;
	}
	char *difference = comparison_difference_words(cell);
	char *sentence = xasprintf("%s: a loss of more than %.15g %% is not ruled out: %s; use more --runs",
		comparison->rows[row].title, percent, difference);
	free(difference);
	return sentence;
}

static void judge_slower(
	struct threshold_outcomes *outcomes, const struct comparison *comparison, size_t row, double percent)
{
	size_t last = comparison->record_count - 1;
	const struct comparison_row *judged = &comparison->rows[row];
	const struct comparison_cell *cell = &judged->cells[last];
	bool is_better_if_larger = quantities[judged->quantity].is_better_if_larger;
	double loss = is_better_if_larger ? -cell->difference : cell->difference;
	/* Where it can be told whether a difference is noise, the verdict has done so. */
	bool counts = cell->verdict == VERDICT_SLOWER || cell->verdict == VERDICT_CANNOT_TELL;
	struct threshold_outcome outcome = {.value = cell->difference, .state = THRESHOLD_NOT_MEASURED};

	outcome.text = xasprintf("--fail-slower %.15g", percent);
	if (isnan(loss)) {
		char *why = comparison_verdict_words(comparison, row, last);

		outcome.sentence = xasprintf("%s: %s, so that nobody can judge %s", judged->title, why, outcome.text);
		free(why);
	} else if (counts && loss * 100 > percent) {
		outcome.state = THRESHOLD_MISSED;
		outcome.sentence = tell_slower(comparison, row, percent);
	} else {
		outcome.state = THRESHOLD_MET;
		outcome.sentence = loss * 100 > percent ? tell_doubt(comparison, row, percent) : NULL;
	}
	add_outcome(outcomes, outcome);
}

/* One line for all: the warnings of the comparison name the rows. */
static void add_mark_warning(struct threshold_outcome *outcome, size_t marked, size_t rows)
{
	char *before = outcome->sentence;

	outcome->sentence = xasprintf("%s%s%s is met by numbers with a mark (%zu of %zu rows), which cannot be relied on",
		before ? before : "", before ? "; " : "", outcome->text, marked, rows);
	free(before);
}

void thresholds_judge_slower(struct threshold_outcomes *outcomes, const struct comparison *comparison, double percent)
{
	size_t last = comparison->record_count - 1, marked = 0, first_marked = 0;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct comparison_cell *cells = comparison->rows[i].cells;

		judge_slower(outcomes, comparison, i, percent);
		if (outcomes->list[outcomes->count - 1].state == THRESHOLD_MET && find_mark(&cells[0], &cells[last])[0]) {
			first_marked = marked++ == 0 ? outcomes->count - 1 : first_marked;
		}
	}
	if (marked > 0) {
		add_mark_warning(&outcomes->list[first_marked], marked, comparison->row_count);
	}
}

size_t thresholds_count(const struct threshold_outcomes *outcomes, enum threshold_state state)
{
	size_t count = 0;

	for (size_t i = 0; i < outcomes->count; i++) {
		count += outcomes->list[i].state == state;
	}
	return count;
}

void threshold_outcomes_release(struct threshold_outcomes *outcomes)
{
	for (size_t i = 0; i < outcomes->count; i++) {
		free(outcomes->list[i].text);
		free(outcomes->list[i].sentence);
	}
	free(outcomes->list);
	*outcomes = (struct threshold_outcomes){0};
}
