/** With whose rights the disk is loaded: root's, root's through sudo, or the user's own. */
#ifndef KEEPER_ACCESS_H
#define KEEPER_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "keeper/link.h"
#include "support/failure.h"

/** How it turned out. */
enum access_kind {
	ACCESS_ROOT,     /* we are root */
	ACCESS_SUDO,     /* the keeper is root, through sudo */
	ACCESS_SUDO_FIO, /* sudo allows fio alone: the keeper is the user, fio is root */
	ACCESS_USER,     /* no root anywhere */
};

/** What is asked for. */
struct access_request {
	int directory; /* of the target */
	uint64_t device;
	uint64_t inode;
	const char *shown_path;
	const char *fio; /* as found in this process's PATH; NULL where there is none */
	bool writable;   /* whether this user may create files in the target */
	bool needs_root; /* whether the profile gains by root at all; dd's does not */
	bool no_sudo;
	bool may_ask; /* whether sudo may ask for a password on the terminal */
};

/** What was got. */
struct access {
	enum access_kind kind;
	char *note; /* owned; why it is not root, where the user should know; NULL otherwise */
};

/**
 * Start a keeper with the best rights there are and have it make the test folder. On failure nothing is left behind;
 * where a signal came meanwhile the failure's sentence stays empty. The caller closes the link and calls
 * access_release.
 */
bool access_open(
	struct access *access, struct keeper_link *link, const struct access_request *request, struct failure *failure);

/** Free the note. */
void access_release(struct access *access);

/** The name of the user, for sentences: "bob", or "user 1000". The caller frees it. */
char *access_user_name(void);

#endif
