/* THE table of kinds: what each is called, how it is marked, and who writes its sentence. */
#include "checks.h"

static const struct {
	const char *id;
	const char *mark;
	say_function *say; /* NULL: it fails the run, and stands in that footnote */
} kinds[FINDING_KIND_COUNT] = {
	[FINDING_NONE] = {"", "", NULL},
	[FINDING_SHORTENED] = {"shortened", "*", NULL},
	[FINDING_FLUSH_FAILED] = {"flush-failed", "*", NULL},
	[FINDING_NEVER_WRITTEN] = {"never-written", "*", NULL},
	[FINDING_NOT_DURABLE] = {"not-durable", "*", say_not_durable},
	[FINDING_SERVED_FROM_RAM] = {"served-from-ram", "*", say_served_from_ram},
	[FINDING_PARTLY_FROM_RAM] = {"partly-from-ram", "*", say_partly_from_ram},
	[FINDING_NOT_YET_ON_DEVICE] = {"not-yet-on-device", "*", say_not_yet_on_device},
	[FINDING_DIRECT_NOT_HONOURED] = {"direct-not-honoured", "*", say_direct_not_honoured},
	[FINDING_COMPRESSED] = {"compressed", "*", say_compressed},
	[FINDING_DEPTH_NOT_REACHED] = {"depth-not-reached", "*", say_depth_not_reached},
	[FINDING_CPU_BOUND] = {"cpu-bound", "*", say_cpu_bound},
	[FINDING_OTHER_TRAFFIC] = {"other-traffic", "*", say_other_traffic},
	[FINDING_ABOVE_LINK] = {"above-link", "*", say_above_link},
	[FINDING_AMPLIFIED] = {"amplified", "", say_amplified},
	[FINDING_FITS_IN_CACHE] = {"fits-in-cache", "", say_fits_in_cache},
	[FINDING_SOURCE_UNKNOWN] = {"source-unknown", "?", say_source_unknown},
};

const char *finding_id(enum finding_kind kind)
{
	return kinds[kind].id;
}

const char *finding_mark(enum finding_kind kind)
{
	return kinds[kind].mark;
}

say_function *finding_say(enum finding_kind kind)
{
	return kinds[kind].say;
}
