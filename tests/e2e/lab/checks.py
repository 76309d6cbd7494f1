"""Assertions that say what they found."""

import re
import time


def shown(value):
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) < 3000 else text[:1500] + "\n[...]\n" + text[-1500:]


def true(condition, what):
    if not condition:
        raise AssertionError(what)


def equal(found, wanted, what):
    if found != wanted:
        raise AssertionError(f"{what}: wanted {shown(repr(wanted))}, found {shown(repr(found))}")


def contains(text, part, what):
    if part not in text:
        raise AssertionError(f"{what}: no '{part}' in:\n{shown(text)}")


def lacks(text, part, what):
    if part in text:
        raise AssertionError(f"{what}: there is '{part}' in:\n{shown(text)}")


def matches(text, pattern, what):
    """Whether the pattern is found anywhere in the text; its match."""
    match = re.search(pattern, text, re.MULTILINE)
    if not match:
        raise AssertionError(f"{what}: nothing matches /{pattern}/ in:\n{shown(text)}")
    return match


def until(condition, seconds, what):
    """Wait for a condition; its value. `what` may be a function that describes the state at the end."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what() if callable(what) else what}")
        time.sleep(0.03)


def one_sentence(err, what):
    """Errors are one line that begins with the program's name, without a full stop. The line."""
    lines = [line for line in err.splitlines() if line]
    equal(len(lines), 1, f"{what}: lines on stderr in {lines!r}")
    matches(lines[0], r"^speedtest-hd: \S.*[^.]$", what)
    return lines[0]


def error_sentence(err, what):
    """The last line of stderr is an error. The line."""
    lines = [line for line in err.splitlines() if line]
    true(lines, f"{what}: stderr is empty")
    matches(lines[-1], r"^speedtest-hd: \S.*[^.]$", what)
    return lines[-1]


def no_control_bytes(data, what):
    """No byte below the blank but newlines, and nothing that is not UTF-8."""
    bad = sorted({byte for byte in data if (byte < 32 and byte != 10) or byte == 127})
    equal(bad, [], f"{what}: control bytes in {data[:2000]!r}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise AssertionError(f"{what}: not UTF-8: {error} in {data[:2000]!r}") from None
    equal([c for c in text if 0x80 <= ord(c) < 0xa0], [], f"{what}: C1 control characters")


# The tables

CDM_RULE = "+------------------+----------------+----------------+----------------+----------------+"
CDM_HEAD = "| Test             |    Read (MB/s) |   Write (MB/s) |    Read (IOPS) |   Write (IOPS) |"
CDM_ROWS = ("SEQ1M  Q8T1", "SEQ1M  Q1T1", "RND4K  Q32T16", "RND4K  Q1T1")
SLOG_RULE = "+------------------+--------------+--------------+--------------+--------------+"
SLOG_HEAD = "| Test             |         IOPS |         MB/s |  p50 lat(us) |  p99 lat(us) |"
SLOG_ROWS = ("4K sync T1", "4K sync T4", "4K sync T8", "4K sync T16")


MARKS = "*? "


def table_cells(out, rule, head, all_names, rows=None):
    """
    Check a table byte for byte in its shape; its cells by the rows' names, as stripped strings. `rows`: so many.
    A mark stands in the last blank of its cell, and is left out.
    """
    lines, names = out.splitlines(), all_names[:rows]
    equal(lines.count(rule), 3, f"rules of the table in:\n{shown(out)}\n")
    first = lines.index(rule)
    equal(lines[first + 1], head, "the table's head")
    equal(lines[first + 2], rule, "the rule below the head")
    equal(lines[first + 3 + len(names):first + 4 + len(names)], [rule], "the rule at the end")
    widths = [len(part) for part in rule.strip("+").split("+")]
    cells = {}
    for name, line in zip(names, lines[first + 3:]):
        equal(line[:1] + line[-1:], "||", f"edges of the row '{line}'")
        parts = line[1:-1].split("|")
        equal([len(part) for part in parts], widths, f"widths in the row '{line}'")
        equal(parts[0], f" {name}".ljust(widths[0]), "the row's name")
        for part, width in zip(parts[1:], widths[1:]):
            true(part[-1] in MARKS, f"no mark and no blank at the end of a cell of the row '{line}'")
            equal(part[:-1], part[:-1].strip().rjust(width - 1), f"a cell of the row '{line}'")
        cells[name] = [part[:-1].strip() for part in parts[1:]]
    return cells


def numbers(cells, shapes):
    """The cells as numbers, which must be above 0 and look like their shape."""
    values = {}
    for name, row in cells.items():
        for cell, shape in zip(row, shapes):
            true(re.fullmatch(shape, cell), f"the cell '{cell}' of the row '{name}' is not /{shape}/")
            true(float(cell) > 0, f"'{name}' reports {cell}")
        values[name] = [float(cell) for cell in row]
    return values


def cdm_cells(out, rows=None):
    return table_cells(out, CDM_RULE, CDM_HEAD, CDM_ROWS, rows)


def cdm_table(out):
    """A whole CDM table of good numbers: MB/s read, MB/s written, IOPS read, IOPS written."""
    mb, iops = r"\d+\.\d\d", r"\d+"
    values = numbers(cdm_cells(out), (mb, mb, iops, iops))
    for name, (read, write, read_iops, write_iops) in values.items():
        block = 1048576 if name.startswith("SEQ1M") else 4096
        for megabytes, operations in ((read, read_iops), (write, write_iops)):
            expected = operations * block / 1e6
            true(abs(megabytes - expected) <= max(0.1 * expected, 1.1 * block / 1e6),
                 f"{name}: {megabytes} MB/s do not fit {operations} IOPS of {block} bytes")
    return values


def slog_table(out):
    """A whole SLOG table of good numbers: IOPS, MB/s, p50, p99."""
    values = numbers(table_cells(out, SLOG_RULE, SLOG_HEAD, SLOG_ROWS), (r"\d+", r"\d+\.\d\d", r"\d+\.\d", r"\d+\.\d"))
    for name, (iops, megabytes, p50, p99) in values.items():
        true(p50 <= p99, f"{name}: p50 {p50} is above p99 {p99}")
        expected = iops * 4096 / 1e6
        true(abs(megabytes - expected) <= 0.05 * expected + 0.01, f"{name}: {megabytes} MB/s do not fit {iops} IOPS")
    return values


def box_lines(out):
    """The lines of whatever table there is; all of one width."""
    lines = [line for line in out.splitlines() if line.startswith(("+", "|"))]
    true(len(lines) >= 5, f"no table in:\n{shown(out)}")
    equal({len(line) for line in lines}, {len(lines[0])}, f"widths of the table's lines in:\n{shown(out)}\n")
    return lines
