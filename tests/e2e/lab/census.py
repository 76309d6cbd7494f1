"""Which processes there are. A test is a subreaper, so whatever it started stays below it, also root's and setsid's."""

import os
import signal
import time


class Entry:
    """One process, as /proc showed it."""

    def __init__(self, pid):
        self.pid = pid
        with open(f"/proc/{pid}/stat", "rb") as file:
            text = file.read().decode("utf-8", "replace")
        self.name = text[text.index("(") + 1:text.rindex(")")]
        fields = text[text.rindex(")") + 2:].split()
        self.state, self.parent, self.session = fields[0], int(fields[1]), int(fields[3])
        self.threads = int(fields[17])
        self.uid = os.stat(f"/proc/{pid}").st_uid

    def command(self):
        try:
            with open(f"/proc/{self.pid}/cmdline", "rb") as file:
                return file.read().rstrip(b"\0").decode("utf-8", "replace").split("\0")
        except OSError:
            return []

    def folder(self):
        try:
            return os.readlink(f"/proc/{self.pid}/cwd")
        except OSError:
            return ""

    def __repr__(self):
        return (f"{self.pid} (parent {self.parent}, session {self.session}, {self.state}, {self.threads} threads) "
                f"{self.name}: {' '.join(self.command())[:300]} [in {self.folder()}]")


def everything():
    """Every process, by its number."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                found[int(name)] = Entry(int(name))
            except (OSError, ValueError):
                pass
    return found


def below(pid):
    """The living descendants of a process, parents before their children."""
    table = everything()
    children = {}
    for entry in table.values():
        children.setdefault(entry.parent, []).append(entry)
    found, queue = [], [pid]
    while queue:
        for entry in children.get(queue.pop(0), []):
            queue.append(entry.pid)
            if entry.state not in "ZX":
                found.append(entry)
    return found


def named(name, pid=None):
    """The descendants (of this process) with that name."""
    return [entry for entry in below(pid or os.getpid()) if entry.name == name]


def kill_below(pid, spare=()):
    """Kill all descendants of a process. True if none is left, but for those in `spare`."""
    for _ in range(200):
        alive = [entry for entry in below(pid) if entry.pid not in spare]
        if not alive:
            return True
        for entry in alive:
            try:
                os.kill(entry.pid, signal.SIGKILL)
            except OSError:
                pass
        time.sleep(0.02)
    return False
