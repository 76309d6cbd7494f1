/** The keeper itself: see keeper/protocol.h. */
#ifndef KEEPER_KEEPER_H
#define KEEPER_KEEPER_H

/** How the keeper reaches the programs that make the load. */
struct keeper_setup {
	int in;           /* requests */
	int out;          /* answers */
	const char *fio;  /* path of fio; NULL where there is none */
	const char *sudo; /* path of sudo where fio, and fio alone, is run through it; NULL otherwise */
};

/** Ignore what the terminal sends to everybody: that is the front's to handle, and the keeper hears of it by the pipe.
 */
void keeper_ignore_terminal(void);

/**
 * Serve requests in the current directory until the front says so, or is gone; then remove everything. Returns the
 * exit status of the process.
 */
int keeper_serve(const struct keeper_setup *setup);

#endif
