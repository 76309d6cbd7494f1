"""Every way a run can end: nothing is left, what is finished is shown, and the status says what happened."""

import os
import re
import resource
import shutil
import signal
import subprocess
import time

from lab import census, checks, mounts
from lab.context import QUICK
from lab.session import needs, sanitized, timeout

def numbers_in(run):
    """How many cells of the table are numbers."""
    return len(re.findall(r"(?<=\| ) *\d+(?:\.\d+)?[*? ](?=\|)", run.out))


def failed_rows(run, names=checks.SLOG_ROWS):
    """The rows that say that they failed."""
    lines = [line for line in run.out.splitlines() if "failed" in line or re.search(r"\[[\d.]+\]", line)]
    return [name for name in names for line in lines if line.startswith(f"| {name} ")]


# Signals

@sanitized
@needs("fio", "loop")
def test_interrupted_at_many_moments(t):
    target = t.ext4()
    for step in range(20):
        process = t.start(target, *QUICK, "--slog")
        time.sleep(0.01 + 0.05 * step)
        process.signal(signal.SIGINT)
        run = process.wait(15)
        checks.equal(run.status, -signal.SIGINT, f"exit status after {0.01 + 0.05 * step:.2f} s")
        checks.true(run.seconds < 0.05 * step + 5, f"it took {run.seconds:.1f} s to end")
        t.clean(target)


@needs("fio", "loop")
def test_interrupted_between_the_runs(t):
    target = t.ext4()
    for step in range(6):
        process = t.start(target, *QUICK, "--slog")
        t.in_a_run(process)
        time.sleep(0.75 + 0.15 * step)
        process.signal(signal.SIGINT)
        run = process.wait(15)
        checks.equal(run.status, -signal.SIGINT, "exit status")
        t.clean(target)


def ended_by(t, number):
    """A signal in the third run: what is finished is shown, and the program dies of that signal."""
    target = t.ext4()
    process = t.start(target, *QUICK)
    t.in_a_run(process, 3)
    process.signal(number)
    run = process.wait(15)
    checks.equal(run.status, -number, "exit status")
    checks.cdm_cells(run.out, rows=1)
    checks.equal(numbers_in(run), 4, "numbers in the table")
    checks.contains(run.err, "interrupted", "stderr")
    t.clean(target)


@sanitized
@needs("fio", "loop")
def test_sigint_shows_what_is_finished(t):
    ended_by(t, signal.SIGINT)


@needs("fio", "loop")
def test_sigterm_shows_what_is_finished(t):
    ended_by(t, signal.SIGTERM)


@needs("fio", "loop")
def test_sighup_shows_what_is_finished(t):
    ended_by(t, signal.SIGHUP)


@needs("fio")
def test_sigquit_cleans_up(t):
    target = t.plain()
    process = t.start(target, *QUICK)
    t.in_a_run(process)
    process.signal(signal.SIGQUIT)
    checks.equal(process.wait(15).status, -signal.SIGQUIT, "exit status")
    t.clean(target)


@needs("fio")
def test_a_signal_to_all_cleans_up(t):
    """As 'pkill -USR1 speedtest-hd' sends it, to both halves."""
    for number in (signal.SIGUSR1, signal.SIGALRM):
        target = t.plain()
        process = t.start(target, *QUICK)
        t.in_a_run(process)
        for entry in census.named("speedtest-hd"):
            os.kill(entry.pid, number)
        checks.equal(process.wait(15).status, -number, "exit status")
        t.clean(target)


@needs("fio")
def test_nohup(t):
    target = t.plain()
    process = t.start(target, *QUICK, "--slog", ignore=(signal.SIGHUP,))
    t.in_a_run(process)
    process.signal(signal.SIGHUP)
    run = process.wait()
    checks.equal(run.status, 0, "exit status")
    checks.slog_table(run.out)
    t.clean(target)


@needs("fio")
def test_two_signals_at_once(t):
    target = t.plain()
    sigint, sigterm = signal.SIGINT, signal.SIGTERM
    for first, second in ((sigint, sigint), (sigterm, sigint), (sigint, sigterm)):
        process = t.start(target, *QUICK)
        t.in_a_run(process)
        process.signal(first)
        process.signal(second)
        run = process.wait(15)
        checks.true(run.status in (-first, -second), f"exit status {run.status}")
        t.clean(target)


@needs("fio")
def test_a_signal_to_the_whole_group(t):
    target = t.plain()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process = t.start(target, *QUICK)
        t.in_a_run(process)
        os.killpg(process.pid, number)
        checks.equal(process.wait(15).status, -number, "exit status")
        t.clean(target)


@needs("root")
def test_dd_interrupted(t):
    target = t.ext4(mib=500)
    for seconds in (0.1, 0.2, 0.4, 0.7):
        process = t.start(target, "--dd", "--yes", "--size", "400m")
        time.sleep(seconds)
        process.signal(signal.SIGTERM)
        checks.equal(process.wait(15).status, -signal.SIGTERM, "exit status")
        t.clean(target)


# In a terminal

@sanitized
@needs("fio")
def test_ctrl_c_at_the_prompt(t):
    target = t.plain()
    terminal = t.terminal(target, "--size", "16m", "--runtime", "1")
    terminal.wait_for(r"Measure now\? \[y/N\] ")
    terminal.type("\x03")
    checks.equal(terminal.wait(10).status, -signal.SIGINT, "exit status")
    t.clean(target)


def answered(t, answer):
    target = t.plain()
    terminal = t.terminal(target, "--size", "16m", "--runtime", "1")
    terminal.wait_for(r"Measure now\? \[y/N\] ")
    terminal.type(answer)
    return target, terminal


@needs("fio")
def test_the_answer_no(t):
    for answer in ("n\n", "\n", "no\n", "x\n", "\x04"):
        target, terminal = answered(t, answer)
        run = terminal.wait(10)
        checks.true(run.status in (0, 1, 2), f"exit status {run.status} after {answer!r}")
        checks.lacks(run.err, "+---", f"the terminal after {answer!r}")
        t.clean(target)


@needs("fio")
def test_the_answer_yes(t):
    for answer in ("y\n", "Y\n", "yes\n"):
        target, terminal = answered(t, answer)
        t.in_a_run(terminal)
        terminal.type("\x03")
        checks.equal(terminal.wait(15).status, -signal.SIGINT, "exit status")
        t.clean(target)


@needs("fio")
def test_the_prompt_says_what_will_happen(t):
    target, terminal = answered(t, "n\n")
    run = terminal.wait(10)
    checks.contains(run.err, target.path, "the target")
    checks.matches(run.err, r"16(\.\d+)? ?(MiB|MB)", "the file's size")
    checks.matches(run.err, r"\d+ ?(s|sec|min)", "the time")
    checks.matches(run.err, r"(?i)writ", "what is written")


@needs("fio", "fuse")
def test_ctrl_c_in_the_layout(t):
    target = t.faultfs(delay_us=60000)
    terminal = t.terminal(target, *QUICK, "--slog")
    checks.until(lambda: terminal.pump(0) or target.counter("bytes_written") > 6 << 20, 60, "the layout never began")
    terminal.watch(0.3)
    terminal.type("\x03")
    run = terminal.wait(15)
    checks.equal(run.status, -signal.SIGINT, "exit status")
    checks.true(run.seconds < 60, "the layout was not interrupted")
    t.clean(target)


@sanitized
@needs("fio", "loop")
def test_ctrl_c_in_a_run(t):
    target = t.ext4()
    terminal = t.terminal(target, *QUICK, "--slog", out_file=True)
    t.in_a_run(terminal, 2)
    terminal.type("\x03")
    run = terminal.wait(15)
    checks.equal(run.status, -signal.SIGINT, "exit status")
    checks.true(numbers_in(run) == 4, f"{numbers_in(run)} numbers in the table")
    t.clean(target)


@needs("fio")
def test_ctrl_c_twice(t):
    target = t.plain()
    for pause in (0, 0.05, 0.2):
        terminal = t.terminal(target, *QUICK, "--slog")
        t.in_a_run(terminal)
        terminal.type("\x03")
        terminal.watch(pause)
        try:
            terminal.type("\x03")
        except OSError:
            pass
        checks.equal(terminal.wait(15).status, -signal.SIGINT, "exit status")
        t.clean(target)


@needs("fio")
def test_ctrl_backslash(t):
    target = t.plain()
    terminal = t.terminal(target, *QUICK, "--slog")
    t.in_a_run(terminal)
    terminal.type("\x1c")
    checks.equal(terminal.wait(15).status, -signal.SIGQUIT, "exit status")
    t.clean(target)


@needs("fio")
def test_the_terminal_is_lost(t):
    target = t.plain()
    terminal = t.terminal(target, *QUICK, "--slog")
    t.in_a_run(terminal)
    terminal.hang_up()
    checks.equal(terminal.wait(15).status, -signal.SIGHUP, "exit status")
    t.clean(target)


@needs("fio")
def test_the_terminal_is_lost_at_the_prompt(t):
    target = t.plain()
    terminal = t.terminal(target, "--size", "16m")
    terminal.wait_for(r"Measure now\? ")
    terminal.hang_up()
    run = terminal.wait(15)
    checks.true(run.status != 0, "exit status 0")
    t.clean(target)


@needs("fio")
def test_a_whole_run_in_a_terminal(t):
    target = t.plain()
    terminal = t.terminal(target, "--size", "16m", "--runtime", "1", "--slog", out_file=True)
    terminal.wait_for(r"Measure now\? ")
    terminal.type("y\n")
    run = terminal.wait()
    checks.equal(run.status, 0, "exit status")
    checks.slog_table(run.out)
    t.clean(target)


# Killed

@sanitized
@needs("fio", "loop")
def test_the_front_is_killed(t):
    target = t.ext4()
    process = t.start(target, "--yes", "--size", "16m", "--runtime", "60")
    t.in_a_run(process)
    process.signal(signal.SIGKILL)
    process.wait(5)
    t.clean(target, seconds=12)


@needs("fio", "loop")
def test_the_front_is_killed_at_many_moments(t):
    target = t.ext4()
    for step in range(12):
        process = t.start(target, "--yes", "--size", "64m", "--runtime", "60")
        time.sleep(0.02 + 0.06 * step)
        process.signal(signal.SIGKILL)
        process.wait(5)
        t.clean(target, seconds=12)


@needs("fio", "loop")
def test_the_front_is_killed_under_dd(t):
    target = t.ext4(mib=500)
    process = t.start(target, "--yes", "--size", "400m", "--dd")
    checks.until(lambda: census.named("dd"), 30, "dd never ran")
    process.signal(signal.SIGKILL)
    process.wait(5)
    t.clean(target, seconds=12)


@needs("fio", "loop")
def test_the_keeper_is_killed(t):
    target = t.ext4()
    process = t.start(target, "--yes", "--size", "16m", "--runtime", "5", "--slog")
    t.in_a_run(process)
    os.kill(t.keeper(process).pid, signal.SIGKILL)
    run = process.wait(40)
    checks.equal(run.status, 1, "exit status")
    checks.error_sentence(run.err, "stderr")
    t.clean(target, seconds=12)


@needs("fio", "loop")
def test_both_are_killed_and_the_next_run_clears_up(t):
    target = t.ext4()
    process = t.start(target, "--yes", "--size", "16m", "--runtime", "60")
    t.in_a_run(process)
    process.signal(signal.SIGSTOP)  # so that it cannot clear up behind the keeper
    os.kill(t.keeper(process).pid, signal.SIGKILL)
    process.signal(signal.SIGKILL)
    process.wait(5)
    checks.until(lambda: not t.processes(), 12, lambda: f"processes are left: {t.processes()}")
    checks.equal(len(target.ours()), 1, "folders left by two kills")
    t.measure_quickly(target, "--slog")


@needs("fio", "users")
def test_leftovers_of_others_and_lookalikes_stay(t):
    """Only what has our content and our owner goes."""
    target = t.plain(mode=0o777)
    folders = {"speedtest-hd.AAAAAA": ("speedtest-hd.bench", "lock", "more"), "speedtest-hd.BBBBBB": ("photo.jpg",),
               "speedtest-hd.CCCCCC": ("speedtest-hd.bench", "lock")}
    for name, files in folders.items():
        os.mkdir(f"{target.path}/{name}", 0o700)
        for file in files:
            with open(f"{target.path}/{name}/{file}", "w", encoding="ascii"):
                pass
    subprocess.run(["chown", "-R", t.user("plain"), f"{target.path}/speedtest-hd.CCCCCC"], check=True)
    os.symlink("/etc", f"{target.path}/speedtest-hd.DDDDDD")
    target.before = target.listing()
    t.interrupted(target, "--slog")
    checks.true(os.path.exists("/etc/passwd"), "/etc/passwd")


def killed_fio(t, number):
    """fio dies in the first run: that row fails, the others are measured."""
    target = t.ext4()
    process = t.start(target, *QUICK, "--slog")
    os.kill(t.in_a_run(process).pid, number)
    run = process.wait()
    checks.equal(run.status, 1, "exit status")
    checks.equal(failed_rows(run), ["4K sync T1"], "failed rows")
    checks.equal(numbers_in(run), 12, "numbers in the table")
    checks.matches(run.out + run.err, rf"(?i)signal|kill|{signal.Signals(number).name}", "the sentence")
    t.clean(target)


@sanitized
@needs("fio", "loop")
def test_fio_is_killed(t):
    killed_fio(t, signal.SIGKILL)


@needs("fio", "loop")
def test_fio_is_terminated_by_somebody(t):
    """fio's document looks good then: error 0, plausible numbers, only shorter."""
    killed_fio(t, signal.SIGTERM)


@needs("fio", "loop")
def test_fio_is_stopped_and_goes_on(t):
    target = t.ext4()
    process = t.start(target, *QUICK, "--slog")
    fio = t.in_a_run(process)
    os.kill(fio.pid, signal.SIGSTOP)
    time.sleep(2)
    os.kill(fio.pid, signal.SIGCONT)
    run = process.wait()
    checks.true(run.status in (0, 1), f"exit status {run.status}")
    t.clean(target)


@timeout(200)
@needs("fio", "root")
def test_fio_hangs(t):
    target = t.plain()
    process = t.start(target, *QUICK, "--slog", env={"PATH": t.fake_fio("hanging", when="runs", FAKE_ONLY="2")})
    run = process.wait(150)
    checks.equal(run.status, 1, "exit status")
    checks.equal(failed_rows(run), ["4K sync T4"], "failed rows")
    checks.equal(numbers_in(run), 12, "numbers in the table")
    checks.true(run.seconds < 100, f"it took {run.seconds} s")
    t.clean(target)


@timeout(150)
@needs("fio", "fuse")
def test_the_device_hangs(t):
    """No I/O ever comes back. Ctrl-C must still end the program; the file goes once the device answers again."""
    target = t.faultfs()
    process = t.start(target, *QUICK, "--slog")
    t.in_a_run(process)
    target.fault(hang_after=1)
    time.sleep(1)
    process.signal(signal.SIGINT)
    time.sleep(5)
    target.fault(hang_after=0)
    run = process.wait(60)
    checks.equal(run.status, -signal.SIGINT, "exit status")
    t.clean(target, seconds=15)


@needs("fio")
def test_the_front_is_stopped_and_goes_on(t):
    target = t.plain()
    process = t.start(target, *QUICK, "--slog")
    t.in_a_run(process)
    process.signal(signal.SIGSTOP)
    time.sleep(2.5)
    process.signal(signal.SIGCONT)
    run = process.wait()
    checks.equal(run.status, 0, "exit status")
    checks.slog_table(run.out)
    t.clean(target)


@needs("fio")
def test_somebody_removes_the_file(t):
    target = t.plain()
    process = t.start(target, *QUICK, "--slog")
    os.unlink(t.in_a_run(process).folder() + "/speedtest-hd.bench")
    run = process.wait()
    checks.equal(run.status, 1, "exit status")
    checks.contains(failed_rows(run), "4K sync T16", "failed rows")
    t.clean(target)


@needs("fio")
def test_somebody_removes_the_folder(t):
    target = t.plain()
    process = t.start(target, *QUICK, "--slog")
    shutil.rmtree(t.in_a_run(process).folder())
    run = process.wait()
    checks.equal(run.status, 1, "exit status")
    t.clean(target)


@needs("fio")
def test_the_prompt_waits_and_things_happen(t):
    """The front is killed; the keeper is killed; the target is removed."""
    def waiting():
        target = t.plain()
        terminal = t.terminal(target, "--size", "16m", "--runtime", "1", "--slog")
        terminal.wait_for(r"Measure now\? ")
        return target, terminal
    target, terminal = waiting()
    terminal.signal(signal.SIGKILL)
    terminal.wait(5)
    t.clean(target, seconds=12)

    target, terminal = waiting()
    os.kill(t.keeper(terminal).pid, signal.SIGKILL)
    time.sleep(0.3)
    if terminal.running():
        terminal.type("y\n")
    run = terminal.wait(20)
    checks.equal(run.status, 1, "exit status after the keeper was killed")
    t.clean(target, seconds=12)

    target, terminal = waiting()
    shutil.rmtree(target.path)
    terminal.type("y\n")
    run = terminal.wait(20)
    checks.true(run.status in (1, 3), f"exit status {run.status} after the target was removed")
    checks.matches(run.err, r"speedtest-hd: \S", "the sentence")
    t.clean()


@needs("fio")
def test_ctrl_z_and_back(t):
    """In a shell with job control the program stops, and goes on in the foreground."""
    target = t.plain()
    shell = ("bash", "-ic", '"$@"; echo "was $?"; fg; echo "is $?"', "-")
    terminal = t.terminal(target, *QUICK, "--slog", wrapper=shell)
    t.in_a_run(terminal)
    terminal.type("\x1a")
    terminal.wait_for(r"was 1(48|46)", seconds=10)
    run = terminal.wait()
    checks.matches(run.err, r"is 0\b", "the exit status")
    t.clean(target)


# What a parent can do to its child

@needs("fio")
def test_stderr_that_nobody_reads_or_that_is_full(t):
    target = t.plain()
    read, closed = os.pipe()
    os.close(read)
    for stderr in (closed, os.open("/dev/full", os.O_WRONLY)):
        run = t.run(target, *QUICK, "--slog", "--verbose", stderr=stderr)
        checks.equal(run.status, 0, "exit status")
        checks.slog_table(run.out)
        t.clean(target)


@needs("fio")
def test_a_working_folder_that_is_gone(t):
    target, gone = t.plain(), t.plain()

    def remove():
        os.chdir(gone.path)
        os.rmdir(gone.path)
    t.interrupted(target, "--slog", before_exec=remove)
    os.mkdir(gone.path)
    run = t.run(".", *QUICK, "--slog", before_exec=remove)
    checks.equal(run.status, 3, "exit status for '.'")
    checks.one_sentence(run.err, "stderr for '.'")

@needs("fio")
def test_sigchld_ignored_from_the_start(t):
    target = t.plain()
    run = t.measure_quickly(target, "--slog", ignore=(signal.SIGCHLD,))
    checks.slog_table(run.out)


@needs("fio")
def test_signals_blocked_from_the_start(t):
    target = t.plain()
    blocked = {signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGHUP}
    t.interrupted(target, "--slog", before_exec=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, blocked))


@sanitized
@needs("fio")
def test_a_limit_on_the_size_of_files(t):
    target = t.plain()
    run = t.run(target, *QUICK, before_exec=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5 << 20, 5 << 20)))
    checks.true(run.status in (1, 3), f"exit status {run.status}")
    checks.contains(checks.error_sentence(run.err, "stderr"), "File too large", "the sentence")
    t.clean(target)


@needs("fio")
def test_any_umask(t):
    target = t.plain()
    for mask in (0, 0o777):
        def look(fio):
            checks.equal(os.stat(fio.folder()).st_mode & 0o7777, 0o700, "the folder's mode")
            for name in os.listdir(fio.folder()):
                checks.equal(os.stat(f"{fio.folder()}/{name}").st_mode & 0o077, 0, f"others' rights on {name}")
        t.interrupted(target, "--slog", check=look, before_exec=lambda: os.umask(mask))


# A fio that misbehaves

def misbehaving(t, mode, **variables):
    """The first measured run is spoilt in that way: its row fails with one sentence, the others are measured."""
    target = t.plain()
    run = t.run(target, *QUICK, "--slog", env={"PATH": t.fake_fio(mode, when="runs", FAKE_ONLY="1", **variables)})
    checks.equal(run.status, 1, "exit status")
    checks.equal(failed_rows(run), ["4K sync T1"], "failed rows")
    checks.equal(numbers_in(run), 12, "numbers in the table")
    checks.no_control_bytes(run.out_bytes, "stdout")
    checks.no_control_bytes(run.err_bytes, "stderr")
    t.clean(target)


@sanitized
@needs("fio", "root")
def test_fio_prints_garbage(t):
    misbehaving(t, "garbage")


@needs("fio", "root")
def test_fio_prints_nothing(t):
    misbehaving(t, "empty")


@sanitized
@needs("fio", "root")
def test_fio_prints_half_a_document(t):
    misbehaving(t, "truncated")


@needs("fio", "root")
def test_fio_fails_with_a_good_document(t):
    misbehaving(t, "failing")


@needs("fio", "root")
def test_fio_crashes(t):
    misbehaving(t, "crashing")


@needs("fio", "root")
def test_fio_prints_garbage_from_the_start(t):
    target = t.plain()
    for mode in ("garbage", "empty", "crashing"):
        run = t.run(target, *QUICK, "--slog", env={"PATH": t.fake_fio(mode)})
        checks.true(run.status in (1, 3, 4), f"exit status {run.status} of {mode}")
        checks.error_sentence(run.err, mode)
        checks.no_control_bytes(run.err_bytes, "stderr")
        checks.equal(numbers_in(run), 0, "numbers in the table")
        t.clean(target)


def tolerated(t, mode, **how):
    target = t.plain()
    run = t.measure_quickly(target, "--slog", env={"PATH": t.fake_fio(mode, **how)})
    checks.slog_table(run.out)


@needs("fio", "root")
def test_fio_talks_before_the_document(t):
    tolerated(t, "talkative")


@needs("fio", "root")
def test_fio_fills_stderr(t):
    tolerated(t, "noisy")


@needs("fio", "root")
def test_fio_starts_slowly(t):
    tolerated(t, "slow", when="runs", FAKE_ONLY="2")


@needs("fio", "root")
def test_fio_is_too_old(t):
    target = t.plain()
    for option in ("--slog", "--fio"):
        run = t.run(target, *QUICK, option, env={"PATH": t.fake_fio("old")})
        checks.equal(run.status, 4, "exit status")
        checks.contains(checks.error_sentence(run.err, "stderr"), "2.1", "the sentence")
        checks.equal(run.out, "", "stdout")
        t.clean(target)


# A target that fails

def io_error(t, reason, **faults):
    """The fault strikes in the first measured run: all rows fail, for that reason."""
    target = t.faultfs()
    process = t.start(target, *QUICK, "--slog")
    t.in_a_run(process)
    target.fault(**faults)
    run = process.wait()
    checks.equal(run.status, 1, "exit status")
    checks.contains(failed_rows(run), "4K sync T16", "failed rows")
    checks.matches(run.out + run.err, reason, "the reason")
    t.clean(target)


@sanitized
@needs("fio", "fuse")
def test_no_space_in_the_middle(t):
    io_error(t, "No space left on device", write_enospc_after=1)


@needs("fio", "fuse")
def test_an_io_error_in_the_middle(t):
    io_error(t, "Input/output error", write_eio_after=1)


@needs("fio", "fuse")
def test_no_space_in_the_layout(t):
    target = t.faultfs(write_enospc_after=12 << 20)
    run = t.run(target, *QUICK)
    checks.true(run.status in (1, 3), f"exit status {run.status}")
    checks.contains(checks.error_sentence(run.err, "stderr"), "No space left on device", "the sentence")
    checks.lacks(run.out, "+---", "stdout")
    t.clean(target)


@needs("fio", "fuse")
def test_an_io_error_in_the_layout(t):
    target = t.faultfs(write_eio_after=12 << 20)
    run = t.run(target, *QUICK)
    checks.true(run.status in (1, 3), f"exit status {run.status}")
    checks.contains(checks.error_sentence(run.err, "stderr"), "Input/output error", "the sentence")
    t.clean(target)


@needs("fio", "fuse")
def test_fsync_fails_in_the_layout(t):
    target = t.faultfs()
    process = t.start(target, "--yes", "--size", "64m", "--runtime", "1")
    checks.until(lambda: target.counter("bytes_written") > 4 << 20, 30, "the layout never began")
    target.fault(fsync_eio=1)
    run = process.wait()
    checks.true(run.status in (1, 3), f"exit status {run.status}")
    checks.contains(checks.error_sentence(run.err, "stderr"), "Input/output error", "the sentence")
    t.clean(target)


@needs("fio", "fuse")
def test_the_flush_at_the_end_fails(t):
    """fio's io_uring does not tell: what was written is not on the disk, so the write figures are none."""
    for options in (("--buffered",), ()):
        target = t.faultfs()
        process = t.start(target, *QUICK, "--engine", "io_uring", *options)
        t.in_a_run(process)
        target.fault(fsync_eio=1)
        t.in_a_run(process, 3)
        process.signal(signal.SIGTERM)
        run = process.wait(15)
        checks.equal(failed_rows(run, checks.CDM_ROWS[:1]), list(checks.CDM_ROWS[:1]), f"failed rows in:\n{run.out}\n")
        checks.contains(run.out + run.err, "Input/output error", "the reason")
        t.clean(target)


@needs("fio", "fuse")
def test_reads_fail(t):
    """Writes work, so half of the CDM table does."""
    target = t.faultfs()
    process = t.start(target, *QUICK)
    t.in_a_run(process)
    target.fault(read_eio_after=1)
    run = process.wait(90)
    checks.equal(run.status, 1, "exit status")
    checks.equal(len(failed_rows(run, checks.CDM_ROWS)), 4, f"failed rows in:\n{run.out}\n")
    checks.contains(run.out + run.err, "Input/output error", "the reason")
    t.clean(target)


@needs("fio", "fuse")
def test_the_file_cannot_be_removed(t):
    """It must be said, not hidden."""
    target = t.faultfs()
    process = t.start(target, *QUICK, "--slog")
    t.in_a_run(process)
    target.fault(unlink_eio=1)
    run = process.wait()
    checks.equal(len(target.ours()), 1, "folders left")
    checks.contains(checks.error_sentence(run.err, "stderr"), "speedtest-hd.", "what is left")
    target.fault(unlink_eio=0)
    t.interrupted(target, "--slog")


@needs("fio", "loop")
def test_unmounted_lazily(t):
    target = t.ext4()
    process = t.start(target, *QUICK, "--slog")
    t.in_a_run(process)
    mounts.must("umount", "-l", target.path)
    run = process.wait()
    checks.true(run.status in (0, 1), f"exit status {run.status}")
    checks.until(lambda: not t.processes(), 2, lambda: f"processes are left: {t.processes()}")
    checks.equal(target.listing(), [], "the mount point")
    mounts.must("mount", target.loop, target.path)
    t.clean(target)


@timeout(150)
@needs("fio", "xfs")
def test_the_image_below_is_cut(t):
    target = t.xfs()
    process = t.start(target, *QUICK)
    t.in_a_run(process)
    os.truncate(target.image, 1 << 20)
    run = process.wait(100)
    checks.equal(run.status, 1, "exit status")
    checks.true(failed_rows(run, checks.CDM_ROWS), f"no failed row in:\n{run.out}")
    checks.until(lambda: not t.processes(), 5, lambda: f"processes are left: {t.processes()}")


@needs("fio", "fuse")
def test_the_file_system_dies(t):
    target = t.faultfs()
    process = t.start(target, *QUICK, "--slog")
    t.in_a_run(process)
    target.daemon.kill()
    run = process.wait(90)
    checks.equal(run.status, 1, "exit status")
    checks.equal(len(failed_rows(run)), 4, "failed rows")
    checks.until(lambda: not t.processes(), 5, lambda: f"processes are left: {t.processes()}")


@sanitized
@needs("fio", "loop")
def test_two_runs_at_the_same_time(t):
    target = t.ext4()
    first = t.start(target, "--yes", "--size", "16m", "--runtime", "3", "--slog")
    t.in_a_run(first)
    for option in ("--slog", "--dd"):
        second = t.run(target, "--yes", "--size", "16m", option)
        checks.equal(second.status, 3, "exit status of the second")
        checks.error_sentence(second.err, "the second")
        checks.lacks(second.out, "+---", "stdout of the second")
    checks.true(first.running(), "the first has ended too early for this test")
    run = first.wait()
    checks.equal(run.status, 0, "exit status of the first")
    checks.slog_table(run.out)
    t.clean(target)


@needs("fio", "users")
def test_two_users_at_the_same_time(t):
    target = t.plain(mode=0o1777)
    plain, other = t.user("plain"), t.user("nopasswd")
    for first_user, second_user in ((None, plain), (plain, None), (plain, other)):
        first = t.start(target, "--yes", "--size", "16m", "--runtime", "2", "--slog", user=first_user)
        t.in_a_run(first)
        second = t.run(target, "--yes", "--size", "16m", user=second_user)
        checks.equal(second.status, 3, "exit status of the second")
        first.signal(signal.SIGTERM)
        checks.equal(first.wait(15).status, -signal.SIGTERM, "exit status of the first")
        t.clean(target)


@needs("fio", "loop")
def test_two_runs_in_two_folders_of_a_disk(t):
    """That disturbs the numbers, but each has its own target."""
    target = t.ext4()
    for name in ("one", "two"):
        os.mkdir(f"{target.path}/{name}")
    target.before = target.listing()
    runs = [t.start(f"{target.path}/{name}", *QUICK, "--slog") for name in ("one", "two")]
    for process in runs:
        run = process.wait()
        checks.true(run.status in (0, 3), f"exit status {run.status}")
    t.clean(target)
    checks.equal(os.listdir(f"{target.path}/one") + os.listdir(f"{target.path}/two"), [], "what is left")
