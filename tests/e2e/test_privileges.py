"""As root, as users with and without rights, with and without sudo."""

import os
import pwd
import signal
import time

from lab import census, checks, linux
from lab.context import QUICK, password
from lab.session import needs, timeout
from lab.terminal import final_lines

PROMPT = r"[Pp]assword[^\n]*: ?"


def root_target(t):
    """A file system that only root can write to."""
    target = t.ext4()
    os.chmod(target.path, 0o755)
    return target


def own_target(t, role):
    """A folder that is the user's."""
    return t.plain(owner=t.user(role))


def fio_user(entry):
    return pwd.getpwuid(entry.uid).pw_name


@needs("fio", "root")
def test_root_needs_no_sudo(t):
    target = t.plain()
    run = t.measure_quickly(target, "--slog", hide=("sudo",))
    checks.lacks(run.err, "sudo", "stderr")
    checks.slog_table(run.out)


@needs("fio", "users")
def test_a_user_without_rights_on_his_own_folder(t):
    target = own_target(t, "plain")
    process = t.start(target, *QUICK, "--slog", user=t.user("plain"))
    fio = t.in_a_run(process)
    checks.equal(fio_user(fio), t.user("plain"), "fio's user")
    run = process.wait()
    checks.equal(run.status, 0, "exit status")
    checks.slog_table(run.out)
    notes = [line for line in (run.out + run.err).splitlines() if "Note:" in line and "root" in line]
    checks.equal(len(notes), 1, f"notes about root in {run.out + run.err!r}")
    t.clean(target)


@needs("fio", "users")
def test_a_user_without_rights_where_only_root_may_write(t):
    target = root_target(t)
    run = t.run(target, *QUICK, "--slog", user=t.user("plain"))
    checks.equal(run.status, 3, "exit status")
    checks.error_sentence(run.err, "stderr")
    checks.lacks(run.out, "+---", "stdout")
    t.clean(target)


@needs("fio", "users")
def test_a_user_in_a_sticky_folder_of_all(t):
    """As in /tmp: fs.protected_regular must not matter, and nobody else's folder is touched."""
    target = t.plain(mode=0o1777)
    for role in ("plain", "nopasswd"):
        t.interrupted(target, "--slog", number=2, user=t.user(role))


@needs("fio", "users")
def test_sudo_without_a_password(t):
    target = root_target(t)
    process = t.start(target, *QUICK, "--slog", user=t.user("nopasswd"))
    fio = t.in_a_run(process)
    checks.equal(fio_user(fio), "root", "fio's user")
    checks.equal(pwd.getpwuid(os.stat(f"/proc/{process.pid}").st_uid).pw_name, t.user("nopasswd"), "the front's user")
    status = os.stat(f"{target.path}/{target.ours()[0]}")
    checks.equal((status.st_uid, status.st_mode & 0o777), (0, 0o700), "the folder's owner and mode")
    run = process.wait()
    checks.equal(run.status, 0, "exit status")
    checks.slog_table(run.out)
    t.clean(target)


@needs("fio", "users")
def test_sudo_whose_default_user_is_not_root(t):
    """The banner says root, so root it must be, whatever runas_default says."""
    target = root_target(t)
    process = t.start(target, *QUICK, "--slog", user=t.user("runas"))
    fio = t.in_a_run(process)
    checks.equal(fio_user(fio), "root", "fio's user")
    run = process.wait()
    checks.equal(run.status, 0, "exit status")
    checks.contains(run.out, "as root through sudo", "the banner")
    t.clean(target)


@needs("fio", "users")
def test_sudo_with_cdm_and_dd(t):
    target = root_target(t)
    run = t.measure_quickly(target, user=t.user("nopasswd"))
    checks.cdm_table(run.out)
    run = t.run(target, "--yes", "--size", "16m", "--dd", user=t.user("nopasswd"))
    checks.equal(run.status, 0, "exit status of dd")
    checks.box_lines(run.out)
    t.clean(target)


@needs("fio", "users")
def test_sudo_with_a_strange_path(t):
    target = root_target(t)
    path = f"{target.path}/-a b:c$HOME'\"\n*;é"
    os.mkdir(path)
    target.before = target.listing()
    run = t.run("--slog", *QUICK, "--", path, user=t.user("nopasswd"))
    checks.equal(run.status, 0, "exit status")
    checks.equal(os.listdir(path), [], "what is left")
    t.clean(target)


@needs("fio", "users")
def test_sudo_on_a_path_that_only_root_can_enter(t):
    """The user cannot even see it: a clear sentence, no crash."""
    outer = t.plain(mode=0o700)
    os.mkdir(f"{outer.path}/inner")
    run = t.run(f"{outer.path}/inner", *QUICK, "--slog", user=t.user("nopasswd"))
    checks.true(run.status in (0, 3), f"exit status {run.status}")
    checks.equal(os.listdir(f"{outer.path}/inner"), [], "what is left")
    t.clean()


@needs("fio", "users")
def test_no_sudo_is_obeyed(t):
    target = own_target(t, "nopasswd")
    process = t.start(target, *QUICK, "--slog", "--no-sudo", user=t.user("nopasswd"))
    checks.equal(fio_user(t.in_a_run(process)), t.user("nopasswd"), "fio's user")
    run = process.wait()
    checks.equal(run.status, 0, "exit status")
    t.clean(target)
    run = t.run(root_target(t), *QUICK, "--no-sudo", user=t.user("nopasswd"))
    checks.equal(run.status, 3, "exit status where only root may write")


@needs("fio", "users")
def test_sudo_not_installed(t):
    target = own_target(t, "nopasswd")
    run = t.measure_quickly(target, "--slog", user=t.user("nopasswd"), hide=("sudo",))
    checks.slog_table(run.out)
    checks.contains(run.out + run.err, "sudo is not installed", "the note")
    run = t.run(root_target(t), *QUICK, user=t.user("nopasswd"), hide=("sudo",))
    checks.equal(run.status, 3, "exit status where only root may write")


@needs("fio", "users")
def test_sudo_under_no_new_privileges(t):
    target = own_target(t, "nopasswd")
    run = t.interrupted(target, "--slog", user=t.user("nopasswd"), before_exec=linux.no_new_privileges)
    checks.contains(run.out + run.err, "no new privileges", "sudo's reason")


@needs("fio", "users")
def test_a_user_with_an_empty_environment(t):
    target = root_target(t)
    nothing = dict.fromkeys(("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TERM"))
    t.interrupted(target, "--slog", user=t.user("nopasswd"), env=nothing)


@needs("fio", "users")
def test_a_user_with_a_strict_umask(t):
    target = own_target(t, "plain")
    t.interrupted(target, "--slog", user=t.user("plain"), before_exec=lambda: os.umask(0o077))


@needs("fio", "users")
def test_fio_not_installed_as_a_user(t):
    target = root_target(t)
    run = t.run(target, *QUICK, user=t.user("nopasswd"), hide=("fio",))
    checks.equal(run.status, 0, "exit status")
    checks.box_lines(run.out)
    t.clean(target)


@needs("fio", "users")
def test_sudo_for_fio_alone(t):
    target = own_target(t, "fioonly")
    process = t.start(target, *QUICK, "--slog", user=t.user("fioonly"))
    t.in_a_run(process)
    run = process.wait()
    checks.equal(run.status, 0, "exit status")
    checks.slog_table(run.out)
    t.clean(target)


@needs("fio", "users")
def test_sudo_for_fio_alone_interrupted(t):
    target = own_target(t, "fioonly")
    for number in (signal.SIGINT, signal.SIGTERM):
        process = t.start(target, *QUICK, "--slog", user=t.user("fioonly"))
        t.in_a_run(process)
        process.signal(number)
        checks.equal(process.wait(15).status, -number, "exit status")
        t.clean(target)


@needs("fio", "users")
def test_sudo_for_fio_alone_and_the_front_is_killed(t):
    target = own_target(t, "fioonly")
    process = t.start(target, "--yes", "--size", "16m", "--runtime", "8", "--slog", user=t.user("fioonly"))
    t.in_a_run(process)
    process.signal(signal.SIGKILL)
    process.wait(5)
    t.clean(target, seconds=12)


@needs("fio", "users")
def test_yes_never_asks_for_a_password(t):
    target = own_target(t, "password")
    run = t.interrupted(target, "--slog", user=t.user("password"))
    checks.lacks(run.err.lower(), "password for", "stderr")
    run = t.terminal(target, *QUICK, "--slog", user=t.user("password")).wait()
    checks.equal(run.status, 0, "exit status")
    checks.lacks(run.err.lower(), "password for", "the terminal")
    t.clean(target)


def asked(t, target, *options, **how):
    """A terminal of the user with a password, at sudo's question."""
    terminal = t.terminal(target, "--size", "16m", "--runtime", "1", "--slog", *options, user=t.user("password"), **how)
    return terminal, terminal.wait_for(PROMPT)


@needs("fio", "users")
def test_the_right_password(t):
    target = root_target(t)
    terminal, position = asked(t, target)
    checks.lacks(terminal.text(), "O_DIRECT", "the banner before the password")
    terminal.type(password() + "\n")
    terminal.wait_for(r"Measure now\? ", after=position)
    terminal.type("y\n")
    checks.equal(fio_user(t.in_a_run(terminal)), "root", "fio's user")
    run = terminal.wait()
    checks.equal(run.status, 0, "exit status")
    checks.slog_table("\n".join(final_lines(run.err)))
    checks.lacks(run.err, password(), "the terminal")
    t.clean(target)


@needs("fio", "users")
def test_the_wrong_password(t):
    target = root_target(t)
    terminal, position = asked(t, target)
    terminal.type("wrong\n")
    position = terminal.wait_for(PROMPT, after=position)
    terminal.type("wrong again\n")
    run = terminal.wait(30)
    checks.equal(run.status, 3, "exit status")
    t.clean(target)


@needs("fio", "users")
def test_the_wrong_password_on_ones_own_folder(t):
    target = own_target(t, "password")
    terminal, position = asked(t, target)
    terminal.type("wrong\n")
    position = terminal.wait_for(PROMPT, after=position)
    terminal.type("wrong again\n")
    terminal.wait_for(r"Measure now\? ", after=position)
    terminal.type("y\n")
    checks.equal(fio_user(t.in_a_run(terminal)), t.user("password"), "fio's user")
    checks.equal(terminal.wait().status, 0, "exit status")
    t.clean(target)


@needs("fio", "users")
def test_ctrl_c_at_the_password(t):
    target = root_target(t)
    terminal, _ = asked(t, target)
    time.sleep(0.3)
    terminal.type("\x03")
    run = terminal.wait(15)
    checks.equal(run.status, -signal.SIGINT, "exit status")
    checks.lacks(run.err, "Measure now", "the terminal")
    t.clean(target)


@needs("fio", "users")
def test_ctrl_c_after_the_password(t):
    target = root_target(t)
    terminal, position = asked(t, target)
    terminal.type(password() + "\n")
    terminal.wait_for(r"Measure now\? ", after=position)
    terminal.type("y\n")
    t.in_a_run(terminal)
    terminal.type("\x03")
    checks.equal(terminal.wait(15).status, -signal.SIGINT, "exit status")
    t.clean(target)


@needs("fio", "users")
def test_the_terminal_is_lost_after_the_password(t):
    target = root_target(t)
    terminal, position = asked(t, target)
    terminal.type(password() + "\n")
    terminal.wait_for(r"Measure now\? ", after=position)
    terminal.type("y\n")
    t.in_a_run(terminal)
    terminal.hang_up()
    checks.equal(terminal.wait(15).status, -signal.SIGHUP, "exit status")
    t.clean(target, seconds=12)


# The endings through sudo, with its own terminal (use_pty) and without

def ends_through_sudo(t, role):
    target = root_target(t)
    user = t.user(role)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process = t.start(target, *QUICK, "--slog", user=user)
        t.in_a_run(process)
        process.signal(number)
        checks.equal(process.wait(15).status, -number, "exit status")
        t.clean(target)
    process = t.start(target, "--yes", "--size", "16m", "--runtime", "60", user=user)
    t.in_a_run(process)
    process.signal(signal.SIGKILL)
    process.wait(5)
    t.clean(target, seconds=12)


def ends_through_sudo_in_a_terminal(t, role):
    target = root_target(t)
    user = t.user(role)
    terminal = t.terminal(target, *QUICK, "--slog", user=user)
    t.in_a_run(terminal)
    terminal.type("\x03")
    checks.equal(terminal.wait(15).status, -signal.SIGINT, "exit status after Ctrl-C")
    t.clean(target)
    terminal = t.terminal(target, *QUICK, "--slog", user=user)
    t.in_a_run(terminal)
    terminal.hang_up()
    checks.equal(terminal.wait(15).status, -signal.SIGHUP, "exit status after the terminal was lost")
    t.clean(target, seconds=12)
    terminal = t.terminal(target, "--yes", "--size", "16m", "--runtime", "60", user=user)
    t.in_a_run(terminal)
    terminal.signal(signal.SIGKILL)
    terminal.wait(5)
    t.clean(target, seconds=12)


@needs("fio", "users")
def test_ends_through_sudo(t):
    ends_through_sudo(t, "nopasswd")


@needs("fio", "users")
def test_ends_through_sudo_without_its_terminal(t):
    ends_through_sudo(t, "nopty")


@needs("fio", "users")
def test_ends_through_sudo_in_a_terminal(t):
    ends_through_sudo_in_a_terminal(t, "nopasswd")


@needs("fio", "users")
def test_ends_through_sudo_without_its_terminal_in_a_terminal(t):
    ends_through_sudo_in_a_terminal(t, "nopty")


@timeout(150)
@needs("fio", "users")
def test_interrupted_at_many_moments_through_sudo(t):
    target = root_target(t)
    for step in range(12):
        process = t.start(target, *QUICK, "--slog", user=t.user("nopasswd"))
        time.sleep(0.02 + 0.07 * step)
        process.signal(signal.SIGINT)
        checks.equal(process.wait(15).status, -signal.SIGINT, f"exit status after {0.02 + 0.07 * step:.2f} s")
        t.clean(target)


@needs("fio", "users")
def test_the_keeper_below_sudo_is_killed(t):
    target = root_target(t)
    process = t.start(target, "--yes", "--size", "16m", "--runtime", "5", "--slog", user=t.user("nopasswd"))
    t.in_a_run(process)
    os.kill(t.keeper(process).pid, signal.SIGKILL)
    run = process.wait(40)
    checks.equal(run.status, 1, "exit status")
    checks.error_sentence(run.err, "stderr")
    checks.until(lambda: not t.processes(), 12, lambda: f"processes are left: {t.processes()}")
    t.measure_quickly(target, "--slog", user=t.user("nopasswd"))


@needs("fio", "users")
def test_sudo_itself_is_killed(t):
    """The keeper below it may go on, as it still has its pipe, or not; but nothing is left."""
    target = root_target(t)
    for role in ("nopasswd", "nopty"):
        process = t.start(target, *QUICK, "--slog", user=t.user(role))
        t.in_a_run(process)
        for entry in census.named("sudo"):
            os.kill(entry.pid, signal.SIGKILL)
        run = process.wait(40)
        checks.true(run.status in (0, 1), f"exit status {run.status} as {role}")
        t.clean(target, seconds=12)


@needs("fio", "users")
def test_the_keeper_takes_no_orders_from_others(t):
    """Started by hand, without a front or with noise instead of one, it ends and leaves nothing."""
    target = root_target(t)
    t.run("--keeper", cwd=target.path)
    t.clean(target)
    t.run("--keeper", stdin=os.open("/dev/urandom", os.O_RDONLY), cwd=target.path, seconds=10)
    t.clean(target)
