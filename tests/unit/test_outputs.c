#include "errand.h"

#include "records.h"
#include "render/outputs.h"
#include "render/render.h"
#include "settings/options.h"
#include "support/text_stream.h"

static const char *const every_format[] = {"a.json", "b.csv", "c.MD", "d.html", "e.txt"};
enum { FORMATS = sizeof(every_format) / sizeof(every_format[0]) };

static void test_formats(void **state)
{
	const struct option_entry *option = option_by_id(OPTION_FORMAT);
	size_t words = 0;

	(void)state;
	assert_string_equal(renderers[0].extension, ".txt");
	for (size_t i = 0; i < renderer_count; i++) {
		char *path = xasprintf("a.b/c d%s", renderers[i].extension);
		assert_ptr_equal(renderer_by_path(path), &renderers[i]);
		assert_ptr_equal(renderer_by_name(renderers[i].name), &renderers[i]);
		assert_non_null(strstr(option_by_id(OPTION_OUTPUT)->accepts, renderers[i].extension));
		assert_non_null(strstr(option_by_id(OPTION_OUTPUT)->help, renderers[i].extension));
		free(path);
		/* The command line knows those for standard output, in the same order. */
		if (renderers[i].is_for_stdout) {
			assert_string_equal(option->words[words++], renderers[i].name);
		}
	}
	assert_null(option->words[words]);
	assert_string_equal(renderer_by_path("x.Json")->name, "json");
	assert_string_equal(renderer_by_path("x.csv.HTML")->name, "html");
	assert_null(renderer_by_path("x.json.gz"));
	assert_null(renderer_by_path("x.json/y"));
	assert_null(renderer_by_path("json"));
	assert_null(renderer_by_path("x."));
	assert_null(renderer_by_path(""));
	assert_null(renderer_by_name("txt"));
	assert_null(renderer_by_name(""));
}

static void open_all(struct outputs *outputs, const char *const *paths, size_t count)
{
	struct failure failure = FAILURE_NONE;

	if (!outputs_open(outputs, paths, count, NULL, 0, &failure)) {
		dprintf(STDERR_FILENO, "%s\n", failure.sentence);
		_exit(98);
	}
	demand(outputs->count == count && !failure.sentence);
}

/* Whether a file holds what its format makes of the document, and no part of it. */
static bool holds(const char *path, const struct document *document)
{
	static const struct render_style plain = {0};
	struct text expected = TEXT_EMPTY;
	struct text content = TEXT_EMPTY;
	struct text_stream stream;
	struct stat status;

	renderer_by_path(path)->render(text_stream_open(&stream, &expected), document, &plain);
	text_stream_close(&stream);
	demand(stat(path, &status) == 0);
	scratch_read(&content, path);
	bool same = strcmp(text_string(&content), text_string(&expected)) == 0 && expected.length == content.length;
	text_release(&content);
	text_release(&expected);
	return same;
}

static void write_them(void)
{
	struct record record;
	struct document document = {.record = &record};
	struct outputs outputs;
	struct failure failure = FAILURE_NONE;

	record_sample(&record, "cdm", 2, 1e9, 0.01, 1);
	record.state = RECORD_RUNNING;
	open_all(&outputs, every_format, FORMATS);
	demand(count_entries() == 0);
	for (int round = 0; round < 2; round++) {
		demand(
			round == 0 ? outputs_begin(&outputs, &document, &failure) : outputs_write(&outputs, &document, &failure));
		demand(!failure.sentence && count_entries() == FORMATS);
		for (size_t i = 0; i < FORMATS; i++) {
			demand(holds(every_format[i], &document));
		}
		record.state = RECORD_COMPLETE;
	}
	outputs_discard(&outputs);
	demand(count_entries() == 0);
	outputs_release(&outputs);
	outputs_release(&outputs);
	record_release(&record);
}

static void test_written(void **state)
{
	(void)state;
	run_as_both(write_them);
}

/* A record without a single run, as it is before the first has finished, is a document in every format, too. */
static void write_nothing_measured(void)
{
	struct record record;
	struct document document = {.record = &record};
	struct outputs outputs;
	struct failure failure = FAILURE_NONE;
	const char *const *profile_keys = (const char *const[]){"cdm", "slog", "dd", NULL};

	for (size_t i = 0; profile_keys[i]; i++) {
		record_sample(&record, profile_keys[i], 0, 1e9, 0, 1);
		record.state = RECORD_RUNNING;
		open_all(&outputs, every_format, FORMATS);
		demand(outputs_begin(&outputs, &document, &failure));
		for (size_t format = 0; format < FORMATS; format++) {
			struct stat status;
			demand(stat(every_format[format], &status) == 0 && status.st_size > 0);
		}
		outputs_discard(&outputs);
		demand(count_entries() == 0);
		outputs_release(&outputs);
		record_release(&record);
	}
}

static void test_nothing_measured(void **state)
{
	(void)state;
	run_as(geteuid(), write_nothing_measured);
}

static void keep_what_was_there(void)
{
	static const char *const paths[] = {"old.json", "new.json"};
	struct record record;
	struct document document = {.record = &record};
	struct outputs outputs;
	struct failure failure = FAILURE_NONE;
	struct stat status;

	record_sample(&record, "dd", 1, 1e9, 0, 1);
	put_file("old.json", "old");
	open_all(&outputs, paths, 2);
	demand(outputs_begin(&outputs, &document, &failure));
	demand(stat("old.json", &status) == 0 && status.st_size == 3 && holds("new.json", &document));
	outputs_discard(&outputs);
	demand(count_entries() == 1 && stat("old.json", &status) == 0 && status.st_size == 3);

	demand(outputs_write(&outputs, &document, &failure));
	demand(holds("old.json", &document) && holds("new.json", &document));
	outputs_discard(&outputs);
	demand(count_entries() == 1 && holds("old.json", &document));
	outputs_release(&outputs);
	record_release(&record);
}

static void test_kept(void **state)
{
	(void)state;
	run_as_both(keep_what_was_there);
}

/* Each is tried, and the first sentence counts. */
static void write_what_is_possible(void)
{
	static const char *const paths[] = {"1.json", "2.json", "3.json", "4.json"};
	struct record record;
	struct document document = {.record = &record};
	struct outputs outputs;
	struct failure failure = FAILURE_NONE;

	record_sample(&record, "dd", 1, 1e9, 0, 1);
	open_all(&outputs, paths, 4);
	put_folder("2.json", 0700);
	put_folder("4.json", 0700);
	demand(!outputs_begin(&outputs, &document, &failure));
	demand(holds("1.json", &document) && failure.status == STATUS_FAILED);
	failure_clear(&failure);
	demand(!outputs_write(&outputs, &document, &failure));
	demand(failure.status == STATUS_FAILED && text_starts_with(failure.sentence, "cannot write '2.json': "));
	demand(holds("1.json", &document) && holds("3.json", &document) && count_entries() == 4);
	failure_clear(&failure);
	demand(rmdir("2.json") == 0 && rmdir("4.json") == 0);
	demand(outputs_write(&outputs, &document, &failure) && holds("4.json", &document));
	outputs_release(&outputs);
	record_release(&record);
}

static void test_some_possible(void **state)
{
	(void)state;
	run_as_both(write_what_is_possible);
}

static void refuse(
	const char *const *paths, size_t count, const char *const *inputs, size_t input_count, const char *sentence)
{
	struct outputs outputs;
	struct failure failure = FAILURE_NONE;

	demand(!outputs_open(&outputs, paths, count, inputs, input_count, &failure));
	demand(failure.status == STATUS_USAGE);
	if (strcmp(failure.sentence, sentence) != 0) {
		dprintf(STDERR_FILENO, "'%s'\nis not '%s'\n", failure.sentence, sentence);
		_exit(97);
	}
	failure_clear(&failure);
	outputs_discard(&outputs);
	outputs_release(&outputs);
}

#define PATHS(...) ((const char *const[]){__VA_ARGS__}), sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)

static void refuse_them(void)
{
	struct outputs outputs;
	struct failure failure = FAILURE_NONE;
	const char *const missing = "missing.json";

	put_file("in.json", "{}");
	put_folder("folder", 0700);
	demand(symlink("in.json", "link.json") == 0 && symlink("a.json", "dangling.csv") == 0);
	refuse(PATHS("a.json", "a.xml"), NULL, 0,
		"cannot tell the format of 'a.xml' from its name; let it end in .txt, .json, .csv, .md or .html");
	refuse(PATHS("a\033"), NULL, 0,
		"cannot tell the format of 'a\\x1B' from its name; let it end in .txt, .json, .csv, .md or .html");
	refuse(PATHS("b.csv", "a.json", "c.md", "folder/../a.json"), NULL, 0,
		"cannot write two results to one file: 'a.json' and 'folder/../a.json' are the same");
	refuse(PATHS("a.json", "dangling.csv"), NULL, 0,
		"cannot write two results to one file: 'a.json' and 'dangling.csv' are the same");
	refuse(PATHS("in.json"), PATHS("other.json", "./in.json"),
		"cannot write 'in.json': it is read for --compare; give the new result another name");
	refuse(PATHS("link.json"), PATHS("in.json"),
		"cannot write 'link.json': it is read for --compare; give the new result another name");
	refuse(
		PATHS("a.json", "no/a.json"), NULL, 0, "cannot write 'no/a.json': its folder does not exist; create it first");
	demand(count_entries() == 4);
	/* One that is not there cannot be read, which is for others to say. */
	demand(outputs_open(&outputs, &missing, 1, &missing, 1, &failure));
	outputs_release(&outputs);
	demand(outputs_open(&outputs, NULL, 0, NULL, 0, &failure) && outputs.count == 0);
	outputs_discard(&outputs);
	outputs_release(&outputs);
}

static void test_refused(void **state)
{
	(void)state;
	run_as_both(refuse_them);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_written),
		cmocka_unit_test(test_nothing_measured),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_some_possible),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
