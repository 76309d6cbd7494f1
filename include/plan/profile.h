/** THE profile table: which workloads belong together, and how they are measured. */
#ifndef PLAN_PROFILE_H
#define PLAN_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "plan/workload.h"

/** The program that makes the load. */
enum load_tool { LOAD_FIO, LOAD_DD };

/** The columns that a profile's table has; record/table.c knows how to fill them. */
enum table_shape { TABLE_READ_WRITE, TABLE_LATENCY, TABLE_RATE };

/** A set of tests. */
struct profile {
	const char *key;   /* stable: "cdm", "slog", "dd" */
	const char *title; /* for people */
	enum load_tool tool;
	enum table_shape shape;
	bool synchronous; /* measures commits: psync, no O_DIRECT unless forced */
	const struct workload *workloads;
	size_t workload_count;
};

extern const struct profile profile_cdm;
extern const struct profile profile_slog;
extern const struct profile profile_dd;

/** Every profile; ends with NULL. */
extern const struct profile *const profiles[];

/** The profile with that key; NULL for an unknown one. */
const struct profile *profile_find(const char *key);

#endif
