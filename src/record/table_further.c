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

/* The first run that counts and has a reason; NULL for none. */
static const char *find_unknown(const struct record_test *test)
{
	const char *reason = NULL;

	for (size_t i = 0; i < test->run_count && !reason; i++) {
		const struct record_run *run = &test->runs[i];

		reason = record_run_counts(run) && run->evidence.present ? run->evidence.device_share_unknown : NULL;
	}
	return reason;
}

/* Whether the parts of any run that counts are estimates. */
static bool is_skewed(const struct record_test *test)
{
	bool found = false;

	for (size_t i = 0; i < test->run_count && !found; i++) {
		const struct record_run *run = &test->runs[i];

		found = record_run_counts(run) && run->evidence.present && !isnan(run->evidence.device_share) &&
				run->evidence.commits_are_skewed;
	}
	return found;
}

/* False where there is nothing to show: no figure, or neither a share nor a reason. */
static bool make_split_row(struct split_row *row, const struct record_test *test, enum score score)
{
	double share = test_device_share(test);
	const char *unknown = isnan(share) && test->synchronous ? find_unknown(test) : NULL;
	struct test_figures figures;

	test_figures_make(&figures, test);
	double commit_ns = test_figure(&figures, QUANTITY_P50, score);
	if (test->part != PART_MAIN || isnan(commit_ns) || (isnan(share) && !unknown)) {
		return false;
	}
	*row = (struct split_row){.name = short_name(test->name),
		.commit_ns = commit_ns,
		.device_ns = commit_ns * share,
		.host_ns = commit_ns - commit_ns * share,
		.device_share = share,
		.is_about = !isnan(share) && is_skewed(test),
		.unknown = xstrdup(unknown)};
	return true;
}

static void release_split_row(struct split_row *row)
{
	free(row->name);
	free(row->unknown);
}

/* Nothing is known, and one sentence says why. */
static bool is_said_at_once(const struct record *record, const struct split_row *rows, size_t count)
{
	bool same = record->split_unknown != NULL;

	for (size_t i = 0; i < count && same; i++) {
		same = rows[i].unknown && strcmp(rows[i].unknown, record->split_unknown) == 0;
	}
	return same;
}

struct split_row *split_rows_make(const struct record *record, enum score score, size_t *count)
{
	struct split_row *rows = xcalloc(record->test_count + 1, sizeof(*rows));

	*count = 0;
	for (size_t i = 0; i < record->test_count; i++) {
		*count += make_split_row(&rows[*count], &record->tests[i], score) ? 1 : 0;
	}
	if (is_said_at_once(record, rows, *count)) {
		for (size_t i = 0; i < *count; i++) {
			release_split_row(&rows[i]);
		}
		*count = 0;
	}
	return rows;
}

void split_rows_release(struct split_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		release_split_row(&rows[i]);
	}
	free(rows);
}
