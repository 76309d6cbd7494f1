/** From a record to characters: THE renderer table. */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include <stdbool.h>
#include <stdio.h>

#include "record/compare.h"
#include "record/figures.h"
#include "record/record.h"
#include "record/threshold.h"
#include "report/report.h"

/** What is shown; all the caller's. */
struct document {
	const struct record *record;
	const struct comparison *comparison;       /* NULL where nothing is compared; its last record is `record` */
	const struct threshold_outcomes *outcomes; /* NULL where nothing was asked for */
	enum score score;
};

/** How to write on a terminal; decided once, for the stream that is written to. Files and machines get {0}. */
struct render_style {
	bool use_color;
	unsigned columns;       /* sentences are broken at this width; 0: each stays on one line */
	unsigned table_columns; /* the terminal's own width: tables of comparisons keep within it; 0: as wide as they are */
};

/** A format. */
struct renderer {
	const char *name;      /* as in --format: "json" */
	const char *extension; /* of files: ".json" */
	bool is_for_stdout;    /* --format takes it */
	void (*render)(FILE *out, const struct document *document, const struct render_style *style);
};

/** Every format; the first is the default. */
extern const struct renderer renderers[];
extern const size_t renderer_count;

/** The format of that name; NULL for an unknown one. */
const struct renderer *renderer_by_name(const char *name);
/** The format that a file's name asks for by its extension, in either case; NULL for an unknown one. */
const struct renderer *renderer_by_path(const char *path);

/* One function a format. */
void render_text(FILE *out, const struct document *document, const struct render_style *style);
void render_json(FILE *out, const struct document *document, const struct render_style *style);
void render_csv(FILE *out, const struct document *document, const struct render_style *style);
void render_markdown(FILE *out, const struct document *document, const struct render_style *style);
void render_html(FILE *out, const struct document *document, const struct render_style *style);

/* The parts of the text, for whoever shows the first before the others are known. */

/** The banner, each label before its text, and the notes behind it. */
void render_banner(FILE *out, const struct record *record, const struct render_style *style);
/**
 * The tables in their frames, the footnotes and what was checked below them, where the commits' time goes, and what the
 * measurement came to in words; nothing where there is no result yet.
 */
void render_table(FILE *out, const struct record *record, enum score score, const struct render_style *style);
/** The measurements side by side, and in what they differ; begins with an empty line. */
void render_comparison(FILE *out, const struct comparison *comparison, const struct render_style *style);

/* For --verbose. */

/** What was seen beside one run, in one line; nothing where nothing was. */
void render_evidence(FILE *out, const struct report *report, size_t run);
/** What else has a hand in the numbers, a line for each fact. */
void render_environment(FILE *out, const struct environment *environment);

#endif
