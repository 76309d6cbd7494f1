#include "trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "converse.h"
#include "layout.h"
#include "load.h"
#include "probe/host.h"
#include "support/memory.h"
#include "support/signals.h"

/* What is tried, and what came of the last try. */
struct trial {
	struct session *session;
	char *reason; /* of the last failure */
	int error;
	bool not_started;
	bool hopeless; /* no other engine would do better */
};

static void trial_release(struct trial *trial)
{
	free(trial->reason);
}

/* One tiny job. False where the keeper is lost; `*works` tells how it went. */
static bool try_once(struct trial *trial, enum engine engine, bool direct, bool *works, struct failure *failure)
{
	struct session *session = trial->session;
	struct fio_job job = fio_job_trial(engine, direct, session->plan.profile->synchronous);
	char *title = xasprintf("trial of %s%s", engine_name(engine), direct ? " with O_DIRECT" : ", buffered");
	struct load_outcome outcome;
	bool kept = load_fio(session, &job, title, &outcome, failure);

	if (kept) {
		*works = outcome.valid;
		free(trial->reason);
		trial->reason = xstrdup(outcome.reason);
		trial->error = outcome.error;
		session->trial_error = outcome.valid ? 0 : outcome.error;
		trial->not_started = outcome.not_started;
		trial->hopeless = outcome.not_started || outcome.timed_out || outcome.stuck;
		load_outcome_release(&outcome);
	}
	free(title);
	return kept && !signals_received();
}

/* O_DIRECT was accepted: see whether it is honoured, too. */
static bool try_direct(struct session *session, struct failure *failure)
{
	struct direct_truth truth = {0};
	struct keeper_message answer = {0};
	enum reply reply = converse(session, KEEPER_TRY_DIRECT, NULL, 0, &answer);

	if (reply != REPLY_MESSAGE) {
		return converse_fail(session, reply, failure);
	}
	if (answer.type == KEEPER_DIRECT && keeper_payload(&answer, &truth, sizeof(truth))) {
		report_judge_direct(&session->report, &truth);
	}
	text_release(&answer.payload);
	return !signals_received();
}

/* Whether the failure says that this file system knows no O_DIRECT, so that other engines need not be asked. */
static bool refuses_direct(const struct trial *trial)
{
	return trial->error == EINVAL && trial->reason &&
		   (strstr(trial->reason, "(open") || strstr(trial->reason, "O_DIRECT") || strstr(trial->reason, "direct="));
}

/* Try the engines in their order with one kind of access. Sets `*found`; false where the keeper is lost. */
static bool try_engines(
	struct trial *trial, enum engine first, enum engine last, bool direct, bool *found, struct failure *failure)
{
	for (int engine = (int)first; engine <= (int)last; engine++) {
		bool works = false;

		if (!try_once(trial, (enum engine)engine, direct, &works, failure)) {
			return false;
		}
		if (works) {
			trial->session->report.engine = (enum engine)engine;
			*found = true;
			return true;
		}
		if (trial->hopeless || (direct && refuses_direct(trial))) {
			return true;
		}
	}
	return true;
}

static bool fail_direct(const struct trial *trial, struct failure *failure)
{
	return failure_set(failure, STATUS_TARGET,
		"O_DIRECT does not work on '%s' (%s); leave --direct out to measure buffered", trial->session->target->shown,
		trial->reason ? trial->reason : "no reason given");
}

/* Nothing worked. */
static bool fail(const struct trial *trial, struct failure *failure)
{
	const struct session *session = trial->session;
	const char *reason = trial->reason ? trial->reason : "no reason given";

	if (trial->not_started) {
		return failure_set(
			failure, STATUS_FIO, "%s; install fio with '%s', or use --dd", reason, host_install_command());
	}
	if (session->settings->engine) {
		return failure_set(failure, STATUS_FIO,
			"the engine '%s' does not work on '%s': %s; leave --engine out to have one chosen",
			session->settings->engine, session->target->shown, reason);
	}
	return failure_set(failure, trial->error ? STATUS_TARGET : STATUS_FIO,
		"fio cannot read and write on '%s': %s; --verbose shows all that fio says", session->target->shown, reason);
}

/* With an engine and a kind of access that the user may have forced. */
static bool choose(struct trial *trial, enum engine first, enum engine last, struct failure *failure)
{
	struct session *session = trial->session;
	enum settings_direct wanted = session->settings->direct;
	bool found = false;

	if (wanted != SETTINGS_DIRECT_OFF) {
		if (!try_engines(trial, first, last, true, &found, failure)) {
			return false;
		}
		if (found) {
			session->report.direct = DIRECT_ENABLED;
			return true;
		}
		if (trial->hopeless) {
			return fail(trial, failure);
		}
	}
	char *direct_reason = xstrdup(trial->error ? strerror(trial->error) : trial->reason);
	bool kept = try_engines(trial, first, last, false, &found, failure);
	if (kept && found && wanted == SETTINGS_DIRECT_ON) {
		free(trial->reason);
		trial->reason = direct_reason;
		return fail_direct(trial, failure);
	}
	if (kept && found) {
		session->report.direct = wanted == SETTINGS_DIRECT_OFF ? DIRECT_NOT_WANTED : DIRECT_REFUSED;
		session->report.direct_reason = wanted == SETTINGS_DIRECT_OFF ? NULL : xstrdup(direct_reason);
	}
	free(direct_reason);
	return kept && (found || fail(trial, failure));
}

/* Synchronous writes need no choice: one engine, and O_DIRECT only by force. */
static bool choose_for_commits(struct trial *trial, struct failure *failure)
{
	struct session *session = trial->session;
	bool direct = session->settings->direct == SETTINGS_DIRECT_ON, works = false;

	session->report.engine = ENGINE_PSYNC;
	session->report.direct = direct ? DIRECT_ENABLED : DIRECT_NOT_FOR_SLOG;
	if (!try_once(trial, ENGINE_PSYNC, direct, &works, failure)) {
		return false;
	}
	if (!works && direct && trial->error == EINVAL) {
		return fail_direct(trial, failure);
	}
	return works || fail(trial, failure);
}

/* dd has one engine; only whether it can read past the page cache is open. */
static bool try_dd(struct session *session, struct failure *failure)
{
	struct dd_job write_job = {.mode = DD_WRITE_FSYNC, .size_bytes = DD_BLOCK_BYTES};
	struct dd_job read_job = {.mode = DD_READ_UNCACHED, .direct = 1, .size_bytes = DD_BLOCK_BYTES};
	struct load_outcome outcome;

	if (!load_dd(session, &write_job, "trial of dd", &outcome, failure) || signals_received()) {
		return false;
	}
	if (!outcome.valid) {
		failure_set(failure, STATUS_TARGET, "cannot write on '%s': %s", session->target->shown, outcome.reason);
		load_outcome_release(&outcome);
		return false;
	}
	if (!load_dd(session, &read_job, "trial of dd with O_DIRECT", &outcome, failure) || signals_received()) {
		return false;
	}
	session->report.direct = outcome.valid ? DIRECT_ENABLED : DIRECT_REFUSED;
	load_outcome_release(&outcome);
	return session->report.direct != DIRECT_ENABLED || try_direct(session, failure);
}

bool trial_run(struct session *session, struct failure *failure)
{
	struct trial trial = {.session = session};
	enum engine first = ENGINE_IO_URING, last = ENGINE_SYNC;
	bool chosen = false;

	progress_say(&session->progress, "finding out what works here...");
	if (session->plan.profile->tool == LOAD_DD) {
		return try_dd(session, failure);
	}
	if (session->settings->engine && engine_find(session->settings->engine, &first)) {
		last = first;
	}
	if (layout_file(session, FIO_TRIAL_SIZE_BYTES, failure)) {
		chosen = session->plan.profile->synchronous ? choose_for_commits(&trial, failure)
													: choose(&trial, first, last, failure);
	}
	if (chosen && session->report.direct == DIRECT_ENABLED) {
		chosen = try_direct(session, failure);
	}
	trial_release(&trial);
	if (!chosen && signals_received()) {
		failure_clear(failure);
	}
	return chosen;
}
