/** What the keeper keeps between two requests. Private to keeper/. */
#ifndef KEEPER_STATE_H
#define KEEPER_STATE_H

#include <stdint.h>

#include "keeper/folder.h"
#include "keeper/keeper.h"
#include "keeper/protocol.h"
#include "power.h"
#include "requests.h"
#include "support/failure.h"
#include "witness.h"

/** Everything the keeper keeps. */
struct keeper {
	const struct keeper_setup *setup;
	struct requests requests;
	struct test_folder folder;
	int test_file; /* open since it was written, to hear of every error in writing it back; -1 while there is none */
	uint64_t ticket_ns; /* when sudo's ticket was last renewed */
	struct witness witness;
	struct held_power power;
};

/** Answer that what was asked for did not come about. */
void keeper_refuse(const struct keeper *keeper, enum status status, int error, const char *sentence);

/** Where each fio goes through sudo: renew its ticket now and then, so that no layout and no run outlasts it. */
void keeper_keep_ticket(struct keeper *keeper);

/**
 * Whether the name in the folder still leads to the file that we wrote. Another one, or a link to somewhere, would be
 * measured, and overwritten, in its stead.
 */
bool keeper_holds_test_file(const struct keeper *keeper);

/** Put back what is held of the power management, if anything is; what that does not achieve is tried again later. */
void keeper_let_power_go(struct keeper *keeper);
/** Carry out KEEPER_POWER. */
void keeper_serve_power(struct keeper *keeper, const struct keeper_message *message);
/** Carry out KEEPER_TRY_DIRECT. */
void keeper_serve_direct(struct keeper *keeper);
/** Carry out KEEPER_RUN_FIO. */
void keeper_serve_fio(struct keeper *keeper, const struct keeper_message *message);
/** Carry out KEEPER_RUN_DD. */
void keeper_serve_dd(struct keeper *keeper, const struct keeper_message *message);

#endif
