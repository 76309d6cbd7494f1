"""A block device of known speed: a file system on a loop device, and a group of processes held to limits on it.

Limits hold only for processes in the group (control groups: blkio of version 1, or io of version 2), so that the
layout of a bare run or whatever else the machine does goes on at full speed. The image lies in RAM where there is room
for it: then other people's load on the disk beneath is not in the figures.
"""

import glob
import os
import re
import shutil
import signal
import time
import types

from lab import mounts, targets

MIB = 1 << 20
IMAGE_MIB = 512
RAM_MIB_WANTED = 2048
VERSION_1 = {"read_bps": "read_bps", "write_bps": "write_bps", "read_iops": "read_iops", "write_iops": "write_iops"}
VERSION_2 = {"read_bps": "rbps", "write_bps": "wbps", "read_iops": "riops", "write_iops": "wiops"}
LIMITS = tuple(VERSION_1)


def hierarchy():
    """Where groups with limits for block devices are made: (folder, version), or (None, 0)."""
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            before, after = line.rstrip("\n").split(" - ", 1)
            folder, kind = before.split()[4], after.split()[0]
            if kind == "cgroup" and os.path.exists(f"{folder}/blkio.throttle.read_bps_device"):
                return folder, 1
            if kind == "cgroup2":
                with open(f"{folder}/cgroup.controllers", encoding="ascii") as controllers:
                    if "io" in controllers.read().split():
                        return folder, 2
    return None, 0


def missing(file_system):
    """Why no such device can be made here; None if it can."""
    if os.geteuid() != 0:
        return "not root"
    for tool in ("losetup", "mount", f"mkfs.{file_system}"):
        if not shutil.which(tool):
            return f"no {tool}"
    if not glob.glob("/dev/loop*"):
        return "no loop devices"
    if not hierarchy()[0]:
        return "no control groups that limit block devices"
    return None


def image_parent():
    """RAM where there is plenty, else the disk."""
    with open("/proc/meminfo", encoding="ascii") as file:
        available_kib = int(re.search(r"MemAvailable:\s+(\d+)", file.read()).group(1))
    if os.path.isdir("/dev/shm"):
        status = os.statvfs("/dev/shm")
        if min(status.f_bavail * status.f_frsize // MIB, available_kib // 1024) > RAM_MIB_WANTED:
            return "/dev/shm"
    return "/var/tmp"


class Group:
    """The processes that are held to limits on one device."""

    def __init__(self, number):
        self.number = number
        self.root, self.version = hierarchy()
        self.folder = f"{self.root}/speedtest-hd-bench.{os.getpid()}"
        self.enabled = False
        if self.version == 2:
            with open(f"{self.root}/cgroup.subtree_control", "r+", encoding="ascii") as file:
                if "io" not in file.read().split():
                    file.write("+io")
                    self.enabled = True
        os.mkdir(self.folder)

    def limit(self, **limits):
        """Set limits per second, see LIMITS, in bytes or I/Os; what is not named is unlimited."""
        if self.version == 1:
            for name in LIMITS:
                with open(f"{self.folder}/blkio.throttle.{name}_device", "w", encoding="ascii") as file:
                    file.write(f"{self.number} {limits.get(name, 0)}")
        else:
            words = [f"{VERSION_2[name]}={limits.get(name, 'max')}" for name in LIMITS]
            with open(f"{self.folder}/io.max", "w", encoding="ascii") as file:
                file.write(" ".join([self.number, *words]))

    def join(self):
        """In a new child, before it becomes another program."""
        with open(f"{self.folder}/cgroup.procs", "w", encoding="ascii") as file:
            file.write("0")

    def down(self):
        for attempt in range(50):
            with open(f"{self.folder}/cgroup.procs", encoding="ascii") as file:
                for pid in file.read().split():  # nobody but our own offspring is in it
                    os.kill(int(pid), signal.SIGTERM if attempt < 25 else signal.SIGKILL)
            try:
                os.rmdir(self.folder)
                break
            except OSError:
                time.sleep(0.2)
        if self.enabled:
            with open(f"{self.root}/cgroup.subtree_control", "w", encoding="ascii") as file:
                file.write("-io")


class Device:
    """A fresh file system on a loop device, and its group. A context: all is undone at its end."""

    def __init__(self, file_system):
        self.file_system = file_system
        self.folder = self.group = None
        self.path = None

    def __enter__(self):
        try:
            self.folder = mounts.must("mktemp", "-d", f"{image_parent()}/speedtest-hd-bench.XXXXXX")
            make = {"ext4": targets.ext4, "xfs": targets.xfs}[self.file_system]
            target = make(types.SimpleNamespace(folder=self.folder), f"{self.folder}/{self.file_system}", IMAGE_MIB)
            self.path = target.path
            with open(f"/sys/block/{os.path.basename(target.loop)}/dev", encoding="ascii") as file:
                self.group = Group(file.read().strip())
        except BaseException:
            self.down()
            raise
        return self

    def __exit__(self, *_):
        self.down()

    def down(self):
        if self.group:
            self.group.down()
        for complaint in mounts.sweep(self.folder) if self.folder else ():
            print(f"clean-up: {complaint}")

    def describe(self):
        return f"{self.file_system} on a loop device, image in {os.path.dirname(self.folder)}"
