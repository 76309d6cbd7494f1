#include "probe/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"
#include "support/units.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** Where programs of the system lie; a user's PATH often leaves out the sbin folders. */
#define USUAL_FOLDERS "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/** Makers of machines that do not exist, and such machines, as the firmware names them. */
static const char *const virtual_makers[] = {
	"QEMU",
	"VMware",
	"Xen",
	"KVM",
	"innotek",
	"OpenStack",
	"Parallels",
	"Amazon EC2",
	"Google Compute Engine",
	"Microsoft Corporation Virtual Machine",
};

/** The number behind `key` in /proc/meminfo, which is in KiB; 0 where it is not there. */
static uint64_t meminfo_bytes(const char *root, const char *key)
{
	struct text content = TEXT_EMPTY;
	uint64_t size_bytes = 0;
	const char *line;

	if (file_read(&content, root, "/proc/meminfo")) {
		for (line = text_string(&content); line != NULL; line = strchr(line, '\n')) {
			line += *line == '\n';
			if (text_starts_with(line, key)) {
				size_bytes = (uint64_t)strtoull(line + strlen(key), NULL, 10) * 1024;
				break;
			}
		}
	}
	text_release(&content);
	return size_bytes;
}

/** The smaller of two limits, one of which is in a file; "max", or a file that is not there, is no limit. */
static uint64_t smaller_limit(uint64_t limit_bytes, const char *root, const char *folder, const char *name)
{
	char *line = file_read_line(root, "/sys/fs/cgroup%s/%s", folder, name);
	uint64_t found_bytes = 0;

	if (line != NULL && units_parse_number(line, 1, UINT64_MAX, &found_bytes) && found_bytes < limit_bytes) {
		limit_bytes = found_bytes;
	}
	free(line);
	return limit_bytes;
}

/** A control group, such as a container's, may grant less than the machine has: version 2 or 1, ours or the root's. */
static uint64_t control_group_limit(uint64_t limit_bytes, const char *root)
{
	struct text groups = TEXT_EMPTY;
	char *line, *rest = NULL;

	limit_bytes = smaller_limit(limit_bytes, root, "", "memory.max");
	limit_bytes = smaller_limit(limit_bytes, root, "/memory", "memory.limit_in_bytes");
	if (file_read(&groups, root, "/proc/self/cgroup") && groups.length > 0) {
		for (line = strtok_r(groups.bytes, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
			char *memory = strstr(line, ":memory:");

			if (text_starts_with(line, "0::/")) {
				limit_bytes = smaller_limit(limit_bytes, root, line + strlen("0::"), "memory.max");
			} else if (memory != NULL) {
				char *folder = xasprintf("/memory%s", memory + strlen(":memory:"));

				limit_bytes = smaller_limit(limit_bytes, root, folder, "memory.limit_in_bytes");
				free(folder);
			}
		}
	}
	text_release(&groups);
	return limit_bytes;
}

uint64_t host_memory_available_bytes(const char *root)
{
	uint64_t available_bytes = meminfo_bytes(root, "MemAvailable:");

	return available_bytes == 0 ? 0 : control_group_limit(available_bytes, root);
}

uint64_t host_memory_total_bytes(const char *root)
{
	uint64_t total_bytes = meminfo_bytes(root, "MemTotal:");

	return total_bytes == 0 ? 0 : control_group_limit(total_bytes, root);
}

char *host_machine(const char *root)
{
	char *vendor = file_read_line(root, "/sys/class/dmi/id/sys_vendor");
	char *product = file_read_line(root, "/sys/class/dmi/id/product_name");
	char *machine = xasprintf("%s%s%s", vendor ? vendor : "", vendor && product ? " " : "", product ? product : "");

	free(product);
	free(vendor);
	return machine;
}

bool host_machine_is_virtual(const char *machine)
{
	bool found = false;

	for (size_t i = 0; !found && i < COUNT(virtual_makers); i++) {
		found = strstr(machine, virtual_makers[i]) != NULL;
	}
	return found;
}

static bool is_program(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0;
}

/** The absolute path of `program` in a folder as PATH names it; the caller frees it, NULL where that is not known. */
static char *program_path(const char *folder, const char *program)
{
	char *current, *path;

	if (folder[0] == '/') {
		return xasprintf("%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", program);
	}
	current = getcwd(NULL, 0);
	if (current == NULL) {
		return NULL;
	}
	if (folder[0] == '\0' || strcmp(folder, ".") == 0) {
		path = xasprintf("%s/%s", current, program);
	} else {
		path = xasprintf("%s/%s/%s", current, folder, program);
	}
	free(current);
	return path;
}

char *host_find_in(const char *search_path, const char *program)
{
	char *found = NULL;

	if (program[0] == '\0' || strchr(program, '/') != NULL) {
		return NULL;
	}
	while (found == NULL && search_path != NULL) {
		size_t length = strcspn(search_path, ":");
		char *folder = xstrndup(search_path, length);
		char *path = program_path(folder, program);

		if (path != NULL && is_program(path)) {
			found = path;
			path = NULL;
		}
		free(path);
		free(folder);
		search_path = search_path[length] == ':' ? search_path + length + 1 : NULL;
	}
	return found;
}

char *host_find_program(const char *program)
{
	const char *search_path = getenv("PATH");
	char *found = NULL;

	if (search_path != NULL && search_path[0] != '\0') {
		found = host_find_in(search_path, program);
	}
	return found != NULL ? found : host_find_in(USUAL_FOLDERS, program);
}

const char *host_install_command(void)
{
	static const struct {
		const char *program;
		const char *command;
	} managers[] = {
		{"apt-get", "apt-get install fio"},
		{"dnf", "dnf install fio"},
		{"yum", "yum install fio"},
		{"pacman", "pacman -S fio"},
		{"zypper", "zypper install fio"},
		{"apk", "apk add fio"},
	};

	for (size_t i = 0; i < sizeof(managers) / sizeof(managers[0]); i++) {
		char *path = host_find_program(managers[i].program);

		free(path);
		if (path != NULL) {
			return managers[i].command;
		}
	}
	return "your package manager";
}
