/* Each trap is named correctly, and not one honest run is marked: situations as they were measured, one run each. */
#include "scene.h"

#include "report/commit_split.h"

/* The runs of the plan. */
enum { SEQ_Q8_READ, SEQ_Q8_WRITE, SEQ_Q1_READ, SEQ_Q1_WRITE, RND_Q32_READ, RND_Q32_WRITE, RND_Q1_READ, RND_Q1_WRITE };
enum { DD_WRITE, DD_UNCACHED, DD_CACHED };
enum { SYNC_T1, SYNC_T4, SYNC_T8, SYNC_T16, NO_SYNC };

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
		.ram_cache = "the page cache behind loop3", .findings = "served-from-ram fits-in-cache",
		.says = "* SEQ1M Q8T1 read: 0 % came from the device, the rest from RAM (the page cache behind loop3); set up the "
				"loop device with 'losetup --direct-io=on' [served-from-ram]\n"
				"  SEQ1M Q8T1 read: the test file (1 GiB) fits into the page cache behind loop3 (up to 2 GiB); use --size "
				"4g or more, twice what it can hold [fits-in-cache]\n"},
	{.name = "loop through the page cache, write", .run = RND_Q32_WRITE, .leaf = 0.4, .is_shared = true,
		.ram_cache = "the page cache behind loop3", .cache_bytes = 1, .findings = "partly-from-ram",
		.says = "* RND4K Q32T16 write: 40 % reached the device during the run, the rest stayed in RAM (the page cache "
				"behind loop3); set up the loop device with 'losetup --direct-io=on' [partly-from-ram]\n"},
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
				"* RND4K Q32T16 write: asked for 512 in flight, the device saw 4: they wait in the page cache, which "
				"writes them out in its own way [depth-not-reached]\n"},
	{.name = "btrfs with checksums, Q8", .run = SEQ_Q8_WRITE, .dirtied = 1, .depth = 0.75, .dishonoured = {false, true},
		.findings = "direct-not-honoured depth-not-reached"},
	{.name = "btrfs with checksums, libaio", .run = RND_Q32_WRITE, .engine = ENGINE_LIBAIO, .moved = 14, .dirtied = 1.15,
		.depth = 38, .queue_limit = 128, .saturation = 0.99, .job_cpu = 0.38, .dishonoured = {false, true},
		.cause = "btrfs with checksums", .findings = "direct-not-honoured depth-not-reached amplified",
		.says = "* RND4K Q32T16 write: O_DIRECT was accepted but not honoured (btrfs with checksums): what was written "
				"went through the page cache; for direct I/O set 'chattr +C' on a new folder and measure there "
				"[direct-not-honoured]\n"
				"* RND4K Q32T16 write: asked for 512 in flight, but each had to wait for the one before (submitting took "
				"99 % of the time): the path takes no more of them at once; try --engine io_uring "
				"[depth-not-reached]\n"
				"  RND4K Q32T16 write: the device wrote 14 times what fio did (amplification): "
				"for its journal, metadata or copies, or for others who began meanwhile [amplified]\n"},
	{.name = "one for each thread", .run = RND_Q32_READ, .depth = 16, .queue_limit = 128,
		.findings = "depth-not-reached",
		.says = "* RND4K Q32T16 read: asked for 512 in flight, the device saw 16: this file system works them off one per "
				"thread; try --engine libaio [depth-not-reached]\n"},
	{.name = "submission that blocks", .run = RND_Q32_READ, .engine = ENGINE_LIBAIO, .depth = 25, .saturation = 0.96,
		.queue_limit = 256, .findings = "depth-not-reached",
		.says = "* RND4K Q32T16 read: asked for 512 in flight, the device saw 25: the path lets no more of them through at "
				"once; try --engine io_uring [depth-not-reached]\n"},
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
		.says = "* RND4K Q1T1 write: the CPU quota of its control group was the limit, not the disk (it kept each "
				"job from running for 15 % of its time); raise the quota (cpu.max, a container's CPU limit) [cpu-bound]\n"},
	{.name = "others read", .run = RND_Q1_READ, .mb_per_s = 40, .others_read_mb_per_s = 100, .findings = "other-traffic",
		.says = "* RND4K Q1T1 read: others moved 100 MB/s on vdb meanwhile (71 % of all bytes), so the disk can do more "
				"than the figure says; repeat it when nothing else runs ('iotop' shows who it is) [other-traffic]\n"},
	{.name = "others write while we read", .run = SEQ_Q8_READ, .mb_per_s = 400, .others_written_mb_per_s = 100,
		.findings = "other-traffic"},
	{.name = "others read while we write", .run = SEQ_Q8_WRITE, .mb_per_s = 400, .others_read_mb_per_s = 100,
		.findings = "other-traffic"},
	{.name = "others write while we write", .run = SEQ_Q8_WRITE, .mb_per_s = 100, .others_written_mb_per_s = 150,
		.idle_written_mb_per_s = 200, .findings = "other-traffic"},
	{.name = "a scrub beside ZFS", .run = SEQ_Q8_READ, .kind = STORAGE_ZFS, .account_unknown = true, .mb_per_s = 100,
		.others_read_mb_per_s = 150, .idle_read_mb_per_s = 200, .findings = "other-traffic",
		.says = "* SEQ1M Q8T1 read: others moved 150 MB/s on vdb meanwhile (60 % of all bytes), so the disk can do more "
				"than the figure says; repeat it when nothing else runs ('iotop' shows who it is) "
				"[other-traffic]\n"},
	{.name = "a scrub by its name", .run = SEQ_Q8_WRITE, .kind = STORAGE_ZFS, .account_unknown = true,
		.background_work = "scrub of tank", .findings = "other-traffic",
		.says = "* SEQ1M Q8T1 write: a scrub of tank is under way, which keeps the disks busy, so they can do more than the "
				"figure says; wait for it to end and repeat it [other-traffic]\n"},
	{.name = "a rebuild by its name, partly from RAM", .run = SEQ_Q8_READ, .moved = 0.5, .cache_bytes = 1,
		.buffered = true, .background_work = "recover of md0", .findings = "partly-from-ram other-traffic"},
	{.name = "others read while btrfs reads", .type = "btrfs", .run = SEQ_Q8_READ, .mb_per_s = 400,
		.others_read_mb_per_s = 100, .findings = "other-traffic"},
	/* Beneath a loop half of the bytes may be others', on the loop itself nobody else is to be expected. */
	/* What the loop's device did not ask for, others did, whenever they began. */
	{.name = "others beneath a loop who began later", .profile = &profile_slog, .run = SYNC_T1, .engine = ENGINE_PSYNC,
		.buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .is_shared = true, .mb_per_s = 10, .dirtied = 1,
		.others_written_mb_per_s = 300, .findings = "other-traffic"},
	{.name = "read out of RAM, though it is stored compressed", .run = SEQ_Q1_READ, .type = "btrfs", .moved = 0.2,
		.has_compression = true, .encoded = 1, .resident = 0.9, .cache_bytes = 1, .findings = "partly-from-ram direct-not-honoured"},
	{.name = "others on the loop itself", .run = SEQ_Q8_READ, .is_shared = true, .top = 1.25, .leaf = 1.25,
		.account = 1, .mb_per_s = 100, .findings = "other-traffic",
		.says = "* SEQ1M Q8T1 read: others moved 25 MB/s on vdb1 meanwhile (20 % of all bytes), so the disk can do more than "
				"the figure says; repeat it when nothing else runs ('iotop' shows who it is) [other-traffic]\n"},
	{.name = "ZFS on files", .run = SEQ_Q8_READ, .kind = STORAGE_ZFS, .account_unknown = true, .moved = NOTHING,
		.ram_cache = "the page cache behind the pool's files", .dishonoured = {true, true}, .cause = "ZFS before 2.3",
		.findings = "served-from-ram direct-not-honoured fits-in-cache"},
	{.name = "others read beside a degraded RAID5", .run = RND_Q1_READ, .mb_per_s = 40, .copies = -1,
		.others_read_mb_per_s = 120, .idle_read_mb_per_s = 60, .findings = "other-traffic",
		.says = "* RND4K Q1T1 read: others moved 60 MB/s on vdb meanwhile (60 % of all bytes), so the disk can do more than "
				"the figure says; repeat it when nothing else runs ('iotop' shows who it is) [other-traffic]\n"},
	{.name = "an account that falls short of what the disks read", .run = RND_Q32_READ, .buffered = true, .account = 0.3,
		.cache_bytes = 1, .findings = "partly-from-ram other-traffic",
		.says = "* RND4K Q32T16 read: 30 % came from the device, the rest from RAM (the page cache); leave out --buffered "
				"[partly-from-ram]\n"
				"* RND4K Q32T16 read: others moved 700 MB/s on vdb meanwhile (41 % of all bytes), so the disk can do more "
				"than the figure says; repeat it when nothing else runs ('iotop' shows who it is) [other-traffic]\n"},
	{.name = "sync=disabled", .profile = &profile_slog, .run = SYNC_T4, .engine = ENGINE_PSYNC, .buffered = true,
		.direct = DIRECT_NOT_FOR_SLOG, .kind = STORAGE_ZFS, .account_unknown = true, .moved = 0.2, .sync = "disabled",
		.findings = "not-durable", .says = ""},
	{.name = "sync=disabled, and all was written", .profile = &profile_slog, .run = SYNC_T1, .engine = ENGINE_PSYNC,
		.buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .kind = STORAGE_ZFS, .account_unknown = true, .sync = "disabled",
		.findings = "not-durable", .says = ""},
	{.name = "sync=disabled, and buffered as was asked for", .profile = &profile_slog, .run = SYNC_T4,
		.engine = ENGINE_PSYNC, .buffered = true, .direct = DIRECT_NOT_WANTED, .kind = STORAGE_ZFS,
		.account_unknown = true, .moved = 0.2, .sync = "disabled", .cache_bytes = 1, .findings = "not-durable",
		.says = "* 4K sync T4 write: sync=disabled on tank/vm: these writes were not durable, this is not a SLOG result; "
				"'zfs set sync=standard tank/vm', then measure again [not-durable]\n"},
	{.name = "nothing in the intent log, and nobody knows why", .profile = &profile_slog, .run = SYNC_T1,
		.engine = ENGINE_PSYNC, .buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .kind = STORAGE_ZFS,
		.account_unknown = true, .sync = "standard", .zil_log = NOTHING, .findings = "not-durable",
		.says = "* 4K sync T1 write: ZFS's intent log took none of these writes, so they were not durable when they were "
				"confirmed; look at 'zfs get sync' of the dataset, then measure again [not-durable]\n"},
	{.name = "nothing in the intent log, and no property", .profile = &profile_slog, .run = SYNC_T1,
		.engine = ENGINE_PSYNC, .buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .kind = STORAGE_ZFS,
		.account_unknown = true, .zil_log = NOTHING, .findings = "not-durable", .says = ""},
	{.name = "nobarrier", .profile = &profile_slog, .run = SYNC_T1, .engine = ENGINE_PSYNC, .buffered = true,
		.direct = DIRECT_NOT_FOR_SLOG, .write_cache = WRITE_CACHE_VOLATILE, .flushes = NOTHING, .dirtied = 1,
		.findings = "not-durable",
		.says = "* 4K sync T1 write: vdb may lose with the power what its volatile cache holds, and no flush was sent for "
				"these writes: they were not durable; mount it without 'nobarrier' (or with 'barrier=1'), then measure "
				"again [not-durable]\n"},
	{.name = "ZFS, the transaction group is still to come", .run = SEQ_Q8_WRITE, .kind = STORAGE_ZFS,
		.account_unknown = true, .has_compression = true, .allocated = 0.3, .moved = 0.5, .flushed_unknown = true,
		.cache_bytes = 1, .findings = "partly-from-ram"},
	{.name = "ZFS, a flush that does nothing", .run = SEQ_Q8_WRITE, .kind = STORAGE_ZFS, .account_unknown = true,
		.has_compression = true, .allocated = 0.3, .moved = 0.5, .sync = "disabled", .cache_bytes = 1,
		.findings = "partly-from-ram"},
	{.name = "ZFS, compressed", .run = SEQ_Q8_WRITE, .kind = STORAGE_ZFS, .account_unknown = true,
		.has_compression = true, .allocated = 0.3, .moved = 0.3, .sync = "standard", .cache_bytes = 1,
		.findings = "compressed"},
	{.name = "f2fs, compressed", .run = SEQ_Q8_WRITE, .type = "f2fs", .has_compression = true, .allocated = 0.3,
		.moved = 0.3, .findings = "compressed",
		.says = "* SEQ1M Q8T1 write: 30 % reached the device, as the file system compresses the data: the figure holds for "
				"such data alone; mount it without compression to measure [compressed]\n"},
	{.name = "a zvol", .run = RND_Q1_READ, .hides_cache = true, .ram_cache = "the ARC behind zd0", .cache_bytes = 1,
		.findings = "source-unknown",
		.says = "? RND4K Q1T1 read: nobody can tell here whether these are the device's figures or a cache's (the ARC behind "
				"zd0 lies beneath the last device that counts); to be sure, measure where the disks are "
				"[source-unknown]\n"},
	{.name = "a zvol that is never busy", .run = RND_Q32_READ, .hides_cache = true, .depth = 2,
		.findings = "source-unknown"},
	{.name = "a cache without a name", .run = SEQ_Q8_WRITE, .hides_cache = true, .moved = 3, .findings = "source-unknown",
		.says = "? SEQ1M Q8T1 write: nobody can tell here whether these are the device's figures or a cache's (a cache in RAM "
				"lies beneath the last device that counts); to be sure, measure where the disks are [source-unknown]\n"},
	{.name = "dax", .run = SEQ_Q8_READ, .options = "rw,dax=always", .moved = NOTHING, .account = NOTHING,
		.findings = "source-unknown",
		.says = "? SEQ1M Q8T1 read: nobody can tell here whether these are the device's figures or a cache's (with the mount "
				"option dax no bytes pass by the device's counters); mount it without dax to see [source-unknown]\n"},
	{.name = "stale pages, and no counters", .run = SEQ_Q8_READ, .counters_unknown = true, .resident = 1,
		.findings = "source-unknown"},
	{.name = "dax, and submission is the copying", .run = RND_Q32_READ, .options = "rw,dax", .saturation = 0.99,
		.depth = 1, .findings = "source-unknown"},
	{.name = "a scrub beside what comes from RAM", .run = SEQ_Q8_READ, .buffered = true, .moved = NOTHING,
		.cache_bytes = 1, .background_work = "scrub of tank", .findings = "served-from-ram"},
	{.name = "work on disks that are not these", .run = SEQ_Q8_READ, .is_unknown = true,
		.background_work = "scrub of tank", .findings = "source-unknown"},
	{.name = "dax, written", .run = RND_Q1_WRITE, .options = "rw,dax", .moved = 0.01, .findings = "source-unknown"},
	{.name = "a device that did not count the layout", .run = SEQ_Q8_READ, .moved = NOTHING, .account = NOTHING,
		.counted = 0.4, .findings = "source-unknown"},
	{.name = "md without request time, one for each thread", .run = RND_Q32_READ, .top_depth = NOTHING, .leaf_depth = 16,
		.findings = "depth-not-reached"},
	{.name = "split requests, one at a time", .run = SEQ_Q8_READ, .engine = ENGINE_LIBAIO, .depth = 6.4, .fragments = 8,
		.findings = "depth-not-reached",
		.says = "* SEQ1M Q8T1 read: asked for 8 in flight, the device saw 0.8: the path lets no more of them through at "
				"once; try --engine io_uring [depth-not-reached]\n"},
	{.name = "CPU quota on 8 processors", .run = RND_Q1_READ, .processors = 8, .quota = 0.8, .findings = "cpu-bound",
		.says = "* RND4K Q1T1 read: the CPU quota of its control group was the limit, not the disk (it kept each job from "
				"running for 80 % of its time); raise the quota (cpu.max, a container's CPU limit) [cpu-bound]\n"},
	{.name = "CPU quota of 16 jobs on 8 processors", .run = RND_Q32_READ, .processors = 8, .quota = 0.8,
		.findings = "cpu-bound",
		.says = "* RND4K Q32T16 read: the CPU quota of its control group was the limit, not the disk (it kept each job from "
				"running for 10 % of its time); raise the quota (cpu.max, a container's CPU limit) [cpu-bound]\n"},
	{.name = "CPU quota, and the keeper waits as well", .run = RND_Q1_READ, .quota = 1.3, .findings = "cpu-bound",
		.says = "* RND4K Q1T1 read: the CPU quota of its control group was the limit, not the disk (it kept each job from "
				"running for 100 % of its time); raise the quota (cpu.max, a container's CPU limit) [cpu-bound]\n"},
	{.name = "dd, limited by the processor", .profile = &profile_dd, .run = DD_UNCACHED, .buffered = true,
		.direct = DIRECT_REFUSED, .job_cpu = 0.97, .findings = "cpu-bound"},
	{.name = "a flush that failed", .run = SEQ_Q8_WRITE, .buffered = true, .moved = 0.03, .flushed = 0.2, .dirtied = 1,
		.cache_bytes = 1, .findings = "not-yet-on-device",
		.says = "* SEQ1M Q8T1 write: only 3 % was on the device when the run ended, our own flush brought 953.7 MiB there later: "
				"the figure is RAM's; look for errors in 'dmesg', or use --engine libaio (io_uring loses a flush that "
				"fails) [not-yet-on-device]\n"},
	{.name = "compressing, encoded", .run = SEQ_Q8_WRITE, .moved = 0.06, .has_compression = true, .encoded = 1,
		.type = "btrfs", .findings = "compressed",
		.says = "* SEQ1M Q8T1 write: 6 % reached the device, as the file system compresses the data: the figure holds for "
				"such data alone; measure in a new folder with 'chattr +C' [compressed]\n"},
	{.name = "compressing, allocated", .run = SEQ_Q1_READ, .kind = STORAGE_ZFS, .moved = 0.5, .account_unknown = true,
		.has_compression = true, .allocated = 0.5, .findings = "compressed",
		.says = "* SEQ1M Q1T1 read: 50 % came from the device, as the file system compresses the data: the figure holds "
				"for such data alone; measure on a dataset of its own ('zfs create -o compression=off ...') [compressed]\n"},
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
		.buffered = true, .arc_misses = 0.3, .cache_bytes = 1, .findings = "partly-from-ram"},
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
	{.name = "slog on ext4, flushed", .profile = &profile_slog, .run = SYNC_T16, .engine = ENGINE_PSYNC, .buffered = true,
		.direct = DIRECT_NOT_FOR_SLOG, .write_cache = WRITE_CACHE_VOLATILE, .flushes = 0.07, .dirtied = 1},
	{.name = "slog past the cache", .profile = &profile_slog, .run = SYNC_T1, .engine = ENGINE_PSYNC, .buffered = true,
		.direct = DIRECT_NOT_FOR_SLOG, .write_cache = WRITE_CACHE_VOLATILE, .flushes = NOTHING, .has_fua = true},
	{.name = "slog on what needs no flush", .profile = &profile_slog, .run = SYNC_T1, .engine = ENGINE_PSYNC,
		.buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .write_cache = WRITE_CACHE_NONE, .flushes = NOTHING},
	{.name = "slog beneath a stack that hands flushes on", .profile = &profile_slog, .run = SYNC_T1,
		.engine = ENGINE_PSYNC, .buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .top_name = "dm-0",
		.write_cache = WRITE_CACHE_VOLATILE, .flushes = NOTHING},
	{.name = "slog where nobody counts flushes", .profile = &profile_slog, .run = SYNC_T1, .engine = ENGINE_PSYNC,
		.buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .write_cache = WRITE_CACHE_VOLATILE},
	{.name = "changed to sync=disabled after the run", .profile = &profile_slog, .run = SYNC_T1, .engine = ENGINE_PSYNC,
		.buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .kind = STORAGE_ZFS, .account_unknown = true,
		.sync = "disabled", .zil_pool = 1, .zil_of_dataset = true},
	{.name = "the row that waits for nothing", .profile = &profile_slog, .detail = true, .run = NO_SYNC, .engine = ENGINE_PSYNC,
		.buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .moved = NOTHING, .dirtied = 1, .job_cpu = 1, .all_cpu = 1,
		.flushed = 0.5},
	{.name = "the row that waits for nothing, with sync=disabled", .profile = &profile_slog, .detail = true, .run = NO_SYNC,
		.engine = ENGINE_PSYNC, .buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .kind = STORAGE_ZFS,
		.account_unknown = true, .moved = 0.4, .sync = "disabled"},
	{.name = "the row that waits for nothing, on FUSE", .profile = &profile_slog, .detail = true, .run = NO_SYNC,
		.engine = ENGINE_PSYNC, .buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .is_unknown = true},
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
	{.name = "our own data compresses by a tenth", .run = SEQ_Q8_WRITE, .type = "btrfs", .moved = 0.9,
		.has_compression = true, .encoded = 1},
	{.name = "others flush beneath a loop", .run = SEQ_Q8_WRITE, .is_shared = true, .others_written_mb_per_s = 100},
	{.name = "a CPU quota keeps the queue empty", .run = RND_Q32_READ, .depth = 2, .queue_limit = 128, .quota = 0.15},
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
	{.name = "dm-cache fetches whole blocks", .run = RND_Q1_READ, .mb_per_s = 40, .has_device_cache = true,
		.others_read_mb_per_s = 400, .others_written_mb_per_s = 400},
	{.name = "bcache writes back what the run before wrote", .run = RND_Q1_READ, .mb_per_s = 40, .has_device_cache = true,
		.others_read_mb_per_s = 80, .others_written_mb_per_s = 80, .idle_read_mb_per_s = 80,
		.idle_written_mb_per_s = 80},
	{.name = "degraded RAID5 reads its parity", .run = RND_Q32_READ, .copies = -1, .others_read_mb_per_s = 2000},
	{.name = "others write while btrfs reads: not to be told from its own", .type = "btrfs", .run = SEQ_Q8_READ,
		.mb_per_s = 400, .others_written_mb_per_s = 100, .idle_written_mb_per_s = 90},
	{.name = "btrfs reads its trees while writing", .type = "btrfs", .run = RND_Q1_WRITE, .mb_per_s = 20,
		.others_read_mb_per_s = 30},
	{.name = "ZFS, its own transaction groups before a log run", .profile = &profile_slog, .run = SYNC_T4,
		.engine = ENGINE_PSYNC, .buffered = true, .direct = DIRECT_NOT_FOR_SLOG, .kind = STORAGE_ZFS, .type = "zfs",
		.account_unknown = true, .mb_per_s = 40, .others_written_mb_per_s = 150, .idle_written_mb_per_s = 150},
	{.name = "ZFS, its own transaction groups before a read run", .run = SEQ_Q8_READ, .kind = STORAGE_ZFS, .type = "zfs",
		.account_unknown = true, .mb_per_s = 100, .others_written_mb_per_s = 150, .idle_written_mb_per_s = 150},
	{.name = "a scrub beside the row of RAM", .profile = &profile_dd, .run = DD_CACHED, .buffered = true, .moved = 0.05,
		.background_work = "scrub of tank"},
	{.name = "ext4 data=journal writes its journal back", .run = RND_Q1_READ, .mb_per_s = 40, .journals_data = true,
		.others_written_mb_per_s = 30, .idle_written_mb_per_s = 30},
	{.name = "stale pages, and nobody knows what was made dirty", .run = RND_Q1_WRITE, .resident = 0.9,
		.dirtied_unknown = true},
	{.name = "ZFS 2.3, direct 4K", .run = RND_Q32_READ, .kind = STORAGE_ZFS, .type = "zfs", .moved = 32,
		.account_unknown = true},
	{.name = "ZFS 2.3, direct 4K beside others' hits", .run = RND_Q32_READ, .kind = STORAGE_ZFS, .type = "zfs",
		.moved = 32, .account_unknown = true, .arc_hits = 5},
	{.name = "ZFS, neither found in the ARC nor missed", .run = RND_Q32_READ, .buffered = true, .kind = STORAGE_ZFS,
		.moved = 32, .account_unknown = true, .cache_bytes = 1},
	{.name = "ZFS, sync=disabled, not synchronous", .run = SEQ_Q8_WRITE, .kind = STORAGE_ZFS, .type = "zfs",
		.account_unknown = true, .sync = "disabled"},
	{.name = "md without request time", .run = RND_Q32_READ, .top_depth = NOTHING},
	{.name = "md without request time, the disks deep", .run = RND_Q32_READ, .top_depth = NOTHING, .leaf_depth = 200},
	{.name = "a busy disk beneath a loop", .run = RND_Q32_READ, .is_shared = true, .leaf_depth = 400},
	{.name = "in flight on a slow device", .run = RND_Q32_READ, .mb_per_s = 2, .depth = 12, .in_flight = 480,
		.queue_limit = 512},
	{.name = "a device too slow to tell", .run = RND_Q32_READ, .mb_per_s = 0.4, .depth = 12, .blocks = 600,
		.saturation = 0.99, .queue_limit = 256},
	{.name = "split requests, all in flight", .run = SEQ_Q8_READ, .depth = 60, .fragments = 8},
	{.name = "others' small requests are no fragments", .run = SEQ_Q8_READ, .mb_per_s = 100, .depth = 12,
		.moved = 1.05, .account = 1, .fragments = 13},
	{.name = "in a container", .run = RND_Q32_READ, .may_be_throttled = true, .depth = 0.7, .mb_per_s = 8},
	{.name = "dax for some files only", .run = SEQ_Q8_READ, .options = "rw,dax=inode"},
	{.name = "CPU quota, hardly felt by 16 jobs on 8 processors", .run = RND_Q32_READ, .processors = 8, .quota = 0.7},
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

static bool have(const struct findings *findings, enum finding_kind kind, size_t run)
{
	bool found = false;

	for (size_t i = 0; i < findings->count; i++) {
		found = found || (findings->list[i].kind == kind && findings->list[i].run == run);
	}
	return found;
}

/* Runs of one kind are told together, with the range of what was measured. */
static void test_grouping(void **state)
{
	const struct scene good = {.depth = NOTHING}, half = {.moved = 0.31, .cache_bytes = 1}, low = {.moved = NOTHING};
	struct stage stage;

	(void)state;
	stage_fill(&stage, &(struct scene){.link_mb_per_s = 2000, .cache_bytes = 1});
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
		"* SEQ1M Q1T1 write: 31 % reached the device during the run, the rest stayed in RAM (the page cache); use a "
		"larger --size [partly-from-ram]\n");
	assert_true(have(&stage.report.findings, FINDING_PARTLY_FROM_RAM, SEQ_Q1_WRITE));
	assert_false(have(&stage.report.findings, FINDING_PARTLY_FROM_RAM, SEQ_Q8_WRITE));
	assert_string_equal(findings_mark(&stage.report.findings, SEQ_Q1_WRITE), "*");
	assert_string_equal(findings_mark(&stage.report.findings, SEQ_Q8_WRITE), "");
	stage_close(&stage);

	stage_fill(&stage, &(struct scene){.engine = ENGINE_SYNC});
	stage_add(&stage, &good, RND_Q1_READ);
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report), "* SEQ1M Q8T1 and RND4K Q32T16 read and write: asked for 8 to 512 in "
											   "flight, but sync works on one request at a time "
											   "in each thread; use --engine io_uring or libaio [depth-not-reached]\n");
	stage_close(&stage);

	stage_fill(&stage, &(struct scene){.job_cpu = NOTHING});
	stage_add(&stage, &(struct scene){.job_cpu = 0.92}, SEQ_Q1_READ);
	stage_add(&stage, &(struct scene){.job_cpu = 0.96}, SEQ_Q1_WRITE);
	stage_add(&stage, &(struct scene){.job_cpu = 0.99}, RND_Q1_WRITE);
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report), "* SEQ1M Q1T1 read; SEQ1M Q1T1 and RND4K Q1T1 write: one core was the "
											   "limit, not the disk (92 to 99 % busy): the "
											   "disk may do more; a faster processor would show it [cpu-bound]\n");
	stage_close(&stage);

	stage_fill(&stage, &(struct scene){.is_unknown = true});
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
	stage_fill(&stage, &(struct scene){.link_mb_per_s = 2000});
	stage_add(&stage, &(struct scene){.moved = 1.02}, SEQ_Q8_READ);
	expect_checked(&stage,
		"Checked: 100 to 102 % of the bytes went to or came from vdb1; queue depth reached, O_DIRECT "
		"honoured, little or no other traffic, CPU and link not the limit.");
	stage_fill(&stage, &(struct scene){.link_mb_per_s = 2000});
	stage_add(&stage, &(struct scene){.moved = 0.3}, SEQ_Q8_READ);
	expect_checked(&stage,
		"Unmarked figures: 100 % of the bytes went to or came from vdb1; queue depth reached, O_DIRECT "
		"honoured, little or no other traffic, CPU and link not the limit.");
	stage_fill(&stage, &(struct scene){.is_throttled = true, .moved = 3});
	expect_checked(&stage,
		"Checked: at least 100 % of the bytes went to or came from vdb1; O_DIRECT honoured, little or "
		"no other traffic, CPU not the limit. Not checked: queue depth (a control group throttles the "
		"device), others who began to write meanwhile.");
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

/* What cannot be told is named, and why. */
static void test_not_checked(void **state)
{
	static const struct {
		struct scene scene;
		const char *right;
	} cases[] = {
		{{.run = SEQ_Q8_READ, .type = "btrfs"},
			"Checked: 100 % of the bytes came from vdb1; queue depth reached, O_DIRECT honoured, little or no other "
			"reads, "
			"CPU not the limit. Not checked: others' writes (this storage writes on after a run)."},
		{{.run = SEQ_Q1_WRITE, .type = "btrfs"}, "Checked: 100 % of the bytes went to vdb1; O_DIRECT honoured, CPU not "
												 "the limit. Not checked: other traffic."},
		{{.run = SEQ_Q1_READ, .kind = STORAGE_ZFS, .type = "zfs", .account_unknown = true},
			"Checked: 100 % of the bytes came from vdb1; O_DIRECT honoured, little or no other reads, CPU not the "
			"limit. "
			"Not checked: others' writes (this storage writes on after a run)."},
		{{.run = SEQ_Q1_READ, .kind = STORAGE_ZFS, .type = "zfs", .account_unknown = true, .idle_unknown = true},
			"Checked: 100 % of the bytes came from vdb1; O_DIRECT honoured, CPU not the limit. Not checked: other "
			"traffic."},
		{{.run = SEQ_Q1_WRITE, .account_unknown = true}, "Checked: 100 % of the bytes went to vdb1; O_DIRECT honoured, "
														 "little or no other writes, CPU not the limit. "
														 "Not checked: others' reads while writing."},
		{{.run = RND_Q1_WRITE, .kind = STORAGE_ZFS, .account_unknown = true},
			"Checked: 100 % of the bytes went to vdb1; CPU not the limit. Not checked: whether O_DIRECT is honoured, "
			"other "
			"traffic."},
		{{.run = RND_Q1_WRITE, .kind = STORAGE_ZFS, .account_unknown = true, .record_size = "4096"},
			"Checked: 100 % of the bytes went to vdb1; O_DIRECT honoured, CPU not the limit. Not checked: other "
			"traffic."},
		{{.run = RND_Q1_READ, .kind = STORAGE_ZFS, .moved = 32, .account_unknown = true},
			"Checked: at least 100 % of the bytes came from vdb1; O_DIRECT honoured, little or no other reads, CPU not "
			"the "
			"limit. Not checked: others' writes (this storage writes on after a run)."},
		{{.run = SEQ_Q8_READ, .may_be_throttled = true},
			"Checked: 100 % of the bytes came from vdb1; O_DIRECT honoured, little or no other traffic, CPU not the "
			"limit. "
			"Not checked: queue depth (limits that are not to be seen from here may hold requests back)."},
		{{.run = RND_Q32_READ, .mb_per_s = 0.4}, "Checked: 100 % of the bytes came from vdb1; O_DIRECT honoured, "
												 "little or no other traffic, CPU not the limit. "
												 "Not checked: queue depth (too few requests were completed)."},
		{{.run = RND_Q32_READ, .top_depth = NOTHING}, "Checked: 100 % of the bytes came from vdb1; O_DIRECT honoured, "
													  "little or no other traffic, CPU not the limit. "
													  "Not checked: queue depth (no counter told it)."},
		{{.profile = &profile_dd,
			 .run = DD_UNCACHED,
			 .buffered = true,
			 .direct = DIRECT_REFUSED,
			 .job_cpu_unknown = true},
			"Checked: 100 % of the bytes came from vdb1; little or no other traffic. Not checked: CPU."},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stage stage;

		stage_open_scene(&stage, &cases[i].scene);
		expect_checked(&stage, cases[i].right);
	}
	/* reads and writes together */
	struct stage stage;
	stage_fill(&stage, &(struct scene){.type = "btrfs"});
	expect_checked(&stage,
		"Checked: 100 % of the bytes went to or came from vdb1; queue depth reached, O_DIRECT honoured, "
		"little or no other reads while reading, CPU not the limit. Not checked: other traffic while "
		"writing, others' writes while reading (this storage writes on after a run).");
	stage_fill(&stage, &(struct scene){.copies = -1});
	expect_checked(&stage,
		"Checked: 100 % of the bytes went to or came from vdb1; queue depth reached, O_DIRECT honoured, "
		"little or no other traffic, CPU not the limit. Not checked: others' reads while writing.");
}

/* Writes that were to be durable and were not are no result, but where nothing durable was asked for. */
static void test_not_durable(void **state)
{
	const struct scene scene = {.profile = &profile_slog,
		.detail = true,
		.engine = ENGINE_PSYNC,
		.buffered = true,
		.direct = DIRECT_NOT_FOR_SLOG,
		.kind = STORAGE_ZFS,
		.account_unknown = true,
		.sync = "disabled"};
	struct stage stage;

	(void)state;
	stage_fill(&stage, &scene);
	for (int times = 0; times < 2; times++) {
		const struct measurement *measurement = &stage.report.measurements[SYNC_T4];

		report_check(&stage.report);
		assert_int_equal(report_count(&stage.report, OUTCOME_FAILED), stage.plan.run_count - 1);
		assert_int_equal(measurement->outcome, OUTCOME_FAILED);
		assert_true(measurement->has_figures);
		assert_int_equal(measurement->failure_kind, FINDING_NOT_DURABLE);
		assert_int_equal(stage.report.findings.count, stage.plan.run_count - 1);
		assert_string_equal(measurement->reason,
			"sync=disabled on tank/vm: these writes were not durable, this is not a SLOG "
			"result; 'zfs set sync=standard tank/vm', then measure again");
		expect_text(list_sentences(&stage.report), "");
		assert_null(findings_checked(&stage.report.findings, &stage.report));
	}
	assert_int_equal(stage.report.measurements[NO_SYNC].outcome, OUTCOME_VALID);
	stage_close(&stage);

	stage_fill(&stage, &scene);
	stage.report.direct = DIRECT_NOT_WANTED;
	report_check(&stage.report);
	assert_int_equal(report_count(&stage.report, OUTCOME_FAILED), 0);
	assert_string_equal(findings_mark(&stage.report.findings, SYNC_T4), "*");
	assert_string_equal(findings_mark(&stage.report.findings, NO_SYNC), "");
	expect_text(list_sentences(&stage.report),
		"* every synchronous row: sync=disabled on tank/vm: these writes were not durable, this is not a SLOG result; "
		"'zfs set sync=standard tank/vm', then measure again [not-durable]\n");
	stage_close(&stage);
}

/* The rows of the profile that are not in the plan are no rows: the others are every row. */
static void test_planned_rows(void **state)
{
	const struct scene scene = {.profile = &profile_slog,
		.engine = ENGINE_PSYNC,
		.buffered = true,
		.direct = DIRECT_NOT_FOR_SLOG,
		.is_unknown = true};
	struct stage stage;

	(void)state;
	stage_fill(&stage, &scene);
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report), "? every row: nobody can tell here whether these are the device's "
											   "figures or a cache's (no device is known); to be "
											   "sure, measure where the disks are [source-unknown]\n");
	plan_add_experiment(&stage.plan, (const unsigned[]){0, POWER_HOLD_GOVERNOR}, 2);
	report_grow(&stage.report);
	for (size_t run = 4; run < stage.plan.run_count; run++) {
		stage_add(&stage, &scene, run);
	}
	report_check(&stage.report);
	expect_text(list_sentences(&stage.report), "? every row: nobody can tell here whether these are the device's "
											   "figures or a cache's (no device is known); to be "
											   "sure, measure where the disks are [source-unknown]\n");
	stage_close(&stage);
	struct scene known = scene;
	known.is_unknown = false;
	known.detail = true;
	stage_fill(&stage, &known);
	expect_checked(&stage,
		"Checked: 100 % of the bytes went to vdb1; little or no other traffic, CPU not the limit. Not checked: the "
		"latencies (fio's word), 4K no sync (RAM takes such writes).");
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

		stage_fill(
			&stage, &(struct scene){.profile = all[times % 3], .kind = (enum storage_kind)(next_random(&seed) % 6)});
		stage.report.storage.write_copies = random_double(&seed);
		stage.report.storage.is_shared = next_random(&seed) % 2;
		stage.report.storage.has_compression = next_random(&seed) % 2;
		stage.report.storage.has_device_cache = next_random(&seed) % 2;
		stage.report.storage.write_copies_known = next_random(&seed) % 2;
		stage.report.cache_bytes = next_random(&seed);
		for (size_t run = 0; run < stage.plan.run_count; run++) {
			struct evidence *evidence = &stage.report.measurements[run].evidence;

			fill_random(&evidence->readings, sizeof(evidence->readings), &seed);
			evidence->claimed_bytes = random_double(&seed);
			evidence->submit_saturation = random_double(&seed);
			evidence->busiest_job_cpu = random_double(&seed);
			evidence->direct = next_random(&seed) % 2;
			evidence->commits = random_double(&seed);
			evidence->commit_mean_ns = random_double(&seed);
			evidence->pool_activity.present = next_random(&seed) % 2;
			evidence->pool_activity.log_writes_per_s = random_double(&seed);
			evidence->pool_activity.log_disk_wait_ns = random_double(&seed);
		}
		for (size_t i = 0; i < stage.report.storage.device_count; i++) {
			stage.report.storage.devices[i].write_cache = (enum write_cache)(next_random(&seed) % 3);
		}
		for (size_t run = 0; run < stage.plan.run_count; run++) {
			struct commit_split split;

			commit_split_make(&split, &stage.report, run);
			assert_true(split.source == SPLIT_UNKNOWN ? isnan(split.device_share) && split.reason
													  : split.device_share >= 0 && split.device_share <= 1);
			commit_split_release(&split);
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
		cmocka_unit_test(test_not_checked),
		cmocka_unit_test(test_not_durable),
		cmocka_unit_test(test_planned_rows),
		cmocka_unit_test(test_never_written),
		cmocka_unit_test(test_garbage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
