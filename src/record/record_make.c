/* From a report, which knows the machine, to a record, which outlives it. */
#include "record_make.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fields.h"
#include "support/memory.h"
#include "support/text.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

#define UNKNOWN ((double)NAN)

enum { HOST_NAME_BYTES = 256 };

/* A copy that is safe to print; NULL stays NULL. */
static char *printable(const char *string)
{
	return string ? text_printable(string) : NULL;
}

/* NULL where the machine has no name. */
static char *host_name(void)
{
	char name[HOST_NAME_BYTES + 1] = "";

	if (gethostname(name, HOST_NAME_BYTES) != 0 || name[0] == '\0') {
		return NULL;
	}
	return text_printable(name);
}

static void make_settings(
	struct record_settings *settings, const struct report *report, const struct record_frame *frame)
{
	const struct plan *plan = report->plan;
	bool is_fio = plan->profile->tool == LOAD_FIO;

	*settings = (struct record_settings){.profile = plan->profile,
		.engine = is_fio ? xstrdup(engine_name(report->engine)) : NULL,
		.tool = printable(report->tool),
		.runs_as = printable(report->runs_as),
		.size_bytes = (double)plan->size_bytes,
		.runtime_s = is_fio ? (double)plan->runtime_s : UNKNOWN,
		.runs = plan->passes,
		.warmup = plan->warmup,
		.ramp_s = (double)plan->ramp_s,
		.interval_s = (double)plan->interval_s,
		.command = record_quote_command(frame->argv)};
}

/* The names of all devices with that role; NULL for none. */
static char *list_devices(const struct storage *storage, enum storage_role role)
{
	struct text names = TEXT_EMPTY;

	for (size_t i = 0; i < storage->device_count; i++) {
		if ((storage->devices[i].roles & 1U << role) != 0) {
			text_addf(&names, "%s%s", names.length > 0 ? " " : "", storage->devices[i].name);
		}
	}
	char *list = names.length > 0 ? text_printable(text_string(&names)) : NULL;
	text_release(&names);
	return list;
}

static void make_target(struct record_target *target, const struct target *measured, const struct storage *storage)
{
	char *device = block_device_describe(&measured->block);
	bool is_known = measured->block.name || measured->block.kind;

	*target = (struct record_target){.path = xstrdup(measured->shown),
		.file_system = printable(measured->mount.type),
		.source = printable(measured->mount.source),
		.mount_point = printable(measured->mount.mount_point),
		.device = is_known ? xstrdup(device) : NULL,
		.storage = xstrdup(storage_words[storage->kind]),
		.free_bytes = measured->space_known ? (double)measured->free_bytes : UNKNOWN,
		.total_bytes = measured->space_known ? (double)measured->total_bytes : UNKNOWN};
	for (int role = 0; role < STORAGE_ROLE_COUNT; role++) {
		target->devices[role] = list_devices(storage, (enum storage_role)role);
	}
	free(device);
}

static void make_facts(struct record *record, const struct environment *environment)
{
	record->facts = xcalloc(environment->fact_count, sizeof(*record->facts));
	record->fact_count = environment->fact_count;
	for (size_t i = 0; i < environment->fact_count; i++) {
		const struct environment_fact *fact = &environment->facts[i];

		record->facts[i] = (struct record_fact){.key = xstrdup(fact->key),
			.subject = printable(fact->subject),
			.label = xstrdup(fact->label),
			.value = printable(fact->value)};
	}
}

static void make_notes(struct record *record, const struct report *report)
{
	record->notes = xcalloc(report->note_count, sizeof(*record->notes));
	record->note_count = report->note_count;
	for (size_t i = 0; i < report->note_count; i++) {
		record->notes[i] = text_printable(report->notes[i]);
	}
}

void record_make(struct record *record, const struct report *report, const struct record_frame *frame)
{
	char *checked = findings_checked(&report->findings, report);

	*record = (struct record){.program_version = xstrdup(VERSION),
		.label = printable(frame->label),
		.started_at = printable(frame->started_at),
		.finished_at = printable(frame->finished_at),
		.state = frame->state,
		.failure = printable(frame->failure),
		.host = host_name(),
		.checked = printable(checked)};
	free(checked);
	make_settings(&record->settings, report, frame);
	make_target(&record->target, report->target, &report->storage);
	record_make_direct(&record->direct, report);
	record_make_pool(&record->pool, report);
	make_facts(record, &report->environment);
	make_notes(record, report);
	record_make_tests(record, report);
	record_make_split(record, report);
	record_bound(record);
}
