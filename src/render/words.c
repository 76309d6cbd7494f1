#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

char *words_time(const char *time)
{
	static const char form[] = "0000-00-00T00:00:00Z";

	for (size_t i = 0; time && i < sizeof(form); i++) {
		bool is_digit = time[i] >= '0' && time[i] <= '9';

		if (form[i] == '0' ? !is_digit : form[i] != time[i]) {
			return xstrdup(time);
		}
	}
	return time ? xasprintf("%.10s %.5s UTC", time, time + strlen("0000-00-00T")) : xstrdup("");
}

/* How many bytes the character at `at` has; of what is no UTF-8 one. */
static size_t character_length(const char *at)
{
	size_t length = 1;

	while (((unsigned char)*at & 0xC0) == 0xC0 && length < 4 && ((unsigned char)at[length] & 0xC0) == 0x80) {
		length++;
	}
	return length;
}

char *words_cut(const char *title, size_t columns)
{
	static const char ellipsis[] = "...";
	size_t length = 0, kept = 0, width = 0;

	/* No further than it is shown, however long it is. */
	while (title[length] && width <= columns) {
		char character[5] = "";
		size_t bytes = character_length(title + length);

		memcpy(character, title + length, bytes);
		width += text_columns(character);
		length += bytes;
		kept = width + strlen(ellipsis) <= columns ? length : kept;
	}
	return width <= columns ? xstrdup(title) : xasprintf("%.*s%s", (int)kept, title, ellipsis);
}

char *words_score(const struct record *record, enum score score)
{
	return xasprintf("%s of %.0f runs", score == SCORE_BEST ? "Best" : "Median", record->settings.runs);
}

/* "after 5 of 8 runs" */
static char *words_progress(const struct record *record)
{
	struct record_count count;
	size_t finished = 0;

	record_count_make(&count, record);
	for (size_t i = 0; i < record->test_count; i++) {
		finished += record->tests[i].run_count;
	}
	return xasprintf("after %zu of %.0f runs", finished, count.runs + count.warmup + count.experiment);
}

char *words_state(const struct record *record)
{
	char *progress = words_progress(record);
	char *sentence = NULL;

	switch (record->state) {
	case RECORD_RUNNING:
		sentence = xasprintf("Not finished: this was written %s, while the measurement went on.", progress);
		break;
	case RECORD_INTERRUPTED:
		sentence = xasprintf("Interrupted %s: what was finished until then is shown.", progress);
		break;
	case RECORD_FAILED:
		sentence =
			xasprintf("Given up %s: %s.", progress, record->failure ? record->failure : "the reason was not recorded");
		break;
	case RECORD_COMPLETE:
		break;
	}
	free(progress);
	return sentence;
}

char *words_outcomes(const struct threshold_outcomes *outcomes)
{
	size_t missed = thresholds_count(outcomes, THRESHOLD_MISSED);
	size_t absent = thresholds_count(outcomes, THRESHOLD_NOT_MEASURED);
	char *unmeasured = absent > 0 ? xasprintf(", %zu not measured", absent) : xstrdup("");
	char *sentence =
		xasprintf("Thresholds: %zu met, %zu missed%s.", outcomes->count - missed - absent, missed, unmeasured);

	free(unmeasured);
	return sentence;
}

char *words_outcome(const struct threshold_outcome *outcome)
{
	if (outcome->sentence) {
		return xstrdup(outcome->sentence);
	}
	switch (outcome->state) {
	case THRESHOLD_MISSED:
		return xasprintf("%s: missed", outcome->text);
	case THRESHOLD_NOT_MEASURED:
		return xasprintf("%s: not measured", outcome->text);
	default:
		return NULL;
	}
}
