#include "support/terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "support/units.h"

#define DEFAULT_COLUMNS 80
#define MOST_COLUMNS 10000

/* An environment variable; NULL where it is unset or empty, which mean the same here. */
static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value != '\0' ? value : NULL;
}

bool terminal_use_color(enum color_choice choice, bool is_terminal)
{
	if (choice != COLOR_AUTO) {
		return choice == COLOR_ALWAYS;
	}
	if (environment("NO_COLOR")) {
		return false;
	}

	const char *force = environment("FORCE_COLOR");
	if (force) {
		return strcmp(force, "0") != 0;
	}

	const char *term = environment("TERM");
	if (!term || strcmp(term, "dumb") == 0) {
		return false;
	}
	return is_terminal;
}

unsigned terminal_width(int descriptor)
{
	struct winsize size = {0};
	const char *columns = environment("COLUMNS");
	uint64_t number = 0;

	if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
		return size.ws_col;
	}
	if (columns && units_parse_number(columns, 1, MOST_COLUMNS, &number)) {
		return (unsigned)number;
	}
	return DEFAULT_COLUMNS;
}
