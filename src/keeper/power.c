#include "power.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "plan/workload.h"
#include "state.h"
#include "support/cleanup.h"
#include "support/file.h"
#include "support/memory.h"

/*
 * Two measurements that hold at once would remember wrong values, so they lock a file. This one is on every machine,
 * and nobody but root can open it: no other user can keep the lock from us. Nothing is ever written to it. Where /sys
 * cannot be written the folder has to do; without /sys, what is held.
 */
#define LOCKED_FILE "/sys/bus/cpu/drivers_probe"
#define LOCKED_FOLDER "/sys/devices/system/cpu"
#define LATENCY_DEVICE "/dev/cpu_dma_latency"

enum { LOCK_ATTEMPTS = 10, LOCK_PAUSE_MS = 20 };

static int open_below(const char *root, const char *path, int flags)
{
	char *whole = xasprintf("%s%s", root, path);
	int file = open(whole, flags | O_CLOEXEC | O_NOFOLLOW), error = errno;

	free(whole);
	errno = error;
	return file;
}

static int open_lock(const char *root)
{
	int lock = open_below(root, LOCKED_FILE, O_WRONLY);

	if (lock < 0 && errno != EACCES) {
		lock = open_below(root, LOCKED_FOLDER, O_RDONLY | O_DIRECTORY);
	}
	return lock < 0 && errno == ENOENT ? open_below(root, LATENCY_DEVICE, O_RDONLY) : lock;
}

/*
 * The lock, taken; -1 with errno set, EBUSY where others hold it. Waits a little: for a guardian that is putting things
 * back, for somebody who only looks.
 */
static int take_lock(const char *root, int operation)
{
	int lock = open_lock(root), error = errno;

	for (int attempt = 0; lock >= 0 && attempt < LOCK_ATTEMPTS; attempt++) {
		if (flock(lock, operation | LOCK_NB) == 0) {
			return lock;
		}
		error = errno == EWOULDBLOCK ? EBUSY : errno;
		poll(NULL, 0, LOCK_PAUSE_MS);
	}
	file_close(&lock);
	errno = error;
	return -1;
}

static bool is_taken(const char *root)
{
	int lock = take_lock(root, LOCK_SH);
	bool taken = lock < 0 && errno == EBUSY;

	file_close(&lock);
	return taken;
}

/* Without the lock nothing is possible; what would not be anyway keeps its own reason. */
static void note_unlocked(struct keeper_power_state *state, int error)
{
	state->is_taken = error == EBUSY ? 1 : 0;
	state->possible = 0;
	state->idle_error = state->idle_error != 0 ? state->idle_error : error;
	state->governor_error = state->governor_error != 0 ? state->governor_error : error;
}

/* What is held, and what could be, by all that can be seen without changing anything. */
static void look(const struct held_power *power, const char *root, struct keeper_power_state *state)
{
	struct governors_survey survey;
	int device = power->latency >= 0 ? -1 : open_below(root, LATENCY_DEVICE, O_WRONLY);

	*state = (struct keeper_power_state){.idle_error = power->latency >= 0 || device >= 0 ? 0 : errno};
	file_close(&device);
	governors_survey(&survey, root);
	state->policies = survey.policies;
	state->performing = power->governors ? governors_performing(power->governors) : survey.performing;
	state->governor_error = power->governors ? 0 : survey.error;
	state->possible = (state->idle_error == 0 ? (uint32_t)POWER_HOLD_IDLE : 0) |
					  (state->governor_error == 0 ? (uint32_t)POWER_HOLD_GOVERNOR : 0);
	if (power->lock < 0 && is_taken(root)) {
		note_unlocked(state, EBUSY);
	}
}

/* The kernel lets it go when the last descriptor is closed, so also when this process is killed. */
static void hold_idle(struct held_power *power, const char *root, struct keeper_power_state *state)
{
	const int32_t none_us = 0;

	if (power->latency >= 0) {
		return;
	}
	power->latency = open_below(root, LATENCY_DEVICE, O_WRONLY);
	if (power->latency < 0 || write(power->latency, &none_us, sizeof(none_us)) != (ssize_t)sizeof(none_us)) {
		state->idle_error = errno;
		file_close(&power->latency);
	}
}

static void act_as_guardian(void *context)
{
	governors_put_back(context, NULL);
}

/* Put the governors back; where that does not work the guardian tries again. Allocates nothing. */
static bool put_back(struct held_power *power, struct governors_left *left)
{
	bool done = governors_put_back(power->governors, left);

	guardian_end(&power->guardian);
	return done || governors_put_back(power->governors, left);
}

/* False with `left` set, where something could not be put back: then they stay remembered, for one more chance. */
static bool let_governors_go(struct held_power *power, struct governors_left *left)
{
	if (power->governors && !put_back(power, left)) {
		return false;
	}
	governors_forget(power->governors);
	power->governors = NULL;
	return true;
}

/* Somebody who runs out of memory. */
static void let_all_go(void *context)
{
	struct held_power *power = context;

	file_close(&power->latency);
	let_governors_go(power, NULL);
}

/* Nothing is changed without somebody who puts it back, whatever becomes of this process. */
static bool guard(struct held_power *power)
{
	return !governors_differ(power->governors) ||
		   guardian_start(&power->guardian, power->lock, act_as_guardian, power->governors);
}

static void hold_governors(struct held_power *power, const char *root, struct keeper_power_state *state)
{
	if (!power->is_registered) {
		cleanup_register(let_all_go, power);
		power->is_registered = true;
	}
	if (!power->governors) {
		power->governors = governors_remember(root);
	} else if (power->guardian.pid > 0 || !governors_differ(power->governors)) {
		return;
	}
	int error = 0;
	if (!power->governors || !guard(power)) {
		error = errno;
		let_governors_go(power, NULL);
	} else if (!governors_set(power->governors, &error)) {
		let_governors_go(power, NULL);
	}
	state->governor_error = error;
}

void held_power_set(struct held_power *power, const char *root, uint32_t holds, struct keeper_power_state *state)
{
	struct governors_left left;

	look(power, root, state);
	uint32_t wanted = holds & state->possible;
	if (!(holds & POWER_HOLD_IDLE)) {
		file_close(&power->latency);
	}
	if (!(holds & POWER_HOLD_GOVERNOR) && !let_governors_go(power, &left)) {
		state->governor_error = left.error;
	}
	if (wanted != 0 && power->lock < 0) {
		power->lock = take_lock(root, LOCK_EX);
		if (power->lock < 0) {
			note_unlocked(state, errno);
			wanted = 0;
		}
	}
	if (wanted & POWER_HOLD_IDLE) {
		hold_idle(power, root, state);
	}
	if (wanted & POWER_HOLD_GOVERNOR) {
		hold_governors(power, root, state);
	}
	state->held =
		(power->latency >= 0 ? (uint32_t)POWER_HOLD_IDLE : 0) | (power->governors ? (uint32_t)POWER_HOLD_GOVERNOR : 0);
}

char *held_power_release(struct held_power *power)
{
	struct governors_left left;
	char *complaint = NULL;

	file_close(&power->latency);
	if (!let_governors_go(power, &left)) {
		complaint = xasprintf("cannot write '%s' back to '%s/%s': %s; write it there yourself", left.value,
			governors_folder(power->governors), left.path, strerror(left.error));
		governors_forget(power->governors);
		power->governors = NULL;
	}
	if (power->is_registered) {
		cleanup_forget(let_all_go, power);
	}
	file_close(&power->lock);
	power->is_registered = false;
	return complaint;
}

void keeper_let_power_go(struct keeper *keeper)
{
	struct keeper_power_state state;

	if (keeper->power.latency >= 0 || keeper->power.governors) {
		held_power_set(&keeper->power, witness_root(&keeper->witness), 0, &state);
	}
}

void keeper_serve_power(struct keeper *keeper, const struct keeper_message *message)
{
	const uint32_t known = (uint32_t)POWER_HOLD_IDLE | (uint32_t)POWER_HOLD_GOVERNOR;
	struct keeper_power request;
	struct keeper_power_state state;

	if (!keeper_payload(message, &request, sizeof(request)) || keeper->folder.directory < 0 ||
		(request.holds & ~known) != 0) {
		keeper_refuse(keeper, STATUS_FAILED, 0, "the keeper was asked for something it does not know");
		return;
	}
	held_power_set(&keeper->power, witness_root(&keeper->witness), request.holds, &state);
	keeper_send_struct(keeper->setup->out, KEEPER_POWER_STATE, &state, sizeof(state));
}
