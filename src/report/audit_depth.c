/* How many blocks were in flight on the device. */
#include <math.h>

#include "scale.h"

#define NS_PER_MILLISECOND 1e6
/* A shorter stretch than this says nothing of a mean. */
#define STEADY_MIN_NS 2e8
/* What others move besides is at least so large each. */
#define REQUEST_MIN_BYTES 4096
/* Where a ramp goes before the run, the readings' beginning is as exact as that. */
#define RAMP_TOLERANCE 0.05

static double steady(const struct scale *scale, enum storage_role role, enum counter counter)
{
	return scale_moved(scale, &scale->readings->steady_begin, &scale->readings->steady_end, role, counter);
}

static double steady_requests(const struct scale *scale, enum storage_role role)
{
	return steady(scale, role, COUNTER_READ_REQUESTS) + steady(scale, role, COUNTER_WRITE_REQUESTS);
}

/*
 * The mean number of requests in flight. Their time is booked when they are completed, which on a slow device is long
 * after they came; and some md devices keep no such time at all.
 */
static double requests_in_flight(const struct scale *scale, enum storage_role role)
{
	const struct run_readings *readings = scale->readings;
	double steady_ms = scale_elapsed_ns(&readings->steady_begin, &readings->steady_end) / NS_PER_MILLISECOND;
	double queue_ms = steady(scale, role, COUNTER_QUEUE_TIME);
	double seen =
		readings->steady_count > 0 ? (double)readings->in_flight_sum[role] / (double)readings->steady_count : 0;

	if (isnan(queue_ms) || (queue_ms <= 0 && seen <= 0 && steady_requests(scale, role) > 0)) {
		return UNKNOWN;
	}
	return fmax(queue_ms / steady_ms, seen);
}

/*
 * Into how many requests the device's limits split a block. What others, or the file system itself, moved beside the
 * run's bytes is no part of it.
 */
static double fragments(const struct scale *scale, enum storage_role role)
{
	bool is_read = scale->transfer == TRANSFER_READ;
	double copies = !is_read && role == STORAGE_LEAF ? scale_copies(scale->storage) : 1;
	double requests = scale_moved_in_run(scale, role, is_read ? COUNTER_READ_REQUESTS : COUNTER_WRITE_REQUESTS);
	double bytes = scale_moved_in_run(scale, role, is_read ? COUNTER_READ : COUNTER_WRITTEN);
	double tolerance = scale->report->plan->ramp_s > 0 ? RAMP_TOLERANCE : 0;
	/* How much more than was claimed the readings may have of the run's own. */
	double more = fmax(fmin(bytes / (scale->claimed_bytes * copies), 1 + tolerance), 1);
	double excess_bytes = fmax(bytes - scale->claimed_bytes * copies * more, 0);
	double blocks = scale->claimed_bytes * more / (double)scale->workload->block_size_bytes;

	/* fmax passes over NAN */
	return fmax(1, (requests - excess_bytes / REQUEST_MIN_BYTES) / blocks);
}

static double blocks_in_flight(const struct scale *scale, enum storage_role role)
{
	return requests_in_flight(scale, role) / fragments(scale, role);
}

static double blocks_done(const struct scale *scale, enum storage_role role)
{
	return steady_requests(scale, role) / fragments(scale, role);
}

void audit_fill_depth(struct audit *audit, const struct scale *scale)
{
	const struct storage *storage = scale->storage;
	double steady_ns = scale_elapsed_ns(&scale->readings->steady_begin, &scale->readings->steady_end);

	/* A limit holds requests back before the device's counter sees them. */
	if (storage->kind != STORAGE_BLOCK || storage->is_throttled || storage->may_be_throttled ||
		!(steady_ns >= STEADY_MIN_NS)) {
		return;
	}
	double top = blocks_in_flight(scale, STORAGE_TOP), leaf = blocks_in_flight(scale, STORAGE_LEAF);

	/* Disks beneath a file of another file system have its requests, too. */
	audit->queue_depth = storage->is_shared && !isnan(top) ? top : fmax(top, leaf);
	audit->steady_blocks = fmax(blocks_done(scale, STORAGE_TOP), blocks_done(scale, STORAGE_LEAF));
}
