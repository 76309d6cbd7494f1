#include "experiment.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "converse.h"
#include "probe/power.h"
#include "support/clock.h"
#include "support/memory.h"
#include "support/signals.h"

/* A change takes hold in the next idle period, or when the governor looks again: a few ms at most. */
enum { SETTLE_MS = 50 };

/* No bits that can be held: whoever comes next asks again. */
#define HELD_UNKNOWN UINT32_MAX

/* The two things that can be held, in the order of struct experiment's reasons. */
enum { LEFT_OUT_IDLE, LEFT_OUT_GOVERNOR };

/* Why the system does not let us; a clause, to be freed. */
static char *explain(int error, bool is_taken)
{
	if (is_taken && error == EBUSY) {
		return xstrdup("another measurement on this machine is at it right now");
	}
	if (error == EACCES || error == EPERM) {
		return xstrdup("that needs root; run speedtest-hd with sudo");
	}
	if (error == EOPNOTSUPP) {
		return xstrdup("the driver offers no governor 'performance'");
	}
	return error != 0 ? xasprintf("the system does not allow it (%s)", strerror(error))
					  : xstrdup("the system does not allow it");
}

static char *explain_idle(const struct keeper_power_state *state)
{
	if (state->idle_error == ENOENT || state->idle_error == ENODEV || state->idle_error == ENXIO) {
		return xstrdup("this kernel has no /dev/cpu_dma_latency");
	}
	return explain(state->idle_error, state->is_taken != 0);
}

/*
 * NULL where the idle states' stage is possible. Without a driver for them the processors halt all the same, and heed
 * no limit. In a virtual machine the limit is asked for nevertheless; the diagnosis then claims nothing of it.
 */
static char *explain_no_idle(const struct keeper_power_state *state, const struct power *power)
{
	if (power->is_hidden) {
		return xstrdup("without /sys nobody can see what there is");
	}
	if (power->idle_state_count == 0 && !power->is_virtual) {
		return xstrdup("the kernel shows no idle states here that it could be kept from");
	}
	if (power->idle_state_count > 0 && !power_deepest_idle(power)) {
		return isinf(power->latency_limit_us) || isnan(power->latency_limit_us)
				   ? xstrdup("all idle states that take time to wake up from are disabled already")
				   : xasprintf("somebody holds /dev/cpu_dma_latency at %.0f us already", power->latency_limit_us);
	}
	return (state->possible & POWER_HOLD_IDLE) != 0 ? NULL : explain_idle(state);
}

/* NULL where the governor's stage is possible. */
static char *explain_governor(const struct keeper_power_state *state, const struct power *power)
{
	if (power->is_hidden) {
		return xstrdup("without /sys nobody can see what there is");
	}
	if (state->policies == 0) {
		return xstrdup("the kernel clocks no processor here (a virtual machine, or the firmware does it)");
	}
	if (state->performing >= state->policies) {
		return xstrdup("the governor is performance already");
	}
	return (state->possible & POWER_HOLD_GOVERNOR) != 0 ? NULL : explain(state->governor_error, state->is_taken != 0);
}

size_t experiment_choose(struct experiment *experiment, const struct keeper_power_state *state,
	const struct power *power, unsigned stages[EXPERIMENT_STAGES_MAX])
{
	size_t count = 0;
	unsigned held = 0;

	experiment->left_out[LEFT_OUT_IDLE] = explain_no_idle(state, power);
	experiment->left_out[LEFT_OUT_GOVERNOR] = explain_governor(state, power);
	stages[count++] = held;
	if (!experiment->left_out[LEFT_OUT_IDLE]) {
		held |= POWER_HOLD_IDLE;
		stages[count++] = held;
	}
	if (!experiment->left_out[LEFT_OUT_GOVERNOR]) {
		held |= POWER_HOLD_GOVERNOR;
		stages[count++] = held;
	}
	return held == 0 ? 0 : count; /* as it is, and compared with nothing, tells nothing */
}

/* Ask for something to be held. A refusal leaves the state empty and is a `*sentence`, which the caller frees. */
static bool request(
	struct session *session, unsigned holds, struct keeper_power_state *state, char **sentence, struct failure *failure)
{
	const struct keeper_power power = {.holds = holds};
	struct keeper_message answer = {0};
	enum reply reply = converse(session, KEEPER_POWER, &power, sizeof(power), &answer);

	*state = (struct keeper_power_state){.held = 0};
	*sentence = NULL;
	if (reply != REPLY_MESSAGE) {
		return converse_fail(session, reply, failure);
	}
	session->power_held = holds;
	if (answer.type != KEEPER_POWER_STATE || !keeper_payload(&answer, state, sizeof(*state))) {
		enum status status;
		int error = 0;

		*sentence = xstrdup(converse_refusal(&answer, &error, &status));
	}
	text_release(&answer.payload);
	return true;
}

bool experiment_plan(struct session *session, struct failure *failure)
{
	struct experiment *experiment = &session->report.experiment;
	unsigned stages[EXPERIMENT_STAGES_MAX];
	struct keeper_power_state state;
	char *sentence = NULL;
	size_t count = 0;

	experiment->wanted = true;
	if (!request(session, 0, &state, &sentence, failure)) {
		return false;
	}
	if (sentence) {
		experiment->left_out[LEFT_OUT_IDLE] = sentence;
		experiment->left_out[LEFT_OUT_GOVERNOR] = xstrdup(sentence);
	} else {
		count = experiment_choose(experiment, &state, &session->report.power, stages);
	}
	if (count > 0) {
		plan_add_experiment(&session->plan, stages, count);
		report_grow(&session->report);
	} else {
		report_add_note(&session->report,
			"--diagnose can change nothing here, so its experiment is left out (C-states: %s; governor: %s)",
			experiment->left_out[LEFT_OUT_IDLE], experiment->left_out[LEFT_OUT_GOVERNOR]);
	}
	return true;
}

char *experiment_explain(unsigned wanted, const struct keeper_power_state *state, unsigned performing)
{
	unsigned missing = wanted & ~state->held;

	if ((missing & POWER_HOLD_IDLE) != 0) {
		char *why = explain_idle(state);
		char *reason = xasprintf("the C-states could not be held off: %s", why);

		free(why);
		return reason;
	}
	if ((missing & POWER_HOLD_GOVERNOR) != 0) {
		char *why = explain(state->governor_error, state->is_taken != 0);
		char *reason = xasprintf("the governor could not be set to performance: %s", why);

		free(why);
		return reason;
	}
	if (state->held != wanted) {
		return xstrdup("what was changed for the run before could not be put back");
	}
	if ((wanted & POWER_HOLD_GOVERNOR) != 0 && performing < state->policies) {
		char *why = state->governor_error != 0 ? xasprintf(": %s", strerror(state->governor_error)) : xstrdup("");
		char *reason = xasprintf("the governor could be set to performance for %u of %u frequency domains alone%s",
			performing, state->policies, why);

		free(why);
		return reason;
	}
	return NULL;
}

/* A signal ends it early. */
static void settle(void)
{
	const struct timespec pause = {.tv_nsec = SETTLE_MS * (long)NS_PER_MS};

	ppoll(NULL, 0, &pause, signals_wait_mask());
}

bool experiment_hold(struct session *session, size_t run, char **reason, struct failure *failure)
{
	const struct workload *workload = plan_workload(&session->plan, run);
	struct keeper_power_state state;

	if (workload->power != session->power_held) {
		char *sentence = NULL;

		/* Where somebody else interfered: anew, from what is now. */
		if (session->power_held == HELD_UNKNOWN && workload->power != 0) {
			if (!request(session, 0, &state, &sentence, failure)) {
				return false;
			}
			free(sentence);
		}
		if (!request(session, workload->power, &state, &sentence, failure)) {
			return false;
		}
		session->power_performing = power_count_performing("");
		*reason = sentence ? sentence : experiment_explain(workload->power, &state, session->power_performing);
		if (*reason) {
			session->power_held = HELD_UNKNOWN;
		}
	}
	if (workload->part == PART_EXPERIMENT && !*reason) {
		settle();
	}
	return true;
}

char *experiment_check(struct session *session, size_t run)
{
	bool is_held = (plan_workload(&session->plan, run)->power & POWER_HOLD_GOVERNOR) != 0;

	if (!is_held || power_count_performing("") >= session->power_performing) {
		return NULL;
	}
	session->power_held = HELD_UNKNOWN;
	return xstrdup("somebody else changed the governor during the run; stop what sets it, then measure again");
}

void experiment_end(struct session *session)
{
	struct failure ignored = FAILURE_NONE;
	struct keeper_power_state state;
	char *sentence = NULL;

	/* A keeper that no longer answers does it by itself, and so does the guardian of one that died. */
	if (session->power_held != 0 && !session->abandoned) {
		request(session, 0, &state, &sentence, &ignored);
	}
	free(sentence);
	failure_clear(&ignored);
}
