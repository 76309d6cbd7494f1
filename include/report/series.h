/** The throughput of one run over its time. */
#ifndef REPORT_SERIES_H
#define REPORT_SERIES_H

#include <stddef.h>

/** Points in the order of time, about one a second; of long runs fewer. NAN is unknown. */
struct series {
	size_t count;
	size_t capacity;
	double *time_s;                /* owned; since the run began, its ramp included */
	double *bandwidth_bytes_per_s; /* owned; as fio or dd said at that time */
	double *device_bytes_per_s;    /* owned; what the devices moved in the run's direction, since the point before */
	double interval_s;             /* points closer than this are left out; doubles as the series gets full */
};

/** More points than this are never kept. */
enum { SERIES_POINTS_MAX = 1024 };

/** Add a point, if it is time for one. */
void series_add(struct series *series, double time_s, double bandwidth_bytes_per_s, double device_bytes_per_s);
/** Free the points. */
void series_release(struct series *series);

#endif
