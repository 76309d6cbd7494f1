"""The command line: what is accepted, what is said, where it goes."""

import os
import signal

from lab import checks
from lab.context import QUICK
from lab.session import needs, sanitized

OPTIONS = ("--fio", "--dd", "--slog", "--slog-detail", "--diagnose", "--engine", "--direct", "--buffered", "--runtime",
           "--size", "--verbose", "--yes", "--no-sudo", "--color", "--help", "--version")


def usage_error(t, *arguments, says=()):
    """The arguments are refused: status 2, nothing on stdout, the sentence and where to find help on stderr."""
    run = t.run(*arguments)
    checks.equal(run.status, 2, f"exit status of {arguments}")
    checks.equal(run.out, "", f"stdout of {arguments}")
    lines = run.err.splitlines()
    checks.matches(lines[0], r"^speedtest-hd: \S.*[^.]$", f"the sentence on {arguments}")
    checks.contains(run.err, "Try 'speedtest-hd --help'", f"stderr of {arguments}")
    checks.true(len(lines) <= 2, f"more than two lines about {arguments}: {lines}")
    for part in says:
        checks.contains(run.err, part, f"stderr of {arguments}")
    checks.no_control_bytes(run.err_bytes, f"stderr of {arguments}")
    t.clean()


@sanitized
def test_no_argument_shows_the_short_help(t):
    run = t.run()
    checks.equal(run.status, 2, "exit status")
    checks.equal(run.out, "", "stdout")
    checks.contains(run.err, "speedtest-hd", "stderr")
    checks.contains(run.err, "--help", "stderr")
    checks.true(len(run.err.splitlines()) <= 8, "the short help is not short")


@sanitized
def test_help_is_a_result(t):
    for option in ("--help", "-h"):
        run = t.run(option)
        checks.equal(run.status, 0, "exit status")
        checks.equal(run.err, "", "stderr")
        for name in OPTIONS:
            checks.contains(run.out, name, "the help")
        checks.true(all(len(line) <= 100 for line in run.out.splitlines()), "lines of the help over 100 columns")
        first_option = run.out.index("--runtime SEC") if "--runtime SEC" in run.out else run.out.index("--engine")
        checks.matches(run.out[:first_option], r"(?m)^\s+.*speedtest-hd /\S+", "an example before the options")
        checks.no_control_bytes(run.out_bytes, "the help")


def test_help_wins_over_a_bad_target(t):
    checks.equal(t.run("/nonexistent", "--help").status, 0, "exit status")


@sanitized
def test_version(t):
    for option in ("--version", "-V"):
        run = t.run(option)
        checks.equal((run.status, run.err), (0, ""), "exit status and stderr")
        checks.matches(run.out.splitlines()[0], r"^speedtest-hd \d+\.\d+", "the first line")


@sanitized
def test_unknown_options_name_the_nearest(t):
    usage_error(t, "--slgo", "/tmp", says=("--slgo", "--slog"))
    usage_error(t, "/tmp", "--runtme=5", says=("--runtme", "--runtime"))
    usage_error(t, "/tmp", "--verbos3", says=("--verbose",))
    usage_error(t, "/tmp", "-Z", says=("Z",))
    usage_error(t, "/tmp", "--\033[31mred\n")


@sanitized
def test_values_are_checked(t):
    for value in ("0", "-1", "abc", "", "1.5x", "999999999999999999999", "5s5", " "):
        usage_error(t, "/tmp", f"--runtime={value}", says=("--runtime",))
    for value in ("0", "-5", "abc", "", "1x", "1m1", "99999999999t", "1k", "m", "4GiBx", "1..5g"):
        usage_error(t, "/tmp", f"--size={value}", says=("--size",))
    for value in ("", "uring", "psync", "libai", "IO_URING "):
        usage_error(t, "/tmp", f"--engine={value}", says=("--engine",))
    for value in ("", "yes", "alwayss"):
        usage_error(t, "/tmp", f"--color={value}", says=("--color",))


def test_missing_values(t):
    for option in ("--runtime", "--size", "--engine", "--color"):
        usage_error(t, "/tmp", option, says=(option,))


def test_values_where_none_belongs(t):
    for option in ("--fio=1", "--yes=1", "--verbose=yes", "--direct=1"):
        usage_error(t, "/tmp", option, says=(option.split("=")[0],))


@sanitized
def test_exclusive_options(t):
    for pair in (("--fio", "--dd"), ("--dd", "--slog"), ("--slog", "--fio"), ("--direct", "--buffered")):
        usage_error(t, "/tmp", *pair, says=pair)
        usage_error(t, pair[1], "/tmp", pair[0], says=pair)


def test_companions(t):
    for option in ("--slog-detail", "--diagnose"):
        usage_error(t, "/tmp", option, says=(option, "--slog"))
        usage_error(t, "/tmp", "--fio", option, says=(option, "--slog"))
        usage_error(t, "--load=x.json", option, says=(option, "--load"))


def test_two_paths(t):
    usage_error(t, "/tmp", "/var/tmp", says=("/var/tmp",))


def test_no_path(t):
    usage_error(t, "--slog")
    usage_error(t, "--yes", "--")
    usage_error(t, "--yes", "")


@sanitized
def test_no_terminal_without_yes_is_refused_at_once(t):
    target = t.plain()
    for stdin in (None, os.open("/dev/zero", os.O_RDONLY)):
        run = t.run(target, "--size", "16m", stdin=stdin)
        checks.equal(run.status, 2, "exit status")
        checks.equal(run.out, "", "stdout")
        checks.contains(run.err, "--yes", "stderr")
        checks.error_sentence(run.err.splitlines()[0], "stderr")
        checks.true(run.seconds < 2, f"it took {run.seconds} s")
        t.clean(target)


@needs("fio")
def test_both_forms_and_any_order(t):
    target = t.plain()
    for arguments in ((target.path, "--size", "16m", "--runtime", "1", "--yes"),
                      ("--size=16m", "--runtime=1", "-y", target.path),
                      ("--size=16777216", target.path, "--yes", "--runtime", "1"),
                      ("--size", "16MiB", "-y", "--runtime=1", "--", target.path),
                      ("--size=16M", "-y", "--runtime=1", "--color=never", target.path),
                      ("--size=16384k", "-y", "--runtime=1", "--color", "never", target.path)):
        process = t.start(*arguments)
        fio = t.in_a_run(process)
        checks.true(any(word in ("--size=16777216", "--filesize=16777216") for word in fio.command()),
                    f"no 16777216 in {fio.command()}")
        checks.contains(fio.command(), "--runtime=1", "fio's options")
        process.signal(signal.SIGTERM)
        process.wait(15)
        t.clean(target)


@needs("fio")
def test_the_first_word_after_two_dashes_is_the_path(t):
    target = t.plain()
    os.mkdir(f"{target.path}/--slog")
    process = t.start("--yes", "--size=16m", "--runtime=1", "--", "--slog", cwd=target.path)
    fio = t.in_a_run(process)
    checks.contains(fio.folder(), f"{target.path}/--slog/speedtest-hd.", "fio's folder")
    process.signal(signal.SIGINT)
    run = process.wait(15)
    checks.equal(run.status, -signal.SIGINT, "exit status")
    checks.equal(os.listdir(f"{target.path}/--slog"), [], "what is left")


@sanitized
def test_completions(t):
    for shell in ("bash", "zsh", "fish"):
        for arguments in (("--completion", shell), (f"--completion={shell}",)):
            run = t.run(*arguments)
            checks.equal((run.status, run.err), (0, ""), "exit status and stderr")
            for name in ("slog", "engine", "io_uring", "posixaio", "speedtest-hd"):
                checks.contains(run.out, name, f"the completion for {shell}")
    usage_error(t, "--completion", "tcsh", says=("tcsh",))
    usage_error(t, "--completion")


@sanitized
def test_the_manual(t):
    run = t.run("--manual")
    checks.equal((run.status, run.err), (0, ""), "exit status and stderr")
    for name in OPTIONS:
        checks.contains(run.out, name, "the manual")
    checks.contains(run.out, "EXIT STATUS", "the manual")


def closed_pipe():
    """The write end of a pipe that nobody reads."""
    read, write = os.pipe()
    os.close(read)
    return write


@sanitized
def test_a_closed_stdout_is_no_error(t):
    for option in ("--help", "--manual", "--version"):
        run = t.run(option, stdout=closed_pipe())
        checks.equal((run.status, run.err), (0, ""), f"exit status and stderr of {option}")


@needs("fio")
def test_a_closed_stdout_does_not_spoil_a_measurement(t):
    target = t.plain()
    run = t.run(target, *QUICK, "--slog", stdout=closed_pipe())
    checks.equal(run.status, 0, "exit status")
    checks.lacks(run.err, "speedtest-hd: ", "stderr")
    t.clean(target)


@sanitized
def test_a_full_stdout_is_an_error(t):
    for option in ("--help", "--manual", "--version"):
        run = t.run(option, stdout=os.open("/dev/full", os.O_WRONLY))
        checks.equal(run.status, 1, f"exit status of {option}")
        checks.contains(checks.one_sentence(run.err, option), "No space left on device", "stderr")


@needs("fio")
def test_a_full_stdout_is_an_error_of_a_measurement(t):
    target = t.plain()
    run = t.run(target, *QUICK, "--slog", stdout=os.open("/dev/full", os.O_WRONLY))
    checks.equal(run.status, 1, "exit status")
    checks.contains(checks.error_sentence(run.err, "stderr"), "No space left on device", "stderr")
    t.clean(target)


@needs("fio")
def test_closed_descriptors_hit_no_file(t):
    target = t.plain()
    run = t.run(target, *QUICK, "--slog", before_exec=lambda: [os.close(number) for number in (0, 1, 2)])
    checks.true(run.status in (0, 1), f"exit status {run.status}")
    t.clean(target)
