#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "support/memory.h"
#include "support/text.h"

#include "escape.h"

/* Which findings are about which test; so a file with many of both takes no longer than it must. */
struct places {
	size_t *begin;    /* for each test, and one more: where its own begin in `findings` */
	size_t *findings; /* indices, in the order in which they are told */
};

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
		escape_csv(out, test->transfer == TRANSFER_READ ? "read" : "write");
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
		write_number(out, line->record->settings.runs);
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

/* Go through all places: count those of each test where `next` is NULL, otherwise write down whose they are. */
static void places_visit(struct places *places, const struct record *record, size_t *next)
{
	for (size_t i = 0; i < record->finding_count; i++) {
		for (size_t j = 0; j < record->findings[i].place_count; j++) {
			size_t test = record->findings[i].places[j].test;

			if (test < record->test_count && next) {
				places->findings[next[test]++] = i;
			} else if (test < record->test_count) {
				places->begin[test + 1]++;
			}
		}
	}
}

static void places_init(struct places *places, const struct record *record)
{
	size_t *next = xcalloc(record->test_count + 1, sizeof(*next));

	places->begin = xcalloc(record->test_count + 1, sizeof(*places->begin));
	places_visit(places, record, NULL);
	for (size_t i = 0; i < record->test_count; i++) {
		places->begin[i + 1] += places->begin[i];
		next[i] = places->begin[i];
	}
	places->findings = xcalloc(places->begin[record->test_count] + 1, sizeof(*places->findings));
	places_visit(places, record, next);
	free(next);
}

static void places_release(struct places *places)
{
	free(places->begin);
	free(places->findings);
}

/* Add an id, once. */
static void add_id(struct text *ids, const char *id)
{
	char *all = xasprintf(" %s ", text_string(ids));
	char *one = xasprintf(" %s ", id);

	if (!strstr(all, one)) {
		text_addf(ids, "%s%s", ids->length > 0 ? " " : "", id);
	}
	free(one);
	free(all);
}

/* The ids of all that was found about a test, why runs failed too, with blanks between. */
static void write_findings(FILE *out, const struct line *line)
{
	size_t test = (size_t)(line->test - line->record->tests);
	struct text ids = TEXT_EMPTY;

	for (size_t i = 0; i < line->test->run_count; i++) {
		if (line->test->runs[i].failure_id) {
			add_id(&ids, line->test->runs[i].failure_id);
		}
	}
	for (size_t i = line->places->begin[test]; i < line->places->begin[test + 1]; i++) {
		add_id(&ids, line->record->findings[line->places->findings[i]].id);
	}
	escape_csv(out, text_string(&ids));
	text_release(&ids);
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
