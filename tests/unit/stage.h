/** A report about a folder that is not there, to put runs into, and the record that is made of it. */
#ifndef STAGE_H
#define STAGE_H

#include "scratch.h"

#include "record/record.h"
#include "report/report.h"
#include "support/memory.h"

/** Everything that a report is about. */
struct stage {
	struct target target;
	struct plan plan;
	struct report report;
	char type[32];
	char options[64];
};

/** A plan for a file of 1 GiB and runs of 5 s: so many passes, and perhaps a warm-up before them. */
static inline struct plan_choice stage_choice(unsigned runs, bool warmup)
{
	return (struct plan_choice){.size_bytes = UINT64_C(1) << 30, .runtime_s = 5, .runs = runs, .warmup = warmup};
}

/** A report in which nothing was run yet. The caller calls stage_close. */
static inline void stage_open_choice(struct stage *stage, const struct profile *profile, struct plan_choice choice)
{
	static char given[] = "/mnt/tank";

	*stage = (struct stage){.target = {.given = given, .path = given, .shown = given, .descriptor = -1}};
	plan_init(&stage->plan, profile, &choice);
	report_init(&stage->report, &stage->target, &stage->plan);
	stage->report.tool = xstrdup("fio 3.33");
	stage->report.runs_as = xstrdup("root");
	stage->report.direct_verdict.honours[TRANSFER_READ] = HONOUR_YES;
	stage->report.direct_verdict.honours[TRANSFER_WRITE] = HONOUR_YES;
}

/** The same with one pass. */
static inline void stage_open(struct stage *stage, const struct profile *profile)
{
	stage_open_choice(stage, profile, stage_choice(1, false));
}

static inline void stage_close(struct stage *stage)
{
	report_release(&stage->report);
	plan_release(&stage->plan);
}

/** A run of the plan with these figures. */
static inline void stage_set(struct stage *stage, size_t run, double mb, double iops, double p50_us, double p99_us)
{
	stage->report.measurements[run] = (struct measurement){.outcome = OUTCOME_VALID,
		.figures = {.bandwidth_bytes_per_s = mb * 1e6,
			.iops = iops,
			.latency_p50_ns = p50_us * 1000,
			.latency_p99_ns = p99_us * 1000}};
}

/** A run that failed. */
static inline void stage_fail(struct stage *stage, size_t run, const char *reason)
{
	stage->report.measurements[run] = (struct measurement){.outcome = OUTCOME_FAILED, .reason = xstrdup(reason)};
}

/** A run that failed for its time alone: it has figures all the same. */
static inline void stage_shorten(struct stage *stage, size_t run, double mb, double iops, const char *reason)
{
	stage->report.measurements[run] = (struct measurement){.outcome = OUTCOME_FAILED,
		.has_figures = true,
		.failure_kind = FINDING_SHORTENED,
		.reason = xstrdup(reason),
		.figures = {mb * 1e6, iops, (double)NAN, (double)NAN}};
}

/** The record of what the report holds now. The caller calls record_release. */
static inline void stage_record(struct record *record, const struct stage *stage)
{
	static char program[] = "speedtest-hd", path[] = "/mnt/tank";
	char *argv[] = {program, path, NULL};

	record_make(record, &stage->report,
		&(struct record_frame){.argv = argv,
			.started_at = "2026-11-30T17:00:00Z",
			.finished_at = "2026-11-30T17:01:00Z",
			.state = RECORD_COMPLETE});
}

/** The same text, without what colours it; the caller frees it. */
static inline char *without_escapes(const char *text)
{
	struct text plain = TEXT_EMPTY;

	while (*text) {
		if (*text == '\033') {
			text += strcspn(text, "m") + 1;
		} else {
			text_add_bytes(&plain, text++, 1);
		}
	}
	return text_detach(&plain);
}

#endif
