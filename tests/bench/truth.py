#!/usr/bin/env python3
"""Put the program into all situations with a known truth, and count what it names.

    truth.py --binary ./speedtest-hd [--runtime SEC] [PATTERN]

The table of situations is tests/e2e/lab/truths.py; the end-to-end tests run a part of it, here each situation has
all its runs. A line for each, and a score. Exit status: 0 if every trap was named and no honest run marked, else 1.
"""

import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LEAST = 20
RESULT = re.compile(r"^(ok|not ok) \d+ - truth\.(trap|honest)_(\S+)(?: # (SKIP )?(.*))?$")


def parse_arguments():
    parser = argparse.ArgumentParser(description="traps that must be named, honest runs that must not be marked")
    parser.add_argument("--binary", required=True)
    parser.add_argument("--runtime", type=int, default=2, help="seconds for each run (default: %(default)s)")
    parser.add_argument("pattern", nargs="?", default="", help="only situations whose name this expression matches")
    return parser.parse_args()


class Score:
    """What has been right, of how many."""

    def __init__(self):
        self.right = {"trap": 0, "honest": 0}
        self.all = {"trap": 0, "honest": 0}
        self.skipped = self.repeated = 0

    def take(self, verdict, kind, name, skipped, rest):
        if skipped:
            self.skipped += 1
            print(f"skipped  {kind:7s}{name}: {rest}", flush=True)
            return
        self.all[kind] += 1
        self.right[kind] += verdict == "ok"
        self.repeated += "asked again" in (rest or "")
        print(f"{'right' if verdict == 'ok' else 'WRONG':9s}{kind:7s}{name}{f' ({rest})' if rest else ''}", flush=True)

    def show(self):
        print(f"\ntraps {self.right['trap']} of {self.all['trap']} named, "
              f"honest {self.right['honest']} of {self.all['honest']} unmarked"
              f"{f', {self.skipped} skipped' if self.skipped else ''}"
              f"{f'; {self.repeated} asked again, since others disturbed' if self.repeated else ''}")
        return self.right == self.all


def main():
    arguments = parse_arguments()
    command = [sys.executable, f"{HERE}/../e2e/run.py", "--binary", arguments.binary, "-j", "1",
               f"^truth\\..*({arguments.pattern})"]
    environment = dict(os.environ, TRUTH_RUNTIME=str(arguments.runtime))
    score = Score()
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          universal_newlines=True) as suite:
        try:
            for line in suite.stdout:
                found = RESULT.match(line.rstrip("\n"))
                if found:
                    score.take(*found.groups())
                elif line.startswith("# "):
                    print(f"           {line[2:]}", end="", flush=True)
        except KeyboardInterrupt:
            suite.wait()  # it has been interrupted as well, and clears up
    right = score.show()
    if not arguments.pattern and min(score.all.values()) < LEAST:
        print(f"fewer than {LEAST} of a kind could be made here")
        right = False
    return 0 if right and suite.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
