"""Put a situation of the table in truths.py to the program, and judge what it says."""

import contextlib
import os
import pwd
import re
import signal
import time

from . import checks, groups, loads, truths
from .outsiders import Outsiders
from .session import Skip

IDS = ("served-from-ram", "partly-from-ram", "never-written", "not-yet-on-device", "amplified", "depth-not-reached",
       "direct-not-honoured", "cpu-bound", "shortened", "flush-failed", "other-traffic", "compressed", "above-link",
       "fits-in-cache", "source-unknown")
DISTURBANCES = {"cpu-bound", "other-traffic"}
ATTEMPTS = 3
QUIET_PROCESSORS, QUIET_BYTES_PER_S = 0.2, 10e6
CELL = re.compile(r"^ *(\[?)([\d.]+|failed|unknown|-)(\]?)([*? ])$")
SENTENCE_ID = re.compile(r"\[([a-z]+(?:-[a-z]+)*)\](?=\s|$)")


class Verdict:
    """What the program's output says about its own numbers."""

    def __init__(self, out):
        self.out = out
        self.cells = {}  # run -> state, see truths.py
        lines = out.splitlines()
        rules = [number for number, line in enumerate(lines) if line.startswith("+--")]
        checks.true(len(rules) == 3, f"{len(rules)} rules of a table in:\n{checks.shown(out)}")
        titles = [part.strip() for part in lines[rules[0] + 1].strip("|").split("|")]
        for line in lines[rules[1] + 1:rules[2]]:
            self.take_row(titles, line)
        self.below = "\n".join(lines[rules[2] + 1:])
        self.ids = set(SENTENCE_ID.findall(self.below))
        self.checked = any(line.startswith("Checked:") for line in lines[rules[2] + 1:])

    def take_row(self, titles, line):
        first, *parts = line[1:-1].split("|")
        name = " ".join(first.split())
        for title, part in zip(titles[1:], parts):
            match = CELL.match(part)
            checks.true(match, f"the cell '{part}' of the row '{line}'")
            bracket, text, closing, mark = match.groups()
            checks.equal(bool(bracket), bool(closing), f"brackets in '{part}'")
            if text == "-":
                continue
            state = "F" if text == "failed" else "[" if bracket else mark
            run = name + (" read" if title.startswith("Read (") else " write" if title.startswith("Write (") else "")
            known = self.cells.setdefault(run, state)
            checks.equal(state, known, f"the state of '{title}' in '{line}', which is the same run")


def right_states(situation, run):
    for expression, states in situation.cells:
        if re.search(expression, run):
            return states
    return " "


def judge(situation, verdict, whole):
    """All that is wrong with a verdict; an empty list if it is right. `whole`: all runs were made."""
    wrong = []
    for run, state in verdict.cells.items():
        states = right_states(situation, run)
        if state not in states:
            wrong.append(f"the cell '{run}' is '{state}' instead of '{states}'")
    allowed = set(situation.may)
    for wanted in situation.found + situation.later:
        names = set(wanted.split("|"))
        allowed |= names
        if not names & verdict.ids and (whole or wanted in situation.found):
            wrong.append(f"[{wanted}] is not found")
    wrong += [f"[{name}] does not belong here" for name in sorted(verdict.ids - allowed)]
    wrong += [f"[{name}] is not an id" for name in sorted(verdict.ids - set(IDS))]
    if not verdict.ids and not verdict.checked:
        wrong.append("no line 'Checked:' below a clean table")
    return wrong


# --- running --------------------------------------------------------------------------------------------------------

def shim_path(t, situation, runtime_s):
    how = dict(situation.shim)
    if how["mode"] == "replay":
        how["FAKE_RECORDED"] = f"{t.session.tests}/fixtures/fio/recorded"
        how["FAKE_SLEEP"] = str(runtime_s)
    return t.fake_fio(**how)


def before_exec(situation, joins):
    """What the program's process does before it becomes the program."""
    def prepare():
        for group in joins:
            group.join()
        if situation.pin:
            os.sched_setaffinity(0, situation.pin)
    return prepare


@contextlib.contextmanager
def surroundings(t, situation, target, runtime_s):
    """All around the run: groups, loads, the user, a shim. Yields the arguments for starting the program."""
    with contextlib.ExitStack() as stack:
        joins, how = [], {}
        if situation.throttle:
            joins.append(stack.enter_context(groups.DeviceGroup(groups.device_number(target.loop))))
            joins[-1].limit(**situation.throttle)
        if situation.cpu_share:
            joins.append(stack.enter_context(groups.CpuGroup(situation.cpu_share)))
        if situation.load:
            place = situation.load_place(t).path if situation.load_place else target.path
            stack.enter_context(loads.on_disk(place, **situation.load))
        if situation.spin:
            stack.enter_context(loads.on_cpus(*situation.spin))
        if situation.user:
            how["user"] = t.user(situation.user)
            os.chown(target.path, pwd.getpwnam(how["user"]).pw_uid, -1)
        if situation.shim:
            how["env"] = {"PATH": shim_path(t, situation, runtime_s)}
        yield dict(how, before_exec=before_exec(situation, joins))


def start_and_end(t, situation, target, runtime_s, size_mib, runs, how):
    """The program to its end, or interrupted after so many runs; the Run, and the exit status that is right."""
    process = t.start(target, "--yes", "--size", f"{situation.size_mib or size_mib}m", "--runtime", str(runtime_s),
                      *situation.options, **how)
    if situation.fault:
        t.in_a_run(process)
        target.fault(**situation.fault)
    if not runs:
        return process.wait(60 + 40 * runtime_s), situation.status
    t.in_a_run(process, runs + 1)
    process.signal(signal.SIGINT)
    return process.wait(20), -signal.SIGINT


def busy():
    """What share of the processors is at work, and the bytes a second that all disks move, over half a second."""
    def look():
        with open("/proc/stat", encoding="ascii") as file:
            times = list(map(int, file.readline().split()[1:9]))
        with open("/proc/diskstats", encoding="ascii") as file:
            sectors = sum(int(line.split()[5]) + int(line.split()[9]) for line in file)
        return sum(times) - times[3] - times[4], sum(times), sectors * 512
    before = look()
    time.sleep(0.5)
    work, whole, moved = (after - earlier for after, earlier in zip(look(), before))
    return work / max(whole, 1), moved / 0.5


def is_quiet():
    processors, bytes_per_s = busy()
    return processors < QUIET_PROCESSORS and bytes_per_s < QUIET_BYTES_PER_S


def wait_for_quiet(seconds):
    """Wait until nobody else is at work, so many seconds at most."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not is_quiet():
        pass


def names_others(situation, verdict):
    """Whether the program names nothing wrong but others at work."""
    strange = verdict.ids - {name for wanted in (*situation.found, *situation.later, *situation.may)
                             for name in wanted.split("|")}
    return bool(strange) and strange <= DISTURBANCES


def others_at_work(situation, outsiders):
    """
    What others did while the program ran, by other means than the program's; None if nothing, or if it is the
    situation's own. Kernel threads work for whoever uses the disk, so what these did shows in the rest after the run.
    """
    if situation.load or situation.spin:
        return None
    if outsiders.disturbed():
        return str(outsiders)
    return None if is_quiet() else "the machine was busy behind the run as well"


def once(t, situation, runtime_s, size_mib, runs):
    """Run the program in the situation: what is wrong, and, where that may be others' work alone, what these did."""
    target = situation.place(t)
    with surroundings(t, situation, target, runtime_s) as how, Outsiders() as outsiders:
        run, status = start_and_end(t, situation, target, runtime_s, size_mib, runs, how)
    wrong = [] if run.status == status else [f"exit status {run.status} instead of {status}"]
    try:
        verdict = Verdict(run.out)
    except AssertionError as error:
        return [*wrong, str(error)], None
    excuse = others_at_work(situation, outsiders) if names_others(situation, verdict) else None
    return wrong + judge(situation, verdict, not runs), excuse


def examine(t, situation, runtime_s=1, size_mib=16, runs=0, patience_s=10):
    """
    Make the situation, run the program in it, raise what is wrong. `runs`: so many, 0 for all. Where others really
    disturbed the machine, which the program then says and rightly, it is asked again, and the result shows that.
    """
    for attempt in range(ATTEMPTS):
        if attempt:
            wait_for_quiet(patience_s)
        wrong, others = once(t, situation, runtime_s, size_mib, runs)
        if not wrong or not others:
            break
        t.remarks.append(f"asked again: {others}")
    if wrong and others:
        raise Skip(f"the machine was never quiet: {others}")
    checks.true(not wrong, f"{situation.kind} {situation.name}, attempt {attempt + 1}: " + "; ".join(wrong))
