#include "time_of_day.h"

#include <stddef.h>
#include <string.h>

/* Whether the two digits at `at` are at least `least` and at most `most`. */
static bool is_between(const char *at, int least, int most)
{
	int value = (at[0] - '0') * 10 + (at[1] - '0');

	return value >= least && value <= most;
}

bool is_time_of_day(const char *string)
{
	static const char form[] = "0000-00-00T00:00:00Z";

	if (strlen(string) != sizeof(form) - 1) {
		return false;
	}
	for (size_t i = 0; i < sizeof(form) - 1; i++) {
		bool is_digit = string[i] >= '0' && string[i] <= '9';

		if (form[i] == '0' ? !is_digit : string[i] != form[i]) {
			return false;
		}
	}
	/* 60: a leap second. */
	return is_between(string + 5, 1, 12) && is_between(string + 8, 1, 31) && is_between(string + 11, 0, 23) &&
		   is_between(string + 14, 0, 59) && is_between(string + 17, 0, 60);
}
