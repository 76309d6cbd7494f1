"""Targets with strange names, and what is no target at all."""

import os

from lab import checks, mounts
from lab.context import QUICK
from lab.session import needs, sanitized

WEIRD = ("two  blanks ", "co:lon", "com,ma", "100%s %d %n", "$jobname ${HOME} $(id)", "q'uo\"tes`", "new\nline",
         "ha#sh", "semi;colon", "ünï→日本", "back\\slash", "tab\tbell\a\033[31mred\033[0m", "*?[a-z]{b}", "~",
         "=x=y", "speedtest-hd.x")


def measured_there(t, path, folder=None, **how):
    """fio works in a private folder of that directory, and nothing of it is left; the Run."""
    folder = os.fsencode(folder or path)

    def look(fio):
        place = os.readlink(f"/proc/{fio.pid}/cwd".encode())
        checks.true(place.startswith(folder + b"/speedtest-hd."), f"fio works in {place}, not below {folder}")
    run = t.interrupted(path, check=look, **how)
    checks.equal(os.listdir(folder), [], f"what is left in {folder}")
    checks.no_control_bytes(run.out_bytes, "stdout")
    checks.no_control_bytes(run.err_bytes, "stderr")
    return run


def refused(t, path, *options, says=(), **how):
    """Status 3, one sentence, at once, and no trace; the sentence."""
    run = t.run(path, *QUICK, *options, **how)
    checks.equal(run.status, 3, f"exit status for {path!r}")
    checks.equal(run.out, "", "stdout")
    sentence = checks.one_sentence(run.err, f"stderr for {path!r}")
    for part in says:
        checks.matches(sentence, part, "the sentence")
    checks.no_control_bytes(run.err_bytes, "stderr")
    t.clean()
    return sentence


@sanitized
@needs("fio")
def test_weird_names(t):
    base = t.plain()
    for name in WEIRD:
        os.mkdir(f"{base.path}/{name}")
        run = measured_there(t, f"{base.path}/{name}")
        checks.contains(run.out, base.path, "the banner")


@needs("fio")
def test_latin_1_bytes(t):
    path = os.fsencode(t.plain().path) + b"/caf\xe9 \x80\xff"
    os.mkdir(path)
    measured_there(t, path)


@needs("fio")
def test_a_weird_name_through_a_whole_run(t):
    base = t.plain()
    path = f"{base.path}/a:b,c d%s$jobname'\"\n#;é"
    os.mkdir(path)
    run = t.run(path, *QUICK, "--slog")
    checks.equal(run.status, 0, "exit status")
    checks.slog_table(run.out)
    checks.equal(os.listdir(path), [], "what is left")
    checks.no_control_bytes(run.out_bytes, "stdout")
    checks.no_control_bytes(run.err_bytes, "stderr")


@needs("root")
def test_a_weird_name_with_dd(t):
    base = t.plain()
    path = f"{base.path}/-a:b,c d%s'\"\n#;é"
    os.mkdir(path)
    run = t.run(path, "--yes", "--size", "16m", "--dd")
    checks.equal(run.status, 0, "exit status")
    checks.equal(os.listdir(path), [], "what is left")


@needs("fio")
def test_a_component_of_255_bytes(t):
    path = f"{t.plain().path}/{'x' * 255}"
    os.mkdir(path)
    measured_there(t, path)


def deep_folder(base, length):
    """A directory whose absolute path has that length."""
    path, handle = base, os.open(base, os.O_RDONLY)
    while len(path) < length:
        rest = length - len(path) - 1
        name = "d" * (rest if rest <= 200 else 200 if rest - 201 > 1 else 150)
        os.mkdir(name, dir_fd=handle)
        below = os.open(name, os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle, path = below, f"{path}/{name}"
    return path, handle


def deep(t, length):
    path, handle = deep_folder(t.plain().path, length)
    checks.equal(len(path), length, "the path's length")
    run = t.run(path, *QUICK, "--slog")
    checks.equal(run.status, 0, "exit status")
    checks.slog_table(run.out)
    checks.equal(os.listdir(handle), [], "what is left")


@needs("fio")
def test_a_path_of_4000_bytes(t):
    deep(t, 4000)


@needs("fio")
def test_a_path_of_4095_bytes(t):
    deep(t, 4095)


def test_a_path_that_is_too_long(t):
    refused(t, "/" + "x/" * 3000)
    refused(t, f"{t.plain().path}/{'x' * 256}")


@needs("fio")
def test_links_dots_and_slashes(t):
    base = t.plain()
    real = f"{base.path}/real"
    os.mkdir(real)
    os.symlink("real", f"{base.path}/link")
    measured_there(t, f"{base.path}/link", folder=real)
    measured_there(t, f"{real}/", folder=real)
    measured_there(t, f"{base.path}/link//./", folder=real)
    measured_there(t, ".", folder=real, cwd=real)
    measured_there(t, "../real", folder=real, cwd=real)


@sanitized
def test_no_such_path(t):
    base = t.plain().path
    refused(t, f"{base}/nothing", says=("No such|not exist|missing", "nothing"))
    refused(t, f"{base}/no\033[31msuch\nthing\x7f")
    os.symlink("nowhere", f"{base}/dangling")
    refused(t, f"{base}/dangling")
    os.symlink("loop", f"{base}/loop")
    refused(t, f"{base}/loop")


@sanitized
def test_no_directory(t):
    base = t.plain().path
    with open(f"{base}/file", "w", encoding="ascii") as file:
        file.write("precious\n")
    os.mkfifo(f"{base}/pipe")
    refused(t, f"{base}/file", says=("directory|folder",))
    refused(t, f"{base}/file/", says=())
    refused(t, f"{base}/pipe", says=("directory|folder",))
    refused(t, "/dev/null", says=("device",))
    with open(f"{base}/file", encoding="ascii") as file:
        checks.equal(file.read(), "precious\n", "the file")


@needs("loop")
def test_a_block_device(t):
    target = t.ext4()
    refused(t, target.loop, says=("device", "directory|mount|folder"))


@needs("loop")
def test_read_only(t):
    target = t.ext4_read_only()
    refused(t, target, says=("read-only",))
    t.clean(target)


@needs("loop")
def test_not_enough_space(t):
    target = t.ext4()
    sentence = refused(t, target, "--size", "1g", says=("space|free|room", "--size"))
    checks.matches(sentence, r"\d+(\.\d+)? ?[KMG]i?B", "what is free")
    t.clean(target)


@needs("loop")
def test_nearly_full(t):
    target = t.ext4_full(8)
    refused(t, target, says=("space|free|room",))
    t.clean(target)


@needs("fio", "btrfs")
def test_quota(t):
    target = t.btrfs_with_quota(10)
    run = t.run(target, *QUICK)
    checks.equal(run.status, 3, "exit status")
    checks.matches(checks.error_sentence(run.err, "stderr"), "[Qq]uota", "the sentence")
    checks.lacks(run.out, "+---", "stdout")
    t.clean(target)


@needs("users")
def test_no_permission(t):
    target = t.plain(mode=0o755)
    refused(t, target, "--no-sudo", user=t.user("plain"), says=("[Pp]ermission|writ|not allowed",))
    hidden = t.plain(mode=0o700)
    refused(t, hidden, "--no-sudo", user=t.user("plain"), says=("[Pp]ermission|enter|allowed",))
    t.clean(target, hidden)


@needs("root")
def test_root_in_an_immutable_folder(t):
    target = t.plain()
    if mounts.quietly("chattr", "+i", target.path)[0] != 0:
        return
    try:
        run = t.run(target, *QUICK)
    finally:
        mounts.must("chattr", "-i", target.path)
    checks.equal(run.status, 3, "exit status")
    checks.error_sentence(run.err, "stderr")


def test_pseudo_file_systems(t):
    for path in ("/proc", "/sys", "/proc/self", "/dev/pts"):
        refused(t, path)
