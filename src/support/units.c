#include "support/units.h"

#include <stddef.h>
#include <string.h>

#include "support/memory.h"

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static char to_lower(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

/* Read digits, at least one; false also where the number does not fit. Moves *cursor behind them. */
static bool read_digits(const char **cursor, uint64_t *number)
{
	const char *at = *cursor;
	uint64_t value = 0;

	if (!is_digit(*at)) {
		return false;
	}
	for (; is_digit(*at); at++) {
		uint64_t digit = (uint64_t)(*at - '0');
		if (value > (UINT64_MAX - digit) / 10) {
			return false;
		}
		value = value * 10 + digit;
	}
	*cursor = at;
	*number = value;
	return true;
}

/* The power of two that a suffix stands for, the whole rest of the word; -1 for no such suffix. */
static int suffix_shift(const char *suffix)
{
	static const char letters[] = "kmgtp";
	const char *found = *suffix == '\0' ? NULL : strchr(letters, to_lower(*suffix));

	if (!found) {
		return -1;
	}
	suffix++;
	if (to_lower(*suffix) == 'i') {
		suffix++;
	}
	if (to_lower(*suffix) == 'b') {
		suffix++;
	}
	return *suffix == '\0' ? 10 * (int)(found - letters + 1) : -1;
}

/*
 * The whole part of 0.DIGITS x 2^shift, exact for any number of digits: from the last digit to the first, each step
 * a division by ten of which only the whole part can matter to the next one.
 */
static uint64_t scale_fraction(const char *digits, size_t count, int shift)
{
	uint64_t scaled = 0;

	while (count-- > 0) {
		scaled = (((uint64_t)(digits[count] - '0') << shift) + scaled) / 10;
	}
	return scaled;
}

bool units_parse_size(const char *string, uint64_t *size_bytes)
{
	const char *at = string;
	const char *fraction = NULL;
	size_t fraction_length = 0;
	uint64_t whole = 0;
	int shift = 0;

	if (!read_digits(&at, &whole)) {
		return false;
	}
	if (*at == '.') {
		fraction = ++at;
		while (is_digit(*at)) {
			at++;
		}
		fraction_length = (size_t)(at - fraction);
		if (fraction_length == 0) {
			return false;
		}
	}
	if (*at != '\0' || fraction) {
		shift = suffix_shift(at);
		if (shift < 0) {
			return false;
		}
	}
	if (whole > (uint64_t)INT64_MAX >> shift) {
		return false;
	}
	*size_bytes = (whole << shift) + (fraction ? scale_fraction(fraction, fraction_length, shift) : 0);
	return true;
}

bool units_parse_number(const char *string, uint64_t low, uint64_t high, uint64_t *number)
{
	uint64_t value = 0;

	if (!read_digits(&string, &value) || *string != '\0' || value < low || value > high) {
		return false;
	}
	*number = value;
	return true;
}

char *units_format_size(uint64_t size_bytes)
{
	static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	const size_t last = sizeof(names) / sizeof(names[0]) - 1;
	size_t unit = 0;

	while (unit < last && size_bytes >> (10 * (unit + 1)) != 0) {
		unit++;
	}

	uint64_t unit_bytes = UINT64_C(1) << (10 * unit);
	uint64_t whole = size_bytes / unit_bytes;
	uint64_t rest = size_bytes % unit_bytes;
	if (rest == 0) {
		return xasprintf("%llu %s", (unsigned long long)whole, names[unit]);
	}

	uint64_t tenths = (rest * 10 + unit_bytes / 2) / unit_bytes;
	if (tenths == 10) {
		whole++;
		tenths = 0;
	}
	if (whole == 1024 && unit < last) {
		whole = 1;
		unit++;
	}
	if (tenths == 0) {
		return xasprintf("%llu %s", (unsigned long long)whole, names[unit]);
	}
	return xasprintf("%llu.%llu %s", (unsigned long long)whole, (unsigned long long)tenths, names[unit]);
}

char *units_format_rate(double bandwidth_bytes_per_s)
{
	return xasprintf("%.1f MB/s", bandwidth_bytes_per_s / 1e6);
}

char *units_format_duration(uint64_t duration_s)
{
	unsigned long long seconds = duration_s;
	unsigned long long minutes = seconds / 60;

	if (seconds < 60) {
		return xasprintf("%llu s", seconds);
	}
	if (seconds < 3600) {
		return seconds % 60 == 0 ? xasprintf("%llu min", minutes) : xasprintf("%llu min %llu s", minutes, seconds % 60);
	}
	/* From an hour on to the nearest minute: the seconds of such an estimate mean nothing. */
	if (seconds % 60 >= 30) {
		minutes++;
	}
	return minutes % 60 == 0 ? xasprintf("%llu h", minutes / 60)
							 : xasprintf("%llu h %llu min", minutes / 60, minutes % 60);
}

char *units_format_clock(uint64_t duration_s)
{
	unsigned long long seconds = duration_s;

	if (seconds < 3600) {
		return xasprintf("%llu:%02llu", seconds / 60, seconds % 60);
	}
	return xasprintf("%llu:%02llu:%02llu", seconds / 3600, seconds / 60 % 60, seconds % 60);
}
