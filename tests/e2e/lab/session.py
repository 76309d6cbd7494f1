"""What all tests share, and the marks that a test can carry."""

import os
import shutil
import subprocess

from . import mounts

BINARY = "speedtest-hd"


class Skip(Exception):
    """The test cannot run here; the reason."""


def alone(function):
    """The test needs the machine for itself."""
    function.alone = True
    return function


def timeout(seconds):
    """Another limit than the usual 120 s."""
    def mark(function):
        function.timeout = seconds
        return function
    return mark


def needs(*names):
    """What the test cannot do without: see Session.missing."""
    def mark(function):
        function.needs = names
        return function
    return mark


def sanitized(function):
    """The test runs a second time with the sanitized program, where there is one."""
    function.sanitized = True
    return function


def mount_right(folder):
    """None if we may mount, else why not."""
    if os.geteuid() != 0:
        return "not root"
    point = f"{folder}/try"
    os.mkdir(point)
    status, output = mounts.quietly("mount", "-t", "tmpfs", "speedtest-e2e", point)
    if status == 0:
        mounts.unmount(point)
    os.rmdir(point)
    return None if status == 0 else f"no right to mount: {output}"


class Session:
    """One run of the suite: its folder, the program, the users, the ZFS pool."""

    def __init__(self, folder, binary, sanitized_binary):
        self.folder = folder
        self.tests = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        self.binary = self.take(binary, "bin")
        self.sanitized_binary = self.take(sanitized_binary, "sanitized") if sanitized_binary else None
        self.curtain = f"{folder}/curtain"
        with open(os.open(self.curtain, os.O_WRONLY | os.O_CREAT, 0), "w", encoding="ascii"):
            pass
        self.users = self.pool = None
        self.users_missing = self.pool_missing = self.faultfs_missing = "not prepared"
        self.mount_missing = mount_right(folder)

    def take(self, binary, name):
        """A copy of the program in a folder where every user can run it."""
        os.makedirs(f"{self.folder}/{name}", mode=0o755, exist_ok=True)
        copy = f"{self.folder}/{name}/{BINARY}"
        shutil.copyfile(binary, copy)
        os.chmod(copy, 0o755)
        return copy

    def build_faultfs(self):
        """Compile the faulty file system; None, or why that is not possible."""
        if not os.path.exists("/dev/fuse"):
            return "no /dev/fuse"
        for tool in ("cc", "pkg-config"):
            if not shutil.which(tool):
                return f"no {tool}"
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "fuse3"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, universal_newlines=True)
        if flags.returncode != 0:
            return "no libfuse3 to compile with"
        command = ["cc", "-D_GNU_SOURCE", "-std=c17", "-O2", "-o", f"{self.folder}/bin/faultfs",
                   f"{self.tests}/e2e/faultfs.c", *flags.stdout.split()]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        return None if done.returncode == 0 else f"faultfs does not compile: {done.stdout.strip()}"

    def missing(self, need):
        """Why a need cannot be met here; None if it can."""
        if need != "fio" and self.mount_missing:
            return self.mount_missing
        tools = {"root": (), "loop": ("losetup", "mkfs.ext4"), "fio": ("fio",), "xfs": ("losetup", "mkfs.xfs"),
                 "btrfs": ("losetup", "mkfs.btrfs", "btrfs"), "sudo": ("sudo",)}
        if need == "users":
            return self.users_missing
        if need == "zfs":
            return self.pool_missing
        if need == "fuse":
            return self.faultfs_missing
        for tool in tools[need]:
            if not shutil.which(tool):
                return f"no {tool}"
        return None
