/** Finding out, by doing it, which engine works on the target and whether O_DIRECT does. Private to measure/. */
#ifndef MEASURE_TRIAL_H
#define MEASURE_TRIAL_H

#include "measure/session.h"

/** Sets engine and O_DIRECT in the session's report. False with a failure where nothing works, or not what was forced.
 */
bool trial_run(struct session *session, struct failure *failure);

#endif
