/** Sizes, rates and durations, to and from text. MB is 10^6 bytes, MiB is 2^20. */
#ifndef SUPPORT_UNITS_H
#define SUPPORT_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Read a size as the user writes it: digits, optionally a fraction, then k, m, g, t, p (powers of 1024), optionally
 * followed by "iB", "i" or "B"; either case. A plain number is bytes, and whole. No sign, no blanks, no hexadecimal.
 * A fraction of a byte is dropped. False where the text is not such a size or does not fit 63 bits.
 */
bool units_parse_size(const char *string, uint64_t *size_bytes);

/** Read an unsigned decimal number and nothing else, within [low, high]. */
bool units_parse_number(const char *string, uint64_t low, uint64_t high, uint64_t *number);

/** Bytes as "1 GiB", "1.5 GiB", "512 B": at most one decimal, none where it is 0. The caller frees it. */
char *units_format_size(uint64_t size_bytes);

/** A rate as "812.3 MB/s", 10^6 bytes a second. The caller frees it. */
char *units_format_rate(double bandwidth_bytes_per_s);

/** Seconds as "4 s", "1 min 20 s", "2 h 5 min". The caller frees it. */
char *units_format_duration(uint64_t duration_s);

/** Seconds as "0:42" or "1:02:03", for a progress line. The caller frees it. */
char *units_format_clock(uint64_t duration_s);

#endif
