#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/table.h"
#include "render/render.h"
#include "support/memory.h"
#include "support/text.h"

#include "escape.h"
#include "places.h"

/* What a line is about. */
struct line {
	const struct record *record;
	const struct record_test *test;
	const struct test_figures *figures;
	const struct places *places;
	const struct comparison_cell **cells; /* of the comparison, see find_cells */
	const char *title;
};

/* THE columns that stand once in each line, before the quantities. */
enum column_kind {
	COLUMN_RECORD,
	COLUMN_LABEL,
	COLUMN_STARTED_AT,
	COLUMN_HOST,
	COLUMN_TARGET,
	COLUMN_DEVICE,
	COLUMN_FILE_SYSTEM,
	COLUMN_PROFILE,
	COLUMN_ENGINE,
	COLUMN_TOOL,
	COLUMN_O_DIRECT,
	COLUMN_SIZE,
	COLUMN_RUNTIME,
	COLUMN_STATE,
	COLUMN_TEST,
	COLUMN_DIRECTION,
	COLUMN_BLOCK_SIZE,
	COLUMN_QUEUE_DEPTH,
	COLUMN_THREADS,
	COLUMN_RUNS,
	COLUMN_VALID_RUNS,
	COLUMN_FAILED_RUNS,
	COLUMN_COUNT,
};

static const char *const column_keys[COLUMN_COUNT] = {
	[COLUMN_RECORD] = "record",
	[COLUMN_LABEL] = "label",
	[COLUMN_STARTED_AT] = "started_at",
	[COLUMN_HOST] = "host",
	[COLUMN_TARGET] = "target",
	[COLUMN_DEVICE] = "device",
	[COLUMN_FILE_SYSTEM] = "file_system",
	[COLUMN_PROFILE] = "profile",
	[COLUMN_ENGINE] = "engine",
	[COLUMN_TOOL] = "tool",
	[COLUMN_O_DIRECT] = "o_direct",
	[COLUMN_SIZE] = "size_bytes",
	[COLUMN_RUNTIME] = "runtime_s",
	[COLUMN_STATE] = "state",
	[COLUMN_TEST] = "test",
	[COLUMN_DIRECTION] = "direction",
	[COLUMN_BLOCK_SIZE] = "block_size_bytes",
	[COLUMN_QUEUE_DEPTH] = "queue_depth",
	[COLUMN_THREADS] = "threads",
	[COLUMN_RUNS] = "runs",
	[COLUMN_VALID_RUNS] = "valid_runs",
	[COLUMN_FAILED_RUNS] = "failed_runs",
};

/* THE quantities: how their columns begin, and whether a comparison may say something of them. */
static const struct {
	const char *name;
	bool is_compared;
} quantity_columns[QUANTITY_COUNT] = {
	[QUANTITY_BANDWIDTH] = {"bandwidth", true},
	[QUANTITY_IOPS] = {"iops", true},
	[QUANTITY_P50] = {"latency_p50", false},
	[QUANTITY_P99] = {"latency_p99", true},
};

static void write_header(FILE *out)
{
	for (int i = 0; i < COLUMN_COUNT; i++) {
		fprintf(out, "%s%s", i > 0 ? "," : "", column_keys[i]);
	}
	for (int i = 0; i < QUANTITY_COUNT; i++) {
		fprintf(
			out, ",%s_median,%s_best,%s_cv_permille", quantities[i].key, quantities[i].key, quantity_columns[i].name);
	}
	fputs(",mark,findings", out);
	for (int i = 0; i < QUANTITY_COUNT; i++) {
		const char *name = quantity_columns[i].name;

		if (quantity_columns[i].is_compared) {
			fprintf(out, ",%s_difference_permille,%s_low_permille,%s_high_permille,%s_verdict", name, name, name, name);
		}
	}
	fputs(",part,stage,commit_device_share_permille", out);
	fputc('\n', out);
}

/* Whole, since a decimal point turns into a date or into text where people write a comma. Nothing for what is unknown.
 */
static void write_number(FILE *out, double number)
{
	if (fabs(number) < 9007199254740992.0) { /* 2^53: from here on each is whole */
		fprintf(out, "%lld", llround(number));
	} else if (isfinite(number)) {
		fprintf(out, "%.0f", number);
	}
}

static void write_test_column(FILE *out, const struct line *line, enum column_kind kind)
{
	const struct record_test *test = line->test;

	switch (kind) {
	case COLUMN_TEST:
		escape_csv(out, test->name);
		break;
	case COLUMN_DIRECTION:
		escape_csv(out, transfer_name(test->transfer));
		break;
	case COLUMN_BLOCK_SIZE:
		write_number(out, test->block_size_bytes);
		break;
	case COLUMN_QUEUE_DEPTH:
		write_number(out, test->queue_depth);
		break;
	case COLUMN_THREADS:
		write_number(out, test->threads);
		break;
	case COLUMN_RUNS:
		write_number(out, record_test_passes(line->record, test));
		break;
	case COLUMN_VALID_RUNS:
		write_number(out, (double)line->figures->valid_runs);
		break;
	default:
		write_number(out, (double)line->figures->failed_runs);
		break;
	}
}

static void write_column(FILE *out, const struct line *line, enum column_kind kind)
{
	const struct record *record = line->record;
	const char *const texts[COLUMN_COUNT] = {
		[COLUMN_RECORD] = line->title,
		[COLUMN_LABEL] = record->label,
		[COLUMN_STARTED_AT] = record->started_at,
		[COLUMN_HOST] = record->host,
		[COLUMN_TARGET] = record->target.path,
		[COLUMN_DEVICE] = record->target.device,
		[COLUMN_FILE_SYSTEM] = record->target.file_system,
		[COLUMN_PROFILE] = record->settings.profile->key,
		[COLUMN_ENGINE] = record->settings.engine,
		[COLUMN_TOOL] = record->settings.tool,
		[COLUMN_O_DIRECT] = record->direct.state,
		[COLUMN_STATE] = record_state_name(record->state),
	};

	if (kind >= COLUMN_TEST) {
		write_test_column(out, line, kind);
	} else if (kind == COLUMN_SIZE) {
		write_number(out, record->settings.size_bytes);
	} else if (kind == COLUMN_RUNTIME) {
		write_number(out, record->settings.runtime_s);
	} else {
		escape_csv(out, texts[kind]);
	}
}

/* An id, and as which one it came. */
struct id {
	const char *text;
	size_t order;
};

static int compare_order(const void *a, const void *b)
{
	size_t first = ((const struct id *)a)->order, second = ((const struct id *)b)->order;

	return first < second ? -1 : first > second ? 1 : 0;
}

static int compare_text(const void *a, const void *b)
{
	int order = strcmp(((const struct id *)a)->text, ((const struct id *)b)->text);

	return order != 0 ? order : compare_order(a, b);
}

/* Keep each id once, as it came first; returns how many there are. */
static size_t keep_first(struct id *ids, size_t count)
{
	size_t kept = 0;

	qsort(ids, count, sizeof(*ids), compare_text);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || strcmp(ids[kept - 1].text, ids[i].text) != 0) {
			ids[kept++] = ids[i];
		}
	}
	qsort(ids, kept, sizeof(*ids), compare_order);
	return kept;
}

/* The ids of all that was found about a test, why runs failed too; the caller frees the list. */
static struct id *list_ids(const struct line *line, size_t *count)
{
	const struct record_test *test = line->test;
	const size_t *begin = &line->places->begin[test - line->record->tests];
	struct id *ids = xcalloc(test->run_count + begin[1] - begin[0] + 1, sizeof(*ids));

	*count = 0;
	for (size_t i = 0; i < test->run_count; i++) {
		if (test->runs[i].failure_id) {
			ids[*count] = (struct id){test->runs[i].failure_id, *count};
			++*count;
		}
	}
	for (size_t i = begin[0]; i < begin[1]; i++) {
		ids[*count] = (struct id){line->record->findings[line->places->findings[i]].id, *count};
		++*count;
	}
	*count = keep_first(ids, *count);
	return ids;
}

/* With blanks between. */
static void write_findings(FILE *out, const struct line *line)
{
	struct text text = TEXT_EMPTY;
	size_t count;
	struct id *ids = list_ids(line, &count);

	for (size_t i = 0; i < count; i++) {
		text_add(&text, i > 0 ? " " : "");
		text_add(&text, ids[i].text);
	}
	escape_csv(out, text_string(&text));
	text_release(&text);
	free(ids);
}

/* Where the comparison speaks of each of the record's tests: of all quantities, test by test. The caller frees it. */
static const struct comparison_cell **find_cells(
	const struct comparison *comparison, const struct record *record, size_t index)
{
	const struct comparison_cell **cells = xcalloc(record->test_count * QUANTITY_COUNT, sizeof(*cells));

	/* The first record is compared with nothing. */
	for (size_t i = 0; index > 0 && comparison && i < comparison->row_count; i++) {
		const struct comparison_cell *cell = &comparison->rows[i].cells[index];

		if (cell->test) {
			cells[(size_t)(cell->test - record->tests) * QUANTITY_COUNT + comparison->rows[i].quantity] = cell;
		}
	}
	return cells;
}

static void write_compared(FILE *out, const struct line *line)
{
	size_t test = (size_t)(line->test - line->record->tests);

	for (int i = 0; i < QUANTITY_COUNT; i++) {
		const struct comparison_cell *cell =
			quantity_columns[i].is_compared ? line->cells[test * QUANTITY_COUNT + (size_t)i] : NULL;

		if (cell) {
			fputc(',', out);
			write_number(out, cell->difference * 1000);
			fputc(',', out);
			write_number(out, cell->difference_low * 1000);
			fputc(',', out);
			write_number(out, cell->difference_high * 1000);
			fprintf(out, ",%s", verdict_name(cell->verdict));
		} else if (quantity_columns[i].is_compared) {
			fputs(",,,,", out);
		}
	}
}

static void write_line(FILE *out, const struct line *line)
{
	for (int i = 0; i < COLUMN_COUNT; i++) {
		fputs(i > 0 ? "," : "", out);
		write_column(out, line, (enum column_kind)i);
	}
	for (int i = 0; i < QUANTITY_COUNT; i++) {
		fputc(',', out);
		write_number(out, line->figures->median[i]);
		fputc(',', out);
		write_number(out, line->figures->best[i]);
		fputc(',', out);
		write_number(out, line->figures->cv[i] * 1000);
	}
	fputc(',', out);
	escape_csv(out, line->figures->mark);
	fputc(',', out);
	write_findings(out, line);
	write_compared(out, line);
	fprintf(out, ",%s,", record_part_name(line->test->part));
	escape_csv(out, line->test->stage);
	fputc(',', out);
	write_number(out, test_device_share(line->test) * 1000);
	fputc('\n', out);
}

static void write_record(FILE *out, const struct document *document, const struct record *record, size_t index)
{
	char *title = document->comparison ? xstrdup(document->comparison->titles[index]) : record_title(record);
	struct test_figures figures;
	struct places places;
	struct line line = {.record = record, .figures = &figures, .places = &places, .title = title};

	line.cells = find_cells(document->comparison, record, index);
	places_init(&places, record);

	for (size_t i = 0; i < record->test_count; i++) {
		line.test = &record->tests[i];
		test_figures_make(&figures, line.test);
		write_line(out, &line);
	}
	places_release(&places);
	free(line.cells);
	free(title);
}

void render_csv(FILE *out, const struct document *document, const struct render_style *style)
{
	(void)style;
	write_header(out);
	if (!document->comparison) {
		write_record(out, document, document->record, 0);
		return;
	}
	for (size_t i = 0; i < document->comparison->record_count; i++) {
		write_record(out, document, document->comparison->records[i], i);
	}
}
