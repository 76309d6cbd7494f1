#include "record/record_json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/file.h"
#include "support/text.h"

/* Read what is there, and at most one byte more than may be. */
static bool read_all(int file, struct text *content)
{
	static const size_t limit = (size_t)RECORD_FILE_MAX_BYTES + 1;
	char buffer[65536];

	while (content->length < limit) {
		size_t room = limit - content->length;
		ssize_t size = read(file, buffer, room < sizeof(buffer) ? room : sizeof(buffer));

		if (size < 0 && errno == EINTR) {
			continue;
		}
		if (size <= 0) {
			return size == 0;
		}
		text_add_bytes(content, buffer, (size_t)size);
	}
	return true;
}

static bool refuse_size(const char *name, struct failure *failure)
{
	return failure_set(failure, STATUS_USAGE,
		"'%s' is larger than %d MiB, which no result that speedtest-hd saved is: name another file", name,
		(int)(RECORD_FILE_MAX_BYTES >> 20));
}

static bool refuse_file(const char *name, struct failure *failure)
{
	return failure_set(failure, STATUS_USAGE, "cannot read '%s': %s", name, strerror(errno));
}

/* Only a regular file ends, and yields what it holds without waiting. */
static bool check_file(int file, const char *name, struct failure *failure)
{
	struct stat status;

	if (fstat(file, &status) < 0) {
		return refuse_file(name, failure);
	}
	if (S_ISDIR(status.st_mode)) {
		return failure_set(failure, STATUS_USAGE, "'%s' is a directory: name a result saved with -o FILE.json", name);
	}
	if (!S_ISREG(status.st_mode)) {
		return failure_set(
			failure, STATUS_USAGE, "'%s' is no regular file: name a result saved with -o FILE.json", name);
	}
	return status.st_size <= (off_t)RECORD_FILE_MAX_BYTES || refuse_size(name, failure);
}

static bool load_descriptor(struct record *record, int file, const char *name, struct failure *failure)
{
	struct text content = TEXT_EMPTY;
	bool success = false;

	if (!check_file(file, name, failure)) {
		return false;
	}
	if (!read_all(file, &content)) {
		refuse_file(name, failure);
	} else if (content.length > RECORD_FILE_MAX_BYTES) {
		refuse_size(name, failure);
	} else {
		success = record_from_json(record, text_string(&content), content.length, name, failure);
	}
	text_release(&content);
	return success;
}

bool record_load(struct record *record, const char *path, struct failure *failure)
{
	char *name = text_printable(path);
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); /* no waiting for a FIFO's other end */
	bool success = false;

	*record = (struct record){0};
	if (file < 0) {
		refuse_file(name, failure);
	} else {
		success = load_descriptor(record, file, name, failure);
		file_close(&file);
	}
	free(name);
	return success;
}
