#include "side_by_side.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

#include "words.h"

/* Of column heads; whole titles stand above the table. */
enum { HEAD_COLUMNS_MAX = 28 };

/* As wide as the first column of a result's table. */
enum { NAME_COLUMNS_MIN = 16 };

static const struct comparison_cell *cell_of(const struct comparison *comparison, size_t row, size_t record)
{
	return &comparison->rows[row].cells[record];
}

/* " (MB/s)" where it is the same in all rows; otherwise the rows' own titles say it. The caller frees it. */
static char *find_unit(const struct comparison *comparison)
{
	for (size_t i = 1; i < comparison->row_count; i++) {
		if (comparison->rows[i].quantity != comparison->rows[0].quantity) {
			return xstrdup("");
		}
	}
	return comparison->row_count > 0 ? xasprintf(" (%s)", quantities[comparison->rows[0].quantity].title) : xstrdup("");
}

static char *figure_of(const struct comparison *comparison, size_t row, size_t record)
{
	const struct comparison_cell *cell = cell_of(comparison, row, record);

	return cell->runs > 0 ? figure_words(cell->value, comparison->rows[row].quantity) : xstrdup("-");
}

static enum grid_tone tone_of(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_FASTER:
		return GRID_GOOD;
	case VERDICT_SLOWER:
		return GRID_BAD;
	case VERDICT_CANNOT_TELL:
	case VERDICT_NOT_MEASURED:
		return GRID_DOUBT;
	default:
		return GRID_PLAIN;
	}
}

static void fill_figure(struct grid_cell *cell, const struct comparison *comparison, size_t row, size_t record)
{
	cell->text = figure_of(comparison, row, record);
	cell->mark = cell_of(comparison, row, record)->mark;
	cell->tone = *cell->mark ? GRID_DOUBT : GRID_PLAIN;
}

static void make_pair(struct grid *grid, const struct comparison *comparison)
{
	char *unit = find_unit(comparison);

	grid_add_column(grid, xstrdup("Test"), NAME_COLUMNS_MIN, true);
	grid_add_column(grid, xasprintf("Before%s", unit), 0, false);
	grid_add_column(grid, xasprintf("After%s", unit), 0, false);
	grid_add_column(grid, xstrdup("Difference"), 0, false);
	grid_add_column(grid, xstrdup("Verdict"), 0, true);
	free(unit);
	for (size_t row = 0; row < comparison->row_count; row++) {
		struct grid_cell *cells = grid_add_row(grid);

		cells[0].text = xstrdup(comparison->rows[row].title);
		fill_figure(&cells[1], comparison, row, 0);
		fill_figure(&cells[2], comparison, row, 1);
		cells[3].text = comparison_difference_words(cell_of(comparison, row, 1));
		cells[4].text = comparison_verdict_words(comparison, row, 1);
		cells[4].tone = tone_of(cell_of(comparison, row, 1)->verdict);
	}
}

char *side_by_side_difference(const struct comparison_cell *cell)
{
	struct comparison_cell alone = *cell;

	alone.difference_low = alone.difference_high = (double)NAN;
	return comparison_difference_words(&alone);
}

static void replace(char **string, char *other)
{
	free(*string);
	*string = other;
}

/* The unit stands once, the intervals and what to do are left out: 80 columns are enough. */
static void make_pair_narrow(struct grid *grid, const struct comparison *comparison)
{
	char *unit = find_unit(comparison);

	replace(&grid->columns[0].title, xasprintf("Test%s", unit));
	replace(&grid->columns[1].title, xstrdup("Before"));
	replace(&grid->columns[2].title, xstrdup("After"));
	free(unit);
	for (size_t row = 0; row < comparison->row_count; row++) {
		const struct comparison_cell *cell = cell_of(comparison, row, 1);
		struct grid_cell *cells = &grid->cells[row * grid->column_count];

		replace(&cells[3].text, side_by_side_difference(cell));
		replace(&cells[4].text, xstrdup(verdict_name(cell->verdict)));
	}
}

/* "(+12.3 %)", "(~ +0.4 %)", "(? -3.0 %)", "(?)"; empty where a side was not measured. The caller frees it. */
static char *difference_in_brackets(const struct comparison_cell *cell)
{
	bool is_first = isnan(cell->difference) && cell->verdict != VERDICT_CANNOT_TELL;

	if (is_first || cell->verdict == VERDICT_NOT_MEASURED) {
		return xstrdup("");
	}
	if (isnan(cell->difference)) {
		return xstrdup("(?)");
	}
	const char *sign = cell->verdict == VERDICT_NO_DIFFERENCE ? "~ " : cell->verdict == VERDICT_CANNOT_TELL ? "? " : "";
	char *words = side_by_side_difference(cell);
	char *brackets = xasprintf("(%s%s)", sign, words);

	free(words);
	return brackets;
}

/* How wide the differences of one record get, and whether one of its figures has a mark. */
static size_t measure_brackets(const struct comparison *comparison, size_t record, bool *has_mark)
{
	size_t widest = 0;

	*has_mark = false;
	for (size_t row = 0; row < comparison->row_count; row++) {
		char *brackets = difference_in_brackets(cell_of(comparison, row, record));
		size_t width = strlen(brackets);

		widest = width > widest ? width : widest;
		*has_mark = *has_mark || *cell_of(comparison, row, record)->mark;
		free(brackets);
	}
	return widest;
}

/* Figure, mark and difference in one cell, each below its own. */
static void fill_compared(struct grid *grid, const struct comparison *comparison, size_t record)
{
	bool has_mark = false;
	size_t width = measure_brackets(comparison, record, &has_mark);

	for (size_t row = 0; row < comparison->row_count; row++) {
		const struct comparison_cell *from = cell_of(comparison, row, record);
		struct grid_cell *cell = &grid->cells[row * grid->column_count + record + 1];
		char *figure = figure_of(comparison, row, record);
		char *brackets = difference_in_brackets(from);

		cell->text = xasprintf("%s%s %*s", figure, *from->mark || !has_mark ? from->mark : " ", (int)width, brackets);
		cell->tone = tone_of(from->verdict);
		free(brackets);
		free(figure);
	}
}

static bool has_long_title(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->record_count; i++) {
		if (text_columns(comparison->titles[i]) > HEAD_COLUMNS_MAX) {
			return true;
		}
	}
	return false;
}

static void make_many(struct grid *grid, const struct comparison *comparison)
{
	char *unit = find_unit(comparison);
	bool is_numbered = has_long_title(comparison);

	grid_add_column(grid, xasprintf("Test%s", unit), NAME_COLUMNS_MIN, true);
	free(unit);
	for (size_t i = 0; i < comparison->record_count; i++) {
		char *head = is_numbered ? xasprintf("%zu: %s", i + 1, comparison->titles[i]) : xstrdup(comparison->titles[i]);

		grid_add_column(grid, words_cut(head, HEAD_COLUMNS_MAX), 0, false);
		free(head);
	}
	for (size_t row = 0; row < comparison->row_count; row++) {
		struct grid_cell *cells = grid_add_row(grid);

		cells[0].text = xstrdup(comparison->rows[row].title);
		fill_figure(&cells[1], comparison, row, 0);
	}
	for (size_t i = 1; i < comparison->record_count; i++) {
		fill_compared(grid, comparison, i);
	}
}

bool side_by_side_grid(struct grid *grid, const struct comparison *comparison, size_t room)
{
	*grid = (struct grid){0};
	if (comparison->record_count > 2) {
		make_many(grid, comparison);
		return false;
	}
	make_pair(grid, comparison);
	if (room == 0 || grid_width(grid) <= room) {
		return false;
	}
	make_pair_narrow(grid, comparison);
	return true;
}

char *side_by_side_head(const struct comparison *comparison, size_t record)
{
	char *number = xasprintf("%zu", record + 1);
	const char *who = comparison->record_count > 2 ? number : record == 0 ? "Before" : "After";
	char *time = words_time(comparison->records[record]->started_at);
	const char *title = comparison->titles[record];
	bool says_time = *time == '\0' || strstr(title, time) || strstr(title, comparison->records[record]->started_at);
	char *head = xasprintf("%s: %s%s%s", who, title, says_time ? "" : ", ", says_time ? "" : time);

	free(time);
	free(number);
	return head;
}

static bool has_verdict(const struct comparison *comparison, enum verdict verdict)
{
	for (size_t row = 0; row < comparison->row_count; row++) {
		for (size_t record = 1; record < comparison->record_count; record++) {
			if (cell_of(comparison, row, record)->verdict == verdict) {
				return true;
			}
		}
	}
	return false;
}

static bool has_latency(const struct comparison *comparison)
{
	for (size_t row = 0; row < comparison->row_count; row++) {
		if (!quantities[comparison->rows[row].quantity].is_better_if_larger) {
			return true;
		}
	}
	return false;
}

/* Why nobody can tell. */
enum doubt { DOUBT_RUNS, DOUBT_UNKNOWN, DOUBT_ZERO };
enum { DOUBT_COUNT = 3 };

static enum doubt doubt_of(const struct comparison *comparison, size_t row, size_t record)
{
	const struct comparison_cell *before = cell_of(comparison, row, 0), *after = cell_of(comparison, row, record);

	return isnan(before->value) || isnan(after->value) ? DOUBT_UNKNOWN
		   : isnan(after->difference)                  ? DOUBT_ZERO
													   : DOUBT_RUNS;
}

char *side_by_side_doubts(const struct comparison *comparison)
{
	static const char *const words[DOUBT_COUNT] = {
		[DOUBT_RUNS] = "one run on a side, use --runs 5",
		[DOUBT_UNKNOWN] = "a figure is unknown",
		[DOUBT_ZERO] = "a figure is 0",
	};
	bool has[DOUBT_COUNT] = {false};
	struct text text = TEXT_EMPTY;

	for (size_t row = 0; row < comparison->row_count; row++) {
		for (size_t record = 1; record < comparison->record_count; record++) {
			if (cell_of(comparison, row, record)->verdict == VERDICT_CANNOT_TELL) {
				has[doubt_of(comparison, row, record)] = true;
			}
		}
	}
	for (int doubt = 0; doubt < DOUBT_COUNT; doubt++) {
		if (has[doubt]) {
			text_addf(&text, "%s%s", text.length > 0 ? ", or " : "cannot tell: ", words[doubt]);
		}
	}
	return text.length > 0 ? text_detach(&text) : NULL;
}

static bool is_told(char *const *told, size_t count, const char *words)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(told[i], words) == 0) {
			return true;
		}
	}
	return false;
}

/* Each different reason why of two records nobody can tell, which are few; NULL where there is none. */
static char *doubts_in_full(const struct comparison *comparison)
{
	enum { REASONS_MAX = 8 };
	char *told[REASONS_MAX];
	size_t count = 0;
	struct text text = TEXT_EMPTY;

	for (size_t row = 0; row < comparison->row_count && count < REASONS_MAX; row++) {
		if (cell_of(comparison, row, 1)->verdict != VERDICT_CANNOT_TELL) {
			continue;
		}
		char *words = comparison_verdict_words(comparison, row, 1);

		if (is_told(told, count, words)) {
			free(words);
		} else {
			told[count++] = words;
			text_addf(&text, "%s%s.", text.length > 0 ? " " : "", words);
		}
	}
	for (size_t i = 0; i < count; i++) {
		free(told[i]);
	}
	return text.length > 0 ? text_detach(&text) : NULL;
}

/* What the signs in the cells of more than two mean. */
static char *explain_signs(const struct comparison *comparison)
{
	char *doubts = side_by_side_doubts(comparison);
	struct text text = TEXT_EMPTY;

	text_add(&text, "In brackets: the difference to the first measurement");
	if (has_verdict(comparison, VERDICT_NO_DIFFERENCE)) {
		text_add(&text, "; ~ no difference seen");
	}
	if (doubts) {
		text_addf(&text, "; ? %s", doubts);
	}
	if (has_verdict(comparison, VERDICT_NOT_MEASURED)) {
		text_add(&text, "; - not measured");
	}
	if (has_latency(comparison)) {
		text_add(&text, "; of latencies less is better");
	}
	text_add(&text, ".");
	free(doubts);
	return text_detach(&text);
}

char *side_by_side_legend(const struct comparison *comparison, bool is_narrow)
{
	if (comparison->record_count == 2) {
		return is_narrow ? doubts_in_full(comparison) : NULL;
	}
	return explain_signs(comparison);
}
