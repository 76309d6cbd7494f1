/** Private to this folder: the checks, each of which looks for one kind of finding, and their sentences. */
#ifndef REPORT_CHECKS_H
#define REPORT_CHECKS_H

#include "report/report.h"
#include "support/text.h"

/** From here on a share is the whole; below the other it is nothing. */
#define SHARE_WHOLE 0.95
#define SHARE_NOTHING 0.02
/** From so many times what has to be written on, it is more than a file system's usual bookkeeping. */
#define AMPLIFIED_FROM 2.0

/** One run, as the checks see it. */
struct run_view {
	const struct report *report;
	size_t run;
	const struct measurement *measurement;
	const struct workload *workload;
	enum transfer transfer;
	struct audit audit;
};

/** The causes of findings about bytes: which words they are told in. */
enum bytes_cause { BYTES_READ, BYTES_WRITTEN, BYTES_RAM, BYTES_CACHED_ROW };

/** Look at a run. False where it has evidence and figures for nobody to look at. */
bool run_view_init(struct run_view *view, const struct report *report, size_t run);

/** A check: whether the run has the finding; sets its cause and values. The rest of `finding` is set already. */
typedef bool check_function(const struct run_view *view, struct finding *finding);

check_function check_never_written, check_served_from_ram, check_partly_from_ram, check_not_yet_on_device,
	check_compressed, check_source_unknown, check_amplified;
check_function check_not_durable;
check_function check_depth_not_reached;
check_function check_direct_not_honoured;
check_function check_cpu_bound, check_above_link, check_fits_in_cache;
check_function check_other_traffic;

/** Why the depth of a run's queue cannot be told: a clause, a constant; NULL where it was reached. */
const char *depth_not_told(const struct run_view *view);
/** Whether a run asks for more in flight than one for each job. */
bool depth_is_asked(const struct run_view *view);
/** Whether it is a row that is meant to show RAM: dd's cached read, or the writes among synchronous ones that wait for
 * nothing. */
bool run_is_cached_row(const struct run_view *view);
/** Whether O_DIRECT is honoured in the run, by the trial of it; unknown also where it was not asked for. */
enum honour run_honour(const struct run_view *view);
/** Whether the file system is mounted so that its pages are the device's own memory: no counter sees the bytes. */
bool uses_dax(const struct report *report);
/** Whether this version of ZFS honours O_DIRECT; false where it is unknown. */
bool zfs_has_direct(const char *version);
/** Whether a run's number is no durable writes', although that is all it is for: it has to fail. */
bool run_is_no_result(const struct report *report, const struct finding *finding);
/** Whether a cache in RAM is on the way of the run's bytes. */
bool run_has_cache(const struct run_view *view);

/** The lowest and the highest of some figures; NAN without any. */
struct range {
	double low;
	double high;
};

/** The findings of one kind and cause, to be told in one sentence. */
struct telling {
	const struct report *report;
	const struct findings *findings;
	enum finding_kind kind;
	unsigned cause;
	bool has_read, has_write;
	struct range value;
	struct range value2;
};

/** Writes what stands between the names of the runs and the id. */
typedef void say_function(struct text *text, const struct telling *telling);

say_function say_served_from_ram, say_partly_from_ram, say_not_yet_on_device, say_compressed, say_source_unknown,
	say_amplified;
say_function say_not_durable;
say_function say_depth_not_reached;
say_function say_direct_not_honoured;
say_function say_cpu_bound, say_above_link, say_fits_in_cache;
say_function say_other_traffic;

/** The sentence writer of a kind; NULL for those that fail a run, which have a footnote. */
say_function *finding_say(enum finding_kind kind);

/** "37 %", "0 to 4 %": shares, rounded down. */
void words_share(struct text *text, struct range range);
/** "16 MiB", "4 KiB to 16 MiB", of a range in bytes. */
void words_size_range(struct text *text, struct range range);
/** "16", "0.8", "4 to 16". */
void words_count(struct text *text, struct range range);
/** Which runs: "every read", "SEQ1M Q8T1 read; SEQ1M Q1T1 and RND4K Q1T1 write". `runs` has a flag for each of the
 * plan's. */
void words_runs(struct text *text, const struct report *report, const bool *runs);
/** The cache in RAM on the way: "the page cache", "the page cache behind loop3", "ZFS's ARC". Owned by the report. */
const char *words_cache(const struct report *report);
/** The --size, as it is to be given, that makes a file twice as large as the cache: "32g". False where unknown. */
bool words_size(struct text *text, const struct report *report);
/** The devices that the bytes go to: "sda", "the server". */
void words_devices(struct text *text, const struct storage *storage, enum storage_role role);

#endif
