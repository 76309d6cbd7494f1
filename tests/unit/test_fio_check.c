#include "scratch.h"

#include <errno.h>

#include "fio/result.h"

static void test_past_deadline(void **state)
{
	struct fio_result result = {.found = true, .jobs = 1};
	struct fio_job job = {.jobs = 1};
	struct fio_ending ending = {.past_deadline = true};
	struct failure failure = FAILURE_NONE;

	(void)state;
	assert_false(fio_result_check(&result, &job, &ending, "", &failure));
	assert_non_null(strstr(failure.sentence, "in time"));
	failure_clear(&failure);
}

/* Everything that makes an otherwise good result count for nothing; each of these is caught by one check alone. */
static void expect_of_figures(const struct fio_result *result, const struct fio_job *job, const char *sentence)
{
	struct fio_ending ending = {0};
	struct failure failure = FAILURE_NONE;

	failure_set(&failure, STATUS_FIO, "an older one");
	assert_true(fio_result_check(result, job, &ending, "", &failure) == (sentence == NULL));
	if (sentence) {
		assert_string_equal(failure.sentence, sentence);
	} else {
		assert_null(failure.sentence);
	}
	failure_clear(&failure);
}

static void test_figures(void **state)
{
	const struct fio_direction good = {.present = true,
		.bandwidth_bytes_per_s = 1e6,
		.iops = 244,
		.bytes = 5e6,
		.runtime_ms = 5000,
		.jobs_with_io = 4};
	const struct fio_result whole = {.found = true, .jobs = 4, .directions = {[TRANSFER_READ] = good}};
	struct fio_job job = {.transfer = TRANSFER_READ, .jobs = 4, .runtime_s = 5};
	struct fio_result result = whole;

	(void)state;
	expect_of_figures(&whole, &job, NULL);
	result.jobs = 3;
	expect_of_figures(&result, &job, "fio reported 3 of 4 jobs, so the sum is not the whole");
	result = whole;
	result.directions[TRANSFER_READ].jobs_with_io = 3;
	expect_of_figures(&result, &job, "only 3 of fio's 4 jobs read anything");
	result = whole;
	result.directions[TRANSFER_READ].runtime_ms = 4500;
	expect_of_figures(&result, &job, NULL);
	result.directions[TRANSFER_READ].runtime_ms = 4499;
	expect_of_figures(&result, &job, "fio stopped after 4.5 of 5 s");
	result = whole;
	result.directions[TRANSFER_READ].bytes = 0;
	expect_of_figures(&result, &job, "fio read nothing");
	result = whole;
	result.directions[TRANSFER_READ].bandwidth_bytes_per_s = 0;
	expect_of_figures(&result, &job, "fio moved bytes but reported no rate");
	result = whole;
	result.directions[TRANSFER_READ].iops = 0;
	expect_of_figures(&result, &job, "fio moved bytes but reported no rate");
	job.transfer = TRANSFER_WRITE;
	expect_of_figures(&whole, &job, "fio wrote nothing");
	job.transfer = TRANSFER_READ;
	result = whole;
	result.directions[TRANSFER_READ].contradicts = true;
	expect_of_figures(
		&result, &job, "fio's figures contradict each other: its rates are not what its bytes and time make");
	result = whole;
	result.error = EIO;
	expect_of_figures(&result, &job, "fio met an error, Input/output error");
	result = whole;
	result.cut_short = true;
	expect_of_figures(&result, &job, "fio gave up");
	result = whole;
	result.interrupted = true;
	expect_of_figures(&result, &job, "fio was stopped by a signal before its time was up");
	result = whole;
	result.found = false;
	expect_of_figures(&result, &job, "fio ended without a result in its output");
}

/* A trial only asks whether bytes move. */
static void test_trial(void **state)
{
	struct fio_result result = {
		.found = true, .jobs = 1, .directions = {[TRANSFER_WRITE] = {.present = true, .bytes = 1}}};
	struct fio_job job = fio_job_trial(ENGINE_LIBAIO, 1, 0);

	(void)state;
	expect_of_figures(&result, &job, NULL);
	result.directions[TRANSFER_WRITE].bytes = 0;
	expect_of_figures(&result, &job, "fio wrote nothing");
}

static void expect_reason(const char *output, const char *other, const char *reason)
{
	char *found = fio_result_reason(output, other);

	if (reason) {
		assert_non_null(found);
		assert_string_equal(found, reason);
	} else {
		assert_null(found);
	}
	free(found);
}

/* Only time may be what is missing: then the figures are true, though of less than was asked for. */
static void test_shortened(void **state)
{
	const struct fio_direction good = {.present = true,
		.bandwidth_bytes_per_s = 1e6,
		.iops = 244,
		.bytes = 1e6,
		.runtime_ms = 1000,
		.jobs_with_io = 4};
	const struct fio_result short_run = {.found = true, .jobs = 4, .directions = {[TRANSFER_WRITE] = good}};
	struct fio_job job = {.transfer = TRANSFER_WRITE, .jobs = 4, .runtime_s = 5};
	struct fio_ending ending = {0};
	struct fio_result result = short_run;

	(void)state;
	assert_true(fio_result_is_shortened(&short_run, &job, &ending));
	result.error = EIO;
	assert_false(fio_result_is_shortened(&result, &job, &ending));
	result = short_run;
	result.interrupted = true;
	assert_false(fio_result_is_shortened(&result, &job, &ending));
	result = short_run;
	result.directions[TRANSFER_WRITE].jobs_with_io = 3;
	assert_false(fio_result_is_shortened(&result, &job, &ending));
	job.runtime_s = 1;
	assert_false(fio_result_is_shortened(&short_run, &job, &ending));
	job.runtime_s = 5;
	job.trial = 1;
	assert_false(fio_result_is_shortened(&short_run, &job, &ending));
}

static void test_reason(void **state)
{
	(void)state;
	expect_reason("", "", NULL);
	expect_reason(NULL, NULL, NULL);
	expect_reason("{\n\"jobs\": 1}\n", "note: both iodepth >= 1 and\n", NULL);
	expect_reason("fio: pid=123, err=28/file:io_u.c:1876, func=io_u error, error=No space left on device\n", NULL,
		"No space left on device (io_u error)");
	expect_reason("fio: pid=0, err=38/file:x.c:1\n", NULL, "Function not implemented");
	expect_reason("a\nfio: first direct IO errored.\r\nfio: second\n", NULL, "first direct IO errored");
	expect_reason("fio: file:ioengines.c:91, func=dlopen, error=x: cannot open\n", NULL, "x: cannot open");
	expect_reason("fio: out\n", "error: failed to setup shm segment\n", "failed to setup shm segment");
	expect_reason("\nfio: terminating on signal 2\nfio: x\n", NULL, "x");
	expect_reason("fio: a\033[31mb", NULL, "a\\x1B[31mb");
	expect_reason(" fio: indented\nprefio: x\n", NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_past_deadline),
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_trial),
		cmocka_unit_test(test_shortened),
		cmocka_unit_test(test_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
