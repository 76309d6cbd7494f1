/* --fail-below, --fail-above, --fail-slower. */
#include "scratch.h"

#include "record/threshold.h"
#include "records.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void test_what_is_read(void **state)
{
	static const struct {
		const char *text, *test;
		int transfer; /* -1: none is named */
		enum quantity quantity;
		double limit;
	} cases[] = {
		{"RND4K Q1T1 read iops=10000", "RND4K Q1T1", TRANSFER_READ, QUANTITY_IOPS, 10000},
		{"T1 p99_us=500", "T1", -1, QUANTITY_P99, 500e3},
		{"q8t1 WRITE MB_per_s=0.5", "q8t1", TRANSFER_WRITE, QUANTITY_BANDWIDTH, 500e3},
		{"  4K \t sync  T16 \t p50_us=620.25", "4K sync T16", -1, QUANTITY_P50, 620250},
		{"Read, cached (RAM) mb_per_s=1", "Read, cached (RAM)", -1, QUANTITY_BANDWIDTH, 1e6},
		{"read read iops=007", "read", TRANSFER_READ, QUANTITY_IOPS, 7},
		{"\x1b[31m iops=1", "\\x1B[31m", -1, QUANTITY_IOPS, 1},
		{"T1 iops=123456789012345", "T1", -1, QUANTITY_IOPS, 123456789012345},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct failure failure = FAILURE_NONE;
		struct threshold threshold;

		if (!threshold_parse(&threshold, cases[i].text, i % 2 == 0, &failure)) {
			fail_msg("'%s': %s", cases[i].text, failure.sentence);
		}
		assert_string_equal(threshold.test, cases[i].test);
		assert_int_equal(threshold.has_transfer, cases[i].transfer >= 0);
		if (threshold.has_transfer) {
			assert_int_equal(threshold.transfer, cases[i].transfer);
		}
		assert_int_equal(threshold.quantity, cases[i].quantity);
		assert_number(threshold.limit, cases[i].limit, 0);
		assert_int_equal(threshold.is_floor, i % 2 == 0);
		assert_null(strchr(threshold.text, '\x1b'));
		threshold_release(&threshold);
	}
}

static void test_what_is_refused(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{"", "lacks '='"},
		{"RND4K Q1T1 read iops", "lacks '='"},
		{"=", "before '='"},
		{"=5", "before '='"},
		{"T1 =5", "before '='"},
		{"T1 iops =5", "before '='"},
		{"T1 latency=5", "one of mb_per_s, iops, p50_us and p99_us"},
		{"T1 iops:read=5", "before '='"},
		{"iops=5", "names no test"},
		{" write iops=5", "names no test"},
		{"T1 iops=", "a number above 0"},
		{"T1 iops= 5", "a number above 0"},
		{"T1 iops=5 ", "a number above 0"},
		{"T1 iops=5k", "a number above 0"},
		{"T1 iops=0", "a number above 0"},
		{"T1 iops=0.000", "a number above 0"},
		{"T1 iops=-5", "a number above 0"},
		{"T1 iops=+5", "a number above 0"},
		{"T1 iops=nan", "a number above 0"},
		{"T1 iops=inf", "a number above 0"},
		{"T1 iops=0x10", "a number above 0"},
		{"T1 iops=1e3", "a number above 0"},
		{"T1 iops=.5", "a number above 0"},
		{"T1 iops=5.", "a number above 0"},
		{"T1 iops=1.2.3", "a number above 0"},
		{"T1 iops=1,5", "a number above 0"},
		{"T1 iops=5=5", "a number above 0"},
		{"T1 iops==5", "a number above 0"},
		{"T1 iops=5\n", "\\n"},
		{"T1 iops=1234567890123456", "a number above 0"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct failure failure = FAILURE_NONE;
		struct threshold threshold;

		if (threshold_parse(&threshold, cases[i].text, i % 2 == 0, &failure)) {
			fail_msg("'%s' was accepted", cases[i].text);
		}
		assert_int_equal(failure.status, STATUS_USAGE);
		assert_null(threshold.text);
		if (!strstr(failure.sentence, cases[i].says) || !strstr(failure.sentence, "'RND4K Q1T1 read iops=10000'") ||
			!text_starts_with(failure.sentence, i % 2 == 0 ? "--fail-below '" : "--fail-above '")) {
			fail_msg("'%s': %s", cases[i].text, failure.sentence);
		}
		failure_clear(&failure);
	}
}

static void test_what_is_too_long(void **state)
{
	struct failure failure = FAILURE_NONE;
	struct threshold threshold;
	char *text = xmalloc(100001);

	(void)state;
	memset(text, 'x', 100000);
	text[100000] = '\0';
	assert_false(threshold_parse(&threshold, text, true, &failure));
	assert_non_null(strstr(failure.sentence, "is too long"));
	assert_true(strlen(failure.sentence) < 200);
	failure_clear(&failure);
	free(text);
}

/* A row that is measured on request alone is refused without that, before anything is measured. */
static void test_rows_on_request(void **state)
{
	static const bool main_rows[PART_COUNT] = {[PART_MAIN] = true}, all_rows[PART_COUNT] = {true, true, true};
	static const char *const texts[][2] = {
		{"4K O_DSYNC p99_us=500", "--fail-above '4K O_DSYNC p99_us=500': this test is measured with --slog-detail "
								  "alone; add that"},
		{"T1 as it is p50_us=500",
			"--fail-above 'T1 as it is p50_us=500': this test is measured with --diagnose alone; add that"},
		{"T1 p50_us=500", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct failure failure = FAILURE_NONE;
		struct threshold threshold;

		assert_true(threshold_parse(&threshold, texts[i][0], false, &failure));
		assert_true(threshold_fits(&threshold, &profile_slog, all_rows, &failure));
		assert_int_equal(threshold_fits(&threshold, &profile_slog, main_rows, &failure), texts[i][1] == NULL);
		if (texts[i][1]) {
			assert_int_equal(failure.status, STATUS_USAGE);
			assert_string_equal(failure.sentence, texts[i][1]);
		}
		failure_clear(&failure);
		threshold_release(&threshold);
	}
}

/* "" for what fits, else the sentence behind the threshold. The caller frees it. */
static char *ask_whether_it_fits(const char *text, const struct profile *profile)
{
	struct failure failure = FAILURE_NONE;
	struct threshold threshold;
	char *answer;

	assert_true(threshold_parse(&threshold, text, true, &failure));
	if (threshold_fits(&threshold, profile, NULL, &failure)) {
		assert_null(failure.sentence);
		answer = xstrdup("");
	} else {
		size_t before = strlen("--fail-below ''") + strlen(text);

		assert_int_equal(failure.status, STATUS_USAGE);
		assert_non_null(strstr(failure.sentence, text));
		answer = xstrdup(failure.sentence + before);
	}
	failure_clear(&failure);
	threshold_release(&threshold);
	return answer;
}

/* All of --slog's, whether they are asked for or not. */
#define SLOG_TESTS                                                                                                     \
	"'4K sync T1', '4K sync T4', '4K sync T8', '4K sync T16', '4K no sync', '4K O_DSYNC', '4K O_SYNC', "               \
	"'4K write+fdatasync', '8K O_SYNC', '16K O_SYNC', '32K O_SYNC', '64K O_SYNC', '128K O_SYNC', 'T1 as it is', "      \
	"'T1 C-states held off', 'T1 C-states held off, governor performance', 'T1 governor performance'"

static void test_what_fits(void **state)
{
	static const struct {
		const struct profile *profile;
		const char *text, *answer;
	} cases[] = {
		{&profile_cdm, "RND4K Q1T1 read iops=1", ""},
		{&profile_cdm, "rnd4k q1t1 read iops=1", ""},
		{&profile_cdm, "Q8T1 write mb_per_s=1", ""},
		{&profile_cdm, "Q32T16 read p50_us=1", ""},
		{&profile_slog, "T1 p99_us=500", ""},
		{&profile_slog, "T1 write p99_us=500", ""},
		{&profile_slog, "4K sync T16 iops=5", ""},
		{&profile_slog, "4k o_sync iops=5", ""},
		{&profile_slog, "4K write+fdatasync p99_us=10000", ""},
		{&profile_slog, "T1 as it is p50_us=5", ""},
		{&profile_slog, "T1 C-states held off, governor performance write iops=5", ""},
		{&profile_dd, "Read, cached (RAM) mb_per_s=5", ""},
		{&profile_dd, "uncached mb_per_s=5", ""},
		{&profile_dd, "fsync at the end write mb_per_s=5", ""},
		{&profile_cdm, "Q1T1 read iops=1", " may mean any of 'SEQ1M Q1T1', 'RND4K Q1T1'; write the whole name"},
		{&profile_cdm, "Q1T1 iops=1", " may mean any of 'SEQ1M Q1T1', 'RND4K Q1T1'; write the whole name"},
		{&profile_cdm, "RND4K Q1T1 iops=1", " may mean reading or writing; add 'read' or 'write' behind 'RND4K Q1T1'"},
		{&profile_cdm, "Q8T1 iops=1", " may mean reading or writing; add 'read' or 'write' behind 'SEQ1M Q8T1'"},
		{&profile_cdm, "T1 read iops=1",
			": the profile 'cdm' has no such test that reads; it has 'SEQ1M Q8T1', 'SEQ1M Q1T1', 'RND4K Q32T16', "
			"'RND4K Q1T1'"},
		{&profile_slog, "sync iops=1",
			": the profile 'slog' has no such test; it has " SLOG_TESTS}, /* not '4K no sync' */
		{&profile_slog, "performance iops=1", ": the profile 'slog' has no such test; it has " SLOG_TESTS},
		{&profile_slog, "O_SYNC iops=1", ": the profile 'slog' has no such test; it has " SLOG_TESTS},
		{&profile_slog, "T1 read iops=1", ": the profile 'slog' has no such test that reads; it has " SLOG_TESTS},
		{&profile_dd, "cached mb_per_s=1",
			": the profile 'dd' has no such test; it has 'Write, fsync at the end', 'Read, uncached', "
			"'Read, cached (RAM)'"},
		{&profile_dd, "uncached iops=1", ": the profile 'dd' measures no iops; it has mb_per_s alone"},
		{&profile_dd, "uncached p99_us=1", ": the profile 'dd' measures no p99_us; it has mb_per_s alone"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *answer = ask_whether_it_fits(cases[i].text, cases[i].profile);

		assert_string_equal(answer, cases[i].answer);
		free(answer);
	}
}

/* Judge one threshold and say what came of it: "missed: ...". The caller frees it. */
static char *judge(const struct record *record, const char *text, bool is_floor, enum score score)
{
	static const char *const words[] = {"met", "missed", "not measured"};
	struct failure failure = FAILURE_NONE;
	struct threshold threshold;
	struct threshold_outcomes outcomes = {0};
	char *told;

	assert_true(threshold_parse(&threshold, text, is_floor, &failure));
	thresholds_judge(&outcomes, &threshold, 1, record, score);
	assert_int_equal(outcomes.count, 1);
	assert_int_equal(thresholds_count(&outcomes, outcomes.list[0].state), 1);
	assert_true(text_starts_with(outcomes.list[0].text, is_floor ? "--fail-below '" : "--fail-above '"));
	assert_non_null(strstr(outcomes.list[0].text, text));
	told = xasprintf("%s%s%s", words[outcomes.list[0].state], outcomes.list[0].sentence ? ": " : "",
		outcomes.list[0].sentence ? outcomes.list[0].sentence : "");
	threshold_outcomes_release(&outcomes);
	threshold_release(&threshold);
	return told;
}

static void expect_judgement(
	const struct record *record, const char *text, bool is_floor, enum score score, const char *expected)
{
	char *told = judge(record, text, is_floor, score);

	assert_string_equal(told, expected);
	free(told);
}

static void test_judging_bandwidth_and_iops(void **state)
{
	static const double runs[] = {100e6, 110e6, 90e6};
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 3, 1e9, 0, 1);
	record_sample_runs(&record, 0, runs, 3);
	expect_judgement(&record, "SEQ1M Q8T1 read mb_per_s=100", true, SCORE_MEDIAN, "met");
	expect_judgement(&record, "SEQ1M Q8T1 read mb_per_s=100", false, SCORE_MEDIAN, "met");
	expect_judgement(&record, "q8t1 read mb_per_s=105.5", true, SCORE_MEDIAN,
		"missed: SEQ1M Q8T1 read: 100.00 MB/s, less than the 105.5 asked for");
	expect_judgement(&record, "q8t1 read mb_per_s=105.5", true, SCORE_BEST, "met");
	expect_judgement(&record, "q8t1 read mb_per_s=105.5", false, SCORE_BEST,
		"missed: SEQ1M Q8T1 read: 110.00 MB/s, more than the 105.5 allowed");
	/* As many decimals as it takes to see the difference. */
	expect_judgement(&record, "q8t1 read mb_per_s=100.0004", true, SCORE_MEDIAN,
		"missed: SEQ1M Q8T1 read: 100.0000 MB/s, less than the 100.0004 asked for");
	record.tests[6].runs[0].figures[QUANTITY_IOPS] = record.tests[6].runs[1].figures[QUANTITY_IOPS] = 9120;
	expect_judgement(&record, "RND4K Q1T1 read iops=10000", true, SCORE_MEDIAN,
		"missed: RND4K Q1T1 read: 9120 IOPS, less than the 10000 asked for");
	record_release(&record);
}

static void test_judging_latency(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "slog", 1, 1e9, 0, 1);
	record.tests[0].runs[0].figures[QUANTITY_P99] = 620300;
	expect_judgement(&record, "T1 p99_us=500", false, SCORE_MEDIAN,
		"missed: 4K sync T1 write: p99 of 620.3 us, more than the 500 allowed");
	expect_judgement(&record, "T1 p99_us=620.3", false, SCORE_MEDIAN, "met");
	expect_judgement(&record, "T1 p99_us=700", true, SCORE_MEDIAN,
		"missed: 4K sync T1 write: p99 of 620.3 us, less than the 700 asked for");
	expect_judgement(&record, "4K write+fdatasync p99_us=1", false, SCORE_MEDIAN,
		"not measured: 4K write+fdatasync write: not measured, so that nobody can judge --fail-above '4K "
		"write+fdatasync "
		"p99_us=1'");
	record_sample_doctor(&record, 5, 0, 1);
	expect_judgement(&record, "4K write+fdatasync iops=1", true, SCORE_MEDIAN, "met");
	expect_judgement(&record, "T1 p99_us=500", false, SCORE_MEDIAN,
		"missed: 4K sync T1 write: p99 of 620.3 us, more than the 500 allowed");
	expect_judgement(&record, "T1 C-states held off p50_us=0.1", false, SCORE_MEDIAN,
		"missed: T1 C-states held off write: p50 of 16.4 us, more than the 0.1 allowed");
	record_release(&record);
}

static void test_judging_without_a_number(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 2, 1e9, 0, 1);
	record_sample_fail(&record, 6, -1, "fio died", "shortened");
	expect_judgement(&record, "RND4K Q1T1 read iops=1", true, SCORE_MEDIAN,
		"not measured: RND4K Q1T1 read: not measured, so that nobody can judge --fail-below 'RND4K Q1T1 read iops=1'");
	/* A record that lacks the test. */
	sample_set(&record.tests[0].name, "something else");
	expect_judgement(&record, "Q8T1 read iops=1", false, SCORE_MEDIAN,
		"not measured: SEQ1M Q8T1 read: not measured, so that nobody can judge --fail-above 'Q8T1 read iops=1'");
	record_release(&record);
}

static void test_judging_marked_numbers(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 2, 1e9, 0, 1);
	record_sample_finding(&record, "compressed", "*", "SEQ1M Q8T1 read: squeezed", 0, 1);
	record_sample_finding(&record, "source-unknown", "?", "SEQ1M Q8T1 write: who knows", 1, -1);
	expect_judgement(&record, "Q8T1 read mb_per_s=1", true, SCORE_MEDIAN,
		"met: SEQ1M Q8T1 read: --fail-below 'Q8T1 read mb_per_s=1' is met by a number marked *, which is not what its "
		"label says");
	expect_judgement(&record, "Q8T1 write mb_per_s=1", true, SCORE_MEDIAN,
		"met: SEQ1M Q8T1 write: --fail-below 'Q8T1 write mb_per_s=1' is met by a number marked ?, for which nobody can "
		"vouch");
	expect_judgement(&record, "Q8T1 read mb_per_s=1", false, SCORE_MEDIAN,
		"missed: SEQ1M Q8T1 read: 1000.00 MB/s, more than the 1 allowed (marked *)");
	record_release(&record);
}

/* Two records of one profile, and what --fail-slower makes of them. */
struct pair {
	struct record records[2];
	const struct record *list[2];
	struct comparison comparison;
	struct threshold_outcomes outcomes;
};

static void pair_judge(struct pair *pair, double percent)
{
	static const char *const names[] = {"a.json", "b.json"};
	struct failure failure = FAILURE_NONE;

	pair->list[0] = &pair->records[0];
	pair->list[1] = &pair->records[1];
	pair->outcomes = (struct threshold_outcomes){0};
	assert_true(comparison_make(&pair->comparison, pair->list, names, 2, &failure));
	thresholds_judge_slower(&pair->outcomes, &pair->comparison, percent);
	assert_int_equal(pair->outcomes.count, pair->comparison.row_count);
}

static void pair_release(struct pair *pair)
{
	threshold_outcomes_release(&pair->outcomes);
	comparison_release(&pair->comparison);
	record_release(&pair->records[0]);
	record_release(&pair->records[1]);
}

static void test_slower(void **state)
{
	struct pair pair;

	(void)state;
	record_sample(&pair.records[0], "slog", 3, 1e9, 0, 1);
	record_sample(&pair.records[1], "slog", 3, 0.9e9, 0, 1);
	pair_judge(&pair, 5);
	assert_int_equal(thresholds_count(&pair.outcomes, THRESHOLD_MISSED), 8);
	assert_string_equal(pair.outcomes.list[0].text, "--fail-slower 5");
	assert_string_equal(pair.outcomes.list[0].sentence,
		"4K sync T1 write IOPS: -10.0 % (-10.0 to -10.0), slower by more than the 5 % allowed");
	assert_number(pair.outcomes.list[0].value, -0.1, 1e-4);
	/* Of a latency more is slower; its interval is as wide as fio's bins. */
	assert_true(text_starts_with(pair.outcomes.list[1].sentence, "4K sync T1 write p99 lat(us): +11.1 % ("));
	pair_release(&pair);

	record_sample(&pair.records[0], "cdm", 3, 1e9, 0, 1);
	record_sample(&pair.records[1], "cdm", 3, 0.9e9, 0, 1);
	pair_judge(&pair, 12.5);
	assert_int_equal(thresholds_count(&pair.outcomes, THRESHOLD_MET), 8);
	assert_string_equal(pair.outcomes.list[0].text, "--fail-slower 12.5");
	assert_null(pair.outcomes.list[0].sentence);
	pair_release(&pair);
}

/* What is within the noise is no miss; with one run nobody can tell, and then it is one. */
static void test_slower_or_noise(void **state)
{
	static const double noisy[] = {0.5e9, 1e9, 1.1e9};
	struct pair pair;

	(void)state;
	record_sample(&pair.records[0], "cdm", 3, 1e9, 0, 1);
	record_sample(&pair.records[1], "cdm", 3, 1e9, 0, 1);
	record_sample_runs(&pair.records[1], 0, noisy, 3);
	record_sample_finding(&pair.records[0], "compressed", "*", "SEQ1M Q8T1 read: squeezed", 0, 1);
	record_sample_finding(&pair.records[1], "source-unknown", "?", "SEQ1M Q1T1 write: who knows", 3, -1);
	pair_judge(&pair, 5);
	assert_true(pair.comparison.rows[0].cells[1].difference < -0.1);
	assert_int_equal(thresholds_count(&pair.outcomes, THRESHOLD_MET), 8);
	assert_string_equal(pair.outcomes.list[0].sentence,
		"SEQ1M Q8T1 read: a loss of more than 5 % is not ruled out: -18.1 % (-96.4 to over +1000); use more --runs; "
		"--fail-slower 5 is met by numbers with a mark (2 of 8 rows), which cannot be relied on");
	assert_null(pair.outcomes.list[1].sentence);
	assert_null(pair.outcomes.list[3].sentence);
	pair_release(&pair);

	record_sample(&pair.records[0], "cdm", 1, 1e9, 0, 1);
	record_sample(&pair.records[1], "cdm", 5, 0.75e9, 0, 1);
	record_sample_fail(&pair.records[1], 1, -1, "fio died", NULL);
	record_sample_finding(&pair.records[1], "compressed", "*", "SEQ1M Q8T1 read: squeezed", 0, 1);
	pair_judge(&pair, 5);
	assert_int_equal(thresholds_count(&pair.outcomes, THRESHOLD_MISSED), 7);
	assert_string_equal(pair.outcomes.list[0].sentence,
		"SEQ1M Q8T1 read: -25.0 %, slower by more than the 5 % allowed (cannot tell: one run before, use --runs 5) "
		"(marked *)");
	assert_int_equal(pair.outcomes.list[1].state, THRESHOLD_NOT_MEASURED);
	assert_string_equal(pair.outcomes.list[1].sentence,
		"SEQ1M Q8T1 write: not measured after, so that nobody can judge --fail-slower 5");
	pair_release(&pair);
}

/* A loss that is larger than the limit, and may be chance, meets it with a warning; one that is known well does not. */
static void test_slower_is_not_ruled_out(void **state)
{
	static const double noisy[] = {0.5e9, 1e9, 1.1e9}, noisy_log[] = {0.0625e9, 0.125e9, 0.1375e9};
	struct pair pair;

	(void)state;
	record_sample(&pair.records[0], "slog", 3, 1e9, 0, 1);
	record_sample(&pair.records[1], "slog", 3, 1e9, 0, 1);
	record_sample_runs(&pair.records[1], 0, noisy_log, 3); /* the IOPS and latencies go with it */
	pair_judge(&pair, 5);
	assert_int_equal(thresholds_count(&pair.outcomes, THRESHOLD_MET), 8);
	for (size_t i = 0; i < 2; i++) {
		char *difference = comparison_difference_words(&pair.comparison.rows[i].cells[1]);
		char *sentence = xasprintf("%s: a loss of more than 5 %% is not ruled out: %s; use more --runs",
			pair.comparison.rows[i].title, difference);

		assert_non_null(pair.outcomes.list[i].sentence);
		assert_string_equal(pair.outcomes.list[i].sentence, sentence);
		free(difference);
		free(sentence);
	}
	assert_null(pair.outcomes.list[2].sentence);
	pair_release(&pair);

	/* A gain as uncertain is none. */
	record_sample(&pair.records[0], "cdm", 3, 1e9, 0, 1);
	record_sample(&pair.records[1], "cdm", 3, 1e9, 0, 1);
	record_sample_runs(&pair.records[0], 0, noisy, 3);
	pair_judge(&pair, 5);
	assert_null(pair.outcomes.list[0].sentence);
	pair_release(&pair);

	/* Less than what is ever called a difference, but known: more runs would tell nothing new. */
	record_sample(&pair.records[0], "cdm", 3, 1e9, 0, 1);
	record_sample(&pair.records[1], "cdm", 3, 0.985e9, 0, 1);
	pair_judge(&pair, 1);
	assert_int_equal(thresholds_count(&pair.outcomes, THRESHOLD_MET), 8);
	assert_null(pair.outcomes.list[0].sentence);
	pair_release(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_read),
		cmocka_unit_test(test_what_is_refused),
		cmocka_unit_test(test_what_is_too_long),
		cmocka_unit_test(test_what_fits),
		cmocka_unit_test(test_judging_bandwidth_and_iops),
		cmocka_unit_test(test_judging_latency),
		cmocka_unit_test(test_judging_without_a_number),
		cmocka_unit_test(test_judging_marked_numbers),
		cmocka_unit_test(test_slower),
		cmocka_unit_test(test_slower_or_noise),
		cmocka_unit_test(test_rows_on_request),
		cmocka_unit_test(test_slower_is_not_ruled_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
