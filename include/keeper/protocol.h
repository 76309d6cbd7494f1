/**
 * What the front (the program the user started) and the keeper say to each other over two pipes.
 *
 * The keeper is a process of its own, across sudo where that is used: it owns the test folder and the programs that
 * load the disk, and ends and removes all of it when it is told to, or when its pipe to the front closes, which also
 * happens when the front is killed. Both are the same executable, so messages are plain structs.
 */
#ifndef KEEPER_PROTOCOL_H
#define KEEPER_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dd/job.h"
#include "fio/job.h"
#include "support/text.h"
#include "telemetry/readings.h"
#include "telemetry/watch.h"

/** What a message is. A struct of the same name follows where one is named. */
enum keeper_message_type {
	/* from the front */
	KEEPER_OPEN = 1,   /* keeper_open: make the test folder; answered by READY or REFUSED */
	KEEPER_LAYOUT,     /* keeper_layout: write the test file; PROGRESS..., then DONE or REFUSED */
	KEEPER_RUN_FIO,    /* keeper_run_fio: PROGRESS..., then RESULT or REFUSED */
	KEEPER_RUN_DD,     /* keeper_run_dd: the same */
	KEEPER_WATCH,      /* struct watch: what to read around the runs from now on; answered by DONE or REFUSED */
	KEEPER_POWER,      /* keeper_power: hold this of the power management from now on; POWER_STATE or REFUSED */
	KEEPER_TRY_DIRECT, /* see what becomes of O_DIRECT on the test file; answered by DIRECT or REFUSED */
	KEEPER_STOP,       /* end what is going on; it is answered as if it had ended by itself */
	KEEPER_CLOSE,      /* remove everything; answered by CLOSED or REFUSED, then the keeper ends */
	/* from the keeper */
	KEEPER_HELLO, /* keeper_hello, first of all */
	KEEPER_READY,
	KEEPER_REFUSED,  /* keeper_refusal and the sentence */
	KEEPER_PROGRESS, /* keeper_progress */
	KEEPER_DONE,
	KEEPER_RESULT, /* keeper_result, then the output, then the other text */
	KEEPER_CLOSED,
	KEEPER_DIRECT,      /* struct direct_truth */
	KEEPER_POWER_STATE, /* keeper_power_state */
};

/** Says that the other side is this program in this version. */
#define KEEPER_MAGIC UINT32_C(0x73746864)

struct keeper_hello {
	uint32_t magic;
	uint32_t layout_version; /* of these structs */
	uint32_t effective_uid;
	uint32_t has_fio; /* 1: fio was found, in the keeper's own PATH */
};
#define KEEPER_LAYOUT_VERSION UINT32_C(6)

struct keeper_open {
	uint64_t device; /* st_dev and st_ino of the directory the keeper must find itself in */
	uint64_t inode;
};

struct keeper_layout {
	uint64_t size_bytes;
};

struct keeper_run_fio {
	struct fio_job job;
	uint64_t grace_s; /* how long beyond its runtime it may take */
};

struct keeper_run_dd {
	struct dd_job job;
	uint64_t grace_s; /* how long it may make no progress */
};

/** What to hold; whatever was held before and is not in it is put back. */
struct keeper_power {
	uint32_t holds; /* bits of enum power_hold; 0: nothing, which also asks what could be held */
};

struct keeper_power_state {
	uint32_t held;          /* bits of enum power_hold that are held now */
	uint32_t possible;      /* bits that could be held, by all that can be seen without doing it */
	int32_t idle_error;     /* errno, why idle states cannot be held off; 0 for none */
	int32_t governor_error; /* the same of the governor; ENOENT: the kernel clocks no processor here */
	uint32_t policies;      /* frequency domains */
	uint32_t performing;    /* of those: whose governor was "performance" before anything was held */
	uint32_t is_taken;      /* 1: another measurement on this machine holds something right now */
};

struct keeper_refusal {
	uint32_t status; /* enum status */
	int32_t error;   /* errno; 0 where there is none */
};

struct keeper_progress {
	uint64_t done_bytes; /* of the layout or dd's file; 0 for fio */
	uint64_t total_bytes;
	double bandwidth_bytes_per_s; /* now; negative where unknown */
	/* What the devices moved in the run's direction since it began, by the newest reading; negative where unknown. */
	double device_bytes;
	double device_elapsed_s; /* since it began, when that was read */
	double elapsed_s;        /* since it began */
};

/** As many readings are taken around the end of a ramp: when it ends, fio alone knows. */
enum { KEEPER_RAMP_READINGS_MAX = 24 };

struct keeper_ramp_reading {
	struct reading reading;
	uint64_t process_read_bytes; /* what fio had fetched from storage by then, and written */
	uint32_t process_known;      /* 1: that could be seen */
	uint32_t unused;             /* keeps the lengths aligned */
};

struct keeper_result {
	int32_t wait_status;
	uint32_t past_deadline; /* 1: it was ended since it took too long */
	uint32_t stuck;         /* 1: it does not die, even after SIGKILL */
	uint32_t process_id;
	int32_t flush_error; /* errno of the keeper's own flush after a write run; 0 where all is on the device */
	uint32_t ramp_count; /* of `ramp`; 0 without a ramp */
	uint64_t output_length;
	uint64_t other_length;
	/* The ramp's end on CLOCK_MONOTONIC as far as the device told: not before the one, and, of a fio that keeps to its
	 * time, not after the other, which is 0 where the device told nothing. */
	uint64_t ramp_earliest_ns;
	uint64_t ramp_latest_ns;
	struct run_readings readings;
	struct keeper_ramp_reading ramp[KEEPER_RAMP_READINGS_MAX];
};

/** A message as it came. `payload` is owned. */
struct keeper_message {
	uint32_t type;
	struct text payload;
};

/** The largest payload either side accepts. */
#define KEEPER_PAYLOAD_MAX (UINT64_C(64) << 20)

/** Write a message: the type and up to three pieces. False where the other side is gone. */
bool keeper_send(int descriptor, enum keeper_message_type type, const void *first, size_t first_size,
	const void *second, size_t second_size, const void *third, size_t third_size);
/** A message with a struct or nothing as its payload. */
bool keeper_send_struct(int descriptor, enum keeper_message_type type, const void *payload, size_t size);

/** A progress message, left out where the front does not read (it was stopped): nothing may wait for that. */
void keeper_send_progress(int descriptor, const struct keeper_progress *progress);

/**
 * Take the first whole message out of `buffered`, which holds what was read so far. False where there is none yet;
 * `*broken` says that what is there is no message at all. The caller releases the payload.
 */
bool keeper_take(struct text *buffered, struct keeper_message *message, bool *broken);

/** Copy the payload's head into a struct of `size` bytes; false where it is too short. */
bool keeper_payload(const struct keeper_message *message, void *into, size_t size);

#endif
