#include "load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "converse.h"
#include "dd/result.h"
#include "fio/command.h"
#include "fio/result.h"
#include "pool_watch.h"
#include "ramp.h"
#include "support/memory.h"

enum { GRACE_BASE_S = 20, SLOWEST_IOPS = 20, GRACE_DD_S = 60, GRACE_MAX_S = 7200 };

/* What came back of a program that was run. */
struct ended {
	struct keeper_result result;
	char *output; /* owned */
	char *other;  /* owned */
};

void load_outcome_release(struct load_outcome *outcome)
{
	free(outcome->reason);
	outcome->reason = NULL;
}

/*
 * How long fio may take beyond its runtime. It drains its queue first, and flushes what is still in RAM: on a slow
 * device either takes long without anything being wrong.
 */
static uint64_t grace_s(const struct session *session, const struct fio_job *job)
{
	uint64_t queued = (uint64_t)job->queue_depth * job->jobs;
	double speed = session->layout_bandwidth_bytes_per_s > 1e6 ? session->layout_bandwidth_bytes_per_s : 1e6;
	double grace = GRACE_BASE_S + (double)job->runtime_s + (double)queued / SLOWEST_IOPS +
				   4 * (double)(queued * job->block_size_bytes) / speed;

	if (!job->direct && !job->synchronous && job->transfer == TRANSFER_WRITE && !job->trial) {
		/* The page cache may hold all of the file; blocks written at random go out far slower than in order. */
		grace += (job->pattern == ACCESS_RANDOM ? 50 : 4) * (double)job->size_bytes / speed;
	}
	return grace > GRACE_MAX_S ? GRACE_MAX_S : (uint64_t)grace;
}

static bool take_result(const struct keeper_message *answer, struct ended *ended)
{
	if (answer->type != KEEPER_RESULT || !keeper_payload(answer, &ended->result, sizeof(ended->result)) ||
		answer->payload.length != sizeof(ended->result) + ended->result.output_length + ended->result.other_length) {
		return false;
	}
	const char *bytes = answer->payload.bytes + sizeof(ended->result);
	ended->output = xmalloc(ended->result.output_length + 1);
	memcpy(ended->output, bytes, ended->result.output_length);
	ended->output[ended->result.output_length] = '\0';
	ended->other = xstrndup(bytes + ended->result.output_length, ended->result.other_length);
	return true;
}

static void ended_release(struct ended *ended)
{
	free(ended->output);
	free(ended->other);
}

/* A refusal, or nonsense: no run took place. */
static void note_refusal(const struct keeper_message *answer, struct load_outcome *outcome)
{
	enum status status;
	const char *sentence = converse_refusal(answer, &outcome->error, &status);

	outcome->reason = xstrdup(sentence);
	outcome->not_started = status == STATUS_FIO;
}

/* --verbose: what the program was told and what it said, word for word. */
static void show_raw(
	struct session *session, const char *title, const char *program, char *const *arguments, const struct ended *ended)
{
	FILE *out = session->progress.out;

	if (!session->settings->verbose) {
		return;
	}
	progress_clear(&session->progress);
	fprintf(out, "--- %s: %s", title, program);
	for (size_t i = 0; arguments[i]; i++) {
		fprintf(out, " %s", arguments[i]);
	}
	fputc('\n', out);
	fwrite(ended->output, 1, ended->result.output_length, out);
	fputs(ended->other, out);
	fflush(out);
}

/* How long a commit takes: a write that waits, or one that does not and the call behind it that does. */
static double commit_mean_ns(const struct fio_job *job, const struct fio_direction *direction)
{
	if (!job->synchronous) {
		return (double)NAN;
	}
	return direction->latency_mean_ns + (job->sync_method == SYNC_FDATASYNC ? direction->sync_mean_ns : 0);
}

/* fio's figures, and what was seen beside them. */
static void take_figures(const struct fio_job *job, const struct fio_result *result, const struct keeper_result *seen,
	struct load_outcome *outcome)
{
	const struct fio_direction *direction = &result->directions[job->transfer];
	bool by_call = job->synchronous && job->sync_method == SYNC_FDATASYNC;

	outcome->figures = (struct figures){
		.bandwidth_bytes_per_s = direction->bandwidth_bytes_per_s,
		.iops = direction->iops,
		.latency_p50_ns = by_call ? direction->sync_p50_ns : direction->latency_p50_ns,
		.latency_p99_ns = by_call ? direction->sync_p99_ns : direction->latency_p99_ns,
	};
	outcome->evidence = (struct evidence){
		.present = true,
		.claimed_bytes = direction->bytes,
		.submit_saturation = direction->submit_saturation,
		.busiest_job_cpu = result->busiest_job_cpu,
		.direct = job->direct != 0,
		.commits = job->synchronous ? direction->bytes / (double)job->block_size_bytes : (double)NAN,
		.commit_mean_ns = commit_mean_ns(job, direction),
		.readings = seen->readings,
	};
	if (job->ramp_s > 0) {
		ramp_exclude(&outcome->evidence.readings, seen, job->transfer, direction->runtime_ms, result->version);
	}
}

static void judge_fio(const struct fio_job *job, const struct ended *ended, struct load_outcome *outcome)
{
	struct fio_ending ending = {
		.wait_status = ended->result.wait_status,
		.past_deadline = ended->result.past_deadline != 0,
		.other_text = ended->other,
	};
	struct failure failure = FAILURE_NONE;
	struct fio_result result;

	outcome->timed_out = ending.past_deadline;
	fio_result_read(&result, ended->output, ended->result.output_length);
	fio_result_read_marks(&result, ended->other, strlen(ended->other));
	outcome->valid = fio_result_check(&result, job, &ending, ended->output, &failure);
	if (!outcome->valid) {
		outcome->reason = xstrdup(failure.sentence);
		outcome->error = result.error;
		outcome->has_figures = fio_result_is_shortened(&result, job, &ending);
		outcome->failure_kind = outcome->has_figures ? FINDING_SHORTENED : FINDING_NONE;
	}
	if (outcome->valid || outcome->has_figures) {
		take_figures(job, &result, &ended->result, outcome);
	}
	failure_clear(&failure);
	fio_result_release(&result);
}

static void invalidate(struct load_outcome *outcome, char *reason)
{
	load_outcome_release(outcome);
	outcome->valid = false;
	outcome->has_figures = false;
	outcome->reason = reason;
}

/* The numbers of a run whose data did not reach the device are none, however good they look. */
static void judge_flush(const struct ended *ended, struct load_outcome *outcome)
{
	int error = ended->result.flush_error;

	if (outcome->valid && error != 0) {
		invalidate(outcome, xasprintf("the flush at the end failed, %s, which fio did not notice", strerror(error)));
		outcome->error = error;
		outcome->failure_kind = FINDING_FLUSH_FAILED;
	}
}

/* NULL where it opened the file so that each write waits as its label says, or nothing of it is seen there. */
static const char *wrong_sync(const struct fio_job *job, const struct process_files *files)
{
	if (job->synchronous && job->sync_method == SYNC_O_SYNC && files->synchronous == 0) {
		return "fio opened the file without O_SYNC, so no write waited until it was durable";
	}
	if (job->synchronous && job->sync_method == SYNC_O_DSYNC && files->data_synchronous == 0) {
		return files->synchronous > 0 ? "fio opened the file with O_SYNC instead of O_DSYNC"
									  : "fio opened the file without O_DSYNC, so no write waited until it was durable";
	}
	return NULL; /* fdatasync(2) needs no flag */
}

/* Whether fio did it in the way that its label says, by the descriptors it held: where they could be seen. */
static void judge_way(const struct fio_job *job, const struct ended *ended, struct load_outcome *outcome)
{
	const struct process_files *files = &ended->result.readings.files;

	if (!outcome->valid || files->files == 0) {
		return;
	}
	const char *wrong = wrong_sync(job, files);
	if (wrong) {
		invalidate(outcome, xstrdup(wrong));
	} else if ((job->engine == ENGINE_IO_URING && !files->io_uring) || (job->engine == ENGINE_LIBAIO && !files->aio)) {
		invalidate(outcome, xasprintf("fio did not use %s", engine_name((enum engine)job->engine)));
	}
}

static void judge_stuck(const char *program, const struct ended *ended, struct load_outcome *outcome)
{
	if (ended->result.stuck) {
		invalidate(
			outcome, xasprintf("%s (process %u) hangs in the kernel and cannot be ended: the device does not answer",
						 program, (unsigned)ended->result.process_id));
		outcome->stuck = true;
	}
}

bool load_fio(struct session *session, const struct fio_job *job, const char *title, struct load_outcome *outcome,
	struct failure *failure)
{
	struct keeper_run_fio request = {.job = *job, .grace_s = grace_s(session, job)};
	struct keeper_message answer = {0};
	struct ended ended = {0};
	struct pool_watch watch;
	struct pool_activity activity;

	pool_watch_begin(&watch, session, job);
	enum reply reply = converse(session, KEEPER_RUN_FIO, &request, sizeof(request), &answer);
	pool_watch_end(&watch, session, &activity);
	*outcome = (struct load_outcome){0};
	if (reply != REPLY_MESSAGE) {
		return converse_fail(session, reply, failure);
	}
	if (take_result(&answer, &ended)) {
		char **arguments =
			fio_command(job, session->access.kind == ACCESS_SUDO_FIO ? FIO_OUTPUT_FILE : FIO_OUTPUT_DESCRIPTOR);

		show_raw(session, title, "fio", arguments, &ended);
		fio_command_free(arguments);
		judge_fio(job, &ended, outcome);
		outcome->evidence.pool_activity = activity;
		judge_flush(&ended, outcome);
		judge_way(job, &ended, outcome);
		judge_stuck("fio", &ended, outcome);
	} else {
		note_refusal(&answer, outcome);
	}
	ended_release(&ended);
	text_release(&answer.payload);
	return true;
}

/* dd's user and system time, as a share of one processor; unlike fio it does not tell of it itself. */
static double dd_processor_share(const struct process_account *account, double runtime_s)
{
	return account->processor_ns > 0 && runtime_s > 0 ? fmin((double)account->processor_ns / 1e9 / runtime_s, 1)
													  : (double)NAN;
}

static void judge_dd(const struct dd_job *job, const struct ended *ended, struct load_outcome *outcome)
{
	struct failure failure = FAILURE_NONE;
	double bandwidth = 0;

	outcome->valid = dd_result_check(
		job, ended->result.wait_status, ended->result.past_deadline != 0, ended->other, &bandwidth, &failure);
	outcome->figures = (struct figures){.bandwidth_bytes_per_s = bandwidth,
		.iops = (double)NAN,
		.latency_p50_ns = (double)NAN,
		.latency_p99_ns = (double)NAN};
	outcome->evidence = (struct evidence){
		.present = outcome->valid,
		.claimed_bytes = (double)job->size_bytes,
		.submit_saturation = (double)NAN,
		.commits = (double)NAN,
		.commit_mean_ns = (double)NAN,
		.busiest_job_cpu = dd_processor_share(&ended->result.readings.account, (double)job->size_bytes / bandwidth),
		.direct = job->direct != 0,
		.readings = ended->result.readings,
	};
	if (!outcome->valid) {
		outcome->reason = xstrdup(failure.sentence);
	}
	failure_clear(&failure);
}

bool load_dd(struct session *session, const struct dd_job *job, const char *title, struct load_outcome *outcome,
	struct failure *failure)
{
	/* It makes no progress while it flushes: up to all of the file, at half a MiB a second. */
	struct keeper_run_dd request = {.job = *job, .grace_s = GRACE_DD_S};
	struct keeper_message answer = {0};
	struct ended ended = {0};

	if (job->mode == DD_WRITE_FSYNC) {
		request.grace_s += job->size_bytes >> 19 < GRACE_MAX_S ? job->size_bytes >> 19 : GRACE_MAX_S;
	}
	enum reply reply = converse(session, KEEPER_RUN_DD, &request, sizeof(request), &answer);
	*outcome = (struct load_outcome){0};
	if (reply != REPLY_MESSAGE) {
		return converse_fail(session, reply, failure);
	}
	if (take_result(&answer, &ended)) {
		char **arguments = dd_command(job);

		show_raw(session, title, "dd", arguments, &ended);
		dd_command_free(arguments);
		judge_dd(job, &ended, outcome);
		judge_stuck("dd", &ended, outcome);
	} else {
		note_refusal(&answer, outcome);
	}
	ended_release(&ended);
	text_release(&answer.payload);
	return true;
}
