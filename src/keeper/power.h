/** What the keeper holds of the machine's power management while the experiment runs. Private to keeper/. */
#ifndef KEEPER_POWER_H
#define KEEPER_POWER_H

#include <stdbool.h>
#include <stdint.h>

#include "governors.h"
#include "guardian.h"
#include "keeper/protocol.h"

/** What is held. */
struct held_power {
	int lock;                    /* -1 until something is held for the first time; then to the end */
	int latency;                 /* the open /dev/cpu_dma_latency, which holds the idle states off; -1 for not held */
	struct governors *governors; /* as they were; NULL while they are not held */
	struct guardian guardian;    /* puts them back where this process cannot */
	bool is_registered;          /* to be undone where memory runs out */
};

/** Nothing held, to initialise with. */
#define HELD_POWER_NONE ((struct held_power){.lock = -1, .latency = -1, .guardian = GUARDIAN_NONE})

/**
 * Hold what `holds` (bits of enum power_hold) says and no more, as far as that can be, through `root`; `state` tells
 * what came of it. `power` stays where it is until held_power_release.
 */
void held_power_set(struct held_power *power, const char *root, uint32_t holds, struct keeper_power_state *state);

/**
 * Put everything back and let others have it. NULL, or, where something could not be put back, a sentence that names
 * it, which the caller frees. Does nothing twice.
 */
char *held_power_release(struct held_power *power);

#endif
