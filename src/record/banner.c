#include "record/banner.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"
#include "support/units.h"

/* Add a line; takes the text over. */
static void add(struct banner *banner, const char *label, char *text, bool is_warning)
{
	banner->lines = xrealloc(banner->lines, (banner->line_count + 1) * sizeof(*banner->lines));
	banner->lines[banner->line_count++] = (struct banner_line){.label = label, .text = text, .is_warning = is_warning};
}

static const char *or_unknown(const char *string)
{
	return string ? string : "unknown";
}

/* A saved file may hold any number: those that fit no integer come out as the largest. */
static uint64_t whole(double number)
{
	return number >= 0x1p63 ? UINT64_C(1) << 63 : number > 0 ? (uint64_t)number : 0;
}

/* Bytes in words, or that they are unknown. The caller frees it. */
static char *format_size(double size_bytes)
{
	return isnan(size_bytes) ? xstrdup("unknown") : units_format_size(whole(size_bytes));
}

static char *format_duration(double duration_s)
{
	return isnan(duration_s) ? xstrdup("unknown") : units_format_duration(whole(duration_s));
}

static void add_place(struct banner *banner, const struct record_target *target)
{
	add(banner, "Target", xstrdup(or_unknown(target->path)), false);
	if (target->file_system) {
		add(banner, "File system",
			xasprintf("%s, %s mounted on %s", target->file_system, or_unknown(target->source),
				or_unknown(target->mount_point)),
			false);
	}
	add(banner, "Device", xstrdup(or_unknown(target->device)), false);
	if (!isnan(target->free_bytes)) {
		char *space = format_size(target->free_bytes);
		char *total = format_size(target->total_bytes);

		add(banner, "Free space", xasprintf("%s of %s", space, total), false);
		free(space);
		free(total);
	}
}

/* A summary ends with the pool's state, a word in capitals, where that is known. */
static bool ends_ill(const char *summary)
{
	const char *blank = strrchr(summary, ' ');
	const char *state = blank ? blank + 1 : summary;

	return state[0] >= 'A' && state[0] <= 'Z' && strcmp(state, "ONLINE") != 0;
}

static void add_pool(struct banner *banner, const struct record_pool *pool)
{
	if (pool->name) {
		char *named = pool->summary ? xasprintf("%s (%s)", pool->name, pool->summary) : xstrdup(pool->name);

		add(banner, "ZFS pool", named, pool->summary && ends_ill(pool->summary));
		add(banner, "Log device", xstrdup(or_unknown(pool->log_devices)), pool->is_warning);
		if (pool->dataset) {
			add(banner, "Dataset", xstrdup(pool->dataset), false);
		}
		/* zfs-fuse's zpool knows no -l. */
		const char *options = pool->summary && text_starts_with(pool->summary, "zfs-fuse") ? "-v" : "-vl";

		const char *quote = strchr(pool->name, ' ') ? "\"" : "";

		add(banner, "Tip",
			xasprintf("watch it work in another shell: zpool iostat %s %s%s%s 1", options, quote, pool->name, quote),
			false);
	}
}

static char *describe_method(const struct record_settings *settings)
{
	if (settings->profile->tool == LOAD_DD) {
		return xasprintf("dd, as %s", or_unknown(settings->runs_as));
	}
	return xasprintf(
		"%s (%s, as %s)", or_unknown(settings->engine), or_unknown(settings->tool), or_unknown(settings->runs_as));
}

/* What else there is to say of the runs' order and time; nothing for plain ones. */
static void add_rhythm(struct text *text, const struct record_settings *settings)
{
	if (settings->warmup) {
		text_add(text, ", after one warm-up pass");
	}
	if (settings->ramp_s > 0 && settings->profile->tool == LOAD_FIO) {
		char *ramp = format_duration(settings->ramp_s);

		text_addf(text, ", each after %s of ramp", ramp);
		free(ramp);
	}
	if (settings->interval_s > 0) {
		char *interval = format_duration(settings->interval_s);

		text_addf(text, ", %s pause between runs", interval);
		free(interval);
	}
}

/* "40 runs (8 tests, 5 times)", "19 runs (4 tests, and an experiment of 15)" */
static void add_count(struct text *text, const struct record *record)
{
	bool is_repeated = record->settings.runs > 1;
	struct record_count count;

	record_count_make(&count, record);
	text_addf(text, "%.0f runs", count.runs + count.experiment);
	if (is_repeated || count.experiment > 0) {
		text_addf(text, " (%.0f tests", count.tests);
		if (is_repeated) {
			text_addf(text, ", %.0f times", record->settings.runs);
		}
		if (count.experiment > 0) {
			text_addf(text, ", and an experiment of %.0f", count.experiment);
		}
		text_add(text, ")");
	}
}

/* How long each run takes and how many there are; of dd, which ends with the file, only what is not as usual. */
static void add_runs(struct banner *banner, const struct record *record)
{
	const struct record_settings *settings = &record->settings;
	struct text text = TEXT_EMPTY;

	if (settings->profile->tool == LOAD_FIO) {
		char *runtime = format_duration(settings->runtime_s);

		text_addf(&text, "%s for each of ", runtime);
		free(runtime);
		add_count(&text, record);
		add_rhythm(&text, settings);
		add(banner, "Runtime", text_detach(&text), false);
	} else if (settings->runs > 1 || settings->warmup || settings->interval_s > 0) {
		add_count(&text, record);
		add_rhythm(&text, settings);
		add(banner, "Runs", text_detach(&text), false);
	}
}

void banner_init(struct banner *banner, const struct record *record)
{
	const struct record_settings *settings = &record->settings;

	*banner = (struct banner){0};
	if (record->label && *record->label) {
		add(banner, "Label", xstrdup(record->label), false);
	}
	add_place(banner, &record->target);
	add(banner, "Profile", xstrdup(settings->profile->title), false);
	add(banner, "Engine", describe_method(settings), false);
	add(banner, "O_DIRECT", xstrdup(or_unknown(record->direct.text)), record->direct.is_warning);
	if (settings->profile->synchronous) {
		add_pool(banner, &record->pool);
	}
	add(banner, "Test file", format_size(settings->size_bytes), false);
	add_runs(banner, record);
}

void banner_release(struct banner *banner)
{
	for (size_t i = 0; i < banner->line_count; i++) {
		free(banner->lines[i].text);
	}
	free(banner->lines);
	*banner = (struct banner){0};
}
