#include "telemetry/process_state.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

enum {
	DESCRIPTORS_MAX = 2048, /* of a process with more the rest is not looked at */
	BLOCK_BYTES = 512,      /* of struct rusage, whatever the file system's are */
};

/* The number behind a name in a table of lines; `name` holds the line's beginning. */
static bool take_number(const struct text *table, const char *name, int base, uint64_t *number)
{
	const char *found = strstr(text_string(table), name);
	char *end = NULL;

	if (!found) {
		return false;
	}
	found += strlen(name);
	*number = strtoull(found, &end, base);
	return end != found;
}

bool process_account_take(struct process_account *account, const char *root, const struct rusage *usage)
{
	struct text table = TEXT_EMPTY;
	uint64_t own = 0;
	/* Where the kernel keeps no account the blocks are 0, as they are of a process that moved nothing. */
	bool known = file_read(&table, root, "/proc/self/io") && take_number(&table, "\nread_bytes:", 10, &own) &&
				 usage->ru_inblock >= 0 && usage->ru_oublock >= 0;

	*account = (struct process_account){.known = known ? 1 : 0};
	if (known) {
		account->read_bytes = (uint64_t)usage->ru_inblock * BLOCK_BYTES;
		account->written_bytes = (uint64_t)usage->ru_oublock * BLOCK_BYTES;
	}
	text_release(&table);
	return known;
}

/* Whether the link of a descriptor leads to that file. Only for links to files: a look at others could wait. */
static bool leads_to(const char *root, pid_t pid, const char *number, uint64_t device, uint64_t inode)
{
	struct stat status;
	char *path = xasprintf("%s/proc/%ld/fd/%s", root, (long)pid, number);
	bool same = stat(path, &status) == 0 && S_ISREG(status.st_mode) && (uint64_t)status.st_dev == device &&
				(uint64_t)status.st_ino == inode;

	free(path);
	return same;
}

/* The flags that it was opened with, in octal, as of this architecture. */
static void take_flags(struct process_files *files, const char *root, pid_t pid, const char *number)
{
	struct text table = TEXT_EMPTY;
	uint64_t flags = 0;

	if (file_read(&table, root, "/proc/%ld/fdinfo/%s", (long)pid, number) && take_number(&table, "flags:", 8, &flags)) {
		files->files++;
		files->direct += (flags & (uint64_t)O_DIRECT) != 0 ? 1 : 0;
		files->synchronous += (flags & (uint64_t)O_SYNC) == (uint64_t)O_SYNC ? 1 : 0;
	}
	text_release(&table);
}

static void take_descriptor(
	struct process_files *files, const char *root, pid_t pid, const char *number, uint64_t device, uint64_t inode)
{
	char *target = file_read_link(root, "/proc/%ld/fd/%s", (long)pid, number);

	if (target && strcmp(target, "anon_inode:[io_uring]") == 0) {
		files->io_uring = 1;
	} else if (target && *target == '/' && leads_to(root, pid, number, device, inode)) {
		take_flags(files, root, pid, number);
	}
	free(target);
}

void process_files_take(struct process_files *files, const char *root, pid_t pid, uint64_t device, uint64_t inode)
{
	struct text maps = TEXT_EMPTY;
	char **numbers = file_names(root, "/proc/%ld/fd", (long)pid);

	*files = (struct process_files){.files = 0};
	for (size_t i = 0; i < DESCRIPTORS_MAX && numbers[i]; i++) {
		take_descriptor(files, root, pid, numbers[i], device, inode);
	}
	if (numbers[0] && file_read(&maps, root, "/proc/%ld/maps", (long)pid)) {
		files->aio = strstr(text_string(&maps), " /[aio]") != NULL ? 1 : 0;
	}
	file_names_free(numbers);
	text_release(&maps);
}
