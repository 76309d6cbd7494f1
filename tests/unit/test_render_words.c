#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/text.h"

#include "../../src/render/words.h"

/* Never wider than asked for, never within a character, and as much as fits. */
static void titles_are_cut_between_characters(void **state)
{
	static const char title[] = "\xE6\x97\xA5\xE6\x9C\xAC ab \xC3\xA9 cd \xF0\x9F\x9A\x80 ef";

	(void)state;
	for (size_t columns = 3; columns < 30; columns++) {
		char *cut = words_cut(title, columns), *printable = text_printable(cut);

		assert_string_equal(cut, printable);
		assert_true(text_columns(cut) <= columns);
		assert_true(text_columns(cut) + 2 > columns || strcmp(cut, title) == 0);
		free(printable);
		free(cut);
	}
	char *short_one = words_cut("abc", 3), *long_one = words_cut("abcd", 3), *broken = words_cut("\xE6\xFF\xFF\xFF", 3);

	assert_string_equal(short_one, "abc");
	assert_string_equal(long_one, "...");
	assert_string_equal(broken, "...");
	free(short_one);
	free(long_one);
	free(broken);
}

static void times_are_told_to_the_minute(void **state)
{
	static const char *const times[][2] = {{"2026-11-30T17:21:06Z", "2026-11-30 17:21 UTC"},
		{"2026-11-30T17:21:06", "2026-11-30T17:21:06"}, {"yesterday", "yesterday"}, {"", ""}, {NULL, ""}};

	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		char *words = words_time(times[i][0]);

		assert_string_equal(words, times[i][1]);
		free(words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(titles_are_cut_between_characters),
		cmocka_unit_test(times_are_told_to_the_minute),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
