#!/usr/bin/env python3
"""Run the end-to-end tests: every function test_* in the files test_*.py beside this one, as TAP on stdout.

    run.py --binary ./speedtest-hd [--sanitized PATH] [-j N] [--part together|alone] [PATTERN]

Each test is a process of its own, with a folder of its own below one private folder in /var/tmp. Whatever it mounts,
starts or makes is undone after it, also when it fails, takes too long, or the whole run is interrupted.
"""

import argparse
import fcntl
import glob
import importlib
import inspect
import os
import re
import signal
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from lab import census, linux, mounts, targets, users  # noqa: E402
from lab.context import Context  # noqa: E402
from lab.session import Session, Skip  # noqa: E402

PARENT = "/var/tmp"
PREFIX = "speedtest-hd-e2e."
PASSED, FAILED, SKIPPED = 0, 1, 2


# Started in the background, or by nohup, these are ignored, and so they would be in every test.
for _number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    if signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, signal.SIG_DFL)


class Test:
    """One test and, while it runs, its process."""

    def __init__(self, name, function, binary):
        self.name, self.function, self.binary = name, function, binary
        self.alone = getattr(function, "alone", False)
        self.timeout = getattr(function, "timeout", 120)
        self.needs = getattr(function, "needs", ())
        self.folder = self.pid = None
        self.begun = 0.0


def find(session, pattern):
    """All tests that match."""
    found = []
    for path in sorted(glob.glob(f"{HERE}/test_*.py")):
        module = importlib.import_module(os.path.basename(path)[:-3])
        functions = [f for n, f in inspect.getmembers(module, inspect.isfunction)
                     if n.startswith("test_") and f.__module__ == module.__name__]
        for function in sorted(functions, key=lambda f: f.__code__.co_firstlineno):
            name = f"{module.__name__[5:]}.{function.__name__[5:]}"
            found.append(Test(name, function, session.binary))
            if session.sanitized_binary and getattr(function, "sanitized", False):
                found.append(Test(name + ".sanitized", function, session.sanitized_binary))
    chosen = [test for test in found if re.search(pattern, test.name)]
    return sorted(chosen, key=lambda test: -test.timeout)  # those that take longest begin first


def carry_out(session, test):
    """In the test's own process: run it, write what there is to say into its folder, return how it went."""
    linux.become_subreaper()
    context = Context(session, test.folder, test.binary)
    note, result = "", PASSED
    try:
        for need in test.needs:
            reason = session.missing(need)
            if reason:
                raise Skip(reason)
        test.function(context)
        check_sanitizers(context)
        note = "; ".join(context.remarks)
    except Skip as skip:
        note, result = str(skip), SKIPPED
    except BaseException as error:  # also what a test's own mistake raises
        where = "".join(traceback.format_tb(error.__traceback__)[1:])
        note, result = f"{where}{type(error).__name__}: {error}\n{last_run(context)}", FAILED
    if not census.kill_below(os.getpid()) and result == PASSED:
        note, result = "processes that cannot be killed", FAILED
    with open(f"{test.folder}/note", "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(note)
    return result


def check_sanitizers(context):
    for started in context.started:
        text = started.result.err if started.result else ""
        for sign in ("Sanitizer", "runtime error:"):
            if sign in text:
                raise AssertionError(f"a sanitizer spoke up:\n{text}")


def last_run(context):
    """The program's last run, for the report."""
    if not context.started:
        return ""
    started = context.started[-1]
    if started.result:
        return started.result.describe()
    if hasattr(started, "err"):
        return f"$ {started.command}\nnot waited for; stdout: {started.out()!r}\nstderr: {started.err()!r}"
    return f"$ {started.command}\nnot waited for; terminal: {started.text()[-3000:]!r}"


class Runner:
    """Starts the tests, so many at a time, and reports them."""

    def __init__(self, session, tests, jobs):
        self.session, self.tests, self.jobs = session, tests, jobs
        self.running, self.folders, self.number, self.failed, self.stopped = [], 0, 0, 0, False

    def start(self, test):
        self.folders += 1
        test.folder = f"{self.session.folder}/t{self.folders}"
        os.mkdir(test.folder, 0o755)
        test.begun = time.monotonic()
        sys.stdout.flush()
        test.pid = os.fork()
        if test.pid == 0:
            result = FAILED
            try:
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                    signal.signal(number, signal.SIG_DFL)
                os.setpgid(0, 0)
                result = carry_out(self.session, test)
            finally:
                os._exit(result)
        self.running.append(test)

    def finish(self, test, result, seconds):
        """Clear up behind a test, and report it."""
        self.running.remove(test)
        note = ""
        if os.path.exists(f"{test.folder}/note"):
            with open(f"{test.folder}/note", encoding="utf-8") as file:
                note = file.read()
        complaints = mounts.sweep(test.folder)
        if complaints and result == PASSED:
            result, note = FAILED, "\n".join(complaints)
        self.report(test.name, result, note, seconds)

    def report(self, name, result, note, seconds):
        self.number += 1
        if result == SKIPPED:
            print(f"ok {self.number} - {name} # SKIP {' '.join(note.split())}")
        elif result == PASSED:
            print(f"ok {self.number} - {name} # {seconds:.1f} s{'; ' if note else ''}{' '.join(note.split())}")
        else:
            self.failed += 1
            print(f"not ok {self.number} - {name}")
            for line in note.splitlines() or [f"ended with {result}"]:
                print("# " + "".join(c if c.isprintable() else repr(c)[1:-1] for c in line))
        sys.stdout.flush()

    def kill(self, test, note):
        """End a test with all that it has started. The file systems' daemons go too: hung requests need that."""
        os.kill(test.pid, signal.SIGSTOP)
        with open(f"{test.folder}/note", "w", encoding="utf-8") as file:
            file.write(note + "\n" + "\n".join(map(repr, census.below(test.pid))))
        census.kill_below(test.pid)
        os.kill(test.pid, signal.SIGKILL)

    def watch(self):
        """Take what has ended, end what takes too long."""
        for test in list(self.running):
            pid, status = os.waitpid(test.pid, os.WNOHANG)
            seconds = time.monotonic() - test.begun
            if pid:
                code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else FAILED
                self.finish(test, code, seconds)
            elif seconds > test.timeout:
                self.kill(test, f"took longer than {test.timeout} s; processes:")
        time.sleep(0.02)

    def all(self):
        together = [test for test in self.tests if not test.alone]
        single = [test for test in self.tests if test.alone]
        for group, jobs in ((together, self.jobs), (single, 1)):
            while (group or self.running) and not self.stopped:
                while group and len(self.running) < jobs:
                    self.start(group.pop(0))
                self.watch()
        for test in self.running:
            self.kill(test, "interrupted; processes:")
        while self.running:
            self.watch()


def sweep_dead_runs():
    """Undo what an earlier run left that was killed. Its lock is not held any more."""
    for folder in glob.glob(f"{PARENT}/{PREFIX}*"):
        try:
            lock = open(f"{folder}/lock", encoding="ascii")
        except OSError:
            continue
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                continue
            pid = lock.read().strip()
            for path in glob.glob(f"/etc/sudoers.d/speedtest-hd-e2e-{pid}*"):
                os.unlink(path)
            for role in users.RULES:
                mounts.quietly("userdel", f"{users.PREFIX}{pid}{role}")
            if os.path.isdir(f"{folder}/zfs"):
                mounts.quietly("zpool", "destroy", "-f", f"sthd{pid}")
            for entry in census.everything().values():
                if f"{folder}/zfs/pid" in entry.command():
                    os.kill(entry.pid, signal.SIGKILL)
            mounts.sweep(folder)


def prepare(session, tests):
    """Make what several tests share, as far as the chosen tests need it."""
    needed = {need for test in tests for need in test.needs}
    if session.mount_missing:
        return
    if "users" in needed:
        session.users_missing = None
        session.users = users.Users(session.folder)
        session.users.up()
        if not session.users.sudo:
            session.users_missing = "no sudo"
    if "zfs" in needed:
        session.pool_missing = "no zpool" if not mounts.quietly("which", "zpool")[1] else None
        if not session.pool_missing:
            session.pool = targets.Pool(session)
            session.pool_missing = session.pool.up()
    if "fuse" in needed:
        session.faultfs_missing = session.build_faultfs()


def tear_down(session):
    """Undo everything. A list of complaints."""
    complaints = []
    for shared in (session.pool, session.users):
        if shared:
            complaints += shared.down()
    census.kill_below(os.getpid())
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
    return complaints + mounts.sweep(session.folder)


def arguments():
    parser = argparse.ArgumentParser(description="End-to-end tests of speedtest-hd, as TAP.")
    parser.add_argument("--binary", required=True, help="the program")
    parser.add_argument("--sanitized", help="the program, built with sanitizers, for some of the tests")
    parser.add_argument("-j", type=int, default=3, metavar="N", help="so many tests at a time")
    parser.add_argument("--part", choices=("together", "alone"),
                        help="only the tests that do not mind others, or only those that need the machine for themselves")
    parser.add_argument("--list", action="store_true", help="print the tests' names")
    parser.add_argument("pattern", nargs="?", default="", help="run the tests whose name this expression matches")
    return parser.parse_args()


def main():
    given = arguments()
    if os.geteuid() == 0:
        sweep_dead_runs()
    os.umask(0o022)
    folder = tempfile.mkdtemp(prefix=PREFIX, dir=PARENT)
    os.chmod(folder, 0o755)
    with open(f"{folder}/lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        os.environ["ASAN_OPTIONS"] = "exitcode=99:detect_leaks=1"
        os.environ["UBSAN_OPTIONS"] = "halt_on_error=1:exitcode=99:print_stacktrace=1"
        linux.become_subreaper()
        session = Session(folder, given.binary, given.sanitized)
        tests = [test for test in find(session, given.pattern)
                 if not given.part or test.alone == (given.part == "alone")]
        runner = Runner(session, tests, given.j)

        def stop(_number, _frame):
            runner.stopped = True

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, stop)
        try:
            if given.list:
                print("\n".join(test.name for test in tests))
            else:
                print(f"1..{len(tests)}")
                prepare(session, tests)
                runner.all()
        finally:
            complaints = tear_down(session)
        for complaint in complaints:
            print(f"# {complaint}")
    return 1 if runner.failed or runner.stopped or complaints else 0


if __name__ == "__main__":
    sys.exit(main())
