"""A browser without a window, led over WebDriver by Python's own library. Nothing of it outlives leave()."""
import base64
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
import zlib

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage", "--force-color-profile=srgb", "--hide-scrollbars"]
START_SECONDS = 20
ANSWER_SECONDS = 30


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


def missing():
    """Why there is no browser to test with; None where there is one."""
    if not find_chromium():
        return "chromium is not installed"
    if not shutil.which("chromedriver"):
        return "chromedriver is not installed (Debian: chromium-driver)"
    try:
        socket.getaddrinfo("localhost", None)
    except OSError:
        return "'localhost' has no address here, and chromedriver talks to the browser there (see /etc/hosts)"
    return None


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Browser:
    """One session for all pages."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="speedtest-hd-browser.")
        self.session = None
        self.driver = None
        try:
            self.enter()
        except BaseException:
            self.leave()
            raise

    def enter(self):
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        # A home of its own: what a browser keeps there is none of ours.
        env = dict(os.environ, HOME=self.folder, XDG_CONFIG_HOME=self.folder, XDG_CACHE_HOME=self.folder, TMPDIR=self.folder)
        env = {key: value for key, value in env.items() if not key.lower().endswith("_proxy")}
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], env=env, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.wait_until_ready()
        options = {"binary": find_chromium(), "args": FLAGS + [f"--user-data-dir={self.folder}/profile"]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = answer["sessionId"]
        self.version = answer["capabilities"].get("browserVersion", "?")

    def wait_until_ready(self):
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                if self.call("GET", "/status").get("ready"):
                    return
            except OSError:
                pass
            if time.monotonic() > end or self.driver.poll() is not None:
                raise RuntimeError("chromedriver does not answer")
            time.sleep(0.05)

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with self.opener.open(request, timeout=ANSWER_SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"].splitlines()[0]) from error

    def command(self, path, body):
        return self.call("POST", f"/session/{self.session}/{path}", body)

    def cdp(self, name, **parameters):
        return self.command("goog/cdp/execute", {"cmd": name, "params": parameters})

    def open(self, address):
        self.command("url", {"url": address})

    def run(self, script, *arguments):
        return self.command("execute/sync", {"script": script, "args": list(arguments)})

    def log(self, kind):
        """What was logged since the last time."""
        return self.command("se/log", {"type": kind})

    def leave(self):
        """Ends the browser, and whoever of its group is left."""
        if self.session:
            try:
                self.call("DELETE", f"/session/{self.session}")
            except (OSError, RuntimeError):
                pass
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.driver.pid, number)
                self.driver.wait(5)
            except (AttributeError, ProcessLookupError, subprocess.TimeoutExpired):
                continue
        shutil.rmtree(self.folder, ignore_errors=True)


def png_colors(data):
    """How many different colours a PNG has (8 bits, RGB or RGBA, not interlaced: what a browser writes)."""
    width, height, depth, kind, _, _, interlace = struct.unpack(">IIBBBBB", data[16:29])
    if depth != 8 or kind not in (2, 6) or interlace:
        raise ValueError("not the kind of PNG that was expected")
    size = 3 if kind == 2 else 4
    packed, at = b"", 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if name == b"IDAT" else b""
        at += length + 12
    raw, row, colors = zlib.decompress(packed), bytearray(width * size), set()
    for line in range(height):
        start = line * (width * size + 1)
        row = unfilter(raw[start], raw[start + 1:start + 1 + width * size], row, size)
        colors.update(bytes(row[i:i + 3]) for i in range(0, len(row), size))
    return len(colors)


def unfilter(kind, line, above, size):
    """One row of a PNG, from its difference to what is left of it and above it (PNG specification, section 9)."""
    row = bytearray(line)
    for i, value in enumerate(line):
        left = row[i - size] if i >= size else 0
        up = above[i]
        if kind == 1:
            row[i] = (value + left) & 255
        elif kind == 2:
            row[i] = (value + up) & 255
        elif kind == 3:
            row[i] = (value + (left + up) // 2) & 255
        elif kind == 4:
            corner = above[i - size] if i >= size else 0
            guess = left + up - corner
            near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row[i] = (value + near) & 255
    return row


def decode(text):
    return base64.b64decode(text)
