#include "environment_parts.h"

#include <stdlib.h>
#include <string.h>

#include "attribute.h"
#include "probe/node.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"
#include "support/units.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** Devices on devices are followed so far. */
#define LEVEL_LIMIT 8

/** How the kernel writes an attribute. */
enum attribute_form { FORM_PLAIN, FORM_CHOICE, FORM_SWITCH, FORM_BYTES };

/** An attribute in the device's folder that says something about the results. */
struct known_attribute {
	const char *file;
	const char *key;
	const char *label;
	enum attribute_form form;
};

/** Of every device in the stack, where it has them. */
static const struct known_attribute stack_attributes[] = {
	{"md/level", "raid", "RAID level", FORM_PLAIN},
	{"bcache/cache_mode", "cache_mode", "bcache mode", FORM_CHOICE},
	{"loop/backing_file", "loop.file", "file behind the loop device", FORM_PLAIN},
	{"loop/dio", "loop.direct", "loop device uses O_DIRECT", FORM_SWITCH},
};

/** Of whole disks. */
static const struct known_attribute disk_attributes[] = {
	{"queue/scheduler", "scheduler", "scheduler", FORM_CHOICE},
	{"queue/write_cache", "write_cache", "write cache", FORM_PLAIN},
	{"queue/rotational", "rotational", "rotational", FORM_SWITCH},
	{"queue/nr_requests", "nr_requests", "queue length", FORM_PLAIN},
	{"queue/logical_block_size", "block_size.logical", "logical block size", FORM_BYTES},
	{"queue/physical_block_size", "block_size.physical", "physical block size", FORM_BYTES},
};

/** The attribute as a person reads it; takes the line over. NULL where it makes no sense. */
static char *attribute_value(char *line, enum attribute_form form)
{
	char *value = NULL;
	uint64_t number = 0;

	switch (form) {
	case FORM_PLAIN:
		return line;
	case FORM_CHOICE:
		value = attribute_chosen(line);
		break;
	case FORM_SWITCH:
		value = xstrdup(strcmp(line, "0") == 0 ? "no" : "yes");
		break;
	case FORM_BYTES:
		value = units_parse_number(line, 1, UINT64_MAX, &number) ? units_format_size(number) : NULL;
		break;
	}
	free(line);
	return value;
}

static void add_attributes(struct environment *environment, const char *root, const struct node *node,
	const struct known_attribute *attributes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct known_attribute *attribute = &attributes[i];
		char *line = file_read_line(root, "%s/%s", node->folder, attribute->file);

		if (line != NULL && !environment_has(environment, attribute->key, node->name)) {
			environment_add_owned(
				environment, attribute->key, node->name, attribute->label, attribute_value(line, attribute->form));
		} else {
			free(line);
		}
	}
}

/** The format of dm-crypt, which is the second word of its UUID: "CRYPT-LUKS2-0123...-home". */
static void add_encryption(struct environment *environment, const char *root, const struct node *node)
{
	char *uuid = file_read_line(root, "%s/dm/uuid", node->folder);

	if (uuid != NULL && text_starts_with(uuid, "CRYPT-") && !environment_has(environment, "encryption", node->name)) {
		const char *format = uuid + strlen("CRYPT-");

		environment_add_owned(environment, "encryption", node->name, "encryption",
			xasprintf("dm-crypt (%.*s)", (int)strcspn(format, "-"), format));
	}
	free(uuid);
}

/** The device and what lies beneath it, `level` devices deep so far. */
static void add_stack(struct environment *environment, const char *root, const struct node *node, unsigned level)
{
	char *slaves = xasprintf("%s/slaves", node->folder);
	char **entries = file_names(root, "%s", slaves);

	add_encryption(environment, root, node);
	add_attributes(environment, root, node, stack_attributes, COUNT(stack_attributes));
	for (size_t i = 0; level < LEVEL_LIMIT && entries[i] != NULL; i++) {
		struct node beneath;

		if (node_open(&beneath, root, slaves, entries[i])) {
			add_stack(environment, root, &beneath, level + 1);
			node_release(&beneath);
		}
	}
	file_names_free(entries);
	free(slaves);
}

static void add_disk(struct environment *environment, const char *root, const struct storage_device *device)
{
	struct node node;

	if (node_open_number(&node, root, device->major, device->minor)) {
		environment_add_owned(environment, "model", node.name, "model", node_model(root, node.folder));
		add_attributes(environment, root, &node, disk_attributes, COUNT(disk_attributes));
		node_release(&node);
	}
	environment_add(environment, "link", device->name, "link", device->link);
}

void environment_add_devices(struct environment *environment, const char *root, const struct storage *storage)
{
	for (size_t i = 0; i < storage->device_count; i++) {
		const struct storage_device *device = &storage->devices[i];
		struct node node;

		if ((device->roles & (1U << STORAGE_TOP)) != 0 && node_open_number(&node, root, device->major, device->minor)) {
			add_stack(environment, root, &node, 0);
			node_release(&node);
		}
	}
	for (size_t i = 0; i < storage->device_count; i++) {
		if ((storage->devices[i].roles & (1U << STORAGE_DISK)) != 0) {
			add_disk(environment, root, &storage->devices[i]);
		}
	}
}
