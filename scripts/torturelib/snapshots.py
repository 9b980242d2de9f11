"""What a folder holds, without the times of a run: to compare two runs of the same commands."""

from __future__ import annotations

import contextlib
import gzip
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

DATABASE = b"SQLite format 3\0"
# Dates of runs, durations, and stamps of files: nanoseconds, and their inode behind; how often a
# database was written to.
TIMES = (
    (re.compile(r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?( UTC)?"), "TIME"),
    (re.compile(r"\b1\d{18}(, \d+)?\b"), "STAMP"),
    (re.compile(r"\b\d+\.\d+ s\b"), "SECONDS"),
    (re.compile(r'"file": \[[\d, ]+\]'), "WRITES"),
)
BESIDE = ("-history", "-search")  # folders of a database
RANDOM_ROW = "Search files of"  # in Info; it is not there if a search could not write its files
FILE_DATE = re.compile(r"\b20\d\d-?\d\d-?\d\d([T-]?\d{4,6}Z?)?\b")

Rows = dict[str, list[tuple[object, ...]]]
Snapshot = dict[str, object]


def snapshot(folder: Path) -> Snapshot:
    """Return all files below a folder by their names; of databases the rows.

    Only a copy is opened: SQLite would roll a journal back, which is the program's business.
    """
    state: Snapshot = {}
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        copied = Path(scratch) / "copy"
        shutil.copytree(folder, copied, symlinks=True)
        for path in sorted(folder.rglob("*")):
            if any(part.endswith(BESIDE) for part in path.relative_to(folder).parts):
                continue  # names are random, and a killed run is a step too
            name = FILE_DATE.sub("DATE", str(path.relative_to(folder)))
            if path.is_symlink():
                state[name] = f"link to {path.readlink()}"
            elif path.is_dir():
                state[f"{name}/"] = "folder"
            elif name.endswith("-journal"):
                state[name] = "journal"
            else:
                state[name] = content(copied / path.relative_to(folder), folder)
    return state


def content(path: Path, folder: Path) -> object:
    data = path.read_bytes()
    if data.startswith(DATABASE):
        return dump(path, folder)
    if data.startswith(b"\x1f\x8b"):
        with contextlib.suppress(OSError, EOFError):
            data = gzip.decompress(data)
    return without_times(data.decode("utf-8", "surrogateescape"), folder)


def without_times(text: str, folder: Path | None = None) -> str:
    for pattern, mark in TIMES:
        text = pattern.sub(mark, text)
    text = FILE_DATE.sub("DATE", text) if "removed-" in text else text
    return text.replace(str(folder), "FOLDER") if folder is not None else text


def dump(path: Path, folder: Path | None = None, *, leave_out: Iterable[str] = ()) -> Rows | str:
    """Return all rows of all tables, or what is wrong with the file."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{quoted(path)}", uri=True)) as connection:
            connection.text_factory = lambda raw: without_times(
                raw.decode("utf-8", "surrogateescape"), folder
            )
            return read_tables(connection, set(leave_out))
    except sqlite3.Error as error:
        return f"cannot be read: {error}"


def quoted(path: Path) -> str:
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def read_tables(connection: sqlite3.Connection, leave_out: set[str]) -> Rows:
    rows: Rows = {"schema": []}
    leave_out = leave_out | {"Steps"}
    schema = connection.execute(
        "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2"
    ).fetchall()
    rows["schema"] = schema
    for pragma in ("application_id", "user_version", "integrity_check"):
        rows[pragma] = connection.execute(f"PRAGMA {pragma}").fetchall()
    for kind, name, _ in schema:
        if kind == "table" and name not in leave_out:
            table = name.replace('"', '""')
            rows[name] = sorted(connection.execute(f'SELECT * FROM "{table}"'), key=repr)
            if name == "Info":
                rows[name] = [row for row in rows[name] if row[0] != RANDOM_ROW]
    return rows


def difference(actual: Mapping[str, object], expected: Mapping[str, object]) -> str | None:
    """Return the first difference of two snapshots in a line, or None."""
    for name in sorted(actual.keys() | expected.keys()):
        if name not in expected:
            return f"{name} is left over"
        if name not in actual:
            return f"{name} is missing"
        left, right = actual[name], expected[name]
        if left != right:
            if isinstance(left, dict) and isinstance(right, dict):
                return f"{name}: {row_difference(left, right)}"
            if isinstance(left, str) and isinstance(right, str):
                return f"{name}: {text_difference(left, right)}"
            return f"{name}: {str(left)[:100]} against {str(right)[:100]}"
    return None


def row_difference(actual: Rows, expected: Rows) -> str:
    for table in sorted(actual.keys() | expected.keys()):
        left, right = actual.get(table, []), expected.get(table, [])
        if left != right:
            more = [row for row in left if row not in right][:2]
            less = [row for row in right if row not in left][:2]
            return f"{table} has {len(left)} rows, not {len(right)}; more {more}, less {less}"[:300]
    return "equal"


def text_difference(actual: str, expected: str) -> str:
    ones, others = actual.splitlines(), expected.splitlines()
    for number, (left, right) in enumerate(zip(ones, others, strict=False), 1):
        if left != right:
            return f"line {number} is {left[:80]!r}, not {right[:80]!r}"
    return f"{len(ones)} lines, not {len(others)}"
