/** The line that fio writes about once a second while it runs. */
#ifndef FIO_ETA_H
#define FIO_ETA_H

#include <stdbool.h>

/**
 * The rate in a piece of fio's progress output, reads and writes together, from its last complete line. The form
 * varies between versions ("[r=3737MiB/s,w=0KiB/s]", "[w=12.3MiB/s]", "[r=1024kB/s]"): false where there is none.
 */
bool fio_eta_rate(const char *text, double *bandwidth_bytes_per_s);

#endif
