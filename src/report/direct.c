/* What became of a region that was written and read with O_DIRECT. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "scale.h"
#include "support/memory.h"
#include "support/text.h"

/* Of the region: less than all, since others may use the disk and evict pages meanwhile. */
static bool is_most(const struct direct_truth *truth, uint64_t bytes)
{
	return truth->size_bytes > 0 && bytes >= truth->size_bytes / 2;
}

static bool is_btrfs(const struct report *report)
{
	static const char *const btrfs[] = {"btrfs", NULL};

	return scale_is_type(report, btrfs);
}

/* The kernel itself says that there is no O_DIRECT. */
static bool is_denied(const struct direct_truth *truth)
{
	return truth->alignment_known && truth->memory_alignment_bytes == 0;
}

/*
 * Counters that stay silent prove that the bytes went into a cache; but not where the kernel tells what O_DIRECT has to
 * be aligned to, and the page cache was seen to be left alone: then something else keeps them silent. ZFS's cache and
 * those beneath the file system are none of its pages.
 */
static bool silence_is_proof(const struct report *report, const struct direct_truth *truth, uint64_t resident_bytes)
{
	bool other_cache = report->storage.kind == STORAGE_ZFS || report->storage.ram_cache;
	bool left_alone = truth->resident_known && resident_bytes == 0 && truth->dirtied_known &&
					  !is_most(truth, truth->dirtied_bytes); /* others make pages dirty as well */
	bool told = truth->alignment_known && truth->memory_alignment_bytes > 0 && truth->offset_alignment_bytes > 0;

	return truth->device_known && (other_cache || !left_alone || !told);
}

static enum honour judge_write(const struct report *report, const struct direct_truth *truth)
{
	bool on_device = truth->device_known && is_most(truth, truth->written_device_bytes);

	if ((truth->resident_known && is_most(truth, truth->resident_after_write_bytes)) ||
		(!on_device && silence_is_proof(report, truth, truth->resident_after_write_bytes)) ||
		(is_btrfs(report) && truth->dirtied_known && is_most(truth, truth->dirtied_bytes))) {
		return HONOUR_NO;
	}
	return on_device ? HONOUR_YES : HONOUR_UNKNOWN;
}

static enum honour judge_read(const struct report *report, const struct direct_truth *truth)
{
	bool from_device = truth->device_known && is_most(truth, truth->second_read_device_bytes);

	if ((truth->resident_known && is_most(truth, truth->resident_after_read_bytes)) ||
		(!from_device && silence_is_proof(report, truth, truth->resident_after_read_bytes))) {
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

bool zfs_has_direct(const char *version)
{
	return version && !is_zfs_before_direct(version);
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
	} else if (is_btrfs(report)) {
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
		verdict->honours[TRANSFER_READ] = judge_read(report, truth);
		verdict->honours[TRANSFER_WRITE] = judge_write(report, truth);
	}
	if (verdict->honours[TRANSFER_READ] == HONOUR_NO || verdict->honours[TRANSFER_WRITE] == HONOUR_NO) {
		verdict->cause = find_cause(report, truth);
	}
}
