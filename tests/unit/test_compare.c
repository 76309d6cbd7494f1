/* Measurements side by side. */
#include "scratch.h"

#include <time.h>

#include "record/compare.h"
#include "fewer.h"
#include "records.h"

/* Pairs of equals: enough that chance does not decide the test, and one for all time since the seeds are fixed. */
#define EQUAL_PAIRS 1000
#define SLOWED_PAIRS 200
#define MEASURED_RUNS 5

/* Some records, compared. */
struct scene {
	struct record records[3];
	const struct record *list[3];
	size_t count;
	struct comparison comparison;
};

static void scene_compare(struct scene *scene, size_t count)
{
	static const char *const names[] = {"a.json", "b.json", "c.json"};
	struct failure failure = FAILURE_NONE;

	scene->count = count;
	for (size_t i = 0; i < count; i++) {
		scene->list[i] = &scene->records[i];
	}
	if (!comparison_make(&scene->comparison, scene->list, names, count, &failure)) {
		fail_msg("%s", failure.sentence);
	}
}

static void scene_release(struct scene *scene)
{
	comparison_release(&scene->comparison);
	for (size_t i = 0; i < scene->count; i++) {
		record_release(&scene->records[i]);
	}
}

/* Two records of the same runs, but for what the test changes. */
static void scene_pair(struct scene *scene, const char *profile, unsigned runs)
{
	record_sample(&scene->records[0], profile, runs, 1e9, 0.01, 1);
	record_sample(&scene->records[1], profile, runs, 1e9, 0.01, 2);
}

/* Verdict and difference of a row as a user sees them. */
static void expect_cell(
	const struct scene *scene, size_t row, size_t record, const char *verdict, const char *difference)
{
	char *words = comparison_verdict_words(&scene->comparison, row, record);
	char *numbers = comparison_difference_words(&scene->comparison.rows[row].cells[record]);

	assert_string_equal(words, verdict);
	assert_string_equal(numbers, difference);
	free(numbers);
	free(words);
}

/* All warnings, a line each. */
static void expect_warnings(const struct scene *scene, const char *expected)
{
	char **warnings = comparison_warnings(&scene->comparison);
	struct text all = TEXT_EMPTY;

	for (size_t i = 0; warnings[i]; i++) {
		text_addf(&all, "%s\n", warnings[i]);
		free(warnings[i]);
	}
	free(warnings);
	assert_string_equal(text_string(&all), expected);
	text_release(&all);
}

static size_t count_called(const struct comparison *comparison)
{
	size_t called = 0;

	for (size_t i = 0; i < comparison->row_count; i++) {
		enum verdict verdict = comparison->rows[i].cells[1].verdict;

		called += verdict == VERDICT_FASTER || verdict == VERDICT_SLOWER;
	}
	return called;
}

/* Latencies that have nothing to do with the IOPS, sorted into fio's bins. */
static void scatter_latencies(struct record *record, double factor, double cv, uint64_t *seed)
{
	for (size_t i = 0; i < record->test_count; i++) {
		for (size_t j = 0; j < record->tests[i].run_count; j++) {
			int exponent;
			double share = frexp(500e3 * factor * sample_noise(seed, cv), &exponent);

			record->tests[i].runs[j].figures[QUANTITY_P99] = ldexp((floor(share * 128) + 0.5) / 128, exponent);
		}
	}
}

/* In how many pairs all of the rows, or any, are called faster or slower. */
static void simulate(const char *profile, size_t pairs, double cv, double factor, size_t *any, size_t *all)
{
	uint64_t seed = 20261130 + (uint64_t)(cv * 1e4); /* other noise each time */

	*any = *all = 0;
	for (size_t i = 0; i < pairs; i++) {
		struct scene scene;
		uint64_t latencies = seed ^ 0x5a5a5a5a;

		record_sample(&scene.records[0], profile, MEASURED_RUNS, 1e9, cv, seed += 1000003);
		record_sample(&scene.records[1], profile, MEASURED_RUNS, 1e9 * factor, cv, seed += 1000003);
		scatter_latencies(&scene.records[0], 1, cv, &latencies);
		scatter_latencies(&scene.records[1], 1 / factor, cv, &latencies);
		scene_compare(&scene, 2);

		size_t called = count_called(&scene.comparison);
		*any += called > 0;
		*all += called == scene.comparison.row_count;
		scene_release(&scene);
	}
}

static void test_equals_are_called_equal(void **state)
{
	static const double cvs[] = {0.01, 0.03, 0.10, 0.20};
	static const char *const keys[] = {"cdm", "slog"};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < 4; j++) {
			size_t any, all;

			size_t pairs = fewer_of(EQUAL_PAIRS);
			simulate(keys[i], pairs, cvs[j], 1, &any, &all);
			print_message(
				"%s, CV %.0f %%: %zu of %zu pairs of equals called different\n", keys[i], cvs[j] * 100, any, pairs);
			assert_true(pairs < EQUAL_PAIRS || (double)any < COMPARE_ERROR_RATE * EQUAL_PAIRS);
		}
	}
}

static void test_a_tenth_less_is_always_found(void **state)
{
	static const double cvs[] = {0.005, 0.01};
	static const char *const keys[] = {"cdm", "slog"};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < 2; j++) {
			size_t any, all;

			size_t pairs = fewer_of(SLOWED_PAIRS);
			simulate(keys[i], pairs, cvs[j], 0.9, &any, &all);
			assert_int_equal(all, pairs);
		}
	}
}

/* 100, 110, 121 and 121, 133.1, 146.41: the means of the logarithms differ by 2 ln 1.1, their deviations are ln 1.1. */
static void test_the_interval(void **state)
{
	static const double before[] = {100e6, 110e6, 121e6}, after[] = {121e6, 133.1e6, 146.41e6};
	struct scene scene;
	const struct comparison_cell *cell;
	double step = log(1.1), half_width;

	(void)state;
	scene_pair(&scene, "cdm", 3);
	record_sample_runs(&scene.records[0], 0, before, 3);
	record_sample_runs(&scene.records[1], 0, after, 3);
	scene_compare(&scene, 2);
	assert_int_equal(scene.comparison.row_count, 8);
	assert_string_equal(scene.comparison.rows[0].title, "SEQ1M Q8T1 read");
	assert_int_equal(scene.comparison.rows[0].quantity, QUANTITY_BANDWIDTH);
	cell = &scene.comparison.rows[0].cells[1];
	assert_number(cell->value, 133.1e6, 1e-6);
	assert_int_equal(cell->runs, 3);
	assert_number(cell->difference, 0.21, 1e-12);
	/* Student's t with 4 degrees at 1 - 0.05 / 8 / 2, by mpmath. */
	half_width = 5.2610575750658238 * step * sqrt(2 / 3.0);
	assert_number(cell->difference_low, expm1(2 * step - half_width), 1e-9);
	assert_number(cell->difference_high, expm1(2 * step + half_width), 1e-9);
	expect_cell(&scene, 0, 1, "no difference seen", "+21.0 % (-19.7 to +82.2)");
	expect_cell(&scene, 0, 0, "no difference seen", "-");
	scene_release(&scene);
}

static void test_directions(void **state)
{
	struct scene scene;

	(void)state;
	record_sample(&scene.records[0], "slog", 5, 1e9, 0, 1);
	record_sample(&scene.records[1], "slog", 5, 1.25e9, 0, 1);
	scene_compare(&scene, 2);
	assert_int_equal(scene.comparison.row_count, 8);
	assert_string_equal(scene.comparison.rows[0].title, "4K sync T1 write IOPS");
	assert_string_equal(scene.comparison.rows[1].title, "4K sync T1 write p99 lat(us)");
	assert_int_equal(scene.comparison.rows[1].quantity, QUANTITY_P99);
	for (size_t i = 0; i < scene.comparison.row_count; i++) {
		assert_int_equal(scene.comparison.rows[i].cells[1].verdict, VERDICT_FASTER);
		assert_int_equal(scene.comparison.rows[i].cells[1].difference > 0, i % 2 == 0);
	}
	expect_cell(&scene, 0, 1, "faster", "+25.0 % (+25.0 to +25.0)");
	scene_release(&scene);
}

static void set_runs(struct record *record, size_t test, double first, double second)
{
	double runs[2] = {first, second};

	record_sample_runs(record, test, runs, 2);
}

/* What never varies is known exactly; and yet less than 2 % is never called a difference, up or down. */
static void test_values_that_do_not_vary(void **state)
{
	static const struct {
		double before, after;
		enum verdict verdict;
	} cases[] = {
		{100e6, 100e6, VERDICT_NO_DIFFERENCE},
		{100e6, 101.9e6, VERDICT_NO_DIFFERENCE},
		{100e6, 98.1e6, VERDICT_NO_DIFFERENCE},
		{100e6, 102.1e6, VERDICT_FASTER},
		{100e6, 97.9e6, VERDICT_SLOWER},
		{97.9e6, 100e6, VERDICT_FASTER},
		{102.1e6, 100e6, VERDICT_SLOWER},
		{1, 1e300, VERDICT_FASTER},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene scene;

		scene_pair(&scene, "cdm", 5);
		set_runs(&scene.records[0], 0, cases[i].before, cases[i].before);
		set_runs(&scene.records[1], 0, cases[i].after, cases[i].after);
		scene_compare(&scene, 2);
		assert_int_equal(scene.comparison.rows[0].cells[1].verdict, cases[i].verdict);
		if (i == 0) {
			expect_cell(&scene, 0, 1, "no difference seen", "0.0 % (0.0 to 0.0)");
		}
		if (cases[i].after > 1e299) {
			expect_cell(&scene, 0, 1, "faster", "over +1000 % (over +1000 to over +1000)");
		}
		scene_release(&scene);
	}
}

/* Latencies fall into bins: two that are in one bin each time need not be the same. */
static void test_latencies_in_bins(void **state)
{
	struct scene scene;

	(void)state;
	record_sample(&scene.records[0], "slog", 2, 1e9, 0, 1);
	record_sample(&scene.records[1], "slog", 2, 1e9, 0, 1);
	for (size_t i = 0; i < 2; i++) {
		scene.records[0].tests[0].runs[i].figures[QUANTITY_P99] = 500e3;
		scene.records[1].tests[0].runs[i].figures[QUANTITY_P99] = 516e3;
	}
	scene_compare(&scene, 2);
	assert_int_equal(scene.comparison.rows[1].cells[1].verdict, VERDICT_NO_DIFFERENCE);
	assert_true(scene.comparison.rows[1].cells[1].difference_low < 0);
	scene_release(&scene);
}

static void test_what_cannot_be_told(void **state)
{
	static const double one[] = {50e6};
	struct scene scene;

	(void)state;
	scene_pair(&scene, "cdm", 2);
	record_sample_runs(&scene.records[0], 0, one, 1);
	record_sample_runs(&scene.records[1], 0, one, 1);
	record_sample_runs(&scene.records[0], 1, one, 1);
	record_sample_runs(&scene.records[1], 2, one, 1);
	set_runs(&scene.records[0], 3, 0, 100e6);
	set_runs(&scene.records[1], 4, 0, 0);
	set_runs(&scene.records[0], 5, (double)NAN, (double)NAN);
	set_runs(&scene.records[1], 6, (double)NAN, (double)NAN);
	set_runs(&scene.records[0], 7, 1e-300, 1e-300);
	set_runs(&scene.records[1], 7, 1e300, 1e300);
	scene_compare(&scene, 2);
	scene.comparison.rows[1].cells[1].difference = -0.0304; /* else it is chance */
	expect_cell(&scene, 0, 1, "cannot tell: one run each, use --runs 5", "0.0 %");
	expect_cell(&scene, 1, 1, "cannot tell: one run before, use --runs 5", "-3.0 %");
	assert_true(isnan(scene.comparison.rows[1].cells[1].difference_low));
	assert_string_equal(verdict_name(scene.comparison.rows[2].cells[1].verdict), "cannot tell");
	expect_cell(&scene, 3, 1, "cannot tell: a figure is 0", "-");
	expect_cell(&scene, 4, 1, "cannot tell: a figure is 0", "-");
	expect_cell(&scene, 5, 1, "cannot tell: unknown before", "-");
	expect_cell(&scene, 6, 1, "cannot tell: unknown after", "-");
	/* More than a double can say. */
	assert_true(isnan(scene.comparison.rows[7].cells[1].difference));
	scene_release(&scene);
}

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

/* Whoever divides the figures of a row gets its difference, and no line contradicts itself. */
static void test_figures_and_differences_agree(void **state)
{
	static const struct {
		double before[5], after[5];
		size_t before_count, after_count;
	} cases[] = {
		{{100e6, 100.1e6, 99.9e6, 100e6, 120e6}, {110e6}, 5, 1},
		{{100e6, 100e6, 160e6}, {105e6, 105e6, 105e6}, 3, 3},
		{{100e6, 100.1e6, 99.9e6, 100e6, 180e6}, {99e6, 101e6, 3e6, 102e6, 98e6}, 5, 5},
		{{812.3e6}, {812.3e6}, 1, 1},
		{{1.5e6, 7e6}, {2e6, 3e6, 4e6, 5e6}, 2, 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene scene;

		scene_pair(&scene, "cdm", 5);
		record_sample_runs(&scene.records[0], 0, cases[i].before, cases[i].before_count);
		record_sample_runs(&scene.records[1], 0, cases[i].after, cases[i].after_count);
		scene_compare(&scene, 2);
		for (size_t row = 0; row < scene.comparison.row_count; row++) {
			const struct comparison_cell *cells = scene.comparison.rows[row].cells;

			assert_number(cells[1].value / cells[0].value - 1, cells[1].difference, 1e-12);
		}
		scene_release(&scene);
	}
}

static void test_the_figure_of_a_cell(void **state)
{
	static const double equal[] = {812.3e6, 812.3e6, 812.3e6}, five[] = {100e6, 100.1e6, 99.9e6, 100e6, 120e6};
	static const double zero[] = {0, 5e6, 100e6}, tight[] = {110e6, 110.1e6, 109.9e6, 110e6, 110e6};
	static const double wide[] = {1e6, 2e6, 4e6, 8e6, 16e6}, wider[] = {100e6, 200e6, 400e6, 800e6, 1600e6};
	struct scene scene;

	(void)state;
	scene_pair(&scene, "cdm", 2);
	record_sample_runs(&scene.records[0], 0, equal, 1);
	record_sample_runs(&scene.records[0], 1, equal, 3);
	record_sample_runs(&scene.records[0], 2, five, 5);
	record_sample_runs(&scene.records[1], 2, tight, 5);
	record_sample_runs(&scene.records[0], 3, zero, 3);
	record_sample_runs(&scene.records[0], 4, wide, 5);
	record_sample_runs(&scene.records[1], 4, wider, 5);
	scene_compare(&scene, 2);
	assert_number(scene.comparison.rows[0].cells[0].value, 812.3e6, 0);
	assert_number(scene.comparison.rows[1].cells[0].value, 812.3e6, 0);
	assert_number(scene.comparison.rows[2].cells[0].value, cbrt(100e6 * 100.1e6 * 100e6), 1e-3);
	/* One disturbed run speaks for no others; but where nothing is disturbed all of them tell more. */
	assert_int_equal(scene.comparison.rows[2].cells[1].verdict, VERDICT_FASTER);
	assert_number(scene.comparison.rows[4].cells[0].value, 4e6, 1e-6);
	assert_int_equal(scene.comparison.rows[4].cells[1].verdict, VERDICT_FASTER);
	assert_number(scene.comparison.rows[3].cells[0].value, 5e6, 0); /* its median: 0 has no logarithm */
	assert_true(isnan(scene.comparison.rows[3].cells[1].difference));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equals_are_called_equal),
		cmocka_unit_test(test_a_tenth_less_is_always_found),
		cmocka_unit_test(test_the_interval),
		cmocka_unit_test(test_directions),
		cmocka_unit_test(test_values_that_do_not_vary),
		cmocka_unit_test(test_latencies_in_bins),
		cmocka_unit_test(test_what_cannot_be_told),
		cmocka_unit_test(test_what_was_not_measured),
		cmocka_unit_test(test_other_tests),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_records_without_runs),
		cmocka_unit_test(test_other_profiles_are_refused),
		cmocka_unit_test(test_titles_differ),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_facts_of_power),
		cmocka_unit_test(test_facts_of_disks),
		cmocka_unit_test(test_three_records),
		cmocka_unit_test(test_marks_are_warned_of),
		cmocka_unit_test(test_single_runs_have_no_method),
		cmocka_unit_test(test_figures_and_differences_agree),
		cmocka_unit_test(test_the_figure_of_a_cell),
		cmocka_unit_test(test_another_source),
		cmocka_unit_test(test_large_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
