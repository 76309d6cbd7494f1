#include "measure/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "circumstances.h"
#include "converse.h"
#include "experiment.h"
#include "layout.h"
#include "passes.h"
#include "probe/host.h"
#include "support/clock.h"
#include "support/memory.h"
#include "support/signals.h"
#include "support/text.h"
#include "support/units.h"
#include "trial.h"

enum { CLOSE_PATIENCE_MS = 5000 };

const struct profile *session_profile(const struct settings *settings)
{
	switch (settings->profile) {
	case SETTINGS_PROFILE_SLOG:
		return &profile_slog;
	case SETTINGS_PROFILE_DD:
		return &profile_dd;
	case SETTINGS_PROFILE_FIO:
		return &profile_cdm;
	default:
		break;
	}
	char *fio = host_find_program("fio");
	const struct profile *profile = fio ? &profile_cdm : &profile_dd;

	free(fio);
	return profile;
}

/* The profile that was asked for, and fio where that needs it. */
static bool choose_profile(
	struct session *session, const struct profile **profile, bool *fio_absent, struct failure *failure)
{
	enum settings_profile wanted = session->settings->profile;
	bool needs_fio = wanted == SETTINGS_PROFILE_FIO || wanted == SETTINGS_PROFILE_SLOG;
	char *path = wanted == SETTINGS_PROFILE_DD ? NULL : host_find_program("fio");
	bool good = true;

	*fio_absent = false;
	*profile = session_profile(session->settings);
	if (path) {
		good = fio_program_open(&session->fio, path, failure);
	} else if (needs_fio) {
		good = failure_set(
			failure, STATUS_FIO, "fio is not installed; install it with '%s', or use --dd", host_install_command());
	} else if (wanted == SETTINGS_PROFILE_AUTO) {
		*fio_absent = true;
		if (session->settings->engine || session->settings->direct != SETTINGS_DIRECT_AUTO) {
			good = failure_set(failure, STATUS_FIO,
				"fio is not installed, and dd knows no --engine, --direct or --buffered; install it with '%s'",
				host_install_command());
		}
	}
	free(path);
	return good;
}

static bool open_access(struct session *session, bool may_ask, bool no_sudo, struct failure *failure)
{
	const struct access_request request = {
		.directory = session->target->descriptor,
		.device = session->target->device,
		.inode = session->target->inode,
		.shown_path = session->target->shown,
		.fio = session->fio.path,
		.writable = session->target->writable,
		.needs_root = session->plan.profile->tool == LOAD_FIO,
		.no_sudo = no_sudo,
		.may_ask = may_ask,
	};

	return access_open(&session->access, &session->link, &request, failure);
}

/* Where only fio is root, that root may not be let in (NFS with root_squash): then it has to do without. */
static bool try_without_root(struct session *session, struct failure *failure)
{
	bool shut_out = session->access.kind == ACCESS_SUDO_FIO && !signals_received() &&
					(session->trial_error == EACCES || session->trial_error == EPERM);

	if (!shut_out) {
		return false;
	}
	keeper_link_close(&session->link, CLOSE_PATIENCE_MS);
	access_release(&session->access);
	failure_clear(failure);
	if (!open_access(session, false, true, failure) || !circumstances_watch(session, failure) ||
		!trial_run(session, failure)) {
		return false;
	}
	session->access.note = xstrdup("fio runs as you, not as root, whom the target does not let in");
	return true;
}

/* What there is to do. After choose_profile. */
static void make_plan(struct session *session, const struct profile *profile)
{
	const struct settings *settings = session->settings;
	const struct plan_choice choice = {
		.size_bytes = settings->size_bytes,
		.runtime_s = settings->runtime_s,
		.runs = settings->runs,
		.warmup = settings->warmup,
		.ramp_s = settings->ramp_s,
		.interval_s = settings->interval_s,
		.detail = settings->slog_detail,
		.without_dsync = !fio_program_knows_dsync(&session->fio),
	};

	plan_init(&session->plan, profile, &choice);
	report_init(&session->report, session->target, &session->plan);
	if (choice.detail && choice.without_dsync) {
		report_add_note(&session->report, "fio %s cannot open with O_DSYNC (3.24 and newer can): that row is left out",
			session->fio.version);
	}
}

bool session_open(
	struct session *session, const struct settings *settings, struct target *target, struct failure *failure)
{
	const struct profile *profile = NULL;
	bool fio_absent = false;
	bool is_terminal = isatty(STDERR_FILENO) == 1;
	const char *term = getenv("TERM");

	*session = (struct session){.settings = settings, .target = target, .link = KEEPER_LINK_NONE};
	progress_init(&session->progress, stderr, is_terminal && term && strcmp(term, "dumb") != 0);
	if (!choose_profile(session, &profile, &fio_absent, failure)) {
		return false;
	}
	make_plan(session, profile);
	bool may_ask = !settings->yes && isatty(STDIN_FILENO) == 1;
	if (!open_access(session, may_ask, settings->no_sudo, failure)) {
		return false;
	}
	/* Only now: what a killed run had left is gone. */
	target_measure_space(target);
	circumstances_find(session);
	if (!target_check_space(target, settings->size_bytes, failure) || !circumstances_watch(session, failure) ||
		(!trial_run(session, failure) && !try_without_root(session, failure)) ||
		(settings->diagnose && !experiment_plan(session, failure))) {
		return false;
	}
	circumstances_describe(session, fio_absent);
	progress_clear(&session->progress);
	return !signals_received();
}

bool session_layout(struct session *session, struct failure *failure)
{
	uint64_t bytes = plan_layout_bytes(&session->plan);
	uint64_t began_ns = clock_now_ns();

	if (bytes == 0) {
		return true;
	}
	progress_begin(&session->progress, 0, session->plan.run_count, "writing the test file", 0,
		passes_expected_ns(&session->plan, 0));
	if (!layout_file(session, bytes, failure)) {
		progress_clear(&session->progress);
		return false;
	}
	session->layout_bandwidth_bytes_per_s = (double)bytes * (double)NS_PER_S / (double)(clock_now_ns() - began_ns + 1);
	char *rate = units_format_rate(session->layout_bandwidth_bytes_per_s);
	progress_end(&session->progress, rate);
	free(rate);
	return true;
}

/* A keeper that was killed has left its folder; the next one takes it for what it is and removes it. */
static bool remove_after_dead_keeper(struct session *session)
{
	struct failure ignored = FAILURE_NONE;
	bool opened;

	keeper_link_close(&session->link, CLOSE_PATIENCE_MS);
	access_release(&session->access);
	opened = open_access(session, false, session->settings->no_sudo, &ignored);
	failure_clear(&ignored);
	return opened;
}

/* Have the keeper remove everything. */
static bool close_keeper(struct session *session, struct failure *failure)
{
	struct keeper_message answer = {0};
	enum reply reply = converse(session, KEEPER_CLOSE, NULL, 0, &answer);
	bool removed = false;

	if (reply == REPLY_GONE && remove_after_dead_keeper(session)) {
		reply = converse(session, KEEPER_CLOSE, NULL, 0, &answer);
	}
	if (reply == REPLY_ABANDONED) {
		session->abandoned = true;
	} else if (reply == REPLY_GONE) {
		failure_set(failure, STATUS_FAILED,
			"a folder 'speedtest-hd.*' may be left on '%s'; the next run there removes it", session->target->shown);
	} else {
		removed = answer.type == KEEPER_CLOSED;
		if (!removed) {
			enum status status;
			int error = 0;
			const char *sentence = converse_refusal(&answer, &error, &status);

			if (error != 0) {
				failure_set(
					failure, STATUS_FAILED, "%s (on '%s'); remove it by hand", sentence, session->target->shown);
			} else {
				failure_set(failure, STATUS_FAILED, "%s", sentence); /* something else stays as it is, and how */
			}
		}
		text_release(&answer.payload);
	}
	return removed;
}

bool session_close(struct session *session, struct failure *failure)
{
	bool removed = true;

	progress_clear(&session->progress);
	session->link.signals_seen = signals_count(); /* what ended the measurement is not meant for the cleaning up */
	if (session->link.pid > 0 && !session->abandoned) {
		removed = close_keeper(session, failure);
	}
	if (session->abandoned) {
		removed = failure_set(failure, STATUS_FAILED,
			"the folder 'speedtest-hd.*' on '%s' is removed in the background as soon as the storage answers",
			session->target->shown);
	}
	keeper_link_close(&session->link, session->abandoned ? 0 : CLOSE_PATIENCE_MS);
	progress_release(&session->progress);
	access_release(&session->access);
	report_release(&session->report);
	plan_release(&session->plan);
	fio_program_release(&session->fio);
	return removed;
}
