/**
 * From figures to causes: what the measurement of synchronous writes came to in words. Pure: everything it knows stands
 * in the record and the report.
 */
#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H

#include "record/record.h"
#include "report/report.h"

/**
 * Replace the record's passages: the path that the writes took, how IOPS scale with the threads, yardsticks, the
 * power management, the diagnosis, and what to do. THE table of passages is in doctor.c. Nothing for other profiles.
 */
void doctor_examine(struct record *record, const struct report *report);

#endif
