#include "keeper/protocol.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

struct header {
	uint32_t magic;
	uint32_t type;
	uint64_t length;
};

/*
 * Structs travel as they are: a gap between two members, or after the last, would carry what happened to stand in
 * memory, perhaps root's, to the other side.
 */
#define SIZE(type, member) sizeof(((type *)0)->member)
#define NO_GAP(type, members) _Static_assert(sizeof(type) == (members), "a gap in " #type)
NO_GAP(struct header, 2 * sizeof(uint32_t) + sizeof(uint64_t));
NO_GAP(struct keeper_hello, 4 * sizeof(uint32_t));
NO_GAP(struct keeper_open, 2 * sizeof(uint64_t));
NO_GAP(struct keeper_layout, sizeof(uint64_t));
NO_GAP(struct fio_job, 10 * sizeof(uint32_t) + 4 * sizeof(uint64_t));
NO_GAP(struct keeper_run_fio, sizeof(struct fio_job) + sizeof(uint64_t));
NO_GAP(struct dd_job, 2 * sizeof(uint32_t) + sizeof(uint64_t));
NO_GAP(struct keeper_run_dd, sizeof(struct dd_job) + sizeof(uint64_t));
NO_GAP(struct keeper_power, sizeof(uint32_t));
NO_GAP(struct keeper_power_state, 7 * sizeof(uint32_t));
NO_GAP(struct keeper_refusal, sizeof(uint32_t) + sizeof(int32_t));
NO_GAP(struct keeper_progress, 2 * sizeof(uint64_t) + 4 * sizeof(double));
NO_GAP(struct keeper_ramp_reading, sizeof(struct reading) + sizeof(uint64_t) + 2 * sizeof(uint32_t));
NO_GAP(struct keeper_result,
	6 * sizeof(uint32_t) + 4 * sizeof(uint64_t) + sizeof(struct run_readings) + SIZE(struct keeper_result, ramp));
NO_GAP(struct watched_device, 3 * sizeof(uint32_t));
NO_GAP(struct watch, 4 * sizeof(uint32_t) + sizeof(uint64_t) + SIZE(struct watch, devices));
NO_GAP(struct device_counters, 9 * sizeof(uint64_t));
NO_GAP(struct zil_counters, 4 * sizeof(uint64_t));
NO_GAP(struct reading,
	4 * sizeof(uint32_t) + 9 * sizeof(uint64_t) + sizeof(struct zil_counters) + SIZE(struct reading, devices));
NO_GAP(struct process_account, 2 * sizeof(uint32_t) + 2 * sizeof(uint64_t));
NO_GAP(struct process_files, 6 * sizeof(uint32_t));
NO_GAP(struct file_state, 2 * sizeof(uint32_t) + 7 * sizeof(uint64_t));
NO_GAP(struct power_reading, 4 * sizeof(uint32_t) + 4 * sizeof(uint64_t) + SIZE(struct power_reading, idle_time_us) +
								 SIZE(struct power_reading, idle_entries));
NO_GAP(struct run_readings, 6 * sizeof(struct reading) + SIZE(struct run_readings, in_flight_sum) + sizeof(uint64_t) +
								SIZE(struct run_readings, written_since_watch_bytes) + sizeof(struct process_account) +
								sizeof(struct process_files) + sizeof(struct file_state) +
								sizeof(struct power_reading));
NO_GAP(struct direct_truth, 8 * sizeof(uint32_t) + 6 * sizeof(uint64_t));

static bool write_all(int descriptor, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size > 0) {
		ssize_t written = write(descriptor, at, size);

		if (written > 0) {
			at += written;
			size -= (size_t)written;
		} else if (written < 0 && errno != EINTR) {
			return false;
		}
	}
	return true;
}

bool keeper_send(int descriptor, enum keeper_message_type type, const void *first, size_t first_size,
	const void *second, size_t second_size, const void *third, size_t third_size)
{
	struct header header = {
		.magic = KEEPER_MAGIC, .type = (uint32_t)type, .length = first_size + second_size + third_size};

	return write_all(descriptor, &header, sizeof(header)) && write_all(descriptor, first, first_size) &&
		   write_all(descriptor, second, second_size) && write_all(descriptor, third, third_size);
}

bool keeper_send_struct(int descriptor, enum keeper_message_type type, const void *payload, size_t size)
{
	return keeper_send(descriptor, type, payload, size, NULL, 0, NULL, 0);
}

void keeper_send_progress(int descriptor, const struct keeper_progress *progress)
{
	struct pollfd polled = {.fd = descriptor, .events = POLLOUT};

	/* A pipe that can be written to takes at least PIPE_BUF bytes, far more than this, without waiting. */
	if (poll(&polled, 1, 0) > 0) {
		keeper_send_struct(descriptor, KEEPER_PROGRESS, progress, sizeof(*progress));
	}
}

bool keeper_take(struct text *buffered, struct keeper_message *message, bool *broken)
{
	struct header header;

	*broken = false;
	if (buffered->length < sizeof(header)) {
		return false;
	}
	memcpy(&header, buffered->bytes, sizeof(header));
	if (header.magic != KEEPER_MAGIC || header.length > KEEPER_PAYLOAD_MAX) {
		*broken = true;
		return false;
	}
	size_t whole = sizeof(header) + (size_t)header.length;
	if (buffered->length < whole) {
		return false;
	}
	*message = (struct keeper_message){.type = header.type, .payload = TEXT_EMPTY};
	text_add_bytes(&message->payload, buffered->bytes + sizeof(header), (size_t)header.length);
	memmove(buffered->bytes, buffered->bytes + whole, buffered->length - whole);
	buffered->length -= whole;
	buffered->bytes[buffered->length] = '\0';
	return true;
}

bool keeper_payload(const struct keeper_message *message, void *into, size_t size)
{
	if (message->payload.length < size) {
		return false;
	}
	memcpy(into, message->payload.bytes, size);
	return true;
}
