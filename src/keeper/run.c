#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fio/eta.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/signals.h"
#include "telemetry/process_state.h"

enum {
	OUTPUT_MAX_BYTES = 16 << 20,
	LINE_MAX_BYTES = 1 << 20,
	OTHER_MAX_BYTES = 1 << 20,
	TICK_MS = 200,
	ACCOUNT_MS = 600,
	PATIENCE_AFTER_TERM_S =
		10, /* fio writes its report within 0.2 s, but an fsync under way takes as long as it takes */
	PATIENCE_AFTER_KILL_S = 5,
	PATIENCE_AFTER_END_S = 1, /* for pipes that something else holds open */
};

/* Where a program that is being ended stands. */
enum stage { STAGE_RUNNING, STAGE_TERMINATED, STAGE_KILLED, STAGE_STUCK, STAGE_ENDED };

void run_init(struct run *run)
{
	*run = (struct run){
		.pid = -1, .out = -1, .err = -1, .document = -1, .feeder_input = -1, .feeder = -1, .bandwidth_bytes_per_s = -1};
}

/* Move what stands on the line into the output, while there is room. */
static void keep(struct run *run)
{
	if (run->output.length < OUTPUT_MAX_BYTES) {
		text_add_bytes(&run->output, text_string(&run->line), run->line.length);
	}
}

/* A finished line of fio's stdout: progress, or something to keep. */
static void take_line(struct run *run)
{
	if (text_starts_with(text_string(&run->line), "Jobs: ")) {
		double rate = 0;

		if (!witness_is_at_ramp_end(run->witness) && fio_eta_rate(text_string(&run->line), &rate)) {
			run->bandwidth_bytes_per_s = rate;
		}
	} else if (run->line.length > 0 && run->output.length < OUTPUT_MAX_BYTES) {
		keep(run);
		text_add(&run->output, "\n");
	}
	text_reset(&run->line);
}

static void take_stdout(struct run *run, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] == '\r' || bytes[i] == '\n') {
			take_line(run);
			continue;
		}
		text_add_bytes(&run->line, &bytes[i], 1);
		if (run->line.length >= LINE_MAX_BYTES) {
			keep(run);
			text_reset(&run->line);
		}
	}
}

/* Read once from a pipe; closes it at its end. */
static void drain(struct run *run, int *descriptor)
{
	char buffer[16384];
	ssize_t size = read(*descriptor, buffer, sizeof(buffer));

	if (size > 0 && descriptor == &run->out) {
		take_stdout(run, buffer, (size_t)size);
	} else if (size > 0) {
		if (run->other.length < OTHER_MAX_BYTES) {
			text_add_bytes(&run->other, buffer, (size_t)size);
		}
	} else if (size == 0 || (errno != EINTR && errno != EAGAIN)) {
		file_close(descriptor);
	}
}

/* dd says nothing while it works, but the kernel knows how far it is in its file. */
static void read_position(struct run *run, uint64_t now_ns)
{
	struct text info = TEXT_EMPTY;

	if (file_read(&info, "", "/proc/%ld/fdinfo/%d", (long)run->pid, run->progress_number)) {
		const char *position = strstr(text_string(&info), "pos:");
		uint64_t bytes = position ? strtoull(position + strlen("pos:"), NULL, 10) : 0;

		if (bytes > run->done_bytes && bytes <= run->total_bytes) {
			if (run->done_at_ns != 0 && now_ns > run->done_at_ns) {
				run->bandwidth_bytes_per_s =
					(double)(bytes - run->done_bytes) * (double)NS_PER_S / (double)(now_ns - run->done_at_ns);
			}
			run->done_bytes = bytes;
			run->done_at_ns = now_ns;
			run->deadline_ns = now_ns + run->grace_ns;
		}
	}
	text_release(&info);
}

/* fio speaks for the first time after some seconds; until then, and between, the kernel's account of it is newer. */
static void read_account(struct run *run, uint64_t now_ns)
{
	uint64_t bytes = 0;

	if (process_moved("", run->pid, &bytes)) {
		if (run->moved_at_ns != 0 && bytes > run->moved_bytes) {
			run->bandwidth_bytes_per_s =
				(double)(bytes - run->moved_bytes) * (double)NS_PER_S / (double)(now_ns - run->moved_at_ns);
		}
		run->moved_bytes = bytes;
		run->moved_at_ns = now_ns;
	}
}

/* Wait for output, the front or a signal, at most a tick, and take what came. */
static void wait_and_read(struct run *run, struct requests *requests)
{
	uint64_t rest_ns = witness_rest_ns(run->witness);
	struct timespec tick = {.tv_nsec = (long)(rest_ns < TICK_MS * NS_PER_MS ? rest_ns : TICK_MS * NS_PER_MS)};
	struct pollfd polled[] = {
		{.fd = run->out, .events = POLLIN},
		{.fd = run->err, .events = POLLIN},
		{.fd = requests->ended ? -1 : requests->in, .events = POLLIN},
	};

	if (ppoll(polled, 3, &tick, signals_wait_mask()) < 0) {
		polled[0].revents = polled[1].revents = 0;
	}
	if (polled[0].revents) {
		drain(run, &run->out);
	}
	if (polled[1].revents) {
		drain(run, &run->err);
	}
	requests_check(requests);
}

static void terminate(struct run *run)
{
	if (run->stop_way == STOP_BY_PIPE) {
		file_close(&run->out);
		file_close(&run->err);
	} else {
		kill(run->pid, SIGTERM);
	}
}

/* Move on from one stage of ending to the next. */
static enum stage advance(struct run *run, enum stage stage, bool end_it, uint64_t now_ns, uint64_t *until_ns)
{
	if (stage == STAGE_RUNNING && end_it) {
		terminate(run);
		*until_ns = now_ns + PATIENCE_AFTER_TERM_S * NS_PER_S;
		return STAGE_TERMINATED;
	}
	if (stage == STAGE_TERMINATED && now_ns >= *until_ns) {
		kill(run->pid, SIGKILL);
		*until_ns = now_ns + PATIENCE_AFTER_KILL_S * NS_PER_S;
		return STAGE_KILLED;
	}
	if (stage == STAGE_KILLED && now_ns >= *until_ns) {
		return STAGE_STUCK;
	}
	return stage;
}

/* The document that fio wrote into memory goes before what it said on stdout. */
static void collect_document(struct run *run)
{
	struct text whole = TEXT_EMPTY;
	char buffer[16384];
	ssize_t size;

	if (run->document < 0) {
		return;
	}
	while ((size = pread(run->document, buffer, sizeof(buffer), (off_t)whole.length)) > 0 &&
		   whole.length < OUTPUT_MAX_BYTES) {
		text_add_bytes(&whole, buffer, (size_t)size);
	}
	text_add_bytes(&whole, text_string(&run->output), run->output.length);
	text_release(&run->output);
	run->output = whole;
}

/* Whether it has ended; then the counters are read before anything else is done. */
static bool has_ended(struct run *run, int *wait_status)
{
	struct rusage usage;

	if (wait4(run->pid, wait_status, WNOHANG, &usage) != run->pid) {
		return false;
	}
	witness_ended(run->witness, &usage);
	return true;
}

/* Whatever still stands in the pipes after the end. */
static void read_rest(struct run *run)
{
	uint64_t until_ns = clock_now_ns() + PATIENCE_AFTER_END_S * NS_PER_S;

	while ((run->out >= 0 || run->err >= 0) && clock_now_ns() < until_ns) {
		struct pollfd polled[] = {{.fd = run->out, .events = POLLIN}, {.fd = run->err, .events = POLLIN}};

		if (poll(polled, 2, TICK_MS) <= 0) {
			continue;
		}
		if (polled[0].revents) {
			drain(run, &run->out);
		}
		if (polled[1].revents) {
			drain(run, &run->err);
		}
	}
	take_line(run);
}

void run_watch(
	struct run *run, struct requests *requests, run_report *report, void *context, struct keeper_result *result)
{
	enum stage stage = STAGE_RUNNING;
	uint64_t until_ns = 0, reported_ns = clock_now_ns();
	int wait_status = 0;

	*result = (struct keeper_result){.process_id = (uint32_t)run->pid};
	while (stage < STAGE_STUCK) {
		wait_and_read(run, requests);
		uint64_t now_ns = clock_now_ns();
		if (has_ended(run, &wait_status)) {
			stage = STAGE_ENDED;
			break;
		}
		if (stage == STAGE_RUNNING) {
			witness_tick(run->witness, run->pid);
		}
		if (run->is_dd) {
			read_position(run, now_ns);
		} else if (now_ns - run->moved_at_ns >= ACCOUNT_MS * NS_PER_MS) {
			read_account(run, now_ns);
		}
		if (now_ns - reported_ns >= TICK_MS * NS_PER_MS) {
			report(context, run);
			reported_ns = now_ns;
		}
		if (stage == STAGE_RUNNING && now_ns >= run->deadline_ns) {
			result->past_deadline = 1;
		}
		stage = advance(run, stage, result->past_deadline || requests->stop_wanted, now_ns, &until_ns);
	}
	if (stage == STAGE_ENDED) {
		read_rest(run);
	}
	collect_document(run);
	result->stuck = stage == STAGE_STUCK ? 1 : 0;
	result->wait_status = wait_status;
	result->output_length = run->output.length;
	result->other_length = run->other.length;
}

void run_release(struct run *run)
{
	file_close(&run->out);
	file_close(&run->err);
	file_close(&run->document);
	file_close(&run->feeder_input);
	if (run->feeder > 0) {
		kill(run->feeder, SIGKILL);
		waitpid(run->feeder, NULL, 0);
	}
	text_release(&run->line);
	text_release(&run->output);
	text_release(&run->other);
	run_init(run);
}
