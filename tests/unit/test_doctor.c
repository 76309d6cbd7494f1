/*
 * From the figures of commits to causes and remedies. The case study of the manual stands for the whole: the tree of
 * its machine and its figures lead to its diagnosis, tests/golden/case-study.txt, and the same machine after its
 * treatment to none. UPDATE_GOLDEN=1 in the environment writes that file anew.
 */
#include "stage.h"

#include "doctor/doctor.h"
#include "rendered.h"

#define MACHINES "tests/fixtures/machines/"
#define CASE_STUDY "tests/golden/case-study.txt"

/* Rounds of the experiment, and seconds of each run. */
enum { ROUNDS = PLAN_ROUNDS_MIN, RUN_S = 5 };

/* What is made up for a run. */
struct figure {
	double iops;
	double p50_us;
	double device_us; /* of each commit */
	double frequency_hz;
	double asleep; /* share of the time, half of it in the deepest state */
};

/* A measurement that never took place. */
struct patient {
	struct stage stage;
	struct record record;
	char *root;
	bool is_recorded;
};

static const unsigned all_stages[] = {0, POWER_HOLD_IDLE, POWER_HOLD_IDLE | POWER_HOLD_GOVERNOR};

/* The devices of the case study's pool: a log device and one of the six others. */
static void add_devices(struct storage *storage)
{
	static const struct storage_device devices[] = {
		{.major = 259,
			.minor = 2,
			.roles = 1 << STORAGE_DISK | 1 << STORAGE_LOG | 1 << STORAGE_TOP | 1 << STORAGE_LEAF,
			.write_cache = WRITE_CACHE_NONE},
		{.major = 259,
			.minor = 4,
			.roles = 1 << STORAGE_DISK | 1 << STORAGE_TOP | 1 << STORAGE_LEAF,
			.write_cache = WRITE_CACHE_VOLATILE},
	};

	storage->kind = STORAGE_ZFS;
	storage->file_system = xstrdup("zfs");
	storage->zfs_version = xstrdup("2.3.4");
	storage->write_copies = 2;
	storage->devices = xcalloc(2, sizeof(*storage->devices));
	storage->device_count = 2;
	for (size_t i = 0; i < 2; i++) {
		storage->devices[i] = devices[i];
		storage->devices[i].name = xstrdup(i == 0 ? "nvme1n1" : "nvme2n1");
	}
}

static void add_pool(struct zfs_pool *pool)
{
	pool->pool = xstrdup("nvme-ultra-r10");
	pool->dataset = xstrdup("nvme-ultra-r10/vm-root");
	pool->asked = true;
	zfs_parse_status(pool, "  pool: nvme-ultra-r10\n state: ONLINE\nconfig:\n\n"
						   "\tNAME                STATE     READ WRITE CKSUM\n"
						   "\tnvme-ultra-r10      ONLINE       0     0     0\n"
						   "\t  mirror-0          ONLINE       0     0     0\n"
						   "\t    /dev/nvme2n1p1  ONLINE       0     0     0\n"
						   "\t    /dev/nvme3n1p1  ONLINE       0     0     0\n"
						   "\t  mirror-1          ONLINE       0     0     0\n"
						   "\t    /dev/nvme4n1p1  ONLINE       0     0     0\n"
						   "\t    /dev/nvme5n1p1  ONLINE       0     0     0\n"
						   "\t  mirror-2          ONLINE       0     0     0\n"
						   "\t    /dev/nvme6n1p1  ONLINE       0     0     0\n"
						   "\t    /dev/nvme7n1p1  ONLINE       0     0     0\n"
						   "\tlogs\n"
						   "\t  /dev/nvme1n1p1    ONLINE       0     0     0\n"
						   "\nerrors: No known data errors\n");
	zfs_parse_properties(pool, "nvme-ultra-r10/vm-root\tsync\talways\tlocal\n"
							   "nvme-ultra-r10/vm-root\tlogbias\tlatency\tdefault\n"
							   "nvme-ultra-r10/vm-root\trecordsize\t131072\tdefault\n");
}

/* Runs of the main table, once, and the stages of the experiment, if there are any. */
static void open_patient(struct patient *patient, const char *machine, const unsigned *stages, size_t stage_count)
{
	static char path[] = "/mnt/nvme-ultra-r10/vm-root", source[] = "nvme-ultra-r10/vm-root", type[] = "zfs";
	struct report *report = &patient->stage.report;

	*patient = (struct patient){.root = xasprintf(MACHINES "%s", machine)};
	stage_open_choice(&patient->stage, &profile_slog, stage_choice(1, false));
	plan_add_experiment(&patient->stage.plan, stages, stage_count);
	report_grow(report);
	patient->stage.target.given = patient->stage.target.path = patient->stage.target.shown = path;
	patient->stage.target.mount.mount_point = path;
	patient->stage.target.mount.source = source;
	patient->stage.target.mount.type = type;
	patient->stage.target.is_zfs = true;
	report->engine = ENGINE_PSYNC;
	report->direct = DIRECT_NOT_FOR_SLOG;
	add_devices(&report->storage);
	add_pool(&report->pool);
	power_find(&report->power, patient->root, &report->storage);
	report->experiment.wanted = stage_count > 0;
}

static void close_patient(struct patient *patient)
{
	if (patient->is_recorded) {
		record_release(&patient->record);
	}
	stage_close(&patient->stage);
	free(patient->root);
}

static void fill_power(struct power_reading *reading, const struct power *power, const struct figure *figure)
{
	double elapsed_us = RUN_S * 1e6;
	size_t states = power->idle_state_count;

	*reading = (struct power_reading){.idle_states = (uint32_t)states, .processors_seen = 1};
	reading->elapsed_us = (uint64_t)elapsed_us;
	if (figure->frequency_hz > 0) {
		reading->frequency_samples = 10;
		reading->frequency_sum_khz = (uint64_t)(10 * figure->frequency_hz / 1e3);
	}
	for (size_t i = 1; i < states; i++) {
		double share = i == states - 1 ? 0.8 : 0.2 / (double)(states - 2);

		reading->idle_time_us[i] = (uint64_t)(share * figure->asleep * elapsed_us);
	}
}

/* A run of the plan: every commit a block of the log, on the log device. */
static void fill_run(struct patient *patient, size_t run, const struct figure *figure, double noise)
{
	struct report *report = &patient->stage.report;
	double iops = figure->iops / noise, p50_us = figure->p50_us * noise, commits = iops * RUN_S;
	struct evidence *evidence = &report->measurements[run].evidence;

	stage_set(&patient->stage, run, iops * 4096 / 1e6, iops, p50_us, p50_us * 2.17);
	*evidence = (struct evidence){.present = true,
		.claimed_bytes = commits * 4096,
		.commits = commits,
		.commit_mean_ns = p50_us * 1e3,
		.busiest_job_cpu = 0.1};
	struct run_readings *readings = &evidence->readings;
	readings->before = (struct reading){.at_ns = 1, .known = READING_DEVICES | READING_FLUSHES | READING_ZIL};
	readings->after = readings->before;
	readings->after.at_ns += UINT64_C(1000000000) * RUN_S;
	readings->after.zil = (struct zil_counters){.commits = (uint64_t)commits, .log_blocks = (uint64_t)commits};
	for (size_t role = 0; role < STORAGE_ROLE_COUNT; role++) {
		readings->after.devices[role].write_requests = (uint64_t)commits;
		readings->after.devices[role].written_bytes = (uint64_t)(commits * 4096);
		readings->after.devices[role].write_time_ms = (uint64_t)(commits * figure->device_us * noise / 1e3);
		readings->written_since_watch_bytes[role] = UINT64_C(1) << 30;
	}
	readings->flushed = readings->after;
	fill_power(&readings->power, &report->power, figure);
}

/* All runs of the main table with so many threads. */
static void set_main(struct patient *patient, unsigned threads, const struct figure *figure)
{
	for (size_t run = 0; run < patient->stage.plan.run_count; run++) {
		const struct workload *workload = plan_workload(&patient->stage.plan, run);

		if (workload->part == PART_MAIN && workload->jobs == threads) {
			fill_run(patient, run, figure, 1);
		}
	}
}

/* All rounds of a stage, with noise. */
static void set_stage(struct patient *patient, unsigned power, const struct figure *figure)
{
	static const double noise[ROUNDS] = {1, 1.01, 0.992, 1.004, 0.995};

	for (size_t run = 0; run < patient->stage.plan.run_count; run++) {
		const struct workload *workload = plan_workload(&patient->stage.plan, run);

		if (workload->part == PART_EXPERIMENT && workload->power == power) {
			fill_run(patient, run, figure, noise[(patient->stage.plan.runs[run].pass - 1) % ROUNDS]);
		}
	}
}

static void examine(struct patient *patient)
{
	stage_record(&patient->record, &patient->stage);
	patient->is_recorded = true;
	doctor_examine(&patient->record, &patient->stage.report);
}

/* The passage of that name in lines; "" where there is none. The caller frees it. */
static char *passage_text(const struct record *record, const char *id)
{
	struct text text = TEXT_EMPTY;

	for (size_t i = 0; i < record->passage_count; i++) {
		for (size_t j = 0; strcmp(record->passages[i].id, id) == 0 && j < record->passages[i].line_count; j++) {
			text_addf(&text, "%s\n", record->passages[i].lines[j].text);
		}
	}
	return text.length > 0 ? text_detach(&text) : xstrdup("");
}

static void expect_in(const struct patient *patient, const char *id, const char *part)
{
	char *text = passage_text(&patient->record, id);

	assert_contains(text, part);
	free(text);
}

static void expect_not_in(const struct patient *patient, const char *id, const char *part)
{
	char *text = passage_text(&patient->record, id);

	assert_lacks(text, part);
	free(text);
}

static void expect_none(const struct patient *patient, const char *id)
{
	char *text = passage_text(&patient->record, id);

	assert_string_equal(text, "");
	free(text);
}

/* --- the case study ------------------------------------------------------------------------------------------------
 */

static const struct figure as_it_was = {3050, 328.0, 90, 1.2e9, 0.81};

static void open_case_study(struct patient *patient)
{
	open_patient(patient, "intel_cpufreq-server", all_stages, 3);
	set_main(patient, 1, &as_it_was);
	set_main(patient, 4, &(struct figure){9700, 412.0, 96, 1.2e9, 0.6});
	set_main(patient, 8, &(struct figure){11200, 714.0, 110, 1.2e9, 0.4});
	set_main(patient, 16, &(struct figure){9277, 1725.0, 130, 1.2e9, 0.3});
	set_stage(patient, 0, &as_it_was);
	set_stage(patient, POWER_HOLD_IDLE, &(struct figure){5849, 160.8, 34, 1.2e9, 0});
	set_stage(patient, POWER_HOLD_IDLE | POWER_HOLD_GOVERNOR, &(struct figure){10687, 85.5, 31, 3.3e9, 0});
}

/* As a terminal of 100 columns shows it, without what differs from machine to machine. The caller frees it. */
static char *terminal_text(const struct record *record)
{
	const struct document document = {.record = record, .score = SCORE_MEDIAN};
	const struct render_style style = {.columns = 100};
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	assert_non_null(out);
	render_text(out, &document, &style);
	assert_int_equal(fclose(out), 0);
	return bytes;
}

static void test_case_study(void **state)
{
	struct text golden = TEXT_EMPTY;
	struct patient patient;

	(void)state;
	open_case_study(&patient);
	examine(&patient);
	char *text = terminal_text(&patient.record);
	if (getenv("UPDATE_GOLDEN")) {
		FILE *out = fopen(CASE_STUDY, "w");

		assert_non_null(out);
		fputs(text, out);
		assert_int_equal(fclose(out), 0);
	}
	scratch_read(&golden, CASE_STUDY);
	assert_string_equal(text, text_string(&golden));
	text_release(&golden);
	free(text);
	close_patient(&patient);
}

/* After the treatment: nothing to find, and nothing to do. */
static void test_healthy(void **state)
{
	static const struct figure healthy = {18200, 51.0, 14, 3.3e9, 0.2};
	struct patient patient;

	(void)state;
	open_patient(&patient, "healthy", all_stages, 2);
	patient.stage.report.experiment.left_out[1] = xstrdup("the governor is performance already");
	set_main(&patient, 1, &healthy);
	set_main(&patient, 16, &(struct figure){151000, 98.0, 20, 3.3e9, 0});
	set_stage(&patient, 0, &healthy);
	set_stage(&patient, POWER_HOLD_IDLE, &(struct figure){18300, 50.7, 14, 3.3e9, 0});
	examine(&patient);
	expect_in(&patient, "diagnosis", "Power management is not the cause.");
	expect_in(&patient, "diagnosis", "(-0.6 %, not sure)");
	expect_in(&patient, "diagnosis", "The governor was left alone: the governor is performance already.");
	expect_in(&patient, "diagnosis", "Healthy as it is (18200 commits a second with one thread, p50 51.0 us).");
	expect_not_in(&patient, "diagnosis", "suspect");
	expect_not_in(&patient, "diagnosis", "BIOS");
	expect_none(&patient, "remedies");
	close_patient(&patient);
}

/* --- other machines ------------------------------------------------------------------------------------------------
 */

static const struct figure slow = {3000, 330.0, 60, 1.5e9, 0.8};
static const struct figure awake = {6000, 165.0, 60, 1.5e9, 0};
static const struct figure fast = {10000, 99.0, 60, 0, 0};

/* The experiment with these figures; the third stage only where there are so many. */
static void open_experiment(
	struct patient *patient, const char *machine, const unsigned *stages, size_t count, const struct figure *figures)
{
	open_patient(patient, machine, stages, count);
	set_main(patient, 1, &figures[0]);
	for (size_t i = 0; i < count; i++) {
		set_stage(patient, stages[i], &figures[i]);
	}
}

static char *commands(const struct record *record)
{
	struct text text = TEXT_EMPTY;

	for (size_t i = 0; i < record->passage_count; i++) {
		for (size_t j = 0; j < record->passages[i].line_count; j++) {
			if (record->passages[i].lines[j].is_command) {
				text_addf(&text, "%s\n", record->passages[i].lines[j].text);
			}
		}
	}
	return text_detach(&text);
}

/* That a shell takes the commands, as they are copied from a terminal: with a margin. */
static void expect_shell_takes(const struct patient *patient)
{
	char *lines = commands(&patient->record);
	FILE *shell = popen("sed 's/^/    /' | sh -n", "w");

	assert_non_null(shell);
	fputs(lines, shell);
	assert_int_equal(pclose(shell), 0);
	if (getenv("SHOW_COMMANDS")) {
		printf("%s---\n", lines);
	}
	free(lines);
}

/* Debian with an AMD processor: other arguments, units for systemd, the old governor in the way back. */
static void test_other_system(void **state)
{
	const struct figure figures[] = {slow, awake, fast};
	struct patient patient;

	(void)state;
	open_experiment(&patient, "acpi-cpufreq-nas", all_stages, 3, figures);
	examine(&patient);
	expect_in(&patient, "diagnosis", "Idle states cost about 165 of 330 us of each commit: with C-states held off p50");
	expect_in(&patient, "diagnosis", "C2 takes 400 us to wake up");
	expect_in(&patient, "diagnosis",
		"The governor ondemand kept the processors at 1.50 GHz, of 3.10 they can do: with performance p50 went from "
		"165.0 to 99.0 us (-40 %, sure).");
	expect_not_in(&patient, "diagnosis", "PowerEdge");
	expect_in(&patient, "remedies", "$GRUB_CMDLINE_LINUX_DEFAULT processor.max_cstate=1\"' >/etc/default/grub.d/");
	expect_in(&patient, "remedies", "in place of that unit (Debian, Ubuntu and their like); then reboot:");
	expect_in(&patient, "remedies", "Other systems: add processor.max_cstate=1 where the boot loader keeps its");
	expect_in(&patient, "remedies", "holds /dev/cpu_dma_latency at 1 us, which leaves the lightest state allowed");
	expect_in(&patient, "remedies", "echo 1 >&3; exec sleep infinity'\" \\");
	expect_in(&patient, "remedies", "systemctl enable --now cpu-performance.service");
	expect_in(&patient, "remedies", "echo ondemand | tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
	expect_not_in(&patient, "remedies", "midclt");
	expect_not_in(&patient, "remedies", "racadm");
	expect_not_in(&patient, "remedies", "intel_idle");
	expect_shell_takes(&patient);
	close_patient(&patient);
}

/* Only the governor was to be had; its preference is put back as well. */
static void test_governor_alone(void **state)
{
	static const unsigned stages[] = {0, POWER_HOLD_GOVERNOR};
	const struct figure figures[] = {slow, fast};
	struct patient patient;

	(void)state;
	open_experiment(&patient, "amd-pstate-desktop", stages, 2, figures);
	patient.stage.report.experiment.left_out[0] = xstrdup("this kernel has no /dev/cpu_dma_latency");
	examine(&patient);
	expect_in(&patient, "power", "governor powersave, driver amd-pstate-epp, energy preference balance_performance");
	expect_in(&patient, "diagnosis",
		"The governor powersave kept the processors at 1.50 GHz, of 4.85 they can do: with performance p50 went from "
		"330.0 to 99.0 us (-70 %, sure).");
	expect_in(&patient, "diagnosis", "C-states were not held off: this kernel has no /dev/cpu_dma_latency.");
	expect_not_in(&patient, "diagnosis", "Idle states cost");
	expect_not_in(&patient, "diagnosis", "Both together");
	expect_not_in(&patient, "remedies", "max_cstate");
	expect_in(&patient, "remedies", "echo balance_performance | tee /sys/devices/system/cpu/cpu*/cpufreq/energy");
	expect_shell_takes(&patient);
	close_patient(&patient);
}

/* Proxmox, whose kernel has no say in the frequency; and the boot loader of its ZFS installations. */
static void test_no_cpufreq(void **state)
{
	const struct figure figures[] = {slow, awake};
	struct patient patient;

	(void)state;
	for (int is_systemd_boot = 0; is_systemd_boot < 2; is_systemd_boot++) {
		open_experiment(&patient, "no-cpufreq", all_stages, 2, figures);
		patient.stage.report.experiment.left_out[1] = xstrdup("the kernel clocks no processor here");
		if (is_systemd_boot) {
			free(patient.stage.report.power.command_line);
			patient.stage.report.power.command_line =
				xstrdup("initrd=\\EFI\\proxmox\\6.8.12-9-pve\\initrd.img root=ZFS=rpool");
		}
		examine(&patient);
		expect_in(&patient, "power", "the kernel sets no frequency here (no cpufreq)");
		expect_in(&patient, "diagnosis", "Idle states cost about 165 of 330 us");
		expect_in(&patient, "diagnosis", "the firmware sets the processors' frequency here");
		expect_in(&patient, "remedies", "intel_idle.max_cstate=1 processor.max_cstate=1");
		expect_in(&patient, "remedies", is_systemd_boot ? "proxmox-boot-tool refresh" : "update-grub");
		expect_not_in(&patient, "remedies", is_systemd_boot ? "update-grub" : "proxmox-boot-tool");
		expect_not_in(&patient, "remedies", "scaling_governor");
		expect_shell_takes(&patient);
		close_patient(&patient);
	}
}

/* A guest: nothing to hold, and the host cannot be seen. */
static void test_virtual_machine(void **state)
{
	const struct figure figures[] = {slow, slow};
	struct patient patient;

	(void)state;
	open_experiment(&patient, "virtual-machine", all_stages, 2, figures);
	patient.stage.report.experiment.left_out[1] = xstrdup("the kernel clocks no processor here");
	examine(&patient);
	expect_in(&patient, "power", "Idle states: the kernel has none to choose from here");
	expect_in(&patient, "power",
		"A virtual machine: what its host does to save power can be neither seen nor held from here.");
	expect_in(
		&patient, "diagnosis", "Power management is not the cause, as far as this virtual machine has a hand in it.");
	expect_in(&patient, "diagnosis", "With C-states held off p50 went from 330.0 to 330.0 us (0.0 %, not sure).");
	expect_in(&patient, "diagnosis",
		"Next suspect: the host: of 330.0 us each commit spends 270.0 us above the device, in zfs and the kernel, or "
		"in "
		"the virtual machine's host.");
	expect_not_in(&patient, "diagnosis", "BIOS");
	expect_none(&patient, "remedies");
	close_patient(&patient);
}

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
	expect_none(&patient, "power");
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
	set_main(&patient, 1, &(struct figure){3000, 330, 50, 0, 0});
	set_main(&patient, 4, &(struct figure){11000, 360, 50, 0, 0});
	set_main(&patient, 8, &(struct figure){9900, 800, 50, 0, 0});
	set_main(&patient, 16, &(struct figure){9000, 1700, 50, 0, 0});
	examine(&patient);
	expect_in(&patient, "scaling", "Regressing: with 16 threads instead of 4 the IOPS fall by 18 %");
	expect_in(&patient, "scaling", "the commits get in each other's way");
	close_patient(&patient);
}

/* --- the next suspect ----------------------------------------------------------------------------------------------
 */

static const struct figure steady[] = {{3000, 330.0, 60, 2e9, 0.1}, {3010, 329.0, 60, 2e9, 0}};

/* An experiment that changed nothing. */
static void open_unchanged(struct patient *patient, const struct figure *figures)
{
	open_experiment(patient, "intel_pstate-laptop", all_stages, 2, figures);
	patient->stage.report.experiment.left_out[1] = xstrdup("that needs root; run speedtest-hd with sudo");
}

static void expect_suspect(struct patient *patient, const char *part)
{
	examine(patient);
	expect_in(patient, "diagnosis", "Power management is not the cause, as far as it was tried.");
	expect_in(patient, "diagnosis", part);
	expect_none(patient, "remedies");
	close_patient(patient);
}

static void set_property(struct patient *patient, const char *line)
{
	struct zfs_pool *pool = &patient->stage.report.pool;

	for (size_t i = 0; i < pool->property_count; i++) {
		free(pool->properties[i].name);
		free(pool->properties[i].value);
	}
	pool->property_count = 0;
	zfs_parse_properties(pool, line);
}

/* Let the pool's other devices take the log's blocks, or the data. */
static void set_zil(struct patient *patient, bool is_indirect, double share)
{
	for (size_t run = 0; run < patient->stage.plan.run_count; run++) {
		struct evidence *evidence = &patient->stage.report.measurements[run].evidence;
		struct zil_counters *zil = &evidence->readings.after.zil;
		uint64_t moved = (uint64_t)(share * (double)zil->log_blocks);

		if (is_indirect) {
			zil->indirect = moved;
		} else {
			zil->log_blocks -= moved;
			zil->pool_blocks = moved;
		}
		evidence->readings.flushed = evidence->readings.after;
	}
}

static void test_wrong_path(void **state)
{
	struct patient patient;

	(void)state;
	open_unchanged(&patient, steady);
	set_property(&patient, "nvme-ultra-r10/vm-root\tsync\tdisabled\tlocal\n");
	for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
		patient.stage.report.measurements[run].evidence.readings.after.zil = (struct zil_counters){0};
	}
	examine(&patient);
	expect_in(&patient, "path", "sync=disabled: these writes were not durable, this is not a SLOG result");
	expect_in(&patient, "diagnosis", "Next suspect: the path: none of these writes was durable (see above).");
	close_patient(&patient);

	/* The property says otherwise, and nobody knows why. */
	open_unchanged(&patient, steady);
	for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
		patient.stage.report.measurements[run].evidence.readings.after.zil = (struct zil_counters){0};
	}
	examine(&patient);
	expect_in(&patient, "path", "these writes were not durable: ZFS's intent log counted nothing");
	expect_in(&patient, "diagnosis", "Next suspect: the path: none of these writes was durable (see above).");
	close_patient(&patient);

	open_unchanged(&patient, steady);
	set_property(&patient, "nvme-ultra-r10/vm-root\tlogbias\tthroughput\tlocal\n");
	set_zil(&patient, true, 1);
	examine(&patient);
	expect_in(&patient, "path",
		"they did not go to the log device: logbias=throughput sends the data to the pool's other devices; set it to "
		"latency with 'zfs set logbias=latency nvme-ultra-r10/vm-root'");
	expect_in(&patient, "diagnosis", "Next suspect: the wrong devices: logbias=throughput");
	close_patient(&patient);

	open_unchanged(&patient, steady);
	set_zil(&patient, false, 0.5);
	examine(&patient);
	expect_in(&patient, "path", "the sync writes went to the log device nvme1n1p1 in part only");
	close_patient(&patient);

	/* No log device at all. */
	open_unchanged(&patient, steady);
	for (size_t i = 0; i < patient.stage.report.pool.vdev_count; i++) {
		struct zfs_vdev *vdev = &patient.stage.report.pool.vdevs[i];

		vdev->class = vdev->class == ZFS_LOG ? ZFS_SPARE : vdev->class;
	}
	set_zil(&patient, false, 1);
	examine(&patient);
	expect_in(&patient, "path", "no log device: nvme-ultra-r10 has none");
	expect_in(&patient, "path", "adds one, 'zpool remove nvme-ultra-r10 DEVICE' takes it out again");
	expect_in(&patient, "diagnosis", "Next suspect: the pool's data devices: there is no log device");
	close_patient(&patient);
}

/* The words claim no more than the counters tell. */
static void test_path_doubts(void **state)
{
	struct patient patient;

	(void)state;
	open_unchanged(&patient, steady);
	set_zil(&patient, false, 0.02);
	examine(&patient);
	expect_in(&patient, "path", "The only row: nearly all sync writes went to the log device nvme1n1p1: ");
	expect_in(&patient, "path", "of them elsewhere, which others may have written (ZFS's own count, of all pools).");
	close_patient(&patient);

	open_unchanged(&patient, steady);
	set_property(&patient, "nvme-ultra-r10/vm-root\tlogbias\tthroughput\tlocal\n");
	set_zil(&patient, true, 1);
	for (size_t i = 0; i < patient.stage.report.pool.vdev_count; i++) {
		patient.stage.report.pool.vdevs[i].class = ZFS_SPARE;
	}
	examine(&patient);
	expect_in(&patient, "path", "no log device, and logbias=throughput sends the data to the pool's devices at once");
	expect_not_in(&patient, "path", "they did not go to the log device");
	close_patient(&patient);

	/* Zpool gave no answer. */
	open_unchanged(&patient, steady);
	zfs_pool_release(&patient.stage.report.pool);
	set_zil(&patient, false, 1);
	examine(&patient);
	expect_in(&patient, "path", "they went to the pool's data devices; whether it has a log device is not known");
	close_patient(&patient);
}

/* Out of ZFS: ext4 on the disk nvme1n1. */
static void move_to_ext4(struct patient *patient, enum write_cache cache)
{
	struct report *report = &patient->stage.report;

	zfs_pool_release(&report->pool);
	free(report->storage.file_system);
	report->storage.file_system = xstrdup("ext4");
	report->storage.kind = STORAGE_BLOCK;
	report->storage.write_copies = 1;
	report->storage.write_copies_known = true;
	free(report->storage.devices[1].name);
	report->storage.device_count = 1;
	report->storage.devices[0].roles &= ~(1U << STORAGE_LOG);
	report->storage.devices[0].write_cache = cache;
	for (size_t run = 0; run < patient->stage.plan.run_count && cache == WRITE_CACHE_VOLATILE; run++) {
		struct run_readings *readings = &report->measurements[run].evidence.readings;

		for (size_t role = 0; role < STORAGE_ROLE_COUNT; role++) {
			/* A flush is a write request, too, and its time is in theirs. */
			readings->after.devices[role].flush_requests = readings->after.devices[role].write_requests;
			readings->after.devices[role].write_requests *= 2;
		}
		readings->flushed = readings->after;
	}
}

static const struct figure waiting[] = {{3000, 330.0, 300, 2e9, 0.1}, {3010, 329.0, 299, 2e9, 0}};

static void test_device_wait(void **state)
{
	static const struct environment_fact rotational = {.key = "rotational", .label = "rotational"};
	struct patient patient;

	(void)state;
	open_unchanged(&patient, waiting);
	expect_suspect(&patient,
		"Next suspect: the device: of 330.0 us each commit waits 300.0 us for nvme1n1; that is what the device itself "
		"takes.");

	open_unchanged(&patient, waiting);
	move_to_ext4(&patient, WRITE_CACHE_VOLATILE);
	examine(&patient);
	expect_in(&patient, "path",
		"each commit made 1.0 flushes and 1.0 writes on nvme1n1, whose write cache is on (write back): what was "
		"confirmed was on the medium.");
	expect_in(&patient, "diagnosis", "probably no power-loss protection (PLP): its write cache is volatile");
	patient.stage.report.power.is_virtual = true;
	doctor_examine(&patient.record, &patient.stage.report);
	expect_in(&patient, "path", "confirmed was on the medium, if this virtual machine's host flushes, too.");
	expect_in(&patient, "diagnosis", "each commit waits for a flush, which the host has to carry out");
	close_patient(&patient);

	/* A kernel that counts no flush among the writes; and what holds for one thread is not said of all. */
	open_unchanged(&patient, waiting);
	set_main(&patient, 4, &(struct figure){9000, 440, 300, 0, 0});
	move_to_ext4(&patient, WRITE_CACHE_VOLATILE);
	for (size_t run = 0; run < patient.stage.plan.run_count; run++) {
		struct run_readings *readings = &patient.stage.report.measurements[run].evidence.readings;

		for (size_t role = 0; role < STORAGE_ROLE_COUNT; role++) {
			readings->after.devices[role].write_requests = readings->after.devices[role].flush_requests;
		}
	}
	examine(&patient);
	expect_in(&patient, "path", "Every row: with 1 thread each commit made 1.0 flushes and 1.0 writes on nvme1n1,");
	close_patient(&patient);

	open_unchanged(&patient, waiting);
	move_to_ext4(&patient, WRITE_CACHE_NONE);
	patient.stage.report.environment.facts = xcalloc(1, sizeof(struct environment_fact));
	patient.stage.report.environment.facts[0] = rotational;
	patient.stage.report.environment.facts[0].subject = xstrdup("nvme1n1");
	patient.stage.report.environment.facts[0].value = xstrdup("yes");
	patient.stage.report.environment.fact_count = 1;
	examine(&patient);
	expect_in(&patient, "path",
		"each commit made 1.0 writes on nvme1n1, which claims no volatile cache (write through): no flush is needed.");
	expect_in(&patient, "diagnosis", "waits 300.0 us for nvme1n1, a rotating disk");
	close_patient(&patient);
}

static void add_finding(struct patient *patient, enum finding_kind kind)
{
	struct findings *findings = &patient->stage.report.findings;

	findings->list = xcalloc(1, sizeof(*findings->list));
	findings->list[0] = (struct finding){.kind = kind, .run = 0, .value = 0.97};
	findings->count = 1;
}

/* The first run of the experiment. */
static size_t find_experiment(const struct plan *plan)
{
	size_t run = 0;

	while (plan_workload(plan, run)->part != PART_EXPERIMENT) {
		run++;
	}
	return run;
}

/* What is fast in memory is not called healthy. */
static void test_marked(void **state)
{
	static const struct figure memory[] = {{400000, 2.1, 0, 2e9, 0.1}, {401000, 2.1, 0, 2e9, 0}};
	struct patient patient;

	(void)state;
	open_unchanged(&patient, memory);
	add_finding(&patient, FINDING_SERVED_FROM_RAM);
	examine(&patient);
	expect_in(&patient, "diagnosis", "Next suspect: the figures themselves: those of one thread are not the device's");
	expect_not_in(&patient, "diagnosis", "Healthy");
	expect_not_in(&patient, "diagnosis", "of the experiment's figures");
	close_patient(&patient);

	open_unchanged(&patient, memory);
	add_finding(&patient, FINDING_SERVED_FROM_RAM);
	patient.stage.report.findings.list[0].run = find_experiment(&patient.stage.plan);
	examine(&patient);
	expect_in(
		&patient, "diagnosis", "But not all of the experiment's figures are the device's alone, see their marks.");
	close_patient(&patient);
}

static void test_other_suspects(void **state)
{
	struct patient patient;

	(void)state;
	open_unchanged(&patient, steady);
	expect_suspect(&patient, "Next suspect: the host: of 330.0 us each commit spends 270.0 us above the device");

	open_unchanged(&patient, steady);
	set_main(&patient, 4, &(struct figure){9000, 440, 60, 0, 0});
	set_main(&patient, 8, &(struct figure){7000, 1100, 60, 0, 0});
	expect_suspect(&patient, "Next suspect: queueing: 8 threads make fewer commits than 4");

	open_unchanged(&patient, steady);
	add_finding(&patient, FINDING_CPU_BOUND);
	expect_suspect(&patient, "Next suspect: the processors:");

	open_unchanged(&patient, steady);
	add_finding(&patient, FINDING_OTHER_TRAFFIC);
	expect_suspect(&patient, "Next suspect: others' traffic");

	/* No counter tells where the time goes. */
	open_unchanged(&patient, steady);
	patient.stage.report.storage.kind = STORAGE_NFS;
	expect_suspect(&patient, "Nothing else stands out, and where the time of a commit goes is not known here.");
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
		cmocka_unit_test(test_case_study),
		cmocka_unit_test(test_healthy),
		cmocka_unit_test(test_other_system),
		cmocka_unit_test(test_governor_alone),
		cmocka_unit_test(test_no_cpufreq),
		cmocka_unit_test(test_virtual_machine),
		cmocka_unit_test(test_no_claim),
		cmocka_unit_test(test_stages_apart),
		cmocka_unit_test(test_vague),
		cmocka_unit_test(test_not_asked),
		cmocka_unit_test(test_scaling),
		cmocka_unit_test(test_wrong_path),
		cmocka_unit_test(test_path_doubts),
		cmocka_unit_test(test_device_wait),
		cmocka_unit_test(test_marked),
		cmocka_unit_test(test_other_suspects),
		cmocka_unit_test(test_yardsticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
