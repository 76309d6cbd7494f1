#include "probe/mount.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

/** The mount table while it is read line by line. */
struct mount_table {
	struct text content;
	char *rest; /* what was not read yet; NULL at the end */
};

static bool is_octal(char character)
{
	return character >= '0' && character <= '7';
}

/** A copy with \040 and the like replaced by the byte they stand for. */
static char *octal_unescape(const char *field)
{
	char *copy = xstrdup(field);
	char *out = copy;

	while (*field != '\0') {
		if (field[0] == '\\' && is_octal(field[1]) && is_octal(field[2]) && is_octal(field[3])) {
			*out++ = (char)((field[1] - '0') * 64 + (field[2] - '0') * 8 + (field[3] - '0'));
			field += 4;
		} else {
			*out++ = *field++;
		}
	}
	*out = '\0';
	return copy;
}

/** Read one line of the table, which is taken apart. Fields may be empty, so each single blank separates. */
static bool line_parse(char *line, unsigned *id, struct mount *mount)
{
	char *fields[6]; /* id, parent, device, root, mount point, options */
	char *rest = line;
	char *optional, *type, *source;

	for (size_t i = 0; i < 6; i++) {
		fields[i] = strsep(&rest, " ");
		if (fields[i] == NULL) {
			return false;
		}
	}
	do {
		optional = strsep(&rest, " ");
		if (optional == NULL) {
			return false;
		}
	} while (strcmp(optional, "-") != 0);
	type = strsep(&rest, " ");
	source = strsep(&rest, " ");
	if (source == NULL || sscanf(fields[0], "%u", id) != 1 ||
		sscanf(fields[2], "%u:%u", &mount->device_major, &mount->device_minor) != 2) {
		return false;
	}
	mount->root = octal_unescape(fields[3]);
	mount->mount_point = octal_unescape(fields[4]);
	mount->options = xstrdup(fields[5]);
	mount->type = octal_unescape(type);
	mount->source = octal_unescape(source);
	mount->super_options = xstrdup(rest != NULL ? rest : "");
	return true;
}

static bool table_open(struct mount_table *table, const char *root)
{
	*table = (struct mount_table){TEXT_EMPTY, NULL};
	if (!file_read(&table->content, root, "/proc/self/mountinfo")) {
		text_release(&table->content);
		return false;
	}
	table->rest = table->content.bytes;
	return true;
}

/** The next mount, which the caller releases; false at the end. Lines that make no sense are passed over. */
static bool table_next(struct mount_table *table, unsigned *id, struct mount *mount)
{
	char *line;

	while ((line = strsep(&table->rest, "\n")) != NULL) {
		*mount = (struct mount){0};
		if (line_parse(line, id, mount)) {
			return true;
		}
	}
	return false;
}

/** Whether `folder` is `path` or one of the folders above it. */
static bool path_is_within(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	if (length > 0 && folder[length - 1] == '/') {
		length--;
	}
	return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/** Give `best` up for `candidate`. */
static void mount_replace(struct mount *best, struct mount *candidate)
{
	mount_release(best);
	*best = *candidate;
	*candidate = (struct mount){0};
}

bool mount_find(struct mount *mount, const char *root, const char *path)
{
	struct mount_table table;
	struct mount candidate;
	bool found = false;
	unsigned id;

	*mount = (struct mount){0};
	if (!table_open(&table, root)) {
		return false;
	}
	while (table_next(&table, &id, &candidate)) {
		if (path_is_within(path, candidate.mount_point) &&
			(!found || strlen(candidate.mount_point) >= strlen(mount->mount_point))) {
			mount_replace(mount, &candidate);
			found = true;
		}
		mount_release(&candidate);
	}
	text_release(&table.content);
	return found;
}

bool mount_find_id(struct mount *mount, const char *root, unsigned mount_id)
{
	struct mount_table table;
	bool found = false;
	unsigned id;

	*mount = (struct mount){0};
	if (!table_open(&table, root)) {
		return false;
	}
	while (!found && table_next(&table, &id, mount)) {
		found = id == mount_id;
		if (!found) {
			mount_release(mount);
		}
	}
	text_release(&table.content);
	return found;
}

void mount_release(struct mount *mount)
{
	free(mount->root);
	free(mount->mount_point);
	free(mount->options);
	free(mount->type);
	free(mount->source);
	free(mount->super_options);
	*mount = (struct mount){0};
}

/** Where the option stands in the list, and how long it is up to the next comma; NULL where it is absent. */
static const char *option_locate(const char *option_list, const char *name, size_t *length)
{
	size_t name_length = strlen(name);
	const char *option = option_list;

	while (option != NULL && *option != '\0') {
		*length = strcspn(option, ",");
		if (*length >= name_length && strncmp(option, name, name_length) == 0 &&
			(*length == name_length || option[name_length] == '=')) {
			return option;
		}
		option += *length;
		option += *option == ',';
	}
	return NULL;
}

bool mount_has_option(const char *option_list, const char *name)
{
	size_t length;

	return option_locate(option_list, name, &length) != NULL;
}

char *mount_option_value(const char *option_list, const char *name)
{
	size_t length;
	const char *option = option_locate(option_list, name, &length);
	size_t name_length = strlen(name);
	char *raw, *value;

	if (option == NULL || length == name_length) {
		return NULL;
	}
	raw = xstrndup(option + name_length + 1, length - name_length - 1);
	value = octal_unescape(raw);
	free(raw);
	return value;
}

bool mount_is_read_only(const struct mount *mount)
{
	return mount_has_option(mount->options, "ro") || mount_has_option(mount->super_options, "ro");
}

/** Whether the mount's source is that device: file systems over several devices (btrfs) have a number of their own. */
static bool source_is_device(const struct mount *mount, unsigned device_major, unsigned device_minor)
{
	struct stat status;

	return mount->device_major == 0 && text_starts_with(mount->source, "/dev/") && stat(mount->source, &status) == 0 &&
		   S_ISBLK(status.st_mode) && major(status.st_rdev) == device_major && minor(status.st_rdev) == device_minor;
}

char *mount_point_of_device(const char *root, unsigned device_major, unsigned device_minor)
{
	struct mount_table table;
	struct mount mount;
	char *point = NULL;
	bool is_whole = false;
	unsigned id;

	if (!table_open(&table, root)) {
		return NULL;
	}
	while (!is_whole && table_next(&table, &id, &mount)) {
		bool matches = (mount.device_major == device_major && mount.device_minor == device_minor) ||
					   (root[0] == '\0' && source_is_device(&mount, device_major, device_minor));

		/* A mount of the whole file system is better known to its user than one of a folder in it. */
		if (matches && (point == NULL || strcmp(mount.root, "/") == 0)) {
			free(point);
			point = xstrdup(mount.mount_point);
			is_whole = strcmp(mount.root, "/") == 0;
		}
		mount_release(&mount);
	}
	text_release(&table.content);
	return point;
}

bool mount_find_descriptor(struct mount *mount, int descriptor)
{
	struct text content = TEXT_EMPTY;
	const char *line = NULL;
	unsigned mount_id;
	bool found = false;

	if (file_read(&content, "", "/proc/self/fdinfo/%d", descriptor)) {
		line = strstr(text_string(&content), "mnt_id:");
	}
	if (line != NULL && sscanf(line, "mnt_id: %u", &mount_id) == 1) {
		found = mount_find_id(mount, "", mount_id);
	}
	text_release(&content);
	return found;
}
