#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/block.h"

#define HOSTS "tests/fixtures/hosts/"

/** Find the device of a path on a captured machine, with the mount's own device number. */
static void find(struct block_device *device, const char *host, const char *path)
{
	struct mount mount;
	char root[128];

	snprintf(root, sizeof(root), HOSTS "%s", host);
	if (!mount_find(&mount, root, path))
		fail_msg("no mount for %s on %s", path, host);
	block_device_find(device, root, &mount, mount.device_major, mount.device_minor);
	mount_release(&mount);
}

static void expect(const char *host, const char *path, const char *expected)
{
	struct block_device device;
	char *line;

	find(&device, host, path);
	line = block_device_describe(&device);
	assert_string_equal(line, expected);
	free(line);
	block_device_release(&device);
	assert_null(device.name);
}

static void test_disks(void **state)
{
	(void)state;
	expect("nvme-laptop", "/", "nvme0n1 (Samsung SSD 980 PRO 1TB, NVMe SSD), partition nvme0n1p2");
	expect("sata-desktop", "/", "sda (WDC WD40EFRX-68N, rotational disk), partition sda1");
	expect("sata-desktop", "/mnt/My Disk", "sdb (Samsung SSD 860, SSD)");
	expect("sata-desktop", "/mnt/\303\234berspielung", "sdc (Samsung PSSD T7, rotational disk), partition sdc1");
	expect("sata-desktop", "/mnt/tab\tline\nback\\slash", "mmcblk0 (SD64G, SD card or eMMC), partition mmcblk0p1");
	expect("multipath-server", "/", "nvme0n1 (KCD61LUL7T68, NVMe SSD), partition nvme0n1p1");
}

static void test_virtual_disks(void **state)
{
	(void)state;
	expect("virtual-machine", "/", "vda (virtual disk)");
	expect("virtual-machine", "/mnt/scsi", "sda (QEMU HARDDISK, virtual disk), partition sda1");
	expect("virtual-machine", "/mnt/ebs", "nvme1n1 (Amazon Elastic Block Store, virtual disk)");
	expect("virtual-machine", "/mnt/zram", "zram0 (compressed RAM (zram))");
}

static void test_stacks(void **state)
{
	(void)state;
	expect("nvme-laptop", "/home", "dm-1 (LUKS) on nvme0n1 (Samsung SSD 980 PRO 1TB)");
	expect("nvme-laptop", "/srv", "dm-0 (LVM) on nvme0n1 (Samsung SSD 980 PRO 1TB)");
	expect("md-raid", "/", "md0 (software RAID (raid1)) on sda, sdb");
	expect("md-raid", "/scratch", "md127 (software RAID (raid0)), partition md127p1, on sdc, sdd");
	expect("md-raid", "/data", "dm-0 (LVM) on sda, sdb, sdc, sdd");
	expect("multipath-server", "/san", "dm-3 (multipath) on sda, sdb");
}

static void test_btrfs(void **state)
{
	(void)state;
	expect("btrfs-nas", "/", "sdb (TOSHIBA HDWN180, rotational disk), partition sdb1");
	expect("btrfs-nas", "/home", "sdb (TOSHIBA HDWN180, rotational disk), partition sdb1");
	expect("btrfs-nas", "/pool", "btrfs over 2 devices: sda, sdc");
	expect("btrfs-nas", "/vault", "dm-0 (LUKS) on sdd (WDC WD80EFZX-68U)");
	expect("stacked-server", "/onmd", "btrfs over 2 devices: md10, sdb");
	expect("stacked-server", "/onedisk", "sdd (rotational disk), partition sdd1");
	expect("stacked-server", "/bcachefs", "bcachefs over 2 devices: sdb, sdc");
	expect("multipath-server", "/old", "cciss!c0d0 (rotational disk), partition cciss!c0d0p1");
}

static void test_overlay(void **state)
{
	const char *ssd = "sda (INTEL SSDSC2KW25, SSD), partition sda1";

	(void)state;
	expect("overlay-host", "/merged", ssd);
	expect("overlay-host", "/comma", ssd);
	expect("overlay-host", "/nested", ssd);
	expect("overlay-host", "/live", "RAM, no device");
	expect("overlay-host", "/circle", "unknown");
	expect("overlay-host", "/lower-only", "unknown");
}

static void test_loop_devices(void **state)
{
	(void)state;
	expect("loop-images", "/mnt/one", "loop0 (loop device over /srv/images/disk one.img)");
	expect(
		"loop-images", "/mnt/two", "loop1 (loop device over /srv/\\x1B[31mred\\xFF.img (deleted)), partition loop1p1");
	expect("loop-images", "/mnt/three", "loop2 (loop device)");
}

static void test_without_sys(void **state)
{
	(void)state;
	expect("loop-images", "/", "unknown");
	expect("loop-images", "/mnt/hidden", "sdf");
}

static void test_without_device(void **state)
{
	const char *network = "network file system, no local device";

	(void)state;
	expect("network", "/", network);
	expect("network", "/mnt/nfs4", network);
	expect("network", "/mnt/cifs", network);
	expect("network", "/mnt/smb3", network);
	expect("network", "/mnt/ceph", network);
	expect("network", "/mnt/sshfs", network);
	expect("network", "/mnt/merger", "FUSE file system");
	expect("network", "/mnt/ram", "RAM, no device");
	expect("network", "/mnt/ramfs", "RAM, no device");
	expect("network", "/mnt/new", "unknown");
	expect("virtual-machine", "/mnt/host", "host file system, no local device");
	expect("virtual-machine", "/mnt/plan9", "host file system, no local device");
	expect("zfs-nas", "/tank/vm", "ZFS pool");
}

static void test_fields(void **state)
{
	struct block_device device;

	(void)state;
	find(&device, "nvme-laptop", "/home");
	assert_string_equal(device.name, "dm-1");
	assert_null(device.partition);
	assert_string_equal(device.kind, "LUKS");
	assert_string_equal(device.members, "nvme0n1");
	assert_int_equal(device.size_bytes, UINT64_C(1950334976) * 512);
	assert_false(block_device_is_ram(&device));
	block_device_release(&device);
	find(&device, "nvme-laptop", "/boot/efi");
	assert_string_equal(device.name, "nvme0n1");
	assert_string_equal(device.partition, "nvme0n1p1");
	assert_null(device.members);
	assert_int_equal(device.size_bytes, UINT64_C(1953525168) * 512);
	block_device_release(&device);
	find(&device, "overlay-host", "/live");
	assert_null(device.name);
	assert_true(block_device_is_ram(&device));
	block_device_release(&device);
}

static void test_no_mount_known(void **state)
{
	const struct mount nothing = {0};
	struct block_device device;

	(void)state;
	block_device_find(&device, HOSTS "sata-desktop", &nothing, 8, 1);
	assert_string_equal(device.name, "sda");
	block_device_release(&device);
	block_device_find(&device, HOSTS "sata-desktop", &nothing, 0, 40);
	assert_null(device.name);
	assert_null(device.kind);
	block_device_release(&device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_disks),
		cmocka_unit_test(test_virtual_disks),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_btrfs),
		cmocka_unit_test(test_overlay),
		cmocka_unit_test(test_loop_devices),
		cmocka_unit_test(test_without_sys),
		cmocka_unit_test(test_without_device),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_no_mount_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
