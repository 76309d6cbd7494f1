"""--slog: which way the writes took, where their time goes, and what the machine's power management has to do with it."""

import os
import re

from lab import checks, targets
from lab.session import Skip, alone, needs, sanitized, timeout

QUICK = ("--yes", "--size", "16m", "--runtime", "1", "--slog")
SPLIT = re.compile(r"^ *(T\d+) +commit p50 +([\d.]+) us = device +(?:about +)?([\d.]+) us \+ host +([\d.]+) us +"
                   r"\[(#*)(\.*)\]$",
                   re.MULTILINE)


def splits(out):
    """By row: commit, device and host in us."""
    return {row: tuple(map(float, figures[:3])) for row, *figures in SPLIT.findall(out)}


def passage(out, heading):
    """The sentences under a heading, as one line each."""
    found = re.search(rf"^{re.escape(heading)}:\n((?:(?:- |    ).*\n?)+)", out, re.MULTILINE)
    checks.true(found, f"no passage '{heading}' in\n{out}")
    return found.group(1)


def stages(out):
    """The rows of the experiment's table: name and change."""
    found = re.search(r"^\| T1, 4K sync .*\n\+[-+]+\n((?:\|.*\n)+)", out, re.MULTILINE)
    checks.true(found, f"no table of the experiment in\n{out}")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in found.group(1).splitlines()]
    return {row[0]: row[-1] for row in rows}


@sanitized
@needs("fio", "loop")
def test_path_and_split_on_ext4(t):
    target = t.ext4()
    run = t.run(target, *QUICK)
    checks.equal(run.status, 0, "exit status")
    table = checks.slog_table(run.out)
    checks.lacks(run.out, "iostat", "a file system without a pool: stdout")
    found = splits(run.out)
    # Where the tests beside it make the host slow, more may be under way on the loop than a commit waits for.
    unknown = re.findall(r"^ *(T\d+) +not known: the device had more under way", run.out, re.MULTILINE)
    checks.equal(sorted([*found, *unknown]), ["T1", "T16", "T4", "T8"], "rows of the split")
    for row, (commit, device, host) in found.items():
        checks.true(abs(device + host - commit) < 0.11, f"{row}: {device} + {host} is not {commit}")
        checks.true(any(abs(commit - values[2]) < 0.11 for values in table.values()), f"{row}: {commit} is in {table}")
        checks.true(device > 0, f"{row}: the device took some time")
    loop = os.path.basename(target.loop)  # "each commit made .. flushes .. on loop0", or "loop0 counted .. flushes"
    checks.matches(passage(run.out, "Path of the writes"), rf"flushes .*{loop}|{loop} counted .* flushes", "the path")
    checks.matches(passage(run.out, "Scaling"), "^- (Linear|More than linear|Saturating|Regressing): ", "the scaling")
    t.clean(target)


@alone  # or the host takes its part, too
@timeout(150)
@needs("fio", "loop", "fuse")
def test_split_of_a_device_whose_time_is_known(t):
    """Each request of the disk takes 3 ms longer than ours: nearly all of a commit is the device's."""
    slow = t.faultfs()
    target = targets.on_loop(t.session, f"{slow.path}/disk", 64, targets.EXT4)
    slow.fault(delay_us=3000)
    run = t.run(target, *QUICK, seconds=120)
    slow.fault(delay_us=0)
    checks.equal(run.status, 0, "exit status")
    commit, device, _ = splits(run.out)["T1"]
    checks.true(commit >= 3000, f"a commit takes at least one request: {commit} us")
    checks.true(0.9 * commit <= device <= commit, f"device {device} us of {commit} us")
    checks.contains(passage(run.out, "Scaling"), ":", "a verdict")


@needs("fio", "loop")
def test_writes_without_flushes_are_not_durable(t):
    target = t.ext4(options="noatime,barrier=0")
    run = t.run(target, *QUICK)
    checks.equal(run.status, 0, "exit status")
    checks.contains(run.out, "[not-durable]", "the finding")
    for line in checks.box_lines(run.out):
        if "sync T" in line:
            checks.contains(line, "*", "the mark")
    t.clean(target)


@timeout(150)
@needs("fio", "zfs")
def test_zfs_log_takes_all(t):
    target = t.zfs()
    run = t.run(target, *QUICK, "--runtime", "3", seconds=120)  # zpool watches for whole seconds
    checks.equal(run.status, 0, "exit status")
    checks.contains(passage(run.out, "Path of the writes"), t.session.pool.images[2], "the log device")
    checks.matches(passage(run.out, "Path of the writes"), "went to the log device", "the path")
    checks.matches(run.out, r"(?m)^ *ZFS pool: " + t.session.pool.name + r" \(.*mirror of 2.*ONLINE\)", "the pool")
    t.clean(target)


@timeout(150)
@needs("fio", "zfs")
def test_zfs_without_a_log(t):
    with targets.small_pool(t.session, t.place("pool")) as target:
        run = t.run(target, *QUICK, "--runtime", "3", seconds=120)
        checks.equal(run.status, 0, "exit status")
        checks.contains(passage(run.out, "Path of the writes"), "no log device", "the path")
        t.clean(target)


@timeout(180)
@needs("fio", "loop")
def test_detail(t):
    target = t.ext4()
    run = t.run(target, *QUICK, "--slog-detail", seconds=150)
    checks.equal(run.status, 0, "exit status")
    for row in ("4K no sync", "4K O_DSYNC", "4K O_SYNC", "4K write+fdatasync", "8K O_SYNC", "128K O_SYNC"):
        checks.matches(run.out, rf"(?m)^\| {re.escape(row)} +\| +\d+", f"the row {row}")
    checks.matches(passage(run.out, "Yardsticks"), r"(Pass|Fail|Unknown): .*etcd", "etcd's rule")
    checks.matches(passage(run.out, "Yardsticks"), r"(Pass|Fail|Unknown): .*Optane", "a healthy Optane")
    t.clean(target)


@timeout(150)
@needs("fio", "loop", "root")
def test_experiment(t):
    if not os.path.exists("/dev/cpu_dma_latency"):
        raise Skip("this kernel lets nobody hold idle states off")
    target = t.ext4()
    run = t.run(target, *QUICK, "--diagnose", seconds=120)
    checks.equal(run.status, 0, "exit status")
    if "another measurement" in run.out:
        raise Skip("somebody else on this machine makes the experiment just now")
    found = stages(run.out)
    checks.equal(list(found)[:2], ["as it is", "C-states held off"], "stages")
    checks.matches(found["C-states held off"], r"^[+-]?\d.* % \(.*\)$", "the change")
    checks.true(passage(run.out, "Power management"), "a passage")
    checks.true(passage(run.out, "Diagnosis"), "a passage")
    t.clean(target)


@timeout(90)
@needs("fio", "loop", "users")
def test_experiment_needs_root(t):
    target = t.ext4()
    os.chmod(target.path, 0o777)
    run = t.run(target, *QUICK, "--diagnose", "--no-sudo", user=t.user("plain"), seconds=80)
    checks.equal(run.status, 0, "exit status")
    checks.lacks(run.out, "The experiment:", "no experiment: stdout")
    checks.contains(passage(run.out, "Diagnosis"), "root", "what is missing")
    t.clean(target)


def test_options_belong_to_slog(t):
    target = t.plain()
    for option in ("--diagnose", "--slog-detail"):
        run = t.run(target, "--yes", option)
        checks.equal(run.status, 2, "exit status")
        checks.contains(run.err, "--slog", "the remedy")
        t.clean(target)
