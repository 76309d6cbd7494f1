#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../src/render/escape.h"
#include "../../src/render/words.h"

typedef void escape_function(FILE *out, const char *string);

static void assert_escapes(escape_function *escape, const char *string, const char *expected)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	assert_non_null(out);
	escape(out, string);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(bytes, expected);
	free(bytes);
}

static void markdown_means_nothing(void **state)
{
	(void)state;
	assert_escapes(escape_markdown, "plain text, 3.14 (it is)", "plain text, 3.14 (it is)");
	assert_escapes(escape_markdown, "*a* _b_ `c` ~~d~~", "\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~");
	assert_escapes(escape_markdown, "<b>&amp;</b>", "\\<b\\>\\&amp;\\</b\\>");
	assert_escapes(escape_markdown, "![x](y) | a", "!\\[x\\](y) \\| a");
	assert_escapes(escape_markdown, "a\\", "a\\\\");
	assert_escapes(escape_markdown, "# no heading", "\\# no heading");
	assert_escapes(escape_markdown, "- no item - here", "\\- no item - here");
	assert_escapes(escape_markdown, "1. no item 2. here", "1\\. no item 2. here");
	assert_escapes(escape_markdown, "12) no item", "12\\) no item");
	assert_escapes(escape_markdown, "3.33 is no item", "3.33 is no item");
	assert_escapes(escape_markdown, "http://a.b www.c.d", "http:\\//a.b www\\.c.d");
	assert_escapes(escape_markdown, "one\nline", "one line");
	assert_escapes(escape_markdown, "", "");
}

static void markdown_cells_are_not_padded(void **state)
{
	(void)state;
	assert_escapes(escape_markdown_cell, "SEQ1M  Q8T1", "SEQ1M Q8T1");
	assert_escapes(escape_markdown_cell, "  912.30    (+1.0 %) ", "912.30 (+1.0 %)");
	assert_escapes(escape_markdown_cell, "a|b", "a\\|b");
	assert_escapes(escape_markdown_cell, "[12.3]", "\\[12.3\\]");
	assert_escapes(escape_markdown_cell, "-", "-");
	assert_escapes(escape_markdown_cell, "-3.0 %", "-3.0 %");
}

static void escape_sh(FILE *out, const char *code)
{
	escape_markdown_code(out, "sh", code);
}

static void a_fence_is_longer_than_what_it_holds(void **state)
{
	(void)state;
	assert_escapes(escape_sh, "speedtest-hd /mnt", "```sh\nspeedtest-hd /mnt\n```\n");
	assert_escapes(escape_sh, "a ``b`` c", "```sh\na ``b`` c\n```\n");
	assert_escapes(escape_sh, "``` and ````", "`````sh\n``` and ````\n`````\n");
}

static void csv_is_quoted_where_needed(void **state)
{
	(void)state;
	assert_escapes(escape_csv, NULL, "");
	assert_escapes(escape_csv, "", "");
	assert_escapes(escape_csv, "plain text", "plain text");
	assert_escapes(escape_csv, "a,b", "\"a,b\"");
	assert_escapes(escape_csv, "a \"b\"", "\"a \"\"b\"\"\"");
	assert_escapes(escape_csv, "two\nlines", "\"two\nlines\"");
	assert_escapes(escape_csv, " blank before", "\" blank before\"");
}

static void csv_holds_no_formula(void **state)
{
	(void)state;
	assert_escapes(escape_csv, "=1+1", "'=1+1");
	assert_escapes(escape_csv, "+1", "'+1");
	assert_escapes(escape_csv, "-1", "'-1");
	assert_escapes(escape_csv, "@SUM(A1)", "'@SUM(A1)");
	assert_escapes(escape_csv, "=a,\"b\"", "\"'=a,\"\"b\"\"\"");
	assert_escapes(escape_csv, "\tx", "\"'\tx\"");
	assert_escapes(escape_csv, "a=b", "a=b");
}

static void assert_cuts(const char *title, size_t columns, const char *expected)
{
	char *cut = words_cut(title, columns);

	assert_string_equal(cut, expected);
	free(cut);
}

static void long_titles_are_cut(void **state)
{
	(void)state;
	assert_cuts("short", 5, "short");
	assert_cuts("longer", 5, "lo...");
	assert_cuts("\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC", 5, "\xC3\xA4\xC3\xB6...");
	assert_cuts("", 5, "");
}

static void times_are_for_people(void **state)
{
	char *time = words_time("2026-11-30T17:21:06Z");
	char *other = words_time("yesterday");
	char *none = words_time(NULL);

	(void)state;
	assert_string_equal(time, "2026-11-30 17:21 UTC");
	assert_string_equal(other, "yesterday");
	assert_string_equal(none, "");
	free(time);
	free(other);
	free(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(markdown_means_nothing),
		cmocka_unit_test(markdown_cells_are_not_padded),
		cmocka_unit_test(a_fence_is_longer_than_what_it_holds),
		cmocka_unit_test(csv_is_quoted_where_needed),
		cmocka_unit_test(csv_holds_no_formula),
		cmocka_unit_test(long_titles_are_cut),
		cmocka_unit_test(times_are_for_people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
