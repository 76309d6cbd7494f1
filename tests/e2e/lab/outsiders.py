"""What processes outside a test do while it measures: whether a disturbance that the program names was there."""

import os
import threading
import time

from . import census

INTERVAL_S = 0.25
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
DAEMONS = ("zfs-fuse", "faultfs")  # of the suite's own file systems


def used(pid):
    """The processor time in seconds and the bytes moved on disks so far; None of a kernel thread or one that is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            text = file.read()
        with open(f"/proc/{pid}/io", encoding="ascii") as file:
            moved = dict(line.split(": ") for line in file)
    except (OSError, ValueError):
        return None
    fields = text[text.rindex(")") + 2:].split()
    if int(fields[6]) & 0x00200000:  # PF_KTHREAD: at work for whoever uses the disk
        return None
    return (int(fields[11]) + int(fields[12])) * TICK_S, int(moved["read_bytes"]) + int(moved["write_bytes"])


class Outsiders:
    """A context: watches them as long as it lasts."""

    def __init__(self):
        self.seen, self.busy_s, self.bytes, self.begun, self.lasted_s = {}, 0.0, 0, 0.0, 0.0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def look(self, first=False):
        ours = {entry.pid for entry in census.below(os.getpid())} | {os.getpid()}
        for pid, entry in census.everything().items():
            now = None if pid in ours or entry.name in DAEMONS else used(pid)
            if now:
                before = self.seen.get(pid, now if first else (0.0, 0))
                self.busy_s += max(0.0, now[0] - before[0])
                self.bytes += max(0, now[1] - before[1])
                self.seen[pid] = now

    def watch(self):
        self.look(first=True)
        while not self.over.wait(INTERVAL_S):
            self.look()
        self.look()

    def __enter__(self):
        self.begun = time.monotonic()
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        self.lasted_s = time.monotonic() - self.begun

    def disturbed(self):
        """Whether they used a fifth of a processor, or moved 2 MB a second."""
        return self.busy_s > 0.2 * self.lasted_s or self.bytes > 2e6 * self.lasted_s

    def __str__(self):
        return (f"others used {self.busy_s / self.lasted_s:.1f} processors and moved "
                f"{self.bytes / self.lasted_s / 1e6:.1f} MB/s")
