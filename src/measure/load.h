/** One run of fio or dd through the keeper. Private to measure/. */
#ifndef MEASURE_LOAD_H
#define MEASURE_LOAD_H

#include "measure/session.h"

/** How a load went. */
struct load_outcome {
	bool valid;
	struct figures figures;         /* where valid, or has_figures */
	bool has_figures;               /* it is not valid, but has true figures of less than was asked for */
	char *reason;                   /* owned; why not, where it is not */
	enum finding_kind failure_kind; /* what that goes by */
	struct evidence evidence;       /* where there are figures */
	int error;                      /* the errno behind it; 0 for none */
	bool not_started;               /* the program itself could not be started */
	bool timed_out;                 /* it had to be ended, since it took too long */
	bool stuck;                     /* it cannot be ended: no further run makes sense */
};

/** Run fio. False where the keeper is lost (see converse_fail), else the outcome tells. `title` is for --verbose. */
bool load_fio(struct session *session, const struct fio_job *job, const char *title, struct load_outcome *outcome,
	struct failure *failure);
/** Run dd; the same. */
bool load_dd(struct session *session, const struct dd_job *job, const char *title, struct load_outcome *outcome,
	struct failure *failure);
/** Free the reason. */
void load_outcome_release(struct load_outcome *outcome);

#endif
