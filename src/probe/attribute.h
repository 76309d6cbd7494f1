/** Files of /sys that hold one value. Private to probe/. */
#ifndef PROBE_ATTRIBUTE_H
#define PROBE_ATTRIBUTE_H

/** The first line of a file, as file_read_line; NULL also where it is empty. */
char *attribute_read(const char *root, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The number, not negative, that is all of the first line; NAN where the file is not there, or says something else. */
double attribute_quantity(const char *root, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * What stands in brackets: "mq-deadline" of "none [mq-deadline] bfq"; else all of it. The caller frees it; NULL of
 * NULL.
 */
char *attribute_chosen(const char *line);

#endif
