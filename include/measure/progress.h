/** The progress line on stderr: redrawn on a terminal, one line for each finished run elsewhere. */
#ifndef MEASURE_PROGRESS_H
#define MEASURE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** As many rates are kept for the sparkline; of a longer step, means of several each. */
enum { PROGRESS_RATES_MAX = 64 };

/** What the line shows. */
struct progress {
	FILE *out;
	bool is_terminal; /* may be redrawn; false for TERM=dumb too */
	bool drawn;       /* something stands on the line now */
	bool active;      /* between begin and end of a step */
	size_t step;      /* of `steps`; 0 for the layout before the first */
	size_t steps;
	char *name;        /* owned; what is going on */
	uint64_t began_ns; /* the first step */
	uint64_t step_began_ns;
	uint64_t step_expected_ns;        /* 0: unknown, goes by `fraction` */
	uint64_t later_expected_ns;       /* of all steps after this one */
	double fraction;                  /* of this step; negative: unknown */
	double bandwidth_bytes_per_s;     /* negative: unknown */
	bool shows_rates;                 /* room is kept for a sparkline */
	double rates[PROGRESS_RATES_MAX]; /* of this step, oldest first */
	size_t rate_count;
	uint64_t rate_interval_ns;
	uint64_t rate_next_ns; /* when the next is taken */
};

/** Start; nothing is drawn yet. */
void progress_init(struct progress *progress, FILE *out, bool is_terminal);
/** Clear the line and free. */
void progress_release(struct progress *progress);

/** Say what is being found out, before there are steps. Only a terminal shows it. */
void progress_say(struct progress *progress, const char *what);

/** A step begins. `expected_ns` is 0 where only its share tells how far it is. */
void progress_begin(struct progress *progress, size_t step, size_t steps, const char *name, uint64_t expected_ns,
	uint64_t later_expected_ns);
/** How far it is: the share done and the rate, both negative where unknown. */
void progress_update(struct progress *progress, double fraction, double bandwidth_bytes_per_s);
/** Draw the line anew, if there is one. */
void progress_draw(struct progress *progress);
/** A step has ended with this result, "812.30 MB/s" or "failed". */
void progress_end(struct progress *progress, const char *result);
/** Take the line away, so that something else can be written. */
void progress_clear(struct progress *progress);

/**
 * The line for a terminal of `width` columns, at most width - 1 columns long. The caller frees it. `now_ns` is the
 * time to show.
 */
char *progress_line(const struct progress *progress, unsigned width, uint64_t now_ns);

#endif
