/** What /proc/cpuinfo says. Private to probe/. */
#ifndef PROBE_CPUINFO_H
#define PROBE_CPUINFO_H

#include <stdbool.h>

/** The value of the first line "key : value". The caller frees it; NULL where there is none. */
char *cpuinfo_value(const char *content, const char *key);
/** The processor's name, whatever the architecture calls it. The caller frees it; NULL where there is none. */
char *cpuinfo_model(const char *content);
/** How many processors it describes. */
unsigned long cpuinfo_count(const char *content);
/** Whether the processor says that it is one of a virtual machine. False too where it has no flags that could tell. */
bool cpuinfo_is_virtual(const char *content);

#endif
