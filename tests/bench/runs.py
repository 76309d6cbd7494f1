"""Runs of the program and of bare fio, and what came of them."""

import json
import os
import re
import selectors
import shlex
import shutil
import subprocess
import tempfile
import time

from lab import census

FILE_NAME = "speedtest-hd.bench"
POLL_S = 0.1
ENVIRONMENT = dict(os.environ, LC_ALL="C")
COMMAND = re.compile(r"^--- (.+): fio (.*)$")
PROGRESS = re.compile(r"^\[(layout|\d+)(/\d+)?\] ")


class Broken(Exception):
    """A run that gave no figures; the reason."""


class Rate:
    """Bandwidth in MB/s and I/Os per second of one row in one direction."""

    def __init__(self, mb_per_s, iops, whole_iops=None):
        self.mb_per_s, self.iops = mb_per_s, iops
        self.whole_iops = whole_iops  # all I/Os over the longest job's time, where fio's own figures are at hand


class Watch:
    """What the program's own processes use while they run; fio is theirs, but not counted."""

    def __init__(self, pid):
        self.front, self.keeper = pid, None
        self.peak_kib = {}
        self.samples = []  # (seconds, front's CPU seconds, keeper's, fio's that has ended)

    @staticmethod
    def cpu_s(pid):
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[0]) / 1e9

    @staticmethod
    def children_cpu_s(pid):
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")

    def find_keeper(self):
        with open(f"/proc/{self.front}/comm", encoding="utf-8") as file:
            name = file.read().strip()
        for entry in census.below(self.front):
            if entry.name == name and entry.pid != self.front:
                self.keeper = entry.pid

    def sample(self):
        try:
            if not self.keeper:
                self.find_keeper()
            for role, pid in (("front", self.front), ("keeper", self.keeper)):
                if pid:
                    with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
                        found = re.search(r"^VmHWM:\s+(\d+)", file.read(), re.MULTILINE)
                    if found:
                        self.peak_kib[role] = max(self.peak_kib.get(role, 0), int(found.group(1)))
            if self.keeper:
                self.samples.append((time.monotonic(), self.cpu_s(self.front), self.cpu_s(self.keeper),
                                     self.children_cpu_s(self.keeper)))
        except (OSError, ValueError):
            pass  # one of them has just ended


class ToolRun:
    """One run of the program: its table, its commands and what it used."""

    def __init__(self):
        self.rows = {}      # (label, direction) -> Rate
        self.commands = {}  # (label, direction) -> arguments for fio
        self.wall_s = 0.0
        self.watch = None
        self.laid_out_s = None


def end(process):
    """Stop a child that must not outlive us."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def read_table(text, run):
    """The rows of either table, as Rates without their marks; a row that failed is left out."""
    for line in text.splitlines():
        cells = [cell.rstrip("*?").strip() for cell in line.split("|")[1:-1]]
        try:
            numbers = [float(cell) for cell in cells[1:]]
        except ValueError:
            continue
        label = " ".join(cells[0].split()) if cells else ""
        if label.startswith("4K sync"):
            run.rows[label, "write"] = Rate(numbers[1], numbers[0])
        elif len(numbers) == 4:
            run.rows[label, "read"] = Rate(numbers[0], numbers[2])
            run.rows[label, "write"] = Rate(numbers[1], numbers[3])


def run_tool(binary, folder, options, group=None, limits=None):
    """Run the program on a folder; in a group, each of its runs under its own limits, the layout under none."""
    run = ToolRun()
    if group:
        group.limit()
    begun = time.monotonic()
    process = subprocess.Popen([binary, folder, "--yes", *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=ENVIRONMENT, preexec_fn=group.join if group else None)
    run.watch = Watch(process.pid)
    texts = {process.stdout: b"", process.stderr: b""}
    errors = []

    def take_line(line):
        found = COMMAND.match(line)
        if found and not line.startswith("--- trial "):
            label, _, direction = found.group(1).rpartition(" ")
            run.commands[label, direction] = shlex.split(found.group(2))
            return
        found = PROGRESS.match(line)
        if found:
            finished = 0 if found.group(1) == "layout" else int(found.group(1))
            run.laid_out_s = run.laid_out_s or time.monotonic()
            if group and finished < len(limits):
                group.limit(**limits[finished])
            run.watch.sample()
        errors.append(line)

    try:
        with selectors.DefaultSelector() as selector:
            for stream in texts:
                selector.register(stream, selectors.EVENT_READ)
            while selector.get_map():
                for key, _ in selector.select(POLL_S):
                    piece = os.read(key.fd, 1 << 16)
                    if not piece:
                        selector.unregister(key.fileobj)
                    texts[key.fileobj] += piece
                    while key.fileobj is process.stderr and b"\n" in texts[process.stderr]:
                        line, _, texts[process.stderr] = texts[process.stderr].partition(b"\n")
                        take_line(line.decode("utf-8", "replace"))
                run.watch.sample()
        status = process.wait()
    finally:
        end(process)
        process.stdout.close()
        process.stderr.close()
    run.wall_s = time.monotonic() - begun
    read_table(texts[process.stdout].decode("utf-8", "replace"), run)
    if status != 0 or not run.rows:
        raise Broken(f"{' '.join([os.path.basename(binary), *options])}: status {status}: {' / '.join(errors[-3:])}")
    return run


class BareFolder:
    """A folder with a laid-out test file, as the program has one, for bare fio. A context."""

    block = None

    def __init__(self, target, size_bytes):
        self.size_bytes = size_bytes
        self.path = tempfile.mkdtemp(prefix="bench-bare.", dir=target)
        self.layout_s = 0.0

    def __enter__(self):
        if BareFolder.block is None:
            BareFolder.block = os.urandom(64 << 20)  # far wider apart than any file system looks for repeats
        begun = time.monotonic()
        with open(f"{self.path}/{FILE_NAME}", "wb", buffering=0) as file:
            left = self.size_bytes
            while left > 0:
                offset = (self.size_bytes - left) % len(self.block)
                left -= file.write(memoryview(self.block)[offset:offset + min(left, 1 << 20)])
            os.fsync(file.fileno())
        self.layout_s = time.monotonic() - begun
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


def bare_arguments(arguments, output, runtime_s=None):
    """The program's own arguments; only where the output goes is changed, and the runtime if told to."""
    kept = [word for word in arguments if not word.startswith(("--output=", "--eta="))]
    if runtime_s is not None:
        kept = [f"--runtime={runtime_s}" if word.startswith("--runtime=") else word for word in kept]
    return ["fio", *kept, f"--output={output}", "--eta=never"]


def run_fio(arguments, folder, direction, group=None, runtime_s=None):
    """Run bare fio in a folder: its Rate, summed over the jobs like the program does, and its wall time in seconds."""
    with tempfile.TemporaryDirectory(prefix="speedtest-hd-bench.") as place:
        output = f"{place}/json"
        begun = time.monotonic()
        process = subprocess.Popen(bare_arguments(arguments, output, runtime_s), cwd=folder, env=ENVIRONMENT,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   preexec_fn=group.join if group else None)
        try:
            complaint = process.communicate()[1].decode("utf-8", "replace").strip()
        finally:
            end(process)
        wall_s = time.monotonic() - begun
        if process.returncode != 0:
            raise Broken(f"bare fio: status {process.returncode}: {complaint}")
        with open(output, encoding="utf-8", errors="replace") as file:
            text = file.read()
    jobs = [job[direction] for job in json.loads(text[text.index("{"):])["jobs"]]
    # "bw" in KiB/s is the field that every version has; from bytes and time it is exact.
    mb_per_s = sum(job["io_bytes"] / job["runtime"] / 1e3 for job in jobs)
    whole_iops = sum(job["total_ios"] for job in jobs) / max(job["runtime"] for job in jobs) * 1e3
    return Rate(mb_per_s, sum(job["iops"] for job in jobs), whole_iops), wall_s


def run_bare(commands, target, size_bytes, group=None, limits=None, runtime_s=None):
    """The same runs as the program's, with bare fio: the rows, and the wall time of layout and runs in seconds."""
    rows = {}
    with BareFolder(target, size_bytes) as folder:
        total_s = folder.layout_s
        for number, ((label, direction), arguments) in enumerate(commands.items()):
            if group:
                group.limit(**limits[number])
            rows[label, direction], wall_s = run_fio(arguments, folder.path, direction, group, runtime_s)
            total_s += wall_s
    return rows, total_s
