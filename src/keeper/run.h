/** One program that loads the disk: started, watched, ended. Private to keeper/. */
#ifndef KEEPER_RUN_H
#define KEEPER_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "requests.h"
#include "support/text.h"
#include "witness.h"

/** How a program can be stopped. */
enum stop_way {
	STOP_BY_SIGNAL,
	STOP_BY_PIPE, /* it belongs to root and we do not: the next line it writes to a closed pipe ends it */
};

/** A program under way. */
struct run {
	pid_t pid;
	int out, err;     /* our ends of its pipes; -1 once they are at their end */
	int document;     /* the memory file that fio writes its document to; -1 without one */
	int feeder_input; /* what it reads from; -1 for nothing */
	pid_t feeder;     /* who writes that; -1 for nobody */
	enum stop_way stop_way;
	struct witness *witness; /* reads what the kernel says meanwhile */
	bool is_dd;
	int progress_number;  /* dd: the descriptor of its whose position is the progress */
	uint64_t total_bytes; /* dd: of the file; 0 for fio */
	uint64_t deadline_ns; /* fio: when it must have ended; dd: moved on with every progress */
	uint64_t grace_ns;
	struct text line;             /* of stdout, not finished yet */
	struct text output;           /* what it wrote, without progress lines */
	struct text other;            /* stderr */
	double bandwidth_bytes_per_s; /* latest known; negative for unknown */
	uint64_t done_bytes;
	uint64_t done_at_ns;
	uint64_t moved_bytes; /* fio: by the kernel's account, at moved_at_ns */
	uint64_t moved_at_ns;
};

/** Send how far things are; called a few times a second. */
typedef void run_report(void *context, const struct run *run);

/** Fill in a run that has not started. */
void run_init(struct run *run);

/** Watch a started program to its end, or end it where it takes too long or the front wants it. */
void run_watch(
	struct run *run, struct requests *requests, run_report *report, void *context, struct keeper_result *result);

/** Close and free. */
void run_release(struct run *run);

#endif
