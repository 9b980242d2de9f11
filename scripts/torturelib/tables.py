"""Hostile lossless tables: odd values, other types, missing and extra columns and files, bytes.

Each case changes a folder of `export --lossless` and loads it. The load works or fails with one
line; what it makes is a database that other commands read.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from torturelib import running
from torturelib.damage import CHESS, GO, sound_database
from torturelib.forked import run_forked
from torturelib.model import Case

MOST_CHANGES = 3
ODD = (
    None, 0, -1, 1 << 31, (1 << 63) - 1, -(1 << 63), 0.5, float("nan"), "", "x", "?", "1-0",
    "{", "[]", '{"A":1}', '{"A":{"B":[]}}', '{"A":' * 3000, '{"FEN":"8/8/8"}', "é" * 5000,
    'A"]\n\n*\n\n[Event "B"]', ") *", "8/8/8/8/8/8/8/8 w - - 0 1", "9999.99.99", b"",
    b"\0", b"\xff\xfe",
    "a\0b", "2000.01.01", "SZ[19]AB[aa]", True, [], [{}], {"a": 1}, "\u2028",
)  # fmt: skip


def run_case(case: Case) -> str | None:
    """Change a folder of tables and load it; return what went wrong."""
    rng = case.random()
    kind = rng.choice((CHESS, CHESS, GO))
    shutil.copytree(_sound_folder(case, kind), case.folder / "tables")
    done = [_changed(case.folder / "tables", rng) for _ in range(rng.randint(1, MOST_CHANGES))]
    if rng.random() < 0.9:
        _list_again(case.folder / "tables")
    pgn = "sgf" if kind == GO else "pgn"
    commands = [("create", "g.db3", "tables")]
    if rng.random() < 0.3:
        shutil.copy(sound_database(case, kind), case.folder / "g.db3")
        commands = [("create", "g.db3", "tables", "--append")]
    commands += [("check", "g.db3"), ("dedup", "g.db3"), ("export", "g.db3", "-o", f"o.{pgn}")]
    for words in commands:
        outcome = run_forked(case, *words)
        problem = running.crash(outcome)
        if problem is None and outcome.status == running.FAILED:
            problem = running.refused(outcome)
        if problem is not None:
            return f"{kind} tables, {'; '.join(done)}: {problem}"
        if outcome.status == running.FAILED:
            break
    return None


def _changed(folder: Path, rng: random.Random) -> str:
    """Change a folder in one way; return what was done."""
    import pyarrow

    for _ in range(20):
        with contextlib.suppress(
            pyarrow.ArrowException, OSError, LookupError, AttributeError, ValueError
        ):
            return rng.choice(_WAYS)(folder, rng)
        # The folder may be too damaged for more by now.
    return "no change"


def _sound_folder(case: Case, kind: str) -> Path:
    """Return a folder of tables, written on first use."""
    folder = case.kept / f"{kind}-tables"
    if not folder.exists():
        words = (
            "export",
            str(sound_database(case, kind)),
            "--all",
            "--lossless",
            "-o",
            str(folder),
        )
        outcome = run_forked(replace(case, folder=case.kept), *words, "-q")
        assert outcome.status == running.DONE, outcome
    return folder


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.parquet") if path.is_file())


def _change_column(path: Path, rng: random.Random, change: Callable[[Any, Any, int], Any]) -> str:
    """Rewrite a file of Parquet with what `change` makes of it and of one of its columns."""
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    place = rng.randrange(table.num_columns)
    name = table.column_names[place]
    pyarrow.parquet.write_table(change(pyarrow, table, place), path)
    return name


def _odd_values(folder: Path, rng: random.Random) -> str:
    """Replace values of a column, in its type if that holds them, else in another."""
    path, odd, is_all = rng.choice(_files(folder)), rng.choice(ODD), rng.random() < 0.3

    def change(arrow: Any, table: Any, place: int) -> Any:
        values = table.column(place).to_pylist()
        chosen = range(len(values)) if is_all else (rng.randrange(len(values) or 1),)
        for at in chosen:
            if at < len(values):
                values[at] = _near(values[at], odd, rng)
        field = table.schema.field(place)
        try:
            column = arrow.array(values, field.type)
        except (arrow.ArrowException, TypeError, ValueError, OverflowError):
            column = arrow.array([odd] * len(values))
        return table.set_column(place, field.name, column)

    return f"{path.name}: {_change_column(path, rng, change)} = {odd!r:.60}"


def _near(value: Any, odd: Any, rng: random.Random) -> Any:
    """Return a value with an odd part, or an odd value."""
    if isinstance(value, list) and value and rng.random() < 0.8:
        entry = dict(rng.choice(value))
        entry[rng.choice([*entry])] = odd
        return [*value, entry]
    if isinstance(value, bytes) and rng.random() < 0.5:
        at = rng.randrange(len(value) + 1)
        return value[:at] + rng.randbytes(rng.randrange(3)) + value[at + 1 :]
    return odd


def _other_type(folder: Path, rng: random.Random) -> str:
    path = rng.choice(_files(folder))
    kind = rng.choice(
        ("string", "int8", "float64", "binary", "bool_", "date32", "null", "large_string")
    )

    def change(arrow: Any, table: Any, place: int) -> Any:
        type_ = getattr(arrow, kind)()
        try:
            column = table.column(place).cast(type_)
        except arrow.ArrowException:
            column = arrow.nulls(table.num_rows, type_)
        return table.set_column(place, table.column_names[place], column)

    return f"{path.name}: {_change_column(path, rng, change)} is {kind}"


def _invalid_text(folder: Path, rng: random.Random) -> str:
    """Put bytes that are not UTF-8 into a column of text."""
    path = rng.choice(_files(folder))

    def change(arrow: Any, table: Any, place: int) -> Any:
        raw = arrow.array([b"\xff\xe9"] * table.num_rows, arrow.binary())
        text = arrow.Array.from_buffers(arrow.string(), len(raw), raw.buffers())
        return table.set_column(place, table.column_names[place], text)

    return f"{path.name}: {_change_column(path, rng, change)} is not UTF-8"


def _other_columns(folder: Path, rng: random.Random) -> str:
    path, way = rng.choice(_files(folder)), rng.choice(("drop", "twice", "rename", "no rows"))

    def change(arrow: Any, table: Any, place: int) -> Any:
        name = table.column_names[place]
        if way == "drop":
            return table.drop_columns([name])
        if way == "twice":
            return table.append_column(name, table.column(place))
        if way == "rename":
            return table.rename_columns(
                [f"{each}x" if each == name else each for each in table.column_names]
            )
        return table.slice(0, 0)

    return f"{path.name}: {way} {_change_column(path, rng, change)}"


def _bytes(folder: Path, rng: random.Random) -> str:
    path = rng.choice(_files(folder))
    raw = bytearray(path.read_bytes())
    for _ in range(rng.choice((1, 5, 50))):
        raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    if rng.random() < 0.3:
        del raw[rng.randrange(len(raw)) :]
    path.write_bytes(raw)
    return f"{path.name}: bytes"


def _files_changed(folder: Path, rng: random.Random) -> str:
    path, way = (
        rng.choice(_files(folder)),
        rng.choice(("remove", "copy", "folder", "empty", "other")),
    )
    if way == "remove":
        path.unlink()
    elif way == "copy":
        shutil.copy(path, path.with_name(f"more-{path.name}"))
    elif way == "folder":
        path.unlink()
        path.mkdir()
    elif way == "empty":
        path.write_bytes(b"")
    else:
        (folder / "more.pgn").write_text("1. e4 *\n")
    return f"{path.name}: {way}"


def _manifest(folder: Path, rng: random.Random) -> str:
    """Change one value of the manifest."""
    (path,) = folder.glob("*.json")
    content = json.loads(path.read_bytes())
    place = rng.choice((content, *content["files"]))
    key = rng.choice([*place])
    place[key] = rng.choice(
        (None, -1, 1 << 70, "x", "a\0b", "../x", "", [], {}, 0.5, "/etc/passwd", "é" * 300)
    )
    path.write_text(json.dumps(content))
    return f"manifest: {key} = {place[key]!r:.40}"


def _list_again(folder: Path) -> None:
    """Have the manifest list the files as they are now, as whoever changes them would."""
    manifests = [*folder.glob("*.json")]
    content = json.loads(manifests[0].read_bytes())
    if not isinstance(content.get("files"), list):
        return
    for entry in content["files"]:
        name = entry.get("name")
        if isinstance(name, str) and folder / name in _files(folder):
            data = (folder / name).read_bytes()
            if isinstance(entry.get("bytes"), int) and entry["bytes"] >= 0:
                entry["bytes"], entry["sha256"] = len(data), hashlib.sha256(data).hexdigest()
    manifests[0].write_text(json.dumps(content))


_WAYS = (
    *[_odd_values] * 6, *[_other_type] * 2, _invalid_text, _other_columns, _bytes, _files_changed,
    *[_manifest] * 2,
)  # fmt: skip
