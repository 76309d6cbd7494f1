#include "scratch.h"

#include <sched.h>
#include <sys/wait.h>

#include "telemetry/reading.h"

#define MODERN "tests/fixtures/counters/modern"
#define LEGACY "tests/fixtures/counters/legacy"
#define CONTAINER "tests/fixtures/counters/container"
#define NOTHING "tests/fixtures/counters/nothing"

static const struct watch no_watch;

static void test_devices(void **state)
{
	const struct watch watch = {
		.device_count = 3,
		.devices = {{254, 0, 1 << STORAGE_DISK}, {259, 3, 1 << STORAGE_TOP | 1 << STORAGE_LEAF},
			{8, 1, 1 << STORAGE_LEAF}},
	};
	struct reading reading;
	const struct device_counters *top = &reading.devices[STORAGE_TOP], *leaf = &reading.devices[STORAGE_LEAF],
								 *disk = &reading.devices[STORAGE_DISK];

	(void)state;
	reading_take(&reading, READING_ALL, MODERN, &watch, NULL);
	assert_true(reading.known & READING_DEVICES);
	assert_true(reading.at_ns > 0);
	assert_int_equal(disk->read_requests, 489336);
	assert_int_equal(disk->read_bytes, UINT64_C(35904982) * 512);
	assert_int_equal(disk->write_requests, 1807925);
	assert_int_equal(disk->written_bytes, UINT64_C(71041872) * 512);
	assert_int_equal(disk->queue_time_ms, 2855054);
	assert_int_equal(disk->write_time_ms, 1791538);
	assert_int_equal(disk->in_flight, 3);
	assert_int_equal(top->read_bytes, 17572 * 512);
	assert_int_equal(top->in_flight, 2);
	assert_int_equal(leaf->read_bytes, (17572 + 8000) * 512);
	assert_int_equal(leaf->written_bytes, (108288 + 16000) * 512);
	assert_int_equal(leaf->queue_time_ms, 307 + 400);
	assert_int_equal(leaf->write_time_ms, 210 + 300);
	assert_int_equal(leaf->in_flight, 2 + 4);
	assert_int_equal(reading.devices[STORAGE_LOG].read_requests, 0);
}

/* Kernels before 5.5 and before 4.18 have fewer fields. */
static void test_old_devices(void **state)
{
	struct watch watch = {.device_count = 1, .devices = {{8, 1, 1}}};
	struct reading reading;

	(void)state;
	for (uint32_t minor = 1; minor <= 2; minor++) {
		watch.devices[0].minor = minor;
		reading_take(&reading, READING_ALL, MODERN, &watch, NULL);
		assert_true(reading.known & READING_DEVICES);
		assert_int_equal(reading.devices[0].queue_time_ms, 400);
		assert_int_equal(reading.devices[0].in_flight, minor == 1 ? 4 : 0);
	}
}

/* Only where all of them count them. */
static void test_flushes(void **state)
{
	struct watch watch = {.device_count = 1, .devices = {{254, 0, 1 << STORAGE_DISK}, {8, 2, 1 << STORAGE_LEAF}}};
	struct reading reading;
	const struct device_counters *disk = &reading.devices[STORAGE_DISK];

	(void)state;
	reading_take(&reading, READING_ALL, MODERN, &watch, NULL);
	assert_true(reading.known & READING_FLUSHES);
	assert_int_equal(disk->flush_requests, 235995);
	assert_int_equal(disk->flush_time_ms, 39623);
	watch.device_count = 2; /* the other is of a kernel between 4.18 and 5.5 */
	reading_take(&reading, READING_ALL, MODERN, &watch, NULL);
	assert_true(reading.known & READING_DEVICES);
	assert_false(reading.known & READING_FLUSHES);
	assert_int_equal(disk->flush_requests, 0);
	assert_int_equal(disk->flush_time_ms, 0);
	assert_int_equal(disk->write_requests, 1807925);
	reading_take(&reading, READING_ALL, MODERN, &no_watch, NULL);
	assert_false(reading.known & READING_FLUSHES);
}

/* A part of the devices is nothing. */
static void test_missing_device(void **state)
{
	struct watch watch = {.device_count = 2, .devices = {{254, 0, 7}, {8, 3, 7}}};
	struct reading reading;

	(void)state;
	for (uint32_t minor = 3; minor <= 4; minor++) { /* one with an empty file, one without any */
		watch.devices[1].minor = minor;
		reading_take(&reading, READING_ALL, MODERN, &watch, NULL);
		assert_false(reading.known & READING_DEVICES);
		assert_int_equal(reading.devices[STORAGE_TOP].read_bytes, 0);
	}
	reading_take(&reading, READING_ALL, MODERN, &no_watch, NULL);
	assert_false(reading.known & READING_DEVICES);
}

static void test_rest(void **state)
{
	const struct watch watch = {.arc = 1};
	struct reading reading;

	(void)state;
	reading_take(&reading, READING_ALL, MODERN, &watch, NULL);
	assert_true(reading.known & READING_ARC);
	assert_int_equal(reading.arc_hits, 41830123);
	assert_int_equal(reading.arc_misses, 18446);
	assert_true(reading.known & READING_DIRTIED);
	assert_int_equal(reading.dirtied_bytes, UINT64_C(5123456) * (uint64_t)sysconf(_SC_PAGESIZE));
	reading_take(&reading, READING_ALL, MODERN, &no_watch, NULL);
	assert_false(reading.known & (READING_ARC | READING_NETWORK));
	reading_take(&reading, READING_ALL, LEGACY, &watch, NULL);
	assert_false(reading.known & (READING_ARC | READING_DIRTIED | READING_PROCESSORS));
}

static void use_processors(const unsigned *list, size_t count)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (size_t i = 0; i < count; i++) {
		CPU_SET(list[i], &set);
	}
	assert_int_equal(sched_setaffinity(0, sizeof(set), &set), 0);
}

static void test_processors(void **state)
{
	const unsigned first[] = {0}, both[] = {0, 1};
	cpu_set_t before;
	struct reading reading;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	if (!CPU_ISSET(0, &before) || !CPU_ISSET(1, &before)) {
		skip();
	}
	use_processors(first, 1);
	reading_take(&reading, READING_ALL, MODERN, &no_watch, NULL);
	assert_true(reading.known & READING_PROCESSORS);
	assert_int_equal(reading.processors, 1);
	assert_int_equal(reading.processor_busy_ticks, 1000 + 300 + 60 + 70 + 80);
	assert_int_equal(reading.processor_all_ticks, 1710 + 4000 + 500);
	use_processors(both, 2);
	reading_take(&reading, READING_ALL, MODERN, &no_watch, NULL);
	assert_int_equal(reading.processors, 2);
	assert_int_equal(reading.processor_busy_ticks, 1510 * 11);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

/* To somebody who is nice himself the others are not. */
static void test_nice(void **state)
{
	struct reading reading, own;
	int status = -1;

	(void)state;
	reading_take(&reading, READING_ALL, MODERN, &no_watch, NULL);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		demand(nice(5) != -1);
		reading_take(&own, READING_ALL, MODERN, &no_watch, NULL);
		demand(own.processor_busy_ticks > reading.processor_busy_ticks);
		demand(own.processor_all_ticks == reading.processor_all_ticks);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* A container that numbers its processors anew. */
static void test_renumbered(void **state)
{
	const unsigned first[] = {0}, second[] = {1}, both[] = {0, 1};
	cpu_set_t before;
	struct reading reading;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	if (!CPU_ISSET(0, &before) || !CPU_ISSET(1, &before)) {
		skip();
	}
	use_processors(first, 1);
	reading_take(&reading, READING_PROCESSORS, CONTAINER, &no_watch, NULL);
	assert_int_equal(reading.processor_busy_ticks, 1 + 3 + 6 + 7 + 8);
	use_processors(second, 1);
	reading_take(&reading, READING_PROCESSORS, CONTAINER, &no_watch, NULL);
	assert_int_equal(reading.known, READING_PROCESSORS);
	assert_int_equal(reading.processors, 2);
	assert_int_equal(reading.processor_busy_ticks, 11 * (1 + 3 + 6 + 7 + 8));
	assert_int_equal(reading.processor_all_ticks, 11 * 36);
	use_processors(both, 2);
	reading_take(&reading, READING_PROCESSORS, CONTAINER, &no_watch, NULL);
	assert_int_equal(reading.processors, 2);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

static void test_parts(void **state)
{
	const struct watch watch = {.device_count = 1, .arc = 1, .devices = {{254, 0, 7}}};
	const unsigned parts[] = {
		READING_DEVICES, READING_ARC, READING_DIRTIED, READING_QUOTA, READING_DEVICES | READING_PROCESSORS};
	struct reading reading, whole;

	(void)state;
	reading_take(&whole, READING_ALL, MODERN, &watch, NULL);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		reading_take(&reading, parts[i], MODERN, &watch, NULL);
		/* Flushes come with the rest of a device. */
		unsigned expected = parts[i] | ((parts[i] & READING_DEVICES) != 0 ? READING_FLUSHES : 0);
		assert_int_equal(reading.known, expected & whole.known);
		assert_true(reading_both_know(&reading, &whole, READING_ALL));
		assert_false(reading_both_know(&reading, &whole, READING_NETWORK));
	}
	assert_int_equal(reading.dirtied_bytes, 0);
	assert_int_equal(reading_grown(3, 5), 2);
	assert_int_equal(reading_grown(5, 3), 0);
}

static void test_quota(void **state)
{
	struct reading reading;

	(void)state;
	reading_take(&reading, READING_ALL, MODERN, &no_watch, NULL);
	assert_true(reading.known & READING_QUOTA);
	assert_int_equal(reading.quota_throttled_us, 4500123);
	reading_take(&reading, READING_ALL, CONTAINER, &no_watch, NULL);
	assert_true(reading.known & READING_QUOTA);
	assert_int_equal(reading.quota_throttled_us, 77);
	reading_take(&reading, READING_ALL, LEGACY, &no_watch, NULL);
	assert_true(reading.known & READING_QUOTA);
	assert_int_equal(reading.quota_throttled_us, 123456 + 2000);
}

static void expect_network(const char *root, enum watch_network network, const char *source, const char *point,
	uint64_t read_bytes, uint64_t written_bytes)
{
	const struct watch watch = {.network = network};
	char point_copy[64], source_copy[64];
	struct mount mount = {.mount_point = point_copy, .source = source_copy};
	struct reading reading;

	snprintf(point_copy, sizeof(point_copy), "%s", point);
	snprintf(source_copy, sizeof(source_copy), "%s", source);
	reading_take(&reading, READING_ALL, root, &watch, &mount);
	assert_int_equal(!!(reading.known & READING_NETWORK), read_bytes != 0);
	assert_int_equal(reading.network_read_bytes, read_bytes);
	assert_int_equal(reading.network_written_bytes, written_bytes);
}

static void test_nfs(void **state)
{
	(void)state;
	expect_network(MODERN, WATCH_NETWORK_NFS, "server:/export", "/mnt/nfs", 1073741824, 536870912);
	expect_network(MODERN, WATCH_NETWORK_NFS, "server:/my data", "/mnt/my data", 5, 6);
	expect_network(MODERN, WATCH_NETWORK_NFS, "server:/two", "/mnt/my", 9, 9);
	expect_network(MODERN, WATCH_NETWORK_NFS, "server:/new", "/mnt/twice", 20, 21);
	expect_network(MODERN, WATCH_NETWORK_NFS, "server:/broken", "/mnt/broken", 0, 0);
	expect_network(MODERN, WATCH_NETWORK_NFS, "server:/disk", "/mnt/disk", 0, 0);
	expect_network(MODERN, WATCH_NETWORK_NFS, "server:/nfs2", "/mnt/nfs2", 0, 0);
	expect_network(MODERN, WATCH_NETWORK_NFS, "server:/n", "/mnt/n", 0, 0);
	expect_network(LEGACY, WATCH_NETWORK_NFS, "server:/export", "/mnt/nfs", 0, 0);
	expect_network(MODERN, WATCH_NETWORK_NONE, "server:/export", "/mnt/nfs", 0, 0);
}

static void test_cifs(void **state)
{
	(void)state;
	/* Two sessions on one share are one to the user. */
	expect_network(MODERN, WATCH_NETWORK_CIFS, "//server/share", "/mnt", 502092 + 8, 31457286 + 14);
	expect_network(MODERN, WATCH_NETWORK_CIFS, "//server/share/a folder", "/mnt", 502092 + 8, 31457286 + 14);
	expect_network(MODERN, WATCH_NETWORK_CIFS, "\\\\Server\\Share2", "/mnt", 7, 8);
	expect_network(MODERN, WATCH_NETWORK_CIFS, "//server/my files", "/mnt", 70, 80);
	expect_network(MODERN, WATCH_NETWORK_CIFS, "//server/gone", "/mnt", 0, 0);
	expect_network(MODERN, WATCH_NETWORK_CIFS, "//server/shar", "/mnt", 0, 0);
	expect_network(MODERN, WATCH_NETWORK_CIFS, "//server", "/mnt", 0, 0);
	expect_network(MODERN, WATCH_NETWORK_CIFS, "", "/mnt", 0, 0);
	expect_network(LEGACY, WATCH_NETWORK_CIFS, "//server/share", "/mnt", 4294967296, 8589934592);
	expect_network(LEGACY, WATCH_NETWORK_CIFS, "//server/smb2", "/mnt", 0, 0);
}

static void test_no_mount(void **state)
{
	const struct watch watch = {.network = WATCH_NETWORK_NFS};
	struct reading reading;

	(void)state;
	reading_take(&reading, READING_ALL, MODERN, &watch, NULL);
	assert_false(reading.known & READING_NETWORK);
}

/* A machine that tells nothing at all. */
static void test_nothing(void **state)
{
	const struct watch watch = {.device_count = 1, .network = WATCH_NETWORK_CIFS, .arc = 1, .devices = {{8, 0, 7}}};
	struct reading reading;

	(void)state;
	reading_take(&reading, READING_ALL, NOTHING, &watch, NULL);
	assert_int_equal(reading.known, 0);
	assert_true(reading.at_ns > 0);
}

/* The machine that the test runs on. */
static void test_live(void **state)
{
	struct reading first, second;

	(void)state;
	reading_take(&first, READING_ALL, "", &no_watch, NULL);
	reading_take(&second, READING_ALL, "", &no_watch, NULL);
	assert_true(second.at_ns > first.at_ns);
	if (first.known & second.known & READING_PROCESSORS) {
		assert_true(first.processors >= 1);
		assert_true(second.processor_busy_ticks >= first.processor_busy_ticks);
		assert_true(second.processor_all_ticks > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_old_devices),
		cmocka_unit_test(test_flushes),
		cmocka_unit_test(test_missing_device),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_processors),
		cmocka_unit_test(test_nice),
		cmocka_unit_test(test_renumbered),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_quota),
		cmocka_unit_test(test_nfs),
		cmocka_unit_test(test_cifs),
		cmocka_unit_test(test_no_mount),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_live),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
