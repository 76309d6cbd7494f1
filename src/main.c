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
 *   report/     what was measured, as banner and table without a format; evidence.h and finding.h: each number is
 *               held against what the device did, and THE tables of checks and findings
 *   render/     banner and table → characters
 *   support/    what knows nothing of disks: text, units, processes, signals, failures
 */
#include <errno.h>
#include <fcntl.h>
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
#include "render/render.h"
#include "report/banner.h"
#include "report/table.h"
#include "settings/help.h"
#include "settings/settings.h"
#include "support/signals.h"

/* Longer lines are hard to read. */
enum { SENTENCE_COLUMNS_MAX = 100 };

/* A closed 0, 1 or 2 would be taken by the next file that is opened. */
static void open_standard_streams(void)
{
	int descriptor;

	do {
		descriptor = open("/dev/null", O_RDWR);
	} while (descriptor >= 0 && descriptor <= STDERR_FILENO);
	if (descriptor > STDERR_FILENO) {
		close(descriptor);
	}
}

/* Whoever does not want to read any more (EPIPE) is right; a full disk is a failure. */
static bool flush_stdout(struct failure *failure)
{
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout)) {
		int error = errno ? errno : EIO; /* an earlier write failed, and nobody kept the reason */

		clearerr(stdout);
		if (error != EPIPE) {
			return failure_set(failure, STATUS_FAILED, "cannot write the results to stdout: %s", strerror(error));
		}
	}
	return true;
}

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

static void show_banner(const struct session *session, const struct render_style *style)
{
	struct banner banner;

	banner_init(&banner, &session->report);
	render_banner(stdout, &banner, &session->report, style);
	banner_release(&banner);
}

static void show_table(const struct session *session, const struct render_style *style)
{
	struct table table;

	table_init(&table, &session->report);
	if (table.row_count > 0) {
		render_table(stdout, &table, style);
	}
	table_release(&table);
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
	};
}

/* Banner, question, layout, runs, table. */
static bool measure(struct session *session, const struct settings *settings, struct failure *failure)
{
	struct render_style style = style_of_stdout(settings);
	bool finished = false;

	show_banner(session, &style);
	if (!flush_stdout(failure)) {
		return false;
	}
	show_environment(session);
	if (!settings->yes && !confirm_ask(stderr, session->target, &session->plan)) {
		return signals_received() ? false : failure_set(failure, STATUS_FAILED, "not confirmed: nothing was measured");
	}
	if (session_layout(session, failure)) {
		finished = session_run(session, failure);
	}
	show_table(session, &style);
	show_evidence(session);
	if (finished && report_count(&session->report, OUTCOME_FAILED) > 0) {
		failure->status = STATUS_FAILED; /* the sentences stand below the table */
		finished = false;
	}
	return flush_stdout(failure) && finished;
}

/* After the table: how far it got, where a signal ended it. */
static void say_interrupted(const struct session *session)
{
	size_t runs = session->plan.run_count;

	if (runs > 0) {
		fprintf(stderr, "speedtest-hd: interrupted after %zu of %zu runs\n",
			report_count(&session->report, OUTCOME_VALID), runs);
	}
}

static int run(const struct settings *settings)
{
	struct failure failure = FAILURE_NONE, close_failure = FAILURE_NONE;
	struct target target;
	struct session session;

	if (!settings->yes && isatty(STDIN_FILENO) != 1) {
		failure_set(
			&failure, STATUS_USAGE, "nobody can be asked, since stdin is no terminal; use --yes to measure without");
		return conclude(&failure);
	}
	if (!target_open(&target, "", settings->path, &failure)) {
		return conclude(&failure);
	}
	signals_catch();
	if (session_open(&session, settings, &target, &failure)) {
		measure(&session, settings, &failure);
	}
	progress_clear(&session.progress);
	if (signals_received()) {
		failure_clear(&failure); /* whatever did not work now did not since it was ended */
		say_interrupted(&session);
	}
	int status = conclude(&failure);
	if (!session_close(&session, &close_failure)) {
		int close_status = conclude(&close_failure);

		status = status != STATUS_OK ? status : close_status;
	}
	target_release(&target);
	if (signals_received()) {
		signals_die_by(signals_received());
	}
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
		return run(settings);
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
	flush_stdout(&failure);
	return conclude(&failure);
}

int main(int argc, char **argv)
{
	/* Holds all there is to say between two flushes: a write that fails in between would leave no reason behind. */
	static char stdout_buffer[1 << 17];
	struct settings settings;
	struct failure failure = FAILURE_NONE;

	open_standard_streams();
	setvbuf(stdout, stdout_buffer, _IOFBF, sizeof(stdout_buffer));
	signal(SIGPIPE, SIG_IGN); /* a reader that left shows as EPIPE */
	setlocale(LC_CTYPE, "");  /* nothing else of the locale: numbers keep their decimal point */
	if (!settings_parse(&settings, argc, argv, &failure)) {
		return complain_of_usage(&failure);
	}
	return act(&settings);
}
