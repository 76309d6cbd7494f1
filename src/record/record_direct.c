/* What became of O_DIRECT, in words. */
#include <stdlib.h>

#include "record_make.h"
#include "support/memory.h"
#include "support/text.h"

static const char *const state_names[] = {
	[DIRECT_ENABLED] = "enabled",
	[DIRECT_REFUSED] = "refused",
	[DIRECT_NOT_WANTED] = "not-wanted",
	[DIRECT_NOT_FOR_SLOG] = "not-for-slog",
};

static const char *const honour_names[] = {
	[HONOUR_UNKNOWN] = "unknown",
	[HONOUR_YES] = "yes",
	[HONOUR_NO] = "no",
};

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

/* It was accepted; what came of it? Sets whether that is a warning. The caller frees it. */
static char *describe_verdict(const struct report *report, bool *is_warning)
{
	const struct direct_verdict *verdict = &report->direct_verdict;
	enum honour read = verdict->honours[TRANSFER_READ], write = verdict->honours[TRANSFER_WRITE];

	*is_warning = read == HONOUR_NO || write == HONOUR_NO;
	if (*is_warning) {
		const char *half = read == write ? "" : read == HONOUR_NO ? ": reads are buffered" : ": writes are buffered";

		return xasprintf("accepted but not honoured (%s)%s", verdict->cause ? verdict->cause : "cause unknown", half);
	}
	return read == HONOUR_YES && write == HONOUR_YES
			   ? xstrdup("enabled")
			   : xasprintf("accepted, whether it is honoured is unknown (%s)", find_doubt(&report->storage));
}

/* The same for all states. */
static char *describe(const struct report *report, bool *is_warning)
{
	const char *reason = report->direct_reason;

	*is_warning = report->direct == DIRECT_REFUSED || report->direct == DIRECT_NOT_WANTED;
	switch (report->direct) {
	case DIRECT_ENABLED:
		return describe_verdict(report, is_warning);
	case DIRECT_REFUSED:
		return xasprintf(
			"DISABLED (buffered I/O: the target refuses it%s%s)", reason ? ", " : "", reason ? reason : "");
	case DIRECT_NOT_WANTED:
		return xstrdup("DISABLED (buffered I/O: --buffered was given)");
	default:
		return xstrdup("not used (every write is synchronous, O_SYNC)");
	}
}

void record_make_direct(struct record_direct *direct, const struct report *report)
{
	bool is_tried = report->direct == DIRECT_ENABLED;
	enum honour read = is_tried ? report->direct_verdict.honours[TRANSFER_READ] : HONOUR_UNKNOWN;
	enum honour write = is_tried ? report->direct_verdict.honours[TRANSFER_WRITE] : HONOUR_UNKNOWN;
	char *text = describe(report, &direct->is_warning);

	direct->state = xstrdup(state_names[report->direct]);
	direct->honoured_read = xstrdup(honour_names[read]);
	direct->honoured_write = xstrdup(honour_names[write]);
	direct->text = text_printable(text);
	free(text);
}
