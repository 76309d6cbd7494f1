/** For tests that make files: an empty folder and a user who owns it, in a process of its own. */
#ifndef ERRAND_H
#define ERRAND_H

#include "scratch.h"

#include <grp.h>
#include <sys/wait.h>

enum { NOBODY = 65534 };

/* Do something in an empty folder, as a user who owns it; in a child, whose end is the verdict. */
static inline void run_as(uid_t user, void (*act)(void))
{
	char folder[64];
	int status = -1;

	scratch_make(folder);
	assert_int_equal(chown(folder, user, user == 0 ? 0 : NOBODY), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		demand(chdir(folder) == 0);
		if (user != geteuid()) {
			demand(setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(user) == 0);
		}
		act();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	chmod(folder, 0700);
	scratch_remove(folder);
	assert_int_equal(status, 0);
}

/* As whoever we are; as root once more as somebody who is not. */
static inline void run_as_both(void (*act)(void))
{
	run_as(geteuid(), act);
	if (geteuid() == 0) {
		run_as(NOBODY, act);
	}
}

static inline size_t count_entries(void)
{
	DIR *list = opendir(".");
	size_t count = 0;

	demand(list != NULL);
	while (readdir(list) != NULL) {
		count++;
	}
	closedir(list);
	return count - 2;
}

static inline void put_folder(const char *name, mode_t mode)
{
	demand(mkdir(name, 0700) == 0 && chmod(name, mode) == 0);
}

static inline void put_file(const char *path, const char *content)
{
	int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	demand(file >= 0 && write(file, content, strlen(content)) == (ssize_t)strlen(content) && close(file) == 0);
}

#endif
