#include "network.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

/* The next line of `*text`, ended in place; NULL at the end. */
static char *next_line(char **text)
{
	char *line = *text;

	if (!line || *line == '\0') {
		return NULL;
	}
	char *end = strchr(line, '\n');
	if (end) {
		*end = '\0';
		*text = end + 1;
	} else {
		*text = line + strlen(line);
	}
	return line;
}

/* One character of a path in a table of mounts, where blanks stand as \ooo; moves `*at` behind it. */
static char table_character(const char **at)
{
	const char *from = *at;

	if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' && from[2] <= '7' && from[3] >= '0' &&
		from[3] <= '7') {
		*at = from + 4;
		return (char)(unsigned char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
	}
	*at = from + 1;
	return *from;
}

/* Whether the escaped word at `*at` is `path`; moves `*at` behind the word. */
static bool takes_path(const char **at, const char *path)
{
	bool same = true;

	while (**at != '\0' && **at != ' ') {
		char character = table_character(at);

		same = same && *path != '\0' && character == *path;
		path += *path != '\0' ? 1 : 0;
	}
	return same && *path == '\0';
}

/* "device SERVER:/EXPORT mounted on POINT with fstype nfs4 statvers=1.1": whether it is that mount's. */
static bool opens_section(const char *line, const struct mount *mount)
{
	const char *point = strstr(line, " mounted on ");

	if (!point) {
		return false;
	}
	point += strlen(" mounted on ");
	return takes_path(&point, mount->mount_point) && text_starts_with(point, " with fstype nfs");
}

/* "bytes:" and eight numbers: read and written by calls, by calls with O_DIRECT, from and to the server, in pages. */
static bool take_nfs_bytes(const char *line, struct network_counters *counters)
{
	return sscanf(line, " bytes: %*u %*u %*u %*u %" SCNu64 " %" SCNu64, &counters->read_bytes,
			   &counters->written_bytes) == 2;
}

/* A section for each mount; of several on one point the last lies on top. */
static bool take_nfs(struct network_counters *counters, char *table, const struct mount *mount)
{
	bool inside = false, found = false;
	char *line;

	while ((line = next_line(&table)) != NULL) {
		if (text_starts_with(line, "device ")) {
			inside = opens_section(line, mount);
		} else if (inside && take_nfs_bytes(line, counters)) {
			found = true;
		}
	}
	return found;
}

/* "//server/share/folder" or "\\server\share": the length of its first two parts; 0 where it has not got them. */
static size_t share_length(const char *name)
{
	size_t server = strspn(name, "/\\");
	size_t slash = server + strcspn(name + server, "/\\");
	size_t share = slash + strspn(name + slash, "/\\");
	size_t end = share + strcspn(name + share, "/\\ \t");

	return server == 2 && slash > server && end > share ? end : 0;
}

/* Servers and shares are the same in either case. A mount's source may hold blanks, so the table's name decides. */
static bool is_share(const char *listed, const char *source)
{
	size_t length = strlen(listed);

	while (length > 0 && isspace((unsigned char)listed[length - 1])) {
		length--;
	}
	for (size_t i = 0; i < length; i++) {
		char left = listed[i] == '\\' ? '/' : listed[i], right = source[i] == '\\' ? '/' : source[i];

		if (tolower((unsigned char)left) != tolower((unsigned char)right)) {
			return false;
		}
	}
	return share_length(source) > 0 && (source[length] == '\0' || source[length] == '/' || source[length] == '\\');
}

/* "1) \\server\share", perhaps with a word on its state: the share's name, ended in place; NULL for another line. */
static char *listed_share(char *line)
{
	char *name = line + strspn(line, "0123456789");

	if (name == line || !text_starts_with(name, ") \\\\")) {
		return NULL;
	}
	name += 2;
	name[strcspn(name, "\t")] = '\0';
	char *state = strstr(name, " DISCONNECTED");
	if (state) {
		*state = '\0';
	}
	return name;
}

/*
 * SMB 2 and later say "Bytes read: N  Bytes written: N" (since Linux 4.19), SMB 1 "Reads: N Bytes: N" and "Writes: N
 * Bytes: N". Adds; the number of directions that the line told of.
 */
static unsigned take_cifs_line(const char *line, struct network_counters *counters)
{
	uint64_t first = 0, second = 0;

	if (sscanf(line, " Bytes read: %" SCNu64 " Bytes written: %" SCNu64, &first, &second) == 2) {
		counters->read_bytes += first;
		counters->written_bytes += second;
		return 2;
	}
	if (sscanf(line, " Reads: %*u Bytes: %" SCNu64, &first) == 1) {
		counters->read_bytes += first;
		return 1;
	}
	if (sscanf(line, " Writes: %*u Bytes: %" SCNu64, &first) == 1) {
		counters->written_bytes += first;
		return 1;
	}
	return 0;
}

/* One share may be listed several times, once for each user who is logged in. */
static bool take_cifs(struct network_counters *counters, char *table, const struct mount *mount)
{
	bool inside = false;
	unsigned directions = 0;
	char *line;

	while ((line = next_line(&table)) != NULL) {
		const char *share = listed_share(line);

		if (share) {
			inside = is_share(share, mount->source);
		} else if (inside) {
			directions += take_cifs_line(line, counters);
		}
	}
	return directions >= 2;
}

bool network_counters_take(
	struct network_counters *counters, const char *root, enum watch_network network, const struct mount *mount)
{
	struct text table = TEXT_EMPTY;
	bool is_nfs = network == WATCH_NETWORK_NFS;
	bool known = false;

	*counters = (struct network_counters){0, 0};
	if (network == WATCH_NETWORK_NONE || !mount) {
		return false;
	}
	if (file_read(&table, root, "%s", is_nfs ? "/proc/self/mountstats" : "/proc/fs/cifs/Stats")) {
		char *lines = text_detach(&table);

		known = lines && (is_nfs ? take_nfs(counters, lines, mount) : take_cifs(counters, lines, mount));
		free(lines);
	}
	text_release(&table);
	return known;
}
