#include "telemetry/power_reading.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"
#include "telemetry/reading.h"

#define PROCESSORS "/sys/devices/system/cpu"

enum {
	INTERVAL_MS = 500,
	THREADS_MAX = 128, /* of a program with more the rest is not looked at */
	/* Fields of /proc/PID/stat (proc(5)), counted from the first number behind the name, the fourth. */
	STAT_USER = 14 - 4,
	STAT_SYSTEM = 15 - 4,
	STAT_PROCESSOR = 39 - 4,
	STAT_NUMBERS,
};

/* What /sys/.../cpuN/cpuidle/stateM counts since the machine was started. */
struct idle_counters {
	uint64_t time_us;
	uint64_t entries;
};

struct processor {
	unsigned long number;
	bool is_seen;      /* the load was on it */
	uint64_t begun_ns; /* when the following was read */
	uint32_t states;
	struct idle_counters idle[POWER_IDLE_STATES_MAX];
};

struct thread {
	long id;
	uint64_t ticks; /* of a processor that it has had so far */
	unsigned long processor;
};

struct power_sampler {
	char *root;
	struct processor *processors;
	size_t processor_count;
	struct thread threads[THREADS_MAX]; /* as the last look found them */
	size_t thread_count;
	long busiest; /* the id of the thread that had most of the time between two looks; 0: none had any yet */
	uint64_t next_ns;
	struct power_reading reading;
};

static bool take_number(uint64_t *number, const char *root, unsigned long processor, uint32_t state, const char *name)
{
	struct text line = TEXT_EMPTY;
	bool known = file_read(&line, root, PROCESSORS "/cpu%lu/cpuidle/state%u/%s", processor, (unsigned)state, name) &&
				 numbers_take(text_string(&line), number, 1) == 1;

	text_release(&line);
	return known;
}

/* How many states there are. */
static uint32_t take_idle(struct idle_counters *idle, const char *root, unsigned long processor)
{
	uint32_t states = 0;

	while (states < POWER_IDLE_STATES_MAX && take_number(&idle[states].time_us, root, processor, states, "time") &&
		   take_number(&idle[states].entries, root, processor, states, "usage")) {
		states++;
	}
	return states;
}

struct power_sampler *power_sampler_begin(const char *root)
{
	struct power_sampler *sampler = xcalloc(1, sizeof(*sampler));
	char **names = file_names(root, PROCESSORS);
	size_t count = 0;

	while (names[count]) {
		count++;
	}
	sampler->root = xstrdup(root);
	sampler->processors = xcalloc(count + 1, sizeof(*sampler->processors));
	for (size_t i = 0; i < count; i++) {
		struct processor *processor = &sampler->processors[sampler->processor_count];
		char *end = NULL;

		if (!text_starts_with(names[i], "cpu") || names[i][3] < '0' || names[i][3] > '9') {
			continue;
		}
		processor->number = strtoul(names[i] + 3, &end, 10);
		if (*end == '\0') {
			processor->begun_ns = clock_now_ns();
			processor->states = take_idle(processor->idle, root, processor->number);
			sampler->processor_count++;
		}
	}
	file_names_free(names);
	sampler->next_ns = clock_now_ns() + INTERVAL_MS * NS_PER_MS;
	return sampler;
}

/*
 * The name stands in brackets, and may hold some itself, and blanks. sudo waits for the load, which is a process of its
 * own then: where sudo is tells nothing.
 */
static bool parse_thread(struct thread *thread, const char *stat)
{
	const char *name = strchr(stat, '('), *field = strrchr(stat, ')');
	uint64_t numbers[STAT_NUMBERS] = {0};

	if (!name || !field || text_starts_with(name, "(sudo) ") || strlen(field) < strlen(") S ")) {
		return false;
	}
	/* The state is a letter; the first number is the field behind it. */
	if (numbers_take(field + strlen(") S"), numbers, STAT_NUMBERS) < STAT_NUMBERS) {
		return false;
	}
	thread->ticks = numbers[STAT_USER] + numbers[STAT_SYSTEM];
	thread->processor = (unsigned long)numbers[STAT_PROCESSOR];
	return true;
}

static size_t take_threads(struct thread *threads, const char *root, pid_t pid)
{
	char **names = file_names(root, "/proc/%ld/task", (long)pid);
	struct text stat = TEXT_EMPTY;
	size_t count = 0;

	for (size_t i = 0; names[i] && count < THREADS_MAX; i++) {
		threads[count].id = strtol(names[i], NULL, 10);
		text_reset(&stat);
		if (file_read(&stat, root, "/proc/%ld/task/%s/stat", (long)pid, names[i]) &&
			parse_thread(&threads[count], text_string(&stat))) {
			count++;
		}
	}
	text_release(&stat);
	file_names_free(names);
	return count;
}

static const struct thread *find_thread(const struct thread *threads, size_t count, long id)
{
	for (size_t i = 0; i < count; i++) {
		if (threads[i].id == id) {
			return &threads[i];
		}
	}
	return NULL;
}

/* The thread whose time grew most; where none did, as ticks are coarse, the one that was it before. NULL for none. */
static const struct thread *find_busiest(
	const struct power_sampler *sampler, const struct thread *threads, size_t count)
{
	const struct thread *busiest = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < count; i++) {
		const struct thread *earlier = find_thread(sampler->threads, sampler->thread_count, threads[i].id);
		uint64_t grown = earlier ? reading_grown(earlier->ticks, threads[i].ticks) : 0;

		if (grown > most) {
			most = grown;
			busiest = &threads[i];
		}
	}
	return busiest ? busiest : find_thread(threads, count, sampler->busiest);
}

/*
 * "cpu MHz : 2100.000" in the paragraph that begins with "processor : N"; x86 alone has it. Where the processor does
 * not count how fast it runs, as in most virtual machines, what stands there is what the kernel found once at its
 * start.
 */
static uint64_t frequency_of_cpuinfo(const char *root, unsigned long processor)
{
	struct text table = TEXT_EMPTY;
	uint64_t khz = 0;
	bool is_it = false;
	bool known = file_read(&table, root, "/proc/cpuinfo") && strstr(text_string(&table), " aperfmperf") != NULL;

	for (const char *line = text_string(&table); known && line && khz == 0;) {
		const char *value = strchr(line, ':');

		if (value && text_starts_with(line, "processor")) {
			is_it = strtoul(value + 1, NULL, 10) == processor;
		} else if (value && is_it && text_starts_with(line, "cpu MHz")) {
			double mhz = strtod(value + 1, NULL);

			khz = mhz > 0 && mhz < 1e6 ? (uint64_t)(mhz * 1000) : 0;
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	text_release(&table);
	return khz;
}

/* 0 where it is unknown. */
static uint64_t frequency_of(const char *root, unsigned long processor)
{
	struct text line = TEXT_EMPTY;
	uint64_t khz = 0;

	if (!file_read(&line, root, PROCESSORS "/cpu%lu/cpufreq/scaling_cur_freq", processor) ||
		numbers_take(text_string(&line), &khz, 1) == 0 || khz == 0) {
		khz = frequency_of_cpuinfo(root, processor);
	}
	text_release(&line);
	return khz;
}

static void take_sample(struct power_sampler *sampler, unsigned long number)
{
	struct power_reading *reading = &sampler->reading;
	uint64_t khz = frequency_of(sampler->root, number);

	for (size_t i = 0; i < sampler->processor_count; i++) {
		if (sampler->processors[i].number == number) {
			sampler->processors[i].is_seen = true;
		}
	}
	if (khz == 0) {
		return;
	}
	if (reading->frequency_samples == 0 || khz < reading->frequency_least_khz) {
		reading->frequency_least_khz = khz;
	}
	if (khz > reading->frequency_most_khz) {
		reading->frequency_most_khz = khz;
	}
	reading->frequency_samples++;
	reading->frequency_sum_khz += khz;
}

void power_sampler_tick(struct power_sampler *sampler, pid_t pid)
{
	struct thread threads[THREADS_MAX] = {{0}};
	uint64_t now_ns = clock_now_ns();

	if (now_ns < sampler->next_ns) {
		return;
	}
	sampler->next_ns = now_ns + INTERVAL_MS * NS_PER_MS;
	size_t count = take_threads(threads, sampler->root, pid);
	const struct thread *busiest = find_busiest(sampler, threads, count);
	if (busiest) {
		sampler->busiest = busiest->id;
		take_sample(sampler, busiest->processor);
	}
	memcpy(sampler->threads, threads, sizeof(threads));
	sampler->thread_count = count;
}

/* What a processor counted since the beginning. */
static void add_idle(struct power_reading *reading, const struct processor *processor, const char *root)
{
	struct idle_counters now[POWER_IDLE_STATES_MAX] = {{0}};
	uint32_t states = take_idle(now, root, processor->number);

	reading->processors_seen++;
	reading->elapsed_us += (clock_now_ns() - processor->begun_ns) / (NS_PER_MS / 1000);
	states = states < processor->states ? states : processor->states;
	for (uint32_t i = 0; i < states; i++) {
		reading->idle_time_us[i] += reading_grown(processor->idle[i].time_us, now[i].time_us);
		reading->idle_entries[i] += reading_grown(processor->idle[i].entries, now[i].entries);
	}
	reading->idle_states = states > reading->idle_states ? states : reading->idle_states;
}

void power_sampler_end(struct power_sampler *sampler, struct power_reading *reading)
{
	*reading = (struct power_reading){.frequency_samples = 0};
	if (!sampler) {
		return;
	}
	*reading = sampler->reading;
	for (size_t i = 0; i < sampler->processor_count; i++) {
		if (sampler->processors[i].is_seen) {
			add_idle(reading, &sampler->processors[i], sampler->root);
		}
	}
	free(sampler->processors);
	free(sampler->root);
	free(sampler);
}
