#include "scratch.h"

#include <signal.h>

#include "dd/job.h"
#include "dd/result.h"

static void expect_command(enum dd_mode mode, uint32_t direct, uint64_t size_bytes, const char *command)
{
	struct dd_job job = {.mode = (uint32_t)mode, .direct = direct, .size_bytes = size_bytes};
	char **arguments = dd_command(&job);
	struct text line = TEXT_EMPTY;

	assert_true(dd_job_is_sane(&job));
	for (size_t i = 0; arguments[i]; i++) {
		text_add(&line, i > 0 ? " " : "");
		text_add(&line, arguments[i]);
	}
	assert_string_equal(line.bytes, command);
	text_release(&line);
	dd_command_free(arguments);
}

static void test_command(void **state)
{
	(void)state;
	expect_command(DD_WRITE_FSYNC, 0, UINT64_C(1) << 30,
		"of=speedtest-hd.bench conv=fsync,notrunc iflag=fullblock bs=1048576 count=1024");
	expect_command(
		DD_READ_UNCACHED, 1, UINT64_C(16) << 20, "if=speedtest-hd.bench of=/dev/null iflag=direct bs=1048576 count=16");
	expect_command(DD_READ_UNCACHED, 0, 1 << 20, "if=speedtest-hd.bench of=/dev/null bs=1048576 count=1");
	expect_command(
		DD_READ_CACHED, 1, UINT64_C(1) << 50, "if=speedtest-hd.bench of=/dev/null bs=1048576 count=1073741824");
	dd_command_free(NULL);
}

static void test_sane(void **state)
{
	static const struct dd_job insane[] = {
		{.mode = 3, .direct = 0, .size_bytes = 1 << 20},
		{.mode = UINT32_MAX, .direct = 0, .size_bytes = 1 << 20},
		{.mode = DD_READ_CACHED, .direct = 2, .size_bytes = 1 << 20},
		{.mode = DD_READ_CACHED, .size_bytes = 0},
		{.mode = DD_READ_CACHED, .size_bytes = (1 << 20) + 512},
		{.mode = DD_READ_CACHED, .size_bytes = 512},
		{.mode = DD_READ_CACHED, .size_bytes = (UINT64_C(1) << 50) + (1 << 20)},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(insane) / sizeof(insane[0]); i++) {
		assert_false(dd_job_is_sane(&insane[i]));
	}
}

static void expect_result(const char *output, double bytes, double duration_s)
{
	double read_bytes = -1, read_s = -1;

	if (!dd_result_read(output, &read_bytes, &read_s)) {
		print_error("nothing found in: %s\n", output);
		fail();
	}
	assert_number(read_bytes, bytes, 0);
	assert_number(read_s, duration_s, 1e-12);
}

static void test_read(void **state)
{
	(void)state;
	/* GNU coreutils */
	expect_result("64+0 records in\n64+0 records out\n67108864 bytes (67 MB, 64 MiB) copied, 0.0412 s, 1.6 GB/s\n",
		67108864, 0.0412);
	expect_result("67108864 bytes (67 MB) copied, 0.0412 s, 1.6 GB/s\n", 67108864, 0.0412);
	expect_result("67108864 bytes copied, 12 s", 67108864, 12);
	expect_result("512 bytes copied, 4.1e-05 s, 12.5 MB/s\n", 512, 4.1e-05);
	expect_result("1 byte copied, 0.000123 s, 8.1 kB/s\n", 1, 0.000123);
	expect_result("1099511627776 bytes (1.1 TB, 1.0 TiB) copied, 4211.3 s, 261 MB/s\n", 1099511627776.0, 4211.3);
	expect_result("0 bytes copied, 0.0001 s, 0.0 kB/s\n", 0, 0.0001);
	expect_result("0+3 records in\n0+3 records out\n300 bytes copied, 1.5 s, 0.2 kB/s\n", 300, 1.5);
	/* status=progress: the last line counts */
	expect_result("1000 bytes (1.0 kB) copied, 1 s, 1.0 kB/s\r2000 bytes (2.0 kB) copied, 2 s, 1.0 kB/s\n"
				  "2+0 records in\n2+0 records out\n3000 bytes (3.0 kB) copied, 2.5 s, 1.2 kB/s\n",
		3000, 2.5);
	/* busybox, toybox */
	expect_result("64+0 records in\n64+0 records out\n67108864 bytes (64.0MB) copied, 0.041203 seconds, 1.5GB/s\n",
		67108864, 0.041203);
	expect_result(
		"64+0 records in\n64+0 records out\n67108864 bytes (64 M) copied, 0.041 s, 1.5 G/s\n", 67108864, 0.041);
	expect_result("67108864 bytes (64 M) copied, 0.041 s, 1.5 G/s", 67108864, 0.041);
}

static void test_nothing_to_read(void **state)
{
	static const char *const none[] = {"", "\n", "\r\n\r", "64+0 records in\n64+0 records out\n",
		"67108864 Bytes (67 MB, 64 MiB) kopiert, 0,0412 s, 1,6 GB/s\n",
		"67108864 octets (67 MB) copi\303\251s, 0,04 s\n", "67108864 bytes (67 MB) copied\n",
		"67108864 bytes (67 MB) copied, \n", "67108864 bytes (67 MB) copied, x s\n",
		"67108864 bytes (67 MB) copied, 0,0412 s\n", "67108864 bytes (67 MB) copied, 0.0412\n", "bytes copied, 1 s\n",
		"67108864 bytes\ncopied, 1 s\n", "dd: 67108864 bytes copied, 1 s\n", "67108864 bytes copied, nan s\n",
		"inf bytes copied, 1 s\n"};
	double bytes = 0, duration_s = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		if (dd_result_read(none[i], &bytes, &duration_s)) {
			print_error("%g bytes in %g s found in: %s\n", bytes, duration_s, none[i]);
			fail();
		}
	}
}

static void test_much_text(void **state)
{
	struct text text = TEXT_EMPTY;
	double bytes = 0, duration_s = 0;

	(void)state;
	text_add_repeated(&text, "1 byte\n", 1 << 17);
	assert_false(dd_result_read(text.bytes, &bytes, &duration_s));
	text_release(&text);
}

static void expect_rate(uint64_t size_bytes, const char *output, double rate)
{
	struct dd_job job = {.mode = DD_READ_CACHED, .size_bytes = size_bytes};
	struct failure failure = FAILURE_NONE;
	double bandwidth = 0;

	assert_true(dd_result_check(&job, 0, false, output, &bandwidth, &failure));
	assert_null(failure.sentence);
	assert_number(bandwidth, rate, 1e-9 * rate);
}

static void expect_failure(int wait_status, bool past_deadline, const char *output, const char *sentence)
{
	struct dd_job job = {.mode = DD_READ_CACHED, .size_bytes = 1 << 20};
	struct failure failure = FAILURE_NONE;
	double bandwidth = -7;

	assert_false(dd_result_check(&job, wait_status, past_deadline, output, &bandwidth, &failure));
	assert_int_equal(failure.status, STATUS_FAILED);
	assert_string_equal(failure.sentence, sentence);
	assert_number(bandwidth, -7, 0);
	failure_clear(&failure);
}

static void test_check(void **state)
{
	static const char good[] =
		"1+0 records in\n1+0 records out\n1048576 bytes (1.0 MB, 1.0 MiB) copied, 0.5 s, 2.1 MB/s\n";

	(void)state;
	expect_rate(1 << 20, good, 2097152);
	expect_rate(1 << 20, "2097152 bytes copied, 1e-3 s, 2 GB/s", 2097152000);
	expect_failure(0, true, good, "dd made no progress and was stopped: the device hangs");
	expect_failure(1 << 8, false, good, "dd failed (exit status 1)");
	expect_failure(SIGKILL, false, good, "dd failed (killed by SIGKILL)");
	expect_failure(1 << 8, false, "dd: error writing 'speedtest-hd.bench': No space left on device\n0+0 records in\n",
		"dd failed (exit status 1): error writing 'speedtest-hd.bench': No space left on device");
	expect_failure(1 << 8, false, "dd: a\033[1mb\r\n", "dd failed (exit status 1): a\\x1B[1mb");
	expect_failure(0, false, "", "dd did not say how long it took");
	expect_failure(0, false, "1048575 bytes copied, 1 s\n", "dd moved 1048575 of 1048576 bytes");
	expect_failure(0, false, "1048576 bytes copied, 0 s\n", "dd was done too soon to be timed; use a larger --size");
	expect_failure(0, false, "1048576 bytes copied, -1 s\n", "dd was done too soon to be timed; use a larger --size");
}

static void test_reason(void **state)
{
	char *reason = dd_result_reason("0+0 records\ndd: first\ndd: second\n");

	(void)state;
	assert_string_equal(reason, "first");
	free(reason);
	assert_null(dd_result_reason(""));
	assert_null(dd_result_reason(NULL));
	assert_null(dd_result_reason("add: x\n dd: y\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_sane),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_nothing_to_read),
		cmocka_unit_test(test_much_text),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
