/** The processors' frequency governors: remembered, set to "performance", put back. Private to keeper/. */
#ifndef KEEPER_GOVERNORS_H
#define KEEPER_GOVERNORS_H

#include <stdbool.h>

/** What can be seen of them without changing anything. */
struct governors_survey {
	unsigned policies;   /* frequency domains */
	unsigned performing; /* of those: whose governor is "performance" */
	bool possible;       /* at least one could be set to it, or is */
	int error;           /* errno, why not; ENOENT where there is no frequency domain */
};

/** Look at them, through `root`. */
void governors_survey(struct governors_survey *survey, const char *root);

/**
 * How they are now, with all that goes lost when a governor is changed: the speed of "userspace", the governors' own
 * settings, the energy-performance preference. Lies in memory that is shared with processes forked later, so that each
 * knows how far the other got. Opaque.
 */
struct governors;

/** Remember them; NULL, with errno set, where that cannot be. The caller calls governors_forget. */
struct governors *governors_remember(const char *root);
/** Free it. NULL is allowed. */
void governors_forget(struct governors *governors);
/** Whether governors_set would change any. */
bool governors_differ(const struct governors *governors);
/** How many were "performance" when they were remembered. */
unsigned governors_performing(const struct governors *governors);

/**
 * Set all to "performance" whose governor is another; one that refuses is left as it is. False where none is
 * "performance" for it. `error` is the errno of one that refused, 0 where none did.
 */
bool governors_set(struct governors *governors, int *error);

/** What could not be put back. Points into the governors. */
struct governors_left {
	const char *path; /* below `folder` */
	const char *value;
	int error; /* errno */
};

/**
 * Put back what governors_set changed and is not put back yet, but for what somebody else changed meanwhile or what is
 * no longer there. False where something stays as it is; `left`, which may be NULL, then is the first of it. Allocates
 * nothing; may be called again, and by another process when this one was killed at any point.
 */
bool governors_put_back(struct governors *governors, struct governors_left *left);

/** The folder in which they stand, with the root prefix. */
const char *governors_folder(const struct governors *governors);

#endif
