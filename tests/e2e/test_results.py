"""What lasts of a measurement: repeats, formats, saved files, comparison, thresholds."""

import csv
import io
import json
import os
import re
import signal

from lab import checks, groups, mounts
from lab.context import QUICK
from lab.session import alone, needs, sanitized, timeout

DD = ("--yes", "--size", "16m", "--dd")
SLOG_FIRST = "4K sync T1"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def document(text, what):
    """The one JSON document that the text is."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise AssertionError(f"{what}: {error} in {checks.shown(text)}") from None
    checks.equal((found["format"], found["format_version"]), ("speedtest-hd", 1), what)
    return found


def runs_of(saved, warmup=False):
    """All runs of a saved file, as (began_at, test's name, direction, pass)."""
    return [(run["began_at"], test["name"], test["direction"], run["pass"]) for test in saved["tests"]
            for run in test["runs"] if warmup or run["pass"] > 0]


def only_file(folder):
    """The one file in a folder: nothing else was left beside it."""
    names = os.listdir(folder)
    checks.equal(len(names), 1, f"files in {folder}: {names}")
    return f"{folder}/{names[0]}"


def place(t):
    folder = t.place("results")
    os.mkdir(folder)
    return folder


# Repeats

@sanitized
@needs("fio", "loop")
def test_repeats_in_every_format(t):
    target, folder = t.ext4(), place(t)
    files = {ending: f"{folder}/result.{ending}" for ending in ("json", "csv", "md", "html", "txt")}
    outputs = [word for path in files.values() for word in ("-o", path)]
    run = t.measure_quickly(target, "--slog", "--runs", "2", "--warmup", "--label", "CN-08R2", *outputs, seconds=110)
    checks.matches(run.out, r"\| Test +\| +IOPS \|.*\| +Spread \(CV\) +\|", "the head of the table")
    checks.matches(run.out, r"\| 4K sync T16 .*\d % (excellent|good|variable|high variance) +\|", "a row's spread")
    saved = document(read(files["json"]), "the JSON file")
    checks.equal((saved["state"], saved["label"]), ("complete", "CN-08R2"), "state and label")
    checks.equal([len(test["runs"]) for test in saved["tests"]], [3] * 4, "runs of each test, the warm-up with them")
    order = [run[3] for run in sorted(runs_of(saved, True))]
    checks.equal(order, sorted(order), "passes in the order of time: interleaved over the rows")
    for test in saved["tests"]:
        counted = [run["figures"]["iops"] for run in test["runs"] if run["pass"] > 0]
        checks.true(abs(test["score"]["iops"]["median"] - sum(counted) / 2) < 1e-6 * counted[0], f"median of {test}")
        checks.equal(test["score"]["iops"]["best"], max(counted), "the best")
    rows = list(csv.DictReader(io.StringIO(read(files["csv"]))))
    checks.equal([row["test"] for row in rows], [test["name"] for test in saved["tests"]], "rows of the CSV file")
    checks.true(not any(re.search(r"\d[.]\d", value) for key, value in rows[0].items() if key.endswith(("_s", "_ns"))),
                f"a number with a decimal point in {rows[0]}")
    checks.contains(read(files["md"]), "--runs 2 --warmup", "the command in the Markdown file")
    checks.contains(read(files["html"]), "CN-08R2", "the HTML file")
    table = run.out[run.out.index("+---"):]
    checks.contains(read(files["txt"]), table, "the table in the text file")
    checks.equal(sorted(os.listdir(folder)), sorted(os.path.basename(path) for path in files.values()), "files")
    shown = t.run("--load", files["json"])
    checks.equal((shown.status, shown.out), (0, run.out), "the loaded file, shown")
    again = t.run("--load", files["json"], "--format", "json")
    checks.equal(again.out, read(files["json"]), "the loaded file, saved")


@needs("fio", "loop")
def test_ramp_and_pauses(t):
    target = t.ext4()
    run = t.measure_quickly(target, "--slog", "--ramp", "1", "--interval", "1", "--format", "json")
    saved = document(run.out, "stdout")
    checks.equal((saved["settings"]["ramp_s"], saved["settings"]["interval_s"]), (1, 1), "settings")
    checks.true(run.seconds > 4 * 2 + 3, f"four runs of 2 s with three pauses took {run.seconds:.1f} s")
    for test in saved["tests"]:
        moved = test["runs"][0]["evidence"]["on_device_share"]
        checks.true(0.8 < moved, f"{test['name']}: a share of {moved} reached the device")


# What one finds after an end

@needs("fio", "loop")
def test_an_interrupted_measurement_is_saved(t):
    target, folder = t.ext4(), place(t)
    process = t.start(target, *QUICK, "--slog", "--format", "json", "-o", f"{folder}/result.json")
    t.in_a_run(process, 2)
    process.signal(signal.SIGTERM)
    run = process.wait(15)
    checks.equal(run.status, -signal.SIGTERM, "exit status")
    t.clean(target)
    saved = document(read(only_file(folder)), "the file")
    checks.equal((saved["state"], len(runs_of(saved))), ("interrupted", 1), "state and runs")
    checks.equal(read(only_file(folder)), run.out, "stdout")
    checks.contains(t.run("--load", f"{folder}/result.json").out, SLOG_FIRST, "the loaded file")


@needs("fio", "loop")
def test_a_killed_measurement_is_saved(t):
    target, folder = t.ext4(), place(t)
    process = t.start(target, *QUICK, "--slog", "-o", f"{folder}/result.json")
    t.in_a_run(process, 3)
    process.signal(signal.SIGKILL)
    process.wait(15)
    saved = document(read(only_file(folder)), "the file")
    checks.equal((saved["state"], len(runs_of(saved))), ("running", 2), "state and runs")
    t.clean(target, seconds=20)


@needs("fio")
def test_failed_runs_are_saved(t):
    target, folder = t.plain(), place(t)
    run = t.run(target, *QUICK, "--slog", "--format", "json", "-o", f"{folder}/result.md",
                env={"PATH": t.fake_fio("exit1", when="runs")})
    checks.equal(run.status, 1, "exit status")
    saved = document(run.out, "stdout")
    checks.equal([run["outcome"] for test in saved["tests"] for run in test["runs"]], ["failed"] * 4, "outcomes")
    checks.contains(read(only_file(folder)), "failed", "the Markdown file")
    t.clean(target)


@needs("root")
def test_an_older_file_stays_until_there_is_a_newer(t):
    target, folder = t.plain(), place(t)
    path = f"{folder}/result.json"
    with open(path, "w", encoding="ascii") as file:
        file.write("precious")
    os.chmod(path, 0o640)
    process = t.start(target, "--yes", "--size", "8g", "--dd", "-o", path)
    checks.until(lambda: t.processes() and target.listing() != target.before, 20, "nothing begins")
    process.signal(signal.SIGINT)
    process.wait(15)
    checks.equal(read(only_file(folder)), "precious", "the file after a run that measured nothing")
    t.run(target, *DD, "-o", path)
    document(read(only_file(folder)), "the file after a run")
    checks.equal(os.stat(path).st_mode & 0o777, 0o640, "the mode")
    t.clean(target)


@needs("fio", "root")
def test_a_full_disk_loses_nothing(t):
    """It becomes full while it is measured: what was saved before stays, and the measurement goes on."""
    target, folder = t.plain(), place(t)
    mounts.must("mount", "-t", "tmpfs", "-o", "size=256k", "speedtest-e2e", folder)
    process = t.start(target, *QUICK, "--slog", "-o", f"{folder}/result.json")
    t.in_a_run(process, 2)
    with open(f"{folder}/filler", "wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096) == 4096:
                pass
        except OSError:
            pass
    run = process.wait(30)
    checks.equal(run.status, 1, "exit status")
    checks.matches(run.err, r"^speedtest-hd: .*result\.json.*no space left", "stderr")
    checks.slog_table(run.out)
    saved = document(read(f"{folder}/result.json"), "the file")
    checks.equal((saved["state"], len(runs_of(saved))), ("running", 1), "state and runs")
    checks.equal(sorted(os.listdir(folder)), ["filler", "result.json"], "files")
    t.clean(target)


def test_output_files_that_cannot_be(t):
    target, folder = t.plain(), place(t)
    os.mkdir(f"{folder}/taken.json")
    os.mkfifo(f"{folder}/pipe.json")
    for path, part in ((f"{folder}/none/x.json", "does not exist"), (f"{folder}/taken.json", "taken.json"),
                       (f"{folder}/pipe.json", "pipe.json"), (f"{folder}/x.pdf", ".json"), (f"{folder}/x", ".json"),
                       ("", "-o")):
        run = t.run(target, *QUICK, "-o", path)
        checks.equal((run.status, run.out), (2, ""), f"'{path}': exit status and stdout")
        line = run.err.splitlines()[0]
        checks.contains(line, part, f"'{path}': stderr")
    twice = t.run(target, *QUICK, "-o", f"{folder}/a.json", "-o", f"{folder}/../{os.path.basename(folder)}/a.json")
    checks.equal(twice.status, 2, "the same file twice")
    checks.equal(sorted(os.listdir(folder)), ["pipe.json", "taken.json"], "files")
    t.clean(target)


@needs("users")
def test_files_belong_to_the_user(t):
    user = t.user("plain")
    target, folder = t.plain(owner=user), place(t)
    os.chown(folder, os.stat(target.path).st_uid, -1)
    run = t.run(target, *DD, "-o", f"{folder}/result.json", user=user)
    checks.equal(run.status, 0, "exit status")
    checks.equal(os.stat(only_file(folder)).st_uid, os.stat(target.path).st_uid, "the owner")
    os.chmod(folder, 0o555)
    run = t.run(target, *DD, "-o", f"{folder}/other.json", user=user)
    checks.equal(run.status, 2, "exit status where nothing may be made")
    checks.contains(checks.one_sentence(run.err.replace("Try 'speedtest-hd --help'.\n", ""), "stderr"), "permission", "")
    t.clean(target)


def test_nothing_is_left_of_a_measurement_that_was_not_confirmed(t):
    target, folder = t.plain(), place(t)
    terminal = t.terminal(target, "--size", "16m", "--dd", "-o", f"{folder}/result.json")
    terminal.wait_for(r"\[y/N\]|\(y/n\)|yes")
    terminal.type("n\r")
    checks.equal(terminal.wait(15).status, 1, "exit status")
    checks.equal(os.listdir(folder), [], "files")
    t.clean(target)


# Comparison

def saved_dd(t, target, group, path, *options):
    run = t.run(target, "--yes", "--size", "32m", "--dd", "--runs", "5", "-o", path, *options, before_exec=group.join)
    checks.true(run.status in (0, 5), f"exit status {run.status}")
    return run


@alone
@timeout(200)
@needs("loop")
def test_a_real_slow_down_is_found(t):
    """The same throttled device as it was, and 10 % slower. (Faster ones are held to their limit less exactly.)"""
    target, folder = t.ext4(), place(t)
    with groups.DeviceGroup(groups.device_number(target.loop)) as group:
        group.limit(read_bps=40_000_000, write_bps=40_000_000)
        saved_dd(t, target, group, f"{folder}/before.json")
        group.limit(read_bps=36_000_000, write_bps=36_000_000)
        slower = saved_dd(t, target, group, f"{folder}/after.json", "--compare", f"{folder}/before.json",
                          "--fail-slower", "5")
    for row in ("Write, fsync at the end", "Read, uncached"):
        checks.matches(slower.out, rf"\| {row} .*-(9|10|11)\.\d %.* slower +\|", "the slower device")
        checks.matches(slower.err, rf"^speedtest-hd: .*{row}.*slower", "the complaint")
    checks.equal(slower.status, 5, "exit status with --fail-slower 5")
    before, after = f"{folder}/before.json", f"{folder}/after.json"
    again = t.run("--load", after, "--compare", before)
    checks.equal(again.status, 0, "exit status without a threshold")
    checks.equal(again.out[again.out.index("+---"):], slower.out[slower.out.index("+---"):], "the comparison of files")
    same = t.run("--load", before, "--compare", before, "--compare", after, "--fail-slower", "0")
    checks.equal(same.status, 0, "exit status of a file and itself")
    t.clean(target)


@needs("root")
def test_comparison_of_single_runs_and_other_profiles(t):
    target, folder = t.plain(), place(t)
    before = f"{folder}/before.json"
    t.run(target, *DD, "-o", before)
    run = t.run(target, "--yes", "--size", "32m", "--dd", "--compare", before)
    checks.contains(run.out, "cannot tell: one run each, use --runs 5", "the verdict")
    checks.matches(run.out, r"(?i)test file.*16 MiB.*32 MiB", "what differs")
    refused = t.run(target, *QUICK, "--slog", "--compare", before)
    checks.equal((refused.status, refused.out), (2, ""), "another profile")
    checks.contains(refused.err, before, "another profile: stderr")
    t.clean(target)


# Thresholds

@needs("root")
def test_thresholds(t):
    target, folder = t.plain(), place(t)
    saved = f"{folder}/result.json"
    run = t.run(target, *DD, "-o", saved, "--fail-below", "Write, fsync at the end mb_per_s=1", "--fail-above",
                "Read, uncached mb_per_s=0.001")
    checks.equal(run.status, 5, "exit status")
    misses = [line for line in run.err.splitlines() if "speedtest-hd: " in line and "0.001" in line]
    checks.equal(len(misses), 1, f"lines of misses in {run.err!r}")
    met = t.run("--load", saved, "--fail-below", "Write, fsync at the end mb_per_s=1")
    checks.equal(met.status, 0, "exit status where it is met")
    for text in ("RND4K Q1T1 read iops=1", "Write iops", "Write, fsync at the end iops=5", "x=1", "", "T1 p99_us=-5",
                 "Write, fsync at the end mb_per_s=nan"):
        wrong = t.run(target, *DD, "--fail-below", text)
        checks.equal((wrong.status, wrong.out), (2, ""), f"'{text}': exit status and stdout")
    checks.equal(t.run(target, *DD, "--fail-slower", "5").status, 2, "--fail-slower without --compare")
    t.clean(target)


# Hostile files

def test_hostile_files(t):
    folder = place(t)
    good = json.dumps({"format": "speedtest-hd", "format_version": 1})
    hostile = {
        "empty.json": b"", "cut.json": good[:-1].encode(), "other.json": b"{\"fio version\": \"fio-3.33\", \"jobs\": []}",
        "array.json": b"[]", "deep.json": b"[" * 100000, "newer.json": good.replace(": 1", ": 99").encode(),
        "nul.json": b"{\"format\": \"speedtest\0-hd\"}", "bare.json": good.encode(), "noise.json": os.urandom(100000),
        "escape.json": b"{\"format\": \"\\u001b[31m<script>\"}", "utf8.json": b"{\"format\": \"\xff\xfe\"}",
    }
    for name, content in hostile.items():
        with open(f"{folder}/{name}", "wb") as file:
            file.write(content)
    with open(f"{folder}/large.json", "wb") as file:
        file.truncate(100 << 20)
    os.mkdir(f"{folder}/folder.json")
    os.mkfifo(f"{folder}/pipe.json")
    for name in [*hostile, "large.json", "folder.json", "pipe.json", "none.json"]:
        for options in (("--load", f"{folder}/{name}"), (t.plain(), *QUICK, "--compare", f"{folder}/{name}")):
            run = t.run(*options, seconds=10)
            checks.equal((run.status, run.out), (2, ""), f"{name}: exit status and stdout")
            checks.contains(checks.one_sentence(run.err, name), name, "stderr")
            checks.no_control_bytes(run.err_bytes, f"{name}: stderr")
