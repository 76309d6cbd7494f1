"""The pages that are looked at: saved results, some of them twisted, as the program itself shows them."""
import copy
import json
import math
import os
import subprocess

SAVED = "tests/fixtures/saved"
HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'&amp;<iframe></title></style><svg onload=alert(1)>-->"
RENDER_SECONDS = 20


def read(name):
    with open(f"{SAVED}/{name}.json", encoding="utf-8") as file:
        return json.load(file)


def without_runs(record, state="running"):
    record.update(state=state, findings=[], checked=None, finished_at=None)
    for test in record["tests"]:
        test["runs"] = []


def repeats():
    """Five runs; a cache is full after two thirds, and the device is slower then."""
    record = read("cdm-tuned")
    record["settings"]["runtime_s"] = 30
    for test in record["tests"]:
        for run in test["runs"]:
            rate, step = run["figures"]["bandwidth_bytes_per_s"], run["pass"] + test["queue_depth"]
            rates = [round(rate * (1.2 if time < 20 else 0.6) * (1 + 0.06 * math.sin(time * step))) for time in range(30)]
            run["series"] = {"interval_s": 1, "time_s": [time + 1.002 for time in range(30)], "bandwidth_bytes_per_s": rates,
                             "device_bytes_per_s": [None] + [round(rate * 0.98) for rate in rates[:29]]}
    return record


def empty():
    record = read("cdm-one-run")
    without_runs(record)
    return record


def one_test():
    record = read("cdm-one-run")
    first = record["tests"][0]["runs"]
    without_runs(record, "interrupted")
    record["tests"][0]["runs"] = first
    return record


def many():
    """100 runs; in the first row each with the longest series there is, a gap in it, and a cache that is full at last."""
    record = read("cdm-tuned")
    record["settings"].update(runs=100, runtime_s=1024)
    for row, test in enumerate(record["tests"]):
        sample = test["runs"][0]
        test["runs"] = []
        for number in range(1, 101):
            run = copy.deepcopy(sample)
            rate = sample["figures"]["bandwidth_bytes_per_s"] * (1 + 0.1 * math.sin(number))
            times = list(range(1, 1025 if row < 2 else 33))
            rates = [round(rate * (1.3 if time < 400 else 0.4) * (1 + 0.1 * math.sin(time * number))) for time in times]
            rates[700:720] = [None] * len(rates[700:720])
            run["pass"] = number
            run["figures"]["bandwidth_bytes_per_s"] = round(rate)
            run["series"] = {"interval_s": 1, "time_s": times, "bandwidth_bytes_per_s": rates,
                             "device_bytes_per_s": [value and round(value * 0.97) for value in rates]}
            test["runs"].append(run)
    return record


def marked():
    """Marks, failures with figures and without, a warm-up, a ramp; a series of one point, and one that is unknown."""
    record = repeats()
    record["settings"].update(warmup=True, ramp_s=2)
    record["notes"] = ["the test file is smaller than the memory"]
    for test in record["tests"]:
        test["runs"].insert(0, dict(copy.deepcopy(test["runs"][0]), **{"pass": 0}))
    record["findings"] = []
    for number, (mark, test) in enumerate((("*", 0), ("*", 4), ("?", 1), ("", 2))):
        for run in record["tests"][test]["runs"]:
            run["mark"] = mark
        record["findings"].append({
            "id": f"finding-of-kind-{number}", "mark": mark,
            "sentence": "A sentence about it that is long enough to need more than one line on a telephone, and says what "
                        f"to do about it. [finding-of-kind-{number}]",
            "places": [{"test": test, "pass": number + 1} for number in range(5)]})
    for run in record["tests"][7]["runs"]:
        run.update(outcome="failed", reason="it ended after 3 of 5 s", failure_id="shortened")
    for run in record["tests"][6]["runs"]:
        run.update(outcome="failed", reason="fio: Input/output error", figures=None)
    for run in record["tests"][2]["runs"]:
        run["series"] = {key: value[:1] if isinstance(value, list) else value for key, value in run["series"].items()}
    for run in record["tests"][3]["runs"]:
        for key in ("bandwidth_bytes_per_s", "device_bytes_per_s"):
            run["series"][key] = [None] * len(run["series"][key])
    return record


def hostile(name="hostile"):
    """The same nasty text wherever a file can hold text, in names of tests and findings too."""
    record = read(name)

    def twist(value, key):
        if isinstance(value, dict):
            return {name: twist(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [twist(inner, key) for inner in value]
        kept = ("format", "profile", "state", "direction", "pattern", "mark", "outcome", "started_at", "finished_at",
                "began_at", "honoured_read", "honoured_write", "storage", "part", "sync_method")
        return HOSTILE if isinstance(value, str) and key not in kept else value

    for number, test in enumerate(record["tests"]):
        test["name"] = f"{number} {HOSTILE}"
    names = [test["name"] for test in record["tests"]]
    record = twist(record, None)
    for test, name in zip(record["tests"], names):
        test["name"] = name
    return record


def wide(letter):
    record = read("cdm-tuned")
    text = letter * (200 // len(letter.encode()))
    record.update(label=text, host=text, checked=text, notes=[text])
    record["settings"]["command"] = record["target"]["path"] = record["target"]["device"] = text
    for fact in record["environment"]:
        fact.update(subject=text, value=text)
    return record


def right_to_left():
    record = read("cdm-one-run")
    record.update(label="שלום CN-08R2 עולם (1)", host="مضيف")
    record["target"]["path"] = "/mnt/مرحبا/x"
    return record


def extremes():
    """Numbers from a byte a second to more than any machine reaches."""
    record = repeats()
    for number, test in enumerate(record["tests"]):
        for run in test["runs"]:
            rate = 10 ** (2 * number + 1) * 1.2345
            run["figures"].update(bandwidth_bytes_per_s=rate, iops=rate)
            run["series"]["bandwidth_bytes_per_s"] = [rate] * len(run["series"]["time_s"])
    for run in record["tests"][3]["runs"]:
        run["figures"].update(bandwidth_bytes_per_s=0, iops=None)
    return record


def long_lines():
    """Headings, sentences and lines for a shell without a blank, and a split at both of its ends."""
    record = read("slog-doctor")
    for number, test in enumerate(record["tests"][:4]):
        for run in test["runs"]:
            run["evidence"]["device_share"] = (0, 1, 0.5, 0.003)[number]
            run["figures"]["latency_p50_ns"] = (1e3, 1.7e10, 328000, 1e18)[number]
    for passage in record["passages"]:
        passage["heading"] += " " + "W" * 200
        for line in passage["lines"]:
            line["text"] += " " + "W" * 300
    record.update(split_is_estimate=True)
    return record


def unknown_split():
    record = read("slog-doctor")
    for test in record["tests"]:
        for run in test["runs"]:
            run["evidence"]["device_share"] = None
    record.update(split_unknown="the log and the data are on the same device, " + "W" * 100, passages=record["passages"][:2])
    return record


def slow_commits():
    record = read("slog-hdd-only")
    for number, test in enumerate(record["tests"]):
        for run in test["runs"]:
            run["figures"].update(latency_p50_ns=900 * 100 ** number, latency_p99_ns=950 * 100 ** number)
    return record


# name, record, files to compare with, further arguments
PAGES = [
    ("repeats", repeats, [], []),
    ("one-run", lambda: read("cdm-one-run"), [], []),
    ("compared", repeats, ["cdm-stock"],
     ["--fail-below", "RND4K Q1T1 read iops=1000000", "--fail-above", "RND4K Q1T1 read p99_us=1000000", "--fail-slower", "5"]),
    ("compared-once", lambda: read("cdm-one-run"), ["cdm-stock"], []),
    ("three", lambda: read("cdm-tuned"), ["cdm-stock", "cdm-interrupted"], []),
    ("slog", lambda: read("slog-optane"), [], []),
    ("slog-compared", lambda: read("slog-optane"), ["slog-hdd-only"], []),
    ("slow-commits", slow_commits, [], []),
    ("doctor", lambda: read("slog-doctor"), [], []),
    ("doctor-compared", lambda: read("slog-doctor"), ["slog-optane"], []),
    ("doctor-hostile", lambda: hostile("slog-doctor"), [], []),
    ("doctor-long", long_lines, [], []),
    ("doctor-unknown", unknown_split, [], []),
    ("dd", lambda: read("dd"), [], []),
    ("interrupted", lambda: read("cdm-interrupted"), [], []),
    ("failed", lambda: read("hostile"), [], []),
    ("marked", marked, [], []),
    ("hostile", hostile, [], []),
    ("empty", empty, [], []),
    ("one-test", one_test, [], []),
    ("many", many, [], ["--score", "best"]),
    ("wide", lambda: wide("W"), ["cdm-stock"], []),
    ("wide-foreign", lambda: wide("語"), [], []),
    ("right-to-left", right_to_left, [], []),
    ("extremes", extremes, [], []),
]


def make(binary, folder, page):
    """Has the program write one page; returns its path."""
    name, record, compared, arguments = page
    saved, path = f"{folder}/{name}.json", f"{folder}/{name}.html"
    with open(saved, "w", encoding="utf-8") as file:
        json.dump(record(), file)
    command = [binary, "--load", saved, "-o", path] + arguments
    for other in compared:
        command += ["--compare", f"{SAVED}/{other}.json"]
    ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=RENDER_SECONDS, check=False)
    if not os.path.exists(path):
        raise RuntimeError(f"status {ended.returncode}: {ended.stderr.decode(errors='replace').strip()[:300]}")
    return path
