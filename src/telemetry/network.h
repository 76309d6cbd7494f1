/** What network file systems count for one mount. Private to telemetry/. */
#ifndef TELEMETRY_NETWORK_H
#define TELEMETRY_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/mount.h"
#include "telemetry/watch.h"

/** Bytes that came from the server and went to it. */
struct network_counters {
	uint64_t read_bytes;
	uint64_t written_bytes;
};

/** Read them for `mount`. False where the kernel does not tell. */
bool network_counters_take(
	struct network_counters *counters, const char *root, enum watch_network network, const struct mount *mount);

#endif
