#include "measure/confirm.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "support/memory.h"
#include "support/signals.h"
#include "support/terminal.h"
#include "support/text.h"
#include "support/units.h"

/* Nobody knows the speed yet: what is said holds for a SATA SSD, and says so. */
#define ASSUMED_BYTES_PER_S 500e6

enum { LABEL_COLUMNS = 11 }; /* as in the banner above it */

/* dd writes the file anew in each pass. */
static char *describe_file(const struct plan *plan, const char *size)
{
	size_t times = plan->profile->tool == LOAD_DD ? plan->write_run_count : 1;

	return times > 1 ? xasprintf("a %s test file, %zu times (%.3g GB)", size, times,
						   (double)plan->size_bytes * (double)times / 1e9)
					 : xasprintf("a %s test file", size);
}

static char *describe_writes(const struct plan *plan)
{
	char *size = units_format_size(plan->size_bytes);
	char *file = describe_file(plan, size);
	char *each = units_format_duration(plan->ramp_s + plan->runtime_s);
	double again_bytes = (double)plan->write_run_count * (double)(plan->ramp_s + plan->runtime_s) * ASSUMED_BYTES_PER_S;
	char *writes = plan->profile->tool == LOAD_DD ? xstrdup(file)
												  : xasprintf("%s, then %zu x %s over it (%.3g GB at 500 MB/s)", file,
														plan->write_run_count, each, again_bytes / 1e9);

	free(each);
	free(file);
	free(size);
	return writes;
}

/* How many runs that is, where it is more than each test once. */
static char *describe_runs(const struct plan *plan)
{
	return plan->passes > 1 || plan->warmup || plan->rounds > 0 ? xasprintf(", %zu runs", plan->run_count)
																: xstrdup("");
}

/* What of the machine is changed meanwhile; NULL where nothing is. */
static const char *describe_changes(const struct plan *plan)
{
	static const char *const changes[] = {
		[0] = NULL,
		[POWER_HOLD_IDLE] = "the kernel is asked to hold C-states off for some runs",
		[POWER_HOLD_GOVERNOR] = "the governor set to performance for some runs, and put back",
		[POWER_HOLD_IDLE | POWER_HOLD_GOVERNOR] =
			"for some runs the kernel is asked to hold C-states off, and the governor is set to performance; all is "
			"put back",
	};
	unsigned holds = 0;

	for (size_t run = 0; run < plan->run_count; run++) {
		holds |= plan_workload(plan, run)->power;
	}
	return changes[holds & (POWER_HOLD_IDLE | POWER_HOLD_GOVERNOR)];
}

/* A line that the terminal does not break in the middle of a word. */
static void show_line(FILE *out, const char *label, const char *text)
{
	char *line = xasprintf("%*s: %s", LABEL_COLUMNS, label, text);
	char *wrapped = text_wrap(line, terminal_width(fileno(out)), LABEL_COLUMNS + strlen(": "));

	fprintf(out, "%s\n", wrapped);
	free(wrapped);
	free(line);
}

static void show(FILE *out, const struct target *target, const struct plan *plan)
{
	char *device = block_device_describe(&target->block);
	char *writes = describe_writes(plan);
	char *runs = describe_runs(plan);
	char *duration = units_format_duration(plan_estimate_s(plan, ASSUMED_BYTES_PER_S));
	char *measure = xasprintf("%s on %s", target->shown, device);
	char *takes = xasprintf("about %s at 500 MB/s%s; the file is removed at the end", duration, runs);
	const char *changes = describe_changes(plan);

	show_line(out, "Measure", measure);
	show_line(out, "Writes", writes);
	if (changes) {
		show_line(out, "Changes", changes);
	}
	show_line(out, "Takes", takes);
	fputs("Measure now? [y/N] ", out);
	fflush(out);
	free(takes);
	free(measure);
	free(duration);
	free(runs);
	free(writes);
	free(device);
}

/* One line from the terminal; false where a signal or the end came first. */
static bool read_line(struct text *line)
{
	struct pollfd polled = {.fd = STDIN_FILENO, .events = POLLIN};
	char character;

	while (!signals_received()) {
		if (ppoll(&polled, 1, NULL, signals_wait_mask()) < 0) {
			continue;
		}
		ssize_t size = read(STDIN_FILENO, &character, 1);
		if (size == 0 || (size < 0 && errno != EINTR)) {
			return false;
		}
		if (size == 1 && character == '\n') {
			return true;
		}
		if (size == 1 && line->length < 64) {
			text_add_bytes(line, &character, 1);
		}
	}
	return false;
}

bool confirm_ask(FILE *out, const struct target *target, const struct plan *plan)
{
	struct text line = TEXT_EMPTY;

	show(out, target, plan);
	bool whole = read_line(&line);
	const char *answer = text_string(&line);
	bool yes =
		whole && strlen(answer) == line.length && (strcasecmp(answer, "y") == 0 || strcasecmp(answer, "yes") == 0);
	if (!whole) {
		fputc('\n', out);
	}
	text_release(&line);
	return yes;
}
