#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "records.h"

#include "../../src/render/places.h"

/* Each finding once, in its order, whatever the order of its places. */
static void each_finding_once(void **state)
{
	struct record_place first[] = {{2, 1}, {0, 1}, {2, 2}, {0, 2}}, second[] = {{2, 1}},
						beyond[] = {{8, 1}, {SIZE_MAX, 1}};
	struct record_finding findings[] = {{.places = first, .place_count = 4}, {0}, {.places = beyond, .place_count = 2},
		{.places = second, .place_count = 1}};
	struct record_test tests[3] = {0};
	const struct record record = {.tests = tests, .test_count = 3, .findings = findings, .finding_count = 4};
	const size_t begin[] = {0, 1, 1, 3}, list[] = {0, 0, 3};
	struct places places;

	(void)state;
	places_init(&places, &record);
	assert_memory_equal(places.begin, begin, sizeof(begin));
	assert_memory_equal(places.findings, list, sizeof(list));
	places_release(&places);
}

static void nothing_at_all(void **state)
{
	const struct record record = {0};
	struct places places;

	(void)state;
	places_init(&places, &record);
	assert_int_equal(places.begin[0], 0);
	places_release(&places);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_finding_once),
		cmocka_unit_test(nothing_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
