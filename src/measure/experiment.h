/** The experiment of --diagnose: which stages are possible, and the machine's state for each. Private to measure/. */
#ifndef MEASURE_EXPERIMENT_H
#define MEASURE_EXPERIMENT_H

#include "keeper/protocol.h"
#include "measure/session.h"

/** Room for the stages of one experiment. */
enum { EXPERIMENT_STAGES_MAX = 3 };

/**
 * Which stages the machine allows, by what the keeper answered and by what is known of its power management, as
 * bits of enum power_hold each, beginning with 0; returns how many. None at all where nothing can be held. The reasons
 * for what is left out go to `experiment`, which is empty before.
 */
size_t experiment_choose(struct experiment *experiment, const struct keeper_power_state *state,
	const struct power *power, unsigned stages[EXPERIMENT_STAGES_MAX]);

/** Ask the keeper what is possible, and add the experiment to the plan. False where the keeper is lost. */
bool experiment_plan(struct session *session, struct failure *failure);

/**
 * Why a stage that wants those bits of enum power_hold cannot be measured, by what the keeper answered and by how many
 * frequency domains have the governor "performance" now; NULL where it can. The caller frees it.
 */
char *experiment_explain(unsigned wanted, const struct keeper_power_state *state, unsigned performing);

/**
 * Have held what a run of the plan wants to be held, and nothing else. False where the keeper is lost; where it cannot
 * be held `*reason`, which the caller frees, says so and the run is not to be carried out.
 */
bool experiment_hold(struct session *session, size_t run, char **reason, struct failure *failure);

/**
 * After a run: whether that was still so at its end. NULL where it was, else why the run is none, which the caller
 * frees: power daemons and people set governors, too.
 */
char *experiment_check(struct session *session, size_t run);

/** Have everything put back. Where that does not work the keeper tries once more at its end, and names what stays. */
void experiment_end(struct session *session);

#endif
