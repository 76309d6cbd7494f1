#include "record/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"
#include "table_parts.h"

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

/* Of reference rows, whose names are longer: within 80 columns. */
static const struct table_column detail_columns[] = {
	{"Test", 18, true},
	{"IOPS", 12, false},
	{"MB/s", 10, false},
	{"p50 lat(us)", 12, false},
	{"p99 lat(us)", 12, false},
	SPREAD_COLUMN,
};

/* A row: one test, or the two directions of one. */
struct row {
	const struct record_test *tests[TRANSFER_COUNT]; /* NULL where there is none */
	struct test_figures figures[TRANSFER_COUNT];
};

size_t table_count_runs(const struct record_test *test)
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

	if (!row->tests[transfer] || table_count_runs(row->tests[transfer]) == 0) {
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
		if (row->tests[transfer] && table_count_runs(row->tests[transfer]) > 0) {
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

		if (row->tests[test->transfer] || test->part != record->tests[first].part ||
			strcmp(test->name, record->tests[first].name) != 0) {
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

static void add_rows(struct table *table, const struct record *record, enum workload_part part, enum score score)
{
	size_t next = 0;

	table->cells = xcalloc(record->test_count * table->column_count, sizeof(*table->cells));
	while (next < record->test_count) {
		const struct record_test *first = &record->tests[next];
		struct row row;

		next = take_row(&row, record, next);
		if (first->part == part && row_has_result(&row)) {
			add_row(table, record, &row, first->name, score);
		}
	}
}

void table_init_part(struct table *table, const struct record *record, enum workload_part part, enum score score)
{
	enum table_shape shape = record->settings.profile->shape;
	bool is_repeated = record->settings.runs > 1, is_narrow = part == PART_DETAIL && shape == TABLE_LATENCY;

	*table = (struct table){.columns = is_narrow ? detail_columns : shapes[shape].columns,
		.column_count = shapes[shape].column_count + (is_repeated ? 1 : 0)};
	add_rows(table, record, part, score);
}

void table_init(struct table *table, const struct record *record, enum score score)
{
	table_init_part(table, record, PART_MAIN, score);
	table_add_footnotes(table, record);
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
