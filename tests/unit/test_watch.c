#include "scratch.h"

#include "support/memory.h"
#include "telemetry/watch.h"

static void test_devices(void **state)
{
	struct storage_device devices[] = {
		{.name = (char[]){"dm-0"}, .major = 253, .minor = 0, .roles = 1 << STORAGE_TOP},
		{.name = (char[]){"sda3"}, .major = 8, .minor = 3, .roles = 1 << STORAGE_LEAF},
		{.name = (char[]){"odd"}, .major = 9, .minor = 9, .roles = 0},
		{.name = (char[]){"sda"}, .major = 8, .minor = 0, .roles = 1 << STORAGE_DISK},
	};
	struct storage storage = {.kind = STORAGE_BLOCK, .devices = devices, .device_count = 4};
	struct watch watch;

	(void)state;
	memset(&watch, 0xAA, sizeof(watch));
	watch_init(&watch, &storage);
	assert_int_equal(watch.device_count, 3);
	assert_int_equal(watch.network, WATCH_NETWORK_NONE);
	assert_int_equal(watch.arc, 0);
	assert_int_equal(watch.devices[0].major, 253);
	assert_int_equal(watch.devices[1].minor, 3);
	assert_int_equal(watch.devices[1].roles, 1 << STORAGE_LEAF);
	assert_int_equal(watch.devices[2].minor, 0);
	assert_int_equal(watch.devices[3].roles, 0);
	assert_true(watch_is_sane(&watch));
}

static void expect_kind(enum storage_kind kind, uint32_t network, uint32_t arc)
{
	struct storage storage = {.kind = kind};
	struct watch watch;

	watch_init(&watch, &storage);
	assert_int_equal(watch.device_count, 0);
	assert_int_equal(watch.network, network);
	assert_int_equal(watch.arc, arc);
	assert_true(watch_is_sane(&watch));
}

static void test_kinds(void **state)
{
	(void)state;
	expect_kind(STORAGE_UNKNOWN, WATCH_NETWORK_NONE, 0);
	expect_kind(STORAGE_RAM, WATCH_NETWORK_NONE, 0);
	expect_kind(STORAGE_NFS, WATCH_NETWORK_NFS, 0);
	expect_kind(STORAGE_CIFS, WATCH_NETWORK_CIFS, 0);
	expect_kind(STORAGE_ZFS, WATCH_NETWORK_NONE, 1);
}

/* A part of the devices would look like a part of the bytes. */
static void test_too_many(void **state)
{
	struct storage_device *devices = xcalloc(WATCH_DEVICES_MAX + 1, sizeof(*devices));
	struct storage storage = {.kind = STORAGE_ZFS, .devices = devices, .device_count = WATCH_DEVICES_MAX};
	struct watch watch;

	(void)state;
	for (unsigned i = 0; i <= WATCH_DEVICES_MAX; i++) {
		devices[i].major = 8;
		devices[i].minor = i;
		devices[i].roles = 7;
	}
	watch_init(&watch, &storage);
	assert_int_equal(watch.device_count, WATCH_DEVICES_MAX);
	assert_true(watch_is_sane(&watch));
	storage.device_count++;
	watch_init(&watch, &storage);
	assert_int_equal(watch.device_count, 0);
	assert_int_equal(watch.arc, 1);
	free(devices);
}

static void test_insane(void **state)
{
	const struct watch good = {.device_count = 1, .devices = {{8, 1, 3}}};
	struct watch watch = good;

	(void)state;
	assert_true(watch_is_sane(&watch));
	watch.device_count = WATCH_DEVICES_MAX + 1;
	assert_false(watch_is_sane(&watch));
	watch = good;
	watch.device_count = UINT32_MAX;
	assert_false(watch_is_sane(&watch));
	watch = good;
	watch.network = 3;
	assert_false(watch_is_sane(&watch));
	watch = good;
	watch.arc = 2;
	assert_false(watch_is_sane(&watch));
	watch = good;
	watch.devices[0].roles = 1 << STORAGE_ROLE_COUNT;
	assert_false(watch_is_sane(&watch));
	watch.devices[0].roles = 0;
	assert_false(watch_is_sane(&watch));
	watch = good;
	watch.devices[0].major = 1 << 12;
	assert_false(watch_is_sane(&watch));
	watch = good;
	watch.devices[0].minor = 1 << 20;
	assert_false(watch_is_sane(&watch));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_insane),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
