#include "support/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/memory.h"

/** Files beneath /proc and /sys are small; what is longer is cut off. */
#define CONTENT_LIMIT ((size_t)4 << 20)

static char *path_format(const char *root, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

static char *path_format(const char *root, const char *format, va_list arguments)
{
	struct text path = TEXT_EMPTY;

	text_add(&path, root);
	text_vaddf(&path, format, arguments);
	return text_detach(&path);
}

/** Append what `descriptor` yields, at most CONTENT_LIMIT; on failure the content is as before. */
static bool descriptor_read(int descriptor, struct text *content)
{
	size_t start = content->length;
	char buffer[8192];

	while (content->length - start < CONTENT_LIMIT) {
		size_t room = CONTENT_LIMIT - (content->length - start);
		ssize_t count = read(descriptor, buffer, room < sizeof(buffer) ? room : sizeof(buffer));

		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count < 0) {
			if (content->bytes != NULL) {
				content->length = start;
				content->bytes[start] = '\0';
			}
			return false;
		}
		if (count == 0) {
			break;
		}
		text_add_bytes(content, buffer, (size_t)count);
	}
	return true;
}

/** Read the file and free its path. */
static bool path_read(struct text *content, char *path)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	bool success = descriptor >= 0 && descriptor_read(descriptor, content);
	int error = errno;

	if (descriptor >= 0) {
		close(descriptor);
	}
	free(path);
	errno = error;
	return success;
}

bool file_read(struct text *content, const char *root, const char *format, ...)
{
	va_list arguments;
	char *path;

	va_start(arguments, format);
	path = path_format(root, format, arguments);
	va_end(arguments);
	return path_read(content, path);
}

char *file_read_line(const char *root, const char *format, ...)
{
	struct text content = TEXT_EMPTY;
	const char *line;
	va_list arguments;
	size_t length;
	char *copy;

	va_start(arguments, format);
	copy = path_format(root, format, arguments);
	va_end(arguments);
	if (!path_read(&content, copy)) {
		int error = errno;

		text_release(&content);
		errno = error;
		return NULL;
	}
	line = text_string(&content);
	length = strcspn(line, "\n");
	while (length > 0 && strchr(" \t\r", line[length - 1]) != NULL) {
		length--;
	}
	copy = xstrndup(line, length);
	text_release(&content);
	return copy;
}

/** qsort's order of two names. */
static int names_compare(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

char **file_names(const char *root, const char *format, ...)
{
	char **names = xcalloc(1, sizeof(*names));
	size_t count = 0;
	struct dirent *entry;
	va_list arguments;
	char *path;
	DIR *folder;

	va_start(arguments, format);
	path = path_format(root, format, arguments);
	va_end(arguments);
	folder = opendir(path);
	free(path);
	if (folder == NULL) {
		return names;
	}
	while ((entry = readdir(folder)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
			continue;
		}
		names = xrealloc(names, (count + 2) * sizeof(*names));
		names[count++] = xstrdup(entry->d_name);
		names[count] = NULL;
	}
	closedir(folder);
	qsort(names, count, sizeof(*names), names_compare);
	return names;
}

void file_names_free(char **names)
{
	for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
		free(names[i]);
	}
	free(names);
}

char *file_read_link(const char *root, const char *format, ...)
{
	size_t capacity = 256;
	char *link = NULL;
	va_list arguments;
	ssize_t length;
	char *path;

	va_start(arguments, format);
	path = path_format(root, format, arguments);
	va_end(arguments);
	do {
		/* A result that fills the buffer may have been cut off. */
		capacity *= 2;
		link = xrealloc(link, capacity);
		length = readlink(path, link, capacity);
	} while (length >= 0 && (size_t)length == capacity);
	if (length < 0) {
		int error = errno;

		free(link);
		free(path);
		errno = error;
		return NULL;
	}
	link[length] = '\0';
	free(path);
	return link;
}

void file_close(int *descriptor)
{
	if (*descriptor >= 0) {
		close(*descriptor);
		*descriptor = -1;
	}
}
