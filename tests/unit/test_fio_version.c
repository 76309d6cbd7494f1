#include "scratch.h"

#include "fio/version.h"

static char folder[64];

static void test_parse(void **state)
{
	static const struct {
		const char *output;
		unsigned major, minor;
	} good[] = {
		{"fio-3.33", 3, 33},
		{"fio-3.33\n", 3, 33},
		{"fio-3.42-6-g219f", 3, 42},
		{"fio-3.3-dirty", 3, 3},
		{"fio-2.1.11", 2, 1},
		{"fio-3.1", 3, 1},
		{"fio-10.0", 10, 0},
	};
	static const char *const bad[] = {"", "fio", "fio-", "fio-3", "fio-3.", "fio-3.x", "fio-x.3", "fio 3.33",
		"FIO-3.33", "fio-3,33", "fio--3.33", "fio-+3.3", "fio- 3.3", "fio-.3", " fio-3.33", "3.33", "GNU fio-3.33",
		"\033[0m", "fio-3.\n3x"};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		unsigned major = 99, minor = 99;

		assert_true(fio_version_parse(good[i].output, &major, &minor));
		assert_int_equal(major, good[i].major);
		assert_int_equal(minor, good[i].minor);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]) - 1; i++) {
		unsigned major = 0, minor = 0;

		if (fio_version_parse(bad[i], &major, &minor)) {
			print_error("taken for a version: %s\n", bad[i]);
			fail();
		}
	}
}

/* Make a program of that content and ask it. The sentence is the caller's; NULL on success. */
static char *ask(const char *script, mode_t mode, struct fio_program *program)
{
	char path[128];
	struct failure failure = FAILURE_NONE;

	snprintf(path, sizeof(path), "%s/fio \033x", folder);
	scratch_write(path, script, strlen(script), mode);
	bool good = fio_program_open(program, path, &failure);
	assert_true(good == (failure.sentence == NULL));
	if (good) {
		assert_string_equal(program->path, path);
	} else {
		assert_int_equal(failure.status, STATUS_FIO);
		assert_null(program->path);
		assert_null(program->version);
		/* Whatever the program says or is called, the terminal gets no control character of it. */
		for (const char *at = failure.sentence; *at; at++) {
			assert_true((unsigned char)*at >= ' ' && (unsigned char)*at < 0x7F);
		}
		assert_non_null(strstr(failure.sentence, "/fio \\x1Bx"));
	}
	return failure.sentence;
}

static void expect_version(const char *script, const char *version)
{
	struct fio_program program;

	assert_null(ask(script, 0755, &program));
	assert_string_equal(program.version, version);
	fio_program_release(&program);
	assert_null(program.path);
}

static void expect_refusal(const char *script, mode_t mode, const char *words)
{
	struct fio_program program;
	char *sentence = ask(script, mode, &program);

	assert_non_null(sentence);
	if (!strstr(sentence, words) || !strstr(sentence, "--dd")) {
		print_error("not '%s': %s\n", words, sentence);
		fail();
	}
	free(sentence);
}

static void test_open(void **state)
{
	(void)state;
	expect_version("#!/bin/sh\n[ \"$*\" = --version ] && echo fio-3.33\n", "3.33");
	expect_version("#!/bin/sh\necho fio-3.42-6-g219f; echo more\n", "3.42-6-g219f");
	expect_version("#!/bin/sh\nprintf fio-3.1; echo noise >&2\n", "3.1");
	expect_version("#!/bin/sh\nprintf 'fio-3.3-\\033[31m\\r\\n'\n", "3.3-\\x1B[31m");
}

static void test_refused(void **state)
{
	(void)state;
	expect_refusal("#!/bin/sh\necho fio-3.33; exit 3\n", 0755, "exit status 3");
	expect_refusal("#!/bin/sh\nkill -9 $$\n", 0755, "killed by SIGKILL");
	expect_refusal("#!/bin/sh\necho fio-2.1.11\n", 0755, "fio 2.1 ");
	expect_refusal("#!/bin/sh\necho fio-3.0\n", 0755, "fio 3.0 ");
	expect_refusal("#!/bin/sh\n", 0755, "does not answer --version as fio does;");
	expect_refusal("#!/bin/sh\necho hello\n", 0755, "(it says 'hello')");
	expect_refusal("#!/bin/sh\nprintf '\\033]0;title\\007\\377\\n'\n", 0755, "\\x1B]0;title\\x07\\xFF");
	expect_refusal("#!/bin/sh\nhead -c 5000 /dev/zero | tr '\\0' a\n", 0755, "aaaa')");
	expect_refusal("#!/bin/sh\necho fio-3.33\n", 0644, "cannot start");
	if (!getenv("SPEEDTEST_HD_VALGRIND")) { /* which looks for the interpreter itself, and ends */
		expect_refusal("#!/nonexistent/interpreter\n", 0755, "cannot start");
	}
}

static void test_missing(void **state)
{
	struct fio_program program;
	struct failure failure = FAILURE_NONE;

	(void)state;
	assert_false(fio_program_open(&program, "/nonexistent/fio", &failure));
	assert_int_equal(failure.status, STATUS_FIO);
	assert_non_null(strstr(failure.sentence, "cannot start '/nonexistent/fio': No such file or directory"));
	failure_clear(&failure);
	fio_program_release(&program);
}

/* Older ones read "--sync=dsync" as a number that is none, and end. */
static void test_dsync(void **state)
{
	static const struct {
		const char *version;
		bool knows;
	} cases[] = {{"3.1", false}, {"3.23", false}, {"3.23-9-gabc", false}, {"3.24", true}, {"3.33", true},
		{"3.42-6-g219f", true}, {"4.0", true}, {"", false}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char version[32];

		snprintf(version, sizeof(version), "%s", cases[i].version);
		const struct fio_program program = {.version = version};
		assert_int_equal(fio_program_knows_dsync(&program), cases[i].knows);
	}
	assert_false(fio_program_knows_dsync(&(struct fio_program){0}));
}

static int make_folder(void **state)
{
	(void)state;
	scratch_make(folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	scratch_remove(folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_dsync),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
