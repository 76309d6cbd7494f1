#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "settings/settings.h"
#include "support/memory.h"

#define MOST_WORDS 80

/* Parse a NULL-terminated list of words, argv[0] not among them. */
static bool parse(struct settings *settings, struct failure *failure, const char *const *words)
{
	char *argv[MOST_WORDS + 2] = {xstrdup("speedtest-hd")};
	int argc = 1;

	for (; words[argc - 1]; argc++)
		argv[argc] = xstrdup(words[argc - 1]);
	failure_clear(failure);
	bool good = settings_parse(settings, argc, argv, failure);
	/* The path points into argv, which ends here. */
	static char path[256];
	if (settings->path) {
		strncpy(path, settings->path, sizeof(path) - 1);
		settings->path = path;
	}
	for (int i = 0; i < argc; i++)
		free(argv[i]);
	return good;
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct settings expect_settings(const char *const *words)
{
	struct settings settings;
	struct failure failure = FAILURE_NONE;

	if (!parse(&settings, &failure, words))
		fail_msg("refused: %s", failure.sentence);
	assert_null(failure.sentence);
	return settings;
}

static void expect_failure(const char *const *words, const char *sentence)
{
	struct settings settings;
	struct failure failure = FAILURE_NONE;

	if (parse(&settings, &failure, words))
		fail_msg("accepted, instead of: %s", sentence);
	assert_int_equal(failure.status, STATUS_USAGE);
	assert_string_equal(failure.sentence, sentence);
	failure_clear(&failure);
}

static void test_defaults(void **state)
{
	(void)state;
	struct settings settings = expect_settings(WORDS("/mnt/disk"));
	assert_int_equal(settings.action, SETTINGS_MEASURE);
	assert_string_equal(settings.path, "/mnt/disk");
	assert_int_equal(settings.profile, SETTINGS_PROFILE_AUTO);
	assert_null(settings.engine);
	assert_int_equal(settings.direct, SETTINGS_DIRECT_AUTO);
	assert_int_equal(settings.runtime_s, 5);
	assert_int_equal(settings.size_bytes, UINT64_C(1) << 30);
	assert_false(settings.verbose);
	assert_false(settings.yes);
	assert_false(settings.no_sudo);
	assert_int_equal(settings.color, COLOR_AUTO);
	assert_null(settings.completion_shell);
	assert_int_equal(settings.runs, 1);
	assert_false(settings.warmup);
	assert_int_equal(settings.ramp_s, 0);
	assert_int_equal(settings.interval_s, 0);
	assert_false(settings.best);
	assert_string_equal(settings.format, "table");
	assert_null(settings.label);
	assert_null(settings.load);
	assert_int_equal(settings.outputs.count, 0);
	assert_int_equal(settings.compare.count, 0);
	assert_int_equal(settings.fail_below.count, 0);
	assert_int_equal(settings.fail_above.count, 0);
	assert_true(settings.fail_slower_percent < 0);
	settings_release(&settings);
}

static void expect_everything(const char *const *words)
{
	struct settings settings = expect_settings(words);

	assert_string_equal(settings.path, "p");
	assert_int_equal(settings.profile, SETTINGS_PROFILE_FIO);
	assert_string_equal(settings.engine, "libaio");
	assert_int_equal(settings.direct, SETTINGS_DIRECT_ON);
	assert_int_equal(settings.runtime_s, 7);
	assert_int_equal(settings.size_bytes, UINT64_C(64) << 20);
	assert_true(settings.verbose);
	assert_true(settings.yes);
	assert_true(settings.no_sudo);
	assert_int_equal(settings.color, COLOR_NEVER);
}

static void test_every_option_in_every_form(void **state)
{
	(void)state;
	expect_everything(WORDS("p", "--fio", "--engine", "libaio", "--direct", "--runtime", "7", "--size", "64m",
		"--verbose", "--yes", "--no-sudo", "--color", "never"));
	expect_everything(WORDS("--fio", "--engine=libaio", "--direct", "--runtime=7", "--size=64m", "--verbose", "-y",
		"--no-sudo", "--color=never", "p"));
	expect_everything(WORDS("--fio", "--engine=libaio", "--direct", "p", "--runtime=7", "--size=64m", "--verbose", "-y",
		"--no-sudo", "--color=never"));
	expect_everything(WORDS("--fio", "--engine=libaio", "--direct", "--runtime=7", "--size=64m", "--verbose", "-yy",
		"--no-sudo", "--color=never", "--", "p"));
}

static void test_order_whatever_posixly_correct(void **state)
{
	(void)state;
	setenv("POSIXLY_CORRECT", "1", 1);
	assert_true(expect_settings(WORDS("p", "--yes")).yes);
	unsetenv("POSIXLY_CORRECT");
}

static void test_words(void **state)
{
	static const char *const engines[] = {"io_uring", "libaio", "posixaio", "sync"};

	(void)state;
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++)
		assert_string_equal(expect_settings(WORDS("p", "--engine", engines[i])).engine, engines[i]);
	assert_int_equal(expect_settings(WORDS("p", "--color=auto")).color, COLOR_AUTO);
	assert_int_equal(expect_settings(WORDS("p", "--color=always")).color, COLOR_ALWAYS);
	assert_int_equal(expect_settings(WORDS("p", "--buffered")).direct, SETTINGS_DIRECT_OFF);
	assert_int_equal(expect_settings(WORDS("p", "--dd")).profile, SETTINGS_PROFILE_DD);
	assert_int_equal(expect_settings(WORDS("p", "--slog")).profile, SETTINGS_PROFILE_SLOG);
	assert_int_equal(expect_settings(WORDS("p", "--slog", "--direct")).direct, SETTINGS_DIRECT_ON);
	assert_int_equal(expect_settings(WORDS("p", "--slog", "--buffered")).direct, SETTINGS_DIRECT_OFF);
}

/* They add to the SLOG profile and mean nothing without it. */
static void test_slog_options(void **state)
{
	(void)state;
	assert_false(expect_settings(WORDS("p", "--slog")).slog_detail);
	assert_false(expect_settings(WORDS("p", "--slog")).diagnose);
	assert_true(expect_settings(WORDS("p", "--slog", "--slog-detail")).slog_detail);
	assert_true(expect_settings(WORDS("--diagnose", "p", "--slog")).diagnose);
	struct settings settings = expect_settings(WORDS("--diagnose", "--slog-detail", "--slog", "p"));
	assert_true(settings.slog_detail && settings.diagnose);
	assert_int_equal(settings.profile, SETTINGS_PROFILE_SLOG);
	expect_failure(WORDS("p", "--slog-detail"), "--slog-detail belongs to --slog: add it");
	expect_failure(WORDS("p", "--diagnose"), "--diagnose belongs to --slog: add it");
	expect_failure(WORDS("p", "--fio", "--diagnose"), "--diagnose belongs to --slog: add it");
	expect_failure(WORDS("--dd", "--slog-detail", "p"), "--slog-detail belongs to --slog: add it");
	expect_failure(WORDS("p", "--slog", "--diagnose=1"), "--diagnose takes no value, but '1' was given");
	expect_failure(WORDS("p", "--slog-details"), "unknown option '--slog-details'; did you mean '--slog-detail'?");
	expect_failure(WORDS("p", "--slog-"), "unknown option '--slog-'; did you mean '--slog-detail'?");
	expect_failure(WORDS("p", "--diagnosis"), "unknown option '--diagnosis'; did you mean '--diagnose'?");
}

static void test_paths(void **state)
{
	(void)state;
	assert_string_equal(expect_settings(WORDS("--", "--yes")).path, "--yes");
	assert_string_equal(expect_settings(WORDS("-y", "--", "-odd")).path, "-odd");
	assert_string_equal(expect_settings(WORDS("--", "--")).path, "--");
	assert_string_equal(expect_settings(WORDS("-")).path, "-");
	assert_string_equal(expect_settings(WORDS("--yes", "-", "--fio")).path, "-");
	assert_string_equal(expect_settings(WORDS("--", "-")).path, "-");
	assert_string_equal(expect_settings(WORDS("a b:c=d")).path, "a b:c=d");
	expect_failure(WORDS("a", "b"), "only one path is measured: 'a' and 'b' were given");
	expect_failure(WORDS("-", "--", "b\n"), "only one path is measured: '-' and 'b\\n' were given");
	expect_failure(WORDS("-", "-"), "only one path is measured: '-' and '-' were given");
	expect_failure(WORDS(""), "the path is empty; name the directory to measure, '.' for the current one");
	expect_failure(WORDS("--yes"), "no path given: name the directory to measure, '.' for the current one");
	expect_failure(WORDS("--"), "no path given: name the directory to measure, '.' for the current one");
	expect_failure(
		WORDS("--engine", "sync", "--"), "no path given: name the directory to measure, '.' for the current one");
}

static void test_nothing(void **state)
{
	char name[] = "speedtest-hd";
	char *argv[] = {name, NULL};
	struct settings settings;
	struct failure failure = FAILURE_NONE;

	(void)state;
	for (int argc = 0; argc < 2; argc++) {
		assert_false(settings_parse(&settings, argc, argv + 1 - argc, &failure));
		assert_int_equal(failure.status, STATUS_USAGE);
		assert_string_equal(failure.sentence, "");
		failure_clear(&failure);
	}
}

static void test_unknown_options(void **state)
{
	(void)state;
	expect_failure(WORDS("p", "--slgo"), "unknown option '--slgo'; did you mean '--slog'?");
	expect_failure(WORDS("p", "--slgo=1"), "unknown option '--slgo'; did you mean '--slog'?");
	expect_failure(WORDS("p", "--Verbose"), "unknown option '--Verbose'; did you mean '--verbose'?");
	expect_failure(WORDS("p", "--nosudo"), "unknown option '--nosudo'; did you mean '--no-sudo'?");
	expect_failure(WORDS("p", "--colour=never"), "unknown option '--colour'; did you mean '--color'?");
	expect_failure(WORDS("p", "--something-else"), "unknown option '--something-else'");
	expect_failure(WORDS("p", "--keper"), "unknown option '--keper'");
	expect_failure(WORDS("p", "--x\033y"), "unknown option '--x\\x1By'");
	expect_failure(WORDS("p", "--=1"), "unknown option '--=1'");
	expect_failure(WORDS("p", "-x"), "unknown option '-x'");
	expect_failure(WORDS("p", "-yx"), "unknown option '-x' in '-yx'");
	expect_failure(WORDS("p", "-yxy"), "unknown option '-x' in '-yxy'");
	expect_failure(WORDS("p", "-yes"), "unknown option '-yes'; did you mean '--yes'?");
	expect_failure(WORDS("p", "-slog"), "unknown option '-slog'; did you mean '--slog'?");
	expect_failure(WORDS("p", "-y\xc3\xa9"), "unknown option '-y\xc3\xa9'");
}

static void test_abbreviations_are_unknown(void **state)
{
	(void)state;
	expect_failure(WORDS("p", "--ver"), "unknown option '--ver'; did you mean '--verbose'?");
	expect_failure(WORDS("p", "--y"), "unknown option '--y'; did you mean '--yes'?");
	expect_failure(WORDS("p", "--siz", "1g"), "unknown option '--siz'; did you mean '--size'?");
	expect_failure(WORDS("p", "--siz=1g"), "unknown option '--siz'; did you mean '--size'?");
	expect_failure(WORDS("p", "--siz"), "unknown option '--siz'; did you mean '--size'?");
	expect_failure(WORDS("p", "--ye=1"), "unknown option '--ye'; did you mean '--yes'?");
	expect_failure(WORDS("p", "--fi"), "unknown option '--fi'; did you mean '--fio'?");
	expect_failure(WORDS("p", "--hel"), "unknown option '--hel'; did you mean '--help'?");
	expect_failure(WORDS("--keepe"), "unknown option '--keepe'");
}

/* Arguments that are kept as they are point into argv, so these have to stay. */
static struct settings settings_of(char **argv)
{
	struct settings settings;
	struct failure failure = FAILURE_NONE;
	int argc = 0;

	while (argv[argc])
		argc++;
	if (!settings_parse(&settings, argc, argv, &failure))
		fail_msg("refused: %s", failure.sentence);
	assert_ptr_equal(settings.argv, argv);
	return settings;
}

#define ARGV(...) ((char *[]){name, __VA_ARGS__, NULL})

/* String literals that are handed over as argv's. */
static char name[] = "speedtest-hd", path[] = "p", o[] = "-o", a_json[] = "a.json", oc_md[] = "-oc.md",
			output[] = "--output", output_b[] = "--output=b c.csv", yo[] = "-yo", dash[] = "-d.html",
			compare_1[] = "--compare=1.json", compare[] = "--compare", compare_2[] = "2.json", load[] = "--load",
			load_a[] = "--load=-a.json", label[] = "--label", text[] = "a b\033\xff", label_c[] = "--label=CN-08R2",
			below_1[] = "--fail-below=RND4K Q1T1 read iops=10000", below_2[] = "--fail-below=x",
			above[] = "--fail-above=T1 p99_us=500", slower[] = "--fail-slower=2.5";

static void test_outputs(void **state)
{
	(void)state;
	struct settings settings = settings_of(ARGV(o, a_json, path, output_b, oc_md, yo, dash, output, a_json));
	assert_string_equal(settings.path, "p");
	assert_true(settings.yes);
	assert_int_equal(settings.outputs.count, 5);
	assert_ptr_equal(settings.outputs.values[0], a_json);
	assert_string_equal(settings.outputs.values[1], "b c.csv");
	assert_string_equal(settings.outputs.values[2], "c.md");
	assert_ptr_equal(settings.outputs.values[3], dash);
	assert_ptr_equal(settings.outputs.values[4], a_json);
	settings_release(&settings);
	assert_null(settings.outputs.values);
	assert_int_equal(settings.outputs.count, 0);
	settings_release(&settings);

	static const char give[] = "give the name of a file that ends in .json, .csv, .md, .html or .txt";
	char *missing = xasprintf("--output needs a value: %s", give);
	char *empty = xasprintf("--output needs a value that is not empty: %s", give);
	expect_failure(WORDS("p", "-o"), missing);
	expect_failure(WORDS("p", "-yo"), missing);
	expect_failure(WORDS("p", "--output"), missing);
	expect_failure(WORDS("p", "-o", ""), empty);
	expect_failure(WORDS("p", "--output="), empty);
	expect_failure(WORDS("p", "-output", "x.json"), "unknown option '-output'; did you mean '--output'?");
	expect_failure(WORDS("p", "--out", "x.json"), "unknown option '--out'; did you mean '--output'?");
	free(empty);
	free(missing);
}

static void test_lists(void **state)
{
	(void)state;
	struct settings settings =
		settings_of(ARGV(path, compare_1, below_1, slower, above, below_2, compare, compare_2, label, text, label_c));
	assert_int_equal(settings.compare.count, 2);
	assert_string_equal(settings.compare.values[0], "1.json");
	assert_ptr_equal(settings.compare.values[1], compare_2);
	assert_int_equal(settings.fail_below.count, 2);
	assert_string_equal(settings.fail_below.values[0], "RND4K Q1T1 read iops=10000");
	assert_string_equal(settings.fail_below.values[1], "x");
	assert_int_equal(settings.fail_above.count, 1);
	assert_string_equal(settings.fail_above.values[0], "T1 p99_us=500");
	assert_true(settings.fail_slower_percent == 2.5);
	assert_string_equal(settings.label, "CN-08R2");
	settings_release(&settings);

	const char *words[SETTINGS_LIST_MAX + 3] = {"p"};
	for (size_t i = 1; i <= SETTINGS_LIST_MAX; i++)
		words[i] = i % 2 == 0 ? "-ox" : "--output=y";
	settings = expect_settings(words);
	assert_int_equal(settings.outputs.count, SETTINGS_LIST_MAX);
	settings_release(&settings);
	words[SETTINGS_LIST_MAX + 1] = "-oz";
	expect_failure(words, "--output can be given 64 times and not more");
	/* What was read before a mistake is freed; the sanitisers look. */
	expect_failure(WORDS("p", "-ox", "--compare=y", "--fail-above=z", "--bogus"), "unknown option '--bogus'");
	expect_failure(WORDS("-ox", "--fail-below=z"), "no path given: name the directory to measure, '.' for the current "
												   "one");
}

static void test_label(void **state)
{
	char longest[SETTINGS_LABEL_MAX_BYTES + 2];

	(void)state;
	struct settings settings = settings_of(ARGV(label, text, path));
	assert_ptr_equal(settings.label, text);
	settings_release(&settings);
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	char *sentence = xasprintf("--label cannot be '%.200s...'; give a name of at most 200 bytes", longest);
	expect_failure(WORDS("p", "--label", longest), sentence);
	free(sentence);
	longest[SETTINGS_LABEL_MAX_BYTES] = '\0';
	expect_settings(WORDS("p", "--label", longest));
	expect_failure(
		WORDS("p", "--label", ""), "--label needs a value that is not empty: give a name of at most 200 bytes");
}

static void test_load(void **state)
{
	static const char *const measuring[] = {"--fio", "--dd", "--slog", "--slog-detail", "--diagnose", "--engine=sync",
		"--direct", "--buffered", "--runtime=5", "--size=1g", "--runs=1", "--warmup", "--ramp=0", "--interval=0"};

	(void)state;
	struct settings settings = settings_of(ARGV(load, a_json, load_a, compare_1, o, a_json, label, text, slower));
	assert_int_equal(settings.action, SETTINGS_MEASURE);
	assert_null(settings.path);
	assert_string_equal(settings.load, "-a.json");
	settings_release(&settings);
	settings = expect_settings(WORDS(
		"--load=x", "--score=best", "--format=csv", "--verbose", "--color=never", "-y", "--no-sudo", "--fail-below=y"));
	assert_true(settings.best);
	settings_release(&settings);
	for (size_t i = 0; i < sizeof(measuring) / sizeof(measuring[0]); i++) {
		char *sentence = xasprintf("%.*s cannot be combined with --load: a saved result is shown, nothing is measured",
			(int)strcspn(measuring[i], "="), measuring[i]);
		expect_failure(WORDS("--load", "x", measuring[i]), sentence);
		expect_failure(WORDS(measuring[i], "--load=x"), sentence);
		free(sentence);
	}
	expect_failure(WORDS("--load", "x", "a\033"),
		"--load shows a saved result and measures nothing, but the path 'a\\x1B' was given");
	expect_failure(WORDS("--load="), "--load needs a value that is not empty: give a .json file that -o has saved");
	expect_failure(WORDS("--compare=x"),
		"no path given: name the directory to measure, or with --load the saved result to compare");
	expect_failure(WORDS("p", "--fail-slower=5"),
		"--fail-slower needs --compare: name the saved result that nothing may be slower than");
	expect_failure(
		WORDS("p", "--dd", "--ramp=1"), "--ramp cannot be combined with --dd: dd counts from its first byte on");
	expect_settings(WORDS("p", "--dd", "--runs=3", "--warmup", "--interval=1"));
}

static void test_repeats(void **state)
{
	static const struct {
		const char *option;
		const char *wrong;
		const char *give;
	} wrong[] = {
		{"--runs", "0", "a whole number from 1 to 100"},
		{"--runs", "101", "a whole number from 1 to 100"},
		{"--runs", "4294967297", "a whole number from 1 to 100"},
		{"--runs", "5x", "a whole number from 1 to 100"},
		{"--ramp", "3601", "whole seconds from 0 to 3600"},
		{"--ramp", "-1", "whole seconds from 0 to 3600"},
		{"--interval", "86401", "whole seconds from 0 to 86400"},
		{"--interval", "1.5", "whole seconds from 0 to 86400"},
		{"--score", "mean", "median or best"},
		{"--format", "html", "table, json, csv or markdown"},
		{"--format", "JSON", "table, json, csv or markdown"},
	};

	(void)state;
	struct settings settings = expect_settings(
		WORDS("p", "--runs=100", "--warmup", "--ramp=3600", "--interval=86400", "--score=best", "--format=markdown"));
	assert_int_equal(settings.runs, 100);
	assert_true(settings.warmup);
	assert_int_equal(settings.ramp_s, 3600);
	assert_int_equal(settings.interval_s, 86400);
	assert_true(settings.best);
	assert_string_equal(settings.format, "markdown");
	settings = expect_settings(WORDS("p", "--runs=7", "--runs=1", "--score=best", "--score=median", "--ramp=0"));
	assert_int_equal(settings.runs, 1);
	assert_false(settings.best);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char *sentence = xasprintf("%s cannot be '%s'; give %s", wrong[i].option, wrong[i].wrong, wrong[i].give);
		expect_failure(WORDS("p", wrong[i].option, wrong[i].wrong), sentence);
		free(sentence);
	}
}

static void expect_percent(const char *word, double percent)
{
	struct settings settings = expect_settings(WORDS("p", "--compare=x", "--fail-slower", word));

	if (!(settings.fail_slower_percent == percent))
		fail_msg("%s is %.17g", word, settings.fail_slower_percent);
	settings_release(&settings);
}

static void test_percent(void **state)
{
	static const char *const wrong[] = {"-1", "+1", "1000.1", "1001", "1e1", "0x1", "nan", "inf", "5%", "2,5", ".5",
		"5.", " 5", "5 ", ".", "1.2.3", "99999999999999999999", "1.-1", "1000.00000000001"};

	(void)state;
	expect_percent("0", 0);
	expect_percent("0.0", 0);
	expect_percent("5", 5);
	expect_percent("2.5", 2.5);
	expect_percent("0.1", 0.1);
	expect_percent("007.25", 7.25);
	expect_percent("1000", 1000);
	expect_percent("1000.0", 1000);
	expect_percent("3.14159265358979323846", 3.141592653589);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char *sentence =
			xasprintf("--fail-slower cannot be '%s'; give a number from 0 to 1000, such as 5 or 2.5", wrong[i]);
		expect_failure(WORDS("p", "--compare=x", "--fail-slower", wrong[i]), sentence);
		free(sentence);
	}
}

/* A refused line must leave nothing in getopt_long that the next line trips over. */
static void test_parsing_again(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		expect_failure(WORDS("p", "-yxyyyy"), "unknown option '-x' in '-yxyyyy'");
		assert_false(expect_settings(WORDS("p")).yes);
	}
}

static void test_runtime(void **state)
{
	static const char *const wrong[] = {
		"0", "604801", "5s", "1.5", "-1", "+1", " 1", "0x1", "1e1", "99999999999999999999"};

	(void)state;
	assert_int_equal(expect_settings(WORDS("p", "--runtime=1")).runtime_s, 1);
	assert_int_equal(expect_settings(WORDS("p", "--runtime=604800")).runtime_s, 604800);
	assert_int_equal(expect_settings(WORDS("p", "--runtime=9", "--runtime", "3")).runtime_s, 3);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char *sentence = xasprintf("--runtime cannot be '%s'; give whole seconds from 1 to 604800", wrong[i]);
		expect_failure(WORDS("p", "--runtime", wrong[i]), sentence);
		free(sentence);
	}
}

static void test_size(void **state)
{
	static const char *const wrong[] = {
		"1", "15m", "16777215", "1.1p", "2p", "99999999999g", "1x", "-1g", "1e9", "1 g"};

	(void)state;
	assert_int_equal(expect_settings(WORDS("p", "--size=16m")).size_bytes, SETTINGS_SIZE_MIN_BYTES);
	assert_int_equal(expect_settings(WORDS("p", "--size=16777216")).size_bytes, SETTINGS_SIZE_MIN_BYTES);
	assert_int_equal(expect_settings(WORDS("p", "--size=1p")).size_bytes, SETTINGS_SIZE_MAX_BYTES);
	assert_int_equal(expect_settings(WORDS("p", "--size=16.9m")).size_bytes, UINT64_C(16) << 20);
	assert_int_equal(expect_settings(WORDS("p", "--size=4GiB")).size_bytes, UINT64_C(4) << 30);
	assert_int_equal(expect_settings(WORDS("p", "--size=20000000")).size_bytes, UINT64_C(19) << 20);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char *sentence = xasprintf("--size cannot be '%s'; give a size from 16 MiB to 1 PiB, such as 1g, 512M, 4GiB "
								   "or a number of bytes",
			wrong[i]);
		expect_failure(WORDS("p", "--size", wrong[i]), sentence);
		free(sentence);
	}
}

static void test_wrong_values(void **state)
{
	(void)state;
	expect_failure(WORDS("p", "--engine=uring"), "--engine cannot be 'uring'; give io_uring, libaio, posixaio or sync");
	expect_failure(
		WORDS("--engine", "--yes", "p"), "--engine cannot be '--yes'; give io_uring, libaio, posixaio or sync");
	expect_failure(WORDS("p", "--color", "Never"), "--color cannot be 'Never'; give auto, always or never");
	expect_failure(WORDS("--completion=csh"), "--completion cannot be 'csh'; give bash, zsh or fish");
	expect_failure(
		WORDS("p", "--engine="), "--engine needs a value that is not empty: give io_uring, libaio, posixaio or sync");
	expect_failure(
		WORDS("p", "--runtime", ""), "--runtime needs a value that is not empty: give whole seconds from 1 to 604800");
	expect_failure(WORDS("p", "--color"), "--color needs a value: give auto, always or never");
	expect_failure(WORDS("p", "--yes=1"), "--yes takes no value, but '1' was given");
	expect_failure(WORDS("p", "--help="), "--help takes no value, but '' was given");
}

static void test_exclusions(void **state)
{
	(void)state;
	expect_failure(WORDS("p", "--fio", "--slog"), "--fio and --slog cannot be combined");
	expect_failure(WORDS("p", "--slog", "--fio"), "--slog and --fio cannot be combined");
	expect_failure(WORDS("--dd", "p", "--slog"), "--dd and --slog cannot be combined");
	expect_failure(WORDS("p", "--direct", "--buffered"), "--direct and --buffered cannot be combined");
	assert_int_equal(expect_settings(WORDS("p", "--dd", "--dd")).profile, SETTINGS_PROFILE_DD);
	expect_failure(
		WORDS("p", "--dd", "--engine=sync"), "--engine cannot be combined with --dd: --engine is for fio's tests");
	expect_failure(WORDS("p", "--engine=sync", "--slog"),
		"--engine cannot be combined with --slog: the SLOG profile always uses psync");
	assert_true(expect_settings(WORDS("p", "--dd", "--runtime=5")).runtime_given);
	assert_false(expect_settings(WORDS("p", "--dd")).runtime_given);
	expect_failure(WORDS("p", "--dd", "--direct"), "--direct cannot be combined with --dd: dd's test reads past the "
												   "cache and from it, each in a row of its own");
	expect_failure(WORDS("p", "--dd", "--buffered"), "--buffered cannot be combined with --dd: dd's test reads past "
													 "the cache and from it, each in a row of its own");
}

static void test_actions(void **state)
{
	(void)state;
	assert_int_equal(expect_settings(WORDS("-h")).action, SETTINGS_HELP);
	assert_int_equal(expect_settings(WORDS("p", "--fio", "--help")).action, SETTINGS_HELP);
	assert_int_equal(expect_settings(WORDS("-yh", "--bogus")).action, SETTINGS_HELP);
	assert_int_equal(expect_settings(WORDS("--help", "--version")).action, SETTINGS_HELP);
	assert_int_equal(expect_settings(WORDS("-V")).action, SETTINGS_VERSION);
	assert_int_equal(expect_settings(WORDS("--manual", "a", "b")).action, SETTINGS_MANUAL);
	assert_int_equal(expect_settings(WORDS("--dd", "--runtime=5", "-V")).action, SETTINGS_VERSION);
	struct settings settings = expect_settings(WORDS("--completion", "zsh"));
	assert_int_equal(settings.action, SETTINGS_COMPLETION);
	assert_string_equal(settings.completion_shell, "zsh");
	expect_failure(WORDS("--bogus", "--help"), "unknown option '--bogus'");
	assert_string_equal(expect_settings(WORDS("--", "--help")).path, "--help");
}

static void test_keeper(void **state)
{
	static const char refusal[] = "--keeper is for the program's own use and takes nothing beside it";

	(void)state;
	assert_int_equal(expect_settings(WORDS("--keeper")).action, SETTINGS_KEEPER);
	expect_failure(WORDS("--keeper", "p"), refusal);
	expect_failure(WORDS("--yes", "--keeper"), refusal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_every_option_in_every_form),
		cmocka_unit_test(test_order_whatever_posixly_correct),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_slog_options),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_unknown_options),
		cmocka_unit_test(test_abbreviations_are_unknown),
		cmocka_unit_test(test_parsing_again),
		cmocka_unit_test(test_runtime),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_wrong_values),
		cmocka_unit_test(test_exclusions),
		cmocka_unit_test(test_outputs),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_label),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_percent),
		cmocka_unit_test(test_actions),
		cmocka_unit_test(test_keeper),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
