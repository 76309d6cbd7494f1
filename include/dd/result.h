/** From dd's last line to a rate. */
#ifndef DD_RESULT_H
#define DD_RESULT_H

#include <stdbool.h>

#include "dd/job.h"
#include "support/failure.h"

/**
 * Read "67108864 bytes (67 MB, 64 MiB) copied, 0.0412 s, 1.6 GB/s", as GNU's, busybox's and toybox's dd write it in
 * the C locale: bytes and seconds. False where no line is like it.
 */
bool dd_result_read(const char *output, double *bytes, double *duration_s);

/**
 * Whether the run counts: exit status 0 and all bytes moved. Sets the rate. Otherwise the failure's sentence says
 * why, with dd's own words, and the status is STATUS_FAILED.
 */
bool dd_result_check(const struct dd_job *job, int wait_status, bool past_deadline, const char *output,
	double *bandwidth_bytes_per_s, struct failure *failure);

/** dd's own complaint, the first line that begins with "dd: ", without that. The caller frees it; NULL without one. */
char *dd_result_reason(const char *output);

#endif
