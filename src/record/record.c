#include "record/record.h"

#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "support/memory.h"
#include "support/text.h"

/* What a shell takes as it is wherever it stands in a word; everything else is quoted. */
#define PLAIN_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=@%+,-"

static const char *const state_names[RECORD_STATE_COUNT] = {
	[RECORD_RUNNING] = "running",
	[RECORD_COMPLETE] = "complete",
	[RECORD_INTERRUPTED] = "interrupted",
	[RECORD_FAILED] = "failed",
};

static void release_settings(struct record_settings *settings)
{
	free(settings->engine);
	free(settings->tool);
	free(settings->runs_as);
	free(settings->command);
}

static void release_target(struct record_target *target)
{
	free(target->path);
	free(target->file_system);
	free(target->source);
	free(target->mount_point);
	free(target->device);
	free(target->storage);
	for (int role = 0; role < STORAGE_ROLE_COUNT; role++) {
		free(target->devices[role]);
	}
}

static void release_direct(struct record_direct *direct)
{
	free(direct->state);
	free(direct->honoured_read);
	free(direct->honoured_write);
	free(direct->text);
}

static void release_facts(struct record *record)
{
	for (size_t i = 0; i < record->fact_count; i++) {
		free(record->facts[i].key);
		free(record->facts[i].subject);
		free(record->facts[i].label);
		free(record->facts[i].value);
	}
	free(record->facts);
}

static void release_evidence(struct record_evidence *evidence)
{
	for (size_t i = 0; i < evidence->idle_state_count; i++) {
		free(evidence->idle_states[i].name);
	}
	free(evidence->idle_states);
	free(evidence->device_share_unknown);
}

static void release_test(struct record_test *test)
{
	for (size_t i = 0; i < test->run_count; i++) {
		struct record_run *run = &test->runs[i];

		free(run->mark);
		free(run->reason);
		free(run->failure_id);
		free(run->began_at);
		release_evidence(&run->evidence);
		series_release(&run->series);
	}
	free(test->runs);
	free(test->name);
	free(test->stage);
}

static void release_findings(struct record *record)
{
	for (size_t i = 0; i < record->finding_count; i++) {
		free(record->findings[i].id);
		free(record->findings[i].mark);
		free(record->findings[i].sentence);
		free(record->findings[i].places);
	}
	free(record->findings);
}

void record_release(struct record *record)
{
	free(record->program_version);
	free(record->label);
	free(record->started_at);
	free(record->finished_at);
	free(record->failure);
	free(record->host);
	release_settings(&record->settings);
	release_target(&record->target);
	release_direct(&record->direct);
	free(record->pool.name);
	free(record->pool.log_devices);
	free(record->pool.summary);
	free(record->pool.dataset);
	release_facts(record);
	for (size_t i = 0; i < record->note_count; i++) {
		free(record->notes[i]);
	}
	free(record->notes);
	for (size_t i = 0; i < record->test_count; i++) {
		release_test(&record->tests[i]);
	}
	free(record->tests);
	release_findings(record);
	record_clear_passages(record);
	free(record->split_unknown);
	free(record->checked);
	free(record->comparison_json);
	free(record->thresholds_json);
	*record = (struct record){0};
}

double record_test_passes(const struct record *record, const struct record_test *test)
{
	double runs = record->settings.runs;

	return test->part == PART_EXPERIMENT && runs < PLAN_ROUNDS_MIN ? PLAN_ROUNDS_MIN : runs;
}

void record_count_make(struct record_count *count, const struct record *record)
{
	const struct record_settings *settings = &record->settings;

	*count = (struct record_count){0};
	for (size_t i = 0; i < record->test_count; i++) {
		if (record->tests[i].part == PART_EXPERIMENT) {
			count->experiment += record_test_passes(record, &record->tests[i]);
		} else {
			count->tests++;
		}
	}
	count->runs = count->tests * settings->runs;
	count->warmup = settings->warmup ? count->tests : 0;
}

const char *record_state_name(enum record_state state)
{
	return state_names[state];
}

const char *record_part_name(enum workload_part part)
{
	return part_words[part];
}

/* With what cannot be printed as it is: $'...' is POSIX.1-2024's, and older than that in bash, ksh and zsh. */
static void quote_unsafe(struct text *text, const char *word)
{
	text_add(text, "$'");
	for (; *word; word++) {
		unsigned char byte = (unsigned char)*word;

		if (byte < 0x20 || byte >= 0x7F) {
			text_addf(text, "\\x%02X", (unsigned)byte);
		} else {
			text_addf(text, "%s%c", byte == '\\' || byte == '\'' ? "\\" : "", byte);
		}
	}
	text_add(text, "'");
}

static void quote_word(struct text *text, const char *word)
{
	char *printable = text_printable(word);

	if (strcmp(printable, word) != 0) {
		quote_unsafe(text, word);
	} else if (*word && *word != '=' && word[strspn(word, PLAIN_CHARACTERS)] == '\0') {
		text_add(text, word);
	} else {
		text_add(text, "'");
		for (; *word; word++) {
			if (*word == '\'') {
				text_add(text, "'\\''");
			} else {
				text_add_bytes(text, word, 1);
			}
		}
		text_add(text, "'");
	}
	free(printable);
}

char *record_quote_command(char *const *argv)
{
	struct text text = TEXT_EMPTY;

	for (size_t i = 0; argv && argv[i]; i++) {
		text_add(&text, i > 0 ? " " : "");
		quote_word(&text, argv[i]);
	}
	return text_detach(&text);
}

char *record_workload_name(const struct workload *workload)
{
	struct text name = TEXT_EMPTY;

	/* The table's name is padded for its column. */
	for (const char *at = workload->name; *at; at++) {
		if (*at != ' ' || at[1] != ' ') {
			text_add_bytes(&name, at, 1);
		}
	}
	return text_detach(&name);
}

char *record_test_title(const struct record *record, const struct record_test *test)
{
	if (record->settings.profile->tool == LOAD_DD) {
		return xstrdup(test->name);
	}
	return xasprintf("%s %s", test->name, transfer_name(test->transfer));
}

const struct record_test *record_find_test(const struct record *record, const char *name, enum transfer transfer)
{
	for (size_t i = 0; i < record->test_count; i++) {
		if (record->tests[i].transfer == transfer && strcmp(record->tests[i].name, name) == 0) {
			return &record->tests[i];
		}
	}
	return NULL;
}

char *record_title(const struct record *record)
{
	const char *time_of_day = record->started_at ? record->started_at : "at an unknown time";

	if (record->label && *record->label) {
		return xstrdup(record->label);
	}
	return record->host ? xasprintf("%s %s", record->host, time_of_day) : xstrdup(time_of_day);
}
