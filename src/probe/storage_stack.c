#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/cgroup.h"
#include "probe/link.h"
#include "storage_parts.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ROLE(role) (1U << (role))

/** What a part of a mapped device means, by a word in its name. */
struct mapper_part {
	const char *word;
	bool is_cache;
	bool compresses;
};

/** LVM names its hidden parts so. With each of these the number of bytes written is open. */
static const struct mapper_part mapper_parts[] = {
	{"_rimage_", false, false},
	{"_mimage_", false, false},
	{"_iorig", false, false},
	{"-cow", false, false},
	{"_corig", true, false},
	{"_wcorig", true, false},
	{"_cdata", true, false},
	{"_cvol", true, false},
	{"-cdata", true, false},
	{"_vdata", false, true},
};

/** A number in a file of the device; 0 where it is not there. "2 (3)" is 2. */
static unsigned attribute_number(const char *root, const char *folder, const char *name)
{
	char *line = file_read_line(root, "%s/%s", folder, name);
	unsigned number = 0;

	if (line != NULL && sscanf(line, "%u", &number) != 1) {
		number = 0;
	}
	free(line);
	return number;
}

/** The device's own queue; 0 where it has none, or none that holds anything back. */
static unsigned queue_limit_read(const char *root, const struct node *node)
{
	char **queues = file_names(root, "%s/mq", node->folder);
	/* Old kernels name a number for every device, but only those with hardware queues keep to it. Only the disks of
	 * SCSI and SD cards came without them for long. */
	bool has_queue = queues[0] != NULL || text_starts_with(node->name, "sd") || text_starts_with(node->name, "mmcblk");

	file_names_free(queues);
	return has_queue ? attribute_number(root, node->folder, "queue/nr_requests") : 0;
}

/** What the whole disk, or the whole device made of others, says of the writes it has taken. */
static enum write_cache write_cache_read(const char *root, const struct node *node)
{
	char *line = file_read_line(root, "%s/queue/write_cache", node->folder);
	enum write_cache cache = WRITE_CACHE_UNKNOWN;

	if (line != NULL && strcmp(line, "write back") == 0) {
		cache = WRITE_CACHE_VOLATILE;
	} else if (line != NULL && strcmp(line, "write through") == 0) {
		cache = WRITE_CACHE_NONE;
	}
	free(line);
	return cache;
}

/** The index of the device, which is added unless it is there; its number must be known. */
static size_t device_index(struct storage *storage, const char *name, unsigned device_major, unsigned device_minor)
{
	size_t i = 0;

	while (i < storage->device_count &&
		   (storage->devices[i].major != device_major || storage->devices[i].minor != device_minor)) {
		i++;
	}
	if (i == storage->device_count) {
		storage->devices = xrealloc(storage->devices, (i + 1) * sizeof(*storage->devices));
		storage->devices[i] =
			(struct storage_device){.name = xstrdup(name), .major = device_major, .minor = device_minor};
		storage->device_count++;
	}
	return i;
}

/** Give the device its roles; without a role it is only looked at for limits of control groups. */
static void device_add(struct descent *descent, const struct node *node, unsigned roles, unsigned queue_limit)
{
	struct storage *storage = descent->storage;
	unsigned device_major, device_minor;
	size_t i;

	if (!node_number(node, descent->root, &device_major, &device_minor)) {
		descent->unseen += roles != 0;
		return;
	}
	if (!storage->is_throttled) {
		storage->is_throttled = cgroup_limits_device(descent->root, device_major, device_minor);
	}
	if (!storage->may_be_throttled) {
		storage->may_be_throttled = cgroup_may_limit_device(descent->root, device_major, device_minor);
	}
	if (roles == 0) {
		return;
	}
	i = device_index(storage, node_used_name(node), device_major, device_minor);
	storage->devices[i].roles |= roles;
	storage->devices[i].queue_limit = queue_limit;
	storage->devices[i].write_cache = write_cache_read(descent->root, node);
	storage->devices[i].has_fua = attribute_number(descent->root, node->folder, "queue/fua") > 0;
	if ((roles & ROLE(STORAGE_DISK)) != 0 && storage->devices[i].link == NULL) {
		struct link_speed link;

		link_find_disk(&link, descent->root, node->folder);
		storage->devices[i].link_bytes_per_s = link.bytes_per_s;
		storage->devices[i].link = link.name;
	}
}

/** The device that the node is a partition of, or the node itself. Borrows its strings. */
static struct node whole_of(const struct node *node)
{
	return (struct node){.folder = node->folder, .name = node->name};
}

/** Name the cache in RAM that lies behind the device; the first one is named. */
static void note_cache(struct storage *storage, const char *cache, const struct node *node)
{
	if (storage->ram_cache == NULL) {
		storage->ram_cache = xasprintf("%s behind %s", cache, node->name);
	}
}

/** Nothing is beneath: the device as it is used is the leaf, the whole of it the disk. */
static struct beneath descend_leaf(struct descent *descent, const struct node *node, unsigned roles)
{
	struct node whole = whole_of(node);
	unsigned queue_limit = queue_limit_read(descent->root, node);
	unsigned number;

	descent->leaves++;
	descent->ram_leaves += text_starts_with(node->name, "zram") || sscanf(node->name, "ram%u", &number) == 1;
	if (text_starts_with(node->name, "zd")) {
		note_cache(descent->storage, "the cache of ZFS", node);
		descent->storage->hides_cache = true; /* the pool is not followed */
	}
	device_add(descent, node, roles | ROLE(STORAGE_LEAF), queue_limit);
	device_add(descent, &whole, ROLE(STORAGE_DISK), queue_limit);
	return (struct beneath){.copies = 1, .queue_limit = queue_limit};
}

/** A loop over a file: down into the file system that holds the file, where that can be followed. */
static struct beneath descend_loop(
	struct descent *descent, const struct node *node, unsigned roles, const char *file, unsigned level)
{
	struct storage *storage = descent->storage;
	struct beneath beneath;
	struct mount mount;
	struct base base;

	base_find_file(&base, &mount, descent->root, file);
	/* Loops of old kernels, which have no such file, always use the page cache. */
	if (attribute_number(descent->root, node->folder, "loop/dio") == 0) {
		note_cache(storage, "the page cache", node);
		storage->hides_cache = storage->hides_cache || base.devices.count == 0;
	} else if (base.kind == BASE_ZFS) {
		note_cache(storage, "the cache of ZFS", node);
		storage->hides_cache = true;
	}
	if (base.devices.count > 0) {
		device_add(descent, node, roles, queue_limit_read(descent->root, node));
		storage->is_shared = storage->is_shared || mount.type != NULL;
		storage->has_compression = storage->has_compression || options_compress(base_mount(&base, &mount));
		beneath = descend_base(descent, &base, 0, level + 1);
		beneath.queue_limit = queue_limit_read(descent->root, node);
	} else {
		beneath = descend_leaf(descent, node, roles);
		descent->ram_leaves += base.kind == BASE_RAM;
	}
	base_release(&base);
	mount_release(&mount);
	return beneath;
}

/** What a mapped device's name tells of the stack it is a part of. */
static void mapper_note(struct descent *descent, const struct node *node)
{
	char *name = file_read_line(descent->root, "%s/dm/name", node->folder);
	char *uuid = file_read_line(descent->root, "%s/dm/uuid", node->folder);
	struct storage *storage = descent->storage;

	for (size_t i = 0; name != NULL && i < COUNT(mapper_parts); i++) {
		if (strstr(name, mapper_parts[i].word) != NULL) {
			storage->write_copies_known = false;
			storage->has_device_cache = storage->has_device_cache || mapper_parts[i].is_cache;
			storage->has_compression = storage->has_compression || mapper_parts[i].compresses;
		}
	}
	/* dm-integrity has a journal of its own. */
	if (uuid != NULL && text_starts_with(uuid, "CRYPT-INTEGRITY")) {
		storage->write_copies_known = false;
	}
	if (uuid != NULL && text_starts_with(uuid, "VDO-")) {
		storage->write_copies_known = false;
		storage->has_compression = true;
	}
	free(uuid);
	free(name);
}

/** How often a software RAID writes each byte; 0 where that depends. */
static unsigned raid_copies(const char *root, const struct node *node, const char *level)
{
	unsigned disks = attribute_number(root, node->folder, "md/raid_disks");
	unsigned degraded = attribute_number(root, node->folder, "md/degraded");
	unsigned layout = attribute_number(root, node->folder, "md/layout");

	if (strcmp(level, "raid0") == 0 || strcmp(level, "linear") == 0) {
		return 1;
	}
	if (strcmp(level, "raid1") == 0) {
		return disks > degraded ? disks - degraded : 0;
	}
	if (strcmp(level, "raid10") == 0 && degraded == 0) {
		return (layout & 0xff) * (layout >> 8 & 0xff); /* the near copies, and the far ones */
	}
	return 0;
}

/** Take note of the first that is found; "idle", "none" and the like are no work. */
static void note_work(struct storage *storage, char *work, const char *of)
{
	static const char *const rest[] = {"idle", "none", "frozen", "balance paused"};
	bool is_work = work != NULL && work[0] != '\0' && storage->background_work == NULL;

	for (size_t i = 0; is_work && i < COUNT(rest); i++) {
		is_work = strcmp(work, rest[i]) != 0;
	}
	if (is_work) {
		storage->background_work = xasprintf("%s of %s", work, of);
	}
	free(work);
}

/** What the device adds to the copies that its members make. */
static double own_copies(struct descent *descent, const struct node *node)
{
	char *level = file_read_line(descent->root, "%s/md/level", node->folder);
	unsigned copies = level != NULL ? raid_copies(descent->root, node, level) : 1;

	free(level);
	note_work(descent->storage, file_read_line(descent->root, "%s/md/sync_action", node->folder), node->name);
	if (text_starts_with(node->name, "bcache")) {
		descent->storage->has_device_cache = true;
		copies = 0; /* one or two, as its mode has it */
	}
	if (copies == 0) {
		descent->storage->write_copies_known = false;
	}
	return copies > 0 ? copies : 1;
}

/** Follow all of them: the mean of their copies, the sum of their queues. */
static struct beneath descend_list(
	struct descent *descent, const struct node_list *list, unsigned roles, unsigned level)
{
	struct beneath all = {0};
	bool queues_known = true;

	for (size_t i = 0; i < list->count; i++) {
		struct beneath one = descend_device(descent, &list->nodes[i], roles, level);

		all.copies += one.copies / (double)list->count;
		all.queue_limit += one.queue_limit;
		queues_known = queues_known && one.queue_limit > 0;
	}
	all.queue_limit = queues_known ? all.queue_limit : 0;
	return all;
}

/** A device made of others. */
static struct beneath descend_stack(
	struct descent *descent, const struct node *node, unsigned roles, const struct node_list *slaves, unsigned level)
{
	unsigned own_queue_limit = queue_limit_read(descent->root, node);
	struct node whole = whole_of(node);
	struct beneath beneath;

	mapper_note(descent, node);
	device_add(descent, node, roles, own_queue_limit); /* before what is beneath, so that the lists begin at the top */
	device_add(descent, &whole, 0, 0);
	beneath = descend_list(descent, slaves, 0, level + 1);
	beneath.copies *= own_copies(descent, node);
	if (own_queue_limit > 0) {
		beneath.queue_limit = own_queue_limit;
	} else {
		device_add(descent, node, roles, beneath.queue_limit);
	}
	return beneath;
}

struct beneath descend_device(struct descent *descent, const struct node *node, unsigned roles, unsigned level)
{
	char *file = file_read_line(descent->root, "%s/loop/backing_file", node->folder);
	struct node_list slaves = {0};
	struct beneath beneath;

	if (level < BASE_LEVEL_LIMIT) {
		node_list_add_slaves(&slaves, descent->root, node->folder);
	}
	if (slaves.count > 0) {
		beneath = descend_stack(descent, node, roles, &slaves, level);
	} else if (file != NULL && level < BASE_LEVEL_LIMIT) {
		beneath = descend_loop(descent, node, roles, file, level);
	} else {
		beneath = descend_leaf(descent, node, roles);
	}
	node_list_release(&slaves);
	free(file);
	return beneath;
}

/** How often a profile of btrfs writes each byte; 0 where that depends, or where it is no profile. */
static unsigned profile_copies(const char *profile)
{
	if (strcmp(profile, "single") == 0 || strcmp(profile, "raid0") == 0) {
		return 1;
	}
	if (strcmp(profile, "raid1c3") == 0) {
		return 3;
	}
	if (strcmp(profile, "raid1c4") == 0) {
		return 4;
	}
	return strcmp(profile, "dup") == 0 || strcmp(profile, "raid1") == 0 || strcmp(profile, "raid10") == 0 ? 2 : 0;
}

/** How often btrfs writes each byte of data; 0 where that depends, as while one profile is converted to another. */
static unsigned btrfs_copies(const char *root, const char *folder)
{
	/* Small file systems keep data and metadata together. */
	static const char *const kinds[] = {"data", "mixed"};
	unsigned least = UINT_MAX;
	unsigned most = 0;

	for (size_t i = 0; i < COUNT(kinds); i++) {
		char **names = file_names(root, "%s/allocation/%s", folder, kinds[i]);

		for (size_t j = 0; names[j] != NULL; j++) {
			unsigned copies = profile_copies(names[j]);

			/* The other entries are files of numbers. */
			if (copies > 0 || text_starts_with(names[j], "raid")) {
				least = copies < least ? copies : least;
				most = copies > most ? copies : most;
			}
		}
		file_names_free(names);
	}
	return least == most ? most : 0;
}

struct beneath descend_base(struct descent *descent, const struct base *base, unsigned roles, unsigned level)
{
	struct beneath beneath = descend_list(descent, &base->devices, roles, level);
	unsigned copies = base->may_copy ? 0 : 1;

	if (base->btrfs != NULL) {
		copies = base->is_degraded ? 0 : btrfs_copies(descent->root, base->btrfs);
		note_work(descent->storage, file_read_line(descent->root, "%s/exclusive_operation", base->btrfs), "btrfs");
	}
	if (copies == 0) {
		descent->storage->write_copies_known = false;
	} else {
		beneath.copies *= copies;
	}
	return beneath;
}
