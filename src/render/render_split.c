#include "render_further.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

#include "prose.h"
#include "words.h"

/* The bar is as long as there is room for, or left out. */
enum { BAR_MAX = 20, BAR_MIN = 5, INDENT = 2 };
/* Of a longer name the first words stand for it. */
enum { NAME_COLUMNS_MAX = 24 };

const char split_heading[] = "Where the time of a commit goes";
const char split_estimate[] =
	"This is an estimate: others' requests, or the file system's own, may be in the device's part.";
const char split_about[] =
	"Parts that are \"about\" are estimates: they are the shares of the mean commit, which differs from "
	"the median one (p50) by more than 10 %.";

/* To one decimal. */
static double rounded_us(double ns)
{
	return round(ns / 1e2) / 10;
}

struct split_shown split_show(const struct split_row *row)
{
	struct split_shown shown = {.commit_us = rounded_us(row->commit_ns), .device_us = rounded_us(row->device_ns)};

	shown.host_us = shown.commit_us - shown.device_us;
	return shown;
}

char *split_unknown_words(const struct record *record)
{
	return record->split_unknown ? xasprintf("%s is not known: %s.", split_heading, record->split_unknown) : NULL;
}

bool split_rows_are_about(const struct split_row *rows, size_t count)
{
	bool found = false;

	for (size_t i = 0; i < count; i++) {
		found = found || rows[i].is_about;
	}
	return found;
}

/* How wide the columns are. */
struct widths {
	bool has_about;
	int name;
	int commit;
	int device;
	int host;
};

static int wider(int width, double number)
{
	int needed = snprintf(NULL, 0, "%.1f", number);

	return needed > width ? needed : width;
}

static struct widths measure(const struct split_row *rows, size_t count)
{
	struct widths widths = {split_rows_are_about(rows, count), 0, 6, 6, 6};

	for (size_t i = 0; i < count; i++) {
		const struct split_shown shown = split_show(&rows[i]);
		size_t columns = text_columns(rows[i].name);
		int name = columns > NAME_COLUMNS_MAX ? NAME_COLUMNS_MAX : (int)columns;

		widths.name = name > widths.name ? name : widths.name;
		if (rows[i].unknown) {
			continue;
		}
		widths.commit = wider(widths.commit, shown.commit_us);
		widths.device = wider(widths.device, shown.device_us);
		widths.host = wider(widths.host, shown.host_us);
	}
	return widths;
}

/* "  [#####...............]": the device's share; nothing where there is no room. */
static void add_bar(struct text *line, double share, unsigned columns)
{
	size_t used = text_columns(text_string(line)) + strlen("  []");
	size_t cells = columns == 0 ? BAR_MAX : columns > used ? columns - used : 0;

	if (cells < BAR_MIN) {
		return;
	}
	cells = cells > BAR_MAX ? BAR_MAX : cells;
	text_add(line, "  [");
	for (size_t i = 0; i < cells; i++) {
		text_add(line, (double)i + 0.5 < share * (double)cells ? "#" : ".");
	}
	text_add(line, "]");
}

static void add_parts(struct text *line, const struct split_row *row, const struct widths *widths)
{
	const struct split_shown shown = split_show(row);
	const char *about = row->is_about ? "about " : widths->has_about ? "      " : "";

	text_addf(line, "commit p50 %*.1f us = device %s%*.1f us + host %*.1f us", widths->commit, shown.commit_us, about,
		widths->device, shown.device_us, widths->host, shown.host_us);
}

static void write_row(
	FILE *out, const struct split_row *row, const struct widths *widths, const struct render_style *style)
{
	char *name = words_cut(row->name, NAME_COLUMNS_MAX);
	int padding = widths->name - (int)text_columns(name);
	struct text line = TEXT_EMPTY;

	text_addf(&line, "%*s%s%*s  ", INDENT, "", name, padding > 0 ? padding : 0, "");
	size_t indent = text_columns(text_string(&line));
	if (row->unknown) {
		text_addf(&line, "not known: %s", row->unknown);
		prose_write(out, text_string(&line), indent, NULL, style);
	} else {
		add_parts(&line, row, widths);
		add_bar(&line, row->device_share, style->columns);
		fprintf(out, "%s\n", text_string(&line));
	}
	text_release(&line);
	free(name);
}

void render_split(FILE *out, const struct record *record, enum score score, const struct render_style *style)
{
	size_t count;
	struct split_row *rows = split_rows_make(record, score, &count);
	const struct widths widths = measure(rows, count);

	if (count > 0) {
		fprintf(out, "\n%s:\n", split_heading);
		for (size_t i = 0; i < count; i++) {
			write_row(out, &rows[i], &widths, style);
		}
		if (widths.has_about) {
			prose_write(out, split_about, 0, NULL, style);
		}
		if (record->split_is_estimate) {
			prose_write(out, split_estimate, 0, NULL, style);
		}
	} else {
		char *unknown = split_unknown_words(record);

		if (unknown) {
			fputc('\n', out);
			prose_write(out, unknown, 0, NULL, style);
		}
		free(unknown);
	}
	split_rows_release(rows, count);
}
