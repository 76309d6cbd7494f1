/* Each trap is named correctly, and not one honest run is marked: situations as they were measured, one run each. */
#include "scene.h"

/* The runs of the plan. */
enum { SEQ_Q8_READ, SEQ_Q8_WRITE, SEQ_Q1_READ, SEQ_Q1_WRITE, RND_Q32_READ, RND_Q32_WRITE, RND_Q1_READ, RND_Q1_WRITE };
enum { DD_WRITE, DD_UNCACHED, DD_CACHED };
enum { SYNC_T1, SYNC_T4, SYNC_T8, SYNC_T16 };

/* clang-format off */
static const struct scene traps[] = {
	{.name = "tmpfs read", .run = SEQ_Q8_READ, .kind = STORAGE_RAM, .type = "tmpfs", .cause = "tmpfs: RAM",
		.dishonoured = {true, true}, .findings = "served-from-ram",
		.says = "* SEQ1M Q8T1 read: /mnt/tank lies in RAM (tmpfs): no disk is measured here; name a folder on a disk "
				"[served-from-ram]\n"},
	{.name = "tmpfs write", .run = RND_Q32_WRITE, .kind = STORAGE_RAM, .type = "tmpfs", .job_cpu = 0.99, .all_cpu = 1,
		.dirtied = 1, .findings = "served-from-ram"},
	{.name = "buffered, the file in the page cache", .run = RND_Q32_READ, .buffered = true, .moved = NOTHING,
		.saturation = 0.9, .job_cpu = 0.95, .all_cpu = 1, .findings = "served-from-ram fits-in-cache",
		.says = "* RND4K Q32T16 read: 0 % came from the device, the rest from RAM (the page cache); leave out --buffered "
				"[served-from-ram]\n"
				"  RND4K Q32T16 read: the test file (1 GiB) fits into the page cache (up to 2 GiB); use --size 4g or "
				"more, twice what it can hold [fits-in-cache]\n"},
	{.name = "buffered, the file larger than the cache", .run = RND_Q32_READ, .buffered = true, .moved = 0.27,
		.saturation = 0.82, .all_cpu = 0.78, .cache_bytes = 1, .findings = "partly-from-ram",
		.says = "* RND4K Q32T16 read: 27 % came from the device, the rest from RAM (the page cache); leave out "
				"--buffered [partly-from-ram]\n"},
	{.name = "O_DIRECT refused, read from RAM", .run = SEQ_Q1_READ, .buffered = true, .direct = DIRECT_REFUSED,
		.moved = 0.01, .cache_bytes = 1, .findings = "served-from-ram",
		.says = "* SEQ1M Q1T1 read: 1 % came from the device, the rest from RAM (the page cache); use a larger --size "
				"[served-from-ram]\n"},
	{.name = "loop through the page cache, read", .run = SEQ_Q8_READ, .leaf = NOTHING, .is_shared = true, .depth = 4,
		.ram_cache = "the page cache behind loop3", .dishonoured = {true, true}, .cause = "the page cache behind loop3",
		.findings = "served-from-ram fits-in-cache",
		.says = "* SEQ1M Q8T1 read: 0 % came from the device, the rest from RAM (the page cache behind loop3); set up the "
				"loop device with 'losetup --direct-io=on' [served-from-ram]\n"
				"  SEQ1M Q8T1 read: the test file (1 GiB) fits into the page cache behind loop3 (up to 2 GiB); use --size "
				"4g or more, twice what it can hold [fits-in-cache]\n"},
	{.name = "loop through the page cache, write", .run = RND_Q32_WRITE, .leaf = 0.4, .is_shared = true,
		.ram_cache = "the page cache behind loop3", .cache_bytes = 1, .findings = "partly-from-ram",
		.says = "* RND4K Q32T16 write: 40 % reached the device, the rest was overwritten in RAM (the page cache behind "
				"loop3); set up the loop device with 'losetup --direct-io=on' [partly-from-ram]\n"},
	{.name = "blocks never written", .run = RND_Q1_READ, .unwritten = 0.5, .moved = NOTHING, .account = NOTHING,
		.findings = "never-written", .says = ""},
	{.name = "blocks never written, most of them are", .run = RND_Q1_READ, .unwritten = 0.011, .findings = "never-written"},
	{.name = "ext4 data=journal, read", .run = SEQ_Q8_READ, .moved = 0.011, .saturation = 0.95, .job_cpu = 0.97,
		.all_cpu = 1, .depth = NOTHING, .resident = 1, .dishonoured = {true, true}, .cause = "ext4 data=journal",
		.findings = "served-from-ram direct-not-honoured fits-in-cache",
		.says = "* SEQ1M Q8T1 read: 1 % came from the device, the rest from RAM (the page cache); such a figure is no "
				"disk's [served-from-ram]\n"
				"* SEQ1M Q8T1 read: O_DIRECT was accepted but not honoured (ext4 data=journal): what was read went "
				"through the page cache; mount it with data=ordered, or take away 'chattr +j' [direct-not-honoured]\n"
				"  SEQ1M Q8T1 read: the test file (1 GiB) fits into the page cache (up to 2 GiB); use --size 4g or more, "
				"twice what it can hold [fits-in-cache]\n"},
	{.name = "ext4 data=journal, read at Q1", .run = SEQ_Q1_READ, .moved = 0.17, .job_cpu = 0.5, .resident = 1,
		.dishonoured = {true, true}, .findings = "partly-from-ram direct-not-honoured fits-in-cache"},
	{.name = "ext4 data=journal, write", .run = SEQ_Q8_WRITE, .moved = 2, .dirtied = 1, .dishonoured = {true, true},
		.depth = 50, .cause = "ext4 data=journal", .findings = "direct-not-honoured amplified",
		.says = "* SEQ1M Q8T1 write: O_DIRECT was accepted but not honoured (ext4 data=journal): what was written went "
				"through the page cache; mount it with data=ordered, or take away 'chattr +j' [direct-not-honoured]\n"
				"  SEQ1M Q8T1 write: the device wrote 2 times what fio did (amplification): "
				"for its journal, metadata or copies, or for others who began meanwhile [amplified]\n"},
	{.name = "btrfs with checksums, io_uring", .run = RND_Q32_WRITE, .moved = 1.2, .dirtied = 1.1, .depth = 4,
		.queue_limit = 128, .saturation = 0.03, .dishonoured = {false, true}, .cause = "btrfs with checksums",
		.findings = "direct-not-honoured depth-not-reached",
		.says = "* RND4K Q32T16 write: O_DIRECT was accepted but not honoured (btrfs with checksums): what was written "
				"went through the page cache; for direct I/O set 'chattr +C' on a new folder and measure there "
				"[direct-not-honoured]\n"
				"* RND4K Q32T16 write: asked for 512 in flight, the device saw 4: this file system works them off one after "
				"the other; read it as a figure for Q1 [depth-not-reached]\n"},
	{.name = "btrfs with checksums, Q8", .run = SEQ_Q8_WRITE, .dirtied = 1, .depth = 0.75, .dishonoured = {false, true},
		.findings = "direct-not-honoured depth-not-reached"},
	{.name = "btrfs with checksums, libaio", .run = RND_Q32_WRITE, .engine = ENGINE_LIBAIO, .moved = 14, .dirtied = 1.15,
		.depth = 38, .queue_limit = 128, .saturation = 0.99, .job_cpu = 0.38, .dishonoured = {false, true},
		.cause = "btrfs with checksums", .findings = "direct-not-honoured depth-not-reached amplified",
		.says = "* RND4K Q32T16 write: O_DIRECT was accepted but not honoured (btrfs with checksums): what was written "
				"went through the page cache; for direct I/O set 'chattr +C' on a new folder and measure there "
				"[direct-not-honoured]\n"
				"* RND4K Q32T16 write: asked for 512 in flight, but each had to wait for the one before (submitting took "
				"99 % of the time): this file system works them off one per thread; try --engine io_uring "
				"[depth-not-reached]\n"
				"  RND4K Q32T16 write: the device wrote 14 times what fio did (amplification): "
				"for its journal, metadata or copies, or for others who began meanwhile [amplified]\n"},
	{.name = "one for each thread", .run = RND_Q32_READ, .depth = 16, .queue_limit = 128,
		.findings = "depth-not-reached",
		.says = "* RND4K Q32T16 read: asked for 512 in flight, the device saw 16: this file system works them off one per "
				"thread; read it as a figure for Q1 [depth-not-reached]\n"},
	{.name = "submission that blocks", .run = RND_Q32_READ, .engine = ENGINE_LIBAIO, .depth = 25, .saturation = 0.96,
		.queue_limit = 256, .findings = "depth-not-reached"},
	{.name = "libaio buffered", .run = SEQ_Q8_READ, .engine = ENGINE_LIBAIO, .buffered = true, .saturation = 0.99,
		.job_cpu = 0.25, .findings = "depth-not-reached",
		.says = "* SEQ1M Q8T1 read: asked for 8 in flight, but libaio waits for each buffered request: one at a time in "
				"each thread; leave out --buffered, or use --engine io_uring [depth-not-reached]\n"},
	{.name = "libaio buffered, overwritten in RAM", .run = RND_Q32_WRITE, .engine = ENGINE_LIBAIO, .buffered = true,
		.moved = 0.17, .dirtied = 1, .all_cpu = 0.97,
		.findings = "partly-from-ram depth-not-reached cpu-bound fits-in-cache"},
	{.name = "sync engine", .run = RND_Q32_READ, .engine = ENGINE_SYNC, .depth = 11.5, .saturation = NOTHING,
		.findings = "depth-not-reached",
		.says = "* RND4K Q32T16 read: asked for 512 in flight, but sync works on one request at a time in each thread; "
				"use --engine io_uring or libaio [depth-not-reached]\n"},
	{.name = "posixaio", .run = SEQ_Q8_WRITE, .engine = ENGINE_POSIXAIO, .depth = 1.4, .findings = "depth-not-reached"},
	{.name = "throttled, and submission blocks", .run = RND_Q32_READ, .engine = ENGINE_LIBAIO, .is_throttled = true,
		.depth = 0.7, .saturation = 0.97, .findings = "depth-not-reached"},
	{.name = "CPU-bound, one core", .run = RND_Q32_READ, .job_cpu = 0.93, .all_cpu = 0.6, .findings = "cpu-bound",
		.says = "* RND4K Q32T16 read: one core was the limit, not the disk (93 % busy): the disk may do more; a faster "
				"processor would show it [cpu-bound]\n"},
	{.name = "CPU-bound, all cores", .run = RND_Q32_WRITE, .all_cpu = 0.98, .findings = "cpu-bound",
		.says = "* RND4K Q32T16 write: all 2 cores were the limit, not the disk (98 % busy): the disk may do more; repeat "
				"it with a faster processor, or when the machine is quiet [cpu-bound]\n"},
	{.name = "CPU quota", .run = RND_Q1_WRITE, .quota = 0.15, .findings = "cpu-bound",
		.says = "* RND4K Q1T1 write: the CPU quota of its control group was the limit, not the disk (it had to wait 15 % "
				"of the time); raise the quota (cpu.max, a container's CPU limit) [cpu-bound]\n"},
	{.name = "others read", .run = RND_Q1_READ, .mb_per_s = 40, .others_read_mb_per_s = 100, .findings = "other-traffic",
		.says = "* RND4K Q1T1 read: others moved 100 MB/s on vdb meanwhile (71 % of all bytes), so the disk can do more "
				"than the figure says; repeat it when nothing else runs ('iotop' shows who it is) [other-traffic]\n"},
	{.name = "others write while we read", .run = SEQ_Q8_READ, .mb_per_s = 400, .others_written_mb_per_s = 100,
		.findings = "other-traffic"},
	{.name = "others read while we write", .run = SEQ_Q8_WRITE, .mb_per_s = 400, .others_read_mb_per_s = 100,
		.findings = "other-traffic"},
	{.name = "others write while we write", .run = SEQ_Q8_WRITE, .mb_per_s = 100, .others_written_mb_per_s = 150,
		.idle_written_mb_per_s = 200, .findings = "other-traffic"},
	{.name = "others write while btrfs reads", .type = "btrfs", .run = SEQ_Q8_READ, .mb_per_s = 400,
		.others_written_mb_per_s = 100, .idle_written_mb_per_s = 90, .findings = "other-traffic"},
	{.name = "a scrub beside ZFS", .run = SEQ_Q8_READ, .kind = STORAGE_ZFS, .account_unknown = true, .mb_per_s = 100,
		.others_read_mb_per_s = 150, .idle_read_mb_per_s = 200, .findings = "other-traffic",
		.says = "* SEQ1M Q8T1 read: others moved 150 MB/s on vdb meanwhile (60 % of all bytes), so the disk can do more "
				"than the figure says; repeat it when nothing else runs ('iotop' shows who it is) "
				"[other-traffic]\n"},
	{.name = "a flush that failed", .run = SEQ_Q8_WRITE, .buffered = true, .moved = 0.03, .flushed = 0.2, .dirtied = 1,
		.cache_bytes = 1, .findings = "not-yet-on-device",
		.says = "* SEQ1M Q8T1 write: only 3 % was on the device when the run ended, our own flush brought 20 % there later: "
				"the figure is RAM's; look for errors in 'dmesg', or use --engine libaio (io_uring loses a flush that "
				"fails) [not-yet-on-device]\n"},
	{.name = "compressing, encoded", .run = SEQ_Q8_WRITE, .moved = 0.06, .has_compression = true, .encoded = 1,
		.type = "btrfs", .findings = "compressed",
		.says = "* SEQ1M Q8T1 write: 6 % reached the device, as the file system compresses the data: the figure holds for "
				"such data alone; measure where compression is off ('chattr +m' on a new folder) [compressed]\n"},
	{.name = "compressing, allocated", .run = SEQ_Q1_READ, .kind = STORAGE_ZFS, .moved = 0.5, .account_unknown = true,
		.has_compression = true, .allocated = 0.5, .findings = "compressed",
		.says = "* SEQ1M Q1T1 read: 50 % came from the device, as the file system compresses the data: the figure holds "
				"for such data alone; measure where compression is off (zfs set compression=off) [compressed]\n"},
	{.name = "ARC", .run = SEQ_Q8_READ, .kind = STORAGE_ZFS, .type = "zfs", .moved = NOTHING, .account_unknown = true,
		.dishonoured = {true, true}, .cause = "ZFS before 2.3",
		.findings = "served-from-ram direct-not-honoured fits-in-cache",
		.says = "* SEQ1M Q8T1 read: 0 % came from the device, the rest from RAM (ZFS's ARC); such a figure is no disk's "
				"[served-from-ram]\n"
				"* SEQ1M Q8T1 read: O_DIRECT was accepted but not honoured (ZFS before 2.3): what was read went through "
				"ZFS's ARC; ZFS 2.3 and later honour it [direct-not-honoured]\n"
				"  SEQ1M Q8T1 read: the test file (1 GiB) fits into ZFS's ARC (up to 2 GiB); use --size 4g or more, twice "
				"what it can hold [fits-in-cache]\n"},
	{.name = "ARC, whole records for parts", .run = RND_Q32_READ, .kind = STORAGE_ZFS, .moved = 9, .account_unknown = true,
		.arc_misses = 0.3, .cache_bytes = 1, .findings = "partly-from-ram"},
	{.name = "fio without O_DIRECT", .run = SEQ_Q1_READ, .files = 1, .direct_files = 0,
		.findings = "direct-not-honoured",
		.says = "* SEQ1M Q1T1 read: fio opened the test file without O_DIRECT, although it was told to use it; try another "
				"--engine [direct-not-honoured]\n"},
	{.name = "pages in the cache after a direct write", .run = RND_Q1_WRITE, .resident = 0.625, .dirtied = 1,
		.findings = "direct-not-honoured",
		.says = "* RND4K Q1T1 write: 62 % of the test file lay in the page cache, so O_DIRECT did not keep what was "
				"written out of it; such a figure is that of buffered I/O [direct-not-honoured]\n"},
	{.name = "above the link", .run = SEQ_Q8_READ, .mb_per_s = 1000, .link_mb_per_s = 600, .findings = "above-link",
		.says = "* SEQ1M Q8T1 read: 1000 MB/s is impossible: the link SATA 6.0 Gb/s carries 600 MB/s at most, so a cache "
				"or a virtual disk's host answered; use a larger --size [above-link]\n"},
	{.name = "amplified O_SYNC", .profile = &profile_slog, .run = SYNC_T1, .engine = ENGINE_PSYNC, .buffered = true,
		.direct = DIRECT_NOT_FOR_SLOG, .moved = 37, .dirtied = 1, .findings = "amplified"},
	{.name = "amplified beyond its redundancy", .run = RND_Q1_WRITE, .copies = 2, .moved = 8, .findings = "amplified",
		.says = "  RND4K Q1T1 write: the device wrote 8 times what fio did (amplification), redundancy asks for 2: "
				"for its journal, metadata or copies, or for others who began meanwhile [amplified]\n"},
	{.name = "amplified, beside a little of others'", .run = SEQ_Q8_WRITE, .moved = 3, .mb_per_s = 100,
		.idle_written_mb_per_s = 60, .findings = "amplified"},
	{.name = "a flush that failed, of less than the file", .run = SEQ_Q8_WRITE, .mb_per_s = 100, .moved = 0.5,
		.flushed = 0.06, .findings = "not-yet-on-device"},
	{.name = "short, where nothing compresses", .run = SEQ_Q8_WRITE, .moved = 0.5, .allocated = 0.5, .encoded = 1,
		.findings = "partly-from-ram"},
	{.name = "from RAM, with an idle device", .run = RND_Q32_READ, .moved = 0.01, .depth = NOTHING, .cache_bytes = 1,
		.dishonoured = {true, false}, .findings = "served-from-ram direct-not-honoured"},
	{.name = "from RAM, faster than the link", .run = SEQ_Q8_READ, .buffered = true, .moved = NOTHING,
		.link_mb_per_s = 600, .cache_bytes = 1, .findings = "served-from-ram"},
	{.name = "FUSE, and an engine without a queue", .run = SEQ_Q8_READ, .is_unknown = true, .engine = ENGINE_SYNC,
		.findings = "depth-not-reached source-unknown"},
	{.name = "FUSE", .run = SEQ_Q8_READ, .is_unknown = true, .blind_spot = "FUSE: only its server knows",
		.findings = "source-unknown",
		.says = "? SEQ1M Q8T1 read: nobody can tell here whether these are the device's figures or a cache's (FUSE: only "
				"its server knows); to be sure, measure where the disks are [source-unknown]\n"},
	{.name = "no counters", .run = SEQ_Q8_WRITE, .counters_unknown = true, .findings = "source-unknown",
		.says = "? SEQ1M Q8T1 write: nobody can tell here whether these are the device's figures or a cache's (no "
				"counters of vdb1); see that /sys is mounted and 'queue/iostats' is 1 [source-unknown]\n"},
	{.name = "a device that counts nothing", .run = SEQ_Q8_READ, .moved = NOTHING, .account = 1,
		.findings = "source-unknown"},
	{.name = "CIFS without statistics", .run = SEQ_Q8_READ, .kind = STORAGE_CIFS, .findings = "source-unknown"},
	{.name = "NFS from the client's cache", .run = RND_Q1_READ, .kind = STORAGE_NFS, .network_known = true, .moved = 0.5,
		.buffered = true, .findings = "partly-from-ram fits-in-cache"},
	{.name = "dd, read from RAM", .profile = &profile_dd, .run = DD_UNCACHED, .buffered = true, .direct = DIRECT_REFUSED,
		.moved = NOTHING, .findings = "served-from-ram fits-in-cache",
		.says = "* 'Read, uncached': 0 % came from the device, the rest from RAM (the page cache); such a figure is no "
				"disk's [served-from-ram]\n"
				"  'Read, uncached': the test file (1 GiB) fits into the page cache (up to 2 GiB); use --size 4g or more, "
				"twice what it can hold [fits-in-cache]\n"},
	{.name = "dd, the cached row from the device", .profile = &profile_dd, .run = DD_CACHED, .buffered = true,
		.moved = 0.11, .findings = "partly-from-ram",
		.says = "* 'Read, cached (RAM)': 11 % came from the device, although the row is to show RAM: the file did not stay "
				"in the page cache; use a smaller --size [partly-from-ram]\n"},
};

static const struct scene honest[] = {
	{.name = "ext4 SEQ1M Q8 read", .run = SEQ_Q8_READ, .depth = 7, .saturation = 0.16, .job_cpu = 0.25},
	{.name = "ext4 SEQ1M Q8 write", .run = SEQ_Q8_WRITE, .depth = 15, .moved = 1.018},
	{.name = "ext4 SEQ1M Q1 read", .run = SEQ_Q1_READ, .depth = 1.9},
	{.name = "ext4 SEQ1M Q1 write", .run = SEQ_Q1_WRITE, .depth = 1.3, .moved = 1.004},
	{.name = "loop RND4K Q32T16 read", .run = RND_Q32_READ, .depth = 105, .queue_limit = 128, .saturation = 0.87,
		.all_cpu = 0.82, .is_shared = true},
	{.name = "loop RND4K Q32T16 write, libaio", .run = RND_Q32_WRITE, .engine = ENGINE_LIBAIO, .depth = 118,
		.queue_limit = 128, .saturation = 0.74, .is_shared = true},
	{.name = "vda RND4K Q32T16", .run = RND_Q32_READ, .depth = 230, .queue_limit = 256, .saturation = 0.8},
	{.name = "RND4K Q1 read", .run = RND_Q1_READ, .mb_per_s = 40, .depth = 0.7},
	{.name = "RND4K Q1 write", .run = RND_Q1_WRITE, .mb_per_s = 30, .depth = 0.85},
	{.name = "btrfs nodatacow write", .type = "btrfs", .run = RND_Q32_WRITE, .depth = 57, .queue_limit = 128,
		.all_cpu = 0.94, .saturation = 0.87},
	{.name = "btrfs with checksums, read", .type = "btrfs", .run = SEQ_Q8_READ, .dishonoured = {false, true}},
	{.name = "posixaio Q1", .run = RND_Q1_READ, .engine = ENGINE_POSIXAIO, .saturation = 0.07, .depth = 0.7},
	{.name = "sync Q1", .run = SEQ_Q1_WRITE, .engine = ENGINE_SYNC, .saturation = NOTHING, .depth = 1.3},
	{.name = "libaio buffered Q1, cold", .run = SEQ_Q1_READ, .engine = ENGINE_LIBAIO, .buffered = true,
		.saturation = 0.99, .job_cpu = 0.25, .resident = 1},
	{.name = "io_uring buffered, cold", .run = SEQ_Q8_READ, .buffered = true, .resident = 1, .depth = 2},
	{.name = "throttled", .run = RND_Q32_READ, .is_throttled = true, .depth = 0.7, .saturation = 0.1, .mb_per_s = 8},
	{.name = "slog on ext4", .profile = &profile_slog, .run = SYNC_T16, .engine = ENGINE_PSYNC, .buffered = true,
		.direct = DIRECT_NOT_FOR_SLOG, .moved = 1.08, .dirtied = 1, .all_cpu = 0.81, .resident = 1},
	{.name = "slog on a mirror with a log", .profile = &profile_slog, .run = SYNC_T4, .engine = ENGINE_PSYNC,
		.buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .kind = STORAGE_ZFS, .has_log = true, .copies = 2,
		.account_unknown = true},
	{.name = "dd write", .profile = &profile_dd, .run = DD_WRITE, .buffered = true, .direct = DIRECT_REFUSED, .dirtied = 1,
		.resident = 1},
	{.name = "dd uncached read", .profile = &profile_dd, .run = DD_UNCACHED, .buffered = true, .direct = DIRECT_REFUSED},
	{.name = "dd cached read", .profile = &profile_dd, .run = DD_CACHED, .buffered = true, .moved = NOTHING,
		.job_cpu = 1, .all_cpu = 1},
	{.name = "dd cached read, a little of it not", .profile = &profile_dd, .run = DD_CACHED, .buffered = true,
		.moved = 0.099},
	{.name = "RAID1 write", .run = SEQ_Q8_WRITE, .leaf = 2.02, .copies = 2},
	{.name = "btrfs RAID1 write", .run = SEQ_Q8_WRITE, .moved = 2.02, .copies = 2},
	{.name = "RAID5 write", .run = RND_Q32_WRITE, .leaf = 1.9, .copies = -1, .others_read_mb_per_s = 900},
	{.name = "ZFS direct", .run = SEQ_Q8_READ, .kind = STORAGE_ZFS, .type = "zfs", .account_unknown = true},
	{.name = "ZFS, whole records for parts, all from disk", .run = RND_Q1_READ, .kind = STORAGE_ZFS, .moved = 32,
		.account_unknown = true, .arc_misses = 1},
	{.name = "NFS read", .run = SEQ_Q8_READ, .kind = STORAGE_NFS, .network_known = true, .account_unknown = true},
	{.name = "NFS write", .run = SEQ_Q8_WRITE, .kind = STORAGE_NFS, .network_known = true, .moved = 1.01},
	{.name = "at the edges: bytes", .run = SEQ_Q8_READ, .moved = 0.9501, .unwritten = 0.0099},
	{.name = "at the edges: CPU", .run = RND_Q32_READ, .job_cpu = 0.89, .all_cpu = 0.949, .quota = 0.09},
	{.name = "at the edges: depth", .run = RND_Q32_READ, .depth = 24.5, .saturation = 0.94, .queue_limit = 128},
	{.name = "at the edges: depth of one job", .run = SEQ_Q8_READ, .depth = 1.6},
	{.name = "shallow, since the processors are busy", .run = RND_Q32_READ, .depth = 10, .job_cpu = 0.76},
	{.name = "a device that takes 32 at once", .run = RND_Q32_READ, .depth = 20, .queue_limit = 32},
	{.name = "submission that blocks for most of the time", .run = RND_Q32_READ, .depth = 25, .queue_limit = 256,
		.saturation = 0.94},
	{.name = "shallow, since all processors are busy", .run = RND_Q32_READ, .depth = 10, .all_cpu = 0.91},
	{.name = "throttled, and the processor busy", .run = RND_Q32_READ, .is_throttled = true, .saturation = 0.97,
		.job_cpu = 0.6},
	{.name = "bcache is read to be written", .run = SEQ_Q8_WRITE, .has_device_cache = true, .others_read_mb_per_s = 500},
	{.name = "at the edges: others", .run = SEQ_Q8_READ, .others_read_mb_per_s = 100},
	{.name = "others, but hardly any", .run = RND_Q1_WRITE, .mb_per_s = 0.4, .others_read_mb_per_s = 0.9},
	{.name = "another file system above the same disk", .run = SEQ_Q8_READ, .is_shared = true,
		.others_written_mb_per_s = 800},
	{.name = "at the edges: amplification", .run = RND_Q1_WRITE, .moved = 1.99},
	{.name = "a lull before a busy write", .run = SEQ_Q8_WRITE, .moved = 1.5, .idle_written_mb_per_s = 100},
	{.name = "btrfs writes its trees after a write run", .type = "btrfs", .run = RND_Q1_READ, .mb_per_s = 40,
		.others_written_mb_per_s = 30},
	{.name = "bcache promotes what is read", .run = RND_Q1_READ, .has_device_cache = true, .others_written_mb_per_s = 500},
	{.name = "at the edges: the link", .run = SEQ_Q8_READ, .mb_per_s = 611, .link_mb_per_s = 600},
	{.name = "compressing, but the data does not", .run = SEQ_Q8_WRITE, .has_compression = true},
	{.name = "all descriptors direct", .run = SEQ_Q8_READ, .files = 16, .direct_files = 16},
	{.name = "stale pages of the layout", .run = SEQ_Q8_READ, .resident = 1},
	{.name = "stale pages that a random write left", .run = RND_Q1_WRITE, .resident = 0.9, .dirtied = 0.01},
	{.name = "metadata flushed later", .run = SEQ_Q8_WRITE, .flushed = 0.2},
};
/* clang-format on */

/* The ids of a run's findings, in their order. The caller frees it. */
static char *list_findings(const struct report *report, size_t run)
{
	struct text list = TEXT_EMPTY;

	for (size_t i = 0; i < report->findings.count; i++) {
		if (report->findings.list[i].run == run) {
			text_addf(&list, "%s%s", list.length > 0 ? " " : "", finding_id(report->findings.list[i].kind));
		}
	}
	char *copy = xstrdup(text_string(&list));
	text_release(&list);
	return copy;
}

/* The sentences, a line each. The caller frees it. */
static char *list_sentences(const struct report *report)
{
	char **sentences = findings_sentences(&report->findings, report);
	struct text list = TEXT_EMPTY;

	for (size_t i = 0; sentences[i]; i++) {
		text_addf(&list, "%s\n", sentences[i]);
		free(sentences[i]);
	}
	free(sentences);
	char *copy = xstrdup(text_string(&list));
	text_release(&list);
	return copy;
}

/* Say which scene it is before cmocka's own words; returns whether it is as it should be. */
static bool is_right(const struct scene *scene, const char *what, const char *found, const char *right)
{
	if (strcmp(found, right) != 0) {
		print_error("%s: %s is\n%s\nnot\n%s\n", scene->name, what, found, right);
		return false;
	}
	return true;
}

static bool check_scene(const struct scene *scene)
{
	struct stage stage;

	stage_open_scene(&stage, scene);
	report_check(&stage.report);
	char *found = list_findings(&stage.report, scene->run), *says = list_sentences(&stage.report);
	bool right = is_right(scene, "what is found", found, scene->findings ? scene->findings : "");

	right = is_right(scene, "what is said", says, scene->says ? scene->says : scene->findings ? says : "") && right;
	free(found);
	free(says);
	stage_close(&stage);
	return right;
}

static void check_scenes(const struct scene *scenes, size_t count)
{
	size_t right = 0;

	for (size_t i = 0; i < count; i++) {
		right += check_scene(&scenes[i]) ? 1 : 0;
	}
	assert_int_equal(right, count);
}

static void test_traps(void **state)
{
	(void)state;
	check_scenes(traps, sizeof(traps) / sizeof(traps[0]));
}

static void test_honest(void **state)
{
	(void)state;
	check_scenes(honest, sizeof(honest) / sizeof(honest[0]));
}

/* Every kind that has a sentence is in the traps. */
static void test_all_kinds(void **state)
{
	(void)state;
	for (int kind = FINDING_NONE + 1; kind < FINDING_KIND_COUNT; kind++) {
		bool covered = kind == FINDING_SHORTENED || kind == FINDING_FLUSH_FAILED; /* the caller's own */

		for (size_t i = 0; i < sizeof(traps) / sizeof(traps[0]); i++) {
			covered = covered || strstr(traps[i].findings, finding_id((enum finding_kind)kind));
		}
		assert_true(covered);
		assert_true(strchr("*?", *finding_mark((enum finding_kind)kind)) != NULL);
	}
	assert_string_equal(finding_id(FINDING_NONE), "");
	assert_string_equal(finding_id(FINDING_SHORTENED), "shortened");
	assert_string_equal(finding_id(FINDING_FLUSH_FAILED), "flush-failed");
	assert_string_equal(finding_mark(FINDING_AMPLIFIED), "");
	assert_string_equal(finding_mark(FINDING_FITS_IN_CACHE), "");
	assert_string_equal(finding_mark(FINDING_SOURCE_UNKNOWN), "?");
}

static void expect_text(char *found, const char *right)
{
	assert_string_equal(found, right);
	free(found);
}

/* All eight runs of a report as one scene has it. */
static void fill(struct stage *stage, const struct scene *scene)
{
	stage_open_scene(stage, scene);
	for (size_t run = 0; run < stage->plan.run_count; run++) {
		stage_add(stage, scene, run);
	}
}

/* Runs of one kind are told together, with the range of what was measured. */
static void test_grouping(void **state)
{
	const struct scene good = {.depth = NOTHING}, half = {.moved = 0.31, .cache_bytes = 1}, low = {.moved = NOTHING};
	struct stage stage;

	(void)state;
	fill(&stage, &(struct scene){.link_mb_per_s = 2000, .cache_bytes = 1});
	stage.report.direct = DIRECT_REFUSED;
	for (size_t run = 0; run < 8; run += 2) {
		stage_add(&stage, run == 4 ? &low : &(struct scene){.moved = 0.019}, run);
	}
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report),
		"* every read: 0 to 1 % came from the device, the rest from RAM (the page cache); use a larger --size "
		"[served-from-ram]\n");
	stage_add(&stage, &half, SEQ_Q1_READ);
	stage_add(&stage, &half, SEQ_Q1_WRITE);
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report),
		"* SEQ1M Q8T1, RND4K Q32T16 and RND4K Q1T1 read: 0 to 1 % came from the device, the rest from RAM (the page "
		"cache); "
		"use a larger --size [served-from-ram]\n"
		"* SEQ1M Q1T1 read: 31 % came from the device, the rest from RAM (the page cache); use a larger --size "
		"[partly-from-ram]\n"
		"* SEQ1M Q1T1 write: 31 % reached the device, the rest was overwritten in RAM (the page cache); use a larger "
		"--size [partly-from-ram]\n");
	assert_true(findings_have(&stage.report.findings, FINDING_PARTLY_FROM_RAM, SEQ_Q1_WRITE));
	assert_false(findings_have(&stage.report.findings, FINDING_PARTLY_FROM_RAM, SEQ_Q8_WRITE));
	assert_string_equal(findings_mark(&stage.report.findings, SEQ_Q1_WRITE), "*");
	assert_string_equal(findings_mark(&stage.report.findings, SEQ_Q8_WRITE), "");
	stage_close(&stage);

	fill(&stage, &(struct scene){.engine = ENGINE_SYNC});
	stage_add(&stage, &good, RND_Q1_READ);
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report), "* SEQ1M Q8T1 and RND4K Q32T16 read and write: asked for 8 to 512 in "
											   "flight, but sync works on one request at a time "
											   "in each thread; use --engine io_uring or libaio [depth-not-reached]\n");
	stage_close(&stage);

	fill(&stage, &(struct scene){.job_cpu = NOTHING});
	stage_add(&stage, &(struct scene){.job_cpu = 0.92}, SEQ_Q1_READ);
	stage_add(&stage, &(struct scene){.job_cpu = 0.96}, SEQ_Q1_WRITE);
	stage_add(&stage, &(struct scene){.job_cpu = 0.99}, RND_Q1_WRITE);
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report), "* SEQ1M Q1T1 read; SEQ1M Q1T1 and RND4K Q1T1 write: one core was the "
											   "limit, not the disk (92 to 99 % busy): the "
											   "disk may do more; a faster processor would show it [cpu-bound]\n");
	stage_close(&stage);

	fill(&stage, &(struct scene){.is_unknown = true});
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report), "? every row: nobody can tell here whether these are the device's "
											   "figures or a cache's (no device is known); to be "
											   "sure, measure where the disks are [source-unknown]\n");
	assert_null(findings_checked(&stage.report.findings, &stage.report));
	assert_string_equal(findings_mark(&stage.report.findings, SEQ_Q8_READ), "?");
	stage.report.engine = ENGINE_SYNC; /* the graver mark stands */
	report_check(&stage.report);
	assert_string_equal(findings_mark(&stage.report.findings, SEQ_Q8_READ), "*");
	assert_string_equal(findings_mark(&stage.report.findings, SEQ_Q1_READ), "?");
	stage_close(&stage);
}

/* The file cannot always be made large enough. */
static void test_sizes(void **state)
{
	static const struct {
		uint64_t cache_bytes;
		const char *size;
	} cases[] = {{UINT64_C(3) << 30, " 6g "}, {(UINT64_C(3) << 30) + 1, " 7g "}, {UINT64_C(100) << 30, " 200g "},
		{(UINT64_C(62) << 30) + 5, " 128g "}, {UINT64_MAX, "g "}};
	struct stage stage;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		stage_open_scene(
			&stage, &(struct scene){
						.run = SEQ_Q8_READ, .buffered = true, .moved = NOTHING, .cache_bytes = cases[i].cache_bytes});
		report_check(&stage.report);
		char *says = list_sentences(&stage.report);
		assert_non_null(strstr(says, cases[i].size));
		assert_null(strstr(says, "does not fit"));
		free(says);
		stage.target.space_known = true;
		stage.target.free_bytes = cases[i].cache_bytes / 2;
		says = list_sentences(&stage.report);
		assert_non_null(strstr(says, "does not fit on this file system [fits-in-cache]"));
		free(says);
		stage_close(&stage);
	}
}

static void expect_checked(struct stage *stage, const char *right)
{
	report_check(&stage->report);
	expect_text(findings_checked(&stage->report.findings, &stage->report), right);
	stage_close(stage);
}

static void test_checked(void **state)
{
	struct stage stage;

	(void)state;
	fill(&stage, &(struct scene){.link_mb_per_s = 2000});
	stage_add(&stage, &(struct scene){.moved = 1.02}, SEQ_Q8_READ);
	expect_checked(&stage,
		"Checked: 100 to 102 % of the bytes went to or came from vdb1; queue depth reached, O_DIRECT "
		"honoured, little or no other traffic, CPU and link not the limit.");
	fill(&stage, &(struct scene){.link_mb_per_s = 2000});
	stage_add(&stage, &(struct scene){.moved = 0.3}, SEQ_Q8_READ);
	expect_checked(&stage,
		"Unmarked figures: 100 % of the bytes went to or came from vdb1; queue depth reached, O_DIRECT "
		"honoured, little or no other traffic, CPU and link not the limit.");
	fill(&stage, &(struct scene){.is_throttled = true, .moved = 3});
	expect_checked(&stage,
		"Checked: at least 100 % of the bytes went to or came from vdb1; O_DIRECT honoured, little or "
		"no other traffic, CPU not the limit. Not checked: queue depth (a control group throttles the "
		"device).");
	stage_open_scene(&stage, &(struct scene){.run = SEQ_Q1_READ, .buffered = true});
	expect_checked(
		&stage, "Checked: 100 % of the bytes came from vdb1; little or no other traffic, CPU not the limit.");
	stage_open_scene(&stage, &(struct scene){.run = SEQ_Q8_WRITE, .kind = STORAGE_NFS, .network_known = true});
	stage.report.direct_verdict.honours[TRANSFER_WRITE] = HONOUR_UNKNOWN;
	expect_checked(&stage,
		"Checked: 100 % of the bytes went to the server; CPU not the limit. Not checked: queue depth "
		"(the server keeps it), whether O_DIRECT is honoured, other traffic.");
	stage_open_scene(&stage,
		&(struct scene){.profile = &profile_dd, .run = DD_UNCACHED, .buffered = true, .direct = DIRECT_REFUSED});
	stage_add(&stage, &(struct scene){.buffered = true, .moved = NOTHING}, DD_CACHED);
	expect_checked(&stage,
		"Checked: 100 % of the bytes came from vdb1, the cached read came from RAM; little or no other "
		"traffic, CPU not the limit.");
	stage_open_scene(&stage, &(struct scene){.run = SEQ_Q1_WRITE, .link_mb_per_s = 2000});
	stage.report.measurements[SEQ_Q1_WRITE].evidence.readings.idle.at_ns = 0;
	expect_checked(&stage,
		"Checked: 100 % of the bytes went to vdb1; O_DIRECT honoured, CPU and link not the limit. Not "
		"checked: other traffic.");
	stage_open_scene(&stage, &(struct scene){.run = SEQ_Q8_READ});
	stage.report.measurements[SEQ_Q8_READ].evidence.present = false;
	report_check(&stage.report);
	assert_null(findings_checked(&stage.report.findings, &stage.report));
	stage_close(&stage);
}

/* Such a number is none: the run fails, keeps its figures for the brackets, and nothing else is said of it. */
static void test_never_written(void **state)
{
	struct stage stage;

	(void)state;
	stage_open_scene(&stage, &(struct scene){.run = RND_Q1_READ, .unwritten = 0.5, .moved = NOTHING});
	const struct measurement *measurement = &stage.report.measurements[RND_Q1_READ];
	for (int times = 0; times < 2; times++) {
		report_check(&stage.report);
		assert_int_equal(measurement->outcome, OUTCOME_FAILED);
		assert_true(measurement->has_figures);
		assert_int_equal(measurement->failure_kind, FINDING_NEVER_WRITTEN);
		assert_int_equal(stage.report.findings.count, 1);
		assert_non_null(strstr(measurement->reason, "50 % of the test file was never written"));
	}
	stage_close(&stage);
}

/* A small generator of its own, so that each run of the test is the same. */
static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static double random_double(uint64_t *seed)
{
	static const double odd[] = {0, -1, 1e300, -1e300, 0.5, 1, 1e9};
	uint64_t choice = next_random(seed) % 10;

	if (choice < sizeof(odd) / sizeof(odd[0])) {
		return odd[choice];
	}
	return choice == 7 ? (double)NAN : choice == 8 ? (double)INFINITY : (double)next_random(seed);
}

static void fill_random(void *bytes, size_t size, uint64_t *seed)
{
	uint64_t kind = next_random(seed) % 4;

	for (size_t i = 0; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
		uint64_t value = kind == 0 ? 0 : kind == 1 ? UINT64_MAX : next_random(seed) >> (next_random(seed) % 64);

		memcpy((char *)bytes + i, &value, sizeof(value));
	}
}

/* Whatever the counters hold, there is an answer. */
static void test_garbage(void **state)
{
	uint64_t seed = UINT64_C(88172645463325252);

	(void)state;
	for (int times = 0; times < 3000; times++) {
		static const struct profile *const all[] = {&profile_cdm, &profile_slog, &profile_dd};
		struct stage stage;

		fill(&stage, &(struct scene){.profile = all[times % 3], .kind = (enum storage_kind)(next_random(&seed) % 6)});
		stage.report.storage.write_copies = random_double(&seed);
		stage.report.storage.is_shared = next_random(&seed) % 2;
		stage.report.storage.has_compression = next_random(&seed) % 2;
		stage.report.cache_bytes = next_random(&seed);
		for (size_t run = 0; run < stage.plan.run_count; run++) {
			struct evidence *evidence = &stage.report.measurements[run].evidence;

			fill_random(&evidence->readings, sizeof(evidence->readings), &seed);
			evidence->claimed_bytes = random_double(&seed);
			evidence->submit_saturation = random_double(&seed);
			evidence->busiest_job_cpu = random_double(&seed);
			evidence->direct = next_random(&seed) % 2;
		}
		report_check(&stage.report);
		free(list_sentences(&stage.report));
		free(findings_checked(&stage.report.findings, &stage.report));
		stage_close(&stage);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_traps),
		cmocka_unit_test(test_honest),
		cmocka_unit_test(test_all_kinds),
		cmocka_unit_test(test_grouping),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_checked),
		cmocka_unit_test(test_never_written),
		cmocka_unit_test(test_garbage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
