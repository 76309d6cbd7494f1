#!/usr/bin/env python3
"""Looks at the HTML report in a real browser: tests/browser/run.py [BINARY [PAGE...]]. Prints TAP.

Every page is shown in the light and in the dark, on a telephone and on paper. Screenshots are left in
build/screenshots for people to look at.
"""
import concurrent.futures
import html.parser
import json
import os
import signal
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import driver  # noqa: E402
import pages  # noqa: E402

SCREENSHOTS = "build/screenshots"
# name: width, height, medium, scheme; paper is A4 less its margins
VIEWS = {
    "light": (1280, 800, "screen", "light"),
    "dark": (1280, 800, "screen", "dark"),
    "phone": (360, 740, "screen", "light"),
    "small-phone": (320, 640, "screen", "dark"),
    "paper": (688, 1000, "print", "dark"),
}
SCREENSHOT_HEIGHT = 4000
# Taking pictures takes longest: of these pages in each of these views, and some on paper.
PICTURED = ("repeats", "compared", "three", "slog", "doctor", "doctor-long", "interrupted", "marked", "hostile")
PICTURED_VIEWS = ("light", "dark", "phone")
PRINTED = ("repeats", "compared", "slog", "doctor")
COLORS_MIN = 12
PAGE_BYTES_MAX = 1 << 20
VOID = {"br", "hr", "img", "input", "link", "meta", "base", "col", "embed", "source", "track", "wbr"}
SHOWN_PROBLEMS = 8


class Balance(html.parser.HTMLParser):
    """Whether every element ends where it should."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.problems = []

    def handle_starttag(self, tag, attrs):
        if len(dict(attrs)) != len(attrs):
            self.problems.append(f"<{tag}> has an attribute twice")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> in the wrong place, line {self.getpos()[0]}")


class Tap:
    """Results as they come."""

    def __init__(self):
        self.count = 0

    def result(self, name, problems):
        self.count += 1
        print(f"{'not ' if problems else ''}ok {self.count} - {name}")
        for problem in problems[:SHOWN_PROBLEMS]:
            print(f"# {problem}")
        if len(problems) > SHOWN_PROBLEMS:
            print(f"# and {len(problems) - SHOWN_PROBLEMS} more")
        sys.stdout.flush()


def check_source(path):
    with open(path, encoding="utf-8") as file:
        source = file.read()
    balance = Balance()
    balance.feed(source)
    balance.close()
    problems = balance.problems + [f"<{tag}> does not end" for tag in balance.open]
    if not source.startswith("<!DOCTYPE html>\n<html lang=\"en\">"):
        problems.append("does not begin as a page of HTML 5")
    for wanted in ("default-src 'none'", "name=\"viewport\"", "<title>"):
        if wanted not in source:
            problems.append(f"has no {wanted}")
    if len(source) > PAGE_BYTES_MAX:
        problems.append(f"is {len(source)} bytes long")
    for number in ("nan", "inf", "-nan", "-0"):
        if f'"{number}"' in source or f'"{number}%"' in source or f">{number}<" in source:
            problems.append(f"shows {number}")
    return problems


def check_logs(browser, address):
    """The console is silent, and nothing but the page was asked for."""
    problems = [f"console: {entry['message']}" for entry in browser.log("browser") if entry["level"] in ("WARNING", "SEVERE")]
    for entry in browser.log("performance"):
        message = json.loads(entry["message"])["message"]
        url = message.get("params", {}).get("request", {}).get("url", "")
        if message["method"] == "Network.requestWillBeSent" and url != address and not url.startswith("data:"):
            problems.append(f"asked for {url}")
    return problems


def photograph(browser, name, view, height):
    """Leaves a picture, and looks at a small one of its top; of the other pages at one view only."""
    width = VIEWS[view][0]
    whole = {"x": 0, "y": 0, "width": width, "height": min(height, SCREENSHOT_HEIGHT), "scale": 1}
    top = {"x": 0, "y": 0, "width": width, "height": 500, "scale": 0.15}
    if view not in PICTURED_VIEWS or (name not in PICTURED and view != "light"):
        return []
    if name in PICTURED:
        shot = browser.cdp("Page.captureScreenshot", captureBeyondViewport=True, optimizeForSpeed=True, clip=whole)
        with open(f"{SCREENSHOTS}/{name}-{view}.png", "wb") as file:
            file.write(driver.decode(shot["data"]))
    small = browser.cdp("Page.captureScreenshot", optimizeForSpeed=True, clip=top)
    colors = driver.png_colors(driver.decode(small["data"]))
    return [] if colors >= COLORS_MIN else [f"its picture has only {colors} colours"]


def check_view(browser, script, name, view):
    width, height, medium, scheme = VIEWS[view]
    browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                mobile=view.endswith("phone"))
    browser.cdp("Emulation.setEmulatedMedia", media=medium, features=[{"name": "prefers-color-scheme", "value": scheme}])
    seen = browser.run(script)
    return seen["wrong"] + photograph(browser, name, view, seen["height"])


def check_print(browser, name):
    if name not in PRINTED:
        return []
    printed = driver.decode(browser.cdp("Page.printToPDF", preferCSSPageSize=True)["data"])
    with open(f"{SCREENSHOTS}/{name}.pdf", "wb") as file:
        file.write(printed)
    return [] if printed.startswith(b"%PDF-") and len(printed) > 5000 else ["there is no PDF"]


def check_page(tap, browser, script, name, path):
    address = "file://" + path
    tap.result(f"{name}: the source", check_source(path))
    browser.log("performance")
    browser.open(address)
    for view in VIEWS:
        tap.result(f"{name}: {view}", check_view(browser, script, name, view))
    problems = check_print(browser, name)
    tap.result(f"{name}: console, requests, PDF", problems + check_logs(browser, address))


def check_alarm(tap, browser, script, folder):
    """The checks see what they are there for."""
    path = f"{folder}/alarm.html"
    with open(path, "w", encoding="utf-8") as file:
        file.write("<!DOCTYPE html><html lang=en><title>x</title><h1>a</h1><h3>b</h3><p style='color:#999'>pale</p>"
                   "<div style='width:2000px'>wide</div><svg class=chart width=50 height=20><text x=40 y=15>cut off</text>"
                   "<text x=42 y=15>above</text></svg><img src='https://example.org/x.png'><a href='#none'>x</a>"
                   "<div style='width:20px;overflow:hidden;white-space:nowrap'>clipped text</div>"
                   "<script>console.error('x')</script>")
    browser.open("file://" + path)
    browser.cdp("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=False)
    seen = " ".join(browser.run(script)["wrong"] + check_logs(browser, "file://" + path))
    words = ("skips a level", "contrast", "the window 360", "cut off", "overlap", "there is a img", "leads nowhere",
             "clipped", "no name", "there is a script", "console", "asked for https://example.org/")
    tap.result("the checks see what is wrong", [f"not seen: {word}" for word in words if word not in seen])


def start(tap):
    try:
        return driver.Browser()
    except (RuntimeError, OSError, KeyError) as error:
        tap.result("the browser starts", [str(error)])
        print(f"1..{tap.count}")
        return None


def main(arguments):
    binary = os.path.abspath(arguments[0] if arguments else "./speedtest-hd")
    os.chdir(ROOT)
    reason = driver.missing() or (None if os.access(binary, os.X_OK) else f"'{binary}' is not built")
    if reason:
        print(f"1..0 # SKIP {reason}")
        return 0
    wanted = [page for page in pages.PAGES if not arguments[1:] or page[0] in arguments[1:]]
    os.makedirs(SCREENSHOTS, exist_ok=True)
    with open(f"{HERE}/page.js", encoding="utf-8") as file:
        script = file.read()
    tap = Tap()
    browser = None
    with tempfile.TemporaryDirectory(prefix="speedtest-hd-pages.") as folder:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            made = {page[0]: pool.submit(pages.make, binary, folder, page) for page in wanted}
            try:
                browser = start(tap)
                if not browser:
                    return 0
                print(f"# Chromium {browser.version}")
                check_alarm(tap, browser, script, folder)
                for name, future in made.items():
                    try:
                        check_page(tap, browser, script, name, future.result())
                    except Exception as error:
                        tap.result(f"{name}: can be looked at", [str(error)])
            finally:
                if browser:
                    browser.leave()
    print(f"1..{tap.count}")
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the browser is ended
    sys.exit(main(sys.argv[1:]))
