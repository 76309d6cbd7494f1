/** From a job to fio's command line: the only place that spells fio's options. */
#ifndef FIO_COMMAND_H
#define FIO_COMMAND_H

#include <stdbool.h>

#include "fio/job.h"

/** Where fio writes its JSON. */
enum fio_output {
	FIO_OUTPUT_DESCRIPTOR, /* to inherited descriptor 3, progress on stdout */
	FIO_OUTPUT_FILE,       /* to FIO_OUTPUT_NAME in the working directory, progress on stdout */
};
#define FIO_OUTPUT_NAME "speedtest-hd.json"

/** Whether the values of a job are ones that this program can ask for: what comes by a pipe is checked first. */
bool fio_job_is_sane(const struct fio_job *job);

/**
 * The arguments that follow the program's name, NULL-terminated. Valid for every fio from 3.1 on. The caller calls
 * fio_command_free.
 */
char **fio_command(const struct fio_job *job, enum fio_output output);

/** Free what fio_command returned. */
void fio_command_free(char **arguments);

#endif
