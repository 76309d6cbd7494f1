/** A keeper with a test file, whose answers nobody reads but us, on a machine that we make, in a time that we let pass. */
#ifndef KEEPER_SCENE_H
#define KEEPER_SCENE_H

#include "errand.h"
#include "own_clock.h"

#include <errno.h>

#include "../../src/keeper/state.h"
#include "support/file.h"
#include "support/memory.h"

enum { MIB = 1 << 20 };

struct scene {
	struct keeper keeper;
	struct keeper_setup setup;
	int ask;    /* requests go in here */
	int answer; /* and answers come out here */
};

static inline void set_scene(struct scene *scene, size_t size)
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

static inline void clear_scene(struct scene *scene)
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

static inline void watch(struct scene *scene, const struct watch *list)
{
	witness_watch(&scene->keeper.witness, list, scene->keeper.folder.directory);
}

/* Begin a run; how long that took, in milliseconds. */
static inline uint64_t begin(struct scene *scene, const struct witness_run *run)
{
	uint64_t started_ns = clock_now_ns();

	witness_begin(&scene->keeper.witness, run, scene->keeper.test_file, &scene->keeper.requests);
	return (clock_now_ns() - started_ns) / NS_PER_MS;
}

/* A machine of our own, with one disk, 8:1. */
static inline void put_disk(uint64_t read_bytes, uint64_t written_bytes, unsigned in_flight)
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

static inline void set_machine(struct scene *scene)
{
	put_disk(MIB, MIB, 0);
	set_scene(scene, 4096);
	scene->keeper.witness.root = "m";
	watch(scene, &disk_watch);
}

#endif
