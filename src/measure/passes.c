#include "passes.h"

#include <stdlib.h>

#include "converse.h"
#include "experiment.h"
#include "load.h"
#include "probe/host.h"
#include "support/clock.h"
#include "support/memory.h"
#include "support/signals.h"
#include "support/text.h"
#include "support/units.h"

/* Starting and ending fio takes about this long beside the runtime; a newer one ends its ramp up to a second late. */
#define RUN_OVERHEAD_NS (400 * NS_PER_MS)
#define RAMP_OVERHEAD_NS (500 * NS_PER_MS)

enum { REDRAW_MS = 250 };

uint64_t run_expected_ns(const struct plan *plan)
{
	return plan->runtime_s * NS_PER_S + RUN_OVERHEAD_NS +
		   (plan->ramp_s > 0 ? plan->ramp_s * NS_PER_S + RAMP_OVERHEAD_NS : 0);
}

uint64_t passes_expected_ns(const struct plan *plan, size_t from)
{
	uint64_t runs = plan->run_count - from, pauses = runs > 0 && from == 0 ? runs - 1 : runs;
	uint64_t each_ns = plan->profile->tool == LOAD_FIO ? run_expected_ns(plan) : 0;

	return runs * each_ns + pauses * plan->interval_s * NS_PER_S;
}

/* dd's last row must fit into memory, or it would not be what it says. */
static struct dd_job make_dd_job(const struct session *session, const struct workload *workload)
{
	struct dd_job job = {.mode = (uint32_t)workload->dd_mode, .size_bytes = session->plan.size_bytes};
	uint64_t half_of_memory = host_memory_available_bytes("") / 2 / DD_BLOCK_BYTES * DD_BLOCK_BYTES;

	if (workload->dd_mode == DD_READ_CACHED && half_of_memory > 0 && half_of_memory < job.size_bytes) {
		job.size_bytes = half_of_memory;
	}
	job.direct = workload->dd_mode == DD_READ_UNCACHED && session->report.direct == DIRECT_ENABLED ? 1 : 0;
	return job;
}

/* Whether dd is to read a file that was never written whole: the latest run that wrote it failed. */
static bool lacks_file(const struct session *session, size_t run)
{
	if (session->plan.profile->tool != LOAD_DD || session->plan.runs[run].transfer != TRANSFER_READ) {
		return false;
	}
	while (run > 0 && session->plan.runs[run - 1].transfer != TRANSFER_WRITE) {
		run--;
	}
	return run > 0 && session->report.measurements[run - 1].outcome == OUTCOME_FAILED;
}

/* One run. False where the keeper is lost. */
static bool load(
	struct session *session, size_t run, const char *name, struct load_outcome *outcome, struct failure *failure)
{
	const struct workload *workload = plan_workload(&session->plan, run);

	if (lacks_file(session, run)) {
		outcome->reason = xstrdup("there is no file to read, since writing it failed");
		return true;
	}
	if (session->plan.profile->tool == LOAD_DD) {
		struct dd_job job = make_dd_job(session, workload);

		return load_dd(session, &job, name, outcome, failure);
	}
	/* The reference row without sync shows the page cache, and says so. */
	bool is_cached = session->plan.profile->synchronous && !workload->synchronous;
	struct fio_job job = fio_job_measure(workload, session->plan.runs[run].transfer, session->report.engine,
		session->report.direct == DIRECT_ENABLED && !is_cached, session->plan.size_bytes, session->plan.runtime_s,
		session->plan.ramp_s);
	return load_fio(session, &job, name, outcome, failure);
}

/* The end of the run's progress line: its rate, and what is wrong with it. */
static void say_outcome(struct session *session, size_t run)
{
	const struct report *report = &session->report;
	const struct measurement *measurement = &report->measurements[run];
	struct text words = TEXT_EMPTY;

	if (measurement->outcome == OUTCOME_VALID) {
		char *rate = units_format_rate(measurement->figures.bandwidth_bytes_per_s);

		text_add(&words, rate);
		free(rate);
	} else {
		text_add(&words, "failed");
	}
	for (size_t i = 0; i < report->findings.count; i++) {
		if (report->findings.list[i].run == run && finding_mark(report->findings.list[i].kind)[0] != '\0') {
			text_addf(&words, "  [%s]", finding_id(report->findings.list[i].kind));
		}
	}
	progress_end(&session->progress, text_string(&words));
	text_release(&words);
}

/* Put what came of a run into the report. */
static void note_outcome(struct session *session, size_t run, struct load_outcome *outcome)
{
	struct measurement *measurement = &session->report.measurements[run];

	measurement->outcome = outcome->valid ? OUTCOME_VALID : OUTCOME_FAILED;
	measurement->figures = outcome->figures;
	measurement->has_figures = outcome->has_figures;
	measurement->failure_kind = outcome->failure_kind;
	measurement->evidence = outcome->evidence;
	measurement->reason = xstrdup(outcome->reason);
	report_check(&session->report);
	say_outcome(session, run);
}

/* What is to be known of a run from its beginning on. */
static void begin(struct session *session, size_t run, const char *title)
{
	struct measurement *measurement = &session->report.measurements[run];
	bool timed = session->plan.profile->tool == LOAD_FIO;

	measurement->began_at = clock_time_of_day();
	session->series = &measurement->series;
	session->device_bytes = session->device_elapsed_s = 0;
	progress_begin(&session->progress, run + 1, session->plan.run_count, title,
		timed ? run_expected_ns(&session->plan) : 0, passes_expected_ns(&session->plan, run + 1));
}

/* A run in which its stage did not last is none. */
static void check_stage(struct session *session, size_t run, struct load_outcome *outcome)
{
	char *reason = outcome->valid ? experiment_check(session, run) : NULL;

	if (reason) {
		outcome->valid = outcome->has_figures = false;
		free(outcome->reason);
		outcome->reason = reason;
	}
}

/* One run with all that belongs to it. False where no further one is possible. */
static bool carry_out(struct session *session, size_t run, struct failure *failure)
{
	struct load_outcome outcome = {0};
	char *title = plan_run_title(&session->plan, run);

	begin(session, run, title);
	bool kept = experiment_hold(session, run, &outcome.reason, failure) &&
				(outcome.reason || load(session, run, title, &outcome, failure));
	session->series = NULL;
	free(title);
	if (signals_received()) {
		load_outcome_release(&outcome); /* of a run that was ended early nothing is true */
		failure_clear(failure);
		return false;
	}
	if (!kept) {
		outcome.reason = xstrdup(failure->sentence);
	}
	check_stage(session, run, &outcome);
	note_outcome(session, run, &outcome);
	if (session->run_finished) {
		session->run_finished(session->context);
	}
	if (outcome.stuck) {
		session->abandoned = true;
		kept = failure_set(failure, STATUS_FAILED, "%s", outcome.reason);
	}
	load_outcome_release(&outcome);
	return kept;
}

static void say_pause(struct session *session, size_t run, uint64_t left_ns)
{
	char *left = units_format_duration((left_ns + NS_PER_S - 1) / NS_PER_S);
	char *line = xasprintf("[%zu/%zu] pause, %s left", run + 1, session->plan.run_count, left);

	progress_say(&session->progress, line);
	free(line);
	free(left);
}

/* Wait before a run. False where that was the end: a signal, or a keeper that died. */
static bool rest(struct session *session, size_t run, struct failure *failure)
{
	uint64_t until_ns = clock_now_ns() + session->plan.interval_s * NS_PER_S;

	for (uint64_t now_ns = clock_now_ns(); now_ns < until_ns; now_ns = clock_now_ns()) {
		uint64_t left_ms = (until_ns - now_ns + NS_PER_MS - 1) / NS_PER_MS;
		struct keeper_message message = {0};

		say_pause(session, run, until_ns - now_ns);
		enum link_event event =
			keeper_link_wait(&session->link, &message, left_ms < REDRAW_MS ? left_ms : (uint64_t)REDRAW_MS);
		bool is_closed = event == LINK_MESSAGE && message.type == KEEPER_CLOSED; /* told to end by somebody else */
		text_release(&message.payload);
		if (event == LINK_GONE || event == LINK_SIGNAL || is_closed) {
			return converse_fail(session, REPLY_GONE, failure);
		}
	}
	return true;
}

bool session_run(struct session *session, struct failure *failure)
{
	bool going_on = true;

	for (size_t run = 0; going_on && run < session->plan.run_count; run++) {
		going_on = (run == 0 || rest(session, run, failure)) && carry_out(session, run, failure);
	}
	experiment_end(session); /* now, and not after somebody has read the results */
	progress_clear(&session->progress);
	return going_on;
}
