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

/** Where programs of the system lie; a user's PATH often leaves out the sbin folders. */
#define USUAL_FOLDERS "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

uint64_t host_memory_available_bytes(const char *root)
{
	static const char key[] = "MemAvailable:";
	struct text content = TEXT_EMPTY;
	uint64_t available_bytes = 0;
	const char *line;

	if (file_read(&content, root, "/proc/meminfo")) {
		for (line = text_string(&content); line != NULL; line = strchr(line, '\n')) {
			line += *line == '\n';
			if (text_starts_with(line, key)) {
				available_bytes = (uint64_t)strtoull(line + sizeof(key) - 1, NULL, 10) * 1024;
				break;
			}
		}
	}
	text_release(&content);
	return available_bytes;
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
