"""What others do at the same time: load on a disk, load on the processors."""

import contextlib
import mmap
import os
import random
import signal
import time

MIB = 1 << 20


def move(path, writes, bytes_per_s):
    """For ever: 1 MiB at random places of the file, past the page cache, as fast as allowed (None: as it can be)."""
    block = mmap.mmap(-1, MIB)
    block.write(os.urandom(MIB))
    blocks = os.stat(path).st_size // MIB
    descriptor = os.open(path, (os.O_WRONLY if writes else os.O_RDONLY) | os.O_DIRECT)
    due = time.monotonic()
    while True:
        place = random.randrange(blocks) * MIB
        if writes:
            os.pwritev(descriptor, [block], place)
        else:
            os.preadv(descriptor, [block], place)
        if bytes_per_s:
            due = max(due, time.monotonic() - 0.1) + MIB / bytes_per_s
            time.sleep(max(0.0, due - time.monotonic()))


def spin():
    while True:
        pass


@contextlib.contextmanager
def children(*functions):
    """Each function in a process of its own, as long as the context lasts."""
    pids = []
    for function in functions:
        pid = os.fork()
        if pid == 0:
            try:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                function()
            finally:
                os._exit(1)
        pids.append(pid)
    try:
        yield pids
    finally:
        died = []
        for pid in pids:
            died += [pid] if os.waitpid(pid, os.WNOHANG)[0] else []
        for pid in set(pids) - set(died):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    if died:
        raise RuntimeError("the load has ended by itself")


def fill(path, mib):
    """A file of random bytes, on the disk."""
    with open(path, "wb") as file:
        for _ in range(mib):
            file.write(os.urandom(MIB))
        file.flush()
        os.fsync(file.fileno())


def on_disk(folder, *, writes, mib=32, bytes_per_s=None, jobs=1):
    """A context: load on the disk below that folder."""
    path = f"{folder}/load"
    fill(path, mib)
    return children(*[lambda: move(path, writes, bytes_per_s)] * jobs)


def on_cpus(*cpus):
    """A context: one busy loop bound to each of these processors; one named twice gets two."""
    def bound(cpu):
        def run():
            os.sched_setaffinity(0, {cpu})
            spin()
        return run
    return children(*map(bound, cpus))
