/** How much the link between the machine and a disk, or a server, can carry. */
#ifndef PROBE_LINK_H
#define PROBE_LINK_H

#include <stdbool.h>

#include "probe/mount.h"

/** A link. The string is owned. */
struct link_speed {
	double bytes_per_s; /* after the line code, before any protocol: nothing can be faster. 0 where unknown */
	char *name;         /* "PCIe 8.0 GT/s x4", "SATA 6.0 Gbit/s"; NULL where unknown. Of a PCIe link that is slower just
						   now than it can be, also the most, which bytes_per_s is then of */
};

/**
 * The link of the whole disk in `folder` (as in struct node): PCIe of an NVMe, SATA, SAS, USB. False where it is
 * unknown (virtual disks, network block devices). The caller frees the name.
 */
bool link_find_disk(struct link_speed *link, const char *root, const char *folder);

/**
 * The link to the server of a network mount: all network cards that are up, together, "eno1 + eno2, 20 Gbit/s". False
 * where it is unknown: a server on this machine, a card that does not tell. The caller frees the name.
 */
bool link_find_network(struct link_speed *link, const char *root, const struct mount *mount);

#endif
