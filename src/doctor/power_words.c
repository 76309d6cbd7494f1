/* How the machine saves power: what is set, and what was seen during the commits of one thread. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "examination.h"
#include "support/memory.h"
#include "support/text.h"
#include "support/units.h"

/* Below this share of the highest frequency the processors are slow. */
#define SLOW_BELOW 0.75
/* So much of the time in deep sleep may cost time. */
#define DEEP_MIN 0.05

/* "lowest 1.20, base 2.50, highest 3.30 GHz" in brackets; nothing where none is known. */
static void add_bounds(struct text *text, const struct power *power)
{
	const struct {
		const char *name;
		double frequency_hz;
	} bounds[] = {
		{"lowest", power->frequency_min_hz},
		{"base", power->frequency_base_hz},
		{"highest", power->frequency_max_hz},
	};
	const char *separator = " (";

	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		if (bounds[i].frequency_hz > 0) {
			text_addf(text, "%s%s %.2f", separator, bounds[i].name, bounds[i].frequency_hz / 1e9);
			separator = ", ";
		}
	}
	text_add(text, *separator == ',' ? " GHz)" : "");
}

/* "ran at 1.20 GHz during T1 (lowest 1.20, base 2.50, highest 3.30 GHz)" */
static void add_speed(struct text *text, const struct examination *examination)
{
	double frequency_hz = examination->single_power.frequency_hz;

	if (isnan(frequency_hz)) {
		text_add(text, "how fast they ran during T1 is not known");
	} else {
		text_addf(text, "ran at %.2f GHz during T1", frequency_hz / 1e9);
	}
	add_bounds(text, &examination->report->power);
}

static void say_frequency(struct record_passage *passage, const struct examination *examination)
{
	const struct power *power = &examination->report->power;
	struct text text = TEXT_EMPTY;

	text_add(&text, "Processors: ");
	add_speed(&text, examination);
	if (power->policies == 0) {
		text_add(&text, "; the kernel sets no frequency here (no cpufreq)");
	} else {
		text_addf(&text, "; governor %s", power->governor ? power->governor : "unknown");
		if (power->driver) {
			text_addf(&text, ", driver %s", power->driver);
		}
		if (power->preference) {
			text_addf(&text, ", energy preference %s", power->preference);
		}
		if (power->turbo && strcmp(power->turbo, "off") == 0) {
			text_add(&text, ", turbo off");
		}
	}
	record_passage_say(passage, "%s.", text_string(&text));
	text_release(&text);
}

/* "slept 81 % of the time during T1, 64 % in C6 (133 us to wake up, 2440 times a second)" */
static void add_sleep(struct text *text, const struct power_seen *seen)
{
	if (isnan(seen->asleep)) {
		text_add(text, "how long they slept during T1 is not known");
		return;
	}
	text_addf(text, "slept %.0f %% of the time during T1", 100 * seen->asleep);
	if (seen->most_used) {
		text_addf(text, ", %.0f %% in %s (%.0f us to wake up, %.0f times a second)", 100 * seen->most_used_share,
			seen->most_used->name, seen->most_used->exit_latency_us, seen->most_used_entries_per_s);
	}
}

/* The kernel knows no more states than this; a larger max_cstate is no limit. */
#define STATES_WITHOUT_LIMIT 8

/* ", intel_idle.max_cstate 1" where that is a limit; whether it is. */
static bool add_limit(struct text *text, const char *parameter, const char *value)
{
	uint64_t most;
	bool is_limit = value && units_parse_number(value, 0, UINT64_MAX, &most) && most < STATES_WITHOUT_LIMIT;

	if (is_limit) {
		text_addf(text, ", %s.max_cstate %s", parameter, value);
	}
	return is_limit;
}

static void add_limits(struct text *text, const struct power *power)
{
	bool is_intel = power->idle_driver && strcmp(power->idle_driver, "intel_idle") == 0;
	bool is_limited = is_intel && add_limit(text, "intel_idle", power->intel_max_cstate);

	is_limited = add_limit(text, "processor", power->processor_max_cstate) || is_limited;
	if (!is_limited && (power->intel_max_cstate || power->processor_max_cstate)) {
		text_add(text, ", max_cstate sets no limit");
	}
	if (power->latency_limit_us < 1e6) {
		text_addf(text, ", limited to %.0f us by PM QoS (/dev/cpu_dma_latency)", power->latency_limit_us);
	}
}

static void say_idle(struct record_passage *passage, const struct examination *examination)
{
	const struct power *power = &examination->report->power;
	const struct idle_state *deepest = power_deepest_idle(power);
	struct text text = TEXT_EMPTY;

	text_add(&text, "Idle states: ");
	if (power->idle_state_count == 0) {
		text_add(&text, "the kernel has none to choose from here");
	} else {
		add_sleep(&text, &examination->single_power);
		if (deepest) {
			text_addf(&text, "; %s is the deepest allowed (%.0f us)", deepest->name, deepest->exit_latency_us);
		} else {
			text_add(&text, "; none with a latency is allowed");
		}
	}
	if (power->idle_driver && strcmp(power->idle_driver, "none") != 0) {
		text_addf(&text, ", driver %s", power->idle_driver);
	}
	if (power->idle_state_count > 0) {
		if (power->idle_governor) {
			text_addf(&text, ", governor %s", power->idle_governor);
		}
		add_limits(&text, power);
	}
	record_passage_say(passage, "%s.", text_string(&text));
	text_release(&text);
}

/* Strings that may be NULL. */
static bool is_equal(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) == 0 : one == other;
}

static bool is_same(const struct nvme_power *one, const struct nvme_power *other)
{
	bool both_unknown = isnan(one->latency_tolerance_us) && isnan(other->latency_tolerance_us);
	bool is_near = fabs(one->latency_tolerance_us - other->latency_tolerance_us) < 0.5 ||
				   (isinf(one->latency_tolerance_us) && isinf(other->latency_tolerance_us));

	return (both_unknown || is_near) && is_equal(one->link_state, other->link_state);
}

/* "nvme1, nvme2": the first of those that are alike with the others; nothing of the others. */
static bool add_names(struct text *text, const struct power *power, size_t first)
{
	for (size_t i = 0; i < first; i++) {
		if (is_same(&power->nvmes[i], &power->nvmes[first])) {
			return false;
		}
	}
	text_addf(text, "%s%s", text->length > 0 ? "; " : "", power->nvmes[first].name);
	for (size_t i = first + 1; i < power->nvme_count; i++) {
		if (is_same(&power->nvmes[i], &power->nvmes[first])) {
			text_addf(text, ", %s", power->nvmes[i].name);
		}
	}
	return true;
}

static void add_states(struct text *text, const struct nvme_power *nvme)
{
	if (isnan(nvme->latency_tolerance_us)) {
		text_add(text, ": power states (APST) unknown");
	} else if (isinf(nvme->latency_tolerance_us)) {
		text_add(text, ": any power state may be used (APST)");
	} else if (nvme->latency_tolerance_us > 0) {
		text_addf(text, ": power states of up to %.0f us may be used (APST)", nvme->latency_tolerance_us);
	} else {
		text_add(text, ": power states off (APST)");
	}
	if (nvme->link_state) {
		bool is_off = strcmp(nvme->link_state, "off") == 0;

		text_addf(text, is_off ? ", link stays awake (ASPM %s)" : ", link may sleep (ASPM %s)", nvme->link_state);
	}
}

static void add_nvmes(struct text *text, const struct power *power)
{
	for (size_t i = 0; i < power->nvme_count; i++) {
		if (add_names(text, power, i)) {
			add_states(text, &power->nvmes[i]);
		}
	}
}

static void say_links(struct record_passage *passage, const struct power *power)
{
	struct text text = TEXT_EMPTY;

	if (power->is_virtual && power->nvme_count == 0) {
		return; /* virtual links do not sleep */
	}
	if (power->aspm_policy) {
		text_addf(&text, "PCIe ASPM policy %s", power->aspm_policy);
	}
	if (power->nvme_count > 0 && !isnan(power->nvme_max_latency_us)) {
		text_addf(&text, "%snvme_core.default_ps_max_latency_us %.0f", text.length > 0 ? "; " : "",
			power->nvme_max_latency_us);
	}
	add_nvmes(&text, power);
	if (text.length > 0) {
		record_passage_say(passage, "Links and drives: %s.", text_string(&text));
	}
	text_release(&text);
}

static bool has_commits(const struct report *report)
{
	bool found = false;

	for (size_t run = 0; run < report->plan->run_count; run++) {
		found = found || examination_has_commits(report, run);
	}
	return found;
}

/* A virtual machine in whose kernel there is nothing to be seen. */
static bool is_blind(const struct examination *examination)
{
	const struct power *power = &examination->report->power;

	return power->is_virtual && power->policies == 0 && power->idle_state_count == 0 &&
		   isnan(examination->single_power.frequency_hz);
}

static void say_processors(struct record_passage *passage, const struct examination *examination)
{
	if (examination->report->power.is_hidden) {
		record_passage_say(
			passage, "Processors: how they run and sleep is not known; /sys does not show them here (is it mounted?).");
		return;
	}
	if (is_blind(examination)) {
		record_passage_say(passage,
			"Processors: the kernel of this virtual machine neither clocks them nor chooses how "
			"deep they sleep (no cpufreq, no cpuidle driver); its host does, unseen from here.");
		return;
	}
	say_frequency(passage, examination);
	say_idle(passage, examination);
}

/* What was seen and could be held: worth an experiment. */
static void say_hint(struct record_passage *passage, const struct examination *examination)
{
	const struct power *power = &examination->report->power;
	const struct power_seen *seen = &examination->single_power;
	bool is_slow = power->performing < power->policies && seen->frequency_hz < SLOW_BELOW * power->frequency_max_hz;
	bool is_deep = seen->deeply_asleep >= DEEP_MIN;

	if (!examination->report->experiment.wanted && (is_slow || is_deep)) {
		record_passage_say(passage, "speedtest-hd --slog --diagnose PATH tries whether %s.",
			!is_deep   ? "that low frequency costs time"
			: !is_slow ? "that deep sleep costs time"
					   : "that low frequency and deep sleep cost time");
	}
}

void say_power(struct record_passage *passage, const struct examination *examination)
{
	const struct power *power = &examination->report->power;

	if (!has_commits(examination->report)) {
		return;
	}
	say_processors(passage, examination);
	say_links(passage, power);
	if (power->is_virtual && !is_blind(examination)) {
		record_passage_say(passage, "A virtual machine: what its host does to save power can be neither seen nor held "
									"from here.");
	}
	say_hint(passage, examination);
}
