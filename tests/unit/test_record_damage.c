/* Saved files that are damaged, cut short, or no results at all: each is refused with the place of the fault. */
#include "saved.h"

#include <signal.h>

static void test_damaged_members(void **state)
{
	static const struct {
		const char *from;
		const char *to;
		const char *sentence;
	} damages[] = {
		{"\"format\":\t\"speedtest-hd\"", "\"format\":\t\"other\"", "is not a result that speedtest-hd saved"},
		{"\"format\":\t\"speedtest-hd\"", "\"format\":\t7", "is not a result that speedtest-hd saved"},
		{"\"format\":\t\"speedtest-hd\"", "\"fio version\":\t\"fio-3.33\"", "fio's own output"},
		{"\"format_version\":\t1", "\"format_version\":\t2", "update this one"},
		{"\"format_version\":\t1", "\"format_version\":\t\"1\"", "format_version: a number is needed"},
		{"\"format_version\":\t1", "\"format_version\":\t0", "format_version: a number from 1 to 1e+09 is needed"},
		{"\"format_version\":\t1", "\"format_version\":\t1.5", "format_version: a whole number is needed"},
		{"\"program_version\"", "\"x\"", "program_version: it is missing, and must be a text"},
		{"\"complete\"", "\"completed\"", "state: 'running', 'complete', 'interrupted' or 'failed' is needed"},
		{"\"complete\"", "\"failed\"", "failure: a text is needed, since the state is 'failed'"},
		{"\"2026-11-30T17:00:00Z\"", "\"2026-11-30 17:00\"", "started_at: a time such as"},
		{"\"2026-11-30T17:00:00Z\"", "\"9999-99-99T99:99:99Z\"", "started_at: a time such as"},
		{"\"2026-11-30T17:05:00Z\"", "5", "finished_at: a text is needed"},
		{"\"settings\":\t{", "\"settings\":\t[", "cannot be read from column"},
		{"\"settings\"", "\"setting\"", "settings: it is missing, and must be an object"},
		{"\"profile\":\t\"cdm\"", "\"profile\":\t\"\\u001b[1m\"",
			"settings.profile: this version knows no profile '\\x1B[1m'"},
		{"\"profile\":\t\"cdm\"", "\"profile\":\tnull", "settings.profile: a text is needed"},
		{"\"size_bytes\":\t1073741824", "\"size_bytes\":\t-1", "settings.size_bytes: a number from 0 to 1e+18"},
		{"\"size_bytes\":\t1073741824", "\"size_bytes\":\t1e999", "settings.size_bytes: a number from 0 to 1e+18"},
		{"\"size_bytes\":\t1073741824", "\"size_bytes\":\tnull", "settings.size_bytes: a number is needed"},
		{"\"warmup\":\ttrue", "\"warmup\":\t1", "settings.warmup: true or false is needed"},
		{"\"path\":", "\"pat\":", "target.path: it is missing, and must be a text"},
		{"\"honoured_read\":\t\"yes\"", "\"honoured_read\":\ttrue", "direct.honoured_read: 'unknown', 'yes' or 'no'"},
		{"\"pool\":\tnull", "\"pool\":\t{}", "pool.name: it is missing"},
		{"\"pool\":\tnull", "\"pool\":\t[]", "pool: an object is needed"},
		{"\"environment\":\t[{", "\"environment\":\t[5, {", "environment[0]: an object is needed"},
		{"\"a note\"", "[]", "notes[0]: a text is needed"},
		{"\"notes\":", "\"note\":", "notes: it is missing, and must be a list"},
		{"\"tests\":", "\"test\":", "tests: it is missing, and must be a list"},
		{"\"direction\":\t\"read\"", "\"direction\":\t\"copy\"", "tests[0].direction: 'read' or 'write' is needed"},
		{"\"queue_depth\":\t8", "\"queue_depth\":\t1e7", "tests[0].queue_depth: a number from 0 to 1e+06"},
		{"\"part\":\t\"main\"", "\"part\":\t\"other\"", "tests[0].part: 'main', 'detail' or 'experiment' is needed"},
		{"\"part\":\t\"main\"", "\"part\":\tnull", "tests[0].part: 'main', 'detail' or 'experiment' is needed"},
		{"\"part\":\t\"main\"", "\"x\":\t\"main\"", NULL},
		{"\"sync_method\":\tnull", "\"sync_method\":\t\"sync\"",
			"tests[0].sync_method: 'O_SYNC', 'O_DSYNC' or 'fdatasync' is needed"},
		{"\"sync_method\":\tnull", "\"sync_method\":\t\"O_DSYNC\"", NULL}, /* not of what is not synchronous */
		{"\"sync_method\":\tnull", "\"x\":\tnull", NULL},
		{"\"stage\":\tnull", "\"stage\":\t7", "tests[0].stage: a text is needed"},
		{"\"device_share\":\tnull", "\"device_share\":\t1.1",
			"tests[0].runs[0].evidence.device_share: a number from 0 to 1 is needed"},
		{"\"device_share_unknown\":\t\"no counter\"", "\"device_share_unknown\":\t7",
			"tests[0].runs[0].evidence.device_share_unknown: a text is needed"},
		{"\"commits_are_skewed\":\ttrue", "\"commits_are_skewed\":\tnull",
			"tests[0].runs[0].evidence.commits_are_skewed: true or false is needed"},
		{"\"idle_states\":\t[", "\"idle_states\":\t7, \"x\":\t[",
			"tests[0].runs[0].evidence.idle_states: a list is needed"},
		{"\"idle_states\":\t[", "\"idle_states\":\t[null, ",
			"tests[0].runs[0].evidence.idle_states[0]: an object is needed"},
		{"\"name\":\t\"POLL\"", "\"x\":\t\"POLL\"",
			"tests[0].runs[0].evidence.idle_states[0].name: it is missing, and must be a text"},
		{"\"time_share\":\t0.75", "\"time_share\":\t1.5",
			"tests[0].runs[0].evidence.idle_states[1].time_share: a number from 0 to 1 is needed"},
		{"\"entries\":\t12200", "\"entries\":\t-1",
			"tests[0].runs[0].evidence.idle_states[1].entries: a number from 0"},
		{"\"exit_latency_us\":\t133", "\"exit_latency_us\":\t\"133 us\"",
			"tests[0].runs[0].evidence.idle_states[1].exit_latency_us: a number is needed"},
		{"\"zil_commits\":\tnull", "\"zil_commits\":\t-1", "tests[0].runs[0].evidence.zil_commits: a number from 0"},
		{"\"cpu_frequency_hz\":\tnull", "\"cpu_frequency_hz\":\t\"2 GHz\"",
			"tests[0].runs[0].evidence.cpu_frequency_hz: a number is needed"},
		{"\"passages\":\t[", "\"passages\":\t7, \"x\":\t[", "passages: a list is needed"},
		{"\"passages\":\t[", "\"passages\":\t[null, ", "passages[0]: an object is needed"},
		{"\"lines\":\t[", "\"x\":\t[", "passages[0].lines: it is missing, and must be a list"},
		{"\"is_command\":\tfalse", "\"is_command\":\t0", "passages[0].lines[0].is_command: true or false is needed"},
		{"\"heading\"", "\"x\"", "passages[0].heading: it is missing, and must be a text"},
		{"\"split_unknown\":\t\"nobody counts\"", "\"split_unknown\":\t7", "split_unknown: a text is needed"},
		{"\"split_is_estimate\":\ttrue", "\"split_is_estimate\":\t1", "split_is_estimate: true or false is needed"},
		{"\"pass\":\t2", "\"pass\":\t2.5", "tests[0].runs[1].pass: a whole number is needed"},
		{"\"runs\":\t3", "\"runs\":\t1.5", "settings.runs: a whole number is needed"},
		{"\"runs\":\t3", "\"runs\":\t100001", "settings.runs: a number from 0 to 100000 is needed"},
		{"\"pass\":\t2", "\"pass\":\t100001", "tests[0].runs[1].pass: a number from 0 to 100000 is needed"},
		{"\"outcome\":\t\"valid\"", "\"outcome\":\t\"not run\"", "tests[0].runs[0].outcome: 'valid' or 'failed'"},
		{"\"outcome\":\t\"valid\"", "\"outcome\":\t\"failed\"", "tests[0].runs[0].reason: a text is needed, since"},
		{"\"figures\":\t{", "\"figures\":\tnull, \"x\":\t{", "tests[0].runs[0].figures: an object is needed"},
		{"\"latency_p99_ns\":\t", "\"latency_p99_ns\":\tfalse, \"x\":\t", NULL}, /* that is in the score */
		{"\"mark\":\t\"\",\n\t\t\t\t\t\"reason\"", "\"mark\":\t\"!\", \"reason\"",
			"tests[0].runs[0].mark: '', '*' or '?'"},
		{"\"counters\":", "\"counter\":", "tests[0].runs[0].evidence.counters: an object is needed"},
		{"\"leaf\":\t{", "\"leaf\":\t7, \"x\":\t{", "tests[0].runs[0].evidence.counters.leaf: an object is needed"},
		{"\"time_s\":\t[1,", "\"time_s\":\t[", "tests[0].runs[0].series: its lists differ in length"},
		{"\"time_s\":\t[1,", "\"time_s\":\t[\"1\",", "tests[0].runs[0].series.time_s[0]: a number is needed"},
		{"\"time_s\":\t[1,", "\"time_s\":\t[-1,", "tests[0].runs[0].series.time_s[0]: a number from 0 to 1e+09"},
		{"\"time_s\":\t[", "\"time_s\":\t7, \"x\":\t[", "tests[0].runs[0].series.time_s: a list is needed"},
		{"\"test\":\t3", "\"test\":\t8", "findings[1].places[0].test: there is no such test"},
		{"\"test\":\t3", "\"test\":\t-1", "findings[1].places[0].test: a number from 0 to 100000 is needed"},
		{"\"test\":\t3", "\"test\":\t1e99", "findings[1].places[0].test: a number from 0 to 100000 is needed"},
		{"\"comparison\":\t{", "\"comparison\":\t[], \"x\":\t{", "comparison: an object is needed"},
		{"\"thresholds\":\t[", "\"thresholds\":\t{}, \"x\":\t[", "thresholds: a list is needed"},
	};
	struct record record;

	(void)state;
	make_full(&record);
	char *text = record_to_json(&record);
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		char *damaged = changed(text, damages[i].from, damages[i].to);

		if (damages[i].sentence) {
			expect_refused(damaged, strlen(damaged), damages[i].sentence);
		} else {
			struct record loaded;
			load(&loaded, damaged);
			char *again = record_to_json(&loaded);

			assert_string_equal(again, text);
			record_release(&loaded);
			free(again);
		}
		free(damaged);
	}
	free(text);
	record_release(&record);
}

/* One figure of one run far inside; and members that no version wrote, which are left out. */
static void test_damage_far_inside(void **state)
{
	struct record record, loaded;

	(void)state;
	make_full(&record);
	record.tests[3].runs[1].figures[QUANTITY_IOPS] = 777777;
	char *text = record_to_json(&record);
	char *damaged = changed(text, "\"iops\":\t777777", "\"iops\":\t\"777777\"");
	expect_refused(damaged, strlen(damaged), "tests[3].runs[1].figures.iops: a number is needed");
	free(damaged);
	damaged = changed(text, "\"tests\":", "\"later\": {\"a\": [1, 2, {}]}, \"tests\":");
	load(&loaded, damaged);
	char *again = record_to_json(&loaded);
	assert_string_equal(again, text);
	free(again);
	free(damaged);
	free(text);
	record_release(&record);
	record_release(&loaded);
}

static void test_no_documents(void **state)
{
	static const char nul[] = "{\"format\":\"speedtest-hd\",\"format_version\":1,\"label\":\"a\0b\"}";
	static const struct {
		const char *text;
		const char *sentence;
	} texts[] = {
		{"", "is empty"},
		{" \n\t\n", "is empty"},
		{"hello", "is not a result that speedtest-hd saved"},
		{"<!DOCTYPE html>", "is not a result that speedtest-hd saved"},
		{"[]", "is not a result that speedtest-hd saved"},
		{"{}", "is not a result that speedtest-hd saved"},
		{"null", "is not a result that speedtest-hd saved"},
		{"{\"fio version\" : \"fio-3.33\", \"jobs\" : []}", "is fio's own output"},
		{"note: both iodepth >= 1\n{\"fio version\" : \"fio-3.33\", \"jobs\" : [", "is fio's own output"},
		{"{\"format\":\"speedtest-hd\",\n \"a\" 1}", "line 2 cannot be read from column 6 on"},
		{"{\"format\":\"speedtest-hd\"", "ends in the middle; it may be incomplete"},
		{"{\"format\":\"speedtest-hd\"} {}", "cannot be read from column 27 on"},
		{"{\"format\":\"speedtest-hd\"}", "format_version: it is missing, and must be a number"},
		{"{\"format\":\"speedtest-hd\",\"format_version\":1e99}", "format_version: a number from 1"},
		{"{\"format\":\"speedtest-hd\",\"format_version\":900000000}", "was saved by a newer speedtest-hd"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		expect_refused(texts[i].text, strlen(texts[i].text), texts[i].sentence);
	}
	expect_refused(nul, sizeof(nul) - 1, "cannot be read from column 55 on");
}

static void test_truncated(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "slog", 1, 1e8, 0, 1);
	char *text = record_to_json(&record);
	size_t length = strlen(text) - 2; /* without the last brace it ends too early */
	size_t step = getenv("SPEEDTEST_HD_SLOW") ? 101 : 7;
	for (size_t i = 40; i < length; i += step) {
		expect_refused(text, i, "ends in the middle; it may be incomplete");
	}
	free(text);
	record_release(&record);
}

static void test_deep_and_large(void **state)
{
	struct text text = TEXT_EMPTY;

	(void)state;
	text_add(&text, "{\"format\":\"speedtest-hd\",\"a\":");
	text_add_repeated(&text, "[", 100000);
	expect_refused(text.bytes, text.length, "cannot be read from column");
	text_reset(&text);
	text_add(&text, "{\"format\":\"speedtest-hd\",\"format_version\":");
	text_add_repeated(&text, "9", 100000);
	expect_refused(text.bytes, text.length, "cannot be read from column 43 on");
	text_release(&text);
}

static void expect_file_refused(const char *path, const char *sentence)
{
	struct failure failure = FAILURE_NONE;
	struct record record;

	alarm(10); /* for what would wait for ever */
	assert_false(record_load(&record, path, &failure));
	alarm(0);
	assert_int_equal(failure.status, STATUS_USAGE);
	if (!strstr(failure.sentence, sentence)) {
		print_error("'%s' is not in: %s\n", sentence, failure.sentence);
	}
	assert_non_null(strstr(failure.sentence, sentence));
	failure_clear(&failure);
}

static void test_files(void **state)
{
	struct failure failure = FAILURE_NONE;
	struct record record, loaded;
	char folder[64];

	(void)state;
	scratch_make(folder);
	char *path = xasprintf("%s/a.json", folder), *fifo = xasprintf("%s/fifo", folder);
	char *odd = xasprintf("%s/od\033d", folder);
	make_full(&record);
	char *text = record_to_json(&record);
	scratch_write(path, text, strlen(text), 0644);
	assert_true(record_load(&loaded, path, &failure));
	char *again = record_to_json(&loaded);
	assert_string_equal(text, again);
	expect_file_refused(folder, "is a directory");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	expect_file_refused(fifo, "is no regular file");
	expect_file_refused("/dev/zero", "is no regular file");
	expect_file_refused("/dev/full", "is no regular file");
	expect_file_refused(odd, "od\\x1Bd': No such file or directory");
	assert_int_equal(truncate(path, (off_t)RECORD_FILE_MAX_BYTES + 1), 0);
	expect_file_refused(path, "is larger than 64 MiB");
	assert_int_equal(truncate(path, 0), 0);
	expect_file_refused(path, "is empty");
	assert_int_equal(truncate(path, 4096), 0);
	expect_file_refused(path, "is not a result");
	scratch_remove(folder);
	free(path);
	free(fifo);
	free(odd);
	free(text);
	free(again);
	record_release(&record);
	record_release(&loaded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_damaged_members),
		cmocka_unit_test(test_damage_far_inside),
		cmocka_unit_test(test_no_documents),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_deep_and_large),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
