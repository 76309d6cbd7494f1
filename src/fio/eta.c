#include "fio/eta.h"

#include <stdlib.h>
#include <string.h>

/* One "r=195MiB/s" after `text`; false where the number is no rate but, say, IOPS. */
static bool read_rate(const char *text, double *bandwidth_bytes_per_s)
{
	static const char prefixes[] = "KMGTP";
	char *end = NULL;
	double value = strtod(text, &end);
	double unit = 1;

	/* No nan, inf or hexadecimal, and nothing that leads to an infinite rate. */
	if (end == text || end != text + strspn(text, "0123456789.") || !(value < 1e18)) {
		return false;
	}
	const char *prefix = *end ? strchr(prefixes, *end == 'k' ? 'K' : *end) : NULL;
	if (prefix) {
		bool binary = end[1] == 'i';

		for (const char *step = prefixes; step <= prefix; step++) {
			unit *= binary ? 1024 : 1000;
		}
		end += binary ? 2 : 1;
	}
	if (strncmp(end, "B/s", 3) != 0) {
		return false;
	}
	*bandwidth_bytes_per_s = value * unit;
	return true;
}

/* All rates of one progress line, which ends at `end`. */
static bool line_rate(const char *line, const char *end, double *bandwidth_bytes_per_s)
{
	double sum = 0, rate = 0;
	bool found = false;

	for (const char *at = line; at + 2 < end; at++) {
		if ((at[0] == '[' || at[0] == ',') && strchr("rwtRW", at[1]) && at[2] == '=' && read_rate(at + 3, &rate)) {
			sum += rate;
			found = true;
		}
	}
	*bandwidth_bytes_per_s = sum;
	return found;
}

bool fio_eta_rate(const char *text, double *bandwidth_bytes_per_s)
{
	const char *end = text + strlen(text);

	/* Lines end with a carriage return or a line feed; the last one that has a rate counts. */
	while (end > text) {
		const char *line = end;

		while (line > text && line[-1] != '\r' && line[-1] != '\n') {
			line--;
		}
		if (line_rate(line, end, bandwidth_bytes_per_s)) {
			return true;
		}
		end = line > text ? line - 1 : text;
	}
	return false;
}
