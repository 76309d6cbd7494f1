/** The texts that come from the option table. */
#ifndef SETTINGS_HELP_H
#define SETTINGS_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "support/failure.h"

/** The whole help, examples first. */
void help_print(FILE *out);
/** The short help for somebody who typed nothing: three lines and where to find more. */
void help_print_short(FILE *out);
/** "speedtest-hd 1.0.0" and the licence. */
void help_print_version(FILE *out);
/** The manual as plain text, for machines where it is not installed. */
void help_print_manual(FILE *out);
/** A completion script for "bash", "zsh" or "fish". */
void help_print_completion(FILE *out, const char *shell);

#endif
