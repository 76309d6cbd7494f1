#include "environment_parts.h"

#include <stdlib.h>
#include <string.h>

#include "probe/base.h"
#include "support/text.h"
#include "support/units.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** A mount option that changes results, with or without a value. */
struct known_option {
	const char *types; /* of file system, separated by commas; NULL for all */
	const char *name;
};

#define EXT "ext2,ext3,ext4"
#define NFS "nfs,nfs4"
#define CIFS "cifs,smb3"

static const struct known_option known_options[] = {
	{EXT, "data"},
	{EXT, "barrier"},
	{EXT, "nobarrier"},
	{EXT, "journal_checksum"},
	{EXT, "journal_async_commit"},
	{EXT, "nodelalloc"},
	{EXT, "commit"},
	{"btrfs", "nodatacow"},
	{"btrfs", "nodatasum"},
	{"btrfs", "compress"},
	{"btrfs", "compress-force"},
	{"btrfs", "autodefrag"},
	{"btrfs", "ssd"},
	{"btrfs", "ssd_spread"},
	{"btrfs", "nobarrier"},
	{"btrfs", "flushoncommit"},
	{"btrfs", "notreelog"},
	{"btrfs", "commit"},
	{"xfs", "logbufs"},
	{"xfs", "logbsize"},
	{"xfs", "logdev"},
	{"xfs", "rtdev"},
	{"xfs", "wsync"},
	{"xfs", "nobarrier"},
	{"f2fs", "mode"},
	{"f2fs", "fsync_mode"},
	{"f2fs", "compress_algorithm"},
	{"f2fs", "nobarrier"},
	{NFS, "vers"},
	{NFS, "proto"},
	{NFS, "nconnect"},
	{NFS, "rsize"},
	{NFS, "wsize"},
	{NFS, "soft"},
	{CIFS, "vers"},
	{CIFS, "cache"},
	{CIFS, "rsize"},
	{CIFS, "wsize"},
	{NULL, "sync"},
	{NULL, "dirsync"},
	{NULL, "dax"},
	{NULL, "discard"},
	{NULL, "noatime"},
	{NULL, "relatime"},
	{NULL, "strictatime"},
	{NULL, "lazytime"},
};

/** The option with its value, if the mount has it. */
static void option_add(struct text *list, const struct mount *mount, const char *name)
{
	const char *sources[] = {mount->super_options, mount->options};

	for (size_t i = 0; i < COUNT(sources); i++) {
		if (mount_has_option(sources[i], name)) {
			char *value = mount_option_value(sources[i], name);

			text_addf(list, "%s%s%s%s", list->length > 0 ? "," : "", name, value != NULL ? "=" : "",
				value != NULL ? value : "");
			free(value);
			return;
		}
	}
}

static void add_mount(struct environment *environment, const struct mount *mount)
{
	struct text list = TEXT_EMPTY;

	environment_add(environment, "file_system", mount->source, "file system", mount->type);
	for (size_t i = 0; i < COUNT(known_options); i++) {
		if (known_options[i].types == NULL || mount_has_option(known_options[i].types, mount->type)) {
			option_add(&list, mount, known_options[i].name);
		}
	}
	environment_add(environment, "mount_options", mount->source, "mount options", text_string(&list));
	text_release(&list);
}

/** The file system that holds the upper folder of an overlay, where it can be seen from here. */
static void add_upper(struct environment *environment, const char *root, const struct mount *mount, unsigned level)
{
	struct mount upper;

	if (level < BASE_LEVEL_LIMIT && base_find_upper(&upper, root, mount)) {
		add_mount(environment, &upper);
		add_upper(environment, root, &upper, level + 1);
		mount_release(&upper);
	}
}

/** The dataset's properties under keys of their own: a key is a constant, and a property is what zfs printed. */
static void add_properties(struct environment *environment, const struct zfs_pool *pool)
{
	for (const struct zfs_known_property *known = zfs_known_properties; known->name != NULL; known++) {
		const char *value = zfs_pool_property(pool, known->name);
		uint64_t size_bytes;

		if (value != NULL && known->is_size && units_parse_number(value, 1, UINT64_MAX, &size_bytes)) {
			environment_add_owned(environment, known->key, pool->dataset, known->name, units_format_size(size_bytes));
		} else {
			environment_add(environment, known->key, pool->dataset, known->name, value);
		}
	}
}

void environment_add_file_system(
	struct environment *environment, const char *root, const struct mount *mount, const struct zfs_pool *pool)
{
	if (mount->type != NULL && mount->source != NULL) {
		add_mount(environment, mount);
		add_upper(environment, root, mount, 0);
	}
	add_properties(environment, pool);
}
