"""What is measured, and how it is shown, on real file systems."""

import os
import re
import signal
import zlib

from lab import census, checks, linux
from lab.context import QUICK
from lab.session import needs, sanitized, timeout


def banner(out):
    """What stands above the first table."""
    return out.split("+---")[0]


def check_cdm(t, target, kind, *options):
    """A whole CDM run: the table, the banner, the streams."""
    run = t.measure_quickly(target, *options)
    values = checks.cdm_table(run.out)
    head = banner(run.out)
    checks.contains(head, target.path, "the banner")
    checks.contains(head, kind, "the banner")
    # Kernels from 6.15 on turn btrfs's direct writes of checksummed files into buffered ones.
    state = r"(enabled|accepted but not honoured \(btrfs with checksums\).*)" if kind == "btrfs" else "enabled"
    checks.matches(head, rf"O_DIRECT: {state}$", "the banner")
    checks.matches(head, r"io_uring|libaio", "the engine in the banner")
    checks.matches(head, r"16(\.\d+)? ?(MiB|MB|m)", "the size in the banner")
    checks.no_control_bytes(run.out_bytes, "stdout")
    checks.no_control_bytes(run.err_bytes, "stderr")
    checks.lacks(run.err, "+---", "stderr")
    checks.lacks(run.err, "speedtest-hd: ", "stderr")
    return values


@sanitized
@needs("fio", "loop")
def test_cdm_on_ext4(t):
    target = t.ext4()
    check_cdm(t, target, "ext4")


@needs("fio", "xfs")
def test_cdm_on_xfs(t):
    check_cdm(t, t.xfs(), "xfs")


@needs("fio", "btrfs")
def test_cdm_on_btrfs(t):
    check_cdm(t, t.btrfs(), "btrfs")


@needs("fio", "root")
def test_cdm_on_tmpfs(t):
    target = t.tmpfs()
    run = t.measure_quickly(target, "--fio")
    checks.cdm_table(run.out)
    checks.matches(banner(run.out), r"tmpfs|RAM|memory", "the banner")


@timeout(180)
@needs("fio", "zfs")
def test_cdm_on_zfs(t):
    target = t.zfs()
    run = t.measure_quickly(target, seconds=150)
    checks.cdm_table(run.out)
    checks.contains(banner(run.out), t.session.pool.name, "the banner")
    checks.contains(banner(run.out).lower(), "zfs", "the banner")


@timeout(150)
@needs("fio", "zfs")
def test_slog_on_zfs_names_the_log_device(t):
    target = t.zfs()
    pool = t.session.pool
    run = t.measure_quickly(target, "--slog", seconds=120)
    checks.slog_table(run.out)
    checks.contains(banner(run.out), pool.name, "the banner")
    checks.contains(banner(run.out), pool.images[2], "the log device in the banner")
    checks.contains(run.out, f"zpool iostat -v {pool.name} 1", "the tip")


@needs("fio")
def test_slog_never_uses_o_direct_by_itself(t):
    target = t.plain()

    def look(fio):
        words = fio.command()
        for wanted in ("--ioengine=psync", "--rw=randwrite", "--bs=4096", "--numjobs=1", "--thread"):
            checks.contains(words, wanted, "fio's options")
        checks.true("--sync=1" in words, f"O_SYNC in {words}")
        checks.true("--direct=1" not in words, f"O_DIRECT in {words}")
    t.interrupted(target, "--slog", check=look)


@needs("fio", "loop")
def test_slog_with_direct_forced(t):
    target = t.ext4()
    t.interrupted(target, "--slog", "--direct",
                  check=lambda fio: checks.contains(fio.command(), "--direct=1", "options"))


@needs("fio", "loop")
def test_dd_profile(t):
    target = t.ext4()
    run = t.run(target, "--yes", "--size", "16m", "--dd")
    checks.equal(run.status, 0, "exit status")
    t.clean(target)
    lines = checks.box_lines(run.out)
    table = "\n".join(lines)
    checks.contains(table, "MB/s", "the table")
    for word in (r"[Ww]rit", r"[Rr]ead", r"RAM|cache"):
        checks.matches(table, word, "the rows' names")
    numbers = [float(number) for number in re.findall(r"\b\d+\.\d\d\b", table)]
    checks.equal(len(numbers), 3, f"numbers in\n{table}\n")
    checks.true(all(number > 0 for number in numbers), f"numbers {numbers}")
    checks.contains(banner(run.out), "dd", "the banner")


@needs("fio", "loop")
def test_dd_is_what_runs(t):
    target = t.ext4(mib=400)
    process = t.start(target, "--dd", "--yes", "--size", "256m")
    entry = checks.until(lambda: census.named("dd"), 30, "dd never ran")[0]
    checks.contains(entry.folder(), "/speedtest-hd.", "dd's folder")
    run = process.wait()
    checks.equal(run.status, 0, "exit status")
    t.clean(target)


@needs("root", "fio")
def test_without_fio_dd_takes_over(t):
    target = t.plain()
    run = t.run(target, *QUICK, hide=("fio",))
    checks.equal(run.status, 0, "exit status")
    checks.box_lines(run.out)
    checks.lacks(run.out, "Q32T16", "stdout")
    checks.contains(run.out + run.err, "fio is not installed", "the note")
    t.clean(target)


@needs("root", "fio")
def test_without_fio_its_profiles_are_refused(t):
    target = t.plain()
    for option in ("--fio", "--slog"):
        run = t.run(target, *QUICK, option, hide=("fio",))
        checks.equal(run.status, 4, f"exit status of {option}")
        checks.equal(run.out, "", "stdout")
        checks.matches(run.err, r"(apt|apt-get) install (-y )?fio", "the install command")
        checks.error_sentence(run.err, option)
        t.clean(target)


@needs("fio", "root")
def test_without_o_direct_it_is_buffered_and_said_in_red(t):
    target = t.ramfs()
    process = t.start(target, *QUICK, "--color", "always")
    checks.until(lambda: b"O_DIRECT" in process.out(), 30, "no banner")
    fio = t.in_a_run(process)
    checks.true("--direct=1" not in fio.command(), f"direct in {fio.command()}")
    process.signal(signal.SIGINT)
    run = process.wait(15)
    checks.matches(run.out, r"\x1b\[(1;)?31m[^\x1b]*DISABLED \(buffered", "the red banner")
    checks.contains(re.sub(r"\x1b\[[0-9;]*m", "", run.out), "O_DIRECT: DISABLED (buffered", "the banner")
    t.clean(target)


@timeout(150)
@needs("fio", "root")
def test_a_buffered_run(t):
    target = t.ramfs()
    run = t.measure_quickly(target)
    checks.cdm_cells(run.out)
    checks.contains(banner(run.out), "O_DIRECT: DISABLED (buffered", "the banner")
    checks.no_control_bytes(run.out_bytes, "stdout")


@needs("fio", "fuse")
def test_o_direct_refused_by_open(t):
    target = t.faultfs(refuse_direct=1)
    run = t.interrupted(target)
    checks.contains(run.out, "O_DIRECT: DISABLED (buffered", "the banner")


@needs("fio", "loop")
def test_buffered_on_wish(t):
    target = t.ext4()
    run = t.interrupted(target, "--buffered", number=2,
                        check=lambda fio: checks.true("--direct=1" not in fio.command(), "direct=1"))
    checks.contains(run.out, "DISABLED (buffered", "the banner")


@sanitized
@needs("fio", "root")
def test_forced_direct_that_cannot_work(t):
    target = t.ramfs()
    run = t.run(target, *QUICK, "--direct")
    checks.equal(run.status, 3, "exit status")
    checks.equal(run.out, "", "stdout")
    checks.matches(checks.error_sentence(run.err, "stderr"), r"O_DIRECT|--direct", "the sentence")
    checks.matches(run.err, r"--buffered|leave --direct out", "the remedy")
    checks.contains(run.err, "Invalid argument", "fio's own reason")
    t.clean(target)


def forced_engine(t, engine):
    """Two finished runs with that engine: it is in the banner and in fio's options, and the first row is there."""
    target = t.ext4()
    run = t.interrupted(target, "--engine", engine, number=3,
                        check=lambda fio: checks.contains(fio.command(), f"--ioengine={engine}", "fio's options"))
    checks.contains(banner(run.out), engine, "the banner")
    cells = checks.cdm_cells(run.out, rows=1)
    found = [cell for row in cells.values() for cell in row if re.fullmatch(r"\d+\.\d\d", cell)]
    checks.true(found, f"no number in {cells}")


@needs("fio", "loop")
def test_engine_io_uring(t):
    forced_engine(t, "io_uring")


@needs("fio", "loop")
def test_engine_libaio(t):
    forced_engine(t, "libaio")


@needs("fio", "loop")
def test_engine_posixaio(t):
    forced_engine(t, "posixaio")


@needs("fio", "loop")
def test_engine_sync(t):
    """The synchronous engine has no depth: it is said, and the row is not shown as if it had."""
    target = t.ext4()
    run = t.interrupted(target, "--engine", "sync", number=3)
    checks.contains(banner(run.out), "sync", "the banner")


@needs("fio", "root")
def test_a_forced_engine_that_cannot_work(t):
    target = t.plain()
    run = t.run(target, *QUICK, "--engine", "libaio", env={"PATH": t.fake_fio("engine-libaio")})
    checks.true(run.status in (3, 4), f"exit status {run.status}")
    checks.equal(run.out, "", "stdout")
    checks.contains(checks.error_sentence(run.err, "stderr"), "libaio", "the sentence")
    checks.contains(run.err, "not loadable", "fio's own reason")
    t.clean(target)


@needs("fio", "root")
def test_a_missing_engine_is_passed_over(t):
    target = t.plain()
    process = t.start(target, *QUICK, env={"PATH": t.fake_fio("engine-io_uring")})
    fio = t.in_a_run(process)
    checks.contains(fio.command(), "--ioengine=libaio", "fio's options")
    process.signal(signal.SIGTERM)
    process.wait(15)
    t.clean(target)


def is_q32t16(entry):
    return "--numjobs=16" in entry.command() and "--iodepth=32" in entry.command()


@needs("fio", "loop")
def test_verbose_shows_fio_and_leaves_the_table(t):
    """And Q32T16 is what its name says: sixteen threads of one process, at that depth."""
    target = t.ext4()
    process = t.start(target, *QUICK, "--verbose")
    threads = processes = 0
    while process.running():
        fios = census.named("fio")
        if any(is_q32t16(entry) for entry in fios):
            processes = max(processes, len(fios))
            threads = max(threads, *(entry.threads for entry in fios))
    run = process.wait(1)
    checks.equal(run.status, 0, "exit status")
    t.clean(target)
    checks.cdm_table(run.out)
    checks.true(threads >= 17, f"{threads} threads at most")
    checks.equal(processes, 1, "processes of fio at that time")
    lines = [line for line in run.err.splitlines() if "--numjobs=16" in line]
    checks.equal(len(lines), 2, "command lines of Q32T16 on stderr")
    for line in lines:
        for word in ("--iodepth=32", "--thread", "--bs=4096", "--time_based", "--runtime=1"):
            checks.contains(line, word, "the command line of Q32T16")
    checks.true(run.err.count('"jobs"') >= 8, "fio's documents on stderr")
    checks.lacks(run.out, '"jobs"', "stdout")


@needs("fio", "loop")
def test_the_file_is_whole_private_and_incompressible(t):
    target = t.ext4()

    def look(fio):
        folder = fio.folder()
        checks.matches(folder, "^" + re.escape(target.path) + r"/speedtest-hd\.[A-Za-z0-9]{6,}$", "fio's folder")
        checks.equal(sorted(os.listdir(folder)), ["lock", "speedtest-hd.bench"], "what is in the folder")
        checks.equal(os.stat(folder).st_mode & 0o7777, 0o700, "the folder's mode")
        status = os.stat(f"{folder}/speedtest-hd.bench")
        checks.equal(status.st_size, 16 << 20, "the file's size")
        checks.true(status.st_blocks * 512 >= 16 << 20, f"only {status.st_blocks * 512} bytes of the file are written")
        with open(f"{folder}/speedtest-hd.bench", "rb") as file:
            for position in (0, 5 << 20, 16 << 20 >> 1, (16 << 20) - (1 << 20)):
                file.seek(position)
                data = file.read(1 << 20)
                checks.true(len(zlib.compress(data, 1)) > 0.97 * len(data), f"compressible data at {position}")
    t.interrupted(target, check=look)


@needs("fio", "loop")
def test_nothing_is_written_anywhere_else(t):
    """Empty folders of ours lie over the places where programs like to write."""
    target, working = t.ext4(), t.plain()
    places = ("/tmp", "/dev/shm", "/run", os.path.expanduser("~"))
    covers = {place: t.plain() for place in places if os.path.isdir(place)}

    def cover():
        linux.own_mounts()
        for place, folder in covers.items():
            linux.bind(folder.path, place)
    run = t.run(target, *QUICK, "--slog", cwd=working.path, before_exec=cover)
    checks.equal(run.status, 0, "exit status")
    checks.slog_table(run.out)
    t.clean(target, working, *covers.values())


@needs("fio", "loop")
def test_what_was_there_stays(t):
    target = t.ext4()
    for name in ("speedtest-hd.bench", "lock", "fio.tmp"):
        with open(f"{target.path}/{name}", "w", encoding="ascii") as file:
            file.write("precious\n")
    os.mkdir(f"{target.path}/speedtest-hd.Precious")
    with open(f"{target.path}/speedtest-hd.Precious/mine", "w", encoding="ascii") as file:
        file.write("precious\n")
    target.before = target.listing()
    t.interrupted(target, "--slog")
    for name in ("speedtest-hd.bench", "lock", "fio.tmp", "speedtest-hd.Precious/mine"):
        with open(f"{target.path}/{name}", encoding="ascii") as file:
            checks.equal(file.read(), "precious\n", name)
