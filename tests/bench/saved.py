"""Saved results: how fast they load, and whether comparisons call what is there and nothing else."""

import copy
import json
import os
import re
import statistics
import subprocess
import tempfile
import time

import device
import runs

ROWS = 10000
LOAD_GOAL_S = 1.0
ROUNDS = 5
MB = 10 ** 6
FAST_BYTES_PER_S, SLOW_BYTES_PER_S = 40 * MB, 36 * MB
EQUALS, SLOWER = 10, 5
VERDICT = re.compile(r"^\| (Write, fsync at the end|Read, uncached) .* (faster|slower|no difference seen|cannot tell.*) +\|$",
                     re.MULTILINE)


def measure(binary, folder, path, *options, passes=5, before_exec=None):
    """A measurement by dd in so many passes, saved; what stands on stdout."""
    command = [binary, folder, "--yes", "--dd", "--size=32m", f"--runs={passes}", f"--output={path}", *options]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=runs.ENVIRONMENT, preexec_fn=before_exec)
    if done.returncode != 0:
        raise runs.Broken(f"{' '.join(command)}: status {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout.decode()


# --- how fast ---------------------------------------------------------------------------------------------------------

def grow(path, large):
    """The file with so many tests that it has 10,000 rows, each with the runs of one that was measured."""
    with open(path, encoding="utf-8") as file:
        saved = json.load(file)
    tests = []
    for number in range(ROWS):
        tests.append(copy.copy(saved["tests"][number % len(saved["tests"])]))
        tests[-1]["name"] += f" {number}"
    saved["tests"], saved["findings"] = tests, []
    with open(large, "w", encoding="utf-8") as file:
        json.dump(saved, file)


def seconds(command):
    begun = time.perf_counter()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    taken = time.perf_counter() - begun
    if done.returncode != 0:
        raise runs.Broken(f"{' '.join(command)}: {done.stderr.decode(errors='replace')}")
    return taken, done.stdout.decode(errors="replace").count("\n")


def load_pair(bench, passes):
    """Seconds for two such files with so many runs in each row, and the same for python3; in words, too."""
    with tempfile.TemporaryDirectory(prefix="speedtest-hd-bench.") as folder:
        measure(bench.binary, bench.target, f"{folder}/small.json", passes=passes)
        for name in ("before", "after"):
            grow(f"{folder}/small.json", f"{folder}/{name}.json")
        files = [f"{folder}/before.json", f"{folder}/after.json"]
        size_mib = os.path.getsize(files[0]) / (1 << 20)
        command = [bench.binary, "--load", files[1], "--compare", files[0]]
        yardstick = ["python3", "-c", f"import json; [json.load(open(name)) for name in {files!r}]"]
        ours_s = statistics.median(seconds(command)[0] for _ in range(ROUNDS))
        python_s = statistics.median(seconds(yardstick)[0] for _ in range(ROUNDS))
        lines = seconds(command)[1]
    if lines < 2 * ROWS:
        raise runs.Broken(f"the comparison has {lines} lines")
    return ours_s, (f"{ours_s:.2f} s for {size_mib:.1f} MiB each, {ours_s / python_s:.2f} of what python3 takes to read "
                    f"them ({python_s:.2f} s)")


def bench_load(bench, title):
    title(f"Loading and comparing two files of {ROWS} rows, median of {ROUNDS}")
    ours_s, figure = load_pair(bench, 1)
    verdict = bench.goals.judge(f"{ROWS} rows loaded and compared below {LOAD_GOAL_S:g} s", ours_s < LOAD_GOAL_S, figure)
    print(f"a run in each row: {figure}: {verdict}")
    print(f"five runs in each row, for information: {load_pair(bench, 5)[1]}")


# --- whether the verdicts are right -----------------------------------------------------------------------------------

def verdicts(text):
    found = dict(VERDICT.findall(text))
    if len(found) != 2:
        raise runs.Broken(f"no two verdicts in:\n{text}")
    return list(found.values())


def bench_verdicts(bench, title):
    title(f"Comparisons on a throttled device: {EQUALS} with itself, {SLOWER} with one that is 10 % slower, 5 runs each")
    goals = ("no difference called between equals", "a slow-down of 10 % found every time")
    reason = device.missing("ext4")
    if reason:
        for goal in goals:
            bench.goals.skip(goal, reason)
        return
    equal, slower = [], []
    with device.Device("ext4") as throttled, tempfile.TemporaryDirectory(prefix="speedtest-hd-bench.") as folder:
        def run(number, limit, *options):
            throttled.group.limit(read_bps=limit, write_bps=limit)
            return measure(bench.binary, throttled.path, f"{folder}/{number}.json", *options,
                           before_exec=throttled.group.join)

        print(throttled.describe())
        run(0, FAST_BYTES_PER_S)
        for number in range(1, EQUALS + 1):
            equal += verdicts(run(number, FAST_BYTES_PER_S, f"--compare={folder}/{number - 1}.json"))
        for number in range(SLOWER):
            slower += verdicts(run(EQUALS + 1, SLOW_BYTES_PER_S, f"--compare={folder}/{number}.json"))
    called = len(equal) - equal.count("no difference seen")
    missed = len(slower) - slower.count("slower")
    print(goals[0] + " " + bench.goals.judge(goals[0], called == 0, f"{called} of {len(equal)} rows called"))
    print(goals[1] + " " + bench.goals.judge(goals[1], missed == 0, f"{missed} of {len(slower)} rows missed"))
