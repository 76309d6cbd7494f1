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

/* Under valgrind a step takes as long as it takes: there only the plain run looks at the time. */
static bool is_timely(bool is_in_time)
{
	return is_in_time || getenv("SPEEDTEST_HD_SLOW");
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
	demand(is_timely(begin(&scene, &run) < 90));
	demand(scene.keeper.requests.stop_wanted && !scene.keeper.requests.ended);
	demand(is_timely(scene.keeper.witness.readings.idle.at_ns == 0));
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

/* Pretend that the run has gone on for that long, and that the last reading and the last look are long ago. */
static void tick_at(struct witness *witness, uint64_t since_ms)
{
	uint64_t started_ns = clock_now_ns() - since_ms * NS_PER_MS;

	/* What was seen was seen as long after the start. */
	witness->still_ns += started_ns - witness->started_ns;
	witness->moved_ns += witness->moved_ns != 0 ? started_ns - witness->started_ns : 0;
	witness->started_ns = started_ns;
	witness->next_ns = witness->look_ns = 0;
	witness_tick(witness, getpid());
}

static void tick_through(void)
{
	const struct witness_run run = {.is_prompt = true, .runtime_s = 20}, trial = {.is_trial = true, .runtime_s = 20},
							 endless = {0};
	struct scene scene;
	struct witness *witness = &scene.keeper.witness;
	const struct run_readings *readings = &witness->readings;

	set_scene(&scene, 4096);
	watch(&scene, &no_watch);
	begin(&scene, &run);
	witness_started(witness);
	demand(witness->look_ns >= witness->started_ns + 300 * NS_PER_MS);
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
	demand(is_timely(witness_rest_ns(witness) > 150 * NS_PER_MS));
	tick_at(witness, 3000);
	uint64_t ended_ns = readings->steady_end.at_ns;
	demand(ended_ns > begun_ns && readings->steady_begin.at_ns == begun_ns);
	demand(readings->steady_end.known == readings->steady_begin.known);
	tick_at(witness, 3100); /* not worth a whole reading */
	demand(readings->steady_end.at_ns == ended_ns);
	tick_at(witness, 20050);
	demand(readings->steady_end.at_ns > ended_ns);
	ended_ns = readings->steady_end.at_ns;
	tick_at(witness, 20200); /* by now it may be flushing */
	demand(readings->steady_end.at_ns == ended_ns);
	demand(readings->steady_count == 0); /* no device, nothing in flight */
	begin(&scene, &endless);
	witness_started(witness);
	tick_at(witness, 600);
	tick_at(witness, 3600000);
	demand(readings->steady_begin.at_ns != 0 && readings->steady_end.at_ns != 0);
	begin(&scene, &trial);
	witness_started(witness);
	tick_at(witness, 5000);
	demand(readings->steady_begin.at_ns == 0 && readings->files.files == 0);
	demand(witness_rest_ns(witness) == UINT64_MAX);
	clear_scene(&scene);
}

static void test_ticks(void **state)
{
	(void)state;
	run_as_both(tick_through);
}

/* A machine of our own, with one disk, 8:1. */
static void put_disk(uint64_t read_bytes, uint64_t written_bytes, unsigned in_flight)
{
	char stat[256];

	for (const char *const *folder =
			 (const char *const[]){"m", "m/sys", "m/sys/dev", "m/sys/dev/block", "m/sys/dev/block/8:1", NULL};
		 *folder; folder++) {
		demand(mkdir(*folder, 0700) == 0 || errno == EEXIST);
	}
	snprintf(stat, sizeof(stat), "9 0 %llu 9 9 0 %llu 9 %u 9 9\n", (unsigned long long)read_bytes / 512,
		(unsigned long long)written_bytes / 512, in_flight);
	unlink("m/sys/dev/block/8:1/stat");
	put_file("m/sys/dev/block/8:1/stat", stat);
}

static const struct watch disk_watch = {.device_count = 1, .devices = {{8, 1, 1 << STORAGE_TOP | 1 << STORAGE_LEAF}}};

static void set_machine(struct scene *scene)
{
	put_disk(MIB, MIB, 0);
	set_scene(scene, 4096);
	scene->keeper.witness.root = "m";
	watch(scene, &disk_watch);
}

/* The load begins to move only after some time: what was read before shows nothing of it. */
static void move_late(void)
{
	const struct witness_run run = {.is_prompt = true, .runtime_s = 1};
	struct scene scene;
	struct witness *witness = &scene.keeper.witness;
	const struct run_readings *readings = &witness->readings;

	set_machine(&scene);
	begin(&scene, &run);
	witness_started(witness);
	tick_at(witness, 100);
	put_disk(MIB + 65536, MIB, 9); /* only the start of the program */
	tick_at(witness, 550);
	demand(readings->steady_begin.at_ns != 0 && readings->steady_count == 1 && witness->moved_ns == 0);
	demand(witness_rest_ns(witness) != UINT64_MAX);
	tick_at(witness, 1000);
	uint64_t idle_ns = readings->steady_begin.at_ns;
	demand(readings->steady_end.at_ns != 0);
	put_disk(MIB + 65536 + 512, MIB, 9);
	tick_at(witness, 1200);
	demand(witness->moved_ns != 0 && readings->steady_begin.at_ns == idle_ns);
	demand(is_timely(witness_rest_ns(witness) > 450 * NS_PER_MS)); /* whatever the reading cost */
	put_disk(MIB + MIB, MIB, 20);
	tick_at(witness, 1650);
	demand(readings->steady_begin.at_ns == idle_ns);
	tick_at(witness, 1750);
	demand(readings->steady_begin.at_ns > idle_ns && readings->steady_end.at_ns == 0);
	demand(readings->steady_count == 1 && readings->in_flight_sum[STORAGE_TOP] == 20);
	put_disk(MIB + 2 * MIB, MIB, 30);
	tick_at(witness, 1900);
	demand(readings->steady_end.devices[STORAGE_TOP].in_flight == 30);
	put_disk(MIB + 2 * MIB, MIB, 35);
	tick_at(witness, 1930);
	demand(readings->steady_count == 3 && readings->in_flight_sum[STORAGE_TOP] == 85);
	demand(readings->steady_end.devices[STORAGE_TOP].in_flight == 30);
	put_disk(MIB + 2 * MIB, MIB, 40);
	tick_at(witness, 1990);
	uint64_t ended_ns = readings->steady_end.at_ns;
	demand(readings->steady_count == 4 && readings->in_flight_sum[STORAGE_TOP] == 125);
	demand(readings->in_flight_sum[STORAGE_LEAF] == 125 && readings->in_flight_sum[STORAGE_DISK] == 0);
	tick_at(witness, 2010); /* it was still at 1000 */
	tick_at(witness, 3300);
	demand(readings->steady_end.at_ns == ended_ns && readings->steady_count == 4);
	clear_scene(&scene);
}

static void test_moved_late(void **state)
{
	(void)state;
	run_as(geteuid(), move_late);
}

/* Where the device works later than the load, or much later, its first work is not the load's beginning. */
static void move_too_late(void)
{
	const struct witness_run buffered = {.runtime_s = 5}, prompt = {.is_prompt = true, .runtime_s = 5};
	struct scene scene;
	struct witness *witness = &scene.keeper.witness;

	set_machine(&scene);
	for (int i = 0; i < 2; i++) {
		begin(&scene, i == 0 ? &buffered : &prompt);
		witness_started(witness);
		tick_at(witness, 600);
		uint64_t begun_ns = witness->readings.steady_begin.at_ns;
		put_disk(MIB, (uint64_t)(i + 1) * 100 * MIB, 9);
		tick_at(witness, i == 0 ? 700 : 3100);
		demand(witness->moved_ns == 0 && witness->readings.steady_begin.at_ns == begun_ns && begun_ns != 0);
		demand(witness->readings.steady_count == 2);
	}
	clear_scene(&scene);
}

static void test_moved_too_late(void **state)
{
	(void)state;
	run_as(geteuid(), move_too_late);
}

/* A step of a test takes less, also under valgrind on a busy machine. */
enum { SLOW_MS = 3000 };

/* With a ramp all happens as much later, and around its end everything is read, and more often. */
static void tick_through_ramp(void)
{
	const struct witness_run run = {.reads = true, .is_prompt = true, .runtime_s = 5, .ramp_s = 10},
							 plain = {.reads = true, .is_prompt = true, .runtime_s = 5};
	struct keeper_result result = {.ramp_count = 0};
	struct scene scene;
	struct witness *witness = &scene.keeper.witness;
	const struct run_readings *readings = &witness->readings;

	set_machine(&scene);
	begin(&scene, &run);
	witness_started(witness);
	put_disk(2 * MIB, MIB, 9);
	tick_at(witness, 100);
	demand(witness->moved_ns != 0 && !witness_is_at_ramp_end(witness));
	demand(is_timely(witness_rest_ns(witness) > 900 * NS_PER_MS)); /* nothing is measured yet, only shown */
	uint64_t before_ns = readings->before.at_ns;
	tick_at(witness, 5000);
	demand(readings->steady_begin.at_ns == 0 && witness->ramp_count == 0);
	tick_at(witness, 9900);
	demand(witness->ramp_count == 0 && is_timely(witness_rest_ns(witness) <= 200 * NS_PER_MS));
	put_disk(9 * MIB, MIB, 9);
	tick_at(witness, 10000);
	demand(witness->ramp_count == 1 && readings->steady_begin.at_ns == 0 && witness_is_at_ramp_end(witness));
	demand(witness->ramp[0].reading.devices[STORAGE_TOP].read_bytes == 9 * MIB);
	demand(witness->ramp[0].process_known == 0);
	witness->ramp[0].reading.at_ns = clock_now_ns() + SLOW_MS * NS_PER_MS; /* just now, however slow this machine is */
	tick_at(witness, 10010);                                               /* not again at once */
	demand(witness->ramp_count == 1 && is_timely(witness_rest_ns(witness) <= (SLOW_MS + 60) * NS_PER_MS));
	witness->ramp[0].reading.at_ns -= SLOW_MS * NS_PER_MS;
	for (unsigned i = 0; i < KEEPER_RAMP_READINGS_MAX + 5; i++) {
		witness->ramp[witness->ramp_count - 1].reading.at_ns -= 60 * NS_PER_MS;
		tick_at(witness, 10060 + i);
	}
	demand(witness->ramp_count == KEEPER_RAMP_READINGS_MAX && readings->steady_begin.at_ns == 0);
	demand(readings->before.at_ns == before_ns); /* whoever reads the result makes of it what he needs */
	tick_at(witness, 10650);
	demand(readings->steady_begin.at_ns != 0);
	tick_at(witness, 14900);
	demand(readings->steady_end.at_ns > readings->steady_begin.at_ns && !witness_is_at_ramp_end(witness));
	witness_tell_ramp(witness, &result);
	demand(result.ramp_count == KEEPER_RAMP_READINGS_MAX);
	demand(result.ramp_earliest_ns == witness->still_ns + 10 * NS_PER_S);
	demand(result.ramp_latest_ns == witness->moved_ns + 10 * NS_PER_S);
	/* Without one there is nothing to tell, whatever the run before left behind. */
	begin(&scene, &plain);
	witness_started(witness);
	tick_at(witness, 3000);
	result = (struct keeper_result){.ramp_count = 0};
	witness_tell_ramp(witness, &result);
	demand(witness->ramp_count == 0 && result.ramp_count == 0 && result.ramp_earliest_ns == 0);
	demand(!witness_is_at_ramp_end(witness));
	clear_scene(&scene);
}

static void test_ramp(void **state)
{
	(void)state;
	run_as(geteuid(), tick_through_ramp);
}

static void put_processor(const char *time)
{
	char path[96];

	for (const char *const *folder = (const char *const[]){"m/sys/devices", "m/sys/devices/system",
			 "m/sys/devices/system/cpu", "m/sys/devices/system/cpu/cpu7", "m/sys/devices/system/cpu/cpu7/cpuidle",
			 "m/sys/devices/system/cpu/cpu7/cpuidle/state0", "m/proc", "m/proc/77", "m/proc/77/task",
			 "m/proc/77/task/78", NULL};
		 *folder; folder++) {
		demand(mkdir(*folder, 0700) == 0 || errno == EEXIST);
	}
	for (const char *const *name = (const char *const[]){"time", "usage", NULL}; *name; name++) {
		snprintf(path, sizeof(path), "m/sys/devices/system/cpu/cpu7/cpuidle/state0/%s", *name);
		unlink(path);
		put_file(path, time);
	}
}

/* A thread that has had so much of a processor, beside what put_processor laid out. */
static void put_thread(const char *ticks)
{
	char *stat =
		xasprintf("78 (fio) S 1 1 1 0 -1 0 1 0 0 0 %s 0 0 0 20 0 5 0 3 3 4 5 1 1 1 0 0 0 0 0 0 0 0 0 17 7 0\n", ticks);

	unlink("m/proc/77/task/78/stat");
	put_file("m/proc/77/task/78/stat", stat);
	free(stat);
}

/* Where commits are measured the processors are looked at as well, but not in the ramp. */
static void sample_power(void)
{
	const struct witness_run run = {.is_commit = true, .runtime_s = 5, .ramp_s = 1},
							 trial = {.is_trial = true, .is_commit = true}, other = {.runtime_s = 5};
	const struct rusage usage = {.ru_inblock = 0};
	struct scene scene;
	struct witness *witness = &scene.keeper.witness;

	set_machine(&scene);
	put_processor("100\n");
	begin(&scene, &trial);
	demand(witness->power == NULL);
	begin(&scene, &other);
	demand(witness->power == NULL);
	begin(&scene, &run); /* could not be started */
	begin(&scene, &run);
	witness_started(witness);
	put_thread("1");
	poll(NULL, 0, 510);
	witness_tick(witness, 77); /* in the ramp */
	poll(NULL, 0, 510);
	put_thread("2");
	witness_tick(witness, 77);
	poll(NULL, 0, 510);
	put_thread("5");
	witness_tick(witness, 77);
	put_processor("350\n");
	witness_ended(witness, &usage);
	demand(witness->power == NULL && witness->readings.power.processors_seen == 1);
	demand(witness->readings.power.idle_states == 1 && witness->readings.power.idle_time_us[0] == 250);
	demand(witness->readings.power.elapsed_us >= 1530000);
	begin(&scene, &run);
	demand(witness->power != NULL && witness->readings.power.processors_seen == 0);
	clear_scene(&scene); /* which frees it */
}

static void test_power(void **state)
{
	(void)state;
	run_as(geteuid(), sample_power);
}

/* For whoever watches: what has moved by the latest reading, where that is known. */
static void show_latest(void)
{
	const struct witness_run reading = {.reads = true, .is_prompt = true, .runtime_s = 20},
							 writing = {.is_prompt = true, .runtime_s = 20};
	struct scene scene;
	struct witness *witness = &scene.keeper.witness;
	double bytes = -1, elapsed_s = -1;

	set_machine(&scene);
	for (int i = 0; i < 2; i++) {
		put_disk(MIB, MIB, 0);
		begin(&scene, i == 0 ? &reading : &writing);
		witness_started(witness);
		demand(!witness_latest(witness, &bytes, &elapsed_s));
		put_disk(4 * MIB, 7 * MIB, 0);
		tick_at(witness, 100);
		demand(witness_latest(witness, &bytes, &elapsed_s));
		demand(bytes > (i == 0 ? 3 : 6) * MIB - 1.0 && bytes < (i == 0 ? 3 : 6) * MIB + 1.0);
		demand(elapsed_s > 0.09 && elapsed_s < 3);
	}
	/* What did not even see the file being written sees nothing. */
	begin(&scene, &writing);
	witness_started(witness);
	witness->file_size_bytes = UINT64_C(1) << 40;
	tick_at(witness, 100);
	demand(!witness_latest(witness, &bytes, &elapsed_s));
	demand(unlink("m/sys/dev/block/8:1/stat") == 0);
	witness->file_size_bytes = 0;
	tick_at(witness, 200);
	demand(!witness_latest(witness, &bytes, &elapsed_s));
	clear_scene(&scene);
}

static void test_latest(void **state)
{
	(void)state;
	run_as(geteuid(), show_latest);
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

/* A device whose counters stand still bears no witness on O_DIRECT. */
static void try_uncounted(void)
{
	struct direct_truth truth;
	struct scene scene;

	for (int i = 0; i < 2; i++) {
		put_disk(MIB, MIB, 0);
		set_scene(&scene, MIB);
		scene.keeper.witness.root = "m";
		watch(&scene, &disk_watch);
		put_disk(MIB, i == 0 ? MIB + MIB / 2 - 512 : MIB + MIB / 2, 0);
		keeper_serve_direct(&scene.keeper);
		demand(take_answer(&scene, &truth) == KEEPER_DIRECT);
		demand(truth.device_known == (i == 1 && truth.error == 0 ? 1U : 0U));
		clear_scene(&scene);
	}
}

static void test_uncounted(void **state)
{
	(void)state;
	run_as(geteuid(), try_uncounted);
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
		cmocka_unit_test(test_moved_late),
		cmocka_unit_test(test_moved_too_late),
		cmocka_unit_test(test_ramp),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_latest),
		cmocka_unit_test(test_since_watch),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_uncounted),
		cmocka_unit_test(test_direct_unwanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
