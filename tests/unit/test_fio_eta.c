#include "scratch.h"

#include "fio/eta.h"

#define MIB 1048576.0

static void expect_rate(const char *text, double rate)
{
	double found = -1;

	if (!fio_eta_rate(text, &found)) {
		print_error("nothing found in: %s\n", text);
		fail();
	}
	assert_number(found, rate, 1e-6 * rate);
}

static void expect_none(const char *text)
{
	double found = -1;

	if (fio_eta_rate(text, &found)) {
		print_error("%f found in: %s\n", found, text);
		fail();
	}
}

static void test_forms(void **state)
{
	(void)state;
	/* 3.1 to 3.7 name both directions, later ones those that move. */
	expect_rate("Jobs: 1 (f=1): [R(1)][75.0%][r=3737MiB/s,w=0KiB/s][r=3737,w=0 IOPS][eta 00m:01s]", 3737 * MIB);
	expect_rate("Jobs: 1 (f=1): [w(1)][75.0%][r=0KiB/s,w=12.5MiB/s][r=0,w=3200 IOPS][eta 00m:01s]\r", 12.5 * MIB);
	expect_rate("Jobs: 16 (f=16): [r(16)][100.0%][r=2950MiB/s][r=720k IOPS][eta 00m:00s]\r", 2950 * MIB);
	expect_rate("Jobs: 1 (f=1): [W(1)][40.0%][w=512KiB/s][w=1 IOPS][eta 00m:03s]", 512 * 1024.0);
	expect_rate("Jobs: 1 (f=1): [m(1)][50.0%][r=3.5MiB/s,w=1.5MiB/s][r=900,w=380 IOPS][eta 00m:02s]", 5 * MIB);
	expect_rate("[r=1,w=2 IOPS][r=4096B/s,w=4096B/s]", 8192);
	expect_rate("Jobs: 1 (f=1): [R(1)][-.-%][r=2GiB/s][r=2000 IOPS][eta 00m:01s]", 2048 * MIB);
	expect_rate("Jobs: 2 (f=2): [d(2)][-.-%][t=1MiB/s,r=1MiB/s][eta 00m:01s]", 2 * MIB);
	/* With kb_base=1000. */
	expect_rate("[r=10.0MB/s,w=0kB/s]", 10e6);
	expect_rate("[r=1024kB/s]", 1024e3);
	expect_rate("[r=1024KB/s]", 1024e3);
	expect_rate("[r=1.5TiB/s]", 1.5 * MIB * MIB);
}

static void test_last_line_counts(void **state)
{
	(void)state;
	expect_rate("[r=1MiB/s]\r[r=2MiB/s]\r", 2 * MIB);
	expect_rate("[r=1MiB/s]\r[r=2MiB/s]\rJobs: 1 (f=1)\r", 2 * MIB);
	expect_rate("[r=1MiB/s]\n[r=2MiB/s]\n\n\r\r", 2 * MIB);
	expect_rate("[r=0KiB/s,w=0KiB/s]", 0);
	expect_rate("[r=3MiB/s]\r[r=2Mi", 3 * MIB);
}

static void test_none(void **state)
{
	static const char *const none[] = {"", "\r", "\n\n", "Jobs: 1 (f=1)", "Jobs: 1 (f=1): [R(1)][-.-%][eta 00m:01s]",
		"[r=3737,w=0 IOPS]", "[r=720k IOPS]", "[r=", "[r=]", "[r=MiB/s]", "[r=-5MiB/s]", "r=5MiB/s", "[r=5XiB/s]",
		"[r=5Mi", "[r=5M", "[r=5", "[x=5MiB/s]", "[r =5MiB/s]", "[[[[,,,,[r"};

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		expect_none(none[i]);
	}
}

static void test_hostile(void **state)
{
	struct text text = TEXT_EMPTY;

	(void)state;
	text_add_repeated(&text, "[r=", 100000);
	expect_none(text.bytes);
	text_reset(&text);
	text_add_repeated(&text, "\r", 100000);
	expect_none(text.bytes);
	text_reset(&text);
	text_add(&text, "[r=");
	text_add_repeated(&text, "9", 100000);
	text_add(&text, "MiB/s]");
	double rate = 0;
	if (fio_eta_rate(text.bytes, &rate)) {
		assert_true(isfinite(rate));
	}
	expect_none("[r=nanMiB/s]");
	expect_none("[r=infMiB/s]");
	expect_none("[r=0x10MiB/s]");
	text_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_last_line_counts),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
