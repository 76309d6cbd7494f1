#include "scratch.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "support/clock.h"
#include "support/process.h"

static enum process_end run(const char *script, uint64_t timeout_ms, struct text *out, struct text *err, int *status)
{
	const char *const argv[] = {"sh", "-c", script, NULL};

	return process_capture("sh", argv, timeout_ms, out, err, status);
}

static void expect_output(const char *script, const char *right)
{
	struct text out = TEXT_EMPTY;
	int status = -1;

	assert_int_equal(run(script, 60000, &out, NULL, &status), PROCESS_ENDED);
	assert_string_equal(text_string(&out), right);
	assert_int_equal(status, 0);
	text_release(&out);
}

static void test_capture(void **state)
{
	struct text out = TEXT_EMPTY, err = TEXT_EMPTY;
	int status = -1;

	(void)state;
	text_add(&out, "before ");
	assert_int_equal(run("echo out; echo err >&2; exit 7", 60000, &out, &err, &status), PROCESS_ENDED);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	assert_string_equal(text_string(&out), "before out\n");
	assert_string_equal(text_string(&err), "err\n");
	text_release(&out);
	text_release(&err);
	assert_int_equal(run("echo out; echo err >&2", 60000, NULL, NULL, NULL), PROCESS_ENDED);
	assert_int_equal(run("kill -9 $$", 60000, NULL, NULL, &status), PROCESS_ENDED);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void test_missing(void **state)
{
	static const char *const argv[] = {"x", NULL};
	struct process_spec spec = PROCESS_SPEC_NONE;
	int status = 5;

	(void)state;
	errno = 0;
	assert_int_equal(process_capture("/nonexistent/program", argv, 1000, NULL, NULL, &status), PROCESS_NOT_STARTED);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(process_capture("no-such-program-anywhere", argv, 1000, NULL, NULL, &status), PROCESS_NOT_STARTED);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(process_capture("/tmp", argv, 1000, NULL, NULL, &status), PROCESS_NOT_STARTED);
	assert_int_equal(errno, EACCES);
	spec.program = "/nonexistent/program";
	spec.argv = argv;
	assert_int_equal(process_start(&spec), -1);
	assert_int_equal(errno, ENOENT);
	/* No child was left behind. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	assert_int_equal(process_wait(1), -1);
}

static void test_much_output(void **state)
{
	struct text out = TEXT_EMPTY, err = TEXT_EMPTY;
	int status = -1;

	(void)state;
	assert_int_equal(run("head -c 3000000 /dev/zero | tr '\\0' a; head -c 2000000 /dev/zero | tr '\\0' b >&2", 100000,
						 &out, &err, &status),
		PROCESS_ENDED);
	assert_int_equal(status, 0); /* it was read to its end, though not kept */
	assert_true(out.length >= 1 << 20 && out.length < (1 << 20) + 10000);
	assert_true(err.length >= 1 << 20 && err.length < (1 << 20) + 10000);
	assert_int_equal(out.bytes[0], 'a');
	assert_int_equal(err.bytes[0], 'b');
	text_release(&out);
	text_release(&err);
}

static void test_timeout(void **state)
{
	struct text out = TEXT_EMPTY;
	uint64_t before_ns = clock_now_ns();
	int status = -1;

	(void)state;
	assert_int_equal(run("echo early; exec sleep 100", 1000, &out, NULL, &status), PROCESS_TIMED_OUT);
	assert_true(clock_now_ns() - before_ns < 50 * NS_PER_S);
	assert_true(clock_now_ns() - before_ns >= NS_PER_S);
	text_release(&out);
	/* Also one that has closed its output, or ignores what asks it kindly. */
	assert_int_equal(run("trap '' TERM; exec sleep 100", 300, NULL, NULL, NULL), PROCESS_TIMED_OUT);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* A program that closes its streams and goes on is over its time as well. */
static void test_timeout_without_streams(void **state)
{
	uint64_t before_ns = clock_now_ns();

	(void)state;
	assert_int_equal(run("exec sleep 20 >&- 2>&-", 500, NULL, NULL, NULL), PROCESS_TIMED_OUT);
	assert_true(clock_now_ns() - before_ns < 15 * NS_PER_S);
}

static void test_environment(void **state)
{
	(void)state;
	setenv("LC_ALL", "de_DE.UTF-8", 1);
	setenv("LANGUAGE", "de", 1);
	setenv("LANG", "de_DE.UTF-8", 1);
	setenv("KEPT", "yes", 1);
	expect_output("echo $LC_ALL,$LANGUAGE,$LANG,$KEPT; env | grep -c ^LC_ALL=", "C,,de_DE.UTF-8,yes\n1\n");
	unsetenv("LC_ALL");
	unsetenv("LANGUAGE");
	unsetenv("LANG");
	expect_output("echo $LC_ALL", "C\n");
	assert_null(getenv("LC_ALL"));
}

/* A child of the spec; returns what it writes to its stdout, which the caller frees. */
static char *output_of(struct process_spec *spec, const char *script)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	struct text out = TEXT_EMPTY;
	char buffer[512];
	int read_end = -1, write_end = -1;
	ssize_t size;

	spec->program = "sh";
	spec->argv = argv;
	assert_true(process_pipe(&read_end, &write_end));
	spec->out = write_end;
	pid_t pid = process_start(spec);
	assert_true(pid > 0);
	close(write_end);
	while ((size = read(read_end, buffer, sizeof(buffer))) > 0) {
		text_add_bytes(&out, buffer, (size_t)size);
	}
	close(read_end);
	assert_int_equal(process_wait(pid), 0);
	return text_detach(&out);
}

static void expect_of_spec(struct process_spec *spec, const char *script, const char *right)
{
	char *output = output_of(spec, script);

	assert_string_equal(output, right);
	free(output);
}

static void test_descriptors(void **state)
{
	struct process_spec spec = PROCESS_SPEC_NONE;
	int extra[20];

	(void)state;
	/* Even descriptors without close-on-exec of ours would be nobody's business; ours all have it. */
	for (size_t i = 0; i < sizeof(extra) / sizeof(extra[0]); i++) {
		extra[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	}
	/* `ls` itself opens the folder. */
	expect_of_spec(&spec, "exec ls /proc/self/fd | tr '\\n' ' '", "0 1 2 3 ");
	expect_of_spec(&spec, "readlink /proc/self/fd/0", "/dev/null\n");
	for (size_t i = 0; i < sizeof(extra) / sizeof(extra[0]); i++) {
		close(extra[i]);
	}
}

static void test_inherited(void **state)
{
	struct process_spec spec = PROCESS_SPEC_NONE;
	int in_read = -1, in_write = -1;

	(void)state;
	spec.inherited = memfd_create("document", MFD_CLOEXEC);
	assert_true(spec.inherited >= 0);
	expect_of_spec(&spec, "echo hello >/proc/self/fd/3; exec ls /proc/self/fd", "0\n1\n2\n3\n4\n");
	char buffer[16] = "";
	assert_int_equal(pread(spec.inherited, buffer, sizeof(buffer) - 1, 0), 6);
	assert_string_equal(buffer, "hello\n");
	assert_true(process_pipe(&in_read, &in_write));
	assert_int_equal(write(in_write, "fed\n", 4), 4);
	close(in_write);
	spec.in = in_read;
	expect_of_spec(&spec, "cat", "fed\n");
	close(in_read);
	close(spec.inherited);
}

/* Descriptors that stand where others must go are not lost. */
static void test_low_descriptors(void **state)
{
	int status = -1;
	pid_t pid = fork();

	(void)state;
	assert_true(pid >= 0);
	if (pid == 0) {
		struct process_spec spec = PROCESS_SPEC_NONE;
		const char *const argv[] = {"sh", "-c", "read line; echo $line; echo err >&2; echo three >&3", NULL};
		char bytes[4][32] = {{0}};
		int files[4];

		/* Everything is closed: the files become 0 to 3, and go crosswise to 3, 2, 1, 0. */
		for (int i = 0; i < 64; i++) {
			close(i);
		}
		for (int i = 0; i < 4; i++) {
			files[i] = memfd_create("x", MFD_CLOEXEC);
		}
		if (files[0] != 0 || files[3] != 3 || write(files[3], "in\n", 3) != 3 || lseek(files[3], 0, SEEK_SET) != 0) {
			_exit(10);
		}
		spec.program = "sh";
		spec.argv = argv;
		spec.in = files[3];
		spec.out = files[2];
		spec.err = files[1];
		spec.inherited = files[0];
		if (process_wait(process_start(&spec)) != 0) {
			_exit(11);
		}
		for (int i = 0; i < 4; i++) {
			if (pread(files[i], bytes[i], 31, 0) < 0) {
				_exit(12);
			}
		}
		_exit(strcmp(bytes[2], "in\n") != 0 || strcmp(bytes[1], "err\n") != 0 || strcmp(bytes[0], "three\n") != 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void test_directory(void **state)
{
	struct process_spec spec = PROCESS_SPEC_NONE;
	char before[4096], after[4096];

	(void)state;
	assert_non_null(getcwd(before, sizeof(before)));
	spec.directory = open("/usr", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	expect_of_spec(&spec, "pwd -P", "/usr\n");
	assert_non_null(getcwd(after, sizeof(after)));
	assert_string_equal(after, before);
	close(spec.directory);
	spec.directory = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_int_equal(process_start(&spec), -1);
	assert_int_equal(errno, ENOTDIR);
	close(spec.directory);
}

static void test_group(void **state)
{
	struct process_spec spec = PROCESS_SPEC_NONE;
	static const char script[] = "set -- $(cat /proc/$$/stat); [ $5 = $$ ] && echo own || echo shared";

	(void)state;
	expect_of_spec(&spec, script, "shared\n");
	spec.own_group = true;
	expect_of_spec(&spec, script, "own\n");
}

/* A child is born with default signals and an empty mask, whatever ours are. */
static void test_signals(void **state)
{
	struct process_spec spec = PROCESS_SPEC_NONE;
	sigset_t blocked, before;

	(void)state;
	sigfillset(&blocked);
	sigprocmask(SIG_SETMASK, &blocked, &before);
	signal(SIGPIPE, SIG_IGN);
	expect_of_spec(&spec, "grep -E '^SigBlk' /proc/self/status | tr -d '\\t\\n'", "SigBlk:0000000000000000");
	/* What was ignored before is rightly handed on, but not what we ignore ourselves. */
	char *ignored = output_of(&spec, "sed -n 's/^SigIgn:\t*//p' /proc/self/status");
	assert_int_equal(strtoull(ignored, NULL, 16) & (1ULL << (SIGPIPE - 1)), 0);
	free(ignored);
	signal(SIGPIPE, SIG_DFL);
	sigset_t now;
	sigprocmask(SIG_SETMASK, &before, &now);
	assert_true(sigismember(&now, SIGUSR1));
}

/* However we die, a child that is to die with us does. */
static void test_dies_with_us(void **state)
{
	int read_end = -1, write_end = -1;
	char byte;

	(void)state;
	assert_true(process_pipe(&read_end, &write_end));
	pid_t middle = fork();
	assert_true(middle >= 0);
	if (middle == 0) {
		const char *const argv[] = {"sleep", "100", NULL};
		struct process_spec spec = PROCESS_SPEC_NONE;

		spec.program = "sleep";
		spec.argv = argv;
		spec.out = write_end;
		spec.dies_with_us = true;
		if (process_start(&spec) > 0) {
			raise(SIGKILL);
		}
		_exit(1);
	}
	close(write_end);
	int status = process_wait(middle);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(read(read_end, &byte, 1), 0); /* the last holder of the other end is gone */
	close(read_end);
}

static void test_no_descriptor_leaks(void **state)
{
	static const char *const argv[] = {"true", NULL};
	int first = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)state;
	close(first);
	for (int i = 0; i < 20; i++) {
		process_capture(i % 2 ? "true" : "/nonexistent", argv, 60000, NULL, NULL, NULL);
	}
	int last = open("/dev/null", O_RDONLY | O_CLOEXEC);
	close(last);
	assert_int_equal(first, last);
}

/* One that goes on sleeping is told from one that has ended, and is reaped only then. */
static void test_wait_until(void **state)
{
	const char *const argv[] = {"sleep", "30", NULL};
	struct process_spec spec = PROCESS_SPEC_NONE;
	int status = 0;

	(void)state;
	spec.program = "sleep";
	spec.argv = argv;
	pid_t pid = process_start(&spec);
	assert_true(pid > 0);
	assert_false(process_wait_until(pid, clock_now_ns() + 10 * NS_PER_MS, &status));
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_true(process_wait_until(pid, clock_now_ns() + 5 * NS_PER_S, &status));
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_true(process_wait_until(pid, clock_now_ns(), &status)); /* none of ours any more */
}

static void expect_description(int status, const char *right)
{
	char *words = process_describe_status(status);

	assert_string_equal(words, right);
	free(words);
}

static void test_describe(void **state)
{
	(void)state;
	expect_description(0, "exit status 0");
	expect_description(3 << 8, "exit status 3");
	expect_description(128 << 8, "exit status 128");
	expect_description(SIGKILL, "killed by SIGKILL");
	expect_description(SIGTERM, "killed by SIGTERM");
	expect_description(SIGSEGV | 0x80, "killed by SIGSEGV");
	expect_description(SIGSYS, "killed by signal 31");
	expect_description(-1, "an unknown end");
}

/* What was handed to this program is not what is tested. */
static int forget_surroundings(void **state)
{
	(void)state;
	setenv("PATH", "/usr/bin:/bin", 1); /* a folder in it that may not be entered turns ENOENT into EACCES */
	for (int i = 3; i < 1024; i++) {
		fcntl(i, F_SETFD, FD_CLOEXEC);
	}
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_capture),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_much_output),
		cmocka_unit_test(test_timeout),
		cmocka_unit_test(test_timeout_without_streams),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_descriptors),
		cmocka_unit_test(test_inherited),
		cmocka_unit_test(test_low_descriptors),
		cmocka_unit_test(test_directory),
		cmocka_unit_test(test_group),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_dies_with_us),
		cmocka_unit_test(test_no_descriptor_leaks),
		cmocka_unit_test(test_wait_until),
		cmocka_unit_test(test_describe),
	};

	return cmocka_run_group_tests(tests, forget_surroundings, NULL);
}
