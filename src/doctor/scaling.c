/* How IOPS grow with the number of threads. */
#include <math.h>
#include <stdlib.h>

#include "examination.h"
#include "record/figures.h"
#include "support/text.h"

/* So much of a thread's own speed is left to each of many where it is called linear. */
#define LINEAR_MIN 0.7
/* So much more than the threads can bring about by themselves that something held the first ones up. */
#define MORE_MIN 1.25
/* A step down that is smaller is none. */
#define STEP_DOWN_MIN 0.05
/* And it must be so many times as large as the runs' own spread. */
#define STEP_SPREAD 2
/* What that is taken for where there is but one run. */
#define SPREAD_OF_ONE 0.05

/* What is known of one test. */
struct point {
	const struct record_test *test;
	double iops;
	double cv;
	bool is_marked; /* the figure is not the device's alone */
};

static bool point_make(struct point *point, const struct record_test *test)
{
	struct test_figures figures;

	if (test->part != PART_MAIN || !test->synchronous) {
		return false;
	}
	test_figures_make(&figures, test);
	*point = (struct point){.test = test,
		.iops = figures.median[QUANTITY_IOPS],
		.is_marked = figures.mark[0] == '*',
		.cv = isnan(figures.cv[QUANTITY_IOPS]) ? SPREAD_OF_ONE : figures.cv[QUANTITY_IOPS]};
	return point->iops > 0;
}

static bool is_step_down(const struct point *from, const struct point *to)
{
	double fall = 1 - to->iops / from->iops;

	return fall > STEP_DOWN_MIN && fall > STEP_SPREAD * sqrt(from->cv * from->cv + to->cv * to->cv);
}

static void set(struct scaling *scaling, enum scaling_verdict verdict, const struct point *from, const struct point *to)
{
	*scaling = (struct scaling){
		.verdict = verdict, .from = from->test, .to = to->test, .from_iops = from->iops, .to_iops = to->iops};
}

/* Whether so many threads keep most of a single one's speed each. */
static bool keeps_up(const struct point *first, const struct point *point)
{
	return point->iops / first->iops >= LINEAR_MIN * point->test->threads / first->test->threads;
}

/* The verdict on figures that never fall much. */
static enum scaling_verdict judge_rise(const struct point *first, const struct point *last, bool is_linear)
{
	if (last->iops / first->iops > MORE_MIN * last->test->threads / first->test->threads) {
		return SCALING_MORE;
	}
	return is_linear ? SCALING_LINEAR : SCALING_SATURATING;
}

void scaling_find(struct scaling *scaling, const struct record *record)
{
	struct point first = {0}, best = {0}, last = {0}, point;
	bool is_linear = true, is_marked = false;

	*scaling = (struct scaling){0};
	for (size_t i = 0; i < record->test_count; i++) {
		if (!point_make(&point, &record->tests[i])) {
			continue;
		}
		first = first.test ? first : point;
		best = best.test && best.iops >= point.iops ? best : point;
		last = point;
		is_linear = is_linear && keeps_up(&first, &point);
		is_marked = is_marked || point.is_marked;
	}
	if (last.test != best.test && is_step_down(&best, &last)) { /* a dip that more threads make good is none */
		set(scaling, SCALING_REGRESSING, &best, &last);
	} else if (first.test && last.test != first.test) {
		set(scaling, judge_rise(&first, &last, is_linear), &first, &last);
	}
	scaling->is_marked = is_marked;
}

/* "3050 with 1 thread, 9800 with 4, 9277 with 16"; the caller releases the text. */
static void list_points(struct text *text, const struct record *record)
{
	struct point point;

	for (size_t i = 0; i < record->test_count; i++) {
		if (point_make(&point, &record->tests[i])) {
			text_addf(text, "%s%.0f with %.0f%s", text->length > 0 ? ", " : "", point.iops, point.test->threads,
				text->length > 0           ? ""
				: point.test->threads == 1 ? " thread"
										   : " threads");
		}
	}
}

void say_scaling(struct record_passage *passage, const struct examination *examination)
{
	const struct scaling *scaling = &examination->scaling;
	const char *doubt =
		scaling->is_marked ? "; but not all of these figures are the device's alone, see their marks" : "";
	struct text points = TEXT_EMPTY;

	list_points(&points, examination->record);
	switch (scaling->verdict) {
	case SCALING_MORE:
		record_passage_say(passage,
			"More than linear: %.1f times the IOPS with %.0f times the threads (%s), which threads alone cannot bring "
			"about: something held up those with %.0f%s.",
			scaling->to_iops / scaling->from_iops, scaling->to->threads / scaling->from->threads, text_string(&points),
			scaling->from->threads, doubt);
		break;
	case SCALING_LINEAR:
	case SCALING_SATURATING:
		record_passage_say(passage, "%s: %.1f times the IOPS with %.0f times the threads (%s)%s.",
			scaling->verdict == SCALING_LINEAR ? "Linear" : "Saturating", scaling->to_iops / scaling->from_iops,
			scaling->to->threads / scaling->from->threads, text_string(&points), doubt);
		break;
	case SCALING_REGRESSING:
		record_passage_say(passage, "Regressing: with %.0f threads instead of %.0f the IOPS fall by %.0f %% (%s)%s.",
			scaling->to->threads, scaling->from->threads, 100 * (1 - scaling->to_iops / scaling->from_iops),
			text_string(&points), scaling->is_marked ? doubt : ": the commits get in each other's way");
		break;
	case SCALING_UNKNOWN:
		break;
	}
	text_release(&points);
}
