#include "report/banner.h"

#include <stdlib.h>

#include "support/memory.h"
#include "support/text.h"
#include "support/units.h"

/* Add a line; takes the text over. */
static void add(struct banner *banner, const char *label, char *text, bool is_warning)
{
	banner->lines = xrealloc(banner->lines, (banner->line_count + 1) * sizeof(*banner->lines));
	banner->lines[banner->line_count++] = (struct banner_line){.label = label, .text = text, .is_warning = is_warning};
}

static void add_place(struct banner *banner, const struct target *target)
{
	add(banner, "Target", xstrdup(target->shown), false);
	if (target->mount.type) {
		char *type = text_printable(target->mount.type);
		char *source = text_printable(target->mount.source);
		char *point = text_printable(target->mount.mount_point);

		add(banner, "File system", xasprintf("%s, %s mounted on %s", type, source, point), false);
		free(type);
		free(source);
		free(point);
	}
	add(banner, "Device", block_device_describe(&target->block), false);
	if (target->space_known) {
		char *space = units_format_size(target->free_bytes);
		char *total = units_format_size(target->total_bytes);

		add(banner, "Free space", xasprintf("%s of %s", space, total), false);
		free(space);
		free(total);
	}
}

/* Why nobody can tell; a constant or the storage's. */
static const char *find_doubt(const struct storage *storage)
{
	if (storage->blind_spot) {
		return storage->blind_spot;
	}
	switch (storage->kind) {
	case STORAGE_NFS:
	case STORAGE_CIFS:
		return "a network file system";
	case STORAGE_BLOCK:
	case STORAGE_ZFS:
		return "no counters";
	default:
		return "no device is known";
	}
}

/* It was accepted; what came of it? */
static void add_direct_verdict(struct banner *banner, const struct report *report)
{
	const struct direct_verdict *verdict = &report->direct_verdict;
	enum honour read = verdict->honours[TRANSFER_READ], write = verdict->honours[TRANSFER_WRITE];

	if (read == HONOUR_YES && write == HONOUR_YES) {
		add(banner, "O_DIRECT", xstrdup("enabled"), false);
	} else if (read == HONOUR_NO || write == HONOUR_NO) {
		const char *half = read == write ? "" : read == HONOUR_NO ? ": reads are buffered" : ": writes are buffered";

		add(banner, "O_DIRECT",
			xasprintf("accepted but not honoured (%s)%s", verdict->cause ? verdict->cause : "cause unknown", half),
			true);
	} else {
		add(banner, "O_DIRECT",
			xasprintf("accepted, whether it is honoured is unknown (%s)", find_doubt(&report->storage)), false);
	}
}

static void add_direct(struct banner *banner, const struct report *report)
{
	const char *reason = report->direct_reason;

	switch (report->direct) {
	case DIRECT_ENABLED:
		add_direct_verdict(banner, report);
		break;
	case DIRECT_REFUSED:
		add(banner, "O_DIRECT",
			xasprintf("DISABLED (buffered I/O: the target refuses it%s%s)", reason ? ", " : "", reason ? reason : ""),
			true);
		break;
	case DIRECT_NOT_WANTED:
		add(banner, "O_DIRECT", xstrdup("DISABLED (buffered I/O: --buffered was given)"), true);
		break;
	case DIRECT_NOT_FOR_SLOG:
		add(banner, "O_DIRECT", xstrdup("not used (every write is synchronous, O_SYNC)"), false);
		break;
	}
}

static void add_pool(struct banner *banner, const struct zfs_pool *pool)
{
	if (!pool->pool) {
		return;
	}
	char *name = text_printable(pool->pool);
	const char *devices = pool->log_devices ? pool->log_devices
						  : pool->asked     ? "none: synchronous writes go to the pool's own disks"
											: "unknown (zpool gave no answer)";

	add(banner, "ZFS pool", xstrdup(name), false);
	add(banner, "Log device", text_printable(devices), pool->asked && !pool->log_devices);
	add(banner, "Tip", xasprintf("watch it work in another shell: zpool iostat -vl %s 1", name), false);
	free(name);
}

static char *describe_method(const struct report *report)
{
	if (report->plan->profile->tool == LOAD_DD) {
		return xasprintf("dd, as %s", report->runs_as);
	}
	return xasprintf("%s (%s, as %s)", engine_name(report->engine), report->tool, report->runs_as);
}

void banner_init(struct banner *banner, const struct report *report)
{
	const struct plan *plan = report->plan;

	*banner = (struct banner){0};
	add_place(banner, report->target);
	add(banner, "Profile", xstrdup(plan->profile->title), false);
	add(banner, "Engine", describe_method(report), false);
	add_direct(banner, report);
	if (plan->profile->synchronous) {
		add_pool(banner, &report->pool);
	}
	add(banner, "Test file", units_format_size(plan->size_bytes), false);
	if (plan->profile->tool == LOAD_FIO) {
		char *runtime = units_format_duration(plan->runtime_s);

		add(banner, "Runtime", xasprintf("%s for each of %zu runs", runtime, plan->run_count), false);
		free(runtime);
	}
}

void banner_release(struct banner *banner)
{
	for (size_t i = 0; i < banner->line_count; i++) {
		free(banner->lines[i].text);
	}
	free(banner->lines);
	*banner = (struct banner){0};
}
