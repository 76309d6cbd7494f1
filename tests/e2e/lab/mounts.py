"""Mounts and loop devices below a folder, found by what the kernel says, so that nothing has to be remembered."""

import glob
import os
import re
import shutil
import subprocess
import time


def table():
    """The mount points of this namespace, in the order of mounting."""
    points = []
    with open("/proc/self/mountinfo", "rb") as file:
        for line in file:
            raw = line.split()[4]
            points.append(os.fsdecode(re.sub(rb"\\([0-7]{3})", lambda m: bytes([int(m.group(1), 8)]), raw)))
    return points


def is_below(path, folder):
    return path == folder or path.startswith(folder + "/")


def loops_below(folder):
    """The loop devices whose image lies below the folder."""
    found = []
    for name in glob.glob("/sys/block/loop*/loop/backing_file"):
        try:
            with open(name, encoding="utf-8", errors="surrogateescape") as file:
                image = file.read().rstrip("\n")
        except OSError:
            continue
        if is_below(image, folder):
            found.append("/dev/" + name.split("/")[3])
    return found


def quietly(*command):
    """Run a command of the system. Its exit status and all its output."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode("utf-8", "replace").strip()


def must(*command):
    """Run a command of the system that has to succeed."""
    status, output = quietly(*command)
    if status != 0:
        raise RuntimeError(f"{' '.join(command)}: status {status}: {output}")
    return output


def unmount(point):
    """Unmount, lazily if it stays busy for two seconds."""
    for _ in range(8):
        if quietly("umount", point)[0] == 0:
            return
        if point not in table():
            return
        time.sleep(0.25)
    quietly("umount", "-l", point)


def sweep(folder):
    """Unmount, detach and delete all there is below a folder. A list of what could not be undone."""
    # First those whose image lies on one of the mounts: in use they go with their last user.
    for loop in loops_below(folder):
        quietly("losetup", "-d", loop)
    for point in reversed(table()):
        if is_below(point, folder):
            unmount(point)
    for loop in loops_below(folder):
        quietly("losetup", "-d", loop)
    left = [point for point in table() if is_below(point, folder)]
    if left:
        return [f"still mounted: {point}" for point in left]
    for _ in range(3):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.lexists(folder):
            return []
        time.sleep(0.1)
    return [f"still there: {folder}"]
