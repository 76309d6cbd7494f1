#include "fio/result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/json.h"
#include "support/memory.h"
#include "support/text.h"

/* How well fio's rates fit its amounts: 5 %, and the rounding of the oldest versions to whole KiB/s. */
#define FITS_SHARE 0.05
enum { FITS_MIN_MS = 200, FITS_TOLERANCE_BYTES_PER_S = 2048, FITS_TOLERANCE_IOPS = 2 };

/* The parts of sums that are turned into means when all jobs are read. */
struct latency_sums {
	double p50_sum_ns;
	size_t p50_count;
	double mean_sum_ns; /* each mean as often as there are requests in it */
	double mean_weight;
};

struct sums {
	struct latency_sums completion;
	struct latency_sums sync;
	double saturation_sum;
	size_t saturation_count;
};

/* A number of fio's that cannot be negative; 0 where it is absent. */
static double count_of(const struct cJSON *value, const char *key)
{
	double number = 0;

	return json_number(value, key, &number) && number > 0 ? number : 0;
}

/* One percentile of a list keyed "50.000000"; the keys' spelling is printf's, so they are compared as numbers. */
static bool find_percentile(const struct cJSON *percentiles, double wanted, double *value)
{
	for (const struct cJSON *each = json_first(percentiles); each; each = json_next(each)) {
		char *end = NULL;
		double percentile = strtod(json_key(each), &end);

		if (end != json_key(each) && fabs(percentile - wanted) < 0.001) {
			return json_value_number(each, value);
		}
	}
	return false;
}

/* One job's latencies; the worst percentile goes to `*p99_ns`. `requests` is how many there are if `N` is missing. */
static void add_latency(
	struct latency_sums *sums, double *p99_ns, const struct cJSON *latency, double unit_ns, double requests)
{
	const struct cJSON *percentiles = json_member(latency, "percentile");
	double value = 0, count = count_of(latency, "N") > 0 ? count_of(latency, "N") : requests;

	if (find_percentile(percentiles, 50, &value)) {
		sums->p50_sum_ns += value * unit_ns;
		sums->p50_count++;
	}
	if (find_percentile(percentiles, 99, &value) && !(*p99_ns >= value * unit_ns)) {
		*p99_ns = value * unit_ns;
	}
	if (json_number(latency, "mean", &value) && value >= 0 && count > 0) {
		sums->mean_sum_ns += value * unit_ns * count;
		sums->mean_weight += count;
	}
}

static void add_completion(struct fio_direction *direction, struct sums *sums, const struct cJSON *figures)
{
	const struct cJSON *latency = json_member(figures, "clat_ns");
	double unit_ns = 1;

	if (!latency) {
		latency = json_member(figures, "clat"); /* fio 2: microseconds */
		unit_ns = 1000;
	}
	add_latency(&sums->completion, &direction->latency_p99_ns, latency, unit_ns, count_of(figures, "total_ios"));
}

/*
 * fio times the calls of fsync(2) and fdatasync(2) apart from the writes, from 3.4 on. `total_ios` there misses the
 * latter in most versions, and a section without a call is full of zeros. Old ones tell no N either: each write was
 * followed by one, where any was.
 */
static void add_sync(struct fio_direction *direction, struct sums *sums, const struct cJSON *job, double writes)
{
	const struct cJSON *latency = json_member(json_member(job, "sync"), "lat_ns");
	double most = 0;

	if (json_number(latency, "max", &most) && most > 0) {
		add_latency(&sums->sync, &direction->sync_p99_ns, latency, 1, writes);
	}
}

/* Submit saturation: fio's mean submission latency is of one request, IOPS of them are submitted each second. */
static void add_saturation(struct sums *sums, const struct cJSON *figures)
{
	const struct cJSON *latency = json_member(figures, "slat_ns");
	double mean_ns = 0;

	if (json_number(latency, "mean", &mean_ns) && mean_ns >= 0) {
		sums->saturation_sum += count_of(figures, "iops") * mean_ns / 1e9;
		sums->saturation_count++;
	}
}

/* Whether a rate is what an amount and a time make; fio rounds both, so of short times nothing is said. */
static bool fits(double rate, double amount, double runtime_ms, double tolerance)
{
	double expected = amount * 1000 / runtime_ms;

	return runtime_ms < FITS_MIN_MS || amount <= 0 || fabs(rate - expected) <= FITS_SHARE * expected + tolerance;
}

static void add_job(struct fio_direction *direction, struct sums *sums, const struct cJSON *job, const char *key)
{
	const struct cJSON *figures = json_member(job, key);
	double bandwidth = 0, runtime_ms = count_of(figures, "runtime");

	if (!figures) {
		return;
	}
	direction->present = true;
	if (!json_number(figures, "bw_bytes", &bandwidth)) {
		bandwidth = count_of(figures, "bw") * 1024; /* fio 3.1 and older: KiB/s only */
	}
	direction->bandwidth_bytes_per_s += bandwidth > 0 ? bandwidth : 0;
	direction->iops += count_of(figures, "iops");
	direction->bytes += count_of(figures, "io_bytes");
	if (count_of(figures, "total_ios") <= 0 && count_of(figures, "io_bytes") <= 0) {
		return; /* without I/O its percentiles are zeros, or left out: they say nothing */
	}
	if (direction->jobs_with_io == 0 || runtime_ms < direction->runtime_ms) {
		direction->runtime_ms = runtime_ms;
	}
	direction->jobs_with_io++;
	direction->contradicts |=
		!fits(bandwidth, count_of(figures, "io_bytes"), runtime_ms, FITS_TOLERANCE_BYTES_PER_S) ||
		!fits(count_of(figures, "iops"), count_of(figures, "total_ios"), runtime_ms, FITS_TOLERANCE_IOPS);
	add_saturation(sums, figures);
	add_completion(direction, sums, figures);
	add_sync(direction, sums, job, count_of(figures, "total_ios"));
}

/* In client mode one row repeats the sum of the others. */
static bool is_total(const struct cJSON *job)
{
	const char *name = json_string(job, "jobname");

	return name && strcmp(name, "All clients") == 0;
}

static double median_of(const struct latency_sums *sums)
{
	return sums->p50_count > 0 ? sums->p50_sum_ns / (double)sums->p50_count : (double)NAN;
}

static double mean_of(const struct latency_sums *sums)
{
	return sums->mean_weight > 0 ? sums->mean_sum_ns / sums->mean_weight : (double)NAN;
}

static void read_direction(struct fio_direction *direction, const struct cJSON *jobs, const char *key)
{
	struct sums sums = {0};

	*direction = (struct fio_direction){
		.latency_p99_ns = (double)NAN, .sync_p99_ns = (double)NAN, .submit_saturation = (double)NAN};
	for (const struct cJSON *job = json_first(jobs); job; job = json_next(job)) {
		if (!is_total(job)) {
			add_job(direction, &sums, job, key);
		}
	}
	direction->latency_p50_ns = median_of(&sums.completion);
	direction->latency_mean_ns = mean_of(&sums.completion);
	direction->sync_p50_ns = median_of(&sums.sync);
	direction->sync_mean_ns = mean_of(&sums.sync);
	if (sums.saturation_count > 0) {
		direction->submit_saturation = sums.saturation_sum / (double)sums.saturation_count;
	}
}

/* A job's error as an errno; what is none counts as an error all the same. */
static int error_of(const struct cJSON *job)
{
	double error = 0;

	if (!json_number(job, "error", &error) || error == 0) {
		return 0;
	}
	return fabs(error) >= 1 && fabs(error) < 4096 ? (int)fabs(error) : EIO;
}

/* With threads for jobs each reports its own time, in percent of one processor. */
static void note_cpu(struct fio_result *result, const struct cJSON *job)
{
	double user = 0, system = 0;

	if (json_number(job, "usr_cpu", &user) && json_number(job, "sys_cpu", &system) &&
		!(result->busiest_job_cpu >= (user + system) / 100)) {
		result->busiest_job_cpu = (user + system) / 100;
	}
}

static void read_document(struct fio_result *result, const struct cJSON *document)
{
	const struct cJSON *jobs = json_member(document, "jobs");
	const char *version = json_string(document, "fio version");

	if (!jobs) {
		jobs = json_member(document, "client_stats");
	}
	result->found = true;
	result->version = version ? text_printable(version) : NULL;
	for (const struct cJSON *job = json_first(jobs); job; job = json_next(job)) {
		if (!is_total(job)) {
			result->jobs++;
			result->error = result->error ? result->error : error_of(job);
			note_cpu(result, job);
		}
	}
	read_direction(&result->directions[TRANSFER_READ], jobs, "read");
	read_direction(&result->directions[TRANSFER_WRITE], jobs, "write");
	read_direction(&result->mixed, jobs, "mixed");
}

void fio_result_read_marks(struct fio_result *result, const char *text, size_t length)
{
	static const char *const interruptions[] = {"terminating on signal", NULL};
	static const char *const surrenders[] = {
		"on laying out file, stopping", "forceful exit of this job", "job startup hung", NULL};

	for (size_t i = 0; interruptions[i]; i++) {
		result->interrupted |= memmem(text, length, interruptions[i], strlen(interruptions[i])) != NULL;
	}
	for (size_t i = 0; surrenders[i]; i++) {
		result->cut_short |= memmem(text, length, surrenders[i], strlen(surrenders[i])) != NULL;
	}
}

void fio_result_read(struct fio_result *result, const char *output, size_t length)
{
	static const char *const array_keys[] = {"jobs", "client_stats", NULL};
	struct cJSON *document = json_find_last(output, length, array_keys);

	*result = (struct fio_result){.busiest_job_cpu = (double)NAN};
	if (document) {
		read_document(result, document);
		json_free(document);
	}
	fio_result_read_marks(result, output, length);
}

void fio_result_release(struct fio_result *result)
{
	free(result->version);
	*result = (struct fio_result){0};
}
