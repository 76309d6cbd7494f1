/* What is found and said where tests were repeated. */
#include "scene.h"

/* The runs of one pass. */
enum { SEQ_Q8_READ, SEQ_Q8_WRITE, SEQ_Q1_READ, SEQ_Q1_WRITE, RND_Q32_READ, RND_Q32_WRITE, RND_Q1_READ, RND_Q1_WRITE };
enum { CDM_RUNS = 8 };

/* The run of a test in a pass, where there is no warm-up. */
static size_t run_of(size_t test, size_t pass)
{
	return (pass - 1) * CDM_RUNS + test;
}

static const struct scene from_ram = {.moved = NOTHING, .cache_bytes = 1};

/* Five honest passes; a file larger than any cache. */
static void open_honest(struct stage *stage)
{
	stage_fill(stage, &(struct scene){.passes = 5, .cache_bytes = 1});
	stage->report.direct = DIRECT_REFUSED; /* the remedy is a larger file */
}

static void expect_sentences(struct stage *stage, const char *right)
{
	report_check(&stage->report);
	char *found = list_sentences(&stage->report);
	assert_string_equal(found, right);
	free(found);
}

#define SERVED ": 0 % came from the device, the rest from RAM (the page cache); use a larger --size [served-from-ram]\n"

/* Each row is named once; that all its runs are meant goes without saying. */
static void test_all_passes(void **state)
{
	struct stage stage;

	(void)state;
	open_honest(&stage);
	expect_sentences(&stage, "");
	for (size_t pass = 1; pass <= 5; pass++) {
		stage_add(&stage, &from_ram, run_of(RND_Q1_READ, pass));
	}
	expect_sentences(&stage, "* RND4K Q1T1 read" SERVED);
	for (size_t pass = 1; pass <= 5; pass++) {
		stage_add(&stage, &from_ram, run_of(SEQ_Q8_READ, pass));
		stage_add(&stage, &from_ram, run_of(SEQ_Q1_READ, pass));
	}
	expect_sentences(&stage, "* SEQ1M Q8T1, SEQ1M Q1T1 and RND4K Q1T1 read" SERVED);
	for (size_t pass = 1; pass <= 5; pass++) {
		stage_add(&stage, &from_ram, run_of(RND_Q32_READ, pass));
	}
	expect_sentences(&stage, "* every read" SERVED);
	/* a failed run is not meant, and takes nothing away */
	stage_fail(&stage, run_of(RND_Q32_READ, 2), "fio wrote nothing");
	expect_sentences(&stage, "* every read" SERVED);
	stage_close(&stage);
	stage_fill(&stage, &(struct scene){.passes = 3, .is_unknown = true});
	expect_sentences(&stage,
		"? every row: nobody can tell here whether these are the device's figures or a cache's (no "
		"device is known); to be sure, measure where the disks are [source-unknown]\n");
	stage_close(&stage);
}

/* Otherwise how many of them are. */
static void test_some_passes(void **state)
{
	struct stage stage;

	(void)state;
	open_honest(&stage);
	stage_add(&stage, &from_ram, run_of(RND_Q1_READ, 2));
	stage_add(&stage, &from_ram, run_of(RND_Q1_READ, 5));
	expect_sentences(&stage, "* RND4K Q1T1 read (2 of 5 runs)" SERVED);
	stage_fail(&stage, run_of(RND_Q1_READ, 3), "fio wrote nothing");
	expect_sentences(&stage, "* RND4K Q1T1 read (2 of 4 runs)" SERVED);
	stage_add(&stage, &from_ram, run_of(SEQ_Q8_READ, 1));
	for (size_t pass = 1; pass <= 5; pass++) {
		stage_add(&stage, &from_ram, run_of(SEQ_Q1_READ, pass));
	}
	expect_sentences(&stage, "* SEQ1M Q8T1 (1 of 5 runs), SEQ1M Q1T1 and RND4K Q1T1 (2 of 4 runs) read" SERVED);
	stage_close(&stage);

	/* the same rows in both directions */
	stage_fill(&stage, &(struct scene){.passes = 5});
	stage_add(&stage, &(struct scene){.job_cpu = 0.92}, run_of(RND_Q32_READ, 1));
	stage_add(&stage, &(struct scene){.job_cpu = 0.96}, run_of(RND_Q32_WRITE, 4));
	expect_sentences(&stage,
		"* RND4K Q32T16 read and write (1 of 5 runs each): one core was the limit, not the disk (92 to 96 % busy): the "
		"disk may do more; a faster processor would show it [cpu-bound]\n");
	stage_add(&stage, &(struct scene){.job_cpu = 0.99}, run_of(RND_Q32_WRITE, 2));
	expect_sentences(&stage,
		"* RND4K Q32T16 read (1 of 5 runs); RND4K Q32T16 write (2 of 5 runs): one core was the limit, not the disk (92 "
		"to 99 % busy): the disk may do more; a faster processor would show it [cpu-bound]\n");
	stage_close(&stage);
}

static void test_dd_passes(void **state)
{
	struct scene slow_cached = {.buffered = true, .moved = 0.5}, honest = {.buffered = true};
	struct stage stage;

	(void)state;
	stage_open_scene(&stage, &(struct scene){.profile = &profile_dd, .passes = 2, .buffered = true, .cache_bytes = 1});
	stage.report.direct = DIRECT_REFUSED;
	stage_add(&stage, &honest, 1);
	stage_add(&stage, &slow_cached, 2);
	stage_add(&stage, &honest, 3);
	stage_add(&stage, &honest, 4);
	stage_add(&stage, &(struct scene){.buffered = true, .moved = NOTHING}, 5);
	expect_sentences(&stage, "* 'Read, cached (RAM)' (1 of 2 runs): 50 % came from the device, although the row is to "
							 "show RAM: the file did "
							 "not stay in the page cache; use a smaller --size [partly-from-ram]\n");
	stage_close(&stage);
}

/* Its figures are thrown away, so nothing is said of them. */
static void test_warmup(void **state)
{
	struct stage stage;

	(void)state;
	stage_fill(&stage, &(struct scene){.passes = 2, .warmup = true, .cache_bytes = 1});
	assert_int_equal(stage.plan.run_count, 3 * CDM_RUNS);
	for (size_t run = 0; run < CDM_RUNS; run++) {
		assert_int_equal(stage.plan.runs[run].pass, 0);
		stage_add(&stage, &from_ram, run);
	}
	stage_add(&stage, &(struct scene){.unwritten = 0.5, .moved = NOTHING}, RND_Q1_READ);
	stage_shorten(&stage, SEQ_Q8_READ, 100, 100, "fio ran 3 s of 5 s");
	expect_sentences(&stage, "");
	assert_int_equal(stage.report.findings.count, 0);
	assert_int_equal(stage.report.measurements[RND_Q1_READ].outcome, OUTCOME_VALID);
	char *checked = findings_checked(&stage.report.findings, &stage.report);
	assert_string_equal(checked, "Checked: 100 % of the bytes went to or came from vdb1; queue depth reached, O_DIRECT "
								 "honoured, little or no other traffic, CPU not the limit.");
	free(checked);
	stage_close(&stage);
	/* nothing but the warm-up yet */
	stage_open_scene(&stage, &(struct scene){.passes = 2, .warmup = true});
	report_check(&stage.report);
	assert_null(findings_checked(&stage.report.findings, &stage.report));
	stage_close(&stage);
}

static void expect_checked(struct stage *stage, const char *right)
{
	report_check(&stage->report);
	char *checked = findings_checked(&stage->report.findings, &stage->report);
	assert_string_equal(checked, right);
	free(checked);
}

/* A figure is made of all its runs: where one has a mark, the others vouch for nothing either. */
static void test_checked(void **state)
{
	struct stage stage;

	(void)state;
	stage_fill(&stage, &(struct scene){.passes = 3, .cache_bytes = 1});
	stage_add(&stage, &(struct scene){.moved = 1.2}, run_of(SEQ_Q1_READ, 1));
	expect_checked(&stage,
		"Checked: 100 to 120 % of the bytes went to or came from vdb1; queue depth reached, O_DIRECT "
		"honoured, little or no other traffic, CPU not the limit.");
	stage_add(&stage, &from_ram, run_of(SEQ_Q1_READ, 3));
	expect_checked(&stage, "Unmarked figures: 100 % of the bytes went to or came from vdb1; queue depth reached, "
						   "O_DIRECT honoured, little or no other traffic, CPU not the limit.");
	/* a test of which some runs failed has a figure without a mark */
	stage_add(&stage, &(struct scene){0}, run_of(SEQ_Q1_READ, 3));
	stage_fail(&stage, run_of(SEQ_Q1_READ, 1), "fio wrote nothing");
	expect_checked(&stage, "Checked: 100 % of the bytes went to or came from vdb1; queue depth reached, O_DIRECT "
						   "honoured, little or no other traffic, CPU not the limit.");
	stage_close(&stage);
	stage_fill(&stage, &(struct scene){.passes = 3, .cache_bytes = 1});
	for (size_t pass = 1; pass <= 3; pass++) {
		stage_shorten(&stage, run_of(SEQ_Q1_READ, pass), 100, 100, "fio ran 3 s of 5 s");
	}
	expect_checked(&stage, "Unmarked figures: 100 % of the bytes went to or came from vdb1; queue depth reached, "
						   "O_DIRECT honoured, little or no other traffic, CPU not the limit.");
	stage_close(&stage);
}

/* Such a run is none; the others of its test stay. */
static void test_never_written(void **state)
{
	struct stage stage;

	(void)state;
	open_honest(&stage);
	stage_add(&stage, &(struct scene){.unwritten = 0.5, .moved = NOTHING}, run_of(RND_Q1_READ, 2));
	expect_sentences(&stage, "");
	assert_int_equal(stage.report.measurements[run_of(RND_Q1_READ, 2)].outcome, OUTCOME_FAILED);
	assert_int_equal(stage.report.measurements[run_of(RND_Q1_READ, 3)].outcome, OUTCOME_VALID);
	assert_int_equal(report_count(&stage.report, OUTCOME_FAILED), 1);
	stage_close(&stage);
}

/* Which runs a sentence is about. */
static void test_groups(void **state)
{
	struct finding_groups groups;
	struct stage stage;

	(void)state;
	open_honest(&stage);
	stage_add(&stage, &from_ram, run_of(RND_Q1_READ, 2));
	stage_add(&stage, &from_ram, run_of(RND_Q1_READ, 5));
	stage_add(&stage, &(struct scene){.job_cpu = 0.92}, run_of(SEQ_Q8_WRITE, 1));
	report_check(&stage.report);
	finding_groups_make(&groups, &stage.report.findings, &stage.report);
	assert_int_equal(groups.count, 2);
	assert_int_equal(groups.list[0].kind, FINDING_SERVED_FROM_RAM);
	assert_int_equal(groups.list[0].run_count, 2);
	assert_int_equal(groups.list[0].runs[0], run_of(RND_Q1_READ, 2));
	assert_int_equal(groups.list[0].runs[1], run_of(RND_Q1_READ, 5));
	assert_int_equal(groups.list[1].kind, FINDING_CPU_BOUND);
	assert_int_equal(groups.list[1].run_count, 1);
	assert_true(strncmp(groups.list[1].sentence, "SEQ1M Q8T1 write (1 of 5 runs): one core", 40) == 0);
	finding_groups_release(&groups);
	finding_groups_release(&groups); /* twice is once */
	stage_close(&stage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_passes),
		cmocka_unit_test(test_some_passes),
		cmocka_unit_test(test_dd_passes),
		cmocka_unit_test(test_warmup),
		cmocka_unit_test(test_checked),
		cmocka_unit_test(test_never_written),
		cmocka_unit_test(test_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
