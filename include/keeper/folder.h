/** The private folder on the target that holds the test file: made, locked, recognised and removed. */
#ifndef KEEPER_FOLDER_H
#define KEEPER_FOLDER_H

#include <stdbool.h>

#include "support/failure.h"

/** The folder's name is this and FOLDER_SUFFIX_LENGTH random letters and digits. */
#define FOLDER_PREFIX "speedtest-hd."
enum { FOLDER_SUFFIX_LENGTH = 6, FOLDER_NAME_SIZE = sizeof(FOLDER_PREFIX) + FOLDER_SUFFIX_LENGTH };
/** The file in it that is locked while the keeper lives. */
#define FOLDER_LOCK_NAME "lock"

/** An open folder. All descriptors are close-on-exec. */
struct test_folder {
	int parent;    /* the target */
	int directory; /* the folder; -1 while there is none */
	int lock;
	char name[FOLDER_NAME_SIZE];
};

/** A folder that is not there, to initialise with. */
#define TEST_FOLDER_NONE ((struct test_folder){-1, -1, -1, ""})

/**
 * Make the folder in the current directory, after removing what killed runs of ours left there. Holds a lock on the
 * directory until test_folder_remove: of two runs on one target the second is refused. On failure `*error` is the
 * errno, or 0, and the sentence has status STATUS_TARGET; nothing is left behind.
 */
bool test_folder_create(struct test_folder *folder, int *error, struct failure *failure);

/** Remove the folder and what is in it. False, with errno set, where something stays behind. Does nothing twice. */
bool test_folder_remove(struct test_folder *folder);

#endif
