#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "settings/help.h"
#include "settings/manual_lines.h"
#include "settings/options.h"
#include "support/memory.h"

/* What a function prints; the caller frees it. */
static char *printed(void (*print)(FILE *out))
{
	char *bytes = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&bytes, &length);

	assert_non_null(out);
	print(out);
	assert_int_equal(fclose(out), 0);
	return bytes;
}

static char *printed_completion(const char *shell)
{
	char *bytes = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&bytes, &length);

	assert_non_null(out);
	help_print_completion(out, shell);
	assert_int_equal(fclose(out), 0);
	return bytes;
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *bytes = xcalloc(1, 262144);

	if (!file)
		fail_msg("cannot read %s: the tests run from the root of the tree", path);
	assert_true(fread(bytes, 1, 262143, file) < 262143);
	fclose(file);
	return bytes;
}

static size_t count_lines(const char *text, size_t *widest)
{
	size_t lines = 0;

	*widest = 0;
	while (*text != '\0') {
		size_t length = strcspn(text, "\n");
		if (length > *widest)
			*widest = length;
		text += length + (text[length] == '\n');
		lines++;
	}
	return lines;
}

/* Whether `name` stands in `text` as "--name" and not as the beginning of a longer one. */
static bool mentions(const char *text, const char *name)
{
	char *option = xasprintf("--%s", name);
	size_t length = strlen(option);
	bool found = false;

	for (const char *at = strstr(text, option); at && !found; at = strstr(at + 1, option))
		found = !isalnum((unsigned char)at[length]) && at[length] != '-';
	free(option);
	return found;
}

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < options_count; i++) {
		const struct option_entry *option = &options[i];
		assert_ptr_equal(option_by_name(option->name, strlen(option->name)), option);
		assert_ptr_equal(option_by_id(option->id), option);
		if (option->short_name != 0)
			assert_ptr_equal(option_by_short_name(option->short_name), option);
		assert_int_equal(option->argument == OPTION_ARGUMENT_NONE, option->argument_name == NULL);
		assert_int_equal(option->argument == OPTION_ARGUMENT_NONE, option->accepts == NULL);
		assert_int_equal(option->argument == OPTION_ARGUMENT_WORD, option->words != NULL);
		assert_true(option->section < OPTION_SECTION_COUNT);
		assert_true(i == 0 || option->section >= option[-1].section);
		assert_false(option->repeatable && option->argument == OPTION_ARGUMENT_NONE);
		for (size_t word = 0; option->words && option->words[word]; word++) {
			assert_non_null(strstr(option->help, option->words[word]));
			assert_non_null(strstr(option->accepts, option->words[word]));
		}
	}
	assert_null(option_by_name("fio", 2));
	assert_null(option_by_name("fiox", 4));
	assert_null(option_by_short_name(0));
}

static void test_help(void **state)
{
	char *help = printed(help_print);
	size_t widest = 0;

	(void)state;
	count_lines(help, &widest);
	assert_true(widest <= 80);
	assert_int_equal(strncmp(help, "Usage: speedtest-hd PATH", 24), 0);
	static const char *const headings[] = {"\nExamples:\n", "\nTests:\n", "\nRepeats:\n", "\nOutput:\n",
		"\nComparison:\n", "\nOther:\n", "\nExit status:\n"};
	const char *at = help;
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++) {
		at = strstr(at, headings[i]);
		assert_non_null(at);
		assert_null(strstr(++at, headings[i]));
	}
	for (size_t i = 0; i < options_count; i++)
		assert_int_equal(mentions(help, options[i].name), options[i].help != NULL);
	assert_null(strchr(help, '\t'));
	assert_null(strstr(help, " \n"));
	free(help);
}

static void test_short_help(void **state)
{
	char *help = printed(help_print_short);
	size_t widest = 0;

	(void)state;
	assert_true(count_lines(help, &widest) <= 5);
	assert_true(widest <= 80);
	assert_non_null(strstr(help, "speedtest-hd --help"));
	free(help);
}

static void test_version(void **state)
{
	char *version = printed(help_print_version);

	(void)state;
	assert_int_equal(strncmp(version, "speedtest-hd ", 13), 0);
	assert_non_null(strstr(version, "\nLicense MIT; free software, no warranty\n"));
	free(version);
}

static void test_completions(void **state)
{
	static const char *const shells[] = {"bash", "zsh", "fish"};

	(void)state;
	for (size_t shell = 0; shell < 3; shell++) {
		char *script = printed_completion(shells[shell]);
		for (size_t i = 0; i < options_count; i++) {
			char *fish = xasprintf(" -l %s ", options[i].name);
			bool there = shell == 2 ? strstr(script, fish) != NULL : mentions(script, options[i].name);
			assert_int_equal(there, options[i].help != NULL);
			free(fish);
		}
		free(script);
	}
}

static void test_completions_of_files(void **state)
{
	char *bash = printed_completion("bash");
	char *zsh = printed_completion("zsh");
	char *fish = printed_completion("fish");

	(void)state;
	assert_non_null(strstr(bash, "\t-o | --output) files=yes ;;\n"));
	assert_non_null(strstr(bash, "\t--load) files=yes ;;\n"));
	assert_non_null(strstr(zsh, "\t\t\\*{-o+,--output=}'["));
	assert_non_null(strstr(zsh, ":FILE:_files' \\\n"));
	assert_non_null(strstr(fish, " -s o -l output -r -F -d '"));
	assert_non_null(strstr(fish, " -l load -r -F -d '"));
	free(fish);
	free(zsh);
	free(bash);
}

/* Every visible option has its entry under OPTIONS, and nothing else has one. */
static void test_manual_has_every_option(void **state)
{
	char *manual = read_file("man/speedtest-hd.1");
	size_t entries = 0;
	size_t visible = 0;

	(void)state;
	for (const char *at = strstr(manual, ".It Fl "); at; at = strstr(at + 1, ".It Fl "))
		entries++;
	for (size_t i = 0; i < options_count; i++) {
		const struct option_entry *option = &options[i];
		if (!option->help)
			continue;
		const char *end = option->argument_name ? " Ar " : "\n";
		char *entry = option->short_name != 0
						  ? xasprintf("\n.It Fl %c , Fl Fl %s%s", option->short_name, option->name, end)
						  : xasprintf("\n.It Fl Fl %s%s", option->name, end);
		if (!strstr(manual, entry))
			fail_msg("man/speedtest-hd.1 lacks --%s", option->name);
		free(entry);
		visible++;
	}
	assert_int_equal(entries, visible);
	free(manual);
}

static void test_manual_in_the_binary(void **state)
{
	char *built_in = printed(help_print_manual);
	char *file = read_file("man/speedtest-hd.txt");

	(void)state;
	assert_string_equal(built_in, file);
	for (size_t i = 0; i < options_count; i++)
		if (options[i].help && !mentions(file, options[i].name))
			fail_msg("man/speedtest-hd.txt is old, it lacks --%s", options[i].name);
	free(file);
	free(built_in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_short_help),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_completions),
		cmocka_unit_test(test_completions_of_files),
		cmocka_unit_test(test_manual_has_every_option),
		cmocka_unit_test(test_manual_in_the_binary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
