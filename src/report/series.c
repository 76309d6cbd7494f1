#include "report/series.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "support/memory.h"

/* A run of a second is to have one, too. */
#define FIRST_S 0.4
#define INTERVAL_S 1.0

static bool is_due(const struct series *series, double time_s)
{
	if (!isfinite(time_s)) {
		return false;
	}
	return series->count == 0 ? time_s >= FIRST_S : time_s - series->time_s[series->count - 1] >= series->interval_s;
}

static double first_of(double first, double second)
{
	return isnan(first) ? second : first;
}

/* Of two points the later stays; what the devices moved since the one before the two is their mean, by time. */
static void merge(struct series *series, size_t into, size_t pair)
{
	const double *time_s = series->time_s;
	double *device = series->device_bytes_per_s;
	double began_s = into > 0 ? time_s[into - 1] : 0;
	double early_s = time_s[pair] - began_s, late_s = time_s[pair + 1] - time_s[pair];
	double mean = (device[pair] * early_s + device[pair + 1] * late_s) / (early_s + late_s);

	device[into] = isnan(mean) ? first_of(device[pair + 1], device[pair]) : mean;
	series->bandwidth_bytes_per_s[into] =
		first_of(series->bandwidth_bytes_per_s[pair + 1], series->bandwidth_bytes_per_s[pair]);
	series->time_s[into] = time_s[pair + 1];
}

static void thin_out(struct series *series)
{
	for (size_t pair = 0; pair + 1 < series->count; pair += 2) {
		merge(series, pair / 2, pair);
	}
	series->count /= 2;
	series->interval_s *= 2;
}

static void make_room(struct series *series)
{
	if (series->count < series->capacity) {
		return;
	}
	series->capacity = series->capacity > 0 ? series->capacity * 2 : 16;
	series->time_s = xrealloc(series->time_s, series->capacity * sizeof(double));
	series->bandwidth_bytes_per_s = xrealloc(series->bandwidth_bytes_per_s, series->capacity * sizeof(double));
	series->device_bytes_per_s = xrealloc(series->device_bytes_per_s, series->capacity * sizeof(double));
}

void series_add(struct series *series, double time_s, double bandwidth_bytes_per_s, double device_bytes_per_s)
{
	series->interval_s = series->interval_s > 0 ? series->interval_s : INTERVAL_S;
	if (!is_due(series, time_s)) {
		return;
	}
	if (series->count == SERIES_POINTS_MAX) {
		thin_out(series);
		if (!is_due(series, time_s)) {
			return;
		}
	}
	make_room(series);
	series->time_s[series->count] = time_s;
	series->bandwidth_bytes_per_s[series->count] = bandwidth_bytes_per_s;
	series->device_bytes_per_s[series->count] = device_bytes_per_s;
	series->count++;
}

void series_release(struct series *series)
{
	free(series->time_s);
	free(series->bandwidth_bytes_per_s);
	free(series->device_bytes_per_s);
	*series = (struct series){.count = 0};
}
