"""A block device of known speed: a file system on a loop device, and a group of processes held to limits on it.

Limits hold only for processes in the group (control groups: blkio of version 1, or io of version 2), so that the
layout of a bare run or whatever else the machine does goes on at full speed. The image lies in RAM where there is room
for it: then other people's load on the disk beneath is not in the figures.
"""

import glob
import os
import re
import shutil
import types

from lab import groups, mounts, targets

MIB = 1 << 20
IMAGE_MIB = 512
RAM_MIB_WANTED = 2048


def missing(file_system):
    """Why no such device can be made here; None if it can."""
    if os.geteuid() != 0:
        return "not root"
    for tool in ("losetup", "mount", f"mkfs.{file_system}"):
        if not shutil.which(tool):
            return f"no {tool}"
    if not glob.glob("/dev/loop*"):
        return "no loop devices"
    if not groups.io_hierarchy()[0]:
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
            self.group = groups.DeviceGroup(groups.device_number(target.loop))
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
