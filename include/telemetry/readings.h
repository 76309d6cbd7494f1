/** All that was read around one run, and what one trial of O_DIRECT showed. */
#ifndef TELEMETRY_READINGS_H
#define TELEMETRY_READINGS_H

#include <stdint.h>

#include "telemetry/file_state.h"
#include "telemetry/power_reading.h"
#include "telemetry/process_state.h"
#include "telemetry/reading.h"

/** Around one run. Holds no pointer: it travels from the keeper as it is. */
struct run_readings {
	struct reading idle;   /* some time before the next, with nothing of ours under way in between */
	struct reading before; /* right before the program was started */
	/* When it was well under way. This one and the next know of devices, network and processors alone. */
	struct reading steady_begin;
	struct reading steady_end;                  /* the last one before its runtime was over */
	struct reading after;                       /* when it had ended, before anything else was done */
	struct reading flushed;                     /* after a write run: after the keeper's own fsync of the file */
	uint64_t in_flight_sum[STORAGE_ROLE_COUNT]; /* of all steady readings, these two and others in between */
	uint64_t steady_count;                      /* how many these are */
	/* Since the watch began, so with the laying out of the test file in it: a device that saw less does not count. */
	uint64_t written_since_watch_bytes[STORAGE_ROLE_COUNT];
	struct process_account account;
	struct process_files files;
	struct file_state file;     /* what was worse of before and after the run */
	struct power_reading power; /* of runs that measure commits */
};

/** What happened to a region that was written and read with O_DIRECT. */
struct direct_truth {
	int32_t error;                   /* errno of open, read or write; 0: all of it was accepted */
	uint32_t alignment_known;        /* 1: statx(2) told the alignment (STATX_DIOALIGN) */
	uint32_t memory_alignment_bytes; /* 0 with alignment_known: the kernel itself says that there is no O_DIRECT */
	uint32_t offset_alignment_bytes;
	/* 1: the device's counters could be read, and counted the laying out of the file; of a network file system those of
	 * its mount */
	uint32_t device_known;
	uint32_t dirtied_known;
	uint32_t resident_known;
	uint32_t journals_data; /* as in struct file_state */
	uint64_t size_bytes;    /* of the region */
	/* Of several attempts the least: what others do on the machine only adds to these. */
	uint64_t dirtied_bytes;            /* page cache made dirty by the direct write */
	uint64_t written_device_bytes;     /* on the device when the direct write returned, before any flush */
	uint64_t second_read_device_bytes; /* from the device for a second direct read of the same region */
	uint64_t resident_after_write_bytes;
	uint64_t resident_after_read_bytes;
};

#endif
