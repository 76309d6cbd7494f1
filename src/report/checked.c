/* What the figures without a mark can be relied on for. */
#include <math.h>
#include <stdlib.h>

#include "checks.h"
#include "scale.h"
#include "support/memory.h"

/* Beyond this share the bytes are told as "at least": a file system's own writes make the rest. */
#define SHARE_TOLD_MAX 1.5

/* All unmarked runs together. */
struct tally {
	size_t runs;
	size_t cached_rows;              /* dd's row that comes from RAM as it should */
	const struct workload *unsynced; /* the row among synchronous ones that waits for nothing; NULL without it */
	bool has_read, has_write;
	struct range moved;
	bool depth_asked;
	const char *depth_not_told;
	bool direct_asked, direct_known;
	/* Others' traffic: of reads beside read runs, beside write runs, and of writes. */
	bool reads_known, reads_while_writing_known, writes_known;
	bool newcomers_known; /* others who began to write during a write run */
	bool processors_known;
};

static void add_queue(struct tally *tally, const struct run_view *view)
{
	const char *not_told = depth_not_told(view);

	tally->depth_asked = true;
	tally->depth_not_told = not_told ? not_told : tally->depth_not_told;
}

/* Where the devices wrote little more than they had to, nobody else did. Those beneath a loop are known exactly. */
static bool newcomers_would_show(const struct run_view *view)
{
	const struct storage *storage = &view->report->storage;

	return view->transfer == TRANSFER_READ || storage->is_shared ||
		   view->audit.written_copies < (1 + FOREIGN_SHARE_MIN) * scale_copies(storage);
}

static void add_traffic(struct tally *tally, const struct run_view *view)
{
	bool read_known = !isnan(view->audit.foreign_read_bytes_per_s);

	if (view->transfer == TRANSFER_READ) {
		tally->reads_known = tally->reads_known && read_known;
	} else {
		tally->reads_while_writing_known = tally->reads_while_writing_known && read_known;
	}
	tally->writes_known = tally->writes_known && !isnan(view->audit.foreign_write_bytes_per_s);
	tally->newcomers_known = tally->newcomers_known && newcomers_would_show(view);
}

static void add_run(struct tally *tally, const struct run_view *view)
{
	const struct evidence *evidence = &view->measurement->evidence;
	bool is_read = view->transfer == TRANSFER_READ;
	double moved = audit_moved(&view->audit, view->transfer);

	if (run_is_cached_row(view) && !is_read) {
		tally->unsynced = view->workload;
		return;
	}
	tally->runs++;
	if (run_is_cached_row(view)) {
		tally->cached_rows++;
		return;
	}
	tally->has_read = tally->has_read || is_read;
	tally->has_write = tally->has_write || !is_read;
	tally->moved.low = fmin(tally->moved.low, moved);
	tally->moved.high = fmax(tally->moved.high, moved);
	if (depth_is_asked(view)) {
		add_queue(tally, view);
	}
	if (evidence->direct) {
		tally->direct_asked = true;
		tally->direct_known = tally->direct_known && run_honour(view) == HONOUR_YES;
	}
	add_traffic(tally, view);
	tally->processors_known =
		tally->processors_known && !isnan(view->audit.processors_busy) && !isnan(evidence->busiest_job_cpu);
}

/* A figure of the table: one row in one direction. What one of its runs has, the figure has. */
struct figure_state {
	bool is_marked;
	bool has_valid, has_failed;
};

static struct figure_state *state_of(struct figure_state *states, const struct plan *plan, size_t run)
{
	return &states[plan->runs[run].workload * TRANSFER_COUNT + (size_t)plan->runs[run].transfer];
}

/* One for each row and direction of the profile. The caller frees it. */
static struct figure_state *find_states(const struct findings *findings, const struct report *report)
{
	const struct plan *plan = report->plan;
	struct figure_state *states = xcalloc(plan->profile->workload_count * TRANSFER_COUNT, sizeof(*states));

	for (size_t run = 0; run < plan->run_count; run++) {
		struct figure_state *state = state_of(states, plan, run);

		if (plan->runs[run].pass > 0) {
			state->has_valid = state->has_valid || report->measurements[run].outcome == OUTCOME_VALID;
			state->has_failed = state->has_failed || report->measurements[run].outcome == OUTCOME_FAILED;
		}
	}
	for (size_t i = 0; i < findings->count; i++) {
		size_t run = findings->list[i].run;

		if (report->measurements[run].outcome == OUTCOME_VALID && *finding_mark(findings->list[i].kind)) {
			state_of(states, plan, run)->is_marked = true;
		}
	}
	return states;
}

/* Sets `marked` where a figure has a mark, or is none since its runs failed. */
static void count(struct tally *tally, const struct findings *findings, const struct report *report, bool *marked)
{
	struct figure_state *states = find_states(findings, report);

	*tally = (struct tally){.moved = {(double)NAN, (double)NAN},
		.direct_known = true,
		.reads_known = true,
		.reads_while_writing_known = true,
		.writes_known = true,
		.newcomers_known = true,
		.processors_known = true};
	for (size_t run = 0; run < report->plan->run_count; run++) {
		const struct figure_state *state = state_of(states, report->plan, run);
		struct run_view view;

		*marked = *marked || state->is_marked || (state->has_failed && !state->has_valid);
		if (!state->is_marked && run_view_init(&view, report, run)) {
			add_run(tally, &view);
		}
	}
	free(states);
}

static void add_bytes(struct text *text, const struct tally *tally, const struct storage *storage)
{
	struct range told = tally->moved;

	if (told.high > SHARE_TOLD_MAX) {
		text_add(text, "at least ");
		told.low = told.high = fmin(told.low, 1);
	}
	words_share(text, told);
	text_addf(text, " of the bytes %s ",
		tally->has_read && tally->has_write ? "went to or came from"
		: tally->has_read                   ? "came from"
											: "went to");
	words_devices(text, storage, STORAGE_LEAF);
}

/* Add one more to a list. */
static void add_item(struct text *list, const char *item)
{
	text_addf(list, "%s%s", list->length > 0 ? ", " : "", item);
}

static void add_limits(struct text *good, struct text *open, const struct tally *tally, bool link_known)
{
	if (tally->processors_known) {
		add_item(good, link_known ? "CPU and link not the limit" : "CPU not the limit");
	} else if (link_known) {
		add_item(good, "link not the limit");
	}
	if (!tally->processors_known) {
		add_item(open, "CPU");
	}
}

/* Whether others used the disks: all of it, or reads alone where writes cannot be told from the storage's own. */
static void add_others(struct text *good, struct text *open, const struct tally *tally, const struct report *report)
{
	bool all_reads = tally->reads_known && tally->reads_while_writing_known;

	if (all_reads && tally->writes_known) {
		add_item(good, "little or no other traffic");
		if (!tally->newcomers_known) {
			add_item(open, "others who began to write meanwhile");
		}
	} else if (tally->reads_known && tally->writes_known) {
		add_item(good, tally->has_read ? "little or no other traffic" : "little or no other writes");
		add_item(open, "others' reads while writing");
	} else if (!scale_writes_late(report) || !tally->reads_known || (!all_reads && !tally->has_read)) {
		add_item(open, "other traffic");
	} else {
		add_item(good, all_reads ? "little or no other reads" : "little or no other reads while reading");
		add_item(open, all_reads ? "others' writes (this storage writes on after a run)"
								 : "other traffic while writing, others' writes while reading (this storage writes on "
								   "after a run)");
	}
}

static bool is_half_honoured(const struct report *report)
{
	return report->direct_verdict.honours[TRANSFER_READ] != report->direct_verdict.honours[TRANSFER_WRITE];
}

/* Sort what could be checked from what could not. */
static void add_checks(struct text *good, struct text *open, const struct tally *tally, const struct report *report)
{
	if (tally->depth_asked && !tally->depth_not_told) {
		add_item(good, "queue depth reached");
	} else if (tally->depth_asked) {
		add_item(open, "queue depth (");
		text_addf(open, "%s)", tally->depth_not_told);
	}
	if (tally->direct_asked) {
		add_item(tally->direct_known ? good : open, !tally->direct_known       ? "whether O_DIRECT is honoured"
													: is_half_honoured(report) ? "O_DIRECT honoured by these"
																			   : "O_DIRECT honoured");
	}
	add_others(good, open, tally, report);
	if (report->plan->profile->shape == TABLE_LATENCY) {
		add_item(open, "the latencies (fio's word)");
	}
	add_limits(good, open, tally, storage_link_bytes_per_s(&report->storage) > 0);
}

char *findings_checked(const struct findings *findings, const struct report *report)
{
	struct text text = TEXT_EMPTY, good = TEXT_EMPTY, open = TEXT_EMPTY;
	struct tally tally;
	bool marked = false;

	count(&tally, findings, report, &marked);
	if (tally.runs == 0) {
		return NULL;
	}
	text_add(&text, marked ? "Unmarked figures: " : "Checked: ");
	if (tally.runs > tally.cached_rows) {
		add_bytes(&text, &tally, &report->storage);
		add_checks(&good, &open, &tally, report);
	}
	if (tally.cached_rows > 0) {
		text_addf(&text, "%sthe cached read came from RAM", tally.runs > tally.cached_rows ? ", " : "");
	}
	if (tally.unsynced) {
		add_item(&open, tally.unsynced->name);
		text_add(&open, " (RAM takes such writes)");
	}
	text_addf(&text, "%s%s.", good.length > 0 ? "; " : "", text_string(&good));
	if (open.length > 0) {
		text_addf(&text, " Not checked: %s.", text_string(&open));
	}
	text_release(&good);
	text_release(&open);
	return text_detach(&text);
}
