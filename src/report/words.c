/* Parts of sentences that several findings share. */
#include "checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/units.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

/* Rounded down: 94.9 % is not the 95 % that would do. */
static double percent(double share)
{
	return floor(share * 100 + 1e-6);
}

void words_share(struct text *text, struct range range)
{
	double low = percent(range.low), high = percent(range.high);

	if (isnan(low)) {
		text_add(text, "an unknown share");
	} else if (low >= high) {
		text_addf(text, "%.0f %%", low);
	} else {
		text_addf(text, "%.0f to %.0f %%", low, high);
	}
}

/* One decimal where it tells something. The caller frees it. */
static char *format_count(double count)
{
	double tenths = round(count * 10) / 10;

	return fabs(tenths) < 10 && fabs(tenths - round(tenths)) > 0.01 ? xasprintf("%.1f", tenths)
																	: xasprintf("%.0f", count);
}

void words_count(struct text *text, struct range range)
{
	char *low = format_count(range.low), *high = format_count(range.high);

	text_add(text, low);
	if (strcmp(low, high) != 0) {
		text_addf(text, " to %s", high);
	}
	free(low);
	free(high);
}

void words_size_range(struct text *text, struct range range)
{
	char *low = units_format_size((uint64_t)range.low), *high = units_format_size((uint64_t)range.high);

	text_add(text, low);
	if (strcmp(low, high) != 0) {
		text_addf(text, " to %s", high);
	}
	free(low);
	free(high);
}

/* The row's name as it stands in a sentence. The caller frees it. */
static char *row_name(const struct plan *plan, size_t run)
{
	char *name = plan_run_name(plan, run);

	if (plan->profile->tool == LOAD_DD) {
		char *quoted = xasprintf("'%s'", name);

		free(name);
		return quoted;
	}
	char *direction = strrchr(name, ' ');
	if (direction) {
		*direction = '\0';
	}
	return name;
}

/* The rows of one direction, "SEQ1M Q8T1, SEQ1M Q1T1 and RND4K Q1T1". The caller frees it. */
static char *list_rows(const struct plan *plan, const bool *runs, enum transfer transfer)
{
	struct text list = TEXT_EMPTY;
	char *last = NULL; /* put by until it is known whether one more follows */

	for (size_t run = 0; run < plan->run_count; run++) {
		if (runs[run] && plan->runs[run].transfer == transfer) {
			if (last) {
				text_addf(&list, "%s%s", list.length > 0 ? ", " : "", last);
			}
			free(last);
			last = row_name(plan, run);
		}
	}
	if (last) {
		text_addf(&list, "%s%s", list.length > 0 ? " and " : "", last);
	}
	char *rows = xstrdup(text_string(&list));
	text_release(&list);
	free(last);
	return rows;
}

/* How many runs of a direction are meant, and whether these are all with figures. */
static size_t count_runs(const struct report *report, const bool *runs, enum transfer transfer, bool *all)
{
	size_t count = 0;

	*all = true;
	for (size_t run = 0; run < report->plan->run_count; run++) {
		if (report->plan->runs[run].transfer == transfer && report->measurements[run].outcome == OUTCOME_VALID) {
			count += runs[run] ? 1 : 0;
			*all = *all && runs[run];
		}
	}
	return count;
}

static void add_direction(struct text *text, const char *rows, const char *direction, bool all)
{
	if (*rows == '\0') {
		return;
	}
	text_add(text, text->length > 0 ? "; " : "");
	if (all) {
		text_addf(text, "every %s", direction);
	} else {
		text_addf(text, "%s %s", rows, direction);
	}
}

void words_runs(struct text *text, const struct report *report, const bool *runs)
{
	bool all_reads = false, all_writes = false, is_dd = report->plan->profile->tool == LOAD_DD;
	size_t reads = count_runs(report, runs, TRANSFER_READ, &all_reads);
	size_t writes = count_runs(report, runs, TRANSFER_WRITE, &all_writes);
	char *read_rows = list_rows(report->plan, runs, TRANSFER_READ);
	char *write_rows = list_rows(report->plan, runs, TRANSFER_WRITE);
	struct text words = TEXT_EMPTY;

	if (is_dd) {
		text_addf(&words, "%s%s%s", write_rows, *write_rows && *read_rows ? ", " : "", read_rows);
	} else if (all_reads && all_writes && reads + writes > 1) {
		text_add(&words, "every row");
	} else if (strcmp(read_rows, write_rows) == 0 && *read_rows) {
		text_addf(&words, "%s read and write", read_rows);
	} else {
		add_direction(&words, read_rows, "read", all_reads && reads > 1);
		add_direction(&words, write_rows, "write", all_writes && writes > 1);
	}
	text_add(text, text_string(&words));
	text_release(&words);
	free(read_rows);
	free(write_rows);
}

const char *words_cache(const struct report *report)
{
	if (report->storage.ram_cache) {
		return report->storage.ram_cache;
	}
	return report->storage.kind == STORAGE_ZFS ? "ZFS's ARC" : "the page cache";
}

bool words_size(struct text *text, const struct report *report)
{
	uint64_t size_bytes = report->cache_bytes > UINT64_MAX / 4 ? UINT64_MAX / 2 : report->cache_bytes * 2;
	uint64_t step_bytes = size_bytes > 64 * GIB ? 8 * GIB : size_bytes >= GIB ? GIB : 64 * MIB;
	uint64_t rounded_bytes = (size_bytes / step_bytes + (size_bytes % step_bytes > 0 ? 1 : 0)) * step_bytes;

	if (report->cache_bytes == 0) {
		return false;
	}
	if (rounded_bytes % GIB == 0) {
		text_addf(text, "%llug", (unsigned long long)(rounded_bytes / GIB));
	} else {
		text_addf(text, "%llum", (unsigned long long)(rounded_bytes / MIB));
	}
	return true;
}

void words_devices(struct text *text, const struct storage *storage, enum storage_role role)
{
	if (storage->kind == STORAGE_NFS || storage->kind == STORAGE_CIFS) {
		text_add(text, "the server");
	} else if (storage_count(storage, role) == 0) {
		text_add(text, "the device");
	} else {
		char *names = storage_names(storage, role);

		text_add(text, names);
		free(names);
	}
}
