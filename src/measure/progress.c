#include "measure/progress.h"

#include <stdlib.h>
#include <string.h>

#include "measure/sparkline.h"
#include "support/clock.h"
#include "support/memory.h"
#include "support/terminal.h"
#include "support/text.h"
#include "support/units.h"

enum { BAR_MAX = 30, BAR_MIN = 6, SPARKLINE_MIN = 9, SPARKLINE_MAX = 21 /* with a blank behind */ };
#define RATE_INTERVAL_NS (500 * NS_PER_MS)

void progress_init(struct progress *progress, FILE *out, bool is_terminal)
{
	*progress = (struct progress){.out = out, .is_terminal = is_terminal, .fraction = -1, .bandwidth_bytes_per_s = -1};
}

void progress_release(struct progress *progress)
{
	progress_clear(progress);
	free(progress->name);
	progress->name = NULL;
}

static void write_line(struct progress *progress, const char *line)
{
	fprintf(progress->out, TERMINAL_CLEAR_LINE "%s", line);
	fflush(progress->out);
	progress->drawn = true;
}

/* A line no longer than the terminal, cut at a character. */
static char *cut(const char *line, unsigned width)
{
	size_t length = strlen(line);
	char *copy = xstrdup(line);

	while (length > 0 && text_columns(copy) > width - 1) {
		do {
			length--;
		} while (length > 0 && (copy[length] & 0xC0) == 0x80);
		copy[length] = '\0';
	}
	return copy;
}

void progress_say(struct progress *progress, const char *what)
{
	if (progress->is_terminal) {
		char *line = cut(what, terminal_width(fileno(progress->out)));

		write_line(progress, line);
		free(line);
	}
}

void progress_begin(struct progress *progress, size_t step, size_t steps, const char *name, uint64_t expected_ns,
	uint64_t later_expected_ns)
{
	uint64_t now_ns = clock_now_ns();

	free(progress->name);
	progress->name = xstrdup(name);
	progress->active = true;
	progress->step = step;
	progress->steps = steps;
	progress->began_ns = progress->began_ns ? progress->began_ns : now_ns;
	progress->step_began_ns = now_ns;
	progress->step_expected_ns = expected_ns;
	progress->later_expected_ns = later_expected_ns;
	progress->fraction = -1;
	progress->bandwidth_bytes_per_s = -1;
	progress->shows_rates = true;
	progress->rate_count = 0;
	progress->rate_interval_ns = RATE_INTERVAL_NS;
	progress->rate_next_ns = now_ns;
	progress_draw(progress);
}

/* A rate for the sparkline; once there is no room for more, two become one, and each later one stands for longer. */
static void keep_rate(struct progress *progress, uint64_t now_ns)
{
	if (now_ns < progress->rate_next_ns || progress->bandwidth_bytes_per_s < 0) {
		return;
	}
	if (progress->rate_count == PROGRESS_RATES_MAX) {
		for (size_t i = 0; i < PROGRESS_RATES_MAX / 2; i++) {
			progress->rates[i] = (progress->rates[2 * i] + progress->rates[2 * i + 1]) / 2;
		}
		progress->rate_count = PROGRESS_RATES_MAX / 2;
		progress->rate_interval_ns *= 2;
	}
	progress->rates[progress->rate_count++] = progress->bandwidth_bytes_per_s;
	progress->rate_next_ns = now_ns + progress->rate_interval_ns;
}

void progress_update(struct progress *progress, double fraction, double bandwidth_bytes_per_s)
{
	progress->fraction = fraction;
	progress->bandwidth_bytes_per_s = bandwidth_bytes_per_s;
	keep_rate(progress, clock_now_ns());
}

/* The share of the step that is done, by the clock or by what was reported. */
static double step_share(const struct progress *progress, uint64_t now_ns)
{
	double share = progress->fraction;

	if (progress->step_expected_ns > 0) {
		share = (double)(now_ns - progress->step_began_ns) / (double)progress->step_expected_ns;
	}
	return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* What is left, of this step and all after it; false where nobody knows yet. */
static bool remaining_ns(const struct progress *progress, uint64_t now_ns, uint64_t *left_ns)
{
	uint64_t elapsed_ns = now_ns - progress->step_began_ns;

	if (progress->step_expected_ns > 0) {
		*left_ns = progress->step_expected_ns > elapsed_ns ? progress->step_expected_ns - elapsed_ns : 0;
	} else if (progress->fraction > 0.01) {
		double share = progress->fraction < 1 ? progress->fraction : 1;

		*left_ns = (uint64_t)((double)elapsed_ns * (1 - share) / share);
	} else {
		return false;
	}
	*left_ns += progress->later_expected_ns;
	return true;
}

static void add_bar(struct text *line, double share, size_t width)
{
	size_t filled = (size_t)(share * (double)width + 0.5);

	text_add(line, "[");
	text_add_repeated(line, "#", filled);
	text_add_repeated(line, "-", width - filled);
	text_add(line, "]");
}

/* The pieces that a line is put together from; longer forms for wider terminals. */
struct pieces {
	char *count;   /* "3/8" */
	char *elapsed; /* "0:12" */
	char *left;    /* "0:30", or "?" */
	char *rate;    /* "812.3 MB/s", or "" */
};

/* Which run of how many; what goes before all runs has no number. */
static char *format_count(const struct progress *progress)
{
	return progress->step > 0 ? xasprintf("%zu/%zu", progress->step, progress->steps) : xstrdup("layout");
}

static void pieces_init(struct pieces *pieces, const struct progress *progress, uint64_t now_ns)
{
	uint64_t left_ns = 0;
	bool known = remaining_ns(progress, now_ns, &left_ns);

	pieces->count = format_count(progress);
	pieces->elapsed = units_format_clock((now_ns - progress->began_ns) / NS_PER_S);
	pieces->left = known ? units_format_clock((left_ns + NS_PER_S - 1) / NS_PER_S) : xstrdup("?");
	pieces->rate =
		progress->bandwidth_bytes_per_s < 0 ? xstrdup("") : units_format_rate(progress->bandwidth_bytes_per_s);
}

static void pieces_release(struct pieces *pieces)
{
	free(pieces->count);
	free(pieces->elapsed);
	free(pieces->left);
	free(pieces->rate);
}

/* The last column stays free, and where there is room two more for the ^C that the terminal echoes. */
static size_t usable_columns(unsigned width)
{
	return width >= 40 ? width - 3 : width - 1;
}

/* The sparkline gets half of the room that is left for the two of them, as far as that makes sense. */
static size_t sparkline_columns(size_t room)
{
	size_t half = room / 2 < SPARKLINE_MIN ? SPARKLINE_MIN : room / 2 > SPARKLINE_MAX ? SPARKLINE_MAX : room / 2;

	return room - half < BAR_MIN ? room - BAR_MIN : half;
}

/* The times, how the rate went, and the rate; `columns` is 0 where there is no room for how it went. */
static char *format_behind(
	const struct progress *progress, const struct pieces *pieces, const char *word, size_t columns)
{
	char *rates = columns > 0 ? sparkline(progress->rates, progress->rate_count, columns - 1) : xstrdup("");
	/* Room for the widest rate is kept free, so that the bar does not jump. */
	char *behind = xasprintf(
		"  %s%s, %s left  %s%s%12s", pieces->elapsed, word, pieces->left, rates, columns > 0 ? " " : "", pieces->rate);

	free(rates);
	return behind;
}

/*
 * The line with a bar, and a sparkline where that is wanted, as wide as there is room; false where even the narrowest
 * do not fit.
 */
static bool line_with_bar(struct text *line, const struct progress *progress, const struct pieces *pieces,
	const char *word, bool with_rates, unsigned width, uint64_t now_ns)
{
	char *before = xasprintf("[%s] %s  ", pieces->count, progress->name);
	char *behind = format_behind(progress, pieces, word, 0);
	size_t taken = text_columns(before) + text_columns(behind) + 2;
	bool fits = taken + BAR_MIN + (with_rates ? SPARKLINE_MIN : 0) <= usable_columns(width);

	if (fits) {
		size_t room = usable_columns(width) - taken, columns = with_rates ? sparkline_columns(room) : 0;

		room -= columns;
		free(behind);
		behind = format_behind(progress, pieces, word, columns);
		text_add(line, before);
		add_bar(line, step_share(progress, now_ns), room < BAR_MAX ? room : BAR_MAX);
		text_add(line, behind);
	}
	free(before);
	free(behind);
	return fits;
}

/* Without a bar, for which there is no room beside the sparkline; false where there is none for that either. */
static bool line_with_rates(
	struct text *line, const struct progress *progress, const struct pieces *pieces, unsigned width)
{
	char *behind = format_behind(progress, pieces, "", SPARKLINE_MIN);
	char *whole = xasprintf("[%s] %s%s", pieces->count, progress->name, behind);
	bool fits = text_columns(whole) <= usable_columns(width);

	text_add(line, fits ? whole : "");
	free(whole);
	free(behind);
	return fits;
}

/* The longest form with a bar or a sparkline; false where there is no room for any. */
static bool longest_line(
	struct text *line, const struct progress *progress, const struct pieces *pieces, unsigned width, uint64_t now_ns)
{
	return (progress->shows_rates && (line_with_bar(line, progress, pieces, " elapsed", true, width, now_ns) ||
										 line_with_bar(line, progress, pieces, "", true, width, now_ns) ||
										 line_with_rates(line, progress, pieces, width))) ||
		   line_with_bar(line, progress, pieces, " elapsed", false, width, now_ns);
}

char *progress_line(const struct progress *progress, unsigned width, uint64_t now_ns)
{
	struct pieces pieces;
	struct text line = TEXT_EMPTY;

	pieces_init(&pieces, progress, now_ns);
	if (!longest_line(&line, progress, &pieces, width, now_ns)) {
		char *const shorter[] = {
			xasprintf(
				"[%s] %s  %s, %s left  %s", pieces.count, progress->name, pieces.elapsed, pieces.left, pieces.rate),
			xasprintf("[%s] %s  -%s  %s", pieces.count, progress->name, pieces.left, pieces.rate),
			xasprintf("%s %s -%s %s", pieces.count, progress->name, pieces.left, pieces.rate),
			xasprintf("%s %s -%s", pieces.count, progress->name, pieces.left),
			xasprintf("%s -%s %s", pieces.count, pieces.left, pieces.rate),
			xasprintf("%s -%s", pieces.count, pieces.left),
		};
		size_t count = sizeof(shorter) / sizeof(shorter[0]), chosen = 0;

		while (chosen < count - 1 && text_columns(shorter[chosen]) > usable_columns(width)) {
			chosen++;
		}
		text_add(&line, shorter[chosen]);
		for (size_t i = 0; i < count; i++) {
			free(shorter[i]);
		}
	}
	pieces_release(&pieces);
	char *fitting = cut(text_string(&line), width);
	text_release(&line);
	return fitting;
}

void progress_draw(struct progress *progress)
{
	if (progress->is_terminal && progress->active) {
		char *line = progress_line(progress, terminal_width(fileno(progress->out)), clock_now_ns());

		write_line(progress, line);
		free(line);
	}
}

void progress_end(struct progress *progress, const char *result)
{
	if (!progress->is_terminal && progress->active) {
		char *count = format_count(progress);

		fprintf(progress->out, "[%s] %s: %s\n", count, progress->name, result);
		fflush(progress->out);
		free(count);
	}
	progress->active = false;
}

void progress_clear(struct progress *progress)
{
	if (progress->drawn) {
		fputs(TERMINAL_CLEAR_LINE, progress->out);
		fflush(progress->out);
		progress->drawn = false;
	}
}
