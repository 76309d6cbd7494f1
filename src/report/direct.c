/* What became of a region that was written and read with O_DIRECT. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

/* Of the region: less than all, since others may use the disk and evict pages meanwhile. */
static bool is_most(const struct direct_truth *truth, uint64_t bytes)
{
	return truth->size_bytes > 0 && bytes >= truth->size_bytes / 2;
}

static bool is_type(const struct report *report, const char *type)
{
	return report->target->mount.type && strcmp(report->target->mount.type, type) == 0;
}

/* The kernel itself says that there is no O_DIRECT. */
static bool is_denied(const struct direct_truth *truth)
{
	return truth->alignment_known && truth->memory_alignment_bytes == 0;
}

static enum honour judge_write(const struct report *report, const struct direct_truth *truth)
{
	bool on_device = truth->device_known && is_most(truth, truth->written_device_bytes);

	if ((truth->resident_known && is_most(truth, truth->resident_after_write_bytes)) ||
		(truth->device_known && !on_device) ||
		(is_type(report, "btrfs") && truth->dirtied_known && is_most(truth, truth->dirtied_bytes))) {
		return HONOUR_NO;
	}
	return on_device ? HONOUR_YES : HONOUR_UNKNOWN;
}

static enum honour judge_read(const struct direct_truth *truth)
{
	bool from_device = truth->device_known && is_most(truth, truth->second_read_device_bytes);

	if ((truth->resident_known && is_most(truth, truth->resident_after_read_bytes)) ||
		(truth->device_known && !from_device)) {
		return HONOUR_NO;
	}
	return from_device ? HONOUR_YES : HONOUR_UNKNOWN;
}

static bool journals_data(const struct report *report, const struct direct_truth *truth)
{
	const char *options = report->target->mount.super_options;
	char *mode = options ? mount_option_value(options, "data") : NULL;
	bool does = truth->journals_data || (mode && strcmp(mode, "journal") == 0);

	free(mode);
	return does;
}

/* O_DIRECT came to ZFS with 2.3; before, it was accepted and ignored. */
static bool is_zfs_before_direct(const char *version)
{
	char *end = NULL;

	if (!version) {
		return false;
	}
	if (strcmp(version, "zfs-fuse") == 0) {
		return true;
	}
	unsigned long major = strtoul(version, &end, 10);
	if (end == version || *end != '.') {
		return false;
	}
	unsigned long minor = strtoul(end + 1, NULL, 10);
	return major < 2 || (major == 2 && minor < 3);
}

/* Why not. The caller frees it. */
static char *find_cause(const struct report *report, const struct direct_truth *truth)
{
	const struct storage *storage = &report->storage;
	char *type = text_printable(report->target->mount.type ? report->target->mount.type : "this file system");
	char *cause = NULL;

	if (storage->kind == STORAGE_RAM) {
		cause = xasprintf("%s: RAM", type);
	} else if (journals_data(report, truth)) {
		cause = xasprintf("%s data=journal", type);
	} else if (is_type(report, "btrfs")) {
		cause = xstrdup("btrfs with checksums");
	} else if (storage->kind == STORAGE_ZFS || report->target->is_zfs) {
		cause = xstrdup(is_zfs_before_direct(storage->zfs_version) ? "ZFS before 2.3" : "ZFS: through the ARC");
	} else if (storage->ram_cache) {
		cause = xstrdup(storage->ram_cache);
	} else {
		cause = xasprintf("%s: through the page cache", type);
	}
	free(type);
	return cause;
}

void report_judge_direct(struct report *report, const struct direct_truth *truth)
{
	struct direct_verdict *verdict = &report->direct_verdict;

	free(verdict->cause);
	*verdict = (struct direct_verdict){{HONOUR_UNKNOWN, HONOUR_UNKNOWN}, NULL};
	if (report->storage.kind == STORAGE_RAM || (truth->error == 0 && is_denied(truth))) {
		verdict->honours[TRANSFER_READ] = verdict->honours[TRANSFER_WRITE] = HONOUR_NO;
	} else if (truth->error == 0) {
		verdict->honours[TRANSFER_READ] = judge_read(truth);
		verdict->honours[TRANSFER_WRITE] = judge_write(report, truth);
	}
	if (verdict->honours[TRANSFER_READ] == HONOUR_NO || verdict->honours[TRANSFER_WRITE] == HONOUR_NO) {
		verdict->cause = find_cause(report, truth);
	}
}
