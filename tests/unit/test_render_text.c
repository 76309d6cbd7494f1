#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "records.h"
#include "rendered.h"
#include "support/terminal.h"
#include "support/text.h"

enum { SAMPLES_MAX = 4 };

/* Some records side by side. */
struct pair {
	struct record records[SAMPLES_MAX];
	const struct record *pointers[SAMPLES_MAX];
	struct comparison comparison;
};

static void pair_init(struct pair *pair, const char *profile, size_t count, unsigned runs, double factor)
{
	for (size_t i = 0; i < count; i++) {
		char label[] = "state 0";

		label[sizeof(label) - 2] = (char)('0' + i);
		record_sample(&pair->records[i], profile, runs, 1e9 * (i > 0 ? factor : 1), 0.001, i + 1);
		pair->records[i].label = xstrdup(label);
		pair->pointers[i] = &pair->records[i];
	}
}

static void pair_compare(struct pair *pair, size_t count)
{
	static const char *const names[] = {"0.json", "1.json", "2.json", "3.json"};
	struct failure failure = FAILURE_NONE;

	assert_true(comparison_make(&pair->comparison, pair->pointers, names, count, &failure));
}

static void pair_release(struct pair *pair, size_t count)
{
	comparison_release(&pair->comparison);
	for (size_t i = 0; i < count; i++) {
		record_release(&pair->records[i]);
	}
}

static char *comparison_text(const struct pair *pair, const struct render_style *style)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	assert_non_null(out);
	render_comparison(out, &pair->comparison, style);
	assert_int_equal(fclose(out), 0);
	return bytes;
}

/* Every line of a frame is as wide as the one above it, until the frame ends. */
static void assert_frames_are_straight(const char *text)
{
	size_t width = 0;
	size_t frames = 0;

	while (*text) {
		char *line = xstrndup(text, strcspn(text, "\n"));

		if (*line == '+' || *line == '|') {
			size_t columns = text_columns(line);

			if (width > 0 && columns != width && *line == '|') {
				fail_msg("not straight: %s", line);
			}
			width = columns;
			frames++;
		} else {
			width = 0;
		}
		text += strlen(line);
		text += *text == '\n';
		free(line);
	}
	assert_true(frames > 0);
}

static void two_are_called_before_and_after(void **state)
{
	const struct render_style style = {0};
	struct pair pair;

	(void)state;
	pair_init(&pair, "cdm", 2, 5, 1.5);
	pair_compare(&pair, 2);
	char *text = comparison_text(&pair, &style);

	assert_true(
		text_starts_with(text, "\nBefore: state 0, 2026-11-30 17:00 UTC\nAfter: state 1, 2026-11-30 17:00 UTC\n+---"));
	assert_contains(text, "\n| Test               | Before (MB/s) | After (MB/s) |");
	assert_contains(text, "| SEQ1M Q8T1 read    | ");
	assert_contains(text, " | faster  |\n");
	assert_frames_are_straight(text);
	free(text);
	pair_release(&pair, 2);
}

static void of_commits_each_row_names_its_quantity(void **state)
{
	const struct render_style style = {0};
	struct pair pair;

	(void)state;
	pair_init(&pair, "slog", 2, 5, 0.5);
	pair_compare(&pair, 2);
	char *text = comparison_text(&pair, &style);

	assert_contains(text, " Before |");
	assert_contains(text, " IOPS ");
	assert_contains(text, " p99 lat(us) ");
	assert_contains(text, "slower");
	assert_lacks(text, "(MB/s)");
	assert_frames_are_straight(text);
	free(text);
	pair_release(&pair, 2);
}

static void more_have_a_column_each(void **state)
{
	const struct render_style style = {0};
	struct pair pair;

	(void)state;
	pair_init(&pair, "cdm", 3, 5, 1.5);
	pair_compare(&pair, 3);
	char *text = comparison_text(&pair, &style);

	assert_true(text_starts_with(text, "\n1: state 0, "));
	assert_contains(text, "\n| Test (MB/s)        | state 0 |");
	assert_contains(text, "(+50.");
	assert_contains(text, "\nIn brackets: the difference to the first measurement.\n");
	assert_frames_are_straight(text);
	free(text);
	pair_release(&pair, 3);
}

static void signs_tell_what_is_no_difference(void **state)
{
	const struct render_style style = {0};
	struct pair pair;

	(void)state;
	pair_init(&pair, "cdm", 3, 5, 1);
	record_release(&pair.records[2]);
	record_sample(&pair.records[2], "cdm", 1, 1e9, 0.001, 9);
	pair_compare(&pair, 3);
	char *text = comparison_text(&pair, &style);

	assert_contains(text, "(~ ");
	assert_contains(text, "(? ");
	assert_contains(text, "; ~ no difference seen; ? cannot tell: one run on a side, use --runs 5.\n");
	free(text);
	pair_release(&pair, 3);
}

/* Only the reasons that there are. */
static void signs_tell_why_nobody_can_tell(void **state)
{
	const struct render_style style = {0};
	struct pair pair;

	(void)state;
	pair_init(&pair, "slog", 3, 5, 1);
	for (size_t run = 0; run < 5; run++) {
		pair.records[1].tests[0].runs[run].figures[QUANTITY_P99] = 0;
		pair.records[1].tests[1].runs[run].figures[QUANTITY_P99] = 0;
	}
	record_sample_fail(&pair.records[2], 3, -1, "gone", NULL);
	pair_compare(&pair, 3);
	char *text = comparison_text(&pair, &style);

	assert_contains(text, "(?)");
	assert_contains(text, "; ? cannot tell: a figure is 0; - not measured; of latencies less is better.\n");
	free(text);
	pair_release(&pair, 3);
}

static void long_titles_stand_whole_above(void **state)
{
	const struct render_style style = {0};
	struct pair pair;
	char *title = xstrdup("\xE6\x97\xA5\xE6\x9C\xAC a title that is much longer than any column should ever become");

	(void)state;
	pair_init(&pair, "cdm", 3, 2, 1.5);
	sample_set(&pair.records[1].label, title);
	pair_compare(&pair, 3);
	char *text = comparison_text(&pair, &style);
	char *head = xasprintf("\n2: %s, 2026-11-30 17:00 UTC\n", title);

	assert_contains(text, head);
	assert_contains(text, "| 1: state 0 |");
	assert_contains(text, "...");
	assert_frames_are_straight(text);
	free(head);
	free(title);
	free(text);
	pair_release(&pair, 3);
}

/* One name, however long, does not widen all rows: not of a result, and not of a comparison. */
static void long_names_are_cut(void **state)
{
	struct pair pair;
	struct text name = TEXT_EMPTY;

	(void)state;
	text_add_repeated(&name, "\xE6\x97\xA5 name ", getenv("SPEEDTEST_HD_VALGRIND") ? 1000 : 100000);
	pair_init(&pair, "cdm", 2, 2, 1);
	for (size_t i = 0; i < 2; i++) {
		sample_set(&pair.records[i].tests[0].name, text_string(&name));
		sample_set(&pair.records[i].tests[1].name, text_string(&name));
	}
	pair_compare(&pair, 2);
	struct document document = {.record = pair.pointers[1], .comparison = &pair.comparison};
	char *text = rendered(renderer_by_name("table"), &document);

	assert_contains(text, "\n| \xE6\x97\xA5 name \xE6\x97\xA5 name ");
	assert_contains(text, "... ");
	assert_frames_are_straight(text);
	assert_true(strlen(text) < 10000);
	free(text);
	text_release(&name);
	pair_release(&pair, 2);
}

static void narrow_terminals_get_it_in_parts(void **state)
{
	const struct render_style style = {.columns = 80, .table_columns = 60};
	struct pair pair;

	(void)state;
	pair_init(&pair, "cdm", 4, 2, 1.5);
	pair_compare(&pair, 4);
	char *text = comparison_text(&pair, &style);
	const char *second = strstr(strstr(text, "| Test (MB/s)") + 1, "| Test (MB/s)");

	assert_non_null(second);
	assert_frames_are_straight(text);
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		assert_true(*line != '|' || strcspn(line, "\n") <= 60);
	}
	free(text);
	pair_release(&pair, 4);
}

static void two_fit_on_a_narrow_terminal(void **state)
{
	const struct render_style style = {.columns = 80, .table_columns = 80};
	struct pair pair;

	(void)state;
	pair_init(&pair, "cdm", 2, 2, 1);
	pair_compare(&pair, 2);
	char *text = comparison_text(&pair, &style);

	assert_contains(text, "\n| Test (MB/s)        | Before | ");
	assert_contains(text, " % | ");
	assert_lacks(text, " to +");
	assert_lacks(text, "cannot tell");
	assert_frames_are_straight(text);
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		assert_true(*line != '|' || strcspn(line, "\n") <= 80);
	}
	free(text);
	pair_release(&pair, 2);
}

static void a_narrow_table_says_below_why_nobody_can_tell(void **state)
{
	const struct render_style style = {.columns = 80, .table_columns = 80};
	struct pair pair;

	(void)state;
	pair_init(&pair, "cdm", 2, 1, 1);
	pair_compare(&pair, 2);
	char *text = comparison_text(&pair, &style);

	assert_contains(text, " % | cannot tell |\n");
	assert_contains(text, "\ncannot tell: one run each, use --runs 5.\n");
	free(text);
	comparison_release(&pair.comparison);
	pair.records[1].tests[2].runs[0].figures[QUANTITY_BANDWIDTH] = 0;
	pair_compare(&pair, 2);
	text = comparison_text(&pair, &style);
	assert_contains(text, "\ncannot tell: one run each, use --runs 5. cannot tell: a figure is 0.\n");
	free(text);
	pair_release(&pair, 2);
}

static void colour_only_repeats_what_words_say(void **state)
{
	const struct render_style plain = {0}, colored = {.use_color = true};
	struct pair pair;

	(void)state;
	pair_init(&pair, "cdm", 2, 5, 0.5);
	pair_compare(&pair, 2);
	char *without = comparison_text(&pair, &plain), *with = comparison_text(&pair, &colored);
	struct text stripped = TEXT_EMPTY;

	assert_contains(with, TERMINAL_RED "slower" TERMINAL_RESET);
	for (const char *at = with; *at; at++) {
		if (*at == '\033') {
			at = strchr(at, 'm');
		} else {
			text_add_bytes(&stripped, at, 1);
		}
	}
	assert_string_equal(text_string(&stripped), without);
	text_release(&stripped);
	free(with);
	free(without);
	pair_release(&pair, 2);
}

static void the_document_is_banner_table_and_what_else_there_is(void **state)
{
	char text_of_one[] = "--fail-above 'T1 p99_us=500'";
	struct threshold_outcome list[] = {{.text = text_of_one, .state = THRESHOLD_NOT_MEASURED}};
	const struct threshold_outcomes outcomes = {list, 1};
	struct record record;

	(void)state;
	record_sample(&record, "slog", 1, 1e8, 0, 1);
	record.state = RECORD_INTERRUPTED;
	struct document document = {.record = &record, .outcomes = &outcomes, .score = SCORE_MEDIAN};
	char *text = rendered(renderer_by_name("table"), &document);

	assert_contains(text, "Target: /mnt/tank/bench\n");
	assert_contains(text, "\n\n+------------------+--------------+");
	assert_contains(text, "\n\nInterrupted after 4 of 4 runs: what was finished until then is shown.\n");
	assert_contains(
		text, "\n\nThresholds: 0 met, 0 missed, 1 not measured.\n- --fail-above 'T1 p99_us=500': not measured\n");
	free(text);
	record_release(&record);
}

/* A record as a terminal of so many columns shows it. The caller frees it. */
static char *shown(const struct record *record, unsigned columns)
{
	const struct render_style style = {.columns = columns, .table_columns = columns};
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	assert_non_null(out);
	render_text(out, &(struct document){.record = record, .score = SCORE_MEDIAN}, &style);
	assert_int_equal(fclose(out), 0);
	return bytes;
}

static size_t longest_line(const char *text)
{
	size_t longest = 0;

	for (size_t length; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		longest = length > longest ? length : longest;
	}
	return longest;
}

static void make_doctor(struct record *record)
{
	record_sample(record, "slog", 1, 1e8, 0, 1);
	record_sample_doctor(record, 5, 0.001, 1);
	for (size_t i = 0; i < 4; i++) {
		record->tests[i].runs[0].figures[QUANTITY_P50] = i == 0 ? 328e3 : 1e6 * (double)i;
	}
	record->tests[0].runs[0].evidence.device_share = 0.2744;
}

/* The tables first, then what speaks of all of them, then what follows from them. */
static void what_the_doctor_says_follows_the_table(void **state)
{
	static const char *const order[] = {"| 4K sync T16      |",
		"--+\n\nPrimitives and block sizes:\n+--------------------+", "| 128K O_SYNC        |",
		"--+\n\nThe experiment:\n+------------------------+", "| as it is               |",
		"| + governor performance |", " % (sure) ", "--+\n? it was the processor [cpu-bound]\nChecked: ",
		"\n\nWhere the time of a commit goes:\n"
		"  T1   commit p50  328.0 us = device   90.0 us + host  238.0 us  [#####...............]\n"
		"  T4   commit p50 1000.0 us = device  250.0 us + host  750.0 us  [#####...............]\n",
		"\n\nPath of the writes:\n- All sync writes went to the log device nvme1n1.\n"
		"\nTo make it last:\n- Set the governor at each start:\n    [Service]\n"
		"    ExecStart=/bin/sh -c 'echo performance >\"$g\"'\n- Undo it with the opposite.\n",
		"\nInterrupted after 28 of 28 runs: "};
	struct record record;

	(void)state;
	make_doctor(&record);
	record_sample_finding(&record, "cpu-bound", "?", "it was the processor", 5, -1);
	record.state = RECORD_INTERRUPTED;
	char *text = shown(&record, 0);
	const char *at = text;

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		assert_contains(at, order[i]);
		at = strstr(at, order[i]) + 1;
	}
	free(text);
	record_release(&record);
}

/* Tables and sentences keep within 80 columns, the bar shrinks; lines for a shell are never broken. */
static void what_the_doctor_says_fits(void **state)
{
	struct record record;

	(void)state;
	make_doctor(&record);
	char *text = shown(&record, 80);

	assert_true(longest_line(text) <= 80);
	assert_contains(text, "238.0 us  [####.........]\n");
	free(text);
	text = shown(&record, 60);
	assert_contains(text, "+ host  238.0 us\n");
	free(text);
	record_passage_command(&record.passages[1], "%0100d", 7);
	text = shown(&record, 60);
	assert_int_equal(longest_line(strstr(text, "To make it last")), 104);
	free(text);
	record_release(&record);
}

/* The parts are the commit, tenth by tenth; a row of which it is not known says why, and "about" has its reason. */
static void each_row_of_the_split_says_what_is_known(void **state)
{
	struct record record;

	(void)state;
	make_doctor(&record);
	record.tests[0].runs[0].figures[QUANTITY_P50] = 328.05e3;
	record.tests[0].runs[0].evidence.device_share = 1.0 / 3;
	record_sample_split_unknown(&record.tests[1], "the device had more under way than a commit waits for");
	record.tests[2].runs[0].evidence.commits_are_skewed = true;
	char *text = shown(&record, 80);

	assert_true(longest_line(text) <= 80);
	assert_contains(text, "\n\nWhere the time of a commit goes:\n"
						  "  T1   commit p50  328.1 us = device        109.4 us + host  218.7 us  [##.....]\n"
						  "  T4   not known: the device had more under way than a commit waits for\n"
						  "  T8   commit p50 2000.0 us = device about  500.0 us + host 1500.0 us  [##.....]\n");
	assert_contains(text, "]\nParts that are \"about\" are estimates: they are the shares of the mean commit,\nwhich ");
	free(text);
	text = shown(&record, 60);
	assert_contains(text, "  T4   not known: the device had more under way than a\n       commit waits for\n");
	free(text);
	record_release(&record);
}

static void a_split_that_is_not_known_says_why(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "slog", 1, 1e8, 0, 1);
	record.split_unknown = xstrdup("nobody counts there");
	char *text = shown(&record, 0);

	assert_contains(text, "\n\nWhere the time of a commit goes is not known: nobody counts there.\n");
	free(text);
	sample_set(&record.split_unknown, NULL);
	text = shown(&record, 0);
	assert_lacks(text, "Where the time");
	free(text);
	record_release(&record);
}

static void without_a_result_there_is_no_table(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 0, 1e9, 0, 1);
	record.settings.runs = 1;
	record.state = RECORD_RUNNING;
	char *text = rendered_record("table", &record);

	assert_lacks(text, "+--");
	assert_contains(text, "\n\nNot finished: this was written after 0 of 8 runs, while the measurement went on.\n");
	free(text);
	record_release(&record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_are_called_before_and_after),
		cmocka_unit_test(of_commits_each_row_names_its_quantity),
		cmocka_unit_test(more_have_a_column_each),
		cmocka_unit_test(signs_tell_what_is_no_difference),
		cmocka_unit_test(long_titles_stand_whole_above),
		cmocka_unit_test(long_names_are_cut),
		cmocka_unit_test(signs_tell_why_nobody_can_tell),
		cmocka_unit_test(narrow_terminals_get_it_in_parts),
		cmocka_unit_test(two_fit_on_a_narrow_terminal),
		cmocka_unit_test(a_narrow_table_says_below_why_nobody_can_tell),
		cmocka_unit_test(colour_only_repeats_what_words_say),
		cmocka_unit_test(the_document_is_banner_table_and_what_else_there_is),
		cmocka_unit_test(what_the_doctor_says_follows_the_table),
		cmocka_unit_test(what_the_doctor_says_fits),
		cmocka_unit_test(each_row_of_the_split_says_what_is_known),
		cmocka_unit_test(a_split_that_is_not_known_says_why),
		cmocka_unit_test(without_a_result_there_is_no_table),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
