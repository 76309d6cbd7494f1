/** A block device as /sys shows it, and what lies beneath it. */
#ifndef PROBE_NODE_H
#define PROBE_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/text.h"

/** The whole device, also where it was asked for by a partition. Strings are owned. */
struct node {
	char *folder;    /* "/sys/...", beneath the root prefix */
	char *name;      /* "nvme0n1" */
	char *partition; /* "nvme0n1p2"; NULL where it was the whole device itself */
};

/** Some devices. */
struct node_list {
	struct node *nodes; /* owned, with their strings */
	size_t count;
};

/** The whole disks beneath a stack, each once. */
struct leaves {
	struct text names; /* "sda, sdb" */
	size_t count;
	char *folder; /* of the last one, as in struct node; NULL where there is none */
};

/** Open the device that the link `entry` in `folder` leads to; false where there is none. The caller releases it. */
bool node_open(struct node *node, const char *root, const char *folder, const char *entry);
/** As node_open, by device number. */
bool node_open_number(struct node *node, const char *root, unsigned device_major, unsigned device_minor);
/** As node_open, by what a mount has for its source: "/dev/sdb1", "/dev/mapper/home". */
bool node_open_source(struct node *node, const char *root, const char *source);
/** Free the strings. */
void node_release(struct node *node);
/** The name of the device as it was asked for: that of the partition, or of the whole. */
const char *node_used_name(const struct node *node);
/** Its device number; false where /sys does not say. */
bool node_number(const struct node *node, const char *root, unsigned *device_major, unsigned *device_minor);

/** Move the node to the end of the list, which owns it from then on. */
void node_list_add(struct node_list *list, struct node *node);
/** Add the devices that the whole device in `folder` is made of. */
void node_list_add_slaves(struct node_list *list, const char *root, const char *folder);
/** Free the nodes. */
void node_list_release(struct node_list *list);

/** The model with its maker, of the device in `folder`. The caller frees it; NULL where unknown. */
char *node_model(const char *root, const char *folder);
/** What kind of device it is, "NVMe SSD"; `model` may be NULL. The caller frees it; NULL where unknown. */
char *node_kind(const char *root, const struct node *node, const char *model);

/** Add the whole disks beneath the device in `folder`; false where nothing is beneath it. */
bool leaves_collect(struct leaves *leaves, const char *root, const char *folder);
/** Add one disk, unless it is there already. */
void leaves_add(struct leaves *leaves, const struct node *node);
/** Free the strings. */
void leaves_release(struct leaves *leaves);

#endif
