/*
 * speedtest-hd: how fast the storage under a path really is.
 *
 * The folders, in the order in which data goes through them:
 *
 *   settings/   argv and environment → what the user wants; THE option table
 *   probe/      the target, its mount and device, ZFS, the machine; reads only
 *   plan/       THE profile table, and the runs that come of it
 *   telemetry/  what the kernel's counters say of devices, processors, the test file and fio at one instant
 *   keeper/     the process that owns the test folder and loads the disk, as root where that is to be had;
 *               link.c is the way to it, loads.c and run.c start, watch and end what loads the disk
 *   fio/, dd/   a run → a command line; the program's output → numbers
 *   measure/    carries the plan out: trials, layout, runs, progress
 *   report/     what was measured, as it happens; evidence.h and finding.h: each number is held against what the device
 *               did, and THE tables of checks and findings
 *   record/     the same as it lasts: saved and loaded as JSON, banner, table, comparison, thresholds
 *   doctor/     from the figures of synchronous writes to causes and remedies; THE table of passages
 *   render/     a record → characters; THE renderer table, a file for each format; the output files
 *   publish/    what the user wants done with a record: shown, saved, compared, judged
 *   support/    what knows nothing of disks: text, units, processes, signals, failures
 */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keeper/keeper.h"
#include "measure/confirm.h"
#include "measure/session.h"
#include "probe/host.h"
#include "publish/publish.h"
#include "render/render.h"
#include "settings/help.h"
#include "settings/settings.h"
#include "support/signals.h"
#include "support/standard_streams.h"
#include "support/text.h"

/* Longer lines are hard to read. */
enum { SENTENCE_COLUMNS_MAX = 100 };

/* Say what failed; returns the exit status. */
static int conclude(struct failure *failure)
{
	int status = (int)failure->status;

	if (failure->sentence) {
		fprintf(stderr, "speedtest-hd: %s\n", failure->sentence);
	}
	failure_clear(failure);
	return status;
}

/* --verbose: what else has a hand in the numbers. */
static void show_environment(const struct session *session)
{
	if (session->settings->verbose) {
		render_environment(stderr, &session->report.environment);
	}
}

/* --verbose: what each run was judged by. */
static void show_evidence(const struct session *session)
{
	for (size_t run = 0; session->settings->verbose && run < session->plan.run_count; run++) {
		render_evidence(stderr, &session->report, run);
	}
}

/* On a terminal sentences are broken where words end; in a file each stays one line to search for. */
static struct render_style style_of_stdout(const struct settings *settings)
{
	bool is_terminal = isatty(STDOUT_FILENO) == 1;
	unsigned columns = is_terminal ? terminal_width(STDOUT_FILENO) : 0;

	return (struct render_style){
		.use_color = terminal_use_color(settings->color, is_terminal),
		.columns = columns > SENTENCE_COLUMNS_MAX ? SENTENCE_COLUMNS_MAX : columns,
		.table_columns = columns,
	};
}

/* One measurement and what is to become of it. */
struct job {
	const struct settings *settings;
	struct session session;
	struct publication publication;
	struct render_style style;
	struct text results;    /* for stdout */
	struct text complaints; /* for stderr, behind them */
};

/* A run has finished: what is saved grows by it. Where that fails there is one more chance with the next. */
static void save_so_far(void *context)
{
	struct job *job = context;
	struct failure failure = FAILURE_NONE;

	if (!publication_update(&job->publication, &job->session.report, &failure)) {
		progress_clear(&job->session.progress);
		conclude(&failure);
	}
}

static bool ask(const struct job *job, struct failure *failure)
{
	if (job->settings->yes || confirm_ask(stderr, job->session.target, &job->session.plan)) {
		return true;
	}
	return signals_received() ? false : failure_set(failure, STATUS_FAILED, "not confirmed: nothing was measured");
}

/* Layout and runs. Where it ends early the failure says why, unless a signal was the reason. */
static bool load_disk(struct job *job, struct failure *failure)
{
	job->session.run_finished = save_so_far;
	job->session.context = job;
	return session_layout(&job->session, failure) && session_run(&job->session, failure);
}

/* How it ended, for the record. */
static struct publication_end end_of(bool finished, const struct failure *failure)
{
	struct publication_end end = {.state = RECORD_COMPLETE};

	if (!finished && signals_received()) {
		end.state = RECORD_INTERRUPTED;
	} else if (!finished) {
		end.state = RECORD_FAILED;
		end.failure = failure->sentence;
	}
	return end;
}

/* Of several things that went wrong the first counts. */
static void add_status(int *status, int further)
{
	*status = *status != STATUS_OK ? *status : further;
}

/* Show and save what there is at the end; returns the exit status. */
static int publish(struct job *job, bool finished, const struct failure *failure)
{
	const struct report *report = &job->session.report;
	const struct publication_end end = end_of(finished, failure);
	struct failure late = FAILURE_NONE, unseen = FAILURE_NONE;
	/* The sentences of failed runs stand below the table. */
	int status = report_count(report, OUTCOME_FAILED) > 0 ? STATUS_FAILED : STATUS_OK;

	publication_finish(&job->publication, report, &end, &job->style, &job->results, &job->complaints, &late);
	progress_clear(&job->session.progress);
	standard_output_put(&job->results, &unseen);
	show_evidence(&job->session);
	fputs(text_string(&job->complaints), stderr);
	add_status(&status, conclude(&unseen));
	add_status(&status, conclude(&late));
	return status;
}

/* Banner, question, layout, runs, results. Returns the exit status; whatever failed has been said. */
static int measure(struct job *job)
{
	struct failure failure = FAILURE_NONE;
	int status = STATUS_OK;

	publication_show_banner(&job->publication, &job->session.report, &job->style, &job->results);
	if (!standard_output_put(&job->results, &failure)) {
		return conclude(&failure);
	}
	show_environment(&job->session);
	if (ask(job, &failure) && publication_begin(&job->publication, &job->session.report, &failure)) {
		bool finished = load_disk(job, &failure);

		status = publish(job, finished, &failure);
	}
	if (signals_received()) {
		failure_clear(&failure); /* whatever did not work now did not since it was ended */
	}
	add_status(&status, conclude(&failure));
	return status;
}

/* After the table: how far it got, where a signal ended it. */
static void say_interrupted(const struct session *session)
{
	size_t runs = session->plan.run_count;

	if (runs > 0) {
		fprintf(stderr, "speedtest-hd: interrupted after %zu of %zu runs\n",
			report_count(&session->report, OUTCOME_VALID) + report_count(&session->report, OUTCOME_FAILED), runs);
	}
}

/* Whatever is wrong with the command line beyond its words, before anything is touched. */
static bool prepare(struct job *job, struct failure *failure)
{
	if (!publication_open(&job->publication, job->settings, failure) ||
		!publication_fits(&job->publication, session_profile(job->settings), failure)) {
		return false;
	}
	if (!job->settings->yes && isatty(STDIN_FILENO) != 1) {
		return failure_set(
			failure, STATUS_USAGE, "nobody can be asked, since stdin is no terminal; use --yes to measure without");
	}
	return true;
}

/* Measure `target`; returns the exit status. */
static int measure_target(struct job *job, struct target *target)
{
	struct failure failure = FAILURE_NONE, close_failure = FAILURE_NONE;
	int status = STATUS_OK;

	signals_catch();
	if (session_open(&job->session, job->settings, target, &failure)) {
		status = measure(job);
	}
	progress_clear(&job->session.progress);
	if (signals_received()) {
		failure_clear(&failure);
		say_interrupted(&job->session);
	}
	add_status(&status, conclude(&failure));
	session_close(&job->session, &close_failure);
	add_status(&status, conclude(&close_failure));
	return status;
}

static void job_release(struct job *job)
{
	publication_release(&job->publication);
	text_release(&job->results);
	text_release(&job->complaints);
}

static int run(const struct settings *settings)
{
	struct job job = {.settings = settings, .style = style_of_stdout(settings)};
	struct failure failure = FAILURE_NONE;
	struct target target;
	int status;

	if (prepare(&job, &failure) && target_open(&target, "", settings->path, &failure)) {
		status = measure_target(&job, &target);
		target_release(&target);
	} else {
		status = conclude(&failure);
	}
	job_release(&job);
	if (signals_received()) {
		signals_die_by(signals_received());
	}
	return status;
}

/* --load: a saved measurement, as if it had just been made. */
static int show_saved(const struct settings *settings)
{
	struct job job = {.settings = settings, .style = style_of_stdout(settings)};
	struct failure failure = FAILURE_NONE;
	int status = STATUS_OK;

	if (publication_open(&job.publication, settings, &failure)) {
		struct failure unseen = FAILURE_NONE;

		publication_show_saved(&job.publication, &job.style, &job.results, &job.complaints, &failure);
		standard_output_put(&job.results, &unseen);
		fputs(text_string(&job.complaints), stderr);
		add_status(&status, conclude(&unseen));
	}
	add_status(&status, conclude(&failure));
	job_release(&job);
	return status;
}

static bool is_pipe(int descriptor)
{
	struct stat status;

	return fstat(descriptor, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

/* The far side of sudo. */
static int keep(void)
{
	struct failure failure = FAILURE_NONE;
	struct keeper_setup setup = {.in = STDIN_FILENO, .out = STDOUT_FILENO};

	if (!is_pipe(STDIN_FILENO) || !is_pipe(STDOUT_FILENO)) {
		failure_set(&failure, STATUS_USAGE, "--keeper is for the program's own use; name a directory to measure");
		return conclude(&failure);
	}
	if (geteuid() == 0) {
		/* Not the PATH of whoever asked sudo, where no secure_path replaces it. */
		setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin", 1);
	}
	keeper_ignore_terminal();
	signals_catch();
	char *fio = host_find_program("fio");
	setup.fio = fio;
	int status = keeper_serve(&setup);
	free(fio);
	return status;
}

static int complain_of_usage(struct failure *failure)
{
	bool said_nothing = failure->sentence && failure->sentence[0] == '\0';

	if (said_nothing) {
		help_print_short(stderr);
		failure_clear(failure);
		return STATUS_USAGE;
	}
	int status = conclude(failure);
	fputs("Try 'speedtest-hd --help'.\n", stderr);
	return status;
}

static int act(const struct settings *settings)
{
	struct failure failure = FAILURE_NONE;

	switch (settings->action) {
	case SETTINGS_MEASURE:
		return settings->load ? show_saved(settings) : run(settings);
	case SETTINGS_KEEPER:
		return keep();
	case SETTINGS_HELP:
		help_print(stdout);
		break;
	case SETTINGS_VERSION:
		help_print_version(stdout);
		break;
	case SETTINGS_MANUAL:
		help_print_manual(stdout);
		break;
	case SETTINGS_COMPLETION:
		help_print_completion(stdout, settings->completion_shell);
		break;
	}
	standard_output_flush(&failure);
	return conclude(&failure);
}

int main(int argc, char **argv)
{
	struct settings settings;
	struct failure failure = FAILURE_NONE;

	standard_streams_open();
	signal(SIGPIPE, SIG_IGN); /* a reader that left shows as EPIPE */
	signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes as EFBIG */
	setlocale(LC_CTYPE, "");  /* nothing else of the locale: numbers keep their decimal point */
	int status = settings_parse(&settings, argc, argv, &failure) ? act(&settings) : complain_of_usage(&failure);

	settings_release(&settings);
	return status;
}
