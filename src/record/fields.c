#include "fields.h"

/* Bounds are wide: they keep out what no machine does, and what does not fit the program's integers. */
#define BYTES_MOST 1e18
#define RATE_MOST 1e18
#define COUNT_MOST 1e18
#define SHARE_MOST 1e9
#define SECONDS_MOST 1e9
#define DEPTH_MOST 1e6
/* Bytes or requests a second, nanoseconds; and seconds. */
#define FIGURE_SMALLEST 1e-3
#define TIME_SMALLEST 1e-6

static const char *const state_words[] = {"running", "complete", "interrupted", "failed", NULL};
static const char *const outcome_words[] = {"not run", "valid", "failed", NULL};
static const char *const pattern_words[] = {"sequential", "random", NULL};
static const char *const mark_words[] = {"", "*", "?", NULL};
static const char *const direct_words[] = {"enabled", "refused", "not-wanted", "not-for-slog", NULL};
static const char *const honour_words[] = {"unknown", "yes", "no", NULL};
const char *const storage_words[] = {"unknown", "block", "zfs", "ram", "nfs", "cifs", NULL};
const char *const transfer_words[] = {"read", "write", NULL};
static const char *const method_words[] = {"O_SYNC", "O_DSYNC", "fdatasync", NULL};
const char *const part_words[] = {"main", "detail", "experiment", NULL};
const char *const role_keys[] = {"top", "leaf", "disk", "log"};

#define TEXT(type, member, name)                                                                                       \
	{                                                                                                                  \
		.key = name, .kind = FIELD_TEXT, .offset = offsetof(type, member), .most = RECORD_TEXT_BYTES_MAX               \
	}
#define TEXT_OR_NULL(type, member, name)                                                                               \
	{                                                                                                                  \
		.key = name, .kind = FIELD_TEXT, .may_be_null = true, .offset = offsetof(type, member),                        \
		.most = RECORD_TEXT_BYTES_MAX                                                                                  \
	}
#define NAME(type, member, name)                                                                                       \
	{                                                                                                                  \
		.key = name, .kind = FIELD_TEXT, .offset = offsetof(type, member), .most = RECORD_NAME_BYTES_MAX               \
	}
#define NAME_OR_NULL(type, member, name)                                                                               \
	{                                                                                                                  \
		.key = name, .kind = FIELD_TEXT, .may_be_null = true, .offset = offsetof(type, member),                        \
		.most = RECORD_NAME_BYTES_MAX                                                                                  \
	}
#define TIME(type, member, name)                                                                                       \
	{                                                                                                                  \
		.key = name, .kind = FIELD_TIME, .offset = offsetof(type, member)                                              \
	}
#define TIME_OR_NULL(type, member, name)                                                                               \
	{                                                                                                                  \
		.key = name, .kind = FIELD_TIME, .may_be_null = true, .offset = offsetof(type, member)                         \
	}
#define WORD(type, member, name, list)                                                                                 \
	{                                                                                                                  \
		.key = name, .kind = FIELD_WORD, .offset = offsetof(type, member), .words = list                               \
	}
#define CHOICE(type, member, name, list)                                                                               \
	{                                                                                                                  \
		.key = name, .kind = FIELD_CHOICE, .offset = offsetof(type, member), .words = list                             \
	}
#define CHOICE_OR_NULL(type, member, name, list)                                                                       \
	{                                                                                                                  \
		.key = name, .kind = FIELD_CHOICE, .may_be_null = true, .offset = offsetof(type, member), .words = list        \
	}
#define CHOICE_LATER(type, member, name, list)                                                                         \
	{                                                                                                                  \
		.key = name, .kind = FIELD_CHOICE, .came_later = true, .offset = offsetof(type, member), .words = list         \
	}
#define NUMBER(type, member, name, low, high)                                                                          \
	{                                                                                                                  \
		.key = name, .kind = FIELD_NUMBER, .offset = offsetof(type, member), .least = low, .most = high                \
	}
#define NUMBER_OR_NULL(type, member, name, low, high)                                                                  \
	{                                                                                                                  \
		.key = name, .kind = FIELD_NUMBER, .may_be_null = true, .offset = offsetof(type, member), .least = low,        \
		.most = high                                                                                                   \
	}
#define WHOLE(type, member, name, high)                                                                                \
	{                                                                                                                  \
		.key = name, .kind = FIELD_WHOLE, .offset = offsetof(type, member), .most = high                               \
	}
#define TRUTH(type, member, name)                                                                                      \
	{                                                                                                                  \
		.key = name, .kind = FIELD_TRUTH, .offset = offsetof(type, member)                                             \
	}
#define TRUTH_LATER(type, member, name)                                                                                \
	{                                                                                                                  \
		.key = name, .kind = FIELD_TRUTH, .came_later = true, .offset = offsetof(type, member)                         \
	}

const struct field record_fields[] = {
	NAME(struct record, program_version, "program_version"),
	CHOICE(struct record, state, "state", state_words),
	TEXT_OR_NULL(struct record, failure, "failure"),
	NAME_OR_NULL(struct record, label, "label"),
	NAME_OR_NULL(struct record, host, "host"),
	TIME(struct record, started_at, "started_at"),
	TIME_OR_NULL(struct record, finished_at, "finished_at"),
	{0},
};

const struct field settings_fields[] = {
	NAME_OR_NULL(struct record_settings, engine, "engine"),
	NAME(struct record_settings, tool, "tool"),
	NAME(struct record_settings, runs_as, "runs_as"),
	NUMBER(struct record_settings, size_bytes, "size_bytes", 0, BYTES_MOST),
	NUMBER_OR_NULL(struct record_settings, runtime_s, "runtime_s", 0, SECONDS_MOST),
	{.key = "runs",
		.kind = FIELD_NUMBER,
		.offset = offsetof(struct record_settings, runs),
		.most = RECORD_LIST_MAX,
		.is_whole = true},
	TRUTH(struct record_settings, warmup, "warmup"),
	NUMBER(struct record_settings, ramp_s, "ramp_s", 0, SECONDS_MOST),
	NUMBER(struct record_settings, interval_s, "interval_s", 0, SECONDS_MOST),
	TEXT(struct record_settings, command, "command"),
	{0},
};

const struct field target_fields[] = {
	TEXT(struct record_target, path, "path"),
	NAME_OR_NULL(struct record_target, file_system, "file_system"),
	TEXT_OR_NULL(struct record_target, source, "source"),
	TEXT_OR_NULL(struct record_target, mount_point, "mount_point"),
	TEXT_OR_NULL(struct record_target, device, "device"),
	WORD(struct record_target, storage, "storage", storage_words),
	TEXT_OR_NULL(struct record_target, devices[STORAGE_TOP], "devices_top"),
	TEXT_OR_NULL(struct record_target, devices[STORAGE_LEAF], "devices_leaf"),
	TEXT_OR_NULL(struct record_target, devices[STORAGE_DISK], "devices_disk"),
	TEXT_OR_NULL(struct record_target, devices[STORAGE_LOG], "devices_log"),
	NUMBER_OR_NULL(struct record_target, free_bytes, "free_bytes", 0, BYTES_MOST),
	NUMBER_OR_NULL(struct record_target, total_bytes, "total_bytes", 0, BYTES_MOST),
	{0},
};

const struct field direct_fields[] = {
	WORD(struct record_direct, state, "state", direct_words),
	WORD(struct record_direct, honoured_read, "honoured_read", honour_words),
	WORD(struct record_direct, honoured_write, "honoured_write", honour_words),
	TEXT(struct record_direct, text, "text"),
	TRUTH(struct record_direct, is_warning, "is_warning"),
	{0},
};

const struct field pool_fields[] = {
	NAME(struct record_pool, name, "name"),
	TEXT(struct record_pool, log_devices, "log_devices"),
	TRUTH(struct record_pool, is_warning, "is_warning"),
	TEXT_OR_NULL(struct record_pool, summary, "summary"),
	TEXT_OR_NULL(struct record_pool, dataset, "dataset"),
	{0},
};

const struct field fact_fields[] = {
	NAME(struct record_fact, key, "key"),
	TEXT_OR_NULL(struct record_fact, subject, "subject"),
	NAME(struct record_fact, label, "label"),
	TEXT(struct record_fact, value, "value"),
	{0},
};

const struct field test_fields[] = {
	NAME(struct record_test, name, "name"),
	CHOICE(struct record_test, transfer, "direction", transfer_words),
	CHOICE(struct record_test, pattern, "pattern", pattern_words),
	TRUTH(struct record_test, synchronous, "synchronous"),
	CHOICE_OR_NULL(struct record_test, sync_method, "sync_method", method_words),
	CHOICE_LATER(struct record_test, part, "part", part_words),
	NAME_OR_NULL(struct record_test, stage, "stage"),
	NUMBER_OR_NULL(struct record_test, block_size_bytes, "block_size_bytes", 0, BYTES_MOST),
	NUMBER_OR_NULL(struct record_test, queue_depth, "queue_depth", 0, DEPTH_MOST),
	NUMBER_OR_NULL(struct record_test, threads, "threads", 0, DEPTH_MOST),
	{0},
};

const struct field run_fields[] = {
	WHOLE(struct record_run, pass, "pass", RECORD_LIST_MAX),
	{.key = "outcome",
		.kind = FIELD_CHOICE,
		.offset = offsetof(struct record_run, outcome),
		.least = OUTCOME_VALID, /* only what was run is in the record */
		.words = outcome_words},
	TIME_OR_NULL(struct record_run, began_at, "began_at"),
	WORD(struct record_run, mark, "mark", mark_words),
	TEXT_OR_NULL(struct record_run, reason, "reason"),
	NAME_OR_NULL(struct record_run, failure_id, "failure_id"),
	{0},
};

/* A share is of the bytes claimed, or of the time: more than all of it may be seen, by rounding less than 0. */
#define SHARE(member, name) NUMBER_OR_NULL(struct record_evidence, member, name, -SHARE_MOST, SHARE_MOST)
#define EVIDENCE(member, high) NUMBER_OR_NULL(struct record_evidence, member, #member, 0, high)

const struct field evidence_fields[] = {
	NUMBER_OR_NULL(struct record_evidence, claimed_bytes, "claimed_bytes", 0, BYTES_MOST),
	SHARE(from_device, "from_device_share"),
	SHARE(on_device, "on_device_share"),
	SHARE(flushed_later, "flushed_later_share"),
	SHARE(written_copies, "written_copies"),
	SHARE(page_cache, "page_cache_share"),
	NUMBER_OR_NULL(struct record_evidence, foreign_read_bytes_per_s, "foreign_read_bytes_per_s", 0, RATE_MOST),
	NUMBER_OR_NULL(struct record_evidence, foreign_write_bytes_per_s, "foreign_write_bytes_per_s", 0, RATE_MOST),
	SHARE(foreign_share, "foreign_share"),
	NUMBER_OR_NULL(struct record_evidence, queue_depth, "queue_depth", 0, SHARE_MOST),
	SHARE(processors_busy, "processors_busy_share"),
	SHARE(busiest_job_cpu, "busiest_job_cpu_share"),
	SHARE(submit_saturation, "submit_saturation_share"),
	NUMBER_OR_NULL(struct record_evidence, device_share, "device_share", 0, 1),
	TEXT_OR_NULL(struct record_evidence, device_share_unknown, "device_share_unknown"),
	TRUTH_LATER(struct record_evidence, commits_are_skewed, "commits_are_skewed"),
	EVIDENCE(writes_per_commit, COUNT_MOST),
	EVIDENCE(flushes_per_commit, COUNT_MOST),
	NUMBER_OR_NULL(struct record_evidence, log_share, "log_share", 0, 1),
	EVIDENCE(zil_commits, COUNT_MOST),
	EVIDENCE(zil_log_blocks, COUNT_MOST),
	EVIDENCE(zil_pool_blocks, COUNT_MOST),
	EVIDENCE(zil_indirect, COUNT_MOST),
	EVIDENCE(log_writes_per_s, RATE_MOST),
	EVIDENCE(data_writes_per_s, RATE_MOST),
	EVIDENCE(cpu_frequency_hz, RATE_MOST),
	{0},
};

const struct field idle_state_fields[] = {
	NAME(struct record_idle_state, name, "name"),
	NUMBER_OR_NULL(struct record_idle_state, time_share, "time_share", 0, 1),
	NUMBER_OR_NULL(struct record_idle_state, entries, "entries", 0, COUNT_MOST),
	NUMBER_OR_NULL(struct record_idle_state, exit_latency_us, "exit_latency_us", 0, COUNT_MOST),
	{0},
};

#define COUNTER(member) NUMBER_OR_NULL(struct record_counters, member, #member, 0, COUNT_MOST)

const struct field counters_fields[] = {
	COUNTER(read_requests),
	COUNTER(read_bytes),
	COUNTER(write_requests),
	COUNTER(written_bytes),
	{0},
};

const struct field network_fields[] = {
	COUNTER(read_bytes),
	COUNTER(written_bytes),
	{0},
};

const struct field finding_fields[] = {
	NAME(struct record_finding, id, "id"),
	WORD(struct record_finding, mark, "mark", mark_words),
	TEXT(struct record_finding, sentence, "sentence"),
	{0},
};

const struct field passage_fields[] = {
	NAME(struct record_passage, id, "id"),
	NAME(struct record_passage, heading, "heading"),
	{0},
};

const struct field line_fields[] = {
	TEXT(struct record_line, text, "text"),
	TRUTH(struct record_line, is_command, "is_command"),
	{0},
};

const struct field split_fields[] = {
	TEXT_OR_NULL(struct record, split_unknown, "split_unknown"),
	TRUTH_LATER(struct record, split_is_estimate, "split_is_estimate"),
	{0},
};

const struct field figure_field = {
	.kind = FIELD_NUMBER, .may_be_null = true, .most = RATE_MOST, .smallest = FIGURE_SMALLEST};
const struct field point_field = {
	.kind = FIELD_NUMBER, .may_be_null = true, .most = RATE_MOST, .smallest = FIGURE_SMALLEST};
const struct field point_time_field = {
	.kind = FIELD_NUMBER, .may_be_null = true, .most = SECONDS_MOST, .smallest = TIME_SMALLEST};
const struct field text_field = {.kind = FIELD_TEXT, .most = RECORD_TEXT_BYTES_MAX};
