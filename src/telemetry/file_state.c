#include "telemetry/file_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

/* FS_IOC_FIEMAP and FS_IOC_GETFLAGS, whose headers not every C library ships. */
struct extent {
	uint64_t logical;
	uint64_t physical;
	uint64_t length;
	uint64_t reserved[2];
	uint32_t flags;
	uint32_t reserved_too[3];
};
struct extent_request {
	uint64_t start;
	uint64_t length;
	uint32_t flags;
	uint32_t mapped;
	uint32_t count;
	uint32_t reserved;
};
#define GET_EXTENTS _IOWR('f', 11, struct extent_request)
#define GET_FLAGS _IOR('f', 1, long)
enum { EXTENT_NOWHERE = 0x2 | 0x4, EXTENT_ENCODED = 0x8, FLAG_JOURNALS_DATA = 0x4000 };

enum {
	HOLE_STEPS = 4096,
	EXTENT_PLACES = 8,
	EXTENTS_EACH = 64,
	WINDOWS = 64,
	WINDOW_BYTES = 1 << 20,
};

/* Whether somebody still wants to know. */
struct patience {
	file_state_goes_on *goes_on; /* NULL: always */
	void *context;
};

static bool lasts(const struct patience *patience)
{
	return !patience->goes_on || patience->goes_on(patience->context);
}

/* ioctl(2), which C libraries declare with different types of `request`. */
static bool ask(int file, unsigned long request, void *answer)
{
	return syscall(SYS_ioctl, file, request, answer) == 0;
}

/* part / whole of `size`, without overflow. */
static uint64_t scaled(uint64_t size, uint64_t share, uint64_t whole)
{
	return whole == 0 ? 0 : (uint64_t)((double)size * ((double)share / (double)whole));
}

/*
 * Add up what is data. Stops after so many steps; `*seen` is how far it came. False where the kernel cannot tell, or
 * nobody wants to know.
 */
static bool walk_data(int file, uint64_t size, const struct patience *patience, uint64_t *data, uint64_t *seen)
{
	*data = *seen = 0;
	for (int step = 0; step < HOLE_STEPS && *seen < size; step++) {
		if (!lasts(patience)) {
			return false;
		}
		off_t begin = lseek(file, (off_t)*seen, SEEK_DATA);

		if (begin < 0 && errno == ENXIO) { /* from here on there is nothing */
			*seen = size;
			return true;
		}
		off_t end = begin < 0 ? -1 : lseek(file, begin, SEEK_HOLE);
		if (end <= begin || (uint64_t)begin < *seen) {
			return false;
		}
		uint64_t until = (uint64_t)end < size ? (uint64_t)end : size;
		*data += until > (uint64_t)begin ? until - (uint64_t)begin : 0;
		*seen = until;
	}
	return true;
}

static void take_holes(struct file_state *state, int file, const struct patience *patience)
{
	uint64_t data = 0, seen = 0;
	off_t position = lseek(file, 0, SEEK_CUR);

	if (walk_data(file, state->size_bytes, patience, &data, &seen)) {
		state->unwritten_bytes = seen >= state->size_bytes ? seen - data : scaled(state->size_bytes, seen - data, seen);
		state->known |= FILE_STATE_HOLES;
	}
	if (position >= 0) {
		lseek(file, position, SEEK_SET);
	}
}

/* The extents from `start` on, as many as one question yields, no further than `until`. */
static bool take_extents(struct file_state *state, int file, uint64_t start, uint64_t until)
{
	struct {
		struct extent_request request;
		struct extent extents[EXTENTS_EACH];
	} map = {.request = {.start = start, .length = until - start, .count = EXTENTS_EACH}};

	if (!ask(file, GET_EXTENTS, &map)) {
		return false;
	}
	for (uint32_t i = 0; i < map.request.mapped && i < EXTENTS_EACH; i++) {
		const struct extent *extent = &map.extents[i];
		uint64_t begin = extent->logical > start ? extent->logical : start;
		uint64_t end = extent->logical + extent->length;

		end = end < until ? end : until;
		/* What waits in RAM is not encoded yet, whatever becomes of it. */
		if (end <= begin || (extent->flags & EXTENT_NOWHERE && !(extent->flags & EXTENT_ENCODED))) {
			continue;
		}
		state->encoded_looked_at_bytes += end - begin;
		state->encoded_bytes += extent->flags & EXTENT_ENCODED ? end - begin : 0;
	}
	return true;
}

/* A few places, spread over the file. */
static void take_encoded(struct file_state *state, int file, const struct patience *patience)
{
	uint64_t part = state->size_bytes / EXTENT_PLACES;

	for (uint64_t i = 0; i < EXTENT_PLACES; i++) {
		uint64_t start = i * part;
		uint64_t until = i + 1 < EXTENT_PLACES ? start + part : state->size_bytes;

		if (until > start && (!lasts(patience) || !take_extents(state, file, start, until))) {
			state->encoded_bytes = state->encoded_looked_at_bytes = 0;
			return;
		}
	}
	state->known |= state->encoded_looked_at_bytes > 0 ? (uint32_t)FILE_STATE_ENCODED : 0;
}

bool file_resident(int file, uint64_t offset_bytes, uint64_t size_bytes, uint64_t *resident_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t count = (size_t)((size_bytes + page - 1) / page);
	uint64_t pages = 0;

	*resident_bytes = 0;
	if (size_bytes == 0) {
		return false;
	}
	void *mapped = mmap(NULL, (size_t)size_bytes, PROT_READ, MAP_SHARED, file, (off_t)offset_bytes);
	if (mapped == MAP_FAILED) {
		return false;
	}
	unsigned char *in_core = xcalloc(count, 1);
	bool known = mincore(mapped, (size_t)size_bytes, in_core) == 0;
	for (size_t i = 0; known && i < count; i++) {
		pages += in_core[i] & 1;
	}
	free(in_core);
	munmap(mapped, (size_t)size_bytes);
	*resident_bytes = pages * page < size_bytes ? pages * page : size_bytes;
	return known;
}

/* The whole of a small file, windows of a large one. */
static void take_resident(struct file_state *state, int file, const struct patience *patience)
{
	uint64_t size = state->size_bytes;
	bool whole = size <= (uint64_t)WINDOWS * WINDOW_BYTES;
	uint64_t count = whole ? (size + WINDOW_BYTES - 1) / WINDOW_BYTES : WINDOWS;
	uint64_t distance = whole ? WINDOW_BYTES : size / WINDOWS / WINDOW_BYTES * WINDOW_BYTES;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t start = i * distance, resident = 0;
		uint64_t length = size - start < WINDOW_BYTES ? size - start : WINDOW_BYTES;

		if (!lasts(patience) || !file_resident(file, start, length, &resident)) {
			state->resident_bytes = state->resident_looked_at_bytes = 0;
			return;
		}
		state->resident_looked_at_bytes += length;
		state->resident_bytes += resident;
	}
	state->known |= count > 0 ? (uint32_t)FILE_STATE_RESIDENT : 0;
}

/* Where data=journal is the file system's own default (tune2fs -o), the mount does not show it; ext4 does here. */
static bool defaults_to_journal(const char *root, const struct mount *mount)
{
	struct text options = TEXT_EMPTY;
	char *link = file_read_link(root, "/sys/dev/block/%u:%u", mount->device_major, mount->device_minor);
	const char *name = link ? strrchr(link, '/') : NULL;
	bool journals = name && file_read(&options, root, "/proc/fs/ext4%s/options", name) &&
					strstr(text_string(&options), "data=journal\n") != NULL;

	text_release(&options);
	free(link);
	return journals;
}

bool file_journals_data(const char *root, int file, const struct mount *mount)
{
	int flags[2] = {0, 0}; /* the kernel writes an int, though its number says long */
	bool is_ext = mount && (strcmp(mount->type, "ext4") == 0 || strcmp(mount->type, "ext3") == 0);
	char *mode = is_ext ? mount_option_value(mount->super_options, "data") : NULL;
	bool journals = (mode && strcmp(mode, "journal") == 0) || (is_ext && !mode && defaults_to_journal(root, mount)) ||
					((is_ext || !mount) && ask(file, GET_FLAGS, flags) && (flags[0] & FLAG_JOURNALS_DATA) != 0);

	free(mode);
	return journals;
}

void file_state_take(struct file_state *state, const char *root, int file, const struct mount *mount, int may_wait,
	file_state_goes_on *goes_on, void *context)
{
	const struct patience patience = {goes_on, context};
	struct stat status;

	*state = (struct file_state){.known = 0};
	if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) {
		return;
	}
	state->size_bytes = (uint64_t)status.st_size;
	state->allocated_bytes = (uint64_t)status.st_blocks * 512;
	state->known |= FILE_STATE_ALLOCATED;
	state->journals_data = file_journals_data(root, file, mount) ? 1 : 0;
	if (may_wait) {
		take_holes(state, file, &patience);
	}
	take_encoded(state, file, &patience);
	take_resident(state, file, &patience);
}
