#include "report/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

/* fio keeps no latency beyond this: 2^34 ns less a bucket (stat.h, PLAT_BITS 6 and PLAT_GROUP_NR 29). */
#define FIO_LATENCY_MAX_NS 17112760320.0

/* What a cell shows of a measurement. */
enum quantity { QUANTITY_BANDWIDTH, QUANTITY_IOPS, QUANTITY_P50, QUANTITY_P99 };

/* Where a column's numbers come from; the first column is the row's name. */
struct source {
	enum transfer transfer;
	enum quantity quantity;
	bool any_transfer; /* the row has only one direction */
};

enum { COLUMNS_MAX = 5 };

/* THE shapes: columns and where their numbers come from. */
static const struct {
	struct table_column columns[COLUMNS_MAX];
	struct source sources[COLUMNS_MAX];
	size_t column_count;
} shapes[] = {
	[TABLE_READ_WRITE] =
		{
			.columns = {{"Test", 16, true}, {"Read (MB/s)", 14, false}, {"Write (MB/s)", 14, false},
				{"Read (IOPS)", 14, false}, {"Write (IOPS)", 14, false}},
			.sources = {{0}, {TRANSFER_READ, QUANTITY_BANDWIDTH, false}, {TRANSFER_WRITE, QUANTITY_BANDWIDTH, false},
				{TRANSFER_READ, QUANTITY_IOPS, false}, {TRANSFER_WRITE, QUANTITY_IOPS, false}},
			.column_count = 5,
		},
	[TABLE_LATENCY] =
		{
			.columns = {{"Test", 16, true}, {"IOPS", 12, false}, {"MB/s", 12, false}, {"p50 lat(us)", 12, false},
				{"p99 lat(us)", 12, false}},
			.sources = {{0}, {TRANSFER_WRITE, QUANTITY_IOPS, false}, {TRANSFER_WRITE, QUANTITY_BANDWIDTH, false},
				{TRANSFER_WRITE, QUANTITY_P50, false}, {TRANSFER_WRITE, QUANTITY_P99, false}},
			.column_count = 5,
		},
	[TABLE_RATE] =
		{
			.columns = {{"Test", 24, true}, {"MB/s", 14, false}},
			.sources = {{0}, {TRANSFER_WRITE, QUANTITY_BANDWIDTH, true}},
			.column_count = 2,
		},
};

static char *format_latency(double latency_ns)
{
	return latency_ns >= FIO_LATENCY_MAX_NS ? xstrdup(">= 17 s") : xasprintf("%.1f", latency_ns / 1000);
}

static char *format_quantity(const struct figures *figures, enum quantity quantity)
{
	const double values[] = {
		[QUANTITY_BANDWIDTH] = figures->bandwidth_bytes_per_s,
		[QUANTITY_IOPS] = figures->iops,
		[QUANTITY_P50] = figures->latency_p50_ns,
		[QUANTITY_P99] = figures->latency_p99_ns,
	};

	if (isnan(values[quantity])) {
		return xstrdup("unknown"); /* which is not 0 */
	}
	switch (quantity) {
	case QUANTITY_BANDWIDTH:
		return xasprintf("%.2f", values[quantity] / 1e6); /* MB/s: 10^6 bytes */
	case QUANTITY_IOPS:
		return xasprintf("%.0f", values[quantity]);
	default:
		return format_latency(values[quantity]);
	}
}

/* A figure that does not count stands in brackets, never as a plain number. */
static struct table_cell make_failed_cell(const struct measurement *measurement, enum quantity quantity)
{
	if (!measurement->has_figures) {
		return (struct table_cell){.text = xstrdup("failed"), .mark = "", .is_failure = true};
	}
	char *figure = format_quantity(&measurement->figures, quantity);
	struct table_cell cell = {.text = xasprintf("[%s]", figure), .mark = "", .is_failure = true};

	free(figure);
	return cell;
}

static struct table_cell make_cell(const struct report *report, size_t workload, const struct source *source)
{
	const struct measurement *measurement = report_measurement(report, workload, source->transfer);

	if (!measurement && source->any_transfer) {
		measurement = report_measurement(report, workload, TRANSFER_READ);
	}
	if (!measurement || measurement->outcome == OUTCOME_NOT_RUN) {
		return (struct table_cell){.text = xstrdup("-"), .mark = ""};
	}
	if (measurement->outcome == OUTCOME_FAILED) {
		return make_failed_cell(measurement, source->quantity);
	}
	return (struct table_cell){.text = format_quantity(&measurement->figures, source->quantity),
		.mark = findings_mark(&report->findings, (size_t)(measurement - report->measurements))};
}

static bool row_has_result(const struct report *report, size_t workload)
{
	for (int transfer = 0; transfer < TRANSFER_COUNT; transfer++) {
		const struct measurement *measurement = report_measurement(report, workload, (enum transfer)transfer);

		if (measurement && measurement->outcome != OUTCOME_NOT_RUN) {
			return true;
		}
	}
	return false;
}

static void add_row(struct table *table, const struct report *report, size_t workload)
{
	size_t first = table->row_count * table->column_count;

	table->cells[first] =
		(struct table_cell){.text = xstrdup(report->plan->profile->workloads[workload].name), .mark = ""};
	for (size_t column = 1; column < table->column_count; column++) {
		table->cells[first + column] =
			make_cell(report, workload, &shapes[report->plan->profile->shape].sources[column]);
	}
	table->row_count++;
}

static void add_footnote(struct table *table, char *sentence)
{
	table->footnotes = xrealloc(table->footnotes, (table->footnote_count + 1) * sizeof(*table->footnotes));
	table->footnotes[table->footnote_count++] = sentence;
}

static void add_failures(struct table *table, const struct report *report)
{
	for (size_t run = 0; run < report->plan->run_count; run++) {
		const struct measurement *measurement = &report->measurements[run];

		if (measurement->outcome == OUTCOME_FAILED) {
			char *name = plan_run_name(report->plan, run);
			const char *id = finding_id(measurement->failure_kind);

			add_footnote(table, *id ? xasprintf("%s failed: %s [%s]", name, measurement->reason, id)
									: xasprintf("%s failed: %s.", name, measurement->reason));
			free(name);
		}
	}
}

static void add_findings(struct table *table, const struct report *report)
{
	char **sentences = findings_sentences(&report->findings, report);

	for (size_t i = 0; sentences[i]; i++) {
		add_footnote(table, sentences[i]);
	}
	free(sentences);
}

void table_init(struct table *table, const struct report *report)
{
	const struct profile *profile = report->plan->profile;

	*table =
		(struct table){.columns = shapes[profile->shape].columns, .column_count = shapes[profile->shape].column_count};
	table->cells = xcalloc(profile->workload_count * table->column_count, sizeof(*table->cells));
	for (size_t workload = 0; workload < profile->workload_count; workload++) {
		if (row_has_result(report, workload)) {
			add_row(table, report, workload);
		}
	}
	add_failures(table, report);
	add_findings(table, report);
	table->closing = findings_checked(&report->findings, report);
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
