/** What one row of a table measures, in our words, not in fio's or dd's. */
#ifndef PLAN_WORKLOAD_H
#define PLAN_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

/** The name of the test file in its private folder: no character in it means anything to fio or dd. */
#define TEST_FILE_NAME "speedtest-hd.bench"

/** The order in which blocks are visited. */
enum access_pattern { ACCESS_SEQUENTIAL, ACCESS_RANDOM };

/** Which way the data goes. */
enum transfer { TRANSFER_READ, TRANSFER_WRITE };
enum { TRANSFER_COUNT = 2 };
/** "read" or "write"; a constant. */
const char *transfer_name(enum transfer transfer);

/** How fio submits I/O; ENGINE_PSYNC is what the SLOG profile uses. */
enum engine { ENGINE_IO_URING, ENGINE_LIBAIO, ENGINE_POSIXAIO, ENGINE_SYNC, ENGINE_PSYNC };
/** How many of them, from the first, a user can choose; the order in which they are tried. */
enum { ENGINE_CHOICES = 4 };

/** The engine's name, as the user and fio write it. */
const char *engine_name(enum engine engine);
/** The engine of that name; false for an unknown one. */
bool engine_find(const char *name, enum engine *engine);
/** Whether the engine keeps several requests of a job under way on one file: else a queue depth means nothing. */
bool engine_has_queue_depth(enum engine engine);

/** How a row of dd's profile reads or writes. */
enum dd_mode { DD_WRITE_FSYNC, DD_READ_UNCACHED, DD_READ_CACHED };

/** How each write of a synchronous workload is made durable. */
enum sync_method { SYNC_O_SYNC, SYNC_O_DSYNC, SYNC_FDATASYNC /* a plain write, then fdatasync(2) */ };
enum { SYNC_METHOD_COUNT = 3 };

/** Which table a workload belongs to. */
enum workload_part {
	PART_MAIN,
	PART_DETAIL,     /* reference rows, on request */
	PART_EXPERIMENT, /* the same commits again and again, with one thing of the machine changed at a time */
};
enum { PART_COUNT = 3 };

/** What of the machine's power management is held while a workload runs: bits. */
enum power_hold {
	POWER_HOLD_IDLE = 1 << 0,    /* no idle state with a latency: the processors stay awake */
	POWER_HOLD_GOVERNOR = 1 << 1 /* the frequency governor "performance" */
};

/** One kind of load. */
struct workload {
	const char *name; /* the table's first column */
	enum access_pattern pattern;
	uint64_t block_size_bytes;
	unsigned queue_depth;
	unsigned jobs;
	bool synchronous;               /* every write is durable before the next */
	enum sync_method sync_method;   /* how, if it is */
	bool transfers[TRANSFER_COUNT]; /* which directions are measured */
	enum dd_mode dd_mode;           /* for dd's profile only */
	enum workload_part part;
	unsigned power;    /* of the experiment: bits of enum power_hold */
	const char *stage; /* of the experiment: what was changed, "C-states held off"; NULL otherwise */
};

#endif
