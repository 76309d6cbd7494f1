/* What a measurement came to in words: putting it together, saving and loading it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fields.h"
#include "support/memory.h"
#include "support/text.h"

struct record_passage *record_add_passage(struct record *record, const char *id, const char *heading)
{
	record->passages = xrealloc(record->passages, (record->passage_count + 1) * sizeof(*record->passages));
	struct record_passage *passage = &record->passages[record->passage_count++];

	*passage = (struct record_passage){.id = text_printable(id), .heading = text_printable(heading)};
	return passage;
}

static void __attribute__((format(printf, 3, 0)))
add_line(struct record_passage *passage, bool is_command, const char *format, va_list arguments)
{
	char *raw = NULL;

	if (vasprintf(&raw, format, arguments) < 0) {
		raw = NULL; /* out of memory, or a format that no compiler lets through */
	}
	passage->lines = xrealloc(passage->lines, (passage->line_count + 1) * sizeof(*passage->lines));
	struct record_line *line = &passage->lines[passage->line_count++];

	*line = (struct record_line){.text = text_printable(raw ? raw : ""), .is_command = is_command};
	field_cut(&text_field, line->text);
	free(raw);
}

void record_passage_say(struct record_passage *passage, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_line(passage, false, format, arguments);
	va_end(arguments);
}

void record_passage_command(struct record_passage *passage, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_line(passage, true, format, arguments);
	va_end(arguments);
}

void record_clear_passages(struct record *record)
{
	for (size_t i = 0; i < record->passage_count; i++) {
		for (size_t j = 0; j < record->passages[i].line_count; j++) {
			free(record->passages[i].lines[j].text);
		}
		free(record->passages[i].lines);
		free(record->passages[i].id);
		free(record->passages[i].heading);
	}
	free(record->passages);
	record->passages = NULL;
	record->passage_count = 0;
}

static bool read_line(const struct reader *reader, const struct spot *spot, void *target, const struct cJSON *value)
{
	return fields_read(reader, spot, line_fields, target, value);
}

bool read_passage(const struct reader *reader, const struct spot *spot, void *target, const struct cJSON *value)
{
	struct record_passage *passage = target;
	void *lines = NULL;

	if (!fields_read(reader, spot, passage_fields, passage, value)) {
		return false;
	}
	bool success =
		list_read(reader, spot, value, "lines", read_line, sizeof(*passage->lines), &lines, &passage->line_count);
	passage->lines = lines;
	return success;
}

struct cJSON *new_passages(const struct record *record)
{
	struct cJSON *passages = json_new_array();

	for (size_t i = 0; i < record->passage_count; i++) {
		const struct record_passage *passage = &record->passages[i];
		struct cJSON *object = json_new_object(), *lines = json_new_array();

		fields_write(object, passage_fields, passage);
		for (size_t j = 0; j < passage->line_count; j++) {
			struct cJSON *line = json_new_object();

			fields_write(line, line_fields, &passage->lines[j]);
			json_append(lines, line);
		}
		json_add_value(object, "lines", lines);
		json_append(passages, object);
	}
	return passages;
}
