"""What a test function gets: the program to run, places to measure, and the check that nothing is left."""

import os
import pwd
import signal
import sys
import time

from . import census, checks, mounts, targets, users
from .process import SYSTEM_PATH, Process
from .session import Skip
from .terminal import Terminal

QUICK = ("--yes", "--size", "16m", "--runtime", "1")


class Context:
    """One test at work."""

    def __init__(self, session, folder, binary):
        self.session, self.folder, self.binary = session, folder, binary
        self.started, self.count = [], 0
        self.remarks = []  # shown beside the result

    # running

    def place(self, kind):
        """The path of a new thing in the test's own folder."""
        self.count += 1
        return f"{self.folder}/{kind}{self.count}"

    def options(self, how):
        how.setdefault("curtain", self.session.curtain)
        folder = self.place("run")
        os.mkdir(folder)
        return folder, how

    def command(self, arguments):
        return [self.binary, *(item.path if isinstance(item, targets.Target) else item for item in arguments)]

    def start(self, *arguments, **how):
        """Start the program without a terminal; see Process for `how`."""
        folder, how = self.options(how)
        process = Process(self.command(arguments), folder, **how)
        self.started.append(process)
        return process

    def run(self, *arguments, seconds=60, **how):
        """Run the program to its end; the Run."""
        return self.start(*arguments, **how).wait(seconds)

    def terminal(self, *arguments, **how):
        """Start the program in a terminal; see Terminal for `how`."""
        folder, how = self.options(how)
        terminal = Terminal(self.command(arguments), folder, **how)
        self.started.append(terminal)
        return terminal

    def user(self, role):
        return self.session.users.names[role]

    # places

    def ext4(self, **how):
        return targets.ext4(self.session, self.place("ext4-"), **how)

    def btrfs_with_quota(self, limit_mib):
        return targets.btrfs_with_quota(self.session, self.place("quota-"), limit_mib)

    def ext4_full(self, free_mib):
        return targets.ext4_full(self.session, self.place("full-"), free_mib)

    def ext4_read_only(self):
        return targets.ext4_read_only(self.session, self.place("read-only-"))

    def xfs(self, **how):
        return targets.xfs(self.session, self.place("xfs-"), **how)

    def btrfs(self, **how):
        return targets.btrfs(self.session, self.place("btrfs-"), **how)

    def tmpfs(self, **how):
        return targets.tmpfs(self.session, self.place("tmpfs-"), **how)

    def ramfs(self):
        return targets.ramfs(self.session, self.place("ramfs-"))

    def faultfs(self, **faults):
        target = targets.faultfs(self.session, self.place("faultfs-"))
        target.fault(**faults)
        return target

    def zfs(self, **properties):
        """A folder on the pool that all tests share; with properties a file system of its own."""
        name = os.path.basename(self.folder)
        path = f"{self.session.pool.point}/{name}"
        if properties:
            words = [word for key, value in properties.items() for word in ("-o", f"{key}={value}")]
            mounts.must("zfs", "create", *words, f"{self.session.pool.name}/{name}")
        else:
            os.mkdir(path)
        return targets.Target(path)

    def plain(self, mode=0o755, owner=None):
        """An ordinary folder, on whatever file system the suite lies."""
        path = self.place("folder")
        os.mkdir(path)
        os.chmod(path, mode)
        if owner:
            os.chown(path, pwd.getpwnam(owner).pw_uid, -1)
        return targets.Target(path)

    def fake_fio(self, mode, when="all", **variables):
        """A PATH that begins with a fake fio, see tests/fakes/fio. when="runs" leaves the probes to the real one."""
        folder = self.place("fake")
        os.mkdir(folder)
        real = next((path for path in map(lambda f: f"{f}/fio", SYSTEM_PATH.split(":")) if os.path.exists(path)), None)
        if not real:
            raise Skip("no fio to stand in front of")
        variables.update(FAKE_MODE=mode, FAKE_WHEN=when, FAKE_FOLDER=folder, FAKE_REAL=real, FAKE_PYTHON=sys.executable)
        with open(f"{folder}/fio", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n")
            file.writelines(f"{name}='{value}'; export {name}\n" for name, value in variables.items())
            file.write(f"exec '{self.session.tests}/fakes/fio' \"$@\"\n")
        os.chmod(f"{folder}/fio", 0o755)
        return f"{folder}:{SYSTEM_PATH}"

    # what must be true in the end

    def processes(self):
        """What the program has running: all below this test but the file systems' daemons."""
        return [entry for entry in census.below(os.getpid()) if entry.name not in ("faultfs", "zfs-fuse")]

    def clean(self, *places, seconds=2):
        """Nothing of the program runs, and the targets hold what they held before; within that many seconds."""
        checks.until(lambda: not self.processes(), seconds,
                     lambda: "processes are left:\n" + "\n".join(map(repr, self.processes())))
        for target in places:
            checks.until(lambda: target.listing() == target.before, seconds,
                         lambda: f"{target.path}: before {target.before}, after {target.listing()}")

    def measure_quickly(self, target, *options, seconds=90, **how):
        """A run of small size, which must succeed and leave nothing; the Run."""
        run = self.run(target, *QUICK, *options, seconds=seconds, **how)
        checks.equal(run.status, 0, "exit status")
        self.clean(target)
        return run

    def in_a_run(self, process, number=1, seconds=40):
        """Wait until the measured run of that number has its fio at work; the entry of fio."""
        seen, end = set(), time.monotonic() + seconds
        while time.monotonic() < end and process.running():
            if isinstance(process, Terminal):
                process.pump(0)
            found = census.named("fio")
            for entry in found:
                # A fake fio is a shell: what that forks, for a moment looks like it.
                is_forked = entry.parent in {other.pid for other in found}
                if not is_forked and any(word.startswith("--runtime") for word in entry.command()):
                    seen.add(entry.pid)
                    if len(seen) >= number:
                        time.sleep(0.2)
                        return entry
            time.sleep(0.02)
        raise AssertionError(f"never saw run {number} of fio (saw {len(seen)})")

    def interrupted(self, *arguments, number=1, check=None, **how):
        """Start a measurement, let `check` look at fio in the run of that number, interrupt it; the Run."""
        process = self.start(*arguments, *QUICK, **how)
        fio = self.in_a_run(process, number)
        if check:
            check(fio)
        process.signal(signal.SIGINT)
        run = process.wait(15)
        checks.equal(run.status, -signal.SIGINT, "exit status")
        self.clean(*(item for item in arguments if isinstance(item, targets.Target)))
        return run

    def keeper(self, process):
        """The program's far side: its fork, or itself below sudo. The front process is not meant."""
        def found():
            return [entry for entry in census.below(process.pid) if entry.name.startswith("speedtest")]
        return checks.until(found, 20, lambda: f"no keeper in:\n{census.below(os.getpid())}")[0]


def password():
    return users.PASSWORD
