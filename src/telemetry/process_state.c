#include "telemetry/process_state.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/clock.h"
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

/* Whether what an io_uring moves in the background is on the account of the process that asked for it. */
static bool counts_io_uring(const char *root)
{
	unsigned version = 0, minor = 0, patch = 0;
	char *release = file_read_line(root, "/proc/sys/kernel/osrelease");
	bool told = release && sscanf(release, "%u.%u.%u", &version, &minor, &patch) >= 2;

	free(release);
	return told && (version > 5 || (version == 5 && (minor >= 12 || (minor == 10 && patch >= 162))));
}

static uint64_t time_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_usec * (NS_PER_MS / 1000);
}

bool process_account_take(
	struct process_account *account, const char *root, const struct rusage *usage, const struct process_files *files)
{
	struct text table = TEXT_EMPTY;
	uint64_t own = 0;
	bool has_io_uring = files->io_uring || files->files == 0;
	/* Where the kernel keeps no account the blocks are 0, as they are of a process that moved nothing. */
	bool known = file_read(&table, root, "/proc/self/io") && take_number(&table, "\nread_bytes:", 10, &own) &&
				 usage->ru_inblock >= 0 && (!has_io_uring || counts_io_uring(root));

	*account = (struct process_account){
		.known = known ? 1 : 0,
		.read_bytes = known ? (uint64_t)usage->ru_inblock * BLOCK_BYTES : 0,
		.processor_ns = time_ns(&usage->ru_utime) + time_ns(&usage->ru_stime),
	};
	text_release(&table);
	return known;
}

bool process_moved(const char *root, pid_t pid, uint64_t *bytes)
{
	struct text table = TEXT_EMPTY;
	uint64_t read_bytes = 0, written_bytes = 0;
	bool known = file_read(&table, root, "/proc/%ld/io", (long)pid) &&
				 take_number(&table, "\nread_bytes:", 10, &read_bytes) &&
				 take_number(&table, "\nwrite_bytes:", 10, &written_bytes);

	*bytes = read_bytes + written_bytes;
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
		/* O_DSYNC is one of O_SYNC's two bits. */
		bool is_synchronous = (flags & (uint64_t)O_SYNC) == (uint64_t)O_SYNC;
		files->synchronous += is_synchronous ? 1 : 0;
		files->data_synchronous += !is_synchronous && (flags & (uint64_t)O_DSYNC) != 0 ? 1 : 0;
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
