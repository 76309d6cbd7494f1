#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fio/command.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/random.h"

enum {
	REGION_BYTES = 4 << 20,
	PIECE_BYTES = 1 << 20,   /* moved at once */
	FIRST_BYTES = 256 << 10, /* to see how slow the disk is */
	MIDDLE_BYTES = 1 << 20,
	QUICK_MS = 100, /* for the first: then all attempts with the whole region take at most some 3 s, mostly 50 ms */
	SLOW_MS = 400,  /* and as long with the middle one */
	DIRTIED_BYTES_MIN = 1 << 20, /* the kernel counts dirty pages in lots of some hundred KiB */
	ATTEMPTS = 2,
	ATTEMPTS_MAX = 3,
	ALIGNMENT_BYTES = 64 << 10, /* suits every page and every sector */
};

/* statx(2), whose newest fields not every C library knows. */
enum {
	STATX_BYTES = 256,
	STATX_WANTS_ALIGNMENT = 0x2000,
	STATX_MASK_AT = 0,
	STATX_MEMORY_ALIGNMENT_AT = 152,
	STATX_OFFSET_ALIGNMENT_AT = 156,
};

/* A trial under way. */
struct direct_trial {
	struct keeper *keeper;
	int file; /* with O_DIRECT */
	char *buffer;
	struct random_source source;
	uint64_t moving_ns; /* how long the transfers of the attempt took */
};

static uint32_t number_at(const unsigned char *bytes, size_t at)
{
	uint32_t number;

	memcpy(&number, bytes + at, sizeof(number));
	return number;
}

/* What the kernel itself says of O_DIRECT on this file. */
static void take_alignment(struct direct_truth *truth, int file)
{
#ifdef SYS_statx
	unsigned char answer[STATX_BYTES] = {0};

	if (syscall(SYS_statx, file, "", AT_EMPTY_PATH, (unsigned)STATX_WANTS_ALIGNMENT, answer) == 0 &&
		(number_at(answer, STATX_MASK_AT) & STATX_WANTS_ALIGNMENT) != 0) {
		truth->alignment_known = 1;
		truth->memory_alignment_bytes = number_at(answer, STATX_MEMORY_ALIGNMENT_AT);
		truth->offset_alignment_bytes = number_at(answer, STATX_OFFSET_ALIGNMENT_AT);
	}
#else
	(void)truth;
	(void)file;
#endif
}

/* Between two steps: a sign of life, and whether to go on. */
static bool goes_on(struct direct_trial *trial, struct direct_truth *truth)
{
	struct keeper_progress progress = {.total_bytes = truth->size_bytes, .bandwidth_bytes_per_s = -1};

	keeper_send_progress(trial->keeper->setup->out, &progress);
	requests_check(&trial->keeper->requests);
	if (trial->keeper->requests.stop_wanted) {
		truth->error = ECANCELED;
	}
	return truth->error == 0;
}

/* Write or read the whole region once. */
static bool transfer(struct direct_trial *trial, struct direct_truth *truth, bool writes)
{
	uint64_t started_ns = clock_now_ns();

	for (size_t done = 0; done < truth->size_bytes;) {
		size_t rest = (size_t)truth->size_bytes - done, size = rest < PIECE_BYTES ? rest : PIECE_BYTES;

		if (writes) {
			/* Data that is not there already: what compresses or deduplicates must not come into it. */
			random_source_fill(&trial->source, trial->buffer, size);
		}
		ssize_t moved = writes ? pwrite(trial->file, trial->buffer, size, (off_t)done)
							   : pread(trial->file, trial->buffer, size, (off_t)done);

		if (moved > 0) {
			done += (size_t)moved;
		} else if (moved == 0 || errno != EINTR) {
			truth->error = moved == 0 ? EIO : errno;
			return false;
		}
	}
	trial->moving_ns += clock_now_ns() - started_ns;
	return true;
}

static bool both_count(const struct reading *before, const struct reading *after)
{
	return reading_both_know(before, after, READING_DEVICES | READING_NETWORK);
}

static uint32_t take_resident(const struct direct_trial *trial, const struct direct_truth *truth, uint64_t *resident)
{
	return file_resident(trial->keeper->test_file, 0, truth->size_bytes, resident) ? 1 : 0;
}

/* What the file system kept back goes to the disk, and nothing of the file stays in RAM that need not. */
static void settle(int file)
{
	fsync(file);
	posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
}

static bool attempt_write(struct direct_trial *trial, struct direct_truth *truth)
{
	const struct witness *witness = &trial->keeper->witness;
	struct reading before, after;

	settle(trial->file); /* a page that is dirty already would not count as made dirty */
	witness_read(witness, &before);
	if (!transfer(trial, truth, true)) {
		return false;
	}
	witness_read(witness, &after);
	truth->device_known = both_count(&before, &after) ? 1 : 0;
	truth->written_device_bytes = witness_moved_bytes(&before, &after, WITNESS_WRITTEN);
	truth->dirtied_known =
		truth->size_bytes >= DIRTIED_BYTES_MIN && reading_both_know(&before, &after, READING_DIRTIED) ? 1 : 0;
	truth->dirtied_bytes = reading_grown(before.dirtied_bytes, after.dirtied_bytes);
	truth->resident_known = take_resident(trial, truth, &truth->resident_after_write_bytes);
	return true;
}

/* What the first read brings into the page cache the second does not fetch any more. */
static bool attempt_reads(struct direct_trial *trial, struct direct_truth *truth)
{
	const struct witness *witness = &trial->keeper->witness;
	struct reading before, after;

	if (!transfer(trial, truth, false) || !goes_on(trial, truth)) {
		return false;
	}
	witness_read(witness, &before);
	if (!transfer(trial, truth, false)) {
		return false;
	}
	witness_read(witness, &after);
	truth->device_known = truth->device_known && both_count(&before, &after) ? 1 : 0;
	truth->second_read_device_bytes = witness_moved_bytes(&before, &after, WITNESS_READ);
	truth->resident_known =
		truth->resident_known && take_resident(trial, truth, &truth->resident_after_read_bytes) ? 1 : 0;
	return true;
}

/* Write the region and read it twice. `*truth` says how large it is. */
static bool attempt(struct direct_trial *trial, struct direct_truth *truth)
{
	trial->moving_ns = 0;
	return goes_on(trial, truth) && attempt_write(trial, truth) && goes_on(trial, truth) && attempt_reads(trial, truth);
}

static void keep_least(uint64_t *kept, uint64_t value, uint64_t size_bytes, bool *differs)
{
	uint64_t distance = *kept > value ? *kept - value : value - *kept;

	*differs = *differs || distance > size_bytes / 8;
	*kept = *kept < value ? *kept : value;
}

/* Take over what is less. Whether the two differ by so much that somebody else was at work. */
static bool merge(struct direct_truth *kept, const struct direct_truth *other)
{
	uint64_t size = kept->size_bytes;
	bool differs = false;

	kept->device_known = kept->device_known && other->device_known ? 1 : 0;
	kept->dirtied_known = kept->dirtied_known && other->dirtied_known ? 1 : 0;
	kept->resident_known = kept->resident_known && other->resident_known ? 1 : 0;
	keep_least(&kept->dirtied_bytes, other->dirtied_bytes, size, &differs);
	keep_least(&kept->written_device_bytes, other->written_device_bytes, size, &differs);
	keep_least(&kept->second_read_device_bytes, other->second_read_device_bytes, size, &differs);
	keep_least(&kept->resident_after_write_bytes, other->resident_after_write_bytes, size, &differs);
	keep_least(&kept->resident_after_read_bytes, other->resident_after_read_bytes, size, &differs);
	return differs;
}

/* How much to use after the first, small attempt took that long. */
static uint64_t choose_size(uint64_t region_bytes, uint64_t moving_ns)
{
	uint64_t most = moving_ns < QUICK_MS * NS_PER_MS  ? REGION_BYTES
					: moving_ns < SLOW_MS * NS_PER_MS ? MIDDLE_BYTES
													  : FIRST_BYTES;

	return region_bytes < most ? region_bytes : most;
}

/* A small region first; a larger one, whose figures stand out from the noise, only on a disk that is not slow. */
static void attempt_all(struct direct_trial *trial, struct direct_truth *truth, uint64_t region_bytes)
{
	bool differs = false;

	truth->size_bytes = region_bytes < FIRST_BYTES ? region_bytes : FIRST_BYTES;
	struct direct_truth blank = *truth;
	if (region_bytes == 0 || !attempt(trial, truth)) {
		return;
	}
	blank.size_bytes = choose_size(region_bytes, trial->moving_ns);
	if (blank.size_bytes > truth->size_bytes) {
		*truth = blank;
		if (!attempt(trial, truth)) {
			return;
		}
	}
	for (int attempts = 1; attempts < ATTEMPTS || (differs && attempts < ATTEMPTS_MAX); attempts++) {
		struct direct_truth other = blank;

		if (!attempt(trial, &other)) {
			truth->error = other.error;
			return;
		}
		differs = merge(truth, &other);
	}
}

/* The test file once more, for direct reading and writing; -1 with errno set. */
static int open_direct(const struct keeper *keeper)
{
	int file =
		openat(keeper->folder.directory, TEST_FILE_NAME, O_RDWR | O_DIRECT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (file >= 0 && !keeper_holds_test_file(keeper)) {
		file_close(&file);
		errno = ESTALE;
	}
	return file;
}

static void try_direct(struct keeper *keeper, struct direct_truth *truth)
{
	struct direct_trial trial = {.keeper = keeper, .file = -1};
	const struct witness *witness = &keeper->witness;
	struct stat status;
	void *buffer = NULL;
	bool counts = false;

	take_alignment(truth, keeper->test_file);
	truth->journals_data =
		file_journals_data("", keeper->test_file, witness->has_mount ? &witness->mount : NULL) ? 1 : 0;
	trial.file = open_direct(keeper);
	if (trial.file < 0 || fstat(trial.file, &status) != 0) {
		truth->error = errno;
	} else if (posix_memalign(&buffer, ALIGNMENT_BYTES, PIECE_BYTES) != 0) {
		truth->error = ENOMEM;
	} else {
		uint64_t size_bytes = (uint64_t)status.st_size < REGION_BYTES ? (uint64_t)status.st_size : REGION_BYTES;

		counts = witness_counted(witness, (uint64_t)status.st_size / 2);
		trial.buffer = buffer;
		random_source_init(&trial.source);
		attempt_all(&trial, truth, size_bytes / ALIGNMENT_BYTES * ALIGNMENT_BYTES);
		settle(trial.file); /* the first run must not meet it in RAM */
	}
	truth->device_known = truth->device_known && counts ? 1 : 0;
	free(buffer);
	file_close(&trial.file);
}

void keeper_serve_direct(struct keeper *keeper)
{
	struct direct_truth truth = {.error = 0};

	if (keeper->folder.directory < 0 || keeper->test_file < 0 || !keeper_holds_test_file(keeper)) {
		keeper_refuse(keeper, STATUS_FAILED, 0, "the test file was removed or replaced by somebody else");
		return;
	}
	try_direct(keeper, &truth);
	witness_rest(&keeper->witness);
	keeper_send_struct(keeper->setup->out, KEEPER_DIRECT, &truth, sizeof(truth));
}
