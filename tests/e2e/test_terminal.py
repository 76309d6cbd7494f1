"""Progress and colour: in terminals of every width, in pipes, and with the variables that users know."""

import re
import signal

from lab import checks
from lab.context import QUICK
from lab.session import needs, sanitized
from lab.terminal import columns_of, drawn_lines, final_lines

COLOUR = r"\x1b\[[0-9;]*m"


def progress_lines(text):
    """All states of the progress line; not what is said in sentences."""
    return [line for line in drawn_lines(text) if not line.startswith("speedtest-hd: ")]


def in_width(t, columns, runtime="1"):
    """A run in a terminal of that width: nothing drawn is wider, and the table is what it always is."""
    target = t.plain()
    options = ("--yes", "--size", "16m", "--runtime", runtime, "--slog")
    terminal = t.terminal(target, *options, columns=columns, out_file=True)
    run = terminal.wait()
    checks.equal(run.status, 0, "exit status")
    checks.slog_table(run.out)
    lines = progress_lines(run.err)
    checks.true(len(lines) >= 8, f"only {len(lines)} lines of progress: {lines}")
    wide = [line for line in lines if columns_of(line) > columns]
    checks.equal(wide, [], f"lines wider than {columns}")
    checks.contains(run.err, "\r", "the redrawing")
    checks.contains(run.err, "\x1b[K", "the redrawing")
    checks.lacks(run.out, "\r", "stdout")
    checks.lacks(run.out, "\x1b", "stdout")
    t.clean(target)
    return run


@sanitized
@needs("fio")
def test_20_columns(t):
    in_width(t, 20)


@needs("fio")
def test_40_columns(t):
    in_width(t, 40)


@needs("fio")
def test_80_columns(t):
    run = in_width(t, 80, runtime="2")
    checks.matches(run.err, r"\b4/4\b|4 of 4", "which run of how many")
    checks.contains(run.err, "MB/s", "the speed in the progress")
    left = [line for line in final_lines(run.err) if line.strip() and not line.startswith("speedtest-hd: ")]
    checks.true(not left or "MB/s" not in left[-1], f"progress stays on the screen: {left}")


@needs("fio")
def test_200_columns(t):
    in_width(t, 200)


@needs("fio")
def test_the_prompt_is_broken_between_words(t):
    target = t.plain()
    terminal = t.terminal(target, "--slog", "--size", "16m", columns=40)
    terminal.wait_for(r"Measure now\? \[y/N\] ")
    terminal.type("n\n")
    run = terminal.wait(15)
    lines = final_lines(run.err)
    label = next(line for line in lines if re.match(r" +Takes: ", line))
    below = lines[lines.index(label) + 1]
    checks.matches(below, r"^ {13}\S", "what goes on below the text")
    wide = [line for line in lines if columns_of(line) > 40 and len(line.split()) > 1
            and not line.startswith("speedtest-hd: ")]
    checks.equal(wide, [], "lines wider than 40")
    t.clean(target)


@needs("fio")
def test_sizes_nobody_has(t):
    for columns in (0, 1, 5):
        target = t.plain()
        terminal = t.terminal(target, *QUICK, "--slog", columns=columns, out_file=True)
        t.in_a_run(terminal, 2)
        terminal.type("\x03")
        checks.equal(terminal.wait(15).status, -signal.SIGINT, "exit status")
        t.clean(target)


@needs("fio")
def test_the_terminal_becomes_narrow(t):
    target = t.plain()
    terminal = t.terminal(target, *QUICK, "--slog", columns=120, out_file=True)
    t.in_a_run(terminal)
    before = len(terminal.text())
    terminal.resize(30)
    terminal.watch(0.8)
    position = len(terminal.text())
    run = terminal.wait()
    checks.equal(run.status, 0, "exit status")
    checks.slog_table(run.out)
    text = run.err[position:]
    checks.true(len(progress_lines(text)) > 4 and before, "no progress after the change")
    checks.equal([line for line in progress_lines(text)[1:] if columns_of(line) > 30], [], "lines wider than 30")
    t.clean(target)


@needs("fio")
def test_the_layout_shows_progress(t):
    target = t.plain()
    terminal = t.terminal(target, "--yes", "--size", "1g", "--runtime", "1", "--slog", out_file=True)
    t.in_a_run(terminal)
    text = terminal.text()
    terminal.type("\x03")
    terminal.wait(15)
    checks.true(len(progress_lines(text)) >= 3, f"no progress in {text!r}")
    t.clean(target)


@needs("fio")
def test_a_dumb_terminal(t):
    target = t.plain()
    terminal = t.terminal(target, *QUICK, "--slog", env={"TERM": "dumb"})
    run = terminal.wait()
    checks.equal(run.status, 0, "exit status")
    checks.lacks(run.err, "\x1b", "the terminal")
    checks.slog_table(run.err.replace("\r\n", "\n").replace("\r", "\n"))
    t.clean(target)


@sanitized
@needs("fio")
def test_progress_in_a_pipe_is_plain_lines(t):
    target = t.plain()
    run = t.measure_quickly(target, "--slog")
    checks.no_control_bytes(run.err_bytes, "stderr")
    for name in checks.SLOG_ROWS:
        about = [line for line in run.err.splitlines() if re.search(rf"{name}\b", line)]
        checks.equal(len(about), 1, f"lines about '{name}' in {run.err!r}")
    checks.slog_table(run.out)


def colours(t, where, *options, **env):
    """Whether stdout and stderr are coloured: a run on a file system without O_DIRECT, up to the first fio."""
    target = t.ramfs()
    start = {"files": t.start, "terminal": t.terminal, "stderr": t.terminal}[where]
    how = {"out_file": True} if where == "stderr" else {}
    process = start(target, *QUICK, *options, env=env, **how)
    t.in_a_run(process)
    process.signal(signal.SIGINT)
    run = process.wait(15)
    checks.contains(re.sub(COLOUR, "", run.out + run.err), "O_DIRECT: DISABLED (buffered", "the banner")
    t.clean(target)
    return [bool(re.search(COLOUR, text)) for text in (run.out, run.err)]


@needs("fio", "root")
def test_colour_in_files(t):
    checks.equal(colours(t, "files")[0], False, "as it is")
    checks.equal(colours(t, "files", "--color", "always")[0], True, "--color always")
    checks.equal(colours(t, "files", FORCE_COLOR="1")[0], True, "FORCE_COLOR=1")
    checks.equal(colours(t, "files", FORCE_COLOR="0")[0], False, "FORCE_COLOR=0")
    checks.equal(colours(t, "files", NO_COLOR="1", FORCE_COLOR="1")[0], False, "NO_COLOR and FORCE_COLOR")
    checks.equal(colours(t, "files", "--color=always", NO_COLOR="1")[0], True, "--color always and NO_COLOR")
    checks.equal(colours(t, "files", "--color=never", FORCE_COLOR="1"), [False, False], "--color never and FORCE_COLOR")


@needs("fio", "root")
def test_colour_in_a_terminal(t):
    checks.equal(colours(t, "terminal")[1], True, "as it is")
    checks.equal(colours(t, "terminal", "--color", "never")[1], False, "--color never")
    checks.equal(colours(t, "terminal", NO_COLOR="1")[1], False, "NO_COLOR=1")
    checks.equal(colours(t, "terminal", NO_COLOR="")[1], True, "NO_COLOR empty")
    checks.equal(colours(t, "terminal", FORCE_COLOR="0")[1], False, "FORCE_COLOR=0")
    checks.equal(colours(t, "terminal", TERM="dumb")[1], False, "TERM=dumb")
    checks.equal(colours(t, "terminal", TERM=None)[1], False, "TERM unset")


@needs("fio", "root")
def test_each_stream_decides_for_itself(t):
    checks.equal(colours(t, "stderr")[0], False, "stdout in a file beside a terminal")


@needs("fio")
def test_verbose_in_a_terminal(t):
    target = t.plain()
    terminal = t.terminal(target, *QUICK, "--slog", "--verbose", out_file=True)
    run = terminal.wait()
    checks.equal(run.status, 0, "exit status")
    checks.slog_table(run.out)
    checks.true(run.err.count('"jobs"') >= 4, "fio's documents")
    t.clean(target)
