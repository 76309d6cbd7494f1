#include "record/threshold.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "support/memory.h"
#include "support/text.h"
#include "threshold_parts.h"

#define EXAMPLE "write it as in 'RND4K Q1T1 read iops=10000'"
/* No threshold that makes sense is longer. */
#define THRESHOLD_BYTES_MAX 200
/* Of one that is too long so much is quoted. */
#define THRESHOLD_BYTES_SHOWN 40
/* So many digits a double holds exactly. */
#define NUMBER_DIGITS_MAX 15

#define BLANKS " \t"

static const char *option_word(const struct threshold *threshold)
{
	return threshold->is_floor ? "--fail-below" : "--fail-above";
}

/* Reads digits with perhaps a fraction and nothing else, whatever the locale's decimal point is. */
static bool read_positive(const char *string, double *number)
{
	double digits = 0, scale = 1;
	size_t count = 0;
	bool has_point = false;

	for (const char *at = string; *at; at++) {
		if (*at == '.' && at > string && at[1] && !has_point) {
			has_point = true;
		} else if (*at >= '0' && *at <= '9' && count < NUMBER_DIGITS_MAX) {
			digits = digits * 10 + (*at - '0');
			scale *= has_point ? 10 : 1;
			count++;
		} else {
			return false;
		}
	}
	*number = digits / scale; /* both are exact, and so the quotient is the nearest double */
	return digits > 0;
}

/* The quantity of that name. */
static bool find_quantity(const char *name, enum quantity *quantity)
{
	for (int i = 0; i < QUANTITY_COUNT; i++) {
		if (strcasecmp(quantities[i].threshold, name) == 0) {
			*quantity = (enum quantity)i;
			return true;
		}
	}
	return false;
}

/* Cut the last word off a string; "" where there is none. */
static char *cut_last_word(char *string)
{
	size_t length = strlen(string);
	char *word;

	while (length > 0 && strchr(BLANKS, string[length - 1])) {
		length--;
	}
	string[length] = '\0';
	while (length > 0 && !strchr(BLANKS, string[length - 1])) {
		length--;
	}
	word = xstrdup(string + length);
	string[length] = '\0';
	return word;
}

/* The words with single blanks between. The caller frees it. */
static char *join_words(const char *string)
{
	struct text joined = TEXT_EMPTY;

	while (*(string += strspn(string, BLANKS)) != '\0') {
		size_t length = strcspn(string, BLANKS);

		text_add(&joined, joined.length > 0 ? " " : "");
		text_add_bytes(&joined, string, length);
		string += length;
	}
	text_add(&joined, "");
	return text_detach(&joined);
}

/* What stands behind "=". `name` is what stands before it, in front of which the test is left over. */
static bool read_limit(struct threshold *threshold, char *name, const char *number, struct failure *failure)
{
	char *word = strchr(BLANKS, name[0] ? name[strlen(name) - 1] : ' ') ? xstrdup("") : cut_last_word(name);
	bool is_known = find_quantity(word, &threshold->quantity);

	if (!is_known) {
		failure_set(failure, STATUS_USAGE,
			"%s '%s': before '=' must stand one of mb_per_s, iops, p50_us and p99_us; " EXAMPLE, option_word(threshold),
			threshold->text);
	}
	free(word);
	if (!is_known) {
		return false;
	}
	if (!read_positive(number, &threshold->limit)) {
		return failure_set(failure, STATUS_USAGE,
			"%s '%s': behind '=' must stand a number above 0, of digits with perhaps a '.'; " EXAMPLE,
			option_word(threshold), threshold->text);
	}
	threshold->limit *= quantities[threshold->quantity].threshold_unit;
	return true;
}

/* The direction, where the last word is one; the rest is the test. */
static bool read_test(struct threshold *threshold, char *name, struct failure *failure)
{
	char *all = xstrdup(name);
	char *word = cut_last_word(name);

	threshold->has_transfer = strcasecmp(word, "read") == 0 || strcasecmp(word, "write") == 0;
	threshold->transfer = strcasecmp(word, "write") == 0 ? TRANSFER_WRITE : TRANSFER_READ;
	free(word);
	word = join_words(threshold->has_transfer ? name : all);
	free(all);
	threshold->test = text_printable(word);
	free(word);
	if (!threshold->test[0]) {
		return failure_set(
			failure, STATUS_USAGE, "%s '%s' names no test; " EXAMPLE, option_word(threshold), threshold->text);
	}
	return true;
}

static bool fail_too_long(const struct threshold *threshold, const char *text, struct failure *failure)
{
	char *start = xstrndup(text, THRESHOLD_BYTES_SHOWN);
	char *shown = text_printable(start);

	failure_set(failure, STATUS_USAGE, "%s '%s...' is too long; " EXAMPLE, option_word(threshold), shown);
	free(shown);
	free(start);
	return false;
}

bool threshold_parse(struct threshold *threshold, const char *text, bool is_floor, struct failure *failure)
{
	const char *equals = strchr(text, '=');
	char *name;
	bool is_read;

	*threshold = (struct threshold){.is_floor = is_floor};
	if (strlen(text) > THRESHOLD_BYTES_MAX) {
		return fail_too_long(threshold, text, failure);
	}
	threshold->text = text_printable(text);
	if (!equals) {
		failure_set(failure, STATUS_USAGE, "%s '%s' says no limit: it lacks '='; " EXAMPLE, option_word(threshold),
			threshold->text);
		threshold_release(threshold);
		return false;
	}
	name = xstrndup(text, (size_t)(equals - text));
	is_read = read_limit(threshold, name, equals + 1, failure) && read_test(threshold, name, failure);
	free(name);
	if (!is_read) {
		threshold_release(threshold);
	}
	return is_read;
}

void threshold_release(struct threshold *threshold)
{
	free(threshold->text);
	free(threshold->test);
	*threshold = (struct threshold){0};
}

/* Whether `words` is the name itself, or what it ends with from some word on. */
static bool name_ends_with(const char *name, const char *words, bool whole)
{
	size_t length = strlen(name), wanted = strlen(words);
	const char *end;

	if (wanted > length || (whole && wanted != length)) {
		return false;
	}
	end = name + length - wanted;
	return strcasecmp(end, words) == 0 && (end == name || end[-1] == ' ');
}

/* Add a name to a list like "'a', 'b'". */
static void list_name(struct text *list, const char *name)
{
	text_addf(list, "%s'%s'", list->length > 0 ? ", " : "", name);
}

/* The workloads that a threshold may mean. */
struct candidates {
	const struct workload *last;
	size_t count;
	struct text names; /* of these */
	struct text all;   /* of the profile */
};

static void find_candidates(
	struct candidates *candidates, const struct threshold *threshold, const struct profile *profile, bool whole)
{
	*candidates = (struct candidates){0};
	for (size_t i = 0; i < profile->workload_count; i++) {
		const struct workload *workload = &profile->workloads[i];
		char *name = record_workload_name(workload);

		list_name(&candidates->all, name);
		/* Last words mean a row of the main table: "T1" stays "4K sync T1", whatever else there is on request. */
		if (name_ends_with(name, threshold->test, whole || workload->part != PART_MAIN) &&
			(!threshold->has_transfer || workload->transfers[threshold->transfer])) {
			candidates->last = workload;
			candidates->count++;
			list_name(&candidates->names, name);
		}
		free(name);
	}
}

static void candidates_release(struct candidates *candidates)
{
	text_release(&candidates->names);
	text_release(&candidates->all);
}

/* Whether exactly one is left, in exactly one direction. */
static bool candidates_settle(const struct candidates *candidates, const struct threshold *threshold,
	const struct profile *profile, struct failure *failure)
{
	const char *option = option_word(threshold), *text = threshold->text;
	const char *direction = !threshold->has_transfer               ? ""
							: threshold->transfer == TRANSFER_READ ? " that reads"
																   : " that writes";

	if (candidates->count == 0) {
		return failure_set(failure, STATUS_USAGE, "%s '%s': the profile '%s' has no such test%s; it has %s", option,
			text, profile->key, direction, text_string(&candidates->all));
	}
	if (candidates->count > 1) {
		return failure_set(failure, STATUS_USAGE, "%s '%s' may mean any of %s; write the whole name", option, text,
			text_string(&candidates->names));
	}
	if (!threshold->has_transfer && candidates->last->transfers[TRANSFER_READ] &&
		candidates->last->transfers[TRANSFER_WRITE]) {
		return failure_set(failure, STATUS_USAGE,
			"%s '%s' may mean reading or writing; add 'read' or 'write' behind %s", option, text,
			text_string(&candidates->names));
	}
	return true;
}

const struct workload *threshold_find(
	const struct threshold *threshold, const struct profile *profile, enum transfer *transfer, struct failure *failure)
{
	struct candidates candidates;
	const struct workload *found = NULL;

	find_candidates(&candidates, threshold, profile, true);
	if (candidates.count == 0) {
		candidates_release(&candidates);
		find_candidates(&candidates, threshold, profile, false);
	}
	if (candidates_settle(&candidates, threshold, profile, failure)) {
		found = candidates.last;
		*transfer = threshold->has_transfer           ? threshold->transfer
					: found->transfers[TRANSFER_READ] ? TRANSFER_READ
													  : TRANSFER_WRITE;
	}
	candidates_release(&candidates);
	return found;
}

bool threshold_fits(
	const struct threshold *threshold, const struct profile *profile, const bool *parts, struct failure *failure)
{
	static const char *const options[PART_COUNT] = {[PART_DETAIL] = "--slog-detail", [PART_EXPERIMENT] = "--diagnose"};
	enum transfer transfer;
	const struct workload *workload = threshold_find(threshold, profile, &transfer, failure);

	if (!workload) {
		return false;
	}
	if (parts && !parts[workload->part] && options[workload->part]) {
		return failure_set(failure, STATUS_USAGE, "%s '%s': this test is measured with %s alone; add that",
			option_word(threshold), threshold->text, options[workload->part]);
	}
	if (profile->tool == LOAD_DD && threshold->quantity != QUANTITY_BANDWIDTH) {
		return failure_set(failure, STATUS_USAGE, "%s '%s': the profile '%s' measures no %s; it has %s alone",
			option_word(threshold), threshold->text, profile->key, quantities[threshold->quantity].threshold,
			quantities[QUANTITY_BANDWIDTH].threshold);
	}
	return true;
}
