/* Any bytes as fio's output: whatever it says, it is read and judged without harm. See `make fuzz`. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fio/eta.h"
#include "fio/result.h"
#include "plan/profile.h"
#include "support/memory.h"
#include "support/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect_sound(const struct fio_direction *direction)
{
	if (direction->bandwidth_bytes_per_s < 0 || direction->iops < 0 || direction->bytes < 0) {
		abort();
	}
}

/* Judge it as the answer to a job; what is refused is told in a sentence that is safe to print. */
static void judge(
	const struct fio_result *result, const struct fio_ending *ending, enum transfer transfer, const char *text)
{
	struct fio_job job = fio_job_measure(&profile_cdm.workloads[0], transfer, ENGINE_IO_URING, 1, 1 << 30, 5, 0);
	struct failure failure = FAILURE_NONE;

	if (fio_result_check(result, &job, ending, text, &failure)) {
		if (failure.sentence || !(result->directions[transfer].bytes > 0)) {
			abort();
		}
	} else {
		char *printable = text_printable(failure.sentence);

		if (failure.status != STATUS_FAILED || strcmp(printable, failure.sentence) != 0) {
			abort();
		}
		free(printable);
		fio_result_is_shortened(result, &job, ending);
	}
	failure_clear(&failure);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xmalloc(size + 1);
	struct fio_ending ending = {.other_text = text};
	struct fio_result result;
	double rate = 0;

	memcpy(text, data, size);
	text[size] = '\0';
	fio_result_read(&result, text, size);
	fio_result_read_marks(&result, text, size);
	expect_sound(&result.directions[TRANSFER_READ]);
	expect_sound(&result.directions[TRANSFER_WRITE]);
	expect_sound(&result.mixed);
	for (int transfer = 0; transfer < TRANSFER_COUNT; transfer++) {
		ending.wait_status = size > 0 ? data[size - 1] << 8 : 0;
		judge(&result, &ending, (enum transfer)transfer, text);
		ending.wait_status = 0;
		judge(&result, &ending, (enum transfer)transfer, text);
		ending.past_deadline = !ending.past_deadline;
	}
	fio_result_release(&result);
	if (fio_eta_rate(text, &rate) && !(isfinite(rate) && rate >= 0)) {
		abort();
	}
	free(fio_result_reason(text, text));
	free(text);
	return 0;
}
