#include "scratch.h"

#include "plan/plan.h"

static void expect_runs(const struct profile *profile, const char *const *names, size_t count, size_t writes)
{
	struct plan plan;

	plan_init(&plan, profile, UINT64_C(1) << 30, 5);
	assert_ptr_equal(plan.profile, profile);
	assert_int_equal(plan.run_count, count);
	assert_int_equal(plan.write_run_count, writes);
	for (size_t run = 0; run < count; run++) {
		char *name = plan_run_name(&plan, run);

		assert_string_equal(name, names[run]);
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
	assert_int_equal(profile_slog.workload_count, 4);
	assert_true(profile_slog.synchronous);
	for (size_t i = 0; i < 4; i++) {
		const struct workload *workload = &profile_slog.workloads[i];

		assert_int_equal(workload->pattern, ACCESS_RANDOM);
		assert_int_equal(workload->block_size_bytes, 4096);
		assert_int_equal(workload->queue_depth, 1);
		assert_int_equal(workload->jobs, jobs[i]);
		assert_true(workload->synchronous);
		assert_true(!workload->transfers[TRANSFER_READ] && workload->transfers[TRANSFER_WRITE]);
	}
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

static void test_estimates(void **state)
{
	struct plan plan;

	(void)state;
	plan_init(&plan, &profile_cdm, 1000000000, 5);
	assert_int_equal(plan_layout_bytes(&plan), 1000000000);
	assert_int_equal(plan_runs_s(&plan), 8 * 5 + 4);
	assert_int_equal(plan_estimate_s(&plan, 100e6), 44 + 10 + 1);
	plan_release(&plan);
	/* A week a run does not overflow. */
	plan_init(&plan, &profile_cdm, UINT64_C(1) << 50, 604800);
	assert_int_equal(plan_runs_s(&plan), 8 * 604800 + 4);
	assert_true(plan_estimate_s(&plan, 1e6) > UINT64_C(1125899906) + 8 * 604800);
	plan_release(&plan);
	plan_init(&plan, &profile_slog, 1000000000, 1);
	assert_int_equal(plan_runs_s(&plan), 4 + 2);
	plan_release(&plan);
	plan_init(&plan, &profile_dd, 1000000000, 5);
	assert_int_equal(plan_layout_bytes(&plan), 0);
	assert_int_equal(plan_runs_s(&plan), 0);
	assert_int_equal(plan_estimate_s(&plan, 100e6), 40 + 1);
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
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_estimates),
		cmocka_unit_test(test_engines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
