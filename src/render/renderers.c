#include "render/render.h"

#include <string.h>
#include <strings.h>

const struct renderer renderers[] = {
	{.name = "table", .extension = ".txt", .is_for_stdout = true, .render = render_text},
	{.name = "json", .extension = ".json", .is_for_stdout = true, .render = render_json},
	{.name = "csv", .extension = ".csv", .is_for_stdout = true, .render = render_csv},
	{.name = "markdown", .extension = ".md", .is_for_stdout = true, .render = render_markdown},
	{.name = "html", .extension = ".html", .is_for_stdout = false, .render = render_html},
};

const size_t renderer_count = sizeof(renderers) / sizeof(renderers[0]);

const struct renderer *renderer_by_name(const char *name)
{
	for (size_t i = 0; i < renderer_count; i++) {
		if (strcmp(renderers[i].name, name) == 0) {
			return &renderers[i];
		}
	}
	return NULL;
}

const struct renderer *renderer_by_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');

	for (size_t i = 0; dot && i < renderer_count; i++) {
		if (strcasecmp(renderers[i].extension, dot) == 0) {
			return &renderers[i];
		}
	}
	return NULL;
}
