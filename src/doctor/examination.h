/** What the passages share: what is known of one measurement of synchronous writes, worked out once. */
#ifndef DOCTOR_EXAMINATION_H
#define DOCTOR_EXAMINATION_H

#include "record/record.h"
#include "record/stages.h"
#include "report/path.h"
#include "report/report.h"

/** What a healthy log device with one thread reaches; the source is the case study in the manual. */
#define HEALTHY_IOPS 15000
#define HEALTHY_P50_NS 65e3

/** How the processors ran and slept during some runs. NAN is unknown. */
struct power_seen {
	double frequency_hz;                /* mean */
	double asleep;                      /* share of the time in any idle state that has a latency */
	double deeply_asleep;               /* share of the time in those that are no light sleep */
	const struct idle_state *most_used; /* of these states the one with most time; NULL for none */
	double most_used_share;
	double most_used_entries_per_s; /* how often a processor fell into it */
};

/** A processor wakes from a state of up to so many us, C1, at once: light sleep. */
#define LIGHT_SLEEP_US 10

/** How IOPS grow with the threads. */
enum scaling_verdict { SCALING_UNKNOWN, SCALING_MORE, SCALING_LINEAR, SCALING_SATURATING, SCALING_REGRESSING };

/** By the medians of the main table. */
struct scaling {
	enum scaling_verdict verdict;
	/* The first and the last test; where it regresses, the best and the last. */
	const struct record_test *from;
	const struct record_test *to;
	double from_iops;
	double to_iops;
	bool is_marked; /* some of the figures are not the device's alone */
};

/** What one change in the experiment did. */
struct change {
	const struct stage *before;
	const struct stage *after;
	unsigned held;       /* before: bits of enum power_hold */
	unsigned holds;      /* what was held in addition */
	bool is_request;     /* no more than that, as nothing in this kernel heeds it: what differs is chance */
	bool is_cause;       /* surely for the better, and by enough to matter */
	bool is_vague;       /* it may well be for the better, but the rounds differ too much to tell */
	bool is_no_net_gain; /* it only makes good what the change before it spoilt */
};

/** The whole. */
struct examination {
	const struct record *record; /* the caller's */
	const struct report *report;
	struct stages stages;
	struct change changes[STAGES_MAX];
	size_t change_count;
	unsigned proven; /* causes by experiment: bits of enum power_hold */
	struct scaling scaling;
	/* The commits of a single thread, as the machine is. */
	const struct record_test *single; /* NULL where there is no such test with a valid run */
	bool single_is_marked;            /* "*": its figures are not the device's alone */
	double single_iops;
	double single_p50_ns;
	struct path_proof single_path;
	double device_share; /* of these commits, mean of the runs */
	struct power_seen single_power;
};

/** Work it out; it points into both. */
void examination_make(struct examination *examination, const struct record *record, const struct report *report);
/** How the processors ran in the runs of one thread with just that held (bits of enum power_hold). */
void examination_watch_power(const struct examination *examination, unsigned holds, struct power_seen *seen);
/** Whether a run of the plan has anything to say of commits: synchronous, counted, with evidence. */
bool examination_has_commits(const struct report *report, size_t run);

/** The devices that commits wait for: "nvme1n1", "sda, sdb". The caller frees it. */
char *examination_commit_devices(const struct report *report);
/** The role that those have. */
enum storage_role examination_commit_role(const struct report *report);
/** What they say of their write caches: VOLATILE where any does, NONE where all do. */
enum write_cache examination_write_cache(const struct report *report);

/* The passages: each says what it has to say, or nothing. */
void say_path(struct record_passage *passage, const struct examination *examination);
void say_scaling(struct record_passage *passage, const struct examination *examination);
void say_yardsticks(struct record_passage *passage, const struct examination *examination);
void say_power(struct record_passage *passage, const struct examination *examination);
void say_diagnosis(struct record_passage *passage, const struct examination *examination);
void say_remedies(struct record_passage *passage, const struct examination *examination);

/** Name what to suspect next, or that there is nothing; another suspect where power management is still one. */
void say_suspect(struct record_passage *passage, const struct examination *examination, bool is_next);

/** Find the verdict; part of examination_make. */
void scaling_find(struct scaling *scaling, const struct record *record);
/** How the firmware may save power by itself, whatever the kernel asks for. */
enum firmware_hint {
	FIRMWARE_QUIET,
	FIRMWARE_HOLDS_BACK, /* the processors run below their base frequency though they are asked for all */
	FIRMWARE_PROFILE,    /* a Dell PowerEdge, whose system profile may do so */
	FIRMWARE_CLOCKS,     /* the kernel has no say in the frequency */
};
/** By all that can be seen, which of them is plausible. */
enum firmware_hint firmware_find(const struct examination *examination);
/** Whether it is a server whose firmware keeps Dell's system profiles. */
bool firmware_is_dell(const struct power *power);

#endif
