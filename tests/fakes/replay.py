"""Print a recorded output of fio in place of a run.

    replay.py MODE FOLDER FILES COUNT FIO-OPTIONS...

FILES are names in FOLDER, separated by commas; the run of number COUNT takes the next of them. "verbatim" prints the
file as it is, and exits as fio did then. "replay" keeps what the fio of that version writes around and between the
values, but makes of its first job as many as were asked for, in the direction and of the length that were asked for.
"""

import copy
import json
import re
import sys

# What fio's exit status was, by the kind of the recording.
STATUS = {"eacces": 1, "einval": 1, "enospc": 1, "enospc_4of4": 4, "noengine": 1, "sigint": 128, "sigterm": 128,
          "uring_eperm": 1}


def option(words, name, default):
    found = [word.split("=", 1)[1] for word in words if word.startswith(f"--{name}=")]
    return found[-1] if found else default


def silence(direction):
    """All numbers of a direction that moved nothing."""
    for key, value in direction.items():
        if isinstance(value, dict):
            silence(value)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            direction[key] = 0


def derive(text, words):
    """The recorded document, changed to fit the options."""
    start = re.search(r"^\{", text, re.MULTILINE).start()
    document = json.loads(text[start:])
    jobs, wanted = int(option(words, "numjobs", "1")), option(words, "rw", "read")
    runtime_ms = int(option(words, "runtime", "1")) * 1000
    model = document["jobs"][0]
    silence(model["read" if "write" in wanted else "write"])
    busy = model["write" if "write" in wanted else "read"]
    scale = runtime_ms / busy["runtime"]
    busy["runtime"] = runtime_ms
    busy["io_bytes"] = int(busy["io_bytes"] * scale)
    busy["total_ios"] = int(busy["total_ios"] * scale)
    if "io_kbytes" in busy:
        busy["io_kbytes"] = busy["io_bytes"] // 1024
    if "job_runtime" in model:
        model["job_runtime"] = runtime_ms
    document["jobs"] = [copy.deepcopy(model) for _ in range(jobs)]
    return text[:start] + json.dumps(document, indent=2) + "\n"


def main():
    mode, folder, files, count, *words = sys.argv[1:]
    names = files.split(",")
    name = names[(int(count) - 1) % len(names)]
    with open(f"{folder}/{name}", encoding="latin-1", newline="") as file:
        text = file.read()
    if mode == "replay":
        text = derive(text, words)
    sys.stdout.reconfigure(encoding="latin-1", newline="")
    sys.stdout.write(text)
    return STATUS.get(name.split("-")[-1].split(".")[0], 0) if mode == "verbatim" else 0


if __name__ == "__main__":
    sys.exit(main())
