"""Fresh file systems to measure."""

import contextlib
import ctypes
import fcntl
import mmap
import os
import struct
import subprocess

from . import checks, mounts
from .session import Skip

FAULTS = ("bytes_read", "bytes_written", "read_eio_after", "write_eio_after", "write_enospc_after", "hang_after",
          "fsync_eio", "refuse_direct", "delay_us", "unlink_eio")
BLKPG, BLKPG_ADD_PARTITION = 0x1269, 1


class Target:
    """A folder to measure, and what was in it before."""

    def __init__(self, path, image=None, loop=None, control=None, daemon=None):
        self.path, self.image, self.loop, self.control, self.daemon = path, image, loop, control, daemon
        self.before = self.listing()

    def listing(self):
        return sorted(os.listdir(os.fsencode(self.path)))

    def ours(self):
        """The private folders of the program that are there now."""
        return [name.decode() for name in self.listing() if name.startswith(b"speedtest-hd.")]

    def fault(self, **values):
        """Set faults, see FAULTS; what is not named stays. The counters can be set too."""
        for name, value in values.items():
            struct.pack_into("q", self.control, 8 * FAULTS.index(name), value)

    def counter(self, name):
        return struct.unpack_from("q", self.control, 8 * FAULTS.index(name))[0]


def loop_device(session, image, direct="on", more=()):
    """A loop device on an image, with direct I/O if possible; two tests never look for a free one at the same time."""
    with open(f"{session.folder}/loop.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        status, output = mounts.quietly("losetup", "--find", "--show", f"--direct-io={direct}", *more, image)
        if status != 0:
            status, output = mounts.quietly("losetup", "--find", "--show", *more, image)
    if status != 0:
        raise Skip(f"no loop device: {output}")
    return output


def on_loop(session, folder, mib, make, options="noatime", direct="on"):
    """A file system on a sparse image behind a loop device, made by the command `make`."""
    image, point = f"{folder}/image", f"{folder}/mount"
    os.mkdir(folder)
    os.mkdir(point)
    with open(image, "wb") as file:
        file.truncate(mib << 20)
    loop = loop_device(session, image, direct)
    mounts.must(*make, loop)
    status, output = mounts.quietly("mount", "-o", options, loop, point)
    if "unknown filesystem type" in output:
        raise Skip(f"the kernel lacks the file system: {output}")
    if status != 0:
        raise RuntimeError(output)
    return Target(point, image=image, loop=loop)


# No lazy initialising: the kernel would write the rest of the format while the program measures.
EXT4 = ("mkfs.ext4", "-q", "-F", "-m", "0", "-J", "size=8", "-E", "lazy_itable_init=0,lazy_journal_init=0")
XFS = ("mkfs.xfs", "-q", "-f")
BTRFS = ("mkfs.btrfs", "-q", "-f")


def ext4(session, folder, mib=160, **how):
    return on_loop(session, folder, mib, EXT4, **how)


def xfs(session, folder, mib=320, **how):
    return on_loop(session, folder, mib, XFS, **how)


def btrfs(session, folder, mib=256, **how):
    return on_loop(session, folder, mib, BTRFS, **how)


def inside(target, *command):
    """A folder within the target, which the command (followed by its path) gives a property."""
    inner = f"{target.path}/inner"
    os.mkdir(inner)
    mounts.must(*command, inner)
    return Target(inner, image=target.image, loop=target.loop)


def add_partition(device, start_bytes, size_bytes):
    """Tell the kernel of a partition, the first; not every kernel reads partition tables."""
    partition = ctypes.create_string_buffer(struct.pack("qqi128x", start_bytes, size_bytes, 1))
    argument = struct.pack("iii4xP", BLKPG_ADD_PARTITION, 0, len(partition), ctypes.addressof(partition))
    descriptor = os.open(device, os.O_RDONLY)
    try:
        fcntl.ioctl(descriptor, BLKPG, argument)
    finally:
        os.close(descriptor)


def ext4_on_partition(session, folder, mib=160):
    """An ext4 on the one partition of a loop device."""
    image, point = f"{folder}/image", f"{folder}/mount"
    os.mkdir(folder)
    os.mkdir(point)
    with open(image, "wb") as file:
        file.truncate(mib << 20)
    loop = loop_device(session, image, more=("--partscan",))
    add_partition(loop, 1 << 20, (mib - 1) << 20)
    part = f"{loop}p1"
    checks.until(lambda: os.path.exists(part), 5, f"no {part}")
    mounts.must(*EXT4, part)
    mounts.must("mount", "-o", "noatime", part, point)
    return Target(point, image=image, loop=loop)


def overlay(folder, upper):
    """An overlay whose upper layer lies on that target."""
    for name in (f"{folder}", f"{folder}/lower", f"{folder}/mount", f"{upper.path}/upper", f"{upper.path}/work"):
        os.mkdir(name)
    mounts.must("mount", "-t", "overlay", "-o",
                f"lowerdir={folder}/lower,upperdir={upper.path}/upper,workdir={upper.path}/work", "speedtest-e2e",
                f"{folder}/mount")
    return Target(f"{folder}/mount", image=upper.image, loop=upper.loop)


def btrfs_with_quota(session, folder, limit_mib):
    """A subvolume that may hold no more than that; the disk itself has room."""
    target = btrfs(session, folder)
    inner = f"{target.path}/limited"
    mounts.must("btrfs", "quota", "enable", target.path)
    mounts.must("btrfs", "subvolume", "create", inner)
    mounts.must("btrfs", "qgroup", "limit", f"{limit_mib}M", inner)
    return Target(inner, image=target.image, loop=target.loop)


def ext4_full(session, folder, free_mib):
    """An ext4 with no more than that much space left."""
    target = ext4(session, folder)
    status = os.statvfs(target.path)
    filler = status.f_bavail * status.f_frsize - (free_mib << 20)
    with open(f"{target.path}/filler", "wb") as file:
        os.posix_fallocate(file.fileno(), 0, filler)
    return Target(target.path, image=target.image, loop=target.loop)


def ext4_read_only(session, folder):
    target = ext4(session, folder)
    mounts.must("mount", "-o", "remount,ro", target.path)
    return target


def tmpfs(session, folder, mib=160):
    os.mkdir(folder)
    mounts.must("mount", "-t", "tmpfs", "-o", f"size={mib}m,mode=755", "speedtest-e2e", folder)
    return Target(folder)


def ramfs(session, folder):
    """A file system without O_DIRECT that does not know its size."""
    os.mkdir(folder)
    mounts.must("mount", "-t", "ramfs", "-o", "mode=755", "speedtest-e2e", folder)
    return Target(folder)


def faultfs(session, folder):
    """A FUSE file system that fails where it is told to."""
    program = f"{session.folder}/bin/faultfs"
    if not os.path.exists(program):
        raise Skip(session.faultfs_missing)
    os.mkdir(folder)
    point, data, control = f"{folder}/mount", f"{folder}/data", f"{folder}/control"
    os.mkdir(point)
    os.mkdir(data)
    with open(control, "wb") as file:
        file.truncate(8 * len(FAULTS))
    with open(control, "r+b") as file, open(f"{folder}/log", "wb") as log:
        shared = mmap.mmap(file.fileno(), 8 * len(FAULTS))
        daemon = subprocess.Popen([program, control, data, point], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                  start_new_session=True)
    checks.until(lambda: point in mounts.table() or daemon.poll() is not None, 10, "faultfs is not mounted")
    if daemon.poll() is not None:
        with open(f"{folder}/log", encoding="utf-8") as log:
            raise Skip(f"faultfs does not start: {log.read().strip()}")
    return Target(point, control=shared, daemon=daemon)


@contextlib.contextmanager
def small_pool(session, folder):
    """A pool of one image file, without a log device, for as long as this lasts; the shared pool's daemon serves it."""
    name = f"{session.pool.name}{os.path.basename(os.path.dirname(folder))}"
    os.mkdir(folder)
    with open(f"{folder}/disk.img", "wb") as file:
        file.truncate(256 << 20)
    mounts.must("timeout", "60", "zpool", "create", "-o", "cachefile=none", "-m", f"{folder}/mount", name,
                f"{folder}/disk.img")
    try:
        yield Target(f"{folder}/mount")
    finally:
        checks.until(lambda: mounts.quietly("timeout", "60", "zpool", "destroy", "-f", name)[0] == 0, 20,
                     f"{name} cannot be destroyed")


class Pool:
    """One ZFS pool for the whole run: a mirror and a log device, on image files."""

    def __init__(self, session):
        self.folder = f"{session.folder}/zfs"
        self.name = f"sthd{os.getpid()}"
        self.daemon = None
        os.mkdir(self.folder)
        self.images = [f"{self.folder}/{name}.img" for name in ("disk0", "disk1", "log")]
        self.point = f"{self.folder}/mount"

    @staticmethod
    def answers():
        return mounts.quietly("timeout", "10", "zpool", "list")[0] == 0

    def up(self):
        """Start the daemon if nobody has, and make the pool. None, or why that is not possible."""
        if not os.path.exists("/dev/zfs") and not self.answers():
            for folder in ("/var/run/zfs", "/var/lib/zfs"):
                os.makedirs(folder, exist_ok=True)
            pid_file = f"{self.folder}/pid"
            status, output = mounts.quietly("zfs-fuse", "--no-kstat-mount", "-p", pid_file)
            if status != 0:
                return f"zfs-fuse: {output}"
            checks.until(self.answers, 15, "zfs-fuse does not answer")
            with open(pid_file, encoding="ascii") as file:
                self.daemon = int(file.read())
        for image in self.images:
            with open(image, "wb") as file:
                file.truncate(256 << 20)
        status, output = mounts.quietly("timeout", "60", "zpool", "create", "-o", "cachefile=none", "-m", self.point,
                                        self.name, "mirror", *self.images[:2], "log", self.images[2])
        return None if status == 0 else f"zpool create: {output}"

    def down(self):
        """Destroy the pool and end our own daemon. A list of complaints."""
        output = ""
        for _ in range(20):
            status, output = mounts.quietly("zpool", "destroy", "-f", self.name)
            if status == 0 or "no such pool" in output:
                output = ""
                break
            if self.point in mounts.table():
                mounts.unmount(self.point)
        if self.daemon:
            try:
                os.kill(self.daemon, 15)
                checks.until(lambda: not os.path.exists(f"/proc/{self.daemon}/exe"), 15, "zfs-fuse does not end")
            except ProcessLookupError:
                pass
            except AssertionError:
                os.kill(self.daemon, 9)
        return [f"zpool destroy: {output}"] if output else []
