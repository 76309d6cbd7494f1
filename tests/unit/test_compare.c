/* Measurements side by side: the rows, and what else differs between them. */
#include "compare_scene.h"

#include "fewer.h"

static void test_what_was_not_measured(void **state)
{
	struct scene scene;

	(void)state;
	scene_pair(&scene, "cdm", 3);
	record_sample_fail(&scene.records[0], 0, -1, "fio died", NULL);
	record_sample_fail(&scene.records[1], 1, -1, "fio died", "shortened");
	record_sample_fail(&scene.records[0], 2, -1, "fio died", NULL);
	record_sample_fail(&scene.records[1], 2, -1, "fio died", NULL);
	record_sample_fail(&scene.records[1], 3, 1, "fio died", NULL);
	record_sample_fail(&scene.records[1], 3, 2, "fio died", NULL);
	scene_compare(&scene, 2);
	expect_cell(&scene, 0, 1, "not measured before", "-");
	expect_cell(&scene, 1, 1, "not measured after", "-");
	expect_cell(&scene, 2, 1, "not measured before and after", "-");
	assert_int_equal(scene.comparison.rows[3].cells[1].runs, 1);
	assert_int_equal(scene.comparison.rows[3].cells[1].verdict, VERDICT_CANNOT_TELL);
	scene_release(&scene);
}

/* Files may lack tests, have others, or have one twice. */
static void test_other_tests(void **state)
{
	struct scene scene;
	struct record_test *added;

	(void)state;
	scene_pair(&scene, "cdm", 2);
	sample_set(&scene.records[0].tests[3].name, "OLD");
	sample_set(&scene.records[1].tests[5].name, "SEQ1M Q8T1"); /* its write is there already */
	added = sample_add_test(&scene.records[1], "NEW", &profile_cdm.workloads[0], TRANSFER_READ);
	sample_add_run(added, &profile_cdm, 1, 1e6);
	scene_compare(&scene, 2);
	assert_int_equal(scene.comparison.row_count, 10);
	assert_string_equal(scene.comparison.rows[1].title, "SEQ1M Q8T1 write");
	assert_number(scene.comparison.rows[1].cells[1].value,
		sqrt(scene.records[1].tests[1].runs[0].figures[0] * scene.records[1].tests[1].runs[1].figures[0]), 1e-3);
	assert_string_equal(scene.comparison.rows[3].title, "OLD write");
	expect_cell(&scene, 3, 1, "not measured after", "-");
	expect_cell(&scene, 5, 1, "not measured after", "-");
	assert_string_equal(scene.comparison.rows[8].title, "SEQ1M Q1T1 write");
	expect_cell(&scene, 8, 1, "not measured before", "-");
	assert_string_equal(scene.comparison.rows[9].title, "NEW read");
	assert_ptr_equal(scene.comparison.rows[9].test, added);
	scene_release(&scene);
}

/* Reference rows are compared where both ends have them, and are no news where one was not asked for them. */
static void test_parts(void **state)
{
	struct scene scene;

	(void)state;
	scene_pair(&scene, "slog", 5);
	record_sample_doctor(&scene.records[1], 5, 0.01, 3);
	scene_compare(&scene, 2);
	assert_int_equal(scene.comparison.row_count, 4 * 2);
	comparison_release(&scene.comparison);
	record_sample_doctor(&scene.records[0], 5, 0.01, 4);
	scene_compare(&scene, 2);
	assert_int_equal(scene.comparison.row_count, (4 + 9) * 2); /* and nothing of the experiment */
	assert_string_equal(scene.comparison.rows[8].title, "4K no sync write IOPS");
	assert_string_equal(scene.comparison.rows[25].title, "128K O_SYNC write p99 lat(us)");
	scene_release(&scene);
}

static void test_records_without_runs(void **state)
{
	struct scene scene;

	(void)state;
	scene_pair(&scene, "cdm", 0);
	scene.records[0].state = RECORD_RUNNING;
	scene_compare(&scene, 2);
	expect_cell(&scene, 0, 1, "not measured before and after", "-");
	expect_warnings(&scene, "state of the measurement: running before, complete after\n");
	scene_release(&scene);
}

static void test_other_profiles_are_refused(void **state)
{
	static const char *const names[] = {"a.json", "b\x1b.json"};
	struct failure failure = FAILURE_NONE;
	struct scene scene;

	(void)state;
	record_sample(&scene.records[0], "cdm", 2, 1e9, 0, 1);
	record_sample(&scene.records[1], "slog", 2, 1e9, 0, 1);
	scene.list[0] = &scene.records[0];
	scene.list[1] = &scene.records[1];
	scene.count = 2;
	assert_false(comparison_make(&scene.comparison, scene.list, names, 2, &failure));
	assert_int_equal(failure.status, STATUS_USAGE);
	assert_string_equal(failure.sentence, "'b\\x1B.json' holds the slog profile, which cannot be compared with the cdm "
										  "profile; measure with the same one");
	failure_clear(&failure);
	assert_true(comparison_fits(&scene.records[1], names[1], &profile_slog, &failure));
	assert_false(comparison_fits(&scene.records[1], names[1], &profile_dd, &failure));
	failure_clear(&failure);
	scene_release(&scene);
}

static void test_titles_differ(void **state)
{
	static const char *const same[] = {"x.json", "x.json", "x.json"};
	struct failure failure = FAILURE_NONE;
	struct scene scene;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		record_sample(&scene.records[i], "dd", 2, 1e9, 0, 1);
	}
	sample_set(&scene.records[0].label, "CN-08");
	sample_set(&scene.records[1].label, "CN-09");
	sample_set(&scene.records[2].label, "CN-08");
	scene_compare(&scene, 3);
	assert_string_equal(scene.comparison.titles[0], "CN-08 (a.json)");
	assert_string_equal(scene.comparison.titles[1], "CN-09");
	assert_string_equal(scene.comparison.titles[2], "CN-08 (c.json)");
	comparison_release(&scene.comparison);

	sample_set(&scene.records[1].label, "CN-08");
	assert_true(comparison_make(&scene.comparison, scene.list, same, 3, &failure));
	for (size_t i = 0; i < 3; i++) {
		assert_true(text_starts_with(scene.comparison.titles[i], "CN-08 (x.json)"));
		assert_string_not_equal(scene.comparison.titles[i], scene.comparison.titles[(i + 1) % 3]);
	}
	scene_release(&scene);
}

static void test_three_records(void **state)
{
	static const double one[] = {500e6};
	static const char *const labels[] = {"old", "new", "newer"};
	struct scene scene;
	char *method;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		record_sample(&scene.records[i], "cdm", 3, 1e9 * (i == 2 ? 1.5 : 1), 0.005, i + 1);
		sample_set(&scene.records[i].label, labels[i]);
	}
	sample_set_fact(&scene.records[1], "kernel", "6.6");
	sample_set_fact(&scene.records[2], "kernel", "6.6");
	record_sample_runs(&scene.records[2], 1, one, 1);
	record_sample_fail(&scene.records[0], 2, -1, "fio died", NULL);
	scene_compare(&scene, 3);
	assert_int_equal(scene.comparison.rows[0].cells[1].verdict, VERDICT_NO_DIFFERENCE);
	assert_int_equal(scene.comparison.rows[0].cells[2].verdict, VERDICT_FASTER);
	scene.comparison.rows[1].cells[2].difference = 0;
	expect_cell(&scene, 1, 2, "cannot tell: one run in newer, use --runs 5", "0.0 %");
	expect_cell(&scene, 2, 2, "not measured in old", "-");
	expect_warnings(&scene, "kernel: Linux 6.1.0, x86_64 in old, 6.6 in new and newer\n");
	method = comparison_method(&scene.comparison);
	assert_string_equal(method, "The figures are geometric means of the runs, without the best and the worst where "
								"that tells a difference more "
								"surely; the differences are those of the figures; the verdicts hold "
								"for "
								"all 13 together with 95 % (Welch's and Yuen's tests on logarithms, Holm's procedure); "
								"below 2 % none is called one.");
	free(method);
	scene_release(&scene);
}

static void test_single_runs_have_no_method(void **state)
{
	struct scene scene;
	char *method;

	(void)state;
	scene_pair(&scene, "dd", 1);
	scene_compare(&scene, 2);
	assert_string_equal(scene.comparison.rows[0].title, "Write, fsync at the end");
	method = comparison_method(&scene.comparison);
	assert_string_equal(method, "Differences of single runs: how much of them is chance, only repeated runs can tell.");
	free(method);
	scene_release(&scene);

	record_sample(&scene.records[0], "dd", 1, 1e9, 0, 1);
	record_sample(&scene.records[1], "dd", 3, 1e9, 0, 1);
	scene_compare(&scene, 2);
	method = comparison_method(&scene.comparison);
	assert_string_equal(method, "The figures are geometric means of the runs, without the best and the worst where "
								"that tells a difference more "
								"surely; the differences are those of the figures: how much of a "
								"difference from a single run is chance, only repeated runs can tell.");
	free(method);
	scene_release(&scene);

	/* Without a difference there is none. */
	for (unsigned runs = 0; runs < 4; runs += 3) {
		record_sample(&scene.records[0], "dd", runs, 1e9, 0, 1);
		record_sample(&scene.records[1], "dd", 0, 1e9, 0, 1);
		scene_compare(&scene, 2);
		assert_null(comparison_method(&scene.comparison));
		scene_release(&scene);
	}
}

/* A record with so many tests and facts. */
static void make_large(struct record *record, size_t count, uint64_t seed)
{
	size_t shift = (size_t)seed * 13;

	record_sample(record, "cdm", 0, 1e9, 0, seed);
	for (size_t i = 0; i < count; i++) {
		char *name = xasprintf("TEST %zu", (i * 7919 + shift) % count);
		struct record_test *test = sample_add_test(record, name, &profile_cdm.workloads[0], TRANSFER_READ);

		for (unsigned pass = 1; pass <= 3; pass++) {
			sample_add_run(test, &profile_cdm, pass, 1e9 * sample_noise(&seed, 0.02));
		}
		sample_add_fact(record, "scheduler", name, "scheduler", "none");
		free(name);
	}
}

static void test_large_records(void **state)
{
	size_t count = fewer_of(10000);
	struct scene scene;

	(void)state;
	make_large(&scene.records[0], count, 1);
	make_large(&scene.records[1], count, 2);
	scene_compare(&scene, 2);
	assert_int_equal(scene.comparison.row_count, count + 8);
	assert_string_equal(scene.comparison.rows[8].title, "TEST 13 read");
	for (size_t i = 8; i < scene.comparison.row_count; i++) {
		assert_int_equal(scene.comparison.rows[i].cells[1].runs, 3);
	}
	expect_warnings(&scene, "");
	scene_release(&scene);
}

static void test_changes(void **state)
{
	struct scene scene;

	(void)state;
	scene_pair(&scene, "slog", 2);
	scene_compare(&scene, 2);
	expect_warnings(&scene, "");
	comparison_release(&scene.comparison);

	scene.records[1].settings.size_bytes = 4294967296;
	scene.records[1].settings.runtime_s = 30;
	scene.records[0].settings.ramp_s = 2.5;
	scene.records[1].settings.warmup = true;
	sample_set(&scene.records[1].settings.tool, "fio 3.36");
	sample_set(&scene.records[0].direct.text, "DISABLED (buffered I/O: --buffered was given)");
	sample_set(&scene.records[1].host, NULL);
	sample_set(&scene.records[1].target.file_system, "ext4");
	sample_set_fact(&scene.records[1], "file_system", "ext4");
	sample_set_fact(&scene.records[1], "kernel", "Linux 6.6.2, x86_64");
	sample_set_fact(&scene.records[1], "load", "9.0 9.0 9.0");
	sample_set_fact(&scene.records[1], "memory.available", "1 GiB");
	sample_set_fact(&scene.records[0], "zfs.recordsize", "16 KiB");
	sample_add_fact(&scene.records[0], "governor", NULL, "governor", "powersave");
	scene_compare(&scene, 2);
	expect_warnings(&scene,
		"test file size: 1 GiB before, 4 GiB after\n"
		"tool: fio 3.33 before, fio 3.36 after\n"
		"O_DIRECT: DISABLED (buffered I/O: --buffered was given) before, not used (every write is synchronous, O_SYNC) "
		"after\n"
		"runtime of each run: 5 s before, 30 s after\n"
		"ramp: 2.5 s before, 0 s after\n"
		"warm-up: no before, yes after\n"
		"host: bench before, unknown after\n"
		"file system: zfs before, ext4 after\n"
		"kernel: Linux 6.1.0, x86_64 before, Linux 6.6.2, x86_64 after\n"
		"tank/vm recordsize: 16 KiB before, 128 KiB after\n"
		"governor: powersave before, unknown after\n");
	scene_release(&scene);
}

/* A record that says nothing of power management was saved before that was looked at. */
static void test_facts_of_power(void **state)
{
	struct scene scene;

	(void)state;
	scene_pair(&scene, "slog", 2);
	sample_add_fact(&scene.records[1], "idle_driver", NULL, "idle driver", "intel_idle");
	sample_add_fact(&scene.records[1], "max_cstate", NULL, "idle states at most", "1");
	scene_compare(&scene, 2);
	expect_warnings(&scene, "");
	scene_release(&scene);
	scene_pair(&scene, "slog", 2);
	sample_add_fact(&scene.records[0], "idle_driver", NULL, "idle driver", "intel_idle");
	sample_add_fact(&scene.records[1], "idle_driver", NULL, "idle driver", "intel_idle");
	sample_add_fact(&scene.records[1], "max_cstate", NULL, "idle states at most", "1");
	scene_compare(&scene, 2);
	expect_warnings(&scene, "idle states at most: unknown before, 1 after\n");
	scene_release(&scene);
}

/* The only disk is the same thing, whatever it is called; of several each is compared with its like. */
static void test_facts_of_disks(void **state)
{
	struct scene scene;

	(void)state;
	scene_pair(&scene, "cdm", 2);
	for (size_t i = 0; i < scene.records[1].fact_count; i++) {
		if (scene.records[1].facts[i].subject && strcmp(scene.records[1].facts[i].subject, "nvme0n1") == 0) {
			sample_set(&scene.records[1].facts[i].subject, "sda");
		}
	}
	sample_set_fact(&scene.records[1], "scheduler", "bfq");
	sample_add_fact(&scene.records[0], "model", "nvme0n1", "model", "A");
	sample_add_fact(&scene.records[1], "model", "nvme0n1", "model", "B");
	sample_add_fact(&scene.records[1], "model", "sda", "model", "C");
	scene_compare(&scene, 2);
	expect_warnings(&scene, "scheduler: none before, bfq after\n"
							"nvme0n1 model: A before, B after\n"
							"sda model: unknown before, C after\n");
	scene_release(&scene);
}

static void test_marks_are_warned_of(void **state)
{
	struct scene scene;

	(void)state;
	scene_pair(&scene, "cdm", 2);
	record_sample_finding(&scene.records[0], "compressed", "*", "SEQ1M Q8T1 read: squeezed", 0, 1);
	for (size_t i = 0; i < 7; i++) {
		record_sample_finding(&scene.records[1], "source-unknown", "?", "SEQ1M Q8T1 read: who knows", i, -1);
	}
	scene_compare(&scene, 2);
	assert_string_equal(scene.comparison.rows[0].cells[0].mark, "*");
	expect_warnings(&scene,
		"marked * before: SEQ1M Q8T1 read (not what the label says, so that the difference may be none of the "
		"storage)\n"
		"marked ? after: SEQ1M Q8T1 read, SEQ1M Q8T1 write, SEQ1M Q1T1 read, SEQ1M Q1T1 write, RND4K Q32T16 read, "
		"RND4K Q32T16 write and 1 more (nobody can vouch for it, nor for the difference)\n");
	comparison_release(&scene.comparison);
	record_sample_finding(&scene.records[1], "source-unknown", "?", "RND4K Q1T1 write: who knows", 7, -1);
	sample_set(&scene.records[0].tests[0].runs[0].mark, "");
	scene_compare(&scene, 2);
	expect_warnings(&scene, "marked ? after: all tests (nobody can vouch for it, nor for the difference)\n");
	scene_release(&scene);

	/* A test with two rows is named once. */
	scene_pair(&scene, "slog", 2);
	record_sample_finding(&scene.records[1], "compressed", "*", "4K sync T1 write: squeezed", 0, -1);
	scene_compare(&scene, 2);
	expect_warnings(&scene,
		"marked * after: 4K sync T1 write (not what the label says, so that the difference may be none of the "
		"storage)\n");
	scene_release(&scene);
}

/* Another dataset or partition at the same path is another target. */
static void test_another_source(void **state)
{
	struct scene scene;

	(void)state;
	scene_pair(&scene, "cdm", 2);
	sample_set(&scene.records[0].target.source, "tank/a");
	sample_set(&scene.records[1].target.source, NULL);
	sample_set(&scene.records[0].target.storage, "zfs");
	sample_set(&scene.records[1].target.storage, "block");
	scene.records[1].settings.runs = 7; /* which is no circumstance */
	scene_compare(&scene, 2);
	assert_int_equal(scene.comparison.change_count, 2);
	expect_warnings(&scene, "what is mounted there: tank/a before, unknown after\n"
							"kind of storage: zfs before, block after\n");
	scene_release(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_was_not_measured),
		cmocka_unit_test(test_other_tests),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_records_without_runs),
		cmocka_unit_test(test_other_profiles_are_refused),
		cmocka_unit_test(test_titles_differ),
		cmocka_unit_test(test_three_records),
		cmocka_unit_test(test_single_runs_have_no_method),
		cmocka_unit_test(test_large_records),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_facts_of_power),
		cmocka_unit_test(test_facts_of_disks),
		cmocka_unit_test(test_marks_are_warned_of),
		cmocka_unit_test(test_another_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
