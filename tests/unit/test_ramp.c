#include "scratch.h"

#include <math.h>

#include "../../src/measure/ramp.h"
#include "plan/workload.h"
#include "support/clock.h"

enum { START_MS = 100000, RAMP_MS = 2000, SPACING_MS = 60 };
#define RATE_PER_MS 1000

/* A reading of a disk that has moved RATE_PER_MS in each millisecond from START_MS on. */
static struct reading reading_at(unsigned at_ms)
{
	struct reading reading = {.at_ns = at_ms * NS_PER_MS, .known = READING_DEVICES | READING_DIRTIED};
	uint64_t bytes = at_ms > START_MS ? (uint64_t)(at_ms - START_MS) * RATE_PER_MS : 0;

	reading.devices[STORAGE_TOP] = (struct device_counters){.read_requests = bytes / 10, .read_bytes = 5000 + bytes};
	reading.dirtied_bytes = at_ms;
	return reading;
}

/* A ramp of two seconds, then `runtime_ms` that count; fio ends 20 ms after its jobs. */
static struct keeper_result run_of(unsigned runtime_ms, unsigned late_ms, bool moved)
{
	struct keeper_result result = {.ramp_earliest_ns = (START_MS - 30 + RAMP_MS) * NS_PER_MS,
		.ramp_latest_ns = moved ? (START_MS + 30 + RAMP_MS) * NS_PER_MS : 0,
		.ramp_count = KEEPER_RAMP_READINGS_MAX};
	unsigned end_ms = START_MS + RAMP_MS + late_ms + runtime_ms;

	for (unsigned i = 0; i < KEEPER_RAMP_READINGS_MAX; i++) {
		unsigned at_ms = START_MS - 30 + RAMP_MS + i * SPACING_MS;

		result.ramp[i].reading = reading_at(at_ms);
		result.ramp[i].process_known = 1;
		result.ramp[i].process_read_bytes = (uint64_t)(at_ms - START_MS) * RATE_PER_MS;
	}
	result.readings.idle = reading_at(START_MS - 400);
	result.readings.before = reading_at(START_MS - 300);
	result.readings.before.devices[STORAGE_TOP].read_bytes += 70;
	result.readings.after = reading_at(end_ms + 20);
	result.readings.after.devices[STORAGE_TOP] = reading_at(end_ms).devices[STORAGE_TOP];
	result.readings.account = (struct process_account){
		.known = 1, .read_bytes = (uint64_t)(end_ms - START_MS) * RATE_PER_MS, .processor_ns = 7};
	return result;
}

static double moved_share(const struct run_readings *readings, unsigned runtime_ms)
{
	return (double)(readings->after.devices[STORAGE_TOP].read_bytes -
					readings->before.devices[STORAGE_TOP].read_bytes) /
		   (RATE_PER_MS * (double)runtime_ms);
}

static void expect_share(unsigned runtime_ms, unsigned late_ms, bool moved, const char *version)
{
	struct keeper_result result = run_of(runtime_ms, late_ms, moved);
	struct run_readings readings = result.readings;

	ramp_exclude(&readings, &result, TRANSFER_READ, runtime_ms, version);
	double share = moved_share(&readings, runtime_ms), missed = 90.0 / runtime_ms;
	assert_true(share > 0.98 && share < 1 + missed);
	assert_int_equal(readings.account.known, 1);
	double account = (double)readings.account.read_bytes / (RATE_PER_MS * (double)runtime_ms);
	assert_true(fabs(account - share) < 1e-9);
	assert_int_equal(readings.account.processor_ns, 7);
	/* What others did before is told at the same rate as ever. */
	assert_true(readings.before.at_ns - readings.idle.at_ns == 100 * NS_PER_MS);
	assert_int_equal(
		readings.before.devices[STORAGE_TOP].read_bytes - readings.idle.devices[STORAGE_TOP].read_bytes, 70);
	assert_int_equal(readings.idle.known, READING_DEVICES);
	assert_true(readings.before.dirtied_bytes > START_MS);
}

static void test_exclude(void **state)
{
	(void)state;
	expect_share(2000, 0, true, "fio-3.33");
	expect_share(1000, 0, true, "fio-3.1");
	expect_share(60000, 0, false, "fio-3.33");
	/* A newer fio looks only now and then whether the ramp is over. */
	expect_share(2000, 900, true, "fio-3.42");
	expect_share(2000, 500, true, NULL);
	expect_share(2000, 700, false, "fio-3.42-6-g219f");
}

/* A fio that took its time to end has not begun to count later. */
static void test_slow_end(void **state)
{
	struct keeper_result result = run_of(2000, 0, true);
	struct run_readings readings = result.readings;

	(void)state;
	readings.after.at_ns = result.readings.after.at_ns += 700 * NS_PER_MS;
	ramp_exclude(&readings, &result, TRANSFER_READ, 2000, "fio-3.33");
	assert_true(moved_share(&readings, 2000) > 0.98);
	/* Nor did it begin before its ramp could be over. */
	result = run_of(2000, 0, true);
	readings = result.readings;
	ramp_exclude(&readings, &result, TRANSFER_READ, 3000, "fio-3.33");
	assert_true(readings.before.at_ns == result.ramp_earliest_ns);
}

/* Of a file that the ramp brought into RAM nothing is left to read: that is what the evidence then says. */
static void test_cached(void **state)
{
	struct keeper_result result = run_of(2000, 0, true);
	struct run_readings readings;

	(void)state;
	for (unsigned i = 1; i < KEEPER_RAMP_READINGS_MAX; i++) {
		result.ramp[i].reading.devices[STORAGE_TOP] = result.ramp[0].reading.devices[STORAGE_TOP];
		result.ramp[i].process_read_bytes = result.ramp[0].process_read_bytes;
	}
	result.readings.after.devices[STORAGE_TOP] = result.ramp[0].reading.devices[STORAGE_TOP];
	result.readings.account.read_bytes = result.ramp[0].process_read_bytes;
	readings = result.readings;
	ramp_exclude(&readings, &result, TRANSFER_READ, 2000, "fio-3.33");
	assert_true(moved_share(&readings, 2000) < 0.001);
	assert_true(readings.account.known == 1 && readings.account.read_bytes == 0);
}

static void expect_unknown(const struct keeper_result *result, double runtime_ms)
{
	struct run_readings readings = result->readings;

	ramp_exclude(&readings, result, TRANSFER_READ, runtime_ms, "fio-3.33");
	assert_true(readings.before.at_ns == 0 && readings.idle.at_ns == 0);
	assert_int_equal(readings.account.known, 0);
}

/* Where nobody can tell what the ramp did, nobody is to conclude anything. */
static void test_unknown(void **state)
{
	struct keeper_result result = run_of(2000, 0, true);
	struct run_readings readings;

	(void)state;
	expect_unknown(&result, (double)NAN);
	expect_unknown(&result, 0);
	expect_unknown(&result, 1e300);
	result.ramp_count = 0;
	expect_unknown(&result, 2000);
	result = run_of(2000, 0, true);
	result.ramp_count = UINT32_MAX; /* not believed */
	readings = result.readings;
	ramp_exclude(&readings, &result, TRANSFER_READ, 2000, "fio-3.33");
	assert_true(moved_share(&readings, 2000) > 0.98);
	result = run_of(2000, 0, true);
	result.ramp[0].reading.at_ns += 500 * NS_PER_MS; /* the first came too late */
	result.ramp_count = 1;
	expect_unknown(&result, 2000);
	result = run_of(2000, 0, true);
	result.readings.after.at_ns = 0;
	expect_unknown(&result, 2000);
}

/* The account of a process tells its part after the ramp only where it could be seen at the ramp's end. */
static void test_account(void **state)
{
	struct keeper_result result = run_of(2000, 0, true);
	struct run_readings readings = result.readings;

	(void)state;
	ramp_exclude(&readings, &result, TRANSFER_WRITE, 2000, "fio-3.33");
	assert_int_equal(readings.account.known, 0);
	for (unsigned i = 0; i < KEEPER_RAMP_READINGS_MAX; i++) {
		result.ramp[i].process_known = 0;
	}
	readings = result.readings;
	ramp_exclude(&readings, &result, TRANSFER_READ, 2000, "fio-3.33");
	assert_true(readings.account.known == 0 && readings.account.read_bytes == 0);
	assert_true(moved_share(&readings, 2000) > 0.98);
	result = run_of(2000, 0, true);
	result.readings.account.read_bytes = 1; /* less than was seen before: makes no sense */
	readings = result.readings;
	ramp_exclude(&readings, &result, TRANSFER_READ, 2000, "fio-3.33");
	assert_int_equal(readings.account.known, 0);
	/* Before there was an idle stretch there is none to move. */
	result = run_of(2000, 0, true);
	result.readings.idle.at_ns = 0;
	readings = result.readings;
	ramp_exclude(&readings, &result, TRANSFER_READ, 2000, "fio-3.33");
	assert_int_equal(readings.idle.at_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exclude),
		cmocka_unit_test(test_slow_end),
		cmocka_unit_test(test_cached),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_account),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
