#include <stdlib.h>

#include "record/record_json.h"
#include "render/render.h"

void render_json(FILE *out, const struct document *document, const struct render_style *style)
{
	char *json = record_to_json(document->record);

	(void)style;
	fputs(json, out);
	free(json);
}
