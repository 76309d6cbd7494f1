"""Running the program: as whom, where, with which PATH, and what came out of it."""

import os
import pwd
import signal
import subprocess
import time

from . import census, linux

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Run:
    """A run that has ended: status as subprocess has it (-2: died by SIGINT), stdout, stderr, seconds."""

    def __init__(self, command, status, out, err, seconds):
        self.command, self.status, self.seconds = command, status, seconds
        self.out_bytes, self.err_bytes = out, err
        self.out = out.decode("utf-8", "replace")
        self.err = err.decode("utf-8", "replace")

    def describe(self):
        def part(name, text):
            text = text if len(text) < 6000 else text[:2500] + "\n[...]\n" + text[-2500:]
            return f"{name}:\n{text}" if text else f"{name}: empty"
        return (f"$ {' '.join(map(repr, self.command))}\nstatus {self.status} after {self.seconds:.1f} s\n"
                f"{part('stdout', self.out)}\n{part('stderr', self.err)}")


def places_of(program):
    """Every path where the program may be looked for."""
    folders = dict.fromkeys((os.environ.get("PATH", "") + ":" + SYSTEM_PATH).split(":"))
    found = dict.fromkeys(os.path.realpath(f"{folder}/{program}") for folder in folders if folder)
    return [path for path in found if os.path.isfile(path)]


def environment(user=None, extra=None):
    """A small environment. None as a value takes a variable out."""
    account = pwd.getpwnam(user) if user else pwd.getpwuid(os.getuid())
    variables = {"PATH": SYSTEM_PATH, "HOME": account.pw_dir, "USER": account.pw_name, "LOGNAME": account.pw_name,
                 "SHELL": "/bin/sh", "LANG": "C.UTF-8", "TERM": "xterm"}
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
        if name in os.environ:
            variables[name] = os.environ[name]
    variables.update(extra or {})
    return {name: value for name, value in variables.items() if value is not None}


def preparation(user, hide, curtain, before_exec=None, ignore=()):
    """What the child does before it becomes the program."""
    hidden = [path for program in hide for path in places_of(program)]
    account = pwd.getpwnam(user) if user else None

    def prepare():
        os.umask(0o022)
        if hidden:
            linux.own_mounts()
            for path in hidden:
                linux.bind(curtain, path)
        if before_exec:
            before_exec()
        if account:
            os.setgroups(os.getgrouplist(account.pw_name, account.pw_gid))
            os.setgid(account.pw_gid)
            os.setuid(account.pw_uid)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_IGN if number in ignore else signal.SIG_DFL)
    return prepare


class Process:
    """The program at work, without a terminal. stdout and stderr go to files, which can be read at any time."""

    def __init__(self, command, folder, *, user=None, env=None, hide=(), curtain=None, cwd="/", stdin=None, stdout=None,
                 stderr=None, before_exec=None, ignore=()):
        self.command = command
        self.out_path, self.err_path = f"{folder}/stdout", f"{folder}/stderr"
        with open(self.out_path, "wb") as out, open(self.err_path, "wb") as err:
            self.begun = time.monotonic()
            self.child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL if stdin is None else stdin, stdout=out if stdout is None else stdout,
                stderr=err if stderr is None else stderr, cwd=cwd, env=environment(user, env), start_new_session=True,
                preexec_fn=preparation(user, hide, curtain, before_exec, ignore))
        self.pid = self.child.pid
        self.result = None

    def out(self):
        with open(self.out_path, "rb") as file:
            return file.read()

    def err(self):
        with open(self.err_path, "rb") as file:
            return file.read()

    def signal(self, number):
        self.child.send_signal(number)

    def wait(self, seconds=60):
        """Wait for the end; the Run."""
        try:
            self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.result = Run(self.command, None, self.out(), self.err(), time.monotonic() - self.begun)
            tree = "\n".join(map(repr, census.below(os.getpid())))
            raise AssertionError(f"the program has not ended after {seconds} s; processes:\n{tree}") from None
        self.result = Run(self.command, self.child.returncode, self.out(), self.err(), time.monotonic() - self.begun)
        return self.result

    def running(self):
        return self.child.poll() is None
