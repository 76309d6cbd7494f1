/** What is found in a scene, and what is said of it. */
#ifndef FINDINGS_SCENE_H
#define FINDINGS_SCENE_H

#include "scene.h"

/* The runs of the plan. */
enum { SEQ_Q8_READ, SEQ_Q8_WRITE, SEQ_Q1_READ, SEQ_Q1_WRITE, RND_Q32_READ, RND_Q32_WRITE, RND_Q1_READ, RND_Q1_WRITE };
enum { DD_WRITE, DD_UNCACHED, DD_CACHED };
enum { SYNC_T1, SYNC_T4, SYNC_T8, SYNC_T16, NO_SYNC };

/* The ids of a run's findings, in their order. The caller frees it. */
static inline char *list_findings(const struct report *report, size_t run)
{
	struct text list = TEXT_EMPTY;

	for (size_t i = 0; i < report->findings.count; i++) {
		if (report->findings.list[i].run == run) {
			text_addf(&list, "%s%s", list.length > 0 ? " " : "", finding_id(report->findings.list[i].kind));
		}
	}
	char *copy = xstrdup(text_string(&list));
	text_release(&list);
	return copy;
}

/* Say which scene it is before cmocka's own words; returns whether it is as it should be. */
static inline bool is_right(const struct scene *scene, const char *what, const char *found, const char *right)
{
	if (strcmp(found, right) != 0) {
		print_error("%s: %s is\n%s\nnot\n%s\n", scene->name, what, found, right);
		return false;
	}
	return true;
}

static inline bool check_scene(const struct scene *scene)
{
	struct stage stage;

	stage_open_scene(&stage, scene);
	report_check(&stage.report);
	char *found = list_findings(&stage.report, scene->run), *says = list_sentences(&stage.report);
	bool right = is_right(scene, "what is found", found, scene->findings ? scene->findings : "");

	right = is_right(scene, "what is said", says, scene->says ? scene->says : scene->findings ? says : "") && right;
	free(found);
	free(says);
	stage_close(&stage);
	return right;
}

static inline void check_scenes(const struct scene *scenes, size_t count)
{
	size_t right = 0;

	for (size_t i = 0; i < count; i++) {
		right += check_scene(&scenes[i]) ? 1 : 0;
	}
	assert_int_equal(right, count);
}

static inline void expect_text(char *found, const char *right)
{
	assert_string_equal(found, right);
	free(found);
}

#endif
