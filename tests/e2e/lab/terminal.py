"""Running the program in a pseudo-terminal: keys in, bytes out, size and settings."""

import fcntl
import os
import pty
import pwd
import re
import select
import struct
import subprocess
import termios
import time
import unicodedata

from . import census
from .process import Run, environment, preparation


def columns_of(text):
    """How many columns a text takes on a terminal."""
    width = 0
    for char in text:
        if not unicodedata.combining(char) and char not in "\u200b\u200d\ufeff":
            width += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return width


def drawn_lines(text):
    """Every state that a line was drawn in: split at \\r and \\n, escape sequences taken out."""
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    return [line for line in re.split(r"[\r\n]+", plain) if line]


def final_lines(text):
    """The lines as they stand on the screen in the end, for output that knows \\r and ESC[K alone."""
    lines = []
    for line in text.replace("\r\n", "\n").split("\n"):
        cells = ""
        for part in re.split(r"(\r|\x1b\[[0-9;?]*[A-Za-z])", line):
            if part == "\r":
                column = 0
            elif part == "\x1b[K":
                cells = cells[:column]
            elif not part.startswith("\x1b"):
                column = 0 if cells == "" else column
                cells = cells[:column] + part + cells[column + len(part):]
                column += len(part)
        lines.append(cells)
    return lines


class Terminal:
    """The program as the leader of a session of its own on a terminal. With out_file, stdout goes there instead."""

    def __init__(self, command, folder, *, user=None, env=None, hide=(), curtain=None, cwd="/", columns=80, rows=24,
                 out_file=False, before_exec=None, wrapper=()):
        command = [*wrapper, *command]
        self.command, self.data, self.result = command, b"", None
        self.out_path = f"{folder}/stdout" if out_file else None
        self.master, self.slave = pty.openpty()
        self.resize(columns, rows)
        self.settings = termios.tcgetattr(self.slave)
        name = os.ttyname(self.slave)
        if user:
            os.chown(name, pwd.getpwnam(user).pw_uid, -1)
        prepare = preparation(user, hide, curtain, before_exec)

        def take_terminal():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            prepare()

        stdout = open(self.out_path, "wb") if out_file else self.slave
        self.begun = time.monotonic()
        self.child = subprocess.Popen(command, stdin=self.slave, stdout=stdout, stderr=self.slave, cwd=cwd,
                                      env=environment(user, env), start_new_session=True, preexec_fn=take_terminal)
        if out_file:
            stdout.close()
        self.pid = self.child.pid

    def text(self):
        return self.data.decode("utf-8", "replace")

    def pump(self, seconds):
        """Read what comes within that time; whether anything came."""
        if self.master < 0 or not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            self.data += os.read(self.master, 65536)
        except OSError:
            return False
        return True

    def wait_for(self, pattern, seconds=30, after=0):
        """Wait until the output (from the position `after`) has the pattern; the position behind it."""
        end = time.monotonic() + seconds
        while True:
            match = re.search(pattern, self.text()[after:])
            if match:
                return after + match.end()
            if time.monotonic() > end or (self.child.poll() is not None and not self.pump(0)):
                raise AssertionError(f"the terminal never showed /{pattern}/, but:\n{self.text()[-3000:]!r}")
            self.pump(0.05)

    def watch(self, seconds):
        """Keep reading for that long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.pump(0.05)

    def type(self, text):
        os.write(self.master, text.encode())

    def signal(self, number):
        self.child.send_signal(number)

    def resize(self, columns, rows=24):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def hang_up(self):
        """Take the terminal away, as a closed window or a lost connection does."""
        os.close(self.slave)
        os.close(self.master)
        self.master = self.slave = -1

    def running(self):
        return self.child.poll() is None

    def wait(self, seconds=60):
        """Wait for the end, reading; the Run. The terminal's settings must be what they were."""
        end = time.monotonic() + seconds
        while self.child.poll() is None:
            if not self.pump(0.05) and self.master < 0:
                time.sleep(0.05)
            if time.monotonic() > end:
                self.finish(None)
                tree = "\n".join(map(repr, census.below(os.getpid())))
                raise AssertionError(f"the program has not ended after {seconds} s; processes:\n{tree}")
        while self.pump(0.05):
            pass
        self.finish(self.child.returncode)
        if self.slave >= 0:
            after = termios.tcgetattr(self.slave)
            if after != self.settings:
                raise AssertionError(f"terminal settings before {self.settings}, after {after}")
        return self.result

    def finish(self, status):
        out = b""
        if self.out_path:
            with open(self.out_path, "rb") as file:
                out = file.read()
        self.result = Run(self.command, status, out, self.data, time.monotonic() - self.begun)
        return self.result
