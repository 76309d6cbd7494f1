#include "scratch.h"

#include "plan/plan.h"
#include "support/memory.h"

static void expect_runs(const struct profile *profile, const char *const *names, size_t count, size_t writes)
{
	const struct plan_choice choice = {.size_bytes = UINT64_C(1) << 30, .runtime_s = 5, .runs = 1};
	struct plan plan;

	plan_init(&plan, profile, &choice);
	assert_ptr_equal(plan.profile, profile);
	assert_int_equal(plan.run_count, count);
	assert_int_equal(plan.write_run_count, writes);
	for (size_t run = 0; run < count; run++) {
		char *name = plan_run_name(&plan, run);
		char *title = plan_run_title(&plan, run);

		assert_string_equal(name, names[run]);
		assert_string_equal(title, names[run]);
		assert_int_equal(plan.runs[run].pass, 1);
		free(title);
		assert_ptr_equal(plan_workload(&plan, run), &profile->workloads[plan.runs[run].workload]);
		free(name);
	}
	plan_release(&plan);
	assert_null(plan.runs);
}

static void test_runs(void **state)
{
	static const char *const cdm[] = {"SEQ1M Q8T1 read", "SEQ1M Q8T1 write", "SEQ1M Q1T1 read", "SEQ1M Q1T1 write",
		"RND4K Q32T16 read", "RND4K Q32T16 write", "RND4K Q1T1 read", "RND4K Q1T1 write"};
	static const char *const slog[] = {"4K sync T1 write", "4K sync T4 write", "4K sync T8 write", "4K sync T16 write"};
	static const char *const dd[] = {"Write, fsync at the end", "Read, uncached", "Read, cached (RAM)"};

	(void)state;
	expect_runs(&profile_cdm, cdm, 8, 4);
	expect_runs(&profile_slog, slog, 4, 4);
	expect_runs(&profile_dd, dd, 3, 1);
}

/* What CrystalDiskMark's names stand for. */
static void test_cdm(void **state)
{
	static const struct {
		const char *name;
		enum access_pattern pattern;
		unsigned block_size_bytes, queue_depth, jobs;
	} rows[] = {{"SEQ1M  Q8T1", ACCESS_SEQUENTIAL, 1048576, 8, 1}, {"SEQ1M  Q1T1", ACCESS_SEQUENTIAL, 1048576, 1, 1},
		{"RND4K  Q32T16", ACCESS_RANDOM, 4096, 32, 16}, {"RND4K  Q1T1", ACCESS_RANDOM, 4096, 1, 1}};

	(void)state;
	assert_int_equal(profile_cdm.workload_count, 4);
	assert_false(profile_cdm.synchronous);
	for (size_t i = 0; i < 4; i++) {
		const struct workload *workload = &profile_cdm.workloads[i];

		assert_string_equal(workload->name, rows[i].name);
		assert_int_equal(workload->pattern, rows[i].pattern);
		assert_int_equal(workload->block_size_bytes, rows[i].block_size_bytes);
		assert_int_equal(workload->queue_depth, rows[i].queue_depth);
		assert_int_equal(workload->jobs, rows[i].jobs);
		assert_false(workload->synchronous);
		assert_true(workload->transfers[TRANSFER_READ] && workload->transfers[TRANSFER_WRITE]);
	}
}

static void test_slog(void **state)
{
	static const unsigned jobs[] = {1, 4, 8, 16};

	(void)state;
	assert_true(profile_slog.workload_count > 4);
	assert_true(profile_slog.synchronous);
	for (size_t i = 0; i < profile_slog.workload_count; i++) {
		assert_int_equal(profile_slog.workloads[i].part == PART_MAIN, i < 4);
		assert_int_equal(profile_slog.workloads[i].stage != NULL, profile_slog.workloads[i].part == PART_EXPERIMENT);
	}
	for (size_t i = 0; i < 4; i++) {
		const struct workload *workload = &profile_slog.workloads[i];

		assert_int_equal(workload->pattern, ACCESS_RANDOM);
		assert_int_equal(workload->block_size_bytes, 4096);
		assert_int_equal(workload->queue_depth, 1);
		assert_int_equal(workload->jobs, jobs[i]);
		assert_true(workload->synchronous);
		assert_int_equal(workload->sync_method, SYNC_O_SYNC);
		assert_int_equal(workload->power, 0);
		assert_true(!workload->transfers[TRANSFER_READ] && workload->transfers[TRANSFER_WRITE]);
	}
}

/* The reference rows, on request, behind the others of each pass. */
static void test_detail(void **state)
{
	static const struct {
		const char *title;
		unsigned block_size_bytes;
		bool synchronous;
		enum sync_method method;
	} rows[] = {{"4K no sync", 4096, false, SYNC_O_SYNC}, {"4K O_DSYNC", 4096, true, SYNC_O_DSYNC},
		{"4K O_SYNC", 4096, true, SYNC_O_SYNC}, {"4K write+fdatasync", 4096, true, SYNC_FDATASYNC},
		{"8K O_SYNC", 8192, true, SYNC_O_SYNC}, {"16K O_SYNC", 16384, true, SYNC_O_SYNC},
		{"32K O_SYNC", 32768, true, SYNC_O_SYNC}, {"64K O_SYNC", 65536, true, SYNC_O_SYNC},
		{"128K O_SYNC", 131072, true, SYNC_O_SYNC}};
	struct plan_choice choice = {.size_bytes = 1, .runtime_s = 5, .runs = 1, .warmup = true, .detail = true};
	struct plan plan;

	(void)state;
	plan_init(&plan, &profile_slog, &choice);
	assert_int_equal(plan.run_count, 26);
	for (size_t i = 0; i < 9; i++) {
		const struct workload *workload = plan_workload(&plan, 17 + i);
		char *title = plan_run_title(&plan, 17 + i), *warmup = plan_run_title(&plan, 4 + i);
		char *expected = xasprintf("%s, warm-up", rows[i].title);

		assert_string_equal(title, rows[i].title);
		assert_string_equal(warmup, expected);
		assert_int_equal(plan.runs[17 + i].pass, 1);
		assert_int_equal(plan.runs[17 + i].transfer, TRANSFER_WRITE);
		assert_int_equal(workload->part, PART_DETAIL);
		assert_int_equal(workload->jobs, 1);
		assert_int_equal(workload->queue_depth, 1);
		assert_int_equal(workload->pattern, ACCESS_RANDOM);
		assert_int_equal(workload->block_size_bytes, rows[i].block_size_bytes);
		assert_int_equal(workload->synchronous, rows[i].synchronous);
		assert_int_equal(workload->sync_method, rows[i].method);
		free(expected);
		free(warmup);
		free(title);
	}
	plan_release(&plan);
	choice.without_dsync = true;
	plan_init(&plan, &profile_slog, &choice);
	assert_int_equal(plan.run_count, 24);
	for (size_t run = 0; run < plan.run_count; run++) {
		assert_string_not_equal(plan_workload(&plan, run)->name, "4K O_DSYNC");
	}
	plan_release(&plan);
	/* nobody else has such rows */
	plan_init(&plan, &profile_cdm, &choice);
	assert_int_equal(plan.run_count, 16);
	plan_release(&plan);
}

static void expect_stages(unsigned runs, const unsigned *stages, size_t count, const char *const *titles)
{
	const struct plan_choice choice = {.size_bytes = 1, .runtime_s = 5, .runs = runs};
	struct plan plan;

	plan_init(&plan, &profile_slog, &choice);
	size_t before = plan.run_count;
	uint64_t before_s = plan_runs_s(&plan);
	plan_add_experiment(&plan, stages, count);
	size_t rounds = runs > 5 ? runs : 5;
	assert_int_equal(plan.rounds, rounds);
	assert_int_equal(plan.run_count, before + rounds * count);
	assert_int_equal(plan.write_run_count, plan.run_count);
	assert_true(plan_runs_s(&plan) >= before_s + rounds * count * 5);
	for (size_t run = before; run < plan.run_count; run++) {
		const struct workload *workload = plan_workload(&plan, run);
		char *title = plan_run_title(&plan, run);

		assert_int_equal(workload->part, PART_EXPERIMENT);
		assert_int_equal(workload->block_size_bytes, 4096);
		assert_int_equal(workload->jobs, 1);
		assert_true(workload->synchronous && workload->sync_method == SYNC_O_SYNC);
		assert_int_equal(plan.runs[run].pass, (run - before) / count + 1);
		if (titles && run - before < 2 * count) {
			assert_string_equal(title, titles[run - before]);
		}
		free(title);
	}
	plan_release(&plan);
}

/* Forwards and backwards, so that a drift is not taken for an effect. */
static void test_experiment(void **state)
{
	static const unsigned all[] = {0, POWER_HOLD_IDLE, POWER_HOLD_IDLE | POWER_HOLD_GOVERNOR};
	static const unsigned governor[] = {0, POWER_HOLD_GOVERNOR};
	static const char *const of_all[] = {"T1 as it is, round 1 of 5", "T1 C-states held off, round 1 of 5",
		"T1 C-states held off, governor performance, round 1 of 5",
		"T1 C-states held off, governor performance, round 2 of 5", "T1 C-states held off, round 2 of 5",
		"T1 as it is, round 2 of 5"};
	static const char *const of_governor[] = {"T1 as it is, round 1 of 7", "T1 governor performance, round 1 of 7",
		"T1 governor performance, round 2 of 7", "T1 as it is, round 2 of 7"};

	(void)state;
	expect_stages(1, all, 3, of_all);
	expect_stages(7, governor, 2, of_governor);
	expect_stages(3, all, 2, NULL);
}

static void test_find(void **state)
{
	(void)state;
	assert_ptr_equal(profile_find("cdm"), &profile_cdm);
	assert_ptr_equal(profile_find("slog"), &profile_slog);
	assert_ptr_equal(profile_find("dd"), &profile_dd);
	assert_null(profile_find(""));
	assert_null(profile_find("CDM"));
}

/* Passes go over all rows, so that what drifts does not become a difference between two of them. */
static void test_passes(void **state)
{
	static const char *const titles[] = {"4K sync T1 write, warm-up", "4K sync T4 write, warm-up",
		"4K sync T8 write, warm-up", "4K sync T16 write, warm-up", "4K sync T1 write, run 1 of 2",
		"4K sync T4 write, run 1 of 2", "4K sync T8 write, run 1 of 2", "4K sync T16 write, run 1 of 2",
		"4K sync T1 write, run 2 of 2", "4K sync T4 write, run 2 of 2", "4K sync T8 write, run 2 of 2",
		"4K sync T16 write, run 2 of 2"};
	struct plan_choice choice = {.size_bytes = 1, .runtime_s = 5, .runs = 2, .warmup = true};
	struct plan plan;

	(void)state;
	plan_init(&plan, &profile_slog, &choice);
	assert_int_equal(plan.run_count, 12);
	assert_int_equal(plan.write_run_count, 12);
	assert_true(plan.passes == 2 && plan.warmup);
	for (size_t run = 0; run < plan.run_count; run++) {
		char *title = plan_run_title(&plan, run);

		assert_string_equal(title, titles[run]);
		assert_int_equal(plan.runs[run].pass, run / 4);
		assert_int_equal(plan.runs[run].workload, run % 4);
		free(title);
	}
	plan_release(&plan);
	/* One pass after a warm-up is the run, not one of several. */
	choice.runs = 1;
	plan_init(&plan, &profile_dd, &choice);
	char *title = plan_run_title(&plan, 5);
	assert_string_equal(title, "Read, cached (RAM)");
	assert_int_equal(plan.run_count, 6);
	free(title);
	plan_release(&plan);
	choice.runs = 100;
	plan_init(&plan, &profile_cdm, &choice);
	assert_int_equal(plan.run_count, 808);
	assert_int_equal(plan.runs[807].pass, 100);
	plan_release(&plan);
}

static struct plan make_plan(const struct profile *profile, const struct plan_choice *choice)
{
	struct plan plan;

	plan_init(&plan, profile, choice);
	return plan;
}

static void test_estimates(void **state)
{
	const struct plan_choice each = {.size_bytes = 1000000000, .runtime_s = 5, .runs = 1};
	/* A week a run does not overflow. */
	const struct plan_choice largest = {.size_bytes = UINT64_C(1) << 50,
		.runtime_s = 604800,
		.runs = 100,
		.warmup = true,
		.ramp_s = 3600,
		.interval_s = 86400};
	struct plan plan = make_plan(&profile_cdm, &each);

	(void)state;
	assert_int_equal(plan_layout_bytes(&plan), 1000000000);
	assert_int_equal(plan_runs_s(&plan), 8 * 5 + 4);
	assert_int_equal(plan_estimate_s(&plan, 100e6), 44 + 10 + 1);
	plan_release(&plan);
	plan = make_plan(&profile_cdm, &largest);
	assert_int_equal(plan_runs_s(&plan), UINT64_C(808) * (604800 + 3600 + 1) + UINT64_C(807) * 86400);
	assert_true(plan_estimate_s(&plan, 1e6) > UINT64_C(1125899906) + UINT64_C(808) * 604800);
	plan_release(&plan);
	plan = make_plan(&profile_slog, &each);
	assert_int_equal(plan_runs_s(&plan), 4 * 5 + 2);
	plan_release(&plan);
	plan = make_plan(&profile_dd, &each);
	assert_int_equal(plan_layout_bytes(&plan), 0);
	assert_int_equal(plan_runs_s(&plan), 0);
	assert_int_equal(plan_estimate_s(&plan, 100e6), 40 + 1);
	plan_release(&plan);
}

/* Ramps, pauses and passes take their time; the test file is laid out once, but dd writes it in each pass. */
static void test_estimates_repeated(void **state)
{
	const struct plan_choice choice = {
		.size_bytes = 1000000000, .runtime_s = 5, .runs = 2, .warmup = true, .ramp_s = 3, .interval_s = 10};
	struct plan plan = make_plan(&profile_cdm, &choice);

	(void)state;
	assert_int_equal(plan_layout_bytes(&plan), 1000000000);
	assert_int_equal(plan.write_run_count, 12);
	assert_int_equal(plan_runs_s(&plan), 24 * (5 + 3) + 24 + 23 * 10);
	assert_int_equal(plan_estimate_s(&plan, 100e6), plan_runs_s(&plan) + 10 + 1);
	plan_release(&plan);
	plan = make_plan(&profile_dd, &choice);
	assert_int_equal(plan.ramp_s, 0);
	assert_int_equal(plan.write_run_count, 3);
	assert_int_equal(plan_runs_s(&plan), 8 * 10);
	assert_int_equal(plan_estimate_s(&plan, 100e6), 80 + 3 * 40 + 1);
	plan_release(&plan);
}

static void test_engines(void **state)
{
	static const char *const names[] = {"io_uring", "libaio", "posixaio", "sync"};
	enum engine engine = ENGINE_PSYNC;

	(void)state;
	for (int i = 0; i < ENGINE_CHOICES; i++) {
		assert_true(engine_find(names[i], &engine));
		assert_int_equal(engine, i);
		assert_string_equal(engine_name(engine), names[i]);
	}
	assert_string_equal(engine_name(ENGINE_PSYNC), "psync");
	assert_false(engine_find("psync", &engine)); /* the SLOG profile's own */
	assert_false(engine_find("", &engine));
	assert_false(engine_find("libai", &engine));
	assert_true(engine_has_queue_depth(ENGINE_IO_URING) && engine_has_queue_depth(ENGINE_LIBAIO));
	assert_false(engine_has_queue_depth(ENGINE_POSIXAIO) || engine_has_queue_depth(ENGINE_SYNC) ||
				 engine_has_queue_depth(ENGINE_PSYNC));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_cdm),
		cmocka_unit_test(test_slog),
		cmocka_unit_test(test_detail),
		cmocka_unit_test(test_experiment),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_passes),
		cmocka_unit_test(test_estimates),
		cmocka_unit_test(test_estimates_repeated),
		cmocka_unit_test(test_engines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
