/* What to suspect where the experiment proved no cause. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "examination.h"
#include "support/text.h"

/* Below it and above it the commit is the host's or the device's. */
#define DEVICE_HALF 0.5
/* The same test twice differs by so much where something disturbs. */
#define UNSTEADY_MIN 1.5

static bool is_healthy(const struct examination *examination)
{
	return !examination->single_is_marked && examination->single_iops >= HEALTHY_IOPS &&
		   examination->single_p50_ns <= HEALTHY_P50_NS && examination->scaling.verdict != SCALING_REGRESSING;
}

/* The writes did not go where they should; a pool that is fast without a log device needs none. */
static bool is_wrong_path(const struct examination *examination)
{
	switch (examination->single_path.verdict) {
	case PATH_NOT_DURABLE:
	case PATH_AROUND:
	case PATH_INDIRECT:
	case PATH_LOG_PARTLY:
		return true;
	case PATH_POOL:
		return examination->single_path.cause != PATH_CAUSE_NO_LOG || !is_healthy(examination);
	default:
		return false;
	}
}

static void say_wrong_path(struct text *text, const struct examination *examination)
{
	if (examination->single_path.verdict == PATH_NOT_DURABLE) {
		text_add(text, "the path: none of these writes was durable (see above)");
		return;
	}
	switch (examination->single_path.cause) {
	case PATH_CAUSE_LOGBIAS:
		text_add(text, "the wrong devices: logbias=throughput keeps the commits away from the log device");
		break;
	case PATH_CAUSE_NO_LOG:
	case PATH_CAUSE_LARGE:
		text_add(text, "the pool's data devices: there is no log device to take the commits");
		break;
	case PATH_CAUSE_LOG_SICK:
		text_add(text, "the log device, which does not take part");
		break;
	case PATH_CAUSE_DIRECT:
		text_add(text, "O_DIRECT, which goes around the log device");
		break;
	default:
		text_add(text, "the wrong devices: not all commits went to the log device");
		break;
	}
	text_add(text, " (see the path of the writes above)");
}

static bool is_device_wait(const struct examination *examination)
{
	return examination->device_share >= DEVICE_HALF;
}

static bool is_rotational(const struct report *report)
{
	const struct storage *storage = &report->storage;
	enum storage_role role = examination_commit_role(report);

	for (size_t i = 0; i < report->environment.fact_count; i++) {
		const struct environment_fact *fact = &report->environment.facts[i];

		if (strcmp(fact->key, "rotational") != 0 || !fact->subject || strcmp(fact->value, "yes") != 0) {
			continue;
		}
		/* A partition's name begins with its disk's. */
		for (size_t j = 0; j < storage->device_count; j++) {
			if ((storage->devices[j].roles & 1U << role) && text_starts_with(storage->devices[j].name, fact->subject)) {
				return true;
			}
		}
	}
	return false;
}

static void say_device_wait(struct text *text, const struct examination *examination)
{
	const struct report *report = examination->report;
	char *devices = examination_commit_devices(report);
	double p50_us = examination->single_p50_ns / 1e3, share = examination->device_share;

	text_addf(text, "the device: of %.1f us each commit waits %.1f us for %s", p50_us, share * p50_us, devices);
	if (is_rotational(report) && !report->power.is_virtual) { /* virtual disks say so of themselves, too */
		text_add(text, ", a rotating disk, which has to wait for its platter");
	} else if (examination_write_cache(report) == WRITE_CACHE_VOLATILE && !report->power.is_virtual) {
		text_add(text,
			"; probably no power-loss protection (PLP): its write cache is volatile, so that each commit waits until "
			"that is flushed, which a drive with PLP need not do");
	} else if (examination_write_cache(report) == WRITE_CACHE_VOLATILE) {
		text_add(text,
			"; its write cache is volatile, so that each commit waits for a flush, which the host has to carry out");
	} else {
		text_add(text, "; that is what the device itself takes");
	}
	free(devices);
}

static bool is_queueing(const struct examination *examination)
{
	return examination->scaling.verdict == SCALING_REGRESSING && !examination->scaling.is_marked;
}

static void say_queueing(struct text *text, const struct examination *examination)
{
	text_addf(text,
		"queueing: %.0f threads make fewer commits than %.0f, so they wait for each other (locks, or a device "
		"that takes them one by one)",
		examination->scaling.to->threads, examination->scaling.from->threads);
}

/* In the runs of a single thread. */
static bool has_finding(const struct report *report, enum finding_kind kind)
{
	for (size_t i = 0; i < report->findings.count; i++) {
		const struct finding *finding = &report->findings.list[i];

		const struct workload *workload = plan_workload(report->plan, finding->run);

		if (finding->kind == kind && workload->synchronous && workload->jobs == 1) {
			return true;
		}
	}
	return false;
}

static bool is_cpu_bound(const struct examination *examination)
{
	return has_finding(examination->report, FINDING_CPU_BOUND);
}

static void say_cpu_bound(struct text *text, const struct examination *examination)
{
	(void)examination;
	text_add(text, "the processors: they were busy throughout (see the footnote [cpu-bound]); a faster processor, or a "
				   "machine with less to do, would commit faster");
}

static bool is_disturbed(const struct examination *examination)
{
	return has_finding(examination->report, FINDING_OTHER_TRAFFIC);
}

static void say_disturbed(struct text *text, const struct examination *examination)
{
	(void)examination;
	text_add(
		text, "others' traffic on the same devices (see the footnote [other-traffic]); measure again when it is quiet");
}

static bool is_host(const struct examination *examination)
{
	return examination->device_share < DEVICE_HALF;
}

static void say_host(struct text *text, const struct examination *examination)
{
	const struct report *report = examination->report;
	double p50_us = examination->single_p50_ns / 1e3, share = examination->device_share;

	text_addf(text, "the host: of %.1f us each commit spends %.1f us above the device, in %s and the kernel%s", p50_us,
		(1 - share) * p50_us, report->storage.file_system ? report->storage.file_system : "the file system",
		report->power.is_virtual ? ", or in the virtual machine's host" : "");
}

static bool is_not_the_devices(const struct examination *examination)
{
	return examination->single_is_marked;
}

static void say_not_the_devices(struct text *text, const struct examination *examination)
{
	(void)examination;
	text_add(text, "the figures themselves: those of one thread are not the device's alone (see their mark)");
}

/* The same test's row, and its figure among the experiment's rounds. */
static bool is_unsteady(const struct examination *examination)
{
	if (examination->stages.count == 0) {
		return false;
	}
	double ratio = examination->stages.list[0].figures.median[QUANTITY_IOPS] / examination->single_iops;

	return ratio > UNSTEADY_MIN || ratio < 1 / UNSTEADY_MIN;
}

static void say_unsteady(struct text *text, const struct examination *examination)
{
	text_addf(text,
		"something that comes and goes: the same test made %.0f commits a second in its row and %.0f in the "
		"experiment as it is; measure again when the machine, and its disks, are quiet",
		examination->single_iops, examination->stages.list[0].figures.median[QUANTITY_IOPS]);
}

/* THE table of suspects, where no cause was proven: the first that applies is named. */
static const struct {
	bool (*applies)(const struct examination *examination);
	void (*say)(struct text *text, const struct examination *examination); /* NULL: there is nothing to suspect */
} suspects[] = {
	{is_wrong_path, say_wrong_path},
	{is_unsteady, say_unsteady},
	{is_healthy, NULL},
	{is_disturbed, say_disturbed}, /* these three disturb what is said of the device's time, too */
	{is_cpu_bound, say_cpu_bound},
	{is_not_the_devices, say_not_the_devices},
	{is_device_wait, say_device_wait},
	{is_queueing, say_queueing},
	{is_host, say_host},
};

void say_suspect(struct record_passage *passage, const struct examination *examination, bool is_next)
{
	for (size_t i = 0; i < sizeof(suspects) / sizeof(suspects[0]); i++) {
		struct text text = TEXT_EMPTY;

		if (!suspects[i].applies(examination)) {
			continue;
		}
		if (!suspects[i].say) {
			record_passage_say(passage,
				"Healthy as it is (%.0f commits a second with one thread, p50 %.1f us).",
				examination->single_iops, examination->single_p50_ns / 1e3);
			return;
		}
		suspects[i].say(&text, examination);
		record_passage_say(passage, "%s suspect: %s.", is_next ? "Next" : "Another", text_string(&text));
		text_release(&text);
		return;
	}
	record_passage_say(passage, "Nothing else stands out, and where the time of a commit goes is not known here.");
}
