/** One command line while it is being read. Private to settings/. */
#ifndef SETTINGS_READING_H
#define SETTINGS_READING_H

#include <stdbool.h>

#include "settings/options.h"
#include "settings/settings.h"
#include "support/failure.h"

/** The state of reading one command line. */
struct reading {
	struct settings *settings;
	struct failure *failure;
	const struct option_entry *chosen[OPTION_GROUP_COUNT]; /* which of a group was given */
	bool given[OPTION_ID_END - OPTION_FIO];                /* by id, from OPTION_FIO on */
};

/**
 * Store what an option says; `value` is its argument, NULL for an option without one. False, with the sentence, where
 * the argument is not acceptable.
 */
bool reading_take_value(struct reading *reading, const struct option_entry *option, const char *value);
/** Note that an option was given. False, with the sentence, where another of its group was given before. */
bool reading_note(struct reading *reading, const struct option_entry *option);
/** What can only be judged when everything was read. False, with the sentence, where it does not go together. */
bool reading_check(const struct reading *reading, int argc);
/** The failure (STATUS_USAGE) that quotes a word of the user's, made safe to show. Always false. */
bool reading_fail_quoting(struct failure *failure, const char *before, const char *word, const char *after);

#endif
