/** The data that dd writes. Private to keeper/. */
#ifndef KEEPER_FEED_H
#define KEEPER_FEED_H

#include <stdint.h>
#include <sys/types.h>

/**
 * Start a process that writes `size_bytes` of incompressible data, no 4 KiB of it like another, into a pipe, faster
 * than /dev/urandom could. `*read_end` is the pipe's other end. Returns its pid, or -1 with errno set.
 */
pid_t feed_start(uint64_t size_bytes, int *read_end);

#endif
