/** Times of day as they stand in records. */
#ifndef RECORD_TIME_OF_DAY_H
#define RECORD_TIME_OF_DAY_H

#include <stdbool.h>

/** What stands where there must be one and none is known. */
#define TIME_OF_DAY_UNKNOWN "1970-01-01T00:00:00Z"

/** Whether the string has the form of "2026-11-30T17:21:06Z". */
bool is_time_of_day(const char *string);

#endif
