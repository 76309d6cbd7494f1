"""What the program and bare fio report on a device of known speed, over what the limits make possible."""

import statistics

import runs

MIB = 1 << 20
MB = 10 ** 6
TOLERANCE = 0.02
RUNTIME_S = 5


def row_name(key):
    return f"{key[0]} {key[1]}"


def describe_limits(limits):
    """Each limit once; they differ from run to run."""
    words = [f"{name[:-4]} {value // MIB} MiB/s" if name.endswith("bps") else f"{name[:-5]} {value} IOPS"
             for one in limits for name, value in one.items()]
    return "limits: " + ", ".join(dict.fromkeys(words))


def ratios_to_limit(key, rate, limits):
    """MB/s and IOPS over what the limit that holds for the row makes possible: bytes or I/Os, whichever is less."""
    block_bytes = MIB if key[0].startswith("SEQ1M") else 4096
    most_iops = min(limits.get(f"{key[1]}_bps", float("inf")) / block_bytes, limits.get(f"{key[1]}_iops", float("inf")))
    # A table shows whole I/Os, which at 60 of them is 0.8 %: half a one is the rounding's, not an error.
    excess = rate.iops - most_iops
    rounded = max(0.0, abs(excess) - 0.5) * (1 if excess > 0 else -1)
    return rate.mb_per_s * MB / block_bytes / most_iops, 1 + rounded / most_iops


def farther(ratios):
    return max(ratios, key=lambda ratio: abs(ratio - 1))


class Accuracy:
    """One profile on one device: the ratios to the limit of all passes, for each row."""

    def __init__(self, options_, size_bytes, limits):
        self.options, self.size_bytes, self.limits = options_, size_bytes, limits
        self.tool, self.fio, self.whole, self.shown = {}, {}, {}, {}

    def one_pass(self, bench, throttled):
        arguments = [*self.options, f"--runtime={RUNTIME_S}", f"--size={self.size_bytes}", "--verbose"]
        run = runs.run_tool(bench.binary, throttled.path, arguments, throttled.group, self.limits)
        bare = runs.run_bare(run.commands, throttled.path, self.size_bytes, throttled.group, self.limits)[0]
        for key, limits in zip(run.commands, self.limits):
            if key not in run.rows:
                raise runs.Broken(f"{row_name(key)}: no figure in the table")
            self.shown[key] = run.rows[key]
            self.tool.setdefault(key, []).append(farther(ratios_to_limit(key, run.rows[key], limits)))
            self.fio.setdefault(key, []).append(farther(ratios_to_limit(key, bare[key], limits)))
            self.whole.setdefault(key, []).append(
                ratios_to_limit(key, runs.Rate(bare[key].mb_per_s, bare[key].whole_iops), limits)[1])

    def verdict(self, key):
        if abs(statistics.median(self.tool[key]) - 1) <= TOLERANCE:
            return "PASS"
        # Where bare fio does not get so far either, the row cannot reach the limit on this machine now.
        return "out of reach" if statistics.median(self.fio[key]) < 1 - TOLERANCE else "FAIL"

    def within(self):
        return all(self.verdict(key) == "PASS" for key in self.tool)

    def show(self):
        print(f"{'':22s}{'MB/s':>10s}{'IOPS':>8s}{'tool/limit':>12s}{'fio/limit':>11s}{'whole':>8s}")
        for key, rate in self.shown.items():
            print(f"{row_name(key):22s}{rate.mb_per_s:10.2f}{rate.iops:8.0f}"
                  f"{statistics.median(self.tool[key]):12.4f}{statistics.median(self.fio[key]):11.4f}"
                  f"{statistics.median(self.whole[key]):8.4f}  {self.verdict(key)}")
