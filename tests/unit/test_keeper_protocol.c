#include "scratch.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "../../src/keeper/requests.h"
#include "keeper/protocol.h"
#include "support/memory.h"
#include "support/process.h"
#include "support/signals.h"

static int read_end = -1, write_end = -1;

static int open_pipe(void **state)
{
	(void)state;
	return process_pipe(&read_end, &write_end) ? 0 : -1;
}

static void close_end(int *descriptor)
{
	if (*descriptor >= 0) {
		close(*descriptor);
		*descriptor = -1;
	}
}

static int close_pipe(void **state)
{
	(void)state;
	close_end(&read_end);
	close_end(&write_end);
	return 0;
}

/* What a send writes. */
static void collect(struct text *bytes)
{
	char buffer[65536];
	ssize_t size = read(read_end, buffer, sizeof(buffer));

	assert_true(size > 0);
	text_add_bytes(bytes, buffer, (size_t)size);
}

static void test_round_trip(void **state)
{
	struct keeper_refusal refusal = {.status = 3, .error = 28}, copy = {0};
	struct keeper_message message;
	struct text bytes = TEXT_EMPTY;
	bool broken = true;

	(void)state;
	assert_true(keeper_send(write_end, KEEPER_REFUSED, &refusal, sizeof(refusal), "no ", 3, "space", 5));
	assert_true(keeper_send_struct(write_end, KEEPER_CLOSE, NULL, 0));
	collect(&bytes);
	assert_true(keeper_take(&bytes, &message, &broken));
	assert_false(broken);
	assert_int_equal(message.type, KEEPER_REFUSED);
	assert_int_equal(message.payload.length, sizeof(refusal) + 8);
	assert_true(keeper_payload(&message, &copy, sizeof(copy)));
	assert_memory_equal(&copy, &refusal, sizeof(copy));
	assert_string_equal(message.payload.bytes + sizeof(refusal), "no space");
	text_release(&message.payload);
	assert_true(keeper_take(&bytes, &message, &broken));
	assert_int_equal(message.type, KEEPER_CLOSE);
	assert_int_equal(message.payload.length, 0);
	assert_false(keeper_payload(&message, &copy, sizeof(copy)));
	text_release(&message.payload);
	assert_false(keeper_take(&bytes, &message, &broken));
	assert_false(broken);
	assert_int_equal(bytes.length, 0);
	text_release(&bytes);
}

/* However the bytes are cut, the messages come out whole and in order. */
static void test_partial(void **state)
{
	struct keeper_message message;
	struct text bytes = TEXT_EMPTY, buffered = TEXT_EMPTY;
	bool broken = false;

	(void)state;
	for (uint32_t i = 0; i < 5; i++) {
		char payload[64] = {0};

		assert_true(keeper_send_struct(write_end, (enum keeper_message_type)(KEEPER_OPEN + i), payload, i * 13));
	}
	collect(&bytes);
	for (size_t step = 1; step < 40; step++) {
		uint32_t taken = 0;

		for (size_t at = 0; at < bytes.length; at += step) {
			text_add_bytes(&buffered, bytes.bytes + at, bytes.length - at < step ? bytes.length - at : step);
			while (keeper_take(&buffered, &message, &broken)) {
				assert_int_equal(message.type, KEEPER_OPEN + taken);
				assert_int_equal(message.payload.length, taken * 13);
				text_release(&message.payload);
				taken++;
			}
			assert_false(broken);
		}
		assert_int_equal(taken, 5);
		assert_int_equal(buffered.length, 0);
	}
	text_release(&bytes);
	text_release(&buffered);
}

static void expect_broken(uint32_t magic, uint64_t length, bool right)
{
	struct {
		uint32_t magic, type;
		uint64_t length;
	} header = {.magic = magic, .type = KEEPER_OPEN, .length = length};
	struct keeper_message message;
	struct text bytes = TEXT_EMPTY;
	bool broken = !right;

	text_add_bytes(&bytes, &header, sizeof(header) - 1);
	assert_false(keeper_take(&bytes, &message, &broken));
	assert_false(broken);
	text_reset(&bytes);
	text_add_bytes(&bytes, &header, sizeof(header));
	assert_false(keeper_take(&bytes, &message, &broken));
	assert_true(broken == right);
	text_release(&bytes);
}

static void test_broken(void **state)
{
	struct keeper_message message;
	struct text empty = TEXT_EMPTY;
	bool broken = true;

	(void)state;
	assert_false(keeper_take(&empty, &message, &broken));
	assert_false(broken);
	expect_broken(KEEPER_MAGIC, 1, false);
	expect_broken(KEEPER_MAGIC, KEEPER_PAYLOAD_MAX, false);
	expect_broken(KEEPER_MAGIC, KEEPER_PAYLOAD_MAX + 1, true);
	expect_broken(KEEPER_MAGIC, UINT64_MAX, true);
	expect_broken(KEEPER_MAGIC, UINT64_MAX - 15, true);
	expect_broken(KEEPER_MAGIC + 1, 1, true);
	expect_broken(0, 0, true);
}

static void test_gone(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	close_end(&read_end);
	assert_false(keeper_send_struct(write_end, KEEPER_STOP, NULL, 0));
	signal(SIGPIPE, SIG_DFL);
}

/* A message larger than the pipe gets through whole. */
static void test_large(void **state)
{
	enum { SIZE = 3 << 20 };
	struct text buffered = TEXT_EMPTY;
	struct keeper_message message;
	bool broken = false;
	char *large = xmalloc(SIZE);

	(void)state;
	memset(large, 'x', SIZE);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		_exit(keeper_send(write_end, KEEPER_RESULT, "abc", 3, large, SIZE, NULL, 0) ? 0 : 1);
	}
	while (!keeper_take(&buffered, &message, &broken)) {
		assert_false(broken);
		collect(&buffered);
	}
	assert_int_equal(message.payload.length, SIZE + 3);
	assert_memory_equal(message.payload.bytes + 3, large, SIZE);
	assert_int_equal(process_wait(pid), 0);
	text_release(&message.payload);
	text_release(&buffered);
	free(large);
}

static void test_next(void **state)
{
	struct requests requests = {.in = read_end};
	struct keeper_layout layout = {.size_bytes = 77}, copy;
	struct keeper_message message;

	(void)state;
	assert_true(keeper_send_struct(write_end, KEEPER_LAYOUT, &layout, sizeof(layout)));
	assert_true(keeper_send_struct(write_end, KEEPER_CLOSE, NULL, 0));
	assert_true(requests_next(&requests, &message));
	assert_int_equal(message.type, KEEPER_LAYOUT);
	assert_true(keeper_payload(&message, &copy, sizeof(copy)));
	assert_int_equal(copy.size_bytes, 77);
	text_release(&message.payload);
	close_end(&write_end);
	/* What was asked before the front went away still counts. */
	assert_true(requests_next(&requests, &message));
	assert_int_equal(message.type, KEEPER_CLOSE);
	text_release(&message.payload);
	assert_false(requests_next(&requests, &message));
	assert_true(requests.ended && requests.stop_wanted);
	assert_false(requests_next(&requests, &message));
	text_release(&requests.buffered);
}

static void test_next_garbage(void **state)
{
	struct requests requests = {.in = read_end};
	struct keeper_message message;

	(void)state;
	assert_int_equal(write(write_end, "0123456789abcdef", 16), 16);
	assert_false(requests_next(&requests, &message));
	assert_true(requests.ended);
	text_release(&requests.buffered);
}

static void test_check(void **state)
{
	struct requests requests = {.in = read_end};

	(void)state;
	requests_check(&requests);
	assert_false(requests.ended || requests.stop_wanted);
	assert_true(keeper_send_struct(write_end, KEEPER_STOP, NULL, 0));
	requests_check(&requests);
	assert_true(!requests.ended && requests.stop_wanted);
	requests.stop_wanted = false;
	/* Half a message is none yet. */
	uint32_t magic = KEEPER_MAGIC;
	assert_int_equal(write(write_end, &magic, sizeof(magic)), sizeof(magic));
	requests_check(&requests);
	assert_false(requests.ended || requests.stop_wanted);
	close_end(&write_end);
	requests_check(&requests);
	assert_true(requests.ended && requests.stop_wanted);
	text_release(&requests.buffered);
}

static void test_check_other(void **state)
{
	struct requests requests = {.in = read_end};

	(void)state;
	assert_true(keeper_send_struct(write_end, KEEPER_CLOSE, NULL, 0));
	requests_check(&requests);
	assert_true(requests.ended && requests.stop_wanted);
	text_release(&requests.buffered);
}

/* A signal that is to end the keeper is the same as a front that is gone. */
static void test_signal(void **state)
{
	pid_t pid = fork();

	(void)state;
	assert_true(pid >= 0);
	if (pid == 0) {
		struct requests requests = {.in = read_end};
		struct keeper_message message;

		signals_catch();
		kill(getpid(), SIGTERM);
		_exit(!requests_next(&requests, &message) && requests.ended ? 0 : 1);
	}
	assert_int_equal(process_wait(pid), 0);
}

int main(void)
{
#define WITH_PIPE(test) cmocka_unit_test_setup_teardown(test, open_pipe, close_pipe)
	const struct CMUnitTest tests[] = {
		WITH_PIPE(test_round_trip),
		WITH_PIPE(test_partial),
		WITH_PIPE(test_broken),
		WITH_PIPE(test_gone),
		WITH_PIPE(test_large),
		WITH_PIPE(test_next),
		WITH_PIPE(test_next_garbage),
		WITH_PIPE(test_check),
		WITH_PIPE(test_check_other),
		WITH_PIPE(test_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
