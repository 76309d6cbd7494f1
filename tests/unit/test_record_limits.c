/* Saved files at their limits: texts that are hostile or too long, numbers next to nothing, very many tests. */
#include "saved.h"

/* Text that means something to terminals, browsers, shells, or JSON itself. */
#define HOSTILE "\033[31m<script>alert(\"1\")</script>\xC2\x9B\xE2\x80\xAE\xFF\\ \t\n'`$(id)`"

static void test_hostile_strings(void **state)
{
	struct record record, loaded;

	(void)state;
	make_full(&record);
	sample_set(&record.label, HOSTILE);
	sample_set(&record.target.path, HOSTILE);
	sample_set(&record.notes[0], HOSTILE);
	sample_set(&record.tests[0].name, HOSTILE);
	sample_set(&record.tests[0].runs[0].evidence.device_share_unknown, HOSTILE);
	sample_set(&record.tests[0].runs[0].evidence.idle_states[0].name, HOSTILE);
	sample_set(&record.findings[0].sentence, HOSTILE);
	sample_set(&record.checked, HOSTILE);
	sample_set(&record.tests[0].stage, HOSTILE);
	sample_set(&record.passages[0].heading, HOSTILE);
	record_passage_say(&record.passages[0], "%s", HOSTILE);
	record_passage_command(&record.passages[0], "%s", HOSTILE);
	expect_same(&record, &loaded);
	const struct record_evidence *evidence = &loaded.tests[0].runs[0].evidence;
	const char *const strings[] = {evidence->device_share_unknown, evidence->idle_states[0].name, loaded.label,
		loaded.target.path, loaded.notes[0], loaded.tests[0].name, loaded.findings[0].sentence, loaded.checked,
		loaded.tests[0].stage, loaded.passages[0].heading, loaded.passages[0].lines[2].text,
		loaded.passages[0].lines[3].text, record.passages[0].lines[3].text};
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		char *printable = text_printable(strings[i]);

		assert_string_equal(strings[i], printable);
		assert_null(strchr(strings[i], '\033'));
		assert_non_null(strstr(strings[i], "<script>")); /* left to those who write HTML */
		free(printable);
	}
	record_release(&record);
	record_release(&loaded);
}

/* A text of so many bytes. The caller frees it. */
static char *long_text(size_t length)
{
	char *text = xmalloc(length + 1);

	memset(text, 'x', length);
	text[length] = '\0';
	return text;
}

/* Set a text of a record to one of so many bytes, and see what comes of the file. */
static void expect_limit(struct record *record, char **string, const char *key, size_t most)
{
	const size_t lengths[] = {most, most + 1};

	for (size_t i = 0; i < 2; i++) {
		char *kept = *string, *text, *damaged, *mark, *filled, *member;

		*string = xstrdup("MARK");
		text = record_to_json(record);
		free(*string);
		*string = kept;
		filled = long_text(lengths[i]);
		mark = xasprintf("\"%s\":\t\"MARK\"", key);
		member = xasprintf("\"%s\":\t\"%s\"", key, filled);
		damaged = changed(text, mark, member);
		if (i == 0) {
			struct record loaded;

			load(&loaded, damaged);
			char *again = record_to_json(&loaded);
			assert_string_equal(again, damaged);
			free(again);
			record_release(&loaded);
		} else {
			char *sentence = xasprintf("%s: a text of at most %zu bytes is needed", key, most);

			expect_refused(damaged, strlen(damaged), sentence);
			free(sentence);
		}
		free(text);
		free(damaged);
		free(mark);
		free(filled);
		free(member);
	}
}

/* No text of a file is longer than the program's own. */
static void test_texts_too_long(void **state)
{
	struct record record;

	(void)state;
	make_full(&record);
	expect_limit(&record, &record.label, "label", 800);
	expect_limit(&record, &record.host, "host", 800);
	expect_limit(&record, &record.program_version, "program_version", 800);
	expect_limit(&record, &record.settings.tool, "tool", 800);
	expect_limit(&record, &record.settings.command, "command", 65536);
	expect_limit(&record, &record.target.path, "path", 65536);
	expect_limit(&record, &record.target.source, "source", 65536);
	expect_limit(&record, &record.direct.text, "text", 65536);
	expect_limit(&record, &record.facts[0].key, "key", 800);
	expect_limit(&record, &record.facts[0].label, "label", 800);
	expect_limit(&record, &record.facts[0].value, "value", 65536);
	expect_limit(&record, &record.tests[0].name, "name", 800);
	expect_limit(&record, &record.tests[4].runs[1].reason, "reason", 65536);
	expect_limit(&record, &record.findings[0].id, "id", 800);
	expect_limit(&record, &record.findings[0].sentence, "sentence", 65536);
	expect_limit(&record, &record.checked, "checked", 65536);
	expect_limit(&record, &record.tests[0].stage, "stage", 800);
	expect_limit(&record, &record.split_unknown, "split_unknown", 65536);
	expect_limit(&record, &record.tests[0].runs[0].evidence.device_share_unknown, "device_share_unknown", 65536);
	expect_limit(&record, &record.tests[0].runs[0].evidence.idle_states[1].name, "name", 800);
	expect_limit(&record, &record.passages[0].id, "id", 800);
	expect_limit(&record, &record.passages[0].heading, "heading", 800);
	expect_limit(&record, &record.passages[0].lines[1].text, "text", 65536);
	record_release(&record);
}

/* What counts is how long it is once it can be printed; what a file has no room for is cut when it is written. */
static void test_texts_that_grow(void **state)
{
	struct record record, loaded;
	char *text, *damaged, *filled = long_text(70000);

	(void)state;
	make_full(&record);
	sample_set(&record.notes[0], "MARK");
	text = record_to_json(&record);
	memset(filled, 0x7F, 70000);
	filled[16384] = '\0'; /* each byte becomes four */
	damaged = changed(text, "MARK", filled);
	load(&loaded, damaged);
	assert_int_equal(strlen(loaded.notes[0]), 65536);
	record_release(&loaded);
	free(damaged);
	filled[16384] = 0x7F;
	filled[16385] = '\0';
	damaged = changed(text, "MARK", filled);
	expect_refused(damaged, strlen(damaged), "notes[0]: a text of at most 65536 bytes is needed");
	free(damaged);
	free(text);

	for (size_t i = 0; i + 2 < 70000; i += 3) {
		memcpy(filled + i, "\xE2\x98\x83", 3); /* a cut must not fall into a character */
	}
	filled[69999] = '\0';
	char **const strings[] = {&record.label, &record.settings.command, &record.notes[0], &record.tests[0].name,
		&record.tests[4].runs[1].reason, &record.checked, &record.facts[0].value};
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		sample_set(strings[i], filled);
	}
	expect_same(&record, &loaded);
	assert_int_equal(strlen(loaded.label), 798);
	assert_string_equal(loaded.label + 795, "...");
	assert_int_equal(strlen(loaded.checked), 65535);
	assert_null(strstr(loaded.checked, "\\x"));
	record_release(&record);
	record_release(&loaded);
	free(filled);
}

/* Numbers that no machine measures would make a scale of hundreds of decades. */
static void test_numbers_next_to_nothing(void **state)
{
	static const double tiny[] = {5e-324, 1e-300, 0.00099};
	struct record record, loaded;

	(void)state;
	for (size_t i = 0; i < sizeof(tiny) / sizeof(tiny[0]); i++) {
		make_full(&record);
		record.tests[0].runs[0].figures[QUANTITY_BANDWIDTH] = 424242;
		record.tests[0].runs[0].figures[QUANTITY_P99] = 0.001;
		record.tests[0].runs[0].series.bandwidth_bytes_per_s[0] = tiny[i];
		record.tests[0].runs[0].series.time_s[0] = i == 2 ? 1e-7 : tiny[i];
		char *text = record_to_json(&record), *number = xasprintf("%.17g", tiny[i]);
		char *damaged = changed(text, "424242", number);
		load(&loaded, damaged);
		const struct record_run *run = &loaded.tests[0].runs[0];
		assert_true(run->figures[QUANTITY_BANDWIDTH] == 0);
		assert_true(run->figures[QUANTITY_P99] == 0.001);
		assert_true(run->series.bandwidth_bytes_per_s[0] == 0);
		assert_true(run->series.time_s[0] == 0);
		free(text);
		free(number);
		free(damaged);
		record_release(&record);
		record_release(&loaded);
	}
}

/* As many tests as a long tuning session has, in one file. */
static void test_many(void **state)
{
	struct record record, loaded;
	size_t tests = getenv("SPEEDTEST_HD_SLOW") ? 100 : 10000;

	(void)state;
	record_sample(&record, "dd", 0, 1e9, 0, 1);
	while (record.test_count < tests) {
		struct record_test *test = sample_add_test(&record, "RND4K Q1T1", &profile_cdm.workloads[3], TRANSFER_READ);

		sample_add_run(test, &profile_cdm, 1, 1e6 + (double)record.test_count / 7);
	}
	char *text = record_to_json(&record);
	load(&loaded, text);
	assert_int_equal(loaded.test_count, tests);
	char *again = record_to_json(&loaded);
	assert_string_equal(text, again);
	free(text);
	free(again);
	record_release(&record);
	record_release(&loaded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hostile_strings),
		cmocka_unit_test(test_texts_too_long),
		cmocka_unit_test(test_texts_that_grow),
		cmocka_unit_test(test_numbers_next_to_nothing),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
