/** Saved files: a record with everything in it, and what becomes of its document when that is loaded. */
#ifndef SAVED_H
#define SAVED_H

#include "scratch.h"

#include "records.h"

#include "record/figures.h"
#include "record/record_json.h"

/** A record with something in each of its members. */
static inline void make_full(struct record *record)
{
	record_sample(record, "cdm", 3, 1.5e9, 0.07, 42);
	record->settings.warmup = true;
	record->settings.ramp_s = 2;
	record->settings.interval_s = 1;
	record->label = xstrdup("CN-08R2");
	record->notes = xcalloc(2, sizeof(*record->notes));
	record->notes[record->note_count++] = xstrdup("a note");
	record->notes[record->note_count++] = xstrdup("snowman \xE2\x98\x83");
	sample_add_run(&record->tests[0], record->settings.profile, 0, 1e9);
	record->tests[0].runs[0].evidence.counters[STORAGE_LOG].known = true;
	record->tests[0].runs[0].evidence.network = (struct record_counters){.known = true, .read_bytes = 7};
	record_sample_finding(record, "served-from-ram", "*", "RND4K Q1T1 read came from RAM", 2, -1);
	record_sample_finding(record, "source-unknown", "?", "nobody knows", 3, 2);
	record_sample_fail(record, 4, 2, "it was cut short", "shortened");
	record_sample_fail(record, 5, 1, "no such thing", NULL);
	record->direct.is_warning = true;
	record->split_unknown = xstrdup("nobody counts");
	record->tests[0].runs[0].evidence.device_share_unknown = xstrdup("no counter");
	record->tests[0].runs[0].evidence.commits_are_skewed = true;
	record_sample_idle(&record->tests[0]);
	record->split_is_estimate = true;
	struct record_passage *passage = record_add_passage(record, "path", "Path of the writes");
	record_passage_say(passage, "It went that way.");
	record_passage_command(passage, "sudo reboot");
	record->comparison_json = xstrdup("{\"rows\":[1.5,{\"a\":null},true,false,[],\"x\\u001b\"]}");
	record->thresholds_json = xstrdup("[{\"threshold\":\"--fail-below 'T1 iops=1'\",\"value\":0.1}]");
}

/** A record of a document that must be taken. The caller calls record_release. */
static inline void load(struct record *record, const char *text)
{
	struct failure failure = FAILURE_NONE;

	if (!record_from_json(record, text, strlen(text), "a.json", &failure)) {
		print_error("%s\n", failure.sentence);
	}
	assert_null(failure.sentence);
}

/** Saves, loads, saves, and hands over what was loaded. */
static inline void expect_same(const struct record *record, struct record *loaded)
{
	char *first = record_to_json(record), *again = record_to_json(record);

	assert_string_equal(first, again);
	load(loaded, first);
	char *second = record_to_json(loaded);
	assert_string_equal(first, second);
	free(first);
	free(again);
	free(second);
}

/** A document with one piece of its text replaced; without `from`, the whole of it. The caller frees it. */
static inline char *changed(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);

	if (!at) {
		print_error("the document has no %s\n", from);
	}
	assert_non_null(at);
	return xasprintf("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/** That a document is refused with this as a part of the sentence, and that nothing is left behind. */
static inline void expect_refused(const char *bytes, size_t length, const char *sentence)
{
	struct failure failure = FAILURE_NONE;
	struct record record, empty = {0};

	assert_false(record_from_json(&record, bytes, length, "a.json", &failure));
	assert_int_equal(failure.status, STATUS_USAGE);
	assert_memory_equal(&record, &empty, sizeof(record));
	if (!strstr(failure.sentence, sentence)) {
		print_error("'%s' is not in: %s\n", sentence, failure.sentence);
	}
	assert_non_null(strstr(failure.sentence, sentence));
	assert_null(strchr(failure.sentence, '\033'));
	assert_non_null(strstr(failure.sentence, "'a.json' "));
	failure_clear(&failure);
}

#endif
