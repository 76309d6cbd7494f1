#include "ramp.h"

#include <math.h>
#include <stdbool.h>

#include "fio/version.h"
#include "plan/workload.h"
#include "support/clock.h"

/* From the end of its jobs to its own fio takes half of this; rather a little of the ramp than a hole in the evidence.
 */
#define EXIT_NS (40 * NS_PER_MS)
/* From this version on it looks only once a second whether its ramp is over. */
enum { SLOW_MAJOR = 3, SLOW_MINOR = 42 };
#define SLOW_NS (1100 * NS_PER_MS)
/* How late the ramp's end may be met by one that looks at each request: a slow request, a busy machine. */
#define PROMPT_NS (100 * NS_PER_MS)
/* What is missed of the time that counts must not be seen in the shares. */
#define MISSED_SHARE_MAX 0.02

static uint64_t tolerance_ns(const char *version)
{
	unsigned major = 0, minor = 0;
	bool known = version && fio_version_parse(version, &major, &minor);
	bool slow = !known || major > SLOW_MAJOR || (major == SLOW_MAJOR && minor >= SLOW_MINOR);

	return slow ? SLOW_NS : PROMPT_NS;
}

/* When fio began to count: its own time back from its end, within what the device told of its start. 0: unknown. */
static uint64_t counted_from_ns(const struct keeper_result *seen, double runtime_ms, const char *version)
{
	uint64_t end_ns = seen->readings.after.at_ns;
	double runtime_ns = runtime_ms * (double)NS_PER_MS;

	if (end_ns == 0 || !(runtime_ns > 0) || runtime_ns + (double)EXIT_NS >= (double)end_ns) {
		return 0;
	}
	uint64_t from_ns = end_ns - EXIT_NS - (uint64_t)runtime_ns;
	if (from_ns < seen->ramp_earliest_ns) {
		return seen->ramp_earliest_ns;
	}
	if (seen->ramp_latest_ns != 0 && from_ns > seen->ramp_latest_ns + tolerance_ns(version)) {
		return seen->ramp_latest_ns;
	}
	return from_ns;
}

/* The newest reading from before that time; the first where it came only just too late; else NULL. */
static const struct keeper_ramp_reading *choose(const struct keeper_result *seen, uint64_t from_ns, double runtime_ms)
{
	const struct keeper_ramp_reading *chosen = NULL;
	double missed_max_ns = runtime_ms * (double)NS_PER_MS * MISSED_SHARE_MAX;

	for (uint32_t i = 0; i < seen->ramp_count && i < KEEPER_RAMP_READINGS_MAX; i++) {
		uint64_t at_ns = seen->ramp[i].reading.at_ns;

		if (at_ns <= from_ns || (!chosen && (double)(at_ns - from_ns) <= missed_max_ns)) {
			chosen = &seen->ramp[i];
		}
	}
	return chosen;
}

/* The idle stretch tells what others move; it is put right before the new beginning, as if it had been then. */
static void move_idle(struct reading *idle, const struct reading *old_before, const struct reading *before)
{
	if (idle->at_ns == 0) {
		return;
	}
	idle->known &= (uint32_t)READING_DEVICES & old_before->known & before->known;
	idle->at_ns += before->at_ns - old_before->at_ns;
	for (unsigned role = 0; role < STORAGE_ROLE_COUNT; role++) {
		struct device_counters *moved = &idle->devices[role];
		const struct device_counters *from = &old_before->devices[role], *to = &before->devices[role];

		moved->read_requests += to->read_requests - from->read_requests;
		moved->read_bytes += to->read_bytes - from->read_bytes;
		moved->write_requests += to->write_requests - from->write_requests;
		moved->written_bytes += to->written_bytes - from->written_bytes;
		moved->queue_time_ms += to->queue_time_ms - from->queue_time_ms;
	}
}

/* Of what the process fetched, only a run that reads tells the part after the ramp: seen is the sum of both ways. */
static void correct_account(
	struct process_account *account, const struct keeper_ramp_reading *chosen, uint32_t transfer)
{
	bool known = account->known && chosen && chosen->process_known && transfer == TRANSFER_READ &&
				 chosen->process_read_bytes <= account->read_bytes;

	account->known = known ? 1 : 0;
	account->read_bytes = known ? account->read_bytes - chosen->process_read_bytes : 0;
}

void ramp_exclude(struct run_readings *readings, const struct keeper_result *seen, uint32_t transfer, double runtime_ms,
	const char *version)
{
	uint64_t from_ns = counted_from_ns(seen, runtime_ms, version);
	const struct keeper_ramp_reading *chosen = from_ns != 0 ? choose(seen, from_ns, runtime_ms) : NULL;

	correct_account(&readings->account, chosen, transfer);
	if (chosen) {
		move_idle(&readings->idle, &readings->before, &chosen->reading);
		readings->before = chosen->reading;
	} else {
		readings->idle = readings->before = (struct reading){.at_ns = 0};
	}
}
