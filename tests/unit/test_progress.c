#include "scratch.h"

#include <locale.h>

#include "measure/progress.h"
#include "measure/sparkline.h"
#include "support/clock.h"
#include "support/memory.h"

/* The third of eight runs, two seconds into its five; all has taken 12 seconds. */
static struct progress sample(char *name)
{
	return (struct progress){
		.name = name,
		.active = true,
		.step = 3,
		.steps = 8,
		.began_ns = 100 * NS_PER_S,
		.step_began_ns = 110 * NS_PER_S,
		.step_expected_ns = 5 * NS_PER_S,
		.later_expected_ns = 27 * NS_PER_S,
		.fraction = -1,
		.bandwidth_bytes_per_s = 812.3e6,
	};
}

#define SAMPLE_NOW (112 * NS_PER_S)

static void expect_line(const struct progress *progress, unsigned width, uint64_t now_ns, const char *right)
{
	char *line = progress_line(progress, width, now_ns);

	assert_string_equal(line, right);
	assert_true(text_columns(line) < width);
	free(line);
}

static void test_widths(void **state)
{
	static char name[] = "RND4K Q1T1 read";
	struct progress progress = sample(name);

	(void)state;
	expect_line(&progress, 200, SAMPLE_NOW,
		"[3/8] RND4K Q1T1 read  [############------------------]  0:12 elapsed, 0:30 left    812.3 MB/s");
	expect_line(
		&progress, 80, SAMPLE_NOW, "[3/8] RND4K Q1T1 read  [#####--------]  0:12 elapsed, 0:30 left    812.3 MB/s");
	expect_line(&progress, 65, SAMPLE_NOW, "[3/8] RND4K Q1T1 read  0:12, 0:30 left  812.3 MB/s");
	expect_line(&progress, 45, SAMPLE_NOW, "[3/8] RND4K Q1T1 read  -0:30  812.3 MB/s");
	expect_line(&progress, 40, SAMPLE_NOW, "3/8 RND4K Q1T1 read -0:30 812.3 MB/s");
	expect_line(&progress, 33, SAMPLE_NOW, "3/8 RND4K Q1T1 read -0:30");
	expect_line(&progress, 25, SAMPLE_NOW, "3/8 -0:30 812.3 MB/s");
	expect_line(&progress, 20, SAMPLE_NOW, "3/8 -0:30");
	expect_line(&progress, 9, SAMPLE_NOW, "3/8 -0:3");
	expect_line(&progress, 1, SAMPLE_NOW, "");
}

/* How the rate went stands before it, where the terminal is wide enough; the words give way first, then the bar. */
static void test_rates(void **state)
{
	static char name[] = "RND4K Q1T1 read";
	struct progress progress = sample(name);

	(void)state;
	progress.shows_rates = true;
	expect_line(&progress, 140, SAMPLE_NOW,
		"[3/8] RND4K Q1T1 read  [############------------------]  0:12 elapsed, 0:30 left                         "
		"812.3 MB/s");
	for (size_t i = 0; i < 12; i++) {
		progress.rates[progress.rate_count++] = (double)(i % 8 + 1) * 100e6;
	}
	expect_line(&progress, 140, SAMPLE_NOW,
		"[3/8] RND4K Q1T1 read  [############------------------]  0:12 elapsed, 0:30 left          "
		"\u2582\u2583\u2584\u2585\u2586\u2587\u2588\u2588\u2582\u2583\u2584\u2585   812.3 MB/s");
	expect_line(&progress, 80, SAMPLE_NOW,
		"[3/8] RND4K Q1T1 read  [####-------]  0:12, 0:30 left  "
		"\u2582\u2583\u2584\u2586\u2587\u2588\u2582\u2583\u2584   812.3 MB/s");
	expect_line(&progress, 65, SAMPLE_NOW,
		"[3/8] RND4K Q1T1 read  0:12, 0:30 left  \u2582\u2583\u2585\u2587\u2588\u2586\u2583\u2585   812.3 MB/s");
	expect_line(&progress, 60, SAMPLE_NOW, "[3/8] RND4K Q1T1 read  0:12, 0:30 left  812.3 MB/s");
}

static void expect_sparkline(const double *values, size_t count, size_t width, const char *right)
{
	char *line = sparkline(values, count, width);

	assert_string_equal(line, right);
	free(line);
}

static void test_sparkline(void **state)
{
	static const double rising[] = {0, 1, 2, 3, 4, 5, 6, 7}, nothing[] = {0, 0}, even[] = {5, 5, 5},
						gaps[] = {8, (double)NAN, -1, 4};

	(void)state;
	expect_sparkline(rising, 8, 8, "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588");
	expect_sparkline(rising, 8, 4, "\u2581\u2584\u2586\u2588"); /* means of two */
	expect_sparkline(rising, 2, 4, "  \u2581\u2588");
	expect_sparkline(nothing, 2, 3, " \u2581\u2581");
	expect_sparkline(even, 3, 3, "\u2588\u2588\u2588");
	expect_sparkline(gaps, 4, 4, "\u2588  \u2585");
	expect_sparkline(rising, 0, 3, "   ");
	expect_sparkline(rising, 8, 0, "");
	setlocale(LC_CTYPE, "C");
	expect_sparkline(rising, 8, 8, ".:-=+*%#");
	expect_sparkline(gaps, 4, 6, "  #  +");
	setlocale(LC_CTYPE, "C.UTF-8");
}

/* However long a step takes, all of it is in the sparkline, and there is always room. */
static void test_many_rates(void **state)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);
	struct progress progress;

	(void)state;
	progress_init(&progress, out, true);
	progress_begin(&progress, 1, 2, "x", 5, 0);
	progress_update(&progress, -1, -1);
	assert_int_equal(progress.rate_count, 0);
	progress_update(&progress, -1, 7);
	progress_update(&progress, -1, 9); /* too soon */
	assert_int_equal(progress.rate_count, 1);
	for (int i = 0; i < 1000; i++) {
		progress.rate_next_ns = 0;
		progress_update(&progress, -1, 7);
		assert_true(progress.rate_count <= PROGRESS_RATES_MAX);
		assert_true(progress.rates[progress.rate_count - 1] > 6.9 && progress.rates[0] < 7.1);
	}
	progress_begin(&progress, 2, 2, "y", 5, 0);
	assert_int_equal(progress.rate_count, 0);
	progress_release(&progress);
	assert_int_equal(fclose(out), 0);
	free(bytes);
}

static void test_unknown(void **state)
{
	static char name[] = "writing the test file";
	struct progress progress = sample(name);

	(void)state;
	progress.step = 0;
	progress.step_expected_ns = 0;
	progress.bandwidth_bytes_per_s = -1;
	expect_line(&progress, 100, SAMPLE_NOW,
		"[layout] writing the test file  [---------------------------]  0:12 elapsed, ? left              ");
	progress.fraction = 0.25;
	expect_line(&progress, 60, SAMPLE_NOW, "[layout] writing the test file  0:12, 0:33 left  ");
	progress.fraction = 1.5; /* a file that grew is done */
	expect_line(&progress, 60, SAMPLE_NOW, "[layout] writing the test file  0:12, 0:27 left  ");
	progress.fraction = 0.001; /* too little to say more */
	expect_line(&progress, 60, SAMPLE_NOW, "[layout] writing the test file  0:12, ? left  ");
}

/* Whatever is shown, it is never as wide as the terminal: the cursor stays on the line. */
static void test_never_too_wide(void **state)
{
	static char ascii[] = "RND4K Q32T16 write", long_name[300],
				accents[] = "\303\251cran \342\202\254\342\202\254\342\202\254 "
							"l\303\266schen",
				wide[] = "\346\270\254\350\251\246\346\270\254\350\251\246\346\270\254\350\251\246",
				bytes[] = "\377\376 \200", empty[] = "";
	char *const names[] = {ascii, long_name, accents, wide, bytes, empty};
	static const double fractions[] = {-1, 0, 0.005, 0.5, 1, 1.5, 1e300};
	static const double rates[] = {-1, 0, 1, 812.3e6, 1e18, 1e300};
	static const uint64_t expectations[] = {0, 1, 5 * NS_PER_S, UINT64_MAX / 4};

	(void)state;
	memset(long_name, 'x', sizeof(long_name) - 1);
	for (unsigned width = 1; width <= 300; width += getenv("SPEEDTEST_HD_SLOW") ? 7 : 1) {
		for (size_t i = 0; i < 6 * 7 * 6 * 4; i += width % 13 + 7) {
			struct progress progress = sample(names[i % 6]);

			progress.shows_rates = i % 2 == 0;
			progress.rate_count = i % PROGRESS_RATES_MAX;
			progress.fraction = fractions[i / 6 % 7];
			progress.bandwidth_bytes_per_s = rates[i / 42 % 6];
			progress.step_expected_ns = expectations[i / 252 % 4];
			progress.later_expected_ns = expectations[(i + width) % 4];
			char *line = progress_line(&progress, width, SAMPLE_NOW + i * NS_PER_S);
			if (text_columns(line) > width - 1) {
				print_error("%zu columns in %u: '%s'\n", text_columns(line), width, line);
				fail();
			}
			/* Cut at characters: what remains of valid UTF-8 is valid, shown as it is. */
			if (names[i % 6] != bytes) {
				char *printable = text_printable(line);
				assert_string_equal(printable, line);
				free(printable);
			}
			free(line);
		}
	}
}

/* A clock that stands before the step's beginning, or long after its end, does no harm. */
static void test_odd_times(void **state)
{
	static char name[] = "x";
	struct progress progress = sample(name);

	(void)state;
	expect_line(&progress, 70, 200 * NS_PER_S, "[3/8] x  [#################]  1:40 elapsed, 0:27 left    812.3 MB/s");
	progress.fraction = 1;
	progress.step_expected_ns = 0;
	progress.later_expected_ns = 0;
	expect_line(&progress, 30, 200 * NS_PER_S, "[3/8] x  -0:00  812.3 MB/s");
	for (size_t i = 0; i < 3; i++) {
		progress = sample(name);
		progress.step_expected_ns = i == 0 ? UINT64_MAX : i == 1 ? 1 : 0;
		progress.later_expected_ns = i < 2 ? UINT64_MAX : 0;
		char *line = progress_line(&progress, 120, i == 2 ? UINT64_MAX : 110 * NS_PER_S);
		assert_true(strlen(line) > 0);
		free(line);
	}
}

static void test_without_terminal(void **state)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);
	struct progress progress;

	(void)state;
	progress_init(&progress, out, false);
	progress_say(&progress, "asking");
	progress_begin(&progress, 0, 2, "test file", 0, 0);
	progress_update(&progress, 0.5, 1);
	progress_draw(&progress);
	progress_end(&progress, "812.30 MB/s");
	progress_end(&progress, "not shown twice");
	progress_begin(&progress, 1, 2, "SEQ1M Q8T1 read", 5, 0);
	progress_end(&progress, "failed");
	progress_clear(&progress);
	progress_release(&progress);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(bytes, "[layout] test file: 812.30 MB/s\n[1/2] SEQ1M Q8T1 read: failed\n");
	free(bytes);
}

/* On a terminal the line is drawn over and taken away; nothing of it stays. */
static void test_terminal(void **state)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);
	struct progress progress;

	(void)state;
	setenv("COLUMNS", "60", 1);
	progress_init(&progress, out, true);
	progress_clear(&progress);
	fflush(out);
	assert_int_equal(size, 0);
	progress_say(&progress, "asking");
	progress_begin(&progress, 1, 2, "x", 5, 0);
	progress_end(&progress, "failed");
	progress_release(&progress);
	assert_int_equal(fclose(out), 0);
	assert_non_null(strstr(bytes, "asking"));
	assert_non_null(strstr(bytes, "[1/2] x"));
	assert_null(strchr(bytes, '\n'));
	assert_true(text_starts_with(bytes, "\r\033[K"));
	assert_string_equal(bytes + size - 4, "\r\033[K");
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_sparkline),
		cmocka_unit_test(test_many_rates),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_never_too_wide),
		cmocka_unit_test(test_odd_times),
		cmocka_unit_test(test_without_terminal),
		cmocka_unit_test(test_terminal),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
