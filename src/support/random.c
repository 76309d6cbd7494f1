#include "support/random.h"

#include <string.h>
#include <sys/random.h>

#include "support/clock.h"

static void kernel_random(void *buffer, size_t size)
{
	unsigned char *bytes = buffer;
	size_t filled = 0;

	while (filled < size) {
		ssize_t got = getrandom(bytes + filled, size - filled, 0);

		if (got > 0) {
			filled += (size_t)got;
		} else {
			/* No kernel that runs this lacks getrandom; should it, the clock is better than a constant. */
			uint64_t now = clock_now_ns() * UINT64_C(0x9E3779B97F4A7C15);
			size_t left = size - filled < sizeof(now) ? size - filled : sizeof(now);

			memcpy(bytes + filled, &now, left);
			filled += left;
		}
	}
}

void random_source_init(struct random_source *source)
{
	kernel_random(source->state, sizeof(source->state));
	source->state[0] |= 1; /* all zero would stay zero */
}

/* xoshiro256+ (Blackman and Vigna, 2018): more than fast enough, and no compressor finds a pattern in it. */
static uint64_t next(uint64_t *state)
{
	uint64_t result = state[0] + state[3];
	uint64_t shifted = state[1] << 17;

	state[2] ^= state[0];
	state[3] ^= state[1];
	state[1] ^= state[2];
	state[0] ^= state[3];
	state[2] ^= shifted;
	state[3] = state[3] << 45 | state[3] >> 19;
	return result;
}

void random_source_fill(struct random_source *source, void *buffer, size_t size_bytes)
{
	uint64_t *words = buffer;
	uint64_t state[4];

	memcpy(state, source->state, sizeof(state));
	for (size_t i = 0; i < size_bytes / sizeof(*words); i++) {
		words[i] = next(state);
	}
	memcpy(source->state, state, sizeof(state));
}

void random_name(char *name, size_t length)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

	for (size_t i = 0; i < length; i++) {
		unsigned char byte;

		do {
			kernel_random(&byte, 1);
		} while (byte >= 248); /* 4 x 62: every letter as likely as another */
		name[i] = letters[byte % 62];
	}
	name[length] = '\0';
}
