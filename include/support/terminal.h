/** What the streams are connected to: a terminal or not, how wide, whether in colour. */
#ifndef SUPPORT_TERMINAL_H
#define SUPPORT_TERMINAL_H

#include <stdbool.h>

/** What the user said about colour. */
enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/**
 * Whether to colour what goes to a stream. First match wins: the user's choice, NO_COLOR (non-empty: off),
 * FORCE_COLOR (non-empty: "0" off, else on), TERM unset or "dumb" (off), else whether the stream is a terminal.
 */
bool terminal_use_color(enum color_choice choice, bool is_terminal);

/** The columns of the terminal behind a descriptor: what it says itself, else COLUMNS, else 80. */
unsigned terminal_width(int descriptor);

/** The escape sequences in use; write nothing where `use_color` is false. */
#define TERMINAL_RED "\033[31m"
#define TERMINAL_GREEN "\033[32m"
#define TERMINAL_YELLOW "\033[33m"
#define TERMINAL_BOLD "\033[1m"
#define TERMINAL_RESET "\033[0m"
#define TERMINAL_CLEAR_LINE "\r\033[K"

#endif
