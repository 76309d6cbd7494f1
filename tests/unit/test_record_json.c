/* Saved files: what is written reads back as the same, and nothing that is read does harm. */
#include "scratch.h"

#include <signal.h>

#include "records.h"

#include "record/figures.h"
#include "record/record_json.h"

/* Text that means something to terminals, browsers, shells, or JSON itself. */
#define HOSTILE "\033[31m<script>alert(\"1\")</script>\xC2\x9B\xE2\x80\xAE\xFF\\ \t\n'`$(id)`"

/* A record with something in each of its members. */
static void make_full(struct record *record)
{
	record_sample(record, "cdm", 3, 1.5e9, 0.07, 42);
	record->settings.warmup = true;
	record->settings.ramp_s = 2;
	record->settings.interval_s = 1;
	record->label = xstrdup("CN-08R2");
	record->notes = xcalloc(2, sizeof(*record->notes));
	record->notes[record->note_count++] = xstrdup("a note");
	record->notes[record->note_count++] = xstrdup("snowman \xE2\x98\x83");
	sample_add_run(&record->tests[0], record->settings.profile, 0, 1e9);
	record->tests[0].runs[0].evidence.counters[STORAGE_LOG].known = true;
	record->tests[0].runs[0].evidence.network = (struct record_counters){.known = true, .read_bytes = 7};
	record_sample_finding(record, "served-from-ram", "*", "RND4K Q1T1 read came from RAM", 2, -1);
	record_sample_finding(record, "source-unknown", "?", "nobody knows", 3, 2);
	record_sample_fail(record, 4, 2, "it was cut short", "shortened");
	record_sample_fail(record, 5, 1, "no such thing", NULL);
	record->direct.is_warning = true;
	record->split_unknown = xstrdup("nobody counts");
	record->split_is_estimate = true;
	struct record_passage *passage = record_add_passage(record, "path", "Path of the writes");
	record_passage_say(passage, "It went that way.");
	record_passage_command(passage, "sudo reboot");
	record->comparison_json = xstrdup("{\"rows\":[1.5,{\"a\":null},true,false,[],\"x\\u001b\"]}");
	record->thresholds_json = xstrdup("[{\"threshold\":\"--fail-below 'T1 iops=1'\",\"value\":0.1}]");
}

static void load(struct record *record, const char *text)
{
	struct failure failure = FAILURE_NONE;

	if (!record_from_json(record, text, strlen(text), "a.json", &failure)) {
		print_error("%s\n", failure.sentence);
	}
	assert_null(failure.sentence);
}

/* Saves, loads, saves, and hands over what was loaded. */
static void expect_same(const struct record *record, struct record *loaded)
{
	char *first = record_to_json(record), *again = record_to_json(record);

	assert_string_equal(first, again);
	load(loaded, first);
	char *second = record_to_json(loaded);
	assert_string_equal(first, second);
	free(first);
	free(again);
	free(second);
}

/* For tests/schema/run.py: the documents of this test, kept where it wants them. */
static void keep_document(const struct record *record, const char *name)
{
	const char *folder = getenv("SPEEDTEST_HD_DOCUMENTS");

	if (folder) {
		char *path = xasprintf("%s/%s.json", folder, name), *text = record_to_json(record);

		scratch_write(path, text, strlen(text), 0644);
		free(path);
		free(text);
	}
}

static void test_round_trips(void **state)
{
	static const char *const keys[] = {"cdm", "slog", "dd"};
	struct record record, loaded;

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		for (unsigned runs = 0; runs < 4; runs++) {
			record_sample(&record, keys[i], runs, 3.3e8 + 0.1 * runs, 0.03 * runs, 7 * i + runs);
			expect_same(&record, &loaded);
			char *name = xasprintf("%s-%u", keys[i], runs);
			keep_document(&record, name);
			free(name);
			record_release(&record);
			record_release(&loaded);
		}
	}
}

static void test_nothing_is_lost(void **state)
{
	struct record record, loaded;

	(void)state;
	make_full(&record);
	expect_same(&record, &loaded);
	assert_string_equal(loaded.program_version, record.program_version);
	assert_string_equal(loaded.label, "CN-08R2");
	assert_string_equal(loaded.host, "bench");
	assert_string_equal(loaded.started_at, record.started_at);
	assert_string_equal(loaded.finished_at, record.finished_at);
	assert_int_equal(loaded.state, RECORD_COMPLETE);
	assert_null(loaded.failure);
	assert_ptr_equal(loaded.settings.profile, &profile_cdm);
	assert_string_equal(loaded.settings.engine, "io_uring");
	assert_string_equal(loaded.settings.tool, "fio 3.33");
	assert_string_equal(loaded.settings.runs_as, "root");
	assert_string_equal(loaded.settings.command, record.settings.command);
	assert_number(loaded.settings.size_bytes, 1073741824, 0);
	assert_number(loaded.settings.runtime_s, SAMPLE_SERIES_POINTS, 0);
	assert_number(loaded.settings.runs, 3, 0);
	assert_number(loaded.settings.ramp_s, 2, 0);
	assert_number(loaded.settings.interval_s, 1, 0);
	assert_true(loaded.settings.warmup);
	assert_string_equal(loaded.target.path, record.target.path);
	assert_string_equal(loaded.target.file_system, record.target.file_system);
	assert_string_equal(loaded.target.source, record.target.source);
	assert_string_equal(loaded.target.mount_point, record.target.mount_point);
	assert_string_equal(loaded.target.device, record.target.device);
	assert_number(loaded.target.free_bytes, record.target.free_bytes, 0);
	assert_number(loaded.target.total_bytes, record.target.total_bytes, 0);
	assert_string_equal(loaded.direct.state, "enabled");
	assert_string_equal(loaded.direct.honoured_read, "yes");
	assert_string_equal(loaded.direct.honoured_write, "yes");
	assert_string_equal(loaded.direct.text, "enabled");
	assert_true(loaded.direct.is_warning);
	assert_null(loaded.pool.name);
	assert_int_equal(loaded.fact_count, record.fact_count);
	assert_string_equal(loaded.facts[0].key, "kernel");
	assert_null(loaded.facts[0].subject);
	assert_string_equal(loaded.facts[0].label, "kernel");
	assert_string_equal(loaded.facts[0].value, record.facts[0].value);
	assert_int_equal(loaded.note_count, 2);
	assert_string_equal(loaded.notes[1], "snowman \xE2\x98\x83");
	assert_string_equal(loaded.checked, record.checked);
	assert_int_equal(loaded.finding_count, 2);
	assert_string_equal(loaded.findings[0].id, "served-from-ram");
	assert_string_equal(loaded.findings[0].mark, "*");
	assert_int_equal(loaded.findings[0].place_count, 3);
	assert_int_equal(loaded.findings[1].place_count, 1);
	assert_int_equal(loaded.findings[1].places[0].test, 3);
	assert_int_equal(loaded.findings[1].places[0].pass, 2);
	record_release(&record);
	record_release(&loaded);
}

static void expect_same_run(const struct record_run *run, const struct record_run *loaded)
{
	assert_int_equal(loaded->pass, run->pass);
	assert_int_equal(loaded->outcome, run->outcome);
	assert_int_equal(loaded->has_figures, run->has_figures);
	assert_string_equal(loaded->mark, run->mark);
	assert_string_equal(loaded->began_at, run->began_at);
	assert_int_equal(loaded->reason == NULL, run->reason == NULL);
	assert_int_equal(loaded->failure_id == NULL, run->failure_id == NULL);
	for (size_t i = 0; run->has_figures && i < QUANTITY_COUNT; i++) {
		assert_true(loaded->figures[i] == run->figures[i]); /* to the last bit */
	}
	assert_true(loaded->evidence.present);
	assert_number(loaded->evidence.claimed_bytes, run->evidence.claimed_bytes, 0);
	assert_int_equal(isnan(loaded->evidence.on_device), isnan(run->evidence.on_device));
	assert_number(loaded->evidence.queue_depth, run->evidence.queue_depth, 0);
	for (size_t i = 0; i < STORAGE_ROLE_COUNT; i++) {
		assert_int_equal(loaded->evidence.counters[i].known, run->evidence.counters[i].known);
		if (run->evidence.counters[i].known) {
			assert_number(loaded->evidence.counters[i].read_bytes, run->evidence.counters[i].read_bytes, 0);
			assert_number(loaded->evidence.counters[i].written_bytes, run->evidence.counters[i].written_bytes, 0);
		}
	}
	assert_int_equal(loaded->evidence.network.known, run->evidence.network.known);
	assert_int_equal(loaded->series.count, run->series.count);
	assert_number(loaded->series.interval_s, run->series.interval_s, 0);
	for (size_t i = 0; i < run->series.count; i++) {
		assert_true(loaded->series.time_s[i] == run->series.time_s[i]);
		assert_true(loaded->series.bandwidth_bytes_per_s[i] == run->series.bandwidth_bytes_per_s[i]);
		assert_int_equal(isnan(loaded->series.device_bytes_per_s[i]), isnan(run->series.device_bytes_per_s[i]));
	}
}

static void test_runs_are_the_same(void **state)
{
	struct record record, loaded;

	(void)state;
	make_full(&record);
	/* Numbers that need all their digits. */
	record.tests[1].runs[0].figures[QUANTITY_BANDWIDTH] = 123456789.12345679;
	record.tests[1].runs[1].figures[QUANTITY_IOPS] = 0.1 + 0.2;
	expect_same(&record, &loaded);
	assert_int_equal(loaded.test_count, record.test_count);
	for (size_t i = 0; i < record.test_count; i++) {
		const struct record_test *test = &record.tests[i], *other = &loaded.tests[i];

		assert_string_equal(other->name, test->name);
		assert_int_equal(other->transfer, test->transfer);
		assert_int_equal(other->pattern, test->pattern);
		assert_int_equal(other->synchronous, test->synchronous);
		assert_number(other->block_size_bytes, test->block_size_bytes, 0);
		assert_number(other->queue_depth, test->queue_depth, 0);
		assert_number(other->threads, test->threads, 0);
		assert_int_equal(other->run_count, test->run_count);
		for (size_t j = 0; j < test->run_count; j++) {
			expect_same_run(&test->runs[j], &other->runs[j]);
		}
	}
	record_release(&record);
	record_release(&loaded);
}

/* What is known of commits, and what was made of it. */
static void test_commits_are_the_same(void **state)
{
	struct record record, loaded;

	(void)state;
	record_sample(&record, "slog", 1, 3.3e7, 0, 4);
	record_sample_doctor(&record, 5, 0.01, 5);
	keep_document(&record, "doctor");
	expect_same(&record, &loaded);
	assert_string_equal(loaded.pool.summary, "OpenZFS 2.1.11, mirror of 2, ONLINE");
	assert_string_equal(loaded.pool.dataset, "tank/vm: recordsize 16 KiB, sync=always");
	for (size_t i = 0; i < record.test_count; i++) {
		const struct record_test *test = &record.tests[i], *other = &loaded.tests[i];
		const struct record_evidence *evidence = &test->runs[0].evidence, *read = &other->runs[0].evidence;

		assert_int_equal(other->part, test->part);
		assert_int_equal(other->stage != NULL, test->part == PART_EXPERIMENT);
		if (test->stage) {
			assert_string_equal(other->stage, test->stage);
		}
		if (!test->synchronous) {
			assert_true(isnan(read->device_share) && isnan(read->zil_commits) && isnan(read->cpu_frequency_hz));
			continue;
		}
		assert_int_equal(other->sync_method, test->sync_method);
		assert_number(read->device_share, evidence->device_share, 0);
		assert_number(read->writes_per_commit, evidence->writes_per_commit, 0);
		assert_number(read->flushes_per_commit, evidence->flushes_per_commit, 0);
		assert_number(read->log_share, evidence->log_share, 0);
		assert_number(read->zil_commits, evidence->zil_commits, 0);
		assert_number(read->zil_log_blocks, evidence->zil_log_blocks, 0);
		assert_number(read->zil_pool_blocks, evidence->zil_pool_blocks, 0);
		assert_number(read->zil_indirect, evidence->zil_indirect, 0);
		assert_number(read->log_writes_per_s, evidence->log_writes_per_s, 0);
		assert_number(read->data_writes_per_s, evidence->data_writes_per_s, 0);
		assert_number(read->cpu_frequency_hz, evidence->cpu_frequency_hz, 0);
	}
	assert_int_equal(loaded.passage_count, 2);
	assert_string_equal(loaded.passages[1].id, "remedies");
	assert_string_equal(loaded.passages[1].heading, "To make it last");
	assert_int_equal(loaded.passages[1].line_count, 4);
	assert_string_equal(loaded.passages[1].lines[2].text, "ExecStart=/bin/sh -c 'echo performance >\"$g\"'");
	assert_true(loaded.passages[1].lines[2].is_command);
	assert_false(loaded.passages[1].lines[3].is_command);
	record_release(&record);
	record_release(&loaded);
}

/* Files of older versions say nothing of it. */
static void test_older_files(void **state)
{
	struct failure failure = FAILURE_NONE;
	struct record record;

	(void)state;
	assert_true(record_load(&record, "tests/fixtures/saved/slog-optane.json", &failure));
	for (size_t i = 0; i < record.test_count; i++) {
		assert_int_equal(record.tests[i].part, PART_MAIN);
		assert_int_equal(record.tests[i].sync_method, SYNC_O_SYNC);
		assert_null(record.tests[i].stage);
		assert_true(isnan(record.tests[i].runs[0].evidence.device_share));
		assert_true(isnan(record.tests[i].runs[0].evidence.zil_log_blocks));
	}
	assert_int_equal(record.passage_count, 0);
	assert_null(record.split_unknown);
	assert_false(record.split_is_estimate);
	assert_null(record.pool.summary);
	assert_null(record.pool.dataset);
	char *text = record_to_json(&record);
	assert_non_null(strstr(text, "\"part\":\t\"main\""));
	assert_non_null(strstr(text, "\"sync_method\":\t\"O_SYNC\""));
	assert_non_null(strstr(text, "\"passages\":\t[]"));
	free(text);
	record_release(&record);
}

/* What a record should not hold is written as unknown, so that the file can be loaded all the same. */
static void test_odd_records(void **state)
{
	static const double odd[] = {(double)NAN, (double)INFINITY, -1, 1e300, -0.0, 5e-324, 1e18};
	struct record record, loaded;

	(void)state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		make_full(&record);
		record.settings.size_bytes = odd[i];
		record.settings.runtime_s = odd[i];
		record.target.free_bytes = odd[i];
		record.tests[0].queue_depth = odd[i];
		record.tests[0].runs[0].series.time_s[1] = odd[i];
		record.tests[0].runs[0].evidence.queue_depth = odd[i];
		record.tests[0].runs[0].evidence.counters[0].read_requests = odd[i];
		record.findings[0].places[0].test = 1000;
		record.tests[4].runs[1].reason[0] = '\0';
		sample_set(&record.tests[5].runs[0].reason, NULL);
		sample_set(&record.settings.runs_as, NULL);
		sample_set(&record.started_at, "yesterday");
		sample_set(&record.finished_at, NULL);
		sample_set(&record.direct.state, "perhaps");
		record.state = RECORD_FAILED;
		expect_same(&record, &loaded);
		sample_set(&record.comparison_json, NULL);
		sample_set(&record.thresholds_json, NULL);
		if (i == 0) {
			keep_document(&record, "odd");
		}
		record_release(&record);
		record_release(&loaded);
	}
}

static void test_hostile_strings(void **state)
{
	struct record record, loaded;

	(void)state;
	make_full(&record);
	sample_set(&record.label, HOSTILE);
	sample_set(&record.target.path, HOSTILE);
	sample_set(&record.notes[0], HOSTILE);
	sample_set(&record.tests[0].name, HOSTILE);
	sample_set(&record.findings[0].sentence, HOSTILE);
	sample_set(&record.checked, HOSTILE);
	sample_set(&record.tests[0].stage, HOSTILE);
	sample_set(&record.passages[0].heading, HOSTILE);
	record_passage_say(&record.passages[0], "%s", HOSTILE);
	record_passage_command(&record.passages[0], "%s", HOSTILE);
	expect_same(&record, &loaded);
	const char *const strings[] = {loaded.label, loaded.target.path, loaded.notes[0], loaded.tests[0].name,
		loaded.findings[0].sentence, loaded.checked, loaded.tests[0].stage, loaded.passages[0].heading,
		loaded.passages[0].lines[2].text, loaded.passages[0].lines[3].text, record.passages[0].lines[3].text};
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		char *printable = text_printable(strings[i]);

		assert_string_equal(strings[i], printable);
		assert_null(strchr(strings[i], '\033'));
		assert_non_null(strstr(strings[i], "<script>")); /* left to those who write HTML */
		free(printable);
	}
	record_release(&record);
	record_release(&loaded);
}

/* A document with one piece of its text replaced; without `from`, the whole of it. The caller frees it. */
static char *changed(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);

	if (!at) {
		print_error("the document has no %s\n", from);
	}
	assert_non_null(at);
	return xasprintf("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void expect_refused(const char *bytes, size_t length, const char *sentence)
{
	struct failure failure = FAILURE_NONE;
	struct record record, empty = {0};

	assert_false(record_from_json(&record, bytes, length, "a.json", &failure));
	assert_int_equal(failure.status, STATUS_USAGE);
	assert_memory_equal(&record, &empty, sizeof(record));
	if (!strstr(failure.sentence, sentence)) {
		print_error("'%s' is not in: %s\n", sentence, failure.sentence);
	}
	assert_non_null(strstr(failure.sentence, sentence));
	assert_null(strchr(failure.sentence, '\033'));
	assert_non_null(strstr(failure.sentence, "'a.json' "));
	failure_clear(&failure);
}

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

/* A text of so many bytes. The caller frees it. */
static char *long_text(size_t length)
{
	char *text = xmalloc(length + 1);

	memset(text, 'x', length);
	text[length] = '\0';
	return text;
}

/* Set a text of a record to one of so many bytes, and see what comes of the file. */
static void expect_limit(struct record *record, char **string, const char *key, size_t most)
{
	const size_t lengths[] = {most, most + 1};

	for (size_t i = 0; i < 2; i++) {
		char *kept = *string, *text, *damaged, *mark, *filled, *member;

		*string = xstrdup("MARK");
		text = record_to_json(record);
		free(*string);
		*string = kept;
		filled = long_text(lengths[i]);
		mark = xasprintf("\"%s\":\t\"MARK\"", key);
		member = xasprintf("\"%s\":\t\"%s\"", key, filled);
		damaged = changed(text, mark, member);
		if (i == 0) {
			struct record loaded;

			load(&loaded, damaged);
			char *again = record_to_json(&loaded);
			assert_string_equal(again, damaged);
			free(again);
			record_release(&loaded);
		} else {
			char *sentence = xasprintf("%s: a text of at most %zu bytes is needed", key, most);

			expect_refused(damaged, strlen(damaged), sentence);
			free(sentence);
		}
		free(text);
		free(damaged);
		free(mark);
		free(filled);
		free(member);
	}
}

/* No text of a file is longer than the program's own. */
static void test_texts_too_long(void **state)
{
	struct record record;

	(void)state;
	make_full(&record);
	expect_limit(&record, &record.label, "label", 800);
	expect_limit(&record, &record.host, "host", 800);
	expect_limit(&record, &record.program_version, "program_version", 800);
	expect_limit(&record, &record.settings.tool, "tool", 800);
	expect_limit(&record, &record.settings.command, "command", 65536);
	expect_limit(&record, &record.target.path, "path", 65536);
	expect_limit(&record, &record.target.source, "source", 65536);
	expect_limit(&record, &record.direct.text, "text", 65536);
	expect_limit(&record, &record.facts[0].key, "key", 800);
	expect_limit(&record, &record.facts[0].label, "label", 800);
	expect_limit(&record, &record.facts[0].value, "value", 65536);
	expect_limit(&record, &record.tests[0].name, "name", 800);
	expect_limit(&record, &record.tests[4].runs[1].reason, "reason", 65536);
	expect_limit(&record, &record.findings[0].id, "id", 800);
	expect_limit(&record, &record.findings[0].sentence, "sentence", 65536);
	expect_limit(&record, &record.checked, "checked", 65536);
	expect_limit(&record, &record.tests[0].stage, "stage", 800);
	expect_limit(&record, &record.split_unknown, "split_unknown", 65536);
	expect_limit(&record, &record.passages[0].id, "id", 800);
	expect_limit(&record, &record.passages[0].heading, "heading", 800);
	expect_limit(&record, &record.passages[0].lines[1].text, "text", 65536);
	record_release(&record);
}

/* What counts is how long it is once it can be printed; what a file has no room for is cut when it is written. */
static void test_texts_that_grow(void **state)
{
	struct record record, loaded;
	char *text, *damaged, *filled = long_text(70000);

	(void)state;
	make_full(&record);
	sample_set(&record.notes[0], "MARK");
	text = record_to_json(&record);
	memset(filled, 0x7F, 70000);
	filled[16384] = '\0'; /* each byte becomes four */
	damaged = changed(text, "MARK", filled);
	load(&loaded, damaged);
	assert_int_equal(strlen(loaded.notes[0]), 65536);
	record_release(&loaded);
	free(damaged);
	filled[16384] = 0x7F;
	filled[16385] = '\0';
	damaged = changed(text, "MARK", filled);
	expect_refused(damaged, strlen(damaged), "notes[0]: a text of at most 65536 bytes is needed");
	free(damaged);
	free(text);

	for (size_t i = 0; i + 2 < 70000; i += 3) {
		memcpy(filled + i, "\xE2\x98\x83", 3); /* a cut must not fall into a character */
	}
	filled[69999] = '\0';
	char **const strings[] = {&record.label, &record.settings.command, &record.notes[0], &record.tests[0].name,
		&record.tests[4].runs[1].reason, &record.checked, &record.facts[0].value};
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		sample_set(strings[i], filled);
	}
	expect_same(&record, &loaded);
	assert_int_equal(strlen(loaded.label), 798);
	assert_string_equal(loaded.label + 795, "...");
	assert_int_equal(strlen(loaded.checked), 65535);
	assert_null(strstr(loaded.checked, "\\x"));
	record_release(&record);
	record_release(&loaded);
	free(filled);
}

/* Numbers that no machine measures would make a scale of hundreds of decades. */
static void test_numbers_next_to_nothing(void **state)
{
	static const double tiny[] = {5e-324, 1e-300, 0.00099};
	struct record record, loaded;

	(void)state;
	for (size_t i = 0; i < sizeof(tiny) / sizeof(tiny[0]); i++) {
		make_full(&record);
		record.tests[0].runs[0].figures[QUANTITY_BANDWIDTH] = 424242;
		record.tests[0].runs[0].figures[QUANTITY_P99] = 0.001;
		record.tests[0].runs[0].series.bandwidth_bytes_per_s[0] = tiny[i];
		record.tests[0].runs[0].series.time_s[0] = i == 2 ? 1e-7 : tiny[i];
		char *text = record_to_json(&record), *number = xasprintf("%.17g", tiny[i]);
		char *damaged = changed(text, "424242", number);
		load(&loaded, damaged);
		const struct record_run *run = &loaded.tests[0].runs[0];
		assert_true(run->figures[QUANTITY_BANDWIDTH] == 0);
		assert_true(run->figures[QUANTITY_P99] == 0.001);
		assert_true(run->series.bandwidth_bytes_per_s[0] == 0);
		assert_true(run->series.time_s[0] == 0);
		free(text);
		free(number);
		free(damaged);
		record_release(&record);
		record_release(&loaded);
	}
}

/* As many tests as a long tuning session has, in one file. */
static void test_many(void **state)
{
	struct record record, loaded;
	size_t tests = getenv("SPEEDTEST_HD_SLOW") ? 100 : 10000;

	(void)state;
	record_sample(&record, "dd", 0, 1e9, 0, 1);
	while (record.test_count < tests) {
		struct record_test *test = sample_add_test(&record, "RND4K Q1T1", &profile_cdm.workloads[3], TRANSFER_READ);

		sample_add_run(test, &profile_cdm, 1, 1e6 + (double)record.test_count / 7);
	}
	char *text = record_to_json(&record);
	load(&loaded, text);
	assert_int_equal(loaded.test_count, tests);
	char *again = record_to_json(&loaded);
	assert_string_equal(text, again);
	free(text);
	free(again);
	record_release(&record);
	record_release(&loaded);
}

/* The words in files are those that the program says elsewhere. */
static void test_words(void **state)
{
	struct record record;

	(void)state;
	record_sample(&record, "cdm", 1, 1e9, 0, 1);
	for (int i = 0; i < RECORD_STATE_COUNT; i++) {
		record.state = (enum record_state)i;
		char *text = record_to_json(&record);
		char *line = xasprintf("\"state\":\t\"%s\"", record_state_name(record.state));
		assert_non_null(strstr(text, line));
		free(text);
		free(line);
	}
	record_release(&record);
}

/* What is worked out is written too, and worked out anew. */
static void test_score(void **state)
{
	static const double values[] = {100, 300, 200};
	struct record record, loaded;

	(void)state;
	record_sample(&record, "dd", 1, 1e9, 0, 1);
	record_sample_runs(&record, 0, values, 3);
	keep_document(&record, "score");
	char *text = record_to_json(&record);
	assert_non_null(strstr(text, "\"valid_runs\":\t3"));
	assert_non_null(strstr(text, "\"median\":\t200"));
	assert_non_null(strstr(text, "\"best\":\t300"));
	assert_non_null(strstr(text, "\"cv\":\t0.5"));
	char *damaged = changed(text, "\"median\":\t200", "\"median\":\t999");
	load(&loaded, damaged);
	char *again = record_to_json(&loaded);
	assert_string_equal(text, again);
	free(text);
	free(damaged);
	free(again);
	record_release(&record);
	record_release(&loaded);
}

/* A comparison and thresholds go into the file, and come out as they were. */
static void test_attached(void **state)
{
	static const char *const texts[] = {"RND4K Q1T1 read iops=1", "SEQ1M Q8T1 write mb_per_s=100000"};
	const char *const names[] = {"before.json", "after.json"};
	struct threshold_outcomes outcomes = {0};
	struct failure failure = FAILURE_NONE;
	struct comparison comparison;
	struct record before, after, loaded;

	(void)state;
	make_full(&before);
	make_full(&after);
	sample_set(&before.label, NULL);
	sample_set_fact(&after, "kernel", "Linux 6.6.2, x86_64");
	sample_set(&after.comparison_json, NULL);
	sample_set(&after.thresholds_json, NULL);
	const struct record *const records[] = {&before, &after};
	assert_true(comparison_make(&comparison, records, names, 2, &failure));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct threshold threshold;

		assert_true(threshold_parse(&threshold, texts[i], true, &failure));
		thresholds_judge(&outcomes, &threshold, 1, &after, SCORE_MEDIAN);
		threshold_release(&threshold);
	}
	record_attach(&after, &comparison, &outcomes);
	record_attach(&after, NULL, NULL); /* which leaves it as it is */
	expect_same(&after, &loaded);
	keep_document(&after, "full");
	assert_non_null(strstr(loaded.comparison_json, "\"quantity\":\t\"bandwidth_bytes_per_s\""));
	assert_non_null(strstr(loaded.comparison_json, "\"verdict\":\t\"no difference seen\""));
	assert_non_null(strstr(loaded.comparison_json, "Linux 6.6.2"));
	assert_non_null(strstr(loaded.thresholds_json, "\"state\":\t\"met\""));
	assert_non_null(strstr(loaded.thresholds_json, "\"state\":\t\"missed\""));
	threshold_outcomes_release(&outcomes);
	comparison_release(&comparison);
	record_release(&before);
	record_release(&after);
	record_release(&loaded);
}

/* What any version ever saved loads, and this version's own are saved as they were. */
static void test_fixtures(void **state)
{
	DIR *list = opendir("tests/fixtures/saved");
	const struct dirent *entry;

	(void)state;
	assert_non_null(list);
	while ((entry = readdir(list)) != NULL) {
		struct failure failure = FAILURE_NONE;
		struct text text = TEXT_EMPTY;
		struct record record;

		if (!strstr(entry->d_name, ".json")) {
			continue;
		}
		char *path = xasprintf("tests/fixtures/saved/%s", entry->d_name);
		scratch_read(&text, path);
		if (!record_load(&record, path, &failure)) {
			print_error("%s\n", failure.sentence);
		}
		assert_null(failure.sentence);
		char *again = record_to_json(&record);
		if (strstr(text_string(&text), "\"passages\"")) { /* older versions knew fewer members */
			assert_string_equal(again, text_string(&text));
		}
		free(again);
		free(path);
		text_release(&text);
		record_release(&record);
	}
	closedir(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_nothing_is_lost),
		cmocka_unit_test(test_runs_are_the_same),
		cmocka_unit_test(test_commits_are_the_same),
		cmocka_unit_test(test_older_files),
		cmocka_unit_test(test_odd_records),
		cmocka_unit_test(test_hostile_strings),
		cmocka_unit_test(test_damaged_members),
		cmocka_unit_test(test_damage_far_inside),
		cmocka_unit_test(test_no_documents),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_deep_and_large),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_texts_too_long),
		cmocka_unit_test(test_texts_that_grow),
		cmocka_unit_test(test_numbers_next_to_nothing),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_score),
		cmocka_unit_test(test_attached),
		cmocka_unit_test(test_fixtures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
