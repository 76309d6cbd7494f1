"""The experiment of --diagnose changes the machine: whatever ends it, everything is put back."""

import os
import signal
import stat
import struct
import time
import traceback

from lab import census, checks, linux
from lab.context import Context
from lab.session import needs, timeout
from lab.terminal import Terminal

CPU = "/sys/devices/system/cpu"
LATENCY = "/dev/cpu_dma_latency"
LOCK = "/sys/bus/cpu/drivers_probe"
GUARDIAN = "cpu-restorer"
DIAGNOSE = ("--slog", "--diagnose", "--yes", "--runtime", "1", "--size", "16m")
POLICIES = (
    {"scaling_governor": "powersave", "energy_performance_preference": "balance_performance"},
    {"scaling_governor": "powersave", "energy_performance_preference": "power"},
    {"scaling_governor": "userspace", "scaling_setspeed": "1200000"},
    {"scaling_governor": "performance", "energy_performance_preference": "performance"},
)
COMMON = {
    "scaling_available_governors": "conservative ondemand userspace powersave performance schedutil ",
    "scaling_driver": "intel_pstate", "cpuinfo_min_freq": "800000", "cpuinfo_max_freq": "3700000",
    "scaling_cur_freq": "1200000",
}


class Machine:
    """Plain files that stand, for the program alone, where the kernel has its frequency domains."""

    def __init__(self, t):
        self.folder, self.kernels, self.lock = t.place("cpu"), t.place("kernels"), t.place("lock")
        os.mkdir(self.kernels)
        with open(os.open(self.lock, os.O_WRONLY | os.O_CREAT, 0o200), "w", encoding="ascii"):
            pass
        os.makedirs(f"{self.folder}/cpufreq")
        for name in os.listdir(CPU):
            if name != "cpufreq":
                os.symlink(f"{self.kernels}/{name}", f"{self.folder}/{name}")
        for number, policy in enumerate(POLICIES):
            os.mkdir(f"{self.folder}/cpufreq/policy{number}")
            for name, value in {**COMMON, **policy}.items():
                self.write(number, name, value)
        self.before = self.times()

    def path(self, number, name):
        return f"{self.folder}/cpufreq/policy{number}/{name}"

    def write(self, number, name, value):
        with open(self.path(number, name), "w", encoding="ascii") as file:
            file.write(value + "\n")

    def read(self, number, name):
        """Its first line: what is shorter than before does not cut a plain file off."""
        with open(self.path(number, name), encoding="ascii") as file:
            return file.readline().rstrip("\n")

    def enter(self):
        """In the program's process, before it is the program. With a lock of its own, for the cases run side by side."""
        linux.own_mounts()
        linux.bind(self.lock, LOCK)
        linux.bind(CPU, self.kernels)
        linux.bind(self.folder, CPU)

    def is_held(self):
        return all(self.read(number, "scaling_governor") == "performance" for number in range(len(POLICIES)))

    def wrong(self):
        """What is not as it was."""
        return [f"{self.path(number, name)}: '{self.read(number, name)}' instead of '{value}'"
                for number, policy in enumerate(POLICIES) for name, value in policy.items()
                if self.read(number, name) != value]

    def times(self):
        """When each file was written last."""
        return [os.stat(self.path(number, name)).st_mtime_ns
                for number, policy in enumerate(POLICIES) for name in policy]

    def restored(self, seconds):
        checks.until(lambda: not self.wrong(), seconds, lambda: "\n".join(self.wrong()))


def latency_us():
    """The limit that all processes together set; None where the kernel has none."""
    try:
        with open(LATENCY, "rb", buffering=0) as file:
            return struct.unpack("i", file.read(4))[0]
    except OSError:
        return None


def is_latency(path, device):
    """By its number: from another mount namespace, in a chroot, its name looks different."""
    try:
        status = os.stat(path)
    except OSError:
        return False
    return stat.S_ISCHR(status.st_mode) and status.st_rdev == device


def holders(entries):
    """Those of the processes that have the device open."""
    found = []
    device = os.stat(LATENCY).st_rdev if os.path.exists(LATENCY) else None
    for entry in entries:
        folder = f"/proc/{entry.pid}/fd"
        try:
            found += [entry for name in os.listdir(folder) if is_latency(f"{folder}/{name}", device)]
        except OSError:
            pass
    return found


# How far the experiment is: see HELD
NOTHING, IDLE, GOVERNORS = "nothing", "C-states", "governors"
HELD = {
    NOTHING: lambda process, machine: census.named("fio", process.pid),
    IDLE: lambda process, machine: holders(census.below(process.pid)),
    GOVERNORS: lambda process, machine: machine.is_held(),
}


def started(t, role, terminal=False, target=None, stage=GOVERNORS):
    """The program with that much held, about to measure with it; with its target and machine."""
    user = t.user(role) if role else None
    target, machine = target or t.plain(owner=user), Machine(t)
    start = t.terminal if terminal else t.start
    process = start(target, *DIAGNOSE, user=user, before_exec=machine.enter)
    end = time.monotonic() + 60
    while not HELD[stage](process, machine):
        checks.true(process.running() and time.monotonic() < end, f"{stage}: never held")
        if isinstance(process, Terminal):
            process.pump(0)
        time.sleep(0.05)
    if stage != GOVERNORS:
        checks.true(not machine.is_held(), "the governors are held already")
        return process, target, machine
    machine.write(0, "energy_performance_preference", "performance")  # as the kernel does
    guardians = census.named(GUARDIAN)
    checks.equal([entry.name for entry in guardians], [GUARDIAN], "guardians")
    checks.lacks(" ".join(guardians[0].command()), "speedtest", "the guardian's command line, for 'pkill -f'")
    return process, target, machine


def keepers(process):
    return census.named("speedtest-hd", process.pid)


# One case each; they run side by side

def runs_to_its_end(t, role):
    process, target, machine = started(t, role)
    if latency_us() is not None:
        checks.true(holders(census.below(process.pid)), f"nobody has {LATENCY} open")
        checks.equal(latency_us(), 0, LATENCY)
    run = process.wait(120)
    machine.restored(0)
    checks.equal(run.status, 0, "exit status")
    checks.contains(run.out, "governor performance", "the experiment's table")
    t.clean(target, seconds=0)


def is_signalled(t, role, number, stage):
    if stage == IDLE and latency_us() is None:
        stage = NOTHING
    process, target, machine = started(t, role, stage=stage)
    process.signal(number)
    run = process.wait(20)
    machine.restored(0)
    checks.equal(run.status, -number, "exit status")
    checks.equal(holders(census.below(os.getpid())), [], f"who has {LATENCY} open")
    t.clean(target)


def meets_somebody_else(t, role):
    """Who sets a governor meanwhile spoils one run; the next holds anew, and leaves what he set at the end."""
    process, target, machine = started(t, role)
    machine.write(1, "scaling_governor", "ondemand")
    run = process.wait(120)
    said = run.out + run.err
    checks.contains(said, "somebody else changed the governor during the run", "the spoilt run")
    checks.lacks(said, "could be set to performance for", "the later runs")
    checks.contains(run.out, "governor performance", "the experiment's table")
    checks.equal(machine.read(1, "scaling_governor"), "ondemand", "what he set")
    checks.equal([line for line in machine.wrong() if "policy1/scaling_governor" not in line], [], "the others")
    t.clean(target)


def loses_its_terminal(t, role):
    terminal, target, machine = started(t, role, terminal=True)
    terminal.hang_up()
    checks.equal(terminal.wait(20).status, -signal.SIGHUP, "exit status")
    t.clean(target)
    machine.restored(0)


def loses_its_front(t, role):
    process, target, machine = started(t, role)
    process.signal(signal.SIGKILL)
    process.wait(5)
    machine.restored(12)
    t.clean(target, seconds=12)


def loses_its_keeper(t, role):
    process, target, machine = started(t, role)
    for entry in keepers(process):
        os.kill(entry.pid, signal.SIGKILL)
    machine.restored(2)
    run = process.wait(40)
    checks.equal(run.status, 1, "exit status")
    checks.error_sentence(run.err, "stderr")
    checks.until(lambda: not t.processes(), 12, lambda: f"processes are left: {t.processes()}")


def loses_all(t, role):
    """The test's folder stays, and goes with the next run."""
    process, target, machine = started(t, role)
    process.signal(signal.SIGSTOP)  # so that it cannot say farewell
    for entry in keepers(process):
        os.kill(entry.pid, signal.SIGKILL)
    process.signal(signal.SIGKILL)
    process.wait(5)
    machine.restored(2)
    checks.until(lambda: not t.processes(), 12, lambda: f"processes are left: {t.processes()}")
    t.interrupted(target, "--slog", user=t.user(role) if role else None)


def loses_fio(t, role):
    process, target, machine = started(t, role)
    fio = checks.until(lambda: census.named("fio", process.pid), 10, "fio never ran")
    for entry in fio:
        os.kill(entry.pid, signal.SIGKILL)
    run = process.wait(120)
    machine.restored(0)
    checks.true(run.status in (0, 1), f"exit status {run.status}")
    t.clean(target)


def waits_for_a_dead_disk(t, role):
    """fio cannot be ended while the disk does not answer; the settings need not wait for that."""
    process, target, machine = started(t, role, target=t.faultfs())
    target.fault(hang_after=1)
    process.signal(signal.SIGTERM)
    machine.restored(4)
    target.fault(hang_after=0)
    checks.equal(process.wait(30).status, -signal.SIGTERM, "exit status")
    t.clean(target, seconds=12)


def loses_sudo(t, role):
    process, target, machine = started(t, role)
    for entry in census.named("sudo"):
        os.kill(entry.pid, signal.SIGKILL)
    process.wait(120)
    machine.restored(2)
    t.clean(target, seconds=12)


def may_not(t, role):
    """Without root nothing is touched, and it says why."""
    target, machine = t.plain(owner=t.user(role)), Machine(t)
    run = t.run(target, *DIAGNOSE, user=t.user(role), before_exec=machine.enter, seconds=120)
    checks.equal(run.status, 0, "exit status")
    checks.equal(machine.times(), machine.before, "when the settings were written")
    checks.contains(run.out + run.err, "needs root", "the output")
    t.clean(target)


def alongside(t, cases):
    """Run the cases side by side, each in a process and a folder of its own."""
    children = {}
    for case, *arguments in cases:
        name = "-".join([case.__name__, *(str(argument) for argument in arguments)])
        folder = f"{t.folder}/{name}"
        os.mkdir(folder)
        pid = os.fork()
        if pid == 0:
            try:
                linux.become_subreaper()
                case(Context(t.session, folder, t.binary), *arguments)
                os._exit(0)
            except BaseException as error:  # also what a test's own mistake raises
                where = "".join(traceback.format_tb(error.__traceback__)[1:])
                with open(f"{folder}/wrong", "w", encoding="utf-8", errors="backslashreplace") as file:
                    file.write(f"{name}:\n{where}{type(error).__name__}: {error}")
            finally:
                os._exit(1)
        children[pid] = folder
    wrong = []
    for pid, folder in children.items():
        if os.waitpid(pid, 0)[1] != 0:
            with open(f"{folder}/wrong", encoding="utf-8") as file:
                wrong.append(file.read())
    checks.true(not wrong, "\n".join(wrong))


def endings(role):
    return [(runs_to_its_end, role), (meets_somebody_else, role), (loses_its_front, role), (loses_its_keeper, role), (loses_all, role),
            (loses_fio, role), (loses_its_terminal, role),
            (is_signalled, role, signal.SIGTERM, GOVERNORS), (is_signalled, role, signal.SIGINT, IDLE),
            (is_signalled, role, signal.SIGHUP, NOTHING)]


@timeout(240)
@needs("fio", "users")
def test_everything_is_put_back(t):
    before, others = latency_us(), holders(census.everything().values())
    dead_disk = [] if t.session.missing("fuse") else [(waits_for_a_dead_disk, None)]
    alongside(t, [*endings(None), *dead_disk, *endings("nopasswd"), (loses_sudo, "nopasswd"), (loses_its_terminal, "nopty"),
                  (may_not, "plain"), (may_not, "fioonly")])
    others += holders(census.everything().values())  # on this machine, whose business it is
    checks.true(latency_us() == before or others, f"{LATENCY}: {before} before, {latency_us()} after")
