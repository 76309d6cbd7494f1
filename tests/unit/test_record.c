/* From a report to what lasts of it. */
#include "scene.h"

#include "record/record_json.h"
#include "render/render.h"
#include "support/clock.h"

/* The runs of one pass. */
enum { SEQ_Q8_READ, SEQ_Q8_WRITE, SEQ_Q1_READ, SEQ_Q1_WRITE, RND_Q32_READ, RND_Q32_WRITE, RND_Q1_READ, RND_Q1_WRITE };
enum { CDM_RUNS = 8 };

#define assert_unknown(value) assert_true(isnan(value))

static void expect_text(char *found, const char *right)
{
	assert_string_equal(found, right);
	free(found);
}

static void test_states(void **state)
{
	(void)state;
	assert_string_equal(record_state_name(RECORD_RUNNING), "running");
	assert_string_equal(record_state_name(RECORD_COMPLETE), "complete");
	assert_string_equal(record_state_name(RECORD_INTERRUPTED), "interrupted");
	assert_string_equal(record_state_name(RECORD_FAILED), "failed");
}

static void test_now(void **state)
{
	char *now = clock_time_of_day();

	(void)state;
	assert_int_equal(strlen(now), strlen("2026-11-30T17:21:06Z"));
	assert_int_equal(now[4], '-');
	assert_int_equal(now[10], 'T');
	assert_int_equal(now[19], 'Z');
	assert_true(strcmp(now, "2024") > 0);
	free(now);
}

static void test_quote(void **state)
{
	static const struct {
		const char *word, *quoted;
	} cases[] = {
		{"/mnt/tank", "/mnt/tank"}, {"--size=4g", "--size=4g"}, {"", "''"}, {"two words", "'two words'"},
		{"it's", "'it'\\''s'"}, {"$HOME", "'$HOME'"}, {"a\"b", "'a\"b'"}, {"back\\slash", "'back\\slash'"},
		{"*", "'*'"}, {"~", "'~'"}, {"=ls", "'=ls'"}, {"Größe", "'Größe'"}, {"new\nline", "$'new\\x0Aline'"},
		{"\033[31m'\\", "$'\\x1B[31m\\'\\\\'"}, {"\xFF", "$'\\xFF'"},
		{"\xE2\x80\xAE", "$'\\xE2\\x80\\xAE'"}, /* turns the text's direction */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *word = xstrdup(cases[i].word);
		char *const argv[] = {word, NULL};

		expect_text(record_quote_command(argv), cases[i].quoted);
		free(word);
	}
	char *const argv[] = {(char[]){"speedtest-hd"}, (char[]){"--label"}, (char[]){"CN 08"}, NULL};
	expect_text(record_quote_command(argv), "speedtest-hd --label 'CN 08'");
	expect_text(record_quote_command(NULL), "");
}

static void test_names(void **state)
{
	struct stage stage;
	struct record record;

	(void)state;
	stage_open(&stage, &profile_cdm);
	stage_record(&record, &stage);
	assert_int_equal(record.test_count, CDM_RUNS);
	assert_string_equal(record.tests[0].name, "SEQ1M Q8T1");
	expect_text(record_test_title(&record, &record.tests[5]), "RND4K Q32T16 write");
	assert_ptr_equal(record_find_test(&record, "RND4K Q32T16", TRANSFER_READ), &record.tests[4]);
	assert_null(record_find_test(&record, "RND4K  Q32T16", TRANSFER_READ));
	record_release(&record);
	stage_close(&stage);
	stage_open(&stage, &profile_dd);
	stage_record(&record, &stage);
	expect_text(record_test_title(&record, &record.tests[1]), "Read, uncached");
	assert_null(record_find_test(&record, "Read, uncached", TRANSFER_WRITE));
	record_release(&record);
	stage_close(&stage);
}

/* Only what was planned is there; a finding about a run far behind finds its test. */
static void test_parts(void **state)
{
	static const unsigned stages[] = {0, POWER_HOLD_GOVERNOR};
	struct plan_choice choice = stage_choice(1, false);
	struct stage stage;
	struct record record;
	struct record_count count;

	(void)state;
	choice.detail = choice.without_dsync = true;
	stage_open_choice(&stage, &profile_slog, choice);
	plan_add_experiment(&stage.plan, stages, 2);
	report_grow(&stage.report);
	size_t last = stage.plan.run_count - 1;
	stage_set(&stage, last, 40, 10000, 80, 200);
	stage.report.findings.list = xcalloc(1, sizeof(*stage.report.findings.list));
	stage.report.findings.list[0] = (struct finding){.kind = FINDING_SOURCE_UNKNOWN, .run = last, .value = (double)NAN};
	stage.report.findings.count = 1;
	stage_record(&record, &stage);
	assert_int_equal(record.test_count, 4 + 8 + 2);
	assert_int_equal(record.tests[3].part, PART_MAIN);
	assert_string_equal(record.tests[4].name, "4K no sync");
	assert_int_equal(record.tests[4].part, PART_DETAIL);
	assert_false(record.tests[4].synchronous);
	assert_string_equal(record.tests[6].name, "4K write+fdatasync");
	assert_int_equal(record.tests[6].sync_method, SYNC_FDATASYNC);
	assert_null(record.tests[6].stage);
	assert_string_equal(record.tests[12].stage, "as it is");
	assert_string_equal(record.tests[13].stage, "governor performance");
	assert_int_equal(record.tests[13].part, PART_EXPERIMENT);
	assert_int_equal(record.findings[0].place_count, 1);
	assert_int_equal(record.findings[0].places[0].pass, 5);
	const struct record_test *found = &record.tests[record.findings[0].places[0].test];
	assert_int_equal(found->run_count, 1);
	assert_number(found->runs[0].figures[QUANTITY_IOPS], 10000, 0);
	record_count_make(&count, &record);
	assert_number(count.tests, 12, 0);
	assert_number(count.runs, 12, 0);
	assert_number(count.warmup, 0, 0);
	assert_number(count.experiment, 10, 0);
	record_release(&record);
	stage_close(&stage);
}

/* What the log counted and how fast the processor ran, of commits alone; and why it is not known where their time goes.
 */
static void test_commits(void **state)
{
	struct plan_choice choice = stage_choice(1, false);
	struct stage stage;
	struct record record;

	(void)state;
	choice.detail = true;
	stage_open_choice(&stage, &profile_slog, choice);
	stage_set(&stage, 0, 40, 10000, 80, 200); /* T1 */
	stage_set(&stage, 4, 400, 100000, 2, 3);  /* without sync */
	for (size_t run = 0; run < 5; run += 4) {
		struct evidence *evidence = &stage.report.measurements[run].evidence;
		struct run_readings *readings = &evidence->readings;

		*evidence = (struct evidence){.present = true, .claimed_bytes = 2e8, .commits = run == 0 ? 50000 : (double)NAN};
		evidence->commit_mean_ns = run == 0 ? 81e3 : (double)NAN;
		readings->before = (struct reading){.at_ns = 1, .known = READING_ZIL};
		readings->after = (struct reading){.at_ns = 5000000001, .known = READING_ZIL};
		readings->after.zil = (struct zil_counters){.commits = 50000, .log_blocks = 50100, .pool_blocks = 0};
		readings->before.zil.indirect = 7; /* and back to 0: the module was loaded anew */
		readings->power = (struct power_reading){.frequency_samples = 2, .frequency_sum_khz = 5000000};
	}
	stage_record(&record, &stage);
	const struct record_evidence *evidence = &record.tests[0].runs[0].evidence;
	assert_number(evidence->zil_commits, 50000, 0);
	assert_number(evidence->zil_log_blocks, 50100, 0);
	assert_number(evidence->zil_pool_blocks, 0, 0);
	assert_unknown(evidence->zil_indirect);
	assert_number(evidence->cpu_frequency_hz, 2.5e9, 0);
	assert_unknown(evidence->device_share);
	assert_unknown(record.tests[4].runs[0].evidence.device_share);
	assert_unknown(record.tests[4].runs[0].evidence.writes_per_commit);
	assert_non_null(record.split_unknown);
	assert_true(*record.split_unknown);
	record_release(&record);
	stage_close(&stage);
}

/* Where it is known of some tests where their commits' time goes, the others keep their reasons. */
static void test_split_reasons(void **state)
{
	const struct scene scene = {.profile = &profile_slog,
		.buffered = true,
		.direct = DIRECT_NOT_FOR_SLOG,
		.write_cache = WRITE_CACHE_VOLATILE,
		.flushed_before = true,
		.commit_us = 400,
		.writes = 2,
		.write_us = 100,
		.flushes = 1};
	struct stage stage;
	struct record record;

	(void)state;
	stage_fill(&stage, &scene);
	for (size_t run = 0; run < 4; run++) {
		stage.report.measurements[run].figures.latency_p50_ns = run == 3 ? 300e3 : 400e3;
	}
	stage.report.measurements[1].evidence.commit_mean_ns = (double)NAN;
	stage_record(&record, &stage);
	assert_null(record.split_unknown);
	assert_false(record.split_is_estimate);
	for (size_t i = 0; i < 4; i++) {
		const struct record_evidence *evidence = &record.tests[i].runs[0].evidence;

		assert_int_equal(isnan(evidence->device_share), i == 1);
		assert_int_equal(evidence->device_share_unknown != NULL, i == 1);
		assert_int_equal(evidence->commits_are_skewed, i == 3);
	}
	assert_string_equal(record.tests[1].runs[0].evidence.device_share_unknown, "there is no figure to split");
	record_release(&record);
	stage_close(&stage);
}

/* How deep the processors slept, state by state, where that was counted. */
static void test_idle_states(void **state)
{
	struct stage stage;
	struct record record;

	(void)state;
	stage_open_choice(&stage, &profile_slog, stage_choice(1, false));
	struct power *power = &stage.report.power;
	power->idle_states = xcalloc(3, sizeof(*power->idle_states));
	power->idle_state_count = 3;
	power->idle_states[0].name = xstrdup("POLL");
	power->idle_states[1] = (struct idle_state){.name = xstrdup("C1\033"), .exit_latency_us = 2};
	power->idle_states[2] = (struct idle_state){.name = xstrdup("C6"), .exit_latency_us = 133};
	for (size_t run = 0; run < 2; run++) {
		stage_set(&stage, run, 40, 10000, 80, 200);
		struct evidence *evidence = &stage.report.measurements[run].evidence;

		*evidence = (struct evidence){.present = true};
		evidence->readings.power = (struct power_reading){.idle_states = 3,
			.elapsed_us = run == 0 ? 10000000 : 0,
			.idle_time_us = {0, 2500000, 12000000}, /* clocks err */
			.idle_entries = {7, 500, 24400}};
	}
	stage_record(&record, &stage);
	const struct record_evidence *evidence = &record.tests[0].runs[0].evidence;
	assert_int_equal(evidence->idle_state_count, 3);
	assert_string_equal(evidence->idle_states[0].name, "POLL");
	assert_number(evidence->idle_states[0].time_share, 0, 0);
	assert_number(evidence->idle_states[0].entries, 7, 0);
	assert_string_equal(evidence->idle_states[1].name, "C1\\x1B");
	assert_number(evidence->idle_states[1].time_share, 0.25, 1e-12);
	assert_number(evidence->idle_states[2].time_share, 1, 0);
	assert_number(evidence->idle_states[2].entries, 24400, 0);
	assert_number(evidence->idle_states[2].exit_latency_us, 133, 0);
	assert_null(record.tests[1].runs[0].evidence.idle_states); /* nothing was counted */
	record_release(&record);
	stage_close(&stage);
}

/* Passages are put together piece by piece, and taken out again. */
static void test_passages(void **state)
{
	struct record record = {0};
	char *filled = xmalloc(70000);

	(void)state;
	memset(filled, 'x', 70000);
	filled[69999] = '\0';
	record_clear_passages(&record);
	record_passage_say(record_add_passage(&record, "path", "Path"), "%d commits \033[1m.", 7);
	struct record_passage *passage = record_add_passage(&record, "remedies", "To make it last");
	record_passage_command(passage, "echo %s", "1");
	record_passage_say(passage, "%s", filled);
	assert_int_equal(record.passage_count, 2);
	assert_string_equal(record.passages[0].id, "path");
	assert_string_equal(record.passages[0].lines[0].text, "7 commits \\x1B[1m.");
	assert_true(record.passages[1].lines[0].is_command);
	assert_string_equal(record.passages[1].lines[0].text, "echo 1");
	assert_int_equal(strlen(record.passages[1].lines[1].text), 65536);
	record_clear_passages(&record);
	assert_int_equal(record.passage_count, 0);
	assert_null(record.passages);
	free(filled);
}

static void test_title(void **state)
{
	struct record record = {.label = (char[]){"CN-08R2"}, .host = (char[]){"pve"}, .started_at = (char[]){"2026"}};

	(void)state;
	expect_text(record_title(&record), "CN-08R2");
	record.label = NULL;
	expect_text(record_title(&record), "pve 2026");
	record.host = NULL;
	expect_text(record_title(&record), "2026");
	record.started_at = NULL;
	expect_text(record_title(&record), "at an unknown time");
}

/* All that comes from outside is safe to print. */
static void test_circumstances(void **state)
{
	static char type[] = "ex\at4", source[] = "/dev/sd\033a1", point[] = "/mnt/\ttank", label[] = "a\nb";
	struct plan_choice choice = stage_choice(5, true);
	struct stage stage;
	struct record record;
	char *const argv[] = {(char[]){"speedtest-hd"}, (char[]){"/mnt/a b"}, NULL};

	(void)state;
	choice.ramp_s = 2;
	choice.interval_s = 10;
	stage_open_choice(&stage, &profile_cdm, choice);
	stage.target.mount.type = type;
	stage.target.mount.source = source;
	stage.target.mount.mount_point = point;
	stage.target.space_known = true;
	stage.target.free_bytes = 5;
	stage.target.total_bytes = 7;
	stage.report.engine = ENGINE_LIBAIO;
	report_add_note(&stage.report, "a note\n");
	stage.report.environment.facts = xcalloc(1, sizeof(struct environment_fact));
	stage.report.environment.fact_count = 1;
	stage.report.environment.facts[0] = (struct environment_fact){
		.key = "scheduler", .label = "scheduler", .subject = xstrdup("s\nda"), .value = xstrdup("no\nne")};
	record_make(&record, &stage.report,
		&(struct record_frame){
			.label = label, .argv = argv, .started_at = "then", .state = RECORD_FAILED, .failure = "f\n"});
	stage_close(&stage); /* the record needs nothing of it */
	assert_string_equal(record.label, "a\\nb");
	assert_string_equal(record.failure, "f\\n");
	assert_int_equal(record.state, RECORD_FAILED);
	assert_string_equal(record.started_at, "then");
	assert_null(record.finished_at);
	assert_true(record.program_version[0] != '\0');
	assert_string_equal(record.target.path, "/mnt/tank");
	assert_string_equal(record.target.file_system, "ex\\x07t4");
	assert_string_equal(record.target.source, "/dev/sd\\x1Ba1");
	assert_string_equal(record.target.mount_point, "/mnt/\\ttank");
	assert_null(record.target.device);
	assert_number(record.target.free_bytes, 5, 0);
	assert_number(record.target.total_bytes, 7, 0);
	assert_string_equal(record.notes[0], "a note\\n");
	assert_string_equal(record.facts[0].subject, "s\\nda");
	assert_string_equal(record.facts[0].value, "no\\nne");
	assert_ptr_equal(record.settings.profile, &profile_cdm);
	assert_string_equal(record.settings.engine, "libaio");
	assert_string_equal(record.settings.tool, "fio 3.33");
	assert_string_equal(record.settings.runs_as, "root");
	assert_string_equal(record.settings.command, "speedtest-hd '/mnt/a b'");
	assert_number(record.settings.size_bytes, 0x1p30, 0);
	assert_number(record.settings.runtime_s, 5, 0);
	assert_number(record.settings.runs, 5, 0);
	assert_true(record.settings.warmup);
	assert_number(record.settings.ramp_s, 2, 0);
	assert_number(record.settings.interval_s, 10, 0);
	assert_string_equal(record.direct.state, "enabled");
	assert_string_equal(record.direct.honoured_read, "yes");
	assert_string_equal(record.direct.honoured_write, "yes");
	assert_null(record.pool.name);
	record_release(&record);
	record_release(&record); /* twice is once */
}

/* What is longer than a file may hold is cut at once: what is shown now is what is loaded later. */
static void test_long_texts(void **state)
{
	enum { COMMAND_BYTES = 2 << 20, PATH_BYTES = 4095 };
	char *word = xmalloc(COMMAND_BYTES + 1), *path = xmalloc(PATH_BYTES + 1);
	struct failure failure = FAILURE_NONE;
	struct stage stage;
	struct record record, loaded;

	(void)state;
	memset(word, 'y', COMMAND_BYTES);
	word[COMMAND_BYTES] = '\0';
	memset(path, 0xFF, PATH_BYTES); /* each byte takes four */
	path[PATH_BYTES] = '\0';
	char *const argv[] = {(char[]){"speedtest-hd"}, word, path, NULL};
	stage_open(&stage, &profile_cdm);
	stage.target.mount.source = path;
	report_add_note(&stage.report, "%s", word);
	stage.report.measurements[0].outcome = OUTCOME_VALID;
	stage.report.measurements[0].figures = (struct figures){.bandwidth_bytes_per_s = 5e-324, .iops = 1};
	record_make(&record, &stage.report,
		&(struct record_frame){.label = word, .argv = argv, .state = RECORD_FAILED, .failure = word});
	assert_int_equal(strlen(record.label), 800);
	assert_int_equal(strlen(record.failure), 65536);
	assert_int_equal(strlen(record.settings.command), 65536);
	assert_string_equal(record.settings.command + 65536 - 4, "y...");
	assert_int_equal(strlen(record.target.source), PATH_BYTES * 4);
	assert_int_equal(strlen(record.notes[0]), 65536);
	assert_true(record.tests[0].runs[0].figures[QUANTITY_BANDWIDTH] == 0);

	char *text = record_to_json(&record);
	assert_true(record_from_json(&loaded, text, strlen(text), "a.json", &failure));
	assert_string_equal(loaded.settings.command, record.settings.command);
	assert_string_equal(loaded.failure, record.failure);
	assert_string_equal(loaded.notes[0], record.notes[0]);
	char *again = record_to_json(&loaded);
	assert_string_equal(again, text);
	free(text);
	free(again);
	record_release(&record);
	record_release(&loaded);
	stage.target.mount.source = NULL;
	stage_close(&stage);
	free(word);
	free(path);
}

static void test_dd_settings(void **state)
{
	struct stage stage;
	struct record record;

	(void)state;
	stage_open(&stage, &profile_dd);
	stage.report.direct = DIRECT_NOT_WANTED;
	stage_record(&record, &stage);
	assert_null(record.settings.engine);
	assert_unknown(record.settings.runtime_s);
	assert_unknown(record.target.free_bytes);
	assert_string_equal(record.direct.state, "not-wanted");
	assert_string_equal(record.direct.honoured_read, "unknown"); /* was not tried */
	assert_true(record.direct.is_warning);
	assert_int_equal(record.tests[0].transfer, TRANSFER_WRITE);
	assert_int_equal(record.tests[1].transfer, TRANSFER_READ);
	assert_int_equal(record.test_count, 3);
	record_release(&record);
	stage_close(&stage);
}

/* The runs of a test in the order in which they were made; those that were not made are not there. */
static void test_runs(void **state)
{
	struct stage stage;
	struct record record;

	(void)state;
	stage_open_choice(&stage, &profile_cdm, stage_choice(3, true));
	stage_set(&stage, RND_Q1_READ, 1, 10, 100, 200);
	stage_set(&stage, CDM_RUNS + RND_Q1_READ, 2, 20, 101, 201);
	stage_fail(&stage, 2 * CDM_RUNS + RND_Q1_READ, "fio\nwrote nothing");
	stage_shorten(&stage, CDM_RUNS + SEQ_Q8_WRITE, 5, 50, "fio ran 3 s of 5 s");
	struct measurement *first = &stage.report.measurements[CDM_RUNS + RND_Q1_READ];
	first->began_at = xstrdup("2026-11-30T17:00:00Z");
	series_add(&first->series, 1, 5e6, 6e6);
	series_add(&first->series, 2, 7e6, (double)NAN);
	report_check(&stage.report);
	stage_record(&record, &stage);
	stage_close(&stage);
	const struct record_test *test = record_find_test(&record, "RND4K Q1T1", TRANSFER_READ);
	assert_int_equal(test->run_count, 3);
	assert_int_equal(test->pattern, ACCESS_RANDOM);
	assert_number(test->block_size_bytes, 4096, 0);
	assert_number(test->queue_depth * test->threads, 1, 0);
	for (unsigned pass = 0; pass < 3; pass++) {
		assert_int_equal(test->runs[pass].pass, pass);
	}
	assert_number(test->runs[0].figures[QUANTITY_BANDWIDTH], 1e6, 0);
	assert_number(test->runs[1].figures[QUANTITY_IOPS], 20, 0);
	assert_number(test->runs[1].figures[QUANTITY_P50], 101e3, 1e-6);
	assert_number(test->runs[1].figures[QUANTITY_P99], 201e3, 1e-6);
	assert_true(test->runs[1].has_figures);
	assert_null(test->runs[1].reason);
	assert_string_equal(test->runs[1].mark, "");
	assert_string_equal(test->runs[1].began_at, "2026-11-30T17:00:00Z");
	assert_int_equal(test->runs[1].series.count, 2);
	assert_number(test->runs[1].series.bandwidth_bytes_per_s[1], 7e6, 0);
	assert_unknown(test->runs[1].series.device_bytes_per_s[1]);
	assert_false(test->runs[1].evidence.present);
	assert_unknown(test->runs[1].evidence.claimed_bytes);
	assert_int_equal(test->runs[2].outcome, OUTCOME_FAILED);
	assert_false(test->runs[2].has_figures);
	assert_unknown(test->runs[2].figures[QUANTITY_BANDWIDTH]);
	assert_string_equal(test->runs[2].reason, "fio\\nwrote nothing");
	assert_null(test->runs[2].failure_id);
	assert_null(test->runs[2].began_at);
	const struct record_run *shortened = record_find_test(&record, "SEQ1M Q8T1", TRANSFER_WRITE)->runs;
	assert_true(shortened->has_figures);
	assert_number(shortened->figures[QUANTITY_BANDWIDTH], 5e6, 0);
	assert_string_equal(shortened->failure_id, "shortened");
	assert_string_equal(shortened->mark, "");
	record_release(&record);
}

/* What the run was judged by, and what the devices counted. */
static void test_evidence(void **state)
{
	struct stage stage;
	struct record record;

	(void)state;
	stage_open_scene(&stage, &(struct scene){.run = SEQ_Q8_WRITE, .moved = 1.2, .flushed = 0.05, .has_log = true});
	report_check(&stage.report);
	stage_record(&record, &stage);
	const struct record_evidence *evidence = &record.tests[SEQ_Q8_WRITE].runs[0].evidence;
	assert_true(evidence->present);
	assert_number(evidence->claimed_bytes, 5e9, 0);
	assert_number(evidence->on_device, 1.2, 1e-6);
	assert_number(evidence->flushed_later, 0.05, 1e-6);
	assert_unknown(evidence->from_device);
	assert_number(evidence->busiest_job_cpu, 0.1, 1e-6);
	assert_true(evidence->counters[STORAGE_TOP].known);
	assert_number(evidence->counters[STORAGE_TOP].written_bytes, 6e9, 0); /* without what the flush brought */
	assert_number(evidence->counters[STORAGE_TOP].read_bytes, 0, 0);
	assert_number(evidence->counters[STORAGE_DISK].write_requests, 4768, 0);
	assert_true(evidence->counters[STORAGE_LOG].known);
	assert_false(evidence->network.known);
	assert_unknown(evidence->network.read_bytes);
	record_release(&record);
	struct run_readings *readings = &stage.report.measurements[SEQ_Q8_WRITE].evidence.readings;
	readings->after.devices[STORAGE_TOP].written_bytes = 1; /* backwards: it was reset */
	readings->before.known |= READING_NETWORK;
	readings->after.known |= READING_NETWORK;
	readings->after.network_written_bytes = 77;
	stage_record(&record, &stage);
	evidence = &record.tests[SEQ_Q8_WRITE].runs[0].evidence;
	assert_unknown(evidence->counters[STORAGE_TOP].written_bytes);
	assert_number(evidence->counters[STORAGE_LEAF].written_bytes, 6e9, 0);
	assert_true(evidence->network.known);
	assert_number(evidence->network.written_bytes, 77, 0);
	assert_unknown(evidence->network.write_requests);
	record_release(&record);
	stage_close(&stage);
}

/* Findings know which runs they are about, wherever their tests stand. */
static void test_places(void **state)
{
	const struct scene from_ram = {.moved = NOTHING, .cache_bytes = 1};
	struct stage stage;
	struct record record;

	(void)state;
	stage_fill(&stage, &(struct scene){.passes = 3, .warmup = true, .cache_bytes = 1});
	stage_add(&stage, &from_ram, CDM_RUNS + RND_Q1_READ);
	stage_add(&stage, &from_ram, 3 * CDM_RUNS + RND_Q1_READ);
	stage_add(&stage, &from_ram, 3 * CDM_RUNS + SEQ_Q1_READ);
	report_check(&stage.report);
	stage_record(&record, &stage);
	assert_int_equal(record.finding_count, 1);
	const struct record_finding *finding = &record.findings[0];
	assert_string_equal(finding->id, "served-from-ram");
	assert_string_equal(finding->mark, "*");
	assert_true(strncmp(finding->sentence, "SEQ1M Q1T1 (1 of 3 runs) and RND4K Q1T1 (2 of 3 runs) read: 0 %", 63) == 0);
	assert_int_equal(finding->place_count, 3);
	assert_int_equal(finding->places[0].test, RND_Q1_READ);
	assert_int_equal(finding->places[0].pass, 1);
	assert_int_equal(finding->places[1].test, SEQ_Q1_READ);
	assert_int_equal(finding->places[1].pass, 3);
	assert_int_equal(finding->places[2].test, RND_Q1_READ);
	assert_int_equal(finding->places[2].pass, 3);
	assert_string_equal(record.tests[RND_Q1_READ].runs[1].mark, "*");
	assert_string_equal(record.tests[RND_Q1_READ].runs[2].mark, "");
	assert_true(strncmp(record.checked, "Unmarked figures: 100 %", 23) == 0);
	record_release(&record);
	stage_close(&stage);
	/* of a profile whose rows have one direction */
	stage_open_scene(&stage, &(struct scene){.profile = &profile_dd, .run = 1, .buffered = true, .moved = 0.5});
	report_check(&stage.report);
	stage_record(&record, &stage);
	assert_true(record.finding_count > 0);
	assert_int_equal(record.findings[0].places[0].test, 1);
	record_release(&record);
	stage_close(&stage);
}

/* Banner and table. The caller frees it. */
static char *record_text(const struct record *record)
{
	const struct render_style style = {0};
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	assert_non_null(out);
	render_banner(out, record, &style);
	render_table(out, record, SCORE_MEDIAN, &style);
	assert_int_equal(fclose(out), 0);
	return bytes;
}

/* What is read back shows the same as on the day of the measurement. */
static void test_saved(void **state)
{
	struct failure failure = FAILURE_NONE;
	struct stage stage;
	struct record record, loaded;

	(void)state;
	stage_fill(&stage, &(struct scene){.passes = 3, .warmup = true, .moved = 0.31, .options = "rw,noatime"});
	stage_shorten(&stage, 2 * CDM_RUNS + SEQ_Q8_READ, 77.7, 70, "fio ran 3 s of 5 s");
	stage_fail(&stage, RND_Q1_WRITE, "fio wrote nothing");
	stage_add(&stage, &(struct scene){.mb_per_s = 1234.56789, .job_cpu = 0.99}, CDM_RUNS + RND_Q1_WRITE);
	series_add(&stage.report.measurements[CDM_RUNS].series, 1.25, 1e9 / 3, (double)NAN);
	report_add_note(&stage.report, "a \\note\\");
	report_check(&stage.report);
	stage_record(&record, &stage);
	char *text = record_text(&record), *json = record_to_json(&record);
	assert_true(record_from_json(&loaded, json, strlen(json), "it", &failure));
	char *text_again = record_text(&loaded), *json_again = record_to_json(&loaded);
	assert_string_equal(text_again, text);
	assert_string_equal(json_again, json);
	free(text);
	free(json);
	free(text_again);
	free(json_again);
	record_release(&loaded);
	record_release(&record);
	stage_close(&stage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_now),
		cmocka_unit_test(test_quote),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_commits),
		cmocka_unit_test(test_split_reasons),
		cmocka_unit_test(test_idle_states),
		cmocka_unit_test(test_passages),
		cmocka_unit_test(test_title),
		cmocka_unit_test(test_circumstances),
		cmocka_unit_test(test_long_texts),
		cmocka_unit_test(test_dd_settings),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_evidence),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_saved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
