#include "record/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

/* Where a column's numbers come from; the first column is the row's name. */
struct source {
	enum transfer transfer;
	enum quantity quantity;
	bool any_transfer; /* the row has only one direction */
};

enum { COLUMNS_MAX = 5 };

#define SPREAD_COLUMN                                                                                                  \
	{                                                                                                                  \
		"Spread (CV)", 15, true                                                                                        \
	}

/* THE shapes: columns and where their numbers come from. The last column is there where tests were repeated. */
static const struct {
	struct table_column columns[COLUMNS_MAX + 1];
	struct source sources[COLUMNS_MAX];
	size_t column_count;
} shapes[] = {
	[TABLE_READ_WRITE] =
		{
			.columns = {{"Test", 16, true}, {"Read (MB/s)", 14, false}, {"Write (MB/s)", 14, false},
				{"Read (IOPS)", 14, false}, {"Write (IOPS)", 14, false}, SPREAD_COLUMN},
			.sources = {{0}, {TRANSFER_READ, QUANTITY_BANDWIDTH, false}, {TRANSFER_WRITE, QUANTITY_BANDWIDTH, false},
				{TRANSFER_READ, QUANTITY_IOPS, false}, {TRANSFER_WRITE, QUANTITY_IOPS, false}},
			.column_count = 5,
		},
	[TABLE_LATENCY] =
		{
			.columns = {{"Test", 16, true}, {"IOPS", 12, false}, {"MB/s", 12, false}, {"p50 lat(us)", 12, false},
				{"p99 lat(us)", 12, false}, SPREAD_COLUMN},
			.sources = {{0}, {TRANSFER_WRITE, QUANTITY_IOPS, false}, {TRANSFER_WRITE, QUANTITY_BANDWIDTH, false},
				{TRANSFER_WRITE, QUANTITY_P50, false}, {TRANSFER_WRITE, QUANTITY_P99, false}},
			.column_count = 5,
		},
	[TABLE_RATE] =
		{
			.columns = {{"Test", 24, true}, {"MB/s", 14, false}, SPREAD_COLUMN},
			.sources = {{0}, {TRANSFER_WRITE, QUANTITY_BANDWIDTH, true}},
			.column_count = 2,
		},
};

/* A row: one test, or the two directions of one. */
struct row {
	const struct record_test *tests[TRANSFER_COUNT]; /* NULL where there is none */
	struct test_figures figures[TRANSFER_COUNT];
};

/* The runs that were asked for: all but the warm-up's. */
static size_t count_runs(const struct record_test *test)
{
	size_t count = 0;

	for (size_t i = 0; i < test->run_count; i++) {
		count += test->runs[i].pass > 0 ? 1 : 0;
	}
	return count;
}

/* A figure that does not count stands in brackets, never as a plain number; that of a warm-up nowhere. */
static struct table_cell make_failed_cell(const struct record_run *run, enum quantity quantity)
{
	if (!run || run->pass == 0) {
		return (struct table_cell){.text = xstrdup("failed"), .mark = "", .is_failure = true};
	}
	char *figure = figure_words(run->figures[quantity], quantity);
	struct table_cell cell = {.text = xasprintf("[%s]", figure), .mark = "", .is_failure = true};

	free(figure);
	return cell;
}

static struct table_cell make_cell(const struct row *row, const struct source *source, enum score score)
{
	bool turned = !row->tests[source->transfer] && source->any_transfer;
	enum transfer transfer = turned ? TRANSFER_READ : source->transfer;
	const struct test_figures *figures = &row->figures[transfer];

	if (!row->tests[transfer] || count_runs(row->tests[transfer]) == 0) {
		return (struct table_cell){.text = xstrdup("-"), .mark = ""};
	}
	if (figures->valid_runs == 0) {
		return make_failed_cell(figures->failed, source->quantity);
	}
	return (struct table_cell){
		.text = figure_words(test_figure(figures, source->quantity, score), source->quantity), .mark = figures->mark};
}

/* How much the runs of a row differ, by the worse of its directions. */
static struct table_cell make_spread(const struct row *row, enum quantity quantity)
{
	double cv = (double)NAN;

	for (int transfer = 0; transfer < TRANSFER_COUNT; transfer++) {
		if (row->tests[transfer]) {
			cv = fmax(cv, row->figures[transfer].cv[quantity]); /* passes over NAN */
		}
	}
	return (struct table_cell){
		.text = isnan(cv) ? xstrdup("-") : xasprintf("%.1f %% %s", cv * 100, spread_rating(cv)), .mark = ""};
}

/* The name as the profile's table pads it; that of a file from elsewhere as it is. The caller frees it. */
static char *padded_name(const struct profile *profile, const char *name)
{
	const char *padded = name;

	for (size_t i = 0; i < profile->workload_count; i++) {
		char *plain = record_workload_name(&profile->workloads[i]);

		padded = strcmp(plain, name) == 0 ? profile->workloads[i].name : padded;
		free(plain);
	}
	return xstrdup(padded);
}

static bool row_has_result(const struct row *row)
{
	for (int transfer = 0; transfer < TRANSFER_COUNT; transfer++) {
		if (row->tests[transfer] && count_runs(row->tests[transfer]) > 0) {
			return true;
		}
	}
	return false;
}

/* Take the row that begins with that test; returns where the next one begins. */
static size_t take_row(struct row *row, const struct record *record, size_t first)
{
	size_t next = first;

	*row = (struct row){0};
	while (next < record->test_count) {
		const struct record_test *test = &record->tests[next];

		if (row->tests[test->transfer] || strcmp(test->name, record->tests[first].name) != 0) {
			break;
		}
		row->tests[test->transfer] = test;
		test_figures_make(&row->figures[test->transfer], test);
		next++;
	}
	return next;
}

static void add_row(
	struct table *table, const struct record *record, const struct row *row, const char *name, enum score score)
{
	const struct profile *profile = record->settings.profile;
	struct table_cell *cells = &table->cells[table->row_count * table->column_count];
	size_t figures = shapes[profile->shape].column_count;

	cells[0] = (struct table_cell){.text = padded_name(profile, name), .mark = ""};
	for (size_t column = 1; column < figures; column++) {
		cells[column] = make_cell(row, &shapes[profile->shape].sources[column], score);
	}
	if (table->column_count > figures) {
		cells[figures] = make_spread(row, profile_main_quantity(profile));
	}
	table->row_count++;
}

static void add_rows(struct table *table, const struct record *record, enum score score)
{
	size_t next = 0;

	table->cells = xcalloc(record->test_count * table->column_count, sizeof(*table->cells));
	while (next < record->test_count) {
		const char *name = record->tests[next].name;
		struct row row;

		next = take_row(&row, record, next);
		if (row_has_result(&row)) {
			add_row(table, record, &row, name, score);
		}
	}
}

static void add_footnote(struct table *table, char *sentence)
{
	table->footnotes = xrealloc(table->footnotes, (table->footnote_count + 1) * sizeof(*table->footnotes));
	table->footnotes[table->footnote_count++] = sentence;
}

static const char *or_empty(const char *string)
{
	return string ? string : "";
}

/* Runs that failed alike together, among them the first one first. */
static int compare_failures(const void *a, const void *b)
{
	const struct record_run *first = *(const struct record_run *const *)a,
							*second = *(const struct record_run *const *)b;
	int order = strcmp(or_empty(first->reason), or_empty(second->reason));

	order = order != 0 ? order : strcmp(or_empty(first->failure_id), or_empty(second->failure_id));
	return order != 0 ? order : first < second ? -1 : first > second ? 1 : 0;
}

static bool fail_alike(const struct record_run *first, const struct record_run *second)
{
	return strcmp(or_empty(first->reason), or_empty(second->reason)) == 0 &&
		   strcmp(or_empty(first->failure_id), or_empty(second->failure_id)) == 0;
}

/*
 * How many runs of the warm-up, or of all other passes, failed as each did: the number stands with the first of them,
 * 0 with the others. A file may hold any number of runs, so they are sorted. The caller frees it.
 */
static size_t *count_failures(const struct record_test *test, bool in_warmup)
{
	const struct record_run **failed = xcalloc(test->run_count, sizeof(*failed));
	size_t *counts = xcalloc(test->run_count, sizeof(*counts));
	size_t failed_count = 0;

	for (size_t i = 0; i < test->run_count; i++) {
		if (test->runs[i].outcome == OUTCOME_FAILED && (test->runs[i].pass == 0) == in_warmup) {
			failed[failed_count++] = &test->runs[i];
		}
	}
	qsort(failed, failed_count, sizeof(*failed), compare_failures);
	for (size_t i = 0, first = 0; i < failed_count; i++) {
		first = fail_alike(failed[first], failed[i]) ? first : i;
		counts[failed[first] - test->runs]++;
	}
	free(failed);
	return counts;
}

/* "RND4K Q1T1 read failed in 2 of 5 runs: reason." */
static void add_failure(struct table *table, const char *title, const struct record_run *run, const char *where)
{
	const char *reason = run->reason ? run->reason : "nobody knows why";

	add_footnote(table, run->failure_id ? xasprintf("%s failed%s: %s [%s]", title, where, reason, run->failure_id)
										: xasprintf("%s failed%s: %s.", title, where, reason));
}

static void add_failures_of(
	struct table *table, const struct record *record, const struct record_test *test, bool in_warmup)
{
	size_t *counts = count_failures(test, in_warmup), runs = count_runs(test);
	char *title = record_test_title(record, test);

	for (size_t i = 0; i < test->run_count; i++) {
		char *where = in_warmup  ? xstrdup(" in the warm-up")
					  : runs > 1 ? xasprintf(" in %zu of %zu runs", counts[i], runs)
								 : xstrdup("");

		if (counts[i] > 0) {
			add_failure(table, title, &test->runs[i], where);
		}
		free(where);
	}
	free(title);
	free(counts);
}

static void add_failures(struct table *table, const struct record *record, bool in_warmup)
{
	for (size_t i = 0; i < record->test_count; i++) {
		add_failures_of(table, record, &record->tests[i], in_warmup);
	}
}

static void add_findings(struct table *table, const struct record *record)
{
	for (size_t i = 0; i < record->finding_count; i++) {
		const struct record_finding *finding = &record->findings[i];

		add_footnote(table, xasprintf("%s %s", *finding->mark ? finding->mark : " ", finding->sentence));
	}
}

void table_init(struct table *table, const struct record *record, enum score score)
{
	enum table_shape shape = record->settings.profile->shape;
	bool is_repeated = record->settings.runs > 1;

	*table = (struct table){
		.columns = shapes[shape].columns, .column_count = shapes[shape].column_count + (is_repeated ? 1 : 0)};
	add_rows(table, record, score);
	add_failures(table, record, false);
	add_failures(table, record, true);
	add_findings(table, record);
	table->closing = xstrdup(record->checked);
}

void table_release(struct table *table)
{
	for (size_t i = 0; i < table->row_count * table->column_count; i++) {
		free(table->cells[i].text);
	}
	for (size_t i = 0; i < table->footnote_count; i++) {
		free(table->footnotes[i]);
	}
	free(table->cells);
	free(table->footnotes);
	free(table->closing);
	*table = (struct table){0};
}
