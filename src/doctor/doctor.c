#include "doctor/doctor.h"

#include "examination.h"

/* THE table of passages, in the order in which they are shown. */
static const struct {
	const char *id;
	const char *heading;
	void (*say)(struct record_passage *passage, const struct examination *examination);
} passages[] = {
	{"path", "Path of the writes", say_path},
	{"scaling", "Scaling", say_scaling},
	{"yardsticks", "Yardsticks", say_yardsticks},
	{"power", "Power management", say_power},
	{"diagnosis", "Diagnosis", say_diagnosis},
	{"remedies", "To make it last", say_remedies},
};

void doctor_examine(struct record *record, const struct report *report)
{
	struct examination examination;

	record_clear_passages(record);
	if (!report->plan->profile->synchronous) {
		return;
	}
	examination_make(&examination, record, report);
	for (size_t i = 0; i < sizeof(passages) / sizeof(passages[0]); i++) {
		struct record_passage said = {0};

		passages[i].say(&said, &examination);
		if (said.line_count > 0) {
			struct record_passage *passage = record_add_passage(record, passages[i].id, passages[i].heading);

			passage->lines = said.lines;
			passage->line_count = said.line_count;
		}
	}
}
