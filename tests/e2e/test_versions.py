"""The outputs of fio from 3.1 to 3.42, replayed from recordings in place of the measured runs."""

import os

from lab import checks
from lab.context import QUICK
from lab.session import Skip, needs

VERSIONS = ("3.1", "3.12", "3.16", "3.19", "3.25", "3.27", "3.33", "3.34", "3.35", "3.36", "3.37", "3.39", "3.42")


def recorded(t):
    folder = f"{t.session.tests}/fixtures/fio/recorded"
    if not os.path.isdir(folder):
        raise Skip("no recorded outputs")
    return folder


def versions(folder):
    return [version for version in VERSIONS if os.path.exists(f"{folder}/fio-{version}__lab-randrw_j4.out")]


def replayed(t, target, mode, version, files, *options):
    """A measurement whose runs are answered by recordings; the Run."""
    path = t.fake_fio(mode, when="runs", FAKE_VERSION=version, FAKE_RECORDED=recorded(t), FAKE_FILES=",".join(files))
    run = t.run(target, *QUICK, *options, env={"PATH": path})
    checks.no_control_bytes(run.out_bytes, f"stdout with {files}")
    t.clean(target)
    return run


@needs("fio", "root")
def test_good_outputs_of_every_version(t):
    folder, target = recorded(t), t.tmpfs()
    found = versions(folder)
    checks.true(len(found) >= 10, f"only {found} are recorded")
    for version in found:
        files = [f"fio-{version}__lab-randrw_j4.out"]
        run = replayed(t, target, "replay", version, files)
        checks.equal(run.status, 0, f"exit status with {version}")
        checks.true(all(float(cell) > 0 for row in checks.cdm_cells(run.out).values() for cell in row), "a zero")


@needs("fio", "root")
def test_good_outputs_of_the_sweep(t):
    target = t.tmpfs()
    for version in ("3.1", "3.16", "3.42"):
        run = replayed(t, target, "replay", version, [f"fio-{version}__lab-randrw_j4.out"], "--slog")
        checks.equal(run.status, 0, f"exit status with {version}")
        checks.contains(run.out, checks.SLOG_HEAD, "the table")
        checks.lacks(run.out, "failed", "the table")


@needs("fio", "root")
def test_failed_outputs_are_refused(t):
    """Whatever numbers they hold: no row is measured, and each failed one has its sentence."""
    folder, target = recorded(t), t.tmpfs()
    kinds = ("enospc", "enospc_4of4", "enospc_layout", "sigint", "sigterm", "eacces", "einval", "noengine")
    for version in versions(folder):
        for start in (0, 4):
            files = [f"fio-{version}__lab-{kind}.out" for kind in kinds[start:start + 4]]
            files = [name for name in files if os.path.exists(f"{folder}/{name}")]
            run = replayed(t, target, "verbatim", version, files, "--slog")
            checks.equal(run.status, 1, f"exit status with {files}")
            checks.equal(sum("failed" in line for line in run.out.splitlines() if line.startswith("| 4K")), 4,
                         f"failed rows with {files} in:\n{run.out}\n")
