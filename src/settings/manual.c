#include "settings/help.h"
#include "settings/manual_lines.h"

void help_print_manual(FILE *out)
{
	for (size_t i = 0; manual_lines[i]; i++) {
		fprintf(out, "%s\n", manual_lines[i]);
	}
}
