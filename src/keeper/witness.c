#include "witness.h"

#include <poll.h>
#include <sys/stat.h>
#include <time.h>

#include "probe/zfs.h"
#include "support/clock.h"
#include "support/signals.h"

enum {
	IDLE_MS = 100, /* long enough to see who else uses the disk */
	LOOK_MS = 20,  /* how long to look at the file without a look at what the front wants */
};

const char *witness_root(const struct witness *witness)
{
	return witness->root ? witness->root : "";
}

static const struct mount *mount_of(const struct witness *witness)
{
	return witness->has_mount ? &witness->mount : NULL;
}

void witness_read_parts(const struct witness *witness, struct reading *reading, unsigned parts)
{
	reading_take(reading, parts, witness_root(witness), &witness->watch, mount_of(witness));
}

void witness_read(const struct witness *witness, struct reading *reading)
{
	witness_read_parts(witness, reading, READING_ALL);
}

void witness_watch(struct witness *witness, const struct watch *watch, int directory)
{
	const char *root = witness->root;

	witness_release(witness);
	witness->root = root;
	witness->watch = *watch;
	witness->has_mount = mount_find_descriptor(&witness->mount, directory);
	if (witness->has_mount) {
		watch_find_log(&witness->watch, witness_root(witness), &witness->mount);
	}
	witness->may_wait = !witness->has_mount || !zfs_is_zfs(&witness->mount);
	witness_rest(witness);
	witness->watched = witness->resting;
}

/* What it has seen so far goes into the readings. */
static void end_power(struct witness *witness)
{
	power_sampler_end(witness->power, &witness->readings.power);
	witness->power = NULL;
}

void witness_release(struct witness *witness)
{
	end_power(witness);
	if (witness->has_mount) {
		mount_release(&witness->mount);
	}
	*witness = (struct witness){.has_mount = false};
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

/* What others do, and then the last words before the start. */
static void take_before(struct witness *witness, const struct witness_run *run, struct requests *requests)
{
	bool counts = witness->watch.device_count > 0 || witness->watch.network != WATCH_NETWORK_NONE;

	if (counts && witness->resting.at_ns == 0) {
		witness_rest(witness);
	}
	if (counts) {
		wait_until(witness->resting.at_ns + IDLE_MS * NS_PER_MS, requests);
	}
	if (run->is_commit) {
		witness->power = power_sampler_begin(witness_root(witness));
	}
	witness_read(witness, &witness->readings.before);
	if (witness->resting.at_ns != 0 && witness->readings.before.at_ns - witness->resting.at_ns >= IDLE_MS * NS_PER_MS) {
		witness->readings.idle = witness->resting;
	}
	witness_disturb(witness);
}

/* Between two steps of looking at the file. */
struct look {
	struct requests *requests;
	uint64_t next_ns;
};

static bool look_goes_on(void *context)
{
	struct look *steps = context;
	uint64_t now_ns = clock_now_ns();

	if (now_ns >= steps->next_ns) {
		requests_check(steps->requests);
		steps->next_ns = now_ns + LOOK_MS * NS_PER_MS;
	}
	return !steps->requests->stop_wanted;
}

static void look(const struct witness *witness, struct file_state *state, int test_file, struct requests *requests)
{
	struct look steps = {.requests = requests};

	file_state_take(
		state, witness_root(witness), test_file, mount_of(witness), witness->may_wait, look_goes_on, &steps);
}

void witness_begin(struct witness *witness, const struct witness_run *run, int test_file, struct requests *requests)
{
	struct stat status;

	end_power(witness); /* of a run that could not be started */
	witness->is_on = !run->is_trial;
	witness->readings = (struct run_readings){.idle = {.at_ns = 0}};
	witness->latest.at_ns = 0;
	witness->ramp_count = 0;
	if (run->is_trial) {
		witness_disturb(witness);
		return;
	}
	witness->reads = run->reads;
	witness->is_prompt = run->is_prompt;
	witness->runtime_ns = run->runtime_s * NS_PER_S;
	witness->ramp_ns = run->ramp_s * NS_PER_S;
	witness->file_size_bytes = 0;
	witness->looks = 0;
	witness->test_device = witness->test_inode = 0;
	if (fstat(test_file, &status) == 0) {
		witness->test_device = (uint64_t)status.st_dev;
		witness->test_inode = (uint64_t)status.st_ino;
		witness->file_size_bytes = (uint64_t)status.st_size;
	}
	if (run->reads) {
		look(witness, &witness->readings.file, test_file, requests);
		/* What was in RAM before the run is not what it left there. */
		witness->readings.file.known &= ~(uint32_t)FILE_STATE_RESIDENT;
	}
	take_before(witness, run, requests);
}

/* What was written since the watch began, up to the latest reading of the run. */
static void take_written(struct witness *witness, const struct reading *last)
{
	const struct reading *first = &witness->watched;
	bool known = reading_both_know(first, last, READING_DEVICES);

	for (unsigned role = 0; role < STORAGE_ROLE_COUNT; role++) {
		witness->readings.written_since_watch_bytes[role] =
			known ? reading_grown(first->devices[role].written_bytes, last->devices[role].written_bytes) : 0;
	}
}

void witness_ended(struct witness *witness, const struct rusage *usage)
{
	if (witness->is_on) {
		witness_read(witness, &witness->readings.after);
		process_account_take(&witness->readings.account, witness_root(witness), usage, &witness->readings.files);
		take_written(witness, &witness->readings.after);
		end_power(witness);
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

void witness_look(struct witness *witness, int test_file, struct requests *requests)
{
	struct file_state later;

	if (witness->is_on) {
		look(witness, &later, test_file, requests);
		keep_worse(&witness->readings.file, &later);
	}
}

void witness_flushed(struct witness *witness)
{
	if (witness->is_on) {
		witness_read(witness, &witness->readings.flushed);
		take_written(witness, &witness->readings.flushed);
	}
}

uint64_t witness_moved_bytes(const struct reading *from, const struct reading *to, enum witness_way way)
{
	const struct device_counters *first = &from->devices[STORAGE_TOP], *last = &to->devices[STORAGE_TOP];
	bool written = way == WITNESS_WRITTEN;

	if (reading_both_know(from, to, READING_DEVICES)) {
		return written ? reading_grown(first->written_bytes, last->written_bytes)
					   : reading_grown(first->read_bytes, last->read_bytes);
	}
	if (!reading_both_know(from, to, READING_NETWORK)) {
		return 0;
	}
	return written ? reading_grown(from->network_written_bytes, to->network_written_bytes)
				   : reading_grown(from->network_read_bytes, to->network_read_bytes);
}

bool witness_counted(const struct witness *witness, uint64_t bytes)
{
	struct reading now;

	witness_read_parts(witness, &now, WITNESS_MOVING_PARTS);
	return witness_moved_bytes(&witness->watched, &now, WITNESS_WRITTEN) >= bytes;
}
