/* What is said of several runs together, of sizes that would do, of runs that fail; and of counters without sense. */
#include "findings_scene.h"

#include "report/commit_split.h"

static bool have(const struct findings *findings, enum finding_kind kind, size_t run)
{
	bool found = false;

	for (size_t i = 0; i < findings->count; i++) {
		found = found || (findings->list[i].kind == kind && findings->list[i].run == run);
	}
	return found;
}

/* Runs of one kind are told together, with the range of what was measured. */
static void test_grouping(void **state)
{
	const struct scene good = {.depth = NOTHING}, half = {.moved = 0.31, .cache_bytes = 1}, low = {.moved = NOTHING};
	struct stage stage;

	(void)state;
	stage_fill(&stage, &(struct scene){.link_mb_per_s = 2000, .cache_bytes = 1});
	stage.report.direct = DIRECT_REFUSED;
	for (size_t run = 0; run < 8; run += 2) {
		stage_add(&stage, run == 4 ? &low : &(struct scene){.moved = 0.019}, run);
	}
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report),
		"* every read: 0 to 1 % came from the device, the rest from RAM (the page cache); use a larger --size "
		"[served-from-ram]\n");
	stage_add(&stage, &half, SEQ_Q1_READ);
	stage_add(&stage, &half, SEQ_Q1_WRITE);
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report),
		"* SEQ1M Q8T1, RND4K Q32T16 and RND4K Q1T1 read: 0 to 1 % came from the device, the rest from RAM (the page "
		"cache); "
		"use a larger --size [served-from-ram]\n"
		"* SEQ1M Q1T1 read: 31 % came from the device, the rest from RAM (the page cache); use a larger --size "
		"[partly-from-ram]\n"
		"* SEQ1M Q1T1 write: 31 % reached the device during the run, the rest stayed in RAM (the page cache); use a "
		"larger --size [partly-from-ram]\n");
	assert_true(have(&stage.report.findings, FINDING_PARTLY_FROM_RAM, SEQ_Q1_WRITE));
	assert_false(have(&stage.report.findings, FINDING_PARTLY_FROM_RAM, SEQ_Q8_WRITE));
	assert_string_equal(findings_mark(&stage.report.findings, SEQ_Q1_WRITE), "*");
	assert_string_equal(findings_mark(&stage.report.findings, SEQ_Q8_WRITE), "");
	stage_close(&stage);

	stage_fill(&stage, &(struct scene){.engine = ENGINE_SYNC});
	stage_add(&stage, &good, RND_Q1_READ);
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report), "* SEQ1M Q8T1 and RND4K Q32T16 read and write: asked for 8 to 512 in "
											   "flight, but sync works on one request at a time "
											   "in each thread; use --engine io_uring or libaio [depth-not-reached]\n");
	stage_close(&stage);

	stage_fill(&stage, &(struct scene){.job_cpu = NOTHING});
	stage_add(&stage, &(struct scene){.job_cpu = 0.92}, SEQ_Q1_READ);
	stage_add(&stage, &(struct scene){.job_cpu = 0.96}, SEQ_Q1_WRITE);
	stage_add(&stage, &(struct scene){.job_cpu = 0.99}, RND_Q1_WRITE);
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report), "* SEQ1M Q1T1 read; SEQ1M Q1T1 and RND4K Q1T1 write: one core was the "
											   "limit, not the disk (92 to 99 % busy): the "
											   "disk may do more; a faster processor would show it [cpu-bound]\n");
	stage_close(&stage);

	stage_fill(&stage, &(struct scene){.is_unknown = true});
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report), "? every row: nobody can tell here whether these are the device's "
											   "figures or a cache's (no device is known); to be "
											   "sure, measure where the disks are [source-unknown]\n");
	assert_null(findings_checked(&stage.report.findings, &stage.report));
	assert_string_equal(findings_mark(&stage.report.findings, SEQ_Q8_READ), "?");
	stage.report.engine = ENGINE_SYNC; /* the graver mark stands */
	report_check(&stage.report);
	assert_string_equal(findings_mark(&stage.report.findings, SEQ_Q8_READ), "*");
	assert_string_equal(findings_mark(&stage.report.findings, SEQ_Q1_READ), "?");
	stage_close(&stage);
}

/* The file cannot always be made large enough. */
static void test_sizes(void **state)
{
	static const struct {
		uint64_t cache_bytes;
		const char *size;
	} cases[] = {{UINT64_C(3) << 30, " 6g "}, {(UINT64_C(3) << 30) + 1, " 7g "}, {UINT64_C(100) << 30, " 200g "},
		{(UINT64_C(62) << 30) + 5, " 128g "}, {UINT64_MAX, "g "}};
	struct stage stage;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		stage_open_scene(
			&stage, &(struct scene){
						.run = SEQ_Q8_READ, .buffered = true, .moved = NOTHING, .cache_bytes = cases[i].cache_bytes});
		report_check(&stage.report);
		char *says = list_sentences(&stage.report);
		assert_non_null(strstr(says, cases[i].size));
		assert_null(strstr(says, "does not fit"));
		free(says);
		stage.target.space_known = true;
		stage.target.free_bytes = cases[i].cache_bytes / 2;
		says = list_sentences(&stage.report);
		assert_non_null(strstr(says, "does not fit on this file system [fits-in-cache]"));
		free(says);
		stage_close(&stage);
	}
}

/* Writes that were to be durable and were not are no result, but where nothing durable was asked for. */
static void test_not_durable(void **state)
{
	const struct scene scene = {.profile = &profile_slog,
		.detail = true,
		.engine = ENGINE_PSYNC,
		.buffered = true,
		.direct = DIRECT_NOT_FOR_SLOG,
		.kind = STORAGE_ZFS,
		.account_unknown = true,
		.sync = "disabled"};
	struct stage stage;

	(void)state;
	stage_fill(&stage, &scene);
	for (int times = 0; times < 2; times++) {
		const struct measurement *measurement = &stage.report.measurements[SYNC_T4];

		report_check(&stage.report);
		assert_int_equal(report_count(&stage.report, OUTCOME_FAILED), stage.plan.run_count - 1);
		assert_int_equal(measurement->outcome, OUTCOME_FAILED);
		assert_true(measurement->has_figures);
		assert_int_equal(measurement->failure_kind, FINDING_NOT_DURABLE);
		assert_int_equal(stage.report.findings.count, stage.plan.run_count - 1);
		assert_string_equal(measurement->reason,
			"sync=disabled on tank/vm: these writes were not durable, this is not a SLOG "
			"result; 'zfs set sync=standard tank/vm', then measure again");
		expect_text(list_sentences(&stage.report), "");
		assert_null(findings_checked(&stage.report.findings, &stage.report));
	}
	assert_int_equal(stage.report.measurements[NO_SYNC].outcome, OUTCOME_VALID);
	stage_close(&stage);

	stage_fill(&stage, &scene);
	stage.report.direct = DIRECT_NOT_WANTED;
	report_check(&stage.report);
	assert_int_equal(report_count(&stage.report, OUTCOME_FAILED), 0);
	assert_string_equal(findings_mark(&stage.report.findings, SYNC_T4), "*");
	assert_string_equal(findings_mark(&stage.report.findings, NO_SYNC), "");
	expect_text(list_sentences(&stage.report),
		"* every synchronous row: sync=disabled on tank/vm: these writes were not durable, this is not a SLOG result; "
		"'zfs set sync=standard tank/vm', then measure again [not-durable]\n");
	stage_close(&stage);
}

/* Nothing was logged, and whether sync=disabled is why could not be read: no result either, but not called that. */
static void test_sync_unread(void **state)
{
	struct stage stage;

	(void)state;
	stage_open_scene(&stage, &(struct scene){.profile = &profile_slog,
								 .run = SYNC_T4,
								 .engine = ENGINE_PSYNC,
								 .buffered = true,
								 .direct = DIRECT_NOT_FOR_SLOG,
								 .kind = STORAGE_ZFS,
								 .account_unknown = true,
								 .zil_log = NOTHING});
	report_check(&stage.report);
	assert_int_equal(report_count(&stage.report, OUTCOME_FAILED), 1);
	assert_string_equal(stage.report.measurements[SYNC_T4].reason,
		"ZFS's intent log took none of these writes, as with sync=disabled (the property could not be read): they were "
		"not durable, this is not a SLOG result; look at 'zfs get sync tank/vm', then measure again");
	stage_close(&stage);
}

/* Such a number is none: the run fails, keeps its figures for the brackets, and nothing else is said of it. */
static void test_never_written(void **state)
{
	struct stage stage;

	(void)state;
	stage_open_scene(&stage, &(struct scene){.run = RND_Q1_READ, .unwritten = 0.5, .moved = NOTHING});
	const struct measurement *measurement = &stage.report.measurements[RND_Q1_READ];
	for (int times = 0; times < 2; times++) {
		report_check(&stage.report);
		assert_int_equal(measurement->outcome, OUTCOME_FAILED);
		assert_true(measurement->has_figures);
		assert_int_equal(measurement->failure_kind, FINDING_NEVER_WRITTEN);
		assert_int_equal(stage.report.findings.count, 1);
		assert_non_null(strstr(measurement->reason, "50 % of the test file was never written"));
	}
	stage_close(&stage);
}

/* A small generator of its own, so that each run of the test is the same. */
static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static double random_double(uint64_t *seed)
{
	static const double odd[] = {0, -1, 1e300, -1e300, 0.5, 1, 1e9};
	uint64_t choice = next_random(seed) % 10;

	if (choice < sizeof(odd) / sizeof(odd[0])) {
		return odd[choice];
	}
	return choice == 7 ? (double)NAN : choice == 8 ? (double)INFINITY : (double)next_random(seed);
}

static void fill_random(void *bytes, size_t size, uint64_t *seed)
{
	uint64_t kind = next_random(seed) % 4;

	for (size_t i = 0; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
		uint64_t value = kind == 0 ? 0 : kind == 1 ? UINT64_MAX : next_random(seed) >> (next_random(seed) % 64);

		memcpy((char *)bytes + i, &value, sizeof(value));
	}
}

/* Whatever the counters hold, there is an answer. */
static void test_garbage(void **state)
{
	uint64_t seed = UINT64_C(88172645463325252);

	(void)state;
	for (int times = 0; times < 3000; times++) {
		static const struct profile *const all[] = {&profile_cdm, &profile_slog, &profile_dd};
		struct stage stage;

		stage_fill(
			&stage, &(struct scene){.profile = all[times % 3], .kind = (enum storage_kind)(next_random(&seed) % 6)});
		stage.report.storage.write_copies = random_double(&seed);
		stage.report.storage.is_shared = next_random(&seed) % 2;
		stage.report.storage.has_compression = next_random(&seed) % 2;
		stage.report.storage.has_device_cache = next_random(&seed) % 2;
		stage.report.storage.write_copies_known = next_random(&seed) % 2;
		stage.report.cache_bytes = next_random(&seed);
		for (size_t run = 0; run < stage.plan.run_count; run++) {
			struct evidence *evidence = &stage.report.measurements[run].evidence;

			fill_random(&evidence->readings, sizeof(evidence->readings), &seed);
			evidence->claimed_bytes = random_double(&seed);
			evidence->submit_saturation = random_double(&seed);
			evidence->busiest_job_cpu = random_double(&seed);
			evidence->direct = next_random(&seed) % 2;
			evidence->commits = random_double(&seed);
			evidence->commit_mean_ns = random_double(&seed);
			evidence->pool_activity.present = next_random(&seed) % 2;
			evidence->pool_activity.log_writes_per_s = random_double(&seed);
			evidence->pool_activity.log_disk_wait_ns = random_double(&seed);
		}
		for (size_t i = 0; i < stage.report.storage.device_count; i++) {
			stage.report.storage.devices[i].write_cache = (enum write_cache)(next_random(&seed) % 3);
		}
		for (size_t run = 0; run < stage.plan.run_count; run++) {
			struct commit_split split;

			commit_split_make(&split, &stage.report, run);
			assert_true(split.source == SPLIT_UNKNOWN ? isnan(split.device_share) && split.reason
													  : split.device_share >= 0 && split.device_share <= 1);
			commit_split_release(&split);
		}
		report_check(&stage.report);
		free(list_sentences(&stage.report));
		free(findings_checked(&stage.report.findings, &stage.report));
		stage_close(&stage);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grouping),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_not_durable),
		cmocka_unit_test(test_sync_unread),
		cmocka_unit_test(test_never_written),
		cmocka_unit_test(test_garbage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
