"""Control groups that hold a program to limits: on one block device, or in processor time. Version 1 or version 2."""

import glob
import os
import signal
import time

from .session import Skip

VERSION_1 = {"read_bps": "read_bps", "write_bps": "write_bps", "read_iops": "read_iops", "write_iops": "write_iops"}
VERSION_2 = {"read_bps": "rbps", "write_bps": "wbps", "read_iops": "riops", "write_iops": "wiops"}
LIMITS = tuple(VERSION_1)
CPU_PERIOD_US = 100000
PREFIX = "speedtest-hd-test."


def hierarchy(controller, sign):
    """Where groups of that controller are made: (folder, version), or (None, 0). `sign`: a file of version 1."""
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            before, after = line.rstrip("\n").split(" - ", 1)
            folder, kind = before.split()[4], after.split()[0]
            if kind == "cgroup" and os.path.exists(f"{folder}/{sign}"):
                return folder, 1
            if kind == "cgroup2":
                with open(f"{folder}/cgroup.controllers", encoding="ascii") as controllers:
                    if controller in controllers.read().split():
                        return folder, 2
    return None, 0


def io_hierarchy():
    return hierarchy("io", "blkio.throttle.read_bps_device")


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def forget_dead(root):
    """Remove the groups of a run that was killed: those that nobody is in, of a process that is gone."""
    for folder in glob.glob(f"{root}/{PREFIX}*"):
        if not os.path.exists(f"/proc/{folder.rsplit('.', 1)[1]}"):
            try:
                os.rmdir(folder)
            except OSError:
                pass


class Group:
    """The processes in one group. A context: it is gone at its end, and whoever is still in it."""

    def __init__(self, controller, place):
        self.root, self.version = place
        if not self.root:
            raise Skip(f"no control groups for '{controller}'")
        self.controller, self.enabled = controller, False
        forget_dead(self.root)
        self.folder = f"{self.root}/{PREFIX}{os.getpid()}"
        if self.version == 2:
            with open(f"{self.root}/cgroup.subtree_control", encoding="ascii") as file:
                self.enabled = controller not in file.read().split()
            if self.enabled:
                write(f"{self.root}/cgroup.subtree_control", f"+{controller}")
        os.mkdir(self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.down()

    def join(self):
        """In a new child, before it becomes another program."""
        write(f"{self.folder}/cgroup.procs", "0")

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
            write(f"{self.root}/cgroup.subtree_control", f"-{self.controller}")


class DeviceGroup(Group):
    """Processes that are held to limits on the device of that number, "7:0"."""

    def __init__(self, number):
        super().__init__("io", io_hierarchy())
        self.number = number

    def limit(self, **limits):
        """Set limits per second, see LIMITS, in bytes or I/Os; what is not named is unlimited."""
        if self.version == 1:
            for name in LIMITS:
                write(f"{self.folder}/blkio.throttle.{name}_device", f"{self.number} {limits.get(name, 0)}")
        else:
            words = [f"{VERSION_2[name]}={limits.get(name, 'max')}" for name in LIMITS]
            write(f"{self.folder}/io.max", " ".join([self.number, *words]))


class CpuGroup(Group):
    """Processes that together get that share of one processor."""

    def __init__(self, share):
        super().__init__("cpu", hierarchy("cpu", "cpu.cfs_quota_us"))
        quota_us = int(share * CPU_PERIOD_US)
        if self.version == 1:
            write(f"{self.folder}/cpu.cfs_period_us", str(CPU_PERIOD_US))
            write(f"{self.folder}/cpu.cfs_quota_us", str(quota_us))
        else:
            write(f"{self.folder}/cpu.max", f"{quota_us} {CPU_PERIOD_US}")


def device_number(device):
    """"7:0" of "/dev/loop0"."""
    status = os.stat(device)
    return f"{os.major(status.st_rdev)}:{os.minor(status.st_rdev)}"
