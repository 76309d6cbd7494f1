#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/units.h"

#define GIB (UINT64_C(1) << 30)

static void expect_size(const char *string, uint64_t expected)
{
	uint64_t size_bytes = 0;

	if (!units_parse_size(string, &size_bytes))
		fail_msg("'%s' was not accepted", string);
	assert_int_equal(size_bytes, expected);
}

static void test_sizes(void **state)
{
	(void)state;
	expect_size("0", 0);
	expect_size("4096", 4096);
	expect_size("007", 7);
	expect_size("64k", 65536);
	expect_size("512M", UINT64_C(512) << 20);
	expect_size("100MB", UINT64_C(100) << 20);
	expect_size("1g", GIB);
	expect_size("1G", GIB);
	expect_size("1Gi", GIB);
	expect_size("4GiB", 4 * GIB);
	expect_size("4gib", 4 * GIB);
	expect_size("1t", 1024 * GIB);
	expect_size("1p", 1024 * 1024 * GIB);
	expect_size("8191p", UINT64_C(8191) << 50);
	expect_size("9223372036854775807", INT64_MAX);
}

static void test_size_fractions_are_exact(void **state)
{
	(void)state;
	expect_size("1.5g", 3 * GIB / 2);
	expect_size("1.0k", 1024);
	expect_size("0.1g", 107374182);
	expect_size("0.3t", UINT64_C(329853488332));
	expect_size("0.0009765625k", 1);
	expect_size("0.0009765624999999999999999999999999999999999999999999999999k", 0);
	expect_size("0.9999999999999999999999999999999999999999999999999999999999g", GIB - 1);
	expect_size("1.00000000000000000000000000000000000000000000000000000000001p", UINT64_C(1) << 50);
	expect_size("8191.9999999999999999p", (UINT64_C(8192) << 50) - 1);
}

static void test_no_sizes(void **state)
{
	static const char *const wrong[] = {
		"",
		"1e3",
		"+1",
		"-1",
		"0x10",
		"1..5",
		" 1g",
		"1g ",
		"1gb1",
		"1.",
		"1.g",
		".5g",
		"1.5",
		"1.0",
		"g",
		"k",
		"1x",
		"1ii",
		"1bb",
		"1gg",
		"1bi",
		"1gbi",
		"1 g",
		"1,5g",
		"1g.",
		"nan",
		"inf",
		"\xc2\xb2k",
		"4096B",
		"1i",
		"8192p",
		"8388608t",
		"9223372036854775808",
		"18446744073709551616",
		"18446744073709551616k",
		"99999999999999999999999999999999",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		uint64_t size_bytes = 42;
		if (units_parse_size(wrong[i], &size_bytes))
			fail_msg("'%s' was accepted", wrong[i]);
		assert_int_equal(size_bytes, 42);
	}
}

static void test_numbers(void **state)
{
	static const char *const wrong[] = {
		"", "0", "11", "+5", "-5", " 5", "5 ", "5.0", "0x5", "5s", "18446744073709551621"};
	uint64_t number = 42;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(units_parse_number(wrong[i], 1, 10, &number));
	assert_int_equal(number, 42);
	assert_true(units_parse_number("1", 1, 10, &number));
	assert_int_equal(number, 1);
	assert_true(units_parse_number("010", 1, 10, &number));
	assert_int_equal(number, 10);
	assert_true(units_parse_number("18446744073709551615", 0, UINT64_MAX, &number));
	assert_true(number == UINT64_MAX);
}

static void expect_text(char *text, const char *expected)
{
	assert_string_equal(text, expected);
	free(text);
}

static void test_format_size(void **state)
{
	(void)state;
	expect_text(units_format_size(0), "0 B");
	expect_text(units_format_size(512), "512 B");
	expect_text(units_format_size(1023), "1023 B");
	expect_text(units_format_size(1024), "1 KiB");
	expect_text(units_format_size(1025), "1 KiB");
	expect_text(units_format_size(1000000), "976.6 KiB");
	expect_text(units_format_size(GIB), "1 GiB");
	expect_text(units_format_size(3 * GIB / 2), "1.5 GiB");
	expect_text(units_format_size(GIB - 1), "1 GiB");
	expect_text(units_format_size(2 * GIB - 1), "2 GiB");
	expect_text(units_format_size(UINT64_C(1) << 50), "1 PiB");
	expect_text(units_format_size(UINT64_MAX), "16 EiB");
}

static void test_format_rate(void **state)
{
	(void)state;
	expect_text(units_format_rate(812.3e6), "812.3 MB/s");
	expect_text(units_format_rate(0), "0.0 MB/s");
	expect_text(units_format_rate(1048576), "1.0 MB/s");
}

static void test_format_duration(void **state)
{
	(void)state;
	expect_text(units_format_duration(0), "0 s");
	expect_text(units_format_duration(4), "4 s");
	expect_text(units_format_duration(60), "1 min");
	expect_text(units_format_duration(80), "1 min 20 s");
	expect_text(units_format_duration(3599), "59 min 59 s");
	expect_text(units_format_duration(3600), "1 h");
	expect_text(units_format_duration(7500), "2 h 5 min");
	expect_text(units_format_duration(7199), "2 h");
}

static void test_format_clock(void **state)
{
	(void)state;
	expect_text(units_format_clock(0), "0:00");
	expect_text(units_format_clock(42), "0:42");
	expect_text(units_format_clock(3599), "59:59");
	expect_text(units_format_clock(3723), "1:02:03");
	expect_text(units_format_clock(360000), "100:00:00");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_size_fractions_are_exact),
		cmocka_unit_test(test_no_sizes),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_format_size),
		cmocka_unit_test(test_format_rate),
		cmocka_unit_test(test_format_duration),
		cmocka_unit_test(test_format_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
