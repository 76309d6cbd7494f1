/* The witness while a run goes on: when it is well under way, and what it does then. */
#include "witness.h"

#include <string.h>

#include "support/clock.h"

enum {
	BEGIN_MS = 500,         /* threads are running, queues are full */
	BEGIN_SHARE = 10,       /* and a tenth of the runtime */
	MOVED_KIB = 64,         /* of the device: more than the program's own start brings about */
	MOVED_WITHIN_S = 3,     /* sudo may take a second; what moves later moves for another reason */
	PROBE_MS = 50,          /* how often to look whether it moves, at first, */
	PROBE_SHARE = 16,       /* and then after a part of the time that it has taken so far */
	END_TOLERANCE_MS = 100, /* where only the start of the process is known */
	LAST_MS = 50,           /* before the end a last reading is due, whatever it costs */
	INTERVAL_MS = 200,
	WHOLE_MS = 950,          /* every fifth of these */
	PROBE_COST_FACTOR = 100, /* there are not many of these */
	COST_FACTOR = 1000,      /* a reading takes at most this part of the time */
	FILES_MS = 300,          /* by then it has opened the file */
	FILES_LOOKS = 8,
	RAMP_MS = 1000, /* in the ramp, only for whoever watches */
	RAMP_RESET_MS = 2000,
	RAMP_END_MS = 60, /* around its end: what is measured begins between two of these */
};

/* The rest of a reading tells only of the whole run. */
#define STEADY_PARTS (WITNESS_MOVING_PARTS | READING_PROCESSORS)

void witness_started(struct witness *witness)
{
	uint64_t now_ns = clock_now_ns();

	witness->started_ns = witness->still_ns = now_ns;
	witness->moved_ns = 0;
	witness->begins_anew = true;
	witness->next_ns = now_ns + PROBE_MS * NS_PER_MS;
	witness->look_ns = now_ns + FILES_MS * NS_PER_MS;
}

/* From when on it is well under way. */
static uint64_t begins_ns(const struct witness *witness)
{
	uint64_t share_ns = witness->runtime_ns / BEGIN_SHARE;

	return (witness->moved_ns != 0 ? witness->moved_ns : witness->started_ns) + witness->ramp_ns +
		   (share_ns > BEGIN_MS * NS_PER_MS ? share_ns : BEGIN_MS * NS_PER_MS);
}

/* Until when it surely goes on. */
static uint64_t ends_ns(const struct witness *witness)
{
	uint64_t whole_ns = witness->ramp_ns + witness->runtime_ns;

	return witness->runtime_ns == 0 ? UINT64_MAX
		   : witness->moved_ns != 0 ? witness->still_ns + whole_ns
									: witness->started_ns + whole_ns + END_TOLERANCE_MS * NS_PER_MS;
}

/* The ramp's end at the earliest. */
static uint64_t ramp_ends_ns(const struct witness *witness)
{
	return (witness->moved_ns != 0 ? witness->still_ns : witness->started_ns) + witness->ramp_ns;
}

/* When the next reading at the ramp's end is due. */
static uint64_t ramp_due_ns(const struct witness *witness)
{
	if (witness->ramp_ns == 0 || witness->ramp_count == KEEPER_RAMP_READINGS_MAX) {
		return UINT64_MAX;
	}
	return witness->ramp_count == 0 ? ramp_ends_ns(witness)
									: witness->ramp[witness->ramp_count - 1].reading.at_ns + RAMP_END_MS * NS_PER_MS;
}

/* Whether it is still open that the device begins to move: sudo and a slow machine take their time. */
static bool may_move(const struct witness *witness, uint64_t now_ns)
{
	return witness->is_prompt && witness->moved_ns == 0 &&
		   (witness->readings.before.known & WITNESS_MOVING_PARTS) != 0 &&
		   now_ns - witness->started_ns < MOVED_WITHIN_S * NS_PER_S;
}

/* Whether the device moves now, for the first time. */
static bool begins_to_move(struct witness *witness, const struct reading *now)
{
	const struct reading *before = &witness->readings.before;

	if (witness_moved_bytes(before, now, WITNESS_READ) + witness_moved_bytes(before, now, WITNESS_WRITTEN) <=
		(uint64_t)MOVED_KIB << 10) {
		witness->still_ns = now->at_ns;
		return false;
	}
	witness->moved_ns = now->at_ns;
	witness->begins_anew = true; /* what was taken before shows nothing of it */
	return true;
}

/*
 * For whoever watches: what has moved in the run's direction. Devices that did not count the laying out of the file
 * may be doing as much as they like.
 */
static void keep_latest(struct witness *witness, const struct reading *now)
{
	enum witness_way way = witness->reads ? WITNESS_READ : WITNESS_WRITTEN;
	uint64_t bytes = witness_moved_bytes(&witness->readings.before, now, way);
	bool known = reading_both_know(&witness->readings.before, now, READING_NETWORK) ||
				 (reading_both_know(&witness->readings.before, now, READING_DEVICES) &&
					 (bytes > 0 ||
						 witness_moved_bytes(&witness->watched, now, WITNESS_WRITTEN) >= witness->file_size_bytes / 2));

	witness->latest.at_ns = known ? now->at_ns : 0;
	witness->latest.bytes = bytes;
}

bool witness_latest(const struct witness *witness, double *bytes, double *elapsed_s)
{
	uint64_t at_ns = witness->latest.at_ns;

	if (!witness->is_on || at_ns == 0 || at_ns < witness->started_ns) {
		return false;
	}
	*bytes = (double)witness->latest.bytes;
	*elapsed_s = (double)(at_ns - witness->started_ns) / (double)NS_PER_S;
	return true;
}

/* Everything, and what the program has on its account so far: it is not to count for what is measured. */
static void take_ramp_end(struct witness *witness, pid_t pid)
{
	struct keeper_ramp_reading *taken = &witness->ramp[witness->ramp_count++];

	*taken = (struct keeper_ramp_reading){.process_known = 0};
	witness_read(witness, &taken->reading);
	taken->process_known = process_moved(witness_root(witness), pid, &taken->process_read_bytes) ? 1 : 0;
	keep_latest(witness, &taken->reading);
}

bool witness_is_at_ramp_end(const struct witness *witness)
{
	uint64_t now_ns = clock_now_ns(), ends_at_ns = ramp_ends_ns(witness);

	return witness->is_on && witness->ramp_ns != 0 && now_ns + RAMP_END_MS * NS_PER_MS >= ends_at_ns &&
		   now_ns < ends_at_ns + RAMP_RESET_MS * NS_PER_MS;
}

void witness_tell_ramp(const struct witness *witness, struct keeper_result *result)
{
	if (!witness->is_on || witness->ramp_ns == 0) {
		return;
	}
	result->ramp_earliest_ns = ramp_ends_ns(witness);
	result->ramp_latest_ns = witness->moved_ns != 0 ? witness->moved_ns + witness->ramp_ns : 0;
	result->ramp_count = witness->ramp_count;
	memcpy(result->ramp, witness->ramp, witness->ramp_count * sizeof(witness->ramp[0]));
}

/* A reading of the run as it goes; one that is not whole only shows what is in flight. */
static void keep_steady(struct witness *witness, const struct reading *now, bool is_whole)
{
	struct run_readings *readings = &witness->readings;

	if (witness->begins_anew) {
		witness->begins_anew = false;
		readings->steady_begin = *now;
		readings->steady_end = (struct reading){.at_ns = 0};
		memset(readings->in_flight_sum, 0, sizeof(readings->in_flight_sum));
		readings->steady_count = 0;
	} else if (is_whole) {
		readings->steady_end = *now;
	}
	if ((now->known & READING_DEVICES) != 0) {
		for (unsigned role = 0; role < STORAGE_ROLE_COUNT; role++) {
			readings->in_flight_sum[role] += now->devices[role].in_flight;
		}
		readings->steady_count++;
	}
}

static uint64_t larger(uint64_t left, uint64_t right)
{
	return left > right ? left : right;
}

/*
 * Whether a steady reading is to be whole. The processors' part costs most, and most on machines with many: only the
 * first, the second in case that it stays the last, one a second, and the last.
 */
static bool is_whole_due(const struct witness *witness, uint64_t now_ns)
{
	uint64_t latest_ns = witness->readings.steady_end.at_ns;

	return witness->begins_anew || latest_ns == 0 || now_ns - latest_ns >= WHOLE_MS * NS_PER_MS ||
		   now_ns + LAST_MS * NS_PER_MS >= ends_ns(witness);
}

/* When to read next, after a reading that took so long. */
static uint64_t choose_next_ns(const struct witness *witness, uint64_t now_ns, uint64_t cost_ns)
{
	uint64_t probe_ns = larger((now_ns - witness->started_ns) / PROBE_SHARE, PROBE_MS * NS_PER_MS);
	uint64_t next_ns = now_ns + larger(cost_ns * COST_FACTOR, INTERVAL_MS * NS_PER_MS);
	uint64_t last_ns = ends_ns(witness) - LAST_MS * NS_PER_MS;

	if (may_move(witness, now_ns)) {
		return now_ns + larger(cost_ns * PROBE_COST_FACTOR, probe_ns);
	}
	if (witness->begins_anew && now_ns < begins_ns(witness)) {
		uint64_t watched_ns = now_ns + larger(cost_ns * COST_FACTOR, RAMP_MS * NS_PER_MS);

		return watched_ns < ramp_ends_ns(witness) ? watched_ns : begins_ns(witness);
	}
	return now_ns < last_ns && next_ns > last_ns ? last_ns : next_ns;
}

static void take_steady(struct witness *witness, uint64_t now_ns)
{
	struct reading reading;
	uint64_t before_ns = clock_used_ns(); /* what waits for a processor, on a busy machine, costs nobody anything */
	bool is_steady = now_ns >= begins_ns(witness) && now_ns <= ends_ns(witness);
	bool is_whole = is_steady && is_whole_due(witness, now_ns);
	bool may_begin = may_move(witness, now_ns);
	bool is_ramp = witness->ramp_ns != 0 && now_ns < ramp_ends_ns(witness);

	if (is_steady || may_begin || is_ramp) {
		witness_read_parts(witness, &reading, is_whole ? STEADY_PARTS : WITNESS_MOVING_PARTS);
		keep_latest(witness, &reading);
		if (!(may_begin && begins_to_move(witness, &reading)) && is_steady) {
			keep_steady(witness, &reading, is_whole);
		}
	}
	witness->next_ns = choose_next_ns(witness, clock_now_ns(), clock_used_ns() - before_ns);
}

/*
 * A few looks: a slow start is no missing file, and a look at another's process may be denied. The file is opened once
 * for its size before the engine comes up, so one without an engine is looked at again, until the load is under way.
 */
static void take_files(struct witness *witness, pid_t pid, uint64_t now_ns)
{
	struct process_files *kept = &witness->readings.files, seen;

	witness->looks++;
	witness->look_ns = now_ns + INTERVAL_MS * NS_PER_MS;
	process_files_take(&seen, witness_root(witness), pid, witness->test_device, witness->test_inode);
	if (seen.files > 0) {
		*kept = seen;
		if (seen.io_uring || seen.aio || (witness->moved_ns != 0 && now_ns >= begins_ns(witness))) {
			witness->looks = FILES_LOOKS;
		}
	}
}

void witness_tick(struct witness *witness, pid_t pid)
{
	uint64_t now_ns = clock_now_ns();

	if (witness->is_on && now_ns >= witness->next_ns) {
		take_steady(witness, now_ns);
	}
	if (witness->is_on && now_ns >= ramp_due_ns(witness)) {
		take_ramp_end(witness, pid);
	}
	if (witness->is_on && now_ns >= witness->look_ns && witness->looks < FILES_LOOKS) {
		take_files(witness, pid, now_ns);
	}
	if (witness->power && now_ns >= witness->started_ns + witness->ramp_ns) {
		power_sampler_tick(witness->power, pid);
	}
}

uint64_t witness_rest_ns(const struct witness *witness)
{
	uint64_t now_ns = clock_now_ns(), ramp_ns = ramp_due_ns(witness);
	uint64_t next_ns = witness->next_ns > now_ns && witness->next_ns < ramp_ns ? witness->next_ns : ramp_ns;

	return witness->is_on && next_ns > now_ns && next_ns != UINT64_MAX ? next_ns - now_ns : UINT64_MAX;
}
