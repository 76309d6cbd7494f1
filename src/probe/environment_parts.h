/** The parts that environment_collect is put together from. Private to probe/. */
#ifndef PROBE_ENVIRONMENT_PARTS_H
#define PROBE_ENVIRONMENT_PARTS_H

#include "probe/environment.h"
#include "probe/power.h"

/** Add a fact; `subject` and `value` are copied and made safe to print. Nothing where there is no value. */
void environment_add(
	struct environment *environment, const char *key, const char *subject, const char *label, const char *value);
/** As environment_add, and takes the value over. */
void environment_add_owned(
	struct environment *environment, const char *key, const char *subject, const char *label, char *value);
/** Whether the fact is there already. */
bool environment_has(const struct environment *environment, const char *key, const char *subject);

/** What can be told of the file system: its type, its options, and of ZFS the properties. */
void environment_add_file_system(
	struct environment *environment, const char *root, const struct mount *mount, const struct zfs_pool *pool);
/** What can be told of the stack of devices beneath it, and of the disks at its bottom. */
void environment_add_devices(struct environment *environment, const char *root, const struct storage *storage);

/** How the machine saves power, where it is known. */
void environment_add_power(struct environment *environment, const struct power *power);

#endif
