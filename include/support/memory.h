/** Allocation that never returns NULL: the program ends, after cleaning up, where memory runs out. */
#ifndef SUPPORT_MEMORY_H
#define SUPPORT_MEMORY_H

#include <stddef.h>

/** The end of the program, after cleaning up, with the sentence that memory ran out. */
_Noreturn void memory_exhausted(void);
/** malloc(size) or the end of the program. */
void *xmalloc(size_t size);
/** calloc(count, size) or the end of the program. */
void *xcalloc(size_t count, size_t size);
/** realloc(pointer, size) or the end of the program. */
void *xrealloc(void *pointer, size_t size);
/** strdup(string) or the end of the program; NULL stays NULL. */
char *xstrdup(const char *string);
/** strndup(string, size) or the end of the program. */
char *xstrndup(const char *string, size_t size);
/** The formatted text in fresh memory; the caller frees it. */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
