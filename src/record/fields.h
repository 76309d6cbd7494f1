/** The members of saved files that stand for one value each: THE tables by which they are written and read. */
#ifndef RECORD_FIELDS_H
#define RECORD_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "record/record.h"
#include "support/failure.h"
#include "support/json.h"

/** More tests, runs of a test, or anything else of which there is a list, than this are in no file. */
enum { RECORD_LIST_MAX = 100000 };
/**
 * No text is longer, in bytes. A name has 200, as --label may, each of which takes four where it cannot be printed;
 * everything else has room for any path.
 */
enum { RECORD_NAME_BYTES_MAX = 800, RECORD_TEXT_BYTES_MAX = 65536 };

/** What a value is in the record, and so how it is written. */
enum field_kind {
	FIELD_TEXT,   /* char *, owned: at most `most` bytes */
	FIELD_TIME,   /* char *, owned: "2026-11-30T17:21:06Z" */
	FIELD_WORD,   /* char *, owned: one of `words` */
	FIELD_CHOICE, /* an enum: the index in `words`, from `least` */
	FIELD_NUMBER, /* double, from `least` to `most` */
	FIELD_WHOLE,  /* unsigned, from `least` to `most` */
	FIELD_TRUTH,  /* bool */
};

/** One member. */
struct field {
	const char *key; /* NULL ends a table */
	enum field_kind kind;
	bool may_be_null; /* NULL and NAN, and choices beyond `words`, stand for unknown and are null; or it is missing */
	bool came_later;  /* it is missing in files of older versions: 0 then */
	size_t offset;    /* in its struct */
	double least;
	double most;
	double smallest;          /* what is nearer to 0 is taken for 0: no machine measures it, and a scale has to end */
	bool is_whole;            /* a FIELD_NUMBER without a fraction */
	const char *const *words; /* ends with NULL; the first is written for what is none of them */
};

/* By the struct that they belong to. */
extern const struct field record_fields[];
extern const struct field settings_fields[]; /* but the profile */
extern const struct field target_fields[];
extern const struct field direct_fields[];
extern const struct field pool_fields[];
extern const struct field fact_fields[];
extern const struct field test_fields[];
extern const struct field run_fields[];
extern const struct field evidence_fields[]; /* but the counters and the idle states */
extern const struct field idle_state_fields[];
extern const struct field counters_fields[];
extern const struct field network_fields[]; /* of struct record_counters too */
extern const struct field finding_fields[];
extern const struct field passage_fields[]; /* but the lines */
extern const struct field line_fields[];
extern const struct field split_fields[]; /* of struct record: where the commits' time goes */
/** Of the figures of a run: not in a struct, but under the keys of `quantities`. */
extern const struct field figure_field;
/** Of the points of a series, and of their times; null is unknown. */
extern const struct field point_field;
extern const struct field point_time_field;
/** Of what is a text by itself. */
extern const struct field text_field;
/** By enum storage_role. */
extern const char *const role_keys[];
/** Of target.storage, by enum storage_kind; ends with NULL. */
extern const char *const storage_words[];
/** Of tests. */
extern const char *const transfer_words[];
/** By enum workload_part. */
extern const char *const part_words[];

/** Write all members of a table. What may not be null is never null, and what is out of bounds is not written. */
void fields_write(struct cJSON *object, const struct field *fields, const void *values);
/** A number as the field allows it: NAN for null. */
double field_bounded(const struct field *field, double number);
/** Cut a text that is too long for the field, and put "..." at its end; NULL is fine. */
void field_cut(const struct field *field, char *string);
/** Cut all texts of a record, and bound its figures: so it is shown now as it will be once it is loaded. */
void record_bound(struct record *record);

/** Where in a document something stands, from there up. */
struct spot {
	const struct spot *up; /* NULL: the document */
	const char *key;       /* of a member; NULL for an element */
	size_t index;          /* of an element */
};

/** A document that is read. */
struct reader {
	const char *name; /* of the file, for people */
	struct failure *failure;
};

/** Fail: name the place, then say what is wrong with it. Always false. */
bool reader_refuse(const struct reader *reader, const struct spot *spot, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/** Read all members of a table into a struct whose strings are NULL. */
bool fields_read(const struct reader *reader, const struct spot *spot, const struct field *fields, void *values,
	const struct cJSON *object);
/** One number as the field allows it. */
bool field_read_number(const struct reader *reader, const struct spot *spot, const struct field *field, double *number,
	const struct cJSON *value);
/**
 * One text, made safe to print, and not longer then than the field allows; NULL for null where that may be. What is in
 * `*text` is the caller's also on failure.
 */
bool field_read_text(const struct reader *reader, const struct spot *spot, const struct field *field, char **text,
	const struct cJSON *value);

/** Count the elements of an array; false where it is none, or longer than `most`. */
bool list_count(
	const struct reader *reader, const struct spot *spot, const struct cJSON *list, size_t most, size_t *count);
/** Reads an element into its place, zeroed, of the array that it belongs to. */
typedef bool read_element(
	const struct reader *reader, const struct spot *spot, void *target, const struct cJSON *value);
/**
 * Read the array under `key` into structs of `size` bytes. What was begun of it is in `*elements` and `*count` also on
 * failure, so that it is released with the record.
 */
bool list_read(const struct reader *reader, const struct spot *up, const struct cJSON *object, const char *key,
	read_element *read, size_t size, void **elements, size_t *count);

/** Read a struct record_test with its runs; a read_element. */
bool read_test(const struct reader *reader, const struct spot *spot, void *target, const struct cJSON *value);
/** Read a struct record_passage with its lines; a read_element. */
bool read_passage(const struct reader *reader, const struct spot *spot, void *target, const struct cJSON *value);
/** The passages as an array. */
struct cJSON *new_passages(const struct record *record);

#endif
