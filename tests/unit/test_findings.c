/* Each trap is named correctly: situations as they were measured, one run each. */
#include "findings_scene.h"

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
		.account_unknown = true, .zil_log = NOTHING, .findings = "not-durable", .says = ""}, /* the run fails */
	{.name = "the same, and buffered as was asked for", .profile = &profile_slog, .run = SYNC_T1,
		.engine = ENGINE_PSYNC, .buffered = true, .direct = DIRECT_NOT_WANTED, .kind = STORAGE_ZFS,
		.account_unknown = true, .zil_log = NOTHING, .cache_bytes = 1, .findings = "not-durable",
		.says = "* 4K sync T1 write: ZFS's intent log took none of these writes, as with sync=disabled (the property could "
				"not be read): they were not durable, this is not a SLOG result; look at 'zfs get sync tank/vm', then "
				"measure again [not-durable]\n"},
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
/* clang-format on */

static void test_traps(void **state)
{
	(void)state;
	check_scenes(traps, sizeof(traps) / sizeof(traps[0]));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_traps),
		cmocka_unit_test(test_all_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
