/**
 * One measurement as it lasts: what is saved, loaded, compared and shown in every format. It knows nothing of the
 * machine it was taken on but what it says itself, so that a file read years later shows the same as it did that day.
 *
 * All strings are owned and safe to print (no control characters, UTF-8). NAN is unknown throughout; times of day are
 * UTC.
 */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/profile.h"
#include "report/report.h"
#include "report/series.h"

/** What can be asked of a test. */
enum quantity { QUANTITY_BANDWIDTH, QUANTITY_IOPS, QUANTITY_P50, QUANTITY_P99 };
enum { QUANTITY_COUNT = 4 };

/** How far the measurement came. */
enum record_state {
	RECORD_RUNNING, /* it goes on, or ended without being able to say so */
	RECORD_COMPLETE,
	RECORD_INTERRUPTED,
	RECORD_FAILED, /* it had to be given up; a single run that failed is no reason for that */
};
enum { RECORD_STATE_COUNT = 4 };

/** What the devices of one role counted during a run. */
struct record_counters {
	bool known;
	double read_requests;
	double read_bytes;
	double write_requests;
	double written_bytes;
};

/** How a run used an idle state (C-state) of the processors that its load was seen on; see struct power_reading. */
struct record_idle_state {
	char *name;        /* "C6" */
	double time_share; /* of these processors' time, 0 to 1 */
	double entries;    /* how often one of them fell asleep in it */
	double exit_latency_us;
};

/** What the run was judged by; see struct audit. */
struct record_evidence {
	bool present;
	double claimed_bytes;
	double from_device;
	double on_device;
	double flushed_later;
	double written_copies;
	double page_cache;
	double foreign_read_bytes_per_s;
	double foreign_write_bytes_per_s;
	double foreign_share;
	double queue_depth;
	double processors_busy;
	double busiest_job_cpu;
	double submit_saturation;
	/* Of synchronous runs; see struct commit_split, struct path_proof and struct power_reading. */
	double device_share;
	char *device_share_unknown; /* why, a clause; NULL where it is known, or nobody asks */
	bool commits_are_skewed;    /* their mean is far from their median, of which device_share makes an estimate */
	double writes_per_commit;
	double flushes_per_commit;
	double log_share;
	double zil_commits; /* what ZFS's intent log counted during the run */
	double zil_log_blocks;
	double zil_pool_blocks;
	double zil_indirect;
	double log_writes_per_s; /* by zpool iostat */
	double data_writes_per_s;
	double cpu_frequency_hz;               /* of the processor that the load ran on, mean */
	struct record_idle_state *idle_states; /* owned, as the kernel numbers them; NULL: unknown, or there are none */
	size_t idle_state_count;
	struct record_counters counters[STORAGE_ROLE_COUNT]; /* by enum storage_role */
	struct record_counters network;                      /* bytes alone, of a network file system */
};

/** One run. */
struct record_run {
	unsigned pass;                  /* 1 for the first; 0 for the warm-up, which counts in nothing */
	enum outcome outcome;           /* OUTCOME_VALID or OUTCOME_FAILED */
	bool has_figures;               /* always with OUTCOME_VALID; see struct measurement */
	double figures[QUANTITY_COUNT]; /* bytes/s, IOPS, ns, ns */
	char *mark;                     /* "*", "?" or "" */
	char *reason;                   /* why it failed; NULL otherwise */
	char *failure_id;               /* the finding it failed by, "shortened"; NULL otherwise */
	char *began_at;                 /* "2026-11-30T17:21:06Z"; NULL where unknown */
	struct record_evidence evidence;
	struct series series;
};

/** A row of the table in one direction. */
struct record_test {
	char *name; /* "RND4K Q1T1" */
	enum transfer transfer;
	enum access_pattern pattern;
	bool synchronous;
	enum sync_method sync_method; /* where synchronous */
	enum workload_part part;
	char *stage; /* of the experiment: what was changed, "C-states held off"; NULL otherwise */
	double block_size_bytes;
	double queue_depth;
	double threads;
	struct record_run *runs; /* the finished ones, in the order in which they were made */
	size_t run_count;
};

/** Where a finding applies. */
struct record_place {
	size_t test; /* index into the record's tests */
	unsigned pass;
};

/** One kind of finding, with the sentence that tells it. */
struct record_finding {
	char *id;       /* "served-from-ram" */
	char *mark;     /* "*", "?" or "" */
	char *sentence; /* as it stands below the table, without mark, with the id in brackets at its end */
	struct record_place *places;
	size_t place_count;
};

/** What else has a hand in the numbers; see struct environment_fact. */
struct record_fact {
	char *key;
	char *subject; /* NULL for the machine */
	char *label;
	char *value;
};

/** Where it was measured. NULL is unknown. */
struct record_target {
	char *path;
	char *file_system;
	char *source;
	char *mount_point;
	char *device;  /* the banner's words */
	char *storage; /* who bears witness: "block", "zfs", "ram", "nfs", "cifs", "unknown" */
	/* Names of the devices whose counters the runs have, with blanks between; NULL where there is none. */
	char *devices[STORAGE_ROLE_COUNT]; /* by enum storage_role */
	double free_bytes;
	double total_bytes;
};

/** What became of O_DIRECT. */
struct record_direct {
	char *state;         /* "enabled", "refused", "not-wanted", "not-for-slog" */
	char *honoured_read; /* "yes", "no", "unknown" */
	char *honoured_write;
	char *text;      /* the banner's words, "accepted but not honoured (tmpfs: RAM)" */
	bool is_warning; /* shown in red */
};

/** The ZFS pool, where it belongs to the banner. */
struct record_pool {
	char *name;        /* NULL: no line about it */
	char *log_devices; /* the banner's words */
	bool is_warning;   /* of the log devices: that there are none, or not all work */
	char *summary;     /* what follows the name: "OpenZFS 2.1.11, mirror of 2, ONLINE"; NULL where unknown */
	char *dataset;     /* "tank/vm: recordsize 16 KiB, sync=always, ..."; NULL where unknown */
};

/** One line of a passage. */
struct record_line {
	char *text;      /* a sentence with its full stop, or a line for a shell or a file */
	bool is_command; /* the latter: shown as it is, never wrapped */
};

/** What the measurement came to in words, under a heading; see doctor/doctor.h. */
struct record_passage {
	char *id;      /* "path", "scaling", "yardsticks", "power", "diagnosis", "remedies" */
	char *heading; /* "Path of the writes" */
	struct record_line *lines;
	size_t line_count;
};

/** How it was measured. */
struct record_settings {
	const struct profile *profile;
	char *engine; /* "io_uring"; NULL with dd */
	char *tool;   /* "fio 3.33", "dd" */
	char *runs_as;
	double size_bytes;
	double runtime_s;  /* of each run; NAN where it ends with the file */
	double runs;       /* --runs */
	bool warmup;       /* --warmup */
	double ramp_s;     /* --ramp */
	double interval_s; /* --interval */
	char *command;     /* the exact command line, quoted for a shell */
};

/** The whole. */
struct record {
	char *program_version; /* "1.0.0" */
	char *label;           /* --label; NULL without */
	char *started_at;
	char *finished_at; /* NULL while it goes on */
	enum record_state state;
	char *failure; /* why it was given up, with RECORD_FAILED; NULL otherwise */
	char *host;    /* the machine's name; NULL where unknown */
	struct record_settings settings;
	struct record_target target;
	struct record_direct direct;
	struct record_pool pool;
	struct record_fact *facts;
	size_t fact_count;
	char **notes; /* without full stop */
	size_t note_count;
	struct record_test *tests; /* row by row, reading before writing; all that were planned */
	size_t test_count;
	struct record_finding *findings; /* in the order of the sentences */
	size_t finding_count;
	struct record_passage *passages; /* in the order in which they are shown */
	size_t passage_count;
	/* Why it is known of no test where the commits' time goes, a clause; NULL where it is known, or nobody asks. */
	char *split_unknown;
	bool split_is_estimate; /* others' requests may be in the device's part; see struct commit_split */
	char *checked;          /* the closing sentence of the table; NULL where nothing was checked */
	/* JSON text of what was derived from it together with others (see record_json.h), kept as it is; NULL for none. */
	char *comparison_json;
	char *thresholds_json;
};

/** What the report does not know of a measurement. Strings are the caller's. */
struct record_frame {
	const char *label; /* NULL for none */
	char *const *argv; /* the command line, NULL-terminated */
	const char *started_at;
	const char *finished_at; /* NULL while it goes on */
	enum record_state state;
	const char *failure;
};

/** Make a record of what a report holds now. The caller calls record_release. */
void record_make(struct record *record, const struct report *report, const struct record_frame *frame);
/** Free everything. */
void record_release(struct record *record);

/** What was planned, by the tests that are in a record. Doubles: a file may claim any number. */
struct record_count {
	double tests;      /* without the experiment's */
	double runs;       /* of these tests, without the warm-up's */
	double warmup;     /* runs of the warm-up */
	double experiment; /* runs of the experiment, which has no warm-up */
};

/** Count them. */
void record_count_make(struct record_count *count, const struct record *record);
/** How often a test was to be run, without the warm-up: --runs, or the rounds of the experiment. */
double record_test_passes(const struct record *record, const struct record_test *test);

/** Add a passage; its lines are added by the next two, until another passage is added. */
struct record_passage *record_add_passage(struct record *record, const char *id, const char *heading);
/** Add a sentence to it, with its full stop. What cannot be printed is escaped, what is too long is cut. */
void record_passage_say(struct record_passage *passage, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Add a line for a shell or a file. */
void record_passage_command(struct record_passage *passage, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/** Take out all passages. */
void record_clear_passages(struct record *record);

/** "complete"; a constant. */
const char *record_state_name(enum record_state state);
/** "main", "detail", "experiment"; a constant. */
const char *record_part_name(enum workload_part part);
/** A command line as a shell takes it: words quoted where they need it. The caller frees it. */
char *record_quote_command(char *const *argv);
/** How the tests of a workload are called: its name with single blanks, "RND4K Q1T1". The caller frees it. */
char *record_workload_name(const struct workload *workload);
/** "RND4K Q1T1 read"; of dd's profile the name alone, which says it already. The caller frees it. */
char *record_test_title(const struct record *record, const struct record_test *test);
/** The test of that name and direction; NULL for none. */
const struct record_test *record_find_test(const struct record *record, const char *name, enum transfer transfer);
/** How it is called: its label, else the machine's name and the time, else the time. The caller frees it. */
char *record_title(const struct record *record);

#endif
