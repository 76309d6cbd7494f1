/** Simulations take their time; under valgrind and the sanitizers, which are there to see memory, not chance, fewer do. */
#ifndef FEWER_H
#define FEWER_H

#include <stdlib.h>

/** So many of them. */
static inline size_t fewer_of(size_t usual)
{
	return getenv("SPEEDTEST_HD_SLOW") ? usual / 50 : usual;
}

#endif
