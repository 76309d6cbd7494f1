/* What it comes from: what the experiment proved, and where it proved nothing, what to suspect next. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "examination.h"
#include "record/figures.h"
#include "support/memory.h"
#include "support/text.h"

/* "p50 went from 328.0 to 160.8 us (-51 %, sure)" */
static void add_numbers(struct text *text, const struct change *change)
{
	char *before = figure_words(change->before->figures.median[QUANTITY_P50], QUANTITY_P50);
	char *after = figure_words(change->after->figures.median[QUANTITY_P50], QUANTITY_P50);
	char *words = stage_change_words(change->after), *bracket = strstr(words, " (");

	/* "-51 % (sure)" becomes "(-51 %, sure)". */
	if (bracket) {
		text_addf(
			text, "p50 went from %s to %s us (%.*s, %s", before, after, (int)(bracket - words), words, bracket + 2);
	} else {
		text_addf(text, "p50 went from %s to %s us (%s)", before, after, words);
	}
	free(before);
	free(after);
	free(words);
}

static const char *change_name(const struct change *change)
{
	switch (change->holds) {
	case POWER_HOLD_IDLE:
		return "With C-states held off";
	case POWER_HOLD_GOVERNOR:
		return "With the governor performance";
	default:
		return "With C-states held off and the governor performance";
	}
}

static void add_idle_cause(struct text *text, const struct examination *examination, const struct change *change)
{
	const struct idle_state *used = examination->single_power.most_used;
	double before_ns = change->before->figures.median[QUANTITY_P50];
	double after_ns = change->after->figures.median[QUANTITY_P50];

	text_addf(text, "Idle states cost about %.0f of %.0f us of each commit: with C-states held off ",
		(before_ns - after_ns) / 1e3, before_ns / 1e3);
	add_numbers(text, change);
	used = used ? used : power_deepest_idle(&examination->report->power);
	if (used) {
		text_addf(text, "; %s takes %.0f us to wake up", used->name, used->exit_latency_us);
	}
}

static void add_governor_cause(struct text *text, const struct examination *examination, const struct change *change)
{
	const struct power *power = &examination->report->power;
	struct power_seen seen;

	examination_watch_power(examination, change->held, &seen);
	if (isnan(seen.frequency_hz)) {
		text_addf(text, "The governor %s keeps the processors slow: ", power->governor ? power->governor : "in use");
	} else {
		text_addf(text, "The governor %s kept the processors at %.2f GHz", power->governor ? power->governor : "in use",
			seen.frequency_hz / 1e9);
		if (power->frequency_max_hz > 0) {
			text_addf(text, ", of %.2f they can do", power->frequency_max_hz / 1e9);
		}
		text_add(text, ": ");
	}
	text_add(text, "with performance ");
	add_numbers(text, change);
}

static void say_cause(
	struct record_passage *passage, const struct examination *examination, const struct change *change)
{
	struct text text = TEXT_EMPTY;

	switch (change->holds) {
	case POWER_HOLD_IDLE:
		add_idle_cause(&text, examination, change);
		break;
	case POWER_HOLD_GOVERNOR:
		add_governor_cause(&text, examination, change);
		break;
	default:
		text_add(&text, "Idle states and governor together are a cause: with both held ");
		add_numbers(&text, change);
		break;
	}
	record_passage_say(passage, "%s.", text_string(&text));
	text_release(&text);
}

/* Whatever differs, the request made no difference. */
static void say_request(struct record_passage *passage, const struct change *change)
{
	char *words = stage_change_words(change->after), *percent = strchr(words, '%');

	record_passage_say(passage,
		"Holding C-states off is no more than a request here: the kernel has none of its own to hold off (no cpuidle "
		"driver), so a difference%s%.*s%s is chance.",
		percent ? " (" : "", percent ? (int)(percent + 1 - words) : 0, words, percent ? ")" : "");
	free(words);
}

/* A change that is no cause: for the worse, too little, none, or nobody can tell. */
static void say_change(struct record_passage *passage, const struct change *change)
{
	struct text text = TEXT_EMPTY;

	text_addf(&text, "%s ", change_name(change));
	add_numbers(&text, change);
	if (change->after->change.verdict == VERDICT_SLOWER) {
		text_add(&text, ": that makes it worse, so leave it as it is");
	} else if (stage_is_sure(change->after) && change->is_no_net_gain) {
		text_add(&text, ": no better than as it is, so that explains nothing");
	} else if (stage_is_sure(change->after)) {
		text_add(&text, ": too little to explain anything");
	} else if (change->is_vague) {
		text_addf(&text, ": by how much the rounds differ, it may be anything from %+.0f to %+.0f %%",
			100 * change->after->change.difference_low, fmin(100 * change->after->change.difference_high, 999));
	}
	record_passage_say(passage, "%s.", text_string(&text));
	text_release(&text);
}

/* Changes that something heeds. */
static size_t count_changes(const struct examination *examination)
{
	size_t count = 0;

	for (size_t i = 0; i < examination->change_count; i++) {
		count += examination->changes[i].is_request ? 0 : 1;
	}
	return count;
}

/* Whether anybody could have seen a difference. */
static bool can_tell(const struct examination *examination)
{
	for (size_t i = 0; i < examination->change_count; i++) {
		const struct change *change = &examination->changes[i];

		if (!change->is_request && change->after->change.verdict == VERDICT_CANNOT_TELL) {
			return false;
		}
	}
	return count_changes(examination) > 0;
}

/* Whether figures of the experiment are not the device's alone. */
static bool is_marked(const struct examination *examination)
{
	bool found = false;

	for (size_t i = 0; i < examination->stages.count; i++) {
		found = found || examination->stages.list[i].figures.mark[0] == '*';
	}
	return found;
}

/* Whether a cause may have gone unseen. */
static bool is_vague(const struct examination *examination)
{
	bool found = false;

	for (size_t i = 0; i < examination->change_count; i++) {
		found = found || examination->changes[i].is_vague;
	}
	return found;
}

/* Why a stage that was planned has no valid run; NULL where it has one, or the test is no stage. */
static const char *why_failed(const struct record_test *test)
{
	const char *reason = "it was not run";
	struct test_figures figures;

	test_figures_make(&figures, test);
	if (test->part != PART_EXPERIMENT || figures.valid_runs > 0) {
		return NULL;
	}
	for (size_t i = 0; i < test->run_count; i++) {
		reason = test->runs[i].reason ? test->runs[i].reason : reason;
	}
	return reason;
}

static bool has_failed_stage(const struct record *record)
{
	for (size_t i = 0; i < record->test_count; i++) {
		if (why_failed(&record->tests[i])) {
			return true;
		}
	}
	return false;
}

/* Stages that follow each other and failed alike are one sentence. */
static void say_failed_stages(struct record_passage *passage, const struct record *record)
{
	for (size_t i = 0; i < record->test_count;) {
		const char *reason = why_failed(&record->tests[i]);
		struct text names = TEXT_EMPTY;
		size_t first = i++;

		if (!reason) {
			continue;
		}
		text_add(&names, record->tests[first].stage);
		for (const char *next; i < record->test_count && (next = why_failed(&record->tests[i])); i++) {
			if (strcmp(next, reason) != 0) {
				break;
			}
			text_addf(&names, "', '%s", record->tests[i].stage);
		}
		record_passage_say(passage, "Nothing is known of the stage%s '%s': %s.", i > first + 1 ? "s" : "",
			text_string(&names), reason);
		text_release(&names);
	}
}

static void say_left_out(struct record_passage *passage, const struct experiment *experiment)
{
	static const char *const what[] = {"C-states were not held off", "The governor was left alone"};

	for (size_t i = 0; i < sizeof(what) / sizeof(what[0]); i++) {
		if (experiment->left_out[i]) {
			record_passage_say(passage, "%s: %s.", what[i], experiment->left_out[i]);
		}
	}
}

static void say_firmware(struct record_passage *passage, const struct examination *examination)
{
	switch (firmware_find(examination)) {
	case FIRMWARE_PROFILE:
		record_passage_say(passage, "Beyond the experiment: the firmware of a PowerEdge may save power by "
									"itself, whatever the kernel asks for (System Profile \"Performance Per Watt "
									"(DAPC)\"); the profile Performance turns that off.");
		break;
	case FIRMWARE_HOLDS_BACK:
		record_passage_say(passage,
			"The firmware seems to hold the processors back: they stay below their base frequency "
			"though the kernel asks for the highest; look for a power or workload profile in the "
			"BIOS.");
		break;
	case FIRMWARE_CLOCKS:
		record_passage_say(passage, "Beyond the experiment: the firmware sets the processors' frequency here; "
									"look for a power or workload profile in the BIOS.");
		break;
	case FIRMWARE_QUIET:
		break;
	}
}

static void say_together(struct record_passage *passage, const struct examination *examination)
{
	const struct stages *stages = &examination->stages;
	const struct test_figures *first = &stages->list[0].figures, *last = &stages->list[stages->count - 1].figures;

	record_passage_say(passage, "Both together: %.0f instead of %.0f commits a second, %.1f times as many.",
		last->median[QUANTITY_IOPS], first->median[QUANTITY_IOPS],
		last->median[QUANTITY_IOPS] / first->median[QUANTITY_IOPS]);
}

/*
 * Whether all was tried that there is: what is off already need not be held off, and in a virtual machine what its
 * kernel does not have.
 */
static bool is_tried(const struct examination *examination)
{
	const struct report *report = examination->report;
	const struct power *power = &report->power;
	bool is_awake = power->idle_state_count > 0 ? !power_deepest_idle(power) : power->is_virtual;
	bool is_fast = power->policies > 0 ? power->performing == power->policies : power->is_virtual;

	return !has_failed_stage(examination->record) && (!report->experiment.left_out[0] || is_awake) &&
		   (!report->experiment.left_out[1] || is_fast);
}

static void say_no_cause(struct record_passage *passage, const struct examination *examination)
{
	bool is_virtual = examination->report->power.is_virtual;

	if (examination->change_count == 0) {
		record_passage_say(
			passage, "Whether power management plays a part is not known: the experiment has nothing to compare.");
	} else if (count_changes(examination) == 0) {
		record_passage_say(passage, "Whether power management plays a part is not known: what the host of this virtual "
									"machine does can be neither seen nor held from here.");
	} else if (!can_tell(examination)) {
		record_passage_say(passage, "Whether power management plays a part is not known: too few valid runs.");
	} else if (is_vague(examination)) {
		record_passage_say(passage,
			"Whether power management plays a part is not known: the rounds differ too much; measure "
			"again when the machine is quiet, or with --runs 10.");
	} else {
		record_passage_say(passage, "Power management is not the cause%s.",
			!is_tried(examination) ? ", as far as it was tried"
			: is_virtual           ? ", as far as this virtual machine has a hand in it"
								   : "");
	}
}

void say_diagnosis(struct record_passage *passage, const struct examination *examination)
{
	size_t causes = 0;

	if (!examination->report->experiment.wanted) {
		return;
	}
	if (examination->proven == 0) {
		say_no_cause(passage, examination);
	}
	for (size_t i = 0; i < examination->change_count; i++) {
		const struct change *change = &examination->changes[i];

		if (change->is_cause) {
			say_cause(passage, examination, change);
			causes++;
		} else if (change->is_request) {
			say_request(passage, change);
		} else {
			say_change(passage, change);
		}
	}
	if (count_changes(examination) > 0 && is_marked(examination)) {
		record_passage_say(passage, "But not all of the experiment's figures are the device's alone, see their marks.");
	}
	if (causes > 1) {
		say_together(passage, examination);
	}
	say_failed_stages(passage, examination->record);
	say_left_out(passage, &examination->report->experiment);
	say_firmware(passage, examination);
	if (examination->proven == 0) {
		say_suspect(passage, examination, can_tell(examination) && !is_vague(examination));
	}
}
