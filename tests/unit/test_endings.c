/* How the program ends: signals, cleaning up, no memory; and the clock and the randomness beside them. */
#include "scratch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "support/cleanup.h"
#include "support/clock.h"
#include "support/memory.h"
#include "support/random.h"
#include "support/signals.h"

/* Run in a child, since signals and the list of what to undo belong to the whole process; its wait status. */
static int in_child(void (*act)(void))
{
	int status = -1;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		act();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void catch_signals(void)
{
	static const int others[] = {
		SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT};
	struct timespec none = {0};

	demand(signals_received() == 0);
	signals_catch();
	demand(signals_received() == 0 && signals_count() == 0);
	kill(getpid(), SIGTERM);
	demand(signals_received() == SIGTERM);
	demand(signals_count() == 1);
	kill(getpid(), SIGINT);
	demand(signals_count() == 2);
	demand(signals_received() == SIGTERM); /* the first stays the reason */
	kill(getpid(), SIGHUP);
	kill(getpid(), SIGQUIT);
	demand(ppoll(NULL, 0, &none, signals_wait_mask()) == -1 && errno == EINTR);
	demand(signals_count() == 4);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		kill(getpid(), others[i]);
		demand(signals_count() == 5 + (int)i);
	}
	kill(getpid(), SIGPIPE); /* ignored, as the next: a write fails instead */
	kill(getpid(), SIGXFSZ);
	demand(signals_count() == 13);
}

static void catch_child(void)
{
	struct timespec long_time = {.tv_sec = 100};

	signals_catch();
	pid_t pid = fork();
	if (pid == 0) {
		_exit(3);
	}
	/* Whenever it ends, before or in ppoll, ppoll is interrupted. */
	demand(ppoll(NULL, 0, &long_time, signals_wait_mask()) == -1 && errno == EINTR);
	demand(signals_received() == 0);
	demand(waitpid(pid, NULL, 0) == pid);
}

static void stay_ignored(void)
{
	signal(SIGHUP, SIG_IGN);
	signals_catch();
	kill(getpid(), SIGHUP);
	demand(signals_received() == 0);
	signals_restore();
	struct sigaction action;
	demand(sigaction(SIGHUP, NULL, &action) == 0 && action.sa_handler == SIG_IGN);
	demand(sigaction(SIGTERM, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
	demand(sigaction(SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
	demand(sigaction(SIGXFSZ, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
}

static void restore_mask(void)
{
	sigset_t before, after;

	sigemptyset(&before);
	sigaddset(&before, SIGWINCH);
	sigprocmask(SIG_SETMASK, &before, NULL);
	signals_catch();
	sigprocmask(SIG_SETMASK, NULL, &after);
	demand(sigismember(&after, SIGTERM) && sigismember(&after, SIGWINCH));
	signals_restore();
	sigprocmask(SIG_SETMASK, NULL, &after);
	demand(!sigismember(&after, SIGTERM) && sigismember(&after, SIGWINCH));
}

static void die_by_term(void)
{
	signals_catch();
	signals_die_by(SIGTERM);
}

static void die_by_int(void)
{
	signal(SIGINT, SIG_IGN);
	signals_die_by(SIGINT);
}

static void test_signals(void **state)
{
	(void)state;
	assert_int_equal(in_child(catch_signals), 0);
	assert_int_equal(in_child(catch_child), 0);
	assert_int_equal(in_child(stay_ignored), 0);
	assert_int_equal(in_child(restore_mask), 0);
}

static void test_dying(void **state)
{
	int status = in_child(die_by_term);

	(void)state;
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	status = in_child(die_by_int);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

static char undone[32];
static size_t undone_count;

static void undo(void *context)
{
	if (undone_count < sizeof(undone) - 1) {
		undone[undone_count++] = *(const char *)context;
		undone[undone_count] = '\0';
	}
}

static void undo_and_run(void *context)
{
	undo(context);
	cleanup_run();
}

static void test_cleanup(void **state)
{
	static char a[] = "a", b[] = "b", c[] = "c";

	(void)state;
	undone_count = 0;
	cleanup_run();
	cleanup_register(undo, a);
	cleanup_register(undo_and_run, b);
	cleanup_register(undo, c);
	cleanup_run();
	assert_string_equal(undone, "cba"); /* last first, once each, even where an undo runs it again */
	cleanup_run();
	assert_string_equal(undone, "cba");
	undone_count = 0;
	cleanup_register(undo, a);
	cleanup_register(undo, b);
	cleanup_register(undo, c);
	cleanup_forget(undo, b);
	cleanup_forget(undo, b);
	cleanup_forget(undo_and_run, c);
	cleanup_run();
	assert_string_equal(undone, "ca");
	undone_count = 0;
	for (int i = 0; i < 20; i++) {
		cleanup_register(undo, a);
	}
	cleanup_run();
	assert_string_equal(undone, "aaaaaaaa");
}

#ifndef __SANITIZE_ADDRESS__
static int message_pipe[2];

static void say_undone(void *context)
{
	dprintf(STDERR_FILENO, "undone %s\n", (const char *)context);
}

static void exhaust(void)
{
	static char a[] = "a";

	dup2(message_pipe[1], STDERR_FILENO);
	cleanup_register(say_undone, a);
	free(xmalloc((size_t)PTRDIFF_MAX - 100));
	_exit(98);
}
#endif

static void test_exhaustion(void **state)
{
	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip();
#else
	char said[200] = "";
	assert_int_equal(pipe(message_pipe), 0);
	int status = in_child(exhaust);
	close(message_pipe[1]);
	ssize_t size = read(message_pipe[0], said, sizeof(said) - 1);
	close(message_pipe[0]);
	assert_true(size > 0);
	assert_int_equal(status, 1 << 8);
	/* valgrind may say something before it */
	assert_non_null(strstr(said, "undone a\nspeedtest-hd: out of memory\n"));
#endif
}

static void test_clock(void **state)
{
	uint64_t before_ns = clock_now_ns(), last_ns = before_ns;
	struct timespec pause = {.tv_nsec = 20000000};

	(void)state;
	for (int i = 0; i < 1000; i++) {
		uint64_t now_ns = clock_now_ns();

		assert_true(now_ns >= last_ns);
		last_ns = now_ns;
	}
	nanosleep(&pause, NULL);
	assert_true(clock_now_ns() - before_ns >= 20 * NS_PER_MS);
	assert_true(clock_now_ns() - before_ns < 60 * NS_PER_S);
}

static void test_random_bytes(void **state)
{
	enum { SIZE = 1 << 20 };
	struct random_source a, b;
	uint64_t *bytes = xmalloc(SIZE), *others = xmalloc(SIZE);
	size_t counts[256] = {0};

	(void)state;
	random_source_init(&a);
	random_source_init(&b);
	random_source_fill(&a, bytes, SIZE);
	random_source_fill(&b, others, SIZE);
	assert_memory_not_equal(bytes, others, SIZE);
	random_source_fill(&a, others, SIZE);
	assert_memory_not_equal(bytes, others, SIZE);
	for (size_t i = 0; i < SIZE; i++) {
		counts[((const unsigned char *)bytes)[i]]++;
	}
	/* 4096 of each, give or take 64; ten times that happens never. */
	for (size_t i = 0; i < 256; i++) {
		assert_in_range(counts[i], 4096 - 640, 4096 + 640);
	}
	/* Nothing beyond the size is touched. */
	others[4] = 7;
	random_source_fill(&a, others, 32);
	assert_int_equal(others[4], 7);
	free(bytes);
	free(others);
}

static void test_random_names(void **state)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
	size_t counts[128] = {0};
	char last[9] = "";

	(void)state;
	for (int i = 0; i < 2000; i++) {
		char name[9];

		random_name(name, 8);
		assert_int_equal(strlen(name), 8);
		assert_int_equal(strspn(name, letters), 8);
		assert_string_not_equal(name, last);
		memcpy(last, name, sizeof(last));
		for (size_t j = 0; j < 8; j++) {
			counts[(unsigned char)name[j]]++;
		}
	}
	for (size_t i = 0; letters[i]; i++) {
		assert_in_range(counts[(unsigned char)letters[i]], 258 - 160, 258 + 160);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_dying),
		cmocka_unit_test(test_cleanup),
		cmocka_unit_test(test_exhaustion),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_random_bytes),
		cmocka_unit_test(test_random_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
