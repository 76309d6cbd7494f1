/** What must be undone however the program ends by its own doing, also where memory runs out. */
#ifndef SUPPORT_CLEANUP_H
#define SUPPORT_CLEANUP_H

/** Have `undo(context)` called by cleanup_run; at most 8 of them. */
void cleanup_register(void (*undo)(void *context), void *context);
/** Take it off the list again. */
void cleanup_forget(void (*undo)(void *context), void *context);
/** Call what is registered, last first, each once. */
void cleanup_run(void);

#endif
