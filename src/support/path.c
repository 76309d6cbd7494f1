#include "support/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/file.h"
#include "support/memory.h"

/* As many symbolic links as the kernel follows. */
#define LINKS_MAX 40

char *path_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash) {
		return xstrdup(".");
	}
	return slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
}

const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *path_join(const char *folder, const char *name)
{
	return xasprintf("%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
}

/* Where the last of a chain of links to nothing points to, as far as there are links. The caller frees it. */
static char *follow_links(const char *path)
{
	char *end = xstrdup(path);

	for (int i = 0; i < LINKS_MAX; i++) {
		char *target = file_read_link("", "%s", end);
		if (!target) {
			break;
		}
		if (*target != '/') {
			char *folder = path_folder(end);
			char *joined = path_join(folder, target);
			free(folder);
			free(target);
			target = joined;
		}
		free(end);
		end = target;
	}
	return end;
}

char *path_resolve_missing(const char *path)
{
	char *end = follow_links(path);
	char *folder = path_folder(end);
	char *resolved = realpath(folder, NULL);
	const char *name = path_name(end);
	char *whole = NULL;

	if (resolved && *name == '\0') {
		errno = EISDIR;
	} else if (resolved) {
		whole = path_join(resolved, name);
	}
	int error = errno;
	free(resolved);
	free(folder);
	free(end);
	errno = error;
	return whole;
}
