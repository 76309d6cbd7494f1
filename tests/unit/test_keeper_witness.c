/* What the witness reads before and after a run. */
#include "keeper_scene.h"

static void begin_runs(void)
{
	const struct witness_run trial = {.is_trial = true}, reading = {.reads = true, .runtime_s = 5},
							 writing = {.runtime_s = 5};
	struct scene scene;
	struct witness *witness = &scene.keeper.witness;
	const struct run_readings *readings = &witness->readings;

	set_scene(&scene, 2 * MIB);
	watch(&scene, &device_watch);
	demand(begin(&scene, &trial) == 0);
	demand(readings->before.at_ns == 0 && readings->idle.at_ns == 0 && readings->file.known == 0);
	/* The trial was work of ours: what others do shows only from now on. */
	demand(begin(&scene, &reading) == 100);
	demand(readings->before.at_ns - readings->idle.at_ns == 100 * NS_PER_MS);
	demand(readings->file.known & FILE_STATE_HOLES && readings->file.unwritten_bytes == 0);
	demand((readings->file.known & FILE_STATE_RESIDENT) == 0);
	/* Some time after the last work the wait is over already. */
	witness_rest(witness);
	pass_ms(110);
	demand(begin(&scene, &writing) == 0);
	demand(readings->idle.at_ns != 0 && readings->before.at_ns - readings->idle.at_ns >= 100 * NS_PER_MS);
	demand(readings->file.known == 0);
	/* Nothing to wait for where no counter could tell. */
	watch(&scene, &no_watch);
	demand(begin(&scene, &writing) == 0);
	demand(readings->before.at_ns != 0 && readings->idle.at_ns == 0);
	clear_scene(&scene);
}

static void test_begin(void **state)
{
	(void)state;
	run_as_both(begin_runs);
}

static void begin_unwanted(void)
{
	const struct witness_run run = {.reads = true, .runtime_s = 5};
	struct scene scene;

	set_scene(&scene, 4096);
	watch(&scene, &device_watch);
	demand(keeper_send_struct(scene.ask, KEEPER_STOP, NULL, 0));
	demand(begin(&scene, &run) == 0);
	demand(scene.keeper.requests.stop_wanted && !scene.keeper.requests.ended);
	demand(scene.keeper.witness.readings.idle.at_ns == 0);
	/* Nor is the file looked at any longer. */
	demand(scene.keeper.witness.readings.file.known == FILE_STATE_ALLOCATED);
	witness_look(&scene.keeper.witness, scene.keeper.test_file, &scene.keeper.requests);
	demand(scene.keeper.witness.readings.file.known == FILE_STATE_ALLOCATED);
	clear_scene(&scene);
}

static void test_unwanted(void **state)
{
	(void)state;
	run_as(geteuid(), begin_unwanted);
}

/* What was written since the watch began, with the laying out of the file in it. */
static void count_since_watch(void)
{
	const struct witness_run run = {.is_prompt = true, .runtime_s = 1};
	const struct rusage usage = {.ru_inblock = 0};
	struct scene scene;
	struct witness *witness = &scene.keeper.witness;
	const uint64_t *written = witness->readings.written_since_watch_bytes;

	set_machine(&scene);
	demand(!witness_counted(witness, 1));
	put_disk(MIB, 3 * MIB, 0);
	demand(witness_counted(witness, 2 * MIB) && !witness_counted(witness, 2 * MIB + 1));
	begin(&scene, &run);
	witness_started(witness);
	demand(written[STORAGE_TOP] == 0);
	put_disk(MIB, 4 * MIB, 0);
	witness_ended(witness, &usage);
	demand(written[STORAGE_TOP] == 3 * MIB && written[STORAGE_LEAF] == 3 * MIB && written[STORAGE_DISK] == 0);
	put_disk(MIB, 6 * MIB, 0);
	witness_flushed(witness);
	demand(written[STORAGE_TOP] == 5 * MIB);
	/* Counters that were not there at first, or are not there any more, tell of nothing. */
	demand(unlink("m/sys/dev/block/8:1/stat") == 0);
	witness_flushed(witness);
	demand(written[STORAGE_TOP] == 0 && !witness_counted(witness, 1));
	watch(&scene, &disk_watch);
	put_disk(MIB, 9 * MIB, 0);
	witness_flushed(witness);
	demand(written[STORAGE_TOP] == 0 && !witness_counted(witness, 1));
	clear_scene(&scene);
}

static void test_since_watch(void **state)
{
	(void)state;
	run_as(geteuid(), count_since_watch);
}

static void end_run(void)
{
	const struct witness_run run = {.reads = true, .runtime_s = 1};
	struct scene scene;
	struct witness *witness = &scene.keeper.witness;
	struct rusage usage;

	set_scene(&scene, MIB);
	watch(&scene, &no_watch);
	begin(&scene, &run);
	pid_t pid = fork();
	demand(pid >= 0);
	if (pid == 0) {
		_exit(0);
	}
	demand(wait4(pid, NULL, 0, &usage) == pid);
	bool known = access("/proc/self/io", R_OK) == 0;
	witness_ended(witness, &usage);
	demand(witness->readings.after.at_ns >= witness->readings.before.at_ns);
	demand(witness->readings.account.known == (known ? 1U : 0U));
	/* Of two looks the one with more holes stands; what is in RAM is from the last. */
	witness->readings.file.unwritten_bytes = 4096;
	witness_look(witness, scene.keeper.test_file, &scene.keeper.requests);
	demand(witness->readings.file.unwritten_bytes == 4096);
	demand(witness->readings.file.known & FILE_STATE_RESIDENT && witness->readings.file.resident_bytes == MIB);
	demand(ftruncate(scene.keeper.test_file, 2 * MIB) == 0);
	witness_look(witness, scene.keeper.test_file, &scene.keeper.requests);
	demand(witness->readings.file.unwritten_bytes == MIB && witness->readings.file.size_bytes == 2 * MIB);
	witness_flushed(witness);
	demand(witness->readings.flushed.at_ns >= witness->readings.after.at_ns);
	clear_scene(&scene);
}

static void test_end(void **state)
{
	(void)state;
	run_as_both(end_run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_begin),
		cmocka_unit_test(test_unwanted),
		cmocka_unit_test(test_since_watch),
		cmocka_unit_test(test_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
