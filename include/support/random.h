/** Fast random bytes: incompressible data for test files. Not for secrets. */
#ifndef SUPPORT_RANDOM_H
#define SUPPORT_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/** The state of a generator. */
struct random_source {
	uint64_t state[4];
};

/** Seed from the kernel. */
void random_source_init(struct random_source *source);
/** Fill `size_bytes` (a multiple of 8) at `buffer` (8-byte aligned). */
void random_source_fill(struct random_source *source, void *buffer, size_t size_bytes);
/** Write `length` random letters and digits and a NUL, from the kernel's own generator: names nobody can guess. */
void random_name(char *name, size_t length);

#endif
