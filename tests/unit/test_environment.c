#include "scratch.h"

#include "probe/environment.h"
#include "support/memory.h"

#define DISK "/sys/devices/pci/block/sda"
#define NVME "/sys/devices/pci/block/nvme0n1"
#define MAPPED "/sys/devices/virtual/block"

/** A file of a made-up machine; with `content` NULL a link to `link`. */
struct piece {
	const char *path;
	const char *content;
	const char *link;
};

/** A NAS: a disk with a partition, LUKS on it, LVM on that; a software RAID and a loop device; ZFS. */
static const struct piece pieces[] = {
	{"/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n", NULL},
	{"/proc/cpuinfo",
		"processor\t: 0\nmodel name\t: Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz\nflags\t\t: fpu vme\n\n"
		"processor\t: 1\nmodel name\t: Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz\nflags\t\t: fpu vme\n",
		NULL},
	{"/proc/meminfo", "MemTotal:       16777216 kB\nMemFree:  1 kB\nMemAvailable:    8388608 kB\n", NULL},
	{"/proc/loadavg", "0.52 0.58 12.59 2/345 1234\n", NULL},
	{"/proc/spl/kstat/zfs/arcstats",
		"13 1 0x01 123 33456 5 6\nname                            type data\nhits                            4    99\n"
		"hdr_size                        4    77\nsize                            4    1073741824\n"
		"c_max                           4    8589934592\n",
		NULL},
	{"/proc/self/mountinfo",
		"22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw,data=journal,barrier=0\n"
		"23 22 253:1 / /srv rw,noatime - btrfs /dev/mapper/vg-srv rw,nodatacow,compress=zstd:3,ssd,subvol=/,sync\n"
		"24 22 0:50 / /merged rw,relatime - overlay overlay rw,lowerdir=/l,upperdir=/srv/upper,workdir=/w\n"
		"25 22 0:51 / /inside rw - overlay overlay rw,lowerdir=/l,upperdir=/inside/elsewhere,workdir=/w\n"
		"26 22 0:52 / /nas rw,relatime - nfs4 nas:/x\\012y rw,vers=4.2,rsize=1048576,wsize=524288,hard,proto=tcp\n"
		"28 22 0:54 / /nested rw - overlay nested rw,lowerdir=/l,upperdir=/merged/upper,workdir=/w\n"
		"29 22 0:55 / /comma rw - overlay comma rw,lowerdir=/l,upperdir=/a\\054b/upper,workdir=/w\n"
		"30 22 0:56 / /a,b rw - tmpfs tmpfs rw\n"
		"27 22 0:53 / /tank/vm rw,noatime - zfs tank/vm rw,xattr,noacl\n",
		NULL},
	{"/sys/devices/system/cpu/online", "0-3,8\n", NULL},
	{"/sys/class/dmi/id/sys_vendor", "Dell Inc.\n", NULL},
	{"/sys/class/dmi/id/product_name", "PowerEdge R630\n", NULL},
	{DISK "/dev", "8:0\n", NULL},
	{DISK "/device/vendor", "ATA     \n", NULL},
	{DISK "/device/model", "WDC WD40\x1b[31mEFRX \n", NULL},
	{DISK "/queue/scheduler", "none [mq-deadline] kyber bfq \n", NULL},
	{DISK "/queue/write_cache", "write back\n", NULL},
	{DISK "/queue/rotational", "1\n", NULL},
	{DISK "/queue/nr_requests", "256\n", NULL},
	{DISK "/queue/logical_block_size", "512\n", NULL},
	{DISK "/queue/physical_block_size", "4096\n", NULL},
	{DISK "/sda1/partition", "1\n", NULL},
	{NVME "/queue/scheduler", "none\n", NULL},
	{NVME "/queue/write_cache", "write through\n", NULL},
	{NVME "/queue/rotational", "0\n", NULL},
	{NVME "/queue/physical_block_size", "nonsense\n", NULL},
	{MAPPED "/dm-0/dm/uuid", "CRYPT-LUKS2-0123456789abcdef-data\n", NULL},
	{MAPPED "/dm-0/slaves/sda1", NULL, "../../../../pci/block/sda/sda1"},
	{MAPPED "/dm-1/dm/uuid", "LVM-xyz\n", NULL},
	{MAPPED "/dm-1/slaves/dm-0", NULL, "../../dm-0"},
	{MAPPED "/md0/md/level", "raid1\n", NULL},
	{MAPPED "/md0/slaves/sda1", NULL, "../../../../pci/block/sda/sda1"},
	{MAPPED "/md0/slaves/nvme0n1", NULL, "../../../../pci/block/nvme0n1"},
	{MAPPED "/loop0/loop/backing_file", "/srv/a b.img\n", NULL},
	{MAPPED "/loop0/loop/dio", "0\n", NULL},
	{MAPPED "/bcache0/bcache/cache_mode", "writethrough [writeback] writearound none\n", NULL},
	/* A stack that leads back into itself. */
	{MAPPED "/dm-9/slaves/dm-9", NULL, "../../dm-9"},
	{"/sys/dev/block/8:0", NULL, "../../devices/pci/block/sda"},
	{"/sys/dev/block/8:1", NULL, "../../devices/pci/block/sda/sda1"},
	{"/sys/dev/block/259:0", NULL, "../../devices/pci/block/nvme0n1"},
	{"/sys/dev/block/253:0", NULL, "../../devices/virtual/block/dm-0"},
	{"/sys/dev/block/253:1", NULL, "../../devices/virtual/block/dm-1"},
	{"/sys/dev/block/253:9", NULL, "../../devices/virtual/block/dm-9"},
	{"/sys/dev/block/9:0", NULL, "../../devices/virtual/block/md0"},
	{"/sys/dev/block/7:0", NULL, "../../devices/virtual/block/loop0"},
	{"/sys/dev/block/251:0", NULL, "../../devices/virtual/block/bcache0"},
};

static char machine[64];

/** A name and a link of the tests' own; the devices are released by nobody. */
static char sda[] = "sda", nvme[] = "nvme0n1", other[] = "other", link_text[] = "SATA 6.0 Gbit/s";

static void place(const char *root, const struct piece *piece)
{
	char *path = xasprintf("%s%s", root, piece->path);

	for (char *slash = strchr(path + strlen(root) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	if (piece->content != NULL) {
		scratch_write(path, piece->content, strlen(piece->content), 0644);
	} else {
		assert_int_equal(symlink(piece->link, path), 0);
	}
	free(path);
}

static const char *value_of(const struct environment *environment, const char *key, const char *subject)
{
	const char *value = NULL;

	for (size_t i = 0; i < environment->fact_count; i++) {
		const struct environment_fact *fact = &environment->facts[i];

		if (strcmp(fact->key, key) == 0 && (subject == NULL) == (fact->subject == NULL) &&
			(subject == NULL || strcmp(subject, fact->subject) == 0)) {
			/* The key is unique with its subject. */
			assert_null(value);
			value = fact->value;
		}
	}
	return value;
}

static void expect(const struct environment *environment, const char *key, const char *subject, const char *value)
{
	const char *found = value_of(environment, key, subject);

	if (value == NULL ? found != NULL : found == NULL || strcmp(found, value) != 0) {
		fail_msg("%s of %s is '%s', not '%s'", key, subject ? subject : "the machine", found ? found : "(absent)",
			value ? value : "(absent)");
	}
}

/** Collect for a path of the machine at `root`; all other things as given. */
static void collect(struct environment *environment, const char *root, const char *path, const struct storage *storage,
	const struct zfs_pool *pool)
{
	struct target target = {.descriptor = -1};
	struct power power;

	if (path != NULL) {
		assert_true(mount_find(&target.mount, root, path));
	}
	power_find(&power, root, storage);
	environment_collect(environment, root, &target, storage, pool, &power);
	power_release(&power);
	mount_release(&target.mount);
	for (size_t i = 0; i < environment->fact_count; i++) {
		assert_non_null(environment->facts[i].label);
		assert_true(environment->facts[i].value[0] != '\0');
	}
}

static struct storage storage_of(struct storage_device *devices, size_t count)
{
	return (struct storage){.kind = STORAGE_BLOCK, .devices = devices, .device_count = count, .write_copies = 1};
}

static void test_machine(void **state)
{
	const struct storage storage = {.kind = STORAGE_UNKNOWN};
	const struct zfs_pool pool = {0};
	struct environment environment;

	(void)state;
	collect(&environment, machine, "/", &storage, &pool);
	expect(&environment, "kernel", NULL, "6.1.0-18-amd64");
	expect(&environment, "processors", NULL, "5");
	expect(&environment, "processor_model", NULL, "Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz");
	expect(&environment, "memory.total", NULL, "16 GiB");
	expect(&environment, "memory.available", NULL, "8 GiB");
	expect(&environment, "load", NULL, "0.52 0.58 12.59");
	expect(&environment, "machine", NULL, "Dell Inc. PowerEdge R630");
	expect(&environment, "virtualised", NULL, "no");
	expect(&environment, "container", NULL, NULL);
	expect(&environment, "arc.size", NULL, "1 GiB");
	expect(&environment, "arc.maximum", NULL, "8 GiB");
	expect(&environment, "zfs_version", NULL, NULL);
	expect(&environment, "file_system", "/dev/sda1", "ext4");
	expect(&environment, "mount_options", "/dev/sda1", "data=journal,barrier=0,relatime");
	environment_release(&environment);
	assert_null(environment.facts);
}

static void test_nothing_known(void **state)
{
	struct storage_device device = {.name = other, .major = 1, .minor = 2, .roles = 15};
	const struct storage storage = storage_of(&device, 1);
	const struct zfs_pool pool = {0};
	struct environment environment;

	(void)state;
	collect(&environment, "/no/such/folder", NULL, &storage, &pool);
	assert_int_equal(environment.fact_count, 0);
	environment_release(&environment);
}

static void test_running_machine(void **state)
{
	const struct storage storage = {.kind = STORAGE_UNKNOWN};
	const struct zfs_pool pool = {0};
	struct environment environment;

	(void)state;
	collect(&environment, "", NULL, &storage, &pool);
	assert_non_null(value_of(&environment, "kernel", NULL));
	environment_release(&environment);
}

/** One small machine for each way to tell. */
static void check_small(const struct piece *some, size_t count, const char *key, const char *value)
{
	const struct storage storage = {.kind = STORAGE_UNKNOWN};
	const struct zfs_pool pool = {0};
	struct environment environment;
	char root[64];

	scratch_make(root);
	for (size_t i = 0; i < count; i++) {
		place(root, &some[i]);
	}
	collect(&environment, root, NULL, &storage, &pool);
	expect(&environment, key, NULL, value);
	environment_release(&environment);
	scratch_remove(root);
}

static void test_virtual_machines(void **state)
{
	static const struct piece flag = {"/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor\n", NULL};
	static const struct piece inside = {"/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor_not x\n", NULL};
	static const struct piece arm[] = {
		{"/proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 48\n\nprocessor\t: 1\nBogoMIPS\t: 48\n", NULL},
		{"/sys/class/dmi/id/sys_vendor", "QEMU\n", NULL},
	};
	static const struct piece odd_list[] = {
		{"/sys/devices/system/cpu/online", "3-1\n", NULL},
		{"/proc/cpuinfo", "processor\t: 0\n", NULL},
	};
	static const struct piece cloud[] = {
		{"/sys/class/dmi/id/sys_vendor", "Google\n", NULL},
		{"/sys/class/dmi/id/product_name", "Google Compute Engine\n", NULL},
	};
	static const struct piece power = {"/proc/cpuinfo", "processor\t: 0\ncpu\t\t: POWER9, altivec\n", NULL};

	(void)state;
	check_small(&flag, 1, "virtualised", "yes");
	check_small(&inside, 1, "virtualised", "no");
	check_small(arm, 2, "virtualised", "yes");
	check_small(arm, 1, "virtualised", NULL);
	check_small(arm, 2, "machine", "QEMU");
	check_small(cloud, 2, "virtualised", "yes");
	check_small(cloud, 1, "virtualised", NULL);
	check_small(arm, 1, "processors", "2");
	check_small(odd_list, 2, "processors", "1");
	check_small(&power, 1, "processor_model", "POWER9, altivec");
}

static void test_governors(void **state)
{
	static const struct piece alike[] = {
		{"/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n", NULL},
		{"/sys/devices/system/cpu/cpufreq/policy4/scaling_governor", "performance\n", NULL},
		{"/sys/devices/system/cpu/cpufreq/boost", "1\n", NULL},
	};
	static const struct piece mixed[] = {
		{"/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "schedutil\n", NULL},
		{"/sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n", NULL},
		{"/sys/devices/system/cpu/cpufreq/policy2/scaling_governor", "schedutil\n", NULL},
		{"/sys/devices/system/cpu/cpufreq/policy3/affected_cpus", "3\n", NULL},
	};

	(void)state;
	check_small(alike, 3, "governor", "performance");
	check_small(mixed, 4, "governor", "schedutil (2 of 3), performance (1 of 3)");
	check_small(&alike[2], 1, "governor", NULL);
}

/** Collect for the machine of that name. */
static void collect_machine(struct environment *environment, const char *name)
{
	struct storage_device device = {.name = nvme, .major = 259, .minor = 0, .roles = 1U << STORAGE_DISK};
	const struct storage storage = storage_of(&device, 1);
	const struct zfs_pool pool = {0};
	char *root = xasprintf("tests/fixtures/machines/%s", name);

	collect(environment, root, NULL, &storage, &pool);
	free(root);
}

static void test_power(void **state)
{
	struct environment environment;

	(void)state;
	collect_machine(&environment, "intel_cpufreq-server");
	expect(&environment, "machine", NULL, "Dell Inc. PowerEdge R630");
	expect(&environment, "processors", NULL, "24");
	expect(&environment, "processor_model", NULL, "Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz");
	expect(&environment, "virtualised", NULL, "no");
	expect(&environment, "governor", NULL, "schedutil");
	expect(&environment, "frequency_driver", NULL, "intel_cpufreq");
	expect(&environment, "energy_preference", NULL, NULL);
	expect(&environment, "turbo", NULL, "on");
	expect(&environment, "idle_driver", NULL, "intel_idle");
	expect(&environment, "idle_states", NULL, "POLL 0 us, C1 2 us, C1E 10 us, C3 33 us, C6 133 us");
	expect(&environment, "max_cstate", NULL, NULL);
	expect(&environment, "latency_limit", NULL, NULL);
	expect(&environment, "aspm_policy", NULL, "default");
	expect(&environment, "nvme_latency", "nvme0", "100000 us");
	environment_release(&environment);
	collect_machine(&environment, "healthy");
	expect(&environment, "governor", NULL, "performance");
	expect(&environment, "idle_states", NULL, "POLL 0 us, C1 2 us");
	expect(&environment, "max_cstate", NULL, "intel_idle 1, processor 1");
	expect(&environment, "nvme_latency", "nvme0", "0 us");
	environment_release(&environment);
	collect_machine(&environment, "amd-pstate-desktop");
	expect(&environment, "frequency_driver", NULL, "amd-pstate-epp");
	expect(&environment, "energy_preference", NULL, "balance_performance");
	environment_release(&environment);
	collect_machine(&environment, "virtual-machine");
	expect(&environment, "virtualised", NULL, "yes");
	expect(&environment, "governor", NULL, NULL);
	expect(&environment, "turbo", NULL, NULL);
	expect(&environment, "idle_driver", NULL, "none");
	expect(&environment, "idle_states", NULL, NULL);
	environment_release(&environment);
}

static void test_idle_limits(void **state)
{
	static const struct piece states[] = {
		{"/sys/devices/system/cpu/cpu0/cpuidle/state0/name", "C1\n", NULL},
		{"/sys/devices/system/cpu/cpu0/cpuidle/state1/name", "C6\n", NULL},
		{"/sys/devices/system/cpu/cpu0/cpuidle/state1/latency", "133\n", NULL},
		{"/sys/devices/system/cpu/cpu0/cpuidle/state1/disable", "1\n", NULL},
	};
	static const struct piece argument[] = {
		{"/sys/module/intel_idle/parameters/max_cstate", "2\n", NULL},
		{"/proc/cmdline", "intel_idle.max_cstate=2 xprocessor.max_cstate=3\n", NULL},
		{"/sys/module/processor/parameters/max_cstate", "8\n", NULL},
	};
	/* Any four bytes are a number. */
	static const struct piece limit = {"/dev/cpu_dma_latency", "  \1\1", NULL};

	(void)state;
	check_small(states, 4, "idle_states", "C1, C6 133 us (disabled)");
	check_small(argument, 3, "max_cstate", "intel_idle 2");
	check_small(argument, 1, "max_cstate", NULL);
	check_small(&limit, 1, "latency_limit", "16850976 us");
}

static void test_containers(void **state)
{
	static const struct piece podman = {"/run/.containerenv", "engine=\"podman\"\n", NULL};
	static const struct piece docker = {"/.dockerenv", "", NULL};
	static const struct piece nspawn = {"/run/systemd/container", "systemd-nspawn\n", NULL};
	static const struct piece kubernetes = {"/proc/self/cgroup", "0::/kubepods.slice/kubepods-pod1\n", NULL};
	static const struct piece plain = {"/proc/self/cgroup", "0::/user.slice\n", NULL};

	(void)state;
	check_small(&podman, 1, "container", "Podman");
	check_small(&docker, 1, "container", "Docker");
	check_small(&nspawn, 1, "container", "systemd-nspawn");
	check_small(&kubernetes, 1, "container", "Kubernetes");
	check_small(&plain, 1, "container", NULL);
}

static void test_file_systems(void **state)
{
	char network_link[] = "eth0, 10 Gbit/s";
	const struct storage storage = {.kind = STORAGE_UNKNOWN, .network_link = network_link};
	const struct zfs_pool pool = {0};
	struct environment environment;

	(void)state;
	collect(&environment, machine, "/srv/x", &storage, &pool);
	expect(&environment, "mount_options", "/dev/mapper/vg-srv", "nodatacow,compress=zstd:3,ssd,sync,noatime");
	environment_release(&environment);
	collect(&environment, machine, "/nas", &storage, &pool);
	expect(&environment, "network_link", NULL, "eth0, 10 Gbit/s");
	expect(&environment, "file_system", "nas:/x\\ny", "nfs4");
	expect(&environment, "mount_options", "nas:/x\\ny", "vers=4.2,proto=tcp,rsize=1048576,wsize=524288,relatime");
	environment_release(&environment);
}

static void test_properties(void **state)
{
	char names[][16] = {"recordsize", "compression", "direct", "unheard-of"};
	char values[][16] = {"16384", "lz\x1b[4", "standard", "x"};
	char dataset[] = "tank/vm", version[] = "2.1.11";
	struct zfs_property properties[4];
	struct zfs_pool pool = {.dataset = dataset, .properties = properties, .property_count = 4};
	const struct storage storage = {.kind = STORAGE_ZFS, .zfs_version = version};
	struct environment environment;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		properties[i] = (struct zfs_property){.name = names[i], .value = values[i]};
	}
	collect(&environment, machine, "/tank/vm", &storage, &pool);
	expect(&environment, "zfs_version", NULL, "2.1.11");
	expect(&environment, "file_system", "tank/vm", "zfs");
	expect(&environment, "mount_options", "tank/vm", "noatime");
	expect(&environment, "zfs.recordsize", "tank/vm", "16 KiB");
	expect(&environment, "zfs.compression", "tank/vm", "lz\\x1B[4");
	expect(&environment, "zfs.direct", "tank/vm", "standard");
	expect(&environment, "zfs.sync", "tank/vm", NULL);
	environment_release(&environment);
	/* All that is shown is kept of what zfs says. */
	pool = (struct zfs_pool){.dataset = xstrdup(dataset)};
	zfs_parse_properties(&pool, "t\tsecondarycache\tnone\t-\nt\tchecksum\tsha512\t-\nt\tatime\toff\t-\n");
	collect(&environment, machine, "/tank/vm", &storage, &pool);
	expect(&environment, "zfs.secondarycache", "tank/vm", "none");
	expect(&environment, "zfs.checksum", "tank/vm", "sha512");
	expect(&environment, "zfs.atime", "tank/vm", "off");
	environment_release(&environment);
	zfs_pool_release(&pool);
	pool = (struct zfs_pool){.dataset = dataset, .properties = properties, .property_count = 4};
	/* What zfs might say one day. */
	snprintf(values[0], sizeof(values[0]), "16K");
	collect(&environment, machine, "/tank/vm", &storage, &pool);
	expect(&environment, "zfs.recordsize", "tank/vm", "16K");
	environment_release(&environment);
}

static void test_overlays(void **state)
{
	const struct storage storage = {.kind = STORAGE_UNKNOWN};
	const struct zfs_pool pool = {0};
	struct environment environment;

	(void)state;
	collect(&environment, machine, "/merged", &storage, &pool);
	expect(&environment, "file_system", "overlay", "overlay");
	expect(&environment, "file_system", "/dev/mapper/vg-srv", "btrfs");
	environment_release(&environment);
	/* An overlay on that; a comma in the folder's name. */
	collect(&environment, machine, "/nested", &storage, &pool);
	expect(&environment, "file_system", "/dev/mapper/vg-srv", "btrfs");
	environment_release(&environment);
	collect(&environment, machine, "/comma", &storage, &pool);
	expect(&environment, "file_system", "tmpfs", "tmpfs");
	environment_release(&environment);
	/* The upper folder as another mount namespace names it. */
	collect(&environment, machine, "/inside", &storage, &pool);
	expect(&environment, "file_system", "overlay", "overlay");
	environment_release(&environment);
}

static void test_disks(void **state)
{
	struct storage_device devices[] = {
		{.name = other, .major = 8, .minor = 1, .roles = 1U << STORAGE_TOP | 1U << STORAGE_LEAF},
		{.name = sda, .major = 8, .minor = 0, .roles = 1U << STORAGE_DISK, .link = link_text},
		{.name = nvme, .major = 259, .minor = 0, .roles = 1U << STORAGE_DISK | 1U << STORAGE_LOG},
	};
	const struct storage storage = storage_of(devices, 3);
	const struct zfs_pool pool = {0};
	struct environment environment;

	(void)state;
	collect(&environment, machine, NULL, &storage, &pool);
	expect(&environment, "model", "sda", "WDC WD40\\x1B[31mEFRX");
	expect(&environment, "scheduler", "sda", "mq-deadline");
	expect(&environment, "write_cache", "sda", "write back");
	expect(&environment, "rotational", "sda", "yes");
	expect(&environment, "nr_requests", "sda", "256");
	expect(&environment, "block_size.logical", "sda", "512 B");
	expect(&environment, "block_size.physical", "sda", "4 KiB");
	expect(&environment, "link", "sda", "SATA 6.0 Gbit/s");
	expect(&environment, "scheduler", "nvme0n1", "none");
	expect(&environment, "write_cache", "nvme0n1", "write through");
	expect(&environment, "rotational", "nvme0n1", "no");
	expect(&environment, "nr_requests", "nvme0n1", NULL);
	expect(&environment, "block_size.physical", "nvme0n1", NULL);
	expect(&environment, "link", "nvme0n1", NULL);
	environment_release(&environment);
}

static void test_stacks(void **state)
{
	struct storage_device devices[] = {
		{.name = other, .major = 253, .minor = 1, .roles = 1U << STORAGE_TOP},
		/* The same again, from another side. */
		{.name = other, .major = 253, .minor = 0, .roles = 1U << STORAGE_TOP},
		{.name = other, .major = 9, .minor = 0, .roles = 1U << STORAGE_TOP},
		{.name = other, .major = 7, .minor = 0, .roles = 1U << STORAGE_TOP},
		{.name = other, .major = 251, .minor = 0, .roles = 1U << STORAGE_TOP},
		{.name = other, .major = 253, .minor = 9, .roles = 1U << STORAGE_TOP},
	};
	const struct storage storage = storage_of(devices, 6);
	const struct zfs_pool pool = {0};
	struct environment environment;

	(void)state;
	collect(&environment, machine, NULL, &storage, &pool);
	expect(&environment, "encryption", "dm-0", "dm-crypt (LUKS2)");
	expect(&environment, "encryption", "dm-1", NULL);
	expect(&environment, "raid", "md0", "raid1");
	expect(&environment, "loop.file", "loop0", "/srv/a b.img");
	expect(&environment, "loop.direct", "loop0", "no");
	expect(&environment, "cache_mode", "bcache0", "writeback");
	environment_release(&environment);
}

static int make_machine(void **state)
{
	(void)state;
	scratch_make(machine);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		place(machine, &pieces[i]);
	}
	return 0;
}

static int remove_machine(void **state)
{
	(void)state;
	scratch_remove(machine);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_nothing_known),
		cmocka_unit_test(test_running_machine),
		cmocka_unit_test(test_virtual_machines),
		cmocka_unit_test(test_governors),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_idle_limits),
		cmocka_unit_test(test_containers),
		cmocka_unit_test(test_file_systems),
		cmocka_unit_test(test_properties),
		cmocka_unit_test(test_overlays),
		cmocka_unit_test(test_disks),
		cmocka_unit_test(test_stacks),
	};

	return cmocka_run_group_tests(tests, make_machine, remove_machine);
}
