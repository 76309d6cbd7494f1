/** What is wrong with a number: THE table of findings, and the findings of one report. */
#ifndef REPORT_FINDING_H
#define REPORT_FINDING_H

#include <stdbool.h>
#include <stddef.h>

/** The kinds, in the order in which they are told. */
enum finding_kind {
	FINDING_NONE,
	FINDING_SHORTENED,
	FINDING_FLUSH_FAILED,
	FINDING_NEVER_WRITTEN,
	FINDING_NOT_DURABLE,
	FINDING_SERVED_FROM_RAM,
	FINDING_PARTLY_FROM_RAM,
	FINDING_NOT_YET_ON_DEVICE,
	FINDING_DIRECT_NOT_HONOURED,
	FINDING_COMPRESSED,
	FINDING_DEPTH_NOT_REACHED,
	FINDING_CPU_BOUND,
	FINDING_OTHER_TRAFFIC,
	FINDING_ABOVE_LINK,
	FINDING_AMPLIFIED,
	FINDING_FITS_IN_CACHE,
	FINDING_SOURCE_UNKNOWN,
	FINDING_KIND_COUNT,
};

/** The stable name in brackets: "served-from-ram". A constant; "" for FINDING_NONE. */
const char *finding_id(enum finding_kind kind);
/**
 * The mark that a cell with such a finding carries: "*" for a number that is not what its label says, "?" for one that
 * nobody can vouch for, "" for a finding that explains a true number.
 */
const char *finding_mark(enum finding_kind kind);

struct report;

/** One finding about one run. */
struct finding {
	enum finding_kind kind;
	size_t run;     /* index into the plan's runs */
	unsigned cause; /* the kind's own numbering: findings of different causes get a sentence each */
	double value;   /* what was measured, in the check's own unit; NAN where there is nothing to measure */
	double value2;  /* a second figure, where the sentence needs it */
};

/** All of a report's findings, sorted by kind, then run. */
struct findings {
	struct finding *list;
	size_t count;
};

/** Hold every run of the report but the warm-up's against its evidence. Replaces what was found before. */
void findings_make(struct findings *findings, const struct report *report);
/** Free the list. */
void findings_release(struct findings *findings);
/** The mark of a run: the gravest of its findings'; "" for none. */
const char *findings_mark(const struct findings *findings, size_t run);

/** The findings of one kind and cause: what is told in one sentence. */
struct finding_group {
	enum finding_kind kind;
	unsigned cause;
	/* On which runs, what was measured, what it means, what to do, and the id in brackets at its end; owned. The mark
	 * stands before it wherever it is shown. */
	char *sentence;
	size_t *runs; /* owned; which of the plan's runs are meant, in their order */
	size_t run_count;
};

/** All that there is to tell, in the order of the kinds. */
struct finding_groups {
	struct finding_group *list;
	size_t count;
};

/**
 * Gather findings into what is to be told. What makes a run fail is left out: that stands in the failure's own
 * footnote. The caller calls finding_groups_release.
 */
void finding_groups_make(struct finding_groups *groups, const struct findings *findings, const struct report *report);
/** Free what it owns. */
void finding_groups_release(struct finding_groups *groups);
/**
 * What was checked, in one sentence, for the end of the table: what the unmarked numbers can be relied on for, and
 * what could not be checked here. The caller frees it; NULL where no run has evidence.
 */
char *findings_checked(const struct findings *findings, const struct report *report);

#endif
