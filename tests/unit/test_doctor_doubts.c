/* The doctor claims no more than the figures prove: of causes, of how IOPS grow with threads, and by yardsticks. */
#include "patient.h"

/* --- what is no proof ----------------------------------------------------------------------------------------------
 */

/* For the worse, too little, one run each, a stage that failed. */
static void test_no_claim(void **state)
{
	const struct figure worse[] = {slow, {2500, 396.0, 60, 1.5e9, 0}}, little[] = {slow, {3100, 320.0, 60, 1.5e9, 0}};
	struct patient patient;

	(void)state;
	open_experiment(&patient, "intel_pstate-laptop", all_stages, 2, worse);
	examine(&patient);
	expect_in(&patient, "diagnosis", "(+20 %, sure): that makes it worse, so leave it as it is.");
	expect_none(&patient, "remedies");
	close_patient(&patient);

	open_experiment(&patient, "intel_pstate-laptop", all_stages, 2, little);
	examine(&patient);
	expect_in(&patient, "diagnosis", "(-3 %, sure): too little to explain anything.");
	expect_none(&patient, "remedies");
	close_patient(&patient);

	open_experiment(&patient, "intel_pstate-laptop", all_stages, 2, (const struct figure[]){slow, awake});
	for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
		if (patient.stage.plan.runs[run].pass > 1) {
			patient.stage.report.measurements[run].outcome = OUTCOME_NOT_RUN;
		}
	}
	examine(&patient);
	expect_in(&patient, "diagnosis", "Whether power management plays a part is not known: too few valid runs.");
	expect_in(&patient, "diagnosis", "(-50 %, one run)");
	expect_in(&patient, "diagnosis", "Another suspect: the host: ");
	expect_not_in(&patient, "diagnosis", "Next suspect");
	expect_none(&patient, "remedies");
	close_patient(&patient);

	open_experiment(&patient, "intel_pstate-laptop", all_stages, 2, (const struct figure[]){slow, awake});
	for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
		if (plan_workload(&patient.stage.plan, run)->power != 0) {
			stage_fail(&patient.stage, run, "fio ended with status 1");
		}
	}
	examine(&patient);
	expect_in(&patient, "diagnosis", "not known: the experiment has nothing to compare.");
	expect_in(&patient, "diagnosis", "Nothing is known of the stage 'C-states held off': fio ended with status 1.");
	expect_none(&patient, "remedies");
	close_patient(&patient);
}

/* All runs of a stage fail. */
static void fail_stage(struct patient *patient, unsigned power, const char *reason)
{
	for (size_t run = 0; run < patient->stage.plan.run_count; run++) {
		const struct workload *workload = plan_workload(&patient->stage.plan, run);

		if (workload->part == PART_EXPERIMENT && workload->power == power) {
			stage_fail(&patient->stage, run, reason);
		}
	}
}

/* What was not measured is not denied, and what one change spoilt is not to the credit of the next. */
static void test_stages_apart(void **state)
{
	const struct figure same[] = {slow, slow, slow}, back[] = {slow, {2000, 500, 60, 1.5e9, 0}, slow};
	struct patient patient;

	(void)state;
	open_experiment(&patient, "intel_pstate-laptop", all_stages, 3, same);
	fail_stage(&patient, all_stages[2], "the governor could not be set");
	examine(&patient);
	expect_in(&patient, "diagnosis", "Power management is not the cause, as far as it was tried.");
	expect_in(&patient, "diagnosis",
		"Nothing is known of the stage '+ governor performance': the governor could not be set.");
	close_patient(&patient);

	open_experiment(&patient, "intel_pstate-laptop", all_stages, 3, same);
	for (size_t i = 0; i < 3; i++) {
		fail_stage(&patient, all_stages[i], i < 2 ? "not durable" : "another reason");
	}
	examine(&patient);
	expect_in(&patient, "diagnosis", "Nothing is known of the stages 'as it is', 'C-states held off': not durable.\n");
	expect_in(&patient, "diagnosis", "Nothing is known of the stage '+ governor performance': another reason.\n");
	close_patient(&patient);

	open_experiment(&patient, "intel_pstate-laptop", all_stages, 3, back);
	examine(&patient);
	expect_in(&patient, "diagnosis", "(-34 %, sure): no better than as it is, so that explains nothing.");
	expect_in(&patient, "diagnosis", "Power management is not the cause.");
	expect_none(&patient, "remedies");
	close_patient(&patient);
}

/* Rounds that differ so much that a cause may have gone unseen. */
static void test_vague(void **state)
{
	static const double wild[ROUNDS] = {1, 3, 0.4, 2, 0.6};
	struct patient patient;

	(void)state;
	open_experiment(&patient, "intel_pstate-laptop", all_stages, 2, (const struct figure[]){slow, awake});
	for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
		const struct workload *workload = plan_workload(&patient.stage.plan, run);

		if (workload->part == PART_EXPERIMENT) {
			fill_run(&patient, run, workload->power != 0 ? &awake : &slow, wild[patient.stage.plan.runs[run].pass - 1]);
		}
	}
	examine(&patient);
	expect_in(&patient, "diagnosis",
		"Whether power management plays a part is not known: the rounds differ too much; measure again when the "
		"machine "
		"is quiet, or with --runs 10.");
	expect_in(&patient, "diagnosis",
		"With C-states held off p50 went from 330.0 to 165.0 us (-50 %, not sure): by how much the rounds "
		"differ, "
		"it may be anything from -");
	expect_none(&patient, "remedies");
	close_patient(&patient);
}

/* Without --diagnose nothing is said of causes. */
static void test_not_asked(void **state)
{
	struct patient patient;

	(void)state;
	open_patient(&patient, "intel_cpufreq-server", NULL, 0);
	set_main(&patient, 1, &slow);
	set_main(&patient, 16, &(struct figure){39000, 400, 100, 0, 0});
	examine(&patient);
	expect_in(&patient, "path", "all sync writes went to the log device nvme1n1p1");
	expect_in(&patient, "scaling",
		"Linear: 13.0 times the IOPS with 16 times the threads (3000 with 1 thread, 39000 with 16).");
	expect_none(&patient, "diagnosis");
	expect_none(&patient, "remedies");
	expect_none(&patient, "yardsticks");
	/* Examined again, it says the same once. */
	size_t count = patient.record.passage_count;
	doctor_examine(&patient.record, &patient.stage.report);
	assert_int_equal(patient.record.passage_count, count);
	close_patient(&patient);
}

/* How IOPS grow: a dip that more threads make good is no regress; marked rows are not the device's alone. */
static void test_scaling(void **state)
{
	struct patient patient;

	(void)state;
	open_patient(&patient, "intel_cpufreq-server", NULL, 0);
	set_main(&patient, 1, &(struct figure){6723, 140, 50, 0, 0});
	set_main(&patient, 4, &(struct figure){5110, 600, 50, 0, 0});
	set_main(&patient, 16, &(struct figure){29829, 500, 50, 0, 0});
	examine(&patient);
	expect_in(&patient, "scaling", "Saturating: 4.4 times the IOPS with 16 times the threads");
	close_patient(&patient);
	open_patient(&patient, "intel_cpufreq-server", NULL, 0);
	set_main(&patient, 1, &(struct figure){100, 9900, 50, 0, 0});
	set_main(&patient, 4, &(struct figure){11000, 360, 50, 0, 0});
	set_main(&patient, 16, &(struct figure){8920, 1800, 50, 0, 0});
	examine(&patient);
	expect_in(&patient, "scaling", "Regressing");
	close_patient(&patient);
	open_patient(&patient, "intel_cpufreq-server", NULL, 0);
	set_main(&patient, 1, &(struct figure){100, 9900, 50, 0, 0});
	set_main(&patient, 4, &(struct figure){5000, 800, 50, 0, 0});
	set_main(&patient, 16, &(struct figure){8920, 1800, 50, 0, 0});
	examine(&patient);
	expect_in(&patient, "scaling", "More than linear: 89.2 times the IOPS with 16 times the threads");
	expect_in(&patient, "scaling", "which threads alone cannot bring about: something held up those with 1");
	close_patient(&patient);
	open_patient(&patient, "intel_cpufreq-server", NULL, 0);
	set_main(&patient, 1, &(struct figure){3000, 330, 50, 0, 0});
	set_main(&patient, 4, &(struct figure){11000, 360, 50, 0, 0});
	set_main(&patient, 8, &(struct figure){9900, 800, 50, 0, 0});
	set_main(&patient, 16, &(struct figure){9000, 1700, 50, 0, 0});
	examine(&patient);
	expect_in(&patient, "scaling", "Regressing: with 16 threads instead of 4 the IOPS fall by 18 %");
	expect_in(&patient, "scaling", "the commits get in each other's way");
	close_patient(&patient);
}

/* --- yardsticks ----------------------------------------------------------------------------------------------------
 */

static void test_yardsticks(void **state)
{
	struct patient patient;

	(void)state;
	for (int is_slow = 0; is_slow < 2; is_slow++) {
		struct plan_choice choice = stage_choice(1, false);

		patient = (struct patient){.root = xstrdup("")};
		choice.detail = true;
		stage_open_choice(&patient.stage, &profile_slog, choice);
		for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
			stage_set(&patient.stage, run, 70, is_slow ? 3050 : 18000, is_slow ? 328 : 50, is_slow ? 12000 : 800);
		}
		examine(&patient);
		expect_in(&patient, "yardsticks",
			is_slow ? "Fail: etcd wants fdatasync to take less than 10 ms at p99; it took 12.0 ms (source: "
					: "Pass: etcd wants fdatasync to take less than 10 ms at p99; it took 0.80 ms (source: ");
		expect_in(&patient, "yardsticks",
			is_slow ? "with one thread; this one made 3050 (source: the case study in the manual)."
					: "with one thread; this one made 18000 (source: the case study in the manual).");
		expect_in(&patient, "yardsticks", is_slow ? "it took 328.0 us (source" : "it took 50.0 us (source");
		/* What is not the device's neither passes nor fails. */
		add_finding(&patient, FINDING_SERVED_FROM_RAM);
		record_release(&patient.record);
		examine(&patient);
		expect_in(&patient, "yardsticks", "Unknown: a healthy Optane log device commits within 40 to 65 us at p50");
		expect_in(&patient, "yardsticks", " us, which is not the device's alone, see its mark (source: ");
		expect_in(&patient, "yardsticks", is_slow ? "Fail: etcd" : "Pass: etcd");
		close_patient(&patient);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_claim),
		cmocka_unit_test(test_stages_apart),
		cmocka_unit_test(test_vague),
		cmocka_unit_test(test_not_asked),
		cmocka_unit_test(test_scaling),
		cmocka_unit_test(test_yardsticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
