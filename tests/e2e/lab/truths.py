"""
THE table of situations with a known truth: traps, each with what must be found, and honest runs, in which nothing may
be.

A cell's state is one letter: " " a plain number, "*" and "?" a number with that mark, "[" a number in brackets,
"F" failed. `cells` gives the states that are right, by expressions on the names of runs ("RND4K Q32T16 read",
"4K sync T1", "Read, uncached"): the first that matches counts, and what matches none must be plain.
`found` lists the ids that must be there, `later` those that must be there once all runs are made ("a|b" stands for at
least one of them), `may` those that may be there.

What is expected was measured in these situations with the kernel's counters around fio, not read off the program.
"""

from . import targets

TRAP, HONEST = "trap", "honest"
ALL = ("", "*")
READS = ("read", "*")
WRITES = ("write", "*")
READS_PERHAPS = ("read", " *")
DEEP = ("Q8T1|Q32T16", "*")
# Slow enough that neither the processors nor the disk beneath are a limit, whatever else the machine does.
BYTES_A_SECOND = {"read_bps": 60 << 20, "write_bps": 40 << 20}
IOS_A_SECOND = {"read_iops": 1500, "write_iops": 1000}


class Situation:
    """One row. What is not said is as in a plain run by root: no load, no limits, the real fio."""

    def __init__(self, kind, name, place, options=(), *, cells=(), found=(), later=(), may=(), status=0,
                 needs=("fio", "loop"),
                 shim=None, throttle=None, cpu_share=None, pin=None, spin=(), load=None, load_place=None, user=None,
                 fault=None, quick=None, size_mib=None):
        self.kind, self.name, self.place, self.options = kind, name, place, options
        self.cells, self.found, self.later, self.may, self.status = cells, found, later, may, status
        self.needs = needs
        self.shim = shim              # arguments for Context.fake_fio
        self.throttle = throttle      # limits on the target's loop device
        self.cpu_share = cpu_share    # of one processor, by a control group
        self.pin, self.spin = pin, spin  # processors the program may use; processors with a busy loop on them
        self.load, self.load_place = load, load_place  # arguments for loads.on_disk; where, if not on the target
        self.user = user              # a role of users.RULES
        self.fault = fault            # faults of a faultfs, set when the first run has begun
        # In `make check`: a number of runs, after which it is interrupted; 0: all of them; None: not there.
        self.quick = quick
        self.size_mib = size_mib      # of the test file, if not the usual


# --- places ---------------------------------------------------------------------------------------------------------

def ext4(t):
    return t.ext4(mib=320)


def xfs(t):
    return t.xfs(mib=400)


def btrfs(t):
    return t.btrfs(mib=640)


def btrfs_nodatacow(t):
    return t.btrfs(mib=640, options="noatime,nodatacow")


def btrfs_nodatacow_folder(t):
    return targets.inside(t.btrfs(mib=640), "chattr", "+C")


def btrfs_zstd(t):
    return t.btrfs(mib=640, options="noatime,compress=zstd")


def journalled(t):
    return t.ext4(mib=320, options="noatime,data=journal")


def cached_loop(t):
    return t.ext4(mib=320, direct="off")


def tmpfs(t):
    return t.tmpfs()


def ramfs(t):
    return t.ramfs()


def loop_on_tmpfs(t):
    ram = t.tmpfs(mib=400)
    return targets.ext4(t.session, f"{ram.path}/ext4", 320)


def overlay_on_tmpfs(t):
    return targets.overlay(t.place("overlay-"), t.tmpfs())


def overlay_on_ext4(t):
    return targets.overlay(t.place("overlay-"), t.ext4(mib=320))


def overlay_on_btrfs(t):
    return targets.overlay(t.place("overlay-"), t.btrfs(mib=640))


def partition(t):
    return targets.ext4_on_partition(t.session, t.place("partition-"), 320)


def nested_loop(t):
    outer = t.ext4(mib=400)
    return targets.ext4(t.session, f"{outer.path}/inner", 320)


def zfs(t):
    return t.zfs()


def zfs_compressing(t):
    return t.zfs(compression="on")


def faultfs(t):
    """So slow that it is not the processors that limit it."""
    return t.faultfs(delay_us=10000)


def plain(t):
    return t.plain()


# --- shims ----------------------------------------------------------------------------------------------------------

def edited(**variables):
    return dict({"mode": "edited", "when": "runs"}, **variables)


def adding(words, direction=""):
    return edited(FAKE_ADD=words, FAKE_DIRECTION=direction)


def first(command, direction="read"):
    """A command before each run of that direction; the test file is $f, its size $s."""
    start = "f=speedtest-hd.bench; s=$(stat -c %s $f); "
    return edited(FAKE_FIRST=start + command, FAKE_DIRECTION=direction)


WARM = adding("--invalidate=0", "read")
NOT_WRITTEN = first("fallocate -p -o 0 -l $s $f && fallocate -l $s $f")
HOLES = first("truncate -s 0 $f && truncate -s $s $f")
# Without the two options nothing is on the disk when fio ends.
NO_FLUSH = edited(FAKE_DROP="--end_fsync=1", FAKE_ADD="--invalidate=0", FAKE_DIRECTION="write")
NOT_DIRECT = adding("--direct=0")
SHORT = adding("--runtime=600ms")
ZEROS = adding("--zero_buffers=1", "write")
CHECKSUMS = adding("--verify=sha256 --do_verify=0 --verify_state_save=0", "write")
LIAR = {"mode": "replay", "when": "runs", "FAKE_FILES": "fio-3.33__lab-randrw_j4.out", "FAKE_SLEEP": "runtime"}


# --- the table ------------------------------------------------------------------------------------------------------

# Where the disk beneath belongs to others as well, what they read may look like a little of ours.
RAM = "served-from-ram|partly-from-ram"


def trap(name, place, *options, **how):
    return Situation(TRAP, name, place, options, **how)


def honest(name, place, *options, **how):
    return Situation(HONEST, name, place, options, **how)


BUFFERED_MAY = ("partly-from-ram", "served-from-ram", "fits-in-cache", "cpu-bound")
# fio lets the pages of a file go each time it begins anew with it: by then what it wrote in order may all be on the
# disk, and much of what it reads is not in RAM any more.
BUFFERED_WRITES = (("SEQ1M .*write|RND4K Q1T1 write", " *"), WRITES)

# In a second, one 4 KiB after the other may not be through with a file that the run before left out of RAM.
WARM_READS = (("RND4K Q1T1 read", " *"), READS, *BUFFERED_WRITES)
# btrfs works so long on each write that here 512 at a time keep both processors of a small machine busy.
BTRFS_Q32T16 = {"cells": (("Q32T16 write", " *"),), "may": ("cpu-bound",), "needs": ("fio", "btrfs")}

SITUATIONS = (
    # Reads and overwrites in RAM
    trap("warm_reads_io_uring", ext4, "--buffered", "--engine", "io_uring", shim=WARM, cells=WARM_READS,
         found=("served-from-ram",), may=BUFFERED_MAY, quick=1),
    trap("warm_reads_libaio", ext4, "--buffered", "--engine", "libaio", shim=WARM, cells=WARM_READS,
         found=("served-from-ram", "depth-not-reached"), may=BUFFERED_MAY),
    trap("warm_reads_sync", ext4, "--buffered", "--engine", "sync", shim=WARM, cells=WARM_READS,
         found=("served-from-ram", "depth-not-reached"), may=BUFFERED_MAY),
    trap("buffered_overwrites", xfs, "--buffered", "--engine", "io_uring",
         cells=(*BUFFERED_WRITES, ("Q32T16 read", "*"), READS_PERHAPS), found=("partly-from-ram",), may=BUFFERED_MAY,
         needs=("fio", "xfs")),
    trap("tmpfs", tmpfs, cells=(ALL,), found=("served-from-ram",), may=("fits-in-cache",), needs=("fio", "root"),
         quick=1),
    trap("ramfs", ramfs, cells=(ALL,), found=("served-from-ram",), may=("fits-in-cache",), needs=("fio", "root")),
    # zfs-fuse knows no O_DIRECT; it rewrites a record of 128 KiB for each 4 KiB, on both sides of the mirror.
    trap("zfs", zfs, cells=(ALL,), found=("served-from-ram", "direct-not-honoured"), later=("amplified",),
         may=("fits-in-cache", "depth-not-reached"), needs=("fio", "zfs"), quick=2),
    trap("cached_loop", cached_loop, cells=(ALL,), found=(RAM,), may=("fits-in-cache",),
         quick=1),
    trap("loop_on_tmpfs", loop_on_tmpfs, cells=(ALL,), found=("served-from-ram",), may=("fits-in-cache",)),
    trap("overlay_on_tmpfs", overlay_on_tmpfs, cells=(ALL,), found=("served-from-ram",), may=("fits-in-cache",),
         needs=("fio", "root"), quick=1),
    trap("liar", ext4, shim=LIAR, cells=(ALL,), found=("served-from-ram",), quick=1),
    # Blocks that nobody has written
    trap("unwritten_ext4", ext4, shim=NOT_WRITTEN, cells=(("read", "["),), found=("never-written",), status=1, quick=1),
    trap("unwritten_xfs", xfs, shim=NOT_WRITTEN, cells=(("read", "["),), found=("never-written",), status=1,
         needs=("fio", "xfs")),
    trap("holes_ext4", ext4, shim=HOLES, cells=(("read", "["),), found=("never-written",), status=1, quick=1),
    # O_DIRECT taken and not honoured
    trap("data_journal", journalled, cells=(ALL,), found=("direct-not-honoured", "served-from-ram"),
         may=("partly-from-ram", "amplified", "fits-in-cache", "cpu-bound"), quick=2),
    trap("btrfs_checksums", btrfs, cells=(WRITES,), found=("direct-not-honoured", "depth-not-reached"),
         may=("amplified",), needs=("fio", "btrfs"), quick=2),
    trap("btrfs_checksums_libaio", btrfs, "--engine", "libaio", cells=(WRITES,),
         found=("direct-not-honoured", "depth-not-reached"), may=("amplified",), needs=("fio", "btrfs")),
    trap("overlay_on_btrfs", overlay_on_btrfs, cells=(WRITES,), found=("direct-not-honoured", "depth-not-reached"),
         may=("amplified",), needs=("fio", "btrfs")),
    trap("direct_taken_away", xfs, shim=NOT_DIRECT, cells=(ALL,), found=("direct-not-honoured",), may=BUFFERED_MAY,
         needs=("fio", "xfs"), quick=1),
    # Compressed; what the compressed writes leave is then read through the page cache
    trap("btrfs_compressing", btrfs_zstd, shim=ZEROS,
         cells=(WRITES, ("SEQ1M Q8T1 read", " "), ("RND4K Q1T1 read", " *"), READS),
         found=("compressed", "direct-not-honoured"), later=("served-from-ram",),
         may=("partly-from-ram", "amplified", "depth-not-reached", "fits-in-cache"), needs=("fio", "btrfs"), quick=2),
    trap("zfs_compressing", zfs_compressing, shim=ZEROS, cells=(ALL,),
         found=("compressed", "direct-not-honoured", "served-from-ram"),
         may=("fits-in-cache", "depth-not-reached", "amplified"), needs=("fio", "zfs")),
    # A queue that is none
    trap("libaio_buffered", ext4, "--buffered", "--engine", "libaio",
         cells=(DEEP, *BUFFERED_WRITES, ("SEQ1M Q1T1 read", " *")), found=("depth-not-reached",), may=BUFFERED_MAY,
         quick=1),
    trap("engine_sync", ext4, "--engine", "sync", cells=(DEEP,), found=("depth-not-reached",), quick=1),
    trap("engine_posixaio", xfs, "--engine", "posixaio", cells=(DEEP,), found=("depth-not-reached",),
         needs=("fio", "xfs")),
    # The processor
    trap("pinned_among_busy_loops", ext4, pin=(0,), spin=(0, 0), cells=(ALL,), found=("cpu-bound",), quick=1),
    trap("fio_works_out_checksums", ext4, shim=CHECKSUMS,
         cells=(("Q8T1 write|Q32T16 write", "*"), ("SEQ1M Q1T1 write", " *")), found=("cpu-bound",), quick=2),
    trap("cpu_quota", ext4, cpu_share=0.1, cells=(("RND4K", "*"), ("SEQ1M", " *")), found=("cpu-bound",)),
    # Others on the same disk
    trap("competing_readers", ext4, load={"writes": False, "jobs": 16}, cells=(ALL,), found=("other-traffic",),
         quick=2),
    trap("competing_writers", xfs, load={"writes": True, "jobs": 16}, cells=(ALL,), found=("other-traffic",),
         needs=("fio", "xfs")),
    # Less than was asked
    trap("shortened", ext4, shim=SHORT, cells=(("", "["),), found=("shortened",), status=1, quick=2),
    trap("no_flush", ext4, "--buffered", shim=NO_FLUSH,
         cells=(WRITES, ("Q32T16 read", "*"), READS_PERHAPS), found=("not-yet-on-device",), may=BUFFERED_MAY, quick=2),
    trap("flush_fails", faultfs, fault={"fsync_eio": 1}, cells=(("write", "F"), ("Q32T16", "?*"), ("", "?")),
         found=("flush-failed", "source-unknown"), may=("depth-not-reached",), status=1, needs=("fio", "fuse"),
         quick=2),
    trap("fuse", faultfs, cells=(("Q32T16", "?*"), ("", "?")), found=("source-unknown",), may=("depth-not-reached",),
         needs=("fio", "fuse"), quick=2),
    # True, but not one for one
    trap("slog_btrfs", btrfs, "--slog", found=("amplified",), needs=("fio", "btrfs"), quick=2),
    trap("slog_data_journal", journalled, "--slog", found=("amplified",)),
    # dd
    trap("dd_cached_loop", cached_loop, "--dd", cells=(("uncached", "*"),), found=(RAM,),
         may=("fits-in-cache",), quick=0),
    # Through the page cache, but the program has let its pages go before
    trap("dd_data_journal", journalled, "--dd", cells=(("uncached", "*"),), found=("direct-not-honoured",),
         may=("fits-in-cache", "amplified"), quick=0),
    trap("dd_tmpfs", tmpfs, "--dd", cells=(("cached .RAM", " *"), ALL), found=("served-from-ram",),
         may=("fits-in-cache",), needs=("root",), quick=0),
    # Seen by others than root
    trap("user_with_sudo_cached_loop", cached_loop, user="nopasswd", cells=(ALL,), found=(RAM,),
         may=("fits-in-cache",), needs=("fio", "loop", "users")),
    trap("user_without_sudo_btrfs", btrfs, "--no-sudo", user="plain", cells=(WRITES,),
         found=("direct-not-honoured", "depth-not-reached"), may=("amplified",), needs=("fio", "btrfs", "users")),
    trap("user_with_fio_only_sync", ext4, "--engine", "sync", user="fioonly", cells=(DEEP,),
         found=("depth-not-reached",), needs=("fio", "loop", "users")),

    honest("ext4_io_uring", ext4, "--engine", "io_uring", quick=2),
    honest("ext4_libaio", ext4, "--engine", "libaio"),
    honest("xfs_io_uring", xfs, "--engine", "io_uring", needs=("fio", "xfs")),
    honest("xfs_libaio", xfs, "--engine", "libaio", needs=("fio", "xfs"), quick=2),
    honest("nodatacow_io_uring", btrfs_nodatacow, "--engine", "io_uring", **BTRFS_Q32T16, quick=2),
    honest("nodatacow_libaio", btrfs_nodatacow, "--engine", "libaio", **BTRFS_Q32T16),
    honest("nodatacow_folder_io_uring", btrfs_nodatacow_folder, "--engine", "io_uring", **BTRFS_Q32T16),
    honest("nodatacow_folder_libaio", btrfs_nodatacow_folder, "--engine", "libaio", **BTRFS_Q32T16),
    honest("btrfs_checksummed_reads", btrfs, cells=(WRITES,),
           may=("direct-not-honoured", "amplified", "depth-not-reached"), needs=("fio", "btrfs")),
    honest("slog_ext4", ext4, "--slog", quick=2),
    honest("slog_xfs", xfs, "--slog", needs=("fio", "xfs")),
    honest("dd_ext4", ext4, "--dd", quick=0),
    honest("dd_xfs", xfs, "--dd", needs=("fio", "xfs"), quick=0),
    honest("throttled_bytes_ext4", ext4, throttle=BYTES_A_SECOND, quick=2),
    honest("throttled_ios_ext4", ext4, throttle=IOS_A_SECOND, quick=0),
    honest("throttled_bytes_xfs_libaio", xfs, "--engine", "libaio", throttle=BYTES_A_SECOND, needs=("fio", "xfs")),
    honest("throttled_ios_xfs_libaio", xfs, "--engine", "libaio", throttle=IOS_A_SECOND, needs=("fio", "xfs")),
    honest("throttled_nodatacow", btrfs_nodatacow, throttle=IOS_A_SECOND, needs=("fio", "btrfs")),
    honest("throttled_slog", ext4, "--slog", throttle={"write_bps": 1 << 20}),
    honest("user_with_sudo", ext4, user="nopasswd", needs=("fio", "loop", "users"), quick=2),
    honest("user_without_sudo", ext4, "--no-sudo", user="plain", needs=("fio", "loop", "users"), quick=2),
    honest("user_with_fio_only", xfs, user="fioonly", needs=("fio", "xfs", "users")),
    honest("partition", partition, quick=2),
    honest("overlay_on_ext4", overlay_on_ext4, quick=2),
    honest("nested_loop", nested_loop, quick=2),
    honest("load_on_another_disk", ext4, load={"writes": True, "bytes_per_s": 8 << 20}, load_place=ext4),
    honest("small_file", ext4, size_mib=16),
    honest("large_file", xfs, size_mib=256, needs=("fio", "xfs")),
    honest("own_disk", plain, needs=("fio",)),
    honest("own_disk_slog", plain, "--slog", needs=("fio",)),
    honest("q1_rows_of_sync", xfs, "--engine", "sync", cells=(DEEP,), may=("depth-not-reached",), needs=("fio", "xfs")),
    honest("q1_rows_of_posixaio", ext4, "--engine", "posixaio", cells=(DEEP,), may=("depth-not-reached",)),
)
