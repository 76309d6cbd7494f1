#include "scratch.h"

#include "fio/command.h"
#include "plan/plan.h"

static const enum engine engines[] = {ENGINE_IO_URING, ENGINE_LIBAIO, ENGINE_POSIXAIO, ENGINE_SYNC, ENGINE_PSYNC};

/* A command in one line. */
static void add_command(struct text *line, const struct fio_job *job, enum fio_output output)
{
	char **arguments = fio_command(job, output);

	for (size_t i = 0; arguments[i]; i++) {
		text_add(line, i > 0 ? " " : "");
		text_add(line, arguments[i]);
	}
	fio_command_free(arguments);
}

/* The commands of a profile: each run, each engine, with and without O_DIRECT. */
static void add_profile(struct text *all, const struct profile *profile)
{
	struct plan plan;

	const struct plan_choice choice = {.size_bytes = UINT64_C(1) << 30, .runtime_s = 5, .runs = 1};
	plan_init(&plan, profile, &choice);
	for (size_t run = 0; run < plan.run_count; run++) {
		char *name = plan_run_name(&plan, run);

		for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
			for (int direct = 0; direct < 2; direct++) {
				struct fio_job job = fio_job_measure(
					plan_workload(&plan, run), plan.runs[run].transfer, engines[i], direct, plan.size_bytes, 5, 0);

				assert_true(fio_job_is_sane(&job));
				text_addf(all, "%s, %s, %s: ", name, engine_name(engines[i]), direct ? "direct" : "buffered");
				add_command(all, &job, FIO_OUTPUT_DESCRIPTOR);
				text_add(all, "\n");
			}
		}
		free(name);
	}
	plan_release(&plan);
}

/* Every command that a measurement uses; UPDATE=1 writes the file anew, for a look with git diff. */
static void test_golden(void **state)
{
	static const char path[] = "tests/fixtures/fio/commands.txt";
	struct text all = TEXT_EMPTY, golden = TEXT_EMPTY;

	(void)state;
	add_profile(&all, &profile_cdm);
	add_profile(&all, &profile_slog);
	if (getenv("UPDATE")) {
		scratch_write(path, all.bytes, all.length, 0644);
	}
	scratch_read(&golden, path);
	assert_string_equal(all.bytes, golden.bytes);
	text_release(&all);
	text_release(&golden);
}

static void test_sequential_read(void **state)
{
	struct fio_job job =
		fio_job_measure(&profile_cdm.workloads[0], TRANSFER_READ, ENGINE_IO_URING, 1, UINT64_C(1) << 30, 5, 0);
	struct text line = TEXT_EMPTY;

	(void)state;
	add_command(&line, &job, FIO_OUTPUT_DESCRIPTOR);
	assert_string_equal(line.bytes,
		"--name=speedtest-hd --filename=speedtest-hd.bench --size=1073741824 --allow_file_create=0 --overwrite=1 "
		"--rw=read --bs=1048576 --ioengine=io_uring --iodepth=8 --numjobs=1 --thread --max-jobs=1 --exitall_on_error "
		"--direct=1 --randrepeat=0 --time_based --runtime=5 --output-format=json --output=/proc/self/fd/3 "
		"--eta=always");
	text_release(&line);
}

static void test_random_write(void **state)
{
	struct fio_job job =
		fio_job_measure(&profile_cdm.workloads[2], TRANSFER_WRITE, ENGINE_LIBAIO, 0, UINT64_C(1) << 30, 7, 0);
	struct text line = TEXT_EMPTY;

	(void)state;
	add_command(&line, &job, FIO_OUTPUT_FILE);
	assert_string_equal(line.bytes,
		"--name=speedtest-hd --filename=speedtest-hd.bench --size=1073741824 --allow_file_create=0 --overwrite=1 "
		"--rw=randwrite --bs=4096 --ioengine=libaio --iodepth=32 --numjobs=16 --thread --max-jobs=16 "
		"--exitall_on_error --direct=0 --randrepeat=0 --refill_buffers=1 --end_fsync=1 --time_based --runtime=7 "
		"--output-format=json --output=speedtest-hd.json --eta=always");
	text_release(&line);
}

static void test_commit(void **state)
{
	struct fio_job job =
		fio_job_measure(&profile_slog.workloads[3], TRANSFER_WRITE, ENGINE_PSYNC, 0, UINT64_C(64) << 20, 5, 0);
	struct text line = TEXT_EMPTY;

	(void)state;
	add_command(&line, &job, FIO_OUTPUT_DESCRIPTOR);
	assert_string_equal(line.bytes,
		"--name=speedtest-hd --filename=speedtest-hd.bench --size=67108864 --allow_file_create=0 --overwrite=1 "
		"--rw=randwrite --bs=4096 --ioengine=psync --numjobs=16 --thread --max-jobs=16 --exitall_on_error --direct=0 "
		"--sync=1 --randrepeat=0 --refill_buffers=1 --end_fsync=1 --time_based --runtime=5 --output-format=json "
		"--output=/proc/self/fd/3 --eta=always");
	text_release(&line);
}

static bool has(const struct fio_job *job, const char *words)
{
	struct text line = TEXT_EMPTY;
	bool found;

	add_command(&line, job, FIO_OUTPUT_DESCRIPTOR);
	found = strstr(line.bytes, words) != NULL;
	text_release(&line);
	return found;
}

/* Each rule over all rows, both directions and all engines. */
static void test_rules(void **state)
{
	const struct profile *const with_fio[] = {&profile_cdm, &profile_slog};

	(void)state;
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]) * 2 * 2 * 4 * 2; i++) {
		const struct profile *profile = with_fio[i % 2];
		const struct workload *workload = &profile->workloads[i / 2 % 4];
		enum transfer transfer = i / 8 % 2 ? TRANSFER_WRITE : TRANSFER_READ;
		int direct = i / 16 % 2 ? 1 : 0;
		enum engine engine = engines[i / 32 % (sizeof(engines) / sizeof(engines[0]))];
		struct fio_job job = fio_job_measure(workload, transfer, engine, direct, UINT64_C(1) << 30, 5, 0);

		assert_true(fio_job_is_sane(&job));
		assert_true(
			has(&job, "--refill_buffers") == (transfer == TRANSFER_WRITE && workload->block_size_bytes == 4096));
		assert_true(has(&job, "--end_fsync=1") == (transfer == TRANSFER_WRITE));
		assert_true(has(&job, "--iodepth=") == (engine != ENGINE_SYNC && engine != ENGINE_PSYNC));
		assert_true(has(&job, "--sync=1") == (profile == &profile_slog));
		assert_true(has(&job, direct ? "--direct=1" : "--direct=0"));
		assert_true(has(&job, "--thread ") && has(&job, "--randrepeat=0") && has(&job, "--time_based"));
		assert_false(has(&job, "group_reporting") || has(&job, "status-interval") || has(&job, "tausworthe64"));
	}
}

/* One way or another, but never two. */
static void test_sync_methods(void **state)
{
	struct workload workload = profile_slog.workloads[0];
	static const char *const options[] = {" --sync=1 ", " --sync=dsync ", " --fdatasync=1 "};

	(void)state;
	for (int method = 0; method < SYNC_METHOD_COUNT; method++) {
		workload.sync_method = (enum sync_method)method;
		struct fio_job job = fio_job_measure(&workload, TRANSFER_WRITE, ENGINE_PSYNC, 0, UINT64_C(1) << 30, 5, 0);

		assert_true(fio_job_is_sane(&job));
		for (int i = 0; i < SYNC_METHOD_COUNT; i++) {
			assert_int_equal(has(&job, options[i]), i == method);
		}
		assert_true(has(&job, "--end_fsync=1"));
	}
	workload.synchronous = false;
	struct fio_job job = fio_job_measure(&workload, TRANSFER_WRITE, ENGINE_PSYNC, 0, UINT64_C(1) << 30, 5, 0);
	assert_true(fio_job_is_sane(&job));
	assert_false(has(&job, "--sync=") || has(&job, "--fdatasync"));
}

/* A ramp goes before the runtime; without one fio hears nothing of it. */
static void test_ramp(void **state)
{
	struct fio_job job =
		fio_job_measure(&profile_cdm.workloads[0], TRANSFER_READ, ENGINE_LIBAIO, 1, UINT64_C(1) << 30, 5, 3600);

	(void)state;
	assert_true(fio_job_is_sane(&job));
	assert_true(has(&job, "--time_based --runtime=5 --ramp_time=3600 --output-format"));
	job.ramp_s = 0;
	assert_false(has(&job, "ramp_time"));
	job.ramp_s = 3601;
	assert_false(fio_job_is_sane(&job));
	job = fio_job_trial(ENGINE_LIBAIO, 1, 0);
	job.ramp_s = 1;
	assert_false(fio_job_is_sane(&job));
}

static void test_trial(void **state)
{
	struct fio_job job = fio_job_trial(ENGINE_IO_URING, 1, 0);
	struct text line = TEXT_EMPTY;

	(void)state;
	assert_true(fio_job_is_sane(&job));
	add_command(&line, &job, FIO_OUTPUT_DESCRIPTOR);
	assert_non_null(strstr(line.bytes, "--rw=randrw --bs=4096 --ioengine=io_uring "));
	assert_non_null(strstr(line.bytes, "--number_ios=32"));
	assert_null(strstr(line.bytes, "--time_based"));
	assert_null(strstr(line.bytes, "--runtime"));
	text_release(&line);
	job = fio_job_trial(ENGINE_PSYNC, 0, 1);
	assert_true(has(&job, "--sync=1"));
	assert_true(has(&job, "--direct=0"));
}

/* The default generator counts 2^32 blocks at most. */
static void test_generator(void **state)
{
	struct fio_job job = fio_job_trial(ENGINE_LIBAIO, 1, 0);

	(void)state;
	job.size_bytes = (UINT64_C(1) << 44) - 4096;
	assert_false(has(&job, "--random_generator"));
	job.size_bytes = UINT64_C(1) << 44;
	assert_true(has(&job, "--random_generator=tausworthe64"));
}

static void test_sane(void **state)
{
	const struct fio_job good =
		fio_job_measure(&profile_cdm.workloads[2], TRANSFER_WRITE, ENGINE_PSYNC, 1, 1 << 30, 5, 0);
	struct fio_job job;

	(void)state;
	assert_true(fio_job_is_sane(&good));
#define INSANE(field, value)                                                                                           \
	do {                                                                                                               \
		job = good;                                                                                                    \
		job.field = (value);                                                                                           \
		assert_false(fio_job_is_sane(&job));                                                                           \
	} while (0)
	INSANE(engine, ENGINE_PSYNC + 1);
	INSANE(engine, UINT32_MAX);
	INSANE(pattern, 2);
	INSANE(transfer, 2);
	INSANE(direct, 2);
	INSANE(synchronous, 2);
	INSANE(sync_method, SYNC_O_DSYNC); /* of what is not synchronous */
	INSANE(trial, 2);
	INSANE(queue_depth, 0);
	INSANE(queue_depth, 4097);
	INSANE(jobs, 0);
	INSANE(jobs, 257);
	INSANE(block_size_bytes, 0);
	INSANE(block_size_bytes, 511);
	INSANE(block_size_bytes, (64U << 20) + 1);
	INSANE(size_bytes, 4095);
	INSANE(size_bytes, (UINT64_C(1) << 50) + 1);
	INSANE(runtime_s, 0);
	INSANE(runtime_s, 604801);
	INSANE(runtime_s, UINT64_MAX);
#undef INSANE
	job = fio_job_measure(&profile_slog.workloads[0], TRANSFER_WRITE, ENGINE_PSYNC, 0, 1 << 30, 5, 0);
	assert_true(fio_job_is_sane(&job));
	job.sync_method = SYNC_METHOD_COUNT;
	assert_false(fio_job_is_sane(&job));
	job = (struct fio_job){0};
	assert_false(fio_job_is_sane(&job));
}

static void test_freeing(void **state)
{
	(void)state;
	fio_command_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_sequential_read),
		cmocka_unit_test(test_random_write),
		cmocka_unit_test(test_commit),
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_sync_methods),
		cmocka_unit_test(test_ramp),
		cmocka_unit_test(test_trial),
		cmocka_unit_test(test_generator),
		cmocka_unit_test(test_sane),
		cmocka_unit_test(test_freeing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
