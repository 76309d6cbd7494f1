/* From a run's readings to what is kept of them. */
#include <math.h>
#include <stddef.h>

#include "record_make.h"

#define UNKNOWN ((double)NAN)

/* A counter that goes backwards was reset, and tells nothing. */
static double grown(uint64_t from, uint64_t to)
{
	return to >= from ? (double)(to - from) : UNKNOWN;
}

/* From right before the run to right after it; what a flush brought later is in flushed_later. */
static bool both_know(const struct run_readings *readings, enum reading_part part)
{
	return readings->before.at_ns != 0 && readings->after.at_ns > readings->before.at_ns &&
		   reading_both_know(&readings->before, &readings->after, part);
}

static void set_unknown(struct record_counters *counters)
{
	*counters = (struct record_counters){
		.read_requests = UNKNOWN, .read_bytes = UNKNOWN, .write_requests = UNKNOWN, .written_bytes = UNKNOWN};
}

static void make_counters(struct record_counters *counters, const struct report *report,
	const struct run_readings *readings, enum storage_role role)
{
	const struct device_counters *before = &readings->before.devices[role], *after = &readings->after.devices[role];

	set_unknown(counters);
	if (both_know(readings, READING_DEVICES) && storage_count(&report->storage, role) > 0) {
		*counters = (struct record_counters){.known = true,
			.read_requests = grown(before->read_requests, after->read_requests),
			.read_bytes = grown(before->read_bytes, after->read_bytes),
			.write_requests = grown(before->write_requests, after->write_requests),
			.written_bytes = grown(before->written_bytes, after->written_bytes)};
	}
}

static void make_network(struct record_counters *counters, const struct run_readings *readings)
{
	const struct reading *before = &readings->before, *after = &readings->after;

	set_unknown(counters);
	if (both_know(readings, READING_NETWORK)) {
		counters->known = true;
		counters->read_bytes = grown(before->network_read_bytes, after->network_read_bytes);
		counters->written_bytes = grown(before->network_written_bytes, after->network_written_bytes);
	}
}

void record_make_evidence(struct record_evidence *evidence, const struct report *report, size_t run)
{
	const struct evidence *seen = &report->measurements[run].evidence;
	struct audit audit;

	audit_make(&audit, report, run);
	*evidence = (struct record_evidence){.present = seen->present,
		.claimed_bytes = seen->present ? seen->claimed_bytes : UNKNOWN,
		.from_device = audit.from_device,
		.on_device = audit.on_device,
		.flushed_later = audit.flushed_later,
		.written_copies = audit.written_copies,
		.page_cache = audit.page_cache,
		.foreign_read_bytes_per_s = audit.foreign_read_bytes_per_s,
		.foreign_write_bytes_per_s = audit.foreign_write_bytes_per_s,
		.foreign_share = audit.foreign_share,
		.queue_depth = audit.queue_depth,
		.processors_busy = audit.processors_busy,
		.busiest_job_cpu = seen->present ? seen->busiest_job_cpu : UNKNOWN,
		.submit_saturation = seen->present ? seen->submit_saturation : UNKNOWN};
	for (int role = 0; role < STORAGE_ROLE_COUNT; role++) {
		make_counters(&evidence->counters[role], report, &seen->readings, (enum storage_role)role);
	}
	make_network(&evidence->network, &seen->readings);
}
