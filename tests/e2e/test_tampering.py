"""Somebody meddles with the run: nothing that is not ours is touched, and no number comes of it."""

import fcntl
import os
import re
import signal
import subprocess
import time

from lab import checks
from lab.context import QUICK
from lab.session import needs


def holds_open(pid, name):
    """Whether the process has a file of that name open."""
    folder = f"/proc/{pid}/fd"
    return any(os.path.basename(os.readlink(f"{folder}/{number}")) == name for number in os.listdir(folder)
               if os.path.islink(f"{folder}/{number}"))


def meddle(t, deed):
    """A CDM run in whose second run `deed` is done to the test file, given its path; the Run and the target."""
    target = t.plain()
    process = t.start(target, *QUICK)
    fio = t.in_a_run(process, 2)
    checks.until(lambda: holds_open(fio.pid, "speedtest-hd.bench"), 5, lambda: "fio never opened the test file")
    deed(f"{target.path}/{target.ours()[0]}/speedtest-hd.bench")
    run = process.wait()
    t.clean(target)
    return run


def expect_refused(run):
    checks.equal(run.status, 1, "exit status")
    checks.contains(run.out, "removed or replaced by somebody else", "the sentences")
    checks.equal(len(re.findall(r"\bfailed: ", run.out)), 7, "failed runs of eight")


@needs("fio")
def test_a_link_in_place_of_the_test_file(t):
    precious = f"{t.folder}/precious"
    content = os.urandom(1 << 25)
    with open(precious, "wb") as file:
        file.write(content)

    def replace(path):
        os.unlink(path)
        os.symlink(precious, path)

    expect_refused(meddle(t, replace))
    with open(precious, "rb") as file:
        checks.true(file.read() == content, "the file behind the link is as it was")


@needs("fio")
def test_a_hole_in_place_of_the_test_file(t):
    def replace(path):
        os.unlink(path)
        with open(path, "wb") as file:
            file.truncate(1 << 25)

    expect_refused(meddle(t, replace))


@needs("fio")
def test_the_folder_is_renamed(t):
    target = t.plain()
    process = t.start(target, *QUICK, "--slog")
    t.in_a_run(process, 2)
    os.rename(f"{target.path}/{target.ours()[0]}", f"{target.path}/elsewhere")
    run = process.wait()
    checks.equal(run.status, 0, "exit status")
    checks.slog_table(run.out)
    t.clean(target)


@needs("fio", "root")
def test_a_foreign_folder_in_place_of_ours(t):
    """Moved aside, and another folder of root's with files of the same names put there: those stay."""
    target = t.plain()
    process = t.start(target, *QUICK, "--slog")
    t.in_a_run(process, 2)
    name = target.ours()[0]
    os.rename(f"{target.path}/{name}", f"{target.path}/elsewhere")
    os.mkdir(f"{target.path}/{name}", 0o700)
    for file in ("lock", "speedtest-hd.bench"):
        with open(f"{target.path}/{name}/{file}", "w", encoding="utf-8") as out:
            out.write("somebody's\n")
    process.wait()
    checks.equal(sorted(os.listdir(f"{target.path}/{name}")), ["lock", "speedtest-hd.bench"], "somebody's files")
    checks.true(not os.path.exists(f"{target.path}/elsewhere"), "ours is gone")


@needs("fio", "loop")
def test_an_append_only_folder(t):
    target = t.ext4()
    subprocess.run(["chattr", "+a", target.path], check=True)
    try:
        run = t.run(target, *QUICK)
        checks.equal(run.status, 3, "exit status")
        checks.contains(checks.error_sentence(run.err, "stderr"), "append-only", "the sentence")
        t.clean(target)
    finally:
        subprocess.run(["chattr", "-a", target.path], check=True)


@needs("fio", "root")
def test_somebody_locks_the_folder(t):
    """A lock on the target that is no run's does not keep root from measuring."""
    target = t.plain(mode=0o1777)
    folder = os.open(target.path, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        checks.slog_table(t.measure_quickly(target, "--slog").out)
    finally:
        os.close(folder)


@needs("fio")
def test_one_signal_sent_twice(t):
    """As timeout(1) does: everything is gone when the program ends, not some time later."""
    target = t.plain()
    for _ in range(4):
        process = t.start(target, *QUICK)
        t.in_a_run(process)
        process.signal(signal.SIGTERM)
        time.sleep(0.02)
        process.signal(signal.SIGTERM)
        checks.equal(process.wait(15).status, -signal.SIGTERM, "exit status")
        t.clean(target, seconds=0.2)


@needs("fio")
def test_fio_that_dumps_core(t):
    """What a crashing fio would leave in the folder is not left."""
    target = t.plain()
    process = t.start(target, *QUICK, "--slog")
    fio = t.in_a_run(process)
    os.kill(fio.pid, signal.SIGABRT)
    run = process.wait()
    checks.equal(run.status, 1, "exit status")
    checks.contains(run.out, "SIGABRT", "the sentence")
    t.clean(target)
