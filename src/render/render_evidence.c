#include <math.h>
#include <stdlib.h>

#include "render/render.h"
#include "report/commit_split.h"
#include "report/path.h"
#include "support/memory.h"
#include "support/text.h"

/* A share in per cent, or that it is unknown. */
static void add_share(struct text *text, const char *label, double share)
{
	if (isnan(share)) {
		text_addf(text, "; %s unknown", label);
	} else {
		text_addf(text, "; %s %.0f %%", label, share * 100);
	}
}

static void add_depth(struct text *text, const struct audit *audit, const struct workload *workload)
{
	double asked = (double)workload->queue_depth * (double)workload->jobs;

	if (isnan(audit->queue_depth)) {
		text_addf(text, "; queue depth unknown of %.0f", asked);
	} else {
		text_addf(text, "; queue depth %.1f of %.0f", audit->queue_depth, asked);
	}
}

static void add_rate(struct text *text, const char *label, double bytes_per_s)
{
	if (isnan(bytes_per_s)) {
		text_addf(text, "%s unknown", label);
	} else {
		text_addf(text, "%s %.1f", label, bytes_per_s / 1e6);
	}
}

static void add_others(struct text *text, const struct audit *audit)
{
	if (isnan(audit->foreign_share)) {
		text_add(text, "; others unknown");
	} else {
		add_rate(text, "; others read", audit->foreign_read_bytes_per_s);
		add_rate(text, " and wrote", audit->foreign_write_bytes_per_s);
		text_add(text, " MB/s");
	}
}

/* Of a run that makes commits: what each of them cost the devices, and the device's part of its time. */
static void add_commit(struct text *text, const struct report *report, size_t run)
{
	struct path_proof path;
	struct commit_split split;

	if (!plan_workload(report->plan, run)->synchronous) {
		return;
	}
	path_prove(&path, report, run);
	commit_split_make(&split, report, run);
	if (!isnan(path.writes_per_commit)) {
		text_addf(text, "; %.1f writes", path.writes_per_commit);
		if (!isnan(path.flushes_per_commit)) {
			text_addf(text, " and %.1f flushes", path.flushes_per_commit);
		}
		text_add(text, " a commit");
	}
	if (!isnan(split.device_share)) {
		text_addf(text, "; device %s%.0f %% of a commit", split.is_estimate ? "about " : "", split.device_share * 100);
	} else {
		text_add(text, "; device's part of a commit unknown");
	}
	commit_split_release(&split);
}

void render_evidence(FILE *out, const struct report *report, size_t run)
{
	const struct evidence *evidence = &report->measurements[run].evidence;
	const struct workload *workload = plan_workload(report->plan, run);
	enum transfer transfer = report->plan->runs[run].transfer;
	struct text text = TEXT_EMPTY;
	struct audit audit;

	if (!evidence->present) {
		return;
	}
	audit_make(&audit, report, run);
	char *name = plan_run_name(report->plan, run);
	char *bytes = audit_describe(&audit, &report->storage, transfer);

	text_addf(&text, "%s: %s", name, bytes);
	add_depth(&text, &audit, workload);
	add_share(&text, "busiest job", evidence->busiest_job_cpu);
	add_share(&text, "all cores", audit.processors_busy);
	add_share(&text, "submitting", evidence->submit_saturation);
	add_others(&text, &audit);
	add_commit(&text, report, run);
	fprintf(out, "%s\n", text_string(&text));
	text_release(&text);
	free(bytes);
	free(name);
}

/* "sda scheduler", "kernel". The caller frees it. */
static char *fact_label(const struct environment_fact *fact)
{
	char *subject = fact->subject ? text_printable(fact->subject) : NULL;
	char *label = subject ? xasprintf("%s %s", subject, fact->label) : xstrdup(fact->label);

	free(subject);
	return label;
}

void render_environment(FILE *out, const struct environment *environment)
{
	size_t width = 0;

	for (size_t i = 0; i < environment->fact_count; i++) {
		char *label = fact_label(&environment->facts[i]);
		size_t columns = text_columns(label);

		width = columns > width ? columns : width;
		free(label);
	}
	for (size_t i = 0; i < environment->fact_count; i++) {
		char *label = fact_label(&environment->facts[i]);

		fprintf(out, "%*s%s: %s\n", (int)(width - text_columns(label)), "", label, environment->facts[i].value);
		free(label);
	}
}
