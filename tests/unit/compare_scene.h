/** Some records, side by side. */
#ifndef COMPARE_SCENE_H
#define COMPARE_SCENE_H

#include "scratch.h"

#include "record/compare.h"
#include "records.h"

/* Some records, compared. */
struct scene {
	struct record records[3];
	const struct record *list[3];
	size_t count;
	struct comparison comparison;
};

static inline void scene_compare(struct scene *scene, size_t count)
{
	static const char *const names[] = {"a.json", "b.json", "c.json"};
	struct failure failure = FAILURE_NONE;

	scene->count = count;
	for (size_t i = 0; i < count; i++) {
		scene->list[i] = &scene->records[i];
	}
	if (!comparison_make(&scene->comparison, scene->list, names, count, &failure)) {
		fail_msg("%s", failure.sentence);
	}
}

static inline void scene_release(struct scene *scene)
{
	comparison_release(&scene->comparison);
	for (size_t i = 0; i < scene->count; i++) {
		record_release(&scene->records[i]);
	}
}

/* Two records of the same runs, but for what the test changes. */
static inline void scene_pair(struct scene *scene, const char *profile, unsigned runs)
{
	record_sample(&scene->records[0], profile, runs, 1e9, 0.01, 1);
	record_sample(&scene->records[1], profile, runs, 1e9, 0.01, 2);
}

/* Verdict and difference of a row as a user sees them. */
static inline void expect_cell(
	const struct scene *scene, size_t row, size_t record, const char *verdict, const char *difference)
{
	char *words = comparison_verdict_words(&scene->comparison, row, record);
	char *numbers = comparison_difference_words(&scene->comparison.rows[row].cells[record]);

	assert_string_equal(words, verdict);
	assert_string_equal(numbers, difference);
	free(numbers);
	free(words);
}

/* All warnings, a line each. */
static inline void expect_warnings(const struct scene *scene, const char *expected)
{
	char **warnings = comparison_warnings(&scene->comparison);
	struct text all = TEXT_EMPTY;

	for (size_t i = 0; warnings[i]; i++) {
		text_addf(&all, "%s\n", warnings[i]);
		free(warnings[i]);
	}
	free(warnings);
	assert_string_equal(text_string(&all), expected);
	text_release(&all);
}

#endif
