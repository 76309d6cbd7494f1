/* What stands below the tables of a record: why runs failed, and what was found. */
#include "table_parts.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

/* So many tests that failed alike are named; of more, how many there are. */
enum { TITLES_MAX = 4 };

static void add_footnote(struct table *table, char *sentence)
{
	table->footnotes = xrealloc(table->footnotes, (table->footnote_count + 1) * sizeof(*table->footnotes));
	table->footnotes[table->footnote_count++] = sentence;
}

static const char *or_empty(const char *string)
{
	return string ? string : "";
}

/* Runs that failed alike together, among them the first one first. */
static int compare_failures(const void *a, const void *b)
{
	const struct record_run *first = *(const struct record_run *const *)a,
							*second = *(const struct record_run *const *)b;
	int order = strcmp(or_empty(first->reason), or_empty(second->reason));

	order = order != 0 ? order : strcmp(or_empty(first->failure_id), or_empty(second->failure_id));
	return order != 0 ? order : first < second ? -1 : first > second ? 1 : 0;
}

static bool fail_alike(const struct record_run *first, const struct record_run *second)
{
	return strcmp(or_empty(first->reason), or_empty(second->reason)) == 0 &&
		   strcmp(or_empty(first->failure_id), or_empty(second->failure_id)) == 0;
}

/*
 * How many runs of the warm-up, or of all other passes, failed as each did: the number stands with the first of them,
 * 0 with the others. A file may hold any number of runs, so they are sorted. The caller frees it.
 */
static size_t *count_failures(const struct record_test *test, bool in_warmup)
{
	const struct record_run **failed = xcalloc(test->run_count, sizeof(*failed));
	size_t *counts = xcalloc(test->run_count, sizeof(*counts));
	size_t failed_count = 0;

	for (size_t i = 0; i < test->run_count; i++) {
		if (test->runs[i].outcome == OUTCOME_FAILED && (test->runs[i].pass == 0) == in_warmup) {
			failed[failed_count++] = &test->runs[i];
		}
	}
	qsort(failed, failed_count, sizeof(*failed), compare_failures);
	for (size_t i = 0, first = 0; i < failed_count; i++) {
		first = fail_alike(failed[first], failed[i]) ? first : i;
		counts[failed[first] - test->runs]++;
	}
	free(failed);
	return counts;
}

/* "RND4K Q1T1 read failed in 2 of 5 runs: reason." */
static void add_failure(struct table *table, const char *title, const struct record_run *run, const char *where)
{
	const char *reason = run->reason ? run->reason : "nobody knows why";

	add_footnote(table, run->failure_id ? xasprintf("%s failed%s: %s [%s]", title, where, reason, run->failure_id)
										: xasprintf("%s failed%s: %s.", title, where, reason));
}

static void add_failures_of(
	struct table *table, const struct record *record, const struct record_test *test, bool in_warmup)
{
	size_t *counts = count_failures(test, in_warmup), runs = table_count_runs(test);
	char *title = record_test_title(record, test);

	for (size_t i = 0; i < test->run_count; i++) {
		char *where = in_warmup  ? xstrdup(" in the warm-up")
					  : runs > 1 ? xasprintf(" in %zu of %zu runs", counts[i], runs)
								 : xstrdup("");

		if (counts[i] > 0) {
			add_failure(table, title, &test->runs[i], where);
		}
		free(where);
	}
	free(title);
	free(counts);
}

/* The first run of a test that failed as a whole: all its runs by the same finding, for the same reason. Else NULL. */
static const struct record_run *find_whole_failure(const struct record_test *test)
{
	const struct record_run *first = NULL;

	for (size_t i = 0; i < test->run_count; i++) {
		const struct record_run *run = &test->runs[i];

		if (run->pass == 0 || run->outcome == OUTCOME_NOT_RUN) {
			continue;
		}
		first = first ? first : run;
		if (run->outcome != OUTCOME_FAILED || !run->failure_id || !fail_alike(first, run)) {
			return NULL;
		}
	}
	return first;
}

/* How many tests, from that one on, failed as a whole and alike. */
static size_t count_alike(const struct record *record, size_t first)
{
	const struct record_run *failure = find_whole_failure(&record->tests[first]);
	size_t count = 0;

	while (failure && first + count < record->test_count) {
		const struct record_run *other = find_whole_failure(&record->tests[first + count]);

		if (!other || !fail_alike(failure, other)) {
			break;
		}
		count++;
	}
	return count;
}

/* "4K sync T1 write, 4K sync T4 write and 5 more" */
static void add_joint_failure(struct table *table, const struct record *record, size_t first, size_t count)
{
	struct text titles = TEXT_EMPTY;

	for (size_t i = 0; i < count && i < TITLES_MAX; i++) {
		char *title = record_test_title(record, &record->tests[first + i]);

		text_addf(&titles, "%s%s", i > 0 ? ", " : "", title);
		free(title);
	}
	if (count > TITLES_MAX) {
		text_addf(&titles, " and %zu more", count - TITLES_MAX);
	}
	add_failure(table, text_string(&titles), find_whole_failure(&record->tests[first]), "");
	text_release(&titles);
}

/* What all tests in a row have in common is said once, as sync=disabled. */
static void add_failures(struct table *table, const struct record *record)
{
	for (size_t i = 0; i < record->test_count;) {
		size_t alike = count_alike(record, i);

		if (alike > 1) {
			add_joint_failure(table, record, i, alike);
			i += alike;
		} else {
			add_failures_of(table, record, &record->tests[i++], false);
		}
	}
}

static void add_findings(struct table *table, const struct record *record)
{
	for (size_t i = 0; i < record->finding_count; i++) {
		const struct record_finding *finding = &record->findings[i];

		add_footnote(table, xasprintf("%s %s", *finding->mark ? finding->mark : " ", finding->sentence));
	}
}

void table_add_footnotes(struct table *table, const struct record *record)
{
	add_failures(table, record);
	for (size_t i = 0; i < record->test_count; i++) {
		add_failures_of(table, record, &record->tests[i], true);
	}
	add_findings(table, record);
}
