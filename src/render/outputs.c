#include "render/outputs.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"
#include "support/text_stream.h"

/* ".txt, .json, .csv, .md or .html". The caller frees it. */
static char *list_extensions(void)
{
	struct text list = TEXT_EMPTY;

	for (size_t i = 0; i < renderer_count; i++) {
		const char *before = i == 0 ? "" : i + 1 == renderer_count ? " or " : ", ";
		text_addf(&list, "%s%s", before, renderers[i].extension);
	}
	return text_detach(&list);
}

static bool fail_extension(const char *path, struct failure *failure)
{
	char *shown = text_printable(path);
	char *extensions = list_extensions();

	failure_set(
		failure, STATUS_USAGE, "cannot tell the format of '%s' from its name; let it end in %s", shown, extensions);
	free(extensions);
	free(shown);
	return false;
}

/* Refuse a file that is written or read by another option as well. */
static bool check_apart(
	const struct outputs *outputs, const char *const *inputs, size_t input_count, struct failure *failure)
{
	const struct output_file *last = &outputs->list[outputs->count - 1].file;

	for (size_t i = 0; i + 1 < outputs->count; i++) {
		if (output_file_is_same(&outputs->list[i].file, last)) {
			return failure_set(failure, STATUS_USAGE,
				"cannot write two results to one file: '%s' and '%s' are the same", outputs->list[i].file.shown,
				last->shown);
		}
	}
	for (size_t i = 0; i < input_count; i++) {
		char *input = realpath(inputs[i], NULL);
		bool is_same = input && strcmp(input, last->path) == 0;
		free(input);
		if (is_same) {
			return failure_set(failure, STATUS_USAGE,
				"cannot write '%s': it is read for --compare; give the new result another name", last->shown);
		}
	}
	return true;
}

bool outputs_open(struct outputs *outputs, const char *const *paths, size_t count, const char *const *inputs,
	size_t input_count, struct failure *failure)
{
	*outputs = (struct outputs){.list = xcalloc(count > 0 ? count : 1, sizeof(*outputs->list))};
	for (size_t i = 0; i < count; i++) {
		struct output *output = &outputs->list[outputs->count++];
		output->renderer = renderer_by_path(paths[i]);
		if (!output->renderer) {
			return fail_extension(paths[i], failure);
		}
		if (!output_file_open(&output->file, paths[i], failure) ||
			!check_apart(outputs, inputs, input_count, failure)) {
			return false;
		}
	}
	return true;
}

/* Rendered whole before the file is touched: what is written is never half a document. */
static bool write_one(struct output *output, const struct document *document, struct failure *failure)
{
	static const struct render_style plain = {0};
	struct text text = TEXT_EMPTY;
	struct text_stream stream;

	output->renderer->render(text_stream_open(&stream, &text), document, &plain);
	text_stream_close(&stream);
	bool good = output_file_replace(&output->file, text_string(&text), text.length, failure);
	text_release(&text);
	return good;
}

bool outputs_begin(struct outputs *outputs, const struct document *document, struct failure *failure)
{
	for (size_t i = 0; i < outputs->count; i++) {
		if (!outputs->list[i].file.existed && !write_one(&outputs->list[i], document, failure)) {
			return false;
		}
	}
	return true;
}

bool outputs_write(struct outputs *outputs, const struct document *document, struct failure *failure)
{
	size_t failed = 0;

	for (size_t i = 0; i < outputs->count; i++) {
		struct failure another = FAILURE_NONE;

		failed += write_one(&outputs->list[i], document, failed == 0 ? failure : &another) ? 0 : 1;
		failure_clear(&another);
	}
	if (failed > 1) {
		char *first = xstrdup(failure->sentence);

		failure_set(failure, failure->status, "%s (and %zu more of %zu files)", first, failed - 1, outputs->count);
		free(first);
	}
	return failed == 0;
}

void outputs_discard(struct outputs *outputs)
{
	for (size_t i = 0; i < outputs->count; i++) {
		output_file_discard(&outputs->list[i].file);
	}
}

void outputs_release(struct outputs *outputs)
{
	for (size_t i = 0; i < outputs->count; i++) {
		output_file_release(&outputs->list[i].file);
	}
	free(outputs->list);
	*outputs = (struct outputs){0};
}
