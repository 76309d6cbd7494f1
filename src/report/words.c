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

/* The runs of one row in one direction. */
struct row_runs {
	size_t valid; /* those with figures that count */
	size_t meant; /* of these, what is spoken of */
};

/* The rows of one direction, in words. Strings are owned. */
struct direction {
	char *rows;       /* "SEQ1M Q8T1, SEQ1M Q1T1 and RND4K Q1T1"; "" for none */
	char *tail;       /* " (2 of 5 runs)" where the only row has others, that are not meant */
	size_t row_count; /* how many rows have figures */
	bool all;         /* whether all runs of all rows are meant, but for one that is left out */
	bool leaves_out;  /* among synchronous rows the one that is not, of which nothing is meant */
};

static struct row_runs count_row(
	const struct report *report, const bool *runs, size_t workload, enum transfer transfer, size_t *example)
{
	struct row_runs count = {0, 0};

	for (size_t run = 0; run < report->plan->run_count; run++) {
		const struct planned_run *planned = &report->plan->runs[run];

		if (planned->workload == workload && planned->transfer == transfer && planned->pass > 0) {
			*example = run;
			count.valid += report->measurements[run].outcome == OUTCOME_VALID ? 1 : 0;
			count.meant += runs[run] ? 1 : 0;
		}
	}
	return count;
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

/* " (2 of 5 runs)" where not all are meant. The caller frees it. */
static char *row_part(const struct row_runs *count)
{
	return count->meant < count->valid ? xasprintf(" (%zu of %zu runs)", count->meant, count->valid) : xstrdup("");
}

/* Put one more row into a list; the last is put by until it is known whether one more follows. */
static void add_row(struct text *list, struct direction *direction, char *name, char *part)
{
	if (direction->rows) {
		text_addf(list, "%s%s%s", list->length > 0 ? ", " : "", direction->rows, direction->tail);
	}
	free(direction->rows);
	free(direction->tail);
	direction->rows = name;
	direction->tail = part;
}

static struct direction list_direction(const struct report *report, const bool *runs, enum transfer transfer)
{
	const struct profile *profile = report->plan->profile;
	struct direction direction = {.all = true};
	struct text list = TEXT_EMPTY;

	for (size_t workload = 0; workload < profile->workload_count; workload++) {
		size_t run = 0;
		struct row_runs count = count_row(report, runs, workload, transfer, &run);

		if (profile->synchronous && !profile->workloads[workload].synchronous && count.meant == 0) {
			direction.leaves_out = direction.leaves_out || count.valid > 0;
			continue;
		}
		direction.row_count += count.valid > 0 ? 1 : 0;
		direction.all = direction.all && count.meant >= count.valid;
		if (count.meant > 0) {
			add_row(&list, &direction, row_name(report->plan, run), row_part(&count));
		}
	}
	if (list.length > 0) {
		/* Of several each has its part right behind its name. */
		text_addf(&list, " and %s%s", direction.rows, direction.tail);
		free(direction.rows);
		free(direction.tail);
		direction.rows = text_detach(&list);
		direction.tail = NULL;
	}
	direction.rows = direction.rows ? direction.rows : xstrdup("");
	direction.tail = direction.tail ? direction.tail : xstrdup("");
	text_release(&list);
	return direction;
}

static void add_direction(struct text *text, const struct direction *direction, const char *word)
{
	if (*direction->rows == '\0') {
		return;
	}
	text_add(text, text->length > 0 ? "; " : "");
	if (direction->all && direction->row_count > 1) {
		text_addf(text, "every %s", word);
	} else {
		text_addf(text, "%s %s%s", direction->rows, word, direction->tail);
	}
}

/* "RND4K Q1T1 read and write (2 of 5 runs each)" */
static void add_both(struct text *text, const struct direction *direction)
{
	size_t length = strlen(direction->tail);

	text_addf(text, "%s read and write", direction->rows);
	if (length > 0) {
		text_addf(text, "%.*s each)", (int)length - 1, direction->tail);
	}
}

void words_runs(struct text *text, const struct report *report, const bool *runs)
{
	struct direction reads = list_direction(report, runs, TRANSFER_READ);
	struct direction writes = list_direction(report, runs, TRANSFER_WRITE);
	bool is_dd = report->plan->profile->tool == LOAD_DD;
	struct text words = TEXT_EMPTY;

	if (is_dd) {
		text_addf(&words, "%s%s%s%s%s", writes.rows, writes.tail, *writes.rows && *reads.rows ? ", " : "", reads.rows,
			reads.tail);
	} else if (reads.all && writes.all && reads.row_count + writes.row_count > 1) {
		text_add(&words, reads.leaves_out || writes.leaves_out ? "every synchronous row" : "every row");
	} else if (*reads.rows && strcmp(reads.rows, writes.rows) == 0 && strcmp(reads.tail, writes.tail) == 0) {
		add_both(&words, &reads);
	} else {
		add_direction(&words, &reads, "read");
		add_direction(&words, &writes, "write");
	}
	text_add(text, text_string(&words));
	text_release(&words);
	free(reads.rows);
	free(reads.tail);
	free(writes.rows);
	free(writes.tail);
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
