#include "support/signals.h"

#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* All that would end the program, but for those of its own mistakes and those of a write, which says so itself. */
static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
	SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT};
enum { ENDING_COUNT = sizeof(ending_signals) / sizeof(ending_signals[0]) };

static volatile sig_atomic_t first_signal;
static volatile sig_atomic_t signal_count;
static sigset_t wait_mask;
static sigset_t original_mask;

static void note_signal(int signal_number)
{
	if (!first_signal) {
		first_signal = signal_number;
	}
	if (signal_count < 100) {
		signal_count++;
	}
}

/* Only there so that SIGCHLD interrupts ppoll; an ignored one would be thrown away. */
static void note_child(int signal_number)
{
	(void)signal_number;
}

void signals_catch(void)
{
	struct sigaction action = {.sa_handler = note_signal};
	struct sigaction child = {.sa_handler = note_child, .sa_flags = SA_NOCLDSTOP};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction before;
	sigset_t blocked;

	sigprocmask(SIG_SETMASK, NULL, &original_mask);
	wait_mask = original_mask;
	blocked = original_mask;
	for (size_t i = 0; i < ENDING_COUNT; i++) {
		sigaddset(&blocked, ending_signals[i]);
		sigaction(ending_signals[i], NULL, &before);
		if (before.sa_handler != SIG_IGN) {
			sigaction(ending_signals[i], &action, NULL);
			sigdelset(&wait_mask, ending_signals[i]);
		}
	}
	sigaddset(&blocked, SIGCHLD);
	sigdelset(&wait_mask, SIGCHLD);
	sigaction(SIGCHLD, &child, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
	sigaction(SIGXFSZ, &ignore, NULL);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
}

const sigset_t *signals_wait_mask(void)
{
	return &wait_mask;
}

int signals_received(void)
{
	/* Let what is pending through for a moment, so that long steps without ppoll notice it too. */
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < ENDING_COUNT; i++) {
		if (sigismember(&pending, ending_signals[i])) {
			sigset_t current;

			sigprocmask(SIG_SETMASK, &wait_mask, &current);
			sigprocmask(SIG_SETMASK, &current, NULL);
			break;
		}
	}
	return (int)first_signal;
}

void signals_forget(void)
{
	first_signal = 0;
	signal_count = 0;
}

int signals_count(void)
{
	signals_received();
	return (int)signal_count;
}

void signals_restore(void)
{
	struct sigaction standard = {.sa_handler = SIG_DFL};
	struct sigaction before;

	for (size_t i = 0; i < ENDING_COUNT; i++) {
		sigaction(ending_signals[i], NULL, &before);
		if (before.sa_handler != SIG_IGN) {
			sigaction(ending_signals[i], &standard, NULL);
		}
	}
	sigaction(SIGCHLD, &standard, NULL);
	sigaction(SIGPIPE, &standard, NULL);
	sigaction(SIGXFSZ, &standard, NULL);
	/* Whoever started us with some of them blocked: a child must still hear that it is to end. */
	sigset_t mask = original_mask;
	for (size_t i = 0; i < ENDING_COUNT; i++) {
		sigdelset(&mask, ending_signals[i]);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

_Noreturn void signals_die_by(int signal_number)
{
	struct sigaction standard = {.sa_handler = SIG_DFL};
	sigset_t only;

	sigaction(signal_number, &standard, NULL);
	sigemptyset(&only);
	sigaddset(&only, signal_number);
	raise(signal_number);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	_exit(128 + signal_number); /* only where the default action does not end a program */
}
