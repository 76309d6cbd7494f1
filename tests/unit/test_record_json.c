/* Saved files: what is written reads back as the same. */
#include "saved.h"

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
	record_sample_idle(&record.tests[0]);
	record_sample_split_unknown(&record.tests[1], "no counter");
	record.tests[2].runs[0].evidence.commits_are_skewed = true;
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
		assert_true(i == 1 ? isnan(read->device_share) : read->device_share == evidence->device_share);
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
		assert_int_equal(read->commits_are_skewed, i == 2);
	}
	assert_string_equal(loaded.tests[1].runs[0].evidence.device_share_unknown, "no counter");
	assert_null(loaded.tests[2].runs[0].evidence.device_share_unknown);
	assert_null(loaded.tests[1].runs[0].evidence.idle_states);
	assert_int_equal(loaded.tests[0].runs[0].evidence.idle_state_count, 2);
	const struct record_idle_state *deep = &loaded.tests[0].runs[0].evidence.idle_states[1];
	assert_string_equal(deep->name, "C6");
	assert_number(deep->time_share, 0.75, 0);
	assert_number(deep->entries, 12200, 0);
	assert_number(deep->exit_latency_us, 133, 0);
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
		assert_null(record.tests[i].runs[0].evidence.device_share_unknown);
		assert_null(record.tests[i].runs[0].evidence.idle_states);
		assert_false(record.tests[i].runs[0].evidence.commits_are_skewed);
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
		if (strstr(text_string(&text), "\"idle_states\"")) { /* older versions knew fewer members */
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
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_score),
		cmocka_unit_test(test_attached),
		cmocka_unit_test(test_fixtures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
