#!/usr/bin/env python3
"""Compare the program with bare fio on the same jobs, and check what it costs.

    bench.py --binary ./speedtest-hd [--target FOLDER] [--pairs N] [--runtime SEC] [--quick]

Each figure stands beside its yardstick. What counts is measured on a loop device held to a known speed, where it
repeats well even on a busy machine; the same comparison on the plain target is for information. Needs fio; the loop
devices and control groups need root, and what cannot run says so. Exit status: 0, or 1 if a goal is missed.
"""

import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, f"{ROOT}/tests/e2e"]

import device  # noqa: E402
import runs  # noqa: E402
import saved  # noqa: E402
from accuracy import RUNTIME_S, TOLERANCE, Accuracy, describe_limits, row_name  # noqa: E402
from lab.session import Skip  # noqa: E402

MIB = 1 << 20
SIZE_BYTES = 256 * MIB
SLOG_SIZE_BYTES = 16 * MIB
WALL_GOAL = 1.05
CPU_GOAL_PERCENT = 0.2  # of one core, all its readings included
MEMORY_GOAL_KIB = 8 * 1024
HELP_GOAL_MS = 5.0
STATIC_GOAL_BYTES = 512 * 1024
HELP_SPAWNS = 50
PASSES_MAX = 3
# What a device may do in a second, for each run of a profile in its order. Each is far below what the loop device
# does on a busy machine. One I/O at a time reaches little; 512 at a time need a high limit, so that those still waiting
# at the end are a small part of the run: see LEGEND.
SEQUENTIAL = {"read_bps": 200 * MIB, "write_bps": 150 * MIB}
DEEP = {"read_iops": 14000, "write_iops": 10000}
SINGLE = {"read_iops": 4000, "write_iops": 3000}
CDM_LIMITS = [SEQUENTIAL] * 4 + [DEEP] * 2 + [SINGLE] * 2
SLOG_LIMITS = [{"write_bps": MIB}] * 4
LEGEND = """\
MB/s, IOPS: the program's last pass. tool, fio: the farther of MB/s and IOPS, summed over the jobs, median of the
passes. whole: all of bare fio's I/Os over its longest job's time. The jobs of RND4K Q32T16 end one after the other
while 512 I/Os still wait, so their sum is too high, by about a third of 512 / (limit * runtime) as measured; at 100000
I/Os a second that would be 0.03 %. The first I/Os of a throttled group may exceed its limit as well."""


class Goals:
    """What has been judged so far."""

    def __init__(self):
        self.lines = []
        self.missed = False

    def judge(self, name, passed, figure):
        self.lines.append((name, "PASS" if passed else "FAIL", figure))
        self.missed = self.missed or not passed
        return "PASS" if passed else "FAIL"

    def skip(self, name, reason):
        self.lines.append((name, "skipped", reason))
        print(f"skipped: {reason}")

    def show(self):
        print("\n== Goals")
        for name, verdict, figure in self.lines:
            print(f"{verdict:8s}{name}: {figure}")


def title(text):
    print(f"\n== {text}", flush=True)


def load():
    return f"load {os.getloadavg()[0]:.1f}"


# --- what can be measured without fio -------------------------------------------------------------------------------

def spawn_ms(path, *arguments):
    """The median time of a start with its output thrown away, in milliseconds."""
    times = []
    nowhere = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, nowhere, descriptor) for descriptor in (0, 1, 2)]
    for _ in range(HELP_SPAWNS):
        begun = time.perf_counter()
        pid = os.posix_spawn(path, [path, *arguments], runs.ENVIRONMENT, file_actions=actions)
        if os.waitpid(pid, 0)[1] != 0:
            raise runs.Broken(f"{path} {' '.join(arguments)} failed")
        times.append((time.perf_counter() - begun) * 1e3)
    os.close(nowhere)
    return statistics.median(times)


def bench_help(bench):
    title(f"--help, median of {HELP_SPAWNS} starts")
    yardstick_ms = spawn_ms("/bin/true")
    ours_ms = spawn_ms(bench.binary, "--help")
    verdict = bench.goals.judge(f"--help below {HELP_GOAL_MS:g} ms", ours_ms < HELP_GOAL_MS,
                                f"{ours_ms:.2f} ms (/bin/true: {yardstick_ms:.2f} ms)")
    print(f"speedtest-hd --help {ours_ms:.2f} ms, /bin/true {yardstick_ms:.2f} ms, "
          f"goal below {HELP_GOAL_MS:g} ms: {verdict}")


def bench_static(bench):
    title("Static binary")
    goal = f"static binary below {STATIC_GOAL_BYTES >> 10} KiB"
    made = subprocess.run(["make", "-s", "-C", ROOT, "static"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if made.returncode != 0:
        last = made.stdout.decode("utf-8", "replace").strip().splitlines()[-1:]
        bench.goals.skip(goal, f"make static does not work here: {' '.join(last)}")
        return
    size = os.path.getsize(f"{ROOT}/speedtest-hd-static")
    shared = os.path.getsize(bench.binary)
    verdict = bench.goals.judge(goal, size < STATIC_GOAL_BYTES, f"{size / 1024:.0f} KiB")
    print(f"speedtest-hd-static {size / 1024:.0f} KiB (speedtest-hd, with debugging information, {shared / 1024:.0f} "
          f"KiB), goal below {STATIC_GOAL_BYTES >> 10} KiB: {verdict}")


# --- the table against bare fio -------------------------------------------------------------------------------------

def options(runtime_s, size_bytes=SIZE_BYTES):
    return ["--fio", f"--runtime={runtime_s}", f"--size={size_bytes}"]


def one_pair(bench, place, group, commands, bare_first):
    """Both sides once, one after the other. The rows of each, and the commands."""
    def tool():
        run = runs.run_tool(bench.binary, place, [*options(bench.runtime_s), "--verbose"], group, CDM_LIMITS)
        return run.rows, run.commands

    if bare_first:
        bare = runs.run_bare(commands, place, SIZE_BYTES, group, CDM_LIMITS)[0]
        ours, commands = tool()
    else:
        ours, commands = tool()
        bare = runs.run_bare(commands, place, SIZE_BYTES, group, CDM_LIMITS)[0]
    return ours, bare, commands


def compare(bench, place, group):
    """All pairs, in turns A B, B A, ..., so that a drift of the machine's speed hits both sides alike."""
    ours, bare, commands = {}, {}, None
    for pair in range(bench.pairs):
        one, other, commands = one_pair(bench, place, group, commands, pair % 2 == 1)
        for key in commands:
            if key not in one:
                raise runs.Broken(f"{row_name(key)}: no figure in the table")
            ours.setdefault(key, []).append(one[key].mb_per_s)
            bare.setdefault(key, []).append(other[key].mb_per_s)
        print(f"  pair {pair + 1} of {bench.pairs} done, {load()}", flush=True)
    return ours, bare


def show_comparison(ours, bare, counts):
    """The table of one comparison. The largest deviation of a median from 1, and its row."""
    worst, worst_key = -1.0, None
    print(f"{'':22s}{'tool MB/s':>12s}{'fio MB/s':>12s}{'tool/fio':>10s}   of pairs")
    for key, rates in ours.items():
        ratios = [mine / theirs for mine, theirs in zip(rates, bare[key])]
        median = statistics.median(ratios)
        deviation = abs(median - 1)
        within = "within 2 %" if deviation <= TOLERANCE else "beyond 2 %"
        verdict = ("PASS" if deviation <= TOLERANCE else "FAIL") if counts else within
        print(f"{row_name(key):22s}{statistics.median(rates):12.2f}{statistics.median(bare[key]):12.2f}{median:10.4f}"
              f"   {min(ratios):.3f}..{max(ratios):.3f}  {verdict}")
        if deviation > worst:
            worst, worst_key = deviation, key
    return worst, worst_key


def bench_against_fio(bench):
    goal = "bandwidths within 2 % of bare fio's"
    title(f"Table against bare fio, {bench.pairs} pairs, {bench.runtime_s} s a run, throttled device")
    reason = device.missing("ext4")
    if reason:
        bench.goals.skip(goal, reason)
        return
    with device.Device("ext4") as throttled:
        print(f"{throttled.describe()}; {describe_limits(CDM_LIMITS)}")
        ours, bare = compare(bench, throttled.path, throttled.group)
    worst, key = show_comparison(ours, bare, True)
    bench.goals.judge(goal, worst <= TOLERANCE, f"largest deviation of a median {worst:.2%} ({row_name(key)})")


def bench_plain(bench):
    title(f"Table against bare fio, {bench.pairs} pairs, {bench.runtime_s} s a run, plain target {bench.target}")
    print("for information: no limits, so the noise of the machine is in it (see the range of the pairs)")
    show_comparison(*compare(bench, bench.target, None), False)


# --- what it costs --------------------------------------------------------------------------------------------------

class Cost:
    """What one whole run of the program cost, beside the same with bare fio."""

    def __init__(self, bench, place, commands):
        self.run = runs.run_tool(bench.binary, place, options(bench.cost_runtime_s))
        self.bare_s = runs.run_bare(commands, place, SIZE_BYTES, runtime_s=bench.cost_runtime_s)[1]
        self.ratio = self.run.wall_s / self.bare_s
        inside = [sample for sample in self.run.watch.samples if sample[0] >= (self.run.laid_out_s or 0)]
        first, last = inside[0], inside[-1]
        self.elapsed_s = last[0] - first[0]
        self.front, self.keeper, self.fio = (100 * (last[i] - first[i]) / self.elapsed_s for i in (1, 2, 3))
        self.peak_kib = self.run.watch.peak_kib


def show_costs(bench, costs):
    ratio = statistics.median(cost.ratio for cost in costs)
    cpu = statistics.median(cost.front + cost.keeper for cost in costs)
    peak_kib = max(sum(cost.peak_kib.values()) for cost in costs)
    for cost in costs:
        print(f"wall: program {cost.run.wall_s:.2f} s, bare layout and jobs {cost.bare_s:.2f} s: {cost.ratio:.3f}")
        print(f"CPU in {cost.elapsed_s:.1f} s of fio runs: front {cost.front:.3f} %, keeper {cost.keeper:.3f} %, "
              f"fio itself {cost.fio:.0f} % of one core")
        print("peak memory: " + ", ".join(f"{role} {kib} KiB" for role, kib in cost.peak_kib.items()))
    print("wall " + bench.goals.judge(f"wall time at most {WALL_GOAL} of the bare jobs and layout", ratio <= WALL_GOAL,
                                      f"{ratio:.3f}"))
    print("CPU " + bench.goals.judge(f"own CPU below {CPU_GOAL_PERCENT:g} % of one core", cpu < CPU_GOAL_PERCENT,
                                     f"{cpu:.3f} %"))
    print("memory " + bench.goals.judge(f"peak memory below {MEMORY_GOAL_KIB >> 10} MiB", peak_kib < MEMORY_GOAL_KIB,
                                        f"{peak_kib / 1024:.2f} MiB, both processes together"))


def bench_cost(bench):
    title(f"Whole program, {bench.cost_runtime_s} s a run, 256 MiB, {bench.cost_rounds} time(s)")
    reason = device.missing("ext4")
    place = bench.target if reason else None
    if reason:
        print(f"on the plain target {place} ({reason})")
        costs = measure_costs(bench, place)
    else:
        with device.Device("ext4") as unthrottled:
            print(f"{unthrottled.describe()}, no limits")
            costs = measure_costs(bench, unthrottled.path)
    show_costs(bench, costs)


def measure_costs(bench, place):
    commands = runs.run_tool(bench.binary, place, [*options(1), "--verbose"]).commands
    return [Cost(bench, place, commands) for _ in range(bench.cost_rounds)]


# --- a device of known speed ----------------------------------------------------------------------------------------

def measure_accuracy(bench, goal, throttled, accuracy):
    """Once, and up to twice more where a row is off; then medians count."""
    print(describe_limits(accuracy.limits), flush=True)
    passes = 0
    while passes == 0 or (passes < PASSES_MAX and not accuracy.within()):
        accuracy.one_pass(bench, throttled)
        passes += 1
    accuracy.show()
    verdicts = {key: accuracy.verdict(key) for key in accuracy.tool}
    key = max(accuracy.tool, key=lambda one: abs(statistics.median(accuracy.tool[one]) - 1))
    figure = f"farthest {statistics.median(accuracy.tool[key]):.4f} ({row_name(key)})"
    unreached = [row_name(one) for one, verdict in verdicts.items() if verdict == "out of reach"]
    figure += f"; out of bare fio's reach too: {', '.join(unreached)}" if unreached else ""
    figure += f"; median of {passes} passes, {load()}" if passes > 1 else ""
    bench.goals.judge(goal, "FAIL" not in verdicts.values(), figure)


def bench_accuracy(bench):
    title(f"Reported / limit on a throttled device, {RUNTIME_S} s a run")
    for file_system in bench.accuracy_file_systems:
        goal = f"within 2 % of the limit, CDM rows on {file_system}"
        reason = device.missing(file_system)
        if reason:
            bench.goals.skip(goal, reason)
            continue
        with device.Device(file_system) as throttled:
            print(f"{throttled.describe()}")
            measure_accuracy(bench, goal, throttled, Accuracy(["--fio"], SIZE_BYTES, CDM_LIMITS))
            if file_system == "ext4":  # on xfs the log's own writes count against the limit
                measure_accuracy(bench, "within 2 % of the limit, SLOG rows on ext4", throttled,
                                 Accuracy(["--slog"], SLOG_SIZE_BYTES, SLOG_LIMITS))
    print(LEGEND)


# --- the whole ------------------------------------------------------------------------------------------------------

class Bench:
    """The options, and the goals."""

    def __init__(self, arguments, binary):
        self.binary, self.target = binary, os.path.realpath(arguments.target)
        self.pairs = 2 if arguments.quick else arguments.pairs
        self.runtime_s = 1 if arguments.quick else arguments.runtime
        self.cost_runtime_s = 5  # what the goal for the wall time is meant for
        self.cost_rounds = 1 if arguments.quick else 2
        self.accuracy_file_systems = ("ext4",) if arguments.quick else ("ext4", "xfs")
        self.goals = Goals()


SECTIONS = {"help": bench_help, "static": bench_static, "fio": bench_against_fio, "cost": bench_cost,
            "accuracy": bench_accuracy, "plain": bench_plain, "load": lambda bench: saved.bench_load(bench, title),
            "verdicts": lambda bench: saved.bench_verdicts(bench, title)}


def parse_arguments():
    parser = argparse.ArgumentParser(description="compare speedtest-hd with bare fio")
    parser.add_argument("--binary", required=True)
    parser.add_argument("--target", default="/var/tmp", help="plain folder to measure in (default: %(default)s)")
    parser.add_argument("--pairs", type=int, default=5, help="pairs of runs to compare (default: %(default)s)")
    parser.add_argument("--runtime", type=int, default=2, help="seconds a run in pairs (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="two pairs and short runs, to try it out")
    parser.add_argument("--only", action="append", choices=list(SECTIONS), help="this section alone; may be repeated")
    return parser.parse_args()


def interrupted(number, _):
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, signal.SIG_IGN)  # cleaning up is not to be interrupted
    raise SystemExit(128 + number)


def run_sections(bench, names):
    """Every section; one that breaks is a missed goal, and the others go on."""
    for name in names:
        if name in ("fio", "cost", "accuracy", "plain") and not shutil.which("fio"):
            title(name)
            bench.goals.skip(name, "fio is not installed")
            continue
        try:
            SECTIONS[name](bench)
        except Skip as reason:
            bench.goals.skip(name, str(reason))
        except (runs.Broken, RuntimeError, OSError, ArithmeticError, LookupError, ValueError) as error:
            print(f"{name} broke off: {type(error).__name__}: {error}")
            bench.goals.judge(name, False, f"broke off: {error}")


def main():
    arguments = parse_arguments()
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, interrupted)
    with tempfile.TemporaryDirectory(prefix="speedtest-hd-bench.") as folder:
        # A copy: who builds meanwhile does not change what is measured.
        binary = shutil.copy(arguments.binary, f"{folder}/speedtest-hd")
        bench = Bench(arguments, binary)
        print(f"{os.cpu_count()} cores, Linux {os.uname().release}, {load()}")
        run_sections(bench, arguments.only or list(SECTIONS))
    bench.goals.show()
    sys.exit(1 if bench.goals.missed else 0)


if __name__ == "__main__":
    main()
