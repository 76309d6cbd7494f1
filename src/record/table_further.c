/* The tables beside a record's own: reference rows, the experiment; and where the commits' time goes. */
#include "table_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/stages.h"
#include "support/memory.h"
#include "support/statistics.h"

/* THE columns of the experiment, within 80 columns of a terminal, and where their numbers come from. */
static const struct table_column stage_columns[] = {
	{"T1, 4K sync", 22, true},
	{"IOPS", 6, false},
	{"p50 us", 8, false},
	{"p99 us", 8, false},
	{"Change of p50", 17, true},
};
static const enum quantity stage_quantities[] = {QUANTITY_IOPS, QUANTITY_P50, QUANTITY_P99};

enum { STAGE_COLUMNS = sizeof(stage_columns) / sizeof(stage_columns[0]) };
enum { STAGE_QUANTITIES = sizeof(stage_quantities) / sizeof(stage_quantities[0]) };

const char *further_table_heading(enum further_table which)
{
	static const char *const headings[FURTHER_TABLE_COUNT] = {
		[FURTHER_DETAIL] = "Primitives and block sizes",
		[FURTHER_STAGES] = "The experiment",
	};

	return headings[which];
}

/* By the medians, whatever the score: between these is the change. */
static void add_stage(struct table *table, const struct stage *stage)
{
	struct table_cell *cells = &table->cells[table->row_count++ * table->column_count];
	const char *name = stage->test->stage ? stage->test->stage : stage->test->name;

	cells[0] = (struct table_cell){.text = xstrdup(name), .mark = ""};
	for (size_t i = 0; i < STAGE_QUANTITIES; i++) {
		double value = test_figure(&stage->figures, stage_quantities[i], SCORE_MEDIAN);

		cells[1 + i] =
			(struct table_cell){.text = figure_words(value, stage_quantities[i]), .mark = stage->figures.mark};
	}
	cells[1 + STAGE_QUANTITIES] = (struct table_cell){.text = stage_change_words(stage), .mark = ""};
}

static void init_stages(struct table *table, const struct record *record)
{
	struct stages stages;

	*table = (struct table){.columns = stage_columns, .column_count = STAGE_COLUMNS};
	stages_make(&stages, record);
	table->cells = xcalloc(stages.count * table->column_count, sizeof(*table->cells));
	for (size_t i = 0; i < stages.count; i++) {
		add_stage(table, &stages.list[i]);
	}
}

void table_init_further(struct table *table, const struct record *record, enum further_table which, enum score score)
{
	if (which == FURTHER_STAGES) {
		init_stages(table, record);
	} else {
		table_init_part(table, record, PART_DETAIL, score);
	}
}

/* Of the runs that count; NAN where none is known. */
static double find_share(const struct record_test *test)
{
	double *shares = xmalloc((test->run_count + 1) * sizeof(*shares)), median;
	size_t count = 0;

	for (size_t i = 0; i < test->run_count; i++) {
		const struct record_run *run = &test->runs[i];

		if (record_run_counts(run) && run->evidence.present && !isnan(run->evidence.device_share)) {
			shares[count++] = run->evidence.device_share;
		}
	}
	median = statistics_median(shares, count);
	free(shares);
	return median;
}

double test_device_share(const struct record_test *test)
{
	return test->synchronous ? find_share(test) : (double)NAN;
}

/* The last word of "4K sync T16", by which the rows differ. */
static char *short_name(const char *name)
{
	const char *blank = strrchr(name, ' ');

	return xstrdup(blank && blank[1] ? blank + 1 : name);
}

struct split_row *split_rows_make(const struct record *record, enum score score, size_t *count)
{
	struct split_row *rows = xcalloc(record->test_count + 1, sizeof(*rows));

	*count = 0;
	for (size_t i = 0; i < record->test_count; i++) {
		const struct record_test *test = &record->tests[i];
		double share = test->part == PART_MAIN ? test_device_share(test) : (double)NAN;
		struct test_figures figures;

		test_figures_make(&figures, test);
		double commit_ns = test_figure(&figures, QUANTITY_P50, score);
		if (!isnan(share) && !isnan(commit_ns)) {
			rows[(*count)++] = (struct split_row){.name = short_name(test->name),
				.commit_ns = commit_ns,
				.device_ns = commit_ns * share,
				.host_ns = commit_ns - commit_ns * share,
				.device_share = share};
		}
	}
	return rows;
}

void split_rows_release(struct split_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(rows[i].name);
	}
	free(rows);
}
