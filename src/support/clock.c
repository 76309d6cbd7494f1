#include "support/clock.h"

#include <time.h>

#include "support/memory.h"

static uint64_t read_ns(clockid_t clock)
{
	struct timespec now = {0, 0};

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

uint64_t clock_now_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

uint64_t clock_used_ns(void)
{
	return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

char *clock_time_of_day(void)
{
	time_t now = time(NULL);
	struct tm utc;
	char words[sizeof("-2147483648-11-30T17:21:06Z")];

	if (!gmtime_r(&now, &utc) || strftime(words, sizeof(words), "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) {
		return NULL;
	}
	return xstrdup(words);
}
