/** The manual, made into C by the Makefile from man/speedtest-hd.txt. */
#ifndef SETTINGS_MANUAL_LINES_H
#define SETTINGS_MANUAL_LINES_H

/** The manual's lines without their ends; NULL after the last. */
extern const char *const manual_lines[];

#endif
