#include "scratch.h"

#include <locale.h>

#include "support/failure.h"
#include "support/memory.h"

static void test_growth(void **state)
{
	struct text text = TEXT_EMPTY;

	(void)state;
	assert_string_equal(text_string(&text), "");
	text_add(&text, "");
	text_add_bytes(&text, NULL, 0);
	assert_int_equal(text.length, 0);
	assert_string_equal(text.bytes, "");
	text_add(&text, "ab");
	text_add_bytes(&text, "c\0d", 3);
	assert_int_equal(text.length, 5);
	assert_memory_equal(text.bytes, "abc\0d", 6);
	text_reset(&text);
	assert_string_equal(text_string(&text), "");
	text_add_repeated(&text, "xy", 100000);
	assert_int_equal(text.length, 200000);
	assert_int_equal(strlen(text.bytes), 200000);
	text_add_repeated(&text, "z", 0);
	assert_int_equal(text.length, 200000);
	text_release(&text);
	assert_null(text.bytes);
	text_release(&text);
	text_reset(&text);
}

static void test_format(void **state)
{
	struct text text = TEXT_EMPTY;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		text_addf(&text, "%d,%s;", i, "abcdefghij");
	}
	assert_true(text_starts_with(text.bytes, "0,abcdefghij;1,"));
	assert_string_equal(text.bytes + text.length - 15, "999,abcdefghij;");
	text_addf(&text, "%s", "");
	text_release(&text);
	text_addf(&text, "%300s|", "x");
	assert_int_equal(text.length, 301);
	text_release(&text);
}

static void test_detach(void **state)
{
	struct text text = TEXT_EMPTY;
	char *bytes = text_detach(&text);

	(void)state;
	assert_string_equal(bytes, "");
	free(bytes);
	text_add(&text, "kept");
	bytes = text_detach(&text);
	assert_string_equal(bytes, "kept");
	assert_null(text.bytes);
	assert_int_equal(text.length, 0);
	free(bytes);
}

static void test_starts_with(void **state)
{
	(void)state;
	assert_true(text_starts_with("abc", "ab"));
	assert_true(text_starts_with("abc", ""));
	assert_true(text_starts_with("abc", "abc"));
	assert_false(text_starts_with("ab", "abc"));
	assert_false(text_starts_with("", "a"));
}

static void expect_printable(const char *string, const char *right)
{
	char *printable = text_printable(string);

	assert_string_equal(printable, right);
	free(printable);
}

static void test_printable(void **state)
{
	(void)state;
	expect_printable("", "");
	expect_printable("plain 'text' \\ \"", "plain 'text' \\ \"");
	expect_printable("a\nb\tc\rd", "a\\nb\\tc\\x0Dd");
	expect_printable("\033[31mred\007\001\177", "\\x1B[31mred\\x07\\x01\\x7F");
	/* valid UTF-8: two, three, four bytes, combining */
	expect_printable(
		"\303\251 \342\202\254 \360\237\222\276 e\314\201", "\303\251 \342\202\254 \360\237\222\276 e\314\201");
	/* C1: a terminal may take U+009B for ESC [ */
	expect_printable("\302\233x\302\200\302\237", "\\xC2\\x9Bx\\xC2\\x80\\xC2\\x9F");
	expect_printable("\302\240", "\302\240");
	/* marks that turn the text around them: U+202E, U+2066, U+200F; separators U+2028; U+FEFF */
	expect_printable("a\342\200\256b", "a\\xE2\\x80\\xAEb");
	expect_printable("\342\201\246\342\201\251", "\\xE2\\x81\\xA6\\xE2\\x81\\xA9");
	expect_printable("\342\200\216\342\200\217", "\\xE2\\x80\\x8E\\xE2\\x80\\x8F");
	expect_printable("\342\200\250\342\200\251\357\273\277", "\\xE2\\x80\\xA8\\xE2\\x80\\xA9\\xEF\\xBB\\xBF");
	expect_printable("\330\234", "\\xD8\\x9C"); /* U+061C */
	/* not UTF-8: alone, cut off, overlong, surrogate, too large */
	expect_printable("\200", "\\x80");
	expect_printable("\377\376", "\\xFF\\xFE");
	expect_printable("\303", "\\xC3");
	expect_printable("\303a", "\\xC3a");
	expect_printable("\342\202", "\\xE2\\x82");
	expect_printable("\360\237\222", "\\xF0\\x9F\\x92");
	expect_printable("\300\257", "\\xC0\\xAF");
	expect_printable("\301\277", "\\xC1\\xBF");
	expect_printable("\340\200\257", "\\xE0\\x80\\xAF");
	expect_printable("\360\200\200\257", "\\xF0\\x80\\x80\\xAF");
	expect_printable("\355\240\200", "\\xED\\xA0\\x80");
	expect_printable("\364\220\200\200", "\\xF4\\x90\\x80\\x80");
	expect_printable("\365\200\200\200", "\\xF5\\x80\\x80\\x80");
	expect_printable("\364\217\277\275", "\364\217\277\275");
}

/* Any bytes at all come out without a control character. */
static void test_printable_is_safe(void **state)
{
	(void)state;
	srand(2);
	for (int round = 0; round < 3000; round++) {
		char bytes[40];
		size_t length = (size_t)rand() % (sizeof(bytes) - 1);

		for (size_t i = 0; i < length; i++) {
			bytes[i] = (char)(rand() % 255 + 1);
		}
		bytes[length] = '\0';
		char *printable = text_printable(bytes), *again = text_printable(printable);
		assert_string_equal(printable, again);
		for (const char *at = printable; *at; at++) {
			assert_true((unsigned char)*at >= ' ' && *at != 0x7F);
		}
		free(printable);
		free(again);
	}
}

static void test_columns(void **state)
{
	(void)state;
	assert_int_equal(text_columns(""), 0);
	assert_int_equal(text_columns("abc def"), 7);
	assert_int_equal(text_columns("\303\251\342\202\254"), 2);
	assert_int_equal(text_columns("\346\270\254\350\251\246"), 4);
	assert_int_equal(text_columns("e\314\201"), 1);
	assert_int_equal(text_columns("\377\376"), 2);
	assert_int_equal(text_columns("\303"), 1);
}

static void test_distance(void **state)
{
	static const struct {
		const char *a, *b;
		size_t distance;
	} known[] = {{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3}, {"saturday", "sunday", 3},
		{"flaw", "lawn", 2}, {"--runtmie", "--runtime", 2}, {"--size", "--slog", 3}, {"a", "b", 1}, {"ab", "ba", 2},
		{"intention", "execution", 5}};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		assert_int_equal(text_distance(known[i].a, known[i].b), known[i].distance);
		assert_int_equal(text_distance(known[i].b, known[i].a), known[i].distance);
	}
}

static void test_failure(void **state)
{
	struct failure failure = FAILURE_NONE;

	(void)state;
	assert_null(failure.sentence);
	assert_int_equal(failure.status, STATUS_OK);
	assert_false(failure_set(&failure, STATUS_TARGET, "cannot open '%s': %d", "x", 5));
	assert_int_equal(failure.status, STATUS_TARGET);
	assert_string_equal(failure.sentence, "cannot open 'x': 5");
	/* The old sentence may be a part of the new one. */
	assert_false(failure_set(&failure, STATUS_FIO, "again: %s", failure.sentence));
	assert_string_equal(failure.sentence, "again: cannot open 'x': 5");
	assert_int_equal(failure.status, STATUS_FIO);
	failure_clear(&failure);
	assert_null(failure.sentence);
	assert_int_equal(failure.status, STATUS_OK);
	failure_clear(&failure);
}

static void test_memory(void **state)
{
	char *a = xstrdup("abc"), *b = xstrndup("abcdef", 3), *c = xstrndup("ab", 10), *d = xasprintf("%d-%s", 5, "x");
	unsigned char *zeros = xcalloc(10, 3);
	void *nothing = xmalloc(0), *none = xcalloc(0, 0);

	(void)state;
	assert_string_equal(a, "abc");
	assert_string_equal(b, "abc");
	assert_string_equal(c, "ab");
	assert_string_equal(d, "5-x");
	assert_null(xstrdup(NULL));
	for (size_t i = 0; i < 30; i++) {
		assert_int_equal(zeros[i], 0);
	}
	a = xrealloc(a, 4000);
	assert_string_equal(a, "abc");
	nothing = xrealloc(nothing, 0);
	assert_non_null(nothing);
	assert_non_null(none);
	free(a);
	free(b);
	free(c);
	free(d);
	free(zeros);
	free(nothing);
	free(none);
}

static void expect_wrapped(const char *string, size_t width, size_t indent, const char *expected)
{
	char *wrapped = text_wrap(string, width, indent);

	assert_string_equal(wrapped, expected);
	free(wrapped);
}

static void test_wrap(void **state)
{
	(void)state;
	expect_wrapped("", 10, 2, "");
	expect_wrapped("short", 10, 2, "short");
	expect_wrapped("* one two three", 9, 2, "* one two\n  three");
	expect_wrapped("  one two three", 10, 2, "  one two\n  three");
	expect_wrapped("a toolongforaline b", 8, 2, "a\n  toolongforaline\n  b");
	expect_wrapped("äöü äöü äöü", 7, 0, "äöü äöü\näöü");
	expect_wrapped("a b", 0, 5, "a\n     b");
	expect_wrapped("end ", 3, 2, "end");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_detach),
		cmocka_unit_test(test_starts_with),
		cmocka_unit_test(test_printable),
		cmocka_unit_test(test_printable_is_safe),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_failure),
		cmocka_unit_test(test_memory),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
