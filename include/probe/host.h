/** The machine itself. */
#ifndef PROBE_HOST_H
#define PROBE_HOST_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Bytes of memory that could be used without swapping (MemAvailable of /proc/meminfo), or what the control group allows
 * where that is less; 0 where unknown.
 */
uint64_t host_memory_available_bytes(const char *root);

/** Bytes of memory altogether (MemTotal), or what the control group allows where that is less; 0 where unknown. */
uint64_t host_memory_total_bytes(const char *root);

/** The machine as its firmware names it, "Dell Inc. PowerEdge R630"; "" where unknown. The caller frees it. */
char *host_machine(const char *root);

/** Whether that name is one of a machine that does not exist. */
bool host_machine_is_virtual(const char *machine);

/**
 * The absolute path of `program`: the first executable file of that name in PATH, then in the usual folders of
 * system programs. The caller frees it; NULL where there is none.
 */
char *host_find_program(const char *program);

/**
 * The absolute path of the first executable file named `program` in `search_path`, folders separated by colons, an
 * empty one being the current folder. The caller frees it; NULL where there is none.
 */
char *host_find_in(const char *search_path, const char *program);

/**
 * The command that installs fio on this machine, by the package manager found: "apt-get install fio"; "your
 * package manager" where none is found. A constant.
 */
const char *host_install_command(void);

#endif
