"""Situations with a known truth, see lab/truths.py. Each is a test of its own; `make bench-truth` runs them in full."""

import os

from lab import truths, verdict

# Given by `make bench-truth`: all situations, all their runs, and so many seconds for each run.
WHOLE_RUNTIME_S = int(os.environ.get("TRUTH_RUNTIME", "0"))
WHOLE_SIZE_MIB = 64


def make_test(situation):
    def test(t):
        if WHOLE_RUNTIME_S:
            verdict.examine(t, situation, WHOLE_RUNTIME_S, WHOLE_SIZE_MIB, patience_s=60)
        else:
            verdict.examine(t, situation, runs=situation.quick)
    test.__name__ = f"test_{situation.kind}_{situation.name}"
    test.needs = situation.needs
    test.alone = True  # what else runs would be found, and rightly
    test.timeout = 120 + 120 * WHOLE_RUNTIME_S
    return test


for _situation in truths.SITUATIONS:
    if WHOLE_RUNTIME_S or _situation.quick is not None:
        _test = make_test(_situation)
        globals()[_test.__name__] = _test
del _situation, _test
