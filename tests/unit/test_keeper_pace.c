/* The witness while a run goes on: when it reads, and what. */
#include "keeper_scene.h"

/* So long after the start, when the last reading and the last look are long ago. */
static void tick_at(struct witness *witness, uint64_t since_ms)
{
	own_clock_ns = witness->started_ns + since_ms * NS_PER_MS;
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
	demand(witness->look_ns == witness->started_ns + 300 * NS_PER_MS);
	demand(readings->files.files == 0 && readings->steady_begin.at_ns == 0);
	tick_at(witness, 400);
	demand(readings->files.files == 1 && readings->steady_begin.at_ns == 0);
	tick_at(witness, 1900);
	demand(readings->steady_begin.at_ns == 0);
	tick_at(witness, 2000);
	uint64_t begun_ns = readings->steady_begin.at_ns;
	demand(begun_ns != 0 && readings->steady_end.at_ns == 0);
	witness_tick(witness, getpid()); /* too soon */
	demand(readings->steady_end.at_ns == 0 && witness_rest_ns(witness) == 200 * NS_PER_MS);
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
	own_clock_cost_ns = 10 * NS_PER_MS;
	tick_at(witness, 1200);
	demand(witness->moved_ns != 0 && readings->steady_begin.at_ns == idle_ns);
	demand(witness_rest_ns(witness) == 500 * NS_PER_MS); /* whatever the reading cost */
	own_clock_cost_ns = 0;
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

/* What reading costs decides how often it is done: a hundredth of the time at first, then a thousandth. */
static void weigh_cost(void)
{
	const struct witness_run run = {.is_prompt = true, .runtime_s = 100};
	struct scene scene;
	struct witness *witness = &scene.keeper.witness;

	set_machine(&scene);
	begin(&scene, &run);
	witness_started(witness);
	own_clock_cost_ns = 5 * NS_PER_MS;
	tick_at(witness, 100);
	demand(witness_rest_ns(witness) == 500 * NS_PER_MS);
	own_clock_cost_ns = NS_PER_MS / 10;
	tick_at(witness, 1600);
	demand(witness_rest_ns(witness) == 100 * NS_PER_MS);
	put_disk(MIB, 100 * MIB, 9);
	tick_at(witness, 2000);
	own_clock_cost_ns = 5 * NS_PER_MS;
	tick_at(witness, 15000);
	demand(witness_rest_ns(witness) == 5 * NS_PER_S);
	own_clock_cost_ns = NS_PER_MS / 10;
	tick_at(witness, 20000);
	demand(witness_rest_ns(witness) == 200 * NS_PER_MS);
	own_clock_cost_ns = NS_PER_S;
	tick_at(witness, 90000); /* but one is taken shortly before the end */
	demand(witness->moved_ns != 0 && witness_rest_ns(witness) == 11550 * NS_PER_MS);
	clear_scene(&scene);
}

static void test_cost(void **state)
{
	(void)state;
	run_as(geteuid(), weigh_cost);
}

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
	demand(witness_rest_ns(witness) == NS_PER_S); /* nothing is measured yet, only shown */
	uint64_t before_ns = readings->before.at_ns;
	tick_at(witness, 5000);
	demand(readings->steady_begin.at_ns == 0 && witness->ramp_count == 0);
	tick_at(witness, 9900);
	demand(witness->ramp_count == 0 && witness_rest_ns(witness) == 100 * NS_PER_MS);
	put_disk(9 * MIB, MIB, 9);
	tick_at(witness, 10000);
	demand(witness->ramp_count == 1 && readings->steady_begin.at_ns == 0 && witness_is_at_ramp_end(witness));
	demand(witness->ramp[0].reading.devices[STORAGE_TOP].read_bytes == 9 * MIB);
	demand(witness->ramp[0].process_known == 0);
	tick_at(witness, 10010); /* not again at once */
	demand(witness->ramp_count == 1 && witness_rest_ns(witness) == 50 * NS_PER_MS);
	for (unsigned i = 1; i < KEEPER_RAMP_READINGS_MAX + 5; i++) {
		demand((readings->steady_begin.at_ns != 0) == (60 * (i - 1) >= 600));
		tick_at(witness, 10000 + 60 * i);
	}
	demand(witness->ramp_count == KEEPER_RAMP_READINGS_MAX);
	demand(readings->before.at_ns == before_ns); /* whoever reads the result makes of it what he needs */
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
	pass_ms(510);
	witness_tick(witness, 77); /* in the ramp */
	pass_ms(510);
	put_thread("2");
	witness_tick(witness, 77);
	pass_ms(510);
	put_thread("5");
	witness_tick(witness, 77);
	put_processor("350\n");
	witness_ended(witness, &usage);
	demand(witness->power == NULL && witness->readings.power.processors_seen == 1);
	demand(witness->readings.power.idle_states == 1 && witness->readings.power.idle_time_us[0] == 250);
	demand(witness->readings.power.elapsed_us == 1530000);
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
		demand(elapsed_s > 0.0999 && elapsed_s < 0.1001);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_moved_late),
		cmocka_unit_test(test_moved_too_late),
		cmocka_unit_test(test_cost),
		cmocka_unit_test(test_ramp),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_latest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
