#include "prose.h"

#include <stdlib.h>

#include "support/memory.h"
#include "support/terminal.h"
#include "support/text.h"

void prose_write(FILE *out, const char *sentence, size_t indent, const char *color, const struct render_style *style)
{
	char *wrapped = style->columns > 0 ? text_wrap(sentence, style->columns, indent) : xstrdup(sentence);
	bool is_colored = color && style->use_color;

	fprintf(out, "%s%s%s\n", is_colored ? color : "", wrapped, is_colored ? TERMINAL_RESET : "");
	free(wrapped);
}
