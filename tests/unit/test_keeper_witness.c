#include "errand.h"

#include <errno.h>
#include <poll.h>

#include "../../src/keeper/state.h"
#include "plan/workload.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/memory.h"

enum { MIB = 1 << 20 };

/* A keeper with a test file, whose answers nobody reads but us. */
struct scene {
	struct keeper keeper;
	struct keeper_setup setup;
	int ask;    /* requests go in here */
	int answer; /* and answers come out here */
};

static void set_scene(struct scene *scene, size_t size)
{
	struct failure failure = FAILURE_NONE;
	int requests[2], answers[2], error = 0;
	char *bytes = xcalloc(1, size);

	demand(pipe(requests) == 0 && pipe(answers) == 0);
	scene->setup = (struct keeper_setup){.in = requests[0], .out = answers[1]};
	scene->keeper = (struct keeper){.setup = &scene->setup, .requests = {.in = requests[0]}, .test_file = -1};
	scene->ask = requests[1];
	scene->answer = answers[0];
	demand(test_folder_create(&scene->keeper.folder, &error, &failure));
	int file = openat(scene->keeper.folder.directory, TEST_FILE_NAME, O_RDWR | O_CREAT | O_EXCL, 0600);
	memset(bytes, 'x', size);
	demand(file >= 0 && write(file, bytes, size) == (ssize_t)size && fsync(file) == 0);
	scene->keeper.test_file = file;
	free(bytes);
}

static void clear_scene(struct scene *scene)
{
	witness_release(&scene->keeper.witness);
	file_close(&scene->keeper.test_file);
	demand(test_folder_remove(&scene->keeper.folder));
	text_release(&scene->keeper.requests.buffered);
	close(scene->ask);
	close(scene->answer);
	close(scene->setup.in);
	close(scene->setup.out);
}

/* A device that is not there is waited for like any other. */
static const struct watch device_watch = {.device_count = 1, .devices = {{4000, 0, 7}}};
static const struct watch no_watch;

static void watch(struct scene *scene, const struct watch *list)
{
	witness_watch(&scene->keeper.witness, list, scene->keeper.folder.directory);
}

static uint64_t begin(struct scene *scene, const struct witness_run *run)
{
	uint64_t started_ns = clock_now_ns();

	witness_begin(&scene->keeper.witness, run, scene->keeper.test_file, &scene->keeper.requests);
	return (clock_now_ns() - started_ns) / NS_PER_MS;
}

static void begin_runs(void)
{
	const struct witness_run trial = {.is_trial = true}, reading = {.reads = true, .runtime_s = 5},
							 writing = {.runtime_s = 5};
	struct scene scene;
	struct witness *witness = &scene.keeper.witness;
	const struct run_readings *readings = &witness->readings;

	set_scene(&scene, 2 * MIB);
	watch(&scene, &device_watch);
	demand(begin(&scene, &trial) < 90);
	demand(readings->before.at_ns == 0 && readings->idle.at_ns == 0 && readings->file.known == 0);
	/* The trial was work of ours: what others do shows only from now on. */
	demand(begin(&scene, &reading) >= 99);
	demand(readings->before.at_ns - readings->idle.at_ns >= 100 * NS_PER_MS);
	demand(readings->file.known & FILE_STATE_HOLES && readings->file.unwritten_bytes == 0);
	demand((readings->file.known & FILE_STATE_RESIDENT) == 0);
	/* Some time after the last work the wait is over already. */
	witness_rest(witness);
	poll(NULL, 0, 110);
	demand(begin(&scene, &writing) < 90);
	demand(readings->idle.at_ns != 0 && readings->before.at_ns - readings->idle.at_ns >= 100 * NS_PER_MS);
	demand(readings->file.known == 0);
	/* Nothing to wait for where no counter could tell. */
	watch(&scene, &no_watch);
	demand(begin(&scene, &writing) < 90);
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
	demand(begin(&scene, &run) < 90);
	demand(scene.keeper.requests.stop_wanted && !scene.keeper.requests.ended);
	demand(scene.keeper.witness.readings.idle.at_ns == 0);
	clear_scene(&scene);
}

static void test_unwanted(void **state)
{
	(void)state;
	run_as(geteuid(), begin_unwanted);
}

/* Pretend that the run has gone on for that long, and that the last reading is long ago. */
static void tick_at(struct witness *witness, uint64_t since_ms)
{
	witness->started_ns = clock_now_ns() - since_ms * NS_PER_MS;
	witness->next_ns = 0;
	witness_tick(witness, getpid());
}

static void tick_through(void)
{
	const struct witness_run run = {.runtime_s = 20}, trial = {.is_trial = true, .runtime_s = 20}, endless = {0};
	struct scene scene;
	struct witness *witness = &scene.keeper.witness;
	const struct run_readings *readings = &witness->readings;

	set_scene(&scene, 4096);
	watch(&scene, &no_watch);
	begin(&scene, &run);
	witness_started(witness);
	tick_at(witness, 200);
	demand(readings->files.files == 0 && readings->steady_begin.at_ns == 0);
	tick_at(witness, 400);
	demand(readings->files.files == 1 && readings->steady_begin.at_ns == 0);
	tick_at(witness, 1900);
	demand(readings->steady_begin.at_ns == 0);
	tick_at(witness, 2000);
	uint64_t begun_ns = readings->steady_begin.at_ns;
	demand(begun_ns != 0 && readings->steady_end.at_ns == 0);
	witness_tick(witness, getpid()); /* too soon */
	demand(readings->steady_end.at_ns == 0 && witness->next_ns >= begun_ns + 200 * NS_PER_MS);
	tick_at(witness, 3000);
	uint64_t ended_ns = readings->steady_end.at_ns;
	demand(ended_ns > begun_ns && readings->steady_begin.at_ns == begun_ns);
	tick_at(witness, 20050);
	demand(readings->steady_end.at_ns > ended_ns);
	ended_ns = readings->steady_end.at_ns;
	tick_at(witness, 20200); /* by now it may be flushing */
	demand(readings->steady_end.at_ns == ended_ns);
	begin(&scene, &endless);
	tick_at(witness, 600);
	tick_at(witness, 3600000);
	demand(readings->steady_begin.at_ns != 0 && readings->steady_end.at_ns != 0);
	begin(&scene, &trial);
	tick_at(witness, 5000);
	demand(readings->steady_begin.at_ns == 0 && readings->files.files == 0);
	clear_scene(&scene);
}

static void test_ticks(void **state)
{
	(void)state;
	run_as_both(tick_through);
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
	witness_look(witness, scene.keeper.test_file);
	demand(witness->readings.file.unwritten_bytes == 4096);
	demand(witness->readings.file.known & FILE_STATE_RESIDENT && witness->readings.file.resident_bytes == MIB);
	demand(ftruncate(scene.keeper.test_file, 2 * MIB) == 0);
	witness_look(witness, scene.keeper.test_file);
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

/* The answer to a trial, after the signs of life before it. */
static uint32_t take_answer(struct scene *scene, struct direct_truth *truth)
{
	struct text buffered = TEXT_EMPTY;
	struct keeper_message message;
	bool broken = false;
	char bytes[4096];

	for (;;) {
		while (keeper_take(&buffered, &message, &broken)) {
			uint32_t type = message.type;

			if (type == KEEPER_DIRECT) {
				demand(message.payload.length == sizeof(*truth) && keeper_payload(&message, truth, sizeof(*truth)));
			}
			text_release(&message.payload);
			if (type != KEEPER_PROGRESS) {
				text_release(&buffered);
				return type;
			}
		}
		ssize_t size = read(scene->answer, bytes, sizeof(bytes));
		demand(size > 0 && !broken);
		text_add_bytes(&buffered, bytes, (size_t)size);
	}
}

static void try_sizes(void)
{
	static const size_t sizes[] = {16 * MIB, 4 * MIB, MIB, 300 * 1024, 4096};
	struct direct_truth truth;
	struct scene scene;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		set_scene(&scene, sizes[i]);
		watch(&scene, &no_watch);
		keeper_serve_direct(&scene.keeper);
		demand(take_answer(&scene, &truth) == KEEPER_DIRECT);
		demand(truth.size_bytes <= sizes[i] && truth.size_bytes <= 4 * MIB && truth.device_known == 0);
		demand(truth.size_bytes > 0 || sizes[i] < 65536 || truth.error != 0);
		demand(truth.written_device_bytes == 0 && truth.journals_data <= 1);
		if (truth.error == 0 && truth.size_bytes < MIB) {
			demand(truth.dirtied_known == 0);
		}
		demand(scene.keeper.witness.resting.at_ns != 0);
		clear_scene(&scene);
	}
}

static void test_direct(void **state)
{
	(void)state;
	run_as_both(try_sizes);
}

/* The file keeps its size, and a stop is obeyed between two steps. */
static void try_unwanted(void)
{
	struct direct_truth truth;
	struct stat status;
	struct scene scene;

	set_scene(&scene, 4 * MIB);
	watch(&scene, &no_watch);
	demand(keeper_send_struct(scene.ask, KEEPER_STOP, NULL, 0));
	keeper_serve_direct(&scene.keeper);
	demand(take_answer(&scene, &truth) == KEEPER_DIRECT);
	demand(truth.error == ECANCELED || truth.error == EINVAL);
	demand(fstat(scene.keeper.test_file, &status) == 0 && status.st_size == 4 * MIB);
	/* And without the file there is no trial. */
	demand(unlinkat(scene.keeper.folder.directory, TEST_FILE_NAME, 0) == 0);
	demand(symlinkat("/etc/passwd", scene.keeper.folder.directory, TEST_FILE_NAME) == 0);
	keeper_serve_direct(&scene.keeper);
	demand(take_answer(&scene, &truth) == KEEPER_REFUSED);
	file_close(&scene.keeper.test_file);
	keeper_serve_direct(&scene.keeper);
	demand(take_answer(&scene, &truth) == KEEPER_REFUSED);
	clear_scene(&scene);
}

static void test_direct_unwanted(void **state)
{
	(void)state;
	run_as(geteuid(), try_unwanted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_begin),
		cmocka_unit_test(test_unwanted),
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_direct_unwanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
