/* What the figures are held against, with the source of each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "examination.h"
#include "record/figures.h"
#include "support/memory.h"

/* THE table of yardsticks. */
static const struct {
	const char *test; /* the record's name of it */
	enum quantity quantity;
	double limit; /* latencies stay below it, IOPS reach it */
	const char *target;
	const char *what; /* was measured */
	const char *unit;
	double unit_size;
	const char *source;
} yardsticks[] = {
	{"4K write+fdatasync", QUANTITY_P99, 10e6, "etcd wants fdatasync to take less than 10 ms at p99", "it took", " ms",
		1e6, "etcd's documentation, \"Hardware recommendations\" and FAQ"},
	{"4K sync T1", QUANTITY_IOPS, HEALTHY_IOPS,
		"a healthy Optane log device makes 15000 to 25000 commits a second with one thread", "this one made", "", 1,
		"the case study in the manual"},
	{"4K sync T1", QUANTITY_P50, HEALTHY_P50_NS,
		"a healthy Optane log device commits within 40 to 65 us at p50 with one thread", "it took", " us", 1e3,
		"the case study in the manual"},
};

/* As it is shown: whole where it is large. The caller frees it. */
static char *format_value(double value, const char *unit)
{
	return xasprintf("%.*f%s", *unit == '\0' ? 0 : value < 10 ? 2 : 1, value, unit);
}

static bool has_detail(const struct record *record)
{
	for (size_t i = 0; i < record->test_count; i++) {
		if (record->tests[i].part == PART_DETAIL) {
			return true;
		}
	}
	return false;
}

static void say_yardstick(struct record_passage *passage, const struct record *record, size_t index)
{
	const struct record_test *test = record_find_test(record, yardsticks[index].test, TRANSFER_WRITE);
	enum quantity quantity = yardsticks[index].quantity;
	struct test_figures figures;

	if (!test) {
		return;
	}
	test_figures_make(&figures, test);
	double value = figures.median[quantity];
	if (isnan(value)) {
		record_passage_say(passage, "Unknown: %s; nothing valid was measured (source: %s).", yardsticks[index].target,
			yardsticks[index].source);
		return;
	}
	bool is_reached = quantities[quantity].is_better_if_larger ? value >= yardsticks[index].limit
					  : quantity == QUANTITY_P99               ? value < yardsticks[index].limit
															   : value <= yardsticks[index].limit;
	char *words = format_value(value / yardsticks[index].unit_size, yardsticks[index].unit);
	bool is_marked = figures.mark[0] == '*';
	record_passage_say(passage, "%s: %s; %s %s%s (source: %s).",
		is_marked    ? "Unknown"
		: is_reached ? "Pass"
					 : "Fail",
		yardsticks[index].target, yardsticks[index].what, words,
		is_marked ? ", which is not the device's alone, see its mark" : "", yardsticks[index].source);
	free(words);
}

void say_yardsticks(struct record_passage *passage, const struct examination *examination)
{
	if (!has_detail(examination->record)) {
		return;
	}
	for (size_t i = 0; i < sizeof(yardsticks) / sizeof(yardsticks[0]); i++) {
		say_yardstick(passage, examination->record, i);
	}
}
