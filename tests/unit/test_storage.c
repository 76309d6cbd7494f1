#include "scratch.h"

#include "probe/base.h"
#include "probe/storage.h"
#include "support/memory.h"

#define HOSTS "tests/fixtures/hosts/"
#define MACHINES "tests/fixtures/machines/"

static const char *const kinds[] = {"unknown", "block", "ZFS", "RAM", "NFS", "CIFS"};

/** Find the storage of a path on a captured machine, with the mount's own device number. */
static void find(struct storage *storage, const char *host, const char *path, const struct zfs_pool *pool)
{
	struct mount mount;
	char root[128];

	snprintf(root, sizeof(root), HOSTS "%s", host);
	if (!mount_find(&mount, root, path))
		fail_msg("no mount for %s on %s", path, host);
	storage_find(storage, root, &mount, mount.device_major, mount.device_minor, pool);
	mount_release(&mount);
}

/** Everything in one line; only what differs from the ordinary is named after the devices. */
static char *describe(const struct storage *storage)
{
	static const char *const roles[] = {"top", "leaf", "disk", "log"};
	struct text line = TEXT_EMPTY;
	unsigned queue_limit = storage_queue_limit(storage);

	text_add(&line, kinds[storage->kind]);
	for (enum storage_role role = STORAGE_TOP; role <= STORAGE_LOG; role++) {
		char *names = storage_names(storage, role);

		if (names[0] != '\0')
			text_addf(&line, "; %s %s", roles[role], names);
		free(names);
	}
	if (!storage->write_copies_known)
		text_add(&line, "; copies unknown");
	else if (storage->write_copies != 1)
		text_addf(&line, "; copies %.4g", storage->write_copies);
	if (queue_limit > 0)
		text_addf(&line, "; queue %u", queue_limit);
	if (storage->ram_cache)
		text_addf(&line, "; %s", storage->ram_cache);
	text_addf(&line, "%s%s%s%s%s%s", storage->hides_cache ? ", hidden" : "",
		storage->has_device_cache ? "; device cache" : "", storage->is_shared ? "; shared" : "",
		storage->has_compression ? "; compressing" : "", storage->is_throttled ? "; throttled" : "",
		storage->is_served ? "; served" : "");
	if (storage->background_work)
		text_addf(&line, "; %s", storage->background_work);
	if (storage->zfs_version)
		text_addf(&line, "; %s", storage->zfs_version);
	if (storage->blind_spot)
		text_addf(&line, "; %s", storage->blind_spot);
	return text_detach(&line);
}

static void expect_pool(const char *host, const char *path, const struct zfs_pool *pool, const char *expected)
{
	struct storage storage;
	char *line;

	find(&storage, host, path, pool);
	line = describe(&storage);
	assert_string_equal(line, expected);
	free(line);
	storage_release(&storage);
	assert_null(storage.devices);
}

static void expect(const char *host, const char *path, const char *expected)
{
	expect_pool(host, path, NULL, expected);
}

static void test_disks(void **state)
{
	(void)state;
	expect("nvme-laptop", "/", "block; top nvme0n1p2; leaf nvme0n1p2; disk nvme0n1; queue 1023");
	expect("nvme-laptop", "/boot/efi", "block; top nvme0n1p1; leaf nvme0n1p1; disk nvme0n1; queue 1023");
	expect("sata-desktop", "/mnt/My Disk", "block; top sdb; leaf sdb; disk sdb; queue 64");
	expect("virtual-machine", "/", "block; top vda; leaf vda; disk vda; queue 256");
	/* It has several ways to the disk, and hands requests on to these: nvme0c0n1, which has no number. Before Linux
	 * 6.4 only they count, so that the disk seems to do nothing. */
	expect("multipath-server", "/", "block; top nvme0n1p1; leaf nvme0n1p1; disk nvme0n1");
	expect("multipath-server", "/old", "block; top cciss!c0d0p1; leaf cciss!c0d0p1; disk cciss!c0d0; copies unknown");
}

static void test_stacks(void **state)
{
	(void)state;
	/* The number in the queue of what has none of its own means nothing. */
	expect("nvme-laptop", "/home", "block; top dm-1; leaf nvme0n1p3; disk nvme0n1; queue 1023");
	expect("nvme-laptop", "/srv", "block; top dm-0; leaf nvme0n1p3; disk nvme0n1; queue 1023");
	expect("multipath-server", "/san", "block; top dm-3; leaf sda, sdb; disk sda, sdb; queue 512");
	expect("stacked-server", "/cached",
		"block; top dm-5; leaf sdd1, sdc1; disk sdd, sdc; copies unknown; queue 512; device cache");
	expect("stacked-server", "/bcache",
		"block; top bcache0; leaf sdc1, sdd1; disk sdc, sdd; copies unknown; queue 512; device cache");
	expect("stacked-server", "/vdo", "block; top dm-6; leaf sdd1; disk sdd; copies unknown; queue 256; compressing");
	expect("stacked-server", "/integrity", "block; top dm-7; leaf sdd1; disk sdd; copies unknown; queue 256");
}

static void test_redundancy(void **state)
{
	(void)state;
	expect("md-raid", "/", "block; top md0; leaf sda1, sdb1; disk sda, sdb; copies 2; queue 64");
	expect("md-raid", "/scratch", "block; top md127p1; leaf sdc, sdd; disk sdc, sdd; queue 64");
	expect("md-raid", "/data",
		"block; top dm-0; leaf sda1, sdb1, sdc, sdd; disk sda, sdb, sdc, sdd; copies 1.5; queue 128");
	expect("stacked-server", "/md1",
		"block; top md1; leaf sda1, sdb1, sdc1; disk sda, sdb, sdc; copies 2; queue 768; throttled");
	expect("stacked-server", "/md10",
		"block; top md10; leaf sda2, sdb2, sdc2, sdd2; disk sda, sdb, sdc, sdd; copies 2; queue 1024; throttled");
	expect("stacked-server", "/md5",
		"block; top md5; leaf sda2, sdb2, sdc2; disk sda, sdb, sdc; copies unknown; queue 768; throttled; "
		"resync of md5");
	expect("stacked-server", "/linear", "block; top md6; leaf sda1, sdb1; disk sda, sdb; queue 512; throttled");
	expect("stacked-server", "/lvmraid",
		"block; top dm-2; leaf sda1, sdb1; disk sda, sdb; copies unknown; queue 512; throttled");
}

static void test_btrfs(void **state)
{
	(void)state;
	expect("btrfs-nas", "/", "block; top sdb1; leaf sdb1; disk sdb");
	expect("btrfs-nas", "/pool", "block; top sda1, sdc1; leaf sda1, sdc1; disk sda, sdc; copies 2");
	/* Not to be found in /sys, so its profile is not known. */
	expect("btrfs-nas", "/vault", "block; top dm-0; leaf sdd1; disk sdd; copies unknown");
	expect("stacked-server", "/packed", "block; top sdc1; leaf sdc1; disk sdc; copies 2; queue 256; compressing");
	expect("stacked-server", "/converting",
		"block; top sda1, sdb1; leaf sda1, sdb1; disk sda, sdb; copies unknown; queue 512; throttled; "
		"balance of btrfs");
	expect("stacked-server", "/raid5",
		"block; top sda2, sdb2, sdc2; leaf sda2, sdb2, sdc2; disk sda, sdb, sdc; copies unknown; queue 768; throttled");
	expect("stacked-server", "/same", "block; top sdc2, sdd2; leaf sdc2, sdd2; disk sdc, sdd; copies 2; queue 512");
	/* Of a mirror that lacks a disk nobody knows what is written once, and what twice. */
	expect("bonded-nas", "/gone", "block; top sda1; leaf sda1; disk sda; copies unknown");
	expect("bonded-nas", "/degraded", "block; top sdb1; leaf sdb1; disk sdb; copies unknown");
	expect("bonded-nas", "/whole", "block; top sdc1, sdd1; leaf sdc1, sdd1; disk sdc, sdd; copies 2");
	/* Three copies, each on a disk or on two of them. */
	expect("stacked-server", "/onmd",
		"block; top md10, sdb1; leaf sda2, sdb2, sdc2, sdd2 and 1 more; disk sda, sdb, sdc, sdd; copies 4.5; "
		"queue 1280; compressing; throttled");
}

static void test_other_file_systems(void **state)
{
	(void)state;
	expect("stacked-server", "/bcachefs",
		"block; top sdb1, sdc1; leaf sdb1, sdc1; disk sdb, sdc; copies unknown; queue 512; compressing");
	expect("stacked-server", "/ntfs",
		"block; top sda1; leaf sda1; disk sda; queue 256; the page cache behind its FUSE server; throttled; served");
	expect("stacked-server", "/upper", "block; top sdc1; leaf sdc1; disk sdc; copies 2; queue 256; compressing");
	expect("overlay-host", "/nested", "block; top sda1; leaf sda1; disk sda");
}

static void expect_type(const char *host, const char *path, const char *type)
{
	struct storage storage;

	find(&storage, host, path, NULL);
	assert_string_equal(storage.file_system, type);
	storage_release(&storage);
}

/** Each device with what it says of the writes it has taken. */
static void expect_caches(const char *root, const char *path, const char *expected)
{
	static const char *const caches[] = {"?", "volatile", "none"};
	struct text line = TEXT_EMPTY;
	struct storage storage;
	struct mount mount;

	assert_true(mount_find(&mount, root, path));
	storage_find(&storage, root, &mount, mount.device_major, mount.device_minor, NULL);
	for (size_t i = 0; i < storage.device_count; i++) {
		const struct storage_device *device = &storage.devices[i];

		text_addf(&line, "%s%s %s%s", i > 0 ? ", " : "", device->name, caches[device->write_cache],
			device->has_fua ? " fua" : "");
	}
	assert_string_equal(text_string(&line), expected);
	text_release(&line);
	storage_release(&storage);
	mount_release(&mount);
}

static void test_write_caches(void **state)
{
	(void)state;
	expect_caches(HOSTS "nvme-laptop", "/", "nvme0n1p2 ?, nvme0n1 ?");
	/* Of a partition what its disk says. */
	expect_caches(MACHINES "intel_pstate-laptop", "/", "nvme0n1p2 volatile fua, nvme0n1 volatile fua");
	expect_caches(MACHINES "acpi-cpufreq-nas", "/srv", "sdb volatile");
	/* What is made of others has a queue of its own, and so has a loop. */
	expect_caches(MACHINES "no-cpufreq", "/", "dm-1 volatile, sda3 volatile, sda volatile");
	expect_caches(HOSTS "stacked-server", "/md1",
		"md1 volatile fua, sda1 volatile fua, sda volatile fua, sdb1 volatile, sdb volatile, sdc1 ?, sdc ?");
	expect_caches(HOSTS "stacked-server", "/loop/direct", "loop0 volatile, sdd none");
}

/* What holds the bytes is what its upper layer says. */
static void test_types(void **state)
{
	(void)state;
	expect_type("nvme-laptop", "/home", "ext4");
	expect_type("btrfs-nas", "/pool", "btrfs");
	expect_type("overlay-host", "/nested", "ext4");
	expect_type("overlay-host", "/live", "tmpfs");
}

static void test_loops(void **state)
{
	(void)state;
	expect("stacked-server", "/loop/direct", "block; top loop0; leaf sdd; disk sdd; queue 128; shared");
	expect("stacked-server", "/loop/cached",
		"block; top loop1; leaf sdd; disk sdd; queue 128; the page cache behind loop1; shared");
	expect("stacked-server", "/loop/device", "block; top loop3; leaf sda2; disk sda; queue 128; throttled");
	expect("stacked-server", "/loop/zfs",
		"block; top loop4; leaf loop4; disk loop4; queue 128; the cache of ZFS behind loop4, hidden");
	expect("stacked-server", "/loop/packed",
		"block; top loop6; leaf sdc1; disk sdc; copies 2; queue 128; the page cache behind loop6; shared; compressing");
	expect("stacked-server", "/loop/zvol",
		"block; top loop7; leaf zd0; disk zd0; the cache of ZFS behind zd0, hidden; shared");
	/* A file that lies on itself: nobody can make that, but a made-up mount table could. */
	expect("stacked-server", "/circle", "block; top loop5; leaf loop5; disk loop5; queue 128; shared");
	expect("loop-images", "/mnt/one", "block; top loop0; leaf loop0; disk loop0; the page cache behind loop0, hidden");
	expect(
		"loop-images", "/mnt/two", "block; top loop1p1; leaf loop1p1; disk loop1; the page cache behind loop1, hidden");
	expect("loop-images", "/mnt/three", "block; top loop2; leaf loop2; disk loop2");
}

static void test_memory(void **state)
{
	(void)state;
	expect("network", "/mnt/ram", "RAM");
	expect("network", "/mnt/ramfs", "RAM");
	expect("overlay-host", "/live", "RAM");
	expect("virtual-machine", "/mnt/zram", "RAM; top zram0; leaf zram0; disk zram0");
	expect("stacked-server", "/ramdisk", "RAM; top ram0; leaf ram0; disk ram0");
	expect("stacked-server", "/loop/ram",
		"RAM; top loop2; leaf loop2; disk loop2; queue 128; the page cache behind loop2, hidden");
	expect("stacked-server", "/pmem", "block; top pmem0; leaf pmem0; disk pmem0");
	expect("stacked-server", "/zvol",
		"block; top zd0; leaf zd0; disk zd0; queue 256; the cache of ZFS behind zd0, hidden");
}

static void test_unknown(void **state)
{
	const struct mount nothing = {0};
	struct storage storage;
	char *line;

	(void)state;
	expect("network", "/mnt/merger", "unknown; copies unknown; FUSE: only its server knows where the bytes go");
	expect("stacked-server", "/upmerger", "unknown; copies unknown; FUSE: only its server knows where the bytes go");
	expect("network", "/mnt/sshfs", "unknown; copies unknown; sshfs: only its servers know where the bytes go");
	expect("network", "/mnt/ceph", "unknown; copies unknown; ceph: only its servers know where the bytes go");
	expect("network", "/mnt/new", "unknown; copies unknown; novelfs: what it lies on is not to be seen from here");
	expect("virtual-machine", "/mnt/plan9", "unknown; copies unknown; 9p: only the host knows where the bytes go");
	expect("loop-images", "/mnt/hidden", "unknown; copies unknown; ext4: /sys does not show the device");
	expect("overlay-host", "/lower-only",
		"unknown; copies unknown; overlay: where its upper folder lies is not to be seen from here");
	storage_find(&storage, HOSTS "network", &nothing, 0, 40, NULL);
	line = describe(&storage);
	assert_string_equal(line, "unknown; copies unknown; the mount table does not say what it lies on");
	free(line);
	storage_release(&storage);
	storage_find(&storage, HOSTS "sata-desktop", &nothing, 8, 16, NULL);
	line = describe(&storage);
	assert_string_equal(line, "block; top sdb; leaf sdb; disk sdb; queue 64");
	free(line);
	storage_release(&storage);
}

static void expect_link(const char *host, const char *path, const char *link, double megabytes_per_s)
{
	struct storage storage;
	const char *found = NULL;

	find(&storage, host, path, NULL);
	for (size_t i = 0; i < storage.device_count; i++) {
		bool is_disk = (storage.devices[i].roles & (1U << STORAGE_DISK)) != 0;

		found = is_disk && storage.devices[i].link ? storage.devices[i].link : found;
	}
	found = storage.network_link ? storage.network_link : found;
	if (link == NULL)
		assert_null(found);
	else
		assert_string_equal(found, link);
	assert_number(storage_link_bytes_per_s(&storage) / 1e6, megabytes_per_s, 0.1);
	storage_release(&storage);
}

static void test_links_of_disks(void **state)
{
	(void)state;
	expect_link("nvme-laptop", "/", "PCIe 16.0 GT/s x4", 7876.9);
	expect_link("nvme-laptop", "/home", "PCIe 16.0 GT/s x4", 7876.9);
	expect_link("multipath-server", "/", "2 times PCIe 8.0 GT/s x2", 3938.5);
	expect_link("sata-desktop", "/", "SATA 6.0 Gbit/s", 600);
	expect_link("sata-desktop", "/mnt/My Disk", "SATA 3.0 Gbit/s", 300);
	expect_link("sata-desktop", "/mnt/\303\234berspielung", "USB 5 Gbit/s", 500);
	expect_link("md-raid", "/", "SATA 6.0 Gbit/s", 1200);
	expect_link("stacked-server", "/packed", "SAS 12.0 Gbit/s", 1200);
	expect_link("stacked-server", "/", "SAS 12.0 Gbit/s x2", 2400);
	/* At rest: what it can do, in the slot that it sits in. */
	expect_link("bonded-nas", "/idle", "PCIe 2.5 GT/s x4 of PCIe 8.0 GT/s x4 possible", 3938.5);
	expect_link("bonded-nas", "/narrow", "PCIe 8.0 GT/s x2 of PCIe 8.0 GT/s x4 possible", 3938.5);
	expect_link("bonded-nas", "/untold", "PCIe 8.0 GT/s x4", 3938.5);
	/* Switched off. */
	expect_link("bonded-nas", "/off", NULL, 0);
	/* An SD card; a partition of a disk that does not tell; what a hypervisor says. */
	expect_link("sata-desktop", "/mnt/tab\tline\nback\\slash", NULL, 0);
	expect_link("multipath-server", "/old", NULL, 0);
	expect_link("virtual-machine", "/mnt/ebs", NULL, 0);
	expect_link("stacked-server", "/loop/ram", NULL, 0);
}

static void test_networks(void **state)
{
	(void)state;
	expect("network", "/mnt/nfs4", "NFS");
	expect("network", "/", "NFS");
	expect("network", "/mnt/cifs", "CIFS");
	expect("network", "/mnt/smb3", "CIFS");
	/* docker0 is no card, and ens2 is not up. */
	expect_link("network", "/mnt/nfs4", "eno1 + ens1, 26 Gbit/s", 3250);
	expect_link("bonded-nas", "/nas", "enp5s0f0 + enp5s0f1, 20 Gbit/s", 2500);
}

/** The link to a server with those mount options. */
static void expect_server(const char *host, const char *options, bool is_known)
{
	char type[] = "nfs4", source[] = "server:/export";
	char *super_options = xstrdup(options);
	struct mount mount = {.type = type, .source = source, .super_options = super_options};
	struct storage storage;

	storage_find(&storage, host, &mount, 0, 77, NULL);
	assert_int_equal(storage.kind, STORAGE_NFS);
	assert_int_equal(storage_link_bytes_per_s(&storage) > 0, is_known);
	assert_int_equal(storage.network_link != NULL, is_known);
	storage_release(&storage);
	free(super_options);
}

static void test_servers(void **state)
{
	(void)state;
	expect_server(HOSTS "network", "rw,proto=tcp,addr=10.0.0.8", true);
	expect_server(HOSTS "network", "rw,proto=tcp6,addr=fd00::8", true);
	/* Nothing that stays on the machine goes through a card. */
	expect_server(HOSTS "network", "rw,proto=tcp,addr=10.0.0.9", false);
	expect_server(HOSTS "network", "rw,proto=tcp,addr=127.0.0.1", false);
	expect_server(HOSTS "network", "rw,proto=tcp6,addr=::1", false);
	expect_server(HOSTS "network", "rw,proto=rdma,addr=10.0.0.8", false);
	expect_server(HOSTS "network", "rw", false);
	expect_server(HOSTS "zfs-nas", "rw,addr=10.0.0.8", false);
}

/** Fill in a pool as zpool and zfs would. */
static void pool_from(struct zfs_pool *pool, const char *vdevs, const char *properties)
{
	char *status = xasprintf("\tNAME                                              STATE   READ\n%s", vdevs);

	*pool = (struct zfs_pool){.pool = xstrdup("tank"), .dataset = xstrdup("tank/vm"), .asked = true};
	zfs_parse_status(pool, status);
	zfs_parse_properties(pool, properties);
	free(status);
}

static void expect_vdevs(const char *host, const char *vdevs, const char *properties, const char *expected)
{
	struct zfs_pool pool;

	pool_from(&pool, vdevs, properties);
	expect_pool(host, "/tank", &pool, expected);
	zfs_pool_release(&pool);
}

#define POOL "\ttank                                              ONLINE  0\n"
#define MIRROR "\t  mirror-0                                        ONLINE  0\n"
#define SLOW0 "\t    /dev/disk/by-id/virtio-slow0-part1            ONLINE  0\n"
#define SLOW1 "\t    /dev/disk/by-id/virtio-slow1-part1            ONLINE  0\n"
#define SLOG "\tlogs\n\t  /dev/disk/by-id/nvme-QEMU_NVMe_Ctrl_slog0-part1 ONLINE  0\n"
#define NO_PATH                                                                                                        \
	"\t  virtio-slow0                                    ONLINE  0\n"                                                  \
	"\t  vdc                                             ONLINE  0\n"
#define GONE "\t    /dev/disk/by-id/virtio-gone                   UNAVAIL 0\n"
#define LOST "\t    /dev/disk/by-id/virtio-gone                   ONLINE  0\n"

static void test_zfs(void **state)
{
	const char *blind = "unknown; copies unknown; 2.1.11; ZFS: zpool did not tell the pool's devices";

	(void)state;
	expect_vdevs("zfs-nas", POOL MIRROR SLOW0 SLOW1 SLOG, "tank\tcompression\tlz4\tlocal\n",
		"ZFS; top vdb1, vdc1, nvme0n1p1; leaf vdb1, vdc1, nvme0n1p1; disk vdb, vdc, nvme0n1; log nvme0n1p1; "
		"copies 2; queue 1535; compressing; 2.1.11");
	expect_vdevs("zfs-nas", POOL NO_PATH, "tank\tcompression\toff\tdefault\ntank\tcopies\t2\tlocal\n",
		"ZFS; top vdb, vdc; leaf vdb, vdc; disk vdb, vdc; copies 2; queue 512; 2.1.11");
	expect_vdevs("zfs-nas", POOL MIRROR SLOW0 GONE, "", "ZFS; top vdb1; leaf vdb1; disk vdb; queue 256; 2.1.11");
	/* What moves at one of two is not what moved. */
	expect_vdevs("zfs-nas", POOL MIRROR SLOW0 LOST, "", blind);
	expect_vdevs("zfs-nas", "", "", blind);
	expect("zfs-nas", "/tank/vm", blind);
}

/* What the pool does by itself. */
static void test_zfs_at_work(void **state)
{
#define AT_WORK "; top vdb, vdc; leaf vdb, vdc; disk vdb, vdc; queue 512; "

	(void)state;
	expect_vdevs("zfs-nas", POOL NO_PATH "\n  scan: scrub in progress since Sun Nov 29 10:00:00 2026\n", "",
		"ZFS" AT_WORK "scrub of tank; 2.1.11");
	expect_vdevs("zfs-nas", POOL NO_PATH "\n scrub: resilver in progress for 0h1m, 3.00% done, 0h30m to go\n", "",
		"ZFS" AT_WORK "resilver of tank; 2.1.11");
	expect_vdevs("zfs-nas", POOL NO_PATH "\n  scan: scrub repaired 0B in 00:00:01 with 0 errors\n", "",
		"ZFS; top vdb, vdc; leaf vdb, vdc; disk vdb, vdc; queue 512; 2.1.11");
}

static void test_zfs_on_files(void **state)
{
	(void)state;
	expect_vdevs("zfs-nas",
		POOL "\t  /srv/disk one.img                               ONLINE  0\n"
			 "\tcache\n\t  /dev/vdb1                                       ONLINE  0\n",
		"", "ZFS; top vda; leaf vda; disk vda; queue 256; the page cache behind the pool's files; shared; 2.1.11");
	expect_vdevs("zfs-nas", POOL "\t  /dev/shm/disk.img                               ONLINE  0\n", "", "RAM; 2.1.11");
	expect_vdevs("zfs-nas", POOL MIRROR SLOW0 "\t    /run/disk.img                                 ONLINE  0\n", "",
		"unknown; copies unknown; 2.1.11; a device beneath it is not to be seen from here");
}

static void test_files_of_this_machine(void **state)
{
	struct mount mount, expected;
	struct base base;
	int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_true(descriptor >= 0);
	assert_true(mount_find_descriptor(&expected, descriptor));
	close(descriptor);
	base_find_file(&base, &mount, "", "/proc/self/exe");
	assert_string_equal(mount.mount_point, expected.mount_point);
	mount_release(&mount);
	base_release(&base);
	mount_release(&expected);
	/* What is gone is looked for by its path. */
	base_find_file(&base, &mount, "", "/proc/no/such/file");
	assert_string_equal(mount.type, "proc");
	assert_int_equal(base.kind, BASE_UNKNOWN);
	mount_release(&mount);
	base_release(&base);
}

static void write_file(const char *root, const char *path, const char *content)
{
	char *name = xasprintf("%s%s", root, path);
	FILE *file;

	for (char *slash = strchr(name + strlen(root) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(name, 0700);
		*slash = '/';
	}
	file = fopen(name, "w");
	assert_non_null(file);
	fputs(content, file);
	assert_int_equal(fclose(file), 0);
	free(name);
}

/** A small machine with a disk of one partition. The caller removes it. */
static void make_disk(char *folder)
{
	char *name;

	assert_non_null(mkdtemp(folder));
	write_file(folder, "/sys/devices/sda/dev", "8:0\n");
	write_file(folder, "/sys/devices/sda/sda1/dev", "8:1\n");
	write_file(folder, "/sys/devices/sda/sda1/partition", "1\n");
	write_file(folder, "/sys/dev/block/x", "");
	name = xasprintf("%s/sys/dev/block/8:1", folder);
	assert_int_equal(symlink("../../devices/sda/sda1", name), 0);
	free(name);
}

enum throttling { FREE, MAYBE, THROTTLED, BOTH };

/** What holds sda1 back on a machine with that table of groups, and files: "PATH=CONTENT", NULL at the end. */
static enum throttling throttling(const char *groups, const char *const *files)
{
	char folder[] = "/tmp/test_storage.XXXXXX";
	struct mount nothing = {0};
	struct storage storage;
	enum throttling found;

	make_disk(folder);
	write_file(folder, "/proc/self/cgroup", groups);
	for (size_t i = 0; files[i] != NULL; i++) {
		char *path = xstrndup(files[i], strcspn(files[i], "="));

		write_file(folder, path, files[i] + strlen(path) + 1);
		free(path);
	}
	storage_find(&storage, folder, &nothing, 8, 1, NULL);
	found = (storage.is_throttled ? THROTTLED : FREE) | (storage.may_be_throttled ? MAYBE : FREE);
	assert_int_equal(storage_count(&storage, STORAGE_TOP), 1);
	storage_release(&storage);
	scratch_remove(folder);
	return found;
}

/** Whether a machine with that table of groups, and that file of limits, holds sda1 back. */
static bool is_throttled(const char *groups, const char *limits_path, const char *limits)
{
	char *file = xasprintf("%s=%s", limits_path, limits);
	const char *const files[] = {file, NULL};
	enum throttling found = throttling(groups, files);

	free(file);
	return found == THROTTLED || found == BOTH;
}

static void test_throttling(void **state)
{
	const char *v1 = "9:name=systemd:/\n7:cpu,blkio:/user/x\n1:cpuset:/y\n0::/\n";

	(void)state;
	assert_true(is_throttled(v1, "/sys/fs/cgroup/blkio/user/x/blkio.throttle.read_bps_device", "8:1 52428800\n"));
	assert_true(is_throttled(v1, "/sys/fs/cgroup/blkio/user/blkio.throttle.write_iops_device", "7:0 9\n8:0 5\n"));
	assert_true(is_throttled(v1, "/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device", "8:0 1000\n"));
	assert_false(is_throttled(v1, "/sys/fs/cgroup/blkio/user/x/blkio.throttle.read_bps_device", "8:16 52428800\n"));
	assert_false(is_throttled(v1, "/sys/fs/cgroup/blkio/other/blkio.throttle.read_bps_device", "8:0 52428800\n"));
	assert_false(is_throttled("3:cpu,blkiox:/a\n", "/sys/fs/cgroup/blkio/a/blkio.throttle.read_bps_device", "8:0 1\n"));
	assert_true(is_throttled("0::/a/b\n", "/sys/fs/cgroup/a/io.max", "8:0 rbps=max wbps=1024 riops=max wiops=max\n"));
	assert_true(is_throttled("0::/a\n", "/sys/fs/cgroup/unified/a/io.max", "8:1 rbps=1 wbps=max\n"));
	assert_true(is_throttled("0::/../a\n", "/sys/fs/cgroup/io.max", "8:0 rbps=1\n"));
	assert_false(is_throttled("0::/a\n", "/sys/fs/cgroup/a/io.max", "8:0 rbps=max wbps=max riops=max wiops=max\n"));
	assert_false(is_throttled("nonsense\n\n0:\n", "/sys/fs/cgroup/io.max", "8:0 rbps=1\n"));
	assert_false(is_throttled("", "/sys/fs/cgroup/io.max", "8:0 rbps=1\n"));
}

/** The same of limits that may be, with up to two files. */
static bool may_be_throttled(const char *groups, const char *file, const char *other_file)
{
	const char *const files[] = {file, file != NULL ? other_file : NULL, NULL};

	return throttling(groups, files) == MAYBE;
}

static void test_hidden_throttling(void **state)
{
	const char *v1 = "7:cpu,blkio:/docker/x\n1:cpuset:/y\n0::/\n";
	const char *agent = "/sys/fs/cgroup/blkio/release_agent=";

	(void)state;
	/* The top that a container sees is not the real one. */
	assert_true(may_be_throttled("0::/\n", "/sys/fs/cgroup/cgroup.type=domain\n", NULL));
	assert_true(may_be_throttled("0::/inner\n", "/sys/fs/cgroup/cgroup.type=domain\n", NULL));
	assert_true(may_be_throttled("0::/../x\n", "/sys/fs/cgroup/cgroup.controllers=io\n", NULL));
	assert_false(may_be_throttled("0::/\n", "/sys/fs/cgroup/cgroup.controllers=io\n", NULL));
	assert_false(
		may_be_throttled("0::/a\n", "/sys/fs/cgroup/cgroup.controllers=io\n", "/sys/fs/cgroup/a/cgroup.type=domain\n"));
	assert_true(may_be_throttled(v1, agent, NULL));
	assert_true(may_be_throttled(v1, "/sys/fs/cgroup/blkio/docker/x/tasks=1\n", NULL));
	assert_false(may_be_throttled(v1, agent, "/sys/fs/cgroup/blkio/docker/x/tasks=1\n"));
	assert_false(may_be_throttled("7:cpu:/x\n", NULL, NULL));
	/* What holds some back for the sake of others. */
	assert_true(may_be_throttled("0::/\n", "/sys/fs/cgroup/io.cost.qos=8:0 enable=1 ctrl=auto\n", NULL));
	assert_true(may_be_throttled("0::/a\n", "/sys/fs/cgroup/io.cost.qos=8:16 enable=1\n8:0 enable=1\n", NULL));
	assert_false(may_be_throttled("0::/a\n", "/sys/fs/cgroup/io.cost.qos=8:0 enable=0 ctrl=auto\n", NULL));
	assert_false(may_be_throttled("0::/a\n", "/sys/fs/cgroup/io.cost.qos=8:16 enable=1 ctrl=auto\n", NULL));
	assert_true(may_be_throttled("0::/a/b\n", "/sys/fs/cgroup/a/io.latency=8:0 target=75\n", NULL));
	assert_true(may_be_throttled("0::/a/b\n", "/sys/fs/cgroup/a/b/io.latency=8:0 target=75\n", NULL));
	assert_false(may_be_throttled("0::/a/b\n", "/sys/fs/cgroup/c/io.latency=8:0 target=75\n", NULL));
	assert_false(may_be_throttled("0::/a/b\n", "/sys/fs/cgroup/a/io.latency=8:16 target=75\n", NULL));
}

static void expect_work(const char *action, const char *expected)
{
	char folder[] = "/tmp/test_storage.XXXXXX";
	struct mount nothing = {0};
	struct storage storage;
	char *name;

	make_disk(folder);
	write_file(folder, "/sys/devices/md0/dev", "9:0\n");
	write_file(folder, "/sys/devices/md0/md/level", "raid1\n");
	write_file(folder, "/sys/devices/md0/md/raid_disks", "2\n");
	write_file(folder, "/sys/devices/md0/md/sync_action", action);
	write_file(folder, "/sys/devices/md0/slaves/x", "");
	name = xasprintf("%s/sys/devices/md0/slaves/sda1", folder);
	assert_int_equal(symlink("../../sda/sda1", name), 0);
	free(name);
	name = xasprintf("%s/sys/dev/block/9:0", folder);
	assert_int_equal(symlink("../../devices/md0", name), 0);
	free(name);
	storage_find(&storage, folder, &nothing, 9, 0, NULL);
	assert_int_equal(storage.kind, STORAGE_BLOCK);
	if (expected == NULL)
		assert_null(storage.background_work);
	else
		assert_string_equal(storage.background_work, expected);
	storage_release(&storage);
	scratch_remove(folder);
}

static void test_work_of_raid(void **state)
{
	(void)state;
	expect_work("idle\n", NULL);
	expect_work("frozen\n", NULL);
	expect_work("\n", NULL);
	expect_work("check\n", "check of md0");
	expect_work("repair\n", "repair of md0");
	expect_work("resync\n", "resync of md0");
	expect_work("recover\n", "recover of md0");
	expect_work("reshape\n", "reshape of md0");
}

static void test_sums(void **state)
{
	char names[6][4] = {"sda", "sdb", "sdc", "sdd", "sde", "sdf"};
	struct storage_device devices[6];
	struct storage storage = {.kind = STORAGE_BLOCK, .devices = devices, .device_count = 6};
	char *line;

	(void)state;
	for (size_t i = 0; i < 6; i++)
		devices[i] = (struct storage_device){
			.name = names[i], .roles = 1U << STORAGE_TOP, .queue_limit = 32, .link_bytes_per_s = 6e8};
	line = storage_names(&storage, STORAGE_TOP);
	assert_string_equal(line, "sda, sdb, sdc, sdd and 2 more");
	free(line);
	assert_int_equal(storage_count(&storage, STORAGE_DISK), 0);
	line = storage_names(&storage, STORAGE_DISK);
	assert_string_equal(line, "");
	free(line);
	assert_int_equal(storage_queue_limit(&storage), 192);
	devices[3].queue_limit = 0;
	assert_int_equal(storage_queue_limit(&storage), 0);
	assert_number(storage_link_bytes_per_s(&storage), 0, 0);
	devices[0].roles |= 1U << STORAGE_DISK;
	devices[1].roles |= 1U << STORAGE_DISK;
	assert_number(storage_link_bytes_per_s(&storage), 1.2e9, 1);
	devices[1].link_bytes_per_s = 0;
	assert_number(storage_link_bytes_per_s(&storage), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_disks),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_redundancy),
		cmocka_unit_test(test_btrfs),
		cmocka_unit_test(test_other_file_systems),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_write_caches),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_links_of_disks),
		cmocka_unit_test(test_networks),
		cmocka_unit_test(test_servers),
		cmocka_unit_test(test_zfs),
		cmocka_unit_test(test_zfs_at_work),
		cmocka_unit_test(test_zfs_on_files),
		cmocka_unit_test(test_files_of_this_machine),
		cmocka_unit_test(test_throttling),
		cmocka_unit_test(test_hidden_throttling),
		cmocka_unit_test(test_work_of_raid),
		cmocka_unit_test(test_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
