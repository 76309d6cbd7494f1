#include "witness.h"

#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>

#include "support/clock.h"
#include "support/signals.h"

/* statfs(2) */
#define ZFS_MAGIC 0x2FC12FC1UL

enum {
	IDLE_MS = 100,    /* long enough to see who else uses the disk */
	BEGIN_MS = 500,   /* threads are running, queues are full */
	BEGIN_SHARE = 10, /* and a tenth of the runtime */
	END_TOLERANCE_MS = 100,
	INTERVAL_MS = 200,
	COST_FACTOR = 1000, /* a reading takes at most this part of the time */
	FILES_MS = 300,     /* by then it has opened the file */
	FILES_LOOKS = 8,
};

static bool is_zfs(const struct witness *witness, int directory)
{
	struct statfs system;

	return (fstatfs(directory, &system) == 0 && (unsigned long)system.f_type == ZFS_MAGIC) ||
		   (witness->has_mount &&
			   (strcmp(witness->mount.type, "zfs") == 0 || strcmp(witness->mount.type, "fuse.zfs") == 0));
}

void witness_watch(struct witness *witness, const struct watch *watch, int directory)
{
	witness_release(witness);
	witness->watch = *watch;
	witness->has_mount = mount_find_descriptor(&witness->mount, directory);
	witness->may_wait = !is_zfs(witness, directory);
	witness_rest(witness);
}

void witness_release(struct witness *witness)
{
	if (witness->has_mount) {
		mount_release(&witness->mount);
	}
	*witness = (struct witness){.has_mount = false};
}

static const struct mount *mount_of(const struct witness *witness)
{
	return witness->has_mount ? &witness->mount : NULL;
}

void witness_read(const struct witness *witness, struct reading *reading)
{
	reading_take(reading, "", &witness->watch, mount_of(witness));
}

void witness_rest(struct witness *witness)
{
	witness_read(witness, &witness->resting);
}

void witness_disturb(struct witness *witness)
{
	witness->resting.at_ns = 0;
}

/* Let time pass, unless the run is not wanted any more. */
static void wait_until(uint64_t until_ns, struct requests *requests)
{
	requests_check(requests);
	for (uint64_t now_ns = clock_now_ns(); now_ns < until_ns && !requests->stop_wanted; now_ns = clock_now_ns()) {
		struct pollfd polled = {.fd = requests->in, .events = POLLIN};
		struct timespec rest = {.tv_nsec = (long)(until_ns - now_ns)};

		ppoll(&polled, 1, &rest, signals_wait_mask());
		requests_check(requests);
	}
}

/* What others do, and then the last word before the start. */
static void take_before(struct witness *witness, struct requests *requests)
{
	bool counts = witness->watch.device_count > 0 || witness->watch.network != WATCH_NETWORK_NONE;

	if (counts && witness->resting.at_ns == 0) {
		witness_rest(witness);
	}
	if (counts) {
		wait_until(witness->resting.at_ns + IDLE_MS * NS_PER_MS, requests);
	}
	witness_read(witness, &witness->readings.before);
	if (witness->resting.at_ns != 0 && witness->readings.before.at_ns - witness->resting.at_ns >= IDLE_MS * NS_PER_MS) {
		witness->readings.idle = witness->resting;
	}
	witness_disturb(witness);
}

static void look(const struct witness *witness, struct file_state *state, int test_file)
{
	file_state_take(state, "", test_file, mount_of(witness), witness->may_wait);
}

void witness_begin(struct witness *witness, const struct witness_run *run, int test_file, struct requests *requests)
{
	struct stat status;

	witness->is_on = !run->is_trial;
	witness->readings = (struct run_readings){.idle = {.at_ns = 0}};
	if (run->is_trial) {
		witness_disturb(witness);
		return;
	}
	witness->reads = run->reads;
	witness->runtime_ns = run->runtime_s * NS_PER_S;
	witness->looks = 0;
	witness->test_device = witness->test_inode = 0;
	if (fstat(test_file, &status) == 0) {
		witness->test_device = (uint64_t)status.st_dev;
		witness->test_inode = (uint64_t)status.st_ino;
	}
	if (run->reads) {
		look(witness, &witness->readings.file, test_file);
		/* What was in RAM before the run is not what it left there. */
		witness->readings.file.known &= ~(uint32_t)FILE_STATE_RESIDENT;
	}
	take_before(witness, requests);
}

void witness_started(struct witness *witness)
{
	witness->started_ns = witness->next_ns = clock_now_ns();
}

/* When it is well under way, as a distance from the start. */
static uint64_t begin_after_ns(const struct witness *witness)
{
	uint64_t share_ns = witness->runtime_ns / BEGIN_SHARE;

	return share_ns > BEGIN_MS * NS_PER_MS ? share_ns : BEGIN_MS * NS_PER_MS;
}

/* The time that this thread was on a processor; what it waits for one, on a busy machine, costs nobody anything. */
static uint64_t used_ns(void)
{
	struct timespec used = {0, 0};

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * NS_PER_S + (uint64_t)used.tv_nsec;
}

/* A reading of the run as it goes, and how long to wait for the next. */
static void take_steady(struct witness *witness)
{
	struct run_readings *readings = &witness->readings;
	uint64_t before_ns = used_ns();

	witness_read(witness, readings->steady_begin.at_ns == 0 ? &readings->steady_begin : &readings->steady_end);
	uint64_t pause_ns = (used_ns() - before_ns) * COST_FACTOR;
	witness->next_ns = clock_now_ns() + (pause_ns > INTERVAL_MS * NS_PER_MS ? pause_ns : INTERVAL_MS * NS_PER_MS);
}

/*
 * A few looks: a slow start is no missing file, and a look at another's process may be denied. The file is opened once
 * for its size before the engine comes up, so one without an engine is looked at again.
 */
static void take_files(struct witness *witness, pid_t pid)
{
	struct process_files *kept = &witness->readings.files, seen;

	if (witness->looks >= FILES_LOOKS || (kept->files > 0 && (kept->io_uring || kept->aio))) {
		return;
	}
	witness->looks++;
	witness->next_ns = clock_now_ns() + INTERVAL_MS * NS_PER_MS;
	process_files_take(&seen, "", pid, witness->test_device, witness->test_inode);
	if (seen.files > 0) {
		*kept = seen;
	}
}

void witness_tick(struct witness *witness, pid_t pid)
{
	uint64_t now_ns = clock_now_ns();
	uint64_t since_ns = now_ns - witness->started_ns;
	bool in_time = witness->runtime_ns == 0 || since_ns <= witness->runtime_ns + END_TOLERANCE_MS * NS_PER_MS;

	if (!witness->is_on || now_ns < witness->next_ns) {
		return;
	}
	if (since_ns >= FILES_MS * NS_PER_MS) {
		take_files(witness, pid);
	}
	if (since_ns >= begin_after_ns(witness) && in_time) {
		take_steady(witness);
	}
}

void witness_ended(struct witness *witness, const struct rusage *usage)
{
	if (witness->is_on) {
		witness_read(witness, &witness->readings.after);
		process_account_take(&witness->readings.account, "", usage);
	}
}

/* Of two looks the one with more holes; everything else from the later. */
static void keep_worse(struct file_state *kept, const struct file_state *later)
{
	struct file_state earlier = *kept;

	*kept = *later;
	if ((earlier.known & FILE_STATE_HOLES) != 0 &&
		((later->known & FILE_STATE_HOLES) == 0 || earlier.unwritten_bytes > later->unwritten_bytes)) {
		kept->known |= FILE_STATE_HOLES;
		kept->unwritten_bytes = earlier.unwritten_bytes;
		kept->size_bytes = earlier.size_bytes;
	}
}

void witness_look(struct witness *witness, int test_file)
{
	struct file_state later;

	if (witness->is_on) {
		look(witness, &later, test_file);
		keep_worse(&witness->readings.file, &later);
	}
}

void witness_flushed(struct witness *witness)
{
	if (witness->is_on) {
		witness_read(witness, &witness->readings.flushed);
	}
}
